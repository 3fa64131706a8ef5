use desk::{at_once, seasons};
use domain::ids::TenantId;
use domain::job_check::MAX_TEXT;
use domain::season::Season;
use edge::{Answer, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskSeasonName, DeskSeasonRequest};

/// Most characters of a name.
const LONGEST_NAME: usize = 80;
/// Most districts: as many as figures tell apart.
const MOST_DISTRICTS: usize = 200;

/// A new season
///
/// Files of jobs name it.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/seasons",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskSeasonRequest,
    responses((status = 201, description = "The season", body = DeskSeasonName)),
)]
pub(crate) async fn desk_season_create(call: Call) -> Result<Answer> {
    let season = checked(call.request.json()?, "")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let before = store.season(tenant, &season.id).await?;
    // A client that got no answer asks for the same again.
    if season.id.is_default() || before.as_ref().is_some_and(|before| *before != season) {
        return Err(Problem::invalid_field("id", "is that of another season").into());
    }
    if before.is_none() {
        call.keep_audit("desk season", None, Some(season.id.as_str())).await?;
        at_once(seasons::put(store, tenant, &season)).await?;
    }
    Ok(Answer::json(StatusCode::CREATED, &DeskSeasonName::from(season))?)
}

/// The season that a member asks for, whose fields stand there in the body.
///
/// # Errors
/// `request-invalid`: it can be none.
pub(crate) fn checked(wanted: DeskSeasonRequest, place: &str) -> Result<Season> {
    let mut season = Season::from(wanted);
    season.name = season.name.trim().to_owned();
    season.districts = season.districts.iter().map(|district| district.trim().to_owned()).collect();
    let wrong = |field: &str, rule: &str| Err(Problem::invalid_field(format!("{place}{field}"), rule).into());
    if !(1..=LONGEST_NAME).contains(&season.name.chars().count()) {
        return wrong("name", "must have 1 to 80 characters");
    }
    if season.first_day > season.last_day {
        return wrong("lastDay", "must not be before the first day");
    }
    let is_district = |district: &String| (1..=MAX_TEXT).contains(&district.chars().count());
    if season.districts.len() > MOST_DISTRICTS || !season.districts.iter().all(is_district) {
        return wrong("districts", "must be at most 200, each of 1 to 500 characters");
    }
    Ok(season)
}
