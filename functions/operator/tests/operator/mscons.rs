use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use domain::ids::AccountId;
use domain::model::{LoginKind, LowerReason, ReadingResult};
use domain::value::MeterValue;
use jiff::Timestamp;
use serde_json::Value;
use store::{Destination, ExportState, IdempotencyWrite, NewResult, ReadingsExport, SubmitResults, Submitted};

use crate::clearing::{note_sending, received};
use crate::world::{Said, World, read_by};

pub const MARKET: &str = r#""desk": { "market": { "electricity": { "sender": "9900000000001", "recipient": "9900000000002" }, "gas": { "sender": "9800000000003", "recipient": "9800000000004" } } },"#;

pub fn world() -> World {
    let world = World::with_tenant();
    let file = world.path("demo/birkenfurt/tenant.json");
    let text = fs::read_to_string(&file).unwrap().replacen('{', &format!("{{{MARKET}"), 1);
    fs::write(&file, text).unwrap();
    world.run(&["tenant", "apply", file.parent().unwrap().to_str().unwrap()]).succeeded();
    world
}

pub fn job(id: &str, number: &str, melo: &str, obis: &[&str]) -> String {
    let tasks: Vec<_> = obis.iter().map(|obis| format!(r#"{{"taskId":"{}","obis":"{obis}"}}"#, obis.replace(':', "-"))).collect();
    let tasks = tasks.join(",");
    format!(r#"{{"accountId":"a","id":"{id}","meLoId":"{melo}","meter":{{"meterNumber":"{number}","meterRateTasks":[{tasks}]}}}}"#)
}

pub fn send(world: &World, job: &str, place: usize, value: &str, day: &str, lower: Option<LowerReason>) -> String {
    let result = ReadingResult {
        reading_date: day.parse().unwrap(),
        reading_value: MeterValue::parse(value).unwrap(),
        created: Timestamp::now(),
        comment: None,
        lower_reason: lower,
        reading_result_images: vec![],
    };
    submit(world, job, place, result)
}

/// A reading by account `a` through its link; gives its id.
pub fn submit(world: &World, job: &str, place: usize, result: ReadingResult) -> String {
    submit_by(world, LoginKind::Token, "a", job, place, result)
}

/// A reading of a job of account `a`, by somebody who is logged in so; gives its id.
pub fn submit_by(world: &World, login: LoginKind, account: &str, job: &str, place: usize, result: ReadingResult) -> String {
    let job = world.job(job).unwrap();
    let value = result.reading_value.as_str();
    let result_id = format!("r{}-{place}-{}", job.version, value.replace('.', "-"));
    let task_id = job.master.meter.meter_rate_tasks[place].task_id.clone();
    let submission = SubmitResults {
        job: &job,
        results: &[NewResult { result_id: result_id.clone(), task_id, result }],
        login,
        account_id: &AccountId::new(account).unwrap(),
        idempotency: IdempotencyWrite {
            key_hash: format!("{}{result_id}", job.master.id),
            request_hash: "h".into(),
            response_body: "{}".into(),
            created: Timestamp::now(),
        },
        deliver: false,
    };
    assert_eq!(world.block_on(world.store.submit(&world.tenant, submission)).unwrap(), Submitted::Stored);
    result_id
}

fn export(world: &World, folder: &str, more: &[&str]) -> Said {
    let out = world.path(folder);
    world.run(&[&["readings", "mscons", "--tenant", "birkenfurt", "--out", out.to_str().unwrap()], more].concat())
}

pub fn files(world: &World, folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(world.path(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Location, meter, OBIS code.
pub type Register = (String, String, String);
/// Value, end of the day, statuses.
pub type Reading = (String, String, Vec<String>);

/// What the interchange says, with every count checked on the way.
pub fn readings(interchange: &Value, check_identifier: &str) -> BTreeMap<Register, Reading> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let messages = interchange["messages"].as_array().unwrap();
    assert_eq!(interchange["footer"], serde_json::json!([messages.len().to_string(), interchange["reference"]]));
    let closings: Vec<_> = interchange["segments"].as_array().unwrap().iter().filter(|segment| segment[0] == "UNT").collect();
    let mut readings = BTreeMap::new();
    let mut locations = Vec::new();
    for (message, closing) in messages.iter().zip(closings) {
        assert_eq!(message["identifier"], serde_json::json!(["MSCONS", "D", "04B", "UN", "2.4c"]));
        let segments = message["segments"].as_array().unwrap();
        assert_eq!(*closing, serde_json::json!(["UNT", (segments.len() + 2).to_string(), message["reference"]]));
        assert!(segments.contains(&serde_json::json!(["RFF", ["Z13", check_identifier]])));
        let (mut location, mut meter, mut obis) = (String::new(), String::new(), String::new());
        for segment in segments {
            match (segment[0].as_str().unwrap(), &segment[1]) {
                ("LOC", _) => location = text(&segment[2]),
                ("RFF", reference) if reference[0] == "MG" => meter = text(&reference[1]),
                ("PIA", _) => obis = text(&segment[2][0]),
                ("QTY", quantity) => {
                    assert_eq!(quantity[0], "220");
                    let key = (location.clone(), meter.clone(), obis.clone());
                    let earlier = readings.insert(key, (text(&quantity[1]), String::new(), Vec::new()));
                    assert_eq!(earlier, None, "a register twice");
                }
                ("DTM", time) if time[0] == "7" => {
                    readings.get_mut(&(location.clone(), meter.clone(), obis.clone())).unwrap().1 = text(&time[1])
                }
                ("STS", _) => readings.get_mut(&(location.clone(), meter.clone(), obis.clone())).unwrap().2.push(text(&segment[3])),
                _ => {}
            }
        }
        locations.push(location);
    }
    let count = locations.len();
    locations.sort();
    locations.dedup();
    assert_eq!(locations.len(), count, "one message a location");
    readings
}

pub const HOUSE: &str = "DE00056266802AO6G56M11SN51G21M24S";
const NEXT: &str = "DE00056266802AO6G56M11SN51G21M25S";

#[test]
fn each_reading_goes_to_the_market_once_and_digit_for_digit() {
    let world = world();
    let lines = [
        job("j1", "1EBZ0100000619", HOUSE, &["1-0:1.8.1", "1-0:1.8.2"]),
        job("j2", "EBZ'1+2:3?", HOUSE, &["1-0:2.8.0"]),
        job("j3", "7ELS0012345678", NEXT, &["7-0:3.0.0"]),
        job("j4", "8WAS0012345678", NEXT, &["8-0:1.0.0"]),
        job("j5", "1EBZ0100000777", NEXT, &["1-0:1.8.0"]),
    ];
    world.import_jobs(&lines, &[]).succeeded();
    send(&world, "j1", 0, "00122.450", "2026-11-20", None);
    send(&world, "j1", 0, "00123.450", "2026-11-20", None);
    send(&world, "j1", 1, "000", "2026-07-20", None);
    send(&world, "j2", 0, "7.12345", "2026-10-24", None);
    send(&world, "j3", 0, "0042.1", "2026-11-20", None);
    send(&world, "j4", 0, "5", "2026-11-20", None);
    let rollover = send(&world, "j5", 0, "00003", "2026-11-20", Some(LowerReason::Rollover));

    let said = export(&world, "out", &[]).succeeded();
    assert!(said.out.starts_with("mscons: 4 readings in 2 files; 1 wait for clearing, 0 have no"), "{}", said.out);
    let [gas, electricity] = files(&world, "out").try_into().unwrap();
    let power = read_by("mscons.py", &electricity, &[]);
    assert_eq!(
        (&power["sender"], &power["recipient"]),
        (&serde_json::json!(["9900000000001", "500"]), &serde_json::json!(["9900000000002", "500"]))
    );
    let key = |location: &str, meter: &str, obis: &str| (location.to_owned(), meter.to_owned(), obis.to_owned());
    let value = |value: &str, end: &str, statuses: &[&str]| {
        (value.to_owned(), end.to_owned(), statuses.iter().map(|status| status.to_string()).collect())
    };
    assert_eq!(
        readings(&power, "13017"),
        BTreeMap::from([
            // The later of two readings of a day; winter and summer; the day before the clocks are set back ends in summer time.
            (key(HOUSE, "1EBZ0100000619", "1-0:1.8.1"), value("123.450", "202611202300+00", &["Z83"])),
            (key(HOUSE, "1EBZ0100000619", "1-0:1.8.2"), value("0", "202607202200+00", &["Z83"])),
            (key(HOUSE, "EBZ'1+2:3?", "1-0:2.8.0"), value("7.123", "202610242200+00", &["Z83"])),
        ])
    );
    assert_eq!(
        readings(&read_by("mscons.py", &gas, &[]), "13002"),
        BTreeMap::from([(key(NEXT, "7ELS0012345678", "7-0:3.0.0"), value("42.1", "202611210500+00", &["Z83"]))])
    );

    // Nothing new: no file. A released reading goes with the next export, a rejected one never.
    assert!(export(&world, "out2", &[]).succeeded().out.starts_with("mscons: 0 readings in 0 files; 1 wait"));
    let list = world.run(&["clearing", "list", "--tenant", "birkenfurt"]).succeeded().out;
    assert!(
        list.contains(&format!("j5 {rollover}")) && list.contains("ROLLOVER") && list.ends_with("clearing: 1 readings wait\n"),
        "{list}"
    );
    world.run(&["clearing", "reject", "j5", &rollover, "--tenant", "birkenfurt", "--reason", "typing error"]).succeeded();
    assert!(export(&world, "out2", &[]).succeeded().out.starts_with("mscons: 0 readings in 0 files; 0 wait"));
    world.run(&["clearing", "release", "j5", &rollover, "--tenant", "birkenfurt"]).succeeded();
    export(&world, "out2", &[]).succeeded();
    let [second] = files(&world, "out2").try_into().unwrap();
    assert_eq!(
        readings(&read_by("mscons.py", &second, &[]), "13017"),
        BTreeMap::from([(key(NEXT, "1EBZ0100000777", "1-0:1.8.0"), value("3", "202611202300+00", &["Z83", "Z85"]))])
    );

    // The exports of a day once more: the same files.
    let today = Timestamp::now().in_tz("Europe/Berlin").unwrap().date().to_string();
    export(&world, "again", &["--again", &today]).succeeded();
    let text = |file: &PathBuf| (file.file_name().unwrap().to_owned(), fs::read(file).unwrap());
    let mut first: Vec<_> = [&gas, &electricity, &second].map(text).into();
    first.sort();
    assert_eq!(files(&world, "again").iter().map(text).collect::<Vec<_>>(), first);
}

/// The run ends after it began an export and had put half of the readings into it; or after all were in it and before the file was there.
#[test]
fn an_export_that_was_interrupted_is_finished_with_its_own_reference() {
    for state in [ExportState::Open, ExportState::Fixed] {
        let world = world();
        world
            .import_jobs(&[job("j1", "1EBZ0100000619", HOUSE, &["1-0:1.8.1"]), job("j2", "1EBZ0100000620", NEXT, &["1-0:1.8.1"])], &[])
            .succeeded();
        send(&world, "j1", 0, "1", "2026-11-20", None);
        send(&world, "j2", 0, "2", "2026-11-20", None);
        let number = 7;
        let interrupted = ReadingsExport { number, medium: "electricity".into(), created: Timestamp::now(), state };
        let entries = received(&world);
        assert_eq!(entries.len(), 2);
        world.block_on(world.store.begin_export(&world.tenant, &interrupted)).unwrap();
        assert!(note_sending(&world, &entries[0], Destination::Market, &interrupted));

        // One goes with the unfinished export; the other with it too, unless its readings were fixed already.
        export(&world, "out", &[]).succeeded();
        let files_of_first = files(&world, "out");
        assert!(files_of_first[0].to_str().unwrap().ends_with("_ZW00000007.txt"), "{files_of_first:?}");
        let count = readings(&read_by("mscons.py", &files_of_first[0], &[]), "13017").len();
        assert_eq!(count, if state == ExportState::Open { 2 } else { 1 });
        export(&world, "out2", &[]).succeeded();
        assert_eq!(files(&world, "out2").len(), 2 - count);
        for file in files(&world, "out2") {
            assert!(file.to_str().unwrap().ends_with("_ZW00000008.txt") && readings(&read_by("mscons.py", &file, &[]), "13017").len() == 1);
        }
        let another = ReadingsExport { number: 9, ..interrupted };
        assert!(!note_sending(&world, &entries[0], Destination::Market, &another), "a reading is in one export only");
    }
}
