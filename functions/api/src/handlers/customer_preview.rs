use domain::staff::{Role, may};
use edge::{Answer, Code};
use http::StatusCode;
use store::Access;

use crate::call::Call;
use crate::error::Result;
use crate::view::{CustomerPreview, CustomerPreviewRequest, Job};

/// Most jobs that are shown.
const JOBS: u32 = 100;

/// What a customer sees, for a member of the staff
///
/// By a token of the desk's that is good for a quarter of an hour, for nothing else, and only as long as the member may see the customer (D-DESK-16).
#[utoipa::path(
    post,
    path = "/api/public/customer-preview",
    tag = "application",
    request_body = CustomerPreviewRequest,
    responses((status = 200, description = "The customer's jobs", body = CustomerPreview)),
)]
pub(crate) async fn customer_preview(call: Call) -> Result<Answer> {
    let CustomerPreviewRequest { token } = call.request.json()?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let found = store.customer_preview(tenant, &token, call.now).await?.ok_or(Code::NotFound)?;
    if !may(&store.roles_of(tenant, &found.member, call.now).await?, Role::Support) {
        return Err(Code::NotFound.into());
    }
    let account = store.account(tenant, &found.account).await?.ok_or(Code::NotFound)?;
    let access = Access::owner(account.id);
    let page = store.accessible_jobs(tenant, &access, JOBS, None).await?;
    let jobs = page.jobs.into_iter().map(|job| Job::new(job, &call.tenant.application, &access)).collect();
    let is_cut = page.next_cursor.is_some();
    let seen = CustomerPreview { name: account.name, jobs, is_cut, expires_at: found.until };
    Ok(Answer::json(StatusCode::OK, &seen)?)
}
