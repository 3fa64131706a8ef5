use desk::at_once;
use desk::entry::{
    self, Answered, Counter, Desk, ENTERED_BEFORE, Entering, JOB_UNKNOWN, NewReading, Once, Outcome, Photos, Remark, Stored,
};
use domain::ids::{ImageId, TenantId};
use edge::{Answer, Code, Problem};
use http::StatusCode;
use serde::Deserialize;
use store::StoredJob;

use crate::call::Call;
use crate::desk_entry::{problem, short};
use crate::digest::hex;
use crate::error::Result;
use crate::idempotency::Idempotency;
use crate::photos::{Attached, store_photos};
use crate::reading_date::reading_date;
use crate::view::SubmittedImage;
use crate::view::desk::{DeskEntered, DeskEntry, DeskOutcome, DeskRemark};

/// A reading that staff enter for a customer
///
/// By the rules of the portal; what comes twice is entered once. With `trial` nothing is stored.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/readings",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the request's content is the key"),
    ),
    request_body = DeskEntry,
    responses((status = 200, description = "Entered, or there already", body = DeskEntered)),
)]
pub(crate) async fn desk_reading_create(call: Call) -> Result<Answer> {
    let sent: DeskEntry = call.request.json()?;
    let idempotency = Idempotency::of(&call, &["desk_reading_create"])?;
    at_once(create(&call, &sent, &idempotency)).await
}

async fn create(call: &Call, sent: &DeskEntry, idempotency: &Idempotency) -> Result<Answer> {
    let desk = Desk::of(call.store()?, call.tenant_id()).await?;
    let job = match (&sent.job, sent.meter_number.as_deref()) {
        (Some(job), _) => job.clone(),
        (None, Some(number)) => match desk.job_of_meter(number).await? {
            Ok(job) => job,
            Err(remark) => return Err(refused(sent, &[remark]).into()),
        },
        (None, None) => return Err(Problem::invalid_field("job", "name the job or the meter").into()),
    };
    let mut reading = NewReading {
        job: job.clone(),
        channel: sent.channel.into(),
        reading_date: reading_date(&sent.reading_date, &call.time_zone()?)?,
        values: sent.values.iter().map(|one| Counter { register: one.register.clone(), value: one.value.clone() }).collect(),
        comment: sent.comment.clone(),
        lower_reason: sent.lower_reason,
        photos: Photos::Announced(sent.images.len()),
    };
    let by = call.by()?.to_owned();
    let (confirmed, late) = (short("confirmed", &sent.confirmed)?, short("late", &sent.late)?);
    let entering = Entering { by, confirmed, late, replaces: Some(sent.replaces.clone()) };
    // The record stands with the job's account; another member's key is another one.
    let key = hex(&[b"desk", call.member()?.id.as_str().as_bytes(), idempotency.key.as_bytes()]);
    let stored = |stored: &Stored| entered(DeskOutcome::Stored, stored);
    let answer = |of: &Stored| serde_json::to_string(&stored(of)).unwrap_or_default();
    let once = Once { key_hash: &key, request_hash: &idempotency.request, answer: &answer };
    let wish = (!sent.trial).then_some(&once);
    let is_trial = sent.trial || !sent.images.is_empty();
    let mut answered = desk.enter_once(&reading, &entering, is_trial, wish, call.now).await?;
    // Photos are stored only for a reading that is taken.
    if let (false, true, Answered::First(Outcome::Stored(tried))) = (sent.trial, is_trial, &answered) {
        let of_request = Idempotency { key: key.clone(), request: idempotency.request.clone() };
        reading.photos = Photos::Stored(photos(call, &tried.job, sent, &of_request).await?);
        answered = desk.enter_once(&reading, &entering, false, wish, call.now).await?;
    }
    let entered = match answered {
        Answered::Repeated(body) => {
            // The first attempt may have been stopped before it was in the trail, or its receipt was sent.
            call.keep_audit_of_job("desk reading", &job).await?;
            let Entered { readings } = serde_json::from_str(&body)?;
            entry::receipt_again(&desk, call.mailer()?, &job, readings, call.now).await?;
            return Ok(Answer::bytes("application/json", body));
        }
        Answered::KeyReused => return Err(Code::IdempotencyKeyReused.into()),
        Answered::First(Outcome::Refused(remarks)) => return Err(refused(sent, &remarks).into()),
        Answered::First(Outcome::Unconfirmed(remarks)) => return Err(problem(Code::ConfirmationRequired, sent, &remarks).into()),
        Answered::First(Outcome::Unchanged { done }) => {
            DeskEntered { outcome: DeskOutcome::Unchanged, job, readings: Vec::new(), done, doubts: Vec::new(), remarks: Vec::new() }
        }
        Answered::First(Outcome::Stored(tried)) if sent.trial => entered(DeskOutcome::Tried, &tried),
        Answered::First(Outcome::Stored(new)) => {
            call.keep_audit_of_job("desk reading", &job).await?;
            entry::receipt(&desk, call.mailer()?, &new, call.now).await?;
            stored(&new)
        }
    };
    Ok(Answer::json(StatusCode::OK, &entered)?)
}

/// What an answer says of the readings that it is about.
#[derive(Deserialize)]
struct Entered {
    readings: Vec<String>,
}

/// Stores the photos that were sent ahead.
async fn photos(call: &Call, job: &StoredJob, sent: &DeskEntry, idempotency: &Idempotency) -> Result<Vec<ImageId>> {
    let images: Vec<_> = sent.images.iter().map(|image| SubmittedImage::Uploaded { upload_id: image.upload_id.clone() }).collect();
    let attached = [Attached { field: "images".into(), images: &images }];
    Ok(store_photos(call, &job.account_id, &job.master.id, &attached, idempotency).await?.concat())
}

fn entered(outcome: DeskOutcome, Stored { job, readings, confirmed, doubts }: &Stored) -> DeskEntered {
    DeskEntered {
        outcome,
        job: job.master.id.clone(),
        readings: readings.clone(),
        done: job.done,
        doubts: doubts.clone(),
        remarks: confirmed.iter().map(DeskRemark::from).collect(),
    }
}

/// Why nothing was entered.
fn refused(sent: &DeskEntry, remarks: &[Remark]) -> Problem {
    let all = |code: &str| !remarks.is_empty() && remarks.iter().all(|remark| remark.code == code);
    match () {
        () if all(JOB_UNKNOWN) => Problem::new(Code::NotFound),
        () if all(ENTERED_BEFORE) => problem(Code::EnteredBefore, sent, remarks),
        () if !remarks.is_empty() && remarks.iter().all(Remark::is_of_another) => problem(Code::ReadAlready, sent, remarks),
        () => problem(Code::ReadingInvalid, sent, remarks),
    }
}
