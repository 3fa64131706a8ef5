//! The taking of a reading that belongs to no job, from the first look to the answer.

use domain::finding::Finding;
use domain::ids::{AccountId, ImageId, JobId};
use domain::model::LoginKind;
use domain::visitor_reading::{VISITOR, WITHOUT_JOB};
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
use crate::reading_date::reading_date;
use crate::view::{ReadingTaken, SubmittedImage, VisitorReading};

/// Most readings of a visitor's session in an hour: a house has seldom more meters (D-READING-14).
const MOST_OF_SESSION: u32 = 20;
/// Most readings of all visitors from one network in an hour: an office may have many.
const MOST_OF_NETWORK: u32 = 300;
/// Most readings of an account in an hour: as many as a share has jobs.
const MOST_OF_ACCOUNT: u32 = 1000;

/// The id of a visitor's reading. What makes it this one is what was entered, with its photos counted; not where its copy goes, nor in which language.
pub(crate) async fn visitor_reading_id(call: &Call, result: &VisitorReading, reading_date: Date) -> Result<JobId> {
    let VisitorReading { meter_type, sub_type, meter_number, reading_reason, contact, .. } = result;
    id_of(call, &(meter_type, sub_type, meter_number, visitors_values(result), reading_date, reading_reason, contact)).await
}

/// `identity` is what makes it this reading and no other. The same one by the same sender has the same id, and another one after a clerk refused it.
pub(crate) async fn id_of(call: &Call, identity: &impl Serialize) -> Result<JobId> {
    let mut id = hash_of(call, identity)?;
    let store = call.store()?;
    while let Some(earlier) = store.clearing_reading_without_job(call.tenant_id(), &id).await?
        && let Some(refusal) = earlier.clearing.filter(|clearing| !clearing.released)
    {
        id = hash_of(call, &(&id, refusal.at))?;
    }
    Ok(id)
}

fn hash_of(call: &Call, identity: &impl Serialize) -> Result<JobId> {
    let hash = hex(&[call.account_id()?.as_str().as_bytes(), &serde_json::to_vec(identity)?]);
    Ok(JobId::new(format!("{WITHOUT_JOB}{}", &hash[..32]))?)
}

/// What was entered of a visitor's values. A photo that was sent ahead has another name with each upload.
fn visitors_values(result: &VisitorReading) -> Vec<impl Serialize> {
    let mut values = Vec::new();
    for value in &result.reading_values {
        let photos = value.reading_images.iter().map(|image| Some(image).filter(|image| matches!(image, SubmittedImage::Inline { .. })));
        values.push((&value.obis, &value.value, photos.collect::<Vec<_>>()));
    }
    values
}

/// The id of the reading that a visitor sent so: in this session, or in another one under the key that is named.
pub(crate) async fn sent_by_visitor(call: &Call, result: &VisitorReading) -> Result<JobId> {
    let id = visitor_reading_id(call, result, reading_date(&result.reading_date, &call.time_zone()?)?).await?;
    if call.request.idempotency_key()?.is_none() {
        return Ok(id);
    }
    let request = visitors_request(call, result, &id)?;
    let record = call.store()?.idempotency(call.tenant_id(), &kept_under(call)?, &request.key, call.now).await?;
    // A caller who guesses a key does not hear of another reading.
    match record.filter(|record| record.request_hash == request.request) {
        Some(record) => Ok(serde_json::from_str::<ReadingTaken>(&record.response_body)?.id),
        None => Ok(id),
    }
}

/// A visitor's request as it is known again in another session, which has uploads of its own of the same photos (D-VISITORS-4).
fn visitors_request(call: &Call, result: &VisitorReading, id: &JobId) -> Result<Idempotency> {
    let VisitorReading { meter_type, sub_type, meter_number, reading_date, reading_reason, contact, email, language, .. } = result;
    let values = visitors_values(result);
    let content = (meter_type, sub_type, meter_number, values, reading_date, reading_reason, contact, email, language);
    let keyless = call.request.idempotency_key()?.is_none().then_some(id.as_str());
    Idempotency::of_content(call, &["visitors_request", keyless.unwrap_or_default()], &serde_json::to_vec(&content)?)
}

/// Whom the answer is kept under. A visitor whose answer is lost may send again in another session, and has nothing but the key from the first one
/// (D-VISITORS-4).
fn kept_under(call: &Call) -> Result<AccountId> {
    match (call.claims()?.login, call.request.idempotency_key()?) {
        (LoginKind::Public, Some(key)) => Ok(AccountId::new(format!("{VISITOR}{}", &hex(&[b"key", key.as_bytes()])[..32]))?),
        _ => Ok(call.account_id()?.clone()),
    }
}

/// One reading on its way into the table.
pub(crate) struct ReadingSubmission<'a> {
    call: &'a Call,
    kept_under: AccountId,
    idempotency: Idempotency,
    id: JobId,
    earlier_answer: Option<String>,
}

impl<'a> ReadingSubmission<'a> {
    pub(crate) async fn begin(call: &'a Call, id: JobId) -> Result<Self> {
        // A client without keys sends a refused reading anew in the same words.
        let keyless = call.request.idempotency_key()?.is_none().then_some(id.as_str());
        let request = Idempotency::of(call, &[call.request.path.as_str(), keyless.unwrap_or_default()])?;
        Self::of(call, id, request).await
    }

    /// The same of a visitor's.
    pub(crate) async fn begin_visitors(call: &'a Call, id: JobId, result: &VisitorReading) -> Result<Self> {
        let request = visitors_request(call, result, &id)?;
        Self::of(call, id, request).await
    }

    async fn of(call: &'a Call, id: JobId, idempotency: Idempotency) -> Result<Self> {
        let kept_under = kept_under(call)?;
        let record = call.store()?.idempotency(call.tenant_id(), &kept_under, &idempotency.key, call.now).await?;
        let earlier_answer = idempotency.earlier_answer(record)?;
        Ok(Self { call, kept_under, idempotency, id, earlier_answer })
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

    /// Stores it. One that is there already, sent under another key, says the same as this one.
    pub(crate) async fn store(&self, entry: &ReadingWithoutJob) -> Result<Answer> {
        let response_body = serde_json::to_string(&ReadingTaken { id: self.id.clone() })?;
        let record = self.idempotency.record(response_body.clone(), self.call.now);
        let deliver = self.call.tenant.application.webhook.is_some();
        let stored = self.call.store()?.submit_without_job_once(self.call.tenant_id(), entry, &self.kept_under, &record, deliver);
        match stored.await? {
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
