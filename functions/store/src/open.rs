//! Open jobs: a sparse list in the order of a walk, by the index on the jobs themselves (D-STORAGE-9).

use domain::ids::{AccountId, JobId, SeasonId, TenantId};
use domain::meter::job_meter_type;
use domain::model::MeterType;
use domain::search::words;
use jiff::civil::Date;

use crate::db::{Query, Read};
use crate::item::{Fields, Item, Record, text};
use crate::jobs::StoredJob;
use crate::keys;
use crate::table::{RESULTS_PARTITION_KEY, RESULTS_SORT_KEY, SORT_KEY};
use crate::waiting::word;
use crate::{ListedJob, Result, Store, StoreError};

/// Queries of one page; with a filter each reads a megabyte, of which some 1,500 jobs make one.
const QUERIES: usize = 10;

/// Which open jobs are wanted; what is not said does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenJobsFilter {
    /// Of this season.
    pub season: Option<SeasonId>,
    /// Of a meter that measures one of these; none: any.
    pub meter_types: Vec<MeterType>,
    /// Beginnings of words of postcode, town and district, as a search folds them.
    pub district: Vec<String>,
    /// With a deadline until this day.
    pub due_until: Option<Date>,
}

/// Some of the open jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenJobsPage {
    /// By postcode, street and house number; may be none although there are more pages.
    pub jobs: Vec<ListedJob>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// Where a page of open jobs ended, even when its last job goes. It has the address, which belongs into no log of addresses: it stays in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPlace(String);

/// What the list knows of an open job, as attributes of the job's item.
pub(crate) const SEASON: &str = "openSeason";
pub(crate) const METER_TYPE: &str = "openMeterType";
pub(crate) const DEADLINE: &str = "openUntil";
pub(crate) const DISTRICT: &str = "openDistrict";

/// Puts the job in the list, if it is open.
pub(crate) fn list(record: Record, tenant: &TenantId, job: &StoredJob) -> Result<Record> {
    if job.done || job.closed {
        return Ok(record);
    }
    let address = &job.master.meter.meter_address;
    let parts = [&address.zip, &address.city, &address.city_district];
    // A blank before each word, so that a filter finds beginnings.
    let district: String = parts.into_iter().flatten().flat_map(|part| words(part)).map(|word| format!(" {word}")).collect();
    let deadline = job.master.job_constraints.latest_execution;
    Ok(record
        .with(RESULTS_PARTITION_KEY, text(keys::open_jobs(tenant)))
        .with(RESULTS_SORT_KEY, text(place(job)))
        .with(SEASON, text(job.season.as_str()))
        .with(METER_TYPE, text(word(&job_meter_type(&job.master))?))
        .with_some(DEADLINE, deadline.map(|day| text(day.to_string())))
        .with_some(DISTRICT, (!district.is_empty()).then(|| text(district))))
}

fn place(job: &StoredJob) -> String {
    let address = &job.master.meter.meter_address;
    let house = address.house_number.as_deref().unwrap_or_default();
    let digits: String = house.chars().take_while(char::is_ascii_digit).collect();
    let part = |part: Option<&str>| part.unwrap_or_default().chars().filter(|c| *c != '#').take(MOST_CHARACTERS).collect::<String>();
    let walk = [part(address.zip.as_deref()), part(address.street.as_deref()), format!("{:0>6}", part(Some(&digits))), part(Some(house))];
    keys::open_job(&walk.join("#"), &job.account_id, &job.master.id)
}

/// Characters of a part of an address by which jobs are ordered: a key has 1,024 bytes.
const MOST_CHARACTERS: usize = 60;

fn listed(item: &Item) -> Result<ListedJob> {
    let fields = Fields(item);
    let nowhere = || StoreError::Internal { operation: "open jobs", reason: "an entry leads nowhere".into() };
    let job_id = keys::job_at(fields.text(SORT_KEY)?).ok_or_else(nowhere)?;
    Ok(ListedJob { job_id, account_id: fields.parsed("accountId")?, closed: false, season: fields.parsed(SEASON)? })
}

impl OpenJobsFilter {
    fn query<'a>(&self, partition: &'a str, limit: Option<usize>, after: Option<String>) -> Result<Query<'a>> {
        // Every entry is after a blank.
        let mut values = Item::from([(":after".to_owned(), text(after.unwrap_or_else(|| " ".to_owned())))]);
        let mut conditions: Vec<String> = Vec::new();
        if let Some(season) = &self.season {
            values.insert(":season".into(), text(season.as_str()));
            conditions.push(format!("{SEASON} = :season"));
        }
        if let Some(day) = self.due_until {
            values.insert(":due".into(), text(day.to_string()));
            conditions.push(format!("{DEADLINE} <= :due"));
        }
        for (place, beginning) in self.district.iter().enumerate() {
            values.insert(format!(":d{place}"), text(format!(" {beginning}")));
            conditions.push(format!("contains({DISTRICT}, :d{place})"));
        }
        let mut types = Vec::new();
        for (place, meter_type) in self.meter_types.iter().enumerate() {
            values.insert(format!(":t{place}"), text(word(meter_type)?));
            types.push(format!(":t{place}"));
        }
        if !types.is_empty() {
            conditions.push(format!("{METER_TYPE} IN ({})", types.join(", ")));
        }
        let filter = (!conditions.is_empty()).then(|| conditions.join(" AND "));
        Ok(Query {
            partition,
            index: true,
            newest_first: false,
            condition: "gsi1sk > :after",
            // With a filter a limit would count what is left out.
            limit: limit.and_then(|limit| u32::try_from(limit).ok()).filter(|_| filter.is_none()),
            filter,
            values,
            after: None,
            read: Read::Recent,
        })
    }
}

impl Store {
    /// Some of the open jobs, at most `limit`, in the order of a walk; one query, with a filter at most ten.
    ///
    /// # Errors
    /// [`StoreError::InvalidCursor`], also where the job is gone at which the page before ended.
    pub async fn open_jobs(&self, tenant: &TenantId, filter: &OpenJobsFilter, limit: usize, cursor: Option<&str>) -> Result<OpenJobsPage> {
        let after = match cursor {
            Some(cursor) => Some(self.place_of(tenant, cursor).await?),
            None => None,
        };
        let (jobs, next) = self.open_jobs_behind(tenant, filter, limit, after.as_ref()).await?;
        let cursor = |OpenPlace(place): OpenPlace| place.rsplitn(3, '#').take(2).collect::<Vec<_>>().join("/");
        Ok(OpenJobsPage { jobs, next_cursor: next.map(cursor) })
    }

    /// The same for a caller that goes through the list at once; none in place of where to go on: these were the last.
    pub async fn open_jobs_behind(
        &self,
        tenant: &TenantId,
        filter: &OpenJobsFilter,
        limit: usize,
        place: Option<&OpenPlace>,
    ) -> Result<(Vec<ListedJob>, Option<OpenPlace>)> {
        let partition = keys::open_jobs(tenant);
        let mut after = place.map(|OpenPlace(place)| place.clone());
        let mut jobs = Vec::new();
        for _ in 0..QUERIES {
            let found = self.query_narrowed(&filter.query(&partition, Some(limit - jobs.len()), after.take())?).await?;
            let room = limit - jobs.len();
            for item in found.items.iter().take(room) {
                jobs.push(listed(item)?);
            }
            after = match found.items.get(room - 1).filter(|_| found.items.len() > room) {
                Some(last) => Some(Fields(last).text(RESULTS_SORT_KEY)?.to_owned()),
                None => found.last_in_index,
            };
            if after.is_none() || jobs.len() == limit {
                break;
            }
        }
        Ok((jobs, after.map(OpenPlace)))
    }

    /// How many open jobs there are, counted up to about `most`; the number, and whether there are more.
    pub async fn count_open_jobs(&self, tenant: &TenantId, filter: &OpenJobsFilter, most: usize) -> Result<(usize, bool)> {
        let partition = keys::open_jobs(tenant);
        let (mut count, mut after) = (0, None);
        loop {
            let page = self.query_narrowed(&filter.query(&partition, None, after)?).await?;
            count += page.items.len();
            after = page.last_in_index;
            if after.is_none() || count >= most {
                return Ok((count, after.is_some()));
            }
        }
    }

    /// Where a job lies in the list, or lay before it was read.
    async fn place_of(&self, tenant: &TenantId, cursor: &str) -> Result<OpenPlace> {
        let ids = cursor.split_once('/').and_then(|(job, account)| Some((job.parse::<JobId>().ok()?, account.parse::<AccountId>().ok()?)));
        let (job, account) = ids.ok_or(StoreError::InvalidCursor)?;
        let item = self.get(&keys::job(tenant, &account, &job), Read::Latest).await?.ok_or(StoreError::InvalidCursor)?;
        Ok(OpenPlace(place(&StoredJob::read(&item)?)))
    }
}
