//! A tenant's own CRM, by the calls that `docs/crm.md` describes: with time limits, further attempts, and a circuit that opens when the
//! system fails, so that a broken CRM costs its tenant's readers no time and other tenants nothing. What calls of any tenant's system need
//! is public: answers with limits, the circuit, and the secrets.
//!
//! What is sent and answered is personal data: no error of this crate holds any of it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod circuit;
mod client;
mod http;
mod parameters;

pub use circuit::Circuit;
pub use client::{CrmClient, CrmError, RemoteRegistration, System};
pub use http::{Answer, answer};
pub use parameters::Parameters;
