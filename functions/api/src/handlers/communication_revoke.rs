use edge::{Answer, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::communication::opened;
use crate::error::store_problem;

/// The end of digital communication
///
/// The addresses are forgotten; the token stays, for another registration.
#[utoipa::path(
    delete,
    path = "/api/public/communication/{selfServiceToken}",
    tag = "communication",
    params(("selfServiceToken" = String, Path, description = "From the registration info")),
    responses((status = 204, description = "Nothing is registered any more")),
)]
pub(crate) async fn communication_revoke(call: Call) -> Result<Answer, Problem> {
    let (account, _) = opened(&call).await?;
    call.store()?.revoke_registration(call.tenant_id(), &account).await.map_err(store_problem)?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
