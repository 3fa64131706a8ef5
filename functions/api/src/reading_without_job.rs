//! The taking of a reading that belongs to no job, from the first look to the answer.

use domain::finding::Finding;
use domain::ids::{ImageId, JobId};
use domain::model::LoginKind;
use domain::visitor_reading::WITHOUT_JOB;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use jiff::civil::Date;
use serde::Serialize;
use store::{ReadingWithoutJob, Submitted};

use crate::call::Call;
use crate::digest::hex;
use crate::error::Result;
use crate::findings::field_error;
use crate::idempotency::Idempotency;
use crate::photos::{Attached, store_photos};
use crate::view::{ReadingTaken, VisitorReading};

/// Most readings of a visitor's session in an hour: a house has seldom more meters (D-READING-14).
const MOST_OF_SESSION: u32 = 20;
/// Most readings of all visitors from one network in an hour: an office may have many.
const MOST_OF_NETWORK: u32 = 300;
/// Most readings of an account in an hour: as many as a share has jobs.
const MOST_OF_ACCOUNT: u32 = 1000;

/// The id of a visitor's reading. What makes it this reading and no other: the same meter, day, values and person.
pub(crate) fn visitor_reading_id(call: &Call, result: &VisitorReading, reading_date: Date) -> Result<JobId> {
    let values: Vec<_> = result.reading_values.iter().map(|value| (&value.obis, &value.value)).collect();
    id_of(call, &(&result.meter_type, &result.meter_number, values, reading_date, &result.contact))
}

/// `identity` is what makes it this reading; the same one by the same sender has the same id.
pub(crate) fn id_of(call: &Call, identity: &impl Serialize) -> Result<JobId> {
    let hash = hex(&[call.account_id()?.as_str().as_bytes(), &serde_json::to_vec(identity)?]);
    Ok(JobId::new(format!("{WITHOUT_JOB}{}", &hash[..32]))?)
}

/// One reading on its way into the table.
pub(crate) struct ReadingSubmission<'a> {
    call: &'a Call,
    idempotency: Idempotency,
    id: JobId,
    earlier_answer: Option<String>,
}

impl<'a> ReadingSubmission<'a> {
    pub(crate) async fn begin(call: &'a Call, id: JobId) -> Result<Self> {
        // A client without keys sends a refused reading anew in the same words.
        let keyless = call.request.idempotency_key()?.is_none().then_some(id.as_str());
        let idempotency = Idempotency::of(call, &[call.request.path.as_str(), keyless.unwrap_or_default()])?;
        let (tenant, account) = (call.tenant_id(), call.account_id()?);
        let record = call.store()?.idempotency(tenant, account, &idempotency.key, call.now).await?;
        let earlier_answer = idempotency.earlier_answer(record)?;
        Ok(Self { call, idempotency, id, earlier_answer })
    }

    pub(crate) fn id(&self) -> &JobId {
        &self.id
    }

    /// Counts it against what its sender may send in an hour: before photos are stored, and not once more when the same request comes again.
    pub(crate) async fn count(&self) -> Result<()> {
        let call = self.call;
        let (limit, networks) = match call.claims()?.login {
            LoginKind::Public => (MOST_OF_SESSION, Some(call.request.networks())),
            _ => (MOST_OF_ACCOUNT, None),
        };
        let networks = networks.as_deref().map(|networks| (networks, MOST_OF_NETWORK));
        let counted = call.store()?.count_reading_without_job(call.tenant_id(), call.account_id()?, limit, networks, call.now).await?;
        match counted {
            Some(wait) => Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).into()),
            None => Ok(()),
        }
    }

    /// The answer that the same request got before.
    pub(crate) fn earlier_answer(&self) -> Option<Answer> {
        self.earlier_answer.clone().map(created)
    }

    pub(crate) async fn store_photos(&self, photos: &[Attached<'_>]) -> Result<Vec<Vec<ImageId>>> {
        store_photos(self.call, self.call.account_id()?, &self.id, photos, &self.idempotency).await
    }

    /// Stores it. One that is there already, sent under another key, is this one.
    pub(crate) async fn store(&self, entry: &ReadingWithoutJob) -> Result<Answer> {
        let response_body = serde_json::to_string(&ReadingTaken { id: self.id.clone() })?;
        let record = self.idempotency.record(response_body.clone(), self.call.now);
        let deliver = self.call.tenant.application.webhook.is_some();
        match self.call.store()?.submit_without_job(self.call.tenant_id(), entry, &record, deliver).await? {
            Submitted::Stored | Submitted::Stale => Ok(created(response_body)),
            Submitted::Replayed { response_body } => Ok(created(response_body)),
            Submitted::KeyReused => Err(Code::IdempotencyKeyReused.into()),
        }
    }
}

fn created(response_body: String) -> Answer {
    Answer::bytes("application/json", response_body).with_status(StatusCode::CREATED)
}

/// The answer to a reading with findings: nothing of it can be confirmed.
pub(crate) fn refuse(findings: Vec<Finding>) -> Result<()> {
    if findings.is_empty() {
        return Ok(());
    }
    Err(Problem::new(Code::ReadingInvalid).with_fields(findings.into_iter().map(field_error).collect()).into())
}
