use desk::import::columns::{Column, columns, fields, fits, hide_secrets, suggested};
use desk::import::contents::{COUNTED, contents};
use desk::import::file::fetch;
use desk::{Failure, at_once};
use domain::ids::{TenantId, UploadId};
use edge::{Answer, Code};
use http::StatusCode;
use serde_json::Value;
use store::{ImportFile, ImportKind, Run, RunState, RunTask};

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
    let (mut refused, mut is_table, mut contained, mut sheet, mut found) = (None, false, None, None, Vec::new());
    match at_once(fetch(call.run_files()?, tenant, &id, (Some(COUNTED), ','))).await {
        Ok(sent) => {
            is_table = sent.is_table;
            contained = Some(contents(&sent, bytes)?);
            if is_table {
                found = columns(sent.open().map_err(Failure::Unreadable)?)?;
            }
            sheet = sent.sheet;
        }
        Err(Failure::Refused(why)) => refused = Some(why.into()),
        Err(failure) => return Err(failure.into()),
    }
    let earlier = if is_table { runs.iter().find_map(|run| mapped(run, kind, &found)) } else { None };
    let guessed = suggested(kind, &found);
    hide_secrets(&mut found, &guessed);
    let (suggested, suggested_of) = match earlier {
        Some((mapping, name)) => {
            hide_secrets(&mut found, &mapping);
            (mapping, Some(name))
        }
        None => (guessed, None),
    };
    let mut seasons: Vec<_> = seasons.into_iter().map(Into::into).collect();
    seasons.reverse();
    let runs = runs.into_iter().filter(|run| run.state == RunState::Open || is_of(run, &id));
    Ok(Answer::json(
        StatusCode::OK,
        &DeskImportFile {
            suggested,
            suggested_of,
            columns: found.into_iter().map(Into::into).collect(),
            fields: fields(kind).into_iter().map(Into::into).collect(),
            kept: kept.into_iter().filter(|kept| kept.kind == kind).map(Into::into).collect(),
            runs: runs.map(|run| DeskRun::new(run, member, call.now)).collect(),
            seasons,
            is_table,
            contents: contained.map(Into::into),
            sheet: sheet.map(Into::into),
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

/// The mapping by which a run imported such a table, and what its file was called; of a list of faults that by which a rehearsal read it, too.
fn mapped(run: &Run, kind: ImportKind, found: &[Column]) -> Option<(Value, String)> {
    let is_of_faults = found.iter().any(|column| column.is_added);
    let task = match &run.new.task {
        RunTask::Import { task, .. } => task,
        RunTask::Rehearsal(task) if is_of_faults => task,
        _ => return None,
    };
    let mapping = task.mapping.as_ref().filter(|mapping| task.kind == kind && run.state == RunState::Done && fits(kind, mapping, found))?;
    Some((serde_json::from_str(mapping).ok()?, task.name.clone()))
}
