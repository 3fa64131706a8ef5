//! The workers against DynamoDB and S3, with a clock of the test's own, and stopped at every call that they make.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod accounts;
mod clock;
mod costs;
mod erasure;
mod grants;
mod guard;
mod mails;
mod orphans;
#[path = "../../../outbound/tests/receiver/mod.rs"]
mod receiver;
mod retention;
mod stops;
mod table;
mod webhook_deliveries;
mod world;
