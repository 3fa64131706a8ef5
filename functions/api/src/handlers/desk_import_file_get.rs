use desk::import::columns::{Column, completed, fields, fits, fitted, hide_secrets, nearly_fits, suggested};
use desk::import::contents::{COUNTED, contents};
use desk::import::file::fetch;
use desk::{Failure, at_once};
use domain::ids::{TenantId, UploadId};
use edge::{Answer, Code};
use http::StatusCode;
use store::{ImportFile, ImportKind, ImportTask, Run, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::MOST_RUNS;
use crate::view::desk::{DeskImportFile, DeskMapping, DeskRun};

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
    let (kept, runs, seasons) =
        futures::try_join!(store.kept_mappings(tenant), store.runs(tenant, MOST_RUNS, |_| true), store.seasons(tenant))?;
    let (mut refused, mut is_table, mut contained, mut sheet, mut found) = (None, false, None, None, Vec::new());
    match at_once(fetch(call.run_files()?, tenant, &id, (Some(COUNTED), ','))).await {
        Ok(sent) => {
            is_table = sent.is_table;
            contained = Some(contents(&sent, bytes)?);
            if is_table {
                found = sent.columns()?;
            }
            sheet = sent.sheet;
        }
        Err(Failure::Refused(why)) => refused = Some(why.into()),
        Err(failure) => return Err(failure.into()),
    }
    let guessed = suggested(kind, &found);
    let earlier = |fits: &dyn Fn(&str) -> bool| {
        let tasks = runs.iter().filter_map(|run| mapped(run, kind, &found)).filter(|_| is_table);
        tasks.map(|task| (task.mapping.as_deref().unwrap_or_default(), &task.name)).find(|(mapping, _)| fits(mapping))
    };
    // Of a table of which a column is gone, what is known of the others is better than a guess at all.
    let earlier = earlier(&|mapping| fits(kind, mapping, &found)).or_else(|| earlier(&|mapping| nearly_fits(mapping, &found)));
    let earlier = earlier.and_then(|(mapping, name)| Some((fitted(mapping, &found, &guessed)?, name.clone())));
    let kept = kept.into_iter().filter(|kept| kept.kind == kind && is_table);
    let kept = kept.filter_map(|kept| Some(DeskMapping::new(kept.name, fitted(&kept.mapping, &found, &guessed)?))).collect();
    hide_secrets(&mut found, &guessed);
    let (suggested, missing, suggested_of) = match earlier {
        Some(((mapping, missing), name)) => {
            let mapping = if missing.is_empty() { mapping } else { completed(mapping, &guessed) };
            hide_secrets(&mut found, &mapping);
            (mapping, missing, Some(name))
        }
        None => (guessed, Vec::new(), None),
    };
    let mut seasons: Vec<_> = seasons.into_iter().map(Into::into).collect();
    seasons.reverse();
    let runs = runs.into_iter().filter(|run| run.state == RunState::Open || is_of(run, &id));
    Ok(Answer::json(
        StatusCode::OK,
        &DeskImportFile {
            suggested,
            suggested_of,
            missing: missing.into_iter().map(Into::into).collect(),
            columns: found.into_iter().map(Into::into).collect(),
            fields: fields(kind).into_iter().map(Into::into).collect(),
            kept,
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

/// What a run imported of this kind, by a mapping; for a list of faults what a rehearsal read, too.
fn mapped<'a>(run: &'a Run, kind: ImportKind, found: &[Column]) -> Option<&'a ImportTask> {
    let is_of_faults = found.iter().any(|column| column.is_added);
    let task = match &run.new.task {
        RunTask::Import { task, .. } => task,
        RunTask::Rehearsal(task) if is_of_faults => task,
        _ => return None,
    };
    (task.kind == kind && run.state == RunState::Done && task.mapping.is_some()).then_some(task)
}
