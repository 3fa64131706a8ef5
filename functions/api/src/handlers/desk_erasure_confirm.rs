use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;
use store::ErasureConfirmed;

use crate::call::Call;
use crate::error::Result;

/// Confirms an erasure
///
/// By a member who did not ask for it.
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
    if call.tenant.application.retention.legal_hold {
        return Err(Code::LegalHold.into());
    }
    match call.store()?.confirm_erasure(call.tenant_id(), &account, &call.member()?.id).await? {
        ErasureConfirmed::Begun => {}
        ErasureConfirmed::Own => return Err(Code::SecondMemberNeeded.into()),
        ErasureConfirmed::Nothing => return Err(Code::NotFound.into()),
    }
    call.keep_audit("desk erasure confirmed", Some(&account), None).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
