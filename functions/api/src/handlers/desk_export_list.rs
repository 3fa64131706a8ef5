use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskExports;

/// Most exports on a list.
const MOST: usize = 100;

/// Exports of readings
///
/// The last ones, to tables and to the market.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/exports",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The exports", body = DeskExports)),
)]
pub(crate) async fn desk_export_list(call: Call) -> Result<Answer> {
    let exports = call.store()?.exports_of_readings(call.tenant_id()).await?;
    let exports = exports.into_iter().rev().take(MOST).map(Into::into).collect();
    Ok(Answer::json(StatusCode::OK, &DeskExports { exports })?)
}
