use edge::Answer;
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::view::{DeskSession, DeskSessions};

/// Most sessions of an answer.
const MOST: usize = 50;

/// The member's sessions
///
/// At most 50 sessions, those used last.
#[utoipa::path(
    get,
    path = "/api/desk/sessions",
    tag = "desk",
    responses((status = 200, description = "The sessions", body = DeskSessions)),
)]
pub(crate) async fn desk_session_list(visit: Visit) -> Result<Answer> {
    let login = visit.staff()?;
    let sessions = visit.store()?.staff_sessions(&login.member.id, visit.now).await?;
    let sessions = sessions.iter().take(MOST).map(|session| DeskSession::new(session, &login.session)).collect();
    Ok(Answer::json(StatusCode::OK, &DeskSessions { sessions })?)
}
