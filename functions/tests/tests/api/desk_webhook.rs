//! What a lead sees of the receiver of readings, and does about what it did not take.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::post;
use domain::staff::Role;
use jiff::{SignedDuration, Timestamp};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::MadeSecret;
use testing::dead_letter;
use testing::receiver::Receiver;
use tokio::net::TcpListener;

use crate::world::{Answer, Portal};

async fn send(portal: &Portal, session: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
    let path = format!("/api/desk/tenants/{}/webhook{path}", portal.tenant());
    portal.send(method, &path, Some(session), body.as_ref(), None).await
}

#[tokio::test]
async fn what_was_not_taken_is_seen_tried_again_and_discarded() {
    let webhook = json!({ "webhook": { "url": "https://erp.example.org/in", "secretParameter": "secret-name" } });
    let portal = Portal::configured(webhook).await;
    let session = portal.member(&[Role::Lead]).await;
    let wait = || dead_letter(portal.store(), portal.tenant_id());
    let [first, second] = [wait().await, wait().await];
    let seen = send(&portal, &session, Method::GET, "", None).await.body;
    assert_eq!((&seen["url"], &seen["waiting"], &seen["deadCount"]), (&json!("https://erp.example.org/in"), &json!(0), &json!(2)));
    assert_eq!(
        (&seen["dead"][0]["id"], &seen["dead"][0]["kind"], &seen["dead"][0]["attempts"]),
        (&json!(first), &json!("WITHOUT_JOB"), &json!(7))
    );
    assert!(!seen.to_string().contains("secret-name"), "{seen}");

    let one = json!({ "messages": [first, "msg_unknown"] });
    assert_eq!(send(&portal, &session, Method::POST, "/retry", Some(one)).await.body, json!({ "revived": 1, "hurried": 0 }));
    let seen = send(&portal, &session, Method::GET, "", None).await.body;
    assert_eq!((&seen["waiting"], &seen["deadCount"], &seen["dead"][0]["id"]), (&json!(1), &json!(1), &json!(second)));
    let path = format!("/messages/{second}");
    assert_eq!(send(&portal, &session, Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    send(&portal, &session, Method::DELETE, &path, None).await.assert_problem(404, "not-found");
    assert_eq!(send(&portal, &session, Method::GET, "", None).await.body["deadCount"], json!(0));
    let many: Vec<_> = (0..501).map(|n| format!("msg_{n}")).collect();
    send(&portal, &session, Method::POST, "/retry", Some(json!({ "messages": many }))).await.assert_problem(422, "request-invalid");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let done: Vec<_> = trail.iter().map(|record| record.command.as_str()).collect();
    assert_eq!(done, ["webhook retry", "webhook discard"]);
}

/// The receiver of the tests' messages: gives its address, and what came in the header `webhook-signature`.
async fn receiver(status: u16) -> (String, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = seen.clone();
    let answer = move |headers: HeaderMap| async move {
        kept.lock().unwrap().push(headers["webhook-signature"].to_str().unwrap().to_owned());
        StatusCode::from_u16(status).unwrap()
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://localhost:{}/in", listener.local_addr().unwrap().port());
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/in", post(answer))).await });
    (url, seen)
}

/// As the desk shows it.
fn fingerprint(secret: &str) -> String {
    store::file_hash(secret.as_bytes())[..8].to_owned()
}

/// Ends all secrets but this one.
async fn end(portal: &Portal, session: &str, newest: &str) -> Answer {
    send(portal, session, Method::DELETE, &format!("/secret?newest={newest}"), None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_renewed_with_an_overlap_and_tried_out() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Lead]).await;
    for (method, path) in [(Method::POST, "/test"), (Method::POST, "/secret"), (Method::DELETE, "/secret")] {
        send(&portal, &session, method, path, None).await.assert_problem(404, "not-found");
    }
    let (url, seen) = receiver(204).await;
    portal.configure(json!({ "webhook": { "url": url, "secretParameter": "webhook" } })).await;
    let test = async || send(&portal, &session, Method::POST, "/test", None).await.body;
    let signatures = || seen.lock().unwrap().drain(..).map(|one| one.split(' ').count()).collect::<Vec<_>>();
    let unread = test().await;
    assert!(
        unread["cause"]["de"].as_str().unwrap().starts_with("das Geheimnis ist nicht zu lesen: GetParameter: ParameterNotFound"),
        "{unread}"
    );

    let renew = async || {
        let made = send(&portal, &session, Method::POST, "/secret", None).await;
        assert_eq!(made.status, StatusCode::OK, "{made:?}");
        assert!(!made.log_line().to_string().contains("whsec_"), "{}", made.log_line());
        made.body["secret"].as_str().unwrap().to_owned()
    };
    let first = renew().await;
    assert!(first.starts_with("whsec_"));
    assert_eq!(test().await["cause"], Value::Null);
    assert_eq!(signatures(), [1]);
    let second = renew().await;
    assert_ne!(first, second);
    test().await;
    assert_eq!(signatures(), [2], "by the new one and the one before");
    // Pressed once more, and once more: the answers were lost, and the receiver has the first one still.
    let [third, fourth] = [renew().await, renew().await];
    let with_the_first = Receiver::start(&[&fourth, &third, &first], |_, _| (204, None));
    portal.configure(json!({ "webhook": { "url": with_the_first.url, "secretParameter": "webhook" } })).await;
    assert_eq!(test().await["cause"], Value::Null, "signed by these, and by no fourth one");
    portal.configure(json!({ "webhook": { "url": url, "secretParameter": "webhook" } })).await;
    let good = send(&portal, &session, Method::GET, "/secret", None).await.body["secrets"].clone();
    let fingerprints: Vec<_> = good.as_array().unwrap().iter().map(|one| one["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(fingerprints, [&fourth, &third, &first].map(|secret| fingerprint(secret)));
    assert!(good[0]["by"].is_string() && good[0]["at"].is_string(), "{good}");
    for _ in 0..2 {
        assert_eq!(end(&portal, &session, fingerprints[0]).await.status, StatusCode::NO_CONTENT);
    }
    test().await;
    assert_eq!(signatures(), [1]);

    let (url, _) = receiver(500).await;
    portal.configure(json!({ "webhook": { "url": url, "secretParameter": "webhook", "paused": true } })).await;
    let said = json!({ "de": "der Empfänger antwortet mit dem Status 500", "en": "it answers with status 500" });
    assert_eq!(test().await["cause"], said);
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert!(["webhook test", "webhook secret", "webhook secret ended"].iter().all(|what| trail.iter().any(|one| one.command == *what)));
}

#[tokio::test]
async fn a_secret_that_somebody_else_made_is_not_the_one_that_stays() {
    let portal = Portal::with_account("anna").await;
    portal.configure(json!({ "webhook": { "url": "http://localhost:9/in", "secretParameter": "webhook" } })).await;
    let ((one, first), second) = (portal.member_since(&[Role::Lead], Timestamp::now()).await, portal.member(&[Role::Lead]).await);
    let shown = async || send(&portal, &first, Method::GET, "/secret", None).await.body["secrets"].clone();
    assert_eq!(shown().await, json!([]));
    let renew = async |session: &str| send(&portal, session, Method::POST, "/secret", None).await;
    renew(&first).await;
    let installed = renew(&first).await.body["secret"].as_str().unwrap().to_owned();
    // Another lead, whose page says nothing of that, makes one for later.
    assert_eq!(renew(&second).await.status, StatusCode::OK);
    end(&portal, &first, &fingerprint(&installed)).await.assert_problem(409, "conflict");
    send(&portal, &first, Method::DELETE, "/secret", None).await.assert_problem(409, "conflict");
    let good = shown().await;
    assert_eq!((good.as_array().unwrap().len(), good[1]["fingerprint"].as_str()), (3, Some(&*fingerprint(&installed))));

    // One that somebody else has noted is on its way to the parameter store.
    let note = async |at: Timestamp| {
        let made = MadeSecret { fingerprint: "0123abcd".into(), member: one.clone(), by: "Jonas Reuter".into(), at };
        let good = shown().await;
        let good: Vec<_> = good.as_array().unwrap().iter().map(|one| one["fingerprint"].as_str().unwrap().to_owned()).collect();
        portal.store().note_secret(portal.tenant_id(), &made, &good).await.unwrap();
    };
    note(Timestamp::now()).await;
    renew(&second).await.assert_problem(409, "conflict");
    assert_eq!(renew(&first).await.status, StatusCode::OK, "who tries again after an answer was lost");
    note(Timestamp::now() - SignedDuration::from_mins(2)).await;
    assert_eq!(renew(&second).await.status, StatusCode::OK, "it came to nothing");
    assert_eq!(shown().await.as_array().unwrap().len(), 3);
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert!(trail.iter().all(|record| record.command == "webhook secret"), "nothing was ended: {trail:?}");
}
