use desk::import::columns::{LOOKED_AT, columns, fields, hide_secrets, suggested};
use desk::import::file::fetch;
use desk::{Failure, at_once};
use domain::ids::{TenantId, UploadId};
use edge::{Answer, Code};
use http::StatusCode;
use store::{ImportFile, Run, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::MOST_RUNS;
use crate::view::desk::{DeskImportFile, DeskRun};

/// A file that was sent to be imported
///
/// What stands in its columns, which field each probably is, and what was done with it so far.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/imports/files/{file}",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant"), ("file" = UploadId, Path, description = "The file")),
    responses((status = 200, description = "The file", body = DeskImportFile)),
)]
pub(crate) async fn desk_import_file_get(call: Call) -> Result<Answer> {
    let (store, tenant, member) = (call.store()?, call.tenant_id(), &call.member()?.id);
    let file = store.import_file(tenant, &call.path("file")?).await?.ok_or(Code::NotFound)?;
    let ImportFile { id, name, bytes, kind, member: _, by, at } = file;
    let (kept, runs, seasons) = futures::try_join!(store.kept_mappings(tenant), store.runs(tenant, MOST_RUNS), store.seasons(tenant))?;
    let (mut refused, mut is_table, mut found) = (None, false, Vec::new());
    match at_once(fetch(call.run_files()?, tenant, &id, (Some(LOOKED_AT), ','))).await {
        Ok(sent) => {
            is_table = sent.is_table;
            if is_table {
                found = columns(sent.open().map_err(Failure::Unreadable)?)?;
            }
        }
        Err(Failure::Refused(why)) => refused = Some(why.into()),
        Err(failure) => return Err(failure.into()),
    }
    let suggested = suggested(kind, &found);
    hide_secrets(&mut found, &suggested);
    let mut seasons: Vec<_> = seasons.into_iter().map(Into::into).collect();
    seasons.reverse();
    let runs = runs.into_iter().filter(|run| run.state == RunState::Open || is_of(run, &id));
    Ok(Answer::json(
        StatusCode::OK,
        &DeskImportFile {
            suggested,
            columns: found.into_iter().map(Into::into).collect(),
            fields: fields(kind).into_iter().map(Into::into).collect(),
            kept: kept.into_iter().filter(|kept| kept.kind == kind).map(Into::into).collect(),
            runs: runs.map(|run| DeskRun::new(run, member, call.now)).collect(),
            seasons,
            is_table,
            refused,
            id,
            name,
            bytes,
            kind: kind.into(),
            by,
            at,
        },
    )?)
}

fn is_of(run: &Run, file: &UploadId) -> bool {
    matches!(&run.new.task, RunTask::Rehearsal(task) | RunTask::Import { task, .. } if task.file == *file)
}
