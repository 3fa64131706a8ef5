//! What leads see of reminders, and have done.

use domain::staff::Role;
use reqwest::Method;
use serde_json::{Value, json};

use crate::at_desk::{over, send};
use crate::world::Portal;

#[tokio::test]
async fn who_is_due_is_listed_on_the_way_to_reminding_them() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let shown = send(&portal, &lead, Method::GET, "/reminders", None).await.body;
    assert_eq!((&shown["daysBefore"], &shown["isAutomatic"], &shown["inTheWay"]), (&json!(14), &json!(false), &Value::Null), "{shown}");
    let started = send(&portal, &lead, Method::POST, "/reminders", Some(json!({ "trial": true, "lang": "de" }))).await;
    let done = over(&portal, &lead, &started).await;
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
    assert_eq!(
        shown["inTheWay"]["de"], "der Versorger hat keine Absenderadresse für E-Mails; sie legt fest, wer das Portal betreibt",
        "{shown}"
    );
    for trial in [true, false] {
        let body = json!({ "trial": trial, "lang": "en" });
        send(&portal, &lead, Method::POST, "/reminders", Some(body)).await.assert_problem(422, "request-invalid");
    }
}

/// Within a minute of a change, requests may still go by what was in effect before; what goes to customers does not.
#[tokio::test]
async fn a_run_goes_by_what_is_in_effect_now() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let remind = async || {
        let started = send(&portal, &lead, Method::POST, "/reminders", Some(json!({ "trial": false, "lang": "de" }))).await;
        over(&portal, &lead, &started).await
    };
    assert_eq!(remind().await["state"], "DONE");
    let mut bundle = portal.store().tenant_bundle(portal.tenant_id()).await.unwrap().unwrap();
    bundle.application.communication_settings.sender_email.clear();
    portal.store().apply_tenant(&bundle, store::NewVersion::by("test")).await.unwrap();
    let stopped = remind().await;
    assert_eq!(
        (&stopped["state"], &stopped["failure"]["de"]),
        (&json!("FAILED"), &json!("der Versorger hat keine Absenderadresse für E-Mails; sie legt fest, wer das Portal betreibt")),
        "{stopped}"
    );
}
