use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::{AskedErasure, Holds};

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskErasure, DeskErasureRequest};

/// Asks for the erasure of a person's data
///
/// Of the account and of all that it shared (GDPR, Art. 17); it begins within a quarter of an hour, or where the tenant wants it once a second member has confirmed
/// it. Asking again while it is under way changes nothing.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/erasures/{account}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    request_body = DeskErasureRequest,
    responses((status = 202, description = "Asked for", body = DeskErasure)),
)]
pub(crate) async fn desk_erasure_create(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let DeskErasureRequest { confirmation, ground } = call.request.json()?;
    let (store, tenant, settings) = (call.store()?, call.tenant_id(), &call.tenant.application);
    if settings.retention.legal_hold {
        return Err(Code::LegalHold.into());
    }
    // Of a visitor, or of a share that was deleted, there may be something without an account.
    if store.account(tenant, &account).await?.is_none()
        && store.subject_within(tenant, &account, 0).await?.is_some_and(|found| found.is_empty())
    {
        return Err(Code::NotFound.into());
    }
    if store.hold_of(tenant, &account).await?.is_some() {
        return Err(Code::LegalHold.into());
    }
    if confirmation.trim() != account.as_str() {
        return Err(Problem::invalid_field("confirmation", "must be the account's id").into());
    }
    let member = call.member()?.id.clone();
    let asked = AskedErasure { member: member.clone(), by: call.by()?.to_owned(), ground };
    call.keep_audit("desk erasure", Some(&account), None).await?;
    let erasure = store.ask_for_erasure(tenant, &account, asked, settings.desk.erasure.needs_second_member, call.now).await?;
    Ok(Answer::json(StatusCode::ACCEPTED, &DeskErasure::new(erasure, &member, &Holds::default()))?)
}
