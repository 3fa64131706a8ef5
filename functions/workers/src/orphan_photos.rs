//! Takes photos out of the bucket that no reading names: their submission was refused or broke off after they were stored.

use std::collections::{BTreeMap, HashSet};

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
    let before = run.now - AGE;
    tenants::for_each(&run, "orphan_photos", tenants::WEEK, |tenant, position| async move {
        sweep(store, photos, &tenant, position, before).await
    })
    .await
}

/// Sweeps one page of the tenant's photos. They go with all versions of that age: nothing that can be erased
/// leads to them any more.
async fn sweep(store: &Store, photos: &Photos, tenant: &Tenant, position: Option<String>, before: Timestamp) -> Result<Step, BoxError> {
    if tenant.application.retention.legal_hold {
        return Ok(Step { tally: Tally::default(), next: None });
    }
    let tenant = &tenant.application.application_id;
    let page = photos.list(tenant, position.as_deref()).await?;
    let mut tally = Tally::default();
    tally.add("seen", page.photos.len());
    let mut by_job: BTreeMap<JobId, Vec<StoredPhoto>> = BTreeMap::new();
    for photo in page.photos {
        if photo.modified < before {
            by_job.entry(photo.job.clone()).or_default().push(photo);
        }
    }
    for (job, old) in by_job {
        let mut named: HashSet<_> = store.ledger(tenant, &job).await?.into_iter().flat_map(|entry| entry.image_ids).collect();
        if let Some(reading) = store.reading_without_job(tenant, &job).await? {
            named.extend(reading.image_ids().cloned());
        }
        for photo in old.iter().filter(|photo| !named.contains(&photo.image)) {
            tally.add("objects", photos.erase_older(tenant, &job, &photo.image, before).await?);
        }
    }
    Ok(Step { tally, next: page.next_cursor })
}
