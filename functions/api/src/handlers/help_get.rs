use domain::ids::TenantId;
use edge::{Answer, Code};

use crate::call::Call;
use crate::content::etag_of;
use crate::error::Result;

/// The help text
///
/// Markdown; in the tenant's default language if there is none in this one.
#[utoipa::path(
    get,
    path = "/api/public/help/{applicationId}/{language}",
    tag = "application",
    params(
        ("applicationId" = TenantId, Path, description = "The portal's own application"),
        ("language" = String, Path, description = "Such as `de-FORMAL`"),
    ),
    responses(
        (status = 200, description = "The text", body = String, content_type = "text/markdown; charset=utf-8", headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn help_get(call: Call) -> Result<Answer> {
    let etag = etag_of(&call)?;
    let application = &call.tenant.application;
    let language: String = call.path("language")?;
    // A language that the portal does not have cannot be the name of a text either.
    if !application.features.help_enabled || !application.languages.iter().any(|known| known.name == language) {
        return Err(Code::NotFound.into());
    }
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    let text = match &call.preview {
        None => call.store()?.help(call.tenant_id(), [&language, &application.default_language]).await?,
        Some(preview) => preview.help(call.store()?, call.tenant_id(), [&language, &application.default_language]).await?,
    };
    let text = text.ok_or(Code::NotFound)?;
    Ok(Answer::bytes("text/markdown; charset=utf-8", text).with_etag(&etag).revalidated())
}
