use domain::config::VisitorReadingConfig;
use domain::ids::TenantId;
use edge::{Answer, Code};

use crate::call::Call;
use crate::content::{answer, etag_of};
use crate::error::Result;

/// The settings of readings without a job
///
/// 404 when the tenant takes no such readings.
#[utoipa::path(
    get,
    path = "/api/public/unknown-readings/config/{applicationId}",
    tag = "visitor-reading",
    params(("applicationId" = TenantId, Path, description = "The portal's own application")),
    responses(
        (status = 200, description = "Meter types, rates, reasons and limits", body = VisitorReadingConfig, headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn visitor_config_get(call: Call) -> Result<Answer> {
    let etag = etag_of(&call)?;
    let application = &call.tenant.application;
    if !application.config.unknown_user_reading.unknown_user_reading_allowed && !application.features.unknown_readings_allowed {
        return Err(Code::NotFound.into());
    }
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    answer(&etag, &application.unknown_reading)
}
