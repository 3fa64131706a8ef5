use desk::at_once;
use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::tenant_settings::version;
use crate::view::desk::DeskSettingsFiles;

/// A version of the settings
///
/// The files of a version of the settings.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/settings/versions/{version}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("version" = String, Path, description = "The version's id"),
    ),
    responses((status = 200, description = "Its files", body = DeskSettingsFiles)),
)]
pub(crate) async fn desk_settings_version(call: Call) -> Result<Answer> {
    let version = version(&call).await?;
    let files = at_once(call.store()?.tenant_files(call.tenant_id(), &version.files)).await?;
    Ok(Answer::json(StatusCode::OK, &DeskSettingsFiles::new(&files))?)
}
