use domain::ids::{AccountId, TenantId};
use domain::login::link_token_hash;
use edge::{Answer, Problem};
use http::StatusCode;
use jiff::Timestamp;

use crate::call::Call;
use crate::error::Result;
use crate::runs::beyond;
use crate::view::desk::{DeskReturned, DeskReturnedRequest};

/// Most characters of what was scanned.
const LONGEST_CODE: u64 = 500;

/// A letter came back
///
/// Its QR code says which one. Runs write the customer no other letter until a member says that the address is right again.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/letters/returned",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskReturnedRequest,
    responses((status = 200, description = "Whose letter it is", body = DeskReturned)),
)]
pub(crate) async fn desk_letter_return(call: Call) -> Result<Answer> {
    let DeskReturnedRequest { code } = call.request.json()?;
    if code.chars().count() as u64 > LONGEST_CODE {
        return Err(beyond("code", "has at most 500 characters", LONGEST_CODE).into());
    }
    let (store, tenant) = (call.store()?, call.tenant_id());
    let unknown = || Problem::invalid_field("code", "is neither a letter's code nor an account");
    // A scanner types the whole link.
    let word = code.trim().rsplit('/').next().unwrap_or_default();
    let account = match store.link_login(tenant, &link_token_hash(word), Timestamp::UNIX_EPOCH).await? {
        Some(account) => account,
        None => AccountId::new(word).map_err(|_| unknown())?,
    };
    let invitee = store.invitees(tenant, std::slice::from_ref(&account), call.now).await?.pop().ok_or_else(unknown)?;
    if invitee.returned.is_none() {
        call.keep_audit("desk letter returned", Some(&account), None).await?;
        store.note_return(tenant, &invitee, Some((call.now, call.by()?.to_owned()))).await?;
    }
    let lettered_at = invitee.lettered.map(|(at, _)| at);
    Ok(Answer::json(StatusCode::OK, &DeskReturned { account, name: invitee.account.name, lettered_at })?)
}
