use std::fs;

use domain::ids::{ImageId, TaskId};
use domain::model::{LoginKind, LowerReason, ReadingResult, ReadingResultImage};
use domain::value::MeterValue;
use jiff::Timestamp;
use store::{IdempotencyWrite, NewResult, SubmitResults, Submitted};

use crate::world::World;

const VALUES: [&str; 7] = ["00123.450", "0", "000", "123456789012345.123456789", "0.000000001", "7.0", "99999999"];

/// One job with a rate for each value, all read.
fn world_with_readings() -> World {
    let world = World::with_tenant();
    let task = |index: usize| format!(r#"{{"taskId":"t{index}","obis":"7-0:3.0.{index}","rateName":"Verbrauch"}}"#);
    let tasks: Vec<_> = (0..VALUES.len()).map(task).collect();
    let job = format!(r#"{{"accountId":"a","id":"j","meter":{{"meterNumber":"7GMT0004455667","meterRateTasks":[{}]}}}}"#, tasks.join(","));
    world.import_jobs(&[job], &[]).succeeded();
    let job = world.job("j").unwrap();
    let result = |index: usize, value: &str| NewResult {
        result_id: format!("r{index}"),
        task_id: TaskId::new(format!("t{index}")).unwrap(),
        result: ReadingResult {
            reading_date: "2026-11-20".parse().unwrap(),
            reading_value: MeterValue::parse(value).unwrap(),
            created: "2026-11-20T22:59:59.5Z".parse().unwrap(),
            comment: (index == 0).then(|| "=\"A\", Zähler\ngetauscht".into()),
            lower_reason: (index == 0).then_some(LowerReason::MeterChange),
            reading_result_images: vec![ReadingResultImage { image_id: ImageId::new(format!("i{index}")).unwrap() }],
        },
    };
    let results: Vec<_> = VALUES.into_iter().enumerate().map(|(index, value)| result(index, value)).collect();
    let idempotency =
        IdempotencyWrite { key_hash: "k".into(), request_hash: "h".into(), response_body: "{}".into(), created: Timestamp::now() };
    let submission =
        SubmitResults { job: &job, results: &results, login: LoginKind::Credentials, account_id: &job.account_id, idempotency };
    assert_eq!(world.block_on(world.store.submit(&world.tenant, submission)).unwrap(), Submitted::Stored);
    world
}

#[test]
fn the_export_equals_what_was_typed_digit_for_digit() {
    let world = world_with_readings();
    let out = world.path("readings.jsonl");
    let args = ["readings", "export", "--tenant", "birkenfurt", "--since", "2026-11-20", "--format", "jsonl"];
    let said = world.run(&[&args[..], &["--out", out.to_str().unwrap()]].concat());
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""));
    assert!(said.err.starts_with("readings: 7 received from 2026-11-19T23:00:00Z until before "), "{}", said.err);
    let mut rows = world.lines("readings.jsonl");
    rows.sort_by_key(|row| row["resultId"].to_string());
    let values: Vec<_> = rows.iter().map(|row| row["readingValue"].as_str().unwrap()).collect();
    assert_eq!(values, VALUES);
    assert_eq!(
        rows[0],
        serde_json::json!({
            "resultId": "r0", "jobId": "j", "accountId": "a", "taskId": "t0", "meterNumber": "7GMT0004455667", "obis": "7-0:3.0.0",
            "unit": "m³", "readingValue": "00123.450", "readingDate": "2026-11-20", "created": "2026-11-20T22:59:59.5Z",
            "comment": "=\"A\", Zähler\ngetauscht", "lowerReason": "METER_CHANGE", "imageIds": ["i0"], "channel": "credentials", "login": "a",
        })
    );
}

#[test]
fn csv_is_quoted_and_holds_no_formula() {
    let world = world_with_readings();
    let said = world.run(&["readings", "export", "--tenant", "birkenfurt", "--since", "2026-11-20", "--format", "csv"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let mut reader = csv::Reader::from_reader(said.out.as_bytes());
    let column = |name: &str, reader: &mut csv::Reader<&[u8]>| reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    let (value, comment) = (column("readingValue", &mut reader), column("comment", &mut reader));
    let mut rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    rows.sort_by_key(|row| row[0].to_owned());
    assert_eq!(rows.iter().map(|row| row[value].to_owned()).collect::<Vec<_>>(), VALUES);
    assert_eq!(&rows[0][comment], "'=\"A\", Zähler\ngetauscht");
    assert!(said.out.contains("\r\n") && said.out.contains("\"'=\"\"A\"\", Zähler\ngetauscht\""));
}

#[test]
fn the_time_is_that_of_the_tenant_and_a_file_appears_whole() {
    let world = world_with_readings();
    let count = |since: &str, until: &str| {
        let said = world.run(&["readings", "export", "--tenant", "birkenfurt", "--since", since, "--until", until, "--format", "jsonl"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        said.out.lines().count()
    };
    // 22:59:59.5 in Greenwich is the last half second of the day in Berlin.
    assert_eq!(count("2026-11-20", "2026-11-21"), 7);
    assert_eq!(count("2026-11-21", "2026-11-22"), 0);
    assert_eq!(count("2026-11-20T22:59:59.5Z", "2026-11-20T22:59:59.501Z"), 7);
    assert_eq!(count("2026-11-20T22:00:00Z", "2026-11-20T22:59:59.5Z"), 0);

    let said = world.run(&["readings", "export", "--tenant", "birkenfurt", "--since", "yesterday", "--format", "csv"]);
    assert_eq!(said.code, Some(2));
    assert_eq!(said.err, "zaehlwerk: --since: must be a day such as 2026-11-01 or a moment such as 2026-11-01T06:00:00Z\n");
    let out = world.path("no-such-folder/out.csv");
    let args = ["readings", "export", "--tenant", "birkenfurt", "--since", "2026-11-20", "--format", "csv", "--out", out.to_str().unwrap()];
    assert_eq!(world.run(&args).code, Some(2));
    let out = world.path("out.csv");
    fs::write(&out, "old").unwrap();
    let args = [&args[..9], &[out.to_str().unwrap()]].concat();
    assert_eq!(world.run(&args).code, Some(0));
    assert_eq!(fs::read_to_string(&out).unwrap().lines().next().unwrap().split(',').count(), 15);
}
