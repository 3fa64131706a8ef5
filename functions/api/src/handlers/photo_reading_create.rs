use domain::ids::{JobId, TaskId};
use domain::job::resolved_config;
use domain::photo_reading::propose;
use edge::{Answer, Code, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::photos::checked_upload;
use crate::view::{PhotoReading, PhotoReadingRequest};

/// Most photos of an account that are read in an hour, each of which is paid for: more than anybody takes who walks from meter to meter.
const MOST: u32 = 300;
/// Most of all those below it together: as many as a thousand people take who got a meter each from one manager and read it in the same hour.
const MOST_BELOW: u32 = 1000;

/// The digits in a photo
///
/// The digits of the rate's counter, for a person to confirm or correct; nothing is stored. A photo in which they cannot be told for
/// certain, and a text recognition that fails or does not answer within four seconds, are no error: then nothing is proposed.
#[utoipa::path(
    post,
    path = "/api/pro/job/{jobId}/meter-rate-tasks/{taskId}/photo-reading",
    tag = "job",
    params(("jobId" = JobId, Path, description = "The job"), ("taskId" = TaskId, Path, description = "The rate")),
    request_body = PhotoReadingRequest,
    responses((status = 200, description = "What is proposed", body = PhotoReading)),
)]
pub(crate) async fn photo_reading_create(call: Call) -> Result<Answer> {
    let (job_id, task_id): (JobId, TaskId) = (call.path("jobId")?, call.path("taskId")?);
    let PhotoReadingRequest { upload_id } = call.request.json()?;
    let (store, tenant, access) = (call.store()?, call.tenant_id(), call.access()?);

    let job = store.accessible_job(tenant, access, &job_id).await?;
    let job = job.filter(|job| !job.closed).ok_or(Code::NotFound)?.master;
    let task = job.meter.meter_rate_tasks.iter().find(|task| task.task_id == task_id).ok_or(Code::NotFound)?;
    let config = resolved_config(&call.tenant.application, &job);
    let is_wanted = config.features.ai_reading_enabled && !config.features.images_forbidden;
    let ocr = call.ocr().filter(|_| is_wanted).ok_or(Code::FeatureDisabled)?;

    let (is_below, most) = if access.heads().is_empty() { (false, MOST) } else { (true, MOST_BELOW) };
    if let Some(wait) = store.count_photo_reading(tenant, access.root(), is_below, most, call.now).await? {
        return Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).into());
    }
    let jpeg = checked_upload(&call, "uploadId", &upload_id).await?;
    match ocr.lines(jpeg).await {
        Ok(lines) => {
            let proposal = propose(&lines, &job.meter.meter_number, task, &config.meter_reading);
            Ok(Answer::json(StatusCode::OK, &PhotoReading::from(proposal))?)
        }
        Err(error) => Ok(Answer::json(StatusCode::OK, &PhotoReading::from(None))?.with_cause(error.to_string())),
    }
}
