//! Goes on with the erasures that tenants were asked for.

use runtime::BoxError;
use store::{Holds, Photos, Store, Tenant};

use crate::run::{Run, Tally};
use crate::tenants::{self, Step};

pub(crate) async fn erasure(run: Run) -> Result<Tally, BoxError> {
    let (store, photos) = (run.clients.store()?, run.clients.photos()?);
    let run = &run;
    tenants::for_each(run, "erasure", 0, |tenant, _| async move { step(store, photos, &tenant, run).await }).await
}

async fn step(store: &Store, photos: &Photos, tenant: &Tenant, run: &Run) -> Result<Step, BoxError> {
    let id = &tenant.application.application_id;
    let mut tally = Tally::default();
    if tenant.application.retention.legal_hold {
        return Ok(Step { tally, next: None });
    }
    let mut next = None;
    let mut open = store.open_erasures(id).await?;
    open.retain(|erasure| !erasure.awaits_second);
    let holds = if open.is_empty() { Holds::default() } else { store.holds(id).await? };
    for erasure in open.into_iter().filter(|erasure| holds.of(&erasure.account, &erasure.ancestors).is_none()) {
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
