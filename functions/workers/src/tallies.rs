//! Adds what changed since the last minute to the tallies of the seasons.

use domain::ids::TenantId;
use futures::{StreamExt, stream};
use runtime::BoxError;
use store::Store;

use crate::run::{Run, Tally};

/// Tenants that are counted at once.
const TENANTS: usize = 16;

pub(crate) async fn tallies(run: Run) -> Result<Tally, BoxError> {
    let store = run.clients.store()?;
    let tenants = store.tenant_ids().await?;
    let (run, mut tally) = (&run, Tally { finished: true, ..Tally::default() });
    let mut fault = None;
    let mut ended = stream::iter(tenants).map(|tenant| of_tenant(store, tenant, run)).buffer_unordered(TENANTS);
    while let Some(ended) = ended.next().await {
        match ended {
            Ok(some) => {
                tally.finished &= some.finished;
                tally.add_all(some);
            }
            // The others have been counted all the same.
            Err(error) => fault = Some(error),
        }
    }
    fault.map_or(Ok(tally), Err)
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
