use domain::config::unsubscribe_path;
use edge::{Answer, Code};

use crate::call::Call;
use crate::error::Result;

/// The page that stops reminders
///
/// Mail programs that do not know RFC 8058 open the address of `List-Unsubscribe` in a browser.
#[utoipa::path(
    get,
    path = "/api/public/unsubscribe/{selfServiceToken}",
    tag = "communication",
    params(("selfServiceToken" = String, Path, description = "From the reminder's `List-Unsubscribe`")),
    responses((status = 303, description = "The portal's page", headers(("Location" = String, description = "Path of the page")))),
)]
pub(crate) async fn reminders_page(call: Call) -> Result<Answer> {
    let token: String = call.path("selfServiceToken")?;
    // Anything else would need escapes, and none of our tokens does.
    if !token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
        return Err(Code::NotFound.into());
    }
    Ok(Answer::see_other(&unsubscribe_path(&token))?)
}
