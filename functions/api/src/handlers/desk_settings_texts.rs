use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskOwnTexts;

/// The texts of mails and letters that a tenant may write itself
///
/// With what stands there without one of its own.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/settings/texts",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("language" = Option<String>, Query, description = "Such as `de-FORMAL`; absent: the tenant's own"),
    ),
    responses((status = 200, description = "The texts", body = DeskOwnTexts)),
)]
pub(crate) async fn desk_settings_texts(call: Call) -> Result<Answer> {
    let language = call.request.query("language");
    let language = language.as_deref().unwrap_or(&call.tenant.application.default_language);
    Ok(Answer::json(StatusCode::OK, &DeskOwnTexts::new(language))?)
}
