use desk::members::{self, Invited};
use domain::ids::TenantId;
use domain::staff::Role;
use edge::Answer;
use store::Inviter;

use crate::call::Visit;
use crate::error::Result;
use crate::handlers::desk_member_invite::{count_invitation, invited_by_mail_or_hand};
use crate::platform::tenant_of;
use crate::staff::admit;
use crate::view::desk::{DeskInvitationLink, DeskTenantLeadRequest};

/// The invitation of a lead
///
/// By the tenant's own mail (D-DESK-7); where the tenant has no login of its own, to a user of the platform's pool (D-DESK-18). The lead invites all others.
#[utoipa::path(
    post,
    path = "/api/desk/platform/tenants/{tenant}/leads",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskTenantLeadRequest,
    responses(
        (status = 200, description = "The mail did not go out: the link is to be handed over", body = DeskInvitationLink),
        (status = 204, description = "The mail is on its way"),
    ),
)]
pub(crate) async fn desk_tenant_lead(visit: Visit) -> Result<Answer> {
    let application = tenant_of(&visit).await?;
    let tenant = &application.application_id;
    let DeskTenantLeadRequest { email } = visit.request.json()?;
    let (store, roles, platform) = (visit.store()?, [Role::Lead, Role::Privacy], TenantId::platform());
    let open = store.staff_invitations(tenant, visit.now).await?.len();
    count_invitation(&visit, tenant, &email, open).await?;
    visit.keep_audit_at(tenant, "members invite", Some("lead privacy")).await?;
    admit(&visit, &application, &email).await?;
    let invited = Invited {
        email: &email,
        roles: roles.into(),
        by: visit.by()?,
        inviter: Some(Inviter { of: &platform, member: &visit.member()?.id, roles: visit.roles()? }),
        desk: visit.desk_origin()?,
        member: None,
        shows_link: true,
    };
    invited_by_mail_or_hand(members::invite(store, visit.mailer()?, tenant, invited, visit.now).await?)
}
