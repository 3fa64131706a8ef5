use std::collections::BTreeSet;

use desk::members::{self, Invited, OpenInvitation};
use domain::email::EmailAddress;
use domain::ids::TenantId;
use domain::staff::{Role, may_give};
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::Inviter;

use crate::call::{Call, Visit};
use crate::error::Result;
use crate::staff::admit;
use crate::view::desk::{DeskInvitationLink, DeskMemberRequest};

/// Most invitations of a tenant that are open at a time.
const MOST_OPEN: usize = 100;

/// The invitation of a member
///
/// By a mail with a link that is good once, for seven days, for leads two (D-DESK-7). It takes the place of an open one to the same address. Where the tenant has no
/// login of its own, the person is made a user of the platform's pool, which writes a temporary password (D-DESK-18).
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/members",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskMemberRequest,
    responses(
        (status = 200, description = "The mail did not go out: the link is to be handed over", body = DeskInvitationLink),
        (status = 204, description = "The mail is on its way"),
    ),
)]
pub(crate) async fn desk_member_invite(call: Call) -> Result<Answer> {
    let DeskMemberRequest { email, roles, again } = call.request.json()?;
    let (store, tenant, own) = (call.store()?, call.tenant_id(), call.gives()?);
    if roles.is_empty() {
        return Err(Problem::invalid_field("roles", "must name at least one role").into());
    }
    if roles.iter().any(|role| !may_give(own, *role)) {
        return Err(Code::RoleBeyondOwn.into());
    }
    may_invite(&call, &email, &roles, again.as_deref()).await?;
    let words: Vec<_> = roles.iter().map(|role| role.as_str()).collect();
    call.keep_audit("members invite", None, Some(&words.join(" "))).await?;
    admit(&call, &call.tenant.application, &email).await?;
    let invited = Invited {
        email: &email,
        roles,
        by: call.by()?,
        inviter: Some(Inviter { of: tenant, member: &call.member()?.id, roles: own }),
        desk: call.desk_origin()?,
        member: None,
        shows_link: true,
    };
    invited_by_mail_or_hand(members::invite(store, call.mailer()?, tenant, invited, call.now).await?)
}

/// The answer to the member who invites.
pub(crate) fn invited_by_mail_or_hand(open: OpenInvitation) -> Result<Answer> {
    match open.not_mailed {
        Some(_) => Ok(Answer::json(StatusCode::OK, &DeskInvitationLink { link: open.link })?),
        None => Ok(Answer::empty(StatusCode::NO_CONTENT)),
    }
}

/// A tenant has at most [`MOST_OPEN`] invitations open, and the one that is sent again is among them as it was shown; its mail is counted.
pub(crate) async fn may_invite(call: &Call, email: &EmailAddress, roles: &BTreeSet<Role>, again: Option<&str>) -> Result<()> {
    let open = call.store()?.staff_invitations(call.tenant_id(), call.now).await?;
    if again.is_some_and(|shown| !open.iter().any(|(id, open)| id == shown && open.went_to(email) && open.roles == *roles)) {
        return Err(Code::Conflict.into());
    }
    count_invitation(call, call.tenant_id(), email, open.len()).await
}

/// Counts the mail of an invitation that comes to so many open ones. An open one that it replaces makes room for it, so that mails have a bound of their own.
pub(crate) async fn count_invitation(visit: &Visit, tenant: &TenantId, email: &EmailAddress, open: usize) -> Result<()> {
    if open >= MOST_OPEN {
        return Err(Code::TooManyInvitations.into());
    }
    Ok(visit.store()?.count_staff_invitation(tenant, email, visit.now).await?)
}
