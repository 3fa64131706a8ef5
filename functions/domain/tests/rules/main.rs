//! Rules beside the golden cases.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod addresses;
mod config;
mod entered;
mod job;
mod link;
mod login;
mod meter;
mod obis;
mod photo;
mod reading;
mod season;
mod share;
#[path = "../support/mod.rs"]
mod support;
mod value;
mod visitor;
mod window;
