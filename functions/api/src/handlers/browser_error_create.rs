use domain::ids::TenantId;
use edge::{Answer, Code, Problem};
use http::StatusCode;

use crate::call::{Call, Visit};
use crate::error::Result;
use crate::view::BrowserError;

/// Most bytes of a report: what fits into its form has some thousand.
const MOST: usize = 4096;

/// Error in the portal
///
/// What a page tells of an uncaught error. It is written into the log. At most 30 in a quarter of an hour from a network.
#[utoipa::path(
    post,
    path = "/api/public/browser-errors",
    tag = "public",
    request_body = BrowserError,
    responses((status = 204, description = "It is in the log")),
)]
pub(crate) async fn browser_error_create(call: Call) -> Result<Answer> {
    note(&call, call.tenant_id()).await
}

/// Puts a report into the line of its own request; those of a network are counted for the tenant.
pub(super) async fn note(visit: &Visit, tenant: &TenantId) -> Result<Answer> {
    if visit.request.body.len() > MOST {
        return Err(Code::RequestTooLarge.into());
    }
    let error: BrowserError = visit.request.json()?;
    if let Some(wait) = visit.store()?.count_browser_error(tenant, &visit.request.networks(), visit.now).await? {
        return Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).into());
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT).with_note("browserError", &error)?)
}
