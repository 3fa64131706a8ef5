use edge::{Answer, Etag};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::{PublicApplication, VIEW_VERSION};

/// The portal's config
///
/// Everything that the portal needs to know before anybody logs in. Revalidates with `If-None-Match`.
#[utoipa::path(
    get,
    path = "/api/public/application",
    tag = "application",
    responses(
        (status = 200, description = "The config", body = PublicApplication, headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn application_get(call: Call) -> Result<Answer> {
    let is_preview = call.preview.is_some();
    let etag = Etag::of(&[
        VIEW_VERSION,
        &call.tenant.version,
        if call.reads_photos() { "reads photos" } else { "" },
        if is_preview { "preview" } else { "" },
    ]);
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    Ok(Answer::json(
        StatusCode::OK,
        &PublicApplication { is_preview: is_preview.then_some(true), ..PublicApplication::new(&call.tenant, call.reads_photos()) },
    )?
    .with_etag(&etag)
    .revalidated())
}
