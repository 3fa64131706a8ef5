//! The product's rules, without I/O: no clock, no network, no random numbers, no async (all of these are passed in).
//!
//! One file is one family of rules; `fixtures/*.json` beside `src/` are the golden cases that the TypeScript twin in `web/shared/rules` runs too.

#![warn(missing_docs)]

pub mod audit;
pub mod clearing;
#[allow(missing_docs, reason = "the fields are the specification's names")]
pub mod config;
pub mod config_check;
pub mod device;
pub mod email;
pub mod erasure;
pub mod expected;
pub mod fault;
pub mod finding;
pub mod ids;
pub mod instruction;
pub mod job;
pub mod job_check;
pub mod link;
pub mod login;
pub mod market;
pub mod meter;
#[allow(missing_docs, reason = "the fields are the specification's names")]
pub mod model;
pub mod network;
pub mod obis;
pub mod open_filter;
pub mod own_reading;
pub mod pass_through;
pub mod photo;
pub mod photo_reading;
pub mod preset;
pub mod reading;
pub mod schedule;
pub mod search;
pub mod season;
pub mod sending;
pub mod share;
pub mod staff;
pub mod text;
pub mod value;
pub mod visitor_reading;
pub mod white_space;
pub mod window;
