use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code, Problem};
use http::StatusCode;
use mail::MailerError;
use store::Registration;

use crate::call::Call;
use crate::error::Result;

/// When it is worth trying again that the mail service did not answer, in seconds.
const RETRY_AFTER: u64 = 5;

/// Mails go to a customer's addresses again
///
/// That came back or were called spam: by the tenant, and by the mail service for all who send with it. If they come back once more, no other one goes.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/customers/{account}/suppression",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("account" = AccountId, Path, description = "The account")),
    responses((status = 204, description = "The next mail goes")),
)]
pub(crate) async fn desk_suppression_delete(call: Call) -> Result<Answer> {
    let (store, tenant, id): (_, _, AccountId) = (call.store()?, call.tenant_id(), call.path("account")?);
    let account = store.account(tenant, &id).await?.filter(|account| account.share.is_none()).ok_or(Code::NotFound)?;
    let registration = store.registration(tenant, &id).await?;
    let addresses: Vec<_> = account.email.iter().chain(registration.iter().flat_map(Registration::addresses)).collect();
    let suppressed = store.suppressed(tenant, &addresses, call.now).await?;
    if !suppressed.is_empty() {
        call.keep_audit("desk suppression lifted", Some(&id), None).await?;
    }
    for (email, _) in suppressed {
        call.mailer()?.lift_suppression(&email).await.map_err(later)?;
        store.lift_suppression(tenant, &email.hash()).await?;
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}

fn later(error: MailerError) -> Problem {
    Problem::new(Code::TemporarilyUnavailable).with_retry_after(RETRY_AFTER).with_cause(error)
}
