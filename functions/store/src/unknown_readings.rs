//! Readings of meters that have no job.

use domain::ids::{AccountId, ImageId, JobId, TenantId};
use domain::model::{LoginKind, MeterType, ReadingReason};
use domain::unknown_reading::Contact;
use domain::value::MeterValue;
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::db::Read;
use crate::idempotency::{IdempotencyWrite, Submitted};
use crate::item::{Fields, Item, Record, json, text};
use crate::keys;
use crate::table::{RESULTS_PARTITION_KEY, RESULTS_SORT_KEY};
use crate::tx::{Condition, Tx};
use crate::{Photos, Push, Result, Store, StoreError};

/// A reading of a meter that has no job: a visitor's, or a logged-in account's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnknownReadingEntry {
    /// Its id; stands where a job's id would, for the photos too.
    pub id: JobId,
    /// When the server took it.
    pub created: Timestamp,
    /// Through which kind of login.
    pub channel: LoginKind,
    /// Who sent it: an account, or a visitor's session.
    pub login_account_id: AccountId,
    /// The type of the meter, if it was asked.
    pub meter_type: Option<MeterType>,
    /// Its sub-type.
    pub sub_type: Option<String>,
    /// The number on its plate.
    pub meter_number: String,
    /// The values, one for each rate.
    pub reading_values: Vec<UnknownReadingValue>,
    /// The day of the reading.
    pub reading_date: Date,
    /// Why it was read.
    pub reading_reason: Option<ReadingReason>,
    /// Who read it.
    pub contact: Option<Contact>,
    /// Where the visitor wants a copy.
    pub email: Option<String>,
    /// What the reader remarked.
    pub comment: Option<String>,
}

/// The value of one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnknownReadingValue {
    /// The rate, if the meter's rates were asked.
    pub obis: Option<String>,
    /// Its name.
    pub rate_name: Option<String>,
    /// The counter, digit for digit as it was sent.
    pub value: MeterValue,
    /// The photos.
    pub image_ids: Vec<ImageId>,
}

/// One page of such readings.
#[derive(Debug, Clone, PartialEq)]
pub struct UnknownReadingsPage {
    /// The readings, in each shard by time; may be none although there are more pages.
    pub entries: Vec<UnknownReadingEntry>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

impl Store {
    /// Stores the reading and the record of the request. A reading with this id that is there already stays as it is:
    /// [`Submitted::Stale`]. With `push` it is put among what waits for the tenant's webhook.
    pub async fn submit_unknown(
        &self,
        tenant: &TenantId,
        entry: &UnknownReadingEntry,
        idempotency: &IdempotencyWrite,
        push: bool,
    ) -> Result<Submitted> {
        let mut tx = Tx::new(self);
        tx.put("the reading", entry.item(tenant)?, Some(Condition::absent(StoreError::Conflict)))?;
        tx.put("the reading", Record::at(&keys::unknown_of(tenant, &entry.login_account_id, &entry.id)).item(), None)?;
        if push {
            tx.put("the push", Push::without_job(entry).item(tenant)?, None)?;
        }
        idempotency.add_to(&mut tx, tenant, &entry.login_account_id)?;
        match tx.commit("the reading").await {
            Ok(()) => Ok(Submitted::Stored),
            Err(StoreError::Conflict) => self.overtaken(tenant, &entry.login_account_id, idempotency).await,
            Err(error) => Err(error),
        }
    }

    /// One of these readings.
    pub async fn unknown_reading(&self, tenant: &TenantId, id: &JobId) -> Result<Option<UnknownReadingEntry>> {
        let item = self.get(&keys::unknown_reading(tenant, id), Read::Latest).await?;
        item.map(|item| UnknownReadingEntry::read(&item)).transpose()
    }

    /// Deletes such a reading with its photos, and last what leads from its sender to it. Gives the number of deleted versions of objects.
    pub(crate) async fn erase_unknown(&self, photos: &Photos, tenant: &TenantId, sender: &AccountId, id: &JobId) -> Result<usize> {
        let objects = photos.erase_job(tenant, id).await?;
        if let Some(entry) = self.unknown_reading(tenant, id).await? {
            self.erase_push(tenant, &Push::without_job(&entry)).await?;
        }
        self.delete(&keys::unknown_reading(tenant, id), None).await?;
        self.delete(&keys::unknown_of(tenant, sender, id), None).await?;
        Ok(objects)
    }

    /// One page of those that the server took from `since` on and before `until`, as [`Store::results`] has it.
    pub async fn unknown_readings(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
    ) -> Result<UnknownReadingsPage> {
        self.unknown_readings_page(tenant, since, until, cursor, None).await
    }

    /// The same, with no more than `limit` readings.
    pub(crate) async fn unknown_readings_page(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
        limit: Option<u32>,
    ) -> Result<UnknownReadingsPage> {
        let partition = |month: &str, shard| keys::unknown_partition(tenant, month, shard);
        let (items, next_cursor) = self.by_month(partition, since, until, cursor, limit).await?;
        Ok(UnknownReadingsPage { entries: items.iter().map(UnknownReadingEntry::read).collect::<Result<_>>()?, next_cursor })
    }
}

impl UnknownReadingEntry {
    /// All its photos.
    pub fn image_ids(&self) -> impl Iterator<Item = &ImageId> {
        self.reading_values.iter().flat_map(|value| &value.image_ids)
    }

    fn item(&self, tenant: &TenantId) -> Result<Item> {
        let (partition, sort) = keys::unknown_index(tenant, &self.id, self.created);
        Ok(Record::at(&keys::unknown_reading(tenant, &self.id))
            .with(RESULTS_PARTITION_KEY, text(partition))
            .with(RESULTS_SORT_KEY, text(sort))
            .with("entry", json(self)?)
            .item())
    }

    pub(crate) fn read(item: &Item) -> Result<Self> {
        Fields(item).json("entry")
    }
}
