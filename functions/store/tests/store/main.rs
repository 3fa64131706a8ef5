//! The store against real protocols: every test runs on dynoxide with a fresh database, and once more on ministack as a second opinion.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod accounts;
mod decisions;
mod deliveries;
mod faults;
mod import;
mod index;
mod jobs;
mod login_attempts;
mod mails;
mod photos;
mod run_files;
mod runs;
mod search;
mod sessions;
mod shares;
mod staff;
mod subject;
mod submissions;
mod support;
mod tallies;
mod tenants;
mod throttle;
mod waiting;
