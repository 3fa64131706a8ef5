//! Calls of systems that are not the product's own: a tenant's CRM and its webhook, Amazon's text recognition,
//! and the queue of what is to go on.
//!
//! What is sent and answered is personal data: no error of this crate holds any of it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod circuit;
pub mod crm;
mod http;
pub mod ocr;
pub mod queue;
pub mod rows;
pub mod webhook;

pub use circuit::Circuit;
pub use http::{Answer, Http};
