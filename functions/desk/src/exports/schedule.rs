//! Exports that begin by themselves, at the times that a tenant's settings name (D-EXPORTS-10).

use domain::config::{Application, ExportWhat, ScheduledExport};
use domain::config_check::TENANT_FILE;
use domain::fault::FileFault;
use domain::ids::RunId;
use domain::text;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use ring::digest;
use store::{ExportTask, NewRun, RunTask, Store, StoreError, Tenant};

use crate::{Failure, at_once};

/// The name in place of a member who asks.
const BY: &str = "Zeitplan";

/// Begins what was due after one moment, if there is one, and until the other, each once however often this is done. Gives the runs that wait for a worker. What was
/// put into effect in between waits for its next time, and so does what a tenant's rehearsal was in the way of (D-SETTINGS-6).
///
/// # Errors
/// The store's; the next call begins what is missing.
pub async fn begin_due(store: &Store, tenant: &Tenant, (since, now): (Option<Timestamp>, Timestamp)) -> Result<Vec<RunId>, Failure> {
    let application = &tenant.application;
    if application.rehearsal {
        return Ok(Vec::new());
    }
    let zone = TimeZone::get(&application.time_zone).unwrap_or(TimeZone::UTC);
    let mut begun = Vec::new();
    for (export, in_effect_since) in tenant.scheduled() {
        let due = export.last_due(&now.to_zoned(zone.clone())).map(|due| due.timestamp());
        let Some(due) = due.filter(|due| since.is_none_or(|since| *due > since) && *due > in_effect_since) else { continue };
        if is_over(store, tenant, export, &due.to_zoned(zone.clone())).await? {
            continue;
        }
        let id = id(export, due)?;
        let new = NewRun { id: id.clone(), task: task(export), member: None, by: BY.to_owned(), asked: now };
        match store.put_run(&application.application_id, &new).await {
            Ok(()) => begun.push(id),
            // Another worker, or this one before it was stopped.
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(begun)
}

/// Its season is long over; of one that is not known the run says so.
async fn is_over(store: &Store, tenant: &Tenant, export: &ScheduledExport, due: &Zoned) -> Result<bool, Failure> {
    let Some(season) = &export.season else { return Ok(false) };
    let season = store.season(&tenant.application.application_id, season).await?;
    Ok(season.is_some_and(|season| season.exported_until() < due.date()))
}

/// What is wrong with the seasons that the settings name.
///
/// # Errors
/// [`Failure::Store`].
pub async fn unknown_seasons(store: &Store, application: &Application) -> Result<Vec<FileFault>, Failure> {
    let mut faults = Vec::new();
    for (index, export) in application.desk.exports.scheduled.iter().enumerate() {
        let Some(season) = &export.season else { continue };
        if !season.is_default() && at_once(store.season(&application.application_id, season)).await?.is_none() {
            let reason = text!("diese Saison gibt es nicht", "there is no such season");
            faults.push(FileFault::new(TENANT_FILE, format!("desk.exports.scheduled[{index}].season"), reason));
        }
    }
    Ok(faults)
}

/// The same for the same export and time.
fn id(export: &ScheduledExport, due: Timestamp) -> Result<RunId, Failure> {
    let ScheduledExport { what, preset, season, .. } = export;
    let hash = digest::digest(&digest::SHA256, format!("{what:?} {preset:?} {season:?}").as_bytes());
    let hash = hex::encode(hash.as_ref().get(..8).unwrap_or_default());
    let id = format!("{}-{hash}", due.strftime("%Y%m%d-%H%M%S%3f"));
    RunId::new(id).map_err(|error| Failure::Refused(text::Text::from(&error)))
}

fn task(ScheduledExport { what, preset, season, .. }: &ScheduledExport) -> RunTask {
    let table = |without_job| {
        RunTask::Export(ExportTask { without_job, season: season.clone(), preset: preset.clone().unwrap_or_default(), again: None })
    };
    match what {
        ExportWhat::Table => table(false),
        ExportWhat::WithoutJob => table(true),
        ExportWhat::Market => RunTask::Market {},
    }
}
