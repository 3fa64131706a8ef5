use domain::ids::{AccountId, TenantId};
use domain::login::link_token;
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::communication::is_builtin;
use crate::error::Result;

/// The end of digital communication for a customer who asks by phone
///
/// The addresses that they registered are forgotten, and no reminder or invitation goes to the address of the utility's file.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/customers/{account}/communication",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    responses((status = 204, description = "Nothing is registered any more")),
)]
pub(crate) async fn desk_communication_delete(call: Call) -> Result<Answer> {
    is_builtin(&call)?;
    let id: AccountId = call.path("account")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    if store.account(tenant, &id).await?.is_none_or(|account| account.share.is_some()) {
        return Err(Code::NotFound.into());
    }
    // Without a registration there is no place for what the customer wants.
    store.open_registration(tenant, &id, &link_token(store::random()?)).await?;
    store.end_registration(tenant, &id, call.now).await?;
    store.stop_reminders(tenant, &id).await?;
    call.keep_audit("desk communication ended", Some(&id), None).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
