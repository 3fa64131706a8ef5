use desk::presets::Layout;
use desk::runs::{self, Wake};
use desk::{Failure, at_once, seasons};
use domain::ids::TenantId;
use domain::preset::List;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::{ExportTask, NewRun, RunTask};

use super::desk_export_list::MOST_RUNS;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::view::desk::{DeskExportRequest, DeskRun};

/// A new export of readings, or one of the earlier ones once more
///
/// It goes on in the cloud, one at a time. To ask for the same again while it goes on starts nothing twice.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/exports",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskExportRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_export_create(call: Call) -> Result<Answer> {
    let DeskExportRequest { without_job, season, preset, again } = call.request.json()?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let list = if without_job { List::WithoutJob } else { List::Readings };
    if without_job && season.is_some() {
        return Err(Problem::invalid_field("season", "readings without a job belong to none").into());
    }
    // What cannot become a file is said now, and not by a run that was given up.
    let layout = at_once(Layout::named(store, tenant, &preset, list, None)).await;
    layout.map_err(|failure| refused("preset", "must be the name of a preset that this list can be written by", failure))?;
    if let Some(season) = &season {
        at_once(seasons::known(store, tenant, season))
            .await
            .map_err(|failure| refused("season", "must be one of the tenant's seasons", failure))?;
    }
    let task = RunTask::Export(ExportTask { without_job, season, preset, again });
    let going_on = store.runs(tenant, MOST_RUNS).await?;
    let member = &call.member()?.id;
    let run = match runs::same(&going_on, &task, member)? {
        Some(same) => same.clone(),
        None => {
            call.keep_audit("desk export", None, again.map(|number| number.to_string()).as_deref()).await?;
            let id = runs::new_id(call.now)?;
            let new = NewRun { id, task, member: member.clone(), by: call.by()?.to_owned(), asked: call.now };
            store.put_run(tenant, &new).await?;
            store.run(tenant, &new.id).await?.ok_or(Code::NotFound)?
        }
    };
    let wake = serde_json::to_string(&Wake { tenant: tenant.clone(), run: run.new.id.clone() })?;
    // Without the message the clock finds it within a minute.
    drop(call.run_queue()?.send(tenant.as_str(), &wake).await);
    Ok(Answer::json(StatusCode::ACCEPTED, &DeskRun::new(run, member, call.now))?)
}

/// What the library refuses names what was sent, which no answer does.
fn refused(field: &str, rule: &str, failure: Failure) -> Error {
    match failure {
        Failure::Refused(_) => Problem::invalid_field(field, rule).into(),
        other => other.into(),
    }
}
