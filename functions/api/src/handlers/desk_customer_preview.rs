use desk::at_once;
use domain::ids::{AccountId, TenantId};
use domain::login::link_token;
use edge::{Answer, Code};
use http::StatusCode;
use jiff::SignedDuration;
use store::CustomerPreview;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskPreview;

/// The life of a preview.
const LIFE: SignedDuration = SignedDuration::from_mins(15);

/// The portal as a customer sees it
///
/// An address of the portal that shows it for a quarter of an hour, and lets nothing be done. It is in the audit trail.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/customers/{account}/preview",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    responses((status = 200, description = "The address", body = DeskPreview)),
)]
pub(crate) async fn desk_customer_preview(call: Call) -> Result<Answer> {
    let (store, tenant, account) = (call.store()?, call.tenant_id(), call.path::<AccountId>("account")?);
    let found = at_once(store.account(tenant, &account)).await?;
    // Of sub-accounts the utility knows nothing.
    found.filter(|found| found.share.is_none()).ok_or(Code::NotFound)?;
    call.keep_audit("desk customer preview", Some(&account), None).await?;
    let (token, until) = (link_token(store::random()?), call.now + LIFE);
    let preview = CustomerPreview { account, member: call.member()?.id.clone(), until };
    at_once(store.put_customer_preview(tenant, &token, &preview)).await?;
    // Behind the `#` the token reaches no server's log, and no other page as its referrer.
    let url = format!("{}/vorschau#{token}", call.tenant.application.portal_url);
    Ok(Answer::json(StatusCode::OK, &DeskPreview { url, expires_at: until })?)
}
