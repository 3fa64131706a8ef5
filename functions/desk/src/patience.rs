use std::future::Future;
use std::time::Duration;

use store::StoreError;

tokio::task_local! {
    static AT_ONCE: ();
}

/// Work for whose end a user waits at a screen: what the store does not do at once is reported as a failure, and not tried for a minute.
pub async fn at_once<T>(work: impl Future<Output = T>) -> T {
    AT_ONCE.scope((), work).await
}

/// Tries again for a minute while the store asks to slow down: an import of an hour must not end because of one busy second.
pub async fn patiently<T, F: Future<Output = Result<T, StoreError>>>(call: impl Fn() -> F) -> Result<T, StoreError> {
    let mut tries_left = if AT_ONCE.try_with(|()| ()).is_ok() { 0 } else { 30 };
    loop {
        match call().await {
            Err(error) if tries_left > 0 && (error.is_unavailable() || error == StoreError::Conflict) => {
                tries_left -= 1;
                tokio::time::sleep(error.retry_after().unwrap_or(Duration::from_millis(500))).await;
            }
            done => return done,
        }
    }
}
