use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::platform::tenant_of;

/// The end of one's own access
///
/// And of what was asked for.
#[utoipa::path(
    delete,
    path = "/api/desk/platform/tenants/{tenant}/access",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 204, description = "No access any more")),
)]
pub(crate) async fn desk_access_end(visit: Visit) -> Result<Answer> {
    let tenant = tenant_of(&visit).await?.application_id;
    let (store, member) = (visit.store()?, &visit.member()?.id);
    store.forget_access_ask(&tenant, member).await?;
    if store.end_access(&tenant, member).await? {
        visit.keep_audit_at(&tenant, "desk access ended", None).await?;
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
