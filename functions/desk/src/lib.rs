//! What the staff of a utility do in a season, as functions that take and return values: no terminal, no path, no printing. The command line calls it, and so
//! do the programs that show the same in a browser or do it in the cloud.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod audit;
pub mod bundle;
pub mod clearing;
mod clock;
pub mod customers;
pub mod disclosure;
pub mod edifact;
pub mod entry;
pub mod erasure;
pub mod exports;
mod failure;
mod icons;
pub mod import;
pub mod imports;
pub mod invitations;
mod known;
pub mod letters;
pub mod lists;
pub mod mailing;
pub mod market;
pub mod members;
pub mod mscons;
pub mod opening;
mod patience;
pub mod platform;
pub mod presets;
mod reached;
pub mod recipients;
pub mod reminders;
pub mod runs;
pub mod season;
pub mod season_readings;
pub mod seasons;
pub mod settings;
pub mod spreadsheet;
pub mod standing;
pub mod starter;
pub mod structure;
pub mod webhook;
pub mod without_job;

pub use clock::Clock;
pub use failure::Failure;
pub use known::known;
pub use patience::{at_once, patiently};
pub use reached::Reached;
