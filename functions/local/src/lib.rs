//! The whole product on one machine, for development and tests.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod bounds;
pub mod demo_data;
pub mod gateway;
mod keys;
pub mod mailbox;
pub mod payload;
mod pool;
mod random;
mod stack;

pub use pool::{DeskProvider, Pool};
pub use stack::{Log, Stack, StackError, StackOptions, runtime, settings};
