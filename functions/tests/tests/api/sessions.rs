//! Refresh tokens: rotated at each use, tolerant of a lost answer, closed for ever on reuse.

use futures::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::world::Portal;

async fn refresh(portal: &Portal, token: &Value) -> crate::world::Answer {
    portal.token(json!({ "refreshToken": token })).await
}

#[tokio::test]
async fn each_use_gives_a_successor() {
    let portal = Portal::with_account("anna").await;
    let first = portal.login("anna").await.refresh_token();
    let second = refresh(&portal, &first).await;
    assert_eq!(second.status, StatusCode::OK, "{second:?}");
    assert_ne!(second.body["refreshToken"], first);
    let third = refresh(&portal, &second.body["refreshToken"]).await;
    assert_eq!(third.status, StatusCode::OK, "{third:?}");
    let info = portal.get_with("/api/pro/account/info", third.body["token"].as_str().unwrap()).await;
    assert_eq!(info.body["id"], "anna");
}

#[tokio::test]
async fn a_lost_answer_can_be_fetched_again() {
    let portal = Portal::with_account("anna").await;
    let first = portal.login("anna").await.refresh_token();
    let lost = refresh(&portal, &first).await;
    let again = refresh(&portal, &first).await;
    assert_eq!(again.status, StatusCode::OK, "{again:?}");
    assert_eq!(lost.body["refreshToken"], again.body["refreshToken"]);
}

#[tokio::test]
async fn reuse_of_an_older_token_ends_the_session() {
    let portal = Portal::with_account("anna").await;
    let first = portal.login("anna").await.refresh_token();
    let second = refresh(&portal, &first).await.body["refreshToken"].clone();
    let third = refresh(&portal, &second).await.body["refreshToken"].clone();
    refresh(&portal, &first).await.assert_problem(401, "refresh-invalid");
    refresh(&portal, &third).await.assert_problem(401, "refresh-invalid");
}

#[tokio::test]
async fn tabs_that_refresh_at_once_get_the_same_successor() {
    let portal = Portal::with_account("anna").await;
    let first = portal.login("anna").await.refresh_token();
    let answers = join_all((0..8).map(|_| refresh(&portal, &first))).await;
    for answer in &answers {
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.body["refreshToken"], answers[0].body["refreshToken"]);
    }
}

#[tokio::test]
async fn logging_out_ends_the_session_and_never_fails() {
    let portal = Portal::with_account("anna").await;
    let token = portal.login("anna").await.refresh_token();
    for presented in [&token, &token, &json!("nonsense"), &json!("family.secret")] {
        let answer = portal.post("/auth/logout", json!({ "applicationId": portal.tenant(), "refreshToken": presented })).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{answer:?}");
    }
    refresh(&portal, &token).await.assert_problem(401, "refresh-invalid");
}

#[tokio::test]
async fn new_login_data_of_the_utilitys_end_what_was_opened_with_the_old_ones() {
    let portal = Portal::with_account("anna").await;
    let link = || async { portal.token(json!({ "token": portal.link_token("anna") })).await.body["refreshToken"].clone() };
    let (by_name, by_link) = (portal.login("anna").await.refresh_token(), link().await);
    // The same login data once more end nothing.
    portal.add_account("anna").await;
    let by_name = refresh(&portal, &by_name).await.body["refreshToken"].clone();
    assert!(by_name.is_string());

    portal.renew_password("anna", "another-password").await;
    for old in [&by_name, &by_link] {
        refresh(&portal, old).await.assert_problem(401, "refresh-invalid");
    }
    let old = json!({ "username": "anna", "password": crate::world::password("anna") });
    portal.token(old).await.assert_problem(401, "login-failed");
    let by_name = portal.token(json!({ "username": "anna", "password": "another-password" })).await;
    assert_eq!(by_name.status, StatusCode::OK, "{by_name:?}");
    let by_name = refresh(&portal, &by_name.body["refreshToken"]).await.body["refreshToken"].clone();
    let by_link = link().await;

    portal.renew_link("anna", "aCompletelyOtherLink0123456789").await;
    for old in [&by_name, &by_link] {
        refresh(&portal, old).await.assert_problem(401, "refresh-invalid");
    }
    for new in [json!({ "username": "anna", "password": "another-password" }), json!({ "token": "aCompletelyOtherLink0123456789" })] {
        let opened = portal.token(new).await;
        assert_eq!(refresh(&portal, &opened.body["refreshToken"]).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn a_session_belongs_to_its_tenant() {
    let portal = Portal::with_account("anna").await;
    let other = Portal::with_account("anna").await;
    let token = portal.login("anna").await.refresh_token();
    refresh(&other, &token).await.assert_problem(401, "refresh-invalid");
    assert_eq!(refresh(&portal, &token).await.status, StatusCode::OK);
}
