use domain::config_check::LOGO_FILE;
use edge::{Answer, Code, Etag};

use store::{Logo, file_hash};

use crate::call::Call;
use crate::error::Result;

/// The portal's logo
#[utoipa::path(
    get,
    path = "/api/public/application/logo.png",
    tag = "application",
    responses(
        (status = 200, description = "The logo", body = [u8], content_type = "image/png", headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn application_logo(call: Call) -> Result<Answer> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let logo = match &call.preview {
        None => store.logo(tenant).await?,
        Some(preview) => {
            let png = preview.content(store, tenant, LOGO_FILE).await?;
            png.map(|png| Logo { etag: file_hash(&png), png })
        }
    };
    let logo = logo.ok_or(Code::NotFound)?;
    let etag = Etag::of(&[&logo.etag]);
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    Ok(Answer::bytes("image/png", logo.png).with_etag(&etag).revalidated())
}
