use domain::model::JobConstraints;
use domain::window::{end_of, opening};
use jiff::civil::date;
use jiff::tz::TimeZone;
use serde_json::json;

#[test]
fn a_job_waits_for_its_reader_since_it_is_listed_and_has_begun() {
    let from_november: JobConstraints = serde_json::from_value(json!({"earliestExecution": "2026-11-01"})).unwrap();
    assert_eq!(opening(&from_november, date(2026, 10, 1)), date(2026, 11, 1));
    assert_eq!(opening(&from_november, date(2026, 11, 2)), date(2026, 11, 2));
    assert_eq!(opening(&JobConstraints::default(), date(2026, 10, 1)), date(2026, 10, 1));
}

#[test]
fn a_day_is_over_at_midnight_of_the_tenant() {
    let berlin = TimeZone::get("Europe/Berlin").unwrap();
    assert_eq!(end_of(date(2026, 11, 30), &berlin), Some("2026-11-30T23:00:00Z".parse().unwrap()));
    assert_eq!(end_of(date(2026, 6, 30), &berlin), Some("2026-06-30T22:00:00Z".parse().unwrap()));
    assert_eq!(end_of(date(9999, 12, 31), &berlin), None);
}
