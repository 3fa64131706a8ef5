//! Has runs gone on with whose worker ended before they were through, or whose message was lost.

use desk::runs::Wake;
use futures::{StreamExt, TryStreamExt, stream};
use runtime::BoxError;

use crate::run::{Run, Tally};

/// Messages that are sent at once.
const AT_ONCE: usize = 16;

/// Wakes each run that no worker has.
pub(crate) async fn run_clock(run: Run) -> Result<Tally, BoxError> {
    let (store, queue) = (run.clients.store()?, run.clients.run_queue()?);
    let mut open = store.open_runs().await?;
    open.retain(|open| open.leased_until.is_none_or(|until| until <= run.now));
    let mut tally = Tally { finished: true, ..Tally::default() };
    tally.add("woken", open.len());
    let sent = stream::iter(open).map(|open| async move {
        let message = serde_json::to_string(&Wake { tenant: open.tenant.clone(), run: open.id })?;
        Ok::<_, BoxError>(queue.send(open.tenant.as_str(), &message).await?)
    });
    sent.buffer_unordered(AT_ONCE).try_collect::<()>().await?;
    Ok(tally)
}
