use desk::{at_once, season_readings};
use domain::ids::{SeasonId, TenantId};
use domain::model::Channel;
use edge::Answer;
use http::StatusCode;
use store::ReadingsFilter;

use crate::call::Call;
use crate::error::Result;
use crate::query::{day, word};
use crate::view::desk::DeskReadings;

/// The readings of jobs
///
/// As they came, the latest first, also those that were decided about since. Looking at the list is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/readings",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("season" = Option<SeasonId>, Query, description = "Of this season"),
        ("channel" = Option<Channel>, Query, description = "Which came so"),
        ("day" = Option<String>, Query, description = "Which came on this day", format = Date),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, description = "One page", body = DeskReadings)),
)]
pub(crate) async fn desk_reading_list(call: Call) -> Result<Answer> {
    let filter = ReadingsFilter { season: word(&call, "season")?, channel: word(&call, "channel")? };
    let day = day(&call, "day")?;
    let cursor = call.request.query("cursor");
    let page = at_once(season_readings::page(call.store()?, call.tenant_id(), &filter, day, cursor.as_deref(), call.now)).await?;
    call.keep_audit_of_minute("desk readings").await?;
    Ok(Answer::json(StatusCode::OK, &DeskReadings::from(page))?)
}
