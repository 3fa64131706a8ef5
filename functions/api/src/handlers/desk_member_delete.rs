use desk::members::{self, Changed};
use domain::ids::{MemberId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::handlers::desk_member_change::done;

/// The end of a membership
///
/// At the member's next request. Open invitations to the member's address end with it.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/members/{member}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("member" = MemberId, Path, description = "The member"),
    ),
    responses((status = 204, description = "No member any more")),
)]
pub(crate) async fn desk_member_delete(call: Call) -> Result<Answer> {
    let member: MemberId = call.path("member")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    if member == call.member()?.id {
        return Err(Code::OwnMembership.into());
    }
    if call.gives()?.is_empty() {
        return Err(Code::RoleBeyondOwn.into());
    }
    if !store.roles_of(tenant, &member, call.now).await?.is_empty() {
        call.keep_audit("members remove", None, Some(member.as_str())).await?;
    }
    match members::remove(store, tenant, &member, call.now).await? {
        // A removal that was cut off before its end is brought there by whoever asks once more.
        Changed::Unknown => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        changed => done(changed),
    }
}
