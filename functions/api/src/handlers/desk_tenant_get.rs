use domain::ids::TenantId;
use domain::staff::Role;
use edge::Answer;
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::platform::tenant_of;
use crate::view::desk::{DeskTenant, DeskTenantAccess};

/// A tenant
///
/// As the platform's staff sees it: where it is reached, whether it has a lead, and what access the caller has.
#[utoipa::path(
    get,
    path = "/api/desk/platform/tenants/{tenant}",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The tenant", body = DeskTenant)),
)]
pub(crate) async fn desk_tenant_get(visit: Visit) -> Result<Answer> {
    let (store, member, now) = (visit.store()?, &visit.member()?.id, visit.now);
    let tenant = tenant_of(&visit).await?;
    let id = &tenant.application_id;
    let members = store.members(id, now).await?;
    let leads = members.iter().filter(|one| one.roles.contains(&Role::Lead) && one.until.is_none()).count();
    let mut invited = store.staff_invitations(id, now).await?;
    invited.retain(|(_, invitation)| invitation.roles.contains(&Role::Lead));
    let access = match store.timed_access(id, member, now).await? {
        Some((roles, until)) => Some(DeskTenantAccess::given(roles, until)),
        None => store.access_ask(id, member, now).await?.map(DeskTenantAccess::from),
    };
    Ok(Answer::json(StatusCode::OK, &DeskTenant::new(&tenant, leads, invited, access))?)
}
