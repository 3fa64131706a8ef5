//! How far a season is: figures from its tally, which follows the jobs and readings (D-SEASONS-5).

use std::collections::BTreeMap;

use domain::ids::{SeasonId, TenantId};
use domain::season::Season;
use domain::text;
use domain::window::EXPIRY_WARNING_DAYS;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::Serialize;
use store::{Cell, LETTER, Recounted, SENT, SeasonTally, Store, StoreError, Tenant, WITHOUT_JOB};
use utoipa::ToSchema;

use crate::{Failure, patiently, seasons};

/// How often all jobs are looked at while something changes.
const ATTEMPTS: usize = 3;

/// A season's figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SeasonFigures)]
pub struct Figures {
    /// The tenant's name.
    pub tenant: String,
    /// The day with the tenant.
    #[schema(value_type = String, format = Date)]
    pub today: Date,
    /// The figures have everything that was stored before this moment.
    #[schema(value_type = String, format = DateTime)]
    pub as_of: Timestamp,
    /// Jobs that are open or done.
    pub jobs: usize,
    /// Those that are done.
    pub done: usize,
    /// Jobs that were done on each day, by the first reading of the last rate.
    #[schema(value_type = BTreeMap<String, usize>)]
    pub by_day: BTreeMap<Date, usize>,
    /// Readings by the channel through which they came.
    pub by_channel: BTreeMap<String, usize>,
    /// Those of the portal by the kind of login.
    pub by_login: BTreeMap<String, usize>,
    /// Readings of meters that have no job, by the kind of login; `public` are visitors.
    pub without_job: BTreeMap<String, usize>,
    /// Jobs by what their meter measures.
    pub by_meter_type: BTreeMap<String, Share>,
    /// Jobs by the district of their meter, as far as they name one.
    pub by_district: BTreeMap<String, Share>,
    /// Open jobs by deadline, of the next days.
    #[schema(value_type = BTreeMap<String, usize>)]
    pub near_deadline: BTreeMap<Date, usize>,
    /// Open jobs whose deadline is over.
    pub overdue: usize,
    /// Registers whose reading waits for a clerk.
    pub waiting_for_clearing: usize,
    /// Readings of meters that have no job, which wait for a clerk, in whatever season.
    pub waiting_without_job: usize,
    /// Readings by the hour of the day at which they came.
    #[schema(value_type = BTreeMap<String, usize>)]
    pub by_hour: BTreeMap<u8, usize>,
    /// Mails that were sent from the season's first day to its last, by kind.
    pub mails: BTreeMap<String, usize>,
    /// Letters that were printed in that time.
    pub letters: usize,
}

/// A part of the jobs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SeasonShare)]
pub struct Share {
    /// Jobs that are open or done.
    pub jobs: usize,
    /// Those that are done.
    pub done: usize,
}

/// Adds what has changed since the last minute to the tallies, as the worker does; counts what was stored before there were tallies.
///
/// # Errors
/// The store's.
pub async fn count(store: &Store, tenant: &TenantId, now: Timestamp) -> Result<(), Failure> {
    patiently(|| store.count_all(tenant, now)).await?;
    if patiently(|| store.tallies(tenant)).await?.is_empty() {
        recount(store, tenant, now).await?;
    }
    Ok(())
}

/// Counts by looking at every job, and mends what differs.
///
/// # Errors
/// Readings come in all the time, and the store's.
pub async fn recount(store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Recounted, Failure> {
    for _ in 0..ATTEMPTS {
        match store.recount(tenant, now).await {
            Err(StoreError::Conflict) => {}
            done => return Ok(done?),
        }
    }
    Err(Failure::Refused(text!(
        "während des Zählens kamen Änderungen; bitte zu einer ruhigeren Zeit wiederholen",
        "something changed while it was counted; try again at a quieter time"
    )))
}

/// The figures of a season, or of all: three reads beside that of the tenant's settings, for any number of jobs.
///
/// # Errors
/// There is no such tenant or season, and the store's.
pub async fn figures(store: &Store, tenant: &TenantId, season: Option<&SeasonId>, now: Timestamp) -> Result<Figures, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let known = match season {
        Some(season) => seasons::known(store, tenant, season).await?,
        None => None,
    };
    // Looked for first: what comes in between is in the tally or not, and is not said to be.
    let behind = patiently(|| store.has_changes(tenant)).await?;
    let tallies = patiently(|| store.tallies(tenant)).await?;
    Ok(figures_of(&settings, &tallies, behind, season, known.as_ref().map(days_of), now))
}

/// A season beside the one of the year before.
#[derive(Debug, Clone)]
pub struct Overview {
    /// All seasons, the latest first.
    pub seasons: Vec<Season>,
    /// The one that is looked at; none: the tenant has none, and all jobs are counted together.
    pub season: Option<Season>,
    /// Its figures.
    pub figures: Figures,
    /// The season a year before it, with its figures.
    pub before: Option<(Season, Figures)>,
}

/// How far from a year apart two seasons begin of which one stands beside the other.
const YEARS_DIFFER_BY: i32 = 120;

/// The season that is named, or else the one that began last: two reads beside those of session and settings, for seasons of any size. The figures are of
/// the moment at which the last change was counted; what has come since is there within a minute or so, and is not looked for.
///
/// # Errors
/// There is no such tenant or season, and the store's.
pub async fn overview(store: &Store, tenant: &TenantId, named: Option<&SeasonId>, now: Timestamp) -> Result<Overview, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let mut seasons = patiently(|| store.seasons(tenant)).await?;
    seasons.sort_by(|a, b| (b.first_day, &b.id).cmp(&(a.first_day, &a.id)));
    let today = today(&settings, now);
    let season = match named {
        Some(named) => {
            let found = seasons.iter().find(|season| season.id == *named);
            if found.is_none() && !named.is_default() {
                return Err(Failure::Refused(seasons::unknown(named)));
            }
            found
        }
        None => seasons.iter().find(|season| season.first_day <= today).or(seasons.last()),
    };
    let before = season.and_then(|season| {
        let days = |other: &Season| other.first_day.until(season.first_day).map_or(0, |span| span.get_days());
        let differs = |other: &Season| (days(other) - 365).abs();
        seasons.iter().filter(|other| differs(other) <= YEARS_DIFFER_BY).min_by_key(|other| differs(other))
    });
    let default = SeasonId::default();
    let shown = season.map_or(&default, |season| &season.id);
    let scopes: Vec<&str> = [Some(shown), before.map(|before| &before.id)].into_iter().flatten().map(SeasonId::as_str).collect();
    let scopes = [&scopes[..], &[WITHOUT_JOB, SENT]].concat();
    let tallies = patiently(|| store.tallies_of(tenant, &scopes)).await?;
    let figures = |id: &SeasonId, season: Option<&Season>| figures_of(&settings, &tallies, true, Some(id), season.map(days_of), now);
    Ok(Overview {
        figures: figures(shown, season),
        before: before.map(|before| (before.clone(), figures(&before.id, Some(before)))),
        season: season.cloned(),
        seasons,
    })
}

fn days_of(season: &Season) -> (Date, Date) {
    (season.first_day, season.last_day)
}

fn today(settings: &Tenant, now: Timestamp) -> Date {
    let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
    now.to_zoned(zone).date()
}

fn figures_of(
    settings: &Tenant,
    tallies: &BTreeMap<String, SeasonTally>,
    behind: bool,
    season: Option<&SeasonId>,
    days: Option<(Date, Date)>,
    now: Timestamp,
) -> Figures {
    let last = tallies.values().filter_map(|tally| tally.counted_at).max();
    let mut figures = Figures {
        tenant: settings.application.name.clone(),
        today: today(settings, now),
        as_of: last.filter(|_| behind).unwrap_or(now),
        jobs: 0,
        done: 0,
        by_day: BTreeMap::new(),
        by_channel: BTreeMap::new(),
        by_login: BTreeMap::new(),
        without_job: BTreeMap::new(),
        by_meter_type: BTreeMap::new(),
        by_district: BTreeMap::new(),
        near_deadline: BTreeMap::new(),
        overdue: 0,
        waiting_for_clearing: 0,
        waiting_without_job: 0,
        by_hour: BTreeMap::new(),
        mails: BTreeMap::new(),
        letters: 0,
    };
    for (scope, tally) in tallies {
        let without_job = scope == WITHOUT_JOB;
        if !without_job && scope != SENT && season.is_some_and(|season| season.as_str() != scope) {
            continue;
        }
        for (name, count) in &tally.cells {
            // A count below zero is not shown; a recount mends it.
            let count = usize::try_from(*count).unwrap_or_default();
            match Cell::parse(name) {
                Some(Cell::Logins(login)) if without_job => *figures.without_job.entry(login.to_owned()).or_default() += count,
                Some(Cell::Waiting(_)) if without_job => figures.waiting_without_job += count,
                Some(Cell::Sent(day, _)) if days.is_some_and(|(first, last)| day < first || last < day) => {}
                Some(cell) => figures.add(cell, count),
                None => {}
            }
        }
    }
    figures
}

impl Figures {
    fn add(&mut self, cell: Cell<'_>, count: usize) {
        if count == 0 {
            return;
        }
        match cell {
            Cell::Jobs(meter, district) => {
                self.jobs += count;
                self.by_meter_type.entry(meter.to_owned()).or_default().jobs += count;
                if !district.is_empty() {
                    self.by_district.entry(district.to_owned()).or_default().jobs += count;
                }
            }
            Cell::Done(meter, district) => {
                self.done += count;
                self.by_meter_type.entry(meter.to_owned()).or_default().done += count;
                if !district.is_empty() {
                    self.by_district.entry(district.to_owned()).or_default().done += count;
                }
            }
            Cell::DoneOn(day, _) => *self.by_day.entry(day).or_default() += count,
            Cell::Open(deadline, _) if deadline < self.today => self.overdue += count,
            Cell::Open(deadline, _) if deadline <= self.today.saturating_add(EXPIRY_WARNING_DAYS.days()) => {
                *self.near_deadline.entry(deadline).or_default() += count;
            }
            Cell::Open(..) => {}
            Cell::Waiting(_) => self.waiting_for_clearing += count,
            Cell::Readings(_, channel) => *self.by_channel.entry(channel.to_owned()).or_default() += count,
            Cell::Logins(login) => *self.by_login.entry(login.to_owned()).or_default() += count,
            Cell::Hours(hour) => *self.by_hour.entry(hour).or_default() += count,
            Cell::Sent(_, LETTER) => self.letters += count,
            Cell::Sent(_, kind) => *self.mails.entry(kind.to_owned()).or_default() += count,
        }
    }
}
