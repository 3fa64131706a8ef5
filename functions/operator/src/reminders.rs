//! `zaehlwerk reminders send`.

use desk::letters::Day;
use desk::mailing::{Courier, Outcome};
use desk::reminders::{self, Due};
use domain::config::Application;
use domain::ids::TenantId;
use domain::text;
use domain::text::Text;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use mail::Mailer;
use serde_json::json;
use store::Store;

use crate::progress::Progress;
use crate::{Failure, Say, Verdict, tell};

/// Reminds whoever is due, or says who would be.
pub async fn send(store: &Store, mailer: &Mailer, tenant: &TenantId, dry_run: bool, say: Say) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let application = &settings.application;
    if let Some((name, reason)) = reminders::in_the_way(application) {
        return Err(Failure::Argument { name, reason });
    }
    let zone = TimeZone::get(&application.time_zone)
        .map_err(|error| Failure::Argument { name: "timeZone", reason: Text::same(error.to_string()) })?;
    let due = everybody(store, application, &zone).await?;
    if dry_run {
        return tell_due(&due, say);
    }
    let courier = &Courier::new(store, mailer, &settings).await?;
    let progress = Progress::through(due.len() as u64, text!("Erinnerungen", "reminders"), say);
    let (mut sent, mut suppressed, mut rehearsed, mut later, mut failed, mut done) = (0_u64, 0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    let told = reminders::remind(store, courier, application, &due, |due, outcome| {
        match outcome {
            Outcome::Sent => sent += 1,
            Outcome::Suppressed => suppressed += 1,
            Outcome::Rehearsed => rehearsed += 1,
            Outcome::Later => later += 1,
            Outcome::Failed(reason) => {
                failed += 1;
                let account = &due.reachable.account;
                progress.say(&text!("{account}: nicht versendet: {reason}", "{account}: {reason}"));
            }
        }
        done += 1;
        progress.reached(done, done);
    });
    told.await?;
    progress.end();
    let Text { de, en } = in_rehearsal(rehearsed);
    say.tell(
        &text!(
            "Erinnerungen: {sent} versendet; {suppressed} Adressen nehmen keine E-Mail an, {later} warten, bis der Mandant wieder versenden darf, {failed} fehlgeschlagen{de}",
            "reminders: {sent} sent; {suppressed} addresses take no mail, {later} wait until the tenant may write to more recipients, {failed} failed{en}"
        ),
        &json!({ "sent": sent, "suppressed": suppressed, "rehearsed": rehearsed, "later": later, "failed": failed }),
    )?;
    Ok(if later + failed == 0 { Verdict::Sound } else { Verdict::Faulty })
}

/// How many mails a rehearsal kept back, if any.
pub(crate) fn in_rehearsal(count: u64) -> Text {
    match count {
        0 => Text::same(""),
        _ => text!(", {count} im Probebetrieb nicht versendet", ", {count} not sent in rehearsal"),
    }
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
async fn everybody(store: &Store, application: &Application, zone: &TimeZone) -> Result<Vec<Due>, Failure> {
    let today = Timestamp::now().to_zoned(zone.clone()).date();
    let mut everybody = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let (due, next_cursor) = reminders::due(store, application, zone, today, cursor.as_deref()).await?;
        everybody.extend(due);
        cursor = next_cursor;
        if cursor.is_none() {
            return Ok(everybody);
        }
    }
}
