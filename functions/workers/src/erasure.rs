//! Goes on with the erasures that tenants were asked for.

use domain::ids::TenantId;
use runtime::BoxError;
use store::{Erasure, Photos, Store, Tenant};

use crate::run::{Run, Tally};
use crate::tenants::{self, Step};

pub(crate) async fn erasure(run: Run) -> Result<Tally, BoxError> {
    let (store, photos) = (run.clients.store()?, run.clients.photos()?);
    let run = &run;
    tenants::for_each(run, "erasure", 0, |tenant, _| async move { step(store, photos, &tenant, run).await }).await
}

async fn step(store: &Store, photos: &Photos, tenant: &Tenant, run: &Run) -> Result<Step, BoxError> {
    let id = &tenant.application.application_id;
    let (mut tally, mut next) = (Tally::default(), None);
    for erasure in store.open_erasures(id).await?.into_iter().filter(|erasure| !erasure.awaits_second) {
        // The one before may have taken minutes.
        if is_held(store, id, &erasure).await? {
            continue;
        }
        let erased = store.erase(photos, id, &erasure, run.now, &|| run.is_over()).await?;
        tally.add("items", erased.items);
        tally.add("objects", erased.objects);
        tally.add("finished", usize::from(erased.finished));
        if !erased.finished {
            next = Some("open".to_owned());
        }
    }
    Ok(Step { tally, next })
}

/// A hold covers what is stored about the person, as of now.
async fn is_held(store: &Store, tenant: &TenantId, erasure: &Erasure) -> Result<bool, BoxError> {
    let all = store.tenant_now(tenant).await?.is_none_or(|tenant| tenant.application.retention.legal_hold);
    Ok(all || store.holds(tenant).await?.of(&erasure.account, &erasure.ancestors).is_some())
}
