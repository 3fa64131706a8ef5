use edge::{Answer, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::communication::opened;
use crate::view::CommunicationState;

/// What is registered under a self-service token
#[utoipa::path(
    get,
    path = "/api/public/communication/{selfServiceToken}",
    tag = "communication",
    params(("selfServiceToken" = String, Path, description = "From the registration info")),
    responses((status = 200, description = "The registration", body = CommunicationState)),
)]
pub(crate) async fn communication_get(call: Call) -> Result<Answer, Problem> {
    let (_, registration) = opened(&call).await?;
    Answer::json(StatusCode::OK, &CommunicationState::new(&registration, call.now))
}
