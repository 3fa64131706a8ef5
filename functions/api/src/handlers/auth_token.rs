use edge::{Answer, Code, Problem};

use crate::call::Call;
use crate::view::{TokenRequest, TokenResponse};

/// Login
///
/// With user name and password, with the token of a link or QR code, or with the refresh token of an earlier login, which is used up by it.
#[utoipa::path(
    post,
    path = "/auth/token",
    tag = "auth",
    request_body = TokenRequest,
    responses((status = 200, description = "Logged in", body = TokenResponse)),
)]
pub(crate) async fn auth_token(_call: Call) -> Result<Answer, Problem> {
    Err(Problem::new(Code::TemporarilyUnavailable))
}
