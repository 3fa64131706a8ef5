//! A tenant's own CRM, by the calls that `docs/crm.md` describes: with time limits, further attempts, and a circuit that opens when the
//! system fails, so that a broken CRM costs its tenant's readers no time and other tenants nothing.
//!
//! What is sent and answered is personal data: no error of this crate holds any of it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod circuit;
mod client;

pub use client::{CrmClient, CrmError, RemoteRegistration, System};
