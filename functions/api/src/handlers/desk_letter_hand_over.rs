use desk::runs;
use domain::ids::{RunId, TenantId};
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::{LettersEnd, Run, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::{MOST_RUNS, start};
use crate::view::desk::{DeskLettersHandOverRequest, DeskRun, files_until};

/// Drawn letters go to their recipients
///
/// From now on their login data come into effect, and they cannot be called back. To ask again goes on with it. `conflict` when they were called back, are not
/// drawn to their end, or are older than their files, and as long as the tenant is in rehearsal.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/letters/{run}/hand-over",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("run" = RunId, Path, description = "The run that drew them")),
    request_body = DeskLettersHandOverRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_letter_hand_over(call: Call) -> Result<Answer> {
    let DeskLettersHandOverRequest { lang } = call.request.json()?;
    let (store, tenant, member, id): (_, _, _, RunId) = (call.store()?, call.tenant_id(), &call.member()?.id, call.path("run")?);
    let drawn = store.run(tenant, &id).await?.filter(|run| matches!(run.new.task, RunTask::Letters(_))).ok_or(Code::NotFound)?;
    let is_its = |run: &Run| matches!(&run.new.task, RunTask::HandOver { letters, .. } if *letters == id);
    let goes_on = |run: &Run| is_its(run) && matches!(run.state, RunState::Open | RunState::Done);
    if let Some(run) = store.runs(tenant, 1, goes_on).await?.pop() {
        return Ok(Answer::json(StatusCode::ACCEPTED, &DeskRun::new(run, member, call.now))?);
    }
    if store.tenant_now(tenant).await?.is_some_and(|tenant| tenant.application.rehearsal) {
        return Err(Problem::new(Code::Conflict).with_cause("the tenant is in rehearsal").into());
    }
    let task = RunTask::HandOver { letters: id.clone(), lang };
    // Before it is decided: a member who is refused can still call them back.
    runs::same(&store.runs(tenant, MOST_RUNS, |_| true).await?, &task, member, call.now)?;
    let end = LettersEnd { handed_over: true, at: call.now, by: call.by()?.to_owned() };
    if files_until(drawn.new.asked) <= call.now || !store.end_letters(tenant, &id, &end).await? {
        return Err(Code::Conflict.into());
    }
    start(&call, task, None, ("desk letters handed over", Some(id.as_str()))).await
}
