use domain::ids::{ImageId, JobId, TaskId};
use edge::{Answer, Code};
use store::StoredJob;

use crate::call::Call;
use crate::error::Result;

/// A photo of a reading
///
/// For jobs that are done, where the tenant shows photos. A photo that the caller may not see does not exist.
#[utoipa::path(
    get,
    path = "/api/pro/job/{jobId}/meter-rate-tasks/{taskId}/result-images/{imageId}",
    tag = "job",
    params(
        ("jobId" = JobId, Path, description = "The job"),
        ("taskId" = TaskId, Path, description = "The rate"),
        ("imageId" = ImageId, Path, description = "`imageId` of one of the rate's readings"),
    ),
    responses((status = 200, description = "The photo", body = [u8], content_type = "image/jpeg")),
)]
pub(crate) async fn result_image_get(call: Call) -> Result<Answer> {
    let (job_id, task, image): (JobId, TaskId, ImageId) = (call.path("jobId")?, call.path("taskId")?, call.path("imageId")?);
    let job = call.store()?.accessible_job(call.tenant_id(), call.access()?, &job_id).await?;
    let job = job.filter(|job| job.done && has_image(job, &task, &image)).ok_or(Code::NotFound)?;
    if !call.tenant.application.job_features.with(&job.master.config.features).show_reading_images_allowed {
        return Err(Code::NotFound.into());
    }
    let jpeg = call.photos()?.get(call.tenant_id(), &job_id, &image).await?;
    Ok(Answer::bytes("image/jpeg", jpeg.ok_or(Code::NotFound)?))
}

fn has_image(job: &StoredJob, task: &TaskId, image: &ImageId) -> bool {
    let results = job.states.iter().filter(|state| state.task_id == *task).flat_map(|state| &state.reading_results);
    results.flat_map(|result| &result.reading_result_images).any(|stored| stored.image_id == *image)
}
