use desk::settings;
use domain::ids::TenantId;
use edge::Answer;

use crate::call::Call;
use crate::error::Result;
use crate::platform::editor;
use crate::tenant_settings::{answer, read, refused};
use crate::view::desk::{DeskSettings, DeskSettingsRequest};

/// The drafts are put into effect
///
/// All together, as they were shown; the portal has them within a minute. With a fault in one of them, or one that was begun from a file that is not in effect any more,
/// nothing is.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/settings",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskSettingsRequest,
    responses((status = 200, description = "They are in effect", body = DeskSettings)),
)]
pub(crate) async fn desk_settings_apply(call: Call) -> Result<Answer> {
    let DeskSettingsRequest { state } = call.request.json()?;
    let found = read(&call).await?;
    if found.is_ready(&state) {
        call.keep_audit("desk settings", None, None).await?;
    }
    settings::apply(call.store()?, &found, &state, editor(&call)?).await.map_err(refused("state"))?;
    answer(&call).await
}
