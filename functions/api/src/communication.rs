//! The built-in CRM's registrations: the holder of the token of one may see and change it, and staff may for a customer who asks them.

use domain::config::CrmAdapter;
use domain::email::EmailAddress;
use domain::ids::AccountId;
use domain::login::{link_token, link_token_hash};
use edge::Code;
use jiff::SignedDuration;
use mail::{Claimed, Confirmation, Message, Order};
use store::{MailKind, Pending, Registration};

use crate::call::Call;
use crate::error::Result;
use crate::idempotency::Idempotency;
use crate::mails::{post, send_problem};

/// How long the link of a confirmation works.
const HOURS: u32 = 48;

/// A tenant with a CRM of its own has its registration pages there.
///
/// # Errors
/// `not-found`.
pub(crate) fn is_builtin(call: &Call) -> Result<()> {
    match call.tenant.application.crm {
        CrmAdapter::Builtin => Ok(()),
        CrmAdapter::Http { .. } => Err(Code::NotFound.into()),
    }
}

/// The registration that the path's token opens.
///
/// # Errors
/// `not-found`.
pub(crate) async fn opened(call: &Call) -> Result<(AccountId, Registration)> {
    is_builtin(call)?;
    let token: String = call.path("selfServiceToken")?;
    let found = call.store()?.registration_by_token(call.tenant_id(), &token).await?;
    found.ok_or(Code::NotFound.into())
}

/// Sends the link that confirms the address to it, once a key; `top` is whom the mail counts against.
///
/// # Errors
/// Why the mail is not sent, at the field `email`.
pub(crate) async fn ask_for_confirmation(
    call: &Call,
    account: &AccountId,
    top: &AccountId,
    email: &EmailAddress,
    language: Option<&str>,
    idempotency: &Idempotency,
) -> Result<()> {
    let order = Order {
        account,
        top,
        kind: MailKind::Confirmation,
        key: &idempotency.key,
        request_hash: &idempotency.request,
        to: email,
        to_name: None,
        language,
    };
    let post = post(call)?;
    // The request that sends the mail makes the link: a second one would make the link of the mail that is sent useless.
    let Claimed::Ticket(ticket) = post.claim(order).await.map_err(|error| send_problem(error, "email"))? else { return Ok(()) };
    let token = link_token(store::random()?);
    let pending = Pending {
        email: email.clone(),
        confirmation_hash: link_token_hash(&token),
        expires_at: call.now + SignedDuration::from_hours(HOURS.into()),
    };
    call.store()?.await_confirmation(call.tenant_id(), account, pending).await?;
    let link = format!("{}/registrierung/bestaetigen/{token}", call.tenant.application.portal_url);
    post.dispatch(ticket, &Message::Confirmation(Confirmation { link, hours: HOURS }))
        .await
        .map_err(|error| send_problem(error, "email"))?;
    Ok(())
}
