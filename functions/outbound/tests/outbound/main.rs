//! The clients against servers of the tests.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod crm;
mod textract;
