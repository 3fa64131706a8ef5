//! A whole season by commands, from the utility's tables to the market and to its own system: letters are read back, readings go through the API, messages are parsed by a
//! library that is not ours. `SEASON_ACCOUNTS=5000` (`make season`) plays it at full size.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, Instant};

use domain::ids::AccountId;
use futures::{StreamExt, stream};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use reqwest::Client;
use serde_json::{Value, json};
use store::Pending;
use testing::receiver::{Message, Receiver};
use testing::season::{self, Customer, FaultPlaces, PLANTED, table};

use crate::letters::{scan, texts};
use crate::mscons::{files, readings};
use crate::read_by::read_by;
use crate::webhook::SECRET;
use crate::world::{Said, World};

const PEOPLE: &str = r#"{ "columns": { "id": "Kunde", "name": ["Vorname", "Nachname"] } }"#;
/// So many letters are scanned and used to log in.
const SCANNED: usize = 12;
/// Requests at a time.
const CROWD: usize = 16;
/// Reminders a second.
const RATE: u32 = 20;

/// Writes a file as it is.
fn file(world: &World, name: &str, content: &[u8]) -> String {
    fs::write(world.path(name), content).unwrap();
    world.path(name).to_str().unwrap().to_owned()
}

/// The portal's API.
pub struct Portal {
    pub http: Client,
    pub url: String,
}

impl Portal {
    pub async fn get(&self, path: &str, token: &str) -> (u16, Value) {
        let answer = self.http.get(format!("{}{path}", self.url)).bearer_auth(token).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    pub async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> (u16, Value) {
        let request = self.http.post(format!("{}{path}", self.url)).json(body);
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    /// The access token, if the login data are right.
    pub async fn log_in(&self, mut grant: Value) -> Option<String> {
        grant["applicationId"] = json!("birkenfurt");
        let (_, answer) = self.post("/auth/token", None, &grant).await;
        answer["token"].as_str().map(str::to_owned)
    }
}

/// The word that follows a label on a page.
fn after<'t>(text: &'t str, label: &str) -> &'t str {
    text.split_once(label).unwrap_or_else(|| panic!("{label} in {text}")).1.split_whitespace().next().unwrap()
}

#[test]
fn a_season_from_the_tables_to_the_market() {
    let size: usize = std::env::var("SEASON_ACCOUNTS").map_or(60, |size| size.parse().unwrap());
    let (world, api_url) = World::of_product();
    let portal = Portal { http: Client::new(), url: api_url };
    let run = |args: &[&str]| Said::from(world.command_with_aws(args).output().unwrap());
    let of_tenant = |args: &[&str]| run(&[args, &["--tenant", "birkenfurt"]].concat());

    // The tenant.
    let demo = world.demo_data().join("birkenfurt");
    let settings = fs::read_to_string(demo.join("tenant.json")).unwrap();
    let reminders = format!(r#""reminders": {{ "perSecond": {RATE}, "daysBefore": 14 }}, "market""#);
    let market = crate::mscons::MARKET.replacen("\"market\"", &reminders, 1);
    let many =
        settings.replacen('{', &format!("{{{market}"), 1).replace(r#""tenantRecipientsPerDay": 500"#, r#""tenantRecipientsPerDay": 50000"#);
    let receiver = Receiver::start(&[SECRET], |n, _| if n % 3 == 2 { (503, None) } else { (202, None) });
    let webhook = format!(r#"{{ "webhook": {{ "url": "{}", "secretParameter": "webhook" }},"#, receiver.url);
    let many = many.replacen('{', &webhook, 1);
    world.put_signing_secret(SECRET);
    fs::write(demo.join("tenant.json"), many).unwrap();
    run(&["tenant", "apply", demo.to_str().unwrap()]).succeeded();

    // Customers and jobs in, with faults planted among them.
    let today = Timestamp::now().to_zoned(TimeZone::get("Europe/Berlin").unwrap()).date();
    let customers = Customer::all(size);
    let people: Vec<_> = customers.iter().map(|customer| format!("{0};Zoë;Müller-{0}", customer.id)).collect();
    let people = file(&world, "kunden.csv", &table("Kunde;Vorname;Nachname", people.iter().map(String::as_str)));
    let (people_map, jobs_map) = (world.write("kunden.map.json", &[PEOPLE]), world.write("ablesung.map.json", &[season::JOBS]));
    let letters = world.path("briefe.jsonl");
    let begun = Instant::now();
    of_tenant(&["accounts", "import", &people, "--mapping", &people_map, "--letters", letters.to_str().unwrap()]).succeeded();
    println!("{size} accounts in {:?}", begun.elapsed());
    let (jobs, expected) = season::jobs(&customers, today);
    assert_eq!(expected.len(), PLANTED);
    let (jobs, faults) = (file(&world, "ablesung.csv", &jobs), world.path("fehler.csv"));
    let begun = Instant::now();
    let said = of_tenant(&["jobs", "import", &jobs, "--mapping", &jobs_map, "--faults", faults.to_str().unwrap()]);
    println!("{size} jobs in {:?}", begun.elapsed());
    assert_eq!((said.code, said.out), (Some(1), format!("jobs: {size} created, 0 updated, 0 unchanged, 40 faulty\n")));
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_path(&faults).unwrap();
    let found: FaultPlaces = reader.records().map(|fault| fault.map(|fault| (fault[0].to_owned(), fault[1].to_owned())).unwrap()).collect();
    assert_eq!(found, expected);

    // Letters out, and read back.
    let (pdf, begun) = (world.path("briefe.pdf"), Instant::now());
    of_tenant(&["letters", "print", letters.to_str().unwrap(), "--pdf", pdf.to_str().unwrap(), "--per-file", "5000"]).succeeded();
    println!("{size} letters in {:?}", begun.elapsed());
    let written = world.lines("briefe.jsonl");
    let pages = texts(&pdf);
    assert_eq!((pages.len(), written.len()), (size, size));
    let places: Vec<_> = (0..size).step_by((size / SCANNED).max(1)).collect();
    for (place, link) in places.iter().zip(scan(&pdf, &places)) {
        let text = &pages[*place];
        let (name, password) = (after(text, "Benutzername"), after(text, "Passwort"));
        let token = link.rsplit('/').next().unwrap();
        for grant in [json!({ "username": name, "password": password }), json!({ "token": token })] {
            assert!(world.block_on(portal.log_in(grant)).is_some(), "the letter on page {} does not log in", place + 1);
        }
    }

    // Readings in.
    let tokens: BTreeMap<String, String> =
        written.iter().map(|letter| (letter["id"].as_str().unwrap().into(), letter["token"].as_str().unwrap().into())).collect();
    let begun = Instant::now();
    let sent: usize = world.block_on(
        stream::iter(customers.iter().filter(|customer| !customer.is_late))
            .map(|customer| {
                let (portal, tokens) = (&portal, &tokens);
                async move {
                    let access = portal.log_in(json!({ "token": tokens[&customer.id] })).await.unwrap();
                    let results: Vec<_> = customer
                        .obis
                        .iter()
                        .zip(&customer.values)
                        .map(|(obis, value)| {
                            let mut result = json!({ "taskId": obis.replace(':', "-"), "readingValue": value });
                            if customer.rolled_over {
                                result["lowerReason"] = json!("ROLLOVER");
                            }
                            result
                        })
                        .collect();
                    // Between midnight and six in the morning yesterday's gas day has not ended, and its readings go to the market later.
                    let body = json!({ "readingDate": (today - 2.days()).to_string(), "confirmed": true, "results": results });
                    let path = format!("/api/pro/job/j-{}/meterRateTask/result", customer.id);
                    let (status, answer) = portal.post(&path, Some(&access), &body).await;
                    assert!((200..300).contains(&status), "{}: {status} {answer}", customer.id);
                    customer.values.len()
                }
            })
            .buffer_unordered(CROWD)
            .fold(0, |sum, count| async move { sum + count }),
    );
    println!("{sent} readings in {:?}", begun.elapsed());

    // And on to the utility's own system, whose receiver fails every third time.
    let begun = Instant::now();
    for hour in 0.. {
        assert!(hour < 48, "some are never taken");
        world.deliveries(Timestamp::now() + hour.hours());
        let status: Value = serde_json::from_str(&of_tenant(&["webhook", "status", "--json"]).out).unwrap();
        assert_eq!(status["deadLetters"], 0, "{status}");
        if status["waiting"] == 0 {
            break;
        }
    }
    let (messages, taken) = (receiver.messages(), receiver.taken());
    println!("{} messages in {} attempts in {:?}", taken.len(), messages.len(), begun.elapsed());
    let ids: BTreeSet<_> = taken.iter().map(|message| &message.id).collect();
    let on_time = customers.iter().filter(|customer| !customer.is_late).count();
    assert_eq!((taken.len(), ids.len()), (on_time, on_time), "each submission is taken once");
    assert!(messages.len() >= on_time * 4 / 3, "{}", messages.len());
    // What was delivered is what the export says, field by field, and more.
    let rows = world.path("staende.jsonl");
    of_tenant(&["readings", "export", "--since", &today.to_string(), "--format", "jsonl", "--out", rows.to_str().unwrap()]);
    let exported: BTreeMap<String, Value> =
        world.lines("staende.jsonl").into_iter().map(|row| (row["resultId"].to_string(), row)).collect();
    let delivered: BTreeMap<String, Value> =
        taken.iter().flat_map(Message::readings).map(|reading| (reading["resultId"].to_string(), reading.clone())).collect();
    assert_eq!((exported.len(), delivered.len()), (sent, sent));
    for (id, row) in &exported {
        let reading = &delivered[id];
        // What was only looked at did not go out as anything.
        for (field, value) in row.as_object().unwrap().iter().filter(|(field, _)| *field != "kind") {
            assert_eq!(&reading[field], value, "{field} of {reading}");
        }
        let customer = customers.iter().find(|customer| reading["jobId"] == format!("j-{}", customer.id)).unwrap();
        assert_eq!((&reading["meLoId"], &reading["maLoId"]), (&json!(customer.location), &Value::Null));
        let doubts = if customer.rolled_over { json!(["ROLLOVER"]) } else { json!([]) };
        assert_eq!((&reading["status"], &reading["doubts"]), (&json!(if customer.rolled_over { "held" } else { "ready" }), &doubts));
    }

    // A clerk looks at the rollovers: the first job's are rejected, all others released.
    let waiting: Value = serde_json::from_str(&of_tenant(&["clearing", "list", "--json"]).succeeded().out).unwrap();
    let waiting = waiting["waiting"].as_array().unwrap();
    let rolled: Vec<_> = customers.iter().filter(|customer| customer.rolled_over && !customer.is_late).collect();
    assert_eq!(waiting.len(), rolled.iter().map(|customer| customer.values.len()).sum::<usize>());
    let rejected = &rolled[0].id;
    for reading in waiting {
        let (job, id) = (reading["job"].as_str().unwrap(), reading["reading"].as_str().unwrap());
        match job == format!("j-{rejected}") {
            true => of_tenant(&["clearing", "reject", job, id, "--reason", "photo shows another meter"]).succeeded(),
            false => of_tenant(&["clearing", "release", job, id]).succeeded(),
        };
    }

    // To the market, digit for digit.
    let out = world.path("ausgang");
    let begun = Instant::now();
    of_tenant(&["readings", "mscons", "--out", out.to_str().unwrap()]).succeeded();
    println!("MSCONS in {:?}", begun.elapsed());
    let [gas, power] = files(&world, "ausgang").try_into().unwrap();
    for (file, is_gas, identifier) in [(gas, true, "13002"), (power, false, "13017")] {
        let told: BTreeMap<_, _> = readings(&read_by("mscons.py", &file, &[]), identifier)
            .into_iter()
            .map(|(register, (value, _, statuses))| (register, (value, statuses)))
            .collect();
        let mut expected = BTreeMap::new();
        for customer in customers.iter().filter(|one| one.is_gas == is_gas && !one.is_late && one.id != *rejected) {
            for (obis, value) in customer.obis.iter().zip(&customer.values) {
                let register = (customer.location.clone(), customer.number.clone(), (*obis).to_owned());
                let statuses = if customer.rolled_over { ["Z83", "Z85"].as_slice() } else { &["Z83"] };
                let statuses = statuses.iter().map(ToString::to_string).collect::<Vec<_>>();
                expected.insert(register, (value.trim_start_matches('0').to_owned(), statuses));
            }
        }
        assert_eq!(told, expected);
    }

    // And as a table, with leading zeros.
    let csv = world.path("staende.csv");
    of_tenant(&["readings", "export", "--since", &today.to_string(), "--format", "csv", "--out", csv.to_str().unwrap()]);
    let mut reader = csv::Reader::from_path(&csv).unwrap();
    let exported: BTreeSet<_> =
        reader.records().map(|row| row.map(|row| (row[1].to_owned(), row[5].to_owned(), row[7].to_owned())).unwrap()).collect();
    let expected: BTreeSet<_> = customers
        .iter()
        .filter(|customer| !customer.is_late)
        .flat_map(|customer| {
            customer
                .obis
                .iter()
                .zip(&customer.values)
                .map(|(obis, value)| (format!("j-{}", customer.id), (*obis).to_owned(), value.clone()))
        })
        .collect();
    assert_eq!(exported, expected);

    // How far it is, and who is reminded: the job whose reading was rejected is open again.
    let late: Vec<_> = customers.iter().filter(|customer| customer.is_late || customer.id == *rejected).collect();
    let figures: Value = serde_json::from_str(&of_tenant(&["season", "--json"]).succeeded().out).unwrap();
    assert_eq!(
        (&figures["jobs"], &figures["done"], &figures["byLogin"]["token"], &figures["waitingForClearing"]),
        (&json!(size), &json!(size - late.len()), &json!(sent), &json!(0)),
        "{figures}"
    );
    let due: u64 = figures["nearDeadline"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(due as usize, late.len());
    world.block_on(async {
        for customer in &customers {
            let (account, hash) = (AccountId::new(&customer.id).unwrap(), format!("hash-{}", customer.id));
            let email = format!("{}@kunden.example", customer.id).parse().unwrap();
            let pending = Pending { email, confirmation_hash: hash.clone(), expires_at: Timestamp::now() + 1.hour() };
            world.store.open_registration(&world.tenant, &account, &format!("self-{}", customer.id)).await.unwrap();
            world.store.await_confirmation(&world.tenant, &account, pending).await.unwrap();
            assert!(world.store.confirm_registration(&world.tenant, &hash, Timestamp::now()).await.unwrap().is_some());
        }
    });
    let begun = Instant::now();
    let said = of_tenant(&["reminders", "send"]).succeeded();
    assert!(said.out.starts_with(&format!("reminders: {} sent; 0 addresses", late.len())), "{}", said.out);
    println!("{} reminders in {:?}", late.len(), begun.elapsed());
    assert!(begun.elapsed() >= Duration::from_secs(1) / RATE * u32::try_from(late.len() - 1).unwrap());
    let mut recipients: Vec<_> = world.mails().iter().map(|mail| mail["To"][0].as_str().unwrap().to_owned()).collect();
    recipients.sort();
    let mut expected: Vec<_> = late.iter().map(|customer| format!("{}@kunden.example", customer.id)).collect();
    expected.sort();
    assert_eq!(recipients, expected);
}
