use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// Ends a hold on what is stored about a person
///
/// From then on it is kept as long as that of others. Without a hold nothing happens.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/holds/{account}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    responses((status = 204, description = "It is not held")),
)]
pub(crate) async fn desk_hold_delete(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    // Somebody with whom a customer shared may be gone, and the hold is still there.
    let is_held = store.holds(tenant).await?.list().iter().any(|hold| hold.account == account);
    if !is_held && store.account(tenant, &account).await?.is_none() {
        return Err(Code::NotFound.into());
    }
    call.keep_audit_of_account("desk hold ended", &account).await?;
    store.end_hold(tenant, &account).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
