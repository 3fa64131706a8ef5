//! The utility's list of jobs, brought in.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::slice;

use domain::config::Application;
use domain::ids::{AccountId, JobId, TenantId};
use domain::job::same_reading;
use domain::model::JobMaster;
use domain::{link, meter, window};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::item::{Fields, Item, Record, json, number, seconds, text};
use crate::jobs::{FORGOTTEN, JOB, StoredJob, bump_portfolio, line_hash, links_end_at, list_entry};
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
    /// Exactly so it was stored already; nothing was written, unless the account's link lives longer now.
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

/// An import of lines of one tenant.
#[derive(Debug, Clone, Copy)]
pub struct JobImport<'a> {
    /// The tenant, whose settings say how long jobs can be sent.
    pub application: &'a Application,
    /// Whether it writes.
    pub effect: Effect,
    /// When it is.
    pub now: Timestamp,
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
    ///
    /// The link of an account lives as long as any of its jobs lets it ([`domain::link`]); what is imported puts its end off and never
    /// brings it forward, because that would take a look at all jobs of the account.
    pub async fn import_jobs(&self, import: JobImport<'_>, lines: &[JobLine]) -> Result<Vec<JobImported>> {
        let mut answers = Vec::with_capacity(lines.len());
        for batch in lines.chunks(Self::IMPORT_BATCH) {
            answers.extend(self.import_batch(import, batch).await?);
        }
        Ok(answers)
    }

    async fn import_batch(&self, import: JobImport<'_>, lines: &[JobLine]) -> Result<Vec<JobImported>> {
        let ids: HashSet<&JobId> = lines.iter().map(|line| &line.master.id).collect();
        let meters: HashSet<_> = lines.iter().filter_map(|line| meter::identity(&line.master)).collect();
        if ids.len() == lines.len() && meters.len() == lines.iter().filter(|line| meter::identity(&line.master).is_some()).count() {
            match self.import_together(import, lines).await {
                // A reading came in between, or the lines are too large together: one by one it goes.
                Err(StoreError::Conflict | StoreError::TooLarge { .. }) => {}
                done => return done,
            }
        }
        let mut answers = Vec::with_capacity(lines.len());
        for line in lines {
            answers.extend(self.import_alone(import, line).await?);
        }
        Ok(answers)
    }

    async fn import_alone(&self, import: JobImport<'_>, line: &JobLine) -> Result<Vec<JobImported>> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.import_together(import, slice::from_ref(line)).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// One read (two at once, where each line has another account; a further one, where jobs move) and one transaction for all lines, whose ids and meters differ.
    async fn import_together(&self, import: JobImport<'_>, lines: &[JobLine]) -> Result<Vec<JobImported>> {
        let tenant = &import.application.application_id;
        let mut wanted = HashSet::new();
        for line in lines {
            wanted.insert(keys::account(tenant, &line.account_id));
            wanted.insert(keys::portfolio(tenant, &line.account_id));
            wanted.insert(keys::job(tenant, &line.account_id, &line.master.id));
            wanted.insert(keys::job_entry(tenant, &line.master.id));
            wanted.extend(meter::identity(&line.master).map(|identity| keys::meter(tenant, &identity)));
        }
        let wanted: Vec<Key> = wanted.into_iter().collect();
        let mut found = self.get_many(&wanted, None, Read::Latest).await?;
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

        let zone = TimeZone::get(&import.application.time_zone)
            .map_err(|error| StoreError::Internal { operation: "import_jobs", reason: error.to_string() })?;
        let mut plan = Plan { import, zone, found, tx: Tx::new(self), portfolios: BTreeMap::new() };
        let answers = lines.iter().map(|line| plan.add(line)).collect::<Result<_>>()?;
        plan.add_portfolios()?;
        if !plan.tx.is_empty() && import.effect == Effect::Stored {
            plan.tx.commit("the import").await?;
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

/// What to do with lines, given the items that are stored.
struct Plan<'a> {
    import: JobImport<'a>,
    zone: TimeZone,
    found: HashMap<Key, Item>,
    tx: Tx<'a>,
    portfolios: BTreeMap<AccountId, Portfolio>,
}

/// What an import does to the jobs of an account.
#[derive(Default)]
struct Portfolio {
    changed: bool,
    /// When the last of its lines' jobs ends the account's link.
    links_end_at: Option<Timestamp>,
}

impl Plan<'_> {
    fn add(&mut self, line: &JobLine) -> Result<JobImported> {
        let tenant = &self.import.application.application_id;
        let now = self.import.now;
        let (account, id) = (&line.account_id, &line.master.id);
        if !self.found.contains_key(&keys::account(tenant, account)) {
            return Ok(JobImported::Rejected { reason: Rejection::AccountUnknown });
        }
        let listed = self.found.get(&keys::job_entry(tenant, id));
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
        let stored = self.found.get(&keys::job(tenant, account, id)).map(StoredJob::read).transpose()?;
        let new = json(&line.master)?;
        // By their text: two readings of the same number may differ in their digits.
        let same = |job: &StoredJob| json(&job.master).is_ok_and(|stored| stored == new);
        if let Some(job) = stored.as_ref().filter(|job| !job.closed && same(job)) {
            self.keep_link(job);
            return Ok(JobImported::Unchanged);
        }
        let (job, condition, mut imported) = match stored {
            None => {
                let job = StoredJob::new(account.clone(), line.master.clone(), now);
                (job, Condition::absent(StoreError::Conflict), JobImported::Created)
            }
            Some(job) => (job.with_master(line.master.clone(), now), Condition::version(job.version), JobImported::Updated),
        };
        match self.tx.put(JOB, job.item(tenant)?, Some(condition)) {
            Err(StoreError::TooLarge { size, limit, .. }) => {
                return Ok(JobImported::Rejected { reason: Rejection::TooLarge { size, limit } });
            }
            done => done?,
        }
        let entry = Condition {
            expression: "attribute_not_exists(pk) OR accountId = :account OR attribute_exists(forgotten)",
            values: Item::from([(":account".into(), text(account.as_str()))]),
            refusal: StoreError::Conflict,
        };
        self.tx.put(JOB, list_entry(tenant, id, account, false), Some(entry))?;
        if let Some((former, former_id)) = former_place(tenant, line, &self.found)?
            && let Some(item) = self.found.get(&keys::job(tenant, &former, &former_id))
        {
            let theirs = StoredJob::read(item)?;
            if !theirs.closed && same_reading(&theirs.master, &line.master) {
                self.tx.put(JOB, theirs.without_listing(now).item(tenant)?, Some(Condition::version(theirs.version)))?;
                self.tx.put(JOB, list_entry(tenant, &former_id, &former, true), None)?;
                self.portfolios.entry(former.clone()).or_default().changed = true;
                imported = JobImported::Moved { from: former };
            }
        }
        if let Some(meter) = meter {
            self.tx.put("the meter", meter_item(&meter, account, id), None)?;
        }
        self.portfolios.entry(account.clone()).or_default().changed = true;
        self.keep_link(&job);
        Ok(imported)
    }

    /// The account's link lives as long as this job lets it.
    fn keep_link(&mut self, job: &StoredJob) {
        let listed = job.listed_at.unwrap_or(self.import.now).to_zoned(self.zone.clone()).date();
        let since = window::opening(&job.master.job_constraints, listed);
        let last = link::last_day_for(self.import.application, &job.master, since);
        let end = window::end_of(last, &self.zone).unwrap_or(Timestamp::MAX);
        let portfolio = self.portfolios.entry(job.account_id.clone()).or_default();
        portfolio.links_end_at = portfolio.links_end_at.max(Some(end));
    }

    fn add_portfolios(&mut self) -> Result<()> {
        let tenant = &self.import.application.application_id;
        for (account, portfolio) in &self.portfolios {
            let key = keys::portfolio(tenant, account);
            let stored = self.found.get(&key).map(links_end_at).transpose()?.flatten();
            match portfolio.links_end_at.filter(|end| stored.is_none_or(|stored| stored.as_second() < end.as_second())) {
                Some(end) => put_off_link(&mut self.tx, &key, end)?,
                None if portfolio.changed => bump_portfolio(&mut self.tx, tenant, account)?,
                None => {}
            }
        }
        Ok(())
    }
}

/// Changes the portfolio's version and puts off when its jobs end the account's link.
fn put_off_link(tx: &mut Tx<'_>, portfolio: &Key, end: Timestamp) -> Result<()> {
    let values = Item::from([(":one".into(), number(1)), (":end".into(), seconds(end))]);
    let later = Condition {
        expression: "attribute_not_exists(linksEndAt) OR linksEndAt < :end",
        values: Item::new(),
        // Another import has put it off further.
        refusal: StoreError::Conflict,
    };
    tx.update(portfolio, "ADD version :one SET linksEndAt = :end", values, Some(later))
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
