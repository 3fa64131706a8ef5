use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// Confirms an erasure
///
/// By a member who did not ask for it. One that has begun goes on as it does.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/erasures/{account}/confirmation",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    responses((status = 204, description = "It begins within a quarter of an hour")),
)]
pub(crate) async fn desk_erasure_confirm(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let me = &call.member()?.id;
    if call.tenant.application.retention.legal_hold {
        return Err(Code::LegalHold.into());
    }
    let (store, tenant) = (call.store()?, call.tenant_id());
    let erasure = store.erasure(tenant, &account).await?.ok_or(Code::NotFound)?;
    if erasure.awaits_second {
        if store.holds(tenant).await?.of(&account, &erasure.ancestors).is_some() {
            return Err(Code::LegalHold.into());
        }
        if erasure.asked.is_some_and(|asked| asked.member == *me) {
            return Err(Code::SecondMemberNeeded.into());
        }
        call.keep_audit("desk erasure confirmed", Some(&account), None).await?;
        store.confirm_erasure(tenant, &account).await?;
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
