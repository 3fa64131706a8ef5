//! Work that keeps a processor busy, away from the threads that answer.

use crate::error::Result;

/// Runs it on a thread of its own, so that other requests and the time limit of this one go on meanwhile.
///
/// # Errors
/// `internal-error` if it panicked.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    Ok(tokio::task::spawn_blocking(work).await?)
}
