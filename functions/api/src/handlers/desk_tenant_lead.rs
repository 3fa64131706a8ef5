use desk::members::{self, Invited};
use domain::ids::TenantId;
use domain::staff::Role;
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::handlers::desk_member_invite::MOST_OPEN;
use crate::platform::tenant_of;
use crate::view::desk::DeskTenantLeadRequest;

/// The invitation of a lead
///
/// By the tenant's own mail (D-DESK-7). Whoever leads a tenant invites all others.
#[utoipa::path(
    post,
    path = "/api/desk/platform/tenants/{tenant}/leads",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskTenantLeadRequest,
    responses((status = 204, description = "The mail is on its way")),
)]
pub(crate) async fn desk_tenant_lead(visit: Visit) -> Result<Answer> {
    let tenant = tenant_of(&visit).await?.application_id;
    let DeskTenantLeadRequest { email } = visit.request.json()?;
    let (store, roles) = (visit.store()?, [Role::Lead, Role::Privacy]);
    if store.staff_invitations(&tenant, visit.now).await?.len() >= MOST_OPEN {
        return Err(Code::TooManyInvitations.into());
    }
    visit.keep_audit_at(&tenant, "members invite", Some("lead privacy")).await?;
    let inviter = Some(visit.member()?.id.clone());
    let invited = Invited { email: &email, roles: roles.into(), by: visit.by()?, inviter, desk: visit.desk_origin()?, member: None };
    members::invite(store, visit.mailer()?, &tenant, invited, visit.now).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
