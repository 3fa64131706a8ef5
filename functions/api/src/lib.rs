//! The endpoints.
//!
//! `routes` is the table that everything else comes from; `handlers` has one file an endpoint; `view` is what travels.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod blocking;
mod call;
mod communication;
mod content;
mod crm;
mod digest;
mod error;
mod findings;
mod function;
mod handlers;
mod mails;
pub mod openapi;
mod photos;
mod reading_date;
mod repeat;
pub mod route;
pub mod routes;
pub mod routing;
mod seal;
mod session;
mod share_login;
mod unknown;
pub mod view;

pub use call::Call;
pub use error::Error;
pub use function::{Fallback, connect, serve, serve_fallback};
pub use grants::{self, settings};
