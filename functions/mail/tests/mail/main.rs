//! Mails: what they say and look like (golden files), and that each is sent once, through the real protocol.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod events;
mod golden;
mod post;
mod support;
