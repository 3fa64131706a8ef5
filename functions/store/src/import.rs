//! The utility's list of jobs, brought in.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::slice;

use domain::ids::{AccountId, JobId, TenantId};
use domain::model::JobMaster;

use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::item::{Fields, Item, json, text};
use crate::jobs::{FORGOTTEN, JOB, StoredJob, bump_portfolio, line_hash, list_entry};
use crate::keys::{self, Key};
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

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
    /// How many lines go together in one read and one transaction.
    pub const IMPORT_BATCH: usize = 25;

    /// Takes lines, [`Store::IMPORT_BATCH`] at a time; the answers are in the order of the lines.
    pub async fn import_jobs(&self, tenant: &TenantId, lines: &[JobLine]) -> Result<Vec<JobImported>> {
        let mut answers = Vec::with_capacity(lines.len());
        for batch in lines.chunks(Self::IMPORT_BATCH) {
            answers.extend(self.import_batch(tenant, batch).await?);
        }
        Ok(answers)
    }

    async fn import_batch(&self, tenant: &TenantId, lines: &[JobLine]) -> Result<Vec<JobImported>> {
        let ids: HashSet<&JobId> = lines.iter().map(|line| &line.master.id).collect();
        if ids.len() == lines.len() {
            match self.import_together(tenant, lines).await {
                // A reading came in between, or the lines are too large together: one by one it goes.
                Err(StoreError::Conflict | StoreError::TooLarge { .. }) => {}
                done => return done,
            }
        }
        let mut answers = Vec::with_capacity(lines.len());
        for line in lines {
            answers.extend(self.import_alone(tenant, line).await?);
        }
        Ok(answers)
    }

    async fn import_alone(&self, tenant: &TenantId, line: &JobLine) -> Result<Vec<JobImported>> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.import_together(tenant, slice::from_ref(line)).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// One read and one transaction for all lines, whose ids differ.
    async fn import_together(&self, tenant: &TenantId, lines: &[JobLine]) -> Result<Vec<JobImported>> {
        let mut wanted = HashSet::new();
        for line in lines {
            wanted.insert(keys::account(tenant, &line.account_id));
            wanted.insert(keys::job(tenant, &line.account_id, &line.master.id));
            wanted.insert(keys::job_entry(tenant, &line.master.id));
        }
        let wanted: Vec<Key> = wanted.into_iter().collect();
        let found = self.get_batch(&wanted, Read::Latest).await?;

        let mut tx = Tx::new(self);
        let mut changed = BTreeSet::new();
        let mut answers = Vec::with_capacity(lines.len());
        for line in lines {
            let answer = plan(&mut tx, tenant, line, &found)?;
            if matches!(answer, JobImported::Created | JobImported::Updated) {
                changed.insert(&line.account_id);
            }
            answers.push(answer);
        }
        for account in changed {
            bump_portfolio(&mut tx, tenant, account)?;
        }
        if !tx.is_empty() {
            tx.commit("the import").await?;
        }
        Ok(answers)
    }
}

/// What to do with one line, given the items that are stored.
fn plan(tx: &mut Tx<'_>, tenant: &TenantId, line: &JobLine, found: &HashMap<Key, Item>) -> Result<JobImported> {
    let (account, id) = (&line.account_id, &line.master.id);
    if !found.contains_key(&keys::account(tenant, account)) {
        return Ok(JobImported::Rejected { reason: Rejection::AccountUnknown });
    }
    let listed = found.get(&keys::job_entry(tenant, id));
    let forgotten = listed.filter(|entry| entry.contains_key(FORGOTTEN));
    if let Some(entry) = forgotten
        && Fields(entry).text(FORGOTTEN)? == line_hash(&line.master)?
    {
        return Ok(JobImported::Unchanged);
    }
    let owner = listed.filter(|_| forgotten.is_none()).map(|entry| Fields(entry).parsed::<AccountId>("accountId")).transpose()?;
    if owner.is_some_and(|owner| owner != *account) {
        return Ok(JobImported::Rejected { reason: Rejection::OtherAccount });
    }
    let stored = found.get(&keys::job(tenant, account, id));
    let new = json(&line.master)?;
    let (job, condition, imported) = match stored {
        None => {
            let job = StoredJob::new(account.clone(), line.master.clone());
            (job, Condition::absent(StoreError::Conflict), JobImported::Created)
        }
        Some(item) => {
            let job = StoredJob::read(item)?;
            // By their text: two readings of the same number may differ in their digits.
            if !job.closed && item.get("master") == Some(&new) {
                return Ok(JobImported::Unchanged);
            }
            (job.with_master(line.master.clone()), Condition::version(job.version), JobImported::Updated)
        }
    };
    match tx.put(JOB, job.item(tenant)?, Some(condition)) {
        Err(StoreError::TooLarge { size, limit, .. }) => return Ok(JobImported::Rejected { reason: Rejection::TooLarge { size, limit } }),
        done => done?,
    }
    let entry = Condition {
        expression: "attribute_not_exists(pk) OR accountId = :account OR attribute_exists(forgotten)",
        values: Item::from([(":account".into(), text(account.as_str()))]),
        refusal: StoreError::Conflict,
    };
    tx.put(JOB, list_entry(tenant, id, account, false), Some(entry))?;
    Ok(imported)
}
