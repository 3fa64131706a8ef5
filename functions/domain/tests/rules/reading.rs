use domain::model::{LowerReason, MeterRateTask, TaskState};
use domain::reading::lower_reason;
use domain::value::MeterValue;
use serde_json::{Value, json};

fn task(events: &[(&str, &str)]) -> MeterRateTask {
    let events: Vec<Value> =
        events.iter().map(|(day, value)| json!({"readingDate": day, "readingValue": value, "reason": "PERIODIC_READING"})).collect();
    serde_json::from_value(json!({"taskId": "t1", "obis": "1-0:1.8.0", "readingEvents": events})).unwrap()
}

fn result(value: &str) -> TaskState {
    let result = json!({"readingDate": "2026-11-05", "readingValue": value, "created": "2026-11-05T10:00:00Z", "readingResultImages": []});
    serde_json::from_value(json!({"taskId": "t1", "readingResults": [result]})).unwrap()
}

/// A value that is not lower cannot have passed the last digit; where nothing is known, whoever stands there knows better (D-READING-25).
#[test]
fn a_counter_that_passed_its_last_digit_stands_below_what_is_known() {
    let (exchange, rollover) = (Some(LowerReason::MeterChange), Some(LowerReason::Rollover));
    let read = [("2025-11-15", "99990"), ("2024-11-15", "5")];
    for (events, last, value, kept) in [
        (&read[..], None, "12", true),
        (&read, None, "99990", false),
        (&read, None, "99991", false),
        (&read, Some("3"), "12", true),
        (&read, Some("99995"), "99992", true),
        (&[], Some("99995"), "12", true),
        (&[], Some("99995"), "99996", false),
        (&[], None, "12", true),
        // Decimals that nobody asked for make no counter lower (D-READING-5).
        (&[("2025-11-15", "01234.567")], None, "1234", false),
        (&[("2025-11-15", "01234.567")], None, "1234.567", false),
        (&[("2025-11-15", "01234.567")], None, "1234.566", true),
        (&[("2025-11-15", "01234.567")], None, "1233", true),
        (&[], Some("01234.567"), "1234", false),
        (&[], Some("01234.567"), "1233", true),
    ] {
        let states: Vec<_> = last.into_iter().map(result).collect();
        let stored = |given| lower_reason(given, &MeterValue::parse(value).unwrap(), &task(events), &states);
        assert_eq!(stored(rollover).is_some(), kept, "{value} after {events:?} and {last:?}");
        assert_eq!(stored(exchange), exchange, "an exchanged meter may show anything");
        assert_eq!(stored(None), None);
    }
}
