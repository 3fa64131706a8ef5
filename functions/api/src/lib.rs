//! The endpoints.
//!
//! `routes` is the table that everything else comes from; `handlers` has one file an endpoint; `view` is what travels.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod answer_cipher;
mod blocking;
mod call;
mod communication;
mod content;
mod crm;
mod desk_entry;
mod digest;
mod error;
mod findings;
mod function;
mod handlers;
mod idempotency;
mod login_state;
mod mails;
pub mod openapi;
mod photos;
mod platform;
mod preview;
mod query;
mod reading_date;
mod reading_without_job;
pub mod route;
pub mod routes;
pub mod routing;
mod runs;
mod session;
mod share_login;
mod staff;
mod tenant_settings;
pub mod view;
mod webhook;

pub use call::{Call, Visit};
pub use error::Error;
pub use function::{Fallback, connect, serve, serve_fallback};
pub use grants::{self, settings};
