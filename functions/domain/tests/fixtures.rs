//! Runs the golden cases of `fixtures/` against the rules.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::Path;

use domain::config::{JobFeatures, MeterReadingConfig, MeterReadingInstruction, UnknownReadingConfig};
use domain::email::EmailAddress;
use domain::job::{self, JobConfig};
use domain::model::{JobConstraints, JobMaster, Meter, MeterType, TaskState};
use domain::obis::{self, ObisCode};
use domain::reading::{self, Finding, JobContext, Submission};
use domain::value::MeterValue;
use domain::window::{self, Sending};
use domain::{instruction, login, meter, share, unknown_reading};
use jiff::civil::Date;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Fixture {
    rule: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    input: Value,
    expect: Value,
}

#[test]
fn every_golden_case_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut count = 0;
    let mut failures = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let fixture: Fixture = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap_or_else(|e| panic!("{file}: {e}"));
        for Case { name, input, expect } in fixture.cases {
            count += 1;
            let (expected, actual) = (canonical(expect), canonical(answer(&fixture.rule, &input)));
            if expected != actual {
                failures.push(format!("{file}: {name}\n  expected {expected}\n  but was  {actual}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} cases fail\n{}", failures.len(), failures.join("\n"));
    assert!(count >= 150, "only {count} cases were found");
}

/// Findings have no order.
fn canonical(value: Value) -> Value {
    match value {
        Value::Array(mut items) => {
            items.sort_by_key(Value::to_string);
            Value::Array(items)
        }
        other => other,
    }
}

fn answer(rule: &str, input: &Value) -> Value {
    match rule {
        "value" => match MeterValue::parse(text(input, "text")) {
            Ok(value) => json!({"valid": true, "preDecimals": value.pre_decimals(), "postDecimals": value.post_decimals()}),
            Err(_) => json!({"valid": false}),
        },
        "reading-check" => {
            let (master, states, config) = job_view(input);
            let ctx = JobContext {
                job: &master,
                states: &states,
                features: &config.features,
                entry: &config.meter_reading,
                today: field(input, "today"),
            };
            let findings: Vec<Finding> = reading::check(&ctx, &field::<Submission>(input, "submission"));
            json!(findings)
        }
        "unknown-reading" => {
            let config: UnknownReadingConfig = field(input, "config");
            let may_have_copy = input["mayHaveCopy"] == true;
            json!(unknown_reading::check(&config, &field(input, "reading"), may_have_copy, field(input, "today")))
        }
        "own-unknown-reading" => {
            let (query_post_decimals, image_required) = (input["queryPostDecimals"] == true, input["imageRequired"] == true);
            json!(unknown_reading::check_own(query_post_decimals, image_required, &field(input, "reading"), field(input, "today")))
        }
        "email" => json!(text(input, "text").parse::<EmailAddress>().is_ok()),
        "reading-dates" => {
            let entry: MeterReadingConfig = field(input, "meterReading");
            let (constraints, features) = (field(input, "jobConstraints"), field(input, "features"));
            let dates = window::reading_dates(&constraints, &features, &entry, field(input, "today"));
            json!({"first": dates.first, "last": dates.last})
        }
        "sending-window" => {
            let features: JobFeatures = field(input, "features");
            match window::sending(&field(input, "jobConstraints"), &features, field(input, "today")) {
                Sending::Open => json!({"state": "open"}),
                Sending::NotOpen(first) => json!({"state": "notOpen", "limit": first}),
                Sending::Expired(last) => json!({"state": "expired", "limit": last}),
            }
        }
        "expires-soon" => {
            let constraints: JobConstraints = field(input, "jobConstraints");
            json!(window::expires_soon(&constraints, field::<Date>(input, "today")))
        }
        "obis" => {
            let code = text(input, "obis");
            let parsed = code.parse::<ObisCode>().ok();
            json!({
                "valid": parsed.is_some(),
                "meterType": obis::meter_type(code),
                "unit": parsed.and_then(ObisCode::unit),
                "feedIn": obis::is_feed_in(code),
            })
        }
        "rate-display-name" => json!(obis::display_name(input["rateName"].as_str(), text(input, "obis"))),
        "default-obis" => json!(obis::default_code(field::<MeterType>(input, "meterType"))),
        "meter-number-type" => json!(meter::type_from_number(text(input, "meterNumber"))),
        "job-meter-type" => json!(meter::job_meter_type(&field::<JobMaster>(input, "job"))),
        "malo" => json!(meter::is_malo(text(input, "text"))),
        "melo" => json!(meter::is_melo(text(input, "text"))),
        "din-43863-5" => json!(meter::is_din_43863_5(text(input, "text"))),
        "instruction" => {
            json!(instruction::applies(&field::<MeterReadingInstruction>(input, "instruction"), &field::<Meter>(input, "meter")))
        }
        "login-white-space" => json!(login::without_white_space(text(input, "text"))),
        "rollover-consumption" => {
            let (last, new): (MeterValue, MeterValue) = (field(input, "last"), field(input, "new"));
            json!(reading::rollover_consumption(field(input, "preDecimals"), &last, &new).normalize().to_string())
        }
        "job-done" => {
            let (master, states, _) = job_view(input);
            json!(job::is_done(&master, &states))
        }
        "share-name" => match share::name(text(input, "name")) {
            Ok(name) => json!({"name": name}),
            Err(fault) => json!({"fault": fault}),
        },
        "share-job-count" => json!(share::job_count(field(input, "count")).err()),
        "shareable" => {
            let allowed = input["features"]["reshareAllowed"].as_bool().unwrap();
            let job = &input["job"];
            json!(share::is_shareable(&field(job, "jobPermissions"), allowed, &field(&job["config"], "features")))
        }
        unknown => panic!("no rule is named {unknown}"),
    }
}

fn text<'a>(input: &'a Value, name: &str) -> &'a str {
    input[name].as_str().unwrap_or_else(|| panic!("{name} must be a text"))
}

fn field<T: DeserializeOwned>(input: &Value, name: &str) -> T {
    serde_json::from_value(input[name].clone()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Takes a job as it is sent to clients apart into what is stored.
fn job_view(input: &Value) -> (JobMaster, Vec<TaskState>, JobConfig) {
    let mut job = input["job"].clone();
    let config = serde_json::from_value(job["config"].take()).unwrap();
    let mut states = Vec::new();
    for task in job["meter"]["meterRateTasks"].as_array_mut().unwrap() {
        let results = task.as_object_mut().unwrap().remove("readingResults").unwrap();
        states.push(serde_json::from_value(json!({"taskId": task["taskId"], "readingResults": results})).unwrap());
    }
    let master = job.as_object_mut().unwrap();
    master.retain(|name, _| !["config", "login", "done"].contains(&name.as_str()));
    (serde_json::from_value(job).unwrap(), states, config)
}
