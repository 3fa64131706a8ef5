use edge::Answer;

use crate::call::Call;
use crate::error::Result;
use crate::preview::cookie;

/// The portal as it is
///
/// The end of a preview.
#[utoipa::path(
    get,
    path = "/api/public/preview",
    tag = "application",
    responses((status = 303, description = "The portal, without the cookie")),
)]
pub(crate) async fn preview_end(_call: Call) -> Result<Answer> {
    Ok(Answer::see_other("/")?.with_cookie(&cookie(None))?)
}
