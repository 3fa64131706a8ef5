//! The product's rules, without I/O: no clock, no network, no random numbers, no async (all of these are passed in).
//!
//! One file is one family of rules; `fixtures/*.json` beside `src/` are the golden cases that the TypeScript twin in `web/src/rules` runs too.

pub mod config;
pub mod ids;
pub mod model;
pub mod value;
