use desk::clearing::{self, About, NotUndone};
use desk::{at_once, without_job};
use domain::ids::{JobId, TenantId};
use domain::text::Lang;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use jiff::Timestamp;
use store::is_without_job;

use super::desk_decision_create::overtaken;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::query::value;

/// Takes a decision back
///
/// Or a reading from where it was put aside, if its moment is named. Until it went out with an export or to the webhook: then decide anew. Where nothing is decided, nothing is left to be done.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/jobs/{job}/readings/{reading}/decision",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("job" = JobId, Path, description = "The job"),
        ("reading" = String, Path, description = "The reading's id"),
        ("made" = Option<String>, Query, description = "`at` of the decision that is meant: another one stays", format = DateTime),
    ),
    responses((status = 204, description = "The reading waits as before")),
)]
pub(crate) async fn desk_decision_delete(call: Call) -> Result<Answer> {
    let (job, reading): (JobId, String) = (call.path("job")?, call.path("reading")?);
    let about = About { job: &job, reading: &reading, version: None };
    let made: Option<Timestamp> = value(&call, "made")?;
    if is_without_job(&job) {
        return undo_without_job(&call, &job, about, made).await;
    }
    let entry = match at_once(clearing::undo(call.store()?, call.tenant_id(), about, made)).await {
        Ok((entry, _)) => entry,
        Err(NotUndone::Undecided(entry)) => *entry,
        Err(not_undone) => return Err(problem(not_undone, about)),
    };
    call.keep_audit("desk undo", entry.account_id.as_ref(), Some(job.as_str())).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}

async fn undo_without_job(call: &Call, reading: &JobId, about: About<'_>, made: Option<Timestamp>) -> Result<Answer> {
    match at_once(without_job::undo(call.store()?, call.tenant_id(), reading, made)).await {
        Ok(_) | Err(NotUndone::Nothing) => {}
        Err(not_undone) => return Err(problem(not_undone, about)),
    }
    call.keep_audit("desk undo", None, Some(reading.as_str())).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}

fn problem(not_undone: NotUndone, about: About<'_>) -> Error {
    let detail = not_undone.text(about);
    let detail = detail.of(Lang::En);
    match not_undone {
        NotUndone::Failed(failure) => failure.into(),
        NotUndone::Taken(_) => Problem::new(Code::DecisionSent).with_detail(detail).into(),
        NotUndone::Decided(clearing) => overtaken(Some(&*clearing), detail).into(),
        NotUndone::Proposed(_) | NotUndone::PutAside(_) => overtaken(None, detail).into(),
        _ => Code::NotFound.into(),
    }
}
