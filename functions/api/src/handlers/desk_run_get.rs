use domain::ids::{RunId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskRun;

/// A run
///
/// Its progress, or its outcome.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/runs/{run}",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("run" = RunId, Path, description = "The run")),
    responses((status = 200, description = "The run", body = DeskRun)),
)]
pub(crate) async fn desk_run_get(call: Call) -> Result<Answer> {
    let run = call.store()?.run(call.tenant_id(), &call.path("run")?).await?.ok_or(Code::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &DeskRun::new(run, &call.member()?.id, call.now))?)
}
