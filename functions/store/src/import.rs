//! The utility's list of jobs, brought in.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use domain::config::Application;
use domain::ids::{AccountId, ImportId, JobId, SeasonId, TenantId};
use domain::job::same_reading;
use domain::model::JobMaster;
use domain::pass_through::PassThrough;
use domain::search::Findable;
use domain::text;
use domain::text::Text;
use domain::{link, meter, window};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::imports::keep_before;
use crate::item::{Fields, Item, json, number, seconds, text};
use crate::jobs::{FORGOTTEN, JOB, StoredJob, line_hash, links_end_at, list_entry};
use crate::keys::{self, Key};
use crate::meters::{self, Place, meter_key, put_holders};
use crate::search::entries_between;
use crate::slots::count_changes;
use crate::tx::{Condition, MAX_ITEMS, Tx};
use crate::{Origin, Result, Slot, Store, StoreError};

/// Entries of a job that gives its meter up, beside which a transaction still has room.
const RIVAL_ENTRIES: usize = 15;

/// One line of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct JobLine {
    /// The owner.
    pub account_id: AccountId,
    /// The job.
    pub master: JobMaster,
    /// To which season it belongs.
    pub season: SeasonId,
    /// The columns that an export returns as they came.
    pub pass_through: PassThrough,
}

/// The result of importing one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobImported {
    /// The job is new.
    Created,
    /// The job changed or was closed; its results are kept.
    Updated {
        /// It was read under another number of its meter, which stays with the reading.
        renumbered: bool,
        /// A register that was read is listed no more; its reading stays where it went, and counts for the job no more.
        dropped: bool,
    },
    /// Exactly so it was stored already, and not by an earlier attempt of the same import; nothing was written, unless the account's link lives longer now.
    Unchanged,
    /// The job is new or changed, and its meter was another account's, whose job is closed now and keeps its results.
    Moved,
    /// The line was not taken.
    Rejected {
        /// The reason of the rejection.
        reason: Rejection,
    },
}

/// Why a line was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The tenant has no such account.
    #[error("there is no account with this number")]
    AccountUnknown,
    /// The job's id is that of another account's job; readings are found by it, so it never changes hands.
    #[error("the job belongs to another account; a meter that moved needs a job with an id of its own")]
    OtherAccount,
    /// The job belongs to another season and was read there: in a new season it would be done before it began (D-SEASONS-3).
    #[error("the job was read in season `{season}`; another season needs a job with an id of its own")]
    OtherSeason {
        /// The season in which it was read.
        season: SeasonId,
    },
    /// The account has an open job that wants the same of this meter; which of the two is meant cannot be told (D-IMPORTS-1).
    #[error("is the meter of {} too, in an overlapping period and with a common OBIS code; job `{refused}` was not taken", OpenJobs(.open))]
    MeterTwice {
        /// The open jobs, of which there is one at least; they stay.
        open: Vec<JobId>,
        /// The line's job.
        refused: JobId,
    },
    /// The job does not fit into one item.
    #[error("the job has {size} bytes, at most {limit} can be stored")]
    TooLarge {
        /// The job's size in bytes.
        size: usize,
        /// The largest size possible, in bytes.
        limit: usize,
    },
}

impl From<&Rejection> for Text {
    fn from(rejection: &Rejection) -> Self {
        match rejection {
            Rejection::AccountUnknown => text!("es gibt keinen Zugang mit dieser Nummer", "{rejection}"),
            Rejection::OtherAccount => {
                text!(
                    "der Auftrag gehört zu einem anderen Zugang; wechselt ein Zähler den Zugang, braucht er einen Auftrag mit neuer Kennung",
                    "{rejection}"
                )
            }
            Rejection::OtherSeason { season } => {
                text!(
                    "der Auftrag wurde in der Saison `{season}` abgelesen; eine andere Saison braucht einen Auftrag mit neuer Kennung",
                    "{rejection}"
                )
            }
            Rejection::MeterTwice { open, refused } => {
                let jobs = open.iter().map(|job| format!("`{job}`")).collect::<Vec<_>>().join(", ");
                let of = if open.len() == 1 { "des offenen Auftrags" } else { "der offenen Aufträge" };
                text!(
                    "ist schon der Zähler {of} {jobs}, mit sich überschneidendem Zeitraum und gemeinsamer OBIS-Kennzahl; Auftrag `{refused}` wurde nicht übernommen",
                    "{rejection}"
                )
            }
            Rejection::TooLarge { size, limit } => {
                text!("der Auftrag hat {size} Byte, gespeichert werden können höchstens {limit}", "{rejection}")
            }
        }
    }
}

/// Open jobs, as a sentence names them.
struct OpenJobs<'a>(&'a [JobId]);

impl fmt::Display for OpenJobs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.len() == 1 { "the open job " } else { "the open jobs " })?;
        for (place, job) in self.0.iter().enumerate() {
            write!(f, "{}`{job}`", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// An import of lines of one tenant.
#[derive(Debug, Clone, Copy)]
pub struct JobImport<'a> {
    /// The tenant, whose settings say how long jobs can be sent.
    pub application: &'a Application,
    /// Whether it writes.
    pub effect: Effect,
    /// Which open jobs keep their meter from another line.
    pub in_the_way: InTheWay<'a>,
    /// Accounts that will be there when the lines are stored; for a trial.
    pub coming: Option<&'a HashSet<AccountId>>,
    /// By which it is known later what was written; none: it cannot be undone.
    pub import: Option<&'a ImportId>,
    /// The current time.
    pub now: Timestamp,
}

/// Which open jobs of an account are in the way of a line that wants the same of their meter under another id: all but those that make room.
#[derive(Debug, Clone, Copy, Default)]
pub struct InTheWay<'a> {
    /// The list has lines for these too, which are taken and want something else.
    pub making_room: Option<&'a HashSet<JobId>>,
    /// The lines are of a list of all jobs of this season, and jobs of it that the list lacks are closed afterwards.
    pub closed_afterwards: Option<&'a SeasonId>,
}

impl InTheWay<'_> {
    fn is(self, job: &StoredJob) -> bool {
        !self.making_room.is_some_and(|others| others.contains(&job.master.id)) && self.closed_afterwards != Some(&job.season)
    }
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
            let imported = self.import_round(import, &round).await?;
            for (place, imported) in places.into_iter().zip(imported) {
                answers[place] = imported;
            }
        }
        Ok(answers)
    }

    async fn import_round(&self, import: JobImport<'_>, lines: &[&JobLine]) -> Result<Vec<JobImported>> {
        let mut answers = Vec::with_capacity(lines.len());
        while let Some(left) = lines.get(answers.len()..).filter(|left| !left.is_empty()) {
            match self.import_together(import, left).await {
                Ok(imported) => answers.extend(imported),
                // A reading came in between, or lines depend on each other: one by one it goes.
                Err(StoreError::Conflict) => answers.extend(self.import_in_turn(import, left).await?),
                Err(StoreError::TooLarge { .. }) if left.len() > 1 => {
                    let (some, others) = left.split_at(left.len() / 2);
                    answers.extend(Box::pin(self.import_round(import, some)).await?);
                    answers.extend(Box::pin(self.import_round(import, others)).await?);
                }
                Err(error) => return Err(error),
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

    /// One read (two at once, where each line has another account), a further one where other jobs had the meters or the jobs had other
    /// meters, and as few transactions as take all lines, whose ids and meters differ. Answers fewer lines than there are, and one at least, if something
    /// came in between after the first transaction.
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
        let mut found = self.get_many(&wanted.iter().cloned().collect::<Vec<_>>(), None, Read::Latest).await?;
        let wishes = lines.iter().map(|line| wish(import, line, &found)).collect::<Result<Vec<_>>>()?;
        let mut elsewhere = HashSet::new();
        for (line, wish) in lines.iter().zip(&wishes) {
            let Wish::Change(change) = wish else { continue };
            elsewhere.extend(change.former_meter.clone());
            for (account, job) in others(tenant, line, &found)? {
                // A job that moves away, or that is the account's own, may stand in another line too: its line may have to go first, and
                // a transaction takes an item once.
                if lines.len() > 1 && (account != line.account_id || lines.iter().any(|line| line.master.id == job)) {
                    return Err(StoreError::Conflict);
                }
                elsewhere.insert(keys::job(tenant, &account, &job));
            }
        }
        let elsewhere: Vec<Key> = elsewhere.difference(&wanted).cloned().collect();
        if !elsewhere.is_empty() {
            found.extend(self.get_many(&elsewhere, None, Read::Latest).await?);
        }

        let zone = TimeZone::get(&import.application.time_zone)
            .map_err(|error| StoreError::Internal { operation: "import_jobs", reason: error.to_string() })?;
        let mut plan =
            Plan { import, zone, found, tx: Tx::new(self), meters: BTreeMap::new(), portfolios: BTreeMap::new(), put_off: BTreeMap::new() };
        let (mut stored, mut answers) = (0, Vec::with_capacity(lines.len()));
        for (line, wish) in lines.iter().zip(wishes) {
            if plan.is_full_with(&wish) {
                match plan.commit(self).await {
                    Ok(()) => stored = answers.len(),
                    Err(StoreError::Conflict) if stored > 0 => {
                        answers.truncate(stored);
                        return Ok(answers);
                    }
                    Err(error) => return Err(error),
                }
            }
            answers.push(plan.add(line, wish)?);
        }
        match plan.commit(self).await {
            Err(StoreError::Conflict) if stored > 0 => answers.truncate(stored),
            done => done?,
        }
        Ok(answers)
    }
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

/// The other jobs that have the line's meter.
fn others(tenant: &TenantId, line: &JobLine, found: &HashMap<Key, Item>) -> Result<Vec<Place>> {
    let mut holders = meters::holders(found.get(&meter_key(tenant, &line.account_id, &line.master)))?;
    holders.retain(|(account, job)| *account != line.account_id || *job != line.master.id);
    Ok(holders)
}

/// What a line asks for, as far as that does not depend on whose its meter was.
enum Wish {
    /// Nothing, for this reason.
    Refused(Rejection),
    /// What is remembered of a job whose time is over; nothing is to be done.
    Forgotten,
    /// The job as it is stored already.
    Same(Box<StoredJob>),
    /// Another job than is stored.
    Change(Box<Change>),
}

/// A job that is new or changes.
struct Change {
    /// The job as it will be.
    job: StoredJob,
    /// The condition under which the job is put.
    condition: Condition,
    /// The result for the line.
    imported: JobImported,
    /// What names the job until now, if its meter was another one.
    former_meter: Option<Key>,
    /// The job as it is until now.
    before: Option<StoredJob>,
}

fn wish(import: JobImport<'_>, line: &JobLine, found: &HashMap<Key, Item>) -> Result<Wish> {
    let (tenant, account, id) = (&import.application.application_id, &line.account_id, &line.master.id);
    let head = found.get(&keys::account(tenant, account));
    if head.is_none() && !import.coming.is_some_and(|coming| coming.contains(account)) {
        return Ok(Wish::Refused(Rejection::AccountUnknown));
    }
    let listed = found.get(&keys::job_entry(tenant, id));
    let forgotten = listed.map(|entry| Fields(entry).optional_text(FORGOTTEN)).transpose()?.flatten();
    if let Some(known) = forgotten
        && known == line_hash(account, &line.season, &line.master)?
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
    let same = |job: &StoredJob| job.pass_through == line.pass_through && json(&job.master).is_ok_and(|stored| stored == new);
    // An account that is only coming is tried, and nothing is stored.
    let name = head.map(|head| Fields(head).text("name")).transpose()?.unwrap_or_default();
    let findable = Findable::job(account, name, &line.master).text();
    let mut change = match stored {
        Some(job) if !job.closed && job.season == line.season && same(&job) && job.findable == findable => {
            return Ok(Wish::Same(Box::new(job)));
        }
        Some(job) if job.season != line.season && !job.season.is_default() && !job.states.is_empty() => {
            return Ok(Wish::Refused(Rejection::OtherSeason { season: job.season }));
        }
        Some(job) => Change {
            job: StoredJob { findable, ..job.with_line(line, import.now) },
            condition: Condition::version(job.version),
            imported: if !job.closed && job.season == line.season && same(&job) {
                JobImported::Unchanged
            } else {
                JobImported::Updated {
                    renumbered: !job.states.is_empty() && job.master.meter.meter_number != line.master.meter.meter_number,
                    dropped: job.loses_read_register(line),
                }
            },
            former_meter: Some(meter_key(tenant, account, &job.master)).filter(|key| *key != meter_key(tenant, account, &line.master)),
            before: Some(job),
        },
        None => Change {
            job: StoredJob { findable, ..StoredJob::new(line, import.now) },
            condition: Condition::absent(StoreError::Conflict),
            imported: JobImported::Created,
            former_meter: None,
            before: None,
        },
    };
    let (renumbered, dropped) = match change.imported {
        JobImported::Updated { renumbered, dropped } => (renumbered, dropped),
        _ => (false, false),
    };
    change.job.origin = match (&change.before, import.import) {
        // Only the words under which it is found are others.
        (Some(before), _) if change.imported == JobImported::Unchanged => before.origin.clone(),
        (before, import) => import.map(|import| Origin {
            created: before.is_none(),
            forgotten: forgotten.map(str::to_owned),
            renumbered,
            dropped,
            ..Origin::by(import)
        }),
    };
    Ok(Wish::Change(Box::new(change)))
}

/// What to do with lines, given the items that are stored.
struct Plan<'a> {
    import: JobImport<'a>,
    zone: TimeZone,
    found: HashMap<Key, Item>,
    tx: Tx<'a>,
    /// Which jobs have each meter that a job takes or leaves.
    meters: BTreeMap<Key, Vec<Place>>,
    portfolios: BTreeMap<AccountId, Portfolio>,
    /// To when an earlier transaction of the same lines put off the end of accounts' links.
    put_off: BTreeMap<AccountId, Timestamp>,
}

/// What an import does to the jobs of an account.
#[derive(Default)]
struct Portfolio {
    changed: BTreeSet<Slot>,
    /// When the last of its lines' jobs ends the account's link.
    links_end_at: Option<Timestamp>,
}

impl<'a> Plan<'a> {
    fn add(&mut self, line: &JobLine, wish: Wish) -> Result<JobImported> {
        let (tenant, now) = (&self.import.application.application_id, self.import.now);
        let (account, id) = (&line.account_id, &line.master.id);
        let Change { mut job, condition, mut imported, former_meter, before } = match wish {
            Wish::Refused(reason) => return Ok(JobImported::Rejected { reason }),
            Wish::Forgotten => return Ok(JobImported::Unchanged),
            Wish::Same(job) => {
                self.keep_link(&job);
                return Ok(self.became(&job));
            }
            Wish::Change(change) => *change,
        };
        if let Err(StoreError::TooLarge { size, limit, .. }) = job.check_size() {
            return Ok(JobImported::Rejected { reason: Rejection::TooLarge { size, limit } });
        }
        let (rivals, mut holders) = self.others(line)?;
        // The last thing that can be said against a line: one that waits for others to give up a meter has no other fault.
        let own = |rival: &&StoredJob| rival.account_id == *account && !rival.done && self.import.in_the_way.is(rival);
        let open: Vec<JobId> = rivals.iter().filter(own).map(|rival| rival.master.id.clone()).collect();
        if !job.done && !open.is_empty() {
            return Ok(JobImported::Rejected { reason: Rejection::MeterTwice { open, refused: id.clone() } });
        }
        let is_theirs = |rival: &StoredJob| rival.account_id != *account;
        if let Some(origin) = &mut job.origin {
            origin.moved |= rivals.iter().any(is_theirs);
        }
        job.put(&mut self.tx, tenant, Some(&self.zone), before.as_ref(), condition)?;
        if let (Some(import), Some(before), JobImported::Updated { .. }) = (self.import.import, &before, &imported) {
            keep_before(&mut self.tx, tenant, import, before, now)?;
        }
        let entry = Condition {
            expression: "attribute_not_exists(pk) OR accountId = :account OR attribute_exists(forgotten)",
            values: Item::from([(":account".into(), text(account.as_str()))]),
            refusal: StoreError::Conflict,
        };
        self.tx.put(JOB, list_entry(tenant, &job), Some(entry))?;
        for theirs in rivals.into_iter().filter(is_theirs) {
            let former = theirs.account_id.clone();
            let mut closed = theirs.without_listing(now);
            if let Some(import) = self.import.import {
                closed.origin = Some(Origin::by(import));
                keep_before(&mut self.tx, tenant, import, &theirs, now)?;
            }
            closed.put(&mut self.tx, tenant, Some(&self.zone), Some(&theirs), Condition::version(theirs.version))?;
            self.tx.put(JOB, list_entry(tenant, &closed), None)?;
            self.portfolios.entry(former).or_default().changed.insert(Slot::of(&closed.master.id));
            imported = JobImported::Moved;
        }
        let place = (account.clone(), id.clone());
        if let Some(former) = former_meter {
            let named = meters::holders(self.found.get(&former))?;
            self.meters.entry(former).or_insert(named).retain(|other| *other != place);
        }
        holders.push(place);
        self.meters.insert(meter_key(tenant, account, &line.master), holders);
        self.portfolios.entry(account.clone()).or_default().changed.insert(Slot::of(id));
        self.keep_link(&job);
        Ok(imported)
    }

    /// What an import made of a job when it was at its line before: a resumed import counts the same.
    fn became(&self, job: &StoredJob) -> JobImported {
        match job.origin.as_ref().filter(|origin| Some(&origin.import) == self.import.import) {
            None => JobImported::Unchanged,
            Some(Origin { moved: true, .. }) => JobImported::Moved,
            Some(Origin { created: true, .. }) => JobImported::Created,
            Some(Origin { renumbered, dropped, .. }) => JobImported::Updated { renumbered: *renumbered, dropped: *dropped },
        }
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

    /// A line's writes go together, and a transaction takes so many.
    fn is_full_with(&self, wish: &Wish) -> bool {
        let Wish::Change(change) = wish else { return false };
        // Beside its entries: job, what it was before, list entry, portfolio, meter and former meter, and a rival that gives its meter up, with its own.
        let former_words = change.before.as_ref().map_or("", |before| before.findable.as_str());
        // What waits stays, and may be of another season or kind of meter now; an open job may be elsewhere, and its rival open no more.
        let needed = entries_between(former_words, &change.job.findable) + change.job.waiting.len() + 6 + 4 + 4 + RIVAL_ENTRIES;
        self.tx.len() + self.meters.len() + self.portfolios.len() + needed > MAX_ITEMS
    }

    /// Stores what was planned so far.
    async fn commit(&mut self, store: &'a Store) -> Result<()> {
        self.add_meters()?;
        self.add_portfolios()?;
        let tx = std::mem::replace(&mut self.tx, Tx::new(store));
        if !tx.is_empty() && self.import.effect == Effect::Stored {
            tx.commit("the import").await?;
        }
        self.portfolios.clear();
        Ok(())
    }

    fn add_meters(&mut self) -> Result<()> {
        for (key, places) in std::mem::take(&mut self.meters) {
            put_holders(&mut self.tx, &key, self.found.get(&key), places)?;
        }
        Ok(())
    }

    fn add_portfolios(&mut self) -> Result<()> {
        let tenant = &self.import.application.application_id;
        for (account, portfolio) in &self.portfolios {
            let key = keys::portfolio(tenant, account);
            let stored = self.found.get(&key).map(links_end_at).transpose()?.flatten().max(self.put_off.get(account).copied());
            match portfolio.links_end_at.filter(|end| stored.is_none_or(|stored| stored.as_second() < end.as_second())) {
                Some(end) => {
                    put_off_link(&mut self.tx, &key, end, &portfolio.changed)?;
                    self.put_off.insert(account.clone(), end);
                }
                None if portfolio.changed.is_empty() => {}
                None => self.tx.update(&key, &count_changes(&portfolio.changed), Item::from([(":one".into(), number(1))]), None)?,
            }
        }
        Ok(())
    }
}

/// Counts the changes in a portfolio, and puts off when its jobs end the account's link.
fn put_off_link(tx: &mut Tx<'_>, portfolio: &Key, end: Timestamp, changed: &BTreeSet<Slot>) -> Result<()> {
    // A link that lives longer changes no job.
    let one = number(u8::from(!changed.is_empty()));
    let values = Item::from([(":one".into(), one), (":end".into(), seconds(end))]);
    let later = Condition {
        expression: "attribute_not_exists(linksEndAt) OR linksEndAt < :end",
        values: Item::new(),
        // Another import has put it off further.
        refusal: StoreError::Conflict,
    };
    tx.update(portfolio, &format!("{} SET linksEndAt = :end", count_changes(changed)), values, Some(later))
}
