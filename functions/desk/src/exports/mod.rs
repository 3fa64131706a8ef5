//! The ledger of exports: what goes out, to which destination, as what, and with which number.
//!
//! An export has a number in the table. First its readings are noted as sent with it, then they are fixed, then the caller writes the file, then it is done:
//! after a crash the next run finishes the same export under the same number, so that no reading is lost and none is in two exports (D-CLEARING-1).

pub mod schedule;
pub mod tables;
mod turn;

use std::collections::BTreeMap;

use domain::ids::TenantId;
use domain::sending::{self, Decided, SendingKind};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::{ClearingEntry, ClearingEntryWithoutJob, Destination, ExportCounts, ExportState, ReadingsExport, Sending, Store, StoreError};

use crate::standing::{self, Standing};
use crate::{Failure, Reached, patiently};

pub(crate) use turn::end_turn;
pub use turn::{in_turn, random_name};

/// Registers that are noted at a time.
const IN_FLIGHT: usize = 16;

/// A reading that can be exported.
pub trait Exported: Sync {
    /// What went to the destination, oldest first.
    fn sent(&self, destination: Destination) -> &[Sending];

    /// Notes that it goes out; false: it changed since it was read.
    fn note(&self, store: &Store, tenant: &TenantId, to: Destination, sending: &Sending) -> impl Future<Output = Result<bool, StoreError>>;
}

impl Exported for ClearingEntry {
    fn sent(&self, destination: Destination) -> &[Sending] {
        self.sent.to(destination)
    }

    async fn note(&self, store: &Store, tenant: &TenantId, to: Destination, sending: &Sending) -> Result<bool, StoreError> {
        store.note_sending(tenant, self, to, sending).await
    }
}

/// The market has no messages for readings without a job.
impl Exported for ClearingEntryWithoutJob {
    fn sent(&self, destination: Destination) -> &[Sending] {
        if destination == Destination::Table { &self.sent } else { &[] }
    }

    async fn note(&self, store: &Store, tenant: &TenantId, to: Destination, sending: &Sending) -> Result<bool, StoreError> {
        if to == Destination::Table { store.note_sending_without_job(tenant, self, sending).await } else { Ok(false) }
    }
}

/// A reading on its way out.
#[derive(Debug)]
pub struct Outgoing<'a, R> {
    /// The reading.
    pub reading: &'a R,
    /// As what it goes.
    pub sending: Sending,
}

/// The readings that have to go to a destination.
#[derive(Debug)]
pub struct DueReadings<'a> {
    /// By register, in each in their order.
    pub registers: Vec<Vec<Outgoing<'a, ClearingEntry>>>,
    /// How many readings wait for a clerk that did not go there before.
    pub waiting: usize,
}

/// What has to go to the destination, of the registers whose last reading is wanted: they are left out as a whole only, because what is a correction follows
/// from all of a register.
pub fn due<'a>(
    readings: &'a [ClearingEntry],
    destination: Destination,
    now: Timestamp,
    wanted: impl Fn(&ClearingEntry) -> bool,
) -> DueReadings<'a> {
    let mut registers: BTreeMap<_, Vec<&ClearingEntry>> = BTreeMap::new();
    for reading in readings {
        registers.entry(reading.entry.register()).or_default().push(reading);
    }
    let mut due = DueReadings { registers: Vec::new(), waiting: 0 };
    for mut register in registers.into_values() {
        register.sort_by(|a, b| (a.entry.created, &a.entry.result_id).cmp(&(b.entry.created, &b.entry.result_id)));
        if !register.last().is_some_and(|last| wanted(last)) {
            continue;
        }
        let waits = |reading: &&ClearingEntry| standing::standing(reading) == Standing::Waiting;
        let known: Vec<_> = register.iter().map(|reading| reading.known(destination, waits(reading))).collect();
        // What was replaced need not be looked at any more.
        let last = known.iter().rfind(|known| known.decided != Some(Decided::Withdrawn));
        due.waiting += usize::from(last.is_some_and(|known| known.waits && known.sent.is_none()));
        let outgoing = sending::due(&known).into_iter().filter_map(|one| {
            let reading = *register.get(one.index)?;
            Some(Outgoing { reading, sending: ClearingEntry::sending(&register, destination, one, now) })
        });
        let outgoing: Vec<_> = outgoing.collect();
        if !outgoing.is_empty() {
            due.registers.push(outgoing);
        }
    }
    due
}

/// The readings without a job that no table had yet, and that no clerk assigned or refused (D-CLEARING-9).
pub fn due_without_job(readings: &[ClearingEntryWithoutJob], now: Timestamp) -> Vec<Vec<Outgoing<'_, ClearingEntryWithoutJob>>> {
    let sending = || Sending { kind: SendingKind::Original, export: None, at: now, refers_to: None, clearing: None, lines: Vec::new() };
    let unsent = readings.iter().filter(|reading| reading.sent.is_empty() && reading.clearing.is_none());
    unsent.map(|reading| vec![Outgoing { reading, sending: sending() }]).collect()
}

/// An export with its readings.
#[derive(Debug)]
pub struct Export<'a, R> {
    /// Number, medium, time, state.
    pub record: ReadingsExport,
    /// The readings of the export.
    pub readings: Vec<Outgoing<'a, R>>,
}

impl<R> Export<'_, R> {
    /// How many of the readings that it went out with are not there any more: erased, or received too long ago to be looked at.
    pub fn missing(&self) -> usize {
        let ExportCounts { originals, corrections, cancellations } = self.record.counts.unwrap_or_default();
        (originals + corrections + cancellations).saturating_sub(self.readings.len())
    }

    fn counts(&self) -> ExportCounts {
        let mut counts = ExportCounts::default();
        for Outgoing { sending, .. } in &self.readings {
            *match sending.kind {
                SendingKind::Original => &mut counts.originals,
                SendingKind::Correction => &mut counts.corrections,
                SendingKind::Cancellation => &mut counts.cancellations,
            } += 1;
        }
        counts
    }
}

/// The exports to a destination.
#[derive(Debug)]
pub struct Ledger<'a, R> {
    /// The store that they are kept in.
    pub store: &'a Store,
    /// The tenant that they belong to.
    pub tenant: &'a TenantId,
    /// The destination that they go to.
    pub destination: Destination,
    /// All readings that exports may have.
    pub readings: &'a [R],
    /// Is told how many are noted.
    pub reached: &'a Reached,
}

impl<'a, R: Exported> Ledger<'a, R> {
    /// The readings of an export.
    fn included(&self, number: u64) -> Vec<Outgoing<'a, R>> {
        let of_export = |reading: &'a R| {
            let sending = reading.sent(self.destination).iter().find(|sending| sending.export == Some(number))?;
            Some(Outgoing { reading, sending: sending.clone() })
        };
        self.readings.iter().filter_map(of_export).collect()
    }

    /// The medium's exports of that day, to be written once more with the same numbers.
    ///
    /// # Errors
    /// The store's.
    pub async fn of_day(&self, medium: &str, day: Date, zone: &TimeZone) -> Result<Vec<Export<'a, R>>, Failure> {
        let exports = self.exports(medium).await?.into_iter();
        let of_day = exports.filter(|export| export.created.to_zoned(zone.clone()).date() == day);
        Ok(of_day.map(|record| Export { readings: self.included(record.number), record }).collect())
    }

    /// The medium's export with this number, to be written once more; none: there is none.
    ///
    /// # Errors
    /// The store's.
    pub async fn numbered(&self, medium: &str, number: u64) -> Result<Option<Export<'a, R>>, Failure> {
        let found = self.exports(medium).await?.into_iter().find(|export| export.number == number);
        Ok(found.map(|record| Export { readings: self.included(number), record }))
    }

    async fn exports(&self, medium: &str) -> Result<Vec<ReadingsExport>, Failure> {
        let mut exports = patiently(|| self.store.exports_of_readings(self.tenant)).await?;
        exports.retain(|export| export.medium == medium);
        Ok(exports)
    }

    /// The medium's unfinished export, or else a new one. One that still takes readings takes those that are due; of one that does not, they are left for the
    /// next call (D-EXPORTS-12). Its readings are fixed: write the file, then call [`Ledger::finish`]. None: there is nothing to write.
    ///
    /// # Errors
    /// The store's; the next call goes on with the same export.
    pub async fn begin(&self, medium: &str, due: &mut Vec<Vec<Outgoing<'a, R>>>, now: Timestamp) -> Result<Option<Export<'a, R>>, Failure> {
        let unfinished = self.exports(medium).await?.into_iter().find(|export| export.state != ExportState::Done);
        let mut readings = unfinished.as_ref().map_or_else(Vec::new, |export| self.included(export.number));
        // What an earlier worker noted, so that one who goes on comes further.
        self.reached.expect(readings.len());
        self.reached.add(readings.len());
        if due.is_empty() && unfinished.is_none() {
            return Ok(None);
        }
        let mut record = match unfinished {
            Some(record) => record,
            None => self.number(medium, now).await?,
        };
        if record.state == ExportState::Open {
            let due = std::mem::take(due);
            self.reached.expect(due.iter().map(Vec::len).sum());
            let noted = stream::iter(due).map(|register| self.note(register, &record)).buffered(IN_FLIGHT);
            let noted: Vec<Vec<Outgoing<'a, R>>> = noted.try_collect().await?;
            readings.extend(noted.into_iter().flatten());
            let fixed = ReadingsExport { state: ExportState::Fixed, ..record.clone() };
            self.note_export(record.state, &fixed).await?;
            record = fixed;
        }
        Ok(Some(Export { record, readings }))
    }

    /// Puts a register's readings into the export, in their order; those after one that changed meanwhile wait for the next export.
    async fn note(&self, register: Vec<Outgoing<'a, R>>, record: &ReadingsExport) -> Result<Vec<Outgoing<'a, R>>, Failure> {
        let mut noted = Vec::new();
        for Outgoing { reading, sending } in register {
            let sending = sending.in_export(record);
            if !patiently(|| reading.note(self.store, self.tenant, self.destination, &sending)).await? {
                break;
            }
            self.reached.add(1);
            noted.push(Outgoing { reading, sending });
        }
        Ok(noted)
    }

    /// Notes that the file is complete.
    ///
    /// # Errors
    /// The store's; the next [`Ledger::begin`] has the same export again.
    pub async fn finish(&self, export: Export<'a, R>) -> Result<(), Failure> {
        let done = ReadingsExport { state: ExportState::Done, counts: Some(export.counts()), ..export.record.clone() };
        self.note_export(export.record.state, &done).await
    }

    async fn note_export(&self, before: ExportState, now: &ReadingsExport) -> Result<(), Failure> {
        let noted = patiently(|| self.store.note_export(self.tenant, before, now)).await?;
        if noted { Ok(()) } else { Err(Failure::Overtaken) }
    }

    async fn number(&self, medium: &str, now: Timestamp) -> Result<ReadingsExport, Failure> {
        loop {
            let last = patiently(|| self.store.exports_of_readings(self.tenant)).await?.last().map_or(0, |export| export.number);
            let export = ReadingsExport { number: last + 1, medium: medium.into(), created: now, state: ExportState::Open, counts: None };
            match self.store.begin_export(self.tenant, &export).await {
                Ok(()) => return Ok(export),
                // Another run took the number.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use store::Clearing;

    use super::*;

    fn not_released(at: Timestamp, reason: Option<String>) -> Clearing {
        Clearing {
            released: false,
            reason,
            at,
            by: None,
            member: None,
            exchange: None,
            named_before: false,
            corrected_by: None,
            assigned: None,
            proposed_by: None,
        }
    }

    #[test]
    fn what_was_decided_first_is_no_longer_put_into_the_table() {
        let entry = serde_json::json!({
            "id": "unknown~1", "created": "2026-11-20T10:00:00Z", "loginKind": "public", "loginAccountId": "visitor~1", "meterNumber": "7GMT1",
            "readingValues": [], "readingDate": "2026-11-20",
        });
        let now: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let refused = not_released(now, Some("nicht unser Netz".into()));
        let reading = |clearing: Option<Clearing>| ClearingEntryWithoutJob {
            entry: serde_json::from_value(entry.clone()).unwrap(),
            clearing,
            sent: Vec::new(),
            aside: None,
        };
        assert_eq!(due_without_job(&[reading(None)], now).len(), 1, "what waits goes out as before");
        assert_eq!(due_without_job(&[reading(Some(refused))], now).len(), 0);
    }

    /// What a clerk put in its place and took back replaced nothing.
    #[test]
    fn what_waits_is_counted_behind_what_was_taken_back() {
        let now: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let reading = |id: &str, created: &str, doubts: &[&str], clearing: Option<Clearing>| {
            let entry = serde_json::json!({
                "resultId": id, "jobId": "j1", "channel": "PORTAL", "taskId": "t1", "obis": "1-0:1.8.0", "readingValue": "4711",
                "readingDate": "2026-11-20", "created": created, "doubts": doubts, "imageIds": [],
            });
            ClearingEntry { entry: serde_json::from_value(entry).unwrap(), clearing, sent: Default::default(), aside: None, proposal: None }
        };
        let withdrawn = not_released(now, None);
        let waits = || reading("r1", "2026-11-20T10:00:00Z", &["ROLLOVER"], None);
        let of = |later: ClearingEntry| due(&[waits(), later], Destination::Table, now, |_| true).waiting;
        assert_eq!(of(reading("r2", "2026-11-20T11:00:00Z", &[], Some(withdrawn))), 1);
        assert_eq!(of(reading("r2", "2026-11-20T11:00:00Z", &[], None)), 0);
    }
}
