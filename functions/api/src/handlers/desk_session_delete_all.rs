use edge::Answer;

use super::desk_logout::logged_out;
use crate::call::Visit;
use crate::error::Result;
use crate::view::DeskLogout;

/// The end of all of the member's sessions
///
/// This one is among them. Says where the browser ends that of the identity provider.
#[utoipa::path(
    delete,
    path = "/api/desk/sessions",
    tag = "desk",
    responses((status = 200, description = "The sessions have ended", body = DeskLogout)),
)]
pub(crate) async fn desk_session_delete_all(visit: Visit) -> Result<Answer> {
    let member = &visit.member()?.id;
    visit.audit_member(member, visit.by()?, "desk sessions ended").await?;
    visit.store()?.end_staff_sessions(member).await?;
    logged_out(&visit).await
}
