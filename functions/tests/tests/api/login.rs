//! Logging in by letter and by link, and what stops guessing.

use futures::future::join_all;
use jiff::{Timestamp, ToSpan as _};
use reqwest::StatusCode;
use serde_json::json;
use store::JobImported;

use crate::world::{Portal, password, today};

#[tokio::test]
async fn by_letter_whatever_the_case_and_the_blanks() {
    let portal = Portal::with_account("anna-weber").await;
    for (name, pass) in [
        ("anna-weber", password("anna-weber")),
        ("Anna-WEBER", password("anna-weber")),
        (" anna - weber\t", format!(" {} ", password("anna-weber"))),
    ] {
        let answer = portal.token(json!({ "username": name, "password": pass })).await;
        assert_eq!(answer.status, StatusCode::OK, "{name}: {answer:?}");
        assert_eq!(answer.body["username"], "anna-weber");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn by_link() {
    let portal = Portal::with_account("anna").await;
    let answer = portal.token(json!({ "token": portal.link_token("anna") })).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_eq!(answer.body["username"], "anna", "the name of the account, however its owner came in");
    portal.token(json!({ "token": "0123456789012345678901" })).await.assert_problem(401, "link-invalid");
}

#[tokio::test]
async fn an_unknown_name_and_a_wrong_password_get_the_same_answer() {
    let portal = Portal::with_account("anna").await;
    let wrong = portal.token(json!({ "username": "anna", "password": "not-the-one" })).await;
    let unknown = portal.token(json!({ "username": "nobody", "password": "not-the-one" })).await;
    wrong.assert_problem(401, "login-failed");
    assert_eq!(wrong.without_instance(), unknown.without_instance());
}

#[tokio::test]
async fn an_account_whose_time_is_over_cannot_log_in() {
    let portal = Portal::with_account("anna").await;
    portal.add_account_until("old-account", Some("2020-12-31")).await;
    let name = json!({ "username": "old-account", "password": password("old-account") });
    portal.token(name).await.assert_problem(401, "login-failed");
    portal.token(json!({ "token": portal.link_token("old-account") })).await.assert_problem(401, "link-invalid");
}

#[tokio::test]
async fn a_link_ends_with_the_last_day_of_its_jobs_and_a_password_goes_on() {
    let portal = Portal::with_account("anna").await;
    let link = async || portal.token(json!({ "token": portal.link_token("anna") })).await;
    let until = |days: i64| json!({ "jobConstraints": { "latestExecution": today() + days.days() } });
    let last_season = Timestamp::now() - (40 * 24).hours();
    portal.list_job("anna", "autumn", until(-1), last_season).await;
    link().await.assert_problem(401, "link-invalid");
    let letter = json!({ "username": "anna", "password": password("anna") });
    assert_eq!(portal.token(letter).await.status, StatusCode::OK, "the letter's other login data are good for the next season too");

    // The utility puts the last day off to today; bringing it forward again leaves the link as it is.
    assert_eq!(portal.list_job("anna", "autumn", until(0), Timestamp::now()).await, JobImported::Updated);
    assert_eq!(link().await.status, StatusCode::OK);
    portal.list_job("anna", "autumn", until(-1), Timestamp::now()).await;
    assert_eq!(link().await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_next_seasons_jobs_open_an_ended_link_again() {
    let portal = Portal::with_account("anna").await;
    let link = async || portal.token(json!({ "token": portal.link_token("anna") })).await;
    let days_ago = |days: i64| Timestamp::now() - (24 * days).hours();
    portal.list_job("anna", "first", json!({}), days_ago(182)).await;
    link().await.assert_problem(401, "link-invalid");
    portal.list_job("anna", "second", json!({ "meter": { "meterNumber": "EBZ 0620" } }), days_ago(179)).await;
    assert_eq!(link().await.status, StatusCode::OK, "a job without a last day is asked for 180 days");
}

#[tokio::test]
async fn exactly_one_grant() {
    let portal = Portal::with_account("anna").await;
    for body in [
        json!({}),
        json!({ "username": "anna" }),
        json!({ "password": "x" }),
        json!({ "username": "anna", "password": "x", "token": "y" }),
        json!({ "token": "y", "refreshToken": "z" }),
    ] {
        portal.token(body).await.assert_problem(422, "request-invalid");
    }
}

#[tokio::test]
async fn the_application_in_the_body_is_the_one_of_the_host() {
    let portal = Portal::with_account("anna").await;
    let other = Portal::with_account("anna").await;
    let body = json!({ "applicationId": other.tenant(), "username": "anna", "password": password("anna") });
    let answer = portal.post("/auth/token", body).await;
    assert!(answer.status.is_client_error(), "{answer:?}");
}

#[tokio::test]
async fn after_ten_failures_of_a_name_even_the_right_password_waits() {
    let portal = Portal::with_account("anna").await;
    portal.add_account("bert").await;
    let guess = || portal.token_from("198.51.100.1", json!({ "username": "anna", "password": "guess" }));
    for _ in 0..10 {
        guess().await.assert_problem(401, "login-failed");
    }
    let right = portal.token_from("198.51.100.2", json!({ "username": "ANNA", "password": password("anna") })).await;
    right.assert_problem(429, "too-many-attempts");
    let wait: u64 = right.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=900).contains(&wait), "{wait}");
    portal.login("bert").await;
}

#[tokio::test]
async fn guesses_at_once_are_counted_too() {
    let portal = Portal::with_account("anna").await;
    let guess = || portal.token(json!({ "username": "anna", "password": "guess" }));
    let answers = join_all((0..30).map(|_| guess())).await;
    let tried = answers.iter().filter(|answer| answer.status == StatusCode::UNAUTHORIZED).count();
    assert!(tried <= 12, "{tried} passwords could be tried");
    guess().await.assert_problem(429, "too-many-attempts");
}

#[tokio::test]
async fn a_hundred_failures_of_an_address_stop_it_whatever_the_names() {
    let portal = Portal::with_account("anna").await;
    let guess = |n: usize| portal.token_from("198.51.100.77", json!({ "username": format!("name-{n}"), "password": "guess" }));
    for n in (0..100).step_by(10) {
        for answer in join_all((n..n + 10).map(guess)).await {
            answer.assert_problem(401, "login-failed");
        }
    }
    let right = json!({ "username": "anna", "password": password("anna") });
    portal.token_from("198.51.100.77", right.clone()).await.assert_problem(429, "too-many-attempts");
    assert_eq!(portal.token_from("198.51.100.78", right).await.status, StatusCode::OK);
}
