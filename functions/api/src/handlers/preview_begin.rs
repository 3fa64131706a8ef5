use edge::{Answer, Code};

use crate::call::Call;
use crate::error::Result;
use crate::preview::{Preview, cookie};

/// The portal as it is to be
///
/// Leads to the portal, which looks for an hour as the settings were when the preview was asked for at the desk; in this browser only.
#[utoipa::path(
    get,
    path = "/api/public/preview/{token}",
    tag = "application",
    params(("token" = String, Path, description = "The preview's token")),
    responses((status = 303, description = "The portal, with a cookie")),
)]
pub(crate) async fn preview_begin(call: Call) -> Result<Answer> {
    let token: String = call.path("token")?;
    Preview::by_token(&token, call.store()?, call.tenant_id(), call.now).await?.ok_or(Code::NotFound)?;
    Ok(Answer::see_other("/")?.with_cookie(&cookie(Some(&token)))?)
}
