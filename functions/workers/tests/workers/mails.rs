//! Events of the mail service: each by itself, in any order, as often as they come.

use std::time::Duration;

use domain::config::Retention;
use serde_json::{Value, json};
use store::{MailClaim, MailKind, MailState, NewMail};
use testing::permissions;
use workers::table::MAIL_EVENTS;

use crate::world::{World, account, start, tenant};

fn event(kind: &str, mail: &str) -> Value {
    // The account travels as base64url, as `mail` tags it.
    let tags = json!({"tenant": ["portal"], "account": ["YW5uYQ"], "mail": [mail]});
    let bounce = json!({"bounceType": "Permanent", "bouncedRecipients": [{"emailAddress": "anna@example.de"}]});
    json!({"eventType": kind, "mail": {"tags": tags}, "bounce": bounce})
}

fn batch(events: &[(&str, Value)]) -> String {
    let records: Vec<_> = events.iter().map(|(id, event)| json!({"messageId": id, "body": event.to_string()})).collect();
    json!({"Records": records}).to_string()
}

async fn state(world: &World) -> MailState {
    world.store.mail(&tenant(), &account("anna"), "m1").await.unwrap().unwrap().state
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_did_not_go_well_comes_back() {
    let world = World::with_retention(Retention::default()).await;
    let new = NewMail {
        id: "m1",
        account: &account("anna"),
        top: &account("anna"),
        kind: MailKind::Access,
        recipient_hash: "recipient",
        mailbox_hash: "mailbox",
        request_hash: "request",
        account_limit: 50,
        tenant_limit: 500,
    };
    let MailClaim::Claimed(_) = world.store.claim_mail(&tenant(), &new, start()).await.unwrap() else { panic!("it is new") };

    let events = [("1", event("Bounce", "m1")), ("2", event("Delivery", "not-yet")), ("3", event("Delivery", "m1")), ("4", json!("?"))];
    let ran = world.take(&MAIL_EVENTS, &batch(&events), start()).await;
    let failed: Vec<_> =
        ran.answer["batchItemFailures"].as_array().unwrap().iter().map(|item| item["itemIdentifier"].as_str().unwrap()).collect();
    assert_eq!(failed, ["2", "4"]);
    assert_eq!((&ran.line["counts"]["messages"], &ran.line["counts"]["failed"]), (&json!(2), &json!(2)));
    assert_eq!(state(&world).await, MailState::Bounced, "a later state is not taken back");
    assert_eq!(ran.used, permissions(MAIL_EVENTS.grants));
    assert!(!ran.line.to_string().contains("example.de"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_batch_fails_as_a_whole() {
    let world = World::with_retention(Retention::default()).await;
    assert!(!world.run(&MAIL_EVENTS, start(), Duration::from_secs(30), None).await.went_well);
}
