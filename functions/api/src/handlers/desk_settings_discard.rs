use desk::settings;
use domain::ids::TenantId;
use edge::Answer;

use crate::call::Call;
use crate::error::Result;
use crate::tenant_settings::{answer, read};
use crate::view::desk::DeskSettings;

/// All drafts are forgotten
///
/// What is in effect stays.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/settings/drafts",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The settings", body = DeskSettings)),
)]
pub(crate) async fn desk_settings_discard(call: Call) -> Result<Answer> {
    let found = read(&call).await?;
    settings::discard(call.store()?, call.tenant_id(), &found).await?;
    answer(&call).await
}
