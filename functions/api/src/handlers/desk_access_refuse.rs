use domain::ids::{MemberId, TenantId};
use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// Access is refused
///
/// To the member of the platform's staff who asked for it. They may ask again.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/access/{member}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("member" = MemberId, Path, description = "Who asks"),
    ),
    responses((status = 204, description = "It is asked for no more")),
)]
pub(crate) async fn desk_access_refuse(call: Call) -> Result<Answer> {
    let member: MemberId = call.path("member")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    if let Some(ask) = store.access_ask(tenant, &member, call.now).await? {
        call.keep_audit("desk access refused", None, Some(&ask.by)).await?;
        store.forget_access_ask(tenant, &member).await?;
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
