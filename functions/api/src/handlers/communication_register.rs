use domain::login::{link_token, link_token_hash};
use edge::{Answer, Problem};
use http::StatusCode;
use jiff::SignedDuration;
use mail::{Claimed, Confirmation, Message, Order};
use store::{MailKind, Pending};

use crate::call::Call;
use crate::communication::opened;
use crate::error::Result;
use crate::mails::{address, idempotency, post, send_problem};
use crate::view::CommunicationRequest;

/// How long the link of a confirmation works.
const HOURS: u32 = 48;

/// An address for receipts
///
/// It counts once its owner has opened the link of the mail that it gets. One that is confirmed already goes on until then.
#[utoipa::path(
    post,
    path = "/api/public/communication/{selfServiceToken}",
    tag = "communication",
    params(
        ("selfServiceToken" = String, Path, description = "From the registration info"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the same address gets one mail an hour"),
    ),
    request_body = CommunicationRequest,
    responses((status = 202, description = "The mail is on its way")),
)]
pub(crate) async fn communication_register(call: Call) -> Result<Answer> {
    let request: CommunicationRequest = call.request.json()?;
    let email = address(&request.email, "email")?;
    if !request.privacy_accepted {
        return Err(Problem::invalid_field("privacyAccepted", "must be true: without consent the address is not kept").into());
    }
    let (account, _) = opened(&call).await?;
    let idempotency = idempotency(&call, &["communication_register"])?;
    // A registration ends with its account: one that is just going has nobody above it to count against.
    let owner = call.store()?.account(call.tenant_id(), &account).await?;
    let order = Order {
        account: &account,
        top: owner.as_ref().map_or(&account, |owner| owner.top()),
        kind: MailKind::Confirmation,
        key: &idempotency.key,
        request_hash: &idempotency.request,
        to: &email,
        to_name: None,
        language: request.language.as_deref(),
    };
    let post = post(&call)?;
    // The link is made by whoever sends the mail: another one would make the link of the mail that is sent useless.
    if let Claimed::Ticket(ticket) = post.claim(order).await.map_err(|error| send_problem(error, "email"))? {
        let token = link_token(store::random()?);
        let pending = Pending {
            email: email.clone(),
            confirmation_hash: link_token_hash(&token),
            expires_at: call.now + SignedDuration::from_hours(HOURS.into()),
        };
        call.store()?.await_confirmation(call.tenant_id(), &account, pending).await?;
        let link = format!("{}/registrierung/bestaetigen/{token}", call.tenant.application.portal_url);
        let message = Message::Confirmation(Confirmation { link, hours: HOURS });
        post.dispatch(ticket, &message).await.map_err(|error| send_problem(error, "email"))?;
    }
    Ok(Answer::empty(StatusCode::ACCEPTED))
}
