//! The receipt of a reading that staff entered.

use domain::config::CrmAdapter;
use domain::ids::JobId;
use jiff::Timestamp;
use mail::{Mailer, Message, Order, Post, ReadMeter, Receipt, SendError};
use store::MailKind;

use super::{Desk, Stored};
use crate::clearing::Told;
use crate::{Failure, patiently};

/// Sends the receipt of a reading that was just stored, as the portal does, to a confirmed address (D-READING-24). There is none for a meter with a register that is
/// missing, or where the tenant's own CRM writes receipts.
pub async fn receipt(desk: &Desk<'_>, mailer: &Mailer, stored: &Stored, now: Timestamp) -> Result<Told, Failure> {
    let (store, tenant, application) = (desk.store, &*desk.tenant, &desk.tenant.application);
    let (id, owner, job) = (&application.application_id, &stored.job.account_id, &stored.job.master.id);
    if application.crm != CrmAdapter::Builtin || application.communication_settings.sender_email.is_empty() || !stored.job.done {
        return Ok(Told::Nobody);
    }
    let Some(registration) = patiently(|| store.registration(id, owner)).await? else { return Ok(Told::Nobody) };
    let Some(to) = &registration.confirmed else { return Ok(Told::Nobody) };
    let Some((read, meter)) = ReadMeter::of_job(&stored.job) else { return Ok(Told::Nobody) };
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
            // The next receipt that the customer asks for is of other readings, among them earlier ones that came in a file.
            patiently(|| store.note_receipt(id, owner, job, read)).await?;
            Ok(Told::Mailed)
        }
        Err(SendError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Told::NotTaken(error.to_string())),
    }
}

/// The same of a reading that is entered once more under its key: the first attempt may have been stopped before its mail. A reading that is not the job's last one
/// any more gets no receipt.
pub async fn receipt_again(desk: &Desk<'_>, mailer: &Mailer, job: &JobId, readings: Vec<String>, now: Timestamp) -> Result<Told, Failure> {
    let (store, tenant) = (desk.store, desk.id());
    let last = patiently(|| store.readings_of_job(tenant, job)).await?.pop();
    if !last.is_some_and(|last| readings.contains(&last.entry.result_id)) {
        return Ok(Told::Nobody);
    }
    let Some(job) = patiently(|| store.job_by_id(tenant, job)).await? else { return Ok(Told::Nobody) };
    let stored = Stored { job, readings, confirmed: Vec::new(), doubts: Vec::new() };
    receipt(desk, mailer, &stored, now).await
}
