//! The ministack that all tests of a program share.

use emulators::{Ministack, MinistackOptions};
use tokio::sync::OnceCell;

/// Its address. It ends with the process.
pub async fn ministack() -> &'static str {
    static MINISTACK: OnceCell<Ministack> = OnceCell::const_new();
    let start = || async { Ministack::start(&MinistackOptions::default()).await.unwrap() };
    MINISTACK.get_or_init(start).await.endpoint()
}
