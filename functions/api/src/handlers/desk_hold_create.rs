use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::Hold;

use crate::call::Call;
use crate::desk_entry::short;
use crate::error::Result;
use crate::view::desk::DeskHoldRequest;

/// Holds what is stored about a person
///
/// Nothing about the account and what it shared is erased or forgotten until the hold ends, such as for a dispute (GDPR, Art. 17(3)(e) and 18(2)). A hold that is there
/// already gets the new reason where the request says that it was seen; otherwise it stays, and the answer is `conflict`.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/holds/{account}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    request_body = DeskHoldRequest,
    responses((status = 204, description = "It is held")),
)]
pub(crate) async fn desk_hold_create(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let DeskHoldRequest { reason, seen } = call.request.json()?;
    let (store, tenant, member) = (call.store()?, call.tenant_id(), call.member()?);
    let reason = short("reason", &Some(reason))?.ok_or_else(|| Problem::invalid_field("reason", "is missing"))?;
    // Of a visitor, or of a share that was deleted, there may be something without an account.
    if store.account(tenant, &account).await?.is_none()
        && store.subject_within(tenant, &account, 0).await?.is_some_and(|found| found.is_empty())
    {
        return Err(Code::NotFound.into());
    }
    let holds = store.holds(tenant).await?;
    let there = holds.own(&account);
    if there.map(|hold| hold.at) != seen {
        // The same request comes again when its answer was lost.
        let is_held = there.is_some_and(|hold| hold.member == member.id && hold.reason == reason);
        return if is_held { Ok(Answer::empty(StatusCode::NO_CONTENT)) } else { Err(Code::Conflict.into()) };
    }
    let ancestors = store.ancestors(tenant, &account).await?;
    call.keep_audit("desk hold", Some(&account), None).await?;
    let hold = Hold { account, ancestors, reason, member: member.id.clone(), by: call.by()?.to_owned(), at: call.now };
    store.hold(tenant, &hold, seen).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
