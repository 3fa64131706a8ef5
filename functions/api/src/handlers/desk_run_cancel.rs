use domain::ids::{RunId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// The end of a run
///
/// Before it is through. What it did stays done: an export that has a number already is finished by the next one.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/runs/{run}",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("run" = RunId, Path, description = "The run")),
    responses((status = 204, description = "It is over")),
)]
pub(crate) async fn desk_run_cancel(call: Call) -> Result<Answer> {
    let (store, tenant, id): (_, _, RunId) = (call.store()?, call.tenant_id(), call.path("run")?);
    store.run(tenant, &id).await?.ok_or(Code::NotFound)?;
    call.keep_audit("desk run cancelled", None, Some(id.as_str())).await?;
    store.cancel_run(tenant, &id, call.now).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
