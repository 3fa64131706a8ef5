use domain::ids::TenantId;
use edge::{Answer, Problem};
use http::StatusCode;
use mail::{Brand, Language, preview};

use crate::call::Call;
use crate::error::Result;
use crate::query::{value, word};
use crate::tenant_settings::read;
use crate::view::desk::{DeskMailPreview, DeskMailSample};

/// A mail as it is to be
///
/// A specimen without a recipient, with the drafts as they are now.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/settings/mail",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("kind" = DeskMailSample, Query, description = "Which"),
        ("language" = String, Query, description = "Such as `de-FORMAL`; one that no mail is written in: the tenant's own"),
        ("several" = Option<bool>, Query, description = "About two meters; absent: about one"),
        ("anytime" = Option<bool>, Query, description = "Without a last day"),
    ),
    responses((status = 200, description = "The mail", body = DeskMailPreview)),
)]
pub(crate) async fn desk_settings_mail(call: Call) -> Result<Answer> {
    let kind = word::<DeskMailSample>(&call, "kind")?.ok_or_else(|| Problem::invalid_field("kind", "is missing"))?;
    let (several, anytime) = (value(&call, "several")?.unwrap_or(false), value(&call, "anytime")?.unwrap_or(false));
    let Some(proposed) = read(&call).await?.proposed else {
        return Err(Problem::invalid_field("state", "has faults, which the settings list").into());
    };
    let application = &proposed.application;
    let language = Language::choose(call.request.query("language").as_deref(), application);
    let message = mail::Sample::from(kind).message(application, call.today()?, if several { 2 } else { 1 }, !anytime);
    let brand = Brand { application, logo: Some(&proposed.logo), texts: &proposed.translations };
    let shown = preview(&message, language, &brand).map_err(Problem::internal)?;
    Ok(Answer::json(StatusCode::OK, &DeskMailPreview::new(kind, shown))?)
}
