use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use outbound::webhook::{Endpoint, cause_text};

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskWebhookTest;
use crate::webhook::settings_now;

/// A message that says nothing
///
/// Sent to the receiver now and once, signed as others are, also while nothing else is sent.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/webhook/test",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "What came back", body = DeskWebhookTest)),
)]
pub(crate) async fn desk_webhook_test(call: Call) -> Result<Answer> {
    let settings = settings_now(&call).await?;
    call.keep_audit("webhook test", None, None).await?;
    let (message, cause) = call.webhook()?.ping(Endpoint { tenant: call.tenant_id(), settings: &settings }, call.now).await?;
    let cause = cause.map(|cause| cause_text(&cause).into());
    Ok(Answer::json(StatusCode::OK, &DeskWebhookTest { message, cause })?)
}
