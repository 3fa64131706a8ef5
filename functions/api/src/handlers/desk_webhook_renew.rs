use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use outbound::webhook::Endpoint;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskWebhookSecret;
use crate::webhook::settings_now;

/// A new signing secret
///
/// Beside those until now: messages are signed by all until the old ones are ended. At most three are good, the new one, the last before it and the oldest. It is shown this once.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/webhook/secret",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The secret", body = DeskWebhookSecret)),
)]
pub(crate) async fn desk_webhook_renew(call: Call) -> Result<Answer> {
    let settings = settings_now(&call).await?;
    call.keep_audit("webhook secret", None, None).await?;
    let secret = call.webhook()?.renew_secret(Endpoint { tenant: call.tenant_id(), settings: &settings }).await?;
    Ok(Answer::json(StatusCode::OK, &DeskWebhookSecret { secret })?)
}
