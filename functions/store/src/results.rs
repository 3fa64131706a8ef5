//! Readings: stored with their job in one transaction, and once more each in a ledger that only grows.

use domain::clearing::{self, Doubt};
use domain::finding::{Finding, FindingCode};
use domain::ids::{AccountId, ImageId, JobId, SeasonId, TaskId, TenantId};
use domain::model::{Channel, LoginKind, LowerReason, ReadingResult, ReadingResultImage};
use domain::reading::{Submission, SubmittedResult, trimmed_comment};
use domain::value::MeterValue;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, civil::Date};
use serde::{Deserialize, Serialize};

use crate::db::{OPTIMISTIC_ATTEMPTS, Page, Range, Read};
use crate::idempotency::{IdempotencyWrite, Submitted};
use crate::imports::rewritten_before;
use crate::item::{Fields, Item, Record, json, text};
use crate::jobs::bump_portfolio;
use crate::keys;
use crate::table::{RESULTS_INDEX, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY};
use crate::tallies::add_reading;
use crate::tx::{Condition, Tx};
use crate::{Assignment, Clearing, Delivery, Result, Store, StoreError, StoredJob, WaitingReading};

/// Hexadecimal digits of a reading's id.
const RESULT_ID_LENGTH: usize = 32;
/// Readings that are rewritten together; with the job and its portfolio they fit into one transaction.
const REWRITE_BATCH: usize = 90;

/// One reading of a submission.
#[derive(Debug, Clone, PartialEq)]
pub struct NewResult {
    /// Id of the ledger entry, unique in the job: letters, digits and hyphens.
    pub result_id: String,
    /// The rate.
    pub task_id: TaskId,
    /// The reading.
    pub result: ReadingResult,
    /// The warnings about its value that the reader saw and confirmed.
    pub confirmed: Vec<FindingCode>,
}

impl NewResult {
    /// Those of a submission that is taken, each with its photos and with what was confirmed of it. The ids follow from the request's key.
    pub fn of(submission: &Submission, photos: &[Vec<ImageId>], confirmed: &[Finding], key_hash: &str, created: Timestamp) -> Vec<Self> {
        let confirmed =
            |task: &TaskId| confirmed.iter().filter(|found| found.task_id.as_ref() == Some(task)).map(|found| found.code).collect();
        let result = |(index, result): (usize, &SubmittedResult)| Self {
            result_id: keys::sha256_hex(format!("{key_hash}/{index}").as_bytes())[..RESULT_ID_LENGTH].to_owned(),
            task_id: result.task_id.clone(),
            result: ReadingResult {
                reading_date: submission.reading_date,
                reading_value: result.reading_value.clone(),
                created,
                comment: trimmed_comment(result.comment.as_deref()).map(str::to_owned),
                lower_reason: result.lower_reason,
                reading_result_images: photos
                    .get(index)
                    .into_iter()
                    .flatten()
                    .map(|id| ReadingResultImage { image_id: id.clone() })
                    .collect(),
            },
            confirmed: confirmed(&result.task_id),
        };
        submission.results.iter().enumerate().map(result).collect()
    }
}

/// A checked submission.
#[derive(Debug, Clone)]
pub struct SubmitResults<'a> {
    /// The job as it was read and checked; if it has changed since, nothing is stored.
    pub job: &'a StoredJob,
    /// The readings.
    pub results: &'a [NewResult],
    /// The source of the readings.
    pub source: Source,
    /// Who is logged in: the owner, or a recipient of a share of the job; of what staff enter, the owner.
    pub account_id: &'a AccountId,
    /// The record for a repeated request.
    pub idempotency: IdempotencyWrite,
    /// The tenant has a webhook: the readings are put among what waits for it.
    pub deliver: bool,
}

/// The source of readings.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The reader sent them in the portal, logged in so.
    Portal(LoginKind),
    /// Staff entered what came through this channel.
    Staff(Channel, Entered),
    /// A clerk assigned what had come without a job.
    Assigned(Box<Assignment>),
}

/// What is noted of a reading that staff entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entered {
    /// Who did: the name that the command was given.
    pub by: String,
    /// Why a value was entered that was warned of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<String>,
    /// Why it was entered although the time was over or the register had been read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<String>,
}

/// One reading of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    /// The reading's id, unique in its job.
    pub result_id: String,
    /// The job.
    pub job_id: JobId,
    /// The season to which the job belonged at that time.
    #[serde(default, skip_serializing_if = "SeasonId::is_default")]
    pub season: SeasonId,
    /// The job's owner; none: the time for which the tenant keeps personal data is over. The same holds for the two below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// When the utility listed its job, once that is forgotten: by this it is told from another one that got its id and is forgotten, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed_at: Option<Timestamp>,
    /// The account that sent it in the portal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login_account_id: Option<AccountId>,
    /// Through which channel it came.
    pub channel: Channel,
    /// Through which kind of login, if it was sent in the portal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login_kind: Option<LoginKind>,
    /// What is noted of its entry, if staff entered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entered: Option<Entered>,
    /// The reading without a job that it was before a clerk assigned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_job: Option<JobId>,
    /// The rate.
    pub task_id: TaskId,
    /// The rate's OBIS code at that time.
    pub obis: String,
    /// The rate's unit, if the job named one; otherwise it follows from the OBIS code.
    pub unit: Option<String>,
    /// The meter's number at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meter_number: Option<String>,
    /// The counter, digit for digit as it was sent.
    pub reading_value: MeterValue,
    /// The day of the reading.
    pub reading_date: Date,
    /// The time at which the server took it.
    pub created: Timestamp,
    /// The reader's comment.
    pub comment: Option<String>,
    /// Why it is below the one before.
    pub lower_reason: Option<LowerReason>,
    /// The warnings about the value that its reader saw and confirmed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<FindingCode>,
    /// Why a clerk has to look at it, as it was when it came (D-CLEARING-5).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
    /// The photos.
    pub image_ids: Vec<ImageId>,
}

/// One page of the ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultsPage {
    /// The readings, in each shard by time; may be none although there are more pages.
    pub entries: Vec<LedgerEntry>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

impl Store {
    /// Stores readings: the job, the ledger, the portfolio's version and the idempotency record in one transaction, with what leads the
    /// tenant's webhook to them.
    pub async fn submit(&self, tenant: &TenantId, submission: SubmitResults<'_>) -> Result<Submitted> {
        let SubmitResults { job, results, idempotency, .. } = &submission;
        let mut tx = Tx::new(self);
        let settings = self.tenant(tenant).await?;
        let zone = settings.as_ref().and_then(|tenant| TimeZone::get(&tenant.application.time_zone).ok());
        let words = settings.map_or_else(Vec::new, |tenant| tenant.meter_changed_texts().map(str::to_owned).collect());
        let entries = results.iter().map(|new| submission.ledger_entry(new, &words)).collect::<Result<Vec<_>>>()?;
        let mut next = job.with_results(results);
        next.waiting.extend(entries.iter().filter_map(WaitingReading::of));
        for entry in &entries {
            add_reading(&mut next.tallied, entry, 1, zone.as_ref())?;
        }
        next.put(&mut tx, tenant, zone.as_ref(), Some(job), Condition::version(job.version))?;
        bump_portfolio(&mut tx, tenant, &job.account_id, &job.master.id)?;
        idempotency.add_to(&mut tx, tenant, submission.account_id)?;
        for entry in &entries {
            tx.put("the reading", entry.item(tenant)?, Some(Condition::absent(StoreError::Conflict)))?;
        }
        if submission.deliver
            && let Some(delivery) = Delivery::of_job(&job.master.id, &entries, tenant)
        {
            tx.put("the delivery", delivery.item(tenant)?, None)?;
        }
        if let Source::Assigned(assignment) = &submission.source {
            assignment.add_to(&mut tx, tenant, &job.master.id, &entries)?;
        }
        match tx.commit("the submission").await {
            Ok(()) => Ok(Submitted::Stored),
            Err(StoreError::Conflict) => self.overtaken(tenant, submission.account_id, idempotency).await,
            Err(error) => Err(error),
        }
    }

    /// One page of the readings that the server took from `since` on and before `until`. The index follows a submission within
    /// about a second.
    pub async fn results(&self, tenant: &TenantId, since: Timestamp, until: Timestamp, cursor: Option<&str>) -> Result<ResultsPage> {
        let (items, next_cursor) = self.result_items(tenant, since, until, cursor, None).await?;
        Ok(ResultsPage { entries: items.iter().map(LedgerEntry::read).collect::<Result<_>>()?, next_cursor })
    }

    /// One page of the ledger's items, and the cursor for the next one.
    pub(crate) async fn result_items(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
        limit: Option<u32>,
    ) -> Result<(Vec<Item>, Option<String>)> {
        let partition = |month: &str, shard| keys::results_partition(tenant, month, shard);
        self.by_month(partition, since, until, cursor, limit).await
    }

    /// One page of an index whose partitions are the shards of a month, and the cursor for the next one.
    pub(crate) async fn by_month(
        &self,
        partition: impl Fn(&str, u8) -> String,
        since: Timestamp,
        until: Timestamp,
        cursor: Option<&str>,
        limit: Option<u32>,
    ) -> Result<(Vec<Item>, Option<String>)> {
        let position = match cursor {
            None => Position { month: since.to_zoned(TimeZone::UTC).date().first_of_month(), shard: 0, after: None },
            Some(cursor) => Position::parse(cursor).ok_or(StoreError::InvalidCursor)?,
        };
        // A key is longer than the time it begins with, so `until` itself excludes what came at that instant.
        let from = position.after.as_ref().map_or_else(|| keys::instant(since), |after| format!("{after}!"));
        let to = keys::instant(until);
        let page = if from < to {
            let range = Range {
                condition: Some("#sk BETWEEN :from AND :to"),
                values: Item::from([(":from".into(), text(from)), (":to".into(), text(to))]),
                limit,
                index: Some(RESULTS_INDEX),
                ..Range::default()
            };
            let month = position.month.strftime("%Y-%m").to_string();
            self.query(&partition(&month, position.shard), range, Read::Recent).await?
        } else {
            Page { items: Vec::new(), more: false }
        };
        let next = match page.items.last().filter(|_| page.more) {
            Some(last) => Some(Position { after: Some(Fields(last).text(RESULTS_SORT_KEY)?.to_owned()), ..position }),
            None => position.next_shard(until.to_zoned(TimeZone::UTC).date()),
        };
        Ok((page.items, next.map(|next| next.to_string())))
    }
}

impl Store {
    /// Every reading of a job that the ledger has.
    pub async fn ledger(&self, tenant: &TenantId, job: &JobId) -> Result<Vec<LedgerEntry>> {
        let partition = keys::ledger(tenant, job);
        let mut entries: Vec<LedgerEntry> = Vec::new();
        loop {
            let after = entries.last().map(|last| keys::result(tenant, job, last.created, &last.result_id));
            let range = Range { after: after.as_ref(), ..Range::default() };
            let page = self.query(&partition, range, Read::Latest).await?;
            for item in &page.items {
                entries.push(LedgerEntry::read(item)?);
            }
            if !page.more {
                return Ok(entries);
            }
        }
    }
}

impl Store {
    /// Replaces readings that have lost something, in the ledger and in the job if it is still there; answers how many.
    pub(crate) async fn rewrite_readings(
        &self,
        tenant: &TenantId,
        account: Option<&AccountId>,
        job: &JobId,
        entries: &[LedgerEntry],
    ) -> Result<usize> {
        for chunk in entries.chunks(REWRITE_BATCH) {
            let mut attempt = 0;
            while let Err(error) = self.try_rewrite(tenant, account, job, chunk).await {
                attempt += 1;
                if error != StoreError::Conflict || attempt == OPTIMISTIC_ATTEMPTS {
                    return Err(error);
                }
            }
        }
        Ok(entries.len())
    }

    async fn try_rewrite(&self, tenant: &TenantId, account: Option<&AccountId>, job: &JobId, entries: &[LedgerEntry]) -> Result<()> {
        let mut tx = Tx::new(self);
        if let Some(account) = account
            && let Some(item) = self.get(&keys::job(tenant, account, job), Read::Latest).await?
        {
            let stored = StoredJob::read(&item)?;
            let zone = self.zone(tenant).await?;
            stored.with_rewritten(entries).put(&mut tx, tenant, zone.as_ref(), Some(&stored), Condition::version(stored.version))?;
            bump_portfolio(&mut tx, tenant, account, job)?;
            // What an import left behind must not bring back what goes.
            if stored.origin.as_ref().is_some_and(|origin| !origin.created)
                && let Some(kept) = self.get(&keys::job_before(tenant, account, job), Read::Latest).await?
            {
                tx.put("the job", rewritten_before(&kept, entries)?, None)?;
            }
        }
        for entry in entries {
            let present = Condition { expression: "attribute_exists(pk)", values: Item::new(), refusal: StoreError::Conflict };
            // Only the reading itself: what was noted beside it stays.
            let key = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
            tx.update(&key, "SET entry = :entry", Item::from([(":entry".into(), json(entry)?)]), Some(present))?;
        }
        tx.commit("the readings").await
    }
}

impl SubmitResults<'_> {
    /// A reading as the ledger keeps it; `meter_changed` are the tenant's own texts of the comment "meter was changed".
    fn ledger_entry(&self, new: &NewResult, meter_changed: &[String]) -> Result<LedgerEntry> {
        let master = &self.job.master;
        let task = master.meter.meter_rate_tasks.iter().find(|task| task.task_id == new.task_id);
        let task = task.ok_or_else(|| StoreError::Internal { operation: "submit", reason: "the job has no such rate".into() })?;
        let (channel, login_kind, entered) = match &self.source {
            Source::Portal(login) => (Channel::Portal, Some(*login), None),
            Source::Staff(channel, entered) => (*channel, None, Some(entered.clone())),
            Source::Assigned(assignment) => (Channel::Portal, Some(assignment.reading.login_kind), Some(assignment.entered.clone())),
        };
        let is_portals = matches!(self.source, Source::Portal(_));
        let without_job = match &self.source {
            Source::Assigned(assignment) => Some(assignment.reading.id.clone()),
            _ => None,
        };
        let NewResult { result, confirmed, .. } = new;
        let (comment, lower_reason) = (result.comment.as_deref(), result.lower_reason);
        let exchanged = self.job.was_exchanged(&new.task_id);
        let sent = clearing::Sent { value: &result.reading_value, comment, lower_reason, confirmed, exchanged };
        let mut doubts = clearing::doubts(&sent, Some(task), meter_changed);
        if without_job.is_some() {
            clearing::keep_assigned(&mut doubts);
        }
        Ok(LedgerEntry {
            result_id: new.result_id.clone(),
            job_id: master.id.clone(),
            season: self.job.season.clone(),
            account_id: Some(self.job.account_id.clone()),
            listed_at: None,
            login_account_id: is_portals.then(|| self.account_id.clone()),
            channel,
            login_kind,
            entered,
            without_job,
            task_id: new.task_id.clone(),
            obis: task.obis.clone(),
            unit: task.unit.clone(),
            meter_number: Some(master.meter.meter_number.clone()),
            reading_value: new.result.reading_value.clone(),
            reading_date: new.result.reading_date,
            created: new.result.created,
            comment: new.result.comment.clone(),
            lower_reason: new.result.lower_reason,
            confirmed: new.confirmed.clone(),
            doubts,
            image_ids: new.result.reading_result_images.iter().map(|image| image.image_id.clone()).collect(),
        })
    }
}

impl LedgerEntry {
    pub(crate) fn item(&self, tenant: &TenantId) -> Result<Item> {
        let (partition, sort) = keys::result_index(tenant, &self.job_id, self.created, &self.result_id);
        Ok(Record::at(&keys::result(tenant, &self.job_id, self.created, &self.result_id))
            .with(RESULTS_PARTITION_KEY, text(partition))
            .with(RESULTS_SORT_KEY, text(sort))
            .with("entry", json(self)?)
            .item())
    }

    fn read(item: &Item) -> Result<Self> {
        Fields(item).json("entry")
    }

    /// Its register. A job that got the id of a forgotten one is another one, whose register it is not (D-IMPORTS-4).
    pub fn register(&self) -> (&JobId, Option<&AccountId>, Option<Timestamp>, &TaskId) {
        (&self.job_id, self.account_id.as_ref(), self.listed_at, &self.task_id)
    }

    /// The season to which it belongs, by that of its job: one that named none may have got one since, and took its readings along (D-SEASONS-10).
    pub fn season_by<'a>(&'a self, job: Option<&'a SeasonId>) -> &'a SeasonId {
        // Without an account the job is another one of that id.
        job.filter(|_| self.season.is_default() && self.account_id.is_some()).unwrap_or(&self.season)
    }

    /// Why the counter is lower than before, as it counts: what a clerk says of an exchange, or that there was none, goes before what the reader said.
    pub fn lower_reason_by(&self, clearing: Option<&Clearing>) -> Option<LowerReason> {
        match clearing {
            Some(clearing) if clearing.counting_exchange().is_some() => Some(LowerReason::MeterChange),
            Some(Clearing { released: true, .. }) => self.lower_reason.filter(|reason| *reason != LowerReason::MeterChange),
            _ => self.lower_reason,
        }
    }

    /// Whether the meter was exchanged before it, as a clerk named it, or as it was told and no clerk has denied: a rejection says nothing of it (D-CLEARING-7).
    pub fn is_of_exchange_by(&self, clearing: Option<&Clearing>) -> bool {
        match clearing {
            Some(Clearing { exchange: Some(_), .. }) => true,
            Some(Clearing { released: true, .. }) => false,
            _ => self.doubts.contains(&Doubt::MeterChange),
        }
    }

    /// The number of the meter that was there before the exchange, if a clerk names one; of the only one otherwise.
    pub fn meter_number_by<'a>(&'a self, clearing: Option<&'a Clearing>) -> Option<&'a str> {
        let exchange = clearing.and_then(Clearing::counting_exchange);
        exchange.and_then(|exchange| exchange.old_number.as_deref()).or(self.meter_number.as_deref())
    }

    /// The reading as its job has it.
    pub(crate) fn result(&self) -> ReadingResult {
        ReadingResult {
            reading_date: self.reading_date,
            reading_value: self.reading_value.clone(),
            created: self.created,
            comment: self.comment.clone(),
            lower_reason: self.lower_reason,
            reading_result_images: self.image_ids.iter().map(|id| ReadingResultImage { image_id: id.clone() }).collect(),
        }
    }
}

/// Where the next page of the ledger begins: months in order, in each its shards.
struct Position {
    month: Date,
    shard: u8,
    after: Option<String>,
}

impl Position {
    fn parse(cursor: &str) -> Option<Self> {
        let mut parts = cursor.splitn(3, '/');
        let month = parts.next()?.parse().ok()?;
        let shard = parts.next()?.parse().ok().filter(|shard| *shard < keys::RESULT_SHARDS)?;
        let after = parts.next()?;
        Some(Self { month, shard, after: (!after.is_empty()).then(|| after.to_owned()) })
    }

    fn next_shard(self, last: Date) -> Option<Self> {
        if self.shard + 1 < keys::RESULT_SHARDS {
            return Some(Self { shard: self.shard + 1, after: None, ..self });
        }
        let month = self.month.checked_add(1.month()).ok()?;
        (month <= last).then_some(Self { month, shard: 0, after: None })
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.month, self.shard, self.after.as_deref().unwrap_or_default())
    }
}
