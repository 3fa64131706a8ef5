//! What a person's data takes at the desk: disclosure and erasure.

use domain::erasure::ErasureGround;
use domain::staff::Role;
use jiff::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::AskedErasure;
use testing::account_id;

use crate::at_desk::send;
use crate::readings_without_job::visitors_reading;
use crate::world::{Answer, Portal};

async fn ask(portal: &Portal, session: &str, account: &str, confirmation: &str) -> Answer {
    let body = json!({ "confirmation": confirmation, "ground": "OBJECTION" });
    send(portal, session, Method::POST, &format!("/erasures/{account}"), Some(body)).await
}

async fn list(portal: &Portal, session: &str) -> Value {
    let answer = send(portal, session, Method::GET, "/erasures", None).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

/// Holds an account, in the place of the hold since `seen`, if it is not null.
async fn hold(portal: &Portal, session: &str, account: &str, reason: &str, seen: &Value) -> Answer {
    let body = json!({ "reason": reason, "seen": seen });
    send(portal, session, Method::POST, &format!("/holds/{account}"), Some(body)).await
}

/// Ends the account's hold as the list shows it, or any if it shows none.
async fn end(portal: &Portal, session: &str, account: &str) -> Answer {
    let shown = list(portal, session).await;
    let shown = shown["holds"].as_array().unwrap().iter().find(|hold| hold["account"] == account);
    let since = shown.map_or("2026-11-02T08:00:00Z", |hold| hold["since"].as_str().unwrap());
    send(portal, session, Method::DELETE, &format!("/holds/{account}?since={since}"), None).await
}

#[tokio::test]
async fn a_person_gets_all_that_is_stored_and_no_proof_of_a_login() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    anna.send_with_photo("job-1").await;
    let below = anna.share("Hausmeister", &["job-1"]).await;
    let doors = [portal.registration("anna").await, portal.registration(below["id"].as_str().unwrap()).await];
    let session = portal.member(&[Role::Privacy]).await;
    let answer = send(&portal, &session, Method::GET, "/customers/anna/disclosure", None).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    let kinds: Vec<_> = answer.body["items"].as_array().unwrap().iter().map(|item| item["kind"].as_str().unwrap()).collect();
    assert!(["account", "job", "reading", "registration"].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    let text = answer.body.to_string();
    assert!(text.contains("4000.0") && !text.contains("argon2") && !text.contains("Hash"), "{text}");
    assert!(doors.iter().all(|door| !text.contains(door.as_str())), "whoever has one changes the registration: {text}");
    send(&portal, &session, Method::GET, "/customers/nobody/disclosure", None).await.assert_problem(404, "not-found");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert_eq!(trail.iter().map(|record| record.command.as_str()).collect::<Vec<_>>(), ["desk disclosure"]);
}

#[tokio::test]
async fn who_looks_for_an_erased_customer_in_the_trail_does_not_bring_the_number_back() {
    let portal = Portal::with_account("anna").await;
    portal.add_account("k-10417").await;
    let session = portal.member(&[Role::Privacy]).await;
    let look = async |customer: &str| {
        let found = send(&portal, &session, Method::GET, &format!("/audit?customer={customer}"), None).await;
        assert_eq!(found.status, StatusCode::OK, "{found:?}");
        found.body["entries"].as_array().unwrap().clone()
    };
    look("k-10417").await;
    portal.erase("k-10417").await;
    let found = look("k-10417").await;
    assert_eq!((found.len(), found[0]["account"].is_string(), found[0].get("customer")), (1, true, None), "the number finds who looked");
    for customer in ["k-10471", "anna"] {
        look(customer).await;
    }
    portal.store().hold(portal.tenant_id(), &testing::hold("gone"), None).await.unwrap();
    assert_eq!(end(&portal, &session, "gone").await.status, StatusCode::NO_CONTENT);
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert!(trail.len() == 5 && trail.iter().all(|record| record.account.is_some()), "{trail:?}");
    let named: Vec<_> = trail.iter().filter_map(|record| record.customer.as_ref()).collect();
    assert_eq!(named, [&account_id("anna")], "of who is gone, and of a number that was mistyped, there is a fingerprint only");
}

#[tokio::test]
async fn an_erasure_is_asked_for_by_the_accounts_id_and_begins_by_itself() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Privacy]).await;
    ask(&portal, &session, "anna", "Anna").await.assert_problem(422, "request-invalid");
    ask(&portal, &session, "nobody", "nobody").await.assert_problem(404, "not-found");
    assert_eq!(list(&portal, &session).await["open"], json!([]));
    for _ in 0..2 {
        let asked = ask(&portal, &session, "anna", " anna ").await;
        assert_eq!((asked.status, &asked.body["state"]), (StatusCode::ACCEPTED, &json!("UNDER_WAY")), "{asked:?}");
    }
    let open = list(&portal, &session).await["open"].clone();
    assert_eq!(open.as_array().unwrap().len(), 1);
    assert_eq!((&open[0]["account"], &open[0]["ground"], &open[0]["isMine"]), (&json!("anna"), &json!("OBJECTION"), &json!(true)));
    // What has begun is not taken back, and nobody need confirm it.
    send(&portal, &session, Method::DELETE, "/erasures/anna", None).await.assert_problem(409, "conflict");
    let confirmed = send(&portal, &session, Method::POST, "/erasures/anna/confirmation", None).await;
    assert_eq!(confirmed.status, StatusCode::NO_CONTENT);
    send(&portal, &session, Method::POST, "/erasures/nobody/confirmation", None).await.assert_problem(404, "not-found");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert!(trail.iter().all(|record| record.command == "desk erasure"), "nobody agreed to anything: {trail:?}");
}

#[tokio::test]
async fn a_visitor_has_no_account_and_is_held_and_erased_all_the_same() {
    let portal = Portal::with_account("anna").await;
    let token = portal.visitor().await;
    let sent = portal.send(Method::POST, "/api/unknown-readings/results", Some(&token), Some(&visitors_reading()), None).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
    let visitor = portal.readings_without_job().await[0].login_account_id.to_string();
    let session = portal.member(&[Role::Privacy]).await;
    assert_eq!(hold(&portal, &session, &visitor, "Streit", &Value::Null).await.status, StatusCode::NO_CONTENT);
    ask(&portal, &session, &visitor, &visitor).await.assert_problem(409, "legal-hold");
    assert_eq!(end(&portal, &session, &visitor).await.status, StatusCode::NO_CONTENT);
    assert_eq!(ask(&portal, &session, &visitor, &visitor).await.status, StatusCode::ACCEPTED);
    portal.erase(&visitor).await;
    assert_eq!(portal.readings_without_job().await, []);
    ask(&portal, &session, "visitor~nobody", "visitor~nobody").await.assert_problem(404, "not-found");
}

#[tokio::test]
async fn where_two_are_needed_the_second_is_another() {
    let portal = Portal::with_account("anna").await;
    portal.configure(json!({ "desk": { "erasure": { "needsSecondMember": true } } })).await;
    let (first, second) = (portal.member(&[Role::Privacy]).await, portal.member(&[Role::Privacy]).await);
    let asked = ask(&portal, &first, "anna", "anna").await;
    assert_eq!(asked.body["state"], "AWAITS_SECOND", "{asked:?}");
    send(&portal, &first, Method::POST, "/erasures/anna/confirmation", None).await.assert_problem(409, "second-member-needed");
    assert_eq!(send(&portal, &second, Method::DELETE, "/erasures/anna", None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(list(&portal, &first).await["open"], json!([]));

    ask(&portal, &first, "anna", "anna").await;
    portal.store().hold(portal.tenant_id(), &testing::hold("anna"), None).await.unwrap();
    let held = list(&portal, &second).await["open"][0].clone();
    assert_eq!((&held["state"], &held["awaitsSecond"]), (&json!("HELD"), &json!(true)), "it can be withdrawn all the same");
    testing::end_hold(portal.store(), portal.tenant_id(), &account_id("anna")).await;
    assert_eq!(ask(&portal, &second, "anna", "anna").await.body["isMine"], false, "asking a second time is no confirmation");
    assert_eq!(send(&portal, &second, Method::POST, "/erasures/anna/confirmation", None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(list(&portal, &second).await["open"][0]["state"], "UNDER_WAY");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let agreed = trail.iter().filter(|record| record.command == "desk erasure confirmed").count();
    assert_eq!((agreed, trail.len()), (1, 5), "asked three times, taken back, agreed to: {trail:?}");
}

#[tokio::test]
async fn a_legal_hold_keeps_everything() {
    let portal = Portal::with_account("anna").await;
    let held = json!({ "retention": { "legalHold": true }, "desk": { "erasure": { "needsSecondMember": true } } });
    portal.configure(held).await;
    let (member, session) = portal.member_since(&[Role::Privacy], Timestamp::now()).await;
    let asked = AskedErasure { member, by: "Frau Sommer".into(), ground: ErasureGround::Objection };
    portal.store().ask_for_erasure(portal.tenant_id(), &account_id("anna"), asked, true, Timestamp::now()).await.unwrap();
    ask(&portal, &session, "anna", "anna").await.assert_problem(409, "legal-hold");
    let second = portal.member(&[Role::Privacy]).await;
    send(&portal, &second, Method::POST, "/erasures/anna/confirmation", None).await.assert_problem(409, "legal-hold");
    assert_eq!(list(&portal, &session).await["isHeld"], true);
}

#[tokio::test]
async fn a_person_whose_data_somebody_needs_is_not_erased() {
    let portal = Portal::with_job("anna", "job-1").await;
    let session = portal.member(&[Role::Privacy]).await;
    let share = portal.login("anna").await.share("Bert", &["job-1"]).await["id"].as_str().unwrap().to_owned();
    for (reason, account, status) in
        [(" ", "anna", 422), (&*"x".repeat(1001), "anna", 422), ("Streit", "nobody", 404), ("Streit", "anna", 204)]
    {
        let held = hold(&portal, &session, account, reason, &Value::Null).await;
        assert_eq!(held.status.as_u16(), status, "{account} {held:?}");
    }
    let holds = list(&portal, &session).await["holds"].clone();
    assert_eq!((&holds[0]["account"], &holds[0]["reason"], holds.as_array().unwrap().len()), (&json!("anna"), &json!("Streit"), 1));
    for account in ["anna", &share] {
        ask(&portal, &session, account, account).await.assert_problem(409, "legal-hold");
    }
    let file = portal.get_with(&format!("/api/desk/tenants/{}/customers/anna/disclosure", portal.tenant()), &session).await.body;
    assert!(file["items"].as_array().unwrap().iter().any(|item| item["kind"] == "hold"), "{file}");
    let pdf = portal.get_with(&format!("/api/desk/tenants/{}/customers/anna/disclosure?format=pdf", portal.tenant()), &session).await;
    assert_eq!((pdf.header("content-type"), pdf.bytes.starts_with(b"%PDF")), (Some("application/pdf"), true));
    // Who has it read aloud hears headings and paragraphs.
    let has = |name: &[u8]| pdf.bytes.windows(name.len()).any(|bytes| bytes == name);
    assert!(has(b"/StructTreeRoot") && has(b"/MarkInfo"), "the file has no tags");
    let other = portal.get_with(&format!("/api/desk/tenants/{}/customers/anna/disclosure?format=doc", portal.tenant()), &session).await;
    other.assert_problem(400, "malformed-request");
    // Of somebody who is gone a hold can be ended, too; one that never was there is none.
    portal.store().hold(portal.tenant_id(), &testing::hold("gone"), None).await.unwrap();
    for status in [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND] {
        assert_eq!(end(&portal, &session, "gone").await.status, status);
    }
    portal.store().request_erasure(portal.tenant_id(), &account_id("anna"), Timestamp::now()).await.unwrap();
    assert_eq!(list(&portal, &session).await["open"][0]["state"], "HELD");
    for _ in 0..2 {
        assert_eq!(end(&portal, &session, "anna").await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(ask(&portal, &session, "anna", "anna").await.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn nobody_replaces_or_ends_a_hold_that_they_did_not_see() {
    let portal = Portal::with_account("anna").await;
    let (first, second) = (portal.member(&[Role::Privacy]).await, portal.member(&[Role::Privacy]).await);
    let shown = async || list(&portal, &second).await["holds"][0].clone();
    for _ in 0..2 {
        let held = hold(&portal, &first, "anna", "Klage 12/26", &Value::Null).await;
        assert_eq!(held.status, StatusCode::NO_CONTENT, "also where its answer was lost: {held:?}");
    }
    hold(&portal, &second, "anna", "Schlichtung", &Value::Null).await.assert_problem(409, "conflict");
    let seen = shown().await;
    assert_eq!(seen["reason"], "Klage 12/26");
    assert_eq!(hold(&portal, &first, "anna", "Klage 12/26, Berufung", &seen["since"]).await.status, StatusCode::NO_CONTENT);

    // What was shown in the morning is not what holds at noon.
    hold(&portal, &second, "anna", "Schlichtung", &seen["since"]).await.assert_problem(409, "conflict");
    let stale = format!("/holds/anna?since={}", seen["since"].as_str().unwrap());
    for path in [&*stale, "/holds/anna"] {
        send(&portal, &second, Method::DELETE, path, None).await.assert_problem(409, "conflict");
    }
    assert_eq!(shown().await["reason"], "Klage 12/26, Berufung");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert_eq!(trail.iter().map(|record| record.command.as_str()).collect::<Vec<_>>(), ["desk hold"; 2]);
    assert_eq!(end(&portal, &second, "anna").await.status, StatusCode::NO_CONTENT);
    hold(&portal, &second, "anna", "Schlichtung", &seen["since"]).await.assert_problem(409, "conflict");
}
