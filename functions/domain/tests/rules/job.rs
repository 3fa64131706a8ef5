use domain::job::{periods_meet, same_reading};
use domain::model::{JobConstraints, JobMaster};
use serde_json::{Value, json};

fn period(earliest: Option<&str>, latest: Option<&str>) -> Value {
    let mut period = json!({});
    for (name, day) in [("earliestExecution", earliest), ("latestExecution", latest)] {
        if let Some(day) = day {
            period[name] = json!(day);
        }
    }
    period
}

fn constraints(earliest: Option<&str>, latest: Option<&str>) -> JobConstraints {
    serde_json::from_value(period(earliest, latest)).unwrap()
}

fn job(codes: &[&str], period: Value) -> JobMaster {
    let tasks: Vec<_> = codes.iter().map(|code| json!({"taskId": code.replace([':', '*'], "_"), "obis": code})).collect();
    serde_json::from_value(json!({"id": "j", "jobConstraints": period, "meter": {"meterNumber": "1", "meterRateTasks": tasks}})).unwrap()
}

#[test]
fn periods_meet_on_one_common_day_and_where_an_end_is_open() {
    let november = constraints(Some("2026-11-01"), Some("2026-11-30"));
    for (other, meet) in [
        (constraints(Some("2026-11-30"), Some("2026-12-31")), true),
        (constraints(Some("2026-12-01"), Some("2026-12-31")), false),
        (constraints(None, Some("2026-11-01")), true),
        (constraints(None, Some("2026-10-31")), false),
        (constraints(Some("2026-12-01"), None), false),
        (constraints(None, None), true),
    ] {
        assert_eq!(periods_meet(&november, &other), meet, "{other:?}");
        assert_eq!(periods_meet(&other, &november), meet, "{other:?}");
    }
}

#[test]
fn two_jobs_want_the_same_reading_by_a_common_register_in_a_common_period() {
    let (november, december) = (period(Some("2026-11-01"), Some("2026-11-30")), period(Some("2026-12-01"), Some("2026-12-31")));
    let one = job(&["1-0:1.8.1", "1-0:1.8.2"], november.clone());
    assert!(same_reading(&one, &job(&["1-0:1.8.2", "1-0:2.8.0"], november.clone())));
    assert!(same_reading(&one, &job(&["1-0:1.8.2*255"], november.clone())), "the running billing period is read over");
    assert!(!same_reading(&one, &job(&["1-0:2.8.0"], november)));
    assert!(!same_reading(&one, &job(&["1-0:1.8.1"], december)));
}
