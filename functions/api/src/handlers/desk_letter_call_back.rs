use domain::ids::{RunId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;
use store::{LettersEnd, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;

/// Drawn letters are called back
///
/// What is in them never works. `conflict` when they were handed over, or are not drawn to their end.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/letters/{run}/call-back",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("run" = RunId, Path, description = "The run that drew them")),
    responses((status = 204, description = "They are called back")),
)]
pub(crate) async fn desk_letter_call_back(call: Call) -> Result<Answer> {
    let (store, tenant, id): (_, _, RunId) = (call.store()?, call.tenant_id(), call.path("run")?);
    let drawn = store.run(tenant, &id).await?.filter(|run| matches!(run.new.task, RunTask::Letters(_))).ok_or(Code::NotFound)?;
    if drawn.letters_end.is_none() && drawn.state == RunState::Done {
        call.keep_audit("desk letters called back", None, Some(id.as_str())).await?;
    }
    let end = LettersEnd { handed_over: false, at: call.now, by: call.by()?.to_owned() };
    if !store.end_letters(tenant, &id, &end).await? {
        return Err(Code::Conflict.into());
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
