//! Readings: stored with their job in one transaction, and once more each in a ledger that only grows.

use domain::ids::{AccountId, ImageId, JobId, TaskId, TenantId};
use domain::model::{LoginKind, LowerReason, ReadingResult};
use domain::value::MeterValue;
use jiff::{Timestamp, civil::Date};

use crate::idempotency::IdempotencyWrite;
use crate::{Result, Store, StoredJob};

/// One reading of a submission.
#[derive(Debug, Clone, PartialEq)]
pub struct NewResult {
    /// Id of the ledger entry, unique in the job: letters, digits and hyphens.
    pub result_id: String,
    /// The rate.
    pub task_id: TaskId,
    /// The reading.
    pub result: ReadingResult,
}

/// A checked submission.
#[derive(Debug, Clone)]
pub struct SubmitResults<'a> {
    /// The job as it was read and checked; if it has changed since, nothing is stored.
    pub job: &'a StoredJob,
    /// The readings.
    pub results: &'a [NewResult],
    /// How the sender is logged in.
    pub login: LoginKind,
    /// Who is logged in; the owner, or later somebody with whom the job is shared.
    pub account_id: &'a AccountId,
    /// The record for a repeated request.
    pub idempotency: IdempotencyWrite,
}

/// What became of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// It is stored now; the answer is the one that was handed in.
    Stored,
    /// The same request was carried out before; this is its answer.
    Replayed {
        /// The stored answer.
        response_body: String,
    },
    /// The key was used for another request.
    KeyReused,
    /// The job has changed since it was read: read and check again.
    Stale,
}

/// One reading of the ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerEntry {
    /// The reading's id, unique in its job.
    pub result_id: String,
    /// The job.
    pub job_id: JobId,
    /// The job's owner.
    pub account_id: AccountId,
    /// Who sent it.
    pub login_account_id: AccountId,
    /// Through which kind of login.
    pub channel: LoginKind,
    /// The rate.
    pub task_id: TaskId,
    /// The rate's OBIS code at that time.
    pub obis: String,
    /// The rate's unit, if the job named one; otherwise it follows from the OBIS code.
    pub unit: Option<String>,
    /// The meter's number at that time.
    pub meter_number: String,
    /// The counter, digit for digit as it was sent.
    pub reading_value: MeterValue,
    /// The day of the reading.
    pub reading_date: Date,
    /// When the server took it.
    pub created: Timestamp,
    /// What the reader remarked.
    pub comment: Option<String>,
    /// Why it is below the one before.
    pub lower_reason: Option<LowerReason>,
    /// The photos.
    pub image_ids: Vec<ImageId>,
}

/// One page of the ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultsPage {
    /// The readings, in each shard by time; may be none although there are more pages.
    pub entries: Vec<LedgerEntry>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

impl Store {
    /// Stores readings: the job, the ledger, the portfolio's version and the idempotency record in one transaction.
    pub async fn submit(&self, tenant: &TenantId, submission: SubmitResults<'_>) -> Result<Submitted> {
        todo!("{tenant}{submission:?}")
    }

    /// One page of the readings that the server took from `since` on and before `until`. The index follows a submission within
    /// about a second.
    pub async fn results(&self, tenant: &TenantId, since: Timestamp, until: Timestamp, cursor: Option<&str>) -> Result<ResultsPage> {
        todo!("{tenant}{since}{until}{cursor:?}")
    }
}
