use desk::at_once;
use desk::clearing::{self, About, NotUndone};
use domain::ids::{JobId, TenantId};
use domain::text::Lang;
use edge::{Answer, Code, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// Takes a decision back
///
/// Until it went out with an export or to the webhook: then decide anew. Where nothing is decided, nothing is left to be done.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/jobs/{job}/readings/{reading}/decision",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("job" = JobId, Path, description = "The job"),
        ("reading" = String, Path, description = "The reading's id"),
    ),
    responses((status = 204, description = "The reading waits as before")),
)]
pub(crate) async fn desk_decision_delete(call: Call) -> Result<Answer> {
    let (job, reading): (JobId, String) = (call.path("job")?, call.path("reading")?);
    let about = About { job: &job, reading: &reading, version: None };
    let entry = match at_once(clearing::undo(call.store()?, call.tenant_id(), about)).await {
        Ok((entry, _)) => entry,
        Err(NotUndone::Undecided(entry)) => *entry,
        Err(NotUndone::Failed(failure)) => return Err(failure.into()),
        Err(NotUndone::Unknown | NotUndone::Several | NotUndone::Gone) => return Err(Code::NotFound.into()),
        Err(taken @ NotUndone::Taken(_)) => {
            return Err(Problem::new(Code::DecisionSent).with_detail(taken.text(about).of(Lang::En)).into());
        }
    };
    call.keep_audit("desk undo", entry.account_id.as_ref(), Some(job.as_str())).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
