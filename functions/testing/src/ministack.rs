//! The ministack that all tests of a program share.

use std::sync::atomic::{AtomicU32, Ordering};

use aws::AwsSettings;
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use emulators::{Ministack, MinistackOptions};
use tokio::sync::OnceCell;

/// Its address. It ends with the process.
pub async fn ministack() -> &'static str {
    static MINISTACK: OnceCell<Ministack> = OnceCell::const_new();
    let start = || async { Ministack::start(&MinistackOptions::default()).await.unwrap() };
    MINISTACK.get_or_init(start).await.endpoint()
}

/// Settings as of this AWS account.
pub fn of_account(settings: AwsSettings, account: &str) -> AwsSettings {
    let credentials = Credentials::new(account, "test", None, None, "testing");
    AwsSettings { credentials: SharedCredentialsProvider::new(credentials), ..settings }
}

/// The access key of an AWS account that no other test uses: ministack takes twelve digits for the account's number, and keeps mails, parameters and
/// buckets of each account apart.
pub fn aws_account() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("{:012}", NEXT.fetch_add(1, Ordering::Relaxed))
}
