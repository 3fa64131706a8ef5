use edge::Answer;
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;

/// The end of one of the member's sessions
///
/// Its browser is logged out at once. One that has ended already is none that could be ended.
#[utoipa::path(
    delete,
    path = "/api/desk/sessions/{session}",
    tag = "desk",
    params(("session" = String, Path, description = "One of the member's own sessions")),
    responses((status = 204, description = "The session has ended")),
)]
pub(crate) async fn desk_session_delete(visit: Visit) -> Result<Answer> {
    let session: String = visit.path("session")?;
    let is_session = session.len() == 64 && session.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_session {
        let member = &visit.member()?.id;
        visit.audit_member(member, visit.by()?, "desk session ended").await?;
        visit.store()?.end_staff_session(member, &session).await?;
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
