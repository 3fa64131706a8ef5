use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// Whether the portal can be reached
///
/// The portal asks now and then whether it is online; no cache may answer.
#[utoipa::path(
    head,
    path = "/api/public/application",
    tag = "application",
    responses((status = 200, description = "It can be reached")),
)]
pub(crate) async fn application_head(_call: Call) -> Result<Answer> {
    Ok(Answer::empty(StatusCode::OK))
}
