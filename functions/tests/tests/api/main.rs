//! The product as its clients meet it: over HTTP, by personas, against the whole local stack.
//!
//! One stack serves all tests; each test makes a tenant of its own, so that they run side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test may fail loudly")]

mod at_desk;
mod calls;
mod content;
mod costs;
mod deciding;
mod desk;
mod desk_communication;
mod desk_customers;
mod desk_exports;
mod desk_imports;
mod desk_letters;
mod desk_login;
mod desk_members;
mod desk_photos;
mod desk_platform;
mod desk_previews;
mod desk_privacy;
mod desk_reminders;
mod desk_season;
mod desk_settings;
mod desk_tenant_login;
mod desk_webhook;
mod desk_work;
mod faults;
#[path = "../../../domain/tests/hostile/corpus.rs"]
mod hostile;
mod idempotency;
mod isolation;
mod lab;
mod login;
mod logs;
mod mails;
mod newer_version;
mod photo_readings;
mod photos;
mod problems;
#[path = "../../../operator/tests/operator/read_by.rs"]
mod read_by;
mod readings;
mod readings_without_job;
mod receipts;
mod reminders;
mod season;
mod sessions;
mod shares;
mod stops;
mod webhook;
mod world;
