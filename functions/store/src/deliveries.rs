//! Readings on their way to a tenant's webhook.
//!
//! A transaction that stores readings, or what a clerk decides about one, puts one item beside them. It holds where they are in the ledger and nothing about a
//! person, and stays until the receiver has taken them, a clerk has to look, or they are gone.

use std::collections::{HashMap, HashSet, VecDeque};

use domain::ids::{JobId, RunId, TenantId};
use domain::sending;
use futures::future::try_join_all;
use jiff::Timestamp;

use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read, Update, Written};
use crate::item::{Fields, Item, Record, flag, json, key_of, millis, number, text};
use crate::keys::{self, Key};
use crate::table::SORT_KEY;
use crate::tx::{Condition, Tx};
use crate::{Clearing, ClearingEntry, Destination, LedgerEntry, ReadingWithoutJob, Result, Run, Sending, Store, StoreError, StoredJob};

/// Items of one page of a shard.
const PAGE: u32 = 25;

/// What one request to the receiver says: the readings of a submission, a reading that a clerk decided about, a reading without a job, or the files of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its place among the tenant's, by time.
    order: String,
    /// The job, the id of the reading without one, or that of the run.
    job: JobId,
    /// The run whose files it tells of.
    run: Option<RunId>,
    /// Sort keys of the readings in the job's ledger; none: it is the reading without a job.
    results: Vec<String>,
    /// It says what a clerk decided.
    cleared: bool,
    /// The number of attempts in vain.
    pub attempts: u64,
    /// The time of the first of them.
    pub failing_since: Option<Timestamp>,
    /// When it is tried again; none: at once.
    pub not_before: Option<Timestamp>,
}

/// What could not be delivered and waits for a clerk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The delivery that was given up.
    pub delivery: Delivery,
    /// The time at which it was given up.
    pub given_up_at: Timestamp,
    /// What the last attempt ended with.
    pub cause: String,
}

/// The subject of a delivery.
#[derive(Debug, Clone, PartialEq)]
pub enum DeliveryContent {
    /// Readings of a job, in the order in which they were sent; what was erased is not among them.
    OfJob {
        /// The readings, and as what they go out; at least one.
        readings: Vec<ToTell>,
        /// The job, if there still is one.
        job: Option<Box<StoredJob>>,
    },
    /// A reading of a meter that has no job.
    WithoutJob(Box<ReadingWithoutJob>),
    /// The run that wrote an export's files.
    Export(Box<Run>),
    /// It was erased.
    Gone,
    /// A run that cannot be read now, as one of a newer version: told once it can, and in the way of no other delivery until then (D-PLATFORM-31).
    Later,
}

/// A reading that a message is about.
#[derive(Debug, Clone, PartialEq)]
pub struct ToTell {
    /// The reading with the clerk's notes.
    pub reading: ClearingEntry,
    /// As what it goes out, and what it corrects or cancels of what the receiver took before.
    pub sending: Sending,
}

/// The state of a tenant's receiver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receiver {
    /// How many runs in a row had to give up.
    pub failures: u64,
    /// The time of the first of them.
    pub failing_since: Option<Timestamp>,
    /// When it is tried again; none: at once.
    pub retry_at: Option<Timestamp>,
    /// The address that said it is gone for good: nothing is sent there before a clerk says so (D-WEBHOOK-4).
    pub gone: Option<String>,
    /// What the last attempt in vain ended with.
    pub last_error: Option<String>,
    /// The time of the last error.
    pub last_error_at: Option<Timestamp>,
    /// The time of the last delivery that it took.
    pub last_delivery: Option<Timestamp>,
    /// Until when a run has it for itself.
    pub leased_until: Option<Timestamp>,
}

impl Delivery {
    pub(crate) fn of_job(job: &JobId, results: &[LedgerEntry], tenant: &TenantId) -> Option<Self> {
        let first = results.first()?;
        let results = results.iter().map(|entry| keys::result(tenant, job, entry.created, &entry.result_id).sk).collect();
        Some(Self::new(order(first.created, job, Some(&first.result_id)), job.clone(), results))
    }

    /// What a clerk decided about a reading at this time.
    pub(crate) fn of_clearing(entry: &LedgerEntry, decided: Timestamp, tenant: &TenantId) -> Self {
        let result = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id).sk;
        let order = order(decided, &entry.job_id, Some(&entry.result_id));
        Self { cleared: true, ..Self::new(order, entry.job_id.clone(), vec![result]) }
    }

    pub(crate) fn without_job(entry: &ReadingWithoutJob) -> Self {
        Self::new(order(entry.created, &entry.id, None), entry.id.clone(), Vec::new())
    }

    fn of_run(run: &Run) -> Result<Self> {
        let id = &run.new.id;
        let job: JobId =
            id.as_str().parse().map_err(|_| StoreError::Internal { operation: "write", reason: "a run's id is long".into() })?;
        Ok(Self { run: Some(id.clone()), ..Self::new(order(run.new.asked, &job, None), job, Vec::new()) })
    }

    fn new(order: String, job: JobId, results: Vec<String>) -> Self {
        Self { order, job, run: None, results, cleared: false, attempts: 0, failing_since: None, not_before: None }
    }

    /// What makes it one message however often it is sent (D-WEBHOOK-2).
    pub fn id(&self, tenant: &TenantId) -> String {
        let hash = keys::sha256_hex(format!("{tenant}/{}", self.order).as_bytes());
        format!("msg_{}", hash.get(..32).unwrap_or(&hash))
    }

    /// The job, the id of the reading without one, or that of the run.
    pub fn job(&self) -> &JobId {
        &self.job
    }

    /// It tells of one of these readings, by the sort keys in the job's ledger.
    pub(crate) fn is_of_some(&self, readings: &[String]) -> bool {
        self.results.iter().any(|result| readings.contains(result))
    }

    /// It says what a clerk decided about readings of a job.
    pub fn is_clearing(&self) -> bool {
        self.cleared
    }

    /// It is about a reading that has no job.
    pub fn is_without_job(&self) -> bool {
        self.results.is_empty() && self.run.is_none()
    }

    /// It is about an export's files.
    pub fn is_export(&self) -> bool {
        self.run.is_some()
    }

    /// When the readings came, the clerk decided, or the export was asked for.
    pub fn created(&self) -> Option<Timestamp> {
        self.order.split('#').next()?.parse().ok()
    }

    /// It need not wait.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.not_before.is_none_or(|time| time <= now)
    }

    /// Where it is, alive or dead.
    pub(crate) fn keys(&self, tenant: &TenantId) -> [Key; 2] {
        [self.key(tenant), keys::dead_letter(tenant, &self.order)]
    }

    fn key(&self, tenant: &TenantId) -> Key {
        keys::delivery(tenant, &self.job, &self.order)
    }

    pub(crate) fn item(&self, tenant: &TenantId) -> Result<Item> {
        self.record(&self.key(tenant)).map(Record::item)
    }

    fn record(&self, at: &Key) -> Result<Record> {
        let results = Some(&self.results).filter(|results| !results.is_empty()).map(json).transpose()?;
        Ok(Record::at(at)
            .with("jobId", text(self.job.as_str()))
            .with_some("runId", self.run.as_ref().map(|run| text(run.as_str())))
            .with_some("results", results)
            .with_some("cleared", self.cleared.then(|| flag(true)))
            .with_some("attempts", Some(self.attempts).filter(|attempts| *attempts > 0).map(number))
            .with_some("failingSince", self.failing_since.map(millis))
            .with_some("notBefore", self.not_before.map(millis)))
    }

    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            order: fields.text(SORT_KEY)?.to_owned(),
            job: fields.parsed("jobId")?,
            run: fields.optional_text("runId")?.map(|_| fields.parsed("runId")).transpose()?,
            results: if item.contains_key("results") { fields.json("results")? } else { Vec::new() },
            cleared: item.contains_key("cleared"),
            attempts: fields.optional_count("attempts")?.unwrap_or_default(),
            failing_since: time(item, "failingSince")?,
            not_before: time(item, "notBefore")?,
        })
    }

    /// Keys of what it is about.
    fn places(&self, tenant: &TenantId) -> Vec<Key> {
        if self.is_without_job() {
            return vec![keys::reading_without_job(tenant, &self.job)];
        }
        self.results.iter().map(|sk| Key { pk: keys::ledger(tenant, &self.job), sk: sk.clone() }).collect()
    }
}

/// A reading as the receiver gets it now, by what it got of the register before.
fn to_tell(ledger: &[(String, ClearingEntry)], entry: &ClearingEntry, now: Timestamp) -> ToTell {
    let register: Vec<&ClearingEntry> =
        ledger.iter().map(|(_, other)| other).filter(|other| other.entry.register() == entry.entry.register()).collect();
    let known: Vec<_> = register.iter().map(|reading| reading.known(Destination::Webhook, false)).collect();
    let index = register.iter().position(|other| other.entry.result_id == entry.entry.result_id).unwrap_or_default();
    let due = sending::told(&known, index, entry.sent.webhook.last().map(|last| last.kind));
    ToTell { reading: entry.clone(), sending: ClearingEntry::sending(&register, Destination::Webhook, due, now) }
}

/// What was said of the reading does not hold any more, and no decision that has a message of its own took its place.
fn was_taken_back(told: &ClearingEntry, now: Option<&Clearing>) -> bool {
    now != told.clearing.as_ref() && now.is_none_or(Clearing::is_of_withdrawn_reading)
}

fn order(created: Timestamp, job: &JobId, result: Option<&str>) -> String {
    let created = keys::instant(created);
    result.map_or_else(|| format!("{created}#{job}"), |result| format!("{created}#{job}#{result}"))
}

fn time(item: &Item, name: &str) -> Result<Option<Timestamp>> {
    item.contains_key(name).then(|| Fields(item).millis(name)).transpose()
}

impl DeadLetter {
    fn item(&self, tenant: &TenantId) -> Result<Item> {
        let record = self.delivery.record(&keys::dead_letter(tenant, &self.delivery.order))?;
        Ok(record.with("givenUpAt", millis(self.given_up_at)).with("cause", text(&self.cause)).item())
    }

    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self { delivery: Delivery::read(item)?, given_up_at: fields.millis("givenUpAt")?, cause: fields.text("cause")?.to_owned() })
    }
}

impl Receiver {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let text = |name| fields.optional_text(name).map(|text| text.map(str::to_owned));
        Ok(Self {
            failures: fields.optional_count("failures")?.unwrap_or_default(),
            failing_since: time(item, "failingSince")?,
            retry_at: time(item, "retryAt")?,
            gone: text("gone")?,
            last_error: text("lastError")?,
            last_error_at: time(item, "lastErrorAt")?,
            last_delivery: time(item, "lastDelivery")?,
            leased_until: time(item, "leasedUntil")?,
        })
    }
}

/// What waits, the oldest first.
pub struct DeliveryQueue<'a> {
    store: &'a Store,
    shards: Vec<Shard>,
}

struct Shard {
    partition: String,
    waiting: VecDeque<Delivery>,
    after: Option<Key>,
    more: bool,
}

impl DeliveryQueue<'_> {
    /// The next one.
    pub async fn next(&mut self) -> Result<Option<Delivery>> {
        let store = self.store;
        try_join_all(self.shards.iter_mut().map(|shard| shard.refill(store))).await?;
        let first = self.shards.iter_mut().filter(|shard| !shard.waiting.is_empty());
        let first = first.min_by(|one, other| one.head().cmp(&other.head()));
        Ok(first.and_then(|shard| shard.waiting.pop_front()))
    }

    /// The next ones that need not wait any more, at most `count`.
    pub async fn due(&mut self, count: usize, now: Timestamp) -> Result<Vec<Delivery>> {
        let mut due = Vec::new();
        while due.len() < count {
            let Some(delivery) = self.next().await? else { break };
            if delivery.is_due(now) {
                due.push(delivery);
            }
        }
        Ok(due)
    }

    /// The next one that need not wait any more and was tried least often. A receiver that fails is tried with it: with the oldest, a few messages that
    /// it never takes would be all that it gets until they are dead.
    pub async fn least_tried(&mut self, now: Timestamp) -> Result<Option<Delivery>> {
        let mut least: Option<Delivery> = None;
        while least.as_ref().is_none_or(|least| least.attempts > 0) {
            let Some(delivery) = self.next().await? else { break };
            if delivery.is_due(now) && least.as_ref().is_none_or(|least| delivery.attempts < least.attempts) {
                least = Some(delivery);
            }
        }
        Ok(least)
    }
}

impl Shard {
    fn head(&self) -> Option<&str> {
        self.waiting.front().map(|delivery| delivery.order.as_str())
    }

    async fn refill(&mut self, store: &Store) -> Result<()> {
        while self.waiting.is_empty() && self.more {
            let range = Range { limit: Some(PAGE), after: self.after.as_ref(), ..Range::default() };
            // What was stored must be found with its readings, and what was delivered must not come again.
            let page = store.query(&self.partition, range, Read::Latest).await?;
            self.more = page.more;
            self.after = page.items.last().map(key_of).transpose()?;
            self.waiting = page.items.iter().map(Delivery::read).collect::<Result<_>>()?;
        }
        Ok(())
    }
}

impl Store {
    /// What waits to be contents, as far as it has come when it is asked.
    pub fn deliveries(&self, tenant: &TenantId) -> DeliveryQueue<'_> {
        let shard = |shard| Shard { partition: keys::deliveries(tenant, shard), waiting: VecDeque::new(), after: None, more: true };
        DeliveryQueue { store: self, shards: (0..keys::DELIVERY_SHARDS).map(shard).collect() }
    }

    /// What these are about, in their order; `now` is when they are told.
    pub async fn delivery_contents(&self, tenant: &TenantId, deliveries: &[Delivery], now: Timestamp) -> Result<Vec<DeliveryContent>> {
        // Whether a reading corrects an earlier one is to be seen from all that the job has.
        let of_jobs = |delivery: &&Delivery| !delivery.results.is_empty();
        let jobs: HashSet<&JobId> = deliveries.iter().filter(of_jobs).map(Delivery::job).collect();
        let ledger = async |job: &JobId| {
            let items = self.whole_partition(&keys::ledger(tenant, job)).await?;
            let entries = items.iter().map(|item| Ok((key_of(item)?.sk, ClearingEntry::read(item)?)));
            Ok::<_, StoreError>((job.clone(), entries.collect::<Result<Vec<_>>>()?))
        };
        let ledgers: HashMap<JobId, Vec<(String, ClearingEntry)>> = try_join_all(jobs.into_iter().map(ledger)).await?.into_iter().collect();
        let places: HashSet<Key> =
            deliveries.iter().filter(|delivery| delivery.is_without_job()).flat_map(|delivery| delivery.places(tenant)).collect();
        let places: Vec<Key> = places.into_iter().collect();
        // A reading that is only not seen yet must not count as erased.
        let found = if places.is_empty() { HashMap::new() } else { self.get_many(&places, None, Read::Latest).await? };
        let mut contents = Vec::new();
        for delivery in deliveries {
            contents.push(if let Some(run) = &delivery.run {
                match self.run(tenant, run).await {
                    Ok(run) => run.map_or(DeliveryContent::Gone, |run| DeliveryContent::Export(run.into())),
                    Err(error) if error.is_unavailable() => DeliveryContent::Later,
                    Err(error) => return Err(error),
                }
            } else if delivery.is_without_job() {
                let items = delivery.places(tenant).into_iter().filter_map(|key| found.get(&key));
                items
                    .map(ReadingWithoutJob::read)
                    .next()
                    .transpose()?
                    .map_or(DeliveryContent::Gone, |entry| DeliveryContent::WithoutJob(entry.into()))
            } else {
                let ledger = ledgers.get(&delivery.job).map_or(&[][..], Vec::as_slice);
                let of_delivery = |sk: &String| ledger.iter().find(|(place, _)| place == sk).map(|(_, entry)| entry);
                let readings: Vec<_> = delivery.results.iter().filter_map(of_delivery).map(|entry| to_tell(ledger, entry, now)).collect();
                if readings.is_empty() { DeliveryContent::Gone } else { DeliveryContent::OfJob { readings, job: None } }
            });
        }
        self.add_jobs(tenant, &mut contents).await?;
        Ok(contents)
    }

    async fn add_jobs(&self, tenant: &TenantId, contents: &mut [DeliveryContent]) -> Result<()> {
        let place = |readings: &[ToTell]| {
            let entry = &readings.first()?.reading.entry;
            Some(keys::job(tenant, entry.account_id.as_ref()?, &entry.job_id))
        };
        let mut places: Vec<Key> = Vec::new();
        for one in contents.iter() {
            if let DeliveryContent::OfJob { readings, .. } = one
                && let Some(key) = place(readings)
                // DynamoDB refuses a batch that asks for one key twice.
                && !places.contains(&key)
            {
                places.push(key);
            }
        }
        let jobs: HashMap<Key, Item> = if places.is_empty() { HashMap::new() } else { self.get_many(&places, None, Read::Recent).await? };
        for one in contents {
            if let DeliveryContent::OfJob { readings, job } = one
                && let Some(item) = place(readings).and_then(|key| jobs.get(&key))
            {
                *job = Some(Box::new(StoredJob::read(item)?));
            }
        }
        Ok(())
    }

    /// Forgets, in the transaction, messages that say what was taken back at this time of these readings, dead ones too. One that was tried, or waits while a run
    /// has the receiver or did not give it back, the receiver may have taken, and then passes over any message under its id: others in its place say how the
    /// readings stand.
    pub(crate) async fn take_back(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        told: &[(Delivery, &[LedgerEntry])],
        now: Timestamp,
    ) -> Result<()> {
        let keys: Vec<Key> = told.iter().flat_map(|(delivery, _)| delivery.keys(tenant)).collect();
        let found = if keys.is_empty() { HashMap::new() } else { self.get_batch(&keys, Read::Latest).await? };
        for (delivery, entries) in told {
            let [alive, dead] = delivery.keys(tenant);
            let Some(key) = [&alive, &dead].into_iter().find(|key| found.contains_key(key)) else { continue };
            let is_untried = *key == alive && !found[key].contains_key("attempts");
            if is_untried && self.receiver(tenant).await?.leased_until.is_none() {
                // Taken or tried since then, it is another matter.
                let expression = "attribute_exists(pk) AND attribute_not_exists(attempts)";
                tx.delete(key, Some(Condition { expression, values: Item::new(), refusal: StoreError::Conflict }))?;
                continue;
            }
            tx.delete(key, Some(Condition::present(StoreError::Conflict)))?;
            for entry in *entries {
                tx.put("the delivery", Delivery::of_clearing(entry, now, tenant).item(tenant)?, None)?;
            }
        }
        Ok(())
    }

    /// Notes what the webhook's receiver has taken, and forgets the delivery. Of a decision that was taken back while the message was on its way another one says so.
    pub async fn delivery_taken(&self, tenant: &TenantId, delivery: &Delivery, told: &[ToTell]) -> Result<()> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let mut tx = Tx::new(self);
            tx.delete(&delivery.key(tenant), None)?;
            for ToTell { reading, sending } in told {
                let entry = &reading.entry;
                let key = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
                // One that was erased meanwhile stays so.
                let Some(item) = self.get(&key, Read::Latest).await? else { continue };
                let ClearingEntry { sent, clearing, .. } = ClearingEntry::read(&item)?;
                if was_taken_back(reading, clearing.as_ref()) {
                    tx.put("the delivery", Delivery::of_clearing(entry, sending.at, tenant).item(tenant)?, None)?;
                }
                let mut list = sent.webhook;
                list.push(sending.clone());
                let values = Item::from([(":list".into(), json(&list)?)]);
                let condition = match item.get("sentWebhook") {
                    None => Condition {
                        expression: "attribute_exists(pk) AND attribute_not_exists(sentWebhook)",
                        values: Item::new(),
                        refusal: StoreError::Conflict,
                    },
                    Some(before) => Condition {
                        expression: "sentWebhook = :before",
                        values: Item::from([(":before".into(), before.clone())]),
                        refusal: StoreError::Conflict,
                    },
                };
                tx.update(&key, "SET sentWebhook = :list", values, Some(condition))?;
            }
            match tx.commit("the delivery").await {
                // Another message about the same reading was taken at that moment.
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// Has the webhook told of the files of a run; said twice, it is one message.
    pub async fn announce(&self, tenant: &TenantId, run: &Run) -> Result<()> {
        self.put(Delivery::of_run(run)?.item(tenant)?).await
    }

    /// Forgets what is gone, or what the receiver has taken that is no reading of a job.
    pub async fn end_delivery(&self, tenant: &TenantId, delivery: &Delivery) -> Result<()> {
        self.delete(&delivery.key(tenant), None).await
    }

    /// Notes another attempt in vain, which said this of readings; one that is not there any more stays so. Was a decision taken back while it was on its way,
    /// another one says so: that there was no answer does not mean that it did not come.
    pub async fn delay_delivery(&self, tenant: &TenantId, delivery: &Delivery, told: &[ToTell]) -> Result<()> {
        let key = delivery.key(tenant);
        let delayed = self.update(Update {
            key: &key,
            expression: "SET attempts = :attempts, failingSince = :since, notBefore = :notBefore",
            condition: Some("attribute_exists(pk)"),
            values: Item::from([
                (":attempts".into(), number(delivery.attempts)),
                (":since".into(), millis(delivery.failing_since.unwrap_or(Timestamp::UNIX_EPOCH))),
                (":notBefore".into(), millis(delivery.not_before.unwrap_or(Timestamp::UNIX_EPOCH))),
            ]),
        });
        match delayed.await? {
            Written::Done => Ok(()),
            Written::Refused(_) => self.tell_taken_back(tenant, told).await,
        }
    }

    /// Leaves it until then; it was not tried.
    pub async fn postpone_delivery(&self, tenant: &TenantId, delivery: &Delivery, until: Timestamp) -> Result<()> {
        let key = delivery.key(tenant);
        let postponed = Update {
            key: &key,
            expression: "SET notBefore = :notBefore",
            condition: Some("attribute_exists(pk)"),
            values: Item::from([(":notBefore".into(), millis(until))]),
        };
        match self.update(postponed).await? {
            Written::Done | Written::Refused(_) => Ok(()),
        }
    }

    async fn tell_taken_back(&self, tenant: &TenantId, told: &[ToTell]) -> Result<()> {
        for ToTell { reading, sending } in told {
            let entry = &reading.entry;
            let key = keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
            let Some(item) = self.get(&key, Read::Latest).await? else { continue };
            if was_taken_back(reading, ClearingEntry::read(&item)?.clearing.as_ref()) {
                self.put(Delivery::of_clearing(entry, sending.at, tenant).item(tenant)?).await?;
            }
        }
        Ok(())
    }

    /// Puts it among the dead ones; one that is not there any more stays so.
    pub async fn give_up_delivery(&self, tenant: &TenantId, dead: &DeadLetter) -> Result<()> {
        let mut tx = Tx::new(self);
        tx.delete(&dead.delivery.key(tenant), Some(Condition::present(StoreError::Conflict)))?;
        tx.put("the dead letter", dead.item(tenant)?, None)?;
        match tx.commit("the dead letter").await {
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// All dead ones, the oldest first.
    pub async fn dead_letters(&self, tenant: &TenantId) -> Result<Vec<DeadLetter>> {
        self.whole_partition(&keys::dead_letters(tenant)).await?.iter().map(DeadLetter::read).collect()
    }

    /// Whether there are any.
    pub async fn has_dead_letters(&self, tenant: &TenantId) -> Result<bool> {
        let range = Range { limit: Some(1), ..Range::default() };
        Ok(!self.query(&keys::dead_letters(tenant), range, Read::Recent).await?.items.is_empty())
    }

    /// Puts a dead one back among those that wait, as if it were new; false: it is dead no more.
    pub async fn revive_dead_letter(&self, tenant: &TenantId, dead: &DeadLetter) -> Result<bool> {
        let fresh = Delivery { attempts: 0, failing_since: None, not_before: None, ..dead.delivery.clone() };
        let mut tx = Tx::new(self);
        tx.delete(&keys::dead_letter(tenant, &fresh.order), Some(Condition::present(StoreError::Conflict)))?;
        tx.put("the delivery", fresh.item(tenant)?, None)?;
        match tx.commit("the dead letter").await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Forgets a dead one. Its readings stay.
    pub async fn discard_dead_letter(&self, tenant: &TenantId, dead: &DeadLetter) -> Result<()> {
        self.delete(&keys::dead_letter(tenant, &dead.delivery.order), None).await
    }

    /// Has one of those that wait tried again at once.
    pub async fn hurry_delivery(&self, tenant: &TenantId, delivery: &Delivery) -> Result<()> {
        let key = delivery.key(tenant);
        let hurried = Update { key: &key, expression: "REMOVE notBefore", condition: Some("attribute_exists(pk)"), values: Item::new() };
        match self.update(hurried).await? {
            Written::Done | Written::Refused(_) => Ok(()),
        }
    }

    /// Deletes what leads to an erased reading.
    pub(crate) async fn erase_delivery(&self, tenant: &TenantId, delivery: &Delivery) -> Result<()> {
        for key in delivery.keys(tenant) {
            self.delete(&key, None).await?;
        }
        Ok(())
    }

    /// How it stands with the tenant's receiver.
    pub async fn receiver(&self, tenant: &TenantId) -> Result<Receiver> {
        let item = self.get(&keys::receiver(tenant), Read::Latest).await?;
        item.map_or_else(|| Ok(Receiver::default()), |item| Receiver::read(&item))
    }

    /// Takes the receiver for one run; false: another run has it.
    pub async fn lease_receiver(&self, tenant: &TenantId, owner: &str, now: Timestamp, until: Timestamp) -> Result<bool> {
        let key = keys::receiver(tenant);
        let leased = self.update(Update {
            key: &key,
            expression: "SET leaseOwner = :owner, leasedUntil = :until",
            condition: Some("attribute_not_exists(leasedUntil) OR leasedUntil <= :now"),
            values: Item::from([(":owner".into(), text(owner)), (":until".into(), millis(until)), (":now".into(), millis(now))]),
        });
        Ok(matches!(leased.await?, Written::Done))
    }

    /// Gives the receiver back, with what the run found out; a run whose time was over changes nothing.
    pub async fn release_receiver(&self, tenant: &TenantId, owner: &str, found: &Receiver) -> Result<()> {
        let wanted = [
            ("failures", Some(found.failures).filter(|failures| *failures > 0).map(number)),
            ("failingSince", found.failing_since.map(millis)),
            ("retryAt", found.retry_at.map(millis)),
            ("gone", found.gone.as_ref().map(text)),
            ("lastError", found.last_error.as_ref().map(text)),
            ("lastErrorAt", found.last_error_at.map(millis)),
            ("lastDelivery", found.last_delivery.map(millis)),
        ];
        let mut values = Item::from([(":owner".into(), text(owner))]);
        let (mut set, mut remove) = (Vec::new(), vec!["leaseOwner", "leasedUntil"]);
        for (name, value) in wanted {
            match value {
                Some(value) => {
                    set.push(format!("{name} = :{name}"));
                    values.insert(format!(":{name}"), value);
                }
                None => remove.push(name),
            }
        }
        let set = if set.is_empty() { String::new() } else { format!("SET {} ", set.join(", ")) };
        let released = Update {
            key: &keys::receiver(tenant),
            expression: &format!("{set}REMOVE {}", remove.join(", ")),
            condition: Some("leaseOwner = :owner"),
            values,
        };
        match self.update(released).await? {
            Written::Done | Written::Refused(_) => Ok(()),
        }
    }

    /// Has everything tried again that waits: no pause, and no address that is gone.
    pub async fn reset_receiver(&self, tenant: &TenantId) -> Result<()> {
        let reset = Update {
            key: &keys::receiver(tenant),
            expression: "REMOVE failures, failingSince, retryAt, gone",
            condition: Some("attribute_exists(pk)"),
            values: Item::new(),
        };
        match self.update(reset).await? {
            Written::Done | Written::Refused(_) => Ok(()),
        }
    }
}
