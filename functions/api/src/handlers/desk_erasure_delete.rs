use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// Takes the request for an erasure back
///
/// As long as it awaits a second member.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/erasures/{account}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    responses((status = 204, description = "Nothing is erased")),
)]
pub(crate) async fn desk_erasure_delete(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    if !store.erasure(tenant, &account).await?.ok_or(Code::NotFound)?.awaits_second {
        return Err(Code::Conflict.into());
    }
    call.keep_audit_of_account("desk erasure withdrawn", &account).await?;
    store.withdraw_erasure(tenant, &account).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
