use domain::ids::{AccountId, TenantId};
use domain::login::link_token;
use edge::{Answer, Code, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::communication::{ask_for_confirmation, is_builtin};
use crate::error::Result;
use crate::mails::{address, idempotency};
use crate::view::desk::DeskCommunicationRequest;

/// Digital communication for a customer who asks by phone
///
/// As at the portal the address counts once its owner has opened the link of the mail that it gets; one that is confirmed already goes on until then.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/customers/{account}/communication",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the same address gets one mail an hour"),
    ),
    request_body = DeskCommunicationRequest,
    responses((status = 202, description = "The mail is on its way")),
)]
pub(crate) async fn desk_communication_create(call: Call) -> Result<Answer> {
    let request: DeskCommunicationRequest = call.request.json()?;
    is_builtin(&call)?;
    let id: AccountId = call.path("account")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let account = store.account(tenant, &id).await?.filter(|account| account.share.is_none()).ok_or(Code::NotFound)?;
    let email = address(&request.email, "email")?;
    if !request.privacy_accepted {
        return Err(Problem::invalid_field("privacyAccepted", "must be true: without consent the address is not kept").into());
    }
    let idempotency = idempotency(&call, &["desk_communication_create", id.as_str()])?;
    store.open_registration(tenant, &id, &link_token(store::random()?)).await?;
    ask_for_confirmation(&call, &id, account.top(), &email, account.language.as_deref(), &idempotency).await?;
    call.keep_audit("desk communication", Some(&id), None).await?;
    Ok(Answer::empty(StatusCode::ACCEPTED))
}
