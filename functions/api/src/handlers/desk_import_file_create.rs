use desk::import::file::MAX_BYTES;
use domain::ids::{TenantId, UploadId};
use edge::{Answer, Problem};
use http::StatusCode;
use store::ImportFile;

use crate::call::Call;
use crate::error::Result;
use crate::runs::beyond;
use crate::view::desk::DeskImportFileRequest;
use crate::view::{UploadMethod, UploadTicket};

/// Most characters of a file's name.
const LONGEST_NAME: usize = 200;

/// Permission to send a file that is to be imported
///
/// It goes straight to storage with one PUT. What arrived is looked at when it is mapped.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/imports/files",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskImportFileRequest,
    responses((status = 201, description = "Where to put the file", body = UploadTicket)),
)]
pub(crate) async fn desk_import_file_create(call: Call) -> Result<Answer> {
    let DeskImportFileRequest { name, bytes, kind } = call.request.json()?;
    if name.trim().is_empty()
        || name.chars().count() > LONGEST_NAME
        || name.chars().any(|letter| letter.is_control() || "/\\".contains(letter))
    {
        return Err(Problem::invalid_field("name", "must be the name of a file, of 1 to 200 characters").into());
    }
    if !(1..=MAX_BYTES).contains(&bytes) {
        return Err(beyond("bytes", "a file has at most 200 MB, and is not empty", MAX_BYTES).into());
    }
    let (id, member) = (UploadId::draw(store::random()?), call.member()?.id.clone());
    let file = ImportFile { id: id.clone(), name, bytes, kind: kind.into(), member, by: call.by()?.to_owned(), at: call.now };
    let put = call.run_files()?.presign_import(call.tenant_id(), &id, bytes, call.now).await?;
    call.store()?.put_import_file(call.tenant_id(), &file).await?;
    call.keep_audit("desk import file", None, Some(&file.name)).await?;
    let ticket = UploadTicket { upload_id: id, url: put.url, method: UploadMethod::Put, headers: put.headers, expires_at: put.expires_at };
    Ok(Answer::json(StatusCode::CREATED, &ticket)?)
}
