use desk::{at_once, imports};
use domain::ids::{ImportId, TenantId};
use edge::{Answer, Code, Problem};
use store::RunTask;

use crate::call::Call;
use crate::error::Result;
use crate::runs::start;
use crate::view::desk::{DeskRun, DeskUndoRequest};

/// An import taken back
///
/// What it wrote is taken back unless it was used since; the rest stays, and is listed.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/imports/{import}/undo",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("import" = ImportId, Path, description = "The import")),
    request_body = DeskUndoRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_import_undo(call: Call) -> Result<Answer> {
    let DeskUndoRequest { lang } = call.request.json()?;
    let id: ImportId = call.path("import")?;
    let imports = at_once(imports::list(call.store()?, call.tenant_id())).await?;
    let import = imports.into_iter().find(|run| run.id == id).ok_or(Code::NotFound)?;
    if !imports::can_be_undone(&import, call.now) {
        return Err(Problem::invalid_field("import", "is older than 90 days, has readings, or was taken back already").into());
    }
    start(&call, RunTask::Undo { import: id, lang }, None, ("desk import undone", Some(&import.file))).await
}
