//! What waits for a tenant's receiver, and what it did not take.

use domain::ids::TenantId;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use store::{DeadLetter, Delivery, Receiver, Store};

use crate::{Failure, patiently};

/// Messages that are put back at a time.
const IN_FLIGHT: usize = 16;

/// The state of a receiver.
#[derive(Debug)]
pub struct Standing {
    /// The address; none: the tenant's settings name none.
    pub url: Option<String>,
    /// The settings say that nothing is sent.
    pub is_paused: bool,
    /// It said that its address is gone for good, and nothing is sent there before a member says so (D-WEBHOOK-4).
    pub is_gone: bool,
    /// Messages that wait, as far as they were counted.
    pub waiting: usize,
    /// More wait than were counted.
    pub has_more: bool,
    /// Those of them that were refused before.
    pub refused: usize,
    /// The time at which the oldest of them came.
    pub oldest: Option<Timestamp>,
    /// The findings of the last runs.
    pub receiver: Receiver,
}

/// What became of messages that were put back.
#[derive(Debug)]
pub struct Retried {
    /// Dead letters that wait again.
    pub revived: usize,
    /// Messages that wait no longer.
    pub hurried: usize,
    /// Ids that are none of a dead letter.
    pub unknown: Vec<String>,
}

/// How it stands with the tenant's receiver; of what waits at most so many are counted.
///
/// # Errors
/// [`Failure::TenantUnknown`], or what storing says.
pub async fn standing(store: &Store, tenant: &TenantId, most: usize) -> Result<Standing, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let webhook = settings.application.webhook.as_ref();
    let receiver = patiently(|| store.receiver(tenant)).await?;
    let (mut waiting, mut refused, mut oldest, mut has_more) = (0, 0, None, false);
    let mut queue = store.deliveries(tenant);
    while let Some(delivery) = queue.next().await? {
        if waiting == most {
            has_more = true;
            break;
        }
        oldest = oldest.or(delivery.created());
        waiting += 1;
        refused += usize::from(delivery.attempts > 0);
    }
    let is_gone = receiver.gone.is_some() && receiver.gone.as_ref() == webhook.map(|webhook| &webhook.url);
    let is_paused = webhook.is_some_and(|webhook| webhook.paused);
    Ok(Standing { url: webhook.map(|webhook| webhook.url.clone()), is_paused, is_gone, waiting, has_more, refused, oldest, receiver })
}

/// The dead letters, the oldest first.
///
/// # Errors
/// As of [`standing`].
pub async fn dead(store: &Store, tenant: &TenantId) -> Result<Vec<DeadLetter>, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    Ok(patiently(|| store.dead_letters(tenant)).await?)
}

/// Puts dead letters back, the named ones or the oldest so many, and has as many that wait tried at once.
///
/// # Errors
/// As of [`standing`].
pub async fn retry(store: &Store, tenant: &TenantId, messages: &[String], most: usize) -> Result<Retried, Failure> {
    let (mut chosen, unknown) = choose(store, tenant, messages).await?;
    chosen.truncate(most);
    let revive = |dead: DeadLetter| async move { Ok::<_, Failure>(patiently(|| store.revive_dead_letter(tenant, &dead)).await?) };
    let revived: Vec<bool> = stream::iter(chosen).map(revive).buffer_unordered(IN_FLIGHT).try_collect().await?;
    let revived = revived.into_iter().filter(|revived| *revived).count();
    let mut queue = store.deliveries(tenant);
    let mut delayed = Vec::new();
    while delayed.len() < most
        && let Some(delivery) = queue.next().await?
    {
        if delivery.not_before.is_some() {
            delayed.push(delivery);
        }
    }
    let hurry = |delivery: Delivery| async move { Ok::<_, Failure>(patiently(|| store.hurry_delivery(tenant, &delivery)).await?) };
    let hurried = delayed.len();
    stream::iter(delayed).map(hurry).buffer_unordered(IN_FLIGHT).try_collect::<Vec<()>>().await?;
    patiently(|| store.reset_receiver(tenant)).await?;
    Ok(Retried { revived, hurried, unknown })
}

/// Takes the named dead letters off the list, or all; gives how many, and the ids that are none.
///
/// # Errors
/// As of [`standing`].
pub async fn discard(store: &Store, tenant: &TenantId, messages: &[String]) -> Result<(usize, Vec<String>), Failure> {
    let (chosen, unknown) = choose(store, tenant, messages).await?;
    for dead in &chosen {
        patiently(|| store.discard_dead_letter(tenant, dead)).await?;
    }
    Ok((chosen.len(), unknown))
}

/// The dead letters of these ids, or all, and the ids that are none.
async fn choose(store: &Store, tenant: &TenantId, messages: &[String]) -> Result<(Vec<DeadLetter>, Vec<String>), Failure> {
    let dead = dead(store, tenant).await?;
    if messages.is_empty() {
        return Ok((dead, Vec::new()));
    }
    let chosen: Vec<_> = dead.into_iter().filter(|dead| messages.contains(&dead.delivery.id(tenant))).collect();
    let known: Vec<_> = chosen.iter().map(|dead| dead.delivery.id(tenant)).collect();
    let unknown = messages.iter().filter(|message| !known.contains(message)).cloned().collect();
    Ok((chosen, unknown))
}
