//! How long a link logs a customer in without a password: as long as its jobs can be sent (D-LOGIN-2).

use jiff::{ToSpan, civil::Date};

use crate::config::Application;
use crate::job::resolved_config;
use crate::model::JobMaster;
use crate::window::last_sending_day;

/// Days that a link lives for a job without a deadline.
const DAYS_WITHOUT_DEADLINE: i32 = 180;

/// Days that a link lives at least.
const LEAST_DAYS: i32 = 30;

/// Last day of a link that is made today, as far as its jobs go; without any it lives 30 days.
pub fn last_day<'a>(application: &Application, jobs: impl IntoIterator<Item = &'a JobMaster>, today: Date) -> Date {
    let least = today.saturating_add(LEAST_DAYS.days());
    jobs.into_iter().map(|job| last_day_for(application, job, today)).fold(least, Date::max)
}

/// Last day of a link as far as one of its jobs goes, which it leads to since this day: that on which the job can be sent; without a
/// deadline 180 days later, and 30 days later at the earliest.
pub fn last_day_for(application: &Application, job: &JobMaster, since: Date) -> Date {
    let last = last_sending_day(&job.job_constraints, &resolved_config(application, job).features);
    let least = since.saturating_add(LEAST_DAYS.days());
    last.unwrap_or_else(|| since.saturating_add(DAYS_WITHOUT_DEADLINE.days())).max(least)
}
