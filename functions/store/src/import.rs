//! The utility's list of jobs, brought in.

use domain::ids::{AccountId, TenantId};
use domain::model::JobMaster;

use crate::{Result, Store};

/// One line of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct JobLine {
    /// The owner.
    pub account_id: AccountId,
    /// The job.
    pub master: JobMaster,
}

/// What became of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobImported {
    /// The job is new.
    Created,
    /// The job changed or was closed; its results are kept.
    Updated,
    /// Exactly so it was stored already; nothing was written.
    Unchanged,
    /// The line was not taken.
    Rejected {
        /// Why.
        reason: Rejection,
    },
}

/// Why a line was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The tenant has no such account.
    #[error("there is no account with this accountId")]
    AccountUnknown,
    /// The job's id is that of another account's job.
    #[error("the job belongs to another account; it cannot be moved")]
    OtherAccount,
    /// The job does not fit into one item.
    #[error("the job has {size} bytes, at most {limit} can be stored")]
    TooLarge {
        /// What it has.
        size: usize,
        /// What is possible.
        limit: usize,
    },
}

impl Store {
    /// Most lines of one call of [`Store::import_jobs`].
    pub const IMPORT_BATCH: usize = 25;

    /// Takes up to [`Store::IMPORT_BATCH`] lines; the answers are in the order of the lines.
    pub async fn import_jobs(&self, tenant: &TenantId, lines: &[JobLine]) -> Result<Vec<JobImported>> {
        todo!("{tenant}{lines:?}")
    }
}
