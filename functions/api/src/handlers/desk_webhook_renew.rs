use domain::ids::TenantId;
use edge::{Answer, Code};
use http::StatusCode;
use outbound::webhook::{Endpoint, Secrets, fingerprint};
use store::{MadeSecret, StoreError};

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskWebhookSecret;
use crate::webhook::settings_now;

/// A new signing secret
///
/// Beside those until now: messages are signed by all until the old ones are ended. At most three are good, the new one, the last before it and the oldest. It is shown
/// this once. While another request makes one, the answer is `conflict`.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/webhook/secret",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The secret", body = DeskWebhookSecret)),
)]
pub(crate) async fn desk_webhook_renew(call: Call) -> Result<Answer> {
    let settings = settings_now(&call).await?;
    let (store, webhook, to) = (call.store()?, call.webhook()?, Endpoint { tenant: call.tenant_id(), settings: &settings });
    let good = webhook.fingerprints(to).await?;
    call.keep_audit("webhook secret", None, None).await?;
    let secret = Secrets::draw(store::random()?);
    let (member, by) = (call.member()?.id.clone(), call.by()?.to_owned());
    let made = MadeSecret { fingerprint: fingerprint(&secret), member, by, at: call.now };
    match store.note_secret(to.tenant, &made, &good).await {
        Err(StoreError::Conflict) => return Err(Code::Conflict.into()),
        noted => noted?,
    }
    webhook.add_secret(to, &secret).await?;
    Ok(Answer::json(StatusCode::OK, &DeskWebhookSecret { secret })?)
}
