//! What waits for a clerk: a sparse index of readings, in one partition a tenant, by the time at which they came (D-CLEARING-5).
//!
//! An entry is written and deleted with its job, which says which of its readings wait; so a change or deletion of a job leaves no entry behind.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::clearing::Doubt;
use domain::ids::{JobId, SeasonId, TaskId, TenantId};
use domain::meter::job_meter_type;
use domain::model::MeterType;
use domain::visitor_reading::WITHOUT_JOB;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::db::{Query, Read};
use crate::item::{Fields, Item, Record, key_of, text, texts};
use crate::jobs::StoredJob;
use crate::keys::{self, Key};
use crate::table::SORT_KEY;
use crate::tallies::{self, cells_waiting_without_job};
use crate::tx::Tx;
use crate::{Aside, Clearing, ClearingEntry, ClearingEntryWithoutJob, LedgerEntry, Proposal, ReadingWithoutJob, Result, Store, StoreError};

/// After every time: what comes before it is everything.
const END_OF_TIME: &str = "~";

/// A reading that a clerk has to look at, as its job names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitingReading {
    /// The reading.
    pub result_id: String,
    /// Its rate.
    pub task_id: TaskId,
    /// The time at which the server took it.
    pub created: Timestamp,
    /// Why; one at least.
    pub doubts: Vec<Doubt>,
}

impl WaitingReading {
    /// None: no clerk has to look at it.
    pub(crate) fn of(entry: &LedgerEntry) -> Option<Self> {
        let LedgerEntry { result_id, task_id, created, doubts, .. } = entry.clone();
        (!doubts.is_empty()).then_some(Self { result_id, task_id, created, doubts })
    }
}

/// A reading that waits, with what a list is narrowed by.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// The reading.
    pub reading: AnyReading,
    /// The season of its job, if it has one.
    pub season: Option<SeasonId>,
    /// What its meter measures, if that is known.
    pub meter_type: Option<MeterType>,
    /// The district of its meter, if the job names one.
    pub district: Option<String>,
    /// What a decision on it is bound to: [`ClearingEntry::version`].
    pub version: String,
}

/// A reading about which a clerk decides.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyReading {
    /// Of a job.
    OfJob(Box<ClearingEntry>),
    /// Of a meter that has no job.
    WithoutJob(Box<ClearingEntryWithoutJob>),
}

impl AnyReading {
    fn read(item: &Item, is_without_job: bool) -> Result<Self> {
        Ok(match is_without_job {
            true => Self::WithoutJob(Box::new(ClearingEntryWithoutJob::read(item)?)),
            false => Self::OfJob(Box::new(ClearingEntry::read(item)?)),
        })
    }

    /// Where it is in the ledger, or among the readings without a job.
    pub(crate) fn place(tenant: &TenantId, job: &JobId, ledger_key: impl FnOnce() -> Key) -> Key {
        if is_without_job(job) { keys::reading_without_job(tenant, job) } else { ledger_key() }
    }

    /// As it is stored there.
    pub(crate) fn at(place: &Key, job: &JobId, found: &HashMap<Key, Item>) -> Result<Option<Self>> {
        found.get(place).map(|item| Self::read(item, is_without_job(job))).transpose()
    }

    /// The decision about it.
    pub fn clearing(&self) -> Option<&Clearing> {
        match self {
            Self::OfJob(reading) => reading.clearing.as_ref(),
            Self::WithoutJob(reading) => reading.clearing.as_ref(),
        }
    }

    /// That it was put aside.
    pub fn aside(&self) -> Option<&Aside> {
        match self {
            Self::OfJob(reading) => reading.aside.as_ref(),
            Self::WithoutJob(reading) => reading.aside.as_ref(),
        }
    }

    /// What a member proposed about it.
    pub fn proposal(&self) -> Option<&Proposal> {
        match self {
            Self::OfJob(reading) => reading.proposal.as_ref(),
            Self::WithoutJob(_) => None,
        }
    }

    /// Its job and its id in it; of a reading without a job both are its id.
    pub fn ids(&self) -> (&JobId, &str) {
        match self {
            Self::OfJob(reading) => (&reading.entry.job_id, &reading.entry.result_id),
            Self::WithoutJob(reading) => (&reading.entry.id, reading.entry.id.as_str()),
        }
    }

    fn version(&self) -> Result<String> {
        match self {
            Self::OfJob(reading) => reading.version(true),
            Self::WithoutJob(reading) => reading.version(),
        }
    }

    /// The time at which the server took it.
    pub fn created(&self) -> Timestamp {
        match self {
            Self::OfJob(reading) => reading.entry.created,
            Self::WithoutJob(reading) => reading.entry.created,
        }
    }
}

/// What an id stands for that is in the place of a job's: a reading without one.
pub fn is_without_job(id: &JobId) -> bool {
    id.as_str().starts_with(WITHOUT_JOB)
}

/// Puts a reading without a job among what waits, and counts it.
pub(crate) fn put_waiting_without_job(tx: &mut Tx<'_>, tenant: &TenantId, entry: &ReadingWithoutJob) -> Result<()> {
    let item = Record::at(&keys::waiting_reading(tenant, &entry.id, entry.created, entry.id.as_str()))
        .with("jobId", text(entry.id.as_str()))
        .with("resultId", text(entry.id.as_str()))
        .with_some("meterType", entry.meter_type.as_ref().map(word).transpose()?.map(text))
        .with("doubts", texts([word(&Doubt::WithoutJob)?]));
    tx.count(keys::change_shard(&entry.id), tenant, tallies::WITHOUT_JOB, &cells_waiting_without_job(1));
    tx.put("what waits", item.item(), None)
}

/// Takes a reading without a job that waits from there, and out of the count.
pub(crate) fn delete_waiting_without_job(tx: &mut Tx<'_>, tenant: &TenantId, entry: &ReadingWithoutJob) -> Result<()> {
    tx.count(keys::change_shard(&entry.id), tenant, tallies::WITHOUT_JOB, &cells_waiting_without_job(-1));
    tx.delete(&keys::waiting_reading(tenant, &entry.id, entry.created, entry.id.as_str()), None)
}

/// Which readings that wait are wanted; those that meet all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WaitingFilter {
    /// Of jobs of this season.
    pub season: Option<SeasonId>,
    /// Of meters that measure this.
    pub meter_type: Option<MeterType>,
    /// For this reason, among others.
    pub doubt: Option<Doubt>,
    /// That the server took before this moment.
    pub before: Option<Timestamp>,
}

/// Some of the readings that wait.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingPage {
    /// The readings, the oldest first; may be fewer than asked for although there are more.
    pub readings: Vec<Waiting>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// The entries of a job.
fn entries(tenant: &TenantId, job: Option<&StoredJob>) -> Result<BTreeMap<Key, Item>> {
    let mut entries = BTreeMap::new();
    let Some(job) = job else { return Ok(entries) };
    for waiting in &job.waiting {
        let key = keys::waiting_reading(tenant, &job.master.id, waiting.created, &waiting.result_id);
        let doubts = waiting.doubts.iter().map(word).collect::<Result<Vec<_>>>()?;
        let item = Record::at(&key)
            .with("jobId", text(job.master.id.as_str()))
            .with("resultId", text(&waiting.result_id))
            .with("season", text(job.season.as_str()))
            .with("meterType", text(word(&job_meter_type(&job.master))?))
            .with_some("district", job.district().map(text))
            .with("doubts", texts(doubts))
            .item();
        entries.insert(key, item);
    }
    Ok(entries)
}

/// A value as it is written on the wire.
pub(crate) fn word(value: &impl Serialize) -> Result<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        _ => Err(StoreError::Internal { operation: "waiting", reason: "the value is no word".into() }),
    }
}

/// Brings what waits of a job, in the transaction, from what it was to what it is now.
pub(crate) fn put_waiting(tx: &mut Tx<'_>, tenant: &TenantId, before: Option<&StoredJob>, now: Option<&StoredJob>) -> Result<()> {
    let (before, now) = (entries(tenant, before)?, entries(tenant, now)?);
    for (key, item) in &now {
        if before.get(key) != Some(item) {
            tx.put("what waits", item.clone(), None)?;
        }
    }
    for key in before.keys().filter(|key| !now.contains_key(key)) {
        tx.delete(key, None)?;
    }
    Ok(())
}

impl WaitingFilter {
    fn query<'a>(&self, partition: &'a str, limit: Option<u32>, after: Option<Key>) -> Result<Query<'a>> {
        let before = self.before.map_or_else(|| END_OF_TIME.to_owned(), keys::instant);
        let mut values = Item::from([(":before".to_owned(), text(before))]);
        let mut conditions = Vec::new();
        let mut equal = |condition: &'static str, name: &str, value: Option<AttributeValue>| {
            if let Some(value) = value {
                values.insert(name.into(), value);
                conditions.push(condition);
            }
        };
        equal("season = :season", ":season", self.season.as_ref().map(|season| text(season.as_str())));
        equal("meterType = :type", ":type", self.meter_type.as_ref().map(word).transpose()?.map(text));
        equal("contains(doubts, :doubt)", ":doubt", self.doubt.as_ref().map(word).transpose()?.map(text));
        let filter = (!conditions.is_empty()).then(|| conditions.join(" AND "));
        // With a filter a limit would count what is left out.
        let limit = limit.filter(|_| filter.is_none());
        // A decision must not be asked for twice.
        Ok(Query {
            partition,
            index: false,
            newest_first: false,
            condition: "sk < :before",
            filter,
            values,
            limit,
            after,
            read: Read::Latest,
        })
    }
}

impl Store {
    /// Some of the readings that wait, at most `limit` (at most 100): one query, and one read of the readings themselves, for any size of the season.
    pub async fn waiting(&self, tenant: &TenantId, filter: &WaitingFilter, limit: u32, cursor: Option<&str>) -> Result<WaitingPage> {
        let partition = keys::waiting(tenant);
        let after = cursor.map(|sk| place(&partition, sk)).transpose()?;
        let limit = limit.clamp(1, 100);
        let page = self.query_narrowed(&filter.query(&partition, Some(limit), after)?).await?;
        let count = page.items.len().min(limit as usize);
        let next = if page.items.len() > count { page.items.get(count.saturating_sub(1)).map(key_of).transpose()? } else { page.last };
        let listed = page.items.iter().take(count).map(Listed::read).collect::<Result<Vec<_>>>()?;
        let places: Vec<Key> = listed.iter().map(|listed| listed.ledger(tenant)).collect();
        let found = if places.is_empty() { HashMap::new() } else { self.get_batch(&places, Read::Latest).await? };
        let mut readings = Vec::with_capacity(count);
        for (listed, place) in listed.into_iter().zip(&places) {
            // Erased or decided since.
            let Some(reading) = AnyReading::at(place, &listed.job, &found)?.filter(|reading| reading.clearing().is_none()) else {
                continue;
            };
            let Listed { season, meter_type, district, .. } = listed;
            let version = reading.version()?;
            readings.push(Waiting { reading, season, meter_type, district, version });
        }
        Ok(WaitingPage { readings, next_cursor: next.map(|key| key.sk) })
    }

    /// How many readings wait; one query for each megabyte, of which some 3,000 entries make one.
    pub async fn waiting_count(&self, tenant: &TenantId, filter: &WaitingFilter) -> Result<usize> {
        let partition = keys::waiting(tenant);
        let (mut count, mut after) = (0, None);
        loop {
            let page = self.query_narrowed(&filter.query(&partition, None, after)?).await?;
            count += page.items.len();
            after = page.last;
            if after.is_none() {
                return Ok(count);
            }
        }
    }
}

/// After which entry to go on.
fn place(partition: &str, sk: &str) -> Result<Key> {
    let is_one = sk.split_once('#').is_some_and(|(instant, _)| instant.parse::<Timestamp>().is_ok());
    if is_one { Ok(Key { pk: partition.to_owned(), sk: sk.to_owned() }) } else { Err(StoreError::InvalidCursor) }
}

/// An entry.
struct Listed {
    job: JobId,
    result_id: String,
    created: Timestamp,
    season: Option<SeasonId>,
    meter_type: Option<MeterType>,
    district: Option<String>,
}

impl Listed {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let sk = fields.text(SORT_KEY)?;
        let instant = sk.split('#').next();
        let broken = |what: &str| StoreError::Internal { operation: "waiting", reason: format!("an entry has no {what}") };
        let meter_type = fields.optional_text("meterType")?.map(|word| serde_json::from_value(word.into())).transpose();
        Ok(Self {
            job: fields.parsed("jobId")?,
            result_id: fields.text("resultId")?.to_owned(),
            created: instant.and_then(|instant| instant.parse().ok()).ok_or_else(|| broken("time"))?,
            season: fields.optional_parsed("season")?,
            meter_type: meter_type.map_err(|_| broken("kind of meter"))?,
            district: fields.optional_text("district")?.map(str::to_owned),
        })
    }

    fn ledger(&self, tenant: &TenantId) -> Key {
        AnyReading::place(tenant, &self.job, || keys::result(tenant, &self.job, self.created, &self.result_id))
    }
}
