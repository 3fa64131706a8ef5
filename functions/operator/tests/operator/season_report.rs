//! The season's report in each of its shapes.

use std::fs;

use domain::ids::{AccountId, JobId};
use domain::model::{LoginKind, LowerReason, ReadingResult};
use domain::value::MeterValue;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use store::{IdempotencyWrite, ReadingWithoutJob, ReadingWithoutJobValue, Submitted};

use crate::mscons::{HOUSE, job, submit_by, world};
use crate::world::World;

fn result(created: Timestamp, lower_reason: Option<LowerReason>) -> ReadingResult {
    ReadingResult {
        reading_date: "2026-11-20".parse().unwrap(),
        reading_value: MeterValue::parse("7").unwrap(),
        created,
        comment: None,
        lower_reason,
        reading_result_images: vec![],
    }
}

/// Four jobs that were read on two days in three ways, one of which waits for clearing; three open ones, one of which is due and one overdue; a visitor.
struct Played {
    world: World,
    /// The reading of job j2, which waits.
    waiting: String,
    today: String,
    yesterday: String,
    deadline: String,
}

fn played() -> Played {
    let world = world();
    let (now, zone) = (Timestamp::now(), jiff::tz::TimeZone::get("Europe/Berlin").unwrap());
    let here = now.to_zoned(zone);
    // Not 24 hours: when the clocks are changed, that may be another day.
    let (today, before) = (here.date(), (&here - 1.day()).timestamp());
    let deadline = today + 5.days();
    let due =
        |job: String, last: jiff::civil::Date| job.replacen('{', &format!(r#"{{"jobConstraints":{{"latestExecution":"{last}"}},"#), 1);
    let lines = [
        job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.0"]),
        job("j2", "1EBZ0100000612", HOUSE, &["1-0:1.8.0"]),
        job("j3", "1EBZ0100000613", HOUSE, &["1-0:1.8.0"]),
        job("j4", "7ELS0012345678", HOUSE, &["7-0:3.0.0"]),
        due(job("j5", "=<b>5</b>", HOUSE, &["7-0:3.0.0"]), deadline),
        due(job("j6", "7ELS0012345680", HOUSE, &["7-0:3.0.0"]), deadline + 1.day()),
        due(job("j7", "7ELS0012345681", HOUSE, &["7-0:3.0.0"]), today - 1.day()).replacen(
            '{',
            r#"{"config":{"features":{"durationSendingReadingValuesBasedOnLatestExecutionIsAllowed":3}},"#,
            1,
        ),
    ];
    world.import_jobs(&lines, &[]).succeeded();
    submit_by(&world, LoginKind::Token, "a", "j1", 0, result(before, None));
    let waiting = submit_by(&world, LoginKind::Token, "a", "j2", 0, result(now, Some(LowerReason::MeterChange)));
    submit_by(&world, LoginKind::Credentials, "a", "j3", 0, result(now, None));
    submit_by(&world, LoginKind::Token, "shared-with", "j4", 0, result(now, None));
    let visitor = ReadingWithoutJob {
        id: JobId::new("unknown~1").unwrap(),
        created: now,
        login_kind: LoginKind::Public,
        login_account_id: AccountId::new("visitor~1").unwrap(),
        meter_type: None,
        sub_type: None,
        meter_number: "4711".into(),
        reading_values: ["1", "2"]
            .map(|value| ReadingWithoutJobValue {
                obis: None,
                rate_name: None,
                value: MeterValue::parse(value).unwrap(),
                image_ids: vec![],
            })
            .into(),
        reading_date: today,
        reading_reason: None,
        contact: None,
        email: None,
        language: None,
        comment: None,
    };
    let record = IdempotencyWrite { key_hash: "v".into(), request_hash: "h".into(), response_body: "{}".into(), created: now };
    assert_eq!(world.block_on(world.store.submit_without_job(&world.tenant, &visitor, &record, false)).unwrap(), Submitted::Stored);
    let [today, yesterday, deadline] = [today, today - 1.day(), deadline].map(|day| day.to_string());
    Played { world, waiting, today, yesterday, deadline }
}

fn season(world: &World, more: &[&str]) -> String {
    world.run(&[&["season", "--tenant", "birkenfurt"], more].concat()).succeeded().out
}

#[test]
fn a_table_and_a_document_say_the_same() {
    let Played { world, waiting, today, yesterday, deadline } = played();
    let now = Timestamp::now().to_string();
    let rows = [
        "\u{feff}section;name;count;of".to_owned(),
        "total;done;4;7".into(),
        "meterType;ELECTRIC_METER;3;3".into(),
        "meterType;GAS_METER;1;4".into(),
        format!("day;{yesterday};1;"),
        format!("day;{today};3;"),
        "channel;PORTAL;4;".into(),
        "login;credentials;1;".into(),
        "login;shared;1;".into(),
        "login;token;2;".into(),
        "withoutJob;public;2;".into(),
        "letter;printed;0;".into(),
        "deadline;overdue;1;".into(),
        "clearing;waiting;1;".into(),
        "clearing;withoutJob;1;".into(),
        format!("due;{deadline};1;"),
    ];
    let told = season(&world, &["--format", "csv"]);
    // The hours are those of this moment.
    let (hours, others): (Vec<&str>, Vec<&str>) = told.split_inclusive("\r\n").partition(|row| row.starts_with("hour;"));
    assert_eq!(others.concat(), rows.map(|row| format!("{row}\r\n")).concat());
    assert_eq!(hours.iter().map(|row| row.split(';').nth(2).unwrap().parse::<u32>().unwrap()).sum::<u32>(), 4);
    let document = json!({
        "tenant": "Stadtwerke Birkenfurt", "today": today, "jobs": 7, "done": 4,
        "byDay": { &yesterday: 1, &today: 3 },
        "byChannel": { "PORTAL": 4 },
        "byLogin": { "credentials": 1, "shared": 1, "token": 2 },
        "withoutJob": { "public": 2 },
        "byMeterType": { "ELECTRIC_METER": { "jobs": 3, "done": 3 }, "GAS_METER": { "jobs": 4, "done": 1 } },
        "byDistrict": {}, "nearDeadline": { &deadline: 1 },
        "overdue": 1,
        "waitingForClearing": 1,
        "waitingWithoutJob": 1,
        "mails": {}, "letters": 0,
    });
    let mut told: Value = serde_json::from_str(&season(&world, &["--json"])).unwrap();
    assert!(told["asOf"].as_str().unwrap() > now.as_str(), "everything is counted: {told}");
    let hours = told["byHour"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>();
    assert_eq!(hours, 4);
    told.as_object_mut().unwrap().retain(|name, _| !["asOf", "byHour"].contains(&&**name));
    assert_eq!(told, document);
    // Counting by looking finds the same, and nothing to mend.
    let recounted = world.run(&["season", "--tenant", "birkenfurt", "--json", "--recount"]);
    assert_eq!(recounted.err, "7 jobs counted, 0 of them and 0 sums mended\n");

    let table = season(&world, &[]);
    for line in [
        "total      done                       4 of       7   57.1 %".to_owned(),
        "meterType  GAS_METER                  1 of       4   25.0 %".into(),
        format!("day        {today}                 3"),
        "channel    PORTAL                     4".into(),
        "login      shared                     1".into(),
        "withoutJob public                     2".into(),
        "deadline   overdue                    1".into(),
        "clearing   waiting                    1".into(),
        "open and due within 5 days: 1".into(),
        format!("  {deadline}        1"),
    ] {
        assert!(table.lines().any(|said| said == line), "{line} in\n{table}");
    }
    let german = season(&world, &["--lang", "de"]);
    for line in ["Sparte       Gas                        1 von       4   25,0 %", "Klärung      wartet                     1"] {
        assert!(german.lines().any(|said| said == line), "{line} in\n{german}");
    }
    let german = season(&world, &["--format", "csv", "--lang", "de"]);
    assert!(german.starts_with("\u{feff}Bereich;Name;Anzahl;von\r\ngesamt;erledigt;4;7\r\n"), "{german}");
    world.run(&["clearing", "reject", "j2", &waiting, "--tenant", "birkenfurt", "--reason", "typing error"]).succeeded();
    assert!(season(&world, &["--format", "csv"]).contains("clearing;waiting;0;\r\n"));
}

/// Each chart has a bar for each of its figures, and the figures as text; what people typed is text too.
#[test]
fn a_page_shows_it_with_charts() {
    let Played { world, .. } = played();
    let path = world.path("bericht.html");
    let said = world.run(&["season", "--tenant", "birkenfurt", "--format", "html", "--out", path.to_str().unwrap()]).succeeded();
    assert_eq!(said.out, "season: 4 of 7 jobs done\n");
    assert!(fs::read_to_string(path).unwrap().contains("<strong>4 of 7 jobs</strong> done (57.1 %). 1 reading waits for clearing."));
    // A program gets the file that it asks for, too.
    let path = world.path("report.html");
    let said = world.run(&["season", "--tenant", "birkenfurt", "--format", "html", "--out", path.to_str().unwrap(), "--json"]).succeeded();
    assert_eq!(said.out, format!("{}\n", json!({ "out": path })));
    assert!(fs::read_to_string(path).unwrap().starts_with("<!doctype html>"));
    let page = season(&world, &["--format", "html", "--lang", "de"]);
    assert!(page.contains("<strong>4 von 7 Aufträgen</strong> erledigt (57,1 %). 1 Stand wartet auf Klärung."), "{page}");
    let sections: Vec<_> = page.split("<h2>").skip(1).map(|section| section.split_once("</h2>").unwrap()).collect();
    let bars: Vec<_> = sections
        .iter()
        .map(|(title, section)| (*title, section.matches("fill=\"#0b5c63\"").count(), section.matches("role=\"img\"").count()))
        .collect();
    assert_eq!(
        bars,
        [
            ("Nach Zählerart", 2, 1),
            ("Erledigt nach Tag", 2, 1),
            ("Stände nach Weg", 1, 1),
            ("Stände aus dem Portal nach Zugang", 3, 1),
            ("Stände ohne Auftrag", 1, 1),
            ("Offen, Frist in höchstens 5 Tagen: 1", 1, 1),
        ]
    );
    for text in [">Gas</text>", ">1 von 4 (25,0 %)</text>"] {
        assert!(sections[0].1.contains(text), "{text} in {}", sections[0].1);
    }
    for text in [">Link</text>", ">Geteilter Zugang</text>", ">Zugangsdaten</text>"] {
        assert!(sections[3].1.contains(text), "{text} in {}", sections[3].1);
    }
    // The whole is as wide as the widest, a quarter of it is done.
    assert!(sections[0].1.contains("width=\"400.0\"") && sections[0].1.contains("width=\"100.0\""), "{}", sections[0].1);
    assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"), "{page}");
}

/// A season that was stored before anything was counted, and one that somebody tampered with, come right by counting.
#[test]
fn counting_by_looking_mends_what_differs() {
    let Played { world, .. } = played();
    let figures = || -> Value {
        let mut told: Value = serde_json::from_str(&season(&world, &["--json"])).unwrap();
        told.as_object_mut().unwrap().remove("asOf");
        told
    };
    let right = figures();
    world.change_tallies(|_| None);
    assert_eq!(figures(), right, "a season without a tally is counted anew");
    world.change_tallies(|cells| Some(cells.replacen('{', r#"{"jobs|HEAT_METER|":5,"#, 1)));
    assert_ne!(figures()["jobs"], right["jobs"]);
    let mended = world.run(&["season", "--tenant", "birkenfurt", "--json", "--recount"]);
    assert_eq!(mended.err, "7 jobs counted, 0 of them and 2 sums mended\n");
    assert_eq!(figures()["jobs"], right["jobs"]);
}
