use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use outbound::webhook::Endpoint;

use crate::call::Call;
use crate::error::Result;
use crate::webhook::settings_now;

/// The end of the old signing secret
///
/// Messages are signed by the newest one alone, within five minutes.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/webhook/secret",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 204, description = "There is one secret at most")),
)]
pub(crate) async fn desk_webhook_settle(call: Call) -> Result<Answer> {
    let settings = settings_now(&call).await?;
    call.keep_audit("webhook secret ended", None, None).await?;
    call.webhook()?.end_old_secrets(Endpoint { tenant: call.tenant_id(), settings: &settings }).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
