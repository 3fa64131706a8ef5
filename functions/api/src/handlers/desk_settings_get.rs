use domain::ids::TenantId;
use edge::Answer;

use crate::call::Call;
use crate::error::Result;
use crate::tenant_settings;
use crate::view::desk::DeskSettings;

/// The tenant's settings
///
/// The files of its bundle in effect, what is to be different, what is wrong with that, and what was in effect before.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/settings",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The settings", body = DeskSettings)),
)]
pub(crate) async fn desk_settings_get(call: Call) -> Result<Answer> {
    tenant_settings::answer(&call).await
}
