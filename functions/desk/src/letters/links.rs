//! How long links live that are made after the jobs that they lead to.

use domain::config::Application;
use domain::ids::AccountId;
use domain::model::JobMaster;
use domain::{link, window};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::Store;

use super::open_jobs;
use crate::{Failure, patiently};

/// When links end that are made today for a customer with these open jobs.
pub(crate) fn end<'a>(application: &Application, open: impl IntoIterator<Item = &'a JobMaster>, today: Date) -> Timestamp {
    window::end_of(link::last_day(application, open, today), &zone(application)).unwrap_or(Timestamp::MAX)
}

/// Puts off the end of the account's links before another one is made or printed: an import may have ended them, though its jobs can still be read (D-LOGIN-2).
///
/// # Errors
/// The store's.
pub async fn put_off(store: &Store, application: &Application, account: &AccountId, now: Timestamp) -> Result<(), Failure> {
    let tenant = &application.application_id;
    let today = now.to_zoned(zone(application)).date();
    let open = open_jobs(store, tenant, application, account, None, today).await?;
    let end = end(application, open.iter().map(|job| &job.master), today);
    Ok(patiently(|| store.put_off_links(tenant, account, end)).await?)
}

fn zone(application: &Application) -> TimeZone {
    TimeZone::get(&application.time_zone).unwrap_or(TimeZone::UTC)
}
