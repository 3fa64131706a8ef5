use domain::ids::{SeasonId, TenantId};
use domain::season::Season;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::StoreError;

use super::desk_season_create::checked;
use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskSeasonChange, DeskSeasonName};

/// Another name, other days, kinds of meter or districts of a season
///
/// In the place of what was shown. Jobs that belong to it stay, also those that would not fit it any more (D-SEASONS-11).
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/seasons/{season}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("season" = SeasonId, Path, description = "The season"),
    ),
    request_body = DeskSeasonChange,
    responses((status = 200, description = "The season", body = DeskSeasonName)),
)]
pub(crate) async fn desk_season_change(call: Call) -> Result<Answer> {
    let id: SeasonId = call.path("season")?;
    let DeskSeasonChange { season, seen } = call.request.json()?;
    let (season, seen) = (checked(season, "season.")?, Season::from(seen));
    let (store, tenant) = (call.store()?, call.tenant_id());
    let before = store.season(tenant, &id).await?.ok_or(Code::NotFound)?;
    if season.id != id {
        return Err(Problem::invalid_field("season.id", "must be that of the address").into());
    }
    // The same request comes again when its answer was lost.
    if before != season {
        if before != seen {
            return Err(Code::Conflict.into());
        }
        call.keep_audit("desk season changed", None, Some(id.as_str())).await?;
        match store.replace_season(tenant, &seen, Some(&season)).await {
            Err(StoreError::Conflict) => return Err(Code::Conflict.into()),
            replaced => replaced?,
        }
    }
    Ok(Answer::json(StatusCode::OK, &DeskSeasonName::from(season))?)
}
