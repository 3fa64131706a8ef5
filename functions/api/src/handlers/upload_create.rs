use domain::ids::{AccountId, UploadId};
use edge::{Answer, Code, FieldError, Problem};
use http::StatusCode;
use store::Photos;

use crate::call::Call;
use crate::error::Result;
use crate::photos::count;
use crate::view::{UploadMethod, UploadRequest, UploadTicket};

const MAX_BYTES: u64 = Photos::MAX_BYTES;

/// Permission to send a photo ahead
///
/// The photo goes straight to storage with one PUT; the reading then names its `uploadId`. What arrived is checked when the reading is sent.
#[utoipa::path(
    post,
    path = "/api/pro/upload",
    tag = "job",
    request_body = UploadRequest,
    responses((status = 201, description = "Where to put the photo", body = UploadTicket)),
)]
pub(crate) async fn upload_create(call: Call) -> Result<Answer> {
    permit(&call).await
}

/// The same for every caller who may send photos.
pub(crate) async fn permit(call: &Call) -> Result<Answer> {
    let length = announced(call)?;
    count(call, 1).await?;
    ticket(call, call.account_id()?, length).await
}

/// How long the photo is that the request announces.
///
/// # Errors
/// `request-invalid` where it is too long.
pub(crate) fn announced(call: &Call) -> Result<u64> {
    let request: UploadRequest = call.request.json()?;
    if !(1..=MAX_BYTES).contains(&request.content_length) {
        let mut error = FieldError::new("contentLength", "a photo has at most 2 MiB");
        error.limit = Some(MAX_BYTES.to_string());
        return Err(Problem::new(Code::RequestInvalid).with_fields(vec![error]).into());
    }
    Ok(request.content_length)
}

/// Where to put a photo of this length for a reading of the owner's.
pub(crate) async fn ticket(call: &Call, owner: &AccountId, length: u64) -> Result<Answer> {
    let upload_id = UploadId::draw(store::random()?);
    let upload = call.photos()?.presign_upload(call.tenant_id(), owner, &upload_id, length, call.now).await?;
    let ticket =
        UploadTicket { upload_id, url: upload.url, method: UploadMethod::Put, headers: upload.headers, expires_at: upload.expires_at };
    Ok(Answer::json(StatusCode::CREATED, &ticket)?)
}
