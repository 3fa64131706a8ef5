use edge::Answer;
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::staff;

/// The end of all of the member's sessions
///
/// This one is among them.
#[utoipa::path(
    delete,
    path = "/api/desk/sessions",
    tag = "desk",
    responses((status = 204, description = "The sessions have ended")),
)]
pub(crate) async fn desk_session_delete_all(visit: Visit) -> Result<Answer> {
    visit.store()?.end_staff_sessions(&visit.member()?.id).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT).with_cookie(&staff::no_session_cookie())?)
}
