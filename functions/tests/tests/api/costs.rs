//! What storage is asked for: a property that is promised, so it is tested. The figures are those of the log.

use reqwest::StatusCode;
use serde_json::json;

use crate::world::{Answer, Portal, reading};

#[track_caller]
fn round_trips(answer: &Answer) -> u64 {
    answer.log_line()["roundTrips"].as_u64().unwrap()
}

#[tokio::test]
async fn looking_whether_the_jobs_changed_costs_one_small_read() {
    let portal = Portal::with_account("anna").await;
    for n in 0..50 {
        portal.add_job("anna", &format!("job-{n}"), json!({})).await;
    }
    let anna = portal.login("anna").await;
    let first = anna.get("/api/pro/job").await;
    let again = anna.get_if_none_match("/api/pro/job", first.header("etag").unwrap()).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    let line = again.log_line();
    assert!(line["readUnits"].as_f64().unwrap() <= 1.0, "{line}");
    assert_eq!(line["roundTrips"], 1, "{line}");
}

#[tokio::test]
async fn one_question_is_one_round_trip() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let image = anna.send_with_photo("job-1").await;
    for path in
        ["/api/pro/account/info".into(), "/api/pro/job".into(), format!("/api/pro/job/job-1/meter-rate-tasks/t1/result-images/{image}")]
    {
        // The first call of a tenant also reads the tenant.
        assert_eq!(anna.get(&path).await.status, StatusCode::OK);
        let answer = anna.get(&path).await;
        assert!(round_trips(&answer) <= 1, "{path}: {}", answer.log_line());
    }
}

#[tokio::test]
async fn a_submission_is_two_round_trips() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    anna.send_with_photo("job-1").await;
    let sent = anna.send("job-1", reading("5000.0"), Some("k")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    assert_eq!(round_trips(&sent), 2, "{}", sent.log_line());
}

#[tokio::test]
async fn a_repeated_submission_is_one_round_trip() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let first = anna.send("job-1", reading("5000.0"), Some("k")).await;
    let again = anna.send("job-1", reading("5000.0"), Some("k")).await;
    assert_eq!(first.body, again.body);
    assert_eq!(round_trips(&again), 1, "{}", again.log_line());
    assert_eq!(again.log_line()["writeUnits"], 0.0);
}

#[tokio::test]
async fn a_refusal_writes_nothing() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    anna.send("job-1", reading("1.0"), Some("k1")).await;
    let refused = anna.send("job-1", reading("1.00"), Some("k2")).await;
    refused.assert_problem(422, "reading-invalid");
    assert_eq!(refused.log_line()["writeUnits"], 0.0, "{}", refused.log_line());
}
