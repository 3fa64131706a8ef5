use desk::{at_once, clearing, customers, patiently, without_job};
use domain::ids::TenantId;
use edge::{Answer, Problem};
use http::StatusCode;
use store::{AnyReading, ClearingEntryWithoutJob, NextWaiting, WaitingFilter, WithAnother};

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskJob, DeskNext, DeskNextRequest, DeskReadingWithoutJob, DeskSuggestion, DeskThis};

/// Most characters of a place.
const MOST_CHARACTERS: usize = 300;

/// The next reading to decide about
///
/// The oldest that waits, is not put aside, and at which no other member looks: it is the caller's for five minutes, or until they took five others, so that two
/// clerks get two readings; or the one that is named. Looking at it is in the audit trail.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/waiting/next",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskNextRequest,
    responses((status = 200, description = "The reading, or none", body = DeskNext)),
)]
pub(crate) async fn desk_waiting_next(call: Call) -> Result<Answer> {
    let DeskNextRequest { reason, meter_type, season, after, this } = call.request.json()?;
    if after.as_deref().is_some_and(|after| after.chars().nth(MOST_CHARACTERS).is_some()) {
        return Err(Problem::invalid_field("after", "must be the `place` of another reading").into());
    }
    let filter = WaitingFilter { season, meter_type, doubt: reason, before: None };
    let next = match this {
        Some(this) => at_once(named(&call, &this)).await?,
        None => at_once(next(&call, &filter, after.as_deref())).await?,
    };
    Ok(Answer::json(StatusCode::OK, &next)?)
}

async fn next(call: &Call, filter: &WaitingFilter, after: Option<&str>) -> Result<DeskNext> {
    let (store, tenant, by) = (call.store()?, call.tenant_id(), call.member()?.id.as_str());
    let mut after = after.map(str::to_owned);
    loop {
        match clearing::next(store, tenant, filter, by, after.as_deref(), call.now).await? {
            NextWaiting::Found(waiting, place) => {
                if let Some(next) = shown(call, waiting.reading, place.clone()).await? {
                    return Ok(next);
                }
                // The time of its job's data is over.
                after = Some(place);
            }
            NextWaiting::Further(place) => return Ok(DeskNext { place: Some(place), ..DeskNext::none(false) }),
            NextWaiting::Nothing => return Ok(DeskNext::none(false)),
        }
    }
}

async fn named(call: &Call, this: &DeskThis) -> Result<DeskNext> {
    let (store, tenant, by) = (call.store()?, call.tenant_id(), call.member()?.id.as_str());
    let taken = patiently(|| store.take_this(tenant, (&this.job, &this.reading), by, call.now)).await?;
    let Some((reading, place)) = (match taken {
        Ok(taken) => taken,
        Err(WithAnother) => return Ok(DeskNext::none(true)),
    }) else {
        return Ok(DeskNext::none(false));
    };
    Ok(shown(call, reading, place).await?.unwrap_or_else(|| DeskNext::none(false)))
}

/// None: its job is not there any more.
async fn shown(call: &Call, reading: AnyReading, place: String) -> Result<Option<DeskNext>> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let entry = match reading {
        AnyReading::OfJob(reading) => reading.entry,
        AnyReading::WithoutJob(reading) => return shown_without_job(call, &reading, place).await.map(Some),
    };
    let Some((file, account)) = customers::job(store, tenant, &entry.job_id).await? else { return Ok(None) };
    let registration = store.registration(tenant, &file.job.account_id).await?;
    let own = account.as_ref().and_then(|account| account.email.clone());
    let email = registration.and_then(|registration| registration.confirmed).or(own);
    let job = DeskJob::new(file, account.as_ref(), &call.tenant.application, call.today()?)?;
    call.keep_audit("desk waiting", Some(&job.account), Some(entry.job_id.as_str())).await?;
    let email = email.map(|email| email.as_str().to_owned());
    Ok(Some(DeskNext { reading: Some(entry.result_id), place: Some(place), job: Some(job), email, ..DeskNext::none(false) }))
}

async fn shown_without_job(call: &Call, reading: &ClearingEntryWithoutJob, place: String) -> Result<DeskNext> {
    let suggestions = without_job::suggestions(call.store()?, call.tenant_id(), &reading.entry).await?;
    let shown = DeskReadingWithoutJob::new(reading, None)?;
    call.keep_audit("desk waiting", shown.sender.as_ref(), Some(shown.id.as_str())).await?;
    Ok(DeskNext {
        reading: Some(shown.id.to_string()),
        place: Some(place),
        suggestions: suggestions.into_iter().map(DeskSuggestion::from).collect(),
        email: shown.email.clone(),
        without_job: Some(shown),
        ..DeskNext::none(false)
    })
}
