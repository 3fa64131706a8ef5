//! Readings with the clerks' notes and their jobs: what the clearing queue, the season's figures and the market's messages go by.

use std::collections::HashMap;

use domain::clearing::{self, Doubt, Sent};
use domain::ids::{JobId, TenantId};
use jiff::{Timestamp, ToSpan};
use store::{ClearingEntry, ClearingEntryWithoutJob, ListedJob, Store, StoredJob};

use crate::{Failure, patiently};

/// How far back clerks look for readings: a season and what was left of the one before.
const DAYS: i64 = 400;

/// How many jobs are read at once.
const BATCH: usize = 100;

/// Every reading of the last [`DAYS`] days; the order is that of the ledger's shards.
pub async fn readings(store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Vec<ClearingEntry>, Failure> {
    let since = now - (24 * DAYS).hours();
    let mut readings = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.clearing_results(tenant, since, now, cursor.as_deref())).await?;
        readings.extend(page.entries);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(readings);
        }
    }
}

/// All jobs of the tenant, closed ones too.
pub async fn jobs(store: &Store, tenant: &TenantId) -> Result<HashMap<JobId, StoredJob>, Failure> {
    let mut jobs = HashMap::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.job_ids(tenant, cursor.as_deref())).await?;
        keep(&mut jobs, store, tenant, &page.jobs).await?;
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(jobs);
        }
    }
}

pub async fn jobs_of(store: &Store, tenant: &TenantId, readings: &[&ClearingEntry]) -> Result<HashMap<JobId, StoredJob>, Failure> {
    let mut listed: Vec<ListedJob> = readings
        .iter()
        .filter_map(|reading| {
            // Without an account it is a reading whose time is over.
            let account_id = reading.entry.account_id.clone()?;
            Some(ListedJob { job_id: reading.entry.job_id.clone(), account_id, closed: false, season: reading.entry.season.clone() })
        })
        .collect();
    listed.sort_by(|a, b| (&a.job_id, &a.account_id).cmp(&(&b.job_id, &b.account_id)));
    listed.dedup();
    let mut jobs = HashMap::new();
    keep(&mut jobs, store, tenant, &listed).await?;
    Ok(jobs)
}

async fn keep(jobs: &mut HashMap<JobId, StoredJob>, store: &Store, tenant: &TenantId, listed: &[ListedJob]) -> Result<(), Failure> {
    for batch in listed.chunks(BATCH) {
        for job in patiently(|| store.listed_jobs(tenant, batch)).await? {
            jobs.insert(job.master.id.clone(), job);
        }
    }
    Ok(())
}

/// The texts that the tenant's portal shows for the comment "meter was changed", beside those that come with it.
#[derive(Debug)]
pub struct Words(Vec<String>);

/// The tenant's words.
pub async fn words(store: &Store, tenant: &TenantId) -> Result<Words, Failure> {
    let bundle = patiently(|| store.tenant_bundle(tenant)).await?;
    let translations = bundle.map(|bundle| bundle.translations).unwrap_or_default();
    Ok(Words(translations.into_values().filter_map(|mut texts| texts.remove(clearing::METER_CHANGED_TEXT)).collect()))
}

/// Why a clerk should look at the reading.
pub fn doubts(reading: &ClearingEntry, job: Option<&StoredJob>, words: &Words) -> Vec<Doubt> {
    let entry = &reading.entry;
    let task = job.and_then(|job| job.master.meter.meter_rate_tasks.iter().find(|task| task.task_id == entry.task_id));
    let (comment, lower_reason) = (entry.comment.as_deref(), entry.lower_reason);
    let sent = Sent { value: &entry.reading_value, comment, lower_reason, confirmed: &entry.confirmed };
    clearing::doubts(&sent, task, &words.0)
}

/// Whether a reading may go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Yes.
    Ready,
    /// A clerk has to look first.
    Waiting,
    /// Never.
    Rejected,
}

/// A clerk's decision, or else whether there is a doubt.
pub fn standing(reading: &ClearingEntry, job: Option<&StoredJob>, words: &Words) -> Standing {
    match &reading.clearing {
        Some(clearing) if clearing.released => Standing::Ready,
        Some(_) => Standing::Rejected,
        None if doubts(reading, job, words).is_empty() => Standing::Ready,
        None => Standing::Waiting,
    }
}

/// Every reading without a job of the last [`DAYS`] days.
pub async fn readings_without_job(store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Vec<ClearingEntryWithoutJob>, Failure> {
    let since = now - (24 * DAYS).hours();
    let mut readings = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.clearing_readings_without_job(tenant, since, now, cursor.as_deref())).await?;
        readings.extend(page.entries);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(readings);
        }
    }
}
