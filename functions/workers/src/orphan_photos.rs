//! Takes photos out of sight that no reading names: their submission was refused or broke off after they were stored (D-PHOTOS-9).

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use domain::ids::JobId;
use jiff::{SignedDuration, Timestamp};
use runtime::BoxError;
use store::{Photos, Store, StoredPhoto, Tenant};

use crate::run::{Run, Tally};
use crate::tenants::{self, Step};

/// How old a photo is whose reading is certainly stored if it ever will be.
const AGE: SignedDuration = SignedDuration::from_hours(24);

pub(crate) async fn orphan_photos(run: Run) -> Result<Tally, BoxError> {
    let (store, photos) = (run.clients.store()?, run.clients.photos()?);
    // A table that was restored does not know what was sent between its state and its beginning.
    let known = store.created_at().await?..run.now - AGE;
    let known = &known;
    tenants::for_each(&run, "orphan_photos", tenants::WEEK, |tenant, position| async move {
        sweep(store, photos, &tenant, position, known).await
    })
    .await
}

/// Sweeps one page of the tenant's photos, of those that were put there in that time.
async fn sweep(
    store: &Store,
    photos: &Photos,
    tenant: &Tenant,
    position: Option<String>,
    known: &Range<Timestamp>,
) -> Result<Step, BoxError> {
    if tenant.application.retention.legal_hold {
        return Ok(Step { tally: Tally::default(), next: None });
    }
    let tenant = &tenant.application.application_id;
    let page = photos.list(tenant, position.as_deref()).await?;
    let mut tally = Tally::default();
    tally.add("seen", page.photos.len());
    let mut by_job: BTreeMap<JobId, Vec<StoredPhoto>> = BTreeMap::new();
    for photo in page.photos {
        if known.contains(&photo.modified) {
            by_job.entry(photo.job.clone()).or_default().push(photo);
        }
    }
    for (job, old) in by_job {
        let mut named: HashSet<_> = store.ledger(tenant, &job).await?.into_iter().flat_map(|entry| entry.image_ids).collect();
        if let Some(reading) = store.reading_without_job(tenant, &job).await? {
            named.extend(reading.image_ids().cloned());
        }
        for photo in old.iter().filter(|photo| !named.contains(&photo.image)) {
            tally.add("hidden", usize::from(photos.hide_older(tenant, &job, &photo.image, known.end).await?));
        }
    }
    Ok(Step { tally, next: page.next_cursor })
}
