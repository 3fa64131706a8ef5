use desk::members::{self, Invited};
use domain::ids::{MemberId, TenantId};
use domain::staff::may_give;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::Inviter;

use crate::call::Call;
use crate::error::Result;
use crate::handlers::desk_member_invite::may_invite;
use crate::staff::admit;

/// The invitation of a member whose login at the identity provider is another one now
///
/// With the member's roles, by a mail to the member's own address. The person who accepts is that member from then on, with all that is in their name, and the
/// former login leads to no member any more (D-DESK-9).
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/members/{member}/invitation",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("member" = MemberId, Path, description = "The member"),
        ("again" = Option<String>, Query, description = "The invitation that is sent again, as it was shown: where it is not open any more, nobody is invited"),
    ),
    responses((status = 204, description = "The mail is on its way")),
)]
pub(crate) async fn desk_member_reinvite(call: Call) -> Result<Answer> {
    let id: MemberId = call.path("member")?;
    let (store, tenant, own) = (call.store()?, call.tenant_id(), call.gives()?);
    let again = call.request.query("again");
    if id == call.member()?.id {
        return Err(Code::OwnMembership.into());
    }
    let members = store.members(tenant, call.now).await?;
    // Access for a time is asked for anew, by the platform's staff.
    let membership = members.into_iter().find(|membership| membership.member.id == id && membership.until.is_none());
    let membership = membership.ok_or(Code::NotFound)?;
    if membership.roles.iter().any(|role| !may_give(own, *role)) {
        return Err(Code::RoleBeyondOwn.into());
    }
    let Some(email) = membership.member.email else {
        let told = "The identity provider has told no address of this member. Use `zaehlwerk members invite --member`.";
        return Err(Problem::new(Code::RequestInvalid).with_detail(told).into());
    };
    may_invite(&call, &email, &membership.roles, again.as_deref()).await?;
    call.keep_audit("members reinvite", None, Some(id.as_str())).await?;
    admit(&call, &call.tenant.application, &email).await?;
    let invited = Invited {
        email: &email,
        roles: membership.roles,
        by: call.by()?,
        inviter: Some(Inviter { of: tenant, member: &call.member()?.id, roles: own }),
        desk: call.desk_origin()?,
        member: Some(id),
        shows_link: false,
    };
    members::invite(store, call.mailer()?, tenant, invited, call.now).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
