use domain::ids::TenantId;
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// The withdrawal of an invitation
///
/// Its link is good no more. One that was accepted or withdrawn before changes nothing.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/invitations/{invitation}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("invitation" = String, Path, description = "The invitation"),
    ),
    responses((status = 204, description = "There is no such invitation any more")),
)]
pub(crate) async fn desk_member_withdraw(call: Call) -> Result<Answer> {
    let id: String = call.path("invitation")?;
    let is_id = id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id {
        return Err(Code::NotFound.into());
    }
    call.keep_audit("members withdraw", None, None).await?;
    call.store()?.withdraw_staff_invitation(call.tenant_id(), &id).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
