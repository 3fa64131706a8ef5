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
    let answer = Answer::empty(StatusCode::NO_CONTENT);
    Ok(match call.store()?.revoke_session(call.tenant_id(), &request.refresh_token).await? {
        Some(account) => answer.with_event(call.event("logout", Some(&account))?),
        None => answer,
    })
}
