//! The mail service's events, in each wrapping.

use mail::{EventError, read_event};
use serde_json::{Value, json};
use store::MailEventKind;
use testing::recorded::mail_event;

use crate::support::address;

#[test]
fn an_event_is_read_in_each_wrapping() {
    let uwe = vec![address("uwe@example.com").hash()];
    for (name, kind, suppress) in [
        ("delivery", MailEventKind::Delivered, vec![]),
        ("bounce", MailEventKind::Bounced, uwe.clone()),
        ("fullMailbox", MailEventKind::Bounced, vec![]),
        ("complaint", MailEventKind::Complained, uwe.clone()),
        ("complaintWithoutWords", MailEventKind::Complained, uwe),
    ] {
        let event = mail_event(name);
        let (mut by_sns, mut by_event_bridge) = (mail_event("bySns"), mail_event("byEventBridge"));
        by_sns["Message"] = json!(event.to_string());
        by_event_bridge["detail"] = event.clone();
        for body in [event, by_sns, by_event_bridge] {
            let read = read_event(&body.to_string()).unwrap().unwrap();
            assert_eq!((read.kind, &read.suppress), (kind, &suppress), "{body}");
            let (account, mail) = read.record.unwrap();
            assert_eq!((read.tenant.as_str(), account.as_str(), mail.as_str()), ("musterwerk", "visitor~1.2", "0123456789abcdef"));
        }
    }
}

/// It has no record, and is heard of all the same: who called it spam gets none again.
#[test]
fn an_invitation_to_the_staff_is_known_by_its_tenant() {
    let mut event = mail_event("complaint");
    event["mail"]["tags"] = json!({ "tenant": ["musterwerk"], "kind": ["staff-invitation"] });
    let read = read_event(&event.to_string()).unwrap().unwrap();
    assert_eq!((read.tenant.as_str(), read.record, read.suppress.len()), ("musterwerk", None, 1));
}

#[test]
fn what_changes_nothing_is_passed_over() {
    let mut unknown = mail_event("send");
    unknown["eventType"] = json!("Surprise");
    for event in [mail_event("send"), mail_event("reject"), mail_event("complaintTakenBack"), unknown] {
        assert_eq!(read_event(&event.to_string()), Ok(None), "{event}");
    }
}

#[test]
fn what_is_none_of_ours_is_refused_without_a_word_of_it() {
    let changed = |change: fn(&mut Value)| {
        let mut event = mail_event("bounce");
        change(&mut event);
        event.to_string()
    };
    for (body, error) in [
        (changed(|event| event["mail"]["tags"] = json!({})), EventError::Untagged),
        (changed(|event| event["mail"]["tags"]["account"] = json!(["***"])), EventError::Untagged),
        (changed(|event| drop(event["bounce"].take())), EventError::Unreadable),
        (mail_event("topicValidated").as_str().unwrap().to_owned(), EventError::Unreadable),
        ("{}".into(), EventError::Unreadable),
        ("no JSON".into(), EventError::Unreadable),
        (json!({ "Message": "uwe@example.com" }).to_string(), EventError::Unreadable),
    ] {
        assert_eq!(read_event(&body), Err(error.clone()), "{body}");
        assert!(!error.to_string().contains('@'));
    }
}
