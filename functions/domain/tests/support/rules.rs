//! The rules as the golden cases call them.

use domain::config::{JobFeatures, MeterReadingConfig, MeterReadingInstruction, Plausibility, VisitorReadingConfig};
use domain::config_check::contrast_to_white;
use domain::email::EmailAddress;
use domain::job::{self, JobConfig};
use domain::model::{JobConstraints, JobMaster, Meter, MeterType, TaskState};
use domain::obis::{self, ObisCode};
use domain::reading::{self, JobContext, Submission};
use domain::value::MeterValue;
use domain::white_space::without_white_space;
use domain::window::{self, Sending};
use domain::{expected, instruction, meter, own_reading, share, visitor_reading};
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What a rule answers, in the form of its cases; the error says what of the input is not in the shape of the wire.
pub fn answer(rule: &str, input: &Value) -> Result<Value, String> {
    let answer = match rule {
        "value" => match MeterValue::parse(text(input, "text")?) {
            Ok(value) => json!({"valid": true, "preDecimals": value.pre_decimals(), "postDecimals": value.post_decimals()}),
            Err(_) => json!({"valid": false}),
        },
        "reading-check" => {
            let (master, states, mut config) = job_view(input)?;
            let plausibility = field::<Option<Plausibility>>(input, "plausibility")?;
            // The portal asks about consumption where it knows the bands.
            config.features.expected_readings_validation_required &= plausibility.is_some();
            let ctx = JobContext {
                job: &master,
                states: &states,
                features: &config.features,
                entry: &config.meter_reading,
                plausibility: &plausibility.unwrap_or_default(),
                today: field(input, "today")?,
            };
            json!(reading::check(&ctx, &field::<Submission>(input, "submission")?))
        }
        "visitor-reading" => {
            let config: VisitorReadingConfig = field(input, "config")?;
            let may_have_copy = field(input, "mayHaveCopy")?;
            json!(visitor_reading::check(&config, &field(input, "reading")?, may_have_copy, field(input, "today")?))
        }
        "own-reading" => {
            let (query_post_decimals, image_required) = (field(input, "queryPostDecimals")?, field(input, "imageRequired")?);
            json!(own_reading::check(query_post_decimals, image_required, &field(input, "reading")?, field(input, "today")?))
        }
        "contrast" => json!(contrast_to_white(text(input, "color")?).map(|contrast| format!("{contrast:.2}"))),
        "email" => json!(text(input, "text")?.parse::<EmailAddress>().is_ok()),
        "expected-reading" => {
            let (master, _, _) = job_view(input)?;
            let task = master.meter.meter_rate_tasks.first().ok_or("a job without a rate")?;
            let (reading_date, value): (Date, MeterValue) = (field(input, "readingDate")?, field(input, "readingValue")?);
            let Some(plausibility) = field::<Option<Plausibility>>(input, "plausibility")? else { return Ok(Value::Null) };
            let judged = expected::judge(&plausibility, &master, task, reading_date, &value, field(input, "lowerReason")?);
            json!(judged.map(|judged| json!({
                "since": judged.since,
                "consumption": decimal_text(judged.consumption),
                "expected": decimal_text(judged.expected),
                "annual": decimal_text(judged.annual),
                "verdict": judged.verdict,
                "mistake": judged.mistake,
            })))
        }
        "reading-dates" => {
            let entry: MeterReadingConfig = field(input, "meterReading")?;
            let (constraints, features) = (field(input, "jobConstraints")?, field(input, "features")?);
            let dates = window::reading_dates(&constraints, &features, &entry, field(input, "today")?);
            json!({"first": dates.first, "last": dates.last})
        }
        "sending-window" => {
            let features: JobFeatures = field(input, "features")?;
            match window::sending(&field(input, "jobConstraints")?, &features, field(input, "today")?) {
                Sending::Open => json!({"state": "open"}),
                Sending::NotOpen(first) => json!({"state": "notOpen", "limit": first}),
                Sending::Expired(last) => json!({"state": "expired", "limit": last}),
            }
        }
        "expires-soon" => {
            let constraints: JobConstraints = field(input, "jobConstraints")?;
            json!(window::expires_soon(&constraints, field::<Date>(input, "today")?))
        }
        "overdue" => {
            let (constraints, features): (JobConstraints, JobFeatures) = (field(input, "jobConstraints")?, field(input, "features")?);
            json!(window::is_overdue(&constraints, &features, field(input, "today")?))
        }
        "obis" => {
            let code = text(input, "obis")?;
            let parsed = code.parse::<ObisCode>().ok();
            json!({
                "valid": parsed.is_some(),
                "meterType": obis::meter_type(code),
                "unit": parsed.and_then(ObisCode::unit),
                "feedIn": obis::is_feed_in(code),
                "plain": obis::plain(code),
            })
        }
        "rate-display-name" => json!(obis::display_name(field::<Option<String>>(input, "rateName")?.as_deref(), text(input, "obis")?)),
        "default-obis" => json!(obis::default_code(field::<MeterType>(input, "meterType")?)),
        "meter-number-type" => json!(meter::type_from_number(text(input, "meterNumber")?)),
        "job-meter-type" => json!(meter::job_meter_type(&field::<JobMaster>(input, "job")?)),
        "malo" => json!(meter::is_malo(text(input, "text")?)),
        "melo" => json!(meter::is_melo(text(input, "text")?)),
        "din-43863-5" => json!(meter::is_din_43863_5(text(input, "text")?)),
        "instruction" => {
            let instruction: MeterReadingInstruction = field(input, "instruction")?;
            // Browsers take a count with a blank in its braces for text, this library takes the count.
            if [&instruction.obis_filter, &instruction.meter_number_filter]
                .iter()
                .any(|filter| filter.contains(|c: char| c.is_whitespace()))
            {
                return Err("instruction: a filter with white space".to_owned());
            }
            json!(instruction::applies(&instruction, &field::<Meter>(input, "meter")?))
        }
        "login-white-space" => json!(without_white_space(text(input, "text")?)),
        "rollover-consumption" => {
            let (last, new): (MeterValue, MeterValue) = (field(input, "last")?, field(input, "new")?);
            json!(reading::rollover_consumption(field(input, "preDecimals")?, &last, &new).normalize().to_string())
        }
        "job-done" => {
            let (master, states, _) = job_view(input)?;
            json!(job::is_done(&master, &states))
        }
        "share-name" => match share::name(text(input, "name")?) {
            Ok(name) => json!({"name": name}),
            Err(finding) => json!({"fault": finding.code}),
        },
        "share-salutation" => match share::salutation(text(input, "salutation")?) {
            Ok(salutation) => json!({"salutation": salutation}),
            Err(finding) => json!({"fault": finding.code}),
        },
        "share-job-count" => json!(share::job_count(field(input, "count")?).err().map(|finding| finding.code)),
        "shareable" => {
            let allowed = field(&input["features"], "reshareAllowed")?;
            let job = &input["job"];
            json!(share::is_shareable(&field(job, "jobPermissions")?, allowed, &field(&job["config"], "features")?))
        }
        unknown => panic!("no rule is named {unknown}"),
    };
    Ok(answer)
}

/// Billionths as a number in decimal digits.
fn decimal_text(billionths: i128) -> String {
    rust_decimal::Decimal::from_i128_with_scale(billionths, 9).normalize().to_string()
}

fn text<'a>(input: &'a Value, name: &str) -> Result<&'a str, String> {
    input[name].as_str().ok_or_else(|| format!("{name} must be a text"))
}

fn field<T: DeserializeOwned>(input: &Value, name: &str) -> Result<T, String> {
    serde_json::from_value(input[name].clone()).map_err(|error| format!("{name}: {error}"))
}

/// Takes a job as it is sent to clients apart into what is stored.
fn job_view(input: &Value) -> Result<(JobMaster, Vec<TaskState>, JobConfig), String> {
    let mut input = input.clone();
    let job = input["job"].as_object_mut().ok_or("job must be an object")?;
    job.retain(|name, _| !["login", "done"].contains(&name.as_str()));
    let config = job.remove("config").ok_or("config is missing")?;
    let tasks = job.get_mut("meter").and_then(|meter| meter["meterRateTasks"].as_array_mut()).ok_or("meterRateTasks must be a list")?;
    let mut states: Vec<TaskState> = Vec::new();
    for task in tasks {
        let results = task.as_object_mut().and_then(|task| task.remove("readingResults")).ok_or("readingResults is missing")?;
        let state: TaskState = field(&json!({"state": {"taskId": task["taskId"], "readingResults": results}}), "state")?;
        if states.iter().any(|earlier| earlier.task_id == state.task_id) {
            return Err("two rates have one taskId".to_owned());
        }
        states.push(state);
    }
    Ok((field(&input, "job")?, states, field(&json!({"config": config}), "config")?))
}
