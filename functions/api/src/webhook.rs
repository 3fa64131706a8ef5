//! A tenant's webhook, as the handlers of the desk have it.

use domain::config::WebhookSettings;
use edge::Code;

use crate::call::Call;
use crate::error::Result;

/// Its settings as they are in effect now: a member who has just changed them tries them out.
pub(crate) async fn settings_now(call: &Call) -> Result<WebhookSettings> {
    let tenant = call.store()?.tenant_now(call.tenant_id()).await?;
    Ok(tenant.and_then(|tenant| tenant.application.webhook).ok_or(Code::NotFound)?)
}
