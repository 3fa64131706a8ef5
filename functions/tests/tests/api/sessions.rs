//! Sessions: renewed by refresh tokens that are rotated at each use, tolerant of lost answers and closed for ever on reuse; listed; ended, and every access
//! token with them.

use api::route::{Caller, ROLE_VISITOR_RECEIPT};
use futures::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::calls::rightful;
use crate::world::{Persona, Portal, reading};

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
async fn a_session_is_renewed_so_often_and_then_has_to_wait() {
    let portal = Portal::with_account("anna").await;
    let mut token = portal.login("anna").await.refresh_token();
    for _ in 0..60 {
        token = refresh(&portal, &token).await.body["refreshToken"].clone();
        assert!(token.is_string());
    }
    let refused = refresh(&portal, &token).await;
    refused.assert_problem(429, "too-many-renewals");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((800..=900).contains(&wait), "{wait}");
    assert_eq!(refused.log_line()["writeUnits"], 0.0, "{}", refused.log_line());
    let another = portal.login("anna").await.refresh_token();
    assert_eq!(refresh(&portal, &another).await.status, StatusCode::OK, "each session is counted for itself");
}

/// No route lets a token through that a logout has ended, whenever it looks.
#[tokio::test]
async fn a_logout_ends_the_access_token_everywhere() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "anna-job", json!({})).await;
    let anna = portal.persona("anna");
    let mut calls = Vec::new();
    // Visitors alone have the last one's role.
    let visitors = Caller::Bearer { role: ROLE_VISITOR_RECEIPT };
    let of_accounts = |caller: Caller| matches!(caller, Caller::Bearer { .. }) && caller != visitors;
    for route in api::routes::ROUTES.iter().filter(|route| of_accounts(route.caller)) {
        calls.extend(rightful(&portal, route, &anna).await);
    }
    let (lost, kept) = (portal.login("anna").await, portal.login("anna").await);
    let tag = lost.get("/api/pro/job").await.header("etag").unwrap().to_owned();
    log_out(&portal, &lost).await;
    let before = portal.everything().await.len();
    for call in &calls {
        let refused = call.perform_as(&portal, Some(lost.token())).await;
        assert_eq!((refused.status.as_u16(), &refused.body["code"]), (401, &json!("token-invalid")), "{}: {refused:?}", call.name);
    }
    lost.get_if_none_match("/api/pro/job", &tag).await.assert_problem(401, "token-invalid");
    lost.get_if_none_match("/api/pro/job?slots=1", &tag).await.assert_problem(401, "token-invalid");
    for cursor in [".a", "ab."] {
        lost.get(&format!("/api/pro/job?limit=1&cursor={cursor}")).await.assert_problem(401, "token-invalid");
    }
    assert_eq!(portal.everything().await.len(), before, "and nothing was written");

    assert_eq!(kept.jobs().await, ["anna-job"], "other sessions go on");
    refresh(&portal, &lost.refresh_token()).await.assert_problem(401, "refresh-invalid");
}

async fn log_out(portal: &Portal, who: &Persona<'_>) {
    let answer = portal.post("/auth/logout", json!({ "applicationId": portal.tenant(), "refreshToken": who.refresh_token() })).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{answer:?}");
}

async fn sessions(who: &Persona<'_>) -> Vec<Value> {
    let answer = who.get("/api/pro/session").await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body["sessions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn who_is_logged_in_where_is_listed_and_ended() {
    let portal = Portal::with_job("anna", "job-1").await;
    let (phone, computer) = (portal.login("anna").await, portal.login("anna").await);
    let listed = sessions(&computer).await;
    assert_eq!(listed.len(), 2);
    let is_current = |session: &&Value| session["isCurrent"] == true;
    let own = listed.iter().find(is_current).unwrap();
    assert_eq!((&own["device"], &own["login"]), (&json!("other"), &json!("credentials")));
    assert_eq!(own["since"], own["lastUsed"]);
    let other = listed.iter().find(|session| !is_current(session)).unwrap()["id"].as_str().unwrap().to_owned();

    let ended = computer.delete(&format!("/api/pro/session/{other}"), None).await;
    assert_eq!(ended.status, StatusCode::NO_CONTENT, "{ended:?}");
    phone.get("/api/pro/account/info").await.assert_problem(401, "token-invalid");
    refresh(&portal, &phone.refresh_token()).await.assert_problem(401, "refresh-invalid");
    let listed = sessions(&computer).await;
    assert_eq!((listed.len(), &listed[0]["isCurrent"]), (1, &json!(true)));
}

#[tokio::test]
async fn logging_out_everywhere_ends_every_session_and_no_account_below() {
    let portal = Portal::with_job("anna", "job-1").await;
    let (one, two) = (portal.login("anna").await, portal.login("anna").await);
    let created = one.share("Hausmeister", &["job-1"]).await;
    let (below, again) = (portal.login_share(&created).await, portal.open_share(&created).await);
    assert_eq!((sessions(&one).await.len(), sessions(&below).await.len()), (2, 2), "each sees its own login only");

    assert_eq!(two.delete("/api/pro/session", None).await.status, StatusCode::NO_CONTENT);
    for who in [&one, &two] {
        who.get("/api/pro/job").await.assert_problem(401, "token-invalid");
        who.send("job-1", reading("5000.0"), None).await.assert_problem(401, "token-invalid");
        refresh(&portal, &who.refresh_token()).await.assert_problem(401, "refresh-invalid");
    }
    assert_eq!(below.jobs().await, ["job-1"], "what was shared goes on");

    assert_eq!(below.delete("/api/pro/session", None).await.status, StatusCode::NO_CONTENT);
    for who in [&below, &again] {
        who.get("/api/pro/job").await.assert_problem(401, "token-invalid");
        refresh(&portal, &who.refresh_token()).await.assert_problem(401, "refresh-invalid");
    }
    for who in [portal.login("anna").await, portal.login_share(&created).await] {
        assert_eq!((who.jobs().await, sessions(&who).await.len()), (vec!["job-1".to_owned()], 1), "the login data stay good");
    }
}

#[tokio::test]
async fn of_a_device_its_kind_is_kept_and_no_more() {
    let portal = Portal::with_account("anna").await;
    let agent = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36";
    let phone = portal.login_on(agent, "anna").await;
    assert_eq!(sessions(&phone).await[0]["device"], "androidPhone");
    assert!(!portal.everything().await.contains("Mozilla"));
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

    let token = portal.login("anna").await.token().to_owned();
    portal.renew_password("anna", "another-password").await;
    portal.get_with("/api/pro/account/info", &token).await.assert_problem(401, "token-invalid");
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
