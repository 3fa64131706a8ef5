use desk::{at_once, presets};
use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use store::{Run, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::LISTED_RUNS;
use crate::view::desk::{DeskExports, DeskPreset, DeskRun};

/// Most exports on a list.
const MOST: usize = 100;

/// Exports of readings
///
/// The last ones, to tables and to the market; those that were asked for at the desk lately, with their files; and what a new one can be.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/exports",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The exports", body = DeskExports)),
)]
pub(crate) async fn desk_export_list(call: Call) -> Result<Answer> {
    let (store, tenant, member) = (call.store()?, call.tenant_id(), &call.member()?.id);
    let exports = store.exports_of_readings(tenant);
    // A member who has just put a schedule into effect looks for it here.
    let (exports, runs, seasons, now) =
        futures::try_join!(exports, store.runs(tenant, LISTED_RUNS, is_export), store.seasons(tenant), store.tenant_now(tenant))?;
    let mut seasons: Vec<_> = seasons.into_iter().map(Into::into).collect();
    seasons.reverse();
    let desk = &now.as_ref().unwrap_or(&call.tenant).application.desk;
    let market = &desk.market;
    let names = at_once(presets::names(store, tenant)).await?;
    Ok(Answer::json(
        StatusCode::OK,
        &DeskExports {
            exports: exports.into_iter().rev().take(MOST).map(Into::into).collect(),
            runs: runs.into_iter().map(|run| DeskRun::new(run, member, call.now)).collect(),
            presets: names.into_iter().map(|(name, format)| DeskPreset { name, format }).collect(),
            seasons,
            scheduled: desk.exports.scheduled.clone(),
            has_market: market.electricity.is_some() || market.gas.is_some(),
        },
    )?)
}

/// It is an export, or keeps one from going on.
fn is_export(run: &Run) -> bool {
    run.state == RunState::Open || matches!(run.new.task, RunTask::Export(_) | RunTask::Market {})
}
