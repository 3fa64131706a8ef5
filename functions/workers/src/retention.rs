//! Forgets what a tenant no longer wants to keep: photos, comments, and what leads from a job to a person. The values of readings stay.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use runtime::BoxError;
use store::{KeptSince, Photos, Retained, Store, Tenant};

use crate::run::{Run, Tally};
use crate::tenants::{self, Step};

pub(crate) async fn retention(run: Run) -> Result<Tally, BoxError> {
    let (store, photos) = (run.clients.store()?, run.clients.photos()?);
    let now = run.now;
    tenants::for_each(&run, "retention", tenants::WEEK, |tenant, position| async move { step(store, photos, &tenant, position, now).await })
        .await
}

/// The moment before which something has been kept for long enough.
pub(crate) fn before(now: Timestamp, days: Option<u16>) -> Option<Timestamp> {
    now.checked_sub(SignedDuration::from_hours(24 * i64::from(days?))).ok()
}

const READINGS: &str = "readings";
const JOBS: &str = "jobs";
const WITHOUT_JOB: &str = "unknownReadings";
const AUDIT: &str = "audit";

/// The phases of a pass, in this order.
const PHASES: [&str; 4] = [READINGS, JOBS, WITHOUT_JOB, AUDIT];

async fn step(store: &Store, photos: &Photos, tenant: &Arc<Tenant>, position: Option<String>, now: Timestamp) -> Result<Step, BoxError> {
    let application = &tenant.application;
    let (id, limits) = (&application.application_id, &application.retention);
    let mut tally = Tally::default();
    if limits.legal_hold {
        return Ok(Step { tally, next: None });
    }
    let (phase, cursor) = match position.as_deref().and_then(|position| position.split_once(' ')) {
        None => (READINGS, None),
        Some((phase, cursor)) => {
            let phase = PHASES.into_iter().find(|known| *known == phase).unwrap_or(READINGS);
            (phase, Some(cursor).filter(|cursor| !cursor.is_empty()))
        }
    };
    let nothing = Retained { changed: 0, objects: 0, next_cursor: None };
    let [photo, comment, persons] = [limits.photo_days, limits.comment_days, limits.personal_data_days].map(|days| before(now, days));
    let holds = store.holds(id).await?;
    let held = &holds.kept();
    let retained = match (phase, persons) {
        (JOBS, Some(before)) => store.forget_jobs(photos, id, before, held, cursor).await?,
        (JOBS, None) => nothing,
        (WITHOUT_JOB, _) => {
            let since = KeptSince { photos: photo, comments: comment, persons };
            store.retain_readings_without_job(photos, id, since, &holds, cursor).await?
        }
        (AUDIT, _) => match before(now, Some(limits.audit_days())) {
            Some(before) => store.forget_audit(id, before, cursor, &holds).await?,
            None => nothing,
        },
        _ => store.trim_readings(photos, id, photo, comment, held, cursor).await?,
    };
    tally.add(phase, retained.changed);
    tally.add("objects", retained.objects);
    let next = match retained.next_cursor {
        Some(cursor) => Some(format!("{phase} {cursor}")),
        None => PHASES.iter().position(|known| *known == phase).and_then(|index| PHASES.get(index + 1)).map(|next| format!("{next} ")),
    };
    Ok(Step { tally, next })
}
