//! What was read in a season: the list behind the figures, found by the days on which the tally has readings.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::ids::{AccountId, TenantId};
use domain::model::Channel;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use store::{CameInPage, ClearingEntry, Contact, ReadingsFilter, SENT, SeasonTally, Store, StoreError, WITHOUT_JOB};

use crate::{Failure, at_once, known, patiently};

/// A page of a season's readings.
#[derive(Debug, Clone)]
pub struct CameIn {
    /// At most 25, the latest first.
    pub readings: Vec<ClearingEntry>,
    /// The accounts that there still are.
    pub contacts: HashMap<AccountId, Contact>,
    /// How many the tally has; none: not the first page, or a day that is counted with its month.
    pub count: Option<usize>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// A page of the readings of a season, or of all, of one day or of all: the tally, four reads three times at most, and the names.
///
/// # Errors
/// The cursor is none of this list, and the store's.
pub async fn page(
    store: &Store,
    tenant: &TenantId,
    filter: &ReadingsFilter,
    day: Option<Date>,
    cursor: Option<&str>,
    now: Timestamp,
) -> Result<CameIn, Failure> {
    let settings = known(store, tenant).await?;
    let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
    let tallies = match &filter.season {
        Some(season) => {
            let scopes = [season.as_str()];
            patiently(|| store.tallies_of(tenant, &scopes)).await?
        }
        None => patiently(|| store.tallies(tenant)).await?,
    };
    let mut days = came_in(&tallies, filter.channel)?;
    let is_wanted = |first: Date, last: Date| day.is_none_or(|day| first <= day && day <= last);
    days.retain(|(first, last, _)| is_wanted(*first, *last));
    let is_exact = day.is_none() || days.iter().all(|(first, last, _)| first == last);
    let count = (cursor.is_none() && is_exact).then(|| days.iter().map(|(.., count)| count).sum());
    // Readings that are not counted yet came since the last count.
    let today = now.to_zoned(zone.clone()).date();
    let counted = tallies.values().filter_map(|tally| tally.counted_at).max().unwrap_or(now);
    days.push((counted.to_zoned(zone.clone()).date(), today, 0));
    let spans = spans(days.into_iter().map(|(first, last, _)| day.map_or((first, last), |day| (first.max(day), last.min(day)))), &zone)?;
    let CameInPage { readings, next_cursor } = patiently(|| store.readings_that_came(tenant, filter, &spans, cursor)).await?;
    let accounts: BTreeSet<AccountId> = readings.iter().filter_map(|reading| reading.entry.account_id.clone()).collect();
    let accounts: Vec<_> = accounts.into_iter().collect();
    let contacts = patiently(|| store.contacts(tenant, &accounts)).await?;
    Ok(CameIn { readings, contacts, count, next_cursor })
}

/// How many readings of jobs came since a day, or ever, as the tally has them: one read. Of a month that is counted as one, all.
///
/// # Errors
/// The store's.
pub async fn count(store: &Store, tenant: &TenantId, since: Option<Date>) -> Result<usize, Failure> {
    let tallies = at_once(store.tallies(tenant)).await?;
    let days = came_in(&tallies, None)?;
    Ok(days.iter().filter(|(_, last, _)| since.is_none_or(|since| since <= *last)).map(|(.., count)| count).sum())
}

/// How many readings of jobs came on which days.
fn came_in(tallies: &BTreeMap<String, SeasonTally>, channel: Option<Channel>) -> Result<Vec<(Date, Date, usize)>, Failure> {
    let mut days = Vec::new();
    for (_, tally) in tallies.iter().filter(|(scope, _)| *scope != WITHOUT_JOB && *scope != SENT) {
        days.extend(tally.came_in(channel)?);
    }
    Ok(days)
}

/// Spans of time of these days in the tenant's time zone, the latest first; days that follow one another are one span.
fn spans(days: impl Iterator<Item = (Date, Date)>, zone: &TimeZone) -> Result<Vec<(Timestamp, Timestamp)>, Failure> {
    let mut days: Vec<_> = days.filter(|(first, last)| first <= last).collect();
    days.sort_by(|one, other| other.cmp(one));
    let mut joined: Vec<(Date, Date)> = Vec::new();
    for (first, last) in days {
        match joined.last_mut().filter(|(begin, _)| *begin <= last.saturating_add(1.day())) {
            Some((begin, end)) => (*begin, *end) = ((*begin).min(first), (*end).max(last)),
            None => joined.push((first, last)),
        }
    }
    let begin = |day: Date| day.to_zoned(zone.clone()).map(|begin| begin.timestamp());
    let span = |(first, last): (Date, Date)| Ok((begin(first)?, begin(last.saturating_add(1.day()))?));
    let spans: Result<_, jiff::Error> = joined.into_iter().map(span).collect();
    spans.map_err(|error| StoreError::Internal { operation: "readings of days", reason: error.to_string() }.into())
}
