//! The mail service's events, in each wrapping.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mail::{EventError, read_event};
use serde_json::{Value, json};
use store::MailEventKind;

use crate::support::address;

fn event(more: Value) -> Value {
    let tags = json!({
        "ses:configuration-set": ["zaehlwerk"], "tenant": ["musterwerk"], "mail": ["0123456789abcdef"], "kind": ["access"],
        "account": [URL_SAFE_NO_PAD.encode("visitor~1.2")],
    });
    let mut event = json!({ "mail": { "messageId": "ses-1", "destination": ["uwe@example.com"], "tags": tags } });
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

fn bounce(kind: &str) -> Value {
    event(
        json!({ "eventType": "Bounce", "bounce": { "bounceType": kind, "bouncedRecipients": [{ "emailAddress": "Uwe <UWE@example.com>" }] } }),
    )
}

fn complaint(more: Value) -> Value {
    let mut complaint = json!({ "complainedRecipients": [{ "emailAddress": "uwe@example.com" }], "complaintSubType": null });
    complaint.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event(json!({ "eventType": "Complaint", "complaint": complaint }))
}

#[test]
fn an_event_is_read_in_each_wrapping() {
    let uwe = vec![address("uwe@example.com").hash()];
    for (event, kind, suppress) in [
        (event(json!({ "eventType": "Delivery", "delivery": {} })), MailEventKind::Delivered, vec![]),
        (bounce("Permanent"), MailEventKind::Bounced, uwe.clone()),
        (bounce("Transient"), MailEventKind::Bounced, vec![]),
        (complaint(json!({ "complaintFeedbackType": "abuse" })), MailEventKind::Complained, uwe.clone()),
        (complaint(json!({})), MailEventKind::Complained, uwe),
    ] {
        let by_sns = json!({ "Type": "Notification", "MessageId": "1", "Message": event.to_string() });
        let by_event_bridge = json!({ "source": "aws.ses", "detail-type": "Email Bounced", "detail": event });
        for body in [event.clone(), by_sns, by_event_bridge] {
            let read = read_event(&body.to_string()).unwrap().unwrap();
            assert_eq!((read.kind, &read.suppress), (kind, &suppress), "{body}");
            assert_eq!(
                (read.tenant.as_str(), read.account.as_str(), read.mail.as_str()),
                ("musterwerk", "visitor~1.2", "0123456789abcdef")
            );
        }
    }
}

#[test]
fn what_changes_nothing_is_passed_over() {
    for event in [
        event(json!({ "eventType": "Send" })),
        event(json!({ "eventType": "Open" })),
        complaint(json!({ "complaintFeedbackType": "not-spam" })),
    ] {
        assert_eq!(read_event(&event.to_string()), Ok(None), "{event}");
    }
}

#[test]
fn what_is_none_of_ours_is_refused_without_a_word_of_it() {
    let mut untagged = bounce("Permanent");
    untagged["mail"]["tags"] = json!({});
    let mut foreign = bounce("Permanent");
    foreign["mail"]["tags"]["account"] = json!(["***"]);
    for (body, error) in [
        (untagged.to_string(), EventError::Untagged),
        (foreign.to_string(), EventError::Untagged),
        (event(json!({ "eventType": "Bounce" })).to_string(), EventError::Unreadable),
        ("{}".into(), EventError::Unreadable),
        ("no JSON".into(), EventError::Unreadable),
        (json!({ "Message": "uwe@example.com" }).to_string(), EventError::Unreadable),
    ] {
        assert_eq!(read_event(&body), Err(error.clone()), "{body}");
        assert!(!error.to_string().contains('@'));
    }
}
