use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;
use jiff::Timestamp;

use crate::call::Call;
use crate::error::Result;
use crate::query::value;

/// Ends a hold on what is stored about a person
///
/// From then on it is kept as long as that of others. Without a hold nothing happens; another one than that which is meant stays, and the answer is `conflict`.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/holds/{account}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
        ("since" = String, Query, description = "`since` of the hold that is meant", format = DateTime),
    ),
    responses((status = 204, description = "It is not held")),
)]
pub(crate) async fn desk_hold_delete(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let since: Option<Timestamp> = value(&call, "since")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let holds = store.holds(tenant).await?;
    // The account of a share may be gone, and its hold is still there.
    let Some(hold) = holds.own(&account) else {
        let is_known = store.account(tenant, &account).await?.is_some();
        return if is_known { Ok(Answer::empty(StatusCode::NO_CONTENT)) } else { Err(Code::NotFound.into()) };
    };
    if since != Some(hold.at) {
        return Err(Code::Conflict.into());
    }
    call.keep_audit_of_account("desk hold ended", &account).await?;
    store.end_hold(tenant, &account, hold.at).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
