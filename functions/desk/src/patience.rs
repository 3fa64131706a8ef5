use std::future::Future;
use std::time::Duration;

use store::StoreError;

/// Tries again for a minute while the store asks to slow down: an import of an hour must not end because of one busy second.
pub async fn patiently<T, F: Future<Output = Result<T, StoreError>>>(call: impl Fn() -> F) -> Result<T, StoreError> {
    let mut tries_left = 30;
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
