use desk::letters::sample;
use domain::ids::TenantId;
use edge::{Answer, Problem};

use crate::call::Call;
use crate::error::Result;
use crate::tenant_settings::{read, refused};

/// A letter as it is to be
///
/// A specimen without a recipient, with the drafts as they are now.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/settings/letter",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("language" = Option<String>, Query, description = "Such as `de-FORMAL`; absent: the tenant's own"),
    ),
    responses((status = 200, description = "The letter", body = [u8], content_type = "application/pdf")),
)]
pub(crate) async fn desk_settings_letter(call: Call) -> Result<Answer> {
    let found = read(&call).await?;
    let Some(proposed) = found.proposed else {
        return Err(Problem::invalid_field("state", "has faults, which the settings list").into());
    };
    let now = call.now.to_zoned(call.time_zone()?);
    let language = call.request.query("language").map(|language| language.into_owned());
    let drawn = tokio::task::spawn_blocking(move || {
        let language = language.unwrap_or_else(|| proposed.application.default_language.clone());
        sample(&proposed.application, &proposed.translations, proposed.logo, &language, now)
    });
    let pdf = drawn.await?.map_err(refused("state"))?;
    Ok(Answer::bytes("application/pdf", pdf))
}
