use domain::ids::{MemberId, TenantId};
use domain::staff::may_give;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use jiff::SignedDuration;
use store::NewMembership;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskAccessGrant;

/// Longest time in hours.
const MOST_HOURS: u8 = 168;

/// Access for a time
///
/// For a member of the platform's staff who asked for it (D-DESK-14). It ends by itself, or as a membership does.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/access/{member}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("member" = MemberId, Path, description = "Who asks"),
    ),
    request_body = DeskAccessGrant,
    responses((status = 204, description = "It is so")),
)]
pub(crate) async fn desk_access_give(call: Call) -> Result<Answer> {
    let member: MemberId = call.path("member")?;
    let DeskAccessGrant { roles, hours } = call.request.json()?;
    let (store, tenant, own) = (call.store()?, call.tenant_id(), call.gives()?);
    if roles.is_empty() {
        return Err(Problem::invalid_field("roles", "must name at least one role").into());
    }
    if !(1..=MOST_HOURS).contains(&hours) {
        return Err(Problem::invalid_field("hours", format!("must be 1 to {MOST_HOURS}")).into());
    }
    if roles.iter().any(|role| !may_give(own, *role)) {
        return Err(Code::RoleBeyondOwn.into());
    }
    // A member who has left the platform's staff is not let in any more, in spite of an earlier request.
    if store.roles_of(&TenantId::platform(), &member, call.now).await?.is_empty() {
        return Err(Code::NotFound.into());
    }
    let Some(ask) = store.access_ask(tenant, &member, call.now).await? else {
        // The answer to the same request may have got lost.
        let given = store.timed_access(tenant, &member, call.now).await?;
        return if given.is_some_and(|(given, _)| given == roles) {
            Ok(Answer::empty(StatusCode::NO_CONTENT))
        } else {
            Err(Code::NotFound.into())
        };
    };
    let until = call.now + SignedDuration::from_hours(hours.into());
    let words: Vec<_> = roles.iter().map(|role| role.as_str()).collect();
    call.keep_audit("desk access granted", None, Some(&format!("{} {} {hours} h", ask.by, words.join(" ")))).await?;
    let new = NewMembership { roles, invited_by: call.by()?.to_owned(), now: call.now, until: Some(until) };
    match store.give_access(tenant, &member, new).await? {
        true => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        false => Err(Code::Conflict.into()),
    }
}
