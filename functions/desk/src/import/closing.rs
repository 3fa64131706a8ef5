//! What a list of all jobs of a season lacks, and closing it.

use std::io;

use domain::config::Application;
use domain::ids::{AccountId, ImportId, JobId, SeasonId, TenantId};
use domain::model::Customer;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use store::{ListedJob, Store};

use super::Seen;
use crate::spreadsheet::{begin_table_in, write_row};
use crate::{Failure, patiently};

/// Jobs that are read at once.
const BATCH: usize = 100;
/// Jobs that are closed at a time.
const IN_FLIGHT: usize = 8;

/// An open job that a list of all jobs of its season lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MissingJob {
    /// The job.
    pub job: JobId,
    /// Its account.
    pub account: AccountId,
    /// The meter's number.
    pub meter_number: String,
    /// Its last day.
    pub deadline: Option<Date>,
    /// The customer's name.
    pub name: String,
}

/// The jobs that a list lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// How many jobs of the season are not closed: read and unread ones.
    pub open: u64,
    /// Those of them that the list lacks, by their ids.
    pub jobs: Vec<MissingJob>,
    /// So many of a hundred are closed without a question; more of them are rather a file that is not whole (D-SEASONS-4).
    pub unasked_percent: u8,
}

fn name(customer: &Customer) -> String {
    let parts = [&customer.company, &customer.firstname, &customer.lastname];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Writes which jobs a list lacks, as a table that a spreadsheet opens.
///
/// # Errors
/// The writer's.
pub fn write_missing<W: io::Write>(jobs: &[MissingJob], writer: W) -> io::Result<W> {
    let mut writer = begin_table_in(writer)?;
    writer.write_record(["job", "account", "meterNumber", "deadline", "name"])?;
    for job in jobs {
        let deadline = job.deadline.map(|day| day.to_string()).unwrap_or_default();
        write_row(&mut writer, [job.job.as_str(), job.account.as_str(), &job.meter_number, &deadline, &job.name])?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

impl Missing {
    /// How many of a hundred it lacks, rounded up.
    pub fn percent(&self) -> u64 {
        (self.jobs.len() as u64 * 100).div_ceil(self.open.max(1))
    }

    /// More than may be closed without a question.
    pub fn is_much(&self) -> bool {
        self.jobs.len() as u64 * 100 > self.open * u64::from(self.unasked_percent)
    }
}

/// The jobs of the season that are not closed and not in the list.
pub(super) async fn missing(store: &Store, application: &Application, season: &SeasonId, listed: &Seen) -> Result<Missing, Failure> {
    let tenant = &application.application_id;
    let (mut open, mut jobs) = (0, Vec::new());
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.job_ids(tenant, cursor.as_deref())).await?;
        let of_season: Vec<_> = page.jobs.into_iter().filter(|job| !job.closed && job.season == *season).collect();
        open += of_season.len() as u64;
        let lacking: Vec<ListedJob> = of_season.into_iter().filter(|job| !listed.contains(job.job_id.as_str())).collect();
        for batch in lacking.chunks(BATCH) {
            jobs.extend(patiently(|| store.listed_jobs(tenant, batch)).await?.into_iter().map(|job| MissingJob {
                job: job.master.id,
                account: job.account_id,
                meter_number: job.master.meter.meter_number,
                deadline: job.master.job_constraints.latest_execution,
                name: job.master.customer.as_ref().map(name).unwrap_or_default(),
            }));
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            jobs.sort_by(|a, b| a.job.cmp(&b.job));
            return Ok(Missing { open, jobs, unasked_percent: application.desk.imports.closed_unasked_percent });
        }
    }
}

/// Closes them; answers how many were open still.
pub(super) async fn close(store: &Store, tenant: &TenantId, jobs: &[MissingJob], import: Option<&ImportId>) -> Result<u64, Failure> {
    let closed = stream::iter(jobs).map(|job| async move {
        let now = Timestamp::now();
        patiently(|| store.close_job_by(tenant, &job.account, &job.job, import, now)).await.map(u64::from)
    });
    let closed: Vec<u64> = closed.buffer_unordered(IN_FLIGHT).try_collect().await?;
    Ok(closed.into_iter().sum())
}
