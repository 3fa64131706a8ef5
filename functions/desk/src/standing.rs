//! Readings with the clerks' notes and their jobs: what the clearing queue, the season's figures and the market's messages go by.

use std::collections::HashMap;

use domain::ids::{JobId, SeasonId, TenantId};
use jiff::{Timestamp, ToSpan};
use store::{ClearingEntry, ClearingEntryWithoutJob, ListedJob, Store, StoredJob};

use crate::{Failure, patiently};

/// How far back clerks look for readings: a season and what was left of the one before.
const DAYS: i64 = 400;

/// Jobs that are read at once.
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

/// The jobs of readings, by their ids; see [`job_of`].
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

/// The job of a reading, unless that is forgotten: its id may be another account's job's since (D-IMPORTS-4).
pub fn job_of<'j>(jobs: &'j HashMap<JobId, StoredJob>, reading: &ClearingEntry) -> Option<&'j StoredJob> {
    jobs.get(&reading.entry.job_id).filter(|job| reading.entry.account_id.as_ref() == Some(&job.account_id))
}

/// The seasons of jobs that named none when they were read, and got one since; of the others the readings say it.
pub async fn seasons_since(store: &Store, tenant: &TenantId, readings: &[ClearingEntry]) -> Result<HashMap<JobId, SeasonId>, Failure> {
    let of_none: Vec<_> = readings.iter().filter(|reading| reading.entry.season.is_default()).collect();
    let mut seasons = HashMap::new();
    for some in of_none.chunks(BATCH) {
        let jobs = jobs_of(store, tenant, some).await?.into_values();
        seasons.extend(jobs.filter(|job| !job.season.is_default()).map(|job| (job.master.id, job.season)));
    }
    Ok(seasons)
}

async fn keep(jobs: &mut HashMap<JobId, StoredJob>, store: &Store, tenant: &TenantId, listed: &[ListedJob]) -> Result<(), Failure> {
    for batch in listed.chunks(BATCH) {
        for job in patiently(|| store.listed_jobs(tenant, batch)).await? {
            jobs.insert(job.master.id.clone(), job);
        }
    }
    Ok(())
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

/// A clerk's decision, or else whether there was a doubt when it came.
pub fn standing(reading: &ClearingEntry) -> Standing {
    match &reading.clearing {
        Some(clearing) if clearing.released => Standing::Ready,
        Some(_) => Standing::Rejected,
        None if reading.entry.doubts.is_empty() => Standing::Ready,
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
