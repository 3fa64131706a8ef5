use desk::{at_once, webhook};
use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskWebhook, MOST_MESSAGES};

/// The state of the receiver of readings
///
/// What waits for it, and what it did not take.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/webhook",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The receiver", body = DeskWebhook)),
)]
pub(crate) async fn desk_webhook_get(call: Call) -> Result<Answer> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let standing = at_once(webhook::standing(store, tenant, MOST_MESSAGES)).await?;
    let dead = at_once(webhook::dead(store, tenant)).await?;
    Ok(Answer::json(StatusCode::OK, &DeskWebhook::new(tenant, standing, &dead))?)
}
