use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// The end of all sessions
///
/// Every device is logged out at once, the caller's own too. The login data stay good, and accounts below are not touched.
#[utoipa::path(
    delete,
    path = "/api/pro/session",
    tag = "account",
    responses((status = 204, description = "All sessions have ended")),
)]
pub(crate) async fn session_delete_all(call: Call) -> Result<Answer> {
    call.store()?.end_all_sessions(call.tenant_id(), call.account_id()?).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
