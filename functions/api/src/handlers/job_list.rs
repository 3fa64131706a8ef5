use std::collections::BTreeSet;

use edge::{Answer, Code, Etag, FieldError, Problem};
use http::StatusCode;
use store::{Access, ListState, Slot, cursor_of_slots};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::view::{Job, JobPage, VIEW_VERSION};

const MAX_LIMIT: u32 = 500;

/// The account's jobs
///
/// A sub-account sees those of its share that every account above it still has. Paged. The first page revalidates with `If-None-Match` while nothing in the portfolio
/// has changed; with `slots` beside it, a client that has the whole list gets the jobs of the slots in which something did (D-STORAGE-10).
/// The rest of a long list can be read in lanes at the same time (D-STORAGE-11).
#[utoipa::path(
    get,
    path = "/api/pro/job",
    tag = "job",
    params(
        ("limit" = Option<u32>, Query, description = "Jobs in the page; may be fewer", minimum = 1, maximum = 500),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before, or one of the first page's `lanes`"),
        ("slots" = Option<String>, Query, description = "Slots that are wanted although they may not have changed, with commas between them; may be empty"),
    ),
    responses(
        (status = 200, description = "One page", body = JobPage, headers(("ETag" = String, description = "Of the first page: for `If-None-Match`"))),
        (status = 304, description = "Unchanged since the tag that `If-None-Match` names"),
    ),
)]
pub(crate) async fn job_list(call: Call) -> Result<Answer> {
    let (limit, slots) = (limit(&call)?, slots(&call)?);
    let cursor = call.request.query("cursor");
    let (store, tenant, access) = (call.store()?, call.tenant_id(), call.access()?);
    let content = Etag::of(&[VIEW_VERSION, &call.tenant.version, &limit.to_string()]);

    if cursor.is_none() && call.request.revalidates() {
        let state = store.accessible_state(tenant, access).await?;
        let etag = content.with_state(&state.to_string());
        if call.request.has(&etag) && slots.as_ref().is_none_or(BTreeSet::is_empty) {
            return Ok(Answer::not_modified(&etag));
        }
        let held = call.request.held_state(&content).and_then(|held| held.parse::<ListState>().ok());
        if let (Some(slots), Some(held)) = (slots, held)
            && let Some(changed) = state.changed_since(&held, &slots)
        {
            if changed.is_empty() {
                return Ok(Answer::not_modified(&etag));
            }
            let (page, _) = page(&call, &access.looked_at(), limit, Some(&cursor_of_slots(changed.clone()))).await?;
            let page = JobPage { changed_slots: Some(changed), ..page };
            return Ok(Answer::json(StatusCode::OK, &page)?.with_etag(&etag));
        }
    }
    let (page, state) = page(&call, access, limit, cursor.as_deref()).await?;
    let answer = Answer::json(StatusCode::OK, &page)?;
    Ok(match state {
        Some(state) => answer.with_etag(&content.with_state(&state.to_string())),
        None => answer,
    })
}

async fn page(call: &Call, access: &Access, limit: u32, cursor: Option<&str>) -> Result<(JobPage, Option<ListState>)> {
    let page = call.store()?.accessible_jobs(call.tenant_id(), access, limit, cursor).await?;
    let jobs = page.jobs.into_iter().map(|job| Job::new(job, &call.tenant.application, access)).collect();
    Ok((JobPage { jobs, next_cursor: page.next_cursor, lanes: page.lanes, changed_slots: None }, page.state))
}

/// The slots that the client wants in any case; none: it does not keep what it has.
fn slots(call: &Call) -> Result<Option<BTreeSet<Slot>>> {
    let Some(text) = call.request.query("slots") else { return Ok(None) };
    let named = text.split(',').filter(|_| !text.is_empty());
    let slots = named.map(|number| number.parse().ok().and_then(Slot::new)).collect::<Option<_>>();
    slots.map(Some).ok_or_else(|| malformed("slots", format!("must be numbers below {}, with commas between them", Slot::COUNT)))
}

fn limit(call: &Call) -> Result<u32> {
    let Some(text) = call.request.query("limit") else { return Ok(MAX_LIMIT) };
    text.parse()
        .ok()
        .filter(|limit| (1..=MAX_LIMIT).contains(limit))
        .ok_or_else(|| malformed("limit", format!("must be a number from 1 to {MAX_LIMIT}")))
}

fn malformed(parameter: &str, wanted: String) -> Error {
    Problem::new(Code::MalformedRequest).with_fields(vec![FieldError::new(parameter, wanted)]).into()
}
