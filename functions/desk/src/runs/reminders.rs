//! Reminders as runs: who would get one, and sending them now.

use domain::open_filter::OpenFilter;
use domain::text;
use domain::text::Lang;
use jiff::tz::TimeZone;
use mail::Mailer;
use store::{RunMails, RunOutcome, Tenant};

use super::{CSV, Shelf, count_mail, made};
use crate::letters::Day;
use crate::mailing::Courier;
use crate::recipients::Recipients;
use crate::reminders::{self, Chosen, Due};
use crate::spreadsheet::{begin_table, write_row};
use crate::{Clock, Failure, Reached};

impl Shelf<'_> {
    /// Lists who is due now; no mail is sent.
    pub(super) async fn list_due(mut self, (filter, lang): (Option<&OpenFilter>, Lang), clock: Clock) -> Result<RunOutcome, Failure> {
        let (tenant, zone) = self.reminding().await?;
        let chosen = self.chosen(filter, &tenant, &zone).await?;
        let today = clock.now().to_zoned(zone.clone()).date();
        let mut list = begin_table();
        list.write_record(match lang {
            Lang::De => ["Zugang", "E-Mail", "offene Zähler", "Frist", "wievielte Erinnerung"],
            Lang::En => ["account", "e-mail", "open meters", "deadline", "number of the reminder"],
        })
        .map_err(|error| Failure::Unwritable(error.into()))?;
        let due = reminders::everybody(self.store, &tenant.application, chosen, &zone, today).await?;
        for one in &due {
            let Due { reachable, meters, .. } = one;
            let deadline = one.deadline().map(|day| if lang == Lang::De { Day(day).to_string() } else { day.to_string() });
            let (meters, number) = (meters.to_string(), reachable.reminded.next_number().to_string());
            let row = [reachable.account.as_str(), reachable.email.as_str(), &meters, &deadline.unwrap_or_default(), &number];
            write_row(&mut list, row).map_err(Failure::Unwritable)?;
        }
        let count = due.len() as u64;
        if count > 0 {
            let list = list.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
            let name = if lang == Lang::De { "erinnerungen.csv" } else { "reminders.csv" };
            self.keep(made(name, &list, count), CSV, list).await?;
        }
        self.outcome.mails = Some(RunMails { due: count, ..RunMails::default() });
        Ok(self.outcome)
    }

    /// Reminds the customers who are due now. A customer who got theirs is due no more, so that the next worker goes on with the others.
    pub(super) async fn remind(
        mut self,
        filter: Option<&OpenFilter>,
        mailer: &Mailer,
        (clock, reached): (Clock, &Reached),
    ) -> Result<RunOutcome, Failure> {
        let (tenant, zone) = self.reminding().await?;
        let chosen = self.chosen(filter, &tenant, &zone).await?;
        let courier = &Courier::new(self.store, mailer, &tenant, None).await?;
        let mut mails = self.outcome.mails.take().unwrap_or_default();
        // What an earlier worker did, so that one who goes on comes further.
        reached.set(mails.done(), mails.done());
        // Customers who cannot be reached today stay due.
        mails = RunMails { sent: mails.sent, ..RunMails::default() };
        let mut cursor: Option<String> = None;
        loop {
            let today = clock.now().to_zoned(zone.clone()).date();
            let (due, next) = reminders::due(self.store, &tenant.application, chosen, &zone, today, cursor.as_deref()).await?;
            reached.expect(due.len());
            let told = reminders::remind(self.store, courier, &tenant.application, &due, |_, outcome| {
                count_mail(&mut mails, &outcome);
                reached.add(1);
            });
            let told = told.await;
            // Also where the rest finds no room: whoever reads that the run was given up wants to know how many it reached.
            self.outcome.mails = Some(mails.clone());
            self.note(false).await?;
            told?;
            cursor = next;
            // The day's recipients are used up; later there are others.
            if cursor.is_none() || mails.later > 0 {
                return Ok(self.outcome);
            }
        }
    }

    /// Of which open jobs alone, as they were when it was asked for.
    ///
    /// # Errors
    /// [`Failure::Refused`] when there is none; the store's.
    async fn chosen<'f>(&self, filter: Option<&'f OpenFilter>, tenant: &Tenant, zone: &TimeZone) -> Result<Chosen<'f>, Failure> {
        let chosen = filter.map(|filter| (filter, self.run.new.asked.to_zoned(zone.clone()).date()));
        // A customer who was reminded by the worker before may have answered since.
        let Some((_, day)) = chosen.filter(|_| self.outcome.mails.is_none()) else { return Ok(chosen) };
        let mut recipients = Recipients::all(self.store, &tenant.application, chosen);
        while let Some(found) = recipients.next().await? {
            if !found.is_empty() {
                return Ok(chosen);
            }
        }
        recipients.refuse_nobody(day).await?;
        Ok(chosen)
    }

    async fn reminding(&self) -> Result<(Tenant, TimeZone), Failure> {
        let tenant = self.in_effect().await?;
        if let Some((_, reason)) = reminders::in_the_way(&tenant.application) {
            return Err(Failure::Refused(reason));
        }
        let zone = TimeZone::get(&tenant.application.time_zone);
        let zone = zone.map_err(|error| Failure::Refused(text!("die Zeitzone: {error}", "the time zone: {error}")))?;
        Ok((tenant, zone))
    }
}
