use domain::login::link_token_hash;
use edge::{Answer, Code};
use http::StatusCode;
use mail::{AddressChanged, Message, Order, SendError};
use store::{Confirmed, MailKind};

use crate::call::Call;
use crate::communication::is_builtin;
use crate::error::Result;
use crate::mails::{post, send_problem};

/// The owner of an address confirms it
///
/// With the token of the link in the mail, as often as they like while the link works. An address whose place it takes is told, that of the utility's file among
/// them (D-LETTERS-8). 503 `temporarily-unavailable`: the address is confirmed, and the owner of the one that it replaced could not be told yet; call it again, and
/// they are.
#[utoipa::path(
    post,
    path = "/api/public/communication/confirmation/{token}",
    tag = "communication",
    params(("token" = String, Path, description = "From the link in the mail")),
    responses((status = 204, description = "The address is confirmed")),
)]
pub(crate) async fn communication_confirm(call: Call) -> Result<Answer> {
    is_builtin(&call)?;
    let token: String = call.path("token")?;
    let (store, tenant, hash) = (call.store()?, call.tenant_id(), link_token_hash(&token));
    let confirmed = store.confirm_registration(tenant, &hash, call.now).await?;
    let Confirmed { account, address, replaced } = confirmed.ok_or(Code::NotFound)?;
    let owner = store.account(tenant, &account).await?;
    let of_file = || owner.as_ref().and_then(|owner| owner.email.clone()).filter(|email| email.hash() != address.hash());
    if let Some(earlier) = replaced.clone().or_else(of_file) {
        let order = Order {
            account: &account,
            top: owner.as_ref().map_or(&account, |owner| owner.top()),
            kind: MailKind::AddressChanged,
            key: &hash,
            request_hash: &hash,
            to: &earlier,
            to_name: None,
            language: owner.as_ref().and_then(|owner| owner.language.as_deref()),
        };
        match post(&call)?.send(order, &Message::AddressChanged(AddressChanged)).await {
            // A customer who opens the link again has it sent.
            Err(error @ (SendError::Unavailable { .. } | SendError::Store(_))) => return Err(send_problem(error, "email")),
            Err(SendError::TooManyRecipients { .. }) => {}
            // The address is confirmed, whether or not the earlier one can still be reached.
            _ => {
                if let Some(replaced) = replaced {
                    store.note_told(tenant, &account, &replaced).await?;
                }
            }
        }
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
