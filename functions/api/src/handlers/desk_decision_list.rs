use desk::{at_once, clearing};
use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use store::{AnyReading, Decided};

use crate::call::Call;
use crate::error::Result;
use crate::query::day;
use crate::view::desk::{DeskDecided, DeskDecisions, DeskMade, DeskReading, DeskReadingWithoutJob};

/// The caller's decisions of a day
///
/// The last decision first, at most 200 on a page, each with what it can no longer be taken back by. The days before yesterday are not listed.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/decisions",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("day" = Option<String>, Query, description = "The day with the tenant; absent: today", format = Date),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, description = "One page", body = DeskDecisions)),
)]
pub(crate) async fn desk_decision_list(call: Call) -> Result<Answer> {
    let day = day(&call, "day")?.unwrap_or(call.today()?);
    let cursor = call.request.query("cursor");
    let page = at_once(clearing::decided_by(call.store()?, call.tenant_id(), &call.member()?.id, day, cursor.as_deref())).await?;
    let decisions = page.decisions.iter().map(|Decided { reading, clearing, taken }| {
        let decision = DeskMade::new(clearing, *taken);
        let (account, of_job, without_job) = match reading {
            AnyReading::OfJob(reading) => (reading.entry.account_id.clone(), Some(DeskReading::decided(reading)?), None),
            AnyReading::WithoutJob(reading) => (None, None, Some(DeskReadingWithoutJob::new(reading, None)?)),
        };
        Ok(DeskDecided { job: reading.ids().0.clone(), account, reading: of_job, without_job, decision })
    });
    let decisions = decisions.collect::<Result<_>>()?;
    Ok(Answer::json(StatusCode::OK, &DeskDecisions { day, decisions, next_cursor: page.next_cursor })?)
}
