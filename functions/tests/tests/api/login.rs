//! Logging in by letter and by link, and what stops guessing.

use futures::future::{join_all, ready};
use futures::{StreamExt as _, stream};
use jiff::{Timestamp, ToSpan as _};
use reqwest::StatusCode;
use serde_json::json;
use store::JobImported;

use crate::world::{Portal, password, today};

/// So many that a busy machine answers each of them in time.
const GUESSES_AT_ONCE: usize = 8;

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
    assert_eq!(
        portal.list_job("anna", "autumn", until(0), Timestamp::now()).await,
        JobImported::Updated { renumbered: false, dropped: false }
    );
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
async fn strangers_who_guess_at_a_name_do_not_keep_its_owner_out() {
    let portal = Portal::with_account("anna").await;
    let guess = |address: String| {
        let portal = &portal;
        async move { portal.token_from(&address, json!({ "username": "anna", "password": "guess" })).await }
    };
    for n in 0..12 {
        guess(format!("198.51.100.{n}")).await.assert_problem(401, "login-failed");
    }
    let owner = json!({ "username": "ANNA", "password": password("anna") });
    assert_eq!(portal.token_from("203.0.113.7", owner.clone()).await.status, StatusCode::OK, "from a network that nobody guessed from");

    // So many that a network that nobody knows has to wait; whoever logged in lately has not.
    let guesses = stream::iter((0..120).map(|n| guess(format!("198.51.101.{n}")))).buffer_unordered(GUESSES_AT_ONCE);
    let tried = guesses.filter(|answer| ready(answer.status == StatusCode::UNAUTHORIZED)).count().await;
    assert!((40..120).contains(&tried), "{tried} were tried at once");
    let wait: u64 = guess("198.51.102.1".into()).await.header("retry-after").map_or(0, |wait| wait.parse().unwrap());
    assert!(wait <= 300, "{wait}");
    assert_eq!(portal.token_from("203.0.113.7", owner.clone()).await.status, StatusCode::OK);
    assert_eq!(portal.token_from("198.51.102.2", json!({ "token": portal.link_token("anna") })).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_network_that_guessed_at_a_name_waits_even_with_the_right_password() {
    let portal = Portal::with_account("anna").await;
    portal.add_account("bert").await;
    // The quarter of an hour may end in the middle.
    let mut refused = None;
    for n in 0..21 {
        let answer = portal.token_from("198.51.100.1", json!({ "username": "anna", "password": "guess" })).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            assert!(n >= 10, "refused after {n}");
            refused = Some(answer);
            break;
        }
        answer.assert_problem(401, "login-failed");
    }
    let refused = refused.unwrap();
    refused.assert_problem(429, "too-many-attempts");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=900).contains(&wait), "{wait}");
    assert_eq!(refused.log_line()["writeUnits"], 0.0, "{}", refused.log_line());
    let right = portal.token_from("198.51.100.1", json!({ "username": "ANNA", "password": password("anna") })).await;
    right.assert_problem(429, "too-many-attempts");
    let other = portal.token_from("198.51.100.1", json!({ "username": "bert", "password": password("bert") })).await;
    assert_eq!(other.status, StatusCode::OK);
}

#[tokio::test]
async fn guesses_at_once_are_counted_too() {
    let portal = Portal::with_account("anna").await;
    let guess = || portal.token(json!({ "username": "anna", "password": "guess" }));
    let answers = join_all((0..30).map(|_| guess())).await;
    let tried = answers.iter().filter(|answer| answer.status == StatusCode::UNAUTHORIZED).count();
    assert!(tried <= 20, "{tried} passwords could be tried");
}

/// A house with last year's letters, or a stranger behind the same address: whoever has a link that opens something gets in.
#[tokio::test]
async fn wrong_links_keep_nobody_out() {
    let portal = Portal::with_account("anna").await;
    let wrong = |n: usize| portal.token_from("198.51.100.77", json!({ "token": format!("{n:022}") }));
    for n in (0..110).step_by(10) {
        for answer in join_all((n..n + 10).map(wrong)).await {
            answer.assert_problem(401, "link-invalid");
        }
    }
    for right in [json!({ "token": portal.link_token("anna") }), json!({ "username": "anna", "password": password("anna") })] {
        assert_eq!(portal.token_from("198.51.100.77", right).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn about_a_hundred_failures_of_a_network_stop_it_whatever_the_names() {
    let portal = Portal::with_account("anna").await;
    let guess = |n: usize| portal.token_from("198.51.100.77", json!({ "username": format!("name-{n}"), "password": "guess" }));
    let mut tried = 0;
    for n in (0..300).step_by(20) {
        tried += join_all((n..n + 20).map(guess)).await.iter().filter(|answer| answer.status == StatusCode::UNAUTHORIZED).count();
    }
    assert!(
        (100..=240).contains(&tried),
        "{tried}: those at once are counted when they have failed, and the quarter may end in the middle"
    );
    let right = json!({ "username": "anna", "password": password("anna") });
    portal.token_from("198.51.100.77", right.clone()).await.assert_problem(429, "too-many-attempts");
    assert_eq!(portal.token_from("198.51.100.78", right).await.status, StatusCode::OK);
}

/// Before anything is folded or hashed.
#[tokio::test]
async fn what_is_longer_than_any_login_is_refused_at_once() {
    let portal = Portal::with_account("anna").await;
    let long = "a".repeat(257);
    for (field, grant) in [
        ("username", json!({ "username": long, "password": "x" })),
        ("password", json!({ "username": "anna", "password": long })),
        ("token", json!({ "token": long })),
        ("refreshToken", json!({ "refreshToken": long })),
    ] {
        let answer = portal.token(grant).await;
        answer.assert_problem(422, "request-invalid");
        assert_eq!(answer.body["fieldErrors"][0]["field"], field, "{answer:?}");
        assert!(answer.log_line()["roundTrips"].as_u64().unwrap() <= 2, "the tenant's own: {}", answer.log_line());
    }
    let longest = json!({ "username": "a".repeat(256), "password": "ä".repeat(256) });
    portal.token(longest).await.assert_problem(401, "login-failed");
}
