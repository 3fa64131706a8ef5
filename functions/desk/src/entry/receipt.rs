//! The receipt of a reading that staff entered.

use domain::config::CrmAdapter;
use domain::text;
use domain::text::Text;
use jiff::Timestamp;
use mail::{Mailer, Message, Order, Post, ReadMeter, Receipt, SendError};
use store::MailKind;

use super::{Desk, Stored};
use crate::{Failure, patiently};

/// Whether the customer got a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Receipted {
    /// Not by mail: no address is confirmed, a register is missing, or the tenant's own CRM writes receipts. The portal shows the reading.
    No,
    /// By mail.
    Mailed,
    /// The mail did not go.
    NotTaken(String),
}

impl Receipted {
    /// What to add to the sentence about the reading.
    pub fn text(&self) -> Text {
        match self {
            Self::No => Text::same(""),
            Self::Mailed => text!("; die Bestätigung ging per E-Mail hinaus", "; the receipt went by mail"),
            Self::NotTaken(cause) => text!("; die Bestätigung ging nicht hinaus: {cause}", "; the receipt did not go: {cause}"),
        }
    }
}

/// Sends the receipt of a reading that was just stored, as the portal does for who registered an address.
pub async fn receipt(desk: &Desk<'_>, mailer: &Mailer, stored: &Stored, now: Timestamp) -> Result<Receipted, Failure> {
    let (store, tenant, application) = (desk.store, &*desk.tenant, &desk.tenant.application);
    let (id, owner, job) = (&application.application_id, &stored.job.account_id, &stored.job.master.id);
    if application.crm != CrmAdapter::Builtin || application.communication_settings.sender_email.is_empty() || !stored.job.done {
        return Ok(Receipted::No);
    }
    let Some(registration) = patiently(|| store.registration(id, owner)).await? else { return Ok(Receipted::No) };
    let Some(to) = &registration.confirmed else { return Ok(Receipted::No) };
    let Some((read, meter)) = ReadMeter::of_job(&stored.job) else { return Ok(Receipted::No) };
    let language = patiently(|| store.account(id, owner)).await?.and_then(|account| account.language);
    let unsubscribe = application.registration_page(&registration.self_service_token);
    let message = Message::Receipt(Receipt { meters: vec![meter], unsubscribe });
    let key = stored.readings.first().map(String::as_str).unwrap_or_default();
    let order = Order {
        account: owner,
        top: owner,
        kind: MailKind::Receipt,
        key,
        request_hash: key,
        to,
        to_name: None,
        language: language.as_deref(),
    };
    let post = Post { store, mailer, tenant, now };
    match post.send(order, &message).await {
        Ok(_) => {
            // The next receipt that the customer asks for is of other readings.
            let receipted = [(job.clone(), read)];
            patiently(|| store.note_receipts(id, owner, &receipted, None)).await?;
            Ok(Receipted::Mailed)
        }
        Err(SendError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Receipted::NotTaken(error.to_string())),
    }
}
