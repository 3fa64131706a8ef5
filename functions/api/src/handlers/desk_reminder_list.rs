use desk::reminders;
use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use store::{Run, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::LISTED_RUNS;
use crate::view::desk::{DeskReminders, DeskRun};

/// Reminders
///
/// When customers who have not read are reminded, what was asked for at the desk lately, and the seasons that a filter can name.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/reminders",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The reminders", body = DeskReminders)),
)]
pub(crate) async fn desk_reminder_list(call: Call) -> Result<Answer> {
    let (application, member) = (&call.tenant.application, &call.member()?.id);
    let settings = &application.desk.reminders;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let (runs, mut seasons) = tokio::try_join!(store.runs(tenant, LISTED_RUNS, is_reminder), store.seasons(tenant))?;
    seasons.sort_by_key(|season| std::cmp::Reverse(season.first_day));
    Ok(Answer::json(
        StatusCode::OK,
        &DeskReminders {
            in_the_way: reminders::in_the_way(application).map(|(_, reason)| reason.into()),
            is_automatic: settings.automatic,
            days_before: settings.days_before,
            days_after_opening: settings.days_after_opening,
            days_between: settings.days_between,
            at_most: settings.at_most,
            per_second: settings.per_second,
            seasons: seasons.into_iter().map(Into::into).collect(),
            runs: runs.into_iter().map(|run| DeskRun::new(run, member, call.now)).collect(),
        },
    )?)
}

/// It is about reminders, or keeps them from going on.
fn is_reminder(run: &Run) -> bool {
    run.state == RunState::Open || matches!(run.new.task, RunTask::DueReminders { .. } | RunTask::Reminders { .. })
}
