use desk::{Failure, at_once, season};
use domain::ids::{SeasonId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::query::word;
use crate::view::desk::DeskSeason;

/// A season at a glance
///
/// The one that is named, or that began last, and beside it the one of the year before. The figures say how old they are.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/season",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("season" = Option<SeasonId>, Query, description = "Its id"),
    ),
    responses((status = 200, description = "Its figures", body = DeskSeason)),
)]
pub(crate) async fn desk_season_get(call: Call) -> Result<Answer> {
    let named: Option<SeasonId> = word(&call, "season")?;
    let overview = match at_once(season::overview(call.store()?, call.tenant_id(), named.as_ref(), call.now)).await {
        Err(Failure::Refused(_)) => return Err(Code::NotFound.into()),
        overview => overview?,
    };
    Ok(Answer::json(StatusCode::OK, &DeskSeason::from(overview))?)
}
