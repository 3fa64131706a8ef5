use domain::ids::TenantId;
use edge::{Answer, Code};

use crate::call::Call;
use crate::content::{answer, etag_of};
use crate::error::Result;
use crate::view::HelpLanguages;

/// Whether there is a help
///
/// 404 when the tenant has switched it off or has no text.
#[utoipa::path(
    get,
    path = "/api/public/help/{applicationId}",
    tag = "application",
    params(("applicationId" = TenantId, Path, description = "The portal's own application")),
    responses(
        (status = 200, description = "Its languages", body = HelpLanguages, headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn help_languages(call: Call) -> Result<Answer> {
    let etag = etag_of(&call)?;
    if !call.tenant.application.features.help_enabled {
        return Err(Code::NotFound.into());
    }
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    let languages = match &call.preview {
        None => call.store()?.help_languages(call.tenant_id()).await?,
        Some(preview) => preview.help_languages(),
    };
    if languages.is_empty() {
        return Err(Code::NotFound.into());
    }
    answer(&etag, &HelpLanguages { languages })
}
