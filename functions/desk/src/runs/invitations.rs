//! Invitations by mail as runs: who would get one, and sending them now.

use domain::ids::SeasonId;
use domain::open_filter::OpenFilter;
use domain::text::Lang;
use jiff::tz::TimeZone;
use mail::Mailer;
use store::{RunMails, RunOutcome, Tenant};

use super::limits::Limited;
use super::{CSV, Shelf, count_mail, made};
use crate::invitations::{self, Plan};
use crate::letters::Day;
use crate::mailing::Courier;
use crate::recipients::Recipients;
use crate::spreadsheet::{begin_table, write_row};
use crate::{Clock, Failure, Reached};

/// After so many it is noted how far it is.
const NOTED: usize = 100;

/// Of which season, and with which open jobs.
type To<'a> = (Option<&'a SeasonId>, Option<&'a OpenFilter>);

impl Shelf<'_> {
    /// Lists who is due now; no mail is sent.
    pub(super) async fn list_invitations(mut self, (to, lang): (To<'_>, Lang), clock: Clock) -> Result<RunOutcome, Failure> {
        let (_, Plan { due, .. }) = self.invited(to, clock).await?;
        if !due.is_empty() {
            let mut list = begin_table();
            let heads = match lang {
                Lang::De => ["Zugang", "E-Mail", "offene Zähler", "Frist"],
                Lang::En => ["account", "e-mail", "open meters", "deadline"],
            };
            write_row(&mut list, heads).map_err(Failure::Unwritable)?;
            for one in &due {
                let email = one.invitee.email().map(|email| email.as_str().to_owned()).unwrap_or_default();
                let deadline = one.deadline.map(|day| if lang == Lang::De { Day(day).to_string() } else { day.to_string() });
                let row = [one.invitee.account.id.as_str(), &email, &one.meters.to_string(), &deadline.unwrap_or_default()];
                write_row(&mut list, row).map_err(Failure::Unwritable)?;
            }
            let list = list.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
            let name = if lang == Lang::De { "einladungen.csv" } else { "invitations.csv" };
            self.keep(made(name, &list, due.len() as u64), CSV, list).await?;
        }
        self.outcome.mails = Some(RunMails { due: due.len() as u64, ..RunMails::default() });
        Ok(self.outcome)
    }

    /// Invites the customers who are due now. A customer who got theirs is due no more, so that the next worker goes on with the others.
    pub(super) async fn invite(mut self, to: To<'_>, mailer: &Mailer, (clock, reached): (Clock, &Reached)) -> Result<RunOutcome, Failure> {
        let (tenant, Plan { due, .. }) = self.invited(to, clock).await?;
        let courier = &Courier::new(self.store, mailer, &tenant, None).await?;
        let before = self.outcome.mails.take().unwrap_or_default();
        self.within_day(Limited::Invitations, before.sent + due.len() as u64, &tenant.application, clock.now()).await?;
        reached.set(before.done(), before.done() + due.len() as u64);
        // Customers who could not be reached are due again.
        let mut mails = RunMails { sent: before.sent, ..RunMails::default() };
        for some in due.chunks(NOTED) {
            let told = invitations::send_all(self.store, courier, &tenant, some, |_, outcome| {
                count_mail(&mut mails, &outcome);
                reached.add(1);
            });
            let told = told.await;
            // Also where the rest finds no room: whoever reads that the run was given up wants to know how many it reached.
            self.outcome.mails = Some(mails.clone());
            self.note(false).await?;
            told?;
            // The day's recipients are used up; later there are others.
            if mails.later > 0 {
                break;
            }
        }
        self.outcome.mails = Some(mails);
        Ok(self.outcome)
    }

    async fn invited(&self, (season, filter): To<'_>, clock: Clock) -> Result<(Tenant, Plan), Failure> {
        let tenant = self.in_effect().await?;
        let now = clock.now();
        let zone = TimeZone::get(&tenant.application.time_zone).unwrap_or(TimeZone::UTC);
        let today = now.to_zoned(zone.clone()).date();
        // What a filter means is what it meant when it was chosen, for every worker that goes on with it later.
        let chosen = filter.map(|filter| (filter, self.run.new.asked.to_zoned(zone).date()));
        let mut recipients = Recipients::all(self.store, &tenant.application, chosen);
        let plan = invitations::plan(self.store, self.tenant, &tenant.application, season, &mut recipients, now, today).await?;
        // A customer who was invited by the worker before may have answered since.
        if self.outcome.mails.is_none() {
            recipients.refuse_nobody(today).await?;
        }
        Ok((tenant, plan))
    }
}
