use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::communication::opened;
use crate::error::Result;
use crate::view::CommunicationState;

/// What is registered under a self-service token
#[utoipa::path(
    get,
    path = "/api/public/communication/{selfServiceToken}",
    tag = "communication",
    params(("selfServiceToken" = String, Path, description = "From the registration info")),
    responses((status = 200, description = "The registration", body = CommunicationState)),
)]
pub(crate) async fn communication_get(call: Call) -> Result<Answer> {
    let (_, registration) = opened(&call).await?;
    Ok(Answer::json(StatusCode::OK, &CommunicationState::new(&registration, call.now))?)
}
