use desk::runs;
use domain::ids::{SeasonId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::runs::MOST_RUNS;

/// The end of a season that was made by mistake
///
/// One to which jobs belong or that a scheduled export names stays (`conflict`), and so does any while an import goes on or is taken back, which may bring jobs of it.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/seasons/{season}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("season" = SeasonId, Path, description = "The season"),
    ),
    responses((status = 204, description = "It is gone")),
)]
pub(crate) async fn desk_season_delete(call: Call) -> Result<Answer> {
    let id: SeasonId = call.path("season")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let season = store.season(tenant, &id).await?.ok_or(Code::NotFound)?;
    if runs::is_importing(&store.runs(tenant, MOST_RUNS, |_| true).await?, call.now) {
        return Err(Code::RunUnderWay.into());
    }
    let settings = store.tenant_now(tenant).await?.ok_or(Code::NotFound)?;
    // Settings that name a season that is not there cannot be put into effect.
    let is_scheduled = settings.application.desk.exports.scheduled.iter().any(|export| export.season.as_ref() == Some(&id));
    if is_scheduled || store.has_jobs_of(tenant, &id).await? {
        return Err(Code::Conflict.into());
    }
    call.keep_audit("desk season deleted", None, Some(id.as_str())).await?;
    store.replace_season(tenant, &season, None).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
