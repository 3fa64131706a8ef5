//! The only crate that knows DynamoDB and S3.
//!
//! One file is one aggregate (`tenants`, `accounts`, `access`, `shares`, `throttle`, `sessions`, `jobs`, `import`, `meters`, `results`, `pushes`, `photos`,
//! `mails`, `communication`, `reminders`); the mechanics are written once: `keys` (every key), `table` (the definition), `db` (the calls, counted), `tx`
//! (transactions), `item` (attributes).
//!
//! No clock and no random number is taken in here but for the jitter between retries: callers pass `now` and random bytes.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod access;
mod accounts;
mod clients;
mod communication;
mod db;
mod desk;
mod erasure;
mod error;
mod idempotency;
mod import;
mod item;
mod jobs;
mod keys;
mod mails;
mod meters;
mod photos;
mod progress;
mod pushes;
mod random;
mod reminders;
mod results;
mod retention;
mod sessions;
mod shares;
mod subject;
pub mod table;
mod tenants;
mod throttle;
mod tx;
mod unknown_readings;

pub use access::Access;
pub use accounts::{Account, Credential, Imported, LinkSecretHash, NewAccount, ShareTerms};
pub use clients::{dynamodb, s3};
pub use communication::{Confirmed, Pending, ReceiptState, Receipted, Registration};
pub use db::{Meter, Store};
pub use desk::{Clearing, DeskEntry, DeskPage, Exchange, ExportKind, ExportState, ReadingsExport, UnknownDeskEntry, UnknownDeskPage};
pub use erasure::{Erased, Erasure, ErasureRecord, IsOver, fingerprint};
pub use error::{Result, StoreError};
pub use idempotency::{IdempotencyRecord, IdempotencyWrite, Submitted};
pub use import::{Effect, InTheWay, JobImport, JobImported, JobLine, Rejection};
pub use jobs::{JobIdsPage, JobsPage, ListedJob, StoredJob};
pub use mails::{Lease, MailClaim, MailEvent, MailEventKind, MailKind, MailRecord, MailState, NewMail, Noted};
pub use photos::{Photos, PhotosPage, PresignedUpload, StoredPhoto};
pub use progress::Progress;
pub use pushes::{DeadPush, Push, PushQueue, Pushed, Receiver};
pub use random::random;
pub use reminders::{Occasion, Reachable, Reminded};
pub use results::{LedgerEntry, NewResult, ResultsPage, SubmitResults};
pub use retention::{ListedAccount, Retained};
pub use sessions::{FoundSession, NewSession, RefreshToken, Rotation, Session};
pub use shares::{FoundShare, NewLogin, NewShare, Share};
pub use tenants::{Applied, Logo, Tenant, TenantBundle};
pub use throttle::{Attempt, Throttle};
pub use unknown_readings::{UnknownReadingEntry, UnknownReadingValue, UnknownReadingsPage};
