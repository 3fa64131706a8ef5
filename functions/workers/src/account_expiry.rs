//! Takes the logins from accounts that have ended, and asks for the erasure of accounts that have had no jobs for as long as personal
//! data is kept.

use futures::future::try_join_all;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use runtime::BoxError;
use store::{ListedAccount, Store, Tenant};

use crate::retention::before;
use crate::run::{Run, Tally};
use crate::tenants::{self, Step};

pub(crate) async fn account_expiry(run: Run) -> Result<Tally, BoxError> {
    let store = run.clients.store()?;
    let run = &run;
    tenants::for_each(run, "account_expiry", tenants::WEEK, |tenant, position| async move { step(store, &tenant, position, run).await })
        .await
}

async fn step(store: &Store, tenant: &Tenant, position: Option<String>, run: &Run) -> Result<Step, BoxError> {
    let application = &tenant.application;
    let id = &application.application_id;
    let mut tally = Tally::default();
    if application.retention.legal_hold {
        return Ok(Step { tally, next: None });
    }
    let today = run.now.to_zoned(TimeZone::get(&application.time_zone)?).date();
    let long_ago = before(run.now, application.retention.personal_data_days);
    let (accounts, next) = store.accounts(id, position.as_deref()).await?;
    tally.add("seen", accounts.len());
    // What was shared ends with the account that it was shared from.
    let owners: Vec<_> = accounts.iter().filter(|account| !account.is_share).collect();
    // At once, because one after the other a large tenant's would take longer than a day.
    let have_jobs = try_join_all(owners.iter().map(|account| store.has_jobs(id, &account.id))).await?;
    for (account, has_jobs) in owners.into_iter().zip(have_jobs) {
        if has_ended(account, today) && account.has_logins {
            let went = store.end_logins(id, &account.id, today).await?;
            tally.add("ended", usize::from(went > 0));
        }
        match account.jobless_since {
            _ if has_jobs && account.jobless_since.is_some() => store.note_jobless(id, &account.id, None).await?,
            None if !has_jobs => store.note_jobless(id, &account.id, Some(run.now)).await?,
            Some(since) if is_over(since, long_ago) && store.hold_of(id, &account.id).await?.is_none() => {
                store.request_erasure(id, &account.id, run.now).await?;
                tally.add("erasures", 1);
            }
            _ => {}
        }
    }
    Ok(Step { tally, next })
}

/// The account's last day is over.
fn has_ended(account: &ListedAccount, today: Date) -> bool {
    account.valid_until.is_some_and(|last| last < today)
}

fn is_over(since: Timestamp, long_ago: Option<Timestamp>) -> bool {
    long_ago.is_some_and(|long_ago| since < long_ago)
}
