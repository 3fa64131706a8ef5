//! Mails for which no user waits: at the tenant's pace, within what all tenants share, and with patience while the mail service is busy.

use std::future::ready;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use domain::text;
use futures::{StreamExt, stream};
use jiff::Timestamp;
use mail::{Claimed, Mailer, Message, Order, Post, SendError};
use store::{Store, Tenant};
use tokio::sync::Mutex;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::{Failure, patiently};

/// Mails on their way at a time; the pace is set by the tenant's rate.
pub const IN_FLIGHT: usize = 16;
/// How often a mail is tried while the mail service is busy.
const TRIES: usize = 4;
/// Of the mails that the service takes, all tenants' reminders and invitations together take so many at most: receipts and confirmations, for which
/// a user waits, need the others.
const SHARE: f64 = 0.5;
/// So many seconds a run's mails wait for a turn among those of all tenants, which draw for it anew in each second: that none of them draws one for so long
/// means that a clerk's command line has taken the turns (D-PLATFORM-22), and a run that waited on would be ended without a word.
const TURNS: usize = 300;
/// After so many refusals one after the other the day's recipients are used up, and no further one is tried.
const FULL: usize = 3;

/// The outcome of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Sent,
    /// Mails to the address came back, or were called spam.
    Suppressed,
    /// The tenant is in rehearsal, and the address is none of its members'.
    Rehearsed,
    /// The tenant has written to as many recipients as it may for now.
    Later,
    Failed {
        reason: String,
        /// The mail service may have taken it all the same.
        may_have_gone: bool,
    },
}

impl Outcome {
    /// The account was erased since its mail was planned.
    pub(crate) fn gone() -> Self {
        Self::Failed { reason: "the account is gone".into(), may_have_gone: false }
    }
}

/// Sends the mails of one run.
pub struct Courier<'a> {
    store: &'a Store,
    mailer: &'a Mailer,
    tenant: &'a Tenant,
    pace: Mutex<Interval>,
    per_second: u32,
    /// Such mails a second of all tenants.
    shared: u32,
    /// Turns that its mails had.
    turns: AtomicUsize,
    /// Refusals for want of recipients, one after the other.
    refused: AtomicUsize,
    /// After this no mail waits for a turn, nor for the mail service.
    ends: Option<Instant>,
    /// Something went wrong with one: no mail waits any more either.
    has_failed: AtomicBool,
}

impl<'a> Courier<'a> {
    /// For mails of this tenant; a caller who is ended without a word says when it must have said what is wrong.
    pub async fn new(store: &'a Store, mailer: &'a Mailer, tenant: &'a Tenant, ends: Option<Instant>) -> Result<Self, Failure> {
        let rate = mailer.rate().await.map_err(|error| Failure::Refused(text!("der Mailversand: {error}", "the mail service: {error}")))?;
        // Without a fraction, so that the sum stays below the share.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is a small number above zero")]
        let shared = ((rate * SHARE) as u32).max(1);
        let per_second = u32::from(tenant.application.desk.reminders.per_second.max(1)).min(shared);
        let mut pace = interval(Duration::from_secs(1) / per_second);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(Self {
            store,
            mailer,
            tenant,
            pace: Mutex::new(pace),
            per_second,
            shared,
            turns: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            ends,
            has_failed: AtomicBool::new(false),
        })
    }

    /// Most mails that it sends in a second: the tenant's pace, or what all tenants' mails have together.
    pub fn per_second(&self) -> u32 {
        self.per_second
    }

    /// Sends to these side by side, at its pace, and tells what became of each; they end in another order. After a fault none is begun, but those on their way are
    /// brought to their end: what the mail service has taken must be noted, or the next run sends it once more.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) async fn send_all<'d, D>(
        &self,
        due: &'d [D],
        send: impl AsyncFn(&'d D) -> Result<Outcome, Failure>,
        mut tell: impl FnMut(&'d D, Outcome),
    ) -> Result<(), Failure> {
        let paced = stream::iter(due).then(async |due| {
            self.wait_for_pace().await;
            due
        });
        let begun = paced.take_while(|_| ready(!self.has_failed.load(Ordering::Relaxed)));
        let mut ended = pin!(begun.map(async |due| (due, send(due).await)).buffer_unordered(IN_FLIGHT));
        let mut fault = None;
        while let Some((due, outcome)) = ended.next().await {
            match outcome {
                Ok(outcome) => tell(due, outcome),
                Err(error) => {
                    self.has_failed.store(true, Ordering::Relaxed);
                    fault.get_or_insert(error);
                }
            }
        }
        fault.map_or(Ok(()), Err)
    }

    /// Waits until the tenant's next mail may go.
    async fn wait_for_pace(&self) {
        if self.refused.load(Ordering::Relaxed) < FULL {
            self.pace.lock().await.tick().await;
        }
    }

    /// Sends a mail unless that was done before; what it says is written only if it is to be sent, and is none if the account is gone.
    pub async fn send(&self, order: Order<'_>, write: impl AsyncFn() -> Result<Option<Message>, Failure>) -> Result<Outcome, Failure> {
        if self.refused.load(Ordering::Relaxed) >= FULL {
            return Ok(Outcome::Later);
        }
        let (mut tries_left, mut may_have_gone) = (TRIES, false);
        loop {
            tries_left -= 1;
            self.await_turn().await?;
            let post = Post { store: self.store, mailer: self.mailer, tenant: self.tenant, now: Timestamp::now() };
            let sent = match post.claim(order).await {
                Ok(Claimed::Sent { .. }) => Ok(()),
                Ok(Claimed::Ticket(ticket)) => match write().await? {
                    Some(message) => post.dispatch(ticket, &message).await.map(drop),
                    None => match post.cancel(ticket).await {
                        Ok(()) => return Ok(Outcome::gone()),
                        Err(error) => Err(error),
                    },
                },
                Err(error) => Err(error),
            };
            may_have_gone |= sent.as_ref().is_err_and(|error| !error.was_not_sent());
            match sent {
                Ok(()) => break,
                Err(SendError::Suppressed) => return Ok(Outcome::Suppressed),
                Err(SendError::Rehearsal) => return Ok(Outcome::Rehearsed),
                Err(SendError::TooManyRecipients { .. }) => {
                    self.refused.fetch_add(1, Ordering::Relaxed);
                    return Ok(Outcome::Later);
                }
                Err(SendError::Unavailable { retry_after, .. }) if tries_left > 0 && self.may_wait(retry_after) => {
                    tokio::time::sleep(retry_after).await;
                }
                Err(SendError::Store(error)) if tries_left > 0 && error.is_unavailable() => {
                    tokio::time::sleep(error.retry_after().unwrap_or_default()).await;
                }
                Err(SendError::Store(error)) => return Err(error.into()),
                Err(error) => return Ok(Outcome::Failed { reason: error.to_string(), may_have_gone }),
            }
        }
        self.refused.store(0, Ordering::Relaxed);
        Ok(Outcome::Sent)
    }

    /// Whether the run goes on for that long.
    fn may_wait(&self, time: Duration) -> bool {
        !self.has_failed.load(Ordering::Relaxed) && self.ends.is_none_or(|ends| Instant::now() + time < ends)
    }

    /// Waits until all tenants' mails of the second leave room for one more.
    async fn await_turn(&self) -> Result<(), Failure> {
        let (mut before, mut waited) = (self.turns.load(Ordering::Relaxed), 0);
        loop {
            let Some(left) = patiently(|| self.store.count_reminder(self.shared, Timestamp::now())).await? else {
                self.turns.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            };
            if waited == TURNS || !self.may_wait(left) {
                return Err(Failure::Refused(text!(
                    "unter den Erinnerungen und Einladungen aller Mandanten war zu lange kein Platz für eine weitere; was noch nicht versendet ist, bitte später senden",
                    "the reminders and invitations of all tenants left no room for another one for too long; send later what is not sent yet"
                )));
            }
            tokio::time::sleep(left).await;
            let turns = self.turns.load(Ordering::Relaxed);
            waited = if turns == before { waited + 1 } else { 0 };
            before = turns;
        }
    }
}
