use domain::login::link_token_hash;
use edge::{Answer, Code, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::communication::is_builtin;
use crate::error::store_problem;

/// The owner of an address confirms it
///
/// With the token of the link in the mail, as often as they like while the link works.
#[utoipa::path(
    post,
    path = "/api/public/communication/confirmation/{token}",
    tag = "communication",
    params(("token" = String, Path, description = "From the link in the mail")),
    responses((status = 204, description = "The address is confirmed")),
)]
pub(crate) async fn communication_confirm(call: Call) -> Result<Answer, Problem> {
    is_builtin(&call)?;
    let token: String = call.path("token")?;
    let confirmed =
        call.store()?.confirm_registration(call.tenant_id(), &link_token_hash(&token), call.now).await.map_err(store_problem)?;
    match confirmed {
        true => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        false => Err(Problem::new(Code::NotFound)),
    }
}
