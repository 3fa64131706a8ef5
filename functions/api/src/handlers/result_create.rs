use domain::ids::JobId;
use edge::{Answer, Code, Problem};

use crate::call::Call;
use crate::view::{Job, ResultSubmission};

/// Readings of a job
///
/// One reading for each rate that was read, with the photos. A repeated request with the same idempotency key gets the first one's answer.
#[utoipa::path(
    post,
    path = "/api/pro/job/{id}/meterRateTask/result",
    tag = "job",
    params(
        ("id" = JobId, Path, description = "The job"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the request's content is the key"),
    ),
    request_body = ResultSubmission,
    responses((status = 200, description = "The job with the readings", body = Job)),
)]
pub(crate) async fn result_create(_call: Call) -> Result<Answer, Problem> {
    Err(Problem::new(Code::TemporarilyUnavailable))
}
