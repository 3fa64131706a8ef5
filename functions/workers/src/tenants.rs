//! A worker's way through the tenants: one bounded step after the other, the longest neglected tenant first, or many tenants at once.

use std::sync::Arc;

use domain::ids::TenantId;
use futures::{StreamExt, stream};
use runtime::BoxError;
use store::{Progress, Tenant};

use crate::run::{Run, Tally};

/// Days between two passes of a worker that looks at everything that a tenant has: looking costs money even while no meters are read.
pub(crate) const WEEK: u16 = 7;

/// Tenants that are worked on at once by [`at_once`].
const AT_ONCE: usize = 16;

/// What one step of a worker's work on a tenant did.
pub(crate) struct Step {
    pub tally: Tally,
    /// Where the next step begins, in the worker's own words; none: the worker is through with the tenant for now.
    pub next: Option<String>,
}

/// Works on each tenant, step by step, until the run is over. How far it came is kept after each step, so that a run that was stopped
/// repeats one step at most. Each step goes by the settings as they are then. A tenant that the worker is through with has its peace for so many days. A fault with
/// one tenant does not keep the others waiting; it is the run's fault in the end.
pub(crate) async fn for_each<F>(
    run: &Run,
    worker: &'static str,
    every_days: u16,
    step: impl Fn(Arc<Tenant>, Option<String>) -> F,
) -> Result<Tally, BoxError>
where
    F: Future<Output = Result<Step, BoxError>>,
{
    for_each_that(run, worker, every_days, |_| true, step).await
}

/// The same with the tenants that are wanted now; the others are looked at again by the next run.
pub(crate) async fn for_each_that<F>(
    run: &Run,
    worker: &'static str,
    every_days: u16,
    wanted: impl Fn(&Tenant) -> bool,
    step: impl Fn(Arc<Tenant>, Option<String>) -> F,
) -> Result<Tally, BoxError>
where
    F: Future<Output = Result<Step, BoxError>>,
{
    let store = run.clients.store()?;
    let mut tally = Tally { finished: true, ..Tally::default() };
    let mut begun = false;
    for progress in store.tenants_by_progress(worker).await?.into_iter().filter(|progress| run.is_due(progress, every_days)) {
        if begun && run.is_over() {
            tally.finished = false;
            break;
        }
        begun = true;
        let Some(mut tenant) = store.tenant(&progress.tenant).await?.filter(|tenant| wanted(tenant)) else { continue };
        let mut position = progress.position;
        loop {
            let done = step(tenant.clone(), position.clone()).await;
            let done = done.unwrap_or_else(|fault| Step { tally: Tally::of(fault), next: position });
            let has_failed = done.tally.fault.is_some();
            // A tenant with which something went wrong is as due as it was.
            let worked_at = if has_failed { progress.worked_at } else { Some(run.now) };
            position = done.next;
            store.keep_progress(worker, &Progress { tenant: progress.tenant.clone(), position: position.clone(), worked_at }).await?;
            tally.add_all(done.tally);
            tally.finished &= !has_failed;
            if has_failed || position.is_none() {
                break;
            }
            if run.is_over() {
                tally.finished = false;
                break;
            }
            // A run takes minutes, and what a lead put into effect meanwhile, such as a hold, counts at once.
            match store.tenant_now(&progress.tenant).await?.filter(|tenant| wanted(tenant)) {
                Some(now) => tenant = Arc::new(now),
                None => break,
            }
        }
    }
    Ok(tally)
}

/// Works on many tenants at once, so that a slow one keeps no other one waiting. A fault with one does not keep the others from their turn; it is the run's
/// fault in the end.
pub(crate) async fn at_once<F>(tenants: Vec<TenantId>, work: impl Fn(TenantId) -> F) -> Result<Tally, BoxError>
where
    F: Future<Output = Result<Tally, BoxError>>,
{
    let mut tally = Tally { finished: true, ..Tally::default() };
    let mut ended = stream::iter(tenants).map(work).buffer_unordered(AT_ONCE);
    while let Some(ended) = ended.next().await {
        let some = ended.unwrap_or_else(Tally::of);
        tally.finished &= some.finished;
        tally.add_all(some);
    }
    Ok(tally)
}
