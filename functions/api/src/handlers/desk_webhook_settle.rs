use domain::ids::TenantId;
use edge::{Answer, Code};
use http::StatusCode;
use outbound::webhook::Endpoint;

use crate::call::Call;
use crate::error::Result;
use crate::query::value;
use crate::webhook::settings_now;

/// The end of the old signing secrets
///
/// Messages are signed by the newest one alone, within five minutes. Where another one is the newest by now than that which was shown, all stay, and the answer is
/// `conflict`: the receiver may not have it.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/webhook/secret",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("newest" = String, Query, description = "`fingerprint` of the secret that stays; empty: there was none"),
    ),
    responses((status = 204, description = "It is the only one")),
)]
pub(crate) async fn desk_webhook_settle(call: Call) -> Result<Answer> {
    let newest = value::<String>(&call, "newest")?.unwrap_or_default();
    let settings = settings_now(&call).await?;
    let (webhook, to) = (call.webhook()?, Endpoint { tenant: call.tenant_id(), settings: &settings });
    if webhook.fingerprints(to).await?.first().map_or("", String::as_str) != newest {
        return Err(Code::Conflict.into());
    }
    call.keep_audit("webhook secret ended", None, None).await?;
    webhook.end_old_secrets(to, &newest).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
