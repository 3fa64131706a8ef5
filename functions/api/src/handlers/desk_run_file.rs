use domain::ids::{RunId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;
use store::Fetcher;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskFile, files_until};

/// A file that a run made
///
/// An address by which it can be fetched for five minutes. That it was is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/runs/{run}/files/{file}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("run" = RunId, Path, description = "The run"),
        ("file" = String, Path, description = "The file's name"),
    ),
    responses((status = 200, description = "Where it is", body = DeskFile)),
)]
pub(crate) async fn desk_run_file(call: Call) -> Result<Answer> {
    let (id, name): (RunId, String) = (call.path("run")?, call.path("file")?);
    let (store, tenant) = (call.store()?, call.tenant_id());
    let run = store.run(tenant, &id).await?.ok_or(Code::NotFound)?;
    let is_there = run.outcome.is_some_and(|outcome| outcome.files.iter().any(|file| file.name == name));
    if !is_there || files_until(run.new.asked) <= call.now {
        return Err(Code::NotFound.into());
    }
    call.keep_audit("desk file", None, Some(&name)).await?;
    let file = call.run_files()?.presign(tenant, (&id, &name), Fetcher::Browser, call.now).await?;
    Ok(Answer::json(StatusCode::OK, &DeskFile::from(file))?)
}
