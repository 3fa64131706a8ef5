use desk::{at_once, webhook};
use domain::ids::TenantId;
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// The end of a message that could not be delivered
///
/// The receiver never gets it. Its readings stay as they are.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/webhook/messages/{message}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("message" = String, Path, description = "The message"),
    ),
    responses((status = 204, description = "It is gone")),
)]
pub(crate) async fn desk_webhook_discard(call: Call) -> Result<Answer> {
    let message: String = call.path("message")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let dead = at_once(webhook::dead(store, tenant)).await?;
    let dead = dead.into_iter().find(|dead| dead.delivery.id(tenant) == message).ok_or(Code::NotFound)?;
    call.keep_audit("webhook discard", None, Some(&message)).await?;
    store.discard_dead_letter(tenant, &dead).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
