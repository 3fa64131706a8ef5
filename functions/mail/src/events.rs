//! What the mail service reports: an SES event on its own, in an SNS notification or in an EventBridge event.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::email::EmailAddress;
use domain::ids::{AccountId, TenantId};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::collections::HashMap;
use store::{MailEvent, MailEventKind, STAFF_INVITATION};

/// The message is none of those that this product asks for. The text holds nothing of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// It is no JSON of the known shape.
    #[error("the message is no event of the mail service")]
    Unreadable,
    /// It has not the tags that our mails have.
    #[error("the mail has not our tags")]
    Untagged,
}

/// Both wrappings, and the event itself.
#[derive(Deserialize)]
struct Wrapped<'a> {
    /// SNS: the event as text.
    #[serde(rename = "Message")]
    message: Option<String>,
    /// EventBridge: the event as an object.
    #[serde(borrow)]
    detail: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SesEvent {
    event_type: String,
    mail: SesMail,
    bounce: Option<Bounce>,
    complaint: Option<Complaint>,
}

#[derive(Deserialize)]
struct SesMail {
    /// When the mail service took it.
    timestamp: Option<String>,
    #[serde(default)]
    tags: HashMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bounce {
    bounce_type: String,
    #[serde(default)]
    bounced_recipients: Vec<Recipient>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Complaint {
    #[serde(default)]
    complained_recipients: Vec<Recipient>,
    /// `not-spam`: the recipient took a complaint back.
    complaint_feedback_type: Option<String>,
    #[serde(rename = "complaintSubType")]
    _sub_type: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recipient {
    email_address: String,
}

/// What a queue's message says; nothing for an event that changes nothing, such as an opened mail.
///
/// # Errors
/// [`EventError`]: trying again does not help.
pub fn read_event(body: &str) -> Result<Option<MailEvent>, EventError> {
    let wrapped: Wrapped<'_> = serde_json::from_str(body).map_err(|_| EventError::Unreadable)?;
    let event = match (&wrapped.message, wrapped.detail) {
        (Some(message), _) => message.as_str(),
        (None, Some(detail)) => detail.get(),
        (None, None) => body,
    };
    let event: SesEvent = serde_json::from_str(event).map_err(|_| EventError::Unreadable)?;
    let (kind, suppress) = match (event.event_type.as_str(), &event.bounce, &event.complaint) {
        ("Delivery", ..) => (MailEventKind::Delivered, Vec::new()),
        // A full mailbox may have room tomorrow; only what never works again is suppressed.
        ("Bounce", Some(bounce), _) if bounce.bounce_type == "Permanent" => (MailEventKind::Bounced, hashes(&bounce.bounced_recipients)),
        ("Bounce", Some(_), _) => (MailEventKind::Bounced, Vec::new()),
        ("Complaint", _, Some(complaint)) if complaint.complaint_feedback_type.as_deref() == Some("not-spam") => return Ok(None),
        ("Complaint", _, Some(complaint)) => (MailEventKind::Complained, hashes(&complaint.complained_recipients)),
        ("Bounce" | "Complaint", ..) => return Err(EventError::Unreadable),
        _ => return Ok(None),
    };
    let tag = |name: &str| event.mail.tags.get(name).and_then(|values| values.first()).ok_or(EventError::Untagged);
    let record = if tag("kind").is_ok_and(|kind| kind == STAFF_INVITATION) {
        None
    } else {
        let account = URL_SAFE_NO_PAD.decode(tag("account")?).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        Some((AccountId::new(account.ok_or(EventError::Untagged)?).map_err(|_| EventError::Untagged)?, tag("mail")?.clone()))
    };
    Ok(Some(MailEvent {
        tenant: TenantId::new(tag("tenant")?.as_str()).map_err(|_| EventError::Untagged)?,
        record,
        sent_at: event.mail.timestamp.as_deref().and_then(|at| at.parse().ok()),
        kind,
        suppress,
    }))
}

fn hashes(recipients: &[Recipient]) -> Vec<String> {
    let address = |recipient: &Recipient| {
        let text = recipient.email_address.as_str();
        let bare = text.rsplit_once('<').and_then(|(_, address)| address.strip_suffix('>')).unwrap_or(text);
        bare.parse::<EmailAddress>().ok()
    };
    recipients.iter().filter_map(address).map(|address| address.hash()).collect()
}
