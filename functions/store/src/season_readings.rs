//! Readings as they came, the latest first: read backwards from the ledger's index, whose months have several shards.

use std::collections::BTreeSet;

use domain::ids::{SeasonId, TenantId};
use domain::model::Channel;
use futures::future::try_join_all;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::db::{Narrowed, Query, Read};
use crate::item::{Fields, Item, text};
use crate::keys::{self, Key};
use crate::table::RESULTS_SORT_KEY;
use crate::waiting::word;
use crate::{ClearingEntry, LedgerEntry, Result, Store, StoreError, StoredJob};

/// Readings of a page.
const PAGE: usize = 25;
/// How often all shards are read for a page: first for as many, then for a megabyte of each, which is some thousand readings.
const ROUNDS: usize = 3;
/// The two too many are that of the cursor and that by which a next page is known.
const FIRST_LIMIT: u32 = PAGE as u32 + 2;
/// Jobs that are looked at together.
const JOBS: usize = 100;

/// Says of a reading in the ledger that the tally does not count it: a clerk put it in another one's place, or there and away again.
pub(crate) const UNCOUNTED: &str = "uncounted";

/// Which readings are wanted; what is not said does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadingsFilter {
    /// Of this season.
    pub season: Option<SeasonId>,
    /// Through this channel.
    pub channel: Option<Channel>,
}

/// Some of the readings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CameInPage {
    /// At most 25, the latest first; may be none although there are more pages.
    pub readings: Vec<ClearingEntry>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

impl ReadingsFilter {
    /// A reading is stored as JSON, where the quotes of a text are escaped: nothing that a person wrote looks like a field.
    fn condition(&self) -> Result<(String, Item)> {
        let (mut conditions, mut values) = (vec!["attribute_not_exists(uncounted)"], Item::new());
        if let Some(season) = &self.season {
            // Of which season those are that name none, their jobs say.
            conditions.push("(contains(entry, :season) OR NOT contains(entry, :any))");
            values.insert(":season".into(), text(format!(r#""season":"{season}""#)));
            values.insert(":any".into(), text(r#""season":""#));
        }
        if let Some(channel) = &self.channel {
            conditions.push("contains(entry, :channel)");
            values.insert(":channel".into(), text(format!(r#""channel":"{}""#, word(channel)?)));
        }
        Ok((conditions.join(" AND "), values))
    }
}

impl Store {
    /// A page of the readings that the server took in these spans of time and the tally counts, the latest span first; at most three reads of each of four shards, and
    /// the next page goes on where they ended. Of a season, the jobs of those that name none are looked at, too. The index follows a submission within about a second.
    ///
    /// # Errors
    /// The cursor is none of this list.
    pub async fn readings_that_came(
        &self,
        tenant: &TenantId,
        filter: &ReadingsFilter,
        spans: &[(Timestamp, Timestamp)],
        cursor: Option<&str>,
    ) -> Result<CameInPage> {
        if cursor.is_some_and(|cursor| cursor.split('#').next().is_none_or(|time| time.parse::<Timestamp>().is_err())) {
            return Err(StoreError::InvalidCursor);
        }
        let mut readings: Vec<(String, ClearingEntry)> = Vec::new();
        let mut rounds = 0;
        for (from, until) in spans.iter().flat_map(|span| months(*span)) {
            let (month, from, until) = (keys::month(from), keys::instant(from), keys::instant(until));
            let mut to = cursor.map_or(until.clone(), |cursor| until.min(cursor.to_owned()));
            while from < to {
                if rounds == ROUNDS {
                    return Ok(CameInPage { readings: readings.into_iter().map(|(_, reading)| reading).collect(), next_cursor: Some(to) });
                }
                let limit = (rounds == 0).then_some(FIRST_LIMIT);
                rounds += 1;
                let (found, floor) = self.round(tenant, &month, filter, (&from, &to), limit).await?;
                match &filter.season {
                    Some(season) => self.add_of_season(tenant, season, found, &mut readings).await?,
                    None => readings.extend(found),
                }
                if readings.len() > PAGE {
                    readings.truncate(PAGE);
                    let next_cursor = readings.last().map(|(place, _)| place.clone());
                    return Ok(CameInPage { readings: readings.into_iter().map(|(_, reading)| reading).collect(), next_cursor });
                }
                to = floor;
            }
        }
        Ok(CameInPage { readings: readings.into_iter().map(|(_, reading)| reading).collect(), next_cursor: None })
    }

    /// Adds those that are of this season, until there are more than a page has.
    async fn add_of_season(
        &self,
        tenant: &TenantId,
        season: &SeasonId,
        found: Vec<(String, ClearingEntry)>,
        readings: &mut Vec<(String, ClearingEntry)>,
    ) -> Result<()> {
        let job_of = |entry: &LedgerEntry| Some(keys::job(tenant, entry.account_id.as_ref()?, &entry.job_id));
        for some in found.chunks(JOBS) {
            let of_none = some.iter().filter(|(_, reading)| reading.entry.season.is_default());
            let places: BTreeSet<Key> = of_none.filter_map(|(_, reading)| job_of(&reading.entry)).collect();
            let jobs = self.get_many(&places.into_iter().collect::<Vec<_>>(), None, Read::Recent).await?;
            for (at, reading) in some {
                let job = job_of(&reading.entry).and_then(|key| jobs.get(&key)).map(StoredJob::read).transpose()?;
                if reading.entry.season_by(job.as_ref().map(|job| &job.season)) == season {
                    readings.push((at.clone(), reading.clone()));
                }
            }
            if readings.len() > PAGE {
                break;
            }
        }
        Ok(())
    }

    /// What one read of each shard finds from one place until before another, the latest first, and down to which place nothing is missing.
    async fn round(
        &self,
        tenant: &TenantId,
        month: &str,
        filter: &ReadingsFilter,
        (from, to): (&str, &str),
        limit: Option<u32>,
    ) -> Result<(Vec<(String, ClearingEntry)>, String)> {
        let (condition, values) = filter.condition()?;
        let shards = (0..keys::RESULT_SHARDS).map(|shard| {
            let (filter, mut values) = (Some(condition.clone()), values.clone());
            values.extend([(":from".into(), text(from)), (":to".into(), text(to))]);
            async move {
                let partition = &keys::results_partition(tenant, month, shard);
                let condition = "gsi1sk BETWEEN :from AND :to";
                let query =
                    Query { partition, index: true, newest_first: true, condition, filter, values, limit, after: None, read: Read::Recent };
                self.query_narrowed(&query).await
            }
        });
        let (mut found, mut floor) = (Vec::new(), from.to_owned());
        for Narrowed { items, last, .. } in try_join_all(shards).await? {
            for item in &items {
                found.push((Fields(item).text(RESULTS_SORT_KEY)?.to_owned(), ClearingEntry::read(item)?));
            }
            floor = floor.max(last.as_ref().and_then(place).unwrap_or_default());
        }
        found.retain(|(place, _)| *place >= floor && place != to);
        found.sort_by(|(one, _), (other, _)| other.cmp(one));
        Ok((found, floor))
    }
}

/// Where a reading of the ledger is in its shard of the index.
fn place(key: &Key) -> Option<String> {
    let (created, result) = key.sk.strip_prefix(keys::RESULT)?.split_once('#')?;
    Some(format!("{created}#{}#{result}", key.pk.rsplit('#').next()?))
}

/// The parts of a span in each month (UTC), the latest first.
fn months((from, until): (Timestamp, Timestamp)) -> Vec<(Timestamp, Timestamp)> {
    let mut parts = Vec::new();
    let mut end = until;
    while from < end {
        let day = (end - 1.microsecond()).to_zoned(TimeZone::UTC).date();
        let first = day.first_of_month().to_zoned(TimeZone::UTC).map_or(from, |first| first.timestamp());
        parts.push((from.max(first), end));
        end = first;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_read_month_by_month_backwards() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let span = (at("2026-10-31T23:00:00Z"), at("2027-01-01T00:00:00Z"));
        let parts = [("2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"), ("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z")];
        let parts: Vec<_> =
            parts.into_iter().chain([("2026-10-31T23:00:00Z", "2026-11-01T00:00:00Z")]).map(|(a, b)| (at(a), at(b))).collect();
        assert_eq!(months(span), parts);
        assert_eq!(months((span.1, span.0)), []);
    }
}
