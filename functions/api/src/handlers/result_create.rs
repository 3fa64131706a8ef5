use domain::finding::Finding;
use domain::ids::{JobId, TaskId};
use domain::job::resolved_config;
use domain::reading::{self, Decision, JobContext, Submission, SubmittedResult};
use domain::search;
use edge::{Answer, Code, Problem};
use jiff::Timestamp;
use jiff::civil::Date;
use store::{IdempotencyRecord, NewResult, Source, StoredJob, SubmitResults, Submitted};

use crate::call::Call;
use crate::error::Result;
use crate::findings::result_error;
use crate::idempotency::Idempotency;
use crate::photos::{Attached, store_photos};
use crate::reading_date::reading_date;
use crate::session::end;
use crate::view::{Job, ResultSubmission, SubmittedReading};

/// How often the job is read again when another request changed it between our read and our write.
const ATTEMPTS: usize = 5;
/// How often a job is read on one day by its owner, and by those with whom it is shared together (D-READING-16).
const MOST_OF_JOB: u32 = 20;
/// How many readings of jobs that were read on that day already an account sends in an hour, and those below it together.
const MOST_REPEATS: u32 = 300;

/// Readings of a job
///
/// One reading for each rate that was read, with the photos. A repeated request with the same idempotency key gets the first one's answer.
#[utoipa::path(
    post,
    path = "/api/pro/job/{id}/meterRateTask/result",
    tag = "job",
    params(
        ("id" = JobId, Path, description = "The job"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the request's content is the key, while its readings are the last of their registers"),
    ),
    request_body = ResultSubmission,
    responses((status = 200, description = "The job with the readings", body = Job)),
)]
pub(crate) async fn result_create(call: Call) -> Result<Answer> {
    let job_id: JobId = call.path("id")?;
    let request = Idempotency::of(&call, &[job_id.as_str()])?;
    let sent: ResultSubmission = call.request.json()?;
    let submission = submission_of(&sent, reading_date(&sent.reading_date, &call.time_zone()?)?);
    let (store, tenant, access) = (call.store()?, call.tenant_id(), call.access()?);

    let (today, is_owner) = (call.today()?, access.heads().is_empty());
    let mut photos = None;
    for _ in 0..ATTEMPTS {
        let (job, idempotency, record) = known(&call, &job_id, &sent, request.clone()).await?;
        if let Some(response_body) = idempotency.earlier_answer(record)? {
            return Ok(answer(response_body));
        }
        let mut job = job.ok_or(Code::NotFound)?;
        if job.closed {
            return Err(Code::JobClosed.into());
        }
        // D-OUTBOX-13: what was read before an import is not the new meter's.
        if sent.meter_number.as_deref().is_some_and(|read| search::number(read) != search::number(&job.master.meter.meter_number)) {
            return Err(Code::MeterExchanged.into());
        }
        let confirmed = check(&call, &job, &sent, &submission)?;
        let today_before = job.sent.on(today);
        let times = today_before.by(is_owner);
        if times >= MOST_OF_JOB {
            let tomorrow = end(Some(today), &call.time_zone()?).map_or(1, |end| (end.as_second() - call.now.as_second()).max(1));
            return Err(Problem::new(Code::TooManyReadings).with_retry_after(tomorrow.unsigned_abs()).into());
        }
        if photos.is_none() {
            // Before the photos, which cost most. The first reading of a day is bounded by the number of jobs: a manager sends them all in a row.
            if times > 0
                && let Some(wait) = store.count_repeat(tenant, access.root(), !is_owner, MOST_REPEATS, call.now).await?
            {
                return Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).into());
            }
            photos = Some(store_photos(&call, call.account_id()?, &job_id, &attached(&sent), &idempotency).await?);
        }
        job.sent = today_before.and(is_owner);
        let results = NewResult::of(&submission, photos.as_deref().unwrap_or_default(), &confirmed, &idempotency.key, call.now);
        let response_body = serde_json::to_string(&Job::new(job.with_results(&results), &call.tenant.application, access))?;
        let submitted = store.submit(
            tenant,
            SubmitResults {
                job: &job,
                results: &results,
                source: Source::Portal(call.claims()?.login),
                account_id: access.account(),
                idempotency: idempotency.record(response_body.clone(), call.now),
                deliver: call.tenant.application.webhook.is_some(),
            },
        );
        match submitted.await? {
            Submitted::Stored => return Ok(answer(response_body)),
            Submitted::Replayed { response_body } => return Ok(answer(response_body)),
            Submitted::KeyReused => return Err(Code::IdempotencyKeyReused.into()),
            Submitted::Stale => {}
        }
    }
    Err(Code::Conflict.into())
}

/// The job, and the record of the request, if it was carried out before: without a key another one once its readings are not the last of their registers any more
/// (D-READING-30).
async fn known(
    call: &Call,
    job: &JobId,
    sent: &ResultSubmission,
    mut request: Idempotency,
) -> Result<(Option<StoredJob>, Idempotency, Option<IdempotencyRecord>)> {
    let (store, tenant, access) = (call.store()?, call.tenant_id(), call.access()?);
    let is_named = call.request.idempotency_key()?.is_some();
    loop {
        let (found, record) = store.accessible_job_with_idempotency(tenant, access, job, &request.key, call.now).await?;
        match (&found, &record) {
            (Some(found), Some(record)) if !is_named && !are_last(found, sent, record.created) => request = request.again(record.created),
            _ => return Ok((found, request, record)),
        }
    }
}

/// What was sent at this time is still the last reading of each of its registers.
fn are_last(job: &StoredJob, sent: &ResultSubmission, created: Timestamp) -> bool {
    let last = |task: &TaskId| job.states.iter().find(|state| state.task_id == *task).and_then(|state| state.reading_results.last());
    // A record knows its time by the millisecond.
    let is_last = |task: &TaskId| last(task).is_some_and(|last| last.created.as_millisecond() == created.as_millisecond());
    sent.results.iter().all(|result| is_last(&result.task_id))
}

fn answer(response_body: String) -> Answer {
    Answer::bytes("application/json", response_body)
}

fn attached(sent: &ResultSubmission) -> Vec<Attached<'_>> {
    let results = sent.results.iter().enumerate();
    results.map(|(index, result)| Attached { field: format!("results[{index}].readingImages"), images: &result.reading_images }).collect()
}

/// Refuses what may not be stored; answers the warnings, which the reader has confirmed.
fn check(call: &Call, job: &StoredJob, sent: &ResultSubmission, submission: &Submission) -> Result<Vec<Finding>> {
    let application = &call.tenant.application;
    let config = resolved_config(application, &job.master);
    let context = JobContext::new(&job.master, &job.states, &config, application, call.today()?);
    let (code, findings) = match Decision::of(reading::check(&context, submission), submission.confirmed) {
        Decision::Taken(confirmed) => return Ok(confirmed),
        Decision::Refused(findings) => (Code::ReadingInvalid, findings),
        // D-READING-7: the findings go along, for the client to show each at its field.
        Decision::Unconfirmed(findings) => (Code::ConfirmationRequired, findings),
    };
    Err(Problem::new(code).with_fields(findings.into_iter().map(|finding| result_error(finding, &sent.results)).collect()).into())
}

/// What was sent, as the rules see it.
fn submission_of(sent: &ResultSubmission, reading_date: Date) -> Submission {
    let result = |result: &SubmittedReading| SubmittedResult {
        task_id: result.task_id.clone(),
        reading_value: result.reading_value.clone(),
        comment: result.comment.clone(),
        lower_reason: result.lower_reason,
        image_count: result.reading_images.len(),
    };
    Submission { reading_date, results: sent.results.iter().map(result).collect(), confirmed: sent.confirmed }
}
