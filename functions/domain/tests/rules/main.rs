//! Rules beside the golden cases.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod link;
mod login;
mod photo;
#[path = "../support/mod.rs"]
mod support;
mod value;
