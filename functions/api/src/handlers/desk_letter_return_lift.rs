use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// A customer's address is right again
///
/// The customer's account gets letters again.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/letters/returned/{account}",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("account" = AccountId, Path, description = "Whose letter it was")),
    responses((status = 204, description = "It can be written to")),
)]
pub(crate) async fn desk_letter_return_lift(call: Call) -> Result<Answer> {
    let (store, tenant, account): (_, _, AccountId) = (call.store()?, call.tenant_id(), call.path("account")?);
    let invitee = store.invitees(tenant, std::slice::from_ref(&account), call.now).await?.pop().ok_or(Code::NotFound)?;
    if invitee.returned.is_some() {
        call.keep_audit("desk letter not returned", Some(&account), None).await?;
        store.note_return(tenant, &invitee, None).await?;
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
