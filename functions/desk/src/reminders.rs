//! Reminders: mails to accounts whose owner has confirmed an address and has open jobs.
//!
//! Sending may be stopped anywhere and begun again: each reminder has a number in its account, and a mail under a number is sent once. The exception is what SES had
//! taken before that was noted, because SES cannot be asked.

use std::collections::BTreeSet;

use domain::config::{Application, CrmAdapter, ReminderSettings};
use domain::ids::AccountId;
use domain::job::resolved_config;
use domain::open_filter::OpenFilter;
use domain::text;
use domain::text::Text;
use domain::window::{self, Sending};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use mail::{Message, Order, Reminder};
use store::{Access, MailKind, Occasion, Reachable, Store, StoreError, StoredJob};

use crate::mailing::{Courier, IN_FLIGHT, Outcome};
use crate::{Failure, lists, patiently};

/// Jobs that are read at once.
const PAGE: u32 = 500;

/// An account that is to be reminded.
#[derive(Debug)]
pub struct Due {
    /// The customer, with the address.
    pub reachable: Reachable,
    language: Option<String>,
    /// The number of open meters.
    pub meters: usize,
    occasions: BTreeSet<Occasion>,
}

impl Due {
    /// The first of the deadlines.
    pub fn deadline(&self) -> Option<Date> {
        self.occasions.iter().find_map(|occasion| match occasion {
            Occasion::Deadline(day) => Some(*day),
            Occasion::Opening(_) => None,
        })
    }
}

/// Why a tenant's customers cannot be reminded: the setting, and what is wrong with it.
pub fn in_the_way(application: &Application) -> Option<(&'static str, Text)> {
    if application.crm != CrmAdapter::Builtin {
        let reason = text!(
            "das Kundensystem des Mandanten hat die Adressen und muss die Erinnerungen versenden",
            "the tenant's own CRM keeps the addresses, and has to send the reminders"
        );
        return Some(("crm", reason));
    }
    let reason = || {
        text!(
            "der Versorger hat keine Absenderadresse für E-Mails; sie legt fest, wer das Portal betreibt",
            "the utility has no sender's address for mails; whoever runs the portal sets it"
        )
    };
    application.communication_settings.sender_email.is_empty().then(|| ("communicationSettings.senderEmail", reason()))
}

/// Of which open jobs alone, as they were on that day.
pub type Chosen<'a> = Option<(&'a OpenFilter, Date)>;

/// Who of a page of accounts is to be reminded on this day, and where the next page begins.
///
/// # Errors
/// The store's.
pub async fn due(
    store: &Store,
    application: &Application,
    chosen: Chosen<'_>,
    zone: &TimeZone,
    today: Date,
    cursor: Option<&str>,
) -> Result<(Vec<Due>, Option<String>), Failure> {
    let tenant = &application.application_id;
    let (accounts, next_cursor) = patiently(|| store.accounts(tenant, cursor)).await?;
    let ids: Vec<AccountId> = accounts.into_iter().map(|account| account.id).collect();
    let reachable = patiently(|| store.reachable(tenant, &ids)).await?;
    let looked = stream::iter(reachable).map(|reachable| of_account(store, application, chosen, reachable, zone, today));
    let looked: Vec<_> = looked.buffered(IN_FLIGHT).try_collect().await?;
    Ok((looked.into_iter().flatten().collect(), next_cursor))
}

/// All customers who are to be reminded on this day.
///
/// # Errors
/// The store's.
pub async fn everybody(
    store: &Store,
    application: &Application,
    chosen: Chosen<'_>,
    zone: &TimeZone,
    today: Date,
) -> Result<Vec<Due>, Failure> {
    let mut everybody = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let (due, next_cursor) = due(store, application, chosen, zone, today, cursor.as_deref()).await?;
        everybody.extend(due);
        cursor = next_cursor;
        if cursor.is_none() {
            return Ok(everybody);
        }
    }
}

/// Reminds these at the tenant's pace, and tells what became of each; they end in another order.
///
/// # Errors
/// The store's; customers who were reminded until then are.
pub async fn remind(
    store: &Store,
    courier: &Courier<'_>,
    application: &Application,
    due: &[Due],
    tell: impl FnMut(&Due, Outcome),
) -> Result<(), Failure> {
    courier.send_all(due, async |due| remind_one(store, courier, application, due).await, tell).await
}

async fn of_account(
    store: &Store,
    application: &Application,
    chosen: Chosen<'_>,
    reachable: Reachable,
    zone: &TimeZone,
    today: Date,
) -> Result<Option<Due>, Failure> {
    let (tenant, settings) = (&application.application_id, &application.desk.reminders);
    // A customer who can be reminded has an address.
    let is_chosen = |job: &StoredJob| chosen.is_none_or(|(filter, day)| filter.email != Some(false) && lists::is_wanted(job, filter, day));
    let rested = reachable.reminded.last().is_none_or(|last| {
        let last = last.to_zoned(zone.clone()).date();
        last.saturating_add(i64::from(settings.days_between).days()) <= today
    });
    let account = &reachable.account;
    let Some(stored) = patiently(|| store.account(tenant, account)).await?.filter(|_| rested) else { return Ok(None) };
    let access = match &stored.share {
        None => Access::owner(account.clone()),
        Some(terms) => match patiently(|| store.access(tenant, &terms.ancestors, account)).await? {
            Some(access) => access,
            None => return Ok(None),
        },
    };
    // A sub-account of an account that has ended cannot log in either.
    if access.heads().iter().chain([&stored]).any(|account| account.valid_until.is_some_and(|last| last < today)) {
        return Ok(None);
    }
    let (mut meters, mut occasions) = (0, BTreeSet::new());
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.accessible_jobs(tenant, &access, PAGE, cursor.as_deref())).await?;
        for job in &page.jobs {
            if is_chosen(job)
                && let Some(occasion) = occasion(job, application, zone, today)
                && reachable.reminded.times(occasion) < settings.at_most
            {
                meters += 1;
                occasions.insert(occasion);
            }
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            let language = stored.language;
            return Ok((meters > 0).then_some(Due { reachable, language, meters, occasions }));
        }
    }
}

/// What there is to remind of: a job that is open and near its last day, or that has none and has been open for long.
fn occasion(job: &StoredJob, application: &Application, zone: &TimeZone, today: Date) -> Option<Occasion> {
    if job.closed || job.done {
        return None;
    }
    let ReminderSettings { days_before, days_after_opening, .. } = application.desk.reminders;
    let constraints = &job.master.job_constraints;
    let (occasion, first) = match constraints.latest_execution {
        Some(last) => (Occasion::Deadline(last), last.saturating_sub(i64::from(days_before).days())),
        None => {
            let listed = job.listed_at.map(|listed| listed.to_zoned(zone.clone()).date());
            let opening = window::opening(constraints, listed.or(constraints.earliest_execution)?);
            (Occasion::Opening(opening), opening.saturating_add(i64::from(days_after_opening?).days()))
        }
    };
    let config = resolved_config(application, &job.master);
    let is_open = window::sending(constraints, &config.features, today) == Sending::Open;
    (is_open && first <= today && !occasion.is_over(today)).then_some(occasion)
}

async fn remind_one(store: &Store, courier: &Courier<'_>, application: &Application, due: &Due) -> Result<Outcome, Failure> {
    let Due { reachable, language, meters, occasions } = due;
    let token = &reachable.self_service_token;
    let message = Message::Reminder(Reminder {
        meters: *meters,
        deadline: due.deadline(),
        unsubscribe: application.unsubscribe_page(token),
        one_click: format!("{}/api/public/unsubscribe/{token}", application.portal_url),
    });
    let number = reachable.reminded.next_number().to_string();
    let order = Order {
        account: &reachable.account,
        top: &reachable.account,
        kind: MailKind::Reminder,
        key: &number,
        request_hash: &number,
        to: &reachable.email,
        to_name: None,
        language: language.as_deref(),
    };
    let outcome = courier.send(order, async || Ok(Some(message.clone()))).await?;
    if outcome == Outcome::Sent {
        let tenant = &application.application_id;
        let noted = store.note_reminder(tenant, &reachable.account, &reachable.reminded, occasions.iter().copied(), Timestamp::now());
        match noted.await {
            // Another run sent and noted the same reminder.
            Ok(()) | Err(StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(outcome)
}
