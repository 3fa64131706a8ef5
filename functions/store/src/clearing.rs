//! What the utility's clerks note on readings: which are cleared, and which went out with which export.

use std::collections::BTreeSet;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{AccountId, JobId, MemberId, TenantId};
use domain::model::ReadingResult;
use domain::sending::{Decided, Due, Known, LastSent, SendingKind};
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};

use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read, Update, Written};
use crate::decisions::{forget_decision, list_decision};
use crate::item::{Fields, Item, Record, json, key_of, text};
use crate::jobs::{StoredJob, bump_portfolio};
use crate::keys::{self, Key};
use crate::table::SORT_KEY;
use crate::tx::{Condition, Tx};
use crate::{Delivery, LedgerEntry, ListedJob, MarketLine, ReadingWithoutJob, Result, Store, StoreError};

/// Where a reading's item says that it was put aside.
pub(crate) const ASIDE: &str = "aside";
/// Where it says what a clerk proposed.
pub(crate) const PROPOSAL: &str = "proposal";

/// A reading with the clerk's notes.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearingEntry {
    /// The reading.
    pub entry: LedgerEntry,
    /// What a clerk decided about it.
    pub clearing: Option<Clearing>,
    /// What went out of it, and where to.
    pub sent: SentTo,
    /// That a clerk put it aside; it goes on waiting.
    pub aside: Option<Aside>,
    /// What a clerk decided for which a second member is needed; it goes on waiting.
    pub proposal: Option<Proposal>,
}

/// A clerk's decision that holds once a second member agrees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// The proposed decision.
    pub what: Proposed,
    /// Who: the member's name.
    pub by: String,
    /// The member who proposed it.
    pub member: MemberId,
    /// The time of the proposal.
    pub at: Timestamp,
}

/// The decisions that can be proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Proposed {
    /// The reading counts; with an exchange, from the new meter's first counter on.
    Release {
        /// The exchange.
        exchange: Option<Exchange>,
        /// It is right although it is warned of; where that is not said, it was asked before it was proposed.
        #[serde(default = "confirmed")]
        confirmed: bool,
    },
    /// Another value counts.
    Correct {
        /// The counter.
        value: MeterValue,
        /// Why, for colleagues.
        reason: Option<String>,
        /// It is right although it is warned of.
        confirmed: bool,
    },
}

fn confirmed() -> bool {
    true
}

/// A clerk's note on a reading that they could not decide about yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Aside {
    /// The clerk's note on what has to be found out.
    pub note: String,
    /// The clerk's name.
    pub by: String,
    /// The time of the note.
    pub at: Timestamp,
}

/// Whether these are the same words of the same clerk: a repeated request changes nothing.
pub(crate) fn is_same_aside(one: Option<&Aside>, other: Option<&Aside>) -> bool {
    fn words(aside: &Aside) -> (&str, &str) {
        (&aside.note, &aside.by)
    }
    one.map(words) == other.map(words)
}

/// Where a reading goes; what went to one says nothing about the others (D-EXPORTS-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Destination {
    /// A message to the market.
    Market,
    /// A table or JSON lines.
    Table,
    /// The tenant's webhook.
    Webhook,
}

impl Destination {
    /// Where a reading's item keeps what went there: a list of [`Sending`], oldest first.
    fn attribute(self) -> &'static str {
        match self {
            Self::Market => "sentMarket",
            Self::Table => "sentTable",
            Self::Webhook => "sentWebhook",
        }
    }
}

/// What went out of a reading to each destination, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SentTo {
    /// In messages to the market.
    pub market: Vec<Sending>,
    /// In tables.
    pub table: Vec<Sending>,
    /// To the webhook.
    pub webhook: Vec<Sending>,
}

/// That a reading went out once: as what, with which export, and how it stood then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sending {
    /// The kind of the sending.
    pub kind: SendingKind,
    /// The export's number; none: it was a message to the webhook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export: Option<u64>,
    /// When the export was begun, or the receiver took the message.
    pub at: Timestamp,
    /// The reading that it corrects or cancels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refers_to: Option<SentReading>,
    /// What a clerk had decided by then, so that the same file can be written once more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clearing: Option<Clearing>,
    /// What of it is in messages to the market.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<MarketLine>,
}

/// A reading that went out before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentReading {
    /// The reading's id.
    pub result_id: String,
    /// The export that had it; none: it was a message to the webhook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export: Option<u64>,
}

impl SentTo {
    fn read(fields: Fields<'_>) -> Result<Self> {
        let list = |destination: Destination| {
            let name = destination.attribute();
            fields.optional_text(name)?.map_or_else(|| Ok(Vec::new()), |_| fields.json(name))
        };
        Ok(Self { market: list(Destination::Market)?, table: list(Destination::Table)?, webhook: list(Destination::Webhook)? })
    }

    /// What went there, oldest first.
    pub fn to(&self, destination: Destination) -> &[Sending] {
        match destination {
            Destination::Market => &self.market,
            Destination::Table => &self.table,
            Destination::Webhook => &self.webhook,
        }
    }

    /// Whether it went out with an exchange at last.
    pub(crate) fn has_exchange(&self) -> bool {
        let last = [&self.market, &self.table, &self.webhook].into_iter().filter_map(|sent| sent.last()?.clearing.as_ref());
        last.filter_map(Clearing::counting_exchange).next().is_some()
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Sending> {
        self.market.iter_mut().chain(&mut self.table).chain(&mut self.webhook)
    }

    /// What had been decided each time.
    fn clearings_mut(&mut self) -> impl Iterator<Item = &mut Clearing> {
        self.all_mut().filter_map(|sending| sending.clearing.as_mut())
    }

    /// The numbers of the messages to the market that it was in.
    pub(crate) fn messages(&self) -> BTreeSet<String> {
        let sendings = self.market.iter().filter_map(|sending| Some((sending.export?, &sending.lines)));
        sendings.flat_map(|(export, lines)| lines.iter().map(move |line| line.number(export))).collect()
    }

    /// Whether nothing went anywhere.
    pub fn is_empty(&self) -> bool {
        self.market.is_empty() && self.table.is_empty() && self.webhook.is_empty()
    }
}

impl Sending {
    /// The same in this export; what it refers to without having gone out goes out with the same one.
    #[must_use]
    pub fn in_export(mut self, export: &ReadingsExport) -> Self {
        (self.export, self.at) = (Some(export.number), export.created);
        if let Some(refers_to) = &mut self.refers_to {
            refers_to.export.get_or_insert(export.number);
        }
        self
    }
}

impl ClearingEntry {
    /// What a decision about the reading is bound to: changes when a clerk decides, proposes or puts it aside, and when it no longer `waits` as a newer reading came.
    pub fn version(&self, waits: bool) -> Result<String> {
        version(self.clearing.as_ref(), self.aside.as_ref(), self.proposal.as_ref(), waits)
    }

    /// The reading as its job has it, with what was decided.
    pub(crate) fn result(&self) -> ReadingResult {
        ReadingResult { lower_reason: self.entry.lower_reason_by(self.clearing.as_ref()), ..self.entry.result() }
    }

    /// A clerk had put it there, as a correction or from those without a job, and took that back: it is as if it had never been.
    pub fn is_withdrawn(&self) -> bool {
        self.clearing.as_ref().is_some_and(Clearing::is_of_withdrawn_reading)
    }

    /// A clerk said that it does not count, and put nothing in its place.
    pub fn is_rejected(&self) -> bool {
        self.clearing.as_ref().is_some_and(|clearing| !clearing.released && clearing.corrected_by.is_none()) && !self.is_withdrawn()
    }

    /// A clerk had put it in the place of that reading, with its photos and words, and took that back.
    pub(crate) fn was_correction_of(&self, one: &LedgerEntry) -> bool {
        let LedgerEntry { task_id, comment, image_ids, created, .. } = &self.entry;
        self.is_withdrawn() && (task_id, comment, image_ids) == (&one.task_id, &one.comment, &one.image_ids) && *created > one.created
    }

    /// What an export of this number to the destination had of the reading.
    pub fn in_export(&self, destination: Destination, number: u64) -> Option<&Sending> {
        self.sent.to(destination).iter().find(|sending| sending.export == Some(number))
    }

    /// The reading as [`domain::sending`] goes by it; `waits` says that it waits for a clerk.
    pub fn known(&self, destination: Destination, waits: bool) -> Known {
        let decided = self.clearing.as_ref().map(|clearing| match clearing.released {
            true => Decided::Released(clearing.at),
            false if clearing.is_of_withdrawn_reading() => Decided::Withdrawn,
            false if clearing.corrected_by.is_some() => Decided::Corrected,
            false => Decided::Rejected(clearing.at),
        });
        let exchange = |clearing: &Option<Clearing>| clearing.as_ref().and_then(Clearing::counting_exchange).cloned();
        let sent = self.sent.to(destination).last().map(|last| LastSent {
            order: last.export.map_or_else(|| last.at.as_nanosecond(), i128::from),
            cancelled: last.kind == SendingKind::Cancellation,
            changed: exchange(&self.clearing) != exchange(&last.clearing),
        });
        Known { decided, waits, sent }
    }

    /// How one of a register's readings goes out at this time: what is [`Due`] there, with what it refers to.
    pub fn sending(register: &[&Self], destination: Destination, due: Due, at: Timestamp) -> Sending {
        let refers_to = due.refers_to.and_then(|index| register.get(index)).map(|reading| SentReading {
            result_id: reading.entry.result_id.clone(),
            export: reading.sent.to(destination).last().and_then(|last| last.export),
        });
        let clearing = register.get(due.index).and_then(|reading| reading.clearing.clone());
        Sending { kind: due.kind, export: None, at, refers_to, clearing, lines: Vec::new() }
    }
}

impl Clearing {
    /// No decision about the reading itself: a clerk had put it there, as a correction or from those without a job, and took that back. A rejection has a reason.
    pub(crate) fn is_of_withdrawn_reading(&self) -> bool {
        !self.released && self.reason.is_none() && self.corrected_by.is_none()
    }

    /// The exchange that goes out with the reading.
    pub fn counting_exchange(&self) -> Option<&Exchange> {
        self.exchange.as_ref().filter(|_| self.released)
    }

    /// It has a clerk's words about a value that was put right.
    pub(crate) fn says_why_corrected(&self) -> bool {
        self.corrected_by.is_some() && self.reason.as_ref().is_some_and(|reason| !reason.is_empty())
    }

    /// That there was a reason stays: without one it would be of a withdrawn reading.
    fn forget_reason(&mut self) {
        if let Some(reason) = &mut self.reason {
            reason.clear();
        }
    }
}

/// Which readings of a job a clerk put in the place of those that are meant, by id, also where that was taken back: they have the same words.
pub(crate) fn corrections_of(ledger: &[ClearingEntry], is_meant: impl Fn(&LedgerEntry) -> bool) -> BTreeSet<String> {
    let mut corrections = BTreeSet::new();
    let mut corrected: Vec<&ClearingEntry> = Vec::new();
    for reading in ledger {
        let id = &reading.entry.result_id;
        let names = |one: &ClearingEntry| one.clearing.as_ref().and_then(|clearing| clearing.corrected_by.as_ref()) == Some(id);
        let is_correction = corrected.iter().any(|one| names(one) || reading.was_correction_of(&one.entry));
        if is_correction {
            corrections.insert(id.clone());
        }
        if is_correction || is_meant(&reading.entry) {
            corrected.push(reading);
        }
    }
    corrections
}

/// What a decision is bound to: a clerk sees a colleague's note before they decide.
fn version(clearing: Option<&Clearing>, aside: Option<&Aside>, proposal: Option<&Proposal>, waits: bool) -> Result<String> {
    let told = serde_json::to_string(&(clearing, aside, proposal, waits))
        .map_err(|error| StoreError::Internal { operation: "clearing", reason: error.to_string() })?;
    Ok(keys::sha256_hex(told.as_bytes()).chars().take(8).collect())
}

/// A clerk's decision on a reading that had to be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Clearing {
    /// True: it counts; false: it does not.
    pub released: bool,
    /// The clerk's reason.
    pub reason: Option<String>,
    /// The time of the decision.
    pub at: Timestamp,
    /// Who: the name that the clerk's command gives, or the member's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The member, if it was one at the desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
    /// The colleague whose proposal they agreed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed_by: Option<String>,
    /// The meter was exchanged before this reading; of one that does not count, what was named before that was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
    /// An exchange was named before this was decided: taken back, the reading waits until it is named again (D-CLEARING-7).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named_before: bool,
    /// It does not count, because the clerk put this reading in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<String>,
    /// It came without a job, and is this job's now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned: Option<Assigned>,
}

/// To which job a reading without a job was assigned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assigned {
    /// The job.
    pub job: JobId,
    /// The job's readings that it became; the server took them when that was decided.
    pub readings: Vec<String>,
}

/// A register's change from one meter to the next: what was used runs across both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// The day of the exchange.
    pub day: Date,
    /// The time of day in the tenant's time zone, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    /// The number of the meter that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_number: Option<String>,
    /// The number of the meter that went, where the reading has that of the one that came; none: it is the reading's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_number: Option<String>,
    /// The transaction (UTILMD, SG4 IDE+24, DE7402) that announced the exchange of a gas meter to the market.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// The counter of the meter that went.
    pub final_value: MeterValue,
    /// The counter of the meter that came.
    pub initial_value: MeterValue,
}

/// The result of noting a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cleared {
    /// It is noted.
    Noted,
    /// Another member decided since the clerk looked, or a newer reading came in the place of this one; nothing was changed.
    Overtaken,
    /// There is no such reading any more.
    Gone,
}

/// A reading as it is when a clerk decides about it.
pub(crate) struct Decidable {
    pub item: Item,
    pub stored: ClearingEntry,
    pub job: Option<StoredJob>,
    pub version: String,
}

/// One page of readings with notes.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearingPage {
    /// The readings.
    pub entries: Vec<ClearingEntry>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// A reading of a meter without a job, and the clerk's notes on it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearingEntryWithoutJob {
    /// The reading.
    pub entry: ReadingWithoutJob,
    /// What a clerk decided about it; none: it waits.
    pub clearing: Option<Clearing>,
    /// What went out of it in tables: once, as there is nothing to correct it by.
    pub sent: Vec<Sending>,
    /// That a clerk put it aside; it goes on waiting.
    pub aside: Option<Aside>,
}

impl ClearingEntryWithoutJob {
    pub(crate) fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let clearing = fields.optional_text("clearing")?.map(|_| fields.json("clearing")).transpose()?;
        let aside = fields.optional_text(ASIDE)?.map(|_| fields.json(ASIDE)).transpose()?;
        Ok(Self { entry: ReadingWithoutJob::read(item)?, clearing, sent: SentTo::read(fields)?.table, aside })
    }

    /// As [`ClearingEntry::version`].
    pub fn version(&self) -> Result<String> {
        version(self.clearing.as_ref(), self.aside.as_ref(), None, self.clearing.is_none())
    }
}

/// One page of such readings.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearingPageWithoutJob {
    /// The readings, in each shard by time; may be none although there are more pages.
    pub entries: Vec<ClearingEntryWithoutJob>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// An export of readings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadingsExport {
    /// Its number, unique in the tenant; the file's name and the interchange's reference are made of it.
    pub number: u64,
    /// `electricity` or `gas` to the market, `table`, or `unknown` for the table of readings without a job.
    pub medium: String,
    /// When it was begun; the time in the messages.
    pub created: Timestamp,
    /// The export's state.
    pub state: ExportState,
    /// What it has, once it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<ExportCounts>,
}

/// How many readings an export has, by what they are to the destination.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportCounts {
    /// Which the destination had nothing of before.
    pub originals: usize,
    /// Readings that take the place of another one.
    pub corrections: usize,
    /// Readings that no longer hold.
    pub cancellations: usize,
}

/// The state of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportState {
    /// Readings are being put into it.
    Open,
    /// Its readings are fixed; the file may be there or not.
    Fixed,
    /// The file is complete.
    Done,
}

impl ExportState {
    fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Fixed => "fixed",
            Self::Done => "done",
        }
    }
}

impl ClearingEntry {
    pub(crate) fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let clearing = fields.optional_text("clearing")?.map(|_| fields.json("clearing")).transpose()?;
        let aside = fields.optional_text(ASIDE)?.map(|_| fields.json(ASIDE)).transpose()?;
        let proposal = fields.optional_text(PROPOSAL)?.map(|_| fields.json(PROPOSAL)).transpose()?;
        Ok(Self { entry: fields.json("entry")?, clearing, sent: SentTo::read(fields)?, aside, proposal })
    }
}

impl Store {
    /// As [`Store::results`], with the clerk's notes.
    pub async fn clearing_results(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
    ) -> Result<ClearingPage> {
        let (items, next_cursor) = self.result_items(tenant, since, until, cursor, None).await?;
        Ok(ClearingPage { entries: items.iter().map(ClearingEntry::read).collect::<Result<_>>()?, next_cursor })
    }

    /// Every reading of a job that is there, with the clerk's notes, the first one first; none of a forgotten customer's whose job had the id (D-IMPORTS-4).
    pub async fn readings_of_job(&self, tenant: &TenantId, job: &JobId) -> Result<Vec<ClearingEntry>> {
        let mut readings = self.job_readings(tenant, job).await?;
        readings.retain(|reading| reading.entry.account_id.is_some());
        Ok(readings)
    }

    /// Every reading of jobs of this id, with the clerk's notes, the first one first.
    pub async fn job_readings(&self, tenant: &TenantId, job: &JobId) -> Result<Vec<ClearingEntry>> {
        self.whole_partition(&keys::ledger(tenant, job)).await?.iter().map(ClearingEntry::read).collect()
    }

    /// As [`Store::readings_without_job`], with the clerk's notes.
    pub async fn clearing_readings_without_job(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
    ) -> Result<ClearingPageWithoutJob> {
        let partition = |month: &str, shard| keys::without_job_partition(tenant, month, shard);
        let (items, next_cursor) = self.by_month(partition, since, until, cursor, None).await?;
        let entries = items.iter().map(ClearingEntryWithoutJob::read);
        Ok(ClearingPageWithoutJob { entries: entries.collect::<Result<_>>()?, next_cursor })
    }

    /// Notes a clerk's decision, with what leads the tenant's webhook to it, if `deliver`. `seen` is the [version](ClearingEntry::version) of the reading that
    /// the clerk decided about: of two who decide about the same, the second is told (D-CLEARING-6).
    ///
    /// A reading may have gone out: each destination hears of the decision in its next export (D-EXPORTS-2). An earlier decision that the webhook does not have
    /// yet is not told any more: a message says how it stands when it is sent.
    pub async fn note_clearing(
        &self,
        tenant: &TenantId,
        entry: &LedgerEntry,
        clearing: &Clearing,
        seen: &str,
        deliver: bool,
    ) -> Result<Cleared> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(Decidable { item, stored, job, version }) = self.decidable(tenant, entry).await? else { return Ok(Cleared::Gone) };
            // The answer to our own decision was lost.
            if stored.clearing.as_ref() == Some(clearing) {
                return Ok(Cleared::Noted);
            }
            if version != seen {
                return Ok(Cleared::Overtaken);
            }
            let key = key_of(&item)?;
            let mut tx = Tx::new(self);
            let values = Item::from([(":clearing".into(), json(clearing)?)]);
            tx.update(&key, "SET clearing = :clearing REMOVE aside, proposal", values, Some(undecided_since(&item)))?;
            if let Some(earlier) = &stored.clearing {
                forget_decision(&mut tx, tenant, entry, earlier.at)?;
            }
            list_decision(&mut tx, tenant, entry, clearing)?;
            // Rejected, its register is open again (D-EXPORTS-5), and the resident's list says so.
            if let Some(job) = &job
                && let Some(next) = job.with_decision(entry, clearing)
            {
                let zone = self.zone(tenant).await?;
                next.put(&mut tx, tenant, zone.as_ref(), Some(job), Condition::version(job.version))?;
                bump_portfolio(&mut tx, tenant, &job.account_id, &job.master.id)?;
            }
            if deliver {
                tx.put("the delivery", Delivery::of_clearing(entry, clearing.at, tenant).item(tenant)?, None)?;
            }
            match tx.commit("the decision").await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| Cleared::Noted),
            }
        }
        Err(StoreError::Conflict)
    }

    /// What a decision about a reading is bound to now; none: there is no such reading.
    pub async fn clearing_version(&self, tenant: &TenantId, entry: &LedgerEntry) -> Result<Option<String>> {
        Ok(self.decidable(tenant, entry).await?.map(|decidable| decidable.version))
    }

    pub(crate) async fn decidable(&self, tenant: &TenantId, entry: &LedgerEntry) -> Result<Option<Decidable>> {
        let key = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
        let of_job = entry.account_id.as_ref().map(|account| keys::job(tenant, account, &entry.job_id));
        let wanted: Vec<Key> = [Some(key.clone()), of_job.clone()].into_iter().flatten().collect();
        let mut found = self.get_batch(&wanted, Read::Latest).await?;
        let job = of_job.and_then(|key| found.get(&key)).map(StoredJob::read).transpose()?;
        let Some(item) = found.remove(&key) else { return Ok(None) };
        let stored = ClearingEntry::read(&item)?;
        let waits = job.as_ref().is_some_and(|job| job.waiting.iter().any(|waiting| waiting.result_id == entry.result_id));
        let version = stored.version(waits)?;
        Ok(Some(Decidable { item, stored, job, version }))
    }

    /// Notes that a reading goes out, before it does; false: a clerk decided about it or an export sent it since it was read, so that the next export looks again.
    /// Noting it for the same export a second time changes nothing.
    pub async fn note_sending(&self, tenant: &TenantId, read: &ClearingEntry, destination: Destination, sending: &Sending) -> Result<bool> {
        let entry = &read.entry;
        let key = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
        self.add_sending(&key, destination, (read.sent.to(destination), read.clearing.as_ref()), sending).await
    }

    /// As [`Store::note_sending`], of a reading of a meter without a job into a table.
    pub async fn note_sending_without_job(&self, tenant: &TenantId, read: &ClearingEntryWithoutJob, sending: &Sending) -> Result<bool> {
        let key = keys::reading_without_job(tenant, &read.entry.id);
        self.add_sending(&key, Destination::Table, (&read.sent, None), sending).await
    }

    async fn add_sending(
        &self,
        key: &Key,
        destination: Destination,
        (before, clearing): (&[Sending], Option<&Clearing>),
        sending: &Sending,
    ) -> Result<bool> {
        if before.iter().any(|one| one.export.is_some() && one.export == sending.export) {
            return Ok(true);
        }
        let name = destination.attribute();
        let list = json(&before.iter().chain([sending]).collect::<Vec<_>>())?;
        // What is compared is the text as it is stored; the first guess is that it is as we would write it.
        let mut sent_text = (!before.is_empty()).then(|| json(&before)).transpose()?;
        let mut clearing_text = clearing.map(json).transpose()?;
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let unsent = if sent_text.is_some() { format!("{name} = :before") } else { format!("attribute_not_exists({name})") };
            let undecided = if clearing_text.is_some() { "clearing = :clearing" } else { "attribute_not_exists(clearing)" };
            let mut values = Item::from([(":list".into(), list.clone())]);
            values.extend(sent_text.clone().map(|text| (":before".into(), text)));
            values.extend(clearing_text.clone().map(|text| (":clearing".into(), text)));
            let (expression, condition) = (format!("SET {name} = :list"), format!("attribute_exists(pk) AND {unsent} AND {undecided}"));
            let written = self.update(Update { key, expression: &expression, condition: Some(&condition), values });
            let Written::Refused(found) = written.await? else { return Ok(true) };
            let Some(found) = found else { return Ok(false) };
            let fields = Fields(&found);
            let sent = SentTo::read(fields)?;
            if sent.to(destination).iter().any(|one| one.export.is_some() && one.export == sending.export) {
                return Ok(true);
            }
            let now: Option<Clearing> = fields.optional_text("clearing")?.map(|_| fields.json("clearing")).transpose()?;
            if sent.to(destination) != before || now.as_ref() != clearing {
                return Ok(false);
            }
            (sent_text, clearing_text) = (found.get(name).cloned(), found.get("clearing").cloned());
        }
        Ok(false)
    }

    /// Takes out of what was noted on a reading what leads to its person: meter numbers and locations, and a clerk's words. That it went out stays noted.
    pub(crate) async fn forget_notes(&self, tenant: &TenantId, item: &Item) -> Result<()> {
        let ClearingEntry { mut clearing, mut sent, aside, proposal, .. } = ClearingEntry::read(item)?;
        self.erase_market_answers(tenant, &sent.messages()).await?;
        for clearing in clearing.iter_mut().chain(sent.clearings_mut()) {
            clearing.forget_reason();
            if let Some(exchange) = &mut clearing.exchange {
                (exchange.new_number, exchange.old_number, exchange.transaction) = (None, None, None);
            }
        }
        sent.all_mut().for_each(|sending| sending.lines.clear());
        let rest = if aside.is_some() || proposal.is_some() { format!("REMOVE {ASIDE}, {PROPOSAL}") } else { String::new() };
        match self.put_notes(item, (clearing.as_ref(), &sent), &rest).await? {
            Written::Done | Written::Refused(None) => Ok(()),
            Written::Refused(Some(_)) => Err(StoreError::Conflict),
        }
    }

    /// Takes a clerk's words out of why a reading was corrected. A decision or a sending at that moment leaves it to the next time.
    pub(crate) async fn forget_why_corrected(&self, tenant: &TenantId, entry: &LedgerEntry) -> Result<()> {
        let key = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
        let Some(item) = self.get(&key, Read::Latest).await? else { return Ok(()) };
        let ClearingEntry { mut clearing, mut sent, .. } = ClearingEntry::read(&item)?;
        for clearing in clearing.iter_mut().chain(sent.clearings_mut()).filter(|clearing| clearing.corrected_by.is_some()) {
            clearing.forget_reason();
        }
        self.put_notes(&item, (clearing.as_ref(), &sent), "").await?;
        Ok(())
    }

    /// Puts what is left of a reading's notes in their place, unless something was noted since they were read.
    async fn put_notes(&self, read: &Item, (clearing, sent): (Option<&Clearing>, &SentTo), rest: &str) -> Result<Written> {
        let mut left: Vec<(&str, AttributeValue)> = Vec::new();
        if let Some(clearing) = clearing {
            left.push(("clearing", json(clearing)?));
        }
        for destination in [Destination::Market, Destination::Table, Destination::Webhook] {
            let list = sent.to(destination);
            if !list.is_empty() {
                left.push((destination.attribute(), json(&list)?));
            }
        }
        let set: Vec<String> = left.iter().map(|(name, _)| format!("{name} = :{name}")).collect();
        let set = if set.is_empty() { String::new() } else { format!("SET {}", set.join(", ")) };
        let expression = format!("{set} {rest}");
        if expression.trim().is_empty() {
            return Ok(Written::Done);
        }
        let (mut condition, mut values) = ("attribute_exists(pk)".to_owned(), Item::new());
        for (name, value) in left {
            condition.push_str(&format!(" AND {name} = :{name}Before"));
            values.extend(read.get(name).map(|before| (format!(":{name}Before"), before.clone())));
            values.insert(format!(":{name}"), value);
        }
        let key = key_of(read)?;
        self.update(Update { key: &key, expression: expression.trim(), condition: Some(&condition), values }).await
    }

    /// All exports of the tenant, by number.
    pub async fn exports_of_readings(&self, tenant: &TenantId) -> Result<Vec<ReadingsExport>> {
        let partition = keys::exports(tenant);
        let mut exports: Vec<ReadingsExport> = Vec::new();
        let mut after: Option<Key> = None;
        loop {
            let range = Range { after: after.as_ref(), ..Range::default() };
            let page = self.query(&partition, range, Read::Latest).await?;
            for item in &page.items {
                exports.push(Fields(item).json("export")?);
            }
            let last = page.items.last().filter(|_| page.more);
            let Some(last) = last else { return Ok(exports) };
            after = Some(Key { pk: partition.clone(), sk: Fields(last).text(SORT_KEY)?.to_owned() });
        }
    }

    /// Begins an export; [`StoreError::Conflict`]: another export took its number.
    pub async fn begin_export(&self, tenant: &TenantId, export: &ReadingsExport) -> Result<()> {
        let mut tx = Tx::new(self);
        tx.put("the export", export_item(tenant, export)?, Some(Condition::absent(StoreError::Conflict)))?;
        tx.commit("the export").await
    }

    /// Notes how far an export is that was so far before; false: another worker noted something meanwhile.
    pub async fn note_export(&self, tenant: &TenantId, before: ExportState, export: &ReadingsExport) -> Result<bool> {
        let item = export_item(tenant, export)?;
        let key = key_of(&item)?;
        let mut tx = Tx::new(self);
        let values = Item::from([(":before".into(), text(before.name()))]);
        let expression = "attribute_not_exists(exportState) OR exportState = :before";
        tx.put("the export", item, Some(Condition { expression, values, refusal: StoreError::Conflict }))?;
        match tx.commit("the export").await {
            Ok(()) => Ok(true),
            // The answer to an earlier attempt was lost, or it was another worker.
            Err(StoreError::Conflict) => {
                let found = self.get(&key, Read::Latest).await?;
                Ok(found.map(|found| Fields(&found).json::<ReadingsExport>("export")).transpose()?.as_ref() == Some(export))
            }
            Err(error) => Err(error),
        }
    }

    /// Up to 100 jobs of the tenant's list, closed ones too.
    pub async fn listed_jobs(&self, tenant: &TenantId, listed: &[ListedJob]) -> Result<Vec<StoredJob>> {
        let places: Vec<(&AccountId, &JobId)> = listed.iter().map(|job| (&job.account_id, &job.job_id)).collect();
        let wanted: Vec<Key> = places.into_iter().map(|(account, job)| keys::job(tenant, account, job)).collect();
        let found = self.get_batch(&wanted, Read::Recent).await?;
        wanted.iter().filter_map(|key| found.get(key)).map(StoredJob::read).collect()
    }
}

/// There is no decision and no proposal since the reading was read.
pub(crate) fn undecided_since(read: &Item) -> Condition {
    let expression = match (read.contains_key("clearing"), read.contains_key(PROPOSAL)) {
        (false, false) => "attribute_exists(pk) AND attribute_not_exists(clearing) AND attribute_not_exists(proposal)",
        (false, true) => "attribute_not_exists(clearing) AND proposal = :proposed",
        (true, false) => "clearing = :earlier AND attribute_not_exists(proposal)",
        (true, true) => "clearing = :earlier AND proposal = :proposed",
    };
    let read_then = [(":earlier", read.get("clearing")), (":proposed", read.get(PROPOSAL))];
    let values = read_then.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.clone()))).collect();
    Condition { expression, values, refusal: StoreError::Conflict }
}

/// The decision is the one that was read, and it was neither proposed nor taken since.
pub(crate) fn untaken_since(read: &Item) -> Condition {
    let expression = "clearing = :earlier AND (attribute_not_exists(proposal) OR proposal = :proposed) \
                      AND (attribute_not_exists(sentMarket) OR sentMarket = :market) AND (attribute_not_exists(sentTable) OR sentTable = :table) \
                      AND (attribute_not_exists(sentWebhook) OR sentWebhook = :webhook)";
    let read_then = [
        (":earlier", "clearing"),
        (":proposed", PROPOSAL),
        (":market", Destination::Market.attribute()),
        (":table", Destination::Table.attribute()),
        (":webhook", Destination::Webhook.attribute()),
    ];
    // What was absent equals nothing that is there by now.
    let value = |name| read.get(name).cloned().unwrap_or_else(|| text(""));
    let values = read_then.into_iter().map(|(value_name, name)| (value_name.to_owned(), value(name))).collect();
    Condition { expression, values, refusal: StoreError::Conflict }
}

fn export_item(tenant: &TenantId, export: &ReadingsExport) -> Result<Item> {
    let key = Key { pk: keys::exports(tenant), sk: format!("{:010}", export.number) };
    let item = Record::at(&key).with("export", json(export)?).with("medium", text(&export.medium));
    Ok(item.with("exportState", text(export.state.name())).item())
}
