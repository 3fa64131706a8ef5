//! Adds what changed since the last minute to the tallies of the seasons.

use std::time::Duration;

use domain::ids::TenantId;
use runtime::BoxError;
use store::Store;
use tokio::time::{self, MissedTickBehavior};

use crate::run::{Run, Tally};
use crate::tenants;

/// Transactions of a tenant in a second, after one of each shard: more would take from its readings what the shards' partitions can write (docs/scale.md).
const PACE: u32 = 8;

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
    let mut pace = time::interval(Duration::from_secs(1) / PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut shards: Vec<_> = (0..Store::CHANGE_SHARDS).map(|shard| (shard, true)).collect();
    while !shards.is_empty() {
        let mut left = Vec::new();
        for (shard, is_first) in shards {
            if !is_first {
                pace.tick().await;
            }
            let (counted, more) = store.count_changes(&tenant, shard, run.now).await?;
            tally.add("changes", counted);
            if counted > 0 && run.is_over() {
                tally.finished = false;
                return Ok(tally);
            }
            if more {
                left.push((shard, false));
            }
        }
        shards = left;
    }
    Ok(tally)
}
