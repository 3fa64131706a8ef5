use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;

/// Stop reminders
///
/// What a mail program calls when its user unsubscribes (RFC 8058). It needs no confirmation and asks nothing, so the body is not read.
/// Receipts still come; a repeated request changes nothing.
#[utoipa::path(
    post,
    path = "/api/public/unsubscribe/{selfServiceToken}",
    tag = "communication",
    params(("selfServiceToken" = String, Path, description = "From the reminder's `List-Unsubscribe`")),
    responses((status = 204, description = "No reminder is sent any more")),
)]
pub(crate) async fn reminders_stop(call: Call) -> Result<Answer> {
    let token: String = call.path("selfServiceToken")?;
    let store = call.store()?;
    let found = store.registration_by_token(call.tenant_id(), &token).await?;
    let (account, _) = found.ok_or(Code::NotFound)?;
    store.stop_reminders(call.tenant_id(), &account).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
