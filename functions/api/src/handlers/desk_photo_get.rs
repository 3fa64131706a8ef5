use domain::ids::{ImageId, JobId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;
use store::is_without_job;

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
    let (store, tenant) = (call.store()?, call.tenant_id());
    let account = if is_without_job(&job) {
        let found = store.reading_without_job(tenant, &job).await?;
        found.filter(|found| found.image_ids().any(|known| *known == image)).map(|_| None)
    } else {
        let mut readings = store.job_readings(tenant, &job).await?.into_iter();
        let found = readings.find(|found| found.entry.result_id == reading && found.entry.image_ids.contains(&image));
        found.map(|found| found.entry.account_id)
    };
    let account = account.ok_or(Code::NotFound)?;
    call.keep_audit("desk photo", account.as_ref(), Some(job.as_str())).await?;
    let photo = call.photos()?.presign(tenant, &job, &image, call.now).await?;
    Ok(Answer::json(StatusCode::OK, &DeskPhoto::from(photo))?)
}
