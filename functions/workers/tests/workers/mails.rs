//! Events of the mail service: each by itself, in any order, as often as they come.

use std::time::Duration;

use domain::config::Retention;
use jiff::ToSpan as _;
use serde_json::{Value, json};
use store::{MailClaim, MailKind, MailState, NewMail};
use testing::permissions;
use testing::recorded::{batch, mail_event};
use workers::table::MAIL_EVENTS;

use crate::world::{World, account, start, tenant};

/// An event as it is recorded, of a mail to Anna that was sent a second ago.
fn event(name: &str, mail: &str) -> Value {
    let mut event = mail_event(name);
    event["mail"]["timestamp"] = json!((start() - 1.second()).to_string());
    // The account travels as base64url, as `mail` tags it.
    for (tag, value) in [("tenant", "portal"), ("account", "YW5uYQ"), ("mail", mail)] {
        event["mail"]["tags"][tag] = json!([value]);
    }
    event
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

    let mut long_ago = event("bounce", "not-any-more");
    long_ago["mail"]["timestamp"] = json!((start() - 61.minutes()).to_string());
    let events = [
        ("1", event("bounce", "m1")),
        ("2", event("delivery", "not-yet")),
        ("3", event("delivery", "m1")),
        ("4", json!("?")),
        ("5", long_ago),
    ];
    let messages = events.map(|(id, event)| (id, event.to_string()));
    let ran = world.take(&MAIL_EVENTS, &batch(&messages).to_string(), start()).await;
    let failed: Vec<_> =
        ran.answer["batchItemFailures"].as_array().unwrap().iter().map(|item| item["itemIdentifier"].as_str().unwrap()).collect();
    assert_eq!(failed, ["2"]);
    let counts = ["messages", "failed", "dropped"].map(|count| ran.line["counts"][count].as_u64());
    assert_eq!(counts, [Some(2), Some(1), Some(2)]);
    assert_eq!(ran.line["dropped"], json!(["the message is no event of the mail service", "there is no such mail any more"]));
    assert_eq!(state(&world).await, MailState::Bounced, "a later state is not taken back");
    assert_eq!(ran.used, permissions(MAIL_EVENTS.grants));
    assert!(!ran.line.to_string().contains("example.com"));
}

/// It has no record that an event could be early for.
#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_to_the_staff_that_comes_back_is_not_sent_again() {
    let world = World::with_retention(Retention::default()).await;
    let mut bounce = mail_event("bounce");
    bounce["mail"]["tags"] = json!({ "tenant": ["portal"], "kind": ["staff-invitation"] });
    let ran = world.take(&MAIL_EVENTS, &batch(&[("1", bounce.to_string())]).to_string(), start()).await;
    assert_eq!((&ran.answer["batchItemFailures"], &ran.line["dropped"]), (&json!([]), &json!(null)), "{}", ran.line);
    let uwe = "uwe@example.com".parse().unwrap();
    assert_eq!(world.store.suppressed(&tenant(), &[&uwe], start()).await.unwrap().len(), 1);
}

/// What the mail service and the topic say of themselves reaches the queue, too; nobody has to take it out by hand.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_about_no_mail_of_ours_does_not_come_back() {
    let world = World::with_retention(Retention::default()).await;
    // A test from the console over the identity's configuration set, without our tags.
    let mut untagged = mail_event("delivery");
    untagged["mail"]["tags"] = json!({"ses:caller-identity": ["root"]});
    let messages = [
        ("1", mail_event("topicValidated").as_str().unwrap().to_owned()),
        ("2", untagged.to_string()),
        ("3", mail_event("reject").to_string()),
    ];
    let ran = world.take(&MAIL_EVENTS, &batch(&messages).to_string(), start()).await;
    assert_eq!(ran.answer["batchItemFailures"], json!([]));
    assert_eq!((&ran.line["level"], &ran.line["counts"]["dropped"]), (&json!("info"), &json!(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_batch_fails_as_a_whole() {
    let world = World::with_retention(Retention::default()).await;
    assert!(!world.run(&MAIL_EVENTS, start(), Duration::from_secs(30), None).await.went_well);
}
