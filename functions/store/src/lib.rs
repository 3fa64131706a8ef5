//! The only crate that knows DynamoDB and S3.
//!
//! One file is one aggregate (`tenants`, `accounts`, `access`, `shares`, `login_attempts`, `throttle`, `sessions`, `logins`, `jobs`, `import`, `imports`, `meters`, `results`, `seasons`,
//! `readings_without_job`, `deliveries`, `runs`, `run_files`, `turns`, `season_readings`, `clearing`, `decisions`, `assignments`, `waiting`, `customers`, `tallies`, `market`, `photos`, `mails`, `communication`, `reminders`, `invitations`,
//! `search`, `retention`, `erasure`, `subject`, `audit`, `staff`, `staff_invitations`); the mechanics
//! are written once: `keys` (every key), `table` (the definition), `db` (the calls, counted), `tx` (transactions), `item` (attributes).
//!
//! No clock and no random number is taken in here but for the jitter between retries: callers pass `now` and random bytes; the names of changes that are yet to be counted are random.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod access;
mod access_asks;
mod accounts;
mod assignments;
mod audit;
mod clearing;
mod clients;
mod communication;
mod customer_previews;
mod customers;
mod db;
mod decisions;
mod deliveries;
mod erasure;
mod error;
mod holds;
mod idempotency;
mod import;
mod import_files;
mod imports;
mod invitations;
mod item;
mod jobs;
mod keys;
mod login_attempts;
mod logins;
mod mails;
mod market;
mod meters;
mod open;
mod packed;
mod photos;
mod progress;
mod random;
mod readings_without_job;
mod reminders;
mod results;
mod retention;
mod run_files;
mod runs;
mod search;
mod season_readings;
mod seasons;
mod sessions;
mod shares;
mod slots;
mod staff;
mod staff_invitations;
mod subject;
pub mod table;
mod tallies;
mod tenants;
mod throttle;
mod turns;
mod tx;
mod versions;
mod waiting;
mod webhook_secrets;

pub use access::{Access, ToShare};
pub use access_asks::AccessAsk;
pub use accounts::{Account, Credential, Imported, KnownAccount, LinkSecretHash, NewAccount, ShareTerms};
pub use assignments::Assignment;
pub use audit::{Audit, AuditFilter, AuditPage, AuditRecord};
pub use clearing::{
    Aside, Assigned, Cleared, Clearing, ClearingEntry, ClearingEntryWithoutJob, ClearingPage, ClearingPageWithoutJob, Destination,
    Exchange, ExportCounts, ExportState, Proposal, Proposed, ReadingsExport, Sending, SentReading, SentTo,
};
pub use clients::{dynamodb, s3};
pub use communication::{Confirmed, Pending, ReceiptState, Receipted, Registration};
pub use customer_previews::CustomerPreview;
pub use customers::{Customer, MadeLetter, SentMail};
pub use db::{Meter, Store};
pub use decisions::{Correction, Decided, DecidedPage, NextWaiting, Reopened, Taken, WithAnother};
pub use deliveries::{DeadLetter, Delivery, DeliveryContent, DeliveryQueue, Receiver, ToTell};
pub use erasure::{AskedErasure, Erased, Erasure, ErasureRecord, IsOver, fingerprint};
pub use error::{Result, StoreError};
pub use holds::{Hold, Holds};
pub use idempotency::{IdempotencyRecord, IdempotencyWrite, Submitted};
pub use import::{Effect, InTheWay, JobImport, JobImported, JobLine, Rejection};
pub use import_files::{ImportFile, KeptMapping};
pub use imports::{ImportRun, Origin, UNDOABLE, Undone};
pub use invitations::{HandedOver, Invitee, Told};
pub use jobs::{JobIdsPage, JobsPage, ListedJob, Sent, StoredJob, cursor_of_slots};
pub use login_attempts::{Admission, Attempt, Ended, LoginTries};
pub use logins::{EndedLogins, Entrant, TokenOrigin};
pub use mails::{
    Lease, ListedMail, MailClaim, MailEvent, MailEventKind, MailKind, MailRecord, MailState, MailsPage, NewMail, Noted, STAFF_INVITATION,
};
pub use market::{AnswerKind, CounterOf, MarketAnswer, MarketContent, MarketCounter, MarketLine};
pub use open::{OpenJobsFilter, OpenJobsPage, OpenPlace};
pub use photos::{Photos, PhotosPage, PresignedPhoto, PresignedUpload, StoredPhoto};
pub use progress::Progress;
pub use random::random;
pub use readings_without_job::{ReadingWithoutJob, ReadingWithoutJobValue, ReadingsWithoutJobPage};
pub use reminders::{Occasion, Reachable, Reminded};
pub use results::{Entered, LedgerEntry, NewResult, ResultsPage, Source, SubmitResults};
pub use retention::{BEGINNING, KeptSince, ListedAccount, Retained};
pub use run_files::{Fetcher, OpenFile, PresignedFile, RunFiles};
pub use runs::{
    ExportTask, ImportKind, ImportTask, LettersEnd, LettersTask, NewRun, OpenRun, Run, RunAnew, RunAnewLine, RunBefore, RunClosing,
    RunFile, RunImport, RunLeftOut, RunLetters, RunMails, RunOutcome, RunState, RunStopped, RunTask, RunText,
};
pub use search::{Contact, FoundAccount, FoundJob, FoundPage};
pub use season_readings::{CameInPage, ReadingsFilter};
pub use sessions::{FoundSession, ListedSession, NewSession, RefreshToken, Rotation, Session};
pub use shares::{FoundShare, NewLogin, NewShare, Share, ShareRenewal, SharesPage};
pub use slots::{ListState, Slot};
pub use staff::{
    Identity, Member, Membership, NewMember, NewMembership, STAFF_SESSION_LIFE, StaffCookie, StaffLogin, StaffSession, TenantOfMember,
};
pub use staff_invitations::{Accepted, Inviter, StaffInvitation};
pub use tallies::{Cell, Cells, LETTER, OTHER_DISTRICTS, Recounted, SENT, SeasonTally, WITHOUT_JOB};
pub use tenants::{Applied, Logo, Tenant, TenantBundle};
pub use turns::Turn;
pub use versions::{NewVersion, Onto, TenantDraft, TenantFiles, TenantVersion, file_hash};
pub use waiting::{AnyReading, Waiting, WaitingFilter, WaitingPage, WaitingReading, is_without_job};
pub use webhook_secrets::MadeSecret;
