use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::session::check_application;
use crate::view::LogoutRequest;

/// Logout
///
/// Revokes the refresh token and everything that came from the same login, access tokens too. The answer is the same for a token that is unknown.
#[utoipa::path(
    post,
    path = "/auth/logout",
    tag = "auth",
    request_body = LogoutRequest,
    responses((status = 204, description = "The session has ended")),
)]
pub(crate) async fn auth_logout(call: Call) -> Result<Answer> {
    let request: LogoutRequest = call.request.json()?;
    check_application(&call, &request.application_id)?;
    call.store()?.revoke_session(call.tenant_id(), &request.refresh_token).await?;
    let account = request.refresh_token.rsplitn(3, '.').nth(2).and_then(|account| account.parse().ok());
    Ok(Answer::empty(StatusCode::NO_CONTENT).with_event(call.event("logout", account.as_ref())?))
}
