//! The log tells what happened, and nothing about whom.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::world::{Portal, log, password, reading};

#[tokio::test]
async fn every_request_has_one_line_with_its_outcome() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    for (answer, operation, code) in [
        (anna.get("/api/pro/job").await, "job_list", Value::Null),
        (portal.get("/api/pro/job").await, "job_list", json!("token-missing")),
        (anna.send("no-such-job", reading("1.0"), None).await, "result_create", json!("not-found")),
        (portal.get("/nowhere").await, "fallback", json!("not-found")),
    ] {
        let line = answer.log_line();
        assert_eq!((&line["operation"], &line["code"]), (&json!(operation), &code), "{line}");
        assert_eq!(line["status"], answer.status.as_u16());
        assert!(line["durationMs"].as_f64().unwrap() > 0.0);
        let id = answer.header("x-request-id").unwrap();
        assert_eq!(log().iter().filter(|line| line.contains(id)).count(), 1);
    }
}

/// Everything that must not be in the log is sent through every door, the wrong ones included, and then looked for.
#[tokio::test]
async fn no_line_says_who_it_was() {
    let portal = Portal::with_account("canary-name").await;
    let place = json!({ "meterNumber": "1CAN0000004711", "meterAddress": { "street": "Canarystreet", "city": "Canaryville" } });
    portal.add_job("canary-name", "job-1", json!({ "meter": place, "customer": { "lastname": "Canarysson" } })).await;
    let anna = portal.login("canary-name").await;

    let mut body = reading("4711.0");
    body["results"][0]["comment"] = json!("a canary comment");
    anna.send_with_photo("job-1").await;
    let sent = anna.send("job-1", body, Some("canary-key")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    anna.get("/api/pro/job?cursor=canary-cursor").await;
    anna.get("/api/pro/account/info").await;
    portal.token(json!({ "username": "canary-name", "password": "canary-guess" })).await;
    portal.token(json!({ "username": "canary-nobody", "password": "canary-guess" })).await;
    portal.token(json!({ "token": portal.link_token("canary-name") })).await;
    portal.token(json!({ "token": "canary-link-token" })).await;
    portal.token(json!({ "refreshToken": anna.refresh_token() })).await;
    portal.token(json!({ "refreshToken": "canary-family.canary-secret" })).await;
    portal.get_with("/api/pro/job", "canary.bearer.token").await;
    portal.get("/canary-path?canary=query").await;
    for text in [
        "{\"canary\": ",
        "canary",
        "{\"applicationId\":\"canary-tenant\",\"token\":[\"canary\"]}",
        "{\"applicationId\":3,\"canary-field\":1}",
    ] {
        portal.post_text("/auth/token", "application/json", text).await;
        anna.post_text("/api/pro/job/job-1/meterRateTask/result", text).await;
    }
    for (field, value) in [
        ("readingValue", json!("canary")),
        ("comment", json!(["canary"])),
        ("taskId", json!("canary task")),
        ("lowerReason", json!("CANARY")),
    ] {
        let mut body = reading("4712.0");
        body["results"][0][field] = value;
        anna.send("job-1", body, None).await;
    }
    let mut body = reading("4712.0");
    body["readingDate"] = json!("canary-date");
    anna.send("job-1", body, None).await;
    body = reading("4712.0");
    body["results"][0]["readingImages"] =
        json!([{ "encodedImage": "canary!", "mimeType": "image/canary" }, { "uploadId": "canary-upload" }]);
    anna.send("job-1", body, None).await;
    portal.request(Method::PATCH, "/api/pro/job?canary").await;

    let secrets = [
        "canary".to_owned(),
        "1can0000004711".to_owned(),
        password("canary-name"),
        portal.link_token("canary-name").to_lowercase(),
        anna.token().to_lowercase(),
        anna.token().split('.').next_back().unwrap().to_lowercase(),
        anna.refresh_token().as_str().unwrap().to_lowercase(),
    ];
    for line in log() {
        let lower = line.to_lowercase();
        for secret in &secrets {
            assert!(!lower.contains(secret.as_str()), "{secret} in {line}");
        }
    }
}
