//! Storage errors as problems.

use edge::{Code, FieldError, Problem};
use store::StoreError;

/// What the client is told of a storage error.
pub(crate) fn store_problem(error: StoreError) -> Problem {
    match &error {
        StoreError::Unavailable { retry_after, .. } => {
            Problem::new(Code::TemporarilyUnavailable).with_retry_after(retry_after.as_secs().max(1)).with_cause(error)
        }
        // Where a conflict means something to the caller, the handler says so; elsewhere the same request works a moment later.
        StoreError::Conflict => Problem::new(Code::TemporarilyUnavailable).with_retry_after(1).with_cause(error),
        StoreError::InvalidCursor => {
            Problem::new(Code::MalformedRequest).with_fields(vec![FieldError::new("cursor", "must be the `nextCursor` of another page")])
        }
        _ => Problem::internal(error),
    }
}
