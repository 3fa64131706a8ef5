use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::Poll;
use std::time::Duration;

use domain::ids::TenantId;
use futures::future::{Either, select};
use jiff::Timestamp;
use store::{Store, StoreError, Turn};

use crate::{Clock, Failure, patiently};

/// The name of the turn.
const EXPORT: &str = "export";
/// How long it is kept without a sign of life.
const KEPT: Duration = Duration::from_secs(60);
/// The pause between two renewals.
const RENEWED: Duration = Duration::from_secs(15);

/// Does what gives exports numbers and fills them while no other caller does so for the tenant: a member at the desk, a command, or another worker (D-RUNS-2). The
/// caller is shown to others as `by`, and `owner` is a name that no other caller has.
///
/// # Errors
/// [`Failure::Busy`] when another caller is at it, also one that was killed within the last minute; the store's and those of `work`.
pub async fn in_turn<T, E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    (by, owner): (&str, &str),
    clock: Clock,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let taken = patiently(|| {
        let now = clock.now();
        store.take_turn(tenant, EXPORT, owner, by, (now, now + KEPT))
    });
    if let Err(Turn { by, .. }) = taken.await.map_err(Failure::from)? {
        return Err(Failure::Busy { by }.into());
    }
    // By the device's clock, which goes on while a lid is closed.
    let kept_at = AtomicI64::new(Timestamp::now().as_second());
    let kept = async {
        loop {
            tokio::time::sleep(RENEWED).await;
            let now = Timestamp::now();
            match store.keep_turn(tenant, EXPORT, owner, clock.now() + KEPT).await {
                Ok(true) => kept_at.store(now.as_second(), Ordering::Relaxed),
                Ok(false) => return,
                // It is tried again before the time is over.
                Err(_) => {}
            }
        }
    };
    let mut work = pin!(work);
    let mut guarded = poll_fn(|context| {
        let is_over = Timestamp::now().as_second() - kept_at.load(Ordering::Relaxed) >= KEPT.as_secs().cast_signed();
        // Another caller that had the turn since may have fixed what an export has: nothing more goes into it.
        if is_over { Poll::Ready(Err(Failure::Overtaken.into())) } else { work.as_mut().poll(context) }
    });
    let done = match select(&mut guarded, pin!(kept)).await {
        Either::Left((done, _)) => done,
        Either::Right(((), _)) => return Err(Failure::Overtaken.into()),
    };
    patiently(|| end_turn(store, tenant, owner)).await.map_err(Failure::from)?;
    done
}

/// Lets the next one have the turn, if it is this owner's.
pub(crate) async fn end_turn(store: &Store, tenant: &TenantId, owner: &str) -> Result<(), StoreError> {
    store.end_turn(tenant, EXPORT, owner).await
}

/// A name that no other caller has.
///
/// # Errors
/// The operating system has no random bytes.
pub fn random_name() -> Result<String, Failure> {
    Ok(hex::encode(store::random::<8>()?))
}
