use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::{Share, SharedAccounts};

/// The account's shares
///
/// Those that it made itself, each with the jobs that are still effective.
#[utoipa::path(
    get,
    path = "/api/pro/share/account",
    tag = "share",
    responses((status = 200, description = "The shares", body = SharedAccounts)),
)]
pub(crate) async fn share_list(call: Call) -> Result<Answer> {
    let mut shares = call.store()?.shares(call.tenant_id(), call.access()?).await?;
    shares.sort_by(|one, other| (one.created, &one.id).cmp(&(other.created, &other.id)));
    let shared_accounts = shares.into_iter().map(|share| Share::new(share, call.now)).collect();
    Ok(Answer::json(StatusCode::OK, &SharedAccounts { shared_accounts })?)
}
