use crm::{CrmClient, CrmError, System};
use domain::ids::AccountId;
use edge::{BoxFuture, Code, Problem};
use serde::Serialize;

use crate::call::Call;
use crate::crm::{Crm, ReceiptOrder, ReceiptedJob, RegistrationState};

/// The tenant's own system.
pub(crate) struct Http<'a> {
    call: &'a Call,
    client: &'a CrmClient,
    system: System<'a>,
}

impl<'a> Http<'a> {
    pub(crate) fn new(call: &'a Call, base_url: &'a str, credentials_parameter: &'a str) -> Result<Self, Problem> {
        Ok(Self { call, client: call.crm()?, system: System { tenant: call.tenant_id(), base_url, credentials_parameter } })
    }
}

impl Crm for Http<'_> {
    fn registration<'a>(&'a self, account: &'a AccountId) -> BoxFuture<'a, Result<RegistrationState, Problem>> {
        Box::pin(async move {
            let remote = self.client.registration(&self.system, account).await.map_err(problem)?;
            let configured = self.call.tenant.application.crm_settings.registration_url.clone();
            Ok(RegistrationState {
                registered: remote.registered,
                email_confirmed: remote.current_confirmed_communication_types.iter().any(|kind| kind == "EMAIL"),
                self_service_token: remote.self_service_token,
                registration_url: remote.registration_url.or(configured),
            })
        })
    }

    fn send_receipts<'a>(&'a self, order: ReceiptOrder<'a>) -> BoxFuture<'a, Result<(), Problem>> {
        Box::pin(async move {
            if !self.registration(order.account).await?.email_confirmed {
                return Err(Problem::new(Code::RegistrationMissing));
            }
            let body = Body { readings: order.jobs.iter().map(Reading::from).collect() };
            self.client.send_receipts(&self.system, order.account, order.key, &body).await.map_err(problem)
        })
    }
}

fn problem(error: CrmError) -> Problem {
    match &error {
        CrmError::Unavailable { retry_after, .. } => {
            Problem::new(Code::CrmUnavailable).with_retry_after(retry_after.as_secs().max(1)).with_cause(error)
        }
        CrmError::Refused { .. } => Problem::new(Code::MailRefused).with_cause(error),
    }
}

/// What the CRM gets, see `docs/crm.md`.
#[derive(Serialize)]
struct Body<'a> {
    readings: Vec<Reading<'a>>,
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

impl<'a> From<&'a ReceiptedJob> for Reading<'a> {
    fn from(job: &'a ReceiptedJob) -> Self {
        let rate = |rate: &'a mail::ReadRate| Rate { name: &rate.name, reading_value: rate.value.as_str(), unit: rate.unit.as_deref() };
        Self {
            job_id: job.id.as_str(),
            meter_number: &job.meter.number,
            meter_type: job.meter.meter_type,
            reading_date: job.meter.date.to_string(),
            rates: job.meter.rates.iter().map(rate).collect(),
        }
    }
}
