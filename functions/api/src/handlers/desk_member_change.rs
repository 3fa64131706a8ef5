use desk::members::{self, Changed};
use domain::ids::{MemberId, TenantId};
use domain::staff::may_give;
use edge::{Answer, Code, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskRolesRequest;

/// Other roles for a member
///
/// From the member's next request on. Members change no roles of their own, and give or take none whose rights they do not have themselves (D-DESK-11).
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/members/{member}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("member" = MemberId, Path, description = "The member"),
    ),
    request_body = DeskRolesRequest,
    responses((status = 204, description = "It is so")),
)]
pub(crate) async fn desk_member_change(call: Call) -> Result<Answer> {
    let member: MemberId = call.path("member")?;
    let DeskRolesRequest { roles, seen } = call.request.json()?;
    let (store, tenant, own) = (call.store()?, call.tenant_id(), call.gives()?);
    if roles.is_empty() {
        return Err(Problem::invalid_field("roles", "must name at least one role").into());
    }
    if member == call.member()?.id {
        return Err(Code::OwnMembership.into());
    }
    let before = store.roles_of(tenant, &member, call.now).await?;
    if before.is_empty() {
        return Err(Code::NotFound.into());
    }
    if before != seen {
        // The same request comes again when its answer was lost.
        return if before == roles { done(Changed::Done) } else { Err(Code::Conflict.into()) };
    }
    if roles.symmetric_difference(&before).any(|role| !may_give(own, *role)) {
        return Err(Code::RoleBeyondOwn.into());
    }
    let words: Vec<_> = roles.iter().map(|role| role.as_str()).collect();
    call.keep_audit("members change", None, Some(&format!("{member} {}", words.join(" ")))).await?;
    done(members::change(store, tenant, &member, (&before, &roles), call.now).await?)
}

/// The answer to the member who changed or ended a membership.
pub(crate) fn done(changed: Changed) -> Result<Answer> {
    match changed {
        Changed::Done => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        Changed::Unknown => Err(Code::NotFound.into()),
        Changed::TooFewLeads => Err(Code::TooFewLeads.into()),
    }
}
