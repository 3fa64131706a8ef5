//! How many letters and invitations the runs of a day may make, held against a run's total before its first part.

use domain::config::{Application, DayLimits};
use domain::text;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::{Run, RunState, RunTask};

use super::Shelf;
use crate::{Failure, patiently};

/// The results of runs that are limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limited {
    /// Letters that can be handed over: drawn by a run that was not cancelled and did not fail, and not called back.
    Letters,
    /// Invitations by mail.
    Invitations,
}

impl Limited {
    fn limit(self, limits: &DayLimits) -> u64 {
        match self {
            Self::Letters => limits.letters_per_day,
            Self::Invitations => limits.invitations_per_day,
        }
    }

    /// The number of them that a run made.
    fn made(self, run: &Run) -> u64 {
        let counts = run.state == RunState::Done && run.letters_end.as_ref().is_none_or(|end| end.handed_over);
        match (self, &run.new.task, &run.outcome) {
            (Self::Letters, RunTask::Letters(_), Some(outcome)) if counts => outcome.letters.as_ref().map_or(0, |letters| letters.letters),
            (Self::Invitations, RunTask::Invitations { .. }, Some(outcome)) => outcome.mails.as_ref().map_or(0, |mails| mails.sent),
            _ => 0,
        }
    }
}

impl Shelf<'_> {
    /// Whether this run may make so many, beside what the others of the same day made.
    ///
    /// # Errors
    /// [`Failure::Refused`] with limit, what is used, and what to do; the store's.
    pub(super) async fn within_day(&self, what: Limited, total: u64, application: &Application, now: Timestamp) -> Result<(), Failure> {
        let limit = what.limit(&application.desk.limits);
        let zone = TimeZone::get(&application.time_zone).unwrap_or(TimeZone::UTC);
        let day = |at: Timestamp| at.to_zoned(zone.clone()).date();
        let is_another = |run: &Run| run.new.id != self.run.new.id && day(run.ended.unwrap_or(run.new.asked)) == day(now);
        let others = patiently(|| self.store.runs(self.tenant, usize::MAX, is_another)).await?;
        let used: u64 = others.iter().map(|run| what.made(run)).sum();
        if used + total <= limit {
            return Ok(());
        }
        Err(Failure::Refused(match what {
            Limited::Letters => text!(
                "Am Tag sind höchstens {limit} neue Anschreiben erlaubt; heute wurden schon {used} gedruckt, dieser Lauf wären {total}. Drucken Sie weniger (eine Saison, ausgewählte Zugänge), warten Sie bis morgen, oder erhöhen Sie die Grenze unter „Einstellungen“, „Portal und Arbeit“.",
                "At most {limit} new letters a day are allowed; {used} were drawn today, this run would be {total}. Draw fewer (one season, chosen accounts), wait until tomorrow, or raise the limit under “Settings”, “Portal and work”."
            ),
            Limited::Invitations => text!(
                "Am Tag sind höchstens {limit} Einladungen per E-Mail erlaubt; heute gingen schon {used} hinaus, dieser Lauf wären {total}. Laden Sie weniger ein (eine Saison), warten Sie bis morgen, oder erhöhen Sie die Grenze unter „Einstellungen“, „Portal und Arbeit“.",
                "At most {limit} invitations by mail a day are allowed; {used} went out today, this run would be {total}. Invite fewer (one season), wait until tomorrow, or raise the limit under “Settings”, “Portal and work”."
            ),
        }))
    }
}
