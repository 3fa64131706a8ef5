//! The errors of endpoints.

use domain::ids::InvalidId;
use domain::login::HashingFailed;
use domain::text::Lang;
use edge::{Code, FieldError, Problem};
use grants::MissingGrant;
use identity::UserPoolError;
use store::StoreError;

/// A problem for the client. What the layers below report becomes one by `?`.
#[derive(Debug)]
pub struct Error(Problem);

/// The result of an endpoint and of what it calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<Error> for Problem {
    fn from(Error(problem): Error) -> Self {
        problem
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<Code> for Error {
    fn from(code: Code) -> Self {
        Self(Problem::new(code))
    }
}

impl From<desk::Failure> for Error {
    fn from(failure: desk::Failure) -> Self {
        match failure {
            desk::Failure::Store(error) => error.into(),
            desk::Failure::TenantUnknown(_) => Code::NotFound.into(),
            desk::Failure::NotMailed(reason) => Self(Problem::new(Code::MailRefused).with_cause(reason)),
            desk::Failure::MailUnanswered(reason) => {
                Self(Problem::new(Code::TemporarilyUnavailable).with_retry_after(5).with_cause(reason))
            }
            desk::Failure::TooLong { limit } => Self(
                Problem::new(Code::ListTooLong)
                    .with_detail(format!("The list has more than {limit} lines to look at. Narrow it down by its filters.")),
            ),
            desk::Failure::Busy { .. } => Code::RunUnderWay.into(),
            desk::Failure::Stale => Code::Conflict.into(),
            desk::Failure::Refused(text) => Self(Problem::new(Code::RequestInvalid).with_detail(text.of(Lang::En))),
            other => Self(Problem::internal(other)),
        }
    }
}

impl From<UserPoolError> for Error {
    fn from(error: UserPoolError) -> Self {
        Self(match error {
            UserPoolError::Refused(_) => Problem::new(Code::MailRefused).with_cause(error),
            UserPoolError::NoAnswer(_) => Problem::new(Code::TemporarilyUnavailable).with_retry_after(1).with_cause(error),
        })
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self(match &error {
            StoreError::Unavailable { retry_after, .. } => {
                Problem::new(Code::TemporarilyUnavailable).with_retry_after(retry_after.as_secs().max(1)).with_cause(error)
            }
            // Where a conflict means something to the caller, the handler says so; elsewhere the same request works a moment later.
            StoreError::Conflict => Problem::new(Code::TemporarilyUnavailable).with_retry_after(1).with_cause(error),
            StoreError::TooManyRecipients { retry_after } => {
                Problem::new(Code::TooManyRecipients).with_retry_after(retry_after.as_secs().max(1))
            }
            StoreError::NewerVersion => Problem::new(Code::NewerVersion),
            // It was there when the handler looked for it.
            StoreError::BeingErased => Problem::new(Code::NotFound),
            StoreError::LoginEnded => Problem::new(Code::TokenInvalid),
            StoreError::InvalidCursor => Problem::new(Code::MalformedRequest)
                .with_fields(vec![FieldError::new("cursor", "must be the `nextCursor` of another page")]),
            _ => Problem::internal(error),
        })
    }
}

/// Faults of ours, for any request. Errors that also come from reading what a client sent are not among them.
macro_rules! internal {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self(Problem::internal(error))
            }
        }
    )*};
}

internal!(HashingFailed, InvalidId, MissingGrant, ring::error::Unspecified, serde_json::Error, tokio::task::JoinError);
