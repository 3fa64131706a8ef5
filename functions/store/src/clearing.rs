//! What the utility's clerks note on readings: which are cleared, and which went out with which export.

use domain::ids::{AccountId, JobId, TenantId};
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};

use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read, Update, Written};
use crate::item::{Fields, Item, Record, json, number, text};
use crate::jobs::StoredJob;
use crate::keys::{self, Key};
use crate::table::SORT_KEY;
use crate::tx::{Condition, Tx};
use crate::{Delivery, LedgerEntry, ListedJob, ReadingWithoutJob, Result, Store, StoreError};

/// A reading with the clerk's notes.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearingEntry {
    /// The reading.
    pub entry: LedgerEntry,
    /// What a clerk decided about it.
    pub clearing: Option<Clearing>,
    /// The number of the market export that has it.
    pub market_export: Option<u64>,
    /// The number of the export as a table that has it.
    pub table_export: Option<u64>,
}

/// The two ways on which a reading goes out, once each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportKind {
    /// In a message to the market.
    Market,
    /// In a table or as JSON lines.
    Table,
}

impl ExportKind {
    fn attribute(self) -> &'static str {
        match self {
            Self::Market => "marketExport",
            Self::Table => "tableExport",
        }
    }
}

/// A clerk's decision on a reading that had to be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Clearing {
    /// True: it counts; false: it does not.
    pub released: bool,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
    /// The meter was exchanged before this reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
}

/// A register's change from one meter to the next: what was used runs across both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// The day.
    pub day: Date,
    /// The time of day in the tenant's time zone, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    /// The number of the meter that came; the one that went is the reading's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_number: Option<String>,
    /// The transaction (UTILMD, SG4 IDE+24, DE7402) that announced the exchange of a gas meter to the market.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// The counter of the meter that went.
    pub final_value: MeterValue,
    /// The counter of the meter that came.
    pub initial_value: MeterValue,
}

/// One page of readings with notes.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearingPage {
    /// The readings.
    pub entries: Vec<ClearingEntry>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// A reading of a meter without a job, and the clerk's note on it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearingEntryWithoutJob {
    /// The reading.
    pub entry: ReadingWithoutJob,
    /// The number of the export as a table that has it.
    pub table_export: Option<u64>,
}

/// One page of such readings.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearingPageWithoutJob {
    /// The readings, in each shard by time; may be none although there are more pages.
    pub entries: Vec<ClearingEntryWithoutJob>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// An export of readings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadingsExport {
    /// Its number, unique in the tenant; the file's name and the interchange's reference are made of it.
    pub number: u64,
    /// `electricity` or `gas` to the market, `table`, or `unknown` for the table of readings without a job.
    pub medium: String,
    /// When it was begun; the time in the messages.
    pub created: Timestamp,
    /// How far it is.
    pub state: ExportState,
}

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportState {
    /// Readings are being put into it.
    Open,
    /// Its readings are fixed; the file may be there or not.
    Fixed,
    /// The file is complete.
    Done,
}

impl ClearingEntry {
    pub(crate) fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let clearing = fields.optional_text("clearing")?.map(|_| fields.json("clearing")).transpose()?;
        let export = |kind: ExportKind| fields.optional_count(kind.attribute());
        let (market_export, table_export) = (export(ExportKind::Market)?, export(ExportKind::Table)?);
        Ok(Self { entry: fields.json("entry")?, clearing, market_export, table_export })
    }
}

impl Store {
    /// As [`Store::results`], with the clerk's notes.
    pub async fn clearing_results(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
    ) -> Result<ClearingPage> {
        let (items, next_cursor) = self.result_items(tenant, since, until, cursor, None).await?;
        Ok(ClearingPage { entries: items.iter().map(ClearingEntry::read).collect::<Result<_>>()?, next_cursor })
    }

    /// As [`Store::readings_without_job`], with the clerk's notes.
    pub async fn clearing_readings_without_job(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
    ) -> Result<ClearingPageWithoutJob> {
        let partition = |month: &str, shard| keys::without_job_partition(tenant, month, shard);
        let (items, next_cursor) = self.by_month(partition, since, until, cursor, None).await?;
        let entries = items.iter().map(|item| {
            let table_export = Fields(item).optional_count(ExportKind::Table.attribute())?;
            Ok(ClearingEntryWithoutJob { entry: ReadingWithoutJob::read(item)?, table_export })
        });
        Ok(ClearingPageWithoutJob { entries: entries.collect::<Result<_>>()?, next_cursor })
    }

    /// Notes a clerk's decision, with what leads the tenant's webhook to it, if `deliver`; false: there is no such reading, or it went out
    /// already.
    ///
    /// An earlier decision that the webhook does not have yet is not told any more: a message says how it stands when it is sent.
    pub async fn note_clearing(&self, tenant: &TenantId, entry: &LedgerEntry, clearing: &Clearing, deliver: bool) -> Result<bool> {
        let key = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(item) = self.get(&key, Read::Latest).await? else { return Ok(false) };
            let stored = ClearingEntry::read(&item)?;
            if stored.market_export.or(stored.table_export).is_some() {
                return Ok(false);
            }
            let mut tx = Tx::new(self);
            let values = Item::from([(":clearing".into(), json(clearing)?)]);
            tx.update(&key, "SET clearing = :clearing", values, Some(undecided_since(&item)))?;
            if let Some(earlier) = &stored.clearing {
                for key in Delivery::of_clearing(entry, earlier.at, tenant).keys(tenant) {
                    tx.delete(&key, None)?;
                }
            }
            if deliver {
                tx.put("the delivery", Delivery::of_clearing(entry, clearing.at, tenant).item(tenant)?, None)?;
            }
            match tx.commit("the decision").await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| true),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Puts a reading into an export; false: another export of the kind has it.
    pub async fn claim_for_export(&self, tenant: &TenantId, entry: &LedgerEntry, kind: ExportKind, export: u64) -> Result<bool> {
        let key = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
        self.claim(&key, kind, export).await
    }

    /// Puts a reading of a meter without a job into an export as a table; false: another export has it, or it was deleted.
    pub async fn claim_without_job_for_export(&self, tenant: &TenantId, entry: &ReadingWithoutJob, export: u64) -> Result<bool> {
        self.claim(&keys::reading_without_job(tenant, &entry.id), ExportKind::Table, export).await
    }

    async fn claim(&self, key: &Key, kind: ExportKind, export: u64) -> Result<bool> {
        let written = self.update(Update {
            key,
            expression: match kind {
                ExportKind::Market => "SET marketExport = :export",
                ExportKind::Table => "SET tableExport = :export",
            },
            condition: Some(match kind {
                ExportKind::Market => "attribute_exists(pk) AND (attribute_not_exists(marketExport) OR marketExport = :export)",
                ExportKind::Table => "attribute_exists(pk) AND (attribute_not_exists(tableExport) OR tableExport = :export)",
            }),
            values: Item::from([(":export".into(), number(export))]),
        });
        Ok(matches!(written.await?, Written::Done))
    }

    /// All exports of the tenant, by number.
    pub async fn exports_of_readings(&self, tenant: &TenantId) -> Result<Vec<ReadingsExport>> {
        let partition = keys::exports(tenant);
        let mut exports: Vec<ReadingsExport> = Vec::new();
        let mut after: Option<Key> = None;
        loop {
            let range = Range { condition: None, values: Item::new(), limit: None, after: after.as_ref(), index: None };
            let page = self.query(&partition, range, Read::Latest).await?;
            for item in &page.items {
                exports.push(Fields(item).json("export")?);
            }
            let last = page.items.last().filter(|_| page.more);
            let Some(last) = last else { return Ok(exports) };
            after = Some(Key { pk: partition.clone(), sk: Fields(last).text(SORT_KEY)?.to_owned() });
        }
    }

    /// Begins an export; [`StoreError::Conflict`]: somebody else took its number.
    pub async fn begin_export(&self, tenant: &TenantId, export: &ReadingsExport) -> Result<()> {
        let mut tx = Tx::new(self);
        tx.put("the export", export_item(tenant, export)?, Some(Condition::absent(StoreError::Conflict)))?;
        tx.commit("the export").await
    }

    /// Notes how far an export is.
    pub async fn note_export(&self, tenant: &TenantId, export: &ReadingsExport) -> Result<()> {
        self.put(export_item(tenant, export)?).await
    }

    /// Up to 100 jobs of the tenant's list, closed ones too.
    pub async fn listed_jobs(&self, tenant: &TenantId, listed: &[ListedJob]) -> Result<Vec<StoredJob>> {
        let places: Vec<(&AccountId, &JobId)> = listed.iter().map(|job| (&job.account_id, &job.job_id)).collect();
        let wanted: Vec<Key> = places.into_iter().map(|(account, job)| keys::job(tenant, account, job)).collect();
        let found = self.get_batch(&wanted, Read::Recent).await?;
        wanted.iter().filter_map(|key| found.get(key)).map(StoredJob::read).collect()
    }
}

/// Nobody has decided since the reading was read, nor has it gone out.
fn undecided_since(read: &Item) -> Condition {
    let refusal = StoreError::Conflict;
    match read.get("clearing") {
        None => Condition {
            expression: "attribute_exists(pk) AND attribute_not_exists(marketExport) AND attribute_not_exists(tableExport) \
                         AND attribute_not_exists(clearing)",
            values: Item::new(),
            refusal,
        },
        Some(earlier) => Condition {
            expression: "attribute_not_exists(marketExport) AND attribute_not_exists(tableExport) AND clearing = :earlier",
            values: Item::from([(":earlier".into(), earlier.clone())]),
            refusal,
        },
    }
}

fn export_item(tenant: &TenantId, export: &ReadingsExport) -> Result<Item> {
    let key = Key { pk: keys::exports(tenant), sk: format!("{:010}", export.number) };
    Ok(Record::at(&key).with("export", json(export)?).with("medium", text(&export.medium)).item())
}
