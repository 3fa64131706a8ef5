use domain::ids::TenantId;
use domain::staff::ProviderId;
use edge::Answer;
use http::StatusCode;
use store::TenantOfMember;

use crate::call::Visit;
use crate::error::Result;
use crate::view::{DeskMe, DeskMembership};

/// The member who is logged in
///
/// With the member's tenants, and when the session ends.
#[utoipa::path(
    get,
    path = "/api/desk/me",
    tag = "desk",
    responses((status = 200, description = "The member", body = DeskMe)),
)]
pub(crate) async fn desk_me(visit: Visit) -> Result<Answer> {
    let (store, login) = (visit.store()?, visit.staff()?);
    let mut memberships = Vec::new();
    let mut is_platform = false;
    for TenantOfMember { tenant: id, roles, until } in store.tenants_of_member(&login.member.id, visit.now).await? {
        if id == TenantId::platform() {
            is_platform = login.member.provider.opens(&ProviderId::platform(), until.is_some());
        } else if let Some(tenant) = store.tenant(&id).await?
            && login.member.provider.opens(&ProviderId::of(&tenant.application), until.is_some())
        {
            let (name, is_in_rehearsal) = (tenant.application.name.clone(), tenant.application.rehearsal);
            memberships.push(DeskMembership { tenant: id, name, is_in_rehearsal, roles });
        }
    }
    Ok(Answer::json(StatusCode::OK, &DeskMe::new(login, visit.by()?, memberships, is_platform))?)
}
