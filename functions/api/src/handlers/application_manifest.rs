use edge::{Answer, Etag};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::{Manifest, VIEW_VERSION};

/// The web app manifest
///
/// Name, colour and icons of the portal on a home screen.
#[utoipa::path(
    get,
    path = "/api/public/application/manifest/manifest.json",
    tag = "application",
    responses(
        (status = 200, description = "The manifest", body = Manifest, content_type = "application/manifest+json", headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn application_manifest(call: Call) -> Result<Answer> {
    let etag = Etag::of(&[VIEW_VERSION, "manifest", &call.tenant.version]);
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    Ok(Answer::json(StatusCode::OK, &Manifest::new(&call.tenant.application))?
        .with_content_type("application/manifest+json")
        .with_etag(&etag)
        .revalidated())
}
