//! Sends readings to the tenants' webhooks as they come, and tells them of exports.
//!
//! A message leaves its queue after the receiver has taken it; a worker that is stopped between the two sends it again under the same id.

use std::time::{Duration, Instant};

use domain::ids::TenantId;
use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use outbound::Circuit;
use outbound::webhook::{self, Endpoint, Refusal, Secrets, WebhookClient};
use runtime::BoxError;
use store::{DeadLetter, Delivery, DeliveryContent, Fetcher, PresignedFile, Receiver, RunFile, Store, ToTell};

use crate::run::{Run, Tally};
use crate::tenants;

/// Messages to one receiver at once.
const MESSAGES: usize = 8;
/// Longer than any run may take: when it is over, the worker that had the receiver has ended.
const LEASE: SignedDuration = SignedDuration::from_secs(90);
/// The pause after the first attempt in vain; each further one doubles it.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_mins(1);
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_hours(1);
/// The longest pause that a receiver may ask for.
const LONGEST_WISH: SignedDuration = SignedDuration::from_hours(24);
/// After this time in vain a message is a dead letter.
const GIVEN_UP: SignedDuration = SignedDuration::from_hours(3 * 24);
/// After this time in vain a person should look at the receiver.
const TELL: SignedDuration = SignedDuration::from_hours(24);

/// How many tenants a person should look at: the alarm goes by it.
const NEEDS_CLERK: &str = "needsClerk";

pub(crate) async fn webhook_deliveries(run: Run) -> Result<Tally, BoxError> {
    let (store, client) = (run.clients.store()?, run.clients.webhook()?);
    let run = &run;
    tenants::at_once(store.tenants_with_webhook().await?, |tenant| of_tenant(store, client, tenant, run)).await
}

async fn of_tenant(store: &Store, client: &WebhookClient, id: TenantId, run: &Run) -> Result<Tally, BoxError> {
    let mut tally = Tally { finished: true, ..Tally::default() };
    let Some(tenant) = store.tenant(&id).await? else { return Ok(tally) };
    let Some(settings) = &tenant.application.webhook else { return Ok(tally) };
    let receiver = store.receiver(&id).await?;
    let now = run.clock();
    let fails_long = receiver.failing_since.is_some_and(|since| now.duration_since(since) >= TELL);
    tally.add(NEEDS_CLERK, usize::from(fails_long || store.has_dead_letters(&id).await?));
    let is_later = |time: Option<Timestamp>| time.is_some_and(|time| time > now);
    let rests = is_later(receiver.retry_at) || is_later(receiver.leased_until) || receiver.gone.as_ref() == Some(&settings.url);
    if settings.paused || rests || store.deliveries(&id).due(1, now).await?.is_empty() {
        return Ok(tally);
    }
    let owner = store::random::<16>()?.map(|byte| format!("{byte:02x}")).concat();
    if !store.lease_receiver(&id, &owner, now, now + LEASE).await? {
        return Ok(tally);
    }
    let mut tenant_run = TenantRun { store, client, to: Endpoint { tenant: &id, settings }, run, receiver, tally };
    // A fault keeps the lease until its time is over: the storage that failed would not take it back.
    tenant_run.go().await?;
    store.release_receiver(&id, &owner, &tenant_run.receiver).await?;
    Ok(tenant_run.tally)
}

/// One run's work on one tenant.
struct TenantRun<'a> {
    store: &'a Store,
    client: &'a WebhookClient,
    to: Endpoint<'a>,
    run: &'a Run,
    receiver: Receiver,
    tally: Tally,
}

/// The outcome of a message.
enum Sent {
    Taken,
    Erased,
    Later,
    Refused(Refusal),
}

impl TenantRun<'_> {
    /// Sends what is due, until there is no more, the receiver wants a pause, or the run is over.
    async fn go(&mut self) -> Result<(), BoxError> {
        let secrets = match self.client.secrets(self.to).await {
            Ok(secrets) => secrets,
            Err(cause) => {
                self.tally.add("failed", 1);
                return self.give_up(cause, None);
            }
        };
        let mut queue = self.store.deliveries(self.to.tenant);
        let mut circuit = Circuit::default();
        loop {
            let now = self.run.clock();
            // A receiver that failed has to take one before it gets several (D-WEBHOOK-5).
            let some = if self.receiver.failures > 0 {
                self.store.deliveries(self.to.tenant).least_tried(now).await?.into_iter().collect()
            } else {
                queue.due(MESSAGES, now).await?
            };
            if some.is_empty() {
                return Ok(());
            }
            let contents = self.store.delivery_contents(self.to.tenant, &some, self.run.clock()).await?;
            let sent = join_all(some.iter().zip(&contents).map(|(delivery, content)| self.send(&secrets, delivery, content))).await;
            let sent = sent.into_iter().collect::<Result<Vec<_>, BoxError>>()?;
            let noted = some.iter().zip(&contents).zip(&sent).map(|((delivery, content), sent)| self.note(delivery, content, sent));
            // Of several that were taken one that cannot be noted keeps none of the others from it.
            join_all(noted).await.into_iter().collect::<Result<(), BoxError>>()?;
            if self.judge(&sent, &mut circuit)? {
                return Ok(());
            }
            if self.run.is_over() {
                self.tally.finished = false;
                return Ok(());
            }
        }
    }

    async fn send(&self, secrets: &Secrets, delivery: &Delivery, content: &DeliveryContent) -> Result<Sent, BoxError> {
        let tenant = self.to.tenant;
        let body = match content {
            DeliveryContent::OfJob { readings, job } => webhook::readings(tenant, delivery, readings, job.as_deref())?,
            DeliveryContent::WithoutJob(entry) => webhook::reading_without_job(tenant, entry)?,
            DeliveryContent::Export(run) => {
                let Some(body) = webhook::export(tenant, run, &self.addresses(run).await?)? else { return Ok(Sent::Erased) };
                body
            }
            DeliveryContent::Gone => return Ok(Sent::Erased),
            DeliveryContent::Later => return Ok(Sent::Later),
        };
        let sent = self.client.send(self.to, secrets, &delivery.id(tenant), self.run.clock(), &body).await;
        Ok(sent.map_or_else(Sent::Refused, |()| Sent::Taken))
    }

    /// Where the files of an export are fetched, from this attempt on.
    async fn addresses(&self, export: &store::Run) -> Result<Vec<(RunFile, PresignedFile)>, BoxError> {
        let (id, mut addresses) = (&export.new.id, Vec::new());
        for file in export.outcome.iter().flat_map(|outcome| &outcome.files) {
            let files = self.run.clients.run_files()?;
            let address = files.presign(self.to.tenant, (id, &file.name), Fetcher::System, self.run.clock()).await?;
            addresses.push((file.clone(), address));
        }
        Ok(addresses)
    }

    /// The consequence for the message itself.
    async fn note(&self, delivery: &Delivery, content: &DeliveryContent, sent: &Sent) -> Result<(), BoxError> {
        let (store, tenant, now) = (self.store, self.to.tenant, self.run.clock());
        let refusal = match sent {
            Sent::Taken if let DeliveryContent::OfJob { readings, .. } = content => {
                return Ok(store.delivery_taken(tenant, delivery, readings).await?);
            }
            Sent::Taken | Sent::Erased => return Ok(store.end_delivery(tenant, delivery).await?),
            Sent::Later => return Ok(store.postpone_delivery(tenant, delivery, now + FIRST_PAUSE).await?),
            Sent::Refused(refusal) => refusal,
        };
        let since = delivery.failing_since.unwrap_or(now);
        let mut delivery = delivery.clone();
        (delivery.attempts, delivery.failing_since) = (delivery.attempts + 1, Some(since));
        if refusal.gone || now.duration_since(since) >= GIVEN_UP {
            let dead = DeadLetter { delivery, given_up_at: now, cause: refusal.cause.clone() };
            return Ok(store.give_up_delivery(tenant, &dead).await?);
        }
        delivery.not_before = Some(now + pause(delivery.attempts)?);
        let told: &[ToTell] = if let DeliveryContent::OfJob { readings, .. } = content { readings } else { &[] };
        Ok(store.delay_delivery(tenant, &delivery, told).await?)
    }

    /// What follows for the receiver; true: it gets no more in this run.
    fn judge(&mut self, sent: &[Sent], circuit: &mut Circuit) -> Result<bool, BoxError> {
        let (now, receiver) = (self.run.clock(), &mut self.receiver);
        let (mut last, mut wish) = (None, None);
        // They were under way together: that it took one says nothing against an answer that the address is gone.
        if sent.iter().any(|sent| matches!(sent, Sent::Taken)) {
            receiver.gone = None;
        }
        for sent in sent {
            match sent {
                Sent::Erased => self.tally.add("erased", 1),
                Sent::Later => {}
                Sent::Taken => {
                    self.tally.add("delivered", 1);
                    circuit.worked();
                    receiver.last_delivery = Some(now);
                    (receiver.failures, receiver.failing_since, receiver.retry_at) = (0, None, None);
                }
                Sent::Refused(refusal) => {
                    self.tally.add("failed", 1);
                    circuit.failed(Instant::now());
                    if refusal.gone {
                        receiver.gone = Some(self.to.settings.url.clone());
                    }
                    wish = wish.max(refusal.retry_after);
                    last = Some(refusal.cause.clone());
                }
            }
        }
        let Some(cause) = last else { return Ok(false) };
        let is_down = receiver.failures > 0 || receiver.gone.is_some() || circuit.wait(Instant::now()).is_some();
        if is_down || wish.is_some() {
            self.give_up(cause, wish)?;
            return Ok(true);
        }
        (receiver.last_error, receiver.last_error_at) = (Some(cause), Some(now));
        Ok(false)
    }

    /// The receiver has its peace for a while, or for as long as it wants.
    fn give_up(&mut self, cause: String, wish: Option<Duration>) -> Result<(), BoxError> {
        let (now, receiver) = (self.run.clock(), &mut self.receiver);
        (receiver.last_error, receiver.last_error_at) = (Some(cause), Some(now));
        receiver.failures += 1;
        receiver.failing_since.get_or_insert(now);
        let wish = wish.and_then(|wish| SignedDuration::try_from(wish).ok()).unwrap_or_default().min(LONGEST_WISH);
        receiver.retry_at = Some(now + pause(receiver.failures)?.max(wish));
        Ok(())
    }
}

/// How long to wait after so many attempts in vain: longer each time, and by chance between half of it and all.
fn pause(attempts: u64) -> Result<SignedDuration, BoxError> {
    let doubled = u32::try_from(attempts.saturating_sub(1)).unwrap_or(u32::MAX).min(10);
    let longest = (FIRST_PAUSE * 2_i32.pow(doubled)).min(LONGEST_PAUSE);
    let half = u64::try_from(longest.as_millis() / 2)?;
    let millis = half + u64::from_le_bytes(store::random()?) % (half + 1);
    Ok(SignedDuration::from_millis(i64::try_from(millis)?))
}
