use desk::{at_once, webhook};
use domain::ids::TenantId;
use edge::{Answer, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskRetried, DeskRetryRequest, MOST_MESSAGES};

/// Another attempt for messages that could not be delivered
///
/// They are sent within a minute, together with what waited for a later attempt. Also to an address that was said to be gone.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/webhook/retry",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskRetryRequest,
    responses((status = 200, description = "They wait again", body = DeskRetried)),
)]
pub(crate) async fn desk_webhook_retry(call: Call) -> Result<Answer> {
    let DeskRetryRequest { messages } = call.request.json()?;
    if messages.len() > MOST_MESSAGES {
        return Err(Problem::invalid_field("messages", "must be at most 500").into());
    }
    call.keep_audit("webhook retry", None, None).await?;
    let retried = at_once(webhook::retry(call.store()?, call.tenant_id(), &messages, MOST_MESSAGES)).await?;
    Ok(Answer::json(StatusCode::OK, &DeskRetried::from(retried))?)
}
