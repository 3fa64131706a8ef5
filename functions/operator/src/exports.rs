//! The ledger of exports: each reading goes out in exactly one file of a kind.
//!
//! An export has a number in the table. First it claims its readings, then they are fixed, then the file is written, then it is done: after a
//! crash the next run finishes the same export under the same number, so that no reading is lost and none is in two exports (D-CLEARING-1).

use domain::ids::TenantId;
use domain::text;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::{ClearingEntry, ClearingEntryWithoutJob, ExportKind, ExportState, ReadingsExport, Store, StoreError};

use crate::progress::Progress;
use crate::{Failure, Say};
use desk::patiently;

/// How many readings are claimed at a time.
const IN_FLIGHT: usize = 16;

/// What goes out once.
pub trait Exported {
    /// The number of the export of this kind that has it.
    fn export(&self, kind: ExportKind) -> Option<u64>;
    /// Puts it into an export; false: another one has it.
    fn claim(&self, store: &Store, tenant: &TenantId, kind: ExportKind, number: u64) -> impl Future<Output = Result<bool, StoreError>>;
}

impl Exported for ClearingEntry {
    fn export(&self, kind: ExportKind) -> Option<u64> {
        match kind {
            ExportKind::Market => self.market_export,
            ExportKind::Table => self.table_export,
        }
    }

    async fn claim(&self, store: &Store, tenant: &TenantId, kind: ExportKind, number: u64) -> Result<bool, StoreError> {
        store.claim_for_export(tenant, &self.entry, kind, number).await
    }
}

/// The market has no messages for readings without a job.
impl Exported for ClearingEntryWithoutJob {
    fn export(&self, kind: ExportKind) -> Option<u64> {
        self.table_export.filter(|_| kind == ExportKind::Table)
    }

    async fn claim(&self, store: &Store, tenant: &TenantId, kind: ExportKind, number: u64) -> Result<bool, StoreError> {
        match kind {
            ExportKind::Market => Ok(false),
            ExportKind::Table => store.claim_without_job_for_export(tenant, &self.entry, number).await,
        }
    }
}

/// The exports of a kind.
#[derive(Debug)]
pub struct Ledger<'a, R> {
    pub store: &'a Store,
    pub tenant: &'a TenantId,
    pub kind: ExportKind,
    pub readings: &'a [R],
    pub say: Say,
}

impl<'a, R: Exported> Ledger<'a, R> {
    /// What an export has.
    fn claimed(&self, number: u64) -> Vec<&'a R> {
        self.readings.iter().filter(|reading| reading.export(self.kind) == Some(number)).collect()
    }

    /// Writes the medium's exports of that day once more, with the same numbers.
    pub async fn again(
        &self,
        medium: &str,
        day: Date,
        zone: &TimeZone,
        mut write: impl FnMut(&ReadingsExport, &[&R]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let exports = self.exports(medium).await?;
        for export in exports.iter().filter(|export| export.created.to_zoned(zone.clone()).date() == day) {
            write(export, &self.claimed(export.number))?;
        }
        Ok(())
    }

    async fn exports(&self, medium: &str) -> Result<Vec<ReadingsExport>, Failure> {
        let mut exports = patiently(|| self.store.exports_of_readings(self.tenant)).await?;
        exports.retain(|export| export.medium == medium);
        Ok(exports)
    }

    /// Carries the medium's unfinished export through from where it is, or else a new one; `due` is for one that still takes some.
    pub async fn send(
        &self,
        medium: &str,
        due: Vec<&'a R>,
        now: Timestamp,
        write: impl FnOnce(&ReadingsExport, &[&R]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let unfinished = self.exports(medium).await?.into_iter().find(|export| export.state != ExportState::Done);
        let mut included = unfinished.as_ref().map_or_else(Vec::new, |export| self.claimed(export.number));
        if due.is_empty() && unfinished.is_none() {
            return Ok(());
        }
        let mut export = match unfinished {
            Some(export) => export,
            None => self.begin(medium, now).await?,
        };
        if export.state == ExportState::Open {
            let progress = Progress::open_ended(text!("Stände", "readings"), self.say);
            let number = export.number;
            let claims = stream::iter(due).map(|reading| async move {
                let ours = patiently(|| reading.claim(self.store, self.tenant, self.kind, number)).await?;
                Ok::<_, Failure>(ours.then_some(reading))
            });
            let claimed: Vec<Option<&R>> = claims.buffered(IN_FLIGHT).try_collect().await?;
            included.extend(claimed.into_iter().flatten());
            progress.end();
            export.state = ExportState::Fixed;
            patiently(|| self.store.note_export(self.tenant, &export)).await?;
        }
        write(&export, &included)?;
        export.state = ExportState::Done;
        patiently(|| self.store.note_export(self.tenant, &export)).await?;
        Ok(())
    }

    async fn begin(&self, medium: &str, now: Timestamp) -> Result<ReadingsExport, Failure> {
        loop {
            let last = patiently(|| self.store.exports_of_readings(self.tenant)).await?.last().map_or(0, |export| export.number);
            let export = ReadingsExport { number: last + 1, medium: medium.into(), created: now, state: ExportState::Open };
            match self.store.begin_export(self.tenant, &export).await {
                Ok(()) => return Ok(export),
                // Another run took the number.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
