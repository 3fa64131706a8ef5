//! The utility's list of jobs, brought in.

use std::collections::{BTreeMap, HashMap, HashSet};

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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The tenant has no such account.
    #[error("there is no account with this accountId")]
    AccountUnknown,
    /// The job's id is that of another account's job; readings are found by it, so it never changes hands.
    #[error("the job belongs to another account; a meter that moved needs a job with an id of its own")]
    OtherAccount,
    /// The account has an open job that wants the same of this meter; which of the two is meant, nobody can tell.
    #[error(
        "is the meter of the open job `{open}` too, in an overlapping period and with a common OBIS code; job `{refused}` was not taken"
    )]
    MeterTwice {
        /// The open job, which stays.
        open: JobId,
        /// The line's job.
        refused: JobId,
    },
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
    /// The lines are of a list of all jobs, and whatever it lacks is closed afterwards: such a job is in no line's way.
    pub complete: bool,
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
        let mut answers = vec![JobImported::Unchanged; lines.len()];
        for places in rounds(lines) {
            let round: Vec<&JobLine> = places.iter().filter_map(|place| lines.get(*place)).collect();
            let imported = match self.import_together(import, &round).await {
                // A reading came in between, or the lines are too large together: one by one it goes.
                Err(StoreError::Conflict | StoreError::TooLarge { .. }) => self.import_in_turn(import, &round).await?,
                done => done?,
            };
            for (place, imported) in places.into_iter().zip(imported) {
                answers[place] = imported;
            }
        }
        Ok(answers)
    }

    async fn import_in_turn(&self, import: JobImport<'_>, lines: &[&JobLine]) -> Result<Vec<JobImported>> {
        let mut answers = Vec::with_capacity(lines.len());
        for line in lines {
            answers.extend(self.import_alone(import, line).await?);
        }
        Ok(answers)
    }

    async fn import_alone(&self, import: JobImport<'_>, line: &JobLine) -> Result<Vec<JobImported>> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.import_together(import, &[line]).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// One read (two at once, where each line has another account), a further one where other jobs had the meters, and one transaction for
    /// all lines, whose ids and meters differ.
    async fn import_together(&self, import: JobImport<'_>, lines: &[&JobLine]) -> Result<Vec<JobImported>> {
        let tenant = &import.application.application_id;
        let mut wanted = HashSet::new();
        for line in lines {
            wanted.insert(keys::account(tenant, &line.account_id));
            wanted.insert(keys::portfolio(tenant, &line.account_id));
            wanted.insert(keys::job(tenant, &line.account_id, &line.master.id));
            wanted.insert(keys::job_entry(tenant, &line.master.id));
            wanted.insert(meter_key(tenant, &line.account_id, &line.master));
        }
        let wanted: Vec<Key> = wanted.into_iter().collect();
        let mut found = self.get_many(&wanted, None, Read::Latest).await?;
        let wishes = lines.iter().map(|line| wish(import, line, &found)).collect::<Result<Vec<_>>>()?;
        let mut elsewhere = HashSet::new();
        for (line, _) in lines.iter().zip(&wishes).filter(|(_, wish)| matches!(wish, Wish::Change(..))) {
            for (account, job) in others(tenant, line, &found)? {
                // A job that moves away, or that is the account's own, may stand in another line too: its line may have to go first, and
                // a transaction takes an item once.
                if lines.len() > 1 && (account != line.account_id || lines.iter().any(|line| line.master.id == job)) {
                    return Err(StoreError::Conflict);
                }
                elsewhere.insert(keys::job(tenant, &account, &job));
            }
        }
        if !elsewhere.is_empty() {
            let elsewhere: Vec<Key> = elsewhere.into_iter().collect();
            found.extend(self.get_many(&elsewhere, None, Read::Latest).await?);
        }

        let zone = TimeZone::get(&import.application.time_zone)
            .map_err(|error| StoreError::Internal { operation: "import_jobs", reason: error.to_string() })?;
        let mut plan = Plan { import, zone, found, tx: Tx::new(self), portfolios: BTreeMap::new() };
        let answers = lines.iter().zip(wishes).map(|(line, wish)| plan.add(line, wish)).collect::<Result<_>>()?;
        plan.add_portfolios()?;
        if !plan.tx.is_empty() && import.effect == Effect::Stored {
            plan.tx.commit("the import").await?;
        }
        Ok(answers)
    }
}

fn meter_key(tenant: &TenantId, account: &AccountId, job: &JobMaster) -> Key {
    keys::meter(tenant, &meter::identity_in(account, job))
}

/// The lines' places in rounds, one after the other: in a round no two have an id or a meter in common.
fn rounds(lines: &[JobLine]) -> Vec<Vec<usize>> {
    let (mut of_ids, mut of_meters) = (HashMap::new(), HashMap::new());
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let meter = meter::identity_in(&line.account_id, &line.master);
        let next_of_id: &mut usize = of_ids.entry(&line.master.id).or_default();
        let next_of_meter: &mut usize = of_meters.entry(meter).or_default();
        let round = (*next_of_id).max(*next_of_meter);
        (*next_of_id, *next_of_meter) = (round + 1, round + 1);
        match rounds.get_mut(round) {
            Some(round) => round.push(place),
            None => rounds.push(vec![place]),
        }
    }
    rounds
}

/// A job and its account.
type Place = (AccountId, JobId);

/// The jobs that have a meter. Earlier versions named the last one only, without a list.
fn holders(meter: Option<&Item>) -> Result<Vec<Place>> {
    let Some(item) = meter else { return Ok(Vec::new()) };
    let fields = Fields(item);
    if item.contains_key(HOLDERS) {
        return fields.json(HOLDERS);
    }
    Ok(vec![(fields.parsed("accountId")?, fields.parsed("jobId")?)])
}

/// The other jobs that have the line's meter.
fn others(tenant: &TenantId, line: &JobLine, found: &HashMap<Key, Item>) -> Result<Vec<Place>> {
    let mut holders = holders(found.get(&meter_key(tenant, &line.account_id, &line.master)))?;
    holders.retain(|(account, job)| *account != line.account_id || *job != line.master.id);
    Ok(holders)
}

/// What a line asks for, as far as that does not depend on whose its meter was.
enum Wish {
    /// Nothing, for this reason.
    Refused(Rejection),
    /// What is remembered of a job whose time is over; nothing is to be done.
    Forgotten,
    /// What is stored already.
    Same(StoredJob),
    /// This job, put under this condition.
    Change(StoredJob, Condition, JobImported),
}

fn wish(import: JobImport<'_>, line: &JobLine, found: &HashMap<Key, Item>) -> Result<Wish> {
    let (tenant, account, id) = (&import.application.application_id, &line.account_id, &line.master.id);
    if !found.contains_key(&keys::account(tenant, account)) {
        return Ok(Wish::Refused(Rejection::AccountUnknown));
    }
    let listed = found.get(&keys::job_entry(tenant, id));
    let forgotten = listed.filter(|entry| entry.contains_key(FORGOTTEN));
    if let Some(entry) = forgotten
        && Fields(entry).text(FORGOTTEN)? == line_hash(&line.master)?
    {
        return Ok(Wish::Forgotten);
    }
    let owner = listed.filter(|_| forgotten.is_none()).map(|entry| Fields(entry).parsed::<AccountId>("accountId")).transpose()?;
    if owner.is_some_and(|owner| owner != *account) {
        return Ok(Wish::Refused(Rejection::OtherAccount));
    }
    let stored = found.get(&keys::job(tenant, account, id)).map(StoredJob::read).transpose()?;
    let new = json(&line.master)?;
    // By their text: two readings of the same number may differ in their digits.
    let same = |job: &StoredJob| json(&job.master).is_ok_and(|stored| stored == new);
    Ok(match stored {
        Some(job) if !job.closed && same(&job) => Wish::Same(job),
        Some(job) => Wish::Change(job.with_master(line.master.clone(), import.now), Condition::version(job.version), JobImported::Updated),
        None => {
            let job = StoredJob::new(account.clone(), line.master.clone(), import.now);
            Wish::Change(job, Condition::absent(StoreError::Conflict), JobImported::Created)
        }
    })
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
    fn add(&mut self, line: &JobLine, wish: Wish) -> Result<JobImported> {
        let (tenant, now) = (&self.import.application.application_id, self.import.now);
        let (account, id) = (&line.account_id, &line.master.id);
        let (job, condition, mut imported) = match wish {
            Wish::Refused(reason) => return Ok(JobImported::Rejected { reason }),
            Wish::Forgotten => return Ok(JobImported::Unchanged),
            Wish::Same(job) => {
                self.keep_link(&job);
                return Ok(JobImported::Unchanged);
            }
            Wish::Change(job, condition, imported) => (job, condition, imported),
        };
        let (rivals, mut holders) = self.others(line)?;
        let own = rivals.iter().find(|rival| rival.account_id == *account && !rival.done);
        if let Some(open) = own.filter(|_| !job.done && !self.import.complete) {
            let reason = Rejection::MeterTwice { open: open.master.id.clone(), refused: id.clone() };
            return Ok(JobImported::Rejected { reason });
        }
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
        for theirs in rivals.into_iter().filter(|rival| rival.account_id != *account) {
            let former = theirs.account_id.clone();
            self.tx.put(JOB, theirs.without_listing(now).item(tenant)?, Some(Condition::version(theirs.version)))?;
            self.tx.put(JOB, list_entry(tenant, &theirs.master.id, &former, true), None)?;
            self.portfolios.entry(former.clone()).or_default().changed = true;
            imported = JobImported::Moved { from: former };
        }
        holders.push((account.clone(), id.clone()));
        let meter = meter_key(tenant, account, &line.master);
        let unchanged = same_holders(self.found.get(&meter));
        self.tx.put("the meter", meter_item(&meter, &holders)?, Some(unchanged))?;
        self.portfolios.entry(account.clone()).or_default().changed = true;
        self.keep_link(&job);
        Ok(imported)
    }

    /// Of the other jobs that have the line's meter: those that want the same of it as the line, and the places of those that go on having
    /// it, because they are open and stay so.
    fn others(&self, line: &JobLine) -> Result<(Vec<StoredJob>, Vec<Place>)> {
        let tenant = &self.import.application.application_id;
        let meter = meter_key(tenant, &line.account_id, &line.master);
        let (mut rivals, mut holders) = (Vec::new(), Vec::new());
        for (account, job) in others(tenant, line, &self.found)? {
            let Some(item) = self.found.get(&keys::job(tenant, &account, &job)) else { continue };
            let other = StoredJob::read(item)?;
            // Its meter may be another one by now.
            if other.closed || meter_key(tenant, &account, &other.master) != meter {
                continue;
            }
            let rivals_with = same_reading(&other.master, &line.master);
            if !other.done && (!rivals_with || account == line.account_id) {
                holders.push((account, job));
            }
            if rivals_with {
                rivals.push(other);
            }
        }
        Ok((rivals, holders))
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

/// Which jobs a meter's item names.
const HOLDERS: &str = "jobs";

fn meter_item(key: &Key, holders: &[Place]) -> Result<Item> {
    Ok(Record::at(key).with(HOLDERS, json(&holders)?).item())
}

/// No other import has given the meter to another job since it was read.
fn same_holders(meter: Option<&Item>) -> Condition {
    match meter.and_then(|item| item.get(HOLDERS)) {
        None => Condition { expression: "attribute_not_exists(jobs)", values: Item::new(), refusal: StoreError::Conflict },
        Some(holders) => {
            let values = Item::from([(":jobs".into(), holders.clone())]);
            Condition { expression: "jobs = :jobs", values, refusal: StoreError::Conflict }
        }
    }
}

impl Store {
    /// Takes the meter from a job that is deleted.
    pub(crate) async fn release_meter(&self, tenant: &TenantId, account: &AccountId, job: &JobMaster) -> Result<()> {
        let key = meter_key(tenant, account, job);
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let item = self.get(&key, Read::Latest).await?;
            let before = holders(item.as_ref())?;
            let left: Vec<Place> = before.iter().filter(|(owner, id)| owner != account || *id != job.id).cloned().collect();
            if left.len() == before.len() {
                return Ok(());
            }
            let mut tx = Tx::new(self);
            match left.is_empty() {
                true => tx.delete(&key, Some(same_holders(item.as_ref())))?,
                false => tx.put("the meter", meter_item(&key, &left)?, Some(same_holders(item.as_ref())))?,
            }
            match tx.commit("the meter").await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }
}
