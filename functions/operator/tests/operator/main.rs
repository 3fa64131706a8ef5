//! The real binary against the real protocol; every test has a database of its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test may fail loudly")]

mod accounts;
mod clearing;
mod credentials;
mod csv_files;
mod demo;
mod entry;
mod imports;
mod invitations;
mod jobs;
mod language;
mod letters;
mod lists;
mod machine;
mod market_rules;
mod members;
mod mscons;
mod presets;
mod read_by;
mod readings;
mod reminders;
mod season;
mod season_report;
mod seasons;
mod subject;
mod tenant;
mod webhook;
mod world;
