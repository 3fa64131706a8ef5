use domain::ids::TenantId;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::AccessAsk;

use crate::call::Visit;
use crate::error::Result;
use crate::platform::tenant_of;
use crate::view::desk::DeskAccessRequest;

/// Most characters of a reason.
const MOST_REASON: usize = 500;

/// Access is asked for
///
/// Of the tenant's leads, with a reason, in place of what the caller asked before (D-DESK-14).
#[utoipa::path(
    post,
    path = "/api/desk/platform/tenants/{tenant}/access",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskAccessRequest,
    responses((status = 204, description = "The leads see it")),
)]
pub(crate) async fn desk_access_ask(visit: Visit) -> Result<Answer> {
    let tenant = tenant_of(&visit).await?.application_id;
    let DeskAccessRequest { reason } = visit.request.json()?;
    let length = reason.trim().chars().count();
    if !(1..=MOST_REASON).contains(&length) {
        return Err(Problem::invalid_field("reason", format!("must have 1 to {MOST_REASON} characters")).into());
    }
    let (store, member) = (visit.store()?, &visit.member()?.id);
    if !store.roles_of(&tenant, member, visit.now).await?.is_empty() {
        return Err(Code::Conflict.into());
    }
    let ask = AccessAsk { member: member.clone(), by: visit.by()?.to_owned(), reason: reason.trim().to_owned(), at: visit.now };
    store.ask_for_access(&tenant, &ask).await?;
    visit.keep_audit_at(&tenant, "desk access asked", None).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
