//! `zaehlwerk invitations send`.

use std::path::{Path, PathBuf};

use desk::invitations::{self, Plan};
use desk::mailing::{Courier, Outcome};
use desk::recipients::Recipients;
use domain::ids::{AccountId, SeasonId, TenantId};
use domain::text;
use domain::text::{Text, counted};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use mail::Mailer;
use serde_json::json;
use store::Store;

use crate::printing::write;
use crate::progress::Progress;
use crate::reminders::in_rehearsal;
use crate::{Failure, Say, Verdict};

/// The files for accounts that no mail reaches.
pub struct Files {
    pub without_mail: Option<PathBuf>,
    pub returned: Option<PathBuf>,
}

/// Invites customers who have an address, or says who would be, and lists who needs a letter.
pub async fn send(
    store: &Store,
    mailer: &Mailer,
    tenant: &TenantId,
    season: Option<&SeasonId>,
    dry_run: bool,
    files: &Files,
    say: Say,
) -> Result<Verdict, Failure> {
    let settings = desk::known(store, tenant).await?;
    if let Some(season) = season {
        desk::seasons::known(store, tenant, season).await?;
    }
    if let Some(path) = [&files.without_mail, &files.returned].into_iter().flatten().find(|path| path.exists()) {
        return Err(Failure::Exists(path.clone()));
    }
    let now = Timestamp::now();
    let today = now.to_zoned(TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC)).date();
    let recipients = &mut Recipients::all(store, &settings.application, None);
    let plan = invitations::plan(store, tenant, &settings.application, season, recipients, now, today).await?;
    let Plan { due, mut without_mail, returned } = plan;
    let back = returned.len();
    if dry_run {
        let count = counted(due.len(), ["Einladung steht", "Einladungen stehen"], ["invitation is", "invitations are"]);
        let left = in_need(without_mail.len());
        say.tell(
            &text!(
                "Probelauf, nichts wurde versendet: {count} an, {left} ein Anschreiben, von {back} kamen E-Mails zurück",
                "dry run, nothing was sent: {count} due, {left} a letter, mails of {back} came back";
                count, left
            ),
            &json!({ "due": due.iter().map(|invited| &invited.invitee.account.id).collect::<Vec<_>>(), "withoutMail": without_mail, "returned": returned }),
        )?;
        return Ok(Verdict::Sound);
    }
    let courier = &Courier::new(store, mailer, &settings, None).await?;
    let progress = Progress::through(due.len() as u64, text!("Einladungen", "invitations"), say);
    let settings = &settings;
    let (mut sent, mut rehearsed, mut later, mut failed, mut done) = (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    let told = invitations::send_all(store, courier, settings, &due, |invited, outcome| {
        let account = &invited.invitee.account.id;
        match outcome {
            Outcome::Sent => sent += 1,
            Outcome::Suppressed => without_mail.push(account.clone()),
            Outcome::Rehearsed => rehearsed += 1,
            Outcome::Later => later += 1,
            Outcome::Failed { reason, .. } => {
                failed += 1;
                progress.say(&text!("{account}: nicht versendet: {reason}", "{account}: {reason}"));
            }
        }
        done += 1;
        progress.reached(done, done);
    });
    told.await?;
    progress.end();
    for (path, accounts) in [(&files.without_mail, &without_mail), (&files.returned, &returned)] {
        if let Some(path) = path {
            list(path, accounts)?;
        }
    }
    let rehearsal = in_rehearsal(rehearsed);
    let left = in_need(without_mail.len());
    let waiting = counted(later, ["wartet", "warten"], ["waits", "wait"]);
    say.tell(
        &text!(
            "Einladungen: {sent} versendet; {left} ein Anschreiben, von {back} kamen E-Mails zurück, {waiting}, bis der Mandant wieder versenden darf, {failed} fehlgeschlagen{rehearsal}",
            "invitations: {sent} sent; {left} a letter, mails of {back} came back, {waiting} until the tenant may write to more recipients, {failed} failed{rehearsal}";
            left, waiting, rehearsal
        ),
        &json!({ "sent": sent, "withoutMail": without_mail.len(), "returned": back, "rehearsed": rehearsed, "later": later, "failed": failed }),
    )?;
    Ok(if later + failed == 0 { Verdict::Sound } else { Verdict::Faulty })
}

fn in_need(accounts: usize) -> Text {
    counted(accounts, ["Zugang braucht", "Zugänge brauchen"], ["account needs", "accounts need"])
}

fn list(path: &Path, accounts: &[AccountId]) -> Result<(), Failure> {
    let lines: String = accounts.iter().map(|account| format!("{account}\n")).collect();
    write(path, lines.as_bytes())
}
