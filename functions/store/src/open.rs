//! Open jobs: a sparse list in the order in which somebody would walk, written and deleted with the jobs themselves (D-STORAGE-6).

use domain::ids::{AccountId, JobId, SeasonId, TenantId};
use domain::meter::job_meter_type;
use domain::model::MeterType;
use domain::search::words;
use jiff::civil::Date;

use crate::db::{Query, Read};
use crate::item::{Fields, Item, Record, key_of, text};
use crate::jobs::StoredJob;
use crate::keys::{self, Key};
use crate::tx::Tx;
use crate::waiting::word;
use crate::{ListedJob, Result, Store, StoreError};

/// Queries of one page; with a filter each reads a megabyte, of which some 3,000 entries make one.
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

fn entry(tenant: &TenantId, job: &StoredJob) -> Result<Option<Item>> {
    if job.done || job.closed {
        return Ok(None);
    }
    let address = &job.master.meter.meter_address;
    let parts = [&address.zip, &address.city, &address.city_district];
    // A blank before each word, so that a filter finds beginnings.
    let district: String = parts.into_iter().flatten().flat_map(|part| words(part)).map(|word| format!(" {word}")).collect();
    let deadline = job.master.job_constraints.latest_execution;
    let record = Record::at(&place(tenant, job))
        .with("season", text(job.season.as_str()))
        .with("meterType", text(word(&job_meter_type(&job.master))?))
        .with_some("deadline", deadline.map(|day| text(day.to_string())))
        .with_some("district", (!district.is_empty()).then(|| text(district)));
    Ok(Some(record.item()))
}

fn place(tenant: &TenantId, job: &StoredJob) -> Key {
    let address = &job.master.meter.meter_address;
    let house = address.house_number.as_deref().unwrap_or_default();
    let digits: String = house.chars().take_while(char::is_ascii_digit).collect();
    let part = |part: Option<&str>| part.unwrap_or_default().chars().filter(|c| *c != '#').take(MOST_CHARACTERS).collect::<String>();
    let walk = [part(address.zip.as_deref()), part(address.street.as_deref()), format!("{:0>6}", part(Some(&digits))), part(Some(house))];
    keys::open_job(tenant, &walk.join("#"), &job.account_id, &job.master.id)
}

/// Characters of a part of an address by which jobs are ordered: a key has 1,024 bytes.
const MOST_CHARACTERS: usize = 60;

/// Brings the list of open jobs, in the transaction, from what a job was to what it is now.
pub(crate) fn put_open(tx: &mut Tx<'_>, tenant: &TenantId, before: Option<&StoredJob>, now: Option<&StoredJob>) -> Result<()> {
    let of = |job: Option<&StoredJob>| job.map(|job| entry(tenant, job)).transpose().map(Option::flatten);
    let (before, now) = (of(before)?, of(now)?);
    if before == now {
        return Ok(());
    }
    if let Some(before) = before.as_ref().map(key_of).transpose()?
        && now.as_ref().map(key_of).transpose()?.as_ref() != Some(&before)
    {
        tx.delete(&before, None)?;
    }
    match now {
        Some(now) => tx.put("the open job", now, None),
        None => Ok(()),
    }
}

fn listed(item: &Item) -> Result<ListedJob> {
    let key = key_of(item)?;
    let mut ids = key.sk.rsplit('#');
    let broken = || StoreError::Internal { operation: "open jobs", reason: "an entry leads nowhere".into() };
    let job_id: JobId = ids.next().and_then(|id| id.parse().ok()).ok_or_else(broken)?;
    let account_id: AccountId = ids.next().and_then(|id| id.parse().ok()).ok_or_else(broken)?;
    Ok(ListedJob { job_id, account_id, closed: false, season: Fields(item).parsed("season")? })
}

impl OpenJobsFilter {
    fn query<'a>(&self, partition: &'a str, limit: Option<usize>, after: Option<Key>) -> Result<Query<'a>> {
        // Every entry is after a blank.
        let mut values = Item::from([(":first".to_owned(), text(" "))]);
        let mut conditions: Vec<String> = Vec::new();
        if let Some(season) = &self.season {
            values.insert(":season".into(), text(season.as_str()));
            conditions.push("season = :season".into());
        }
        if let Some(day) = self.due_until {
            values.insert(":due".into(), text(day.to_string()));
            conditions.push("deadline <= :due".into());
        }
        for (place, beginning) in self.district.iter().enumerate() {
            values.insert(format!(":d{place}"), text(format!(" {beginning}")));
            conditions.push(format!("contains(district, :d{place})"));
        }
        let mut types = Vec::new();
        for (place, meter_type) in self.meter_types.iter().enumerate() {
            values.insert(format!(":t{place}"), text(word(meter_type)?));
            types.push(format!(":t{place}"));
        }
        if !types.is_empty() {
            conditions.push(format!("meterType IN ({})", types.join(", ")));
        }
        let filter = (!conditions.is_empty()).then(|| conditions.join(" AND "));
        Ok(Query {
            partition,
            index: false,
            newest_first: false,
            condition: "sk > :first",
            // With a filter a limit would count what is left out.
            limit: limit.and_then(|limit| u32::try_from(limit).ok()).filter(|_| filter.is_none()),
            filter,
            values,
            after,
            read: Read::Recent,
        })
    }
}

impl Store {
    /// Some of the open jobs, at most `limit`, in the order in which somebody would walk; one query, with a filter at most ten.
    pub async fn open_jobs(&self, tenant: &TenantId, filter: &OpenJobsFilter, limit: usize, cursor: Option<&str>) -> Result<OpenJobsPage> {
        let partition = keys::open_jobs(tenant);
        let mut after = match cursor {
            Some(cursor) => Some(self.place_of(tenant, cursor).await?),
            None => None,
        };
        let mut jobs = Vec::new();
        for _ in 0..QUERIES {
            let found = self.query_narrowed(&filter.query(&partition, Some(limit - jobs.len()), after.take())?).await?;
            let room = limit - jobs.len();
            for item in found.items.iter().take(room) {
                jobs.push(listed(item)?);
            }
            after = if found.items.len() > room { found.items.get(room - 1).map(key_of).transpose()? } else { found.last };
            if after.is_none() || jobs.len() == limit {
                break;
            }
        }
        // The key has the address, which belongs into no log of addresses.
        let cursor = |key: Key| key.sk.rsplitn(3, '#').take(2).map(str::to_owned).collect::<Vec<_>>().join("/");
        Ok(OpenJobsPage { jobs, next_cursor: after.map(cursor) })
    }

    /// How many open jobs there are, counted up to about `most`; the number, and whether there are more.
    pub async fn count_open_jobs(&self, tenant: &TenantId, filter: &OpenJobsFilter, most: usize) -> Result<(usize, bool)> {
        let partition = keys::open_jobs(tenant);
        let (mut count, mut after) = (0, None);
        loop {
            let page = self.query_narrowed(&filter.query(&partition, None, after)?).await?;
            count += page.items.len();
            after = page.last;
            if after.is_none() || count >= most {
                return Ok((count, after.is_some()));
            }
        }
    }

    /// Where a job lies in the list, or lay before it was read.
    async fn place_of(&self, tenant: &TenantId, cursor: &str) -> Result<Key> {
        let ids = cursor.split_once('/').and_then(|(job, account)| Some((job.parse::<JobId>().ok()?, account.parse::<AccountId>().ok()?)));
        let (job, account) = ids.ok_or(StoreError::InvalidCursor)?;
        let item = self.get(&keys::job(tenant, &account, &job), Read::Latest).await?.ok_or(StoreError::InvalidCursor)?;
        Ok(place(tenant, &StoredJob::read(&item)?))
    }
}
