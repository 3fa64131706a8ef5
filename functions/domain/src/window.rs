//! When a job may be read: reading dates, the sending window, the warning before the deadline (L5, L9).
//!
//! All days are days in the tenant's time zone, and both ends of a range belong to it.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, civil::Date};

use crate::config::{JobFeatures, MeterReadingConfig};
use crate::model::JobConstraints;

/// An open job is warned about when its deadline is at most this many days away (L9).
pub const EXPIRY_WARNING_DAYS: i32 = 5;

/// Whether readings of a job are taken today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sending {
    /// Not before this day.
    NotOpen(Date),
    /// Yes.
    Open,
    /// Not after this day.
    Expired(Date),
}

/// Whether readings are taken today: from `earliestExecution` less the allowed days to `latestExecution` plus the allowed days (L5).
pub fn sending(constraints: &JobConstraints, features: &JobFeatures, today: Date) -> Sending {
    if let Some(first) = first_sending_day(constraints, features).filter(|&first| today < first) {
        return Sending::NotOpen(first);
    }
    match last_sending_day(constraints, features) {
        Some(last) if today > last => Sending::Expired(last),
        _ => Sending::Open,
    }
}

/// The last day on which readings are taken; none: there is no deadline.
pub fn last_sending_day(constraints: &JobConstraints, features: &JobFeatures) -> Option<Date> {
    let allowed = features.duration_sending_reading_values_based_on_latest_execution_is_allowed;
    constraints.latest_execution.map(|latest| latest.saturating_add(i64::from(allowed).days()))
}

fn first_sending_day(constraints: &JobConstraints, features: &JobFeatures) -> Option<Date> {
    let allowed = features.duration_sending_reading_values_based_on_earliest_execution_is_allowed;
    constraints.earliest_execution.map(|earliest| earliest.saturating_sub(i64::from(allowed).days()))
}

/// The day since which a job waits for its reader: its first one, or that on which the utility began to list it, if that is later.
pub fn opening(constraints: &JobConstraints, listed: Date) -> Date {
    constraints.earliest_execution.map_or(listed, |earliest| earliest.max(listed))
}

/// The moment at which a day is over; none: there is no day after it.
pub fn end_of(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    Some(day.tomorrow().ok()?.to_zoned(zone.clone()).ok()?.timestamp())
}

/// The days that a reading may be dated to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadingDates {
    /// The first.
    pub first: Date,
    /// The last.
    pub last: Date,
}

/// The days that a reading may be dated to (L5): the configured days back, but not before the sending window, and the
/// configured days ahead. `hideReadingDateInput` changes nothing here (D-READING-8): the portal dates such a reading to the day on which it was
/// typed, which may be days before it could be sent.
pub fn reading_dates(constraints: &JobConstraints, features: &JobFeatures, entry: &MeterReadingConfig, today: Date) -> ReadingDates {
    let back = today.saturating_sub(i64::from(entry.reading_date_max_days_in_past).days());
    ReadingDates {
        first: first_sending_day(constraints, features).map_or(back, |opening| opening.max(back)),
        last: today.saturating_add(i64::from(entry.reading_date_max_days_in_future).days()),
    }
}

/// The days that a reading may be dated to that is entered after its time: back to when the sending window opened, or a year where it has no beginning
/// (D-READING-22).
pub fn late_reading_dates(constraints: &JobConstraints, features: &JobFeatures, entry: &MeterReadingConfig, today: Date) -> ReadingDates {
    let in_time = reading_dates(constraints, features, entry, today);
    let first = first_sending_day(constraints, features).unwrap_or_else(|| today.saturating_sub(1.year()).min(in_time.first));
    ReadingDates { first, ..in_time }
}

/// A reading outside the period that the utility asked for, though it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsidePeriod {
    /// Before `earliestExecution`, this day: the consumption may be estimated.
    BeforeEarliest(Date),
    /// After `latestExecution`, this day: the reading may not count for the bill.
    AfterLatest(Date),
}

/// Whether the day of a reading lies outside the period that the utility asked for (L5).
pub fn outside_period(constraints: &JobConstraints, reading_date: Date) -> Option<OutsidePeriod> {
    if let Some(earliest) = constraints.earliest_execution.filter(|&earliest| reading_date < earliest) {
        return Some(OutsidePeriod::BeforeEarliest(earliest));
    }
    constraints.latest_execution.filter(|&latest| reading_date > latest).map(OutsidePeriod::AfterLatest)
}

/// Whether the deadline is over and readings are still taken, in the days that the tenant allows after it (L5): the most urgent jobs, whose
/// readings may not count for the bill.
pub fn is_overdue(constraints: &JobConstraints, features: &JobFeatures, today: Date) -> bool {
    constraints.latest_execution.is_some_and(|latest| latest < today) && sending(constraints, features, today) == Sending::Open
}

/// True in the last days before the deadline and on it (L2, L9).
pub fn expires_soon(constraints: &JobConstraints, today: Date) -> bool {
    constraints.latest_execution.is_some_and(|latest| (today..=today.saturating_add(EXPIRY_WARNING_DAYS.days())).contains(&latest))
}
