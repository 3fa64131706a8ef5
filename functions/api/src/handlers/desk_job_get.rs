use desk::{at_once, customers};
use domain::ids::{JobId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskJob;

/// A job with every reading of it
///
/// And what it takes to judge a reading before it is sent. Looking at it is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/jobs/{job}",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("job" = JobId, Path, description = "The job")),
    responses((status = 200, description = "The job", body = DeskJob)),
)]
pub(crate) async fn desk_job_get(call: Call) -> Result<Answer> {
    let id: JobId = call.path("job")?;
    let found = at_once(customers::job(call.store()?, call.tenant_id(), &id)).await?;
    let (file, account) = found.ok_or(Code::NotFound)?;
    let job = DeskJob::new(file, account.as_ref(), &call.tenant.application, call.today()?)?;
    call.keep_audit("desk job", Some(&job.account), Some(id.as_str())).await?;
    Ok(Answer::json(StatusCode::OK, &job)?)
}
