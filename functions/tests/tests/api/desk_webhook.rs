//! What a lead sees of the receiver of readings, and does about what it did not take.

use domain::staff::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use testing::dead_letter;

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
