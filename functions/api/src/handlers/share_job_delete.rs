use domain::ids::{AccountId, JobId};
use edge::{Answer, Code};
use http::StatusCode;
use store::{FoundShare, Submitted};

use crate::call::Call;
use crate::error::Result;
use crate::idempotency::Idempotency;
use crate::share_login::needs_credentials;

/// How often the share is read again when another request changed it between our read and our write.
const ATTEMPTS: usize = 5;

/// One job less in a share
///
/// What was shared on from there loses it too. A share whose last job is taken stays, without jobs.
#[utoipa::path(
    delete,
    path = "/api/pro/share/account/{shareId}/job/{jobId}",
    tag = "share",
    params(
        ("shareId" = AccountId, Path, description = "The sub-account"),
        ("jobId" = JobId, Path, description = "The job"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the address is the key"),
    ),
    responses((status = 204, description = "The share no longer has the job")),
)]
pub(crate) async fn share_job_delete(call: Call) -> Result<Answer> {
    needs_credentials(&call)?;
    let (share_id, job_id): (AccountId, JobId) = (call.path("shareId")?, call.path("jobId")?);
    let idempotency = Idempotency::of(&call, &["share_job_delete", share_id.as_str(), job_id.as_str()])?;
    let (store, tenant, account) = (call.store()?, call.tenant_id(), call.account_id()?);
    for _ in 0..ATTEMPTS {
        let (found, record) = store.share_with_idempotency(tenant, account, &share_id, &idempotency.key, call.now).await?;
        if idempotency.earlier_answer(record)?.is_some() {
            return Ok(Answer::empty(StatusCode::NO_CONTENT));
        }
        match found {
            Some(FoundShare::Live(share)) if share.job_ids.contains(&job_id) => {}
            _ => return Err(Code::NotFound.into()),
        }
        let record = idempotency.record(String::new(), call.now);
        match store.remove_shared_job(tenant, account, &share_id, &job_id, &record).await? {
            Submitted::Stored | Submitted::Replayed { .. } => return Ok(Answer::empty(StatusCode::NO_CONTENT)),
            Submitted::KeyReused => return Err(Code::IdempotencyKeyReused.into()),
            Submitted::Stale => {}
        }
    }
    Err(Code::Conflict.into())
}
