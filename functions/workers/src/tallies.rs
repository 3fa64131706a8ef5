//! Adds what changed since the last minute to the tallies of the seasons.

use domain::ids::TenantId;
use runtime::BoxError;
use store::Store;

use crate::run::{Run, Tally};
use crate::tenants;

pub(crate) async fn tallies(run: Run) -> Result<Tally, BoxError> {
    let store = run.clients.store()?;
    let run = &run;
    tenants::at_once(store.tenant_ids().await?, |tenant| of_tenant(store, tenant, run)).await
}

async fn of_tenant(store: &Store, tenant: TenantId, run: &Run) -> Result<Tally, BoxError> {
    let mut tally = Tally { finished: true, ..Tally::default() };
    if !store.has_changes(&tenant).await? {
        return Ok(tally);
    }
    for shard in 0..Store::CHANGE_SHARDS {
        loop {
            let (counted, more) = store.count_changes(&tenant, shard, run.now).await?;
            tally.add("changes", counted);
            if counted > 0 && run.is_over() {
                tally.finished = false;
                return Ok(tally);
            }
            if !more {
                break;
            }
        }
    }
    Ok(tally)
}
