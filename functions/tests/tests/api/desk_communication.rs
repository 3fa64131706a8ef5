//! Digital communication for somebody who asks staff by phone.

use domain::staff::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{Account, NewAccount};
use testing::account_id;

use crate::calls::new_address;
use crate::world::{Answer, Portal, after, mails_to};

async fn switch(portal: &Portal, session: &str, account: &str, body: Option<Value>, key: Option<&str>) -> Answer {
    let path = format!("/api/desk/tenants/{}/customers/{account}/communication", portal.tenant());
    let method = if body.is_some() { Method::POST } else { Method::DELETE };
    portal.send(method, &path, Some(session), body.as_ref(), key).await
}

async fn switch_on(portal: &Portal, session: &str, account: &str, address: &str, key: Option<&str>) -> Answer {
    switch(portal, session, account, Some(json!({ "email": address, "privacyAccepted": true })), key).await
}

/// The confirmed address, the one that waits, and whether there are to be no reminders.
async fn shown(portal: &Portal, session: &str, account: &str) -> (Option<String>, Option<String>, bool) {
    let customer = portal.get_with(&format!("/api/desk/tenants/{}/customers/{account}", portal.tenant()), session).await.body;
    let text = |field: &str| customer[field].as_str().map(str::to_owned);
    (text("registeredEmail"), text("pendingEmail"), customer["noReminders"].as_bool().unwrap())
}

async fn confirm(portal: &Portal, address: &str) {
    let mails = mails_to(address).await;
    let link = format!("/api/public/communication/confirmation/{}", after(&mails[0], "/registrierung/bestaetigen/"));
    assert_eq!(portal.request(Method::POST, &link).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn an_address_named_by_phone_counts_once_its_owner_has_confirmed_it() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Support]).await;
    let (first, second) = (new_address(), new_address());
    assert_eq!(switch_on(&portal, &session, "anna", &first, None).await.status, StatusCode::ACCEPTED);
    assert_eq!(shown(&portal, &session, "anna").await, (None, Some(first.clone()), false));
    confirm(&portal, &first).await;
    assert_eq!(shown(&portal, &session, "anna").await, (Some(first.clone()), None, false));

    // It is on already: the earlier address goes on until the other one is confirmed, and is told then.
    for _ in 0..2 {
        assert_eq!(switch_on(&portal, &session, "anna", &second, Some("once")).await.status, StatusCode::ACCEPTED);
    }
    assert_eq!(mails_to(&second).await.len(), 1);
    assert_eq!(shown(&portal, &session, "anna").await, (Some(first.clone()), Some(second.clone()), false));
    confirm(&portal, &second).await;
    assert_eq!(shown(&portal, &session, "anna").await, (Some(second.clone()), None, false));
    assert_eq!(mails_to(&first).await.len(), 2);

    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let switched = trail.iter().filter(|record| record.command == "desk communication").collect::<Vec<_>>();
    assert_eq!(switched.len(), 3);
    assert!(switched.iter().all(|record| !format!("{record:?}").contains(&second)));
}

/// A thief who has a found letter registers an address of their own.
#[tokio::test]
async fn the_address_of_the_file_is_told_that_another_takes_its_place() {
    let portal = Portal::with_account("anna").await;
    let (of_file, registered) = (new_address(), new_address());
    let stored = portal.store().account(portal.tenant_id(), &account_id("anna")).await.unwrap().unwrap();
    let account = Account { email: Some(of_file.parse().unwrap()), ..stored };
    let new = NewAccount { account, password_hash: None, link: None, end_shares: false };
    portal.store().put_account(portal.tenant_id(), &new).await.unwrap();
    let token = portal.login("anna").await.confirmation_token(&registered).await;
    for _ in 0..2 {
        let link = format!("/api/public/communication/confirmation/{token}");
        assert_eq!(portal.request(Method::POST, &link).await.status, StatusCode::NO_CONTENT);
    }
    let told = mails_to(&of_file).await;
    assert_eq!(told.len(), 1, "{told:?}");
}

#[tokio::test]
async fn switched_off_by_phone_is_off_until_an_address_is_confirmed_again() {
    let portal = Portal::with_account("anna").await;
    portal.add_account("bert").await;
    let session = portal.member(&[Role::Support]).await;
    let (confirmed, waits) = (new_address(), new_address());
    portal.login("anna").await.register(&confirmed).await;
    assert_eq!(switch_on(&portal, &session, "anna", &waits, None).await.status, StatusCode::ACCEPTED);
    for account in ["anna", "anna", "bert"] {
        assert_eq!(switch(&portal, &session, account, None, None).await.status, StatusCode::NO_CONTENT, "{account}");
        assert_eq!(shown(&portal, &session, account).await, (None, None, true), "{account}");
    }
    let link = format!("/api/public/communication/confirmation/{}", after(&mails_to(&waits).await[0], "/registrierung/bestaetigen/"));
    portal.request(Method::POST, &link).await;
    assert_eq!(shown(&portal, &session, "anna").await, (None, None, true));
    let again = new_address();
    switch_on(&portal, &session, "anna", &again, None).await;
    confirm(&portal, &again).await;
    assert_eq!(shown(&portal, &session, "anna").await, (Some(again), None, false));
}

#[tokio::test]
async fn what_is_not_to_be_switched_on_is_refused() {
    let portal = Portal::with_job("anna", "job-1").await;
    let session = portal.member(&[Role::Support]).await;
    for (body, field) in [
        (json!({ "email": "anna@", "privacyAccepted": true }), "email"),
        (json!({ "email": new_address(), "privacyAccepted": false }), "privacyAccepted"),
    ] {
        let refused = switch(&portal, &session, "anna", Some(body), None).await;
        refused.assert_problem(422, "request-invalid");
        assert_eq!(refused.body["fieldErrors"][0]["field"], field);
    }
    let share = portal.login("anna").await.share("Bert", &["job-1"]).await;
    for account in [share["id"].as_str().unwrap(), "nobody"] {
        switch_on(&portal, &session, account, &new_address(), None).await.assert_problem(404, "not-found");
        switch(&portal, &session, account, None, None).await.assert_problem(404, "not-found");
    }
    let named = new_address();
    for key in ["1", "2", "3", "4", "5"] {
        assert_eq!(switch_on(&portal, &session, "anna", &named, Some(key)).await.status, StatusCode::ACCEPTED, "{key}");
    }
    let sixth = switch_on(&portal, &session, "anna", &named, Some("6")).await;
    sixth.assert_problem(429, "too-many-recipients");
    assert!(sixth.header("retry-after").is_some());
}

#[tokio::test]
async fn a_tenant_with_a_crm_of_its_own_has_its_registrations_there() {
    let portal =
        Portal::configured(json!({ "crm": { "adapter": "http", "baseUrl": "http://localhost:9", "credentialsParameter": "key" } })).await;
    portal.add_account("anna").await;
    let session = portal.member(&[Role::Support]).await;
    switch_on(&portal, &session, "anna", &new_address(), None).await.assert_problem(404, "not-found");
    switch(&portal, &session, "anna", None, None).await.assert_problem(404, "not-found");
    let path = format!("/api/desk/tenants/{}/customers/anna", portal.tenant());
    assert_eq!(portal.get_with(&path, &session).await.body["registersHere"], false);
}

/// A mailbox that was closed is open again, or somebody pressed the wrong button: one mail is tried, and no more if that comes back, too.
#[tokio::test]
async fn mails_go_again_to_an_address_that_one_came_back_from() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Support]).await;
    let address = new_address();
    let customer = async || portal.get_with(&format!("/api/desk/tenants/{}/customers/anna", portal.tenant()), &session).await.body;
    let lift = async || {
        let path = format!("/api/desk/tenants/{}/customers/anna/suppression", portal.tenant());
        let lifted = portal.send(Method::DELETE, &path, Some(&session), None, None).await;
        assert_eq!(lifted.status, StatusCode::NO_CONTENT, "{lifted:?}");
    };
    assert_eq!(switch_on(&portal, &session, "anna", &address, None).await.status, StatusCode::ACCEPTED);
    assert_eq!(customer().await["suppressed"], json!([]));
    lift().await;
    portal.suppress(&address).await;
    let suppressed = customer().await["suppressed"].clone();
    assert_eq!((&suppressed[0]["email"], suppressed.as_array().unwrap().len()), (&json!(address), 1));
    assert!(suppressed[0]["since"].is_string());
    switch_on(&portal, &session, "anna", &address, Some("2")).await.assert_problem(422, "recipient-suppressed");
    for _ in 0..2 {
        lift().await;
    }
    assert_eq!(customer().await["suppressed"], json!([]));
    assert_eq!(switch_on(&portal, &session, "anna", &address, Some("3")).await.status, StatusCode::ACCEPTED);
    assert_eq!(mails_to(&address).await.len(), 2);
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert_eq!(trail.iter().filter(|record| record.command == "desk suppression lifted").count(), 1);
}
