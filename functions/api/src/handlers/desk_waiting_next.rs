use desk::{at_once, clearing, customers};
use domain::ids::TenantId;
use edge::{Answer, Problem};
use http::StatusCode;
use store::WaitingFilter;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskJob, DeskNext, DeskNextRequest};

/// Most characters of a place.
const MOST_CHARACTERS: usize = 300;

/// The next reading to decide about
///
/// The oldest that waits, is not put aside, and at which nobody else looks: it is the caller's for five minutes, so that two clerks get two readings. Looking at it is
/// in the audit trail.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/waiting/next",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskNextRequest,
    responses((status = 200, description = "The reading, or none", body = DeskNext)),
)]
pub(crate) async fn desk_waiting_next(call: Call) -> Result<Answer> {
    let DeskNextRequest { reason, meter_type, season, after } = call.request.json()?;
    if after.as_deref().is_some_and(|after| after.chars().nth(MOST_CHARACTERS).is_some()) {
        return Err(Problem::invalid_field("after", "must be the `place` of another reading").into());
    }
    let filter = WaitingFilter { season, meter_type, doubt: reason, before: None };
    Ok(Answer::json(StatusCode::OK, &at_once(next(&call, &filter, after.as_deref())).await?)?)
}

async fn next(call: &Call, filter: &WaitingFilter, after: Option<&str>) -> Result<DeskNext> {
    let (store, tenant, by) = (call.store()?, call.tenant_id(), call.member()?.id.as_str());
    let mut after = after.map(str::to_owned);
    while let Some((item, place)) = clearing::next(store, tenant, filter, by, after.as_deref(), call.now).await? {
        let entry = item.reading;
        let Some((file, account)) = customers::job(store, tenant, &entry.job_id).await? else {
            // The time of its job's data is over.
            after = Some(place);
            continue;
        };
        let registration = store.registration(tenant, &file.job.account_id).await?;
        let own = account.as_ref().and_then(|account| account.email.clone());
        let email = registration.and_then(|registration| registration.confirmed).or(own);
        let job = DeskJob::new(file, account.as_ref(), &call.tenant.application, call.today()?)?;
        call.keep_audit("desk waiting", Some(&job.account), Some(entry.job_id.as_str())).await?;
        let email = email.map(|email| email.as_str().to_owned());
        return Ok(DeskNext { reading: Some(entry.result_id), place: Some(place), job: Some(job), email });
    }
    Ok(DeskNext { reading: None, place: None, job: None, email: None })
}
