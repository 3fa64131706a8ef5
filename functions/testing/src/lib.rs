//! Helpers that the tests of several crates share.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod bucket;
mod deliveries;
mod guard;
mod mails;
mod ministack;
pub mod provider;
mod proxy;
pub mod receiver;
pub mod recorded;
mod runs;
pub mod season;
mod things;

pub use bucket::BucketSnapshot;
pub use deliveries::dead_letter;
pub use guard::{Permission, only, permissions};
pub use mails::{after, mails, mails_of, mails_to};
pub use ministack::{aws_account, ministack, of_account};
pub use proxy::{Asked, Fate, Proxy, Upstream, traffic};
pub use runs::{
    FILE_OF_RUN, ask_for, ask_for_export, cancelled_letters, drawn_letters, import_of_accounts, import_task, kept_mapping, note_file,
    rehearsal, run, stopping_import,
};
pub use things::{
    account, account_id, application, at, bundle, decide, end_hold, hold, image_id, import, job, job_id, join, merge, staff_session,
    task_id, tenant_id,
};
