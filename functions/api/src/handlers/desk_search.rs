use desk::{at_once, lists};
use domain::ids::TenantId;
use domain::search::Search;
use edge::{Answer, Problem};
use futures::try_join;
use http::StatusCode;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::view::desk::{DeskFound, DeskSearch};

/// Most characters of a search.
const MOST_CHARACTERS: usize = 200;

/// Customers with all these words
///
/// In their name, number or user name, or in one of their jobs; or else each job with these words, open ones of a page first. At most three reads, and 25 customers or
/// jobs at once. Searching is in the audit trail, once a minute.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/search",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskSearch,
    responses((status = 200, description = "One page", body = DeskFound)),
)]
pub(crate) async fn desk_search(call: Call) -> Result<Answer> {
    let DeskSearch { words, jobs, cursor } = call.request.json()?;
    if words.chars().nth(MOST_CHARACTERS).is_some() {
        return Err(Problem::invalid_field("words", format!("can have at most {MOST_CHARACTERS} characters")).into());
    }
    let search = Search::parse(&words).map_err(|error| Problem::invalid_field("words", error.to_string()))?;
    let found = async {
        let (store, tenant, cursor) = (call.store()?, call.tenant_id(), cursor.as_deref());
        Ok::<_, Error>(match jobs {
            true => DeskFound::of_jobs(at_once(lists::found_jobs(store, tenant, &search, cursor)).await?),
            false => DeskFound::new(at_once(lists::found(store, tenant, &search, cursor)).await?),
        })
    };
    let (page, ()) = try_join!(found, call.keep_audit_of_minute("desk search"))?;
    Ok(Answer::json(StatusCode::OK, &page)?)
}
