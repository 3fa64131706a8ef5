//! How long staff wait for a search among many customers, on DynamoDB's emulator with its database on disk.
//!
//! `cargo run --release --workspace --example search -- <accounts> <seconds of loading at most>`; without numbers, a million and 360.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::collections::HashMap;
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use domain::ids::{AccountId, TenantId};
use domain::model::JobMaster;
use domain::search::{Findable, Search, common_beginning};
use emulators::Dynamo;
use futures::stream::{self, StreamExt};
use serde_json::json;
use store::Store;

const TABLE: &str = "search";
const TENANT: &str = "grossstadt";
/// The most frequent surnames of Germany; the first two are one in fifty together.
const SURNAMES: [&str; 24] = [
    "Müller",
    "Schmidt",
    "Schneider",
    "Fischer",
    "Weber",
    "Meyer",
    "Wagner",
    "Becker",
    "Schulz",
    "Hoffmann",
    "Schäfer",
    "Koch",
    "Bauer",
    "Richter",
    "Klein",
    "Wolf",
    "Schröder",
    "Neumann",
    "Schwarz",
    "Zimmermann",
    "Braun",
    "Krüger",
    "Hofmann",
    "Hartmann",
];
const FIRST_NAMES: [&str; 12] = ["Erna", "Jan", "Petra", "Uwe", "Anna", "Karl", "Ines", "Jörg", "Maria", "Ali", "Sabine", "Tom"];
const STREETS: [&str; 10] = [
    "Hauptstr.",
    "Bahnhofstr.",
    "Ringweg",
    "Am Anger",
    "Gartenstraße",
    "Lindenallee",
    "Berliner Str.",
    "Schillerstr.",
    "Marktplatz",
    "Dorfstr.",
];

/// Numbers that look random and are the same each time.
fn draw(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One of the frequent names for a quarter of all people, or one of ten thousand others.
fn surname(n: u64) -> String {
    let drawn = draw(n);
    match drawn % 100 {
        place @ 0..24 => SURNAMES[place as usize].to_owned(),
        _ => format!(
            "{}{}",
            ["Alt", "Berg", "Dorn", "Eich", "Fels", "Grün", "Hag", "Kirch", "Lang", "Stein"][(drawn / 100 % 10) as usize],
            {
                let rest = drawn / 1000 % 1000;
                format!(
                    "{}{}",
                    ["hauser", "mann", "berger", "ner", "müller", "brecht", "wald", "feld", "hof", "ling"][(rest % 10) as usize],
                    {
                        let end = rest / 10;
                        ["", "s", "n", "er", "e", "ow", "ski", "ig", "ke", "el"][(end % 10) as usize]
                    }
                )
            }
        ),
    }
}

struct Customer {
    id: AccountId,
    name: String,
    job: JobMaster,
}

fn customer(n: u64) -> Customer {
    let drawn = draw(n + 1_000_000_007);
    let (last, first) = (surname(n), FIRST_NAMES[(drawn % 12) as usize]);
    // Every tenth street is one of the frequent ones.
    let street = match drawn / 12 % 10 {
        0 => STREETS[(drawn / 120 % 10) as usize].to_owned(),
        _ => format!("{}weg", surname(drawn % 2_000)),
    };
    let address = json!({
        "street": street, "houseNumber": (drawn / 1200 % 120 + 1).to_string(), "zip": format!("{:05}", 99_000 + drawn / 144_000 % 40), "city": "Großstadt",
        "firstname": first, "lastname": last,
    });
    let job = json!({
        "id": format!("{n}-strom"), "maLoId": format!("{:011}", 40_000_000_000 + n),
        "meter": { "meterNumber": format!("1EMH00{:08}", draw(n + 7) % 100_000_000), "meterAddress": address, "meterRateTasks": [{ "taskId": "t1", "obis": "1-0:1.8.0" }] },
    });
    Customer {
        id: AccountId::new(format!("{:010}", 1_000_000_000 + n)).unwrap(),
        name: format!("{first} {last}"),
        job: serde_json::from_value(job).unwrap(),
    }
}

fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

/// The items of a customer as the imports write them.
fn items(customer: &Customer) -> Vec<HashMap<String, AttributeValue>> {
    let Customer { id, name, job } = customer;
    let user_name = format!("u{:x}", draw(id.as_str().parse().unwrap()) & 0xffff_ffff);
    let (of_account, of_job) = (Findable::account(id, name, Some(&user_name)), Findable::job(id, name, job));
    let item = |pk: String, sk: String, rest: Vec<(&str, AttributeValue)>| {
        let keys = [("pk", text(pk)), ("sk", text(sk))];
        keys.into_iter().chain(rest).map(|(name, value)| (name.to_owned(), value)).collect::<HashMap<_, _>>()
    };
    let one = || AttributeValue::N("1".into());
    let flag = || AttributeValue::Bool(false);
    let partition = format!("T#{TENANT}#A#{id}");
    let mut items = vec![
        item(
            partition.clone(),
            "ACCOUNT".into(),
            vec![
                ("accountId", text(id.as_str())),
                ("name", text(name)),
                ("roles", text("[]")),
                ("findable", text(of_account.text())),
                ("version", one()),
            ],
        ),
        item(
            partition,
            format!("JOB#{}", job.id),
            vec![
                ("accountId", text(id.as_str())),
                ("master", text(serde_json::to_string(job).unwrap())),
                ("states", text("[]")),
                ("done", flag()),
                ("closed", flag()),
                ("findable", text(of_job.text())),
                ("version", one()),
            ],
        ),
    ];
    for (findable, job) in [(&of_account, ""), (&of_job, job.id.as_str())] {
        items.extend(findable.entries().map(|(entry, words)| {
            item(format!("T#{TENANT}#FIND#{}", common_beginning(&entry)), format!("{entry}#{id}#{job}"), vec![("w", text(words))])
        }));
    }
    items
}

async fn load(client: &aws_sdk_dynamodb::Client, accounts: u64, time: Duration) -> (u64, u64) {
    let began = Instant::now();
    let (mut loaded, mut written) = (0, 0);
    while loaded < accounts && began.elapsed() < time {
        let some: Vec<_> = (loaded..accounts.min(loaded + 500)).flat_map(|n| items(&customer(n))).collect();
        loaded = accounts.min(loaded + 500);
        written += some.len() as u64;
        let batches = some.chunks(25).map(|batch| {
            let put = |item: &HashMap<_, _>| {
                WriteRequest::builder().put_request(PutRequest::builder().set_item(Some(item.clone())).build().unwrap()).build()
            };
            client.batch_write_item().request_items(TABLE, batch.iter().map(put).collect()).send()
        });
        stream::iter(batches).buffer_unordered(8).for_each(|written| async move { drop(written.unwrap()) }).await;
    }
    println!("{loaded} accounts, each with a job: {written} items in {:.0} s", began.elapsed().as_secs_f64());
    (loaded, written)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut args = std::env::args().skip(1);
    let accounts: u64 = args.next().map_or(1_000_000, |count| count.parse().unwrap());
    let seconds: u64 = args.next().map_or(360, |seconds| seconds.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let dynamo = Dynamo::on_disk(&folder.path().join("table"), 0).unwrap();
    let client = store::dynamodb(&emulators::settings(dynamo.endpoint(), None));
    emulators::create_table(&client, TABLE).await.unwrap();
    let (loaded, _) = load(&client, accounts, Duration::from_secs(seconds)).await;
    let (store, tenant) = (Store::new(client, TABLE), TenantId::new(TENANT).unwrap());
    println!(
        "| search | searches | p50 ms | p95 ms | most round trips | read units (mean) | rows (mean) |\n|---|---:|---:|---:|---:|---:|---:|"
    );
    type Words = Box<dyn Fn(&Customer) -> String>;
    let address = |customer: &Customer| customer.job.meter.meter_address.clone();
    let kinds: [(&str, Words); 7] = [
        ("customer number", Box::new(|it| it.id.to_string())),
        ("meter number, last six", Box::new(|it| it.job.meter.meter_number[8..].to_owned())),
        ("market location", Box::new(|it| it.job.ma_lo_id.clone().unwrap())),
        ("name and first name", Box::new(|it| it.name.clone())),
        (
            "name, street, number",
            Box::new(move |it| {
                let at = address(it);
                format!("{} {} {}", at.lastname.unwrap(), at.street.unwrap(), at.house_number.unwrap())
            }),
        ),
        (
            "name and postcode",
            Box::new(move |it| {
                let at = address(it);
                format!("{} {}", at.lastname.unwrap(), at.zip.unwrap())
            }),
        ),
        ("Müller", Box::new(|_| "müller".to_owned())),
    ];
    for (name, words) in kinds {
        let (mut times, mut trips, mut units, mut rows) = (Vec::new(), 0, 0.0, 0);
        for n in 0..100 {
            let search = Search::parse(&words(&customer(draw(n) % loaded))).unwrap();
            let (store, meter) = store.metered();
            let began = Instant::now();
            let page = store.find_accounts(&tenant, &search, None).await.unwrap();
            times.push(began.elapsed());
            assert!(!page.found.is_empty() || page.next_cursor.is_some());
            trips = trips.max(meter.round_trips());
            units += meter.read_units();
            rows += page.found.len();
        }
        times.sort();
        let ms = |place: usize| times[place].as_secs_f64() * 1000.0;
        println!("| {name} | 100 | {:.0} | {:.0} | {trips} | {:.1} | {:.1} |", ms(50), ms(95), units / 100.0, rows as f64 / 100.0);
    }
}
