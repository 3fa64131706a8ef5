//! What can go wrong, as the callers need to tell it apart.

use std::time::Duration;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use domain::text;
use domain::text::Text;

/// Result of a call of this crate.
pub type Result<T> = std::result::Result<T, StoreError>;

/// A call that did not work. No text of it holds personal data, so it may be logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The access token was ended before its time: by a logout, new login data, or a refresh token that came twice.
    #[error("the access token has ended")]
    LoginEnded,
    /// Another request changed the same thing in the meantime, and trying again did not help: read it again.
    #[error("the stored item was changed in the meantime")]
    Conflict,
    /// The service does not answer in time or asks to slow down.
    #[error("the storage is not available at the moment ({operation})")]
    Unavailable {
        /// The operation that was tried.
        operation: &'static str,
        /// The time until a retry is worth it.
        retry_after: Duration,
    },
    /// What should be stored does not fit into one item (400 KB) or one transaction (4 MB, 100 items).
    #[error("{what} has {size} {unit}, at most {limit} can be stored")]
    TooLarge {
        /// Kind of the thing.
        what: &'static str,
        /// The size of the thing.
        size: usize,
        /// The largest size possible.
        limit: usize,
        /// Unit of the two numbers.
        unit: &'static str,
    },
    /// The user name belongs to another account of the tenant.
    #[error("the user name belongs to another account")]
    NameTaken,
    /// The link token belongs to another account of the tenant.
    #[error("the link token belongs to another account")]
    LinkTaken,
    /// An erasure of this account is under way, whose later looks would take along what comes in its place (D-STORAGE-14).
    #[error(
        "is being erased; import it again when the erasure is no longer under way under `Data protection`, about an hour after it began"
    )]
    BeingErased,
    /// The host name belongs to another tenant.
    #[error("the host {host} belongs to another tenant")]
    HostTaken {
        /// The host name.
        host: String,
    },
    /// There are as many shares below the account at the top as there may be.
    #[error("too many shares")]
    TooManyShares,
    /// Mails to this address came back or were not wanted.
    #[error("the recipient is suppressed")]
    RecipientSuppressed,
    /// The account or its tenant has written to as many recipients as it may for now.
    #[error("too many recipients")]
    TooManyRecipients {
        /// The time until there is room again.
        retry_after: Duration,
    },
    /// Four fifths of the tenant's recipients of the day are used up; never leaves the store.
    #[error("the tenant's day of mails is nearly used up")]
    MailDayNearlyFull,
    /// A document has members that only a newer version knows, and that this one would leave out.
    #[error(
        "what is in effect was written by a newer version of the product, and this one would leave something of it out; save again once the newer one answers everywhere"
    )]
    NewerVersion,
    /// The caller's cursor is none that this crate gave out.
    #[error("the cursor is not valid")]
    InvalidCursor,
    /// A fault of ours or of the configuration.
    #[error("{operation}: {reason}")]
    Internal {
        /// The operation that was tried.
        operation: &'static str,
        /// The service's error code and text, or what is wrong with a stored item.
        reason: String,
    },
}

impl From<&StoreError> for Text {
    fn from(error: &StoreError) -> Self {
        match error {
            StoreError::LoginEnded => text!("die Anmeldung ist beendet", "{error}"),
            StoreError::Conflict => text!("inzwischen hat jemand anderes dasselbe geändert", "{error}"),
            StoreError::Unavailable { operation, .. } => text!("der Speicher antwortet gerade nicht ({operation})", "{error}"),
            StoreError::TooLarge { size, limit, .. } => {
                text!("ist zu groß: {size}, gespeichert werden können höchstens {limit}", "{error}")
            }
            StoreError::NameTaken => text!("der Benutzername gehört zu einem anderen Zugang", "{error}"),
            StoreError::LinkTaken => text!("der Zugangscode gehört zu einem anderen Zugang", "{error}"),
            StoreError::BeingErased => text!(
                "wird gerade gelöscht; importieren Sie die Zeile noch einmal, wenn die Löschung unter „Datenschutz“ nicht mehr läuft, etwa eine Stunde nach ihrem Beginn",
                "{error}"
            ),
            StoreError::HostTaken { host } => text!("der Hostname {host} gehört zu einem anderen Mandanten", "{error}"),
            StoreError::TooManyShares => text!("es gibt zu viele Freigaben", "{error}"),
            StoreError::RecipientSuppressed => text!("an diese Adresse werden keine E-Mails gesendet", "{error}"),
            StoreError::TooManyRecipients { .. } | StoreError::MailDayNearlyFull => {
                text!("für heute wurden genug E-Mails versendet", "{error}")
            }
            StoreError::NewerVersion => text!(
                "was in Kraft ist, hat eine neuere Version des Produkts geschrieben, und diese ließe etwas davon weg; speichern Sie noch einmal, sobald die neuere überall antwortet",
                "{error}"
            ),
            StoreError::InvalidCursor => text!("die Fortsetzung der Liste ist ungültig", "{error}"),
            StoreError::Internal { operation, reason } => text!("innerer Fehler bei {operation}: {reason}", "{error}"),
        }
    }
}

impl StoreError {
    /// Trying the same call again later may work.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }

    /// The seconds to wait before another try, for `Retry-After`.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Unavailable { retry_after, .. } | Self::TooManyRecipients { retry_after } => Some(*retry_after),
            _ => None,
        }
    }
}

/// How long to wait when the service asked to slow down or did not answer.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(2);

/// The one place where an error of the SDK gets a meaning.
pub(crate) fn from_sdk<E: ProvideErrorMetadata, R>(operation: &'static str, error: SdkError<E, R>) -> StoreError {
    let unavailable = StoreError::Unavailable { operation, retry_after: RETRY_AFTER };
    match error {
        SdkError::TimeoutError(_) | SdkError::DispatchFailure(_) | SdkError::ResponseError(_) => unavailable,
        SdkError::ServiceError(context) => from_metadata(operation, context.err().meta()),
        _ => StoreError::Internal { operation, reason: "the request could not be built".into() },
    }
}

fn from_metadata(operation: &'static str, error: &aws_sdk_dynamodb::error::ErrorMetadata) -> StoreError {
    let code = error.code().unwrap_or("without a code");
    match code {
        "ProvisionedThroughputExceededException"
        | "ThrottlingException"
        | "RequestLimitExceeded"
        | "TransactionConflictException"
        | "InternalServerError"
        | "ServiceUnavailable"
        | "SlowDown"
        | "InternalError" => StoreError::Unavailable { operation, retry_after: RETRY_AFTER },
        _ => StoreError::Internal { operation, reason: format!("{code}: {}", error.message().unwrap_or("no message")) },
    }
}
