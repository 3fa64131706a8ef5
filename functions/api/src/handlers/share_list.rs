use domain::ids::AccountId;
use edge::{Answer, Code, FieldError, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::{Share, SharedAccounts};

const MAX_LIMIT: u32 = 100;

/// The account's shares
///
/// Those that it made itself, or with `of` those that a sub-account at any depth below it made; each with the jobs that are still effective. Paged.
#[utoipa::path(
    get,
    path = "/api/pro/share/account",
    tag = "share",
    params(
        ("of" = Option<AccountId>, Query, description = "The sub-account below whose shares are wanted"),
        ("limit" = Option<u32>, Query, description = "Shares in the page; may be fewer", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, description = "One page", body = SharedAccounts)),
)]
pub(crate) async fn share_list(call: Call) -> Result<Answer> {
    let limit = match call.request.query("limit") {
        None => MAX_LIMIT,
        Some(text) => {
            let limit = text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
            limit.ok_or_else(|| malformed("limit", format!("must be a number from 1 to {MAX_LIMIT}")))?
        }
    };
    let after: Option<AccountId> = match call.request.query("cursor") {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| malformed("cursor", "must be the `nextCursor` of another page".into()))?),
    };
    let (store, tenant, own) = (call.store()?, call.tenant_id(), call.access()?);
    let below = match call.request.query("of") {
        None => None,
        Some(text) => {
            let of: AccountId = text.parse().map_err(|_| Code::NotFound)?;
            Some(store.access_below(tenant, own, &of).await?.ok_or(Code::NotFound)?)
        }
    };
    let page = store.shares(tenant, below.as_ref().unwrap_or(own), limit, after.as_ref()).await?;
    let mut shares = page.shares;
    shares.sort_by(|one, other| (one.created, &one.id).cmp(&(other.created, &other.id)));
    let shared_accounts = shares.into_iter().map(|share| Share::new(share, call.now)).collect();
    Ok(Answer::json(StatusCode::OK, &SharedAccounts { shared_accounts, next_cursor: page.next })?)
}

fn malformed(parameter: &str, message: String) -> Problem {
    Problem::new(Code::MalformedRequest).with_fields(vec![FieldError::new(parameter, message)])
}
