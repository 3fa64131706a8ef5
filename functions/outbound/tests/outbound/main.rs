//! The clients against servers of the tests.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod crm;
mod textract;
