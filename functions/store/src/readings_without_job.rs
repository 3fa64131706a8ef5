//! Readings of meters that have no job.

use domain::ids::{AccountId, ImageId, JobId, TenantId};
use domain::model::{LoginKind, MeterType, ReadingReason};
use domain::value::MeterValue;
use domain::visitor_reading::Contact;
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::clearing::undecided_since;
use crate::db::Read;
use crate::idempotency::{IdempotencyWrite, Submitted};
use crate::item::{Fields, Item, Record, json, text};
use crate::keys;
use crate::table::{RESULTS_PARTITION_KEY, RESULTS_SORT_KEY};
use crate::tallies::{Cells, WITHOUT_JOB, cells_without_job};
use crate::tx::{Condition, Tx};
use crate::waiting::{delete_waiting_without_job, put_waiting_without_job, word};
use crate::{ClearingEntryWithoutJob, Delivery, Photos, Result, Store, StoreError};

/// A reading of a meter that has no job: a visitor's, or a logged-in account's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadingWithoutJob {
    /// Its id; stands where a job's id would, for the photos too.
    pub id: JobId,
    /// The time at which the server took it.
    pub created: Timestamp,
    /// Through which kind of login.
    pub login_kind: LoginKind,
    /// Who sent it: an account, or what stands for a visitor, by the key of the request or by the session.
    pub login_account_id: AccountId,
    /// The type of the meter, if it was asked.
    pub meter_type: Option<MeterType>,
    /// Its sub-type.
    pub sub_type: Option<String>,
    /// The number on its plate.
    pub meter_number: String,
    /// The values, one for each rate.
    pub reading_values: Vec<ReadingWithoutJobValue>,
    /// The day of the reading.
    pub reading_date: Date,
    /// The reason of the reading.
    pub reading_reason: Option<ReadingReason>,
    /// The person who read it.
    pub contact: Option<Contact>,
    /// The address to which the visitor wants a copy.
    pub email: Option<String>,
    /// The visitor's language, such as `de-FORMAL`; an account has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The reader's comment.
    pub comment: Option<String>,
}

/// The value of one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadingWithoutJobValue {
    /// The rate, if the meter's rates were asked.
    pub obis: Option<String>,
    /// The rate's name.
    pub rate_name: Option<String>,
    /// The counter, digit for digit as it was sent.
    pub value: MeterValue,
    /// The photos.
    pub image_ids: Vec<ImageId>,
}

/// One page of such readings.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingsWithoutJobPage {
    /// The readings, in each shard by time; may be none although there are more pages.
    pub entries: Vec<ReadingWithoutJob>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

impl Store {
    /// Stores the reading and the record of the request. A reading with this id that is there already stays as it is:
    /// [`Submitted::Stale`]. With `deliver` it is put among what waits for the tenant's webhook.
    pub async fn submit_without_job(
        &self,
        tenant: &TenantId,
        entry: &ReadingWithoutJob,
        idempotency: &IdempotencyWrite,
        deliver: bool,
    ) -> Result<Submitted> {
        self.submit_without_job_once(tenant, entry, &entry.login_account_id, idempotency, deliver).await
    }

    /// The same, with the answer kept under another id than the sender's, by which the request is known again.
    pub async fn submit_without_job_once(
        &self,
        tenant: &TenantId,
        entry: &ReadingWithoutJob,
        kept_under: &AccountId,
        idempotency: &IdempotencyWrite,
        deliver: bool,
    ) -> Result<Submitted> {
        let mut tx = Tx::new(self);
        tx.put("the reading", entry.item(tenant)?, Some(Condition::absent(StoreError::Conflict)))?;
        tx.put("the reading", Record::at(&keys::without_job_of(tenant, &entry.login_account_id, &entry.id)).item(), None)?;
        if deliver {
            tx.put("the delivery", Delivery::without_job(entry).item(tenant)?, None)?;
        }
        tx.count(keys::change_shard(&entry.id), tenant, WITHOUT_JOB, &entry.cells(1)?);
        put_waiting_without_job(&mut tx, tenant, entry)?;
        idempotency.add_to(&mut tx, tenant, kept_under)?;
        match tx.commit("the reading").await {
            Ok(()) => Ok(Submitted::Stored),
            Err(StoreError::Conflict) => self.overtaken(tenant, kept_under, idempotency).await,
            Err(error) => Err(error),
        }
    }

    /// One of these readings.
    pub async fn reading_without_job(&self, tenant: &TenantId, id: &JobId) -> Result<Option<ReadingWithoutJob>> {
        let item = self.get(&keys::reading_without_job(tenant, id), Read::Latest).await?;
        item.map(|item| ReadingWithoutJob::read(&item)).transpose()
    }

    /// Deletes such a reading with its photos, and last what leads from its sender to it. Gives the number of deleted versions of objects.
    pub(crate) async fn erase_without_job(&self, photos: &Photos, tenant: &TenantId, sender: &AccountId, id: &JobId) -> Result<usize> {
        let objects = photos.erase_job(tenant, id).await?;
        // Another request may delete it and count that, or decide about it.
        while let Some(item) = self.get(&keys::reading_without_job(tenant, id), Read::Latest).await? {
            let ClearingEntryWithoutJob { entry, clearing, .. } = ClearingEntryWithoutJob::read(&item)?;
            self.erase_delivery(tenant, &Delivery::without_job(&entry)).await?;
            let mut tx = Tx::new(self);
            tx.delete(&keys::reading_without_job(tenant, id), Some(undecided_since(&item)))?;
            match &clearing {
                Some(clearing) => tx.delete(&keys::decision(tenant, clearing.at, id, id.as_str()), None)?,
                None => delete_waiting_without_job(&mut tx, tenant, &entry)?,
            }
            if clearing.is_none_or(|clearing| clearing.assigned.is_none()) {
                tx.count(keys::change_shard(id), tenant, WITHOUT_JOB, &entry.cells(-1)?);
            }
            match tx.commit("the reading").await {
                Ok(()) | Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        }
        self.delete(&keys::without_job_of(tenant, sender, id), None).await?;
        Ok(objects)
    }

    /// One page of those that the server took from `since` on and before `until`, as [`Store::results`] has it.
    pub async fn readings_without_job(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
    ) -> Result<ReadingsWithoutJobPage> {
        self.readings_without_job_page(tenant, since, until, cursor, None).await
    }

    /// The same, with no more than `limit` readings.
    pub(crate) async fn readings_without_job_page(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
        limit: Option<u32>,
    ) -> Result<ReadingsWithoutJobPage> {
        let partition = |month: &str, shard| keys::without_job_partition(tenant, month, shard);
        let (items, next_cursor) = self.by_month(partition, since, until, cursor, limit).await?;
        Ok(ReadingsWithoutJobPage { entries: items.iter().map(ReadingWithoutJob::read).collect::<Result<_>>()?, next_cursor })
    }
}

impl ReadingWithoutJob {
    /// All its photos.
    pub fn image_ids(&self) -> impl Iterator<Item = &ImageId> {
        self.reading_values.iter().flat_map(|value| &value.image_ids)
    }

    /// What it counts, once or taken back.
    pub(crate) fn cells(&self, times: i64) -> Result<Cells> {
        let values = i64::try_from(self.reading_values.len()).unwrap_or(i64::MAX);
        Ok(cells_without_job(&word(&self.login_kind)?, times * values))
    }

    fn item(&self, tenant: &TenantId) -> Result<Item> {
        let (partition, sort) = keys::without_job_index(tenant, &self.id, self.created);
        Ok(Record::at(&keys::reading_without_job(tenant, &self.id))
            .with(RESULTS_PARTITION_KEY, text(partition))
            .with(RESULTS_SORT_KEY, text(sort))
            .with("entry", json(self)?)
            .item())
    }

    pub(crate) fn read(item: &Item) -> Result<Self> {
        Fields(item).json("entry")
    }
}
