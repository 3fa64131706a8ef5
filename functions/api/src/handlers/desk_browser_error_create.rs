use domain::ids::TenantId;
use edge::Answer;

use super::browser_error_create::note;
use crate::call::Visit;
use crate::error::Result;
use crate::view::BrowserError;

/// Error at the desk
///
/// As `POST /api/public/browser-errors`.
#[utoipa::path(
    post,
    path = "/api/desk/browser-errors",
    tag = "desk",
    request_body = BrowserError,
    responses((status = 204, description = "It is in the log")),
)]
pub(crate) async fn desk_browser_error_create(visit: Visit) -> Result<Answer> {
    note(&visit, &TenantId::platform()).await
}
