//! What staff do for a customer who asks.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use domain::staff::Role;
use jiff::{Timestamp, ToSpan as _};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::Audit;
use testing::account_id;

use crate::calls::new_address;
use crate::desk_work::Desk;
use crate::read_by::read_by;
use crate::readings_without_job::own_reading;
use crate::world::{Answer, Portal, log, password};

/// A job whose customer the post reaches.
pub fn mailed() -> Value {
    let address = json!({ "street": "Lindenweg", "houseNumber": "12 a", "zip": "99999", "city": "Birkenfurt" });
    json!({ "customer": { "lastname": "Sommer", "mailingAddress": address } })
}

async fn new_login(portal: &Portal, session: &str, account: &str, end_shares: bool, language: &str) -> Answer {
    let path = format!("/api/desk/tenants/{}/customers/{account}/login", portal.tenant());
    let body = json!({ "endShares": end_shares, "language": language });
    portal.send(Method::POST, &path, Some(session), Some(&body), None).await
}

/// The password that a letter tells.
fn told(letter: &Answer) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    assert_eq!((letter.status, letter.header("content-type")), (StatusCode::OK, Some("application/pdf")), "{letter:?}");
    let name = format!("letter-{}-{}.pdf", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let file = std::env::temp_dir().join(name);
    fs::write(&file, &letter.bytes).unwrap();
    let pages = read_by("letters.py", &file, &[]);
    fs::remove_file(&file).unwrap();
    let [page] = pages.as_array().unwrap().as_slice() else { panic!("one page: {pages}") };
    let text = page["text"].as_str().unwrap();
    assert!(text.contains("Lindenweg 12 a") && text.contains("99999 Birkenfurt"), "{text}");
    let mut words = text.split_whitespace().skip_while(|word| *word != "Passwort");
    words.nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn new_login_data_are_in_the_letter_alone_and_end_the_old_ones() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", mailed()).await;
    let (before, session) = (portal.login("anna").await, portal.member(&[Role::Support]).await);
    // Whoever had the old ones may have registered an address, to which the next invitation would take a link.
    before.register(&new_address()).await;
    let page = before.self_service_token().await;
    let first = told(&new_login(&portal, &session, "anna", false, "de").await);
    portal.token(json!({ "username": "anna", "password": password("anna") })).await.assert_problem(401, "login-failed");
    portal.token(json!({ "token": portal.link_token("anna") })).await.assert_problem(401, "link-invalid");
    portal.token(json!({ "refreshToken": before.refresh_token() })).await.assert_problem(401, "refresh-invalid");
    let registration = portal.store().registration(portal.tenant_id(), &account_id("anna")).await.unwrap().unwrap();
    assert_eq!((registration.confirmed, registration.no_reminders), (None, false));
    let another = json!({ "email": new_address(), "privacyAccepted": true });
    portal.post(&format!("/api/public/communication/{page}"), another).await.assert_problem(404, "not-found");
    let with = async |secret: &str| portal.token(json!({ "username": "anna", "password": secret })).await;
    assert_eq!(with(&first).await.status, StatusCode::OK);

    // Whoever did not get the answer asks again, and the first letter is worth nothing.
    let second = told(&new_login(&portal, &session, "anna", false, "de").await);
    assert_ne!(first, second);
    with(&first).await.assert_problem(401, "login-failed");
    assert_eq!(with(&second).await.status, StatusCode::OK);

    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert_eq!(trail.iter().map(|record| record.command.as_str()).collect::<Vec<_>>(), ["desk new login"; 2]);
    let (stored, logged) = (portal.everything().await, log().concat());
    assert!([first, second].iter().all(|secret| !stored.contains(secret) && !logged.contains(secret)));
}

#[tokio::test]
async fn letters_that_were_made_for_a_customer_are_on_their_page() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", mailed()).await;
    portal.add_account("bert").await;
    let session = portal.member(&[Role::Support]).await;
    let reprint = |account| Audit { by: "Frau Sommer", command: "letters reprint", account, ..Audit::default() };
    let (anna, bert) = (account_id("anna"), account_id("bert"));
    for (account, hours) in [(Some(&anna), 3), (Some(&bert), 2), (None, 1)] {
        portal.store().keep_audit(portal.tenant_id(), reprint(account), Timestamp::now() - hours.hours()).await.unwrap();
    }
    told(&new_login(&portal, &session, "anna", false, "de").await);
    let letters = async |account: &str| {
        let path = format!("/api/desk/tenants/{}/customers/{account}", portal.tenant());
        let customer = portal.get_with(&path, &session).await.body;
        let letters = customer["letters"].as_array().unwrap().iter();
        letters.map(|letter| (letter["kind"].as_str().unwrap().to_owned(), letter["by"].as_str().unwrap().to_owned())).collect::<Vec<_>>()
    };
    let of_anna = letters("anna").await;
    assert_eq!(of_anna.iter().map(|(kind, _)| kind.as_str()).collect::<Vec<_>>(), ["newLogin", "reprint"]);
    assert_eq!(of_anna[1].1, "Frau Sommer");
    assert_eq!(letters("bert").await, [("reprint".to_owned(), "Frau Sommer".to_owned())]);

    // Another customer who gets the id one day has none of these.
    portal.erase("anna").await;
    portal.add_account("anna").await;
    assert!(letters("anna").await.is_empty());
}

#[tokio::test]
async fn what_was_shared_ends_with_the_old_login_data_only_where_that_is_wanted() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", mailed()).await;
    let share = portal.login("anna").await.share("Bert", &["job-1"]).await;
    let session = portal.member(&[Role::Support]).await;
    told(&new_login(&portal, &session, "anna", false, "de").await);
    portal.open_share(&share).await;
    new_login(&portal, &session, share["id"].as_str().unwrap(), false, "de").await.assert_problem(404, "not-found");
    told(&new_login(&portal, &session, "anna", true, "de").await);
    portal.token(json!({ "token": share["token"] })).await.assert_problem(401, "link-invalid");
    let sub_account = account_id(share["id"].as_str().unwrap());
    assert_eq!(portal.store().account(portal.tenant_id(), &sub_account).await.unwrap(), None);
}

#[tokio::test]
async fn a_letter_that_would_not_arrive_changes_nothing() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Support]).await;
    let refused = async |language: &str, reason: &str| {
        let answer = new_login(&portal, &session, "anna", true, language).await;
        answer.assert_problem(422, "letter-refused");
        assert_eq!(answer.body["detail"], reason);
    };
    refused("de", "Kein Brief: es ist nichts abzulesen: kein offener Auftrag. Geändert wurde nichts.").await;
    portal.add_job("anna", "job-1", json!({ "customer": { "mailingAddress": { "zip": "99999", "city": "Birkenfurt" } } })).await;
    refused("de", "Kein Brief: in der Anschrift fehlt die Straße. Geändert wurde nichts.").await;
    refused("en", "No letter: the address has no street. Nothing has changed.").await;
    let wide = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    portal.add_account("wide").await;
    let address = mailed()["customer"]["mailingAddress"].take();
    portal.add_job("wide", "job-2", json!({ "customer": { "company": wide, "mailingAddress": address } })).await;
    new_login(&portal, &session, "wide", true, "de").await.assert_problem(422, "letter-refused");
    new_login(&portal, &session, "anna", true, "fr").await.assert_problem(422, "request-invalid");
    new_login(&portal, &session, "nobody", true, "de").await.assert_problem(404, "not-found");
    portal.login("anna").await;
    portal.open_share(&json!({ "id": "anna", "token": portal.link_token("anna") })).await;
    assert!(portal.store().audit(portal.tenant_id()).await.unwrap().is_empty());
}

/// More than a page of a customer's jobs may have been closed unread, which nobody sees.
#[tokio::test]
async fn a_customers_only_open_job_is_shown_and_suggested_however_many_were_closed() {
    let portal = Portal::with_account("anna").await;
    for number in 0..26 {
        portal.add_job("anna", &format!("job-{number}"), json!({ "meter": { "meterNumber": format!("1EMH {number}") } })).await;
    }
    let (store, tenant, anna) = (portal.store(), portal.tenant_id(), account_id("anna"));
    for job in store.jobs(tenant, &anna, 25, None).await.unwrap().jobs {
        store.close_job(tenant, &anna, &job.master.id, Timestamp::now()).await.unwrap();
    }
    let desk = Desk::of(&portal, Role::Clerk).await;
    let customer = desk.get("/customers/anna").await;
    assert_eq!((customer["jobs"].as_array().unwrap().len(), &customer["nextCursor"]), (1, &Value::Null));

    let token = portal.persona("anna").token().to_owned();
    let sent = portal.send(Method::POST, "/api/pro/unknown-reading", Some(&token), Some(&own_reading()), None).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
    let next = desk.next(json!({})).await;
    let suggested = &next["suggestions"][0];
    assert_eq!((&suggested["job"], &suggested["because"]), (&customer["jobs"][0]["job"]["id"], &json!(["SENDER"])));
}
