//! Reading jobs of an account.

use domain::ids::{AccountId, JobId, TenantId};
use domain::model::{JobMaster, TaskState};

use crate::idempotency::IdempotencyRecord;
use crate::{NewResult, Result, Store};

/// A job with what readers added to it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredJob {
    /// What the utility imported.
    pub master: JobMaster,
    /// The last 10 results of each rate.
    pub states: Vec<TaskState>,
    /// Every rate has a result.
    pub done: bool,
    /// The utility no longer lists the job: it takes no reading any more, and is shown only if it is done.
    pub closed: bool,
    /// Grows with each change, for optimistic locking.
    pub version: u64,
    /// The owner.
    pub account_id: AccountId,
}

impl StoredJob {
    /// How many results of a rate are kept in the job; the ledger keeps all.
    pub const RESULTS_PER_TASK: usize = 10;

    /// The job as it will be once [`Store::submit`] has stored these results.
    pub fn with_results(&self, results: &[NewResult]) -> Self {
        todo!("{results:?}")
    }
}

/// One page of an account's jobs.
#[derive(Debug, Clone, PartialEq)]
pub struct JobsPage {
    /// The jobs, by id. May be fewer than asked for although there are more.
    pub jobs: Vec<StoredJob>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
    /// The portfolio's version when its first page was read; a different [`Store::portfolio_version`] means that something changed since.
    pub portfolio_version: String,
}

/// A job as the tenant's list names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedJob {
    /// The job.
    pub job_id: JobId,
    /// The owner.
    pub account_id: AccountId,
    /// The utility no longer lists it.
    pub closed: bool,
}

/// One page of a tenant's list of jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobIdsPage {
    /// The jobs; may be none although there are more pages.
    pub jobs: Vec<ListedJob>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

impl Store {
    /// Changes with every change of any of the account's jobs. One small read.
    pub async fn portfolio_version(&self, tenant: &TenantId, account: &AccountId) -> Result<String> {
        todo!("{tenant}{account}")
    }

    /// One page of the account's jobs, at most `limit`; one query.
    pub async fn jobs(&self, tenant: &TenantId, account: &AccountId, limit: u32, cursor: Option<&str>) -> Result<JobsPage> {
        todo!("{tenant}{account}{limit}{cursor:?}")
    }

    /// One job of the account; one read.
    pub async fn job(&self, tenant: &TenantId, account: &AccountId, job: &JobId) -> Result<Option<StoredJob>> {
        todo!("{tenant}{account}{job}")
    }

    /// What a submission needs to know, in one read: the job, and the record of an earlier request with the same key.
    pub async fn job_with_idempotency(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        job: &JobId,
        key_hash: &str,
        now: jiff::Timestamp,
    ) -> Result<(Option<StoredJob>, Option<IdempotencyRecord>)> {
        todo!("{tenant}{account}{job}{key_hash}{now}")
    }

    /// One page of all jobs of the tenant, closed ones too.
    pub async fn job_ids(&self, tenant: &TenantId, cursor: Option<&str>) -> Result<JobIdsPage> {
        todo!("{tenant}{cursor:?}")
    }

    /// Closes a job that the utility no longer lists; false: there is none, or it was closed already. Its results stay.
    pub async fn close_job(&self, tenant: &TenantId, account: &AccountId, job: &JobId) -> Result<bool> {
        todo!("{tenant}{account}{job}")
    }
}
