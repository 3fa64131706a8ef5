//! From an event to a reply.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod replies;
mod requests;
mod tokens;
