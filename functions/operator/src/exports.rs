//! The ledger of exports: each reading goes out in exactly one file of a kind.
//!
//! An export has a number in the table. First it claims its readings, then they are fixed, then the file is written, then it is done: after a
//! crash the next run finishes the same export under the same number, so that no reading is lost and none is in two exports.

use domain::ids::TenantId;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use store::{DeskEntry, ExportKind, ExportState, ReadingsExport, Store, StoreError};

use crate::Failure;
use crate::import::patiently;
use crate::progress::Progress;

/// How many readings are claimed at a time.
const IN_FLIGHT: usize = 16;

/// The exports of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Ledger<'a> {
    pub store: &'a Store,
    pub tenant: &'a TenantId,
    pub kind: ExportKind,
    /// All readings.
    pub readings: &'a [DeskEntry],
}

impl<'a> Ledger<'a> {
    /// What an export has.
    pub fn claimed(&self, number: u64) -> Vec<&'a DeskEntry> {
        self.readings.iter().filter(|reading| reading.export(self.kind) == Some(number)).collect()
    }

    /// Carries an export through from where it is; `due` are the readings for one that still takes some.
    pub async fn carry_through(
        &self,
        medium: &str,
        unfinished: Option<ReadingsExport>,
        due: Vec<&'a DeskEntry>,
        now: Timestamp,
        write: impl FnOnce(&ReadingsExport, &[&DeskEntry]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut included = unfinished.as_ref().map_or_else(Vec::new, |export| self.claimed(export.number));
        if due.is_empty() && unfinished.is_none() {
            return Ok(());
        }
        let mut export = match unfinished {
            Some(export) => export,
            None => self.begin(medium, now).await?,
        };
        if export.state == ExportState::Open {
            let progress = Progress::open_ended("readings");
            let number = export.number;
            let claims = stream::iter(due).map(|reading| async move {
                let ours = patiently(|| self.store.claim_for_export(self.tenant, &reading.entry, self.kind, number)).await?;
                Ok::<_, Failure>(ours.then_some(reading))
            });
            let claimed: Vec<Option<&DeskEntry>> = claims.buffered(IN_FLIGHT).try_collect().await?;
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
