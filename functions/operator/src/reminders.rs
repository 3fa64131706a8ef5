//! `zaehlwerk reminders send`.

use desk::letters::Day;
use desk::mailing::{Courier, Outcome};
use desk::reminders::{self, Due};
use domain::ids::TenantId;
use domain::text;
use domain::text::{Text, counted};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use mail::Mailer;
use serde_json::json;
use store::Store;

use crate::progress::Progress;
use crate::{Failure, Say, Verdict, tell};

/// Reminds customers who are due, or says who would be.
pub async fn send(store: &Store, mailer: &Mailer, tenant: &TenantId, dry_run: bool, say: Say) -> Result<Verdict, Failure> {
    let settings = desk::known(store, tenant).await?;
    let application = &settings.application;
    if let Some((name, reason)) = reminders::in_the_way(application) {
        return Err(Failure::Argument { name, reason });
    }
    let zone = TimeZone::get(&application.time_zone)
        .map_err(|error| Failure::Argument { name: "timeZone", reason: Text::same(error.to_string()) })?;
    let today = || Timestamp::now().to_zoned(zone.clone()).date();
    if dry_run {
        return tell_due(&reminders::everybody(store, application, None, &zone, today()).await?, say);
    }
    let courier = &Courier::new(store, mailer, &settings, None).await?;
    let progress = Progress::open_ended(text!("Erinnerungen", "reminders"), say);
    let (mut sent, mut suppressed, mut rehearsed, mut later, mut failed, mut done) = (0_u64, 0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    let mut cursor: Option<String> = None;
    loop {
        // Page by page: sending may take hours, in which others read, decline reminders or go.
        let (due, next) = reminders::due(store, application, None, &zone, today(), cursor.as_deref()).await?;
        let told = reminders::remind(store, courier, application, &due, |due, outcome| {
            match outcome {
                Outcome::Sent => sent += 1,
                Outcome::Suppressed => suppressed += 1,
                Outcome::Rehearsed => rehearsed += 1,
                Outcome::Later => later += 1,
                Outcome::Failed { reason, .. } => {
                    failed += 1;
                    let account = &due.reachable.account;
                    progress.say(&text!("{account}: nicht versendet: {reason}", "{account}: {reason}"));
                }
            }
            done += 1;
            progress.reached(done, done);
        });
        told.await?;
        cursor = next;
        if cursor.is_none() {
            break;
        }
    }
    progress.end();
    let silent = counted(suppressed, ["Adresse nimmt", "Adressen nehmen"], ["address takes", "addresses take"]);
    let waiting = counted(later, ["wartet", "warten"], ["waits", "wait"]);
    let rehearsal = in_rehearsal(rehearsed);
    say.tell(
        &text!(
            "Erinnerungen: {sent} versendet; {silent} keine E-Mail an, {waiting}, bis der Mandant wieder versenden darf, {failed} fehlgeschlagen{rehearsal}",
            "reminders: {sent} sent; {silent} no mail, {waiting} until the tenant may write to more recipients, {failed} failed{rehearsal}";
            silent, waiting, rehearsal
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
        let meters = counted(*meters, ["Zähler", "Zähler"], ["meter", "meters"]);
        say.line(&text!("{account}  {email}  {meters}  {deadline}", "{account}  {email}  {meters}  {deadline}"; meters, deadline))?;
    }
    let count = counted(due.len(), ["Erinnerung steht an", "Erinnerungen stehen an"], ["reminder is due", "reminders are due"]);
    say.line(&text!("Probelauf, nichts wurde versendet: {count}", "dry run, nothing was sent: {count}"; count))?;
    Ok(Verdict::Sound)
}
