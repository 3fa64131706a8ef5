//! AWS on one machine, for `make dev` and the tests: DynamoDB inside the process, S3 and SES as a child process, and of Textract what it would say to a few photos.
//!
//! Knows nothing of the product but the table's definition and the settings of its clients.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod dynamo;
mod ministack;
mod queue;
mod resources;
mod textract;

pub use dynamo::{Dynamo, Snapshot};
pub use ministack::{Ministack, MinistackOptions};
pub use queue::{MessageQueue, QueueMessage};
pub use resources::{KEY, create_bucket, create_table, create_user_pool, put_secret, settings, verify_sender};
pub use textract::Textract;

/// Why an emulator or a resource in it is not there.
#[derive(Debug, thiserror::Error)]
pub enum EmulatorError {
    /// The emulator did not start.
    #[error("{emulator} did not start: {reason}")]
    Start {
        emulator: &'static str,
        /// The error's text.
        reason: String,
    },
    /// A table or bucket could not be created.
    #[error("{resource} could not be created: {reason}")]
    Create {
        /// Kind and name.
        resource: String,
        /// The emulator's words.
        reason: String,
    },
}
