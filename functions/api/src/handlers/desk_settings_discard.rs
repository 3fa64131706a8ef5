use desk::settings;
use domain::ids::TenantId;
use edge::{Answer, Code};

use crate::call::Call;
use crate::error::Result;
use crate::tenant_settings::{answer, read};
use crate::view::desk::DeskSettings;

/// All drafts are forgotten
///
/// As they were shown. What is in effect stays.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/settings/drafts",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("state" = String, Query, description = "The state that was shown"),
    ),
    responses((status = 200, description = "The settings", body = DeskSettings)),
)]
pub(crate) async fn desk_settings_discard(call: Call) -> Result<Answer> {
    let shown = call.request.query("state").ok_or(Code::MalformedRequest)?.into_owned();
    let found = read(&call).await?;
    settings::discard(call.store()?, call.tenant_id(), &found, &shown).await?;
    answer(&call).await
}
