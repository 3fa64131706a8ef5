//! What holds for readings that staff enter, beside the golden cases of the portal.

use domain::config::{JobFeatures, MeterReadingConfig, Plausibility};
use domain::finding::FindingCode::{
    self, CommentRequired, DateTooEarly, DateTooLate, ImageRequired, RangeAbove, WindowExpired, WindowNotOpen,
};
use domain::model::JobMaster;
use domain::reading::{Decision, JobContext, Submission, check, check_entered};
use jiff::civil::{Date, date};
use serde_json::json;

const TODAY: Date = date(2026, 11, 22);

fn job(constraints: serde_json::Value) -> JobMaster {
    let task = json!({ "taskId": "t", "obis": "1-0:1.8.0", "readingValueValidation": { "maximumValue": "200" } });
    serde_json::from_value(json!({ "id": "j", "meter": { "meterNumber": "1", "meterRateTasks": [task] }, "jobConstraints": constraints }))
        .unwrap()
}

fn sent(day: Date, value: &str) -> Submission {
    serde_json::from_value(json!({ "readingDate": day.to_string(), "results": [{ "taskId": "t", "readingValue": value }] })).unwrap()
}

/// What the portal's rules find, then those of staff, then those of staff who are late.
fn found(job: &JobMaster, features: &JobFeatures, submission: &Submission) -> [Vec<FindingCode>; 3] {
    let (entry, plausibility) = (MeterReadingConfig { reading_date_max_days_in_past: 14, ..Default::default() }, Plausibility::default());
    let ctx = JobContext { job, states: &[], features, entry: &entry, plausibility: &plausibility, today: TODAY };
    let findings = [check(&ctx, submission), check_entered(&ctx, submission, false), check_entered(&ctx, submission, true)];
    findings
        .map(|findings| findings.iter().filter(|found| found.severity != domain::finding::Severity::Info).map(|found| found.code).collect())
}

#[test]
fn no_photo_and_no_comment_is_asked_of_staff() {
    let job = job(json!({}));
    let features = JobFeatures {
        image_always_required: true,
        unplausible_readings_comment_required: true,
        unplausible_readings_image_required: true,
        ..Default::default()
    };
    let [portal, staff, late] = found(&job, &features, &sent(TODAY, "300"));
    assert_eq!(portal, [RangeAbove, ImageRequired]);
    assert_eq!((staff, late), (vec![RangeAbove], vec![RangeAbove]), "the doubt stays");
    let features = JobFeatures { image_always_required: false, unplausible_readings_image_required: false, ..features };
    assert_eq!(found(&job, &features, &sent(TODAY, "300"))[0], [RangeAbove, CommentRequired]);
}

#[test]
fn late_is_after_the_window_and_never_before_it() {
    let features = JobFeatures::default();
    let of = |constraints, day| found(&job(constraints), &features, &sent(day, "100"));
    let over = || json!({ "earliestExecution": "2026-09-01", "latestExecution": "2026-10-31" });
    assert_eq!(of(over(), date(2026, 10, 1)), [vec![WindowExpired], vec![WindowExpired], vec![]]);
    assert_eq!(of(over(), date(2026, 8, 31))[2], [DateTooEarly]);
    assert_eq!(of(over(), date(2026, 11, 23))[2], [DateTooLate]);
    let open = || json!({ "earliestExecution": "2026-10-01", "latestExecution": "2026-12-31" });
    assert_eq!(of(open(), date(2026, 10, 5)), [vec![DateTooEarly], vec![DateTooEarly], vec![]], "further back than the portal takes");
    let coming = || json!({ "earliestExecution": "2026-12-01" });
    assert_eq!(of(coming(), TODAY)[2], [WindowNotOpen]);
    // Without a beginning a year is the end of it.
    assert_eq!(of(json!({}), date(2025, 11, 22))[2], []);
    assert_eq!(of(json!({}), date(2025, 11, 21))[2], [DateTooEarly]);
}

#[test]
fn an_error_is_refused_whatever_was_confirmed() {
    let (job, features) = (job(json!({})), JobFeatures::default());
    let (entry, plausibility) = (MeterReadingConfig::default(), Plausibility::default());
    let ctx = JobContext { job: &job, states: &[], features: &features, entry: &entry, plausibility: &plausibility, today: TODAY };
    let decided = |value, confirmed| Decision::of(check(&ctx, &sent(TODAY, value)), confirmed);
    assert_eq!(decided("100", false), Decision::Taken(vec![]));
    assert!(matches!(decided("300", false), Decision::Unconfirmed(found) if found[0].code == RangeAbove));
    assert!(matches!(decided("300", true), Decision::Taken(warnings) if warnings[0].code == RangeAbove));
    assert!(matches!(decided("1234567890", true), Decision::Refused(_)));
}
