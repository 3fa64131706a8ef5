use std::fs;

use crate::world::{Said, World};

const MAPPING: &str = r#"{
  "columns": {
    "accountId": "Kunde",
    "id": "Auftrag",
    "meter.meterNumber": "Zähler",
    "meter.meterType": "Sparte",
    "maLoId": "MaLo",
    "meLoId": "MeLo",
    "customer.lastname": ["Titel", "Name"],
    "jobConstraints.latestExecution": "Frist",
    "meter.meterRateTasks[].obis": "OBIS",
    "meter.meterRateTasks[].preDecimals": "Stellen",
    "meter.meterRateTasks[].readingEvents[0].readingDate": "Tag vor 2",
    "meter.meterRateTasks[].readingEvents[0].readingValue": "Stand vor 2",
    "meter.meterRateTasks[].readingEvents[1].readingDate": "Tag vor 1",
    "meter.meterRateTasks[].readingEvents[1].readingValue": "Stand vor 1"
  },
  "constants": { "jobPermissions.reShare": "ja" },
  "values": { "meter.meterType": { "Strom": "ELECTRIC_METER", "Gas": "GAS_METER" } }
}"#;

const HEADER: &str = "Kunde;Auftrag;Zähler;Sparte;MaLo;MeLo;Titel;Name;Frist;OBIS;Stellen;Tag vor 2;Stand vor 2;Tag vor 1;Stand vor 1";

fn import(world: &World, file: &[u8], more: &[&str]) -> Said {
    let mapping = world.write("jobs.map.json", &[MAPPING]);
    fs::write(world.path("jobs.csv"), file).unwrap();
    let (csv, faults) = (world.path("jobs.csv"), world.path("faults.csv"));
    let args =
        ["jobs", "import", csv.to_str().unwrap(), "--tenant", "birkenfurt", "--mapping", &mapping, "--faults", faults.to_str().unwrap()];
    world.run(&[&args, more].concat())
}

/// As old German programs write: Windows-1252 and CRLF.
fn windows(rows: &[&str]) -> Vec<u8> {
    let text = [&[HEADER], rows].concat().join("\r\n");
    encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
}

#[test]
fn a_table_in_windows_letters_becomes_jobs_with_several_rates() {
    let world = World::with_tenant();
    let rows = [
        "a;j1;1EBZ0100000619;Strom;41373559241;;Dr.;Müller;31.12.2026;1-0:1.8.1;6;;;30.11.2025;000123,4",
        "a;j1;1EBZ0100000619;Strom;41373559241;;Dr.;Müller;31.12.2026;1-0:1.8.2;6;30.11.2024;00007,0;30.11.2025;00008,5",
        ";;;;;;;;;;;;;;",
        "a;j2;\"77 \"\"alt\"\"; Keller\";Gas;;;;Weiß;;7-0:3.0.0;;;;;",
    ];
    let tried = import(&world, &windows(&rows), &["--dry-run", "--json"]).succeeded();
    assert!(tried.out.contains(r#""created":2"#) && tried.out.contains(r#""dryRun":true"#) && world.job("j1").is_none(), "{}", tried.out);
    assert_eq!(import(&world, &windows(&rows), &[]).succeeded().out, "jobs: 2 created, 0 updated, 0 unchanged, 0 faulty\n");

    let job = world.job("j1").unwrap().master;
    assert_eq!(job.customer.unwrap().lastname.unwrap(), "Dr. Müller");
    assert!(job.job_permissions.re_share);
    assert_eq!(job.job_constraints.latest_execution, Some("2026-12-31".parse().unwrap()));
    let tasks = &job.meter.meter_rate_tasks;
    assert_eq!(tasks.iter().map(|task| task.task_id.as_str()).collect::<Vec<_>>(), ["1-0-1.8.1", "1-0-1.8.2"]);
    let events = |place: usize| tasks[place].reading_events.iter().map(|event| event.reading_value.as_str()).collect::<Vec<_>>();
    assert_eq!((events(0), events(1)), (vec!["000123.4"], vec!["00007.0", "00008.5"]));
    assert_eq!(world.job("j2").unwrap().master.meter.meter_number, "77 \"alt\"; Keller");

    // The same table with commas and in UTF-8 says the same.
    let mut utf8 = csv::WriterBuilder::new().from_writer(b"\xef\xbb\xbf".to_vec());
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b';')
        .has_headers(false)
        .from_reader(std::io::Cursor::new([&[HEADER], &rows[..]].concat().join("\n")));
    reader.records().for_each(|record| utf8.write_record(&record.unwrap()).unwrap());
    let said = import(&world, &utf8.into_inner().unwrap(), &[]).succeeded();
    assert_eq!(said.out, "jobs: 0 created, 0 updated, 2 unchanged, 0 faulty\n");
}

#[test]
fn every_fault_has_its_line_column_value_and_reason() {
    let world = World::with_tenant();
    let rows = [
        "a;j1;1EBZ0100000619;Strom;41373559241;;;;31.12.2026;1-0:1.8.0;6;;;;",
        "a;j2;1EBZ0100000620;Strom;41373559240;;;;;1-0:1.8.0;;;;;",
        "a;j3;1EBZ0100000621;Strom;;DE123;;;;1-0:1.8.0;;;;;",
        "a;j4;1,23457E+13;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j5;1EBZ0100000622;Dampf;;;;;30.02.2026;1.8.0;x;;;30.11.2025;1.234",
        "nobody;j6;1EBZ0100000623;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j7;1EBZ0100000619;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j8;1EBZ0100000624;Strom;;;;;;;;;;;",
        "a;;1EBZ0100000625;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j9;1EBZ0100000626;Strom;;;;;;1-0:1.8.1;;;;;",
        "a;j9;1EBZ0100000627;Strom;;;;;;1-0:1.8.2;;;;;",
        "a;j10;1EBZ0100O00628;Strom;;;;;;1-0:1.8.1;;;;;",
        "a;j11;1EBZ0100000629",
        "=a;j12;1EBZ0100000630;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j13;1EBZ0100000631;Strom;;;;;;1-0:1.8.0;;;;;",
    ];
    let said = import(&world, &windows(&rows), &[]);
    assert_eq!(said.code, Some(1));
    assert_eq!(said.out, "jobs: 2 created, 0 updated, 0 unchanged, 12 faulty\n");
    assert!(said.err.contains("jobs.csv: line 3: MaLo: must be a market location"), "{}", said.err);
    assert!(!said.err.contains("41373559240"), "values stay out of what may become a log");
    let mut faults = csv::ReaderBuilder::new().delimiter(b';').from_path(world.path("faults.csv")).unwrap();
    let faults: Vec<_> = faults.records().map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>()).collect();
    let found: Vec<_> = faults.iter().map(|fault| (fault[0].as_str(), fault[1].as_str(), fault[2].as_str())).collect();
    assert_eq!(
        found,
        [
            ("3", "MaLo", "41373559240"),
            ("4", "MeLo", "DE123"),
            ("5", "Zähler", "1,23457E+13"),
            ("6", "Sparte", "Dampf"),
            ("6", "Frist", "30.02.2026"),
            ("6", "Stellen", "x"),
            ("6", "Stand vor 1", "1.234"),
            ("7", "Kunde", "nobody"),
            ("8", "Zähler", "1EBZ0100000619"),
            ("9", "OBIS", ""),
            ("10", "Auftrag", ""),
            ("12", "Zähler", "1EBZ0100000627"),
            ("13", "Zähler", "1EBZ0100O00628"),
            ("14", "", ""),
            ("15", "Kunde", "'=a"),
        ]
    );
    assert!(faults.iter().all(|fault| !fault[3].is_empty()));
    assert_eq!(faults[9][3], "must not be empty");
}

#[test]
fn an_import_goes_on_at_any_line() {
    let world = World::with_tenant();
    let mut rows: Vec<_> = (0..60).map(|n| format!("a;j{n};1EBZ01000{n:05};Strom;;;;;;1-0:1.8.0;;;;;")).collect();
    // A cell of two lines and a blank line count as lines; the file may end without one.
    rows[0] = rows[0].replace(";;;;;;1-0", ";;;;\"x\ny\";;1-0");
    rows[1].push_str("\r\n");
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    // Line 34 is the thirty-first entry.
    let said = import(&world, &windows(&rows), &["--from-line", "34"]).succeeded();
    assert_eq!(said.out, "jobs: 30 created, 0 updated, 0 unchanged, 0 faulty\n");
    assert!(world.job("j29").is_none() && world.job("j30").is_some());
    assert_eq!(import(&world, &windows(&rows), &["--from-line", "34", "--close-missing"]).code, Some(2));
    assert_eq!(import(&world, &windows(&rows), &[]).succeeded().out, "jobs: 30 created, 0 updated, 30 unchanged, 0 faulty\n");
}

#[test]
fn a_mapping_that_does_not_fit_is_said_before_anything_is_done() {
    let world = World::with_tenant();
    let csv = world.write("accounts.csv", &["Nr,Vorname,Nachname,Bis", "k-1,Erika,Muster,31.03.2027"]);
    let letters = world.path("new.jsonl");
    let run = |mapping: &str| {
        let mapping = world.write("map.json", &[mapping]);
        world.run(&["accounts", "import", &csv, "--tenant", "birkenfurt", "--mapping", &mapping, "--letters", letters.to_str().unwrap()])
    };
    for (mapping, reason) in [
        (r#"{"columns":{"id":"Nummer"}}"#, "columns.id: the file has no column `Nummer`; it has Nr, Vorname, Nachname, Bis"),
        (r#"{"columns":{"ident":"Nr"}}"#, "columns.ident: `ident` is unknown here; possible are id, language, name,"),
        (r#"{"columns":{"roles":"Nr"}}"#, "columns.roles: is a list; name a place of it, such as [0]"),
        (r#"{"columns":{"id":"Nr"},"delimiter":"|"}"#, "delimiter: must be `;` or `,`, not `|`"),
        (r#"{"colums":{}}"#, "unknown field `colums`"),
    ] {
        let said = run(mapping);
        assert_eq!(said.code, Some(2));
        assert!(said.err.contains(reason), "{}", said.err);
    }
    let said = run(r#"{"columns":{"id":"Nr","name":["Vorname","Nachname"],"validUntil":"Bis"}}"#).succeeded();
    assert_eq!(said.out, "accounts: 1 created, 0 updated, 0 unchanged, 0 faulty; 1 letters\n");
    assert_eq!(world.lines("new.jsonl")[0]["name"], "Erika Muster");
}
