use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use outbound::webhook::Endpoint;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskWebhookSecrets;
use crate::webhook::settings_now;

/// The signing secrets that are good
///
/// By their fingerprints, with who made them and when. The secrets themselves are not shown.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/webhook/secret",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The secrets", body = DeskWebhookSecrets)),
)]
pub(crate) async fn desk_webhook_secrets(call: Call) -> Result<Answer> {
    let settings = settings_now(&call).await?;
    let (store, webhook, to) = (call.store()?, call.webhook()?, Endpoint { tenant: call.tenant_id(), settings: &settings });
    let good = webhook.fingerprints(to).await?;
    let made = store.made_secrets(to.tenant).await?;
    Ok(Answer::json(StatusCode::OK, &DeskWebhookSecrets::new(good, &made))?)
}
