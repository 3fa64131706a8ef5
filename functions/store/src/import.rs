//! The utility's list of jobs, brought in.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::slice;

use domain::ids::{AccountId, JobId, TenantId};
use domain::job::same_reading;
use domain::meter;
use domain::model::JobMaster;
use jiff::Timestamp;

use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::item::{Fields, Item, Record, json, text};
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
    /// The job is new or changed, and its meter was another account's, whose job is closed now and keeps its results.
    Moved {
        /// That account.
        from: AccountId,
    },
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
    /// The job's id is that of another account's job; readings are found by it, so it never changes hands.
    #[error("the job belongs to another account; a meter that moved needs a job with an id of its own")]
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

/// Whether an import changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It writes.
    Stored,
    /// It only says what it would do; lines that only follow from other lines of the same import are judged without those.
    Tried,
}

impl Store {
    /// How many lines go together in one read and one transaction.
    pub const IMPORT_BATCH: usize = 25;

    /// Takes lines, [`Store::IMPORT_BATCH`] at a time; the answers are in the order of the lines.
    pub async fn import_jobs(&self, tenant: &TenantId, lines: &[JobLine], now: Timestamp) -> Result<Vec<JobImported>> {
        self.import_jobs_as(tenant, lines, Effect::Stored, now).await
    }

    /// As [`Store::import_jobs`], or only its answers.
    pub async fn import_jobs_as(&self, tenant: &TenantId, lines: &[JobLine], effect: Effect, now: Timestamp) -> Result<Vec<JobImported>> {
        let mut answers = Vec::with_capacity(lines.len());
        for batch in lines.chunks(Self::IMPORT_BATCH) {
            answers.extend(self.import_batch(tenant, batch, effect, now).await?);
        }
        Ok(answers)
    }

    async fn import_batch(&self, tenant: &TenantId, lines: &[JobLine], effect: Effect, now: Timestamp) -> Result<Vec<JobImported>> {
        let ids: HashSet<&JobId> = lines.iter().map(|line| &line.master.id).collect();
        let meters: HashSet<_> = lines.iter().filter_map(|line| meter::identity(&line.master)).collect();
        if ids.len() == lines.len() && meters.len() == lines.iter().filter(|line| meter::identity(&line.master).is_some()).count() {
            match self.import_together(tenant, lines, effect, now).await {
                // A reading came in between, or the lines are too large together: one by one it goes.
                Err(StoreError::Conflict | StoreError::TooLarge { .. }) => {}
                done => return done,
            }
        }
        let mut answers = Vec::with_capacity(lines.len());
        for line in lines {
            answers.extend(self.import_alone(tenant, line, effect, now).await?);
        }
        Ok(answers)
    }

    async fn import_alone(&self, tenant: &TenantId, line: &JobLine, effect: Effect, now: Timestamp) -> Result<Vec<JobImported>> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.import_together(tenant, slice::from_ref(line), effect, now).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// One read (two, where jobs move) and one transaction for all lines, whose ids and meters differ.
    async fn import_together(&self, tenant: &TenantId, lines: &[JobLine], effect: Effect, now: Timestamp) -> Result<Vec<JobImported>> {
        let mut wanted = HashSet::new();
        for line in lines {
            wanted.insert(keys::account(tenant, &line.account_id));
            wanted.insert(keys::job(tenant, &line.account_id, &line.master.id));
            wanted.insert(keys::job_entry(tenant, &line.master.id));
            wanted.extend(meter::identity(&line.master).map(|identity| keys::meter(tenant, &identity)));
        }
        let wanted: Vec<Key> = wanted.into_iter().collect();
        let mut found = self.get_batch(&wanted, Read::Latest).await?;
        let mut elsewhere = HashSet::new();
        for line in lines {
            if let Some((account, job)) = former_place(tenant, line, &found)? {
                elsewhere.insert(keys::job(tenant, &account, &job));
            }
        }
        // A job that moves away may stand in another line too, and a transaction takes an item once.
        if !elsewhere.is_empty() && lines.len() > 1 {
            return Err(StoreError::Conflict);
        }
        if !elsewhere.is_empty() {
            let elsewhere: Vec<Key> = elsewhere.into_iter().collect();
            found.extend(self.get_batch(&elsewhere, Read::Latest).await?);
        }

        let mut tx = Tx::new(self);
        let mut changed = BTreeSet::new();
        let mut answers = Vec::with_capacity(lines.len());
        for line in lines {
            answers.push(plan(&mut tx, tenant, line, &found, &mut changed, now)?);
        }
        for account in &changed {
            bump_portfolio(&mut tx, tenant, account)?;
        }
        if !tx.is_empty() && effect == Effect::Stored {
            tx.commit("the import").await?;
        }
        Ok(answers)
    }
}

/// The job of another account that has the line's meter, if there is one.
fn former_place(tenant: &TenantId, line: &JobLine, found: &HashMap<Key, Item>) -> Result<Option<(AccountId, JobId)>> {
    let holder = meter::identity(&line.master).and_then(|identity| found.get(&keys::meter(tenant, &identity)));
    let Some(fields) = holder.map(Fields) else { return Ok(None) };
    let account: AccountId = fields.parsed("accountId")?;
    Ok(if account == line.account_id { None } else { Some((account, fields.parsed("jobId")?)) })
}

/// What to do with one line, given the items that are stored.
fn plan(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    line: &JobLine,
    found: &HashMap<Key, Item>,
    changed: &mut BTreeSet<AccountId>,
    now: Timestamp,
) -> Result<JobImported> {
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
    let meter = meter::identity(&line.master).map(|identity| keys::meter(tenant, &identity));
    let stored = found.get(&keys::job(tenant, account, id)).map(StoredJob::read).transpose()?;
    let new = json(&line.master)?;
    // By their text: two readings of the same number may differ in their digits.
    let same = |job: &StoredJob| json(&job.master).is_ok_and(|stored| stored == new);
    if stored.as_ref().is_some_and(|job| !job.closed && same(job)) {
        return Ok(JobImported::Unchanged);
    }
    let (job, condition, mut imported) = match stored {
        None => {
            let job = StoredJob::new(account.clone(), line.master.clone(), now);
            (job, Condition::absent(StoreError::Conflict), JobImported::Created)
        }
        Some(job) => (job.with_master(line.master.clone(), now), Condition::version(job.version), JobImported::Updated),
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
    if let Some((former, former_id)) = former_place(tenant, line, found)?
        && let Some(item) = found.get(&keys::job(tenant, &former, &former_id))
    {
        let theirs = StoredJob::read(item)?;
        if !theirs.closed && same_reading(&theirs.master, &line.master) {
            tx.put(JOB, theirs.without_listing(now).item(tenant)?, Some(Condition::version(theirs.version)))?;
            tx.put(JOB, list_entry(tenant, &former_id, &former, true), None)?;
            changed.insert(former.clone());
            imported = JobImported::Moved { from: former };
        }
    }
    if let Some(meter) = meter {
        tx.put("the meter", meter_item(&meter, account, id), None)?;
    }
    changed.insert(account.clone());
    Ok(imported)
}

/// Who has the meter now.
fn meter_item(key: &Key, account: &AccountId, job: &JobId) -> Item {
    Record::at(key).with("accountId", text(account.as_str())).with("jobId", text(job.as_str())).item()
}

impl Store {
    /// Deletes what leads from the meter to its job, if the account is the one that has it.
    pub(crate) async fn release_meter(&self, tenant: &TenantId, account: &AccountId, master: &JobMaster) -> Result<()> {
        let Some(identity) = meter::identity(master) else { return Ok(()) };
        let ours = Item::from([(":account".into(), text(account.as_str()))]);
        self.delete(&keys::meter(tenant, &identity), Some(("accountId = :account", ours))).await
    }
}
