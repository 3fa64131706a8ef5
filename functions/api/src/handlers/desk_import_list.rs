use desk::{at_once, imports};
use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use store::{Run, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::LISTED_RUNS;
use crate::view::desk::{DeskImport, DeskImports, DeskRun};

/// Most imports on a list.
const MOST: usize = 100;

/// Imports of files
///
/// The last ones, by commands and at the desk; and what was asked for at the desk lately.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/imports",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The imports", body = DeskImports)),
)]
pub(crate) async fn desk_import_list(call: Call) -> Result<Answer> {
    let (store, tenant, member) = (call.store()?, call.tenant_id(), &call.member()?.id);
    let imports = at_once(imports::list(store, tenant)).await?;
    let runs = store.runs(tenant, LISTED_RUNS, is_import).await?;
    Ok(Answer::json(
        StatusCode::OK,
        &DeskImports {
            imports: imports.into_iter().take(MOST).map(|run| DeskImport::new(run, call.now)).collect(),
            runs: runs.into_iter().map(|run| DeskRun::new(run, member, call.now)).collect(),
        },
    )?)
}

/// It is about an import, or keeps one from going on.
fn is_import(run: &Run) -> bool {
    run.state == RunState::Open || matches!(run.new.task, RunTask::Rehearsal(_) | RunTask::Import { .. } | RunTask::Undo { .. })
}
