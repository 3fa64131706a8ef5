//! A customer on one screen: a bounded number of reads for every customer.

use domain::ids::{AccountId, JobId, TenantId};
use domain::login::fold_name;
use futures::{StreamExt as _, TryStreamExt as _, stream, try_join};
use jiff::Timestamp;
use store::{Account, ClearingEntry, Customer, JobsPage, LoginTries, Store, StoredJob};

use crate::{Failure, patiently};

/// Jobs of one page; an account with more is a manager.
const JOBS: u32 = 25;
/// Pages without a job after which the caller has to ask for the next ones.
const PAGES_IN_VAIN: usize = 8;
/// Ledgers that are read at once.
const AT_ONCE: usize = 8;

/// A job with every reading of it, the first one first.
#[derive(Debug, Clone)]
pub struct JobFile {
    /// The job.
    pub job: StoredJob,
    /// Its readings.
    pub readings: Vec<ClearingEntry>,
}

/// Some of a customer's jobs.
#[derive(Debug, Clone)]
pub struct JobFiles {
    /// The jobs, by id.
    pub jobs: Vec<JobFile>,
    /// For the next ones; none: these were the last.
    pub next_cursor: Option<String>,
}

/// The file of a customer, for staff.
#[derive(Debug, Clone)]
pub struct CustomerFile {
    /// The account, with mails, sessions and shares.
    pub customer: Customer,
    /// How logins with the user name went lately.
    pub tries: LoginTries,
    /// The first of the jobs.
    pub jobs: JobFiles,
}

/// A customer with the first 25 jobs, or those after a cursor; none: there is no such customer.
///
/// # Errors
/// The store's.
pub async fn file(
    store: &Store,
    tenant: &TenantId,
    account: &AccountId,
    cursor: Option<&str>,
    now: Timestamp,
) -> Result<Option<CustomerFile>, Failure> {
    let (customer, jobs) = try_join!(
        async { Ok::<_, Failure>(patiently(|| Box::pin(store.customer(tenant, account, now))).await?) },
        jobs(store, tenant, account, cursor)
    )?;
    let Some(customer) = customer else { return Ok(None) };
    let tries = match customer.account.username.as_deref().map(fold_name) {
        Some(name) => patiently(|| store.login_tries(tenant, &name, now)).await?,
        None => LoginTries::default(),
    };
    Ok(Some(CustomerFile { customer, tries, jobs }))
}

/// At most 25 jobs of a customer with their readings: those of [`some_jobs`], and one query for each.
///
/// # Errors
/// The store's.
pub async fn jobs(store: &Store, tenant: &TenantId, account: &AccountId, cursor: Option<&str>) -> Result<JobFiles, Failure> {
    let page = some_jobs(store, tenant, account, JOBS, cursor).await?;
    let files = page.jobs.into_iter().map(|job| async move {
        let readings = patiently(|| store.readings_of_job(tenant, &job.master.id)).await?;
        Ok::<_, Failure>(JobFile { job, readings })
    });
    let jobs = stream::iter(files.collect::<Vec<_>>()).buffered(AT_ONCE).try_collect().await?;
    Ok(JobFiles { jobs, next_cursor: page.next_cursor })
}

/// A page of a customer's jobs, which has one at least, unless there is none or so many pages in a row have none: jobs that were closed unread are not shown,
/// and fill pages as others do.
pub(crate) async fn some_jobs(
    store: &Store,
    tenant: &TenantId,
    account: &AccountId,
    limit: u32,
    cursor: Option<&str>,
) -> Result<JobsPage, Failure> {
    let mut page = patiently(|| store.jobs(tenant, account, limit, cursor)).await?;
    for _ in 1..PAGES_IN_VAIN {
        let Some(next) = page.next_cursor.as_deref().filter(|_| page.jobs.is_empty()) else { break };
        page = patiently(|| store.jobs(tenant, account, limit, Some(next))).await?;
    }
    Ok(page)
}

/// A job with its readings and whose it is; none: there is no such job.
///
/// # Errors
/// The store's.
pub async fn job(store: &Store, tenant: &TenantId, job: &JobId) -> Result<Option<(JobFile, Option<Account>)>, Failure> {
    let (found, readings) = try_join!(patiently(|| store.job_by_id(tenant, job)), patiently(|| store.readings_of_job(tenant, job)))?;
    let Some(job) = found else { return Ok(None) };
    let account = patiently(|| store.account(tenant, &job.account_id)).await?;
    Ok(Some((JobFile { job, readings }, account)))
}
