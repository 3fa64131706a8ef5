//! What happens without a request: on a schedule, or because a queue has something.
//!
//! `table` is the list of workers; each has a file of its name here and a short main in `lambdas`. A worker's run is bounded, can be
//! stopped anywhere, and goes on where it was.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod account_expiry;
mod erasure;
mod export_clock;
mod mail_events;
mod orphan_photos;
mod reminders;
mod retention;
mod run;
mod run_clock;
mod runs;
mod serve;
pub mod table;
mod tallies;
mod tenants;
mod webhook_deliveries;
mod worker;

pub use run::{Run, Tally};
pub use serve::{BY_CLOCK, Connected, Invoked, connect, serve};
pub use worker::{Message, Trigger, Worker, infrastructure};
