use desk::presets::Layout;
use desk::{Failure, at_once, market};
use domain::config::ExportWhat;
use domain::ids::TenantId;
use domain::preset::List;
use edge::{Answer, Problem};
use store::{ExportTask, RunTask};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::runs::{known_season, start};
use crate::view::desk::{DeskExportRequest, DeskRun};

const NO_PARTNERS: &str = "the tenant names no partners in the market (desk.market in tenant.json)";

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
    let wanted: DeskExportRequest = call.request.json()?;
    let again = wanted.again.map(|number| number.to_string());
    let task = task(&call, wanted).await?;
    start(&call, task, None, ("desk export", again.as_deref())).await
}

/// The task, if it can be done: what cannot is said now, and not by a run that was given up.
async fn task(call: &Call, wanted: DeskExportRequest) -> Result<RunTask> {
    let DeskExportRequest { what, season, preset, again } = wanted;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let list = match what {
        ExportWhat::Market => {
            let more = season.is_some() || preset.is_some() || again.is_some();
            if more {
                return Err(Problem::invalid_field("what", "messages to the market have neither season, preset nor number").into());
            }
            at_once(market::has_partners(store, tenant)).await.map_err(|failure| refused("what", NO_PARTNERS, failure))?;
            return Ok(RunTask::Market {});
        }
        ExportWhat::Table => List::Readings,
        ExportWhat::WithoutJob if season.is_some() => {
            return Err(Problem::invalid_field("season", "only a table of the readings of jobs is of one").into());
        }
        ExportWhat::WithoutJob => List::WithoutJob,
    };
    let preset = preset.ok_or_else(|| Problem::invalid_field("preset", "is missing"))?;
    let layout = at_once(Layout::named(store, tenant, &preset, list, None)).await;
    layout.map_err(|failure| refused("preset", "must be the name of a preset that this list can be written by", failure))?;
    known_season(call, season.as_ref()).await?;
    Ok(RunTask::Export(ExportTask { without_job: list == List::WithoutJob, season, preset, again }))
}

/// What the library refuses names what was sent, which no answer does.
fn refused(field: &str, rule: &str, failure: Failure) -> Error {
    match failure {
        Failure::Refused(_) => Problem::invalid_field(field, rule).into(),
        other => other.into(),
    }
}
