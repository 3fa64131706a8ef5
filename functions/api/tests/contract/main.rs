//! What the route table promises: documents, answers, grants.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod documents;
mod grants;
mod views;
