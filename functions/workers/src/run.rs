//! One run of a worker that a schedule starts.

use std::collections::BTreeMap;
use std::time::Instant;

use grants::Clients;
use jiff::Timestamp;

/// What one run has: its clients, its clock, and how long it may take.
pub struct Run {
    /// What the worker's grants gave it.
    pub clients: Clients,
    /// Now: the same moment for the whole run.
    pub now: Timestamp,
    pub(crate) ends: Instant,
}

impl Run {
    /// The run should begin nothing new. Whatever was left is for the next one; a run does one step at least.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.ends
    }
}

/// What a run did, for its log line: counts by what was counted, never names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many of what.
    pub counts: BTreeMap<&'static str, u64>,
    /// Nothing was left for the next run.
    pub finished: bool,
}

impl Tally {
    /// Counts some more.
    pub(crate) fn add(&mut self, what: &'static str, count: usize) {
        *self.counts.entry(what).or_default() += count as u64;
    }

    pub(crate) fn add_all(&mut self, other: Self) {
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
    }
}
