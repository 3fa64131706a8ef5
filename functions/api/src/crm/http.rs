use domain::ids::{AccountId, JobId};
use edge::{Code, Problem};
use mail::{ReadMeter, ReadRate, SendError};
use outbound::crm::{CrmClient, CrmError, System};
use runtime::BoxFuture;
use serde::Serialize;
use store::{MailClaim, MailKind, NewMail, StoreError};

use crate::call::Call;
use crate::crm::{Crm, ReceiptOrder, RegistrationState, VisitorReceiptOrder};
use crate::error::{Error, Result};
use crate::mails::send_problem;

/// The tenant's own system.
pub(crate) struct Http<'a> {
    call: &'a Call,
    client: &'a CrmClient,
    system: System<'a>,
}

impl<'a> Http<'a> {
    pub(crate) fn new(call: &'a Call, base_url: &'a str, credentials_parameter: &'a str) -> Result<Self> {
        Ok(Self { call, client: call.crm()?, system: System { tenant: call.tenant_id(), base_url, credentials_parameter } })
    }
}

impl Crm for Http<'_> {
    fn registration<'a>(&'a self, account: &'a AccountId) -> BoxFuture<'a, Result<RegistrationState>> {
        Box::pin(async move {
            let remote = self.client.registration(&self.system, account).await?;
            let configured = self.call.tenant.application.crm_settings.registration_url.clone();
            Ok(RegistrationState {
                registered: remote.registered,
                email_confirmed: remote.current_confirmed_communication_types.iter().any(|kind| kind == "EMAIL"),
                self_service_token: remote.self_service_token,
                registration_url: remote.registration_url.or(configured),
            })
        })
    }

    fn send_receipts<'a>(&'a self, order: ReceiptOrder<'a>) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            // Only their system knows where it would go (D-SETTINGS-6).
            if self.call.tenant.application.rehearsal {
                return Err(send_problem(SendError::Rehearsal, "email"));
            }
            if !self.registration(order.account).await?.email_confirmed {
                return Err(Code::RegistrationMissing.into());
            }
            let body = Body { readings: order.jobs.iter().map(|job| Reading::of(&job.id, &job.meter)).collect() };
            Ok(self.client.send_receipts(&self.system, order.account, order.key, &body).await?)
        })
    }

    fn send_visitor_receipt<'a>(&'a self, order: VisitorReceiptOrder<'a>) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let (store, tenant, now) = (self.call.store()?, self.call.tenant_id(), self.call.now);
            let application = &self.call.tenant.application;
            let settings = &application.communication_settings;
            if application.rehearsal && !store.is_address_of_member(tenant, order.to, now).await? {
                return Err(send_problem(SendError::Rehearsal, "email"));
            }
            // The record of a mail that the tenant's system sends: it is counted and sent once like one of ours.
            let mail = NewMail {
                id: order.id.as_str(),
                account: order.sender,
                top: order.sender,
                kind: MailKind::VisitorReceipt,
                recipient_hash: &order.to.hash(),
                mailbox_hash: &order.to.mailbox_hash(),
                request_hash: &order.to.hash(),
                account_limit: settings.account_recipients_per_hour,
                tenant_limit: settings.tenant_recipients_per_day,
            };
            let refused = |error: StoreError| send_problem(error.into(), "email");
            let lease = match store.claim_mail(tenant, &mail, now).await.map_err(refused)? {
                MailClaim::Claimed(lease) => lease,
                MailClaim::Sent => return Ok(()),
                MailClaim::KeyReused => return Err(Code::ReceiptBlocked.into()),
                MailClaim::Held { retry_after } => {
                    return Err(Problem::new(Code::TemporarilyUnavailable).with_retry_after(retry_after.as_secs().max(1)).into());
                }
            };
            let body =
                VisitorReceiptBody { email: order.to.as_str(), language: order.language, reading: Reading::of(order.id, order.meter) };
            match self.client.send_visitor_receipt(&self.system, order.id.as_str(), &body).await {
                // Their system knows a repeated call by the reading's id, so the next request may try at once.
                Err(error) => {
                    store.release_mail(tenant, order.sender, mail.id, lease).await?;
                    Err(error.into())
                }
                Ok(()) => Ok(store.mail_sent(tenant, order.sender, mail.id, order.id.as_str()).await?),
            }
        })
    }
}

impl From<CrmError> for Error {
    fn from(error: CrmError) -> Self {
        let problem = match &error {
            CrmError::Unavailable { retry_after, .. } => {
                Problem::new(Code::CrmUnavailable).with_retry_after(retry_after.as_secs().max(1)).with_cause(error)
            }
            CrmError::Refused { .. } => Problem::new(Code::MailRefused).with_cause(error),
        };
        problem.into()
    }
}

/// What the CRM gets, see `docs/crm.md`.
#[derive(Serialize)]
struct Body<'a> {
    readings: Vec<Reading<'a>>,
}

#[derive(Serialize)]
struct VisitorReceiptBody<'a> {
    email: &'a str,
    language: Option<&'a str>,
    reading: Reading<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reading<'a> {
    job_id: &'a str,
    meter_number: &'a str,
    meter_type: domain::model::MeterType,
    reading_date: String,
    rates: Vec<Rate<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rate<'a> {
    name: &'a str,
    reading_value: &'a str,
    unit: Option<&'a str>,
}

impl<'a> Reading<'a> {
    fn of(id: &'a JobId, meter: &'a ReadMeter) -> Self {
        let rate = |rate: &'a ReadRate| Rate { name: &rate.name, reading_value: rate.value.as_str(), unit: rate.unit.as_deref() };
        Self {
            job_id: id.as_str(),
            meter_number: &meter.number,
            meter_type: meter.meter_type,
            reading_date: meter.date.to_string(),
            rates: meter.rates.iter().map(rate).collect(),
        }
    }
}
