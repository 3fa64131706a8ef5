use domain::ids::{ImageId, JobId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskPhoto;

/// A photo of a reading
///
/// An address by which it can be looked at for five minutes. Looking at it is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/jobs/{job}/readings/{reading}/photos/{image}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("job" = JobId, Path, description = "The job"),
        ("reading" = String, Path, description = "The reading's id"),
        ("image" = ImageId, Path, description = "One of its `images`"),
    ),
    responses((status = 200, description = "Where it is", body = DeskPhoto)),
)]
pub(crate) async fn desk_photo_get(call: Call) -> Result<Answer> {
    let (job, reading, image): (JobId, String, ImageId) = (call.path("job")?, call.path("reading")?, call.path("image")?);
    let readings = call.store()?.job_readings(call.tenant_id(), &job).await?;
    let found = readings.iter().find(|found| found.entry.result_id == reading).ok_or(Code::NotFound)?;
    if !found.entry.image_ids.contains(&image) {
        return Err(Code::NotFound.into());
    }
    call.keep_audit("desk photo", found.entry.account_id.as_ref(), Some(job.as_str())).await?;
    let photo = call.photos()?.presign(call.tenant_id(), &job, &image, call.now).await?;
    Ok(Answer::json(StatusCode::OK, &DeskPhoto::from(photo))?)
}
