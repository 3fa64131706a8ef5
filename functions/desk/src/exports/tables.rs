//! The tables of readings: which exports go out or are written once more, in which order, and what their files are called.

use std::collections::HashMap;
use std::ops::Range;

use domain::ids::{JobId, SeasonId, TenantId};
use domain::preset::FileFormat;
use domain::text;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::{ClearingEntry, ClearingEntryWithoutJob, Destination, ReadingWithoutJob, ReadingsExport, Store};

use super::{Export, Exported, Ledger, due, due_without_job};
use crate::{Failure, Reached, known, patiently, seasons, standing};

/// What the ledger calls the tables of readings of jobs, and those of readings without one.
const OF_JOBS: &str = "table";
pub(crate) const WITHOUT_JOB: &str = "unknown";

/// The exports that are written once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// Those that were begun on a day in the tenant's time zone.
    OfDay(Date),
    /// The one with this number.
    Number(u64),
}

/// The name of an export's file.
pub fn file_name(export: &ReadingsExport, format: FileFormat) -> String {
    let list = if export.medium == WITHOUT_JOB { "unknown" } else { "readings" };
    format!("{list}-{:08}.{}", export.number, format.ending())
}

/// Has `write` write what no table had yet, of one season or of all, after what an interrupted run had begun; says how many readings wait for a clerk. `write`
/// gets an export and every reading that was received; when it fails, the next call comes with the same export. Only [`in_turn`](super::in_turn): two at a time would
/// write two files of one number.
///
/// # Errors
/// There is no such tenant or season; the store's and those of `write`.
pub async fn new_of_jobs<E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    season: Option<&SeasonId>,
    (now, reached): (Timestamp, &Reached),
    mut write: impl AsyncFnMut(&Export<'_, ClearingEntry>, &[ClearingEntry]) -> Result<(), E>,
) -> Result<usize, E> {
    known(store, tenant).await?;
    if let Some(season) = season {
        seasons::known(store, tenant, season).await?;
    }
    let readings = standing::readings(store, tenant, now).await?;
    let ledger = Ledger { store, tenant, destination: Destination::Table, readings: &readings, reached };
    let wanted = Wanted::of(store, tenant, season, &readings).await?;
    let due = due(&readings, Destination::Table, now, |reading| wanted.has(reading));
    // What an interrupted run has noted may be of another season: it gets its own file.
    let first = season.map(|_| Vec::new());
    for mut registers in first.into_iter().chain([due.registers]) {
        while let Some(export) = ledger.begin(OF_JOBS, &mut registers, now).await? {
            if !export.readings.is_empty() {
                write(&export, &readings).await?;
            }
            ledger.finish(export).await?;
        }
    }
    Ok(due.waiting)
}

/// As [`new_of_jobs`], of the readings without a job.
///
/// # Errors
/// There is no such tenant; the store's and those of `write`.
pub async fn new_without_job<E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    (now, reached): (Timestamp, &Reached),
    mut write: impl AsyncFnMut(&Export<'_, ClearingEntryWithoutJob>) -> Result<(), E>,
) -> Result<(), E> {
    known(store, tenant).await?;
    let readings = standing::readings_without_job(store, tenant, now).await?;
    let ledger = Ledger { store, tenant, destination: Destination::Table, readings: &readings, reached };
    let mut due = due_without_job(&readings, now);
    while let Some(export) = ledger.begin(WITHOUT_JOB, &mut due, now).await? {
        if !export.readings.is_empty() {
            write(&export).await?;
        }
        ledger.finish(export).await?;
    }
    Ok(())
}

/// Has `write` write exports once more, with the same readings under the same numbers.
///
/// # Errors
/// There is no such tenant, or no export with that number; the store's and those of `write`.
pub async fn again_of_jobs<E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    again: Again,
    now: Timestamp,
    mut write: impl AsyncFnMut(&Export<'_, ClearingEntry>, &[ClearingEntry]) -> Result<(), E>,
) -> Result<(), E> {
    let (readings, reached) = (standing::readings(store, tenant, now).await?, &Reached::default());
    let ledger = Ledger { store, tenant, destination: Destination::Table, readings: &readings, reached };
    for export in begun(&ledger, OF_JOBS, again).await? {
        write(&export, &readings).await?;
    }
    Ok(())
}

/// As [`again_of_jobs`], of the readings without a job.
///
/// # Errors
/// As of [`again_of_jobs`].
pub async fn again_without_job<E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    again: Again,
    now: Timestamp,
    mut write: impl AsyncFnMut(&Export<'_, ClearingEntryWithoutJob>) -> Result<(), E>,
) -> Result<(), E> {
    let (readings, reached) = (standing::readings_without_job(store, tenant, now).await?, &Reached::default());
    let ledger = Ledger { store, tenant, destination: Destination::Table, readings: &readings, reached };
    for export in begun(&ledger, WITHOUT_JOB, again).await? {
        write(&export).await?;
    }
    Ok(())
}

/// Goes through the readings of jobs that were received in this time, of one season or of all, page by page.
///
/// # Errors
/// The store's and those of `take`.
pub async fn received_of_jobs<E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    season: Option<&SeasonId>,
    time: &Range<Timestamp>,
    mut take: impl AsyncFnMut(&[ClearingEntry]) -> Result<(), E>,
) -> Result<(), E> {
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.clearing_results(tenant, time.start, time.end, cursor.as_deref())).await;
        let mut page = page.map_err(Failure::from)?;
        let wanted = Wanted::of(store, tenant, season, &page.entries).await?;
        page.entries.retain(|reading| wanted.has(reading));
        take(&page.entries).await?;
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(());
        }
    }
}

/// As [`received_of_jobs`], of the readings without a job.
///
/// # Errors
/// As of [`received_of_jobs`].
pub async fn received_without_job<E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    time: &Range<Timestamp>,
    mut take: impl FnMut(&[ReadingWithoutJob]) -> Result<(), E>,
) -> Result<(), E> {
    let mut cursor: Option<String> = None;
    loop {
        let page =
            patiently(|| store.readings_without_job(tenant, time.start, time.end, cursor.as_deref())).await.map_err(Failure::from)?;
        take(&page.entries)?;
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(());
        }
    }
}

/// Which readings are of the season that is wanted.
struct Wanted<'a> {
    /// None: of all seasons.
    season: Option<&'a SeasonId>,
    /// Those of jobs that got theirs since they were read.
    since: HashMap<JobId, SeasonId>,
}

impl<'a> Wanted<'a> {
    async fn of(store: &Store, tenant: &TenantId, season: Option<&'a SeasonId>, readings: &[ClearingEntry]) -> Result<Self, Failure> {
        let since = match season {
            Some(_) => standing::seasons_since(store, tenant, readings).await?,
            None => HashMap::new(),
        };
        Ok(Self { season, since })
    }

    fn has(&self, ClearingEntry { entry, .. }: &ClearingEntry) -> bool {
        self.season.is_none_or(|season| season == entry.season_by(self.since.get(&entry.job_id)))
    }
}

/// The exports that are wanted once more and have readings, or had some.
async fn begun<'a, R: Exported>(ledger: &Ledger<'a, R>, medium: &str, again: Again) -> Result<Vec<Export<'a, R>>, Failure> {
    let settings = known(ledger.store, ledger.tenant).await?;
    let mut exports = match again {
        Again::OfDay(day) => {
            let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
            ledger.of_day(medium, day, &zone).await?
        }
        Again::Number(number) => vec![ledger.numbered(medium, number).await?.ok_or_else(|| unknown(medium, number))?],
    };
    exports.retain(|export| !export.readings.is_empty() || export.missing() > 0);
    Ok(exports)
}

fn unknown(medium: &str, number: u64) -> Failure {
    Failure::Refused(match medium {
        WITHOUT_JOB => {
            text!("einen Export {number} der Stände ohne Auftrag gibt es nicht", "there is no export {number} of readings without a job")
        }
        _ => text!("einen Export {number} der Stände zu Aufträgen gibt es nicht", "there is no export {number} of readings of jobs"),
    })
}
