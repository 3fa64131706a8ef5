use edge::{Answer, Code, Etag, FieldError, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::{Job, JobPage, VIEW_VERSION};

const MAX_LIMIT: u32 = 500;

/// The account's jobs
///
/// A sub-account sees those of its share that every account above it still has. Paged. The first page revalidates with `If-None-Match` while nothing in the portfolio has changed.
#[utoipa::path(
    get,
    path = "/api/pro/job",
    tag = "job",
    params(
        ("limit" = Option<u32>, Query, description = "Jobs in the page; may be fewer", minimum = 1, maximum = 500),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, description = "One page", body = JobPage, headers(("ETag" = String, description = "For `If-None-Match` on the first page"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn job_list(call: Call) -> Result<Answer> {
    let limit = limit(&call)?;
    let cursor = call.request.query("cursor");
    let (store, tenant, access) = (call.store()?, call.tenant_id(), call.access()?);
    let etag = |portfolio: &str| {
        let cursor = cursor.as_deref().unwrap_or_default();
        Etag::of(&[VIEW_VERSION, portfolio, &call.tenant.version, &limit.to_string(), cursor])
    };

    if cursor.is_none() && call.request.revalidates() {
        let present = etag(&store.accessible_version(tenant, access).await?);
        if call.request.has(&present) {
            return Ok(Answer::not_modified(&present));
        }
    }
    let page = store.accessible_jobs(tenant, access, limit, cursor.as_deref()).await?;
    let jobs = page.jobs.into_iter().map(|job| Job::new(job, &call.tenant.application, access)).collect();
    let etag = etag(&page.portfolio_version);
    Ok(Answer::json(StatusCode::OK, &JobPage { jobs, next_cursor: page.next_cursor })?.with_etag(&etag))
}

fn limit(call: &Call) -> Result<u32> {
    let Some(text) = call.request.query("limit") else { return Ok(MAX_LIMIT) };
    text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit)).ok_or_else(|| {
        let error = FieldError::new("limit", format!("must be a number from 1 to {MAX_LIMIT}"));
        Problem::new(Code::MalformedRequest).with_fields(vec![error]).into()
    })
}
