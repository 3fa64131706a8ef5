use desk::settings;
use domain::ids::TenantId;
use edge::Answer;

use crate::call::Call;
use crate::error::Result;
use crate::platform::editor;
use crate::tenant_settings::{answer, read, version};
use crate::view::desk::{DeskSettings, DeskSettingsRequest};

/// Back to a version
///
/// Its files become drafts in place of those that were shown: looked at and put into effect as any others.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/settings/versions/{version}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("version" = String, Path, description = "The version's id"),
    ),
    request_body = DeskSettingsRequest,
    responses((status = 200, description = "They are drafts", body = DeskSettings)),
)]
pub(crate) async fn desk_settings_back(call: Call) -> Result<Answer> {
    let DeskSettingsRequest { state } = call.request.json()?;
    let version = version(&call).await?;
    let found = read(&call).await?;
    settings::go_back(call.store()?, call.tenant_id(), &found, (&version, &state), editor(&call)?).await?;
    answer(&call).await
}
