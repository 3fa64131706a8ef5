//! What staff look up: customers, jobs and readings by words, a customer's page, and who has not answered.

use desk::Failure;
use desk::lists::Most;
use domain::open_filter::OpenFilter;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use jiff::civil::DateTime;
use jiff::{Timestamp, ToSpan as _};
use serde_json::Value;
use store::{Account, NewAccount, ShareTerms};

use crate::world::World;

fn world() -> World {
    let world = World::with_tenant();
    let accounts = [
        r#"{"id":"k-10417","name":"Erna Müller","username":"erna.m","password":"geheim-erna"}"#,
        r#"{"id":"k-2","name":"Müller GmbH","username":"werkhof","password":"geheim-werk"}"#,
    ];
    world.import_accounts(&accounts).succeeded();
    let job = |account: &str, id: &str, number: &str, street: &str, zip: &str, last: &str| {
        serde_json::json!({
            "accountId": account, "id": id, "jobConstraints": { "latestExecution": last },
            "meter": {
                "meterNumber": number, "meterAddress": { "street": street, "houseNumber": "12", "zip": zip, "city": "Musterstadt" },
                "meterRateTasks": [{ "taskId": "t1", "obis": "1-0:1.8.0", "readingEvents": [{ "readingDate": "2025-11-30", "readingValue": "4711.5", "reason": "PERIODIC_READING" }] }],
            },
        })
        .to_string()
    };
    let lines = [
        job("k-10417", "strom", "1EMH0012345678", "Hauptstr.", "99084", "2020-01-31"),
        job("k-2", "werk", "1EMH0087654321", "=Ringweg", "99085", "2999-01-31"),
    ];
    let file = world.write("jobs.jsonl", &lines);
    world.run(&["jobs", "import", &file, "--tenant", "birkenfurt"]).succeeded();
    world
}

fn ids(world: &World, args: &[&str], list: &str, name: &str) -> Vec<String> {
    let said = world.run(&[args, &["--tenant", "birkenfurt", "--json"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let document: Value = serde_json::from_str(&said.out).unwrap();
    document[list].as_array().unwrap().iter().map(|row| row[name].as_str().unwrap().to_owned()).collect()
}

#[test]
fn words_lead_to_customers_jobs_and_readings() {
    let world = world();
    assert_eq!(ids(&world, &["accounts", "list", "--find", "mueller haupt 12"], "accounts", "account"), ["k-10417"]);
    assert_eq!(ids(&world, &["accounts", "list", "--find", "müller"], "accounts", "account").len(), 2);
    assert_eq!(ids(&world, &["accounts", "list"], "accounts", "account").len(), 3);
    assert_eq!(ids(&world, &["jobs", "list", "--find", "5678"], "jobs", "job"), ["strom"]);
    assert_eq!(ids(&world, &["jobs", "list", "--limit", "1"], "jobs", "job").len(), 1);
    assert_eq!(ids(&world, &["readings", "list", "--find", "müller"], "readings", "job"), [""; 0]);

    let table = world.run(&["accounts", "list", "--find", "müller", "--limit", "1", "--tenant", "birkenfurt"]);
    assert!(table.out.contains("there are more") && table.out.starts_with("account"), "{}", table.out);
    let csv = world.run(&["jobs", "list", "--find", "müller 99085", "--format", "csv", "--tenant", "birkenfurt"]);
    assert!(csv.out.starts_with("\u{feff}job;account;name;") && csv.out.contains(";'=Ringweg;12;99085;"), "{}", csv.out);
    for format in ["csv", "jsonl"] {
        let list = ["accounts", "list", "--format", format, "--tenant", "birkenfurt"];
        let part = world.run(&[&list[..], &["--limit", "1"]].concat());
        assert_eq!((part.code, part.err.as_str()), (Some(0), "zaehlwerk: 1 row; there are more: use more words, or --limit\n"));
        world.run(&list).succeeded();
    }
    let refused = world.run(&["accounts", "list", "--find", "GmbH", "--tenant", "birkenfurt"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("four characters"), "{}", refused.err);
}

/// In the table; a file has them for programs.
#[test]
fn moments_are_by_the_clerks_clock() {
    let world = world();
    let entered = ["readings", "enter", "werk", "--value", "4800", "--channel", "PHONE", "--by", "Frau Kern", "--tenant", "birkenfurt"];
    world.run(&entered).succeeded();
    let moment = |zone: &str| {
        let list = ["readings", "list", "--find", "mueller", "--tenant", "birkenfurt"];
        let out = String::from_utf8(world.command(&list).env("TZ", zone).output().unwrap().stdout).unwrap();
        let words: Vec<_> = out.lines().find(|line| line.starts_with("werk")).unwrap().split_whitespace().collect();
        let of_day = words.windows(2).find_map(|two| format!("{}T{}", two[0], two[1]).parse::<DateTime>().ok());
        of_day.unwrap_or_else(|| panic!("{out}"))
    };
    assert_eq!(moment("Asia/Tokyo") - moment("UTC"), 9.hours().fieldwise());
}

/// Nobody but the table knows how many of them stand between two customers.
#[test]
fn customers_are_listed_whole_behind_the_accounts_that_they_shared_with() {
    let world = world();
    let anna = world.block_on(world.store.account(&world.tenant, &"a".parse().unwrap())).unwrap().unwrap();
    let terms = ShareTerms { ancestors: vec![anna.id.clone()], allow_to_re_share: false, jobs_version: 0, era: 0 };
    let put = |number: usize| {
        let id = format!("0-{number}").parse().unwrap();
        let account = Account { id, share: Some(terms.clone()), username: None, ..anna.clone() };
        let (world, new) = (&world, NewAccount { account, password_hash: None, link: None, end_shares: false });
        async move { world.store.put_account(&world.tenant, &new).await }
    };
    world.block_on(stream::iter(0..1800).map(put).buffer_unordered(16).try_collect::<Vec<_>>()).unwrap();
    let said = world.run(&["accounts", "list", "--tenant", "birkenfurt"]).succeeded();
    assert!(said.out.ends_with("\n3 rows\n"), "{}", said.out);
}

#[test]
fn a_customers_page_has_jobs_and_readings_and_looking_is_noted() {
    let world = world();
    let page = world.run(&["accounts", "show", "k-10417", "--tenant", "birkenfurt", "--by", "Frau Kern"]);
    assert_eq!(page.code, Some(0), "{}", page.err);
    for part in ["Erna Müller", "erna.m", "1EMH0012345678", "Hauptstr.", "4711.5", "earlier reading"] {
        assert!(page.out.contains(part), "{part}: {}", page.out);
    }
    assert!(!page.out.contains("argon2"), "{}", page.out);
    assert!(world.run(&["jobs", "show", "strom", "--tenant", "birkenfurt"]).out.contains("4711.5"));
    assert_eq!(world.run(&["accounts", "show", "nobody", "--tenant", "birkenfurt"]).code, Some(1));
    let audit = world.run(&["audit", "--tenant", "birkenfurt"]).out;
    let line = audit.lines().find(|line| line.contains("accounts show")).unwrap();
    assert!(line.contains("Frau Kern") && line.contains("k-10417") && !line.contains("Erna"), "{line}");
}

#[test]
fn a_clerk_reads_words_and_the_customers_address() {
    let world = world();
    let job = serde_json::json!({
        "accountId": "k-2", "id": "gas",
        "customer": { "mailingAddress": { "street": "Gartenweg", "houseNumber": "7", "zip": "99086", "city": "Musterstadt" } },
        "meter": { "meterNumber": "7GMT0000004711", "meterType": "GAS_METER", "meterRateTasks": [{ "taskId": "t1", "obis": "7-0:3.0.0" }] },
    });
    let file = world.write("gas.jsonl", &[job.to_string()]);
    world.run(&["jobs", "import", &file, "--tenant", "birkenfurt"]).succeeded();
    let german = |args: &[&str]| world.run(&[args, &["--tenant", "birkenfurt", "--lang", "de"]].concat()).succeeded().out;
    let table = german(&["jobs", "list", "--find", "4711"]);
    for part in ["Gas", "offen", "Gartenweg", "99086"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert!(german(&["accounts", "list", "--find", "müller gartenweg"]).contains("Gartenweg"));
    let programs =
        world.run(&["jobs", "list", "--find", "4711", "--format", "csv", "--tenant", "birkenfurt", "--lang", "de"]).succeeded().out;
    assert!(programs.contains(";GAS_METER;") && programs.contains(";open;"), "{programs}");
}

/// Whoever waits at a screen waits for the jobs that are looked at, not for those that are found.
#[test]
fn an_open_list_is_refused_when_too_many_jobs_have_to_be_looked_at() {
    let world = world();
    let open = |email, looked_at| {
        let (filter, most) = (OpenFilter { email, ..OpenFilter::default() }, Most { rows: 5, looked_at });
        world.block_on(desk::lists::open(&world.store, &world.tenant, &filter, Some(most), Timestamp::now()))
    };
    assert_eq!(open(Some(false), 2).unwrap().len(), 2);
    assert_eq!(open(Some(true), 2).unwrap().len(), 0);
    assert!(matches!(open(Some(true), 1), Err(Failure::TooLong { limit: 1 })));
}

#[test]
fn the_open_list_says_whom_to_ask() {
    let world = world();
    assert_eq!(ids(&world, &["jobs", "open"], "open", "job"), ["strom", "werk"]);
    assert_eq!(ids(&world, &["jobs", "open", "--overdue"], "open", "job"), ["strom"]);
    assert_eq!(ids(&world, &["jobs", "open", "--due-until", "2020-02-01"], "open", "name"), ["Erna Müller"]);
    assert_eq!(ids(&world, &["jobs", "open", "--district", "9908"], "open", "job").len(), 2);
    assert_eq!(ids(&world, &["jobs", "open", "--district", "99085"], "open", "job"), ["werk"]);
    assert_eq!(ids(&world, &["jobs", "open", "--meter-type", "GAS_METER"], "open", "job"), [""; 0]);
    assert_eq!(ids(&world, &["jobs", "open", "--with-email"], "open", "job"), [""; 0]);
    let out = world.path("open.csv");
    let said = world.run(&["jobs", "open", "--format", "csv", "--out", out.to_str().unwrap(), "--tenant", "birkenfurt"]);
    assert_eq!(said.out, "jobs: 2 open\n");
    let text = std::fs::read_to_string(out).unwrap();
    assert!(text.contains("strom;k-10417;") && text.contains(";2020-01-31;true;false;false\r\n"), "{text}");
}
