use desk::settings;
use domain::ids::TenantId;
use edge::{Answer, Problem};

use crate::call::Call;
use crate::error::Result;
use crate::platform::editor;
use crate::tenant_settings::{answer, read, refused};
use crate::view::desk::{DeskSettings, DeskSettingsDraftRequest, content_of};

/// A file is to be different
///
/// It has no effect before it is put into effect. What is as it is in effect is no draft any more.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/settings/drafts",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskSettingsDraftRequest,
    responses((status = 200, description = "It is kept", body = DeskSettings)),
)]
pub(crate) async fn desk_settings_draft(call: Call) -> Result<Answer> {
    let DeskSettingsDraftRequest { file, content, seen } = call.request.json()?;
    let no_base64 = || Problem::invalid_field("content", "must be Base64");
    let content = content.map(|content| content_of(&file, &content).ok_or_else(no_base64)).transpose()?;
    let found = read(&call).await?;
    let drafted =
        settings::draft(call.store()?, call.tenant_id(), &found, (&file, content.as_deref()), seen.as_deref(), editor(&call)?).await;
    drafted.map_err(refused("file"))?;
    answer(&call).await
}
