//! Tallies: how many jobs and readings of what kind each season has, as they follow from the jobs (D-SEASONS-5).
//!
//! A job says in which cells it counts. A write of a job puts what it changes in the counts beside it, in the same transaction; [`Store::count_changes`]
//! adds these to the tallies and deletes them, in one transaction again, so that nothing is counted twice or not at all, wherever a worker is stopped.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{JobId, TenantId};
use domain::meter::job_meter_type;
use domain::model::Channel;
use futures::future::try_join_all;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read};
use crate::item::{Fields, Item, Record, json, key_of, number, text};
use crate::jobs::StoredJob;
use crate::keys::{self, Key};
use crate::retention::BEGINNING;
use crate::tx::{Condition, MAX_ITEMS, Tx};
use crate::waiting::word;
use crate::{ClearingEntryWithoutJob, LedgerEntry, ListedJob, Result, Store, StoreError, WaitingFilter, is_without_job};

/// Where a job says in which cells it counts.
pub(crate) const TALLIED: &str = "tallied";

/// What a tally calls the readings without a job, which belong to no season. No season's id has a blank.
pub const WITHOUT_JOB: &str = "WITHOUT JOB";

/// What the tally of mails and letters is called, which are sent to accounts and belong to no season.
pub const SENT: &str = "MAILS AND LETTERS";

/// What a tally calls the districts that it does not tell apart (D-SEASONS-7).
pub const OTHER_DISTRICTS: &str = "…";

/// Districts that a tally tells apart, as long as their names are no longer than that together.
const MOST_DISTRICTS: usize = 200;
const MOST_LETTERS: usize = 10_000;

/// From so many cells on days are counted by month.
const MOST_CELLS: usize = 5_000;

/// Days that are told apart all the same.
const DAYS_TOLD_APART: i64 = 400;

/// Stands before the cells of jobs that are not there any more, because the time of their data is over.
const KEPT: &str = "kept|";

/// How many jobs or readings are in each cell. A cell's name is its kind and what it is narrowed by, with `|` between: see [`Cell`].
pub type Cells = BTreeMap<String, i64>;

/// The subject of a cell's count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'a> {
    /// Jobs that are open or done: kind of meter, district (none: empty).
    Jobs(&'a str, &'a str),
    /// Those that are done.
    Done(&'a str, &'a str),
    /// Those that were done on a day in the tenant's time zone: the day, kind of meter.
    DoneOn(Date, &'a str),
    /// Open ones with a deadline: the deadline, kind of meter.
    Open(Date, &'a str),
    /// Registers whose reading waits for a clerk: kind of meter; readings without a job, whose kind need not be known: empty.
    Waiting(&'a str),
    /// Readings that came on a day: the day, the channel.
    Readings(Date, &'a str),
    /// Readings of the portal: the kind of login, or `shared`.
    Logins(&'a str),
    /// Readings by the hour of the day at which they came.
    Hours(u8),
    /// Mails and letters that were sent on a day: the day, the mail's kind or `letter`.
    Sent(Date, &'a str),
}

/// What [`Cell::Sent`] calls a letter.
pub const LETTER: &str = "letter";

impl<'a> Cell<'a> {
    /// What a name says; none: it is not one of this version's.
    pub fn parse(name: &'a str) -> Option<Self> {
        let kept = name.strip_prefix(KEPT);
        let mut parts = kept.unwrap_or(name).splitn(3, '|');
        let (kind, first, second) = (parts.next()?, parts.next()?, parts.next().unwrap_or_default());
        Some(match kind {
            // Nothing waits of a job that is not there.
            "waiting" if kept.is_some() => return None,
            "jobs" => Self::Jobs(first, second),
            "done" => Self::Done(first, second),
            "doneOn" => Self::DoneOn(first.parse().ok()?, second),
            "open" => Self::Open(first.parse().ok()?, second),
            "waiting" => Self::Waiting(first),
            "readings" => Self::Readings(first.parse().ok()?, second),
            "logins" => Self::Logins(first),
            "hours" => Self::Hours(first.parse().ok()?),
            "sent" => Self::Sent(first.parse().ok()?, second),
            _ => return None,
        })
    }

    fn name(self) -> String {
        match self {
            Self::Jobs(meter, district) => format!("jobs|{meter}|{district}"),
            Self::Done(meter, district) => format!("done|{meter}|{district}"),
            Self::DoneOn(day, meter) => format!("doneOn|{day}|{meter}"),
            Self::Open(day, meter) => format!("open|{day}|{meter}"),
            Self::Waiting(meter) => format!("waiting|{meter}"),
            Self::Readings(day, channel) => format!("readings|{day}|{channel}"),
            Self::Logins(login) => format!("logins|{login}"),
            Self::Hours(hour) => format!("hours|{hour:02}"),
            Self::Sent(day, kind) => format!("sent|{day}|{kind}"),
        }
    }

    fn district(self) -> Option<&'a str> {
        match self {
            Self::Jobs(_, district) | Self::Done(_, district) => Some(district).filter(|district| !district.is_empty()),
            _ => None,
        }
    }

    fn day(self) -> Option<Date> {
        match self {
            Self::DoneOn(day, _) | Self::Open(day, _) | Self::Readings(day, _) | Self::Sent(day, _) => Some(day),
            Self::Jobs(..) | Self::Done(..) | Self::Waiting(_) | Self::Logins(_) | Self::Hours(_) => None,
        }
    }

    /// It follows from the job as it is, and not from what was sent.
    fn is_of_job(name: &'a str) -> bool {
        !matches!(Self::parse(name), Some(Self::Readings(..) | Self::Logins(_) | Self::Hours(_)))
    }
}

/// The counts of one season, or of the readings without a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeasonTally {
    /// The counts; some may be zero.
    pub cells: Cells,
    /// The time of the last addition.
    pub counted_at: Option<Timestamp>,
    /// Days before this one are counted by month; none: all are told apart.
    by_month_before: Option<Date>,
    version: u64,
}

/// The result of a recount.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recounted {
    /// Jobs that were looked at.
    pub jobs: usize,
    /// Those that said something wrong about themselves.
    pub jobs_mended: usize,
    /// Cells that had another count.
    pub cells_mended: usize,
}

fn add(cells: &mut Cells, name: &str, count: i64) {
    *cells.entry(name.to_owned()).or_default() += count;
}

fn difference(before: &Cells, now: &Cells) -> Cells {
    let mut difference = now.clone();
    for (name, count) in before {
        add(&mut difference, name, -count);
    }
    difference.retain(|_, count| *count != 0);
    difference
}

/// The day on which something was, in the tenant's time zone.
pub(crate) fn day_in(time: Timestamp, zone: Option<&TimeZone>) -> Date {
    time.to_zoned(zone.cloned().unwrap_or(TimeZone::UTC)).date()
}

/// Counts in the job's cells a reading that it gets, once or taken back.
pub(crate) fn add_reading(cells: &mut Cells, entry: &LedgerEntry, times: i64, zone: Option<&TimeZone>) -> Result<()> {
    add(cells, &Cell::Readings(day_in(entry.created, zone), &word(&entry.channel)?).name(), times);
    let hour = entry.created.to_zoned(zone.cloned().unwrap_or(TimeZone::UTC)).hour();
    add(cells, &Cell::Hours(hour.unsigned_abs()).name(), times);
    if let Some(login) = &entry.login_kind {
        // The recipient of a share has another account than the job's owner.
        let shared = entry.login_account_id.as_ref().is_some_and(|login| Some(login) != entry.account_id.as_ref());
        let login = word(login)?;
        add(cells, &Cell::Logins(if shared { "shared" } else { &login }).name(), times);
    }
    cells.retain(|_, count| *count != 0);
    Ok(())
}

impl StoredJob {
    /// The cells in which the job counts: those of its readings as they are, the others anew.
    pub(crate) fn cells(&self) -> Result<Cells> {
        let mut cells: Cells =
            self.tallied.iter().filter(|(name, _)| !Cell::is_of_job(name)).map(|(name, count)| (name.clone(), *count)).collect();
        let meter = word(&job_meter_type(&self.master))?;
        for _ in &self.waiting {
            add(&mut cells, &Cell::Waiting(&meter).name(), 1);
        }
        // A job that was closed unread is no longer wanted: it counts neither as done nor as open.
        if self.is_hidden() {
            return Ok(cells);
        }
        let district = self.district().unwrap_or_default();
        add(&mut cells, &Cell::Jobs(&meter, district).name(), 1);
        if self.done {
            add(&mut cells, &Cell::Done(&meter, district).name(), 1);
            if let Some(day) = self.done_on {
                add(&mut cells, &Cell::DoneOn(day, &meter).name(), 1);
            }
        } else if let Some(deadline) = self.master.job_constraints.latest_execution {
            add(&mut cells, &Cell::Open(deadline, &meter).name(), 1);
        }
        Ok(cells)
    }
}

/// Notes in the transaction what a change of a job changes in the counts.
pub(crate) fn note_change(tx: &mut Tx<'_>, tenant: &TenantId, before: Option<&StoredJob>, now: Option<&StoredJob>) -> Result<()> {
    let mut by_season: BTreeMap<String, (Cells, Cells)> = BTreeMap::new();
    if let Some(before) = before {
        by_season.entry(before.season.to_string()).or_default().0.clone_from(&before.tallied);
    }
    if let Some(now) = now {
        by_season.entry(now.season.to_string()).or_default().1.clone_from(&now.tallied);
    }
    let job = before.or(now).map(|job| job.master.id.clone());
    let Some(job) = job else { return Ok(()) };
    for (season, (before, now)) in by_season {
        let difference = difference(&before, &now);
        if !difference.is_empty() {
            tx.count(keys::change_shard(&job), tenant, &season, &difference);
        }
    }
    Ok(())
}

/// Notes in the transaction that a job goes whose counts stay; what waited waits no more.
pub(crate) fn keep_counts(tx: &mut Tx<'_>, tenant: &TenantId, job: &StoredJob) {
    let stays = |name: &str| !matches!(Cell::parse(name), Some(Cell::Waiting(_)));
    let kept: Cells = job.tallied.iter().filter(|(name, _)| stays(name)).map(|(name, count)| (format!("{KEPT}{name}"), *count)).collect();
    tx.count(keys::change_shard(&job.master.id), tenant, job.season.as_str(), &kept);
}

/// What readings without a job count.
pub(crate) fn cells_without_job(login: &str, values: i64) -> Cells {
    Cells::from([(Cell::Logins(login).name(), values)])
}

/// What a reading without a job counts while it waits.
pub(crate) fn cells_waiting_without_job(times: i64) -> Cells {
    Cells::from([(Cell::Waiting("").name(), times)])
}

/// What mails or letters that were sent at this time count.
pub(crate) fn cells_of_sent(kind: &str, at: Timestamp, zone: Option<&TimeZone>, times: i64) -> Cells {
    Cells::from([(Cell::Sent(day_in(at, zone), kind).name(), times)])
}

impl SeasonTally {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            cells: fields.json("cells")?,
            counted_at: Some(fields.millis("countedAt")?),
            by_month_before: fields.optional_parsed("byMonthBefore")?,
            version: fields.version()?,
        })
    }

    /// When readings came, through this channel or any: the first day, the last one (of a month that is counted as a whole), how many.
    ///
    /// # Errors
    /// The channel has no name.
    pub fn came_in(&self, channel: Option<Channel>) -> Result<Vec<(Date, Date, usize)>> {
        let channel = channel.as_ref().map(word).transpose()?;
        let of = |(name, count): (&String, &i64)| match Cell::parse(name)? {
            Cell::Readings(day, of) if channel.as_deref().is_none_or(|channel| channel == of) => {
                let last = if self.by_month_before.is_some_and(|before| day < before) { day.last_of_month() } else { day };
                Some((day, last, usize::try_from(*count).ok().filter(|count| *count > 0)?))
            }
            _ => None,
        };
        Ok(self.cells.iter().filter_map(of).collect())
    }

    /// Adds counts, in cells of which there are only so many that the tally is never too large for an item. What is counted in a cell is taken out of the same
    /// one: a tally that has begun to count districts together begins with no further one.
    fn add(&mut self, sum: &Cells, now: Timestamp) {
        let mut districts: BTreeSet<String> =
            self.cells.keys().filter_map(|name| Cell::parse(name)?.district().map(str::to_owned)).collect();
        let mut letters: usize = districts.iter().map(String::len).sum();
        for (name, count) in sum {
            let Some(district) = Cell::parse(name).and_then(Cell::district).filter(|district| !districts.contains(*district)) else {
                add(&mut self.cells, name, *count);
                continue;
            };
            let is_full =
                districts.contains(OTHER_DISTRICTS) || districts.len() == MOST_DISTRICTS || letters + district.len() > MOST_LETTERS;
            if is_full {
                add(&mut self.cells, &format!("{}{OTHER_DISTRICTS}", name.strip_suffix(district).unwrap_or_default()), *count);
                districts.insert(OTHER_DISTRICTS.to_owned());
            } else {
                add(&mut self.cells, name, *count);
                letters += district.len();
                districts.insert(district.to_owned());
            }
        }
        if self.cells.len() > MOST_CELLS {
            let told_apart = day_in(now, None).saturating_sub(DAYS_TOLD_APART.days()).first_of_month();
            self.by_month_before = self.by_month_before.max(Some(told_apart));
        }
        if let Some(before) = self.by_month_before {
            let cells = std::mem::take(&mut self.cells);
            for (name, count) in cells {
                let day = Cell::parse(&name).and_then(Cell::day).filter(|day| *day < before);
                let by_month = day.map(|day| name.replacen(&day.to_string(), &day.first_of_month().to_string(), 1));
                add(&mut self.cells, &by_month.unwrap_or(name), count);
            }
        }
        // That districts are counted together stays known when none is left.
        self.cells.retain(|name, count| *count != 0 || name.ends_with(OTHER_DISTRICTS));
    }

    fn put(&self, tx: &mut Tx<'_>, key: &Key, now: Timestamp) -> Result<()> {
        let is_new = self.counted_at.is_none();
        let condition = if is_new { Condition::absent(StoreError::Conflict) } else { Condition::version(self.version) };
        let record = Record::at(key).with("cells", json(&self.cells)?).with("countedAt", number(now.as_millisecond()));
        let record = record.with_some("byMonthBefore", self.by_month_before.map(|day| text(day.to_string())));
        tx.put("the tally", record.with("version", number(self.version + 1)).item(), Some(condition))
    }
}

impl Store {
    /// Over how many partitions the changes that no tally has yet are spread.
    pub const CHANGE_SHARDS: u8 = keys::CHANGE_SHARDS;

    /// The tenant's tallies by season, and [`WITHOUT_JOB`]: one query.
    pub async fn tallies(&self, tenant: &TenantId) -> Result<BTreeMap<String, SeasonTally>> {
        let items = self.whole_partition(&keys::tallies(tenant)).await?;
        items.iter().map(|item| Ok((key_of(item)?.sk, SeasonTally::read(item)?))).collect()
    }

    /// Those of these seasons (or [`WITHOUT_JOB`], [`SENT`]) that there are: one read for any size.
    pub async fn tallies_of(&self, tenant: &TenantId, scopes: &[&str]) -> Result<BTreeMap<String, SeasonTally>> {
        let places: Vec<Key> = scopes.iter().map(|scope| keys::tally(tenant, scope)).collect();
        let found = self.get_batch(&places, Read::Recent).await?;
        found.into_iter().map(|(key, item)| Ok((key.sk, SeasonTally::read(&item)?))).collect()
    }

    /// Counts letters that were printed to be sent.
    pub async fn count_letters(&self, tenant: &TenantId, letters: usize, now: Timestamp) -> Result<()> {
        if letters == 0 {
            return Ok(());
        }
        let zone = self.zone(tenant).await?;
        let mut tx = Tx::new(self);
        let count = i64::try_from(letters).unwrap_or(i64::MAX);
        tx.count(0, tenant, SENT, &cells_of_sent(LETTER, now, zone.as_ref(), count));
        tx.commit("the letters").await
    }

    /// Whether there are changes that no tally has yet: one look at each shard, all at once.
    pub async fn has_changes(&self, tenant: &TenantId) -> Result<bool> {
        let looks = (0..keys::CHANGE_SHARDS).map(|shard| self.changes(tenant, shard, 1));
        Ok(try_join_all(looks).await?.iter().any(|some| !some.is_empty()))
    }

    async fn changes(&self, tenant: &TenantId, shard: u8, limit: u32) -> Result<Vec<Item>> {
        let range = Range { limit: Some(limit), ..Range::default() };
        // What was counted must not be seen again: its deletion would be refused, and all of the transaction with it.
        Ok(self.query(&keys::changes(tenant, shard), range, Read::Latest).await?.items)
    }

    /// Adds some of the changes of one shard to the tallies; answers how many, and whether there were more than that.
    pub async fn count_changes(&self, tenant: &TenantId, shard: u8, now: Timestamp) -> Result<(usize, bool)> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.try_count(tenant, shard, now).await {
                // Another worker counts, too.
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    async fn try_count(&self, tenant: &TenantId, shard: u8, now: Timestamp) -> Result<(usize, bool)> {
        const SOME: u32 = 80;
        let found = self.changes(tenant, shard, SOME).await?;
        if found.is_empty() {
            return Ok((0, false));
        }
        let (mut sums, mut taken): (BTreeMap<String, Cells>, usize) = (BTreeMap::new(), 0);
        for item in &found {
            let change: BTreeMap<String, Cells> = Fields(item).json("cells")?;
            let scopes = sums.keys().chain(change.keys()).collect::<BTreeSet<_>>().len();
            if taken > 0 && taken + 1 + scopes > MAX_ITEMS {
                break;
            }
            for (scope, cells) in change {
                let sum = sums.entry(scope).or_default();
                cells.iter().for_each(|(name, count)| add(sum, name, *count));
            }
            taken += 1;
        }
        let places: Vec<Key> = sums.keys().map(|scope| keys::tally(tenant, scope)).collect();
        let tallies = self.get_many(&places, None, Read::Latest).await?;
        let mut tx = Tx::new(self);
        for (sum, key) in sums.into_values().zip(&places) {
            let mut tally = tallies.get(key).map(SeasonTally::read).transpose()?.unwrap_or_default();
            tally.add(&sum, now);
            tally.put(&mut tx, key, now)?;
        }
        for item in found.iter().take(taken) {
            tx.delete(&key_of(item)?, Some(Condition::present(StoreError::Conflict)))?;
        }
        tx.commit("the tallies").await?;
        Ok((taken, taken < found.len() || found.len() == SOME as usize))
    }

    /// Counts by looking at every job, and mends what differs: jobs that were stored before there were tallies, and tallies. Conflict: something changed
    /// meanwhile, so that the sum is of no moment; try again when it is quieter.
    pub async fn recount(&self, tenant: &TenantId, now: Timestamp) -> Result<Recounted> {
        let mut recounted = Recounted::default();
        let mut sums: BTreeMap<String, Cells> = BTreeMap::new();
        self.count_all(tenant, now).await?;
        // Jobs first say rightly what they count; that is a change like any other.
        let mut cursor = None;
        loop {
            let page = self.job_ids(tenant, cursor.as_deref()).await?;
            for listed in page.jobs.chunks(MAX_ITEMS) {
                recounted.jobs_mended += self.mend(tenant, self.jobs_as_they_are(tenant, listed).await?).await?;
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        self.count_all(tenant, now).await?;
        let before = self.tallies(tenant).await?;
        loop {
            let page = self.job_ids(tenant, cursor.as_deref()).await?;
            for listed in page.jobs.chunks(MAX_ITEMS) {
                for job in self.jobs_as_they_are(tenant, listed).await? {
                    recounted.jobs += 1;
                    let sum = sums.entry(job.season.to_string()).or_default();
                    job.tallied.iter().for_each(|(name, count)| add(sum, name, *count));
                }
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let places: Vec<Key> = self.ids_without_job(tenant, now).await?.iter().map(|id| keys::reading_without_job(tenant, id)).collect();
        for places in places.chunks(MAX_ITEMS) {
            for item in self.get_batch(places, Read::Latest).await?.values() {
                let ClearingEntryWithoutJob { entry, clearing, .. } = ClearingEntryWithoutJob::read(item)?;
                let sum = sums.entry(WITHOUT_JOB.to_owned()).or_default();
                if clearing.is_none() {
                    cells_waiting_without_job(1).iter().for_each(|(name, count)| add(sum, name, *count));
                }
                if clearing.is_none_or(|clearing| clearing.assigned.is_none()) {
                    entry.cells(1)?.iter().for_each(|(name, count)| add(sum, name, *count));
                }
            }
        }
        if self.has_changes(tenant).await? {
            return Err(StoreError::Conflict);
        }
        let mut tx = Tx::new(self);
        // Of mails and letters nothing else is kept by which they could be counted again.
        let scopes: BTreeSet<_> = sums.keys().chain(before.keys()).filter(|scope| *scope != SENT).collect();
        for scope in scopes {
            let mut tally = before.get(scope).cloned().unwrap_or_default();
            let counted = sums.get(scope).cloned().unwrap_or_default();
            let (kept, live): (Cells, Cells) = std::mem::take(&mut tally.cells).into_iter().partition(|(name, _)| name.starts_with(KEPT));
            (tally.cells, tally.by_month_before) = (kept, None);
            tally.add(&counted, now);
            let counted: Cells =
                tally.cells.iter().filter(|(name, _)| !name.starts_with(KEPT)).map(|(name, count)| (name.clone(), *count)).collect();
            recounted.cells_mended += difference(&live, &counted).len();
            tally.put(&mut tx, &keys::tally(tenant, scope), now)?;
        }
        if tx.is_empty() {
            return Ok(recounted);
        }
        tx.commit("the tallies").await?;
        Ok(recounted)
    }

    /// The readings without a job, also those that came after `now` or that the index does not have yet: these wait.
    async fn ids_without_job(&self, tenant: &TenantId, now: Timestamp) -> Result<BTreeSet<JobId>> {
        let (mut ids, mut cursor) = (BTreeSet::new(), None);
        loop {
            let page = self.readings_without_job(tenant, BEGINNING, now + 24.hours(), cursor.as_deref()).await?;
            ids.extend(page.entries.into_iter().map(|entry| entry.id));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        loop {
            let page = self.waiting(tenant, &WaitingFilter::default(), 100, cursor.as_deref()).await?;
            ids.extend(page.readings.iter().map(|waiting| waiting.reading.ids().0).filter(|id| is_without_job(id)).cloned());
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(ids);
            }
        }
    }

    async fn jobs_as_they_are(&self, tenant: &TenantId, listed: &[ListedJob]) -> Result<Vec<StoredJob>> {
        let places: Vec<Key> = listed.iter().map(|job| keys::job(tenant, &job.account_id, &job.job_id)).collect();
        self.get_batch(&places, Read::Latest).await?.values().map(StoredJob::read).collect()
    }

    /// Adds all changes to the tallies.
    pub async fn count_all(&self, tenant: &TenantId, now: Timestamp) -> Result<usize> {
        let mut count = 0;
        for shard in 0..keys::CHANGE_SHARDS {
            loop {
                let (some, more) = self.count_changes(tenant, shard, now).await?;
                count += some;
                if !more {
                    break;
                }
            }
        }
        Ok(count)
    }

    async fn mend(&self, tenant: &TenantId, jobs: Vec<StoredJob>) -> Result<usize> {
        let (mut mended, zone) = (0, self.zone(tenant).await?);
        for job in jobs {
            if job.cells()? == job.tallied {
                continue;
            }
            let next = StoredJob { version: job.version + 1, ..job.clone() };
            let mut tx = Tx::new(self);
            next.put(&mut tx, tenant, zone.as_ref(), Some(&job), Condition::version(job.version))?;
            tx.commit("the job").await?;
            mended += 1;
        }
        Ok(mended)
    }

    /// The tenant's time zone, as far as there is a tenant.
    pub(crate) async fn zone(&self, tenant: &TenantId) -> Result<Option<TimeZone>> {
        let settings = self.tenant(tenant).await?;
        Ok(settings.and_then(|tenant| TimeZone::get(&tenant.application.time_zone).ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::{MAX_ITEM_BYTES, size};

    const NOW: Timestamp = Timestamp::constant(1_795_000_000, 0);

    fn bytes(tally: &SeasonTally) -> usize {
        size(&Record::at(&Key { pk: "T#tenant#TALLY".into(), sk: "2026".into() }).with("cells", json(&tally.cells).unwrap()).item())
    }

    fn minus(cells: &Cells) -> Cells {
        cells.iter().map(|(name, count)| (name.clone(), -count)).collect()
    }

    #[test]
    fn districts_beyond_what_an_item_holds_are_counted_together() {
        let mut tally = SeasonTally::default();
        let of = |number: usize| {
            let district = format!("Ortsteil mit einem langen Namen {number}");
            Cells::from([(Cell::Jobs("GAS_METER", &district).name(), 2), (Cell::Done("GAS_METER", &district).name(), 1)])
        };
        for number in 0..1_000 {
            tally.add(&of(number), NOW);
        }
        let jobs = |tally: &SeasonTally| -> i64 {
            tally.cells.iter().filter(|(name, _)| matches!(Cell::parse(name), Some(Cell::Jobs(..)))).map(|(_, count)| count).sum()
        };
        assert_eq!((jobs(&tally), tally.cells.len()), (2_000, 402));
        assert_eq!(tally.cells[&Cell::Jobs("GAS_METER", OTHER_DISTRICTS).name()], 1_600);
        // A job that leaves is taken out where it was counted, also when there is room again.
        for number in 0..1_000 {
            tally.add(&minus(&of(number)), NOW);
        }
        assert!(tally.cells.values().all(|count| *count == 0), "{:?}", tally.cells);
        tally.add(&of(7), NOW);
        tally.add(&minus(&of(7)), NOW);
        assert!(tally.cells.values().all(|count| *count == 0), "{:?}", tally.cells);
    }

    #[test]
    fn days_long_ago_are_counted_by_month() {
        let mut tally = SeasonTally::default();
        let last = NOW.to_zoned(TimeZone::UTC).date();
        let channels = ["PORTAL", "PHONE", "CARD", "EMAIL", "TECHNICIAN", "IMPORT"];
        let kinds = ["ELECTRIC_METER", "GAS_METER", "WATER_METER", "WATER_WARM_METER", "HEAT_METER", "GENERIC_METER"];
        let of = |ago: i64| -> Cells {
            let day = last.saturating_sub(ago.days());
            let readings = channels.iter().map(|channel| (Cell::Readings(day, channel).name(), 3));
            let jobs = kinds.iter().flat_map(|kind| [(Cell::DoneOn(day, kind).name(), 2), (Cell::Open(day, kind).name(), 1)]);
            readings.chain(jobs).collect()
        };
        for ago in (0..1_500).rev() {
            tally.add(&of(ago), NOW);
        }
        assert!(bytes(&tally) < MAX_ITEM_BYTES * 3 / 4, "{}", bytes(&tally));
        assert_eq!(tally.cells.values().sum::<i64>(), 1_500 * (6 * 3 + 6 * 3));
        assert_eq!(tally.cells[&Cell::Readings(last, "PHONE").name()], 3, "what is near is told apart");
        for ago in 0..1_500 {
            tally.add(&minus(&of(ago)), NOW + 24.hours() * 40);
        }
        assert_eq!(tally.cells, Cells::new(), "nothing is taken out of another cell");
    }
}
