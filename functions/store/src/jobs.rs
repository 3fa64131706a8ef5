//! Reading jobs of an account.

use std::borrow::Cow;
use std::collections::BTreeSet;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::clearing::Doubt;
use domain::ids::{AccountId, ImportId, JobId, SeasonId, TaskId, TenantId};
use domain::job::{is_done, last_result};
use domain::model::{JobMaster, LowerReason, ReadingResult, RejectedReading, TaskState};
use domain::pass_through::PassThrough;
use domain::sending;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::fmt::serde::timestamp::millisecond;
use jiff::tz::TimeZone;
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read};
use crate::idempotency::IdempotencyRecord;
use crate::imports::keep_before;
use crate::item::{Fields, Item, Record, fitting, flag, from_json, number, packed, text};
use crate::keys::{self, Key};
use crate::open;
use crate::search::put_entries;
use crate::slots::{Counters, MOST_CHANGED, count_changes};
use crate::table::SORT_KEY;
use crate::tallies::{Cells, day_in, keep_counts, note_change};
use crate::tx::{Condition, Tx};
use crate::waiting::put_waiting;
use crate::{
    Clearing, ClearingEntry, Destination, JobLine, LedgerEntry, ListState, NewResult, Origin, Result, Slot, Store, StoreError,
    WaitingReading,
};

/// A job with what readers added to it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredJob {
    /// The job as the utility imported it.
    pub master: JobMaster,
    /// To which season it belongs.
    pub season: SeasonId,
    /// What goes back as it came (D-IMPORTS-11).
    pub pass_through: PassThrough,
    /// Which import wrote it last; none: no import that can be undone.
    pub origin: Option<Origin>,
    /// The last 10 results of each rate.
    pub states: Vec<TaskState>,
    /// Of rates that are open again, the last reading, which a clerk rejected (D-EXPORTS-5).
    pub rejected: Vec<(TaskId, RejectedReading)>,
    /// Of each rate, the last reading, if a clerk has to look at it and none has yet (D-CLEARING-5).
    pub waiting: Vec<WaitingReading>,
    /// Every rate has a result.
    pub done: bool,
    /// Since which day, in the tenant's time zone.
    pub done_on: Option<Date>,
    /// In which cells of its season's tally it counts, as it was stored.
    pub tallied: Cells,
    /// The utility no longer lists the job: it takes no reading any more, and is shown only if it is done.
    pub closed: bool,
    /// Since when.
    pub closed_at: Option<Timestamp>,
    /// Since when the utility lists it.
    pub listed_at: Option<Timestamp>,
    /// Grows with each change, for optimistic locking.
    pub version: u64,
    /// The owner.
    pub account_id: AccountId,
    /// How often it was read on the last day on which it was.
    pub sent: Sent,
    /// The words under which staff find it; none while it is closed.
    pub findable: String,
}

/// How often a job was read on one day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// The day, in the tenant's time zone; none: it was never read.
    pub day: Option<Date>,
    /// By its owner.
    pub by_owner: u32,
    /// By those with whom it is shared, all together: they do not use up what the owner may send.
    pub by_others: u32,
}

impl Sent {
    /// The counts for this day.
    #[must_use]
    pub fn on(self, day: Date) -> Self {
        if self.day == Some(day) { self } else { Self { day: Some(day), ..Self::default() } }
    }

    /// How often the next sender has sent: the owner alone, or all others together.
    pub fn by(self, is_owner: bool) -> u32 {
        if is_owner { self.by_owner } else { self.by_others }
    }

    /// With one more.
    #[must_use]
    pub fn and(self, is_owner: bool) -> Self {
        let (own, others) = (u32::from(is_owner), u32::from(!is_owner));
        Self { by_owner: self.by_owner + own, by_others: self.by_others + others, ..self }
    }
}

impl StoredJob {
    /// How many results of a rate are kept in the job; the ledger keeps all.
    pub const RESULTS_PER_TASK: usize = 10;

    /// A job without readings.
    pub(crate) fn new(line: &JobLine, now: Timestamp) -> Self {
        Self {
            master: line.master.clone(),
            season: line.season.clone(),
            pass_through: line.pass_through.clone(),
            origin: None,
            states: Vec::new(),
            rejected: Vec::new(),
            waiting: Vec::new(),
            done: false,
            done_on: None,
            tallied: Cells::new(),
            closed: false,
            closed_at: None,
            listed_at: Some(now),
            version: 0,
            account_id: line.account_id.clone(),
            sent: Sent::default(),
            findable: String::new(),
        }
    }

    /// The job as it will be once [`Store::submit`] has stored these results.
    pub fn with_results(&self, results: &[NewResult]) -> Self {
        let mut next = Self { version: self.version + 1, ..self.clone() };
        for new in results {
            next.rejected.retain(|(task, _)| *task != new.task_id);
            // What it replaces need not be looked at any more.
            next.waiting.retain(|waiting| waiting.task_id != new.task_id);
            let state = match next.states.iter_mut().find(|state| state.task_id == new.task_id) {
                Some(state) => state,
                None => {
                    next.states.push(TaskState { task_id: new.task_id.clone(), reading_results: Vec::new() });
                    let Some(state) = next.states.last_mut() else { continue };
                    state
                }
            };
            state.reading_results.push(new.result.clone());
            let surplus = state.reading_results.len().saturating_sub(Self::RESULTS_PER_TASK);
            state.reading_results.drain(..surplus);
        }
        next.done = is_done(&next.master, &next.states);
        next
    }

    /// Whether an exchange of the meter was told with the last reading of a rate, and no clerk has denied it: what comes in its place goes out with it (D-CLEARING-7).
    pub fn was_exchanged(&self, task: &TaskId) -> bool {
        let is_named = last_result(&self.states, task).is_some_and(|last| last.lower_reason == Some(LowerReason::MeterChange));
        let waits = |waiting: &WaitingReading| waiting.task_id == *task && waiting.doubts.contains(&Doubt::MeterChange);
        is_named || self.waiting.iter().any(waits) || self.rejected.iter().any(|(of, rejected)| of == task && rejected.exchanged)
    }

    /// The job with what the utility lists now: results stay with the rates that still exist, and a closed job is open again.
    pub(crate) fn with_line(&self, line: &JobLine, now: Timestamp) -> Self {
        let (master, season, pass_through) = (line.master.clone(), line.season.clone(), line.pass_through.clone());
        let exists = |state: &TaskState| master.meter.meter_rate_tasks.iter().any(|task| task.task_id == state.task_id);
        let states = self.states.iter().filter(|state| exists(state)).cloned().collect();
        let listed_at = if self.closed { Some(now) } else { self.listed_at };
        let mut next = Self {
            master,
            season,
            pass_through,
            origin: None,
            states,
            closed: false,
            closed_at: None,
            listed_at,
            version: self.version + 1,
            ..self.clone()
        };
        let exists = |task: &TaskId| next.master.meter.meter_rate_tasks.iter().any(|known| known.task_id == *task);
        let rejected = self.rejected.iter().filter(|(task, _)| exists(task)).cloned().collect();
        next.rejected = rejected;
        next.done = is_done(&next.master, &next.states);
        next
    }

    /// Whether the line lists a register no more that was read.
    pub(crate) fn loses_read_register(&self, line: &JobLine) -> bool {
        let is_listed = |state: &TaskState| line.master.meter.meter_rate_tasks.iter().any(|task| task.task_id == state.task_id);
        self.states.iter().any(|state| !state.reading_results.is_empty() && !is_listed(state))
    }

    /// The job after a clerk's decision about one of its readings; none: the decision changes nothing here. What waited waits no more. Rejecting the last reading of a
    /// rate opens it again, despite earlier readings; releasing that one, or one before it, closes it.
    pub(crate) fn with_decision(&self, entry: &LedgerEntry, clearing: &Clearing) -> Option<Self> {
        let mut next = Self { version: self.version + 1, ..self.clone() };
        next.waiting.retain(|waiting| waiting.result_id != entry.result_id);
        let changes = next.decide_state(entry, clearing) || next.waiting.len() < self.waiting.len();
        next.done = is_done(&next.master, &next.states);
        changes.then_some(next)
    }

    /// The job after a clerk put another value in the place of this reading; none: a newer one came, and nothing is to be corrected any more.
    pub(crate) fn with_correction(&self, entry: &LedgerEntry, corrected: &LedgerEntry) -> Option<Self> {
        let mut next = Self { version: self.version + 1, ..self.clone() };
        next.waiting.retain(|waiting| waiting.task_id != entry.task_id);
        next.waiting.extend(WaitingReading::of(corrected));
        next.rejected.retain(|(task, _)| *task != entry.task_id);
        let state = next.states.iter_mut().find(|state| state.task_id == entry.task_id)?;
        if state.reading_results.last().is_some_and(|last| last.created > entry.created) {
            return None;
        }
        state.reading_results.retain(|result| result.created != entry.created);
        state.reading_results.push(corrected.result());
        next.done = is_done(&next.master, &next.states);
        Some(next)
    }

    /// The job after a decision about this reading was taken back: it counts and waits again as if no clerk had decided about it. `register` has all readings of its
    /// rate, the oldest first, as they are then, without `corrected`, which came by the decision.
    pub(crate) fn with_decision_undone(&self, entry: &LedgerEntry, register: &[ClearingEntry], corrected: Option<&LedgerEntry>) -> Self {
        let mut next = Self { version: self.version + 1, ..self.clone() };
        next.waiting.retain(|waiting| corrected.is_none_or(|corrected| waiting.result_id != corrected.result_id));
        let Some(state) = next.states.iter_mut().find(|state| state.task_id == entry.task_id) else { return next };
        let counts = counting(&register.iter().collect::<Vec<_>>());
        let results = &mut state.reading_results;
        results.retain(|result| result.created != entry.created && corrected.is_none_or(|corrected| result.created != corrected.created));
        let is_emptied = results.is_empty();
        results.extend(counts.into_iter().filter(|result| is_emptied || result.created == entry.created));
        results.sort_by_key(|result| result.created);
        next.rejected.retain(|(task, _)| *task != entry.task_id);
        if results.is_empty() {
            next.rejected.extend(register.iter().rev().find_map(told).map(|told| (entry.task_id.clone(), told)));
        }
        let surplus = results.len().saturating_sub(Self::RESULTS_PER_TASK);
        results.drain(..surplus);
        let is_last = results.last().is_some_and(|last| last.created == entry.created);
        let waits = WaitingReading::of(entry).filter(|_| is_last && !next.waiting.iter().any(|known| known.result_id == entry.result_id));
        next.waiting.extend(waits);
        next.done = is_done(&next.master, &next.states);
        next
    }

    /// The job without these readings, which a clerk had assigned to it; `others` are all its other ones. What they had replaced counts again, and waits again, unless
    /// it was rejected meanwhile, or a later one was.
    pub(crate) fn without_results(&self, taken: &[LedgerEntry], others: &[ClearingEntry]) -> Self {
        let mut next = Self { version: self.version + 1, ..self.clone() };
        next.waiting.retain(|waiting| !taken.iter().any(|entry| entry.result_id == waiting.result_id));
        for entry in taken {
            let Some(state) = next.states.iter_mut().find(|state| state.task_id == entry.task_id) else { continue };
            let results = &mut state.reading_results;
            let was_last = results.last().is_some_and(|last| last.created == entry.created);
            let register: Vec<_> = others.iter().filter(|reading| reading.entry.register() == entry.register()).collect();
            let counts = counting(&register);
            results.retain(|result| counts.iter().any(|counting| counting.created == result.created));
            if results.is_empty() {
                results.extend(counts);
            }
            next.rejected.retain(|(task, _)| *task != entry.task_id);
            if results.is_empty() {
                next.rejected.extend(register.iter().rev().find_map(|reading| told(reading)).map(|told| (entry.task_id.clone(), told)));
            }
            let surplus = results.len().saturating_sub(Self::RESULTS_PER_TASK);
            results.drain(..surplus);
            let before = register.iter().rfind(|reading| !reading.is_withdrawn());
            let before = before.filter(|before| was_last && before.clearing.is_none());
            next.waiting.extend(before.and_then(|before| WaitingReading::of(&before.entry)));
        }
        next.done = is_done(&next.master, &next.states);
        next
    }

    fn decide_state(&mut self, entry: &LedgerEntry, clearing: &Clearing) -> bool {
        let Some(state) = self.states.iter_mut().find(|state| state.task_id == entry.task_id) else { return false };
        let place = state.reading_results.iter().position(|result| result.created == entry.created);
        let told = self.rejected.iter_mut().find(|(task, _)| *task == entry.task_id);
        let lower_reason = entry.lower_reason_by(Some(clearing));
        match (clearing.released, place, told) {
            (false, Some(place), _) if place + 1 == state.reading_results.len() => {
                state.reading_results.clear();
                let reason = clearing.reason.clone().unwrap_or_default();
                self.rejected.push((entry.task_id.clone(), rejected(entry, clearing, reason)));
            }
            (false, Some(place), _) => {
                state.reading_results.remove(place);
            }
            (false, None, Some((_, told))) if told.created == entry.created => {
                told.reason = clearing.reason.clone().unwrap_or_default();
            }
            (true, None, Some(_)) => {
                self.rejected.retain(|(task, _)| *task != entry.task_id);
                state.reading_results.push(ReadingResult { lower_reason, ..entry.result() });
            }
            (true, Some(place), _) => match state.reading_results.get_mut(place) {
                Some(result) if result.lower_reason != lower_reason => result.lower_reason = lower_reason,
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    /// The job when the utility no longer lists it. Staff find it with its account from now on.
    pub(crate) fn without_listing(&self, now: Timestamp) -> Self {
        Self { closed: true, closed_at: Some(now), findable: String::new(), version: self.version + 1, ..self.clone() }
    }

    /// When it was read last, or closed.
    pub(crate) fn last_touched(&self) -> Option<Timestamp> {
        let results = self.states.iter().flat_map(|state| &state.reading_results).map(|result| result.created);
        results.chain(self.closed_at).max()
    }

    /// The job after some of its readings lost something.
    pub(crate) fn with_rewritten(&self, entries: &[LedgerEntry]) -> Self {
        let mut next = Self { version: self.version + 1, ..self.clone() };
        rewrite(&mut next.states, entries);
        next
    }

    /// Puts the job in the transaction, with all that follows from it: what leads staff to it, and what of it waits for a clerk. `before` is what it was; none:
    /// it is new.
    pub(crate) fn put(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        zone: Option<&TimeZone>,
        before: Option<&Self>,
        condition: Condition,
    ) -> Result<()> {
        let mut next = self.clone();
        let read_first = || next.first_reads().map(|(_, time)| time).max();
        next.done_on = next.done_on.or_else(|| read_first().map(|time| day_in(time, zone))).filter(|_| next.done);
        next.tallied = next.cells()?;
        tx.put(JOB, next.item(tenant)?, Some(condition))?;
        self.follow(tx, tenant, before, Some(&next))
    }

    /// Deletes the job in the transaction, with all that follows from it.
    pub(crate) fn remove(&self, tx: &mut Tx<'_>, tenant: &TenantId, condition: Condition) -> Result<()> {
        tx.delete(&keys::job(tenant, &self.account_id, &self.master.id), Some(condition))?;
        self.follow(tx, tenant, Some(self), None)
    }

    /// Deletes the job in the transaction because the time of its data is over: what it counted stays counted.
    pub(crate) fn forget(&self, tx: &mut Tx<'_>, tenant: &TenantId, condition: Condition) -> Result<()> {
        keep_counts(tx, tenant, self);
        self.remove(tx, tenant, condition)
    }

    /// When each of its rates was read first.
    pub(crate) fn first_reads(&self) -> impl Iterator<Item = (&TaskId, Timestamp)> {
        self.states.iter().filter_map(|state| Some((&state.task_id, state.reading_results.first()?.created)))
    }

    fn follow(&self, tx: &mut Tx<'_>, tenant: &TenantId, before: Option<&Self>, now: Option<&Self>) -> Result<()> {
        let words = |job: Option<&Self>| job.map_or_else(String::new, |job| job.findable.clone());
        put_entries(tx, tenant, &self.account_id, Some(&self.master.id), &words(before), &words(now))?;
        put_waiting(tx, tenant, before, now)?;
        note_change(tx, tenant, before, now)
    }

    /// The district of the meter, if the job names one.
    pub(crate) fn district(&self) -> Option<&str> {
        self.master.meter.meter_address.city_district.as_deref()
    }

    /// A job that no customer sees.
    pub(crate) fn is_hidden(&self) -> bool {
        is_hidden(self.closed, self.done)
    }

    pub(crate) fn read(item: &Item) -> Result<Self> {
        Self::with_body(item, &Fields(item).unpacked(BODY)?)
    }

    fn with_body(item: &Item, body: &[u8]) -> Result<Self> {
        let fields = Fields(item);
        let body: Body<'_> = from_json(BODY, body)?;
        Ok(Self {
            master: body.master.into_owned(),
            season: body.season.into_owned(),
            pass_through: body.pass_through.into_owned(),
            origin: Origin::read(item)?,
            states: body.states.into_owned(),
            rejected: body.rejected.into_owned(),
            waiting: body.waiting.into_owned(),
            done: fields.flag("done")?,
            done_on: body.done_on,
            tallied: body.tallied.into_owned(),
            closed: fields.flag("closed")?,
            closed_at: body.closed_at,
            listed_at: body.listed_at,
            version: fields.version()?,
            account_id: fields.parsed("accountId")?,
            sent: Sent {
                day: body.sent_day,
                by_owner: body.sent_by_owner.unwrap_or_default(),
                by_others: body.sent_by_others.unwrap_or_default(),
            },
            findable: body.findable.into_owned(),
        })
    }

    /// Whether its item holds it.
    ///
    /// # Errors
    /// [`StoreError::TooLarge`].
    pub(crate) fn check_size(&self) -> Result<()> {
        fitting(JOB, &self.body()).map(drop)
    }

    fn body(&self) -> Body<'_> {
        Body {
            master: Cow::Borrowed(&self.master),
            season: Cow::Borrowed(&self.season),
            pass_through: Cow::Borrowed(&self.pass_through),
            states: Cow::Borrowed(&self.states),
            rejected: Cow::Borrowed(&self.rejected),
            waiting: Cow::Borrowed(&self.waiting),
            done_on: self.done_on,
            tallied: Cow::Borrowed(&self.tallied),
            closed_at: self.closed_at,
            listed_at: self.listed_at,
            sent_day: self.sent.day,
            sent_by_owner: self.sent.day.map(|_| self.sent.by_owner),
            sent_by_others: self.sent.day.map(|_| self.sent.by_others),
            findable: Cow::Borrowed(&self.findable),
        }
    }

    pub(crate) fn item(&self, tenant: &TenantId) -> Result<Item> {
        let record = Origin::add_to(self.origin.as_ref(), Record::at(&keys::job(tenant, &self.account_id, &self.master.id)));
        Ok(open::list(record, tenant, self)?
            .with("accountId", text(self.account_id.as_str()))
            .with("done", flag(self.done))
            .with("closed", flag(self.closed))
            .with("version", number(self.version))
            .with(BODY, packed(JOB, &self.body())?)
            .item())
    }
}

/// What [`StoredJob::read`] looks at, beside its keys: a list's items come without what only indexes need, which is half of their attributes.
pub(crate) const READ_OF_JOB: &[&str] = &[
    "accountId",
    "done",
    "closed",
    "version",
    BODY,
    "import",
    "importCreated",
    "importMoved",
    "importRenumbered",
    "importDropped",
    "importForgotten",
];

/// The attribute of a job's item that has all that no condition asks for.
pub(crate) const BODY: &str = "body";

/// The content of that attribute.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    master: Cow<'a, JobMaster>,
    #[serde(default, skip_serializing_if = "is_default")]
    season: Cow<'a, SeasonId>,
    #[serde(default, skip_serializing_if = "is_default")]
    pass_through: Cow<'a, PassThrough>,
    #[serde(default, skip_serializing_if = "is_default")]
    states: Cow<'a, [TaskState]>,
    #[serde(default, skip_serializing_if = "is_default")]
    rejected: Cow<'a, [(TaskId, RejectedReading)]>,
    #[serde(default, skip_serializing_if = "is_default")]
    waiting: Cow<'a, [WaitingReading]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    done_on: Option<Date>,
    #[serde(default, skip_serializing_if = "is_default")]
    tallied: Cow<'a, Cells>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "millisecond::optional")]
    closed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "millisecond::optional")]
    listed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sent_day: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sent_by_owner: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sent_by_others: Option<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    findable: Cow<'a, str>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The utility does not want the job read any more, and there is nothing to look at.
pub(crate) fn is_hidden(closed: bool, done: bool) -> bool {
    closed && !done
}

/// What an oversized job is called in the error.
pub(crate) const JOB: &str = "the job";

/// A page ends with the job that takes it over so many bytes of documents: a megabyte of items may be many times as much, and an answer has bounds, too.
const PAGE_BYTES: usize = 2_000_000;

/// One page of an account's jobs.
#[derive(Debug, Clone, PartialEq)]
pub struct JobsPage {
    /// The jobs, in a page by id; pages are in the order of the slots. May be fewer than asked for although there are more.
    pub jobs: Vec<StoredJob>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
    /// Of a first page of a long list: cursors of lanes that together are the rest and can be read at the same time, in place of going on from `next_cursor`
    /// (D-STORAGE-11).
    pub lanes: Vec<String>,
    /// Of a first page of all jobs, how the list was: [`Store::accessible_state`] says when something changed since.
    pub state: Option<ListState>,
}

/// A job as the tenant's list names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedJob {
    /// The job.
    pub job_id: JobId,
    /// The owner.
    pub account_id: AccountId,
    /// The utility no longer lists it.
    pub closed: bool,
    /// To which season it belongs.
    pub season: SeasonId,
}

/// One page of a tenant's list of jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobIdsPage {
    /// The jobs; may be none although there are more pages.
    pub jobs: Vec<ListedJob>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// Those of a register's readings that count.
fn counting(register: &[&ClearingEntry]) -> Vec<ReadingResult> {
    let known: Vec<_> = register.iter().map(|reading| reading.known(Destination::Table, false)).collect();
    let counting = register.iter().enumerate().filter(|(index, _)| sending::counts(&known, *index));
    counting.map(|(_, reading)| reading.result()).collect()
}

/// What the next reader is told of this reading; none: it was not rejected.
fn told(reading: &ClearingEntry) -> Option<RejectedReading> {
    let clearing = reading.clearing.as_ref()?;
    let Clearing { released: false, corrected_by: None, reason: Some(reason), .. } = clearing else { return None };
    Some(rejected(&reading.entry, clearing, reason.clone()))
}

fn rejected(entry: &LedgerEntry, clearing: &Clearing, reason: String) -> RejectedReading {
    let exchanged = entry.is_of_exchange_by(Some(clearing));
    RejectedReading {
        reading_date: entry.reading_date,
        reading_value: entry.reading_value.clone(),
        created: entry.created,
        reason,
        exchanged,
    }
}

/// What a job has of readings, after some of them lost something.
pub(crate) fn rewrite(states: &mut [TaskState], entries: &[LedgerEntry]) {
    for state in states {
        for result in &mut state.reading_results {
            let same = |entry: &&LedgerEntry| entry.task_id == state.task_id && entry.created == result.created;
            if let Some(entry) = entries.iter().find(same) {
                result.comment.clone_from(&entry.comment);
                result.reading_result_images.retain(|image| entry.image_ids.contains(&image.image_id));
            }
        }
    }
}

/// Counts in the transaction a change of one of the account's jobs.
pub(crate) fn bump_portfolio(tx: &mut Tx<'_>, tenant: &TenantId, account: &AccountId, job: &JobId) -> Result<()> {
    let counting = count_changes(&BTreeSet::from([Slot::of(job)]));
    tx.update(&keys::portfolio(tenant, account), &counting, Item::from([(":one".into(), number(1))]), None)
}

/// Where a portfolio says when its jobs end the account's link.
pub(crate) const LINKS_END_AT: &str = "linksEndAt";

/// When the jobs of this portfolio end the account's link; none: there were none yet.
pub(crate) fn links_end_at(portfolio: &Item) -> Result<Option<Timestamp>> {
    portfolio.contains_key(LINKS_END_AT).then(|| Fields(portfolio).time(LINKS_END_AT)).transpose()
}

/// Where the next page of jobs begins: behind a job, and in which slots.
#[derive(Default)]
pub(crate) struct Cursor {
    pub within: Within,
    pub after: Option<JobId>,
}

/// In which of a portfolio's slots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Within {
    #[default]
    All,
    /// In these alone, each a query.
    Some(Vec<Slot>),
    /// From one to another, both included, in one query.
    Lane(Slot, Slot),
}

impl Within {
    pub(crate) fn contains(&self, slot: Slot) -> bool {
        match self {
            Self::All => true,
            Self::Some(slots) => slots.contains(&slot),
            Self::Lane(from, through) => (*from..=*through).contains(&slot),
        }
    }

    fn parse(text: &str) -> Result<Self> {
        if text.is_empty() {
            return Ok(Self::All);
        }
        if let Some((from, through)) = text.split_once('-') {
            let (from, through) = (from.parse()?, through.parse()?);
            return if from <= through { Ok(Self::Lane(from, through)) } else { Err(StoreError::InvalidCursor) };
        }
        let slots = text.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair).parse()).collect::<Result<Vec<Slot>>>()?;
        // Each is a query: as they are handed out they are in order, each once, and not more.
        let in_order = slots.len() <= MOST_CHANGED && slots.is_sorted_by(|one, next| one < next);
        if in_order { Ok(Self::Some(slots)) } else { Err(StoreError::InvalidCursor) }
    }
}

/// Two letters for each slot, or for the two ends of a lane with a hyphen between them.
impl std::fmt::Display for Within {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::Some(slots) => slots.iter().try_for_each(|slot| write!(f, "{slot}")),
            Self::Lane(from, through) => write!(f, "{from}-{through}"),
        }
    }
}

impl Cursor {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (within, after) = text.split_once('.').filter(|(within, _)| within.is_ascii()).ok_or(StoreError::InvalidCursor)?;
        let within = Within::parse(within)?;
        let after = if after.is_empty() { None } else { Some(after.parse::<JobId>().map_err(|_| StoreError::InvalidCursor)?) };
        // What is outside of a query's bounds the table refuses as no beginning of a page.
        let begins_within = after.as_ref().is_none_or(|after| within.contains(Slot::of(after)));
        if !begins_within || (within == Within::All && after.is_none()) {
            return Err(StoreError::InvalidCursor);
        }
        Ok(Self { within, after })
    }

    /// The beginnings of lanes of about the same size, which together are the rest of a portfolio behind these first jobs, in the order of their slots; none: the rest
    /// is less than two pages.
    fn of_lanes(first: &[StoredJob]) -> Vec<Self> {
        let Some(after) = first.last().map(|job| job.master.id.clone()) else { return Vec::new() };
        let (last, count) = (usize::from(Slot::of(&after).number()), usize::from(Slot::COUNT));
        // Hashes are spread evenly: as many jobs as in these slots are in as many others.
        let pages = (count - 1 - last) / (last + 1);
        if pages < 2 {
            return Vec::new();
        }
        let lanes = pages.min(LANES);
        let number = |lane: usize| u8::try_from(last + lane * (count - last) / lanes).ok();
        let ends = |lane: usize| Some((number(lane).and_then(Slot::new)?, number(lane + 1)?.checked_sub(1).and_then(Slot::new)?));
        let lanes = (0..lanes).filter_map(ends);
        lanes
            .enumerate()
            .map(|(place, (from, through))| Self { within: Within::Lane(from, through), after: Some(after.clone()).filter(|_| place == 0) })
            .collect()
    }
}

/// What is within, a point, and the job.
impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.within, self.after.as_ref().map_or("", JobId::as_str))
    }
}

/// Into so many lanes the rest of a long portfolio is divided: as many functions of a kind begin at once for each such list.
const LANES: usize = 4;

/// Where the jobs of these slots begin, for [`Store::accessible_jobs`].
#[must_use]
pub fn cursor_of_slots(slots: Vec<Slot>) -> String {
    Cursor { within: Within::Some(slots), after: None }.to_string()
}

/// The jobs of a page as they are read.
#[derive(Default)]
struct Filling {
    jobs: Vec<StoredJob>,
    bytes: usize,
}

impl Filling {
    /// Takes one more; false: the page is full.
    fn take(&mut self, item: &Item, limit: u32) -> Result<bool> {
        if self.bytes >= PAGE_BYTES || u32::try_from(self.jobs.len()).is_ok_and(|count| count >= limit) {
            return Ok(false);
        }
        let body = Fields(item).unpacked(BODY)?;
        self.bytes += body.len();
        self.jobs.push(StoredJob::with_body(item, &body)?);
        Ok(true)
    }

    fn last(&self) -> Option<JobId> {
        self.jobs.last().map(|job| job.master.id.clone())
    }

    /// The page, in the order of the ids.
    fn page(mut self, next: Option<Cursor>) -> JobsPage {
        self.jobs.sort_by(|one, other| one.master.id.cmp(&other.master.id));
        JobsPage { jobs: self.jobs, next_cursor: next.map(|cursor| cursor.to_string()), lanes: Vec::new(), state: None }
    }
}

/// So many slots are read at the same time.
const SLOTS_AT_ONCE: usize = 8;

impl Store {
    /// One page of the account's jobs, at most `limit`; one query.
    pub async fn jobs(&self, tenant: &TenantId, account: &AccountId, limit: u32, cursor: Option<&str>) -> Result<JobsPage> {
        let mut page = self.jobs_with_hidden(tenant, account, limit, cursor).await?;
        page.jobs.retain(|job| !job.is_hidden());
        Ok(page)
    }

    /// The same with those that the owner does not see.
    pub(crate) async fn jobs_with_hidden(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<JobsPage> {
        Ok(self.jobs_with_portfolio(tenant, account, limit, cursor).await?.0)
    }

    /// The same with the portfolio's item, which only the first page brings along.
    pub(crate) async fn jobs_with_portfolio(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<(JobsPage, Option<Item>)> {
        let Cursor { within, after } = cursor.map(Cursor::parse).transpose()?.unwrap_or_default();
        let (condition, values) = match &within {
            Within::Some(slots) => return Ok((self.jobs_in(tenant, account, limit, slots, after).await?, None)),
            Within::Lane(from, through) => (
                "#sk BETWEEN :from AND :through",
                Item::from([(":from".into(), text(keys::jobs_in(*from))), (":through".into(), text(keys::after_jobs_in(*through)))]),
            ),
            Within::All => ("begins_with(#sk, :portfolio)", Item::from([(":portfolio".into(), text(keys::PORTFOLIO))])),
        };
        let behind = after.as_ref().map(|after| keys::job(tenant, account, after));
        let is_first = cursor.is_none();
        let range = Range {
            condition: Some(condition),
            values,
            // One more for the portfolio itself, which comes first.
            limit: Some(if is_first { limit.saturating_add(1) } else { limit }),
            after: behind.as_ref(),
            // The portfolio's attributes are named after slots.
            only: (!is_first).then_some(READ_OF_JOB),
            ..Range::default()
        };
        let page = self.query(&keys::account_partition(tenant, account), range, Read::Latest).await?;

        let portfolio = keys::portfolio(tenant, account).sk;
        let (mut found, mut filling, mut more) = (None, Filling::default(), page.more);
        for item in page.items {
            if Fields(&item).text(SORT_KEY)? == portfolio {
                found = Some(item);
            } else if !filling.take(&item, limit)? {
                more = true;
                break;
            }
        }
        let lanes = if is_first && more { Cursor::of_lanes(&filling.jobs) } else { Vec::new() };
        let next = filling.last().filter(|_| more).map(|after| Cursor { within, after: Some(after) });
        let mut page = filling.page(next);
        if is_first {
            page.lanes = lanes.iter().map(Cursor::to_string).collect();
            page.state = Some(ListState::new(Counters::read(found.as_ref())?, Vec::new()));
        }
        Ok((page, found))
    }

    /// One page of the jobs in these slots, behind this job of the first one; a query for each slot.
    async fn jobs_in(&self, tenant: &TenantId, account: &AccountId, limit: u32, slots: &[Slot], after: Option<JobId>) -> Result<JobsPage> {
        let begins_in_first = |after: &JobId| slots.first() == Some(&Slot::of(after));
        if !after.as_ref().is_none_or(begins_in_first) {
            return Err(StoreError::InvalidCursor);
        }
        let partition = keys::account_partition(tenant, account);
        let first = after.map(|after| keys::job(tenant, account, &after));
        let read = |(place, slot): (usize, &Slot)| {
            let (partition, beginning) = (&partition, keys::jobs_in(*slot));
            let after = first.as_ref().filter(|_| place == 0);
            async move {
                let values = Item::from([(":slot".into(), text(beginning))]);
                let condition = Some("begins_with(#sk, :slot)");
                let range = Range { condition, values, limit: Some(limit), after, only: Some(READ_OF_JOB), ..Range::default() };
                Ok((place, self.query(partition, range, Read::Latest).await?))
            }
        };
        let mut pages = stream::iter(slots.iter().enumerate().map(read)).buffered(SLOTS_AT_ONCE);
        let (mut filling, mut next) = (Filling::default(), None);
        'slots: while let Some((place, page)) = pages.try_next().await? {
            let rest = |after| Some(Cursor { within: Within::Some(slots[place..].to_vec()), after });
            let mut after = None;
            for item in &page.items {
                if !filling.take(item, limit)? {
                    next = rest(after);
                    break 'slots;
                }
                after = filling.last();
            }
            if page.more {
                next = rest(after);
                break;
            }
        }
        Ok(filling.page(next))
    }

    /// One job of the account; one read.
    pub async fn job(&self, tenant: &TenantId, account: &AccountId, job: &JobId) -> Result<Option<StoredJob>> {
        let item = self.get(&keys::job(tenant, account, job), Read::Latest).await?;
        let job = item.map(|item| StoredJob::read(&item)).transpose()?;
        Ok(job.filter(|job| !job.is_hidden()))
    }

    /// A job that is known by its id alone, closed ones too; two reads.
    pub async fn job_by_id(&self, tenant: &TenantId, job: &JobId) -> Result<Option<StoredJob>> {
        let listed = self.get(&keys::job_entry(tenant, job), Read::Latest).await?;
        let Some(listed) = listed.filter(|listed| !listed.contains_key(FORGOTTEN)) else { return Ok(None) };
        let owner = Fields(&listed).parsed("accountId")?;
        self.get(&keys::job(tenant, &owner, job), Read::Latest).await?.map(|item| StoredJob::read(&item)).transpose()
    }

    /// What a submission needs to know, in one read: the job, and the record of an earlier request with the same key.
    pub async fn job_with_idempotency(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        job: &JobId,
        key_hash: &str,
        now: Timestamp,
    ) -> Result<(Option<StoredJob>, Option<IdempotencyRecord>)> {
        let (job, record) = (keys::job(tenant, account, job), keys::idempotency(tenant, account, key_hash));
        let found = self.get_batch(&[job.clone(), record.clone()], Read::Latest).await?;
        let job = found.get(&job).map(StoredJob::read).transpose()?;
        let record = found.get(&record).map(|item| IdempotencyRecord::read(item, now)).transpose()?;
        Ok((job.filter(|job| !job.is_hidden()), record.flatten()))
    }

    /// One page of all jobs of the tenant, closed ones too.
    pub async fn job_ids(&self, tenant: &TenantId, cursor: Option<&str>) -> Result<JobIdsPage> {
        self.job_ids_page(tenant, cursor, None).await
    }

    /// The same, looking at no more than `limit` entries of the list.
    pub(crate) async fn job_ids_page(&self, tenant: &TenantId, cursor: Option<&str>, limit: Option<u32>) -> Result<JobIdsPage> {
        let (shard, after) = match cursor {
            None => (0, None),
            Some(cursor) => list_position(cursor).ok_or(StoreError::InvalidCursor)?,
        };
        let partition = keys::job_list(tenant, shard);
        let after = after.map(|id| Key { pk: partition.clone(), sk: id.as_str().to_owned() });
        let range = Range { limit, after: after.as_ref(), ..Range::default() };
        let page = self.query(&partition, range, Read::Latest).await?;
        let listed = page.items.iter().filter(|item| !item.contains_key(FORGOTTEN)).map(|item| {
            let fields = Fields(item);
            Ok(ListedJob {
                job_id: fields.parsed(SORT_KEY)?,
                account_id: fields.parsed("accountId")?,
                closed: fields.flag("closed")?,
                season: fields.optional_parsed("season")?.unwrap_or_default(),
            })
        });
        let jobs = listed.collect::<Result<Vec<_>>>()?;
        let next_cursor = match page.items.last().filter(|_| page.more) {
            Some(last) => Some(format!("{shard}.{}", Fields(last).text(SORT_KEY)?)),
            None => (shard + 1 < keys::JOB_LIST_SHARDS).then(|| format!("{}.", shard + 1)),
        };
        Ok(JobIdsPage { jobs, next_cursor })
    }

    /// Closes a job that the utility no longer lists; false: there is none, or it was closed already. Its results stay.
    pub async fn close_job(&self, tenant: &TenantId, account: &AccountId, job: &JobId, now: Timestamp) -> Result<bool> {
        self.close_job_by(tenant, account, job, None, now).await
    }

    /// The same, by an import that can be undone.
    pub async fn close_job_by(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        job: &JobId,
        import: Option<&ImportId>,
        now: Timestamp,
    ) -> Result<bool> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let item = self.get(&keys::job(tenant, account, job), Read::Latest).await?;
            let Some(stored) = item.map(|item| StoredJob::read(&item)).transpose()? else { return Ok(false) };
            if stored.closed {
                // A resumed import counts what it closed before, too.
                return Ok(import.is_some() && stored.origin.as_ref().map(|origin| &origin.import) == import);
            }
            let mut tx = Tx::new(self);
            let mut closed = stored.without_listing(now);
            if let Some(import) = import {
                closed.origin = Some(Origin::by(import));
                keep_before(&mut tx, tenant, import, &stored, now)?;
            }
            let zone = self.zone(tenant).await?;
            closed.put(&mut tx, tenant, zone.as_ref(), Some(&stored), Condition::version(stored.version))?;
            tx.put(JOB, list_entry(tenant, &closed), None)?;
            bump_portfolio(&mut tx, tenant, account, job)?;
            match tx.commit(JOB).await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| true),
            }
        }
        Err(StoreError::Conflict)
    }
}

/// The job's entry in the tenant's list.
pub(crate) fn list_entry(tenant: &TenantId, job: &StoredJob) -> Item {
    Record::at(&keys::job_entry(tenant, &job.master.id))
        .with("accountId", text(job.account_id.as_str()))
        .with("closed", flag(job.closed))
        .with_some("season", named(&job.season))
        .with_some("import", job.origin.as_ref().map(|origin| text(origin.import.as_str())))
        .item()
}

/// A season as it is stored: that of what names none is left out.
fn named(season: &SeasonId) -> Option<AttributeValue> {
    (!season.is_default()).then(|| text(season.as_str()))
}

/// Says of an entry in the tenant's list that the time of its job's data is over, and what the utility's line was.
pub(crate) const FORGOTTEN: &str = "forgotten";

/// What stays of a job in that list while the utility goes on listing it; `line` is the [`line_hash`].
pub(crate) fn forgotten_entry(tenant: &TenantId, job: &JobId, line: &str) -> Item {
    Record::at(&keys::job_entry(tenant, job)).with(FORGOTTEN, text(line)).item()
}

/// By what the utility's line is known again once the job itself is gone.
pub(crate) fn line_hash(account: &AccountId, season: &SeasonId, master: &JobMaster) -> Result<String> {
    let line = serde_json::to_vec(&(account, season, master));
    let line = line.map_err(|error| StoreError::Internal { operation: "job", reason: error.to_string() })?;
    Ok(keys::sha256_hex(&line))
}

fn list_position(cursor: &str) -> Option<(u8, Option<JobId>)> {
    let (shard, after) = cursor.split_once('.')?;
    let shard = shard.parse().ok().filter(|shard| *shard < keys::JOB_LIST_SHARDS)?;
    match after {
        "" => Some((shard, None)),
        after => Some((shard, Some(after.parse().ok()?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A member that is always written, be it in a line that does not have it, would make this hash another one, and new jobs of all that are forgotten: what is not
    /// said is left out.
    #[test]
    fn a_forgotten_line_is_known_again_by_every_version() {
        let master = serde_json::json!({
            "id": "j1", "meLoId": "DE0001", "objectKey": "O1",
            "meter": { "meterNumber": "1EBZ0100000619", "meterAddress": { "city": "Musterstadt" }, "meterRateTasks": [
                { "taskId": "t1", "obis": "1-0:1.8.0", "readingEvents": [{ "readingDate": "2025-11-30", "readingValue": "100.5" }],
                  "readingValueValidation": { "minimumValue": "100" } },
            ] },
            "partner": { "identifier": "P1" }, "customer": { "customerNumber": "C1", "mailingAddress": { "zip": "12345" } },
        });
        let hash = line_hash(&"a1".parse().unwrap(), &SeasonId::default(), &serde_json::from_value(master).unwrap()).unwrap();
        assert_eq!(hash, "b19a7a08812e9ed3c9149c71d30035534971e6477dc682efdf3a289dbe14f01c");
    }
}
