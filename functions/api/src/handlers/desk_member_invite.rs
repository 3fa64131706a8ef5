use desk::members::{self, Invited};
use domain::ids::TenantId;
use domain::staff::may_give;
use edge::{Answer, Code, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskMemberRequest;

/// Most invitations of a tenant that are open at a time.
pub(crate) const MOST_OPEN: usize = 100;

/// The invitation of a member
///
/// By a mail with a link that is good once, for seven days, for leads two (D-DESK-7). It takes the place of an open one to the same address.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/members",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskMemberRequest,
    responses((status = 204, description = "The mail is on its way")),
)]
pub(crate) async fn desk_member_invite(call: Call) -> Result<Answer> {
    let DeskMemberRequest { email, roles } = call.request.json()?;
    let (store, tenant, own) = (call.store()?, call.tenant_id(), call.gives()?);
    if roles.is_empty() {
        return Err(Problem::invalid_field("roles", "must name at least one role").into());
    }
    if roles.iter().any(|role| !may_give(own, *role)) {
        return Err(Code::RoleBeyondOwn.into());
    }
    has_room(&call).await?;
    let words: Vec<_> = roles.iter().map(|role| role.as_str()).collect();
    call.keep_audit("members invite", None, Some(&words.join(" "))).await?;
    let invited =
        Invited { email: &email, roles, by: call.by()?, inviter: Some(call.member()?.id.clone()), desk: call.desk_origin()?, member: None };
    members::invite(store, call.mailer()?, tenant, invited, call.now).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}

/// A tenant has at most [`MOST_OPEN`] invitations open.
pub(crate) async fn has_room(call: &Call) -> Result<()> {
    let open = call.store()?.staff_invitations(call.tenant_id(), call.now).await?.len();
    if open < MOST_OPEN { Ok(()) } else { Err(Code::TooManyInvitations.into()) }
}
