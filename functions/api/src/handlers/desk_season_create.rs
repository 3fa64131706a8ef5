use desk::{at_once, seasons};
use domain::ids::TenantId;
use domain::season::Season;
use edge::{Answer, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskSeasonName, DeskSeasonRequest};

/// Most characters of a name.
const LONGEST_NAME: usize = 80;

/// A new season
///
/// Files of jobs name it. What is there is changed by the command line only, because jobs belong to it.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/seasons",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskSeasonRequest,
    responses((status = 201, description = "The season", body = DeskSeasonName)),
)]
pub(crate) async fn desk_season_create(call: Call) -> Result<Answer> {
    let DeskSeasonRequest { id, name, first_day, last_day, meter_types } = call.request.json()?;
    let name = name.trim().to_owned();
    if !(1..=LONGEST_NAME).contains(&name.chars().count()) {
        return Err(Problem::invalid_field("name", "must have 1 to 80 characters").into());
    }
    if first_day > last_day {
        return Err(Problem::invalid_field("lastDay", "must not be before the first day").into());
    }
    let (store, tenant) = (call.store()?, call.tenant_id());
    let season = Season { id, name, first_day, last_day, meter_types, districts: Default::default() };
    let before = store.season(tenant, &season.id).await?;
    // Whoever got no answer asks for the same again.
    if season.id.is_default() || before.as_ref().is_some_and(|before| *before != season) {
        return Err(Problem::invalid_field("id", "is that of another season").into());
    }
    if before.is_none() {
        call.keep_audit("desk season", None, Some(season.id.as_str())).await?;
        at_once(seasons::put(store, tenant, &season)).await?;
    }
    Ok(Answer::json(StatusCode::CREATED, &DeskSeasonName::from(season))?)
}
