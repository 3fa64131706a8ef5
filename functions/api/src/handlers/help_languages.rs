use domain::ids::TenantId;
use edge::{Answer, Code, Problem};

use crate::call::Call;
use crate::content::{answer, etag_of};
use crate::error::store_problem;
use crate::view::HelpLanguages;

/// Whether there is a help
///
/// 404 when the tenant has switched it off or has no text.
#[utoipa::path(
    get,
    path = "/api/public/help/{applicationId}",
    tag = "application",
    params(("applicationId" = TenantId, Path, description = "The portal's own application")),
    responses(
        (status = 200, description = "Its languages", body = HelpLanguages, headers(("ETag" = String, description = "For `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn help_languages(call: Call) -> Result<Answer, Problem> {
    let etag = etag_of(&call)?;
    if !call.tenant.application.features.help_enabled {
        return Err(Problem::new(Code::NotFound));
    }
    if call.request.has(&etag) {
        return Ok(Answer::not_modified(&etag).revalidated());
    }
    let languages = call.store()?.help_languages(call.tenant_id()).await.map_err(store_problem)?;
    if languages.is_empty() {
        return Err(Problem::new(Code::NotFound));
    }
    answer(&etag, &HelpLanguages { languages })
}
