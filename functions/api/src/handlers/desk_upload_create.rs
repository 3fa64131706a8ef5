use domain::ids::{JobId, TenantId};
use edge::{Answer, Code};

use super::upload_create::{announced, ticket};
use crate::call::Call;
use crate::error::Result;
use crate::photos::count_of_member;
use crate::view::{UploadRequest, UploadTicket};

/// Permission to send a photo or scan of a reading that staff enter ahead
///
/// As `POST /api/pro/upload`; the photo belongs to the job's customer, and is named in `images` of the reading.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/jobs/{job}/upload",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("job" = JobId, Path, description = "The job"),
    ),
    request_body = UploadRequest,
    responses((status = 201, description = "Where to put the photo", body = UploadTicket)),
)]
pub(crate) async fn desk_upload_create(call: Call) -> Result<Answer> {
    let length = announced(&call)?;
    let job: JobId = call.path("job")?;
    let job = call.store()?.job_by_id(call.tenant_id(), &job).await?.ok_or(Code::NotFound)?;
    count_of_member(&call).await?;
    ticket(&call, &job.account_id, length).await
}
