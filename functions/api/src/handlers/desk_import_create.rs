use domain::ids::{RunId, TenantId};
use edge::{Answer, Code, Problem};
use jiff::SignedDuration;
use store::{Run, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::{resume, start};
use crate::view::desk::{DeskImportRequest, DeskRun};

/// How long what a rehearsal showed is taken for what is so.
const HOLDS: SignedDuration = SignedDuration::from_hours(24);

/// An import of a file as a rehearsal showed it
///
/// Of one rehearsal there is one import, however often it is asked for; one that was cancelled goes on with `resumes`. Where many jobs would be closed, `closing` says how many.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/imports",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskImportRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_import_create(call: Call) -> Result<Answer> {
    let DeskImportRequest { rehearsal, closing, resumes } = call.request.json()?;
    let rehearsed = call.store()?.run(call.tenant_id(), &rehearsal).await?.ok_or(Code::NotFound)?;
    let Run { new, state: RunState::Done, outcome: Some(outcome), .. } = rehearsed else {
        return Err(Problem::invalid_field("rehearsal", "must be one that is done").into());
    };
    let (RunTask::Rehearsal(task), Some(shown)) = (new.task, outcome.import) else {
        return Err(Problem::invalid_field("rehearsal", "must be a rehearsal of an import").into());
    };
    if call.now.duration_since(new.asked) > HOLDS {
        return Err(Problem::invalid_field("rehearsal", "is older than a day; rehearse once more").into());
    }
    let id: RunId = format!("{rehearsal}-import").parse()?;
    let begun = if resumes { call.store()?.run(call.tenant_id(), &id).await? } else { None };
    // The member who began it was asked for the number.
    if begun.is_none() && shown.closing.is_some_and(|shown| shown.is_much && closing != Some(shown.missing)) {
        return Err(Problem::invalid_field("closing", "must be the number of jobs that would be closed").into());
    }
    let name = task.name.clone();
    if let Some(begun) = begun.filter(|begun| begun.state == RunState::Cancelled) {
        let imports = call.store()?.imports(call.tenant_id()).await?;
        let own = imports.iter().find(|import| import.id.as_str() == id.as_str());
        // What came since would be overwritten by older lines, also if no line of this one is in.
        if own.is_some_and(|own| own.undone.is_some()) || imports.iter().any(|other| other.begun > begun.new.asked) {
            let why = "was taken back, or another import was begun since; rehearse once more";
            return Err(Problem::invalid_field("resumes", why).into());
        }
        resume(&call, &begun, ("desk import resumed", Some(&name))).await?;
    }
    start(&call, RunTask::Import { rehearsal, task }, Some(id), ("desk import", Some(&name))).await
}
