//! What a clerk does beside releasing and rejecting: correct a value, put aside, take back; and which clerk looks at what.

use std::collections::HashMap;

use domain::clearing::Doubt;
use domain::ids::{JobId, MemberId, TaskId, TenantId};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan};

use crate::clearing::{ASIDE, Decidable, is_same_aside, undecided_since, untaken_since};
use crate::db::{OPTIMISTIC_ATTEMPTS, Read, Update, Written};
use crate::item::{Fields, Item, Record, flag, json, key_of, number, seconds, text};
use crate::jobs::bump_portfolio;
use crate::keys::{self, Key};
use crate::season_readings::UNCOUNTED;
use crate::table::EXPIRES_AT;
use crate::tallies::day_in;
use crate::tx::{Condition, Tx};
use crate::{
    AnyReading, Aside, Assigned, Cleared, Clearing, ClearingEntry, Delivery, Destination, LedgerEntry, Proposal, Result, Store, StoreError,
    Waiting, WaitingFilter, is_without_job,
};

/// How long decisions are listed: until the day is over everywhere, and its next.
const LISTED: SignedDuration = SignedDuration::from_hours(72);
/// For how long a reading that waits is one clerk's alone.
const LEASE: SignedDuration = SignedDuration::from_mins(5);
/// Most readings that are one clerk's at a time: the one at hand, the next, and what other tabs show.
const MOST_HELD: usize = 5;
/// Readings that wait of which one is taken.
const CHOICE: u32 = 25;
/// As many as are looked at together once none of those is free.
const FURTHER_CHOICE: u32 = 100;
/// Pages of them after which the caller goes on with another call.
const MOST_PAGES: usize = 10;
/// Decisions of one page.
const DECISIONS: usize = 200;

/// A clerk's correction of a value.
#[derive(Debug, Clone, Copy)]
pub struct Correction<'a> {
    /// The reading that does not hold.
    pub entry: &'a LedgerEntry,
    /// What was decided about it; names the other one in [`Clearing::corrected_by`].
    pub clearing: &'a Clearing,
    /// The reading in its place.
    pub corrected: &'a LedgerEntry,
}

/// What became of taking a decision back.
#[derive(Debug, Clone, PartialEq)]
pub enum Reopened {
    /// Done: this was the decision.
    Undone(Box<Clearing>),
    /// Done: it was a proposal, or it was put aside.
    Withdrawn,
    /// There is no decision, or it was taken back already.
    Undecided,
    /// It went out with what was decided.
    Taken(Taken),
    /// Another decision than the one that was meant; of a reading without a job, one about what it became since.
    Decided(Box<Clearing>),
    /// Another proposal than the one that was meant.
    Proposed(Box<Proposal>),
    /// Another note than the one that was meant.
    PutAside(Box<Aside>),
    /// There is no such reading any more.
    Gone,
}

/// The sending by which a decision went out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The destination.
    pub destination: Destination,
    /// The export's number; none: it was a message to the webhook.
    pub export: Option<u64>,
}

/// Another clerk looks at the reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithAnother;

/// The reading that a clerk looks at next.
#[derive(Debug, Clone, PartialEq)]
pub enum NextWaiting {
    /// A reading, which is theirs for a while, and what stands for it.
    Found(Box<Waiting>, String),
    /// None of the hundreds that were looked at; what stands for the last of them.
    Further(String),
    /// There is no more.
    Nothing,
}

/// Some of a member's decisions of a day.
#[derive(Debug, Clone, PartialEq)]
pub struct DecidedPage {
    /// The decisions, the last one first; may be fewer than 200 although there are more.
    pub decisions: Vec<Decided>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// A decision of these days.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// The reading as it stands now.
    pub reading: AnyReading,
    /// The decision.
    pub clearing: Clearing,
    /// By what it can no longer be taken back; none: it can.
    pub taken: Option<Taken>,
}

/// Puts a decision on the list of its day.
pub(crate) fn list_decision(tx: &mut Tx<'_>, tenant: &TenantId, entry: &LedgerEntry, clearing: &Clearing) -> Result<()> {
    let result = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
    list(tx, tenant, (&entry.job_id, &entry.result_id), &result.sk, clearing)
}

/// The same for a reading without a job.
pub(crate) fn list_decision_without_job(tx: &mut Tx<'_>, tenant: &TenantId, id: &JobId, clearing: &Clearing) -> Result<()> {
    list(tx, tenant, (id, id.as_str()), id.as_str(), clearing)
}

fn list(tx: &mut Tx<'_>, tenant: &TenantId, (job, reading): (&JobId, &str), place: &str, clearing: &Clearing) -> Result<()> {
    let item = Record::at(&keys::decision(tenant, clearing.at, job, reading))
        .with("jobId", text(job.as_str()))
        .with("result", text(place))
        .with_some("member", clearing.member.as_ref().map(|member| text(member.as_str())))
        .with(EXPIRES_AT, seconds(clearing.at + LISTED));
    tx.put("the decision", item.item(), None)
}

/// Takes a decision that was made at this time off the list, and out of what waits for the webhook.
pub(crate) fn forget_decision(tx: &mut Tx<'_>, tenant: &TenantId, entry: &LedgerEntry, at: Timestamp) -> Result<()> {
    tx.delete(&keys::decision(tenant, at, &entry.job_id, &entry.result_id), None)?;
    for key in Delivery::of_clearing(entry, at, tenant).keys(tenant) {
        tx.delete(&key, None)?;
    }
    Ok(())
}

/// Notes of a reading that a clerk had put there that this was taken back, and that only so much is left of it, if that is said; not once a clerk decided about it
/// or it went out.
pub(crate) fn withdraw(tx: &mut Tx<'_>, key: &Key, clearing: &Clearing, left: Option<&LedgerEntry>) -> Result<()> {
    let withdrawn = Clearing { released: false, reason: None, corrected_by: None, exchange: None, assigned: None, ..clearing.clone() };
    let unsent = Condition {
        expression: "attribute_exists(pk) AND attribute_not_exists(clearing) AND attribute_not_exists(sentMarket) \
                     AND attribute_not_exists(sentTable) AND attribute_not_exists(sentWebhook)",
        values: Item::new(),
        refusal: StoreError::Conflict,
    };
    let mut values = Item::from([(":clearing".into(), json(&withdrawn)?), (":uncounted".into(), flag(true))]);
    let expression = match left {
        Some(entry) => {
            values.insert(":entry".into(), json(entry)?);
            "SET clearing = :clearing, uncounted = :uncounted, entry = :entry"
        }
        None => "SET clearing = :clearing, uncounted = :uncounted",
    };
    tx.update(key, expression, values, Some(unsent))
}

impl ClearingEntry {
    /// With what it went out first; none: with nothing yet.
    pub(crate) fn went_out(&self) -> Option<Taken> {
        [Destination::Market, Destination::Table, Destination::Webhook].into_iter().find_map(|destination| {
            let export = self.sent.to(destination).first()?.export;
            Some(Taken { destination, export })
        })
    }

    /// With what the present decision about the reading went out first; none: with nothing yet.
    pub fn taken(&self) -> Option<Taken> {
        let clearing = self.clearing.as_ref()?;
        [Destination::Market, Destination::Table, Destination::Webhook].into_iter().find_map(|destination| {
            let out = |sending: &&crate::Sending| sending.clearing.as_ref() == Some(clearing) || sending.at >= clearing.at;
            let export = self.sent.to(destination).iter().find(out)?.export;
            Some(Taken { destination, export })
        })
    }
}

impl Store {
    /// Puts another value in the place of a reading, both in the ledger: one transaction with the job. `seen` is as of [`Store::note_clearing`].
    pub async fn note_correction(&self, tenant: &TenantId, correction: Correction<'_>, seen: &str, deliver: bool) -> Result<Cleared> {
        let Correction { entry, clearing, corrected } = correction;
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(Decidable { item, stored, job, version }) = self.decidable(tenant, entry).await? else { return Ok(Cleared::Gone) };
            if stored.clearing.as_ref() == Some(clearing) {
                return Ok(Cleared::Noted);
            }
            let Some(job) = job.filter(|job| !job.closed) else { return Ok(Cleared::Gone) };
            let Some(mut next) = job.with_correction(entry, corrected).filter(|_| version == seen) else { return Ok(Cleared::Overtaken) };
            let mut tx = Tx::new(self);
            let values = Item::from([(":clearing".into(), json(clearing)?)]);
            tx.update(&key_of(&item)?, "SET clearing = :clearing REMOVE aside, proposal", values, Some(undecided_since(&item)))?;
            if let Some(earlier) = &stored.clearing {
                forget_decision(&mut tx, tenant, entry, earlier.at)?;
            }
            list_decision(&mut tx, tenant, entry, clearing)?;
            let mut put_right = corrected.item(tenant)?;
            put_right.insert(UNCOUNTED.into(), flag(true));
            tx.put("the reading", put_right, Some(Condition::absent(StoreError::Conflict)))?;
            let zone = self.zone(tenant).await?;
            // The register was read when the value came that is put right (D-CLEARING-10).
            let as_sent = |(task, time): (&TaskId, Timestamp)| if *task == entry.task_id { entry.created } else { time };
            let last = next.first_reads().map(as_sent).max();
            next.done_on = job.done_on.or_else(|| last.map(|last| day_in(last, zone.as_ref())));
            next.put(&mut tx, tenant, zone.as_ref(), Some(&job), Condition::version(job.version))?;
            bump_portfolio(&mut tx, tenant, &job.account_id, &job.master.id)?;
            if deliver {
                tx.put("the delivery", Delivery::of_clearing(entry, clearing.at, tenant).item(tenant)?, None)?;
                let told = Delivery::of_job(&entry.job_id, std::slice::from_ref(corrected), tenant);
                for delivery in told.iter() {
                    tx.put("the delivery", delivery.item(tenant)?, None)?;
                }
            }
            match tx.commit("the correction").await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| Cleared::Noted),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Takes the decision about a reading back: it counts and waits as before. Not once an export or the webhook has the decision: then it can be decided anew.
    ///
    /// What a correction had put in the reading's place stays in the ledger, and does not count.
    ///
    /// With `made` only the decision, proposal or note of that moment: another one is [`Reopened::Decided`], [`Reopened::Proposed`] or [`Reopened::PutAside`].
    pub async fn undo_decision(&self, tenant: &TenantId, entry: &LedgerEntry, made: Option<Timestamp>, now: Timestamp) -> Result<Reopened> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(Decidable { item, stored, job, .. }) = self.decidable(tenant, entry).await? else { return Ok(Reopened::Gone) };
            let Some(clearing) = stored.clearing.clone().filter(|clearing| !clearing.is_of_withdrawn_reading()) else {
                if let Some((aside, made)) = stored.aside.zip(made).filter(|_| stored.clearing.is_none()) {
                    match self.take_from_aside(&item, aside, made).await? {
                        Some(reopened) => return Ok(reopened),
                        None => continue,
                    }
                }
                let Some(proposal) = stored.proposal else { return Ok(Reopened::Undecided) };
                if made.is_some_and(|made| made != proposal.at) {
                    return Ok(Reopened::Proposed(Box::new(proposal)));
                }
                let mut tx = Tx::new(self);
                tx.update(&key_of(&item)?, "REMOVE proposal", Item::new(), Some(undecided_since(&item)))?;
                match tx.commit("the proposal").await {
                    Err(StoreError::Conflict) => continue,
                    done => return done.map(|()| Reopened::Withdrawn),
                }
            };
            if made.is_some_and(|made| made != clearing.at) {
                return Ok(Reopened::Decided(Box::new(clearing)));
            }
            let readings = self.job_readings(tenant, &entry.job_id).await?;
            let corrected = clearing.corrected_by.as_ref().and_then(|id| readings.iter().find(|reading| reading.entry.result_id == *id));
            if let Some(taken) = stored.taken().or_else(|| corrected.and_then(ClearingEntry::went_out)) {
                return Ok(Reopened::Taken(taken));
            }
            if let Some(since) = corrected.and_then(|corrected| corrected.clearing.clone()) {
                return Ok(Reopened::Decided(Box::new(since)));
            }
            let mut tx = Tx::new(self);
            let key = key_of(&item)?;
            // What was named before that decision, or went out, is no longer noted anywhere: it is named anew, and not left out.
            let left = left_undone(&stored, &clearing).filter(|_| job.is_some());
            match &left {
                Some(left) => {
                    let values = Item::from([(":entry".into(), json(left)?)]);
                    tx.update(&key, "SET entry = :entry REMOVE clearing", values, Some(untaken_since(&item)))?;
                }
                None => tx.update(&key, "REMOVE clearing", Item::new(), Some(untaken_since(&item)))?,
            }
            let entry = left.as_ref().unwrap_or(entry);
            tx.delete(&keys::decision(tenant, clearing.at, &entry.job_id, &entry.result_id), None)?;
            let mut told = vec![(Delivery::of_clearing(entry, clearing.at, tenant), std::slice::from_ref(entry))];
            if let Some(corrected) = corrected {
                let key = keys::result(tenant, &entry.job_id, corrected.entry.created, &corrected.entry.result_id);
                withdraw(&mut tx, &key, &clearing, None)?;
                let corrected = std::slice::from_ref(&corrected.entry);
                told.extend(Delivery::of_job(&entry.job_id, corrected, tenant).map(|delivery| (delivery, corrected)));
            }
            self.take_back(&mut tx, tenant, &told, now).await?;
            if let Some(job) = &job {
                let is_left = |reading: &&ClearingEntry| {
                    let is_corrected = corrected.is_some_and(|corrected| corrected.entry.result_id == reading.entry.result_id);
                    reading.entry.register() == entry.register() && !is_corrected
                };
                let undone = |reading: &ClearingEntry| {
                    let clearing = reading.clearing.clone().filter(|_| reading.entry.result_id != entry.result_id);
                    ClearingEntry { clearing, ..reading.clone() }
                };
                let register: Vec<_> = readings.iter().filter(is_left).map(undone).collect();
                let next = job.with_decision_undone(entry, &register, corrected.map(|corrected| &corrected.entry));
                let zone = self.zone(tenant).await?;
                next.put(&mut tx, tenant, zone.as_ref(), Some(job), Condition::version(job.version))?;
                bump_portfolio(&mut tx, tenant, &job.account_id, &job.master.id)?;
            }
            match tx.commit("the decision").await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| Reopened::Undone(Box::new(clearing))),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Notes what a member proposes about a reading that waits, in the place of an earlier proposal; `seen` is as of [`Store::note_clearing`]. Answers its moment,
    /// too: that of the first one if it is repeated.
    pub async fn propose(&self, tenant: &TenantId, entry: &LedgerEntry, proposal: &Proposal, seen: &str) -> Result<(Cleared, Timestamp)> {
        let at = proposal.at;
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(Decidable { item, stored, version, .. }) = self.decidable(tenant, entry).await? else {
                return Ok((Cleared::Gone, at));
            };
            let is_same = |earlier: &&Proposal| (&earlier.what, &earlier.member) == (&proposal.what, &proposal.member);
            if stored.clearing.is_none()
                && let Some(earlier) = stored.proposal.as_ref().filter(is_same)
            {
                return Ok((Cleared::Noted, earlier.at));
            }
            if version != seen {
                return Ok((Cleared::Overtaken, at));
            }
            let mut tx = Tx::new(self);
            let values = Item::from([(":proposal".into(), json(proposal)?)]);
            tx.update(&key_of(&item)?, "SET proposal = :proposal REMOVE aside", values, Some(undecided_since(&item)))?;
            // The second member need not wait until the first holds it no more.
            tx.delete(&keys::waiting_lease(tenant, &entry.job_id, &entry.result_id), None)?;
            match tx.commit("the proposal").await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| (Cleared::Noted, at)),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Takes a reading, as it was read, from where it was put aside in that moment; none: it has changed since.
    pub(crate) async fn take_from_aside(&self, item: &Item, aside: Aside, made: Timestamp) -> Result<Option<Reopened>> {
        if aside.at != made {
            return Ok(Some(Reopened::PutAside(Box::new(aside))));
        }
        let take = Update {
            key: &key_of(item)?,
            expression: "REMOVE aside",
            condition: Some("attribute_not_exists(clearing) AND aside = :aside"),
            values: item.get(ASIDE).map(|aside| (":aside".to_owned(), aside.clone())).into_iter().collect(),
        };
        Ok(matches!(self.update(take).await?, Written::Done).then_some(Reopened::Withdrawn))
    }

    /// Puts a reading that waits aside with a note, or takes it from there; `seen` is as of [`Store::note_clearing`]. Answers the note's moment, too: that of the
    /// first one if it is repeated.
    pub async fn put_aside(
        &self,
        tenant: &TenantId,
        entry: &LedgerEntry,
        aside: Option<&Aside>,
        seen: &str,
    ) -> Result<(Cleared, Option<Timestamp>)> {
        let at = aside.map(|aside| aside.at);
        let Some(Decidable { item, version, stored, .. }) = self.decidable(tenant, entry).await? else { return Ok((Cleared::Gone, at)) };
        if stored.clearing.is_none() && is_same_aside(stored.aside.as_ref(), aside) {
            return Ok((Cleared::Noted, stored.aside.map(|first| first.at)));
        }
        if version != seen || item.contains_key("clearing") {
            return Ok((Cleared::Overtaken, at));
        }
        let (expression, values) = match aside {
            Some(aside) => ("SET aside = :aside REMOVE proposal", Item::from([(":aside".into(), json(aside)?)])),
            None => ("REMOVE aside", Item::new()),
        };
        let condition = Some("attribute_exists(pk) AND attribute_not_exists(clearing)");
        let cleared = match self.update(Update { key: &key_of(&item)?, expression, condition, values }).await? {
            Written::Done => Cleared::Noted,
            Written::Refused(Some(_)) => Cleared::Overtaken,
            Written::Refused(None) => Cleared::Gone,
        };
        Ok((cleared, at))
    }

    /// The oldest reading that waits, is not put aside, is not proposed by this person, and at which no other clerk looks; it is this person's for 5 minutes, or until
    /// they took five others. After `cursor`, which stands for a reading that was looked at before.
    pub async fn take_waiting(
        &self,
        tenant: &TenantId,
        filter: &WaitingFilter,
        by: &str,
        cursor: Option<&str>,
        now: Timestamp,
    ) -> Result<NextWaiting> {
        let mut cursor = cursor.map(str::to_owned);
        for number in 0..MOST_PAGES {
            let choice = if number == 0 { CHOICE } else { FURTHER_CHOICE };
            let page = self.waiting(tenant, filter, choice, cursor.as_deref()).await?;
            let lease = |waiting: &Waiting| {
                let (job, reading) = waiting.reading.ids();
                keys::waiting_lease(tenant, job, reading)
            };
            let leases: Vec<Key> = page.readings.iter().map(lease).collect();
            let held = if leases.is_empty() { HashMap::new() } else { self.get_batch(&leases, Read::Latest).await? };
            for (waiting, key) in page.readings.into_iter().zip(leases) {
                if is_proposed_by(&waiting.reading, by)
                    || waiting.reading.aside().is_some()
                    || held.get(&key).map(|item| is_with_another(item, &waiting.reading, by, now)).transpose()? == Some(true)
                {
                    continue;
                }
                if self.lease_waiting(tenant, &key, &waiting.reading, by, now).await? {
                    let place = waiting_place(tenant, &waiting.reading);
                    return Ok(NextWaiting::Found(Box::new(waiting), place));
                }
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(cursor.map_or(NextWaiting::Nothing, NextWaiting::Further))
    }

    /// This reading, if it waits, and what stands for it; it is this person's as of [`Store::take_waiting`]. `Err` of the answer: another clerk looks at it.
    pub async fn take_this(
        &self,
        tenant: &TenantId,
        (job, id): (&JobId, &str),
        by: &str,
        now: Timestamp,
    ) -> Result<std::result::Result<Option<(AnyReading, String)>, WithAnother>> {
        let reading = match is_without_job(job) {
            true => self.clearing_reading_without_job(tenant, job).await?.map(|reading| AnyReading::WithoutJob(Box::new(reading))),
            false => {
                let found = self.job_readings(tenant, job).await?.into_iter().find(|reading| reading.entry.result_id == id);
                found.map(|reading| AnyReading::OfJob(Box::new(reading)))
            }
        };
        let Some(reading) = reading else { return Ok(Ok(None)) };
        let (job, id) = reading.ids();
        if self.get(&keys::waiting_reading(tenant, job, reading.created(), id), Read::Latest).await?.is_none() {
            return Ok(Ok(None));
        }
        // A clerk who looks at their own proposal does not keep it from the second member.
        let lease = keys::waiting_lease(tenant, job, id);
        if !is_proposed_by(&reading, by) && !self.lease_waiting(tenant, &lease, &reading, by, now).await? {
            return Ok(Err(WithAnother));
        }
        let place = waiting_place(tenant, &reading);
        Ok(Ok(Some((reading, place))))
    }

    /// Makes a reading this person's for 5 minutes, and gives up the oldest of theirs beyond the most; false: another clerk has it.
    async fn lease_waiting(&self, tenant: &TenantId, key: &Key, reading: &AnyReading, by: &str, now: Timestamp) -> Result<bool> {
        // The proposer may have taken it in the same moment, and keeps it from no other clerk by that.
        let proposer = reading.proposal().map_or(by, |proposal| proposal.member.as_str());
        let values = [
            (":by", text(by)),
            (":proposer", text(proposer)),
            (":until", number((now + LEASE).as_millisecond())),
            (":now", number(now.as_millisecond())),
            (":expiresAt", seconds(now + LEASE)),
        ];
        let take = Update {
            key,
            expression: "SET lookedBy = :by, leaseUntil = :until, expiresAt = :expiresAt",
            condition: Some("attribute_not_exists(pk) OR leaseUntil <= :now OR lookedBy = :by OR lookedBy = :proposer"),
            values: values.map(|(name, value)| (name.to_owned(), value)).into(),
        };
        let is_taken = matches!(self.update(take).await?, Written::Done);
        if is_taken {
            self.note_held(tenant, key, by, now).await?;
        }
        Ok(is_taken)
    }

    /// Notes what this person took last; what is beyond the most is any clerk's again before the note forgets it.
    async fn note_held(&self, tenant: &TenantId, taken: &Key, by: &str, now: Timestamp) -> Result<()> {
        let place = keys::waiting_held(tenant, by);
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let noted = self.get(&place, Read::Latest).await?;
            let before: Vec<String> = noted.as_ref().map(|item| Fields(item).json("held")).transpose()?.unwrap_or_default();
            let mut held: Vec<String> = before.iter().filter(|sk| **sk != taken.sk).cloned().collect();
            held.push(taken.sk.clone());
            for given_up in held.drain(..held.len().saturating_sub(MOST_HELD)) {
                let give_up = Update {
                    key: &Key { pk: taken.pk.clone(), sk: given_up },
                    expression: "SET leaseUntil = :now",
                    condition: Some("lookedBy = :by"),
                    values: Item::from([(":now".into(), number(now.as_millisecond())), (":by".into(), text(by))]),
                };
                self.update(give_up).await?;
            }
            let mut values = Item::from([(":held".to_owned(), json(&held)?), (":expiresAt".to_owned(), seconds(now + LEASE))]);
            let condition = match noted {
                Some(_) => {
                    values.insert(":before".into(), json(&before)?);
                    "held = :before"
                }
                None => "attribute_not_exists(pk)",
            };
            let note = Update { key: &place, expression: "SET held = :held, expiresAt = :expiresAt", condition: Some(condition), values };
            if matches!(self.update(note).await?, Written::Done) {
                return Ok(());
            }
        }
        Err(StoreError::Conflict)
    }

    /// What this member decided on a day of the tenant, the last decision first, at most 200 at a time: four reads.
    pub async fn decisions(&self, tenant: &TenantId, by: &MemberId, day: Date, cursor: Option<&str>) -> Result<DecidedPage> {
        let at = |sk: &str| sk.split('#').next().and_then(|at| at.parse::<Timestamp>().ok());
        if cursor.is_some_and(|cursor| at(cursor).is_none()) {
            return Err(StoreError::InvalidCursor);
        }
        let zone = self.zone(tenant).await?;
        let mut listed: Vec<(String, JobId, Key)> = Vec::new();
        // A day of the tenant has parts of two or three days of UTC.
        for utc in [day - 1.day(), day, day + 1.day()] {
            for item in self.whole_partition(&keys::decisions(tenant, &utc.to_string())).await? {
                let fields = Fields(&item);
                let decision = key_of(&item)?.sk;
                let is_of_day = at(&decision).is_some_and(|at| day_in(at, zone.as_ref()) == day);
                let is_behind = cursor.is_none_or(|cursor| decision.as_str() < cursor);
                if is_of_day && is_behind && fields.optional_text("member")? == Some(by.as_str()) {
                    let job: JobId = fields.parsed("jobId")?;
                    let sk = fields.text("result")?.to_owned();
                    let place = AnyReading::place(tenant, &job, || Key { pk: keys::ledger(tenant, &job), sk });
                    listed.push((decision, job, place));
                }
            }
        }
        listed.sort_by(|one, other| other.cmp(one));
        let is_last = listed.len() <= DECISIONS;
        listed.truncate(DECISIONS);
        let next_cursor = listed.last().filter(|_| !is_last).map(|(decision, ..)| decision.clone());
        let places: Vec<Key> = listed.iter().map(|(_, _, place)| place.clone()).collect();
        let mut found = self.get_many(&places, None, Read::Latest).await?;
        let mut readings = Vec::with_capacity(places.len());
        for (_, job, place) in &listed {
            readings.extend(AnyReading::at(place, job, &found)?);
        }
        let assigned = readings.iter().filter_map(|reading| reading.clearing().map(|clearing| assigned_places(tenant, clearing)));
        let assigned: Vec<Key> = assigned.flatten().collect();
        if !assigned.is_empty() {
            found = self.get_many(&assigned, None, Read::Latest).await?;
        }
        let mut decisions = Vec::with_capacity(readings.len());
        for reading in readings {
            let Some(clearing) = reading.clearing().cloned() else { continue };
            let taken = match &reading {
                AnyReading::OfJob(reading) => reading.taken(),
                AnyReading::WithoutJob(_) => taken_as_assigned(tenant, &clearing, &found)?,
            };
            decisions.push(Decided { taken, reading, clearing });
        }
        Ok(DecidedPage { decisions, next_cursor })
    }
}

/// Where a reading stands among what waits.
fn waiting_place(tenant: &TenantId, reading: &AnyReading) -> String {
    let (job, id) = reading.ids();
    keys::waiting_reading(tenant, job, reading.created(), id).sk
}

/// Where the job's readings are that a reading without a job became.
fn assigned_places(tenant: &TenantId, clearing: &Clearing) -> Vec<Key> {
    let place = |assigned: &Assigned| assigned.readings.iter().map(|id| keys::result(tenant, &assigned.job, clearing.at, id)).collect();
    clearing.assigned.as_ref().map(place).unwrap_or_default()
}

fn taken_as_assigned(tenant: &TenantId, clearing: &Clearing, found: &HashMap<Key, Item>) -> Result<Option<Taken>> {
    for place in assigned_places(tenant, clearing) {
        if let Some(taken) = found.get(&place).map(ClearingEntry::read).transpose()?.and_then(|reading| reading.went_out()) {
            return Ok(Some(taken));
        }
    }
    Ok(None)
}

/// The reading with the doubt that it needs once this decision is taken back; none: it has it, or needs none.
fn left_undone(stored: &ClearingEntry, clearing: &Clearing) -> Option<LedgerEntry> {
    let was_named = clearing.named_before || stored.sent.has_exchange();
    if !was_named || stored.entry.doubts.contains(&Doubt::MeterChange) {
        return None;
    }
    let mut left = stored.entry.clone();
    left.doubts.push(Doubt::MeterChange);
    Some(left)
}

fn is_proposed_by(reading: &AnyReading, by: &str) -> bool {
    reading.proposal().is_some_and(|proposal| proposal.member.as_str() == by)
}

fn is_with_another(lease: &Item, reading: &AnyReading, by: &str, now: Timestamp) -> Result<bool> {
    let fields = Fields(lease);
    let holder = fields.text("lookedBy")?;
    Ok(holder != by && !is_proposed_by(reading, holder) && fields.millis("leaseUntil")? > now)
}
