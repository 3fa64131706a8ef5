//! `zaehlwerk reminders send`: e-mails to accounts whose owner has confirmed an address and has open jobs.
//!
//! A run may be stopped anywhere and begun again: each reminder has a number in its account, and a mail under a number is sent once. The
//! exception is what SES had taken before that was noted, because SES cannot be asked.

use std::collections::BTreeSet;
use std::pin::pin;

use domain::config::{Application, CrmAdapter, ReminderSettings};
use domain::ids::{AccountId, TenantId};
use domain::job::resolved_config;
use domain::text;
use domain::text::Text;
use domain::window::{self, Sending};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use mail::{Mailer, Message, Order, Reminder};
use serde_json::json;
use store::{Access, MailKind, Occasion, Reachable, Store, StoreError, StoredJob};

use crate::progress::Progress;
use crate::{Failure, Say, Verdict, tell};
use desk::letters::Day;
use desk::mailing::{Courier, IN_FLIGHT, Outcome};
use desk::patiently;

/// Jobs that are read at once.
const PAGE: u32 = 500;
/// An account that is to be reminded.
#[derive(Debug)]
struct Due {
    reachable: Reachable,
    language: Option<String>,
    meters: usize,
    occasions: BTreeSet<Occasion>,
}

impl Due {
    /// The first of the deadlines.
    fn deadline(&self) -> Option<Date> {
        self.occasions.iter().find_map(|occasion| match occasion {
            Occasion::Deadline(day) => Some(*day),
            Occasion::Opening(_) => None,
        })
    }
}

/// Reminds whoever is due, or says who would be.
pub async fn send(store: &Store, mailer: &Mailer, tenant: &TenantId, dry_run: bool, say: Say) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let application = &settings.application;
    if application.crm != CrmAdapter::Builtin {
        let reason = text!(
            "das Kundensystem des Mandanten hat die Adressen und muss die Erinnerungen versenden",
            "the tenant's own CRM keeps the addresses, and has to send the reminders"
        );
        return Err(Failure::Argument { name: "crm", reason });
    }
    if application.communication_settings.sender_email.is_empty() {
        return Err(Failure::Argument {
            name: "communicationSettings.senderEmail",
            reason: text!("der Mandant hat keinen Absender", "the tenant has no sender"),
        });
    }
    let zone = TimeZone::get(&application.time_zone)
        .map_err(|error| Failure::Argument { name: "timeZone", reason: Text::same(error.to_string()) })?;
    let due = due(store, tenant, application, &zone).await?;
    if dry_run {
        return tell_due(&due, say);
    }
    let courier = &Courier::new(store, mailer, &settings).await?;
    let progress = Progress::through(due.len() as u64, text!("Erinnerungen", "reminders"), say);
    let outcomes = stream::iter(&due)
        .then(async |due| {
            courier.wait_for_pace().await;
            due
        })
        .map(|due| async move { Ok::<_, Failure>((due, remind(store, courier, application, due).await?)) });
    let mut outcomes = pin!(outcomes.buffer_unordered(IN_FLIGHT));
    let (mut sent, mut suppressed, mut later, mut failed, mut done) = (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    while let Some((due, outcome)) = outcomes.try_next().await? {
        match outcome {
            Outcome::Sent => sent += 1,
            Outcome::Suppressed => suppressed += 1,
            Outcome::Later => later += 1,
            Outcome::Failed(reason) => {
                failed += 1;
                let account = &due.reachable.account;
                progress.say(&text!("{account}: nicht versendet: {reason}", "{account}: {reason}"));
            }
        }
        done += 1;
        progress.reached(done, done);
    }
    progress.end();
    say.tell(
        &text!(
            "Erinnerungen: {sent} versendet; {suppressed} Adressen nehmen keine E-Mail an, {later} warten, bis der Mandant wieder versenden darf, {failed} fehlgeschlagen",
            "reminders: {sent} sent; {suppressed} addresses take no mail, {later} wait until the tenant may write to more recipients, {failed} failed"
        ),
        &json!({ "sent": sent, "suppressed": suppressed, "later": later, "failed": failed }),
    )?;
    Ok(if later + failed == 0 { Verdict::Sound } else { Verdict::Faulty })
}

fn tell_due(due: &[Due], say: Say) -> Result<Verdict, Failure> {
    if say.is_json() {
        let list: Vec<_> = due
            .iter()
            .map(|due| {
                let reachable = &due.reachable;
                json!({
                    "account": reachable.account, "email": reachable.email.as_str(), "meters": due.meters,
                    "deadline": due.deadline(), "reminder": reachable.reminded.next_number(),
                })
            })
            .collect();
        tell(json!({ "due": list }))?;
        return Ok(Verdict::Sound);
    }
    for one in due {
        let Due { reachable, meters, .. } = one;
        let deadline =
            one.deadline().map_or_else(|| text!("ohne Frist", "no deadline"), |day| text!("{german}", "{day}", german = Day(day)));
        let (account, email) = (&reachable.account, reachable.email.as_str());
        say.line(&text!("{account}  {email}  {meters} Zähler  {deadline}", "{account}  {email}  {meters} meters  {deadline}"; deadline))?;
    }
    say.line(&text!(
        "Probelauf, nichts wurde versendet: {count} Erinnerungen stehen an",
        "dry run, nothing was sent: {count} reminders are due",
        count = due.len()
    ))?;
    Ok(Verdict::Sound)
}

/// Everybody who is to be reminded now.
async fn due(store: &Store, tenant: &TenantId, application: &Application, zone: &TimeZone) -> Result<Vec<Due>, Failure> {
    let today = Timestamp::now().to_zoned(zone.clone()).date();
    let mut due = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let (accounts, next_cursor) = patiently(|| store.accounts(tenant, cursor.as_deref())).await?;
        let ids: Vec<AccountId> = accounts.into_iter().map(|account| account.id).collect();
        for reachable in patiently(|| store.reachable(tenant, &ids)).await? {
            due.extend(of_account(store, tenant, application, reachable, zone, today).await?);
        }
        cursor = next_cursor;
        if cursor.is_none() {
            return Ok(due);
        }
    }
}

async fn of_account(
    store: &Store,
    tenant: &TenantId,
    application: &Application,
    reachable: Reachable,
    zone: &TimeZone,
    today: Date,
) -> Result<Option<Due>, Failure> {
    let settings = &application.desk.reminders;
    let rested = reachable.reminded.last().is_none_or(|last| {
        let last = last.to_zoned(zone.clone()).date();
        last.saturating_add(i64::from(settings.days_between).days()) <= today
    });
    let account = &reachable.account;
    let Some(stored) = patiently(|| store.account(tenant, account)).await?.filter(|_| rested) else { return Ok(None) };
    if stored.valid_until.is_some_and(|last| last < today) {
        return Ok(None);
    }
    let access = match &stored.share {
        None => Access::owner(account.clone()),
        Some(terms) => match patiently(|| store.access(tenant, &terms.ancestors, account)).await? {
            Some(access) => access,
            None => return Ok(None),
        },
    };
    let (mut meters, mut occasions) = (0, BTreeSet::new());
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.accessible_jobs(tenant, &access, PAGE, cursor.as_deref())).await?;
        for job in &page.jobs {
            if let Some(occasion) = occasion(job, application, zone, today)
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

async fn remind(store: &Store, courier: &Courier<'_>, application: &Application, due: &Due) -> Result<Outcome, Failure> {
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
    let outcome = courier.send(order, async || Ok(message.clone())).await?;
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
