use desk::members;
use domain::ids::TenantId;
use domain::staff::ProviderId;
use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskMembers;

/// The tenant's members
///
/// And the persons who are invited.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/members",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The members", body = DeskMembers)),
)]
pub(crate) async fn desk_member_list(call: Call) -> Result<Answer> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let members = members::list(store, tenant, call.now).await?;
    let asks = store.access_asks(tenant, call.now).await?;
    Ok(Answer::json(
        StatusCode::OK,
        &DeskMembers::new(members, asks, &call.member()?.id, call.gives()?, &ProviderId::of(&call.tenant.application)),
    )?)
}
