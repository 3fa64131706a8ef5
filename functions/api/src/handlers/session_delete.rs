use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// The end of a session
///
/// Its device is logged out at once.
#[utoipa::path(
    delete,
    path = "/api/pro/session/{sessionId}",
    tag = "account",
    params(("sessionId" = String, Path, description = "One of the account's own sessions")),
    responses((status = 204, description = "The session has ended")),
)]
pub(crate) async fn session_delete(call: Call) -> Result<Answer> {
    let session: String = call.path("sessionId")?;
    match call.store()?.end_session(call.tenant_id(), call.account_id()?, &session).await? {
        true => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        false => Err(Code::NotFound.into()),
    }
}
