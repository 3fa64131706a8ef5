//! Customers, jobs and readings as staff look them up, and who has not answered yet.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use domain::config::Application;
use domain::device::DeviceKind;
use domain::ids::{AccountId, JobId, SeasonId, TenantId};
use domain::job::resolved_config;
use domain::meter::job_meter_type;
use domain::model::{Channel, JobMaster, LoginKind, MeterType, ReadingEvent};
use domain::open_filter::OpenFilter;
use domain::pass_through::PassThrough;
use domain::search::{Search, Unsearchable};
use domain::value::MeterValue;
use domain::{text, window};
use futures::{StreamExt as _, TryStreamExt as _, stream, try_join};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::{Account, ClearingEntry, Contact, Entered, FoundPage, ListedJob, OpenJobsFilter, OpenPlace, Store, StoredJob, Tenant};

use crate::{Failure, known, patiently};

/// Pages without a hit after which a search ends: its words are too common.
const PAGES_IN_VAIN: usize = 8;
/// Accounts whose names and addresses are read at once.
const BATCH: usize = 50;
/// Batches that are under way together.
const AT_ONCE: usize = 8;

/// Rows of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// There are more, or more may be: the search was too general to be finished.
    pub more: bool,
}

/// The place of a meter.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub street: Option<String>,
    pub house_number: Option<String>,
    pub postcode: Option<String>,
    pub city: Option<String>,
    pub district: Option<String>,
}

/// A customer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountRow {
    pub account: AccountId,
    pub name: String,
    pub username: Option<String>,
    pub valid_until: Option<Date>,
    /// The job by which it was found, if it was by one.
    pub job: Option<JobId>,
    /// Its meter.
    pub meter_number: Option<String>,
    #[serde(flatten)]
    pub place: Place,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobRow {
    pub job: JobId,
    pub account: AccountId,
    pub name: String,
    pub season: SeasonId,
    pub meter_number: String,
    pub meter_type: MeterType,
    #[serde(flatten)]
    pub place: Place,
    pub location: Option<String>,
    pub ma_lo_id: Option<String>,
    pub me_lo_id: Option<String>,
    pub earliest: Option<Date>,
    pub deadline: Option<Date>,
    pub state: JobState,
    /// The values that were sent last, one for each rate.
    pub values: Vec<MeterValue>,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum JobState {
    /// A rate of it has no reading yet.
    Open,
    /// All of its rates have readings.
    Done,
    /// The utility no longer lists it.
    Closed,
}

/// A reading.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadingRow {
    pub job: JobId,
    pub reading: String,
    pub account: Option<AccountId>,
    pub meter_number: Option<String>,
    pub obis: String,
    pub date: Date,
    pub value: MeterValue,
    pub channel: Channel,
    /// Through which kind of login, if it was sent in the portal.
    pub login_kind: Option<LoginKind>,
    /// The member of the staff who entered it.
    pub entered_by: Option<String>,
    /// Why a value was entered that was warned of.
    pub confirmed_reason: Option<String>,
    /// Why it was entered although the time was over or the register had been read.
    pub late_reason: Option<String>,
    pub created: Timestamp,
    pub comment: Option<String>,
    /// A clerk's decision: true, it counts.
    pub released: Option<bool>,
    pub reason: Option<String>,
    pub exported: bool,
}

/// An open job and whom to ask.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenRow {
    pub job: JobId,
    pub account: AccountId,
    pub season: SeasonId,
    pub name: String,
    pub company: Option<String>,
    pub firstname: Option<String>,
    pub lastname: Option<String>,
    #[serde(flatten)]
    pub place: Place,
    pub meter_number: String,
    pub meter_type: MeterType,
    pub location: Option<String>,
    pub earliest: Option<Date>,
    pub deadline: Option<Date>,
    /// The deadline is over; readings may still be taken for some days.
    pub overdue: bool,
    /// Readings of it are taken today.
    pub open: bool,
    /// An e-mail address is registered and confirmed.
    pub email: bool,
    /// The number under which the customer's service knows the customer.
    #[serde(skip)]
    pub customer_number: String,
    #[serde(skip)]
    pub ma_lo_id: Option<String>,
    #[serde(skip)]
    pub me_lo_id: Option<String>,
    /// What the utility's file said to itself.
    #[serde(skip)]
    pub pass_through: PassThrough,
}

/// Where the meter hangs; where the file does not say that, where its customer gets letters.
fn place(job: &JobMaster) -> Place {
    let address = &job.meter.meter_address;
    let mailing = job.customer.as_ref().and_then(|customer| customer.mailing_address.as_ref());
    if let (None, None, Some(mailing)) = (&address.street, &address.zip, mailing) {
        return Place {
            street: mailing.street.clone(),
            house_number: mailing.house_number.clone(),
            postcode: mailing.zip.clone(),
            city: mailing.city.clone(),
            district: address.city_district.clone(),
        };
    }
    Place {
        street: address.street.clone(),
        house_number: address.house_number.clone(),
        postcode: address.zip.clone(),
        city: address.city.clone(),
        district: address.city_district.clone(),
    }
}

fn account_row(account: Account, job: Option<&StoredJob>) -> AccountRow {
    AccountRow {
        account: account.id,
        name: account.name,
        username: account.username,
        valid_until: account.valid_until,
        job: job.map(|job| job.master.id.clone()),
        meter_number: job.map(|job| job.master.meter.meter_number.clone()),
        place: job.map(|job| place(&job.master)).unwrap_or_default(),
    }
}

/// A job as a list shows it; `name` is its account's.
pub fn job_row(job: &StoredJob, name: String) -> JobRow {
    let master = &job.master;
    JobRow {
        job: master.id.clone(),
        account: job.account_id.clone(),
        name,
        season: job.season.clone(),
        meter_number: master.meter.meter_number.clone(),
        meter_type: job_meter_type(master),
        place: place(master),
        location: master.meter.meter_address.location_description.clone(),
        ma_lo_id: master.ma_lo_id.clone().or_else(|| master.meter.ma_lo_id.clone()),
        me_lo_id: master.me_lo_id.clone(),
        earliest: master.job_constraints.earliest_execution,
        deadline: master.job_constraints.latest_execution,
        state: match (job.closed, job.done) {
            (true, _) => JobState::Closed,
            (false, true) => JobState::Done,
            (false, false) => JobState::Open,
        },
        values: job.states.iter().filter_map(|state| Some(state.reading_results.last()?.reading_value.clone())).collect(),
    }
}

/// A reading as a list shows it.
pub fn reading_row(reading: ClearingEntry) -> ReadingRow {
    let exported = !reading.sent.is_empty();
    let (entry, clearing) = (reading.entry, reading.clearing);
    let (entered_by, confirmed_reason, late_reason) = match entry.entered {
        Some(Entered { by, confirmed, late }) => (Some(by), confirmed, late),
        None => (None, None, None),
    };
    ReadingRow {
        job: entry.job_id,
        reading: entry.result_id,
        account: entry.account_id,
        meter_number: entry.meter_number,
        obis: entry.obis,
        date: entry.reading_date,
        value: entry.reading_value,
        channel: entry.channel,
        login_kind: entry.login_kind,
        entered_by,
        confirmed_reason,
        late_reason,
        created: entry.created,
        comment: entry.comment,
        released: clearing.as_ref().map(|clearing| clearing.released),
        reason: clearing.and_then(|clearing| clearing.reason),
        exported,
    }
}

fn parsed(find: &str) -> Result<Search, Failure> {
    Search::parse(find).map_err(|Unsearchable::TooGeneral| {
        Failure::Refused(text!(
            "die Suche braucht einen Namen, eine Straße oder mindestens vier Zeichen einer Nummer",
            "the search needs a name, a street, or four characters of a number at least"
        ))
    })
}

/// Pages until there are enough rows, or nothing comes any more, or so many pages in a row had none.
async fn gathered<T, R, F>(
    limit: usize,
    most_in_vain: Option<usize>,
    page: impl Fn(Option<String>) -> F,
    row: impl Fn(T) -> Option<(String, R)>,
) -> Result<Rows<R>, Failure>
where
    F: Future<Output = Result<FoundPage<T>, Failure>>,
{
    let (mut rows, mut seen) = (Vec::new(), BTreeSet::new());
    let (mut cursor, mut in_vain) = (None, 0);
    loop {
        let next = page(cursor).await?;
        let before = rows.len();
        for (name, row) in next.found.into_iter().filter_map(&row) {
            if rows.len() == limit {
                return Ok(Rows { rows, more: true });
            }
            // Under another of its words it may come again.
            if seen.insert(name) {
                rows.push(row);
            }
        }
        in_vain = if rows.len() > before { 0 } else { in_vain + 1 };
        cursor = next.next_cursor;
        if cursor.is_none() || Some(in_vain) == most_in_vain {
            return Ok(Rows { rows, more: cursor.is_some() });
        }
    }
}

/// One page of the customers with all words of the search: at most three reads.
///
/// # Errors
/// The store's.
pub async fn found(store: &Store, tenant: &TenantId, search: &Search, cursor: Option<&str>) -> Result<FoundPage<AccountRow>, Failure> {
    let page = patiently(|| store.find_accounts(tenant, search, cursor)).await?;
    let found = page.found.into_iter().map(|found| account_row(found.account, found.job.as_ref()));
    Ok(FoundPage { found: found.collect(), next_cursor: page.next_cursor })
}

/// One page of the jobs that the utility lists with all words of the search, open ones first: at most three reads.
///
/// # Errors
/// The store's.
pub async fn found_jobs(store: &Store, tenant: &TenantId, search: &Search, cursor: Option<&str>) -> Result<FoundPage<JobRow>, Failure> {
    let page = patiently(|| store.find_jobs(tenant, search, cursor)).await?;
    let mut found: Vec<_> = page.found.into_iter().map(|found| job_row(&found.job, found.account.name)).collect();
    found.sort_by_key(|row| row.state != JobState::Open);
    Ok(FoundPage { found, next_cursor: page.next_cursor })
}

/// At most `limit` customers with all words of the search; without one, in no order.
pub async fn accounts(store: &Store, tenant: &TenantId, find: Option<&str>, limit: usize) -> Result<Rows<AccountRow>, Failure> {
    known(store, tenant).await?;
    if let Some(find) = find {
        let search = &parsed(find)?;
        let page = |cursor: Option<String>| async move { Ok(patiently(|| store.find_accounts(tenant, search, cursor.as_deref())).await?) };
        return gathered(limit, Some(PAGES_IN_VAIN), page, |found| {
            Some((found.account.id.to_string(), account_row(found.account, found.job.as_ref())))
        })
        .await;
    }
    let page = |cursor: Option<String>| async move { Ok(patiently(|| store.account_page(tenant, cursor.as_deref())).await?) };
    // Accounts that were shared with stand among the customers: however many pages of them there are, a customer may come after.
    gathered(limit, None, page, |account: Account| account.share.is_none().then(|| (account.id.to_string(), account_row(account, None))))
        .await
}

/// At most `limit` jobs with all words of the search, or of all jobs, closed ones too; those of one season, if it is named.
pub async fn jobs(
    store: &Store,
    tenant: &TenantId,
    find: Option<&str>,
    season: Option<&SeasonId>,
    limit: usize,
) -> Result<Rows<JobRow>, Failure> {
    known(store, tenant).await?;
    let wanted = |of: &SeasonId| season.is_none_or(|season| season == of);
    if let Some(find) = find {
        let search = &parsed(find)?;
        let page = |cursor: Option<String>| async move { Ok(patiently(|| store.find_jobs(tenant, search, cursor.as_deref())).await?) };
        return gathered(limit, Some(PAGES_IN_VAIN), page, |found| {
            wanted(&found.job.season).then(|| (found.job.master.id.to_string(), job_row(&found.job, found.account.name)))
        })
        .await;
    }
    let mut rows = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.job_ids(tenant, cursor.as_deref())).await?;
        let listed: Vec<_> = page.jobs.into_iter().filter(|job| wanted(&job.season)).collect();
        for batch in listed.chunks(BATCH) {
            let jobs = patiently(|| store.listed_jobs(tenant, batch)).await?;
            let contacts = contacts(store, tenant, &jobs).await?;
            for job in jobs {
                if rows.len() == limit {
                    return Ok(Rows { rows, more: true });
                }
                let name = contacts.get(&job.account_id).map(|contact| contact.name.clone()).unwrap_or_default();
                rows.push(job_row(&job, name));
            }
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(Rows { rows, more: false });
        }
    }
}

/// The readings of at most `limit` jobs with all words of the search, of all years, by job and time.
pub async fn readings(store: &Store, tenant: &TenantId, find: &str, limit: usize) -> Result<Rows<ReadingRow>, Failure> {
    let jobs = jobs(store, tenant, Some(find), None, limit).await?;
    let mut rows = Vec::new();
    for job in &jobs.rows {
        rows.extend(patiently(|| store.readings_of_job(tenant, &job.job)).await?.into_iter().map(reading_row));
    }
    Ok(Rows { rows, more: jobs.more })
}

async fn contacts(store: &Store, tenant: &TenantId, jobs: &[StoredJob]) -> Result<HashMap<AccountId, Contact>, Failure> {
    let accounts: BTreeSet<AccountId> = jobs.iter().map(|job| job.account_id.clone()).collect();
    let accounts: Vec<_> = accounts.into_iter().collect();
    Ok(patiently(|| store.contacts(tenant, &accounts)).await?)
}

/// Open jobs that are read from the list at once.
const OPEN_AT_ONCE: usize = 500;
/// Rows of a page on a screen.
const OPEN_PAGE: usize = 100;
/// So long pages without a row that is wanted are passed over before an answer says that there was none yet: it takes one more page, and a request fifteen seconds.
const OPEN_IN_VAIN: Duration = Duration::from_secs(4);
/// Open jobs that are counted one by one; of more it is said that there are more.
const MOST_COUNTED: usize = 10_000;

/// A page of who has not answered.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenPage {
    /// Some of the rows, at most a hundred; none, although there is a next page: the filter wants none of those that were looked at.
    pub rows: Vec<OpenRow>,
    /// How many open jobs the filter wants, and whether there are more than that; none: not the first page, or only a look at each job or customer would tell.
    pub count: Option<(usize, bool)>,
    /// For the next rows; none: these were the last.
    pub next_cursor: Option<String>,
}

/// A page of the open jobs that the filter wants, by postcode, street and house number: as many reads for ten jobs as for ten million, unless pages are in vain.
///
/// # Errors
/// The store's.
pub async fn open_page(
    store: &Store,
    tenant: &TenantId,
    filter: &OpenFilter,
    cursor: Option<&str>,
    now: Timestamp,
) -> Result<OpenPage, Failure> {
    let settings = known(store, tenant).await?;
    let today = today(&settings, now);
    let listed = of_list(filter, today);
    let counted = cursor.is_none() && filter.email.is_none() && filter.in_district.is_none();
    let count = async {
        match counted {
            true => patiently(|| store.count_open_jobs(tenant, &listed, MOST_COUNTED)).await.map(Some),
            false => Ok(None),
        }
    };
    let look = async {
        let began = Instant::now();
        let mut next_cursor = cursor.map(str::to_owned);
        loop {
            let page = patiently(|| store.open_jobs(tenant, &listed, OPEN_PAGE, next_cursor.as_deref())).await?;
            let rows = open_rows(store, tenant, &page.jobs, filter, &settings.application, today).await?;
            next_cursor = page.next_cursor;
            if !rows.is_empty() || next_cursor.is_none() || began.elapsed() >= OPEN_IN_VAIN {
                return Ok((rows, next_cursor));
            }
        }
    };
    let count = async { count.await.map_err(Failure::from) };
    let ((rows, next_cursor), count) = try_join!(look, count)?;
    Ok(OpenPage { rows, count, next_cursor })
}

/// How long a list may be while a member waits for its end.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// Its rows.
    pub rows: usize,
    /// The jobs that are looked at for them: whose customers have an address, the list of open jobs does not say.
    pub looked_at: usize,
}

/// All open jobs that the filter wants, by postcode, street and house number.
///
/// # Errors
/// [`Failure::TooLong`]: there are more than `most`; and the store's.
pub async fn open(
    store: &Store,
    tenant: &TenantId,
    filter: &OpenFilter,
    most: Option<Most>,
    now: Timestamp,
) -> Result<Vec<OpenRow>, Failure> {
    let settings = known(store, tenant).await?;
    let today = today(&settings, now);
    let listed = of_list(filter, today);
    let (mut rows, mut looked_at, mut place) = (Vec::new(), 0, None);
    loop {
        let (jobs, next) = patiently(|| store.open_jobs_behind(tenant, &listed, OPEN_AT_ONCE, place.as_ref())).await?;
        looked_at += jobs.len();
        if let Some(most) = most.filter(|most| looked_at > most.looked_at) {
            return Err(Failure::TooLong { limit: most.looked_at });
        }
        rows.extend(open_rows(store, tenant, &jobs, filter, &settings.application, today).await?);
        if let Some(most) = most.filter(|most| rows.len() > most.rows) {
            return Err(Failure::TooLong { limit: most.rows });
        }
        place = next;
        if place.is_none() {
            return Ok(rows);
        }
    }
}

/// The accounts whose jobs are on a page of the list that this filter makes, and where the next page begins; an account with several may come on each.
///
/// # Errors
/// The store's.
pub(crate) async fn owners_of_open(
    store: &Store,
    application: &Application,
    filter: &OpenFilter,
    today: Date,
    place: Option<&OpenPlace>,
) -> Result<(Vec<AccountId>, Option<OpenPlace>), Failure> {
    let (tenant, listed) = (&application.application_id, of_list(filter, today));
    let (jobs, next) = patiently(|| store.open_jobs_behind(tenant, &listed, OPEN_AT_ONCE, place)).await?;
    let rows = open_rows(store, tenant, &jobs, filter, application, today).await?;
    Ok((rows.into_iter().map(|row| row.account).collect(), next))
}

async fn open_rows(
    store: &Store,
    tenant: &TenantId,
    listed: &[ListedJob],
    filter: &OpenFilter,
    application: &Application,
    today: Date,
) -> Result<Vec<OpenRow>, Failure> {
    let batches = listed.chunks(BATCH).map(|batch| async move {
        let mut jobs = patiently(|| store.listed_jobs(tenant, batch)).await?;
        // A reading may have come since.
        jobs.retain(|job| is_wanted(job, filter, today));
        let contacts = contacts(store, tenant, &jobs).await?;
        let row = |job: &StoredJob| open_row(job, contacts.get(&job.account_id), application, today);
        let found = jobs.iter().map(row).filter(|row| filter.email.is_none_or(|wanted| wanted == row.email));
        Ok::<_, Failure>(found.collect::<Vec<_>>())
    });
    let found: Vec<_> = stream::iter(batches.collect::<Vec<_>>()).buffered(AT_ONCE).try_collect().await?;
    Ok(found.into_iter().flatten().collect())
}

fn today(settings: &Tenant, now: Timestamp) -> Date {
    let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
    now.to_zoned(zone).date()
}

/// What of a filter the list of open jobs knows.
fn of_list(filter: &OpenFilter, today: Date) -> OpenJobsFilter {
    let overdue = filter.overdue.then(|| today.yesterday().unwrap_or(today));
    OpenJobsFilter {
        season: filter.season.clone(),
        meter_types: filter.meter_types.iter().copied().collect(),
        // Of a district that is named in full, too: the list knows words, and which part of the address they are of says only the job.
        district: [&filter.district, &filter.in_district]
            .into_iter()
            .flatten()
            .flat_map(|district| domain::search::words(district))
            .collect(),
        due_until: filter.due_until.into_iter().chain(overdue).min(),
    }
}

/// Whether a job is on the list that this filter makes of it; whether its customer has an address, the job does not say.
pub(crate) fn is_wanted(job: &StoredJob, filter: &OpenFilter, today: Date) -> bool {
    let deadline = job.master.job_constraints.latest_execution;
    let address = &job.master.meter.meter_address;
    let begins_so = |wanted: &str| {
        let wanted = domain::search::words(wanted);
        let parts = [&address.zip, &address.city, &address.city_district];
        let words: Vec<_> = parts.into_iter().flatten().flat_map(|part| domain::search::words(part)).collect();
        // As the list that is counted: each word begins one of postcode, town and district.
        wanted.iter().all(|wanted| words.iter().any(|word| word.starts_with(wanted.as_str())))
    };
    !job.done
        && !job.closed
        && filter.season.as_ref().is_none_or(|season| job.season == *season)
        && (filter.meter_types.is_empty() || filter.meter_types.contains(&job_meter_type(&job.master)))
        && filter.district.as_deref().is_none_or(begins_so)
        && (filter.in_district.is_none() || filter.in_district == address.city_district)
        && filter.due_until.is_none_or(|day| deadline.is_some_and(|deadline| deadline <= day))
        && (!filter.overdue || deadline.is_some_and(|deadline| deadline < today))
}

fn open_row(job: &StoredJob, contact: Option<&Contact>, application: &Application, today: Date) -> OpenRow {
    let master = &job.master;
    let (address, customer) = (&master.meter.meter_address, master.customer.as_ref());
    let of = |theirs: &Option<String>, other: Option<&Option<String>>| theirs.clone().or_else(|| other.cloned().flatten());
    let features = &resolved_config(application, master).features;
    let deadline = master.job_constraints.latest_execution;
    OpenRow {
        job: master.id.clone(),
        account: job.account_id.clone(),
        season: job.season.clone(),
        name: contact.map(|contact| contact.name.clone()).unwrap_or_default(),
        company: of(&address.company, customer.map(|customer| &customer.company)),
        firstname: of(&address.firstname, customer.map(|customer| &customer.firstname)),
        lastname: of(&address.lastname, customer.map(|customer| &customer.lastname)),
        place: place(master),
        meter_number: master.meter.meter_number.clone(),
        meter_type: job_meter_type(master),
        location: address.location_description.clone(),
        earliest: master.job_constraints.earliest_execution,
        deadline,
        overdue: deadline.is_some_and(|deadline| deadline < today),
        open: window::sending(&master.job_constraints, features, today) == window::Sending::Open,
        email: contact.is_some_and(|contact| contact.has_email),
        customer_number: customer.and_then(|customer| customer.customer_number.clone()).unwrap_or_else(|| job.account_id.to_string()),
        ma_lo_id: master.ma_lo_id.clone().or_else(|| master.meter.ma_lo_id.clone()),
        me_lo_id: master.me_lo_id.clone(),
        pass_through: job.pass_through.clone(),
    }
}

/// Everything about a customer that staff need while they talk to them.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomerPage {
    #[serde(flatten)]
    pub account: AccountRow,
    pub language: Option<String>,
    pub jobs: Vec<JobPage>,
    pub records: Vec<Record>,
}

/// What there is about a customer beside jobs and readings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Record {
    /// The e-mail address for receipts and reminders.
    Registration {
        /// As it was confirmed.
        email: Option<String>,
        /// Not confirmed yet.
        pending_email: Option<String>,
        /// Its owner has declined reminders.
        no_reminders: bool,
    },
    /// A mail was sent; `mail` is its kind.
    Mail { mail: String, at: Timestamp },
    /// The last invitation by mail, and the last letter of a season's.
    Invitation {
        at: Option<Timestamp>,
        /// The time at which the letter was drawn.
        letter_at: Option<Timestamp>,
        /// The time at which it came back.
        letter_returned_at: Option<Timestamp>,
    },
    /// The last reminder.
    Reminder { at: Timestamp },
    /// A login.
    Session { login: LoginKind, device: DeviceKind, opened: Timestamp, used: Timestamp },
    /// A recipient was given access to some of the jobs.
    Share { share: AccountId, name: String, username: String, jobs: usize, at: Timestamp },
}

/// What a record of a disclosure says to staff; none: nothing.
fn record(record: &Value) -> Option<Record> {
    fn of<T: DeserializeOwned>(value: &Value) -> Option<T> {
        T::deserialize(value).ok()
    }
    // Stored as JSON text.
    fn code<T: DeserializeOwned>(value: &Value) -> Option<T> {
        serde_json::from_str(value.as_str()?).ok()
    }
    let at = |name: &str| Timestamp::from_millisecond(record[name].as_i64()?).ok();
    Some(match record["kind"].as_str()? {
        "registration" => Record::Registration {
            email: of(&record["email"]),
            pending_email: of(&record["pendingEmail"]),
            no_reminders: record["noReminders"] == true,
        },
        "mail" => Record::Mail { mail: of(&record["mailKind"])?, at: at("created")? },
        "invitation" => Record::Invitation { at: at("invitedAt"), letter_at: at("letteredAt"), letter_returned_at: at("returnedAt") },
        "reminders" => Record::Reminder { at: of(&record["reminded"]["last"])? },
        "session" => Record::Session {
            login: code(&record["login"])?,
            device: code(&record["device"])?,
            opened: at("openedAt")?,
            used: at("usedAt")?,
        },
        "share" => Record::Share {
            share: of(&record["shareId"])?,
            name: of(&record["shareName"])?,
            username: of(&record["username"])?,
            jobs: record["jobIds"].as_array().map_or(0, Vec::len),
            at: of(&record["created"])?,
        },
        _ => return None,
    })
}

/// A job with its readings.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobPage {
    #[serde(flatten)]
    pub job: JobRow,
    /// The earlier readings that the utility brought along.
    pub earlier: Vec<EarlierReading>,
    /// The readings that were sent, the first one first.
    pub readings: Vec<ReadingRow>,
}

/// An earlier reading of a rate.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EarlierReading {
    pub obis: String,
    pub date: Date,
    pub value: MeterValue,
}

async fn job_page(store: &Store, tenant: &TenantId, job: &StoredJob, name: String) -> Result<JobPage, Failure> {
    let readings = patiently(|| store.readings_of_job(tenant, &job.master.id)).await?;
    let tasks = job.master.meter.meter_rate_tasks.iter();
    let earlier = tasks.flat_map(|task| {
        let reading =
            |event: &ReadingEvent| EarlierReading { obis: task.obis.clone(), date: event.reading_date, value: event.reading_value.clone() };
        task.reading_events.iter().map(reading)
    });
    Ok(JobPage { earlier: earlier.collect(), readings: readings.into_iter().map(reading_row).collect(), job: job_row(job, name) })
}

/// A job's page; none: there is no such job.
pub async fn job(store: &Store, tenant: &TenantId, job: &JobId) -> Result<Option<JobPage>, Failure> {
    known(store, tenant).await?;
    let Some(job) = patiently(|| store.job_by_id(tenant, job)).await? else { return Ok(None) };
    let account = patiently(|| store.account(tenant, &job.account_id)).await?;
    let name = account.map(|account| account.name).unwrap_or_default();
    Ok(Some(job_page(store, tenant, &job, name).await?))
}

/// A customer's page; none: there is no such customer.
pub async fn customer(store: &Store, tenant: &TenantId, account: &AccountId) -> Result<Option<CustomerPage>, Failure> {
    known(store, tenant).await?;
    let Some(head) = patiently(|| store.account(tenant, account)).await? else { return Ok(None) };
    let mut jobs = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.jobs(tenant, account, 100, cursor.as_deref())).await?;
        for job in &page.jobs {
            jobs.push(job_page(store, tenant, job, head.name.clone()).await?);
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let records = patiently(|| store.subject(tenant, account)).await?.iter().filter_map(record).collect();
    let language = head.language.clone();
    let first = jobs.first().map(|page| page.job.place.clone()).unwrap_or_default();
    let account = AccountRow { place: first, ..account_row(head, None) };
    Ok(Some(CustomerPage { account, language, jobs, records }))
}
