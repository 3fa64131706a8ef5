//! One run of a worker that a schedule starts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use grants::Clients;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use runtime::BoxError;
use store::Progress;

/// Less than the time that is left to a step when the run is over, so that a fault is still told.
const PATIENCE: Duration = Duration::from_secs(15);

/// What one run has: its clients, its clock, and how long it may take.
pub struct Run {
    /// The clients that the worker's grants gave it.
    pub clients: Clients,
    /// Now: the same moment for the whole run.
    pub now: Timestamp,
    /// The clock started it, and not a person who wants all of it now.
    pub(crate) by_clock: bool,
    pub(crate) began: Instant,
    pub(crate) ends: Instant,
}

impl Run {
    /// The run should begin nothing new. What is left is for the next one; a run does one step at least.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.ends
    }

    /// Until then a step may wait for others: the platform ends a run whose time is up without a word.
    pub(crate) fn patience_ends(&self) -> Instant {
        self.ends + PATIENCE
    }

    /// The time, for what must be told apart within a run.
    pub(crate) fn clock(&self) -> Timestamp {
        self.now.saturating_add(self.began.elapsed()).unwrap_or(self.now)
    }

    /// The worker is to go through a tenant, as it does every so many days (UTC), or is not through yet.
    pub(crate) fn is_due(&self, progress: &Progress, every_days: u16) -> bool {
        let day = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
        let rests = |last: Timestamp| day(self.now) < day(last).saturating_add(i32::from(every_days).days());
        !self.by_clock || progress.position.is_some() || !progress.worked_at.is_some_and(rests)
    }
}

/// What a run did, for its log line: counts by what was counted, never names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The counts, by name.
    pub counts: BTreeMap<&'static str, u64>,
    /// Nothing was left for the next run.
    pub finished: bool,
    /// What went wrong in the end; what is counted was done all the same.
    pub fault: Option<String>,
}

impl Tally {
    /// Nothing but a fault.
    pub(crate) fn of(fault: BoxError) -> Self {
        Self { fault: Some(fault.to_string()), ..Self::default() }
    }

    /// Counts some more.
    pub(crate) fn add(&mut self, what: &'static str, count: usize) {
        *self.counts.entry(what).or_default() += count as u64;
    }

    pub(crate) fn add_all(&mut self, other: Self) {
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
        self.fault = other.fault.or(self.fault.take());
    }
}
