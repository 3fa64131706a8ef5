//! What messages say. Their fields are those of `zaehlwerk readings export`, and what the receiver could not look up there.

use domain::clearing::Doubt;
use domain::config::ExportWhat;
use domain::ids::{JobId, RunId, TenantId};
use jiff::Timestamp;
use serde::Serialize;
use store::{Delivery, PresignedFile, ReadingWithoutJob, Run, RunFile, RunTask, StoredJob, ToTell};

use crate::rows::{ReadingRow, RowWithoutJob};

/// A message (Standard Webhooks, "Payload structure").
#[derive(Serialize)]
struct Event<D> {
    r#type: &'static str,
    /// The time of the event.
    timestamp: Timestamp,
    data: D,
}

#[derive(Serialize)]
struct Readings<'a, R> {
    tenant: &'a TenantId,
    readings: Vec<R>,
}

#[derive(Serialize)]
struct Export<'a> {
    tenant: &'a TenantId,
    run: &'a RunId,
    what: ExportWhat,
    preset: Option<&'a str>,
    files: Vec<ExportFile<'a>>,
}

/// A file of an export, and where it is fetched.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportFile<'a> {
    name: &'a str,
    /// The export's number, by which a receiver knows that it booked the file.
    number: Option<u64>,
    rows: u64,
    bytes: u64,
    url: &'a str,
    expires_at: Timestamp,
}

#[derive(Serialize)]
struct Ping<'a> {
    tenant: &'a TenantId,
}

/// Whether a reading may be used.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// Yes.
    Ready,
    /// A clerk has to look first.
    Held,
    /// A clerk said no.
    Rejected,
}

/// A reading of a job, with what the receiver could not look up in the export.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reading<'a> {
    #[serde(flatten)]
    row: ReadingRow<'a>,
    ma_lo_id: Option<&'a str>,
    me_lo_id: Option<&'a str>,
    status: Status,
    doubts: &'a [Doubt],
    /// The reading without a job that it was, of which the receiver was told before.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_job: Option<&'a JobId>,
}

/// Readings of a job came.
const RECEIVED: &str = "reading.received";
/// A clerk decided about a reading of a job.
const CLEARED: &str = "reading.cleared";
/// A reading of a meter that has no job came.
const WITHOUT_JOB_RECEIVED: &str = "unknownReading.received";

/// An export's files can be fetched.
const EXPORTED: &str = "export.finished";

/// What the message will say has happened: its `type`.
pub fn event_type(delivery: &Delivery) -> &'static str {
    match delivery {
        delivery if delivery.is_export() => EXPORTED,
        delivery if delivery.is_without_job() => WITHOUT_JOB_RECEIVED,
        delivery if delivery.is_clearing() => CLEARED,
        _ => RECEIVED,
    }
}

/// The message about readings of a job, as JSON.
///
/// # Errors
/// Never: everything in it can be written.
pub fn readings(tenant: &TenantId, delivery: &Delivery, readings: &[ToTell], job: Option<&StoredJob>) -> serde_json::Result<Vec<u8>> {
    let happened = readings.first().map(|told| match &told.reading.clearing {
        Some(clearing) if delivery.is_clearing() => clearing.at,
        _ => told.reading.entry.created,
    });
    let readings = readings.iter().map(|told| Reading::of(told, job)).collect();
    let data = Readings { tenant, readings };
    serde_json::to_vec(&Event { r#type: event_type(delivery), timestamp: happened.unwrap_or_default(), data })
}

/// The message about a reading without a job, as JSON.
///
/// # Errors
/// As [`readings`].
pub fn reading_without_job(tenant: &TenantId, entry: &ReadingWithoutJob) -> serde_json::Result<Vec<u8>> {
    let readings = RowWithoutJob::of(entry).collect();
    serde_json::to_vec(&Event { r#type: WITHOUT_JOB_RECEIVED, timestamp: entry.created, data: Readings { tenant, readings } })
}

/// The message about the files of an export, as JSON. None: the run is no export.
///
/// # Errors
/// As [`readings`].
pub fn export(tenant: &TenantId, run: &Run, files: &[(RunFile, PresignedFile)]) -> serde_json::Result<Option<Vec<u8>>> {
    let (what, preset) = match &run.new.task {
        RunTask::Market {} => (ExportWhat::Market, None),
        RunTask::Export(task) if task.without_job => (ExportWhat::WithoutJob, Some(task.preset.as_str())),
        RunTask::Export(task) => (ExportWhat::Table, Some(task.preset.as_str())),
        _ => return Ok(None),
    };
    fn fetched((file, address): &(RunFile, PresignedFile)) -> ExportFile<'_> {
        ExportFile {
            name: &file.name,
            number: file.number,
            rows: file.rows,
            bytes: file.bytes,
            url: &address.url,
            expires_at: address.expires_at,
        }
    }
    let data = Export { tenant, run: &run.new.id, what, preset, files: files.iter().map(fetched).collect() };
    serde_json::to_vec(&Event { r#type: EXPORTED, timestamp: run.ended.unwrap_or(run.new.asked), data }).map(Some)
}

/// The message that only tries out the receiver, as JSON.
///
/// # Errors
/// As [`readings`].
pub fn ping(tenant: &TenantId, now: Timestamp) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Event { r#type: "ping", timestamp: now, data: Ping { tenant } })
}

impl<'a> Reading<'a> {
    fn of(ToTell { reading, sending }: &'a ToTell, job: Option<&'a StoredJob>) -> Self {
        let entry = &reading.entry;
        let master = job.map(|job| &job.master);
        let status = match &reading.clearing {
            Some(clearing) if clearing.released => Status::Ready,
            Some(_) => Status::Rejected,
            None if entry.doubts.is_empty() => Status::Ready,
            None => Status::Held,
        };
        Self {
            row: ReadingRow::sent(reading, sending),
            ma_lo_id: master.and_then(|master| master.meter.ma_lo_id.as_deref().or(master.ma_lo_id.as_deref())),
            me_lo_id: master.and_then(|master| master.me_lo_id.as_deref()),
            status,
            doubts: &entry.doubts,
            without_job: entry.without_job.as_ref(),
        }
    }
}
