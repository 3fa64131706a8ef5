use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use domain::finding::FindingCode;
use domain::ids::{AccountId, TenantId};
use domain::market::Medium;
use domain::model::{LoginKind, LowerReason, ReadingResult};
use domain::sending::SendingKind;
use domain::value::MeterValue;
use jiff::Timestamp;
use serde_json::Value;
use store::{
    ClearingEntry, CounterOf, Destination, ExportCounts, ExportState, IdempotencyWrite, MarketContent, MarketCounter, MarketLine,
    NewResult, ReadingsExport, Sending, Source, SubmitResults, Submitted,
};

use crate::clearing::{note_sending, received};
use crate::read_by::read_by;
use crate::world::{Said, World};

pub const MARKET: &str = r#""desk": { "market": { "electricity": { "sender": "9900000000001", "role": "MSB", "recipient": "9900000000002", "recipientRole": "LF" }, "gas": { "sender": "9800000000003", "role": "NB", "recipient": "9800000000004", "recipientRole": "LF" } } },"#;

pub fn world() -> World {
    let world = World::with_tenant();
    apply_market(&world);
    world
}

/// Names the world's tenant the partners of [`MARKET`].
fn apply_market(world: &World) {
    let file = world.path("demo").join(world.tenant.as_str()).join("tenant.json");
    let text = fs::read_to_string(&file).unwrap().replacen('{', &format!("{{{MARKET}"), 1);
    fs::write(&file, text).unwrap();
    world.run(&["tenant", "apply", file.parent().unwrap().to_str().unwrap()]).succeeded();
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
    submit_confirmed(world, login, account, job, place, result, Vec::new())
}

/// The same, with the warnings that were confirmed.
pub fn submit_confirmed(
    world: &World,
    login: LoginKind,
    account: &str,
    job: &str,
    place: usize,
    result: ReadingResult,
    confirmed: Vec<FindingCode>,
) -> String {
    let job = world.job(job).unwrap();
    let value = result.reading_value.as_str();
    let result_id = format!("r{}-{place}-{}", job.version, value.replace('.', "-"));
    let task_id = job.master.meter.meter_rate_tasks[place].task_id.clone();
    let submission = SubmitResults {
        job: &job,
        results: &[NewResult { result_id: result_id.clone(), task_id, result, confirmed }],
        source: Source::Portal(login),
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
    world.run(&[&["readings", "mscons", "--tenant", world.tenant.as_str(), "--out", out.to_str().unwrap()], more].concat())
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
    let mut meters = Vec::new();
    for (message, closing) in messages.iter().zip(closings) {
        assert_eq!(message["identifier"], serde_json::json!(["MSCONS", "D", "04B", "UN", "2.5"]));
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
        meters.push((location, meter));
    }
    let count = meters.len();
    meters.sort();
    meters.dedup();
    assert_eq!(meters.len(), count, "one message a location and meter");
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
    send(&world, "j1", 1, "000", "2026-11-20", None);
    send(&world, "j2", 0, "7.12345", "2026-10-24", None);
    send(&world, "j3", 0, "0042.1", "2026-11-20", None);
    send(&world, "j4", 0, "5", "2026-11-20", None);
    let rollover = send(&world, "j5", 0, "00003", "2026-11-20", Some(LowerReason::Rollover));

    let said = export(&world, "out", &[]).succeeded();
    // The first of j1's two does not hold, and is not sent.
    assert_eq!(said.out, "mscons: 4 readings in 2 files; 0 messages cancelled; 1 waits for clearing; 1 shortened to 3 decimals\n");
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
            // The later of two readings of a day; the day before the clocks are set back ends in summer time.
            (key(HOUSE, "1EBZ0100000619", "1-0:1.8.1"), value("123.450", "202611202300+00", &["Z83"])),
            (key(HOUSE, "1EBZ0100000619", "1-0:1.8.2"), value("0", "202611202300+00", &["Z83"])),
            (key(HOUSE, "EBZ'1+2:3?", "1-0:2.8.0"), value("7.123", "202610242200+00", &["Z83"])),
        ])
    );
    assert_eq!(
        readings(&read_by("mscons.py", &gas, &[]), "13002"),
        BTreeMap::from([(key(NEXT, "7ELS0012345678", "7-0:3.0.0"), value("42.1", "202611210500+00", &["Z83"]))])
    );

    // Nothing new: no file. A released reading goes with the next export, a rejected one never.
    assert!(
        export(&world, "out2", &[])
            .succeeded()
            .out
            .starts_with("mscons: 0 readings in 0 files; 0 messages cancelled; 1 waits for clearing")
    );
    let list = world.run(&["clearing", "list", "--tenant", "birkenfurt"]).succeeded().out;
    assert!(
        list.contains(&format!("j5 {rollover}")) && list.contains("ROLLOVER") && list.ends_with("clearing: 1 reading waits\n"),
        "{list}"
    );
    world.run(&["clearing", "reject", "j5", &rollover, "--tenant", "birkenfurt", "--reason", "typing error"]).succeeded();
    assert!(export(&world, "out2", &[]).succeeded().out.ends_with("mscons: 0 readings in 0 files; 0 messages cancelled\n"));
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

/// What waits is of no interest any more when a newer reading has its place; one of another day goes beside it (D-MARKET-7).
#[test]
fn what_waits_is_counted_until_a_newer_reading_of_its_day_replaces_it() {
    let world = world();
    let lines = [job("j1", "1EBZ0100000619", HOUSE, &["1-0:1.8.0"]), job("j2", "1EBZ0100000620", NEXT, &["1-0:1.8.0"])];
    world.import_jobs(&lines, &[]).succeeded();
    for job in ["j1", "j2"] {
        send(&world, job, 0, "3", "2026-11-20", Some(LowerReason::Rollover));
    }
    assert!(export(&world, "out", &[]).succeeded().out.ends_with("; 2 wait for clearing\n"));
    send(&world, "j1", 0, "4711", "2026-11-20", None);
    send(&world, "j2", 0, "4712", "2026-11-21", None);
    let said = export(&world, "out", &[]).succeeded();
    assert_eq!(said.out, "mscons: 2 readings in 1 file; 0 messages cancelled; 1 waits for clearing\n");
}

/// A company with a tenant for each of its brands may send under one id: no partner gets two interchanges with one reference, and no file another one's place.
#[test]
fn two_tenants_under_one_id_have_references_of_their_own() {
    let mut world = world();
    let read = |world: &World, value: &str| {
        world.import_jobs(&[job("j1", "1EBZ0100000619", HOUSE, &["1-0:1.8.0"])], &[]).succeeded();
        send(world, "j1", 0, value, "2026-11-20", None);
        export(world, "out", &[]).succeeded();
    };
    read(&world, "1");
    world.tenant = TenantId::new("nachbar").unwrap();
    apply_market(&world);
    world.import_accounts(&[r#"{"id":"a","name":"Anna"}"#]).succeeded();
    read(&world, "2");
    let files = files(&world, "out");
    let references: BTreeSet<_> =
        files.iter().map(|file| read_by("mscons.py", file, &[])["reference"].as_str().unwrap().to_owned()).collect();
    assert_eq!((files.len(), references.len()), (2, 2), "{files:?}");
    assert!(references.iter().all(|reference| reference.starts_with("ZW000001")), "{references:?}");

    // Whatever else lies under that name is not replaced either.
    let before = "another file";
    files.iter().for_each(|file| fs::write(file, before).unwrap());
    let today = Timestamp::now().in_tz("Europe/Berlin").unwrap().date().to_string();
    let said = export(&world, "out", &["--again", &today]);
    assert!(said.code == Some(2) && said.err.contains("exists already and is not overwritten"), "{}", said.err);
    assert!(files.iter().all(|file| fs::read_to_string(file).unwrap() == before));
}

/// Nobody hands over half a file for the whole one.
#[test]
fn a_file_that_has_not_all_of_its_readings_any_more_is_complained_of() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000619", HOUSE, &["1-0:1.8.0"])], &[]).succeeded();
    send(&world, "j1", 0, "1", "2026-11-20", None);
    export(&world, "out", &[]).succeeded();
    let export_of_two = ReadingsExport {
        counts: Some(ExportCounts { originals: 2, ..ExportCounts::default() }),
        ..world.block_on(world.store.exports_of_readings(&world.tenant)).unwrap().remove(0)
    };
    world.block_on(world.store.note_export(&world.tenant, ExportState::Done, &export_of_two)).unwrap();
    let today = Timestamp::now().in_tz("Europe/Berlin").unwrap().date().to_string();
    let said = export(&world, "again", &["--again", &today]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(said.err.contains("export 1: 1 of its readings is missing"), "{}", said.err);
}

/// What the reader took for a rollover and a clerk for an exchange goes out as that alone.
#[test]
fn an_exchanged_meter_has_not_rolled_over() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000777", NEXT, &["1-0:1.8.0"])], &[]).succeeded();
    let rollover = send(&world, "j1", 0, "00003", "2026-11-20", Some(LowerReason::Rollover));
    let exchange = ["--exchanged-on", "2026-11-02", "--final", "99990", "--initial", "0", "--new-number", "1EBZ0100000999"];
    world.run(&[&["clearing", "release", "j1", &rollover, "--tenant", "birkenfurt"], &exchange[..]].concat()).succeeded();
    export(&world, "out", &[]).succeeded();
    let [file] = files(&world, "out").try_into().unwrap();
    let message = read_by("mscons.py", &file, &[]).to_string();
    assert!(message.contains("Z83") && !message.contains("Z85"), "{message}");
    let dir = world.path("table");
    let args = ["readings", "export", "--tenant", "birkenfurt", "--format", "csv", "--new", "--dir", dir.to_str().unwrap()];
    world.run(&args).succeeded();
    let table = fs::read_to_string(&files(&world, "table")[0]).unwrap();
    assert!(table.contains("METER_CHANGE") && !table.contains("ROLLOVER"), "{table}");
}

/// D-CLEARING-14: the utility's file may bring the new meter before it is read.
#[test]
fn an_exchange_at_a_reading_of_the_new_meter_names_the_old_one() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000999", NEXT, &["1-0:1.8.0"])], &[]).succeeded();
    let read = send(&world, "j1", 0, "00003", "2026-11-20", Some(LowerReason::MeterChange));
    let exchange = ["--exchanged-on", "2026-11-02", "--final", "99990", "--initial", "0", "--new-number", "1EBZ0100000999"];
    let release = |old: &[&str]| world.run(&[&["clearing", "release", "j1", &read, "--tenant", "birkenfurt"], &exchange[..], old].concat());
    let refused = release(&[]);
    assert!(refused.code == Some(2) && refused.err.contains("--new-number: is the number that the reading has already"), "{}", refused.err);
    let refused = release(&["--old-number", "1EBZ0100000999"]);
    assert!(refused.code == Some(2) && refused.err.contains("--old-number: belongs here only if"), "{}", refused.err);
    release(&["--old-number", "1EBZ0100000777"]).succeeded();
    export(&world, "out", &[]).succeeded();
    let [file] = files(&world, "out").try_into().unwrap();
    let message = read_by("mscons.py", &file, &[])["messages"].to_string();
    assert_eq!((message.matches("1EBZ0100000777").count(), message.matches("1EBZ0100000999").count()), (1, 2), "{message}");
    let dir = world.path("table");
    let args = ["readings", "export", "--tenant", "birkenfurt", "--format", "jsonl", "--new", "--dir", dir.to_str().unwrap()];
    world.run(&args).succeeded();
    let row: Value = serde_json::from_str(fs::read_to_string(&files(&world, "table")[0]).unwrap().trim()).unwrap();
    assert_eq!((&row["meterNumber"], &row["newNumber"]), (&"1EBZ0100000777".into(), &"1EBZ0100000999".into()), "{row}");
}

/// Who releases it without an exchange says that there was none (D-CLEARING-14).
#[test]
fn an_exchange_that_was_none_goes_out_nowhere() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000777", NEXT, &["1-0:1.8.0"])], &[]).succeeded();
    let read = send(&world, "j1", 0, "00003", "2026-11-20", Some(LowerReason::MeterChange));
    world.run(&["clearing", "release", "j1", &read, "--tenant", "birkenfurt"]).succeeded();
    let dir = world.path("table");
    let args = ["readings", "export", "--tenant", "birkenfurt", "--format", "jsonl", "--new", "--dir", dir.to_str().unwrap()];
    world.run(&args).succeeded();
    let row: Value = serde_json::from_str(fs::read_to_string(&files(&world, "table")[0]).unwrap().trim()).unwrap();
    assert_eq!((&row["lowerReason"], &row["clearing"]), (&Value::Null, &"released".into()), "{row}");
}

/// Notes that an export has the reading: 1, of 20 November, in one message.
fn note_message(world: &World, reading: &ClearingEntry, obis: &str, export: &ReadingsExport) {
    let line = MarketLine {
        tenant: Some(world.tenant.clone()),
        message: "ABCDEFGH".into(),
        medium: Medium::Electricity,
        sender: "9900000000001".into(),
        recipient: "9900000000002".into(),
        location: HOUSE.into(),
        content: MarketContent::Counter(MarketCounter {
            of: CounterOf::Read,
            meter_number: "1EBZ0100000619".into(),
            obis: obis.into(),
            value: "1".into(),
            day: Some("2026-11-20".parse().unwrap()),
            at: "2026-11-20T23:00:00Z".parse().unwrap(),
            changed_at: None,
            transaction: None,
            order: None,
            hints: vec!["Z83".into()],
            correction: None,
        }),
    };
    let sending =
        Sending { kind: SendingKind::Original, export: None, at: export.created, refers_to: None, clearing: None, lines: vec![line] };
    let sending = sending.in_export(export);
    let note = world.store.note_sending(&world.tenant, reading, Destination::Market, &sending);
    assert!(world.block_on(note).unwrap());
}

/// Value group F of the running billing period says nothing, and the market's list of codes does not have it.
#[test]
fn a_code_with_its_billing_period_is_the_code_without() {
    let world = world();
    let code = |line: String| line.replace(r#""obis":"1-0:1.8.0""#, r#""obis":"1-0:1.8.0*255""#);
    let lines = ["619", "620"].map(|end| code(job(&format!("j{end}"), &format!("1EBZ0100000{end}"), HOUSE, &["1-0:1.8.0"])));
    let twin = job("twin", "1EBZ0100000619", HOUSE, &["1-0:1.8.0"]);
    let said = world.import_jobs(&[&lines[0], &lines[1], &twin], &[]);
    assert!(said.code == Some(1) && said.err.contains("line 3: "), "{}", said.err);
    assert!(world.job("twin").is_none());

    // What went out under the old text holds.
    send(&world, "j619", 0, "1", "2026-11-20", None);
    let sent =
        ReadingsExport { number: 7, medium: "electricity".into(), created: Timestamp::now(), state: ExportState::Done, counts: None };
    world.block_on(world.store.begin_export(&world.tenant, &sent)).unwrap();
    note_message(&world, &received(&world)[0], "1-0:1.8.0*255", &sent);
    send(&world, "j620", 0, "2", "2026-11-20", None);
    let said = export(&world, "out", &[]).succeeded();
    assert!(said.out.starts_with("mscons: 1 reading in 1 file; 0 messages cancelled"), "{}", said.out);
    let said = readings(&read_by("mscons.py", &files(&world, "out")[0], &[]), "13017");
    let registers: Vec<_> = said.keys().map(|(_, meter, obis)| (meter.as_str(), obis.as_str())).collect();
    assert_eq!(registers, [("1EBZ0100000620", "1-0:1.8.0")]);
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
        let begun = ReadingsExport { number: 7, medium: "electricity".into(), created: Timestamp::now(), state, counts: None };
        world.block_on(world.store.begin_export(&world.tenant, &begun)).unwrap();
        // What a run that ended here had noted: one message with one counter.
        let first = received(&world).remove(0);
        note_message(&world, &first, "1-0:1.8.1", &begun);
        send(&world, "j2", 0, "2", "2026-11-20", None);

        // One goes with the unfinished export; the other with it too, unless its readings were fixed already.
        export(&world, "out", &[]).succeeded();
        let [file] = files(&world, "out").try_into().unwrap();
        let interchange = read_by("mscons.py", &file, &[]);
        assert!(interchange["reference"].as_str().unwrap().starts_with("ZW000007"), "{file:?}");
        let count = readings(&interchange, "13017").len();
        assert_eq!(count, if state == ExportState::Open { 2 } else { 1 });
        export(&world, "out2", &[]).succeeded();
        assert_eq!(files(&world, "out2").len(), 2 - count);
        for file in files(&world, "out2") {
            let interchange = read_by("mscons.py", &file, &[]);
            assert!(interchange["reference"].as_str().unwrap().starts_with("ZW000008") && readings(&interchange, "13017").len() == 1);
        }
        let another = ReadingsExport { number: 9, ..begun };
        assert!(!note_sending(&world, &first, Destination::Market, &another), "a reading is in one export only");
    }
}

#[test]
fn each_recipient_has_a_file_and_what_cannot_be_said_is_counted() {
    let world = world();
    let with = |line: String, more: &str| line.replacen('{', &format!("{{{more},"), 1);
    let of_supplier = |id: &str, number: &str| with(job(id, number, HOUSE, &["1-0:1.8.0"]), r#""marketRecipient":"9900000000077""#);
    let faulty = with(job("j9", "1EBZ0100000699", HOUSE, &["1-0:1.8.0"]), r#""marketRecipient":"9800000000077""#);
    let said = world.import_jobs(&[faulty], &[]);
    assert!(said.code == Some(1) && said.err.contains("marketRecipient: is a gas id"), "{}", said.err);
    let faulty = with(job("j9", "1EBZ0100000699", HOUSE, &["1-0:1.8.0"]), r#""marketOrder":"ORD €""#);
    let said = world.import_jobs(&[faulty], &[]);
    assert!(said.code == Some(1) && said.err.contains("marketOrder: must have 1 to 35 characters"), "{}", said.err);
    let lines = [
        of_supplier("j1", "1EBZ0100000611"),
        job("j2", "1EBZ0100000612", HOUSE, &["1-0:1.8.0"]),
        // A market location is no metering location.
        job("j3", "1EBZ0100000613", HOUSE, &["1-0:1.8.0"]).replace(&format!(r#""meLoId":"{HOUSE}""#), r#""maLoId":"41373559241""#),
        of_supplier("j4", "1EBZ0100000614"),
        job("j5", "Zähler €5", NEXT, &["1-0:1.8.0"]),
    ];
    world.import_jobs(&lines, &[]).succeeded();
    let today = Timestamp::now().in_tz("Europe/Berlin").unwrap().date().to_string();
    for id in ["j1", "j2", "j3", "j5"] {
        send(&world, id, 0, "5", "2026-11-20", None);
    }
    send(&world, "j4", 0, "5", &today, None);
    let exchanged = send(&world, "j4", 0, "6", "2026-11-20", Some(LowerReason::MeterChange));
    let exchange = ["--exchanged-on", "2026-11-02", "--final", "9", "--initial", "0"];
    let release = ["clearing", "release", "j4", &exchanged, "--tenant", "birkenfurt"];
    world.run(&[&release[..], &exchange].concat()).succeeded();
    let said = export(&world, "out", &["--json"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let told: Value = serde_json::from_str(&said.out).unwrap();
    let left = serde_json::json!({ "DAY_NOT_OVER": 1, "NO_METERING_LOCATION": 1, "NO_NEW_NUMBER": 1, "CHARACTERS": 1 });
    assert_eq!((&told["leftOut"], &told["readings"], &told["messages"]), (&left, &2.into(), &2.into()), "{told}");
    let recipients: Vec<_> =
        files(&world, "out").iter().map(|file| read_by("mscons.py", file, &[])["recipient"][0].as_str().unwrap().to_owned()).collect();
    assert_eq!(recipients, ["9900000000002", "9900000000077"]);
    let said = export(&world, "out2", &["--lang", "de"]);
    assert_eq!(
        said.out,
        "mscons: 0 Ablesungen in 0 Dateien; 0 Nachrichten storniert; 1 von einem Tag, der noch nicht vorbei ist; 1 ohne Messlokation; \
         1 nach Zählerwechsel ohne Nummer des neuen Zählers; 1 mit Zeichen in der Zählernummer, die der Markt nicht kennt\n"
    );
}

/// Sends a reading, and gives its message's number.
fn sent_message(world: &World, job: &str, value: &str, folder: &str) -> String {
    send(world, job, 0, value, "2026-11-20", None);
    export(world, folder, &[]).succeeded();
    let [file] = files(world, folder).try_into().unwrap();
    read_by("mscons.py", &file, &[])["messages"][0]["segments"][0][2].as_str().unwrap().to_owned()
}

fn receive(world: &World, name: &str, text: &str) -> Said {
    fs::write(world.path(name), text).unwrap();
    world.run(&["market", "receive", world.path(name).to_str().unwrap(), "--tenant", "birkenfurt"])
}

/// Message, state and codes of each message, the last one first.
fn statuses(world: &World, more: &[&str]) -> Vec<(String, String, String)> {
    let said = world.run(&[&["market", "status", "--tenant", "birkenfurt", "--json"], more].concat());
    let told: Value = serde_json::from_str(&said.out).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let messages = told["messages"].as_array().unwrap().iter();
    messages.map(|message| (text(&message["message"]), text(&message["state"]), message["codes"].to_string())).collect()
}

#[test]
fn what_partners_answer_says_how_a_message_stands() {
    let world = world();
    world
        .import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0"]), job("j2", "1EBZ0100000612", NEXT, &["1-0:1.8.0"])], &[])
        .succeeded();
    let first = sent_message(&world, "j1", "5", "out1");
    let second = sent_message(&world, "j2", "7", "out2");
    let of = |number: &str| number.split('-').next().unwrap().to_owned();
    let open = |number: &str| (number.to_owned(), "OPEN".to_owned(), "[]".to_owned());
    assert_eq!(statuses(&world, &[]), [open(&second), open(&first)]);

    // It arrived, which says nothing of what is in it; the sender of the answer has to be the message's recipient.
    let contrl = |sender: &str, reference: &str, rest: &str| {
        format!(
            "UNB+UNOC:3+{sender}:500+9900000000001:500+261122:1000+C{rest}'UNH+1+CONTRL:D:3:UN:2.0b'\
             UCI+{reference}+9900000000001:500+{sender}:500+{rest}'UNT+3+1'UNZ+1+C{rest}'"
        )
    };
    assert_eq!(receive(&world, "foreign.txt", &contrl("9900000000099", &of(&first), "7")).code, Some(1));
    receive(&world, "contrl.txt", &contrl("9900000000002", &of(&first), "7")).succeeded();
    assert_eq!(statuses(&world, &[]), [open(&second), open(&first)]);
    let aperak = |kind: &str, rest: &str| {
        format!(
            "UNA:+.? 'UNB+UNOC:3+9900000000002:500+9900000000001:500+261122:1030+A{kind}'UNH+1+APERAK:D:07B:UN:2.2'BGM+{kind}+A1'\
             DTM+137:202611221030?+00:303'{rest}NAD+MS+9900000000002::293'NAD+MR+9900000000001::293'UNT+9+1'UNZ+1+A{kind}'"
        )
    };
    let taken = format!("RFF+ACE:{}'DTM+171:202611220900?+00:303'RFF+AGO:{first}'", of(&first));
    receive(&world, "taken.txt", &aperak("312", &taken)).succeeded();
    let accepted = (first.clone(), "ACCEPTED".to_owned(), "[]".to_owned());
    assert_eq!(statuses(&world, &[]), [open(&second), accepted.clone()]);

    // Refused, with the partner's words; and nothing goes out again by itself.
    let reference = of(&second);
    let unh = second.split('-').nth(1).unwrap();
    let refused = format!("RFF+ACE:{reference}'ERC+Z19'FTX+ABO+++Ger?+t unbekannt:am Standort'RFF+ACW:{unh}'");
    let refused = aperak("313", &refused);
    receive(&world, "refused.txt", &refused).succeeded();
    assert_eq!(statuses(&world, &["--state", "refused"]), [(second.clone(), "REFUSED".to_owned(), r#"["Z19"]"#.to_owned())]);
    let said = world.run(&["market", "status", "--tenant", "birkenfurt", "--lang", "de"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("abgelehnt  j2 ") && said.out.contains("  Z19 Ger+t unbekannt am Standort\n"), "{}", said.out);
    assert!(said.out.ends_with("Markt: 0 Nachrichten offen, 1 angenommen, 1 abgelehnt\n"), "{}", said.out);
    let said = export(&world, "out3", &[]);
    assert_eq!((said.code, files(&world, "out3").len()), (Some(1), 0), "{}", said.out);
    assert!(said.out.contains("1 refused by the market partner"), "{}", said.out);

    // The partner mended its data: once more, as another message; reading the same answer again does not undo that.
    let resend = |message: &str| world.run(&["market", "resend", message, "--tenant", "birkenfurt"]);
    assert_eq!(resend(&first).code, Some(1));
    resend(&second).succeeded();
    receive(&world, "refused.txt", &refused).succeeded();
    export(&world, "out3", &[]).succeeded();
    let [file] = files(&world, "out3").try_into().unwrap();
    let third = read_by("mscons.py", &file, &[]);
    assert_eq!(third["messages"][0]["segments"][0][3], "9");
    assert!(third["segments"].as_array().unwrap().iter().all(|segment| segment[1] != "Z34"), "what was refused was never there");
    assert_eq!(statuses(&world, &[])[0].1, "OPEN");
    assert!(export(&world, "out4", &[]).succeeded().out.starts_with("mscons: 0 readings in 0 files"));

    // An interchange that could not be read refuses all of it, with what the code means.
    let reference = third["reference"].as_str().unwrap();
    receive(&world, "broken.txt", &contrl("9900000000002", reference, "4+29")).succeeded();
    assert_eq!((&*statuses(&world, &[])[0].1, &*statuses(&world, &[])[0].2), ("REFUSED", r#"["29"]"#));
    let said = receive(&world, "letter.txt", "Sehr geehrte Damen und Herren");
    assert!(said.code == Some(1) && said.err.contains("letter.txt: ends in the middle"), "{}", said.err);
}
