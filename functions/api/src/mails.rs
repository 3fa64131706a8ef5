//! Mails that an endpoint sends: who they are from, what makes each one mail, and what the client is told when one is refused.

use domain::email::EmailAddress;
use edge::{Code, FieldError, Problem};
use mail::{Post, SendError};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::idempotency::Idempotency;

/// The sender of the tenant's mails.
///
/// # Errors
/// `internal-error` without the grants.
pub(crate) fn post(call: &Call) -> Result<Post<'_>> {
    Ok(Post { store: call.store()?, mailer: call.mailer()?, tenant: &call.tenant, now: call.now })
}

/// What makes a request one mail (D-MAILS-1): the client's key, or without one the request's content in this hour, because the same words may be
/// wanted again some other time.
///
/// # Errors
/// `malformed-request` for a key of a wrong form.
pub(crate) fn idempotency(call: &Call, about: &[&str]) -> Result<Idempotency> {
    let mut idempotency = Idempotency::of(call, about)?;
    if call.request.idempotency_key()?.is_none() {
        idempotency.key = format!("{}@{}", idempotency.key, call.now.strftime("%Y-%m-%dT%H"));
    }
    Ok(idempotency)
}

/// What the client is told of a mail that was not sent; `field` is where its recipient comes from.
pub(crate) fn send_problem(error: SendError, field: &str) -> Error {
    let at_field = |code, message: &str| Problem::new(code).with_fields(vec![FieldError::new(field, message)]);
    let problem = match error {
        SendError::Suppressed => at_field(Code::RecipientSuppressed, "gets no mail: earlier ones came back or were not wanted"),
        SendError::TooManyRecipients { retry_after } => {
            Problem::new(Code::TooManyRecipients).with_retry_after(retry_after.as_secs().max(1))
        }
        SendError::Rehearsal => Problem::new(Code::MailRefused).with_cause("the tenant is in rehearsal, and mails go to its members only"),
        SendError::Refused(cause) => Problem::new(Code::MailRefused).with_cause(cause),
        SendError::KeyReused => Problem::new(Code::IdempotencyKeyReused),
        SendError::Unavailable { retry_after, cause, .. } => {
            Problem::new(Code::TemporarilyUnavailable).with_retry_after(retry_after.as_secs().max(1)).with_cause(cause)
        }
        SendError::Store(error) => return error.into(),
        SendError::Mime(error) => Problem::internal(error),
    };
    problem.into()
}

/// An address of a request.
///
/// # Errors
/// `request-invalid` at the field.
pub(crate) fn address(text: &str, field: &str) -> Result<EmailAddress> {
    text.parse().map_err(|error: domain::email::InvalidEmail| Problem::invalid_field(field, error.to_string()).into())
}
