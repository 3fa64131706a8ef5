//! What leads see of reminders, and have done.

use std::time::Duration;

use domain::staff::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::world::{Answer, Portal};

async fn send(portal: &Portal, session: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
    let path = format!("/api/desk/tenants/{}{path}", portal.tenant());
    portal.send(method, &path, Some(session), body.as_ref(), None).await
}

#[tokio::test]
async fn who_is_due_is_listed_on_the_way_to_reminding_them() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let shown = send(&portal, &lead, Method::GET, "/reminders", None).await.body;
    assert_eq!((&shown["daysBefore"], &shown["isAutomatic"], &shown["inTheWay"]), (&json!(14), &json!(false), &Value::Null), "{shown}");
    let started = send(&portal, &lead, Method::POST, "/reminders", Some(json!({ "trial": true, "lang": "de" }))).await;
    assert_eq!(started.status, StatusCode::ACCEPTED, "{started:?}");
    let path = format!("/runs/{}", started.body["id"].as_str().unwrap());
    let done = loop {
        let found = send(&portal, &lead, Method::GET, &path, None).await.body;
        if !["WAITING", "WORKING"].contains(&found["state"].as_str().unwrap()) {
            break found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!((&done["what"], &done["state"], &done["mails"]["due"]), (&json!("DUE_REMINDERS"), &json!("DONE"), &json!(0)), "{done}");
    let listed = send(&portal, &lead, Method::GET, "/reminders", None).await.body;
    assert_eq!(listed["runs"][0]["id"], done["id"]);
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert!(trail.iter().any(|record| record.command == "desk reminders listed"));
}

#[tokio::test]
async fn a_tenant_without_a_sender_reminds_nobody() {
    let portal = Portal::configured(json!({ "communicationSettings": { "senderEmail": "" } })).await;
    let lead = portal.member(&[Role::Lead]).await;
    let shown = send(&portal, &lead, Method::GET, "/reminders", None).await.body;
    assert_eq!(shown["inTheWay"]["de"], "der Mandant hat keinen Absender", "{shown}");
    for trial in [true, false] {
        let body = json!({ "trial": trial, "lang": "en" });
        send(&portal, &lead, Method::POST, "/reminders", Some(body)).await.assert_problem(422, "request-invalid");
    }
}
