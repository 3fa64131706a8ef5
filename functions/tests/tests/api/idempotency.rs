//! A request that is sent again does not happen again (domain decision on `Idempotency-Key`).

use futures::future::join_all;
use reqwest::StatusCode;
use serde_json::json;

use crate::world::{Portal, reading};

#[tokio::test]
async fn fifty_duplicates_at_once_make_one_result() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let sends = (0..50).map(|_| anna.send("job-1", reading("1234.5"), Some("key-1")));
    let answers = join_all(sends).await;
    for answer in &answers {
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.body, answers[0].body);
    }
    assert_eq!(portal.ledger().await.len(), 1);
}

#[tokio::test]
async fn without_a_key_the_same_reading_of_the_same_job_is_one_request() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let first = anna.send("job-1", reading("1234.5"), None).await;
    let second = anna.send("job-1", reading("1234.5"), None).await;
    assert_eq!((first.status, &first.body), (second.status, &second.body));
    assert_eq!(portal.ledger().await.len(), 1);
}

/// D-READING-30: a client without keys reads again what it read before.
#[tokio::test]
async fn without_a_key_what_comes_again_after_another_reading_is_one_of_its_own() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    for value in ["100.0", "200.0", "100.0", "100.0", "200.0", "100.0"] {
        let mut body = reading(value);
        body["confirmed"] = json!(true);
        let sent = anna.send("job-1", body, None).await;
        let results = sent.body["meter"]["meterRateTasks"][0]["readingResults"].as_array().unwrap().clone();
        assert_eq!((sent.status, &results.last().unwrap()["readingValue"]), (StatusCode::OK, &json!(value)), "{sent:?}");
    }
    assert_eq!(anna.get("/api/pro/job").await.body["jobs"][0]["meter"]["meterRateTasks"][0]["readingResults"][4]["readingValue"], "100.0");
    let mut ledger = portal.ledger().await;
    ledger.sort_by_key(|entry| entry.created);
    let values: Vec<_> = ledger.iter().map(|entry| entry.reading_value.as_str()).collect();
    assert_eq!(values, ["100.0", "200.0", "100.0", "200.0", "100.0"], "the same twice in a row is one");
}

#[tokio::test]
async fn the_answer_survives_a_new_login() {
    let portal = Portal::with_job("anna", "job-1").await;
    let first = portal.login("anna").await.send("job-1", reading("1234.5"), Some("key-1")).await;
    let second = portal.login("anna").await.send("job-1", reading("1234.5"), Some("key-1")).await;
    assert_eq!(first.body, second.body);
    assert_eq!(portal.ledger().await.len(), 1);
}

#[tokio::test]
async fn the_same_key_with_another_body_is_refused() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    assert_eq!(anna.send("job-1", reading("1234.5"), Some("key-1")).await.status, StatusCode::OK);
    anna.send("job-1", reading("1235.5"), Some("key-1")).await.assert_problem(422, "idempotency-key-reused");
    assert_eq!(portal.ledger().await.len(), 1);
}

#[tokio::test]
async fn one_key_of_two_accounts_is_two_requests() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_account("bert").await;
    portal.add_job("bert", "job-2", json!({})).await;
    assert_eq!(portal.login("anna").await.send("job-1", reading("1.0"), Some("key-1")).await.status, StatusCode::OK);
    assert_eq!(portal.login("bert").await.send("job-2", reading("2.0"), Some("key-1")).await.status, StatusCode::OK);
    assert_eq!(portal.ledger().await.len(), 2);
}

#[tokio::test]
async fn twenty_different_readings_at_once_are_all_kept() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    // Rising values, so that whichever order they take none needs a confirmation but those that come late: confirm all.
    let keys: Vec<_> = (0..20).map(|n| (format!("key-{n}"), reading_confirmed(n))).collect();
    let answers = join_all(keys.iter().map(|(key, body)| anna.send_until_settled("job-1", body.clone(), key))).await;
    for answer in answers {
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    }
    assert_eq!(portal.ledger().await.len(), 20);
}

fn reading_confirmed(n: u32) -> serde_json::Value {
    let mut body = reading(&format!("{}.0", 1000 + n));
    body["confirmed"] = json!(true);
    body
}
