use domain::config_check::INSTRUCTIONS_FILE;
use domain::ids::TenantId;
use edge::Answer;

use crate::call::Call;
use crate::content::{answer, etag_of};
use crate::error::Result;
use crate::view::MeterReadingHelp;

/// How to read certain meters
#[utoipa::path(
    get,
    path = "/api/public/meterReadingHelp/{applicationId}",
    tag = "application",
    params(("applicationId" = TenantId, Path, description = "The portal's own application")),
    responses(
        (status = 200, description = "The instructions", body = MeterReadingHelp, headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn instructions_get(call: Call) -> Result<Answer> {
    let etag = etag_of(&call)?;
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    let instructions = match &call.preview {
        None => call.store()?.instructions(call.tenant_id()).await?,
        Some(preview) => preview.document(call.store()?, call.tenant_id(), INSTRUCTIONS_FILE).await?.unwrap_or_default(),
    };
    answer(&etag, &MeterReadingHelp { instructions })
}
