use std::fs;

use domain::ids::{AccountId, ImageId, JobId, TaskId};
use domain::model::{LoginKind, LowerReason, MeterType, ReadingReason, ReadingResult, ReadingResultImage};
use domain::sending::SendingKind;
use domain::value::MeterValue;
use domain::visitor_reading::Contact;
use jiff::Timestamp;
use store::{
    ClearingEntryWithoutJob, ExportState, IdempotencyWrite, NewResult, ReadingWithoutJob, ReadingWithoutJobValue, ReadingsExport, Sending,
    Source, SubmitResults, Submitted,
};

use crate::mscons::files;
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
        confirmed: Vec::new(),
    };
    let results: Vec<_> = VALUES.into_iter().enumerate().map(|(index, value)| result(index, value)).collect();
    let idempotency =
        IdempotencyWrite { key_hash: "k".into(), request_hash: "h".into(), response_body: "{}".into(), created: Timestamp::now() };
    let submission = SubmitResults {
        job: &job,
        results: &results,
        source: Source::Portal(LoginKind::Credentials),
        account_id: &job.account_id,
        idempotency,
        deliver: false,
    };
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
            "comment": "=\"A\", Zähler\ngetauscht", "lowerReason": "METER_CHANGE", "imageIds": ["i0"], "channel": "PORTAL", "loginKind": "credentials", "login": "a", "enteredBy": null,
            "clearing": null, "exchangedOn": null, "finalValue": null, "initialValue": null, "newNumber": null,
            "kind": null, "refersTo": null, "refersToExport": null,
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
    assert_eq!(fs::read_to_string(&out).unwrap().lines().next().unwrap().split(',').count(), 25);
}

/// A visitor's reading of a meter with two rates, and an account's with one.
fn world_with_readings_without_job() -> World {
    let world = World::with_tenant();
    let value = |obis: Option<&str>, value: &str, image: Option<&str>| ReadingWithoutJobValue {
        obis: obis.map(str::to_owned),
        rate_name: obis.map(|_| "=Verbrauch".to_owned()),
        value: MeterValue::parse(value).unwrap(),
        image_ids: image.map(|image| ImageId::new(image).unwrap()).into_iter().collect(),
    };
    let visited = ReadingWithoutJob {
        id: JobId::new("unknown~1").unwrap(),
        created: "2026-11-20T22:59:59.5Z".parse().unwrap(),
        login_kind: LoginKind::Public,
        login_account_id: AccountId::new("visitor~1").unwrap(),
        meter_type: Some(MeterType::GasMeter),
        sub_type: None,
        meter_number: "-7GMT".into(),
        reading_values: vec![value(Some("7-0:3.0.0"), "00123.450", Some("i1")), value(Some("7-0:3.1.0"), "7.0", None)],
        reading_date: "2026-11-20".parse().unwrap(),
        reading_reason: Some(ReadingReason::AnnualReading),
        contact: Some(Contact {
            firstname: "-Vera".into(),
            lastname: "Besuch".into(),
            street: "Lindenweg".into(),
            house_number: "12".into(),
            zip: "01234".into(),
            city: "Birkenfurt".into(),
        }),
        email: Some("+vera@example.org".into()),
        language: None,
        comment: None,
    };
    let own = ReadingWithoutJob {
        id: JobId::new("unknown~2").unwrap(),
        login_kind: LoginKind::Credentials,
        login_account_id: AccountId::new("a").unwrap(),
        meter_type: None,
        reading_values: vec![value(None, "4711", None)],
        reading_reason: None,
        contact: None,
        email: None,
        language: None,
        comment: Some("=1+1".into()),
        ..visited.clone()
    };
    for entry in [visited, own] {
        let record = IdempotencyWrite {
            key_hash: entry.id.to_string(),
            request_hash: "h".into(),
            response_body: "{}".into(),
            created: Timestamp::now(),
        };
        assert_eq!(world.block_on(world.store.submit_without_job(&world.tenant, &entry, &record, false)).unwrap(), Submitted::Stored);
    }
    world
}

/// The run ends after it put one reading into its file, and before the file was there; a visitor sends another one meanwhile.
#[test]
fn each_reading_without_a_job_goes_out_in_one_file() {
    for state in [ExportState::Open, ExportState::Fixed] {
        let world = world_with_readings_without_job();
        let export = |folder: &str, more: &[&str]| {
            let folder = world.path(folder);
            let args = ["readings", "export", "--unknown", "--tenant", "birkenfurt", "--format", "csv", "--dir", folder.to_str().unwrap()];
            world.run(&[&args, more].concat()).succeeded().out
        };
        let begun = ReadingsExport { number: 4, medium: "unknown".into(), created: Timestamp::now(), state, counts: None };
        world.block_on(async {
            world.store.begin_export(&world.tenant, &begun).await.unwrap();
            let first = world.store.reading_without_job(&world.tenant, &JobId::new("unknown~1").unwrap()).await.unwrap().unwrap();
            let first = ClearingEntryWithoutJob { entry: first, clearing: None, sent: Vec::new(), aside: None };
            let sending =
                Sending { kind: SendingKind::Original, export: None, at: begun.created, refers_to: None, clearing: None, lines: vec![] };
            assert!(world.store.note_sending_without_job(&world.tenant, &first, &sending.clone().in_export(&begun)).await.unwrap());
            let other = sending.in_export(&ReadingsExport { number: 5, ..begun.clone() });
            assert!(!world.store.note_sending_without_job(&world.tenant, &first, &other).await.unwrap(), "it is in another file");
        });
        export("out", &["--new"]);
        assert_eq!(export("out", &["--new"]), "readings: 0 in 0 files; 0 wait for clearing\n");
        let all = |folder: &str| -> Vec<(String, Vec<String>)> {
            let of = |path: &std::path::PathBuf| {
                let rows = csv::Reader::from_path(path)
                    .unwrap()
                    .into_records()
                    .map(|row| row.map(|row| format!("{} {}", &row[0], &row[7])).unwrap());
                (path.file_name().unwrap().to_str().unwrap().to_owned(), rows.collect())
            };
            files(&world, folder).iter().map(of).collect()
        };
        let [visitors, own] = [vec!["unknown~1 00123.450".to_owned(), "unknown~1 7.0".into()], vec!["unknown~2 4711".into()]];
        let expected = match state {
            ExportState::Open => vec![("unknown-00000004.csv".to_owned(), [visitors, own].concat())],
            _ => vec![("unknown-00000004.csv".to_owned(), visitors), ("unknown-00000005.csv".to_owned(), own)],
        };
        assert_eq!(all("out"), expected);
        let today = Timestamp::now().in_tz("Europe/Berlin").unwrap().date().to_string();
        export("again", &["--again", &today]);
        assert_eq!(all("again"), expected);
        export("first", &["--again", "4"]);
        assert_eq!(all("first"), expected[..1]);
    }
}

#[test]
fn readings_without_a_job_come_out_whole_and_apart_from_the_others() {
    let world = world_with_readings_without_job();
    let export = |more: &[&str]| {
        let said = world.run(&[&["readings", "export", "--tenant", "birkenfurt", "--since", "2026-11-20"], more].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
        said
    };
    assert_eq!(export(&["--format", "jsonl"]).out, "");
    let said = export(&["--unknown", "--format", "jsonl"]);
    assert!(said.err.starts_with("readings: 2 received"), "{}", said.err);
    let mut rows: Vec<serde_json::Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    rows.sort_by_key(|row| format!("{} {}", row["readingId"], row["obis"]));
    assert_eq!(rows.iter().map(|row| row["readingValue"].as_str().unwrap()).collect::<Vec<_>>(), ["00123.450", "7.0", "4711"]);
    assert_eq!(
        rows[0],
        serde_json::json!({
            "readingId": "unknown~1", "meterType": "GAS_METER", "subType": null, "meterNumber": "-7GMT", "obis": "7-0:3.0.0",
            "rateName": "=Verbrauch", "unit": "m³", "readingValue": "00123.450", "readingDate": "2026-11-20",
            "readingReason": "ANNUAL_READING", "firstname": "-Vera", "lastname": "Besuch", "street": "Lindenweg", "houseNumber": "12",
            "zip": "01234", "city": "Birkenfurt", "email": "+vera@example.org", "comment": null, "created": "2026-11-20T22:59:59.5Z",
            "imageIds": ["i1"], "loginKind": "public", "login": "visitor~1",
        })
    );
    let csv = export(&["--unknown", "--format", "csv"]).out;
    let mut rows: Vec<_> = csv.split("\r\n").filter(|row| !row.is_empty()).collect();
    rows[1..].sort_unstable();
    assert_eq!(
        rows,
        [
            "readingId,meterType,subType,meterNumber,obis,rateName,unit,readingValue,readingDate,readingReason,firstname,lastname,street,houseNumber,zip,city,email,comment,created,imageIds,loginKind,login",
            "unknown~1,GAS_METER,,'-7GMT,7-0:3.0.0,'=Verbrauch,m³,00123.450,2026-11-20,ANNUAL_READING,'-Vera,Besuch,Lindenweg,12,01234,Birkenfurt,'+vera@example.org,,2026-11-20T22:59:59.5Z,i1,public,visitor~1",
            "unknown~1,GAS_METER,,'-7GMT,7-0:3.1.0,'=Verbrauch,m³,7.0,2026-11-20,ANNUAL_READING,'-Vera,Besuch,Lindenweg,12,01234,Birkenfurt,'+vera@example.org,,2026-11-20T22:59:59.5Z,,public,visitor~1",
            "unknown~2,,,'-7GMT,,,,4711,2026-11-20,,,,,,,,,'=1+1,2026-11-20T22:59:59.5Z,,credentials,a",
        ]
    );
}
