//! Lists as another system reads them: by a tenant's preset, or by one that comes along (D-EXPORTS-6).

mod rows;
mod table;

use std::collections::BTreeMap;
use std::io::{self, Write};

use domain::ids::TenantId;
use domain::preset::{BUILT_IN, FileFormat, List, Preset};
use domain::text;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::{ClearingEntry, ClearingEntryWithoutJob, ReadingWithoutJob, Store};

use crate::exports::{Export, Outgoing};
use crate::lists::OpenRow;
use crate::{Failure, known, patiently, standing};

pub use table::{Table, Written};

/// How many readings' jobs are read at a time.
const BATCH: usize = 500;

/// The presets that come along, by name and list.
///
/// `sap-isu` has the fields of `BAPIEABLU` ("MeterReadingDocument.Upload", help.sap.com; the tables' fields are those of EABL), as far as an order's file brings
/// them along: how SAP's own tenant reads a file is nowhere fixed. Fields with `ZZ_` are not SAP's.
const PRESETS: [(&str, &str); 2] =
    [(BUILT_IN[0], include_str!("../../presets/plain.json")), (BUILT_IN[1], include_str!("../../presets/sap-isu.json"))];

fn built_in(name: &str, list: List) -> Option<Preset> {
    let (_, text) = PRESETS.iter().find(|(known, _)| *known == name)?;
    let mut lists: BTreeMap<String, Preset> = serde_json::from_str(text).ok()?;
    lists.remove(match list {
        List::Readings => "readings",
        List::WithoutJob => "withoutJob",
        List::Open => "open",
    })
}

/// The names of the presets of a tenant's readings, those that come along first, and what the file of each is.
///
/// # Errors
/// The store's.
pub async fn names(store: &Store, tenant: &TenantId) -> Result<Vec<(String, FileFormat)>, Failure> {
    let own = patiently(|| store.presets(tenant)).await?;
    let built_in = BUILT_IN.into_iter().filter_map(|name| Some((name.to_owned(), built_in(name, List::Readings)?.format)));
    Ok(built_in.chain(own.into_iter().map(|(name, preset)| (name, preset.format))).collect())
}

/// The layout of a list's file.
#[derive(Debug)]
pub struct Layout {
    preset: Preset,
    /// The format of the file.
    pub format: FileFormat,
    zone: TimeZone,
}

impl Layout {
    /// The layout by this preset for a tenant's days, in another format if one is named.
    pub fn new(preset: Preset, format: Option<FileFormat>, zone: TimeZone) -> Self {
        Self { format: format.unwrap_or(preset.format), preset, zone }
    }

    /// The tenant's preset of this name, or the one that comes along.
    ///
    /// # Errors
    /// There is none, or it has a column that the list has nothing for; the store's.
    pub async fn named(store: &Store, tenant: &TenantId, name: &str, list: List, format: Option<FileFormat>) -> Result<Self, Failure> {
        let settings = known(store, tenant).await?;
        let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
        let mut own = patiently(|| store.presets(tenant)).await?;
        let preset = match built_in(name, list) {
            Some(preset) => preset,
            None if BUILT_IN.contains(&name) => {
                return Err(Failure::Refused(text!(
                    "die Vorlage `{name}` gibt es für diese Liste nicht",
                    "there is no preset `{name}` for this list"
                )));
            }
            None => own.remove(name).ok_or_else(|| {
                let known: Vec<&str> = BUILT_IN.into_iter().chain(own.keys().map(String::as_str)).collect();
                let known = known.join(", ");
                Failure::Refused(text!(
                    "eine Vorlage `{name}` gibt es nicht; vorhanden: {known} (eigene stehen in exports.json neben tenant.json)",
                    "there is no preset `{name}`; there are {known} (a tenant's own are in exports.json beside tenant.json)"
                ))
            })?,
        };
        match preset.misplaced(list) {
            Some(reason) => Err(Failure::Refused(text!("Vorlage `{name}`: {reason}", "preset `{name}`: {reason}"; reason))),
            None => Ok(Self::new(preset, format, zone)),
        }
    }
}

/// Writes an export's readings, of those that were received; the same export gives the same bytes as long as its jobs are the same (D-EXPORTS-7).
///
/// # Errors
/// The store's, and [`Failure::Unwritable`].
pub async fn write_export<W: Write>(
    store: &Store,
    tenant: &TenantId,
    layout: &Layout,
    export: &Export<'_, ClearingEntry>,
    received: &[ClearingEntry],
    target: W,
) -> Result<Written, Failure> {
    let mut sorted: Vec<_> = export.readings.iter().collect();
    sorted.sort_by_key(|Outgoing { reading, .. }| (reading.entry.created, &reading.entry.job_id, &reading.entry.result_id));
    let referred: BTreeMap<_, _> =
        received.iter().map(|reading| ((&reading.entry.job_id, reading.entry.result_id.as_str()), reading)).collect();
    let mut table = Table::begin(layout, export.record.created, target).map_err(Failure::Unwritable)?;
    for batch in sorted.chunks(BATCH) {
        let readings: Vec<_> = batch.iter().map(|outgoing| outgoing.reading).collect();
        let jobs = standing::jobs_of(store, tenant, &readings).await?;
        for Outgoing { reading, sending } in batch {
            let before = sending.refers_to.as_ref().and_then(|sent| referred.get(&(&reading.entry.job_id, sent.result_id.as_str())));
            let row = rows::OfJob {
                reading,
                clearing: sending.clearing.as_ref(),
                sending: Some(sending),
                before: before.copied(),
                export: Some(export.record.number),
                job: standing::job_of(&jobs, reading),
            };
            table.write(&row).map_err(Failure::Unwritable)?;
        }
    }
    table.finish().map_err(Failure::Unwritable)
}

/// Writes readings as they stand.
///
/// # Errors
/// As of [`write_export`].
pub async fn write_received<W: Write>(
    store: &Store,
    tenant: &TenantId,
    readings: &[ClearingEntry],
    table: &mut Table<'_, W>,
) -> Result<(), Failure> {
    for batch in readings.chunks(BATCH) {
        let jobs = standing::jobs_of(store, tenant, &batch.iter().collect::<Vec<_>>()).await?;
        for reading in batch {
            let (clearing, job) = (reading.clearing.as_ref(), standing::job_of(&jobs, reading));
            let row = rows::OfJob { reading, clearing, sending: None, before: None, export: None, job };
            table.write(&row).map_err(Failure::Unwritable)?;
        }
    }
    Ok(())
}

/// Writes an export's readings without a job.
///
/// # Errors
/// [`Failure::Unwritable`]
pub fn write_export_without_job<W: Write>(
    layout: &Layout,
    export: &Export<'_, ClearingEntryWithoutJob>,
    target: W,
) -> Result<Written, Failure> {
    let mut sorted: Vec<_> = export.readings.iter().map(|outgoing| &outgoing.reading.entry).collect();
    sorted.sort_by_key(|entry| (entry.created, &entry.id));
    let mut table = Table::begin(layout, export.record.created, target).map_err(Failure::Unwritable)?;
    for entry in sorted {
        write_without_job(entry, Some(export.record.number), &mut table)?;
    }
    table.finish().map_err(Failure::Unwritable)
}

/// Writes a row for each value of a reading without a job.
///
/// # Errors
/// [`Failure::Unwritable`]
pub fn write_without_job<W: Write>(entry: &ReadingWithoutJob, export: Option<u64>, table: &mut Table<'_, W>) -> Result<(), Failure> {
    for value in &entry.reading_values {
        table.write(&rows::WithoutJob { entry, value, export }).map_err(Failure::Unwritable)?;
    }
    Ok(())
}

/// Writes the list of open jobs.
///
/// # Errors
/// The target's.
pub fn write_open<W: Write>(layout: &Layout, rows: &[OpenRow], now: Timestamp, target: W) -> io::Result<Written> {
    let mut table = Table::begin(layout, now, target)?;
    for row in rows {
        table.write(row)?;
    }
    table.finish()
}

#[cfg(test)]
mod tests {
    use domain::preset;

    use super::*;

    #[test]
    fn the_presets_that_come_along_are_sound() {
        for (name, list, there) in [
            ("plain", List::Readings, true),
            ("plain", List::WithoutJob, true),
            ("plain", List::Open, true),
            ("sap-isu", List::Readings, true),
            ("sap-isu", List::Open, false),
        ] {
            let found = built_in(name, list);
            assert_eq!(found.is_some(), there, "{name} {list:?}");
            let Some(preset) = found else { continue };
            assert_eq!(preset.misplaced(list), None);
            assert_eq!(preset::check(&BTreeMap::from([("own".to_owned(), preset)])), []);
        }
        for (_, text) in PRESETS {
            serde_json::from_str::<BTreeMap<String, Preset>>(text).unwrap();
        }
    }

    #[test]
    fn a_column_that_a_list_has_nothing_for_is_named() {
        let misplaced = |column: &str, list| {
            let preset: Preset = serde_json::from_str(&format!(r#"{{"format":"csv","columns":[{column}]}}"#)).unwrap();
            preset.misplaced(list).map(|reason| reason.en.into_owned())
        };
        let value = r#"{"name":"Stand","field":"readingValue"}"#;
        assert_eq!(misplaced(value, List::Open).unwrap(), "column `Stand`: open jobs have no `readingValue`");
        assert_eq!(misplaced(value, List::WithoutJob), None);
        let passed = r#"{"name":"V","passThrough":"Vertrag"}"#;
        assert_eq!(misplaced(passed, List::WithoutJob).unwrap(), "column `V`: readings without a job have no `Vertrag`");
        assert_eq!(misplaced(passed, List::Open), None);
    }
}
