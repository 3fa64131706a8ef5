//! The workers against DynamoDB and S3, with a clock of the test's own, and stopped at every call that they make.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod accounts;
mod clock;
mod costs;
mod erasure;
mod exports;
mod grants;
mod holds;
mod imports;
mod letters;
mod mails;
mod orphans;
mod reminders;
mod retention;
mod runs;
mod stops;
mod table;
mod webhook_deliveries;
mod world;
