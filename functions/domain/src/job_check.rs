//! What a job must mean, beyond its shape (L3, L5): checked when the utility imports it, so that no request meets such a job.

use std::collections::BTreeSet;

use jiff::civil::Date;

use crate::fault::{Fault, Faults};
use crate::market::{Medium, check_reference};
use crate::meter::{is_malo, is_melo, is_misspelt_din_43863_5};
use crate::model::{JobMaster, MeterAddress, MeterRateTask, ReadingReason};
use crate::obis::ObisCode;
use crate::reading::DEFAULT_PRE_DECIMALS;
use crate::text;
use crate::text::Text;
use crate::value::MeterValue;
use crate::visitor_reading::WITHOUT_JOB;
use crate::white_space::trimmed;

/// Most rates of a meter: one submission of all of them must fit into one transaction of the store.
pub const MAX_TASKS: usize = 40;
/// Most earlier readings of a rate.
pub const MAX_READING_EVENTS: usize = 120;
/// Longest meter number; those of old meters follow no standard.
pub const MAX_METER_NUMBER: usize = 32;
/// Longest text of any other field in characters.
pub const MAX_TEXT: usize = 500;
/// As German spreadsheets abbreviate them; March is called otherwise by older ones.
const MONTHS: [&str; 13] = ["Jan", "Feb", "Mrz", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"];

/// All faults of a job.
pub fn check(job: &JobMaster) -> Vec<Fault> {
    let mut faults = Faults::default();
    if job.id.as_str().starts_with(WITHOUT_JOB) {
        faults.add(
            "id",
            text!(
                "darf nicht mit {WITHOUT_JOB} beginnen wie Ablesungen ohne Auftrag",
                "must not begin with {WITHOUT_JOB}, as readings without a job do"
            ),
        );
    }
    if let Err(reason) = check_meter_number(&job.meter.meter_number) {
        faults.add("meter.meterNumber", reason);
    }
    faults.text("meter.customMeterType", job.meter.custom_meter_type.as_ref(), MAX_TEXT);
    for (path, id) in [("maLoId", &job.ma_lo_id), ("meter.maLoId", &job.meter.ma_lo_id)] {
        if id.as_ref().is_some_and(|id| !is_malo(id)) {
            faults.add(
                path,
                text!(
                    "muss eine Marktlokation sein: 11 Ziffern, die letzte ist die Prüfziffer",
                    "must be a market location: 11 digits, the last of which is the check digit"
                ),
            );
        }
    }
    if job.me_lo_id.as_ref().is_some_and(|id| !is_melo(id)) {
        faults.add(
            "meLoId",
            text!(
                "muss eine Messlokation sein: DE, 11 Ziffern und 20 Großbuchstaben oder Ziffern",
                "must be a metering location: DE, 11 digits and 20 capital letters or digits"
            ),
        );
    }

    if let (Some(medium), Some(id)) = (Medium::of(job), &job.market_recipient)
        && let Err(reason) = medium.check_id(id)
    {
        faults.add("marketRecipient", reason);
    }
    if let Some(Err(reason)) = job.market_order.as_deref().map(check_reference) {
        faults.add("marketOrder", reason);
    }

    let window = &job.job_constraints;
    if let (Some(earliest), Some(latest)) = (window.earliest_execution, window.latest_execution)
        && earliest > latest
    {
        faults
            .add("jobConstraints.earliestExecution", text!("liegt nach latestExecution ({latest})", "is after latestExecution ({latest})"));
    }

    check_tasks(&job.meter.meter_rate_tasks, &mut faults);
    check_texts(job, &mut faults);
    check_house_numbers(job, &mut faults);
    faults.found()
}

/// A number such as `3-5` that a spreadsheet took for a day (D-IMPORTS-7).
fn check_house_numbers(job: &JobMaster, faults: &mut Faults) {
    let mailing = job.customer.as_ref().and_then(|customer| customer.mailing_address.as_ref());
    for (path, number) in [
        ("meter.meterAddress.houseNumber", job.meter.meter_address.house_number.as_ref()),
        ("customer.mailingAddress.houseNumber", mailing.and_then(|address| address.house_number.as_ref())),
    ] {
        if number.is_some_and(|number| is_day(number)) {
            faults.add(
                path,
                text!(
                    "ist ein Tag: vermutlich hat ihn Excel aus einer Hausnummer wie 3-5 gemacht; formatieren Sie die Spalte als Text, und tragen Sie die Hausnummer neu ein",
                    "is a day: Excel probably made it of a house number such as 3-5; format the column as text, and write the house number anew"
                ),
            );
        }
    }
}

/// Whether a German spreadsheet writes a day so: `2026-05-03` or `03.05.2026`, `03. Mai` of `3-5`, and `Mai 05` of `5-2005`.
fn is_day(text: &str) -> bool {
    let is_month = |name: &str| MONTHS.contains(&name);
    let is_number = |number: &str| number.len() == 2 && number.bytes().all(|digit| digit.is_ascii_digit());
    let is_part = |(first, second): (&str, &str)| {
        first.strip_suffix('.').is_some_and(is_number) && is_month(second) || is_month(first) && is_number(second)
    };
    let day = ["%Y-%m-%d", "%d.%m.%Y"].iter().find_map(|form| Date::strptime(form, text).ok());
    // House, stair and door may be written as `12.1.4`.
    day.is_some_and(|day| (1900..2200).contains(&day.year())) || text.split_once(' ').is_some_and(is_part)
}

/// What is wrong with a meter's number.
pub fn check_meter_number(number: &str) -> Result<(), Text> {
    let count = number.chars().count();
    if count > MAX_METER_NUMBER {
        return Err(too_long(count, MAX_METER_NUMBER));
    }
    if number.chars().any(char::is_control) {
        return Err(with_control_characters());
    }
    if trimmed(number) != number || number.is_empty() {
        return Err(text!(
            "darf nicht leer sein und weder mit einem Leerzeichen beginnen noch enden",
            "must not be empty, begin or end with a blank"
        ));
    }
    if is_misspelt_din_43863_5(number) {
        return Err(text!(
            "sieht aus wie eine Nummer nach DIN 43863-5; diese hat aber eine Ziffer, drei Buchstaben, zwei Buchstaben oder Ziffern und acht Ziffern",
            "looks like a number by DIN 43863-5, but those have a digit, three letters, two letters or digits, and eight digits"
        ));
    }
    Ok(())
}

/// What only a job of a utility in Germany can be wrong about: postcodes that a spreadsheet took for numbers.
pub fn check_german(job: &JobMaster) -> Vec<Fault> {
    let mut faults = Faults::default();
    let mailing = job.customer.as_ref().and_then(|customer| customer.mailing_address.as_ref());
    let zips = [
        ("meter.meterAddress.zip", job.meter.meter_address.zip.as_ref()),
        ("customer.mailingAddress.zip", mailing.filter(|address| address.country.is_none()).and_then(|address| address.zip.as_ref())),
    ];
    for (path, zip) in zips {
        if zip.is_some_and(|zip| zip.len() == 4 && zip.bytes().all(|byte| byte.is_ascii_digit())) {
            faults.add(
                path,
                text!(
                    "hat vier Ziffern: vermutlich hat eine Tabellenkalkulation die Null davor gelöscht; eine Postleitzahl im Ausland steht mit dem Land, etwa A-1010",
                    "has four digits: a spreadsheet may have deleted the zero before them; a postcode abroad stands with its country, such as A-1010"
                ),
            );
        }
    }
    faults.found()
}

fn check_tasks(tasks: &[MeterRateTask], faults: &mut Faults) {
    if tasks.is_empty() {
        faults.add("meter.meterRateTasks", text!("braucht mindestens einen Tarif", "needs at least one rate"));
    }
    if tasks.len() > MAX_TASKS {
        faults.add(
            "meter.meterRateTasks",
            text!(
                "hat {count} Tarife, möglich sind höchstens {MAX_TASKS}",
                "has {count} rates, at most {MAX_TASKS} are possible",
                count = tasks.len()
            ),
        );
    }
    let mut ids = BTreeSet::new();
    for (index, task) in tasks.iter().enumerate() {
        let path = format!("meter.meterRateTasks[{index}]");
        if !ids.insert(&task.task_id) {
            faults.add(
                format!("{path}.taskId"),
                text!("`{id}` ist schon die Kennung eines früheren Tarifs", "`{id}` is the id of an earlier rate too", id = task.task_id),
            );
        }
        if let Err(reason) = task.obis.parse::<ObisCode>() {
            faults.add(format!("{path}.obis"), reason);
        }
        faults.text(format!("{path}.rateName"), task.rate_name.as_ref(), MAX_TEXT);
        faults.text(format!("{path}.unit"), task.unit.as_ref(), 16);
        if task.pre_decimals.is_some_and(|digits| !(1..=MeterValue::MAX_PRE_DECIMALS).contains(&usize::from(digits))) {
            faults.add(
                format!("{path}.preDecimals"),
                text!("muss zwischen 1 und {most} liegen", "must lie between 1 and {most}", most = MeterValue::MAX_PRE_DECIMALS),
            );
        }
        if task.post_decimals.is_some_and(|digits| usize::from(digits) > MeterValue::MAX_POST_DECIMALS) {
            faults.add(
                format!("{path}.postDecimals"),
                text!("darf höchstens {most} sein", "must be at most {most}", most = MeterValue::MAX_POST_DECIMALS),
            );
        }
        if let Some(range) = &task.reading_value_validation
            && let (Some(minimum), Some(maximum)) = (&range.minimum_value, &range.maximum_value)
            && minimum > maximum
        {
            faults.add(
                format!("{path}.readingValueValidation.minimumValue"),
                text!("liegt über maximumValue ({maximum})", "is above maximumValue ({maximum})"),
            );
        }
        check_events(task, &path, faults);
    }
}

fn check_events(task: &MeterRateTask, path: &str, faults: &mut Faults) {
    let events = &task.reading_events;
    if events.len() > MAX_READING_EVENTS {
        faults.add(
            format!("{path}.readingEvents"),
            text!(
                "hat {count} Stände, möglich sind höchstens {MAX_READING_EVENTS}",
                "has {count} readings, at most {MAX_READING_EVENTS} are possible",
                count = events.len()
            ),
        );
    }
    // A register without digits is a fault of its own.
    let digits = usize::from(task.pre_decimals.filter(|&digits| digits > 0).unwrap_or(DEFAULT_PRE_DECIMALS));
    // The meter before may have had more of them.
    let of_this_meter = events.iter().rposition(|event| event.reason == Some(ReadingReason::MeterChange)).map_or(0, |place| place + 1);
    for (index, event) in events.iter().enumerate() {
        if index >= of_this_meter && event.reading_value.pre_decimals() > digits {
            let has = event.reading_value.pre_decimals();
            faults.add(
                format!("{path}.readingEvents[{index}].readingValue"),
                text!(
                    "hat {has} Stellen vor dem Komma, das Zählwerk aber nur {digits}",
                    "has {has} digits before the point, the register only {digits}"
                ),
            );
        }
        let path = format!("{path}.readingEvents[{index}]");
        if index > 0 && events[index - 1].reading_date > event.reading_date {
            faults.add(
                format!("{path}.readingDate"),
                text!("liegt vor dem Stand darüber; der älteste steht zuerst", "is before the reading above it; the oldest stands first"),
            );
        }
        faults.text(format!("{path}.otherReason"), event.other_reason.as_ref(), MAX_TEXT);
        if event.other_reason.is_some() && event.reason != Some(ReadingReason::Other) {
            faults.add(format!("{path}.otherReason"), text!("ist nur beim Grund OTHER möglich", "goes only with the reason OTHER"));
        }
    }
}

fn check_texts(job: &JobMaster, faults: &mut Faults) {
    faults.text("objectKey", job.object_key.as_ref(), MAX_TEXT);
    for (index, comment) in job.config.meter_reading.default_comments.iter().flatten().enumerate() {
        faults.text(format!("config.meterReading.defaultComments[{index}]"), Some(comment), MAX_TEXT);
    }
    let MeterAddress {
        street,
        house_number,
        zip,
        city,
        city_district,
        company,
        firstname,
        lastname,
        object_key,
        location_description,
        hint,
    } = &job.meter.meter_address;
    for (name, text) in [
        ("street", street),
        ("houseNumber", house_number),
        ("zip", zip),
        ("city", city),
        ("cityDistrict", city_district),
        ("company", company),
        ("firstname", firstname),
        ("lastname", lastname),
        ("objectKey", object_key),
        ("locationDescription", location_description),
        ("hint", hint),
    ] {
        faults.text(format!("meter.meterAddress.{name}"), text.as_ref(), MAX_TEXT);
    }
    if let Some(partner) = &job.partner {
        for (name, text) in [
            ("identifier", &partner.identifier),
            ("company", &partner.company),
            ("firstname", &partner.firstname),
            ("lastname", &partner.lastname),
        ] {
            faults.text(format!("partner.{name}"), text.as_ref(), MAX_TEXT);
        }
    }
    if let Some(customer) = &job.customer {
        for (name, text) in [
            ("customerNumber", &customer.customer_number),
            ("company", &customer.company),
            ("firstname", &customer.firstname),
            ("lastname", &customer.lastname),
        ] {
            faults.text(format!("customer.{name}"), text.as_ref(), MAX_TEXT);
        }
        if let Some(address) = &customer.mailing_address {
            for (name, text) in [
                ("street", &address.street),
                ("houseNumber", &address.house_number),
                ("zip", &address.zip),
                ("city", &address.city),
                ("country", &address.country),
            ] {
                faults.text(format!("customer.mailingAddress.{name}"), text.as_ref(), MAX_TEXT);
            }
        }
    }
}

fn too_long(count: usize, most: usize) -> Text {
    text!("hat {count} Zeichen, möglich sind höchstens {most}", "has {count} characters, at most {most} are possible")
}

fn with_control_characters() -> Text {
    text!("darf keine Steuerzeichen enthalten", "must not contain control characters")
}

impl Faults {
    /// At most `max` characters, and no control characters but line ends.
    fn text(&mut self, path: impl Into<String>, text: Option<&String>, max: usize) {
        let Some(text) = text else { return };
        let count = text.chars().count();
        if count > max {
            self.add(path, too_long(count, max));
        } else if text.chars().any(|c| c.is_control() && c != '\n') {
            self.add(path, with_control_characters());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults(change: impl FnOnce(&mut serde_json::Value)) -> Vec<String> {
        let mut job = json!({
            "id": "j", "maLoId": "41373559241", "meLoId": "DE00056266802AO6G56M11SN51G21M24S",
            "jobConstraints": { "earliestExecution": "2026-11-01", "latestExecution": "2026-11-30" },
            "meter": { "meterNumber": "1 EBZ 01 0000 0619", "meterRateTasks": [
                { "taskId": "ht", "obis": "1-0:1.8.1", "preDecimals": 6, "postDecimals": 1,
                  "readingEvents": [{ "readingDate": "2024-11-30", "readingValue": "1" }, { "readingDate": "2025-11-30", "readingValue": "2" }],
                  "readingValueValidation": { "minimumValue": "2", "maximumValue": "2" } },
                { "taskId": "nt", "obis": "1-0:1.8.2" },
            ] },
        });
        change(&mut job);
        check(&serde_json::from_str(&job.to_string()).unwrap()).into_iter().map(|fault| fault.path).collect()
    }

    #[test]
    fn a_sound_job_has_no_fault() {
        assert_eq!(faults(|_| {}), [""; 0]);
        assert_eq!(faults(|job| job["jobConstraints"]["earliestExecution"] = json!("2026-11-30")), [""; 0]);
    }

    #[test]
    fn each_fault_is_found_at_its_place() {
        let task = "/meter/meterRateTasks/0";
        for (pointer, value, path) in [
            ("/meter/meterRateTasks", json!([]), "meter.meterRateTasks"),
            ("/meter/meterRateTasks/1/taskId", json!("ht"), "meter.meterRateTasks[1].taskId"),
            ("/id", json!("unknown~1"), "id"),
            ("/meter/meterNumber", json!(" 1"), "meter.meterNumber"),
            ("/meter/meterNumber", json!(""), "meter.meterNumber"),
            ("/meter/meterNumber", json!("1".repeat(33)), "meter.meterNumber"),
            ("/meter/meterNumber", json!("1EBZ0100O00619"), "meter.meterNumber"),
            ("/maLoId", json!("41373559240"), "maLoId"),
            ("/meLoId", json!("de00056266802AO6G56M11SN51G21M24S"), "meLoId"),
            ("/jobConstraints/earliestExecution", json!("2026-12-01"), "jobConstraints.earliestExecution"),
            (&format!("{task}/obis"), json!("1.8.0"), "meter.meterRateTasks[0].obis"),
            (&format!("{task}/preDecimals"), json!(16), "meter.meterRateTasks[0].preDecimals"),
            (&format!("{task}/preDecimals"), json!(0), "meter.meterRateTasks[0].preDecimals"),
            (&format!("{task}/postDecimals"), json!(10), "meter.meterRateTasks[0].postDecimals"),
            (
                &format!("{task}/readingValueValidation/minimumValue"),
                json!("2.1"),
                "meter.meterRateTasks[0].readingValueValidation.minimumValue",
            ),
            (&format!("{task}/readingEvents/1/readingValue"), json!("9999999.5"), "meter.meterRateTasks[0].readingEvents[1].readingValue"),
            (&format!("{task}/readingEvents/0/readingDate"), json!("2025-12-01"), "meter.meterRateTasks[0].readingEvents[1].readingDate"),
        ] {
            assert_eq!(faults(|job| *job.pointer_mut(pointer).unwrap() = value.clone()), [path], "{pointer} {value}");
        }
    }

    #[test]
    fn what_is_as_long_as_possible_is_no_fault() {
        let task = "/meter/meterRateTasks/0";
        for (pointer, value) in [
            ("/meter/meterNumber", json!("1".repeat(MAX_METER_NUMBER))),
            (&format!("{task}/preDecimals"), json!(MeterValue::MAX_PRE_DECIMALS)),
            (&format!("{task}/postDecimals"), json!(MeterValue::MAX_POST_DECIMALS)),
            (&format!("{task}/readingEvents/1/readingValue"), json!("999999.5")),
        ] {
            assert_eq!(faults(|job| *job.pointer_mut(pointer).unwrap() = value.clone()), [""; 0], "{pointer} {value}");
        }
    }

    #[test]
    fn the_meter_before_may_have_had_more_digits() {
        let found = faults(|job| {
            job["meter"]["meterRateTasks"][0]["readingEvents"] = json!([
                { "readingDate": "2024-11-30", "readingValue": "0099999999", "reason": "MeterChange" },
                { "readingDate": "2024-11-30", "readingValue": "000000", "reason": "INITIAL_READING" },
            ]);
            job["meter"]["meterRateTasks"][0]["readingEvents"][0]["reason"] = json!("METER_CHANGE");
        });
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn a_postcode_that_lost_its_zero_is_found() {
        let job = |zip: &str| {
            let meter = json!({ "meterNumber": "1", "meterAddress": { "zip": zip }, "meterRateTasks": [] });
            let job = json!({ "id": "j", "meter": meter, "customer": { "mailingAddress": { "zip": zip } } });
            check_german(&serde_json::from_str(&job.to_string()).unwrap()).into_iter().map(|fault| fault.path).collect::<Vec<_>>()
        };
        assert_eq!(job("7743"), ["meter.meterAddress.zip", "customer.mailingAddress.zip"]);
        assert!(["07743", "A-1010", "CH-8001", "77"].iter().all(|zip| job(zip).is_empty()));
    }

    #[test]
    fn a_house_number_that_became_a_day_is_found() {
        let job = |number: &str| {
            faults(|job| {
                job["meter"]["meterAddress"] = json!({ "houseNumber": number });
                job["customer"] = json!({ "mailingAddress": { "houseNumber": number } });
            })
        };
        for day in ["2026-05-03", "03.05.2026", "3.5.2026", "03. Mai", "Mai 05", "01. Mrz"] {
            assert_eq!(job(day), ["meter.meterAddress.houseNumber", "customer.mailingAddress.houseNumber"], "{day}");
        }
        for number in ["3-5", "12.1.4", "3 a", "7 1/2", "03. OG", "Mai 5b", "12-14", "2026"] {
            assert_eq!(job(number), [""; 0], "{number}");
        }
    }

    #[test]
    fn rates_and_their_readings_have_a_most() {
        let rates = |count: usize| {
            faults(|job| {
                let tasks: Vec<_> = (0..count).map(|id| json!({ "taskId": id.to_string(), "obis": "1-0:1.8.0" })).collect();
                job["meter"]["meterRateTasks"] = json!(tasks);
            })
        };
        assert_eq!(rates(MAX_TASKS), [""; 0]);
        assert_eq!(rates(MAX_TASKS + 1), ["meter.meterRateTasks"]);
        let events = |count: usize| {
            let event = json!({ "readingDate": "2024-11-30", "readingValue": "1" });
            faults(|job| job["meter"]["meterRateTasks"][0]["readingEvents"] = json!(vec![event; count]))
        };
        assert_eq!(events(MAX_READING_EVENTS), [""; 0]);
        assert_eq!(events(MAX_READING_EVENTS + 1), ["meter.meterRateTasks[0].readingEvents"]);
    }

    #[test]
    fn another_reason_is_named_only_where_the_reason_is_another() {
        let reason = |reason: &str| {
            faults(|job| {
                let event = &mut job["meter"]["meterRateTasks"][0]["readingEvents"][1];
                event["reason"] = json!(reason);
                event["otherReason"] = json!("Umzug");
            })
        };
        assert_eq!(reason("OTHER"), [""; 0]);
        assert_eq!(reason("METER_CHANGE"), ["meter.meterRateTasks[0].readingEvents[1].otherReason"]);
    }

    #[test]
    fn a_text_may_have_lines_and_no_other_control_characters() {
        let hint = |text: String| faults(|job| job["meter"]["meterAddress"] = json!({ "hint": text }));
        assert_eq!(hint("Keller\nlinks".to_owned()), [""; 0]);
        assert_eq!(hint("ä".repeat(MAX_TEXT)), [""; 0]);
        assert_eq!(hint("ä".repeat(MAX_TEXT + 1)), ["meter.meterAddress.hint"]);
        assert_eq!(hint("Keller\tlinks".to_owned()), ["meter.meterAddress.hint"]);
    }

    #[test]
    fn all_faults_of_a_job_are_found_at_once() {
        let found = faults(|job| {
            job["maLoId"] = json!("12345678901");
            job["meter"]["meterRateTasks"][1]["obis"] = json!("x");
            job["meter"]["meterAddress"] = json!({ "hint": "a\u{7}b" });
        });
        assert_eq!(found, ["maLoId", "meter.meterRateTasks[1].obis", "meter.meterAddress.hint"]);
    }
}
