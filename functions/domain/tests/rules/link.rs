use domain::config::Application;
use domain::link;
use domain::model::JobMaster;
use jiff::civil::{Date, date};
use serde_json::json;

fn job(latest: Option<&str>, days_after: u16) -> JobMaster {
    let days = json!({"durationSendingReadingValuesBasedOnLatestExecutionIsAllowed": days_after});
    let mut job = json!({"id": "j", "meter": {"meterNumber": "1", "meterRateTasks": []}, "config": {"features": days}});
    if let Some(latest) = latest {
        job["jobConstraints"] = json!({"latestExecution": latest});
    }
    serde_json::from_value(job).unwrap()
}

#[track_caller]
fn check(jobs: &[JobMaster], expect: Date) {
    let application = json!({"applicationId": "t", "name": "T", "hosts": ["t"], "portalUrl": "https://t"});
    let application: Application = serde_json::from_value(application).unwrap();
    assert_eq!(link::last_day(&application, jobs, date(2026, 11, 1)), expect);
}

#[test]
fn a_link_lives_until_the_last_of_its_jobs_can_no_longer_be_sent() {
    check(&[job(Some("2026-12-31"), 0)], date(2026, 12, 31));
    check(&[job(Some("2026-12-31"), 14)], date(2027, 1, 14));
    check(&[job(Some("2026-12-31"), 0), job(Some("2027-03-31"), 0), job(Some("2026-12-01"), 7)], date(2027, 3, 31));
}

#[test]
fn a_job_without_a_deadline_counts_for_180_days() {
    check(&[job(None, 0)], date(2027, 4, 30));
    check(&[job(None, 0), job(Some("2026-12-31"), 0)], date(2027, 4, 30));
    check(&[job(None, 0), job(Some("2027-12-31"), 0)], date(2027, 12, 31));
}

#[test]
fn a_link_lives_30_days_at_least() {
    check(&[job(Some("2026-11-02"), 0)], date(2026, 12, 1));
    check(&[job(Some("2025-01-01"), 0)], date(2026, 12, 1));
    check(&[], date(2026, 12, 1));
}
