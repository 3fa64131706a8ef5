use edge::{Answer, Code, Etag};

use crate::call::Call;
use crate::error::Result;

/// The portal's icon for home screens
///
/// The logo on the colour of the header, made when the tenant was applied: square, in PNG, and its middle stays visible in every shape that a system cuts.
#[utoipa::path(
    get,
    path = "/api/public/application/icon/{side}",
    tag = "application",
    params(("side" = u16, Path, description = "Pixels a side: 180, 192 or 512")),
    responses(
        (status = 200, description = "The icon", body = [u8], content_type = "image/png", headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn application_icon(call: Call) -> Result<Answer> {
    let icon = call.store()?.icon(call.tenant_id(), call.path("side")?).await?;
    let icon = icon.ok_or(Code::NotFound)?;
    let etag = Etag::of(&[&icon.etag]);
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    Ok(Answer::bytes("image/png", icon.png).with_etag(&etag).revalidated())
}
