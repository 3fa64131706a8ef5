use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::communication::is_builtin;
use crate::error::Result;

/// The end of digital communication
///
/// The addresses are forgotten. A confirmed one takes the token with it, which is in its mails; the registration info has another one.
#[utoipa::path(
    delete,
    path = "/api/public/communication/{selfServiceToken}",
    tag = "communication",
    params(("selfServiceToken" = String, Path, description = "From the registration info")),
    responses((status = 204, description = "Nothing is registered any more")),
)]
pub(crate) async fn communication_revoke(call: Call) -> Result<Answer> {
    is_builtin(&call)?;
    let token: String = call.path("selfServiceToken")?;
    match call.store()?.revoke_registration(call.tenant_id(), &token, call.now).await? {
        true => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        false => Err(Code::NotFound.into()),
    }
}
