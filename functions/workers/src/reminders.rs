//! Reminds the customers of tenants that want it done by itself.

use std::sync::Arc;
use std::time::Instant;

use desk::mailing::{Courier, Outcome};
use desk::reminders::{self, Due};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use mail::Mailer;
use runtime::BoxError;
use serde::{Deserialize, Serialize};
use store::{Store, Tenant};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::run::{Run, Tally};
use crate::tenants::{Step, for_each_that};

/// Between these hours of the tenant's day mails go out.
const HOURS: std::ops::Range<i8> = 8..20;
/// Seconds that the mails of one step take, where all tenants' turns are for them.
const SECONDS: usize = 10;

/// The place at which the next step begins.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Position {
    /// The page of accounts.
    cursor: Option<String>,
    /// How many of those who are due there get nothing today: mails to them do not arrive.
    passed: usize,
}

/// Goes through each such tenant once a day.
pub(crate) async fn reminders(run: Run) -> Result<Tally, BoxError> {
    let is_wanted = |tenant: &Tenant| {
        let application = &tenant.application;
        application.desk.reminders.automatic
            && reminders::in_the_way(application).is_none()
            && zone(tenant).is_ok_and(|zone| HOURS.contains(&run.now.to_zoned(zone).hour()))
    };
    for_each_that(&run, "reminders", 1, is_wanted, |tenant, position| step(&run, tenant, position)).await
}

fn zone(tenant: &Tenant) -> Result<TimeZone, jiff::Error> {
    TimeZone::get(&tenant.application.time_zone)
}

async fn step(run: &Run, tenant: Arc<Tenant>, position: Option<String>) -> Result<Step, BoxError> {
    let (store, mailer) = (run.clients.store()?.clone(), run.clients.mailer()?.clone());
    let (now, ends) = (run.now, run.patience_ends());
    // What the mails are sent by is borrowed in a way that cannot go from thread to thread.
    spawn_blocking(move || Handle::current().block_on(step_here(&store, &mailer, &tenant, position, (now, ends)))).await?
}

/// So many reminders as go out in some seconds, of one page of accounts. A customer who is reminded is not due any more.
async fn step_here(
    store: &Store,
    mailer: &Mailer,
    tenant: &Tenant,
    position: Option<String>,
    (now, ends): (Timestamp, Instant),
) -> Result<Step, BoxError> {
    let application = &tenant.application;
    let Position { cursor, passed } = position.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default();
    let today = now.to_zoned(zone(tenant)?).date();
    let (due, next_cursor) = reminders::due(store, application, None, &zone(tenant)?, today, cursor.as_deref()).await?;
    let due: Vec<Due> = due.into_iter().skip(passed).collect();
    let mut tally = Tally::default();
    let (mut unsent, mut is_full, mut is_page_done) = (0, false, true);
    if !due.is_empty() {
        let courier = Courier::new(store, mailer, tenant, Some(ends)).await?;
        let (first, later) = due.split_at(due.len().min(SECONDS * courier.per_second() as usize));
        is_page_done = later.is_empty();
        let told = reminders::remind(store, &courier, application, first, |_, outcome| {
            let what = match outcome {
                Outcome::Sent => "sent",
                Outcome::Suppressed => "suppressed",
                Outcome::Rehearsed => "rehearsed",
                Outcome::Later => "later",
                Outcome::Failed { .. } => "failed",
            };
            is_full |= outcome == Outcome::Later;
            unsent += usize::from(outcome != Outcome::Sent);
            tally.add(what, 1);
        });
        if let Err(fault) = told.await {
            tally.add_all(Tally::of(fault.into()));
            return Ok(Step { tally, next: position });
        }
    }
    let next = match (is_page_done, next_cursor) {
        // The day's recipients are used up; tomorrow there are others.
        _ if is_full => None,
        (false, _) => Some(Position { cursor, passed: passed + unsent }),
        (true, None) => None,
        (true, next) => Some(Position { cursor: next, passed: 0 }),
    };
    Ok(Step { tally, next: next.map(|next| serde_json::to_string(&next)).transpose()? })
}
