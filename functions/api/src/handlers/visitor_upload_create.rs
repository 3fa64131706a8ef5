use edge::Answer;

use super::upload_create::permit;
use crate::call::Call;
use crate::error::Result;
use crate::view::{UploadRequest, UploadTicket};

/// Permission to send a visitor's photo ahead
///
/// As `POST /api/pro/upload`.
#[utoipa::path(
    post,
    path = "/api/unknown-readings/upload",
    tag = "visitor-reading",
    request_body = UploadRequest,
    responses((status = 201, description = "Where to put the photo", body = UploadTicket)),
)]
pub(crate) async fn visitor_upload_create(call: Call) -> Result<Answer> {
    permit(&call).await
}
