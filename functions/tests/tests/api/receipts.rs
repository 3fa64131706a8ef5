//! Receipts of readings, by the product's own mails and by a tenant's CRM.

use std::collections::HashSet;
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use domain::staff::Role;
use futures::future::join_all;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use jiff::{Timestamp, ToSpan as _};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::calls::new_address;
use crate::desk_work::Desk;
use crate::readings_without_job::visitors_reading;
use crate::world::{Answer, Persona, Portal, double_tariff, mails_to, put_parameter, reading, today};

const RECEIPTS: &str = "/api/pro/job/reading-receipts";

async fn receipts(person: &Persona<'_>, key: Option<&str>) -> Answer {
    person.post(RECEIPTS, key).await
}

#[tokio::test]
async fn each_reading_is_receipted_once() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_job("anna", "job-2", double_tariff()).await;
    let anna = portal.persona("anna");
    receipts(&anna, None).await.assert_problem(409, "receipt-blocked");
    assert_eq!(anna.send("job-1", reading("4000.5"), None).await.status, StatusCode::OK);
    // One of two rates: the job is not done.
    let mut partly = reading("1.0");
    partly["confirmed"] = json!(true);
    assert_eq!(anna.send("job-2", partly, None).await.status, StatusCode::OK);
    receipts(&anna, None).await.assert_problem(409, "registration-missing");

    let address = new_address();
    anna.register(&address).await;
    let sent = receipts(&anna, Some("k1")).await;
    assert_eq!((sent.status, &sent.body), (StatusCode::ACCEPTED, &json!({ "jobCount": 1 })), "{sent:?}");
    let mails = mails_to(&address).await;
    assert_eq!((mails.len(), &mails[1]["Subject"]), (2, &json!("Ihre Ablesebestätigung")));
    let text = mails[1]["BodyText"].as_str().unwrap();
    let page = format!("/registrierung/m/{}?ref=zaehlwerk", anna.self_service_token().await);
    for part in ["Stromzähler EBZ job-1", "4000,5 kWh", page.as_str()] {
        assert!(text.contains(part), "{part}: {text}");
    }

    assert_eq!(receipts(&anna, Some("k1")).await.body, sent.body, "the same request has the same answer");
    receipts(&anna, Some("k2")).await.assert_problem(409, "receipt-blocked");
    assert_eq!(anna.send("job-1", reading("4001.0"), None).await.status, StatusCode::OK);
    assert_eq!(receipts(&anna, None).await.body, json!({ "jobCount": 1 }));
    assert_eq!(mails_to(&address).await.len(), 3);
}

#[tokio::test]
async fn a_receipt_has_the_day_of_each_register() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_job("anna", "job-2", double_tariff()).await;
    let anna = portal.persona("anna");
    let days = [today() - 2.days(), today()];
    for (task, value, day) in [("t1", "4000.5", days[0]), ("t2", "1200.5", days[1])] {
        let results = json!([{ "taskId": task, "readingValue": value }]);
        let sent = json!({ "readingDate": day.to_string(), "confirmed": true, "results": results });
        assert_eq!(anna.send("job-2", sent, None).await.status, StatusCode::OK);
    }
    let address = new_address();
    anna.register(&address).await;
    assert_eq!(receipts(&anna, None).await.body, json!({ "jobCount": 1 }));
    let mails = mails_to(&address).await;
    let text = mails[1]["BodyText"].as_str().unwrap();
    let [first, last] = days.map(|day| day.strftime("%d.%m.%Y").to_string());
    for line in [format!("- 1.8.1: 4000,5 kWh, abgelesen am {first}"), format!("- 1.8.2: 1200,5 kWh, abgelesen am {last}")] {
        assert!(text.contains(&line), "{line}: {text}");
    }
}

#[tokio::test]
async fn ten_requests_are_one_receipt() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.persona("anna");
    let address = new_address();
    anna.register(&address).await;
    anna.send("job-1", reading("4000.5"), None).await;
    let answers = join_all((0..10).map(|_| receipts(&anna, Some("k")))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::ACCEPTED), "{answers:?}");
    assert_eq!(mails_to(&address).await.len(), 2, "the confirmation and one receipt");
}

#[tokio::test]
async fn a_caretaker_has_receipts_of_what_was_shared() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_job("anna", "job-2", json!({})).await;
    let anna = portal.persona("anna");
    let caretaker = portal.login_share(&anna.share("Keller", &["job-1"]).await).await;
    let address = new_address();
    caretaker.register(&address).await;
    for job in ["job-1", "job-2"] {
        assert_eq!(anna.send(job, reading("4000.5"), None).await.status, StatusCode::OK);
    }
    assert_eq!(receipts(&caretaker, None).await.body, json!({ "jobCount": 1 }));
    receipts(&anna, None).await.assert_problem(409, "registration-missing");
}

#[tokio::test]
async fn a_receipt_that_did_not_go_out_can_be_asked_for_again() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.persona("anna");
    let (first, second) = (new_address(), new_address());
    anna.register(&first).await;
    anna.send("job-1", reading("4000.5"), None).await;
    portal.suppress(&first).await;
    receipts(&anna, None).await.assert_problem(422, "recipient-suppressed");
    anna.register(&second).await;
    assert_eq!(receipts(&anna, None).await.status, StatusCode::ACCEPTED);
    assert_eq!(mails_to(&second).await.len(), 2);
}

const VISITOR_RECEIPTS: &str = "/api/pro/unknown-readings/receipts";

async fn visitor_receipt(portal: &Portal, token: &str, reading: &Value) -> Answer {
    portal.send(Method::POST, VISITOR_RECEIPTS, Some(token), Some(reading), None).await
}

/// A visitor's reading with an address for its receipt.
fn with_address(address: &str) -> Value {
    let mut reading = visitors_reading();
    reading["email"] = json!(address);
    reading
}

/// Sends a visitor's reading.
async fn visit(portal: &Portal, token: &str, reading: &Value) {
    let sent = portal.send(Method::POST, "/api/unknown-readings/results", Some(token), Some(reading), None).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
}

#[tokio::test]
async fn a_visitor_gets_one_receipt_of_a_reading_and_none_of_others() {
    let portal = Portal::with_account("anna").await;
    let visitor = portal.visitor().await;
    let address = new_address();
    let mut reading = with_address(&address);
    reading["readingValues"][0]["rateName"] = json!("besuchen Sie evil.example");
    reading["meterNumber"] = json!("EVIL.DE/471");
    reading["language"] = json!("en-FORMAL");
    visitor_receipt(&portal, &visitor, &reading).await.assert_problem(404, "not-found");
    visit(&portal, &visitor, &reading).await;
    let other = portal.visitor().await;
    visitor_receipt(&portal, &other, &reading).await.assert_problem(404, "not-found");

    let answers = join_all((0..10).map(|_| visitor_receipt(&portal, &visitor, &reading))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::ACCEPTED), "{answers:?}");
    let mails = mails_to(&address).await;
    assert_eq!((mails.len(), &mails[0]["Subject"]), (1, &json!("Copy of your meter reading")));
    let text = mails[0]["BodyText"].as_str().unwrap();
    for part in ["Gas meter EVIL DE 471", "Verbrauch 3.0.0", "4711.123"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for word in ["evil.example", "EVIL.DE", "Besuch", "Lindenweg"] {
        assert!(!text.contains(word), "a word of the visitor's: {text}");
    }

    reading["email"] = json!(new_address());
    visitor_receipt(&portal, &visitor, &reading).await.assert_problem(409, "receipt-blocked");
    reading["email"] = json!("nobody");
    visitor_receipt(&portal, &visitor, &reading).await.assert_problem(422, "request-invalid");
    reading["email"] = Value::Null;
    visitor_receipt(&portal, &visitor, &reading).await.assert_problem(422, "request-invalid");
}

#[tokio::test]
async fn a_visitor_hears_of_a_refusal_in_the_language_of_the_reading() {
    let portal = Portal::with_account("anna").await;
    let address = new_address();
    let mut reading = with_address(&address);
    reading["language"] = json!("en-FORMAL");
    visit(&portal, &portal.visitor().await, &reading).await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let next = clerk.next(json!({})).await;
    let id = next["reading"].as_str().unwrap();
    let refuse = json!({ "kind": "reject", "version": next["withoutJob"]["version"], "reason": "Not a meter of ours." });
    let refused = clerk.post(&format!("/jobs/{id}/readings/{id}/decision"), refuse).await;
    assert_eq!((refused.status, &refused.body["mailed"]), (StatusCode::OK, &json!(true)), "{refused:?}");
    let mails = mails_to(&address).await;
    assert!(mails[0]["BodyText"].as_str().unwrap().contains("we could not accept this reading"), "{mails:?}");
}

#[tokio::test]
async fn a_visitors_receipt_takes_both_roles_and_the_tenants_leave() {
    let portal = Portal::configured(json!({ "crmSettings": { "unknownUserReceiptAllowed": false } })).await;
    let reading = with_address(&new_address());
    visitor_receipt(&portal, &portal.visitor().await, &reading).await.assert_problem(403, "role-missing");
    visitor_receipt(&portal, &portal.fresh_token("anna"), &reading).await.assert_problem(403, "feature-disabled");
    let portal = Portal::with_account("anna").await;
    let half = portal.token_with_roles("anna", &["ROLE_KSA_SEND_UNKNOWNUSER_READINGRECEIPT"]);
    visitor_receipt(&portal, &half, &reading).await.assert_problem(403, "role-missing");
}

#[tokio::test]
async fn a_receipt_that_fails_leaves_the_reading() {
    let portal = Portal::with_account("anna").await;
    let visitor = portal.visitor().await;
    let address = new_address();
    visit(&portal, &visitor, &with_address(&address)).await;
    portal.suppress(&address).await;
    visitor_receipt(&portal, &visitor, &with_address(&address)).await.assert_problem(422, "recipient-suppressed");
    let other = with_address(&new_address());
    assert_eq!(portal.readings_without_job().await.len(), 1);
    assert_eq!(visitor_receipt(&portal, &visitor, &other).await.status, StatusCode::ACCEPTED, "another address may do");
}

/// Asks for receipts of one meter after the other, until one is refused; how many were not.
async fn receipts_until_refused(portal: &Portal, mut address: impl FnMut() -> String) -> (usize, Answer) {
    for n in 0..50 {
        let visitor = portal.visitor().await;
        let mut reading = with_address(&address());
        reading["meterNumber"] = json!(format!("7GMT{n:010}"));
        visit(portal, &visitor, &reading).await;
        let answer = visitor_receipt(portal, &visitor, &reading).await;
        if answer.status != StatusCode::ACCEPTED {
            return (n, answer);
        }
    }
    panic!("nobody stops it");
}

#[tokio::test]
async fn nobody_has_us_fill_the_mailbox_of_somebody_else() {
    let portal = Portal::with_account("anna").await;
    let address = new_address();
    let (sent, refused) = receipts_until_refused(&portal, || address.clone()).await;
    // When a day begins in between, its mails are new ones.
    assert!((10..=20).contains(&sent), "{sent}");
    refused.assert_problem(429, "too-many-recipients");
    assert!(refused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok()).is_some_and(|wait| (1..=86_400).contains(&wait)));
    assert_eq!(mails_to(&address).await.len(), sent);
}

#[tokio::test]
async fn visitors_leave_mails_of_the_day_to_those_with_an_account() {
    let portal = Portal::configured(json!({ "communicationSettings": { "tenantRecipientsPerDay": 10 } })).await;
    portal.add_account("anna").await;
    let (sent, refused) = receipts_until_refused(&portal, new_address).await;
    assert!((2..=4).contains(&sent), "{sent}");
    refused.assert_problem(429, "too-many-recipients");
    portal.persona("anna").register(&new_address()).await;
}

#[tokio::test]
async fn mails_of_a_tenants_own_system_are_counted_too() {
    let crm = Crm::start(json!({}), 202).await;
    let portal = crm.portal().await;
    let (sent, refused) = receipts_until_refused(&portal, || "victim@example.net".into()).await;
    assert!((10..=20).contains(&sent), "{sent}");
    refused.assert_problem(429, "too-many-recipients");
    assert_eq!(crm.asked.lock().unwrap().len(), sent);
}

/// A tenant's CRM: notes what it is asked, and answers so. Who asks under the same key again, because the answer was late, asks once.
struct Crm {
    url: String,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Crm {
    async fn start(registration: Value, receipts: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://localhost:{}", listener.local_addr().unwrap().port());
        let asked = Arc::<Mutex<Vec<(String, Value)>>>::default();
        let (notes, keys) = (asked.clone(), Arc::<Mutex<HashSet<Vec<u8>>>>::default());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (notes, keys, registration) = (notes.clone(), keys.clone(), registration.clone());
                let service = service_fn(move |request: Request<Incoming>| {
                    let (notes, keys, registration) = (notes.clone(), keys.clone(), registration.clone());
                    async move {
                        assert_eq!(request.headers()["authorization"], "Bearer the-key");
                        let (path, is_get) = (request.uri().path().to_owned(), request.method() == "GET");
                        let is_new =
                            request.headers().get("idempotency-key").is_none_or(|key| keys.lock().unwrap().insert(key.as_bytes().to_vec()));
                        let body = request.into_body().collect().await.unwrap().to_bytes();
                        if is_new {
                            notes.lock().unwrap().push((path, serde_json::from_slice(&body).unwrap_or_default()));
                        }
                        let status = if is_get { 200 } else { receipts };
                        let answer = Response::builder().status(status).body(Full::<Bytes>::from(registration.to_string()));
                        Ok::<_, Infallible>(answer.unwrap())
                    }
                });
                tokio::spawn(async move { drop(http1::Builder::new().serve_connection(TokioIo::new(stream), service).await) });
            }
        });
        Self { url, asked }
    }

    async fn portal(&self) -> Portal {
        self.portal_with(false).await
    }

    async fn portal_with(&self, rehearsal: bool) -> Portal {
        let portal = Portal::configured(json!({
            "rehearsal": rehearsal,
            "crm": { "adapter": "http", "baseUrl": self.url, "credentialsParameter": "key" },
            "crmSettings": { "registrationUrl": "https://crm.example.org/start" },
        }))
        .await;
        put_parameter(&format!("/zaehlwerk/local/crm/{}/key", portal.tenant()), "the-key").await;
        portal.add_account("anna").await;
        portal.add_job("anna", "job-1", json!({})).await;
        portal
    }
}

#[tokio::test]
async fn a_tenants_own_crm_is_asked() {
    let crm =
        Crm::start(json!({ "registered": true, "currentConfirmedCommunicationTypes": ["EMAIL"], "selfServiceToken": "abc" }), 202).await;
    let portal = crm.portal().await;
    let anna = portal.persona("anna");
    let info = anna.get("/api/pro/account/crm-registration-info").await.body;
    let expected = json!({
        "registered": true, "currentConfirmedCommunicationTypes": ["EMAIL"], "selfServiceToken": "abc",
        "registrationUrl": "https://crm.example.org/start",
    });
    assert_eq!(info, expected);
    anna.send("job-1", reading("4000.5"), None).await;
    assert_eq!(receipts(&anna, None).await.body, json!({ "jobCount": 1 }));
    let (path, body) = crm.asked.lock().unwrap().last().unwrap().clone();
    assert_eq!(path, "/accounts/anna/reading-receipts");
    assert_eq!((&body["readings"][0]["jobId"], &body["readings"][0]["rates"][0]["readingValue"]), (&json!("job-1"), &json!("4000.5")));
    receipts(&anna, None).await.assert_problem(409, "receipt-blocked");
    let (visitor, reading) = (portal.visitor().await, with_address("visitor@example.net"));
    visit(&portal, &visitor, &reading).await;
    assert_eq!(visitor_receipt(&portal, &visitor, &reading).await.status, StatusCode::ACCEPTED);
    let (path, body) = crm.asked.lock().unwrap().last().unwrap().clone();
    assert_eq!(path, "/unknown-reading-receipts");
    assert_eq!((&body["email"], &body["reading"]["rates"][0]["readingValue"]), (&json!("visitor@example.net"), &json!("4711.123")));
    // The registration's pages are the CRM's own.
    portal.get("/api/public/communication/abc").await.assert_problem(404, "not-found");
    portal.post("/api/public/communication/confirmation/abc", json!({})).await.assert_problem(404, "not-found");
}

/// Who is logged in may be a member of the staff that tries out what a customer sees.
#[tokio::test]
async fn a_tenants_own_crm_writes_to_members_only_in_rehearsal() {
    let crm = Crm::start(json!({ "registered": true, "currentConfirmedCommunicationTypes": ["EMAIL"] }), 202).await;
    let portal = crm.portal_with(true).await;
    let anna = portal.persona("anna");
    anna.send("job-1", reading("4000.5"), None).await;
    receipts(&anna, None).await.assert_problem(422, "mail-refused");
    testing::join(portal.store(), portal.tenant_id(), "rehearsing", &[Role::Lead], Timestamp::now()).await;
    for (address, is_members) in [("visitor@example.net", false), ("rehearsing@staff.example", true)] {
        let (visitor, reading) = (portal.visitor().await, with_address(address));
        visit(&portal, &visitor, &reading).await;
        let answer = visitor_receipt(&portal, &visitor, &reading).await;
        assert_eq!(answer.status == StatusCode::ACCEPTED, is_members, "{answer:?}");
    }
    let asked = crm.asked.lock().unwrap().clone();
    let sent: Vec<_> =
        asked.iter().filter(|(path, _)| path.ends_with("receipts")).map(|(path, body)| (path.as_str(), &body["email"])).collect();
    assert_eq!(sent, [("/unknown-reading-receipts", &json!("rehearsing@staff.example"))]);
}

/// Both see the same job.
#[tokio::test]
async fn each_account_has_its_own_receipt_from_a_tenants_crm() {
    let crm = Crm::start(json!({ "registered": true, "currentConfirmedCommunicationTypes": ["EMAIL"] }), 202).await;
    let portal = crm.portal().await;
    let anna = portal.persona("anna");
    let created = anna.share("Keller", &["job-1"]).await;
    let caretaker = portal.login_share(&created).await;
    anna.send("job-1", reading("4000.5"), None).await;
    for who in [&anna, &caretaker] {
        assert_eq!(receipts(who, None).await.body, json!({ "jobCount": 1 }));
    }
    let asked = crm.asked.lock().unwrap().clone();
    let sent: Vec<_> = asked.iter().filter(|(path, _)| path.ends_with("receipts")).map(|(path, _)| path.as_str()).collect();
    let of_caretaker = format!("/accounts/{}/reading-receipts", created["id"].as_str().unwrap());
    assert_eq!(sent, ["/accounts/anna/reading-receipts", &of_caretaker]);
}

#[tokio::test]
async fn what_a_tenants_crm_does_wrong_is_told() {
    let not_registered = Crm::start(json!({ "registered": false }), 202).await;
    let refusing = Crm::start(json!({ "currentConfirmedCommunicationTypes": ["EMAIL"] }), 422).await;
    let broken = Crm::start(json!({ "currentConfirmedCommunicationTypes": ["EMAIL"] }), 500).await;
    for (crm, status, code) in
        [(not_registered, 409, "registration-missing"), (refusing, 422, "mail-refused"), (broken, 503, "crm-unavailable")]
    {
        let portal = crm.portal().await;
        let anna = portal.persona("anna");
        anna.send("job-1", reading("4000.5"), None).await;
        let told = receipts(&anna, None).await;
        told.assert_problem(status, code);
        assert_eq!(told.header("retry-after").is_some(), status == 503, "{told:?}");
    }
    let silent = Portal::configured(json!({
        "crm": { "adapter": "http", "baseUrl": "http://localhost:9", "credentialsParameter": "no-such-key" },
    }))
    .await;
    silent.add_account("anna").await;
    silent.persona("anna").get("/api/pro/account/crm-registration-info").await.assert_problem(503, "crm-unavailable");
}
