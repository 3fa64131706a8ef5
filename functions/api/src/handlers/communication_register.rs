use edge::{Answer, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::communication::{ask_for_confirmation, opened};
use crate::error::Result;
use crate::mails::{address, idempotency};
use crate::view::CommunicationRequest;

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
    // A registration ends with its account: an account that is just going has none above it to count against.
    let owner = call.store()?.account(call.tenant_id(), &account).await?;
    let top = owner.as_ref().map_or(&account, |owner| owner.top());
    ask_for_confirmation(&call, &account, top, &email, request.language.as_deref(), &idempotency).await?;
    Ok(Answer::empty(StatusCode::ACCEPTED))
}
