//! The clearing queue and the export as a table: each reading goes out once.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use domain::finding::FindingCode;
use domain::ids::{AccountId, ImageId, JobId};
use domain::model::{LoginKind, LowerReason, ReadingReason, ReadingResult, ReadingResultImage};
use domain::sending::SendingKind;
use domain::value::MeterValue;
use jiff::Timestamp;
use serde_json::Value;
use store::{Access, ClearingEntry, Destination, ExportState, ReadingsExport, Sending};

use crate::mscons::{HOUSE, files, job, send, submit, submit_confirmed, world};
use crate::webhook::visitors;
use crate::world::{Said, World};

fn export(world: &World, folder: &str, more: &[&str]) -> Said {
    let dir = world.path(folder);
    let args = ["readings", "export", "--tenant", "birkenfurt", "--format", "csv", "--dir", dir.to_str().unwrap()];
    world.run(&[&args, more].concat())
}

pub fn of_tenant(world: &World, args: &[&str]) -> Said {
    world.run(&[args, &["--tenant", "birkenfurt"]].concat())
}

/// Job, value, decision, exchange of each row.
fn rows(world: &World, folder: &str, place: usize) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(&files(world, folder)[place]).unwrap();
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|header| header == name).unwrap();
    let wanted = ["jobId", "readingValue", "clearing", "exchangedOn", "finalValue", "initialValue"].map(column);
    reader.records().map(|row| row.map(|row| wanted.iter().map(|at| row[*at].to_owned()).collect()).unwrap()).collect()
}

/// Every reading, in the order in which they came.
pub fn received(world: &World) -> Vec<ClearingEntry> {
    let (mut entries, mut cursor) = (Vec::new(), None);
    loop {
        let since = "2026-01-01T00:00:00Z".parse().unwrap();
        let page = world.store.clearing_results(&world.tenant, since, Timestamp::now(), cursor.as_deref());
        let page = world.block_on(page).unwrap();
        entries.extend(page.entries);
        cursor = page.next_cursor;
        if cursor.is_none() {
            entries.sort_by_key(|reading| reading.entry.created);
            return entries;
        }
    }
}

/// Puts a reading into an export; false: it changed since it was read.
pub fn note_sending(world: &World, reading: &ClearingEntry, destination: Destination, export: &ReadingsExport) -> bool {
    let sending = Sending {
        kind: SendingKind::Original,
        export: None,
        at: export.created,
        refers_to: None,
        clearing: reading.clearing.clone(),
        lines: vec![],
    };
    world.block_on(world.store.note_sending(&world.tenant, reading, destination, &sending.in_export(export))).unwrap()
}

#[test]
fn a_table_has_what_no_table_had_before() {
    let world = world();
    let lines: Vec<_> =
        (1..=4).map(|number| job(&format!("j{number}"), &format!("1EBZ010000061{number}"), HOUSE, &["1-0:1.8.0"])).collect();
    world.import_jobs(&lines, &[]).succeeded();
    send(&world, "j1", 0, "00123.450", "2026-11-20", None);
    send(&world, "j2", 0, "000", "2026-11-20", None);
    let changed = send(&world, "j3", 0, "00007.5", "2026-11-20", Some(LowerReason::MeterChange));
    let wrong = send(&world, "j4", 0, "1", "2026-11-20", Some(LowerReason::Rollover));

    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 2 in 1 file; 2 wait for clearing\n");
    let plain = |job: &str, value: &str| [job, value, "", "", "", ""].map(str::to_owned).to_vec();
    assert_eq!(rows(&world, "out", 0), [plain("j1", "00123.450"), plain("j2", "000")]);
    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 0 in 0 files; 2 wait for clearing\n");

    // An exchange names the day and both counters, or none of them.
    let release = ["clearing", "release", "j3", &changed];
    assert_eq!(of_tenant(&world, &[&release[..], &["--exchanged-on", "2026-11-02", "--final", "48210.4"]].concat()).code, Some(2));
    let exchange = ["--exchanged-on", "2026-11-02", "--final", "048210.4", "--initial", "0.0", "--new-number"];
    for (number, day) in [("1EBZ0100000613", "2026-11-02"), ("1EBZ010000O614", "2026-11-02"), ("1EBZ0100000999", "2026-11-21")] {
        let refused = [&release[..], &["--exchanged-on", day], &exchange[2..], &[number]].concat();
        assert_eq!(of_tenant(&world, &refused).code, Some(2), "{number} {day}");
    }
    of_tenant(&world, &[&release[..], &exchange, &["1EBZ0100000999", "--exchanged-at", "10:30"]].concat()).succeeded();
    of_tenant(&world, &["clearing", "reject", "j4", &wrong, "--reason", "typing error"]).succeeded();
    let decided: Value = serde_json::from_str(&of_tenant(&world, &["clearing", "list", "--decided", "--json"]).succeeded().out).unwrap();
    let told: Vec<_> =
        decided["decided"].as_array().unwrap().iter().map(|line| (&line["job"], &line["released"], &line["reason"])).collect();
    assert_eq!(told, [(&"j4".into(), &false.into(), &"typing error".into()), (&"j3".into(), &true.into(), &Value::Null)], "{decided}");
    assert_eq!(
        decided["decided"][1]["exchange"],
        serde_json::json!({
            "day": "2026-11-02", "time": "10:30:00", "newNumber": "1EBZ0100000999", "finalValue": "048210.4", "initialValue": "0.0",
        })
    );
    let lines = of_tenant(&world, &["clearing", "list", "--decided"]).succeeded().out;
    assert!(lines.lines().next().unwrap().ends_with("  typing error") && lines.ends_with("clearing: 2 readings were decided\n"), "{lines}");
    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 1 in 1 file; 0 wait for clearing\n");
    let exchanged = ["j3", "00007.5", "released", "2026-11-02", "048210.4", "0.0"].map(str::to_owned).to_vec();
    assert_eq!(rows(&world, "out", 1), [exchanged]);

    // What went out is decided anew, and what did not is taken back: it waits again.
    let undone = of_tenant(&world, &["clearing", "undo", "j3", &changed]);
    assert!(undone.code == Some(2) && undone.err.contains("went out with export 2"), "{}", undone.err);
    assert_eq!(of_tenant(&world, &["clearing", "undo", "j4", &wrong]).succeeded().out, format!("j4 {wrong}: waits again (was rejected)\n"));
    let waits = of_tenant(&world, &["clearing", "list"]).succeeded().out;
    assert!(waits.contains(&wrong) && !waits.contains(&changed), "{waits}");
    assert_eq!(of_tenant(&world, &["clearing", "undo", "j4", &wrong]).code, Some(2), "nothing is decided");
    of_tenant(&world, &["clearing", "reject", "j4", &wrong, "--reason", "typing error"]).succeeded();

    // A day's files once more, byte for byte; and the market has had nothing of all this yet.
    let today = Timestamp::now().in_tz("Europe/Berlin").unwrap().date().to_string();
    export(&world, "again", &["--again", &today]).succeeded();
    let all = |folder: &str| {
        files(&world, folder).iter().map(|file| (file.file_name().unwrap().to_owned(), fs::read(file).unwrap())).collect::<Vec<_>>()
    };
    assert_eq!((all("again"), all("again").len()), (all("out"), 2));
    let market = world.path("market");
    let said = of_tenant(&world, &["readings", "mscons", "--out", market.to_str().unwrap()]).succeeded();
    assert!(said.out.starts_with("mscons: 3 readings in 1 file; 0 messages cancelled"), "{}", said.out);
}

/// Reading, value, kind, and the reading and the export that it refers to, of each row of a table.
fn kinds(world: &World, folder: &str, place: usize) -> Vec<String> {
    let mut reader = csv::Reader::from_path(&files(world, folder)[place]).unwrap();
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|header| header == name).unwrap();
    let wanted = ["resultId", "readingValue", "clearing", "exchangedOn", "kind", "refersTo", "refersToExport"].map(column);
    reader.records().map(|row| row.map(|row| wanted.map(|at| row[at].to_owned()).join(" ")).unwrap()).collect()
}

#[test]
fn what_is_found_out_after_an_export_goes_out_as_a_correction() {
    let world = world();
    let lines: Vec<_> =
        (1..=3).map(|number| job(&format!("j{number}"), &format!("1EBZ010000061{number}"), HOUSE, &["1-0:1.8.0"])).collect();
    world.import_jobs(&lines, &[]).succeeded();
    let first = send(&world, "j1", 0, "1600.0", "2026-11-20", None);
    let second = send(&world, "j2", 0, "200", "2026-11-20", None);
    let third = send(&world, "j3", 0, "300", "2026-11-20", None);
    export(&world, "out", &["--new"]).succeeded();
    let original = |id: &str, value: &str| format!("{id} {value}   ORIGINAL  ");
    assert_eq!(kinds(&world, "out", 0), [original(&first, "1600.0"), original(&second, "200"), original(&third, "300")]);

    // Somebody reads again, one reading is rejected, and of one meter a clerk hears that it was exchanged: the market has had none of them yet.
    let again = send(&world, "j1", 0, "1550.0", "2026-11-20", None);
    of_tenant(&world, &["clearing", "reject", "j2", &second, "--reason", "another meter"]).succeeded();
    let exchange = ["--exchanged-on", "2026-11-02", "--final", "48210.4", "--initial", "0", "--new-number", "1EBZ0100000999"];
    of_tenant(&world, &[&["clearing", "release", "j3", &third], &exchange[..]].concat()).succeeded();
    export(&world, "out", &["--new"]).succeeded();
    let corrected = [
        format!("{second} 200 rejected  CANCELLATION {second} 1"),
        format!("{third} 300 released 2026-11-02 CORRECTION {third} 1"),
        format!("{again} 1550.0   CORRECTION {first} 1"),
    ];
    assert_eq!(kinds(&world, "out", 1), corrected);
    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 0 in 0 files; 0 wait for clearing\n");

    // The clerk was mistaken: it goes out anew. The first files stay what they were.
    of_tenant(&world, &["clearing", "release", "j2", &second]).succeeded();
    export(&world, "out", &["--new"]).succeeded();
    assert_eq!(kinds(&world, "out", 2), [format!("{second} 200 released  ORIGINAL  ")]);
    let today = Timestamp::now().in_tz("Europe/Berlin").unwrap().date().to_string();
    export(&world, "again", &["--again", &today]).succeeded();
    let all = |folder: &str| files(&world, folder).iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>();
    assert_eq!(all("again"), all("out"));
    let market = world.path("market");
    let said = of_tenant(&world, &["readings", "mscons", "--out", market.to_str().unwrap()]).succeeded();
    assert!(said.out.starts_with("mscons: 3 readings in 1 file; 0 messages cancelled"), "{}", said.out);

    // The ledger says what went where, to whom and how often.
    let sent = received(&world).into_iter().find(|reading| reading.entry.result_id == second).unwrap().sent;
    let kinds: Vec<_> = sent.table.iter().map(|sending| (sending.export, sending.kind)).collect();
    assert_eq!(kinds, [(Some(1), SendingKind::Original), (Some(2), SendingKind::Cancellation), (Some(3), SendingKind::Original)]);
    assert_eq!((sent.market.len(), sent.webhook.len()), (1, 0));
}

/// D-CLEARING-7: the table has an exchange with the reading that goes out, or not at all.
#[test]
fn an_exchange_that_went_out_is_not_lost_by_a_later_reading_or_a_rejection() {
    let world = world();
    let lines: Vec<_> =
        (1..=2).map(|number| job(&format!("j{number}"), &format!("1EBZ010000061{number}"), HOUSE, &["1-0:1.8.0"])).collect();
    world.import_jobs(&lines, &[]).succeeded();
    let exchange = ["--exchanged-on", "2026-11-02", "--final", "9500", "--initial", "0", "--new-number", "1EBZ0100000999"];
    let release = |job: &str, id: &str, more: &[&str]| of_tenant(&world, &[&["clearing", "release", job, id], more].concat()).succeeded();
    let first = ["j1", "j2"].map(|job| {
        let id = send(&world, job, 0, "120", "2026-11-20", None);
        release(job, &id, &exchange);
        id
    });
    export(&world, "out", &["--new"]).succeeded();
    let originals = first.each_ref().map(|id| format!("{id} 120 released 2026-11-02 ORIGINAL  "));
    assert_eq!(kinds(&world, "out", 0), originals);

    let second = send(&world, "j1", 0, "152", "2026-11-20", None);
    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 0 in 0 files; 1 waits for clearing\n");
    release("j1", &second, &exchange);
    of_tenant(&world, &["clearing", "reject", "j2", &first[1], "--reason", "another meter"]).succeeded();
    export(&world, "out", &["--new"]).succeeded();
    let cancelled = format!("{id} 120 rejected  CANCELLATION {id} 1", id = first[1]);
    assert_eq!(kinds(&world, "out", 1), [cancelled, format!("{second} 152 released 2026-11-02 CORRECTION {} 1", first[0])]);
    send(&world, "j2", 0, "152", "2026-11-20", None);
    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 0 in 0 files; 1 waits for clearing\n");
}

#[test]
fn a_rejected_reading_opens_its_register_again() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0", "1-0:2.8.0"])], &[]).succeeded();
    let first = send(&world, "j1", 0, "1600.0", "2026-11-20", None);
    send(&world, "j1", 1, "2", "2026-11-20", None);
    let last = send(&world, "j1", 0, "1550.0", "2026-11-20", None);
    let version = || world.block_on(world.store.accessible_state(&world.tenant, &Access::owner(AccountId::new("a").unwrap()))).unwrap();
    let done = |wanted: &str| {
        let said = of_tenant(&world, &["season", "--json"]).succeeded().out;
        let figures: Value = serde_json::from_str(&said).unwrap();
        assert_eq!((figures["done"].to_string(), world.job("j1").unwrap().done), (wanted.into(), wanted == "1"));
    };
    done("1");

    // The one before it was replaced by the reader: it is no reading of the register any more.
    let before = version();
    let said = of_tenant(&world, &["clearing", "reject", "j1", &last, "--reason", "the photo shows another meter"]).succeeded();
    assert_eq!(said.out, format!("j1 {last}: rejected\n"));
    assert_ne!(version(), before, "the resident's list is told");
    done("0");
    let open = world.job("j1").unwrap();
    let told: Vec<_> = open.rejected.iter().map(|(_, rejected)| (rejected.reading_value.as_str(), rejected.reason.as_str())).collect();
    assert_eq!(told, [("1550.0", "the photo shows another meter")]);
    assert!(open.states[0].reading_results.is_empty() && open.states[1].reading_results.len() == 1);

    // Once more changes the words; released after all, it is as before.
    of_tenant(&world, &["clearing", "reject", "j1", &last, "--reason", "blurred"]).succeeded();
    assert_eq!(world.job("j1").unwrap().rejected[0].1.reason, "blurred");
    of_tenant(&world, &["clearing", "release", "j1", &last]).succeeded();
    done("1");
    assert!(world.job("j1").unwrap().rejected.is_empty());

    // A new reading ends it too; rejecting one that was replaced opens nothing.
    of_tenant(&world, &["clearing", "reject", "j1", &last, "--reason", "blurred"]).succeeded();
    send(&world, "j1", 0, "1610.0", "2026-11-20", None);
    done("1");
    of_tenant(&world, &["clearing", "reject", "j1", &first, "--reason", "replaced"]).succeeded();
    done("1");
    assert!(world.job("j1").unwrap().rejected.is_empty());
}

/// D-EXPORTS-12: what came since goes with it, or into a table of its own in the same run.
#[test]
fn a_table_that_was_interrupted_is_finished_under_its_number() {
    for state in [ExportState::Open, ExportState::Fixed] {
        let world = world();
        world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0", "1-0:2.8.0"])], &[]).succeeded();
        send(&world, "j1", 0, "1", "2026-11-20", None);
        send(&world, "j1", 1, "2", "2026-11-20", None);
        let begun = ReadingsExport { number: 3, medium: "table".into(), created: Timestamp::now(), state, counts: None };
        world.block_on(world.store.begin_export(&world.tenant, &begun)).unwrap();
        assert!(note_sending(&world, &received(&world)[0], Destination::Table, &begun));
        export(&world, "out", &["--new"]).succeeded();
        let written: Vec<_> = files(&world, "out").iter().map(|file| file.file_name().unwrap().to_str().unwrap().to_owned()).collect();
        let counts: Vec<_> = (0..written.len()).map(|place| rows(&world, "out", place).len()).collect();
        match state {
            ExportState::Open => assert_eq!((written, counts), (vec!["readings-00000003.csv".into()], vec![2])),
            _ => assert_eq!((written, counts), (vec!["readings-00000003.csv".into(), "readings-00000004.csv".into()], vec![1, 1])),
        }
        assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 0 in 0 files; 0 wait for clearing\n");
    }
}

#[test]
fn an_export_replaces_no_other_tenants_file_of_its_number() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0"])], &[]).succeeded();
    send(&world, "j1", 0, "1", "2026-11-20", None);
    fs::create_dir(world.path("out")).unwrap();
    let others = world.path("out").join("readings-00000001.csv");
    fs::write(&others, "another tenant's").unwrap();
    let said = export(&world, "out", &["--new"]);
    assert!(said.code == Some(2) && said.err.contains("readings-00000001.csv: exists already and is not overwritten"), "{}", said.err);
    assert_eq!((files(&world, "out").len(), fs::read_to_string(&others).unwrap().as_str()), (1, "another tenant's"));
    // It is no less to be exported, and its own file is in nobody's way.
    assert_eq!(export(&world, "own", &["--new"]).succeeded().out, "readings: 1 in 1 file; 0 wait for clearing\n");
    export(&world, "own", &["--again", "1"]).succeeded();
}

#[test]
fn a_rejection_has_words_for_the_customer() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0"])], &[]).succeeded();
    let waits = send(&world, "j1", 0, "1", "2026-11-20", Some(LowerReason::MeterChange));
    for reason in ["", "  ", &"x".repeat(1001)] {
        let said = of_tenant(&world, &["clearing", "reject", "j1", &waits, "--reason", reason]);
        assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
    }
    assert!(of_tenant(&world, &["clearing", "list"]).succeeded().out.ends_with("clearing: 1 reading waits\n"));
}

#[test]
fn what_the_reader_calls_a_new_meter_waits_with_its_photo() {
    let world = world();
    // The tenant's own words for the portal's comment count as well.
    let texts = world.path("demo/birkenfurt/translations/de-FORMAL.json");
    let own = r#"{ "reading.comment.preset.meterWasChanged": "Neuer Zähler eingebaut","#;
    fs::write(&texts, fs::read_to_string(&texts).unwrap().replacen('{', own, 1)).unwrap();
    world.run(&["tenant", "apply", world.path("demo/birkenfurt").to_str().unwrap()]).succeeded();
    world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0", "1-0:2.8.0", "1-0:1.8.1"])], &[]).succeeded();
    let with_comment = |place: usize, comment: &str, images: &[&str]| {
        let result = ReadingResult {
            reading_date: "2026-11-20".parse().unwrap(),
            reading_value: MeterValue::parse("12.5").unwrap(),
            created: Timestamp::now(),
            comment: Some(comment.into()),
            lower_reason: None,
            reading_result_images: images.iter().map(|id| ReadingResultImage { image_id: ImageId::new(*id).unwrap() }).collect(),
        };
        submit(&world, "j1", place, result)
    };
    let shipped = with_comment(0, "Zähler wurde gewechselt", &["photo-1", "photo-gone"]);
    let own = with_comment(1, "Neuer Zähler eingebaut", &[]);
    with_comment(2, "Im Keller war es dunkel", &[]);

    let (photos, job, image) = (world.create_bucket(), JobId::new("j1").unwrap(), ImageId::new("photo-1").unwrap());
    world.block_on(photos.put(&world.tenant, &job, &image, b"a photo".to_vec().into())).unwrap();
    let folder = world.path("fotos");
    let args = ["clearing", "list", "--tenant", "birkenfurt", "--json", "--photos", folder.to_str().unwrap()];
    let said = Said::from(world.command_with_aws(&args).output().unwrap()).succeeded();
    let list: Value = serde_json::from_str(&said.out).unwrap();
    let list: Vec<_> = list["waiting"].as_array().unwrap().iter().map(|line| (line["reading"].clone(), line["doubts"].clone())).collect();
    let doubt = serde_json::json!(["METER_CHANGE"]);
    assert_eq!(list, [(shipped.as_str().into(), doubt.clone()), (own.as_str().into(), doubt)]);
    let saved: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(saved, [folder.join(format!("j1-{shipped}-1.jpg"))]);
    assert_eq!(fs::read(&saved[0]).unwrap(), b"a photo");
    assert_eq!(fs::metadata(&saved[0]).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_the_reader_confirmed_waits_with_its_reason_and_goes_out_when_it_is_released() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0", "1-0:1.8.1", "1-0:1.8.2"])], &[]).succeeded();
    let confirmed = |place: usize, value: &str, codes: &[FindingCode]| {
        let result = ReadingResult {
            reading_date: "2026-11-20".parse().unwrap(),
            reading_value: MeterValue::parse(value).unwrap(),
            created: Timestamp::now(),
            comment: None,
            lower_reason: None,
            reading_result_images: Vec::new(),
        };
        submit_confirmed(&world, LoginKind::Token, "a", "j1", place, result, codes.to_vec())
    };
    let high = confirmed(0, "999999.9", &[FindingCode::ExpectedHigh]);
    confirmed(1, "3", &[FindingCode::HistoricLower]);
    confirmed(2, "47", &[]);

    let list: Value = serde_json::from_str(&of_tenant(&world, &["clearing", "list", "--json"]).succeeded().out).unwrap();
    let doubts: Vec<_> = list["waiting"].as_array().unwrap().iter().map(|line| (&line["value"], &line["doubts"])).collect();
    let (expected_high, lower) = (serde_json::json!(["EXPECTED_HIGH"]), serde_json::json!(["LOWER_UNEXPLAINED"]));
    assert_eq!(doubts, [(&"999999.9".into(), &expected_high), (&"3".into(), &lower)]);

    let market = world.path("market");
    let market = ["readings", "mscons", "--out", market.to_str().unwrap()];
    let said = of_tenant(&world, &market).succeeded().out;
    assert!(said.starts_with("mscons: 1 reading in 1 file; 0 messages cancelled; 2 wait"), "{said}");
    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 1 in 1 file; 2 wait for clearing\n");
    of_tenant(&world, &["clearing", "release", "j1", &high]).succeeded();
    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 1 in 1 file; 1 waits for clearing\n");
    let said = of_tenant(&world, &market).succeeded().out;
    assert!(said.starts_with("mscons: 1 reading in 1 file; 0 messages cancelled; 1 waits"), "{said}");
}

#[test]
fn unlikely_counters_of_an_exchange_are_asked_about() {
    let world = world();
    let event = r#""readingEvents":[{"readingDate":"2025-11-20","readingValue":"41000"}]"#;
    let line = job("j1", "1EBZ0100000612", HOUSE, &["1-0:1.8.0"]).replace(r#""obis""#, &format!(r#""preDecimals":5,{event},"obis""#));
    world.import_jobs(&[line], &[]).succeeded();
    let changed = send(&world, "j1", 0, "7", "2026-11-20", Some(LowerReason::MeterChange));
    let release = |last: &str, first: &str, more: &[&str]| {
        let counters = ["--exchanged-on", "2026-11-02", "--final", last, "--initial", first];
        of_tenant(&world, &[&["clearing", "release", "j1", &changed][..], &counters, more].concat())
    };
    for (last, first, said) in [
        ("482104", "0", "--final: the counter has 5 digits before the point"),
        ("48.210", "0", "--final: the last counter of the old meter is lower than the last known reading (41000)"),
        ("48210", "48", "--initial: the first counter of the new meter is greater than the reading (7)"),
    ] {
        let refused = release(last, first, &[]);
        assert_eq!((refused.code, refused.err), (Some(2), format!("zaehlwerk: {said}\n")));
    }
    release("482104", "0", &["--confirmed"]).succeeded();
}

#[test]
fn an_exchange_comes_in_as_two_earlier_readings_of_one_day() {
    let world = World::with_tenant();
    let mapping = r#"{
      "columns": {
        "accountId": "Kunde", "id": "Auftrag", "meter.meterNumber": "Zähler", "meter.meterRateTasks[].obis": "OBIS",
        "meter.meterRateTasks[].readingEvents[0].readingDate": "Tag", "meter.meterRateTasks[].readingEvents[0].readingValue": "Stand",
        "meter.meterRateTasks[].readingEvents[1].readingDate": "Wechsel", "meter.meterRateTasks[].readingEvents[1].readingValue": "Endstand",
        "meter.meterRateTasks[].readingEvents[1].reason": "Grund 1",
        "meter.meterRateTasks[].readingEvents[2].readingDate": "Einbau", "meter.meterRateTasks[].readingEvents[2].readingValue": "Anfangsstand",
        "meter.meterRateTasks[].readingEvents[2].reason": "Grund 2"
      },
      "values": {
        "meter.meterRateTasks[].readingEvents[1].reason": { "Ausbau": "METER_CHANGE" },
        "meter.meterRateTasks[].readingEvents[2].reason": { "Einbau": "INITIAL_READING" }
      }
    }"#;
    let table = [
        "Kunde;Auftrag;Zähler;OBIS;Tag;Stand;Wechsel;Endstand;Grund 1;Einbau;Anfangsstand;Grund 2",
        "a;j1;1EBZ0100000612;1-0:1.8.0;30.11.2025;41000,0;02.11.2026;48210,4;Ausbau;02.11.2026;0,0;Einbau",
    ];
    let (csv, mapping) = (world.write("ablesung.csv", &table), world.write("map.json", &[mapping]));
    world.run(&["jobs", "import", &csv, "--mapping", &mapping, "--tenant", "birkenfurt"]).succeeded();
    let events = &world.job("j1").unwrap().master.meter.meter_rate_tasks[0].reading_events;
    let events: Vec<_> = events.iter().map(|event| (event.reading_date.to_string(), event.reading_value.as_str(), event.reason)).collect();
    assert_eq!(
        events,
        [
            ("2025-11-30".into(), "41000.0", None),
            ("2026-11-02".into(), "48210.4", Some(ReadingReason::MeterChange)),
            ("2026-11-02".into(), "0.0", Some(ReadingReason::InitialReading)),
        ]
    );
}

fn waiting(world: &World, more: &[&str]) -> Value {
    serde_json::from_str(&of_tenant(world, &[&["clearing", "list", "--json"], more].concat()).succeeded().out).unwrap()
}

/// The values of the readings of a list.
fn values(list: &Value) -> Vec<&str> {
    list["waiting"].as_array().unwrap().iter().map(|line| line["value"].as_str().unwrap()).collect()
}

#[test]
fn what_waits_is_found_by_season_medium_reason_and_age_and_the_oldest_first() {
    let world = world();
    let season = ["seasons", "create", "2026", "--name", "2026", "--from", "2026-01-01", "--to", "2026-12-31"];
    world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0", "1-0:2.8.0"])], &[]).succeeded();
    of_tenant(&world, &season).succeeded();
    world.import_jobs(&[job("j2", "7ELS0012345678", HOUSE, &["7-0:3.0.0"])], &["--season", "2026"]).succeeded();
    send(&world, "j1", 0, "1", "2026-11-20", Some(LowerReason::MeterChange));
    send(&world, "j2", 0, "2", "2026-11-20", Some(LowerReason::Rollover));
    send(&world, "j1", 1, "3", "2026-11-20", Some(LowerReason::Rollover));

    assert_eq!(values(&waiting(&world, &[])), ["1", "2", "3"]);
    assert_eq!(values(&waiting(&world, &["--season", "2026"])), ["2"]);
    assert_eq!(values(&waiting(&world, &["--season", "default"])), ["1", "3"]);
    assert_eq!(values(&waiting(&world, &["--meter-type", "GAS_METER"])), ["2"]);
    assert_eq!(values(&waiting(&world, &["--reason", "ROLLOVER"])), ["2", "3"]);
    assert_eq!(values(&waiting(&world, &["--older-than", "1"])), [""; 0]);
    let next = waiting(&world, &["--reason", "ROLLOVER", "--limit", "1"]);
    assert_eq!((values(&next), &next["count"]), (vec!["2"], &2.into()));
    let said = of_tenant(&world, &["clearing", "list", "--limit", "2"]).succeeded().out;
    assert!(said.ends_with("clearing: 2 of 3 readings that wait\n"), "{said}");
    let refused = of_tenant(&world, &["clearing", "list", "--reason", "GUESSED"]);
    assert!(refused.code == Some(2) && refused.err.contains("is no reason; there are METER_CHANGE"), "{}", refused.err);

    // What the utility lists now is what the next list is narrowed by.
    let told = world.import_jobs(&[job("j2", "7ELS0012345678", HOUSE, &["8-0:1.0.0"])], &["--season", "2026"]);
    assert!(told.code == Some(0) && told.err.contains("loses a register that was read already"), "{}", told.err);
    assert_eq!(values(&waiting(&world, &["--meter-type", "WATER_METER"])), ["2"]);
    assert_eq!(values(&waiting(&world, &["--meter-type", "GAS_METER"])), [""; 0]);
}

#[test]
fn a_newer_reading_takes_the_place_of_one_that_waits() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0"])], &[]).succeeded();
    let first = send(&world, "j1", 0, "9000", "2026-11-20", Some(LowerReason::Rollover));
    let seen = waiting(&world, &[])["waiting"][0]["version"].as_str().unwrap().to_owned();
    send(&world, "j1", 0, "8000", "2026-11-20", Some(LowerReason::Rollover));
    assert_eq!(values(&waiting(&world, &[])), ["8000"]);
    let told = of_tenant(&world, &["clearing", "release", "j1", &first, "--seen", &seen]);
    assert_eq!(told.code, Some(2), "{}", told.out);
    assert!(told.err.contains("a newer reading came meanwhile"), "{}", told.err);
    send(&world, "j1", 0, "900", "2026-11-20", None);
    assert_eq!(values(&waiting(&world, &[])), [""; 0]);
    assert_eq!(export(&world, "out", &["--new"]).succeeded().out, "readings: 1 in 1 file; 0 wait for clearing\n");
    assert_eq!(rows(&world, "out", 0)[0][1], "900", "what nobody looked at does not go out");
}

#[test]
fn of_two_clerks_the_second_is_told_what_the_first_decided() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0"])], &[]).succeeded();
    let reading = send(&world, "j1", 0, "9000", "2026-11-20", Some(LowerReason::Rollover));
    let seen = waiting(&world, &[])["waiting"][0]["version"].as_str().unwrap().to_owned();
    let release = ["clearing", "release", "j1", &reading, "--seen", &seen];
    of_tenant(&world, &release).succeeded();
    assert_eq!(values(&waiting(&world, &[])), [""; 0]);
    let told = of_tenant(&world, &["clearing", "reject", "j1", &reading, "--reason", "blurred", "--seen", &seen]);
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""));
    assert!(told.err.contains(" released the reading at 2") && told.err.contains("look at the list again"), "{}", told.err);
    let told = of_tenant(&world, &["clearing", "reject", "j1", &reading, "--reason", "unscharf", "--seen", &seen, "--lang", "de"]);
    let said = told.err.split(" hat den Stand am ").nth(1).unwrap_or_else(|| panic!("{}", told.err));
    assert!(jiff::civil::DateTime::strptime("%d.%m.%Y um %H:%M Uhr freigegeben", said.split(';').next().unwrap()).is_ok(), "{said}");
    assert!(world.job("j1").unwrap().done, "the first decision holds");
    // Who knows of it may still decide otherwise.
    of_tenant(&world, &["clearing", "reject", "j1", &reading, "--reason", "blurred"]).succeeded();
    assert!(!world.job("j1").unwrap().done);
}

// D-CLEARING-9
#[test]
fn a_reading_without_a_job_is_decided_at_the_desk() {
    let world = World::with_tenant();
    visitors(&world, 0..1);
    let listed = of_tenant(&world, &["clearing", "list"]).succeeded().out;
    assert!(listed.starts_with("unknown~0 unknown~0  "), "{listed}");
    for (command, more) in [("release", &[][..]), ("reject", &["--reason", "blurred"]), ("undo", &[])] {
        let args = [&["clearing", command, "unknown~0", "unknown~0"], more].concat();
        let said = of_tenant(&world, &args);
        let english = "READING: the reading `unknown~0` came without a job: it is assigned or rejected at the desk";
        assert_eq!((said.code, said.err), (Some(2), format!("zaehlwerk: {english}\n")), "{command}");
        let german = "STAND: der Stand `unknown~0` kam ohne Auftrag: zugeordnet oder abgelehnt wird er am Arbeitsplatz";
        assert_eq!(of_tenant(&world, &[&args[..], &["--lang", "de"]].concat()).err, format!("zaehlwerk: {german}\n"), "{command}");
    }
}

#[test]
fn closing_a_job_and_undoing_an_import_leave_what_waits_as_it_is() {
    let world = world();
    let lines = [job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0"]), job("j2", "1EBZ0100000612", HOUSE, &["1-0:1.8.0"])];
    world.import_jobs(&lines, &[]).succeeded();
    let reading = send(&world, "j1", 0, "9000", "2026-11-20", Some(LowerReason::Rollover));
    let said = world.import_jobs(&lines[1..], &["--close-missing", "--yes-close", "1", "--json"]).succeeded().out;
    assert!(world.job("j1").unwrap().closed);
    assert_eq!(values(&waiting(&world, &[])), ["9000"]);
    let import = serde_json::from_str::<Value>(&said).unwrap()["import"].as_str().unwrap().to_owned();
    of_tenant(&world, &["imports", "undo", &import]).succeeded();
    assert!(!world.job("j1").unwrap().closed);
    assert_eq!(values(&waiting(&world, &[])), ["9000"]);
    of_tenant(&world, &["clearing", "release", "j1", &reading]).succeeded();
    assert_eq!(values(&waiting(&world, &[])), [""; 0]);
}
