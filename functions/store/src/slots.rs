//! The slots that an account's jobs are in, and what of a portfolio changed since the client looked (D-STORAGE-10).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::str::FromStr;

use domain::ids::JobId;
use ring::digest;
use serde::Serialize;

use crate::item::{Fields, Item};
use crate::{Result, StoreError};

/// Which of the portfolio's slots a job is in: a hash of its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Slot(u8);

impl Slot {
    /// How many there are. A slot of ten thousand jobs has 78, and the counters of all of them fit into the kilobyte that a portfolio's write costs anyway.
    pub const COUNT: u8 = 128;

    /// The job's.
    pub fn of(job: &JobId) -> Self {
        let hash = digest::digest(&digest::SHA256, job.as_str().as_bytes());
        Self(hash.as_ref().first().copied().unwrap_or_default() % Self::COUNT)
    }

    /// The slot of this number; none: there are not so many.
    pub fn new(number: u8) -> Option<Self> {
        (number < Self::COUNT).then_some(Self(number))
    }

    pub(crate) fn number(self) -> u8 {
        self.0
    }

    /// Of the portfolio's item, the attribute that counts its changes.
    fn counter(self) -> String {
        format!("{COUNTER}{self}")
    }
}

/// Whether the portfolio's attribute of this name counts the changes of a slot.
pub(crate) fn is_counter(name: &str) -> bool {
    name.strip_prefix(COUNTER).is_some_and(|slot| slot.parse::<Slot>().is_ok())
}

/// Beginning of the attributes' names, with which none is a word that DynamoDB reserves.
const COUNTER: char = 's';

/// Two letters, so that a number can follow.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char((b'a' + self.0 / 16).into())?;
        f.write_char((b'a' + self.0 % 16).into())
    }
}

impl FromStr for Slot {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self> {
        let digit = |letter: u8| letter.checked_sub(b'a').filter(|digit| *digit < 16);
        let number = match text.as_bytes() {
            [high, low] => digit(*high).zip(digit(*low)).and_then(|(high, low)| Self::new(high * 16 + low)),
            _ => None,
        };
        number.ok_or(StoreError::InvalidCursor)
    }
}

/// The expression that counts a change in each of these slots; `:one` is its value.
pub(crate) fn count_changes(slots: &BTreeSet<Slot>) -> String {
    slots.iter().fold("ADD version :one".to_owned(), |counting, slot| format!("{counting}, {} :one", slot.counter()))
}

/// How often the jobs of a portfolio have changed, altogether and in each slot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    version: u64,
    slots: BTreeMap<Slot, u64>,
}

impl Counters {
    pub(crate) fn read(portfolio: Option<&Item>) -> Result<Self> {
        let Some(item) = portfolio else { return Ok(Self::default()) };
        let slots = item.keys().filter_map(|name| Some((name, name.strip_prefix(COUNTER)?.parse().ok()?)));
        let counted = slots.map(|(name, slot)| Ok((slot, Fields(item).count(name)?))).collect::<Result<_>>()?;
        Ok(Self { version: Fields(item).version()?, slots: counted })
    }
}

/// What changes with the jobs that a caller sees: the counters of the portfolio at the top, and the version of each set between it and the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListState {
    counters: Counters,
    sets: Vec<u64>,
}

/// Above so many slots all jobs are read: half of the portfolio a page at a time is no gain any more.
pub(crate) const MOST_CHANGED: usize = 64;

impl ListState {
    pub(crate) fn new(counters: Counters, sets: Vec<u64>) -> Self {
        Self { counters, sets }
    }

    /// The slots in which anything is other than in that earlier state, and those asked for; none: all jobs have to be looked at, because too much changed, another
    /// set of jobs is seen, or what is called earlier is not.
    pub fn changed_since(&self, earlier: &Self, also: &BTreeSet<Slot>) -> Option<Vec<Slot>> {
        let count = |state: &Self, slot: &Slot| state.counters.slots.get(slot).copied().unwrap_or_default();
        let went_on = earlier.counters.slots.keys().all(|slot| count(earlier, slot) <= count(self, slot));
        if self.sets != earlier.sets || self.counters.version < earlier.counters.version || !went_on {
            return None;
        }
        let changed: BTreeSet<_> = self.counters.slots.keys().filter(|slot| count(self, slot) != count(earlier, slot)).copied().collect();
        if changed.is_empty() && self.counters.version != earlier.counters.version {
            return None;
        }
        let all: Vec<_> = changed.union(also).copied().collect();
        (all.len() <= MOST_CHANGED).then_some(all)
    }
}

/// Digits, then letters and digits for each slot, then `-` and digits for each set: what an entity tag may have.
impl fmt::Display for ListState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.counters.version)?;
        for (slot, count) in &self.counters.slots {
            write!(f, "{slot}{count}")?;
        }
        self.sets.iter().try_for_each(|set| write!(f, "-{set}"))
    }
}

impl FromStr for ListState {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self> {
        let number = |digits: &str| digits.parse::<u64>().map_err(|_| StoreError::InvalidCursor);
        let mut parts = text.split('-');
        let counted = parts.next().unwrap_or_default();
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (version, mut rest) = counted.split_at(digits(counted));
        let mut slots = BTreeMap::new();
        while !rest.is_empty() {
            let (slot, counts) = rest.split_at_checked(2).ok_or(StoreError::InvalidCursor)?;
            let (count, others) = counts.split_at(digits(counts));
            slots.insert(slot.parse()?, number(count)?);
            rest = others;
        }
        Ok(Self { counters: Counters { version: number(version)?, slots }, sets: parts.map(number).collect::<Result<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(text: &str) -> ListState {
        text.parse().unwrap()
    }

    #[test]
    fn a_state_comes_back_as_it_was_written() {
        for text in ["0", "7", "12aa1bp30hp2", "3ac1-4-0", "1-2"] {
            assert_eq!(state(text).to_string(), text);
        }
        for text in ["", "x", "1a", "1aa", "1aa1b", "1qa1", "1pa1", "1aa1-", "1aa1-x", "-1", "1äö1"] {
            assert!(text.parse::<ListState>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_what_can_be_told_apart_is_a_change() {
        let none = BTreeSet::new();
        let names = |slots: Vec<Slot>| slots.iter().map(Slot::to_string).collect::<Vec<_>>();
        let changed = |now: &str, earlier: &str| state(now).changed_since(&state(earlier), &none).map(names);
        assert_eq!(changed("5aa2ab3", "4aa1ab3"), Some(vec!["aa".to_owned()]));
        assert_eq!(changed("5aa2ab3", "2ab3"), Some(vec!["aa".to_owned()]));
        assert_eq!(changed("5aa2-1", "5aa2-1"), Some(Vec::new()));
        assert_eq!(changed("5aa2-2", "4aa1-1"), None, "another set of jobs");
        assert_eq!(changed("5aa2", "6aa1"), None, "a table that was restored");
        assert_eq!(changed("5aa2", "4aa3"), None, "the same");
        assert_eq!(changed("6aa2", "5aa2"), None, "a change in no slot");
        let also = BTreeSet::from(["hp".parse().unwrap()]);
        assert_eq!(state("5aa2").changed_since(&state("4aa1"), &also).map(names), Some(vec!["aa".to_owned(), "hp".to_owned()]));
    }

    #[test]
    fn half_of_all_slots_are_too_many() {
        let all: BTreeSet<_> = (0..Slot::COUNT).filter_map(Slot::new).collect();
        let most: BTreeSet<_> = all.iter().take(MOST_CHANGED).copied().collect();
        assert_eq!(state("1").changed_since(&state("1"), &most).map(|slots| slots.len()), Some(MOST_CHANGED));
        assert_eq!(state("1").changed_since(&state("1"), &all), None);
    }

    #[test]
    fn ten_thousand_jobs_are_spread() {
        let mut jobs = [0; Slot::COUNT as usize];
        for serial in 0..10_000 {
            let Slot(slot) = Slot::of(&JobId::new(format!("JOB-{serial:06}")).unwrap());
            jobs[usize::from(slot)] += 1;
        }
        assert!(jobs.iter().all(|count| (40..=120).contains(count)), "{jobs:?}");
    }
}
