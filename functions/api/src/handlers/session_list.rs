use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::{Session, Sessions};

/// Most sessions of an answer.
const MOST: usize = 50;

/// The account's sessions
///
/// Devices that are logged in with this account's own login data: of a sub-account its own only, and never those of accounts below. At most 50, those used last.
#[utoipa::path(
    get,
    path = "/api/pro/session",
    tag = "account",
    responses((status = 200, description = "The sessions", body = Sessions)),
)]
pub(crate) async fn session_list(call: Call) -> Result<Answer> {
    let own = call.claims()?.session.as_deref();
    let sessions = call.store()?.sessions(call.tenant_id(), call.access()?, call.now).await?;
    let sessions = sessions.into_iter().take(MOST).map(|session| Session::new(session, own)).collect();
    Ok(Answer::json(StatusCode::OK, &Sessions { sessions })?)
}
