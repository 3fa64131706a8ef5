use domain::config_check::CONTACT_FILE;
use domain::ids::TenantId;
use edge::Answer;

use crate::call::Call;
use crate::content::{answer, etag_of};
use crate::error::Result;
use crate::view::ContactInformation;

/// How to reach the utility
#[utoipa::path(
    get,
    path = "/api/public/contact/{applicationId}",
    tag = "application",
    params(("applicationId" = TenantId, Path, description = "The portal's own application")),
    responses(
        (status = 200, description = "The texts", body = ContactInformation, headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn contact_get(call: Call) -> Result<Answer> {
    let etag = etag_of(&call)?;
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    let contact_information_items = match &call.preview {
        None => call.store()?.contact(call.tenant_id()).await?,
        Some(preview) => preview.document(call.store()?, call.tenant_id(), CONTACT_FILE).await?.unwrap_or_default(),
    };
    answer(&etag, &ContactInformation { contact_information_items })
}
