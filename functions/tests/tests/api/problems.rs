//! Every error is a problem document with a code that the operation's description lists.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::world::{Portal, reading};

#[tokio::test]
async fn an_unknown_path_is_not_found() {
    let portal = Portal::with_account("anna").await;
    for path in ["/api/pro/jobs", "/api", "/", "/api/pro/job/job-1", "/auth/token/", "/api/public/application/logo.svg"] {
        portal.get(path).await.assert_problem(404, "not-found");
    }
}

#[tokio::test]
async fn a_wrong_method_names_the_right_ones() {
    let portal = Portal::with_account("anna").await;
    for route in api::routes::ROUTES {
        let path = route.path().replace(['{', '}'], "");
        let answer = portal.request(Method::PATCH, &path).await;
        answer.assert_problem(405, "method-not-allowed");
        let allow = answer.header("allow").unwrap_or_default();
        assert!(allow.split(", ").any(|method| method == route.method().as_str()), "{path}: {allow}");
    }
}

#[tokio::test]
async fn a_host_of_nobody_has_no_portal() {
    let portal = Portal::with_account("anna").await;
    portal.get_at_host("nobody.example", "/api/public/application").await.assert_problem(404, "application-unknown");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let mut body = reading("1234.5");
    body["results"][0]["comment"] = json!("x".repeat(5_600_000));
    anna.send("job-1", body, Some("k")).await.assert_problem(413, "request-too-large");
}

#[tokio::test]
async fn what_is_not_json_is_refused() {
    let portal = Portal::with_account("anna").await;
    portal.post_text("/auth/token", "text/plain", "{}").await.assert_problem(415, "unsupported-media-type");
    portal.post_text("/auth/token", "application/json", "{\"applicationId\":").await.assert_problem(400, "malformed-request");
    portal.post_text("/auth/token", "application/json", "[]").await.assert_problem(422, "request-invalid");
}

#[tokio::test]
async fn a_wrong_field_is_named() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let mut body = reading("1234.5");
    body["results"][0]["readingValue"] = json!("1,5");
    let answer = anna.send("job-1", body, Some("k")).await;
    answer.assert_problem(422, "request-invalid");
    assert_eq!(answer.body["fieldErrors"][0]["field"], "results[0].readingValue", "{answer:?}");
}

#[tokio::test]
async fn a_key_that_is_none_is_refused() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let long = "k".repeat(65);
    for key in ["", "with blank", long.as_str()] {
        anna.send("job-1", reading("1234.5"), Some(key)).await.assert_problem(400, "malformed-request");
    }
}

#[tokio::test]
async fn a_page_size_or_cursor_that_is_none_is_refused() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    for query in ["limit=0", "limit=501", "limit=many", "cursor=nonsense"] {
        let answer = anna.get(&format!("/api/pro/job?{query}")).await;
        assert!(matches!(answer.status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY), "{query}: {answer:?}");
    }
}
