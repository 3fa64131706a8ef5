//! Begins the exports that are due by the tenants' schedules.

use desk::exports::schedule::begin_due;
use desk::runs::Wake;
use domain::ids::TenantId;
use runtime::BoxError;
use store::Progress;

use crate::run::{Run, Tally};
use crate::table::EXPORT_CLOCK;
use crate::tenants;

/// Each tenant's exports that were due since the last time that this was done.
pub(crate) async fn export_clock(run: Run) -> Result<Tally, BoxError> {
    let marked = run.clients.store()?.tenants_with_schedule().await?;
    let run = &run;
    tenants::at_once(marked, |tenant| of_tenant(run, tenant)).await
}

async fn of_tenant(run: &Run, id: TenantId) -> Result<Tally, BoxError> {
    let (store, queue, now) = (run.clients.store()?, run.clients.run_queue()?, run.now);
    let mut tally = Tally { finished: true, ..Tally::default() };
    let Some(tenant) = store.tenant(&id).await? else { return Ok(tally) };
    let since = store.progress(id.clone(), EXPORT_CLOCK.name).await?.worked_at;
    for run in begin_due(store, &tenant, (since, now)).await? {
        tally.add("begun", 1);
        // Without the message the clock of the runs finds it within a minute.
        drop(queue.send(id.as_str(), &serde_json::to_string(&Wake { tenant: id.clone(), run })?).await);
    }
    store.keep_progress(EXPORT_CLOCK.name, &Progress { tenant: id, position: None, worked_at: Some(now) }).await?;
    Ok(tally)
}
