//! `zaehlwerk jobs import`.

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use desk::patiently;
use domain::config::Application;
use domain::fault::Fault;
use domain::ids::{AccountId, JobId, TenantId};
use domain::job_check;
use domain::model::JobMaster;
use domain::text;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::value::{CowStrDeserializer, MapAccessDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::json;
use store::{Effect, InTheWay, JobImport, JobImported, JobLine, Rejection, Store};

use crate::cli::Input;
use crate::deferred::Deferred;
use crate::duplicates::Duplicates;
use crate::import::{self, Import, Outcome, Seen};
use crate::lines;
use crate::progress::Progress;
use crate::structure::{self, Schema};
use crate::{Failure, Say, Verdict};

/// Brings the file's jobs in, and with `close_missing` closes all others.
pub async fn import(store: &Store, tenant: &TenantId, input: &Input, close_missing: bool, say: Say) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let (summary, seen) = import::run(&JobsImport::new(store, &settings.application, input.effect(), close_missing), input).await?;
    let mut verdict = if summary.faulty == 0 { Verdict::Sound } else { Verdict::Faulty };
    let mut closed = None;
    let rest = if !close_missing {
        String::new()
    } else if summary.faulty > 0 {
        "; none closed, because a faulty line may stand for one of them".into()
    } else if seen.is_empty() {
        verdict = Verdict::Faulty;
        "; none closed, because the file lists no job at all".into()
    } else {
        let count = close_others(store, tenant, &seen, input.effect()).await?;
        closed = Some(count);
        format!(", {count} closed")
    };
    let tried = input.tried();
    say.tell(format_args!("{tried}jobs: {summary}{rest}"), &json!({ "dryRun": input.dry_run, "jobs": summary, "closed": closed }))?;
    Ok(verdict)
}

async fn close_others(store: &Store, tenant: &TenantId, listed: &Seen, effect: Effect) -> Result<u64, Failure> {
    let progress = Progress::open_ended("closed");
    let mut closed = 0;
    let mut cursor: Option<String> = None;
    loop {
        let page = patiently(|| store.job_ids(tenant, cursor.as_deref())).await?;
        for job in page.jobs.iter().filter(|job| !job.closed && !listed.contains(job.job_id.as_str())) {
            closed += match effect {
                Effect::Tried => 1,
                Effect::Stored => u64::from(patiently(|| store.close_job(tenant, &job.account_id, &job.job_id, Timestamp::now())).await?),
            };
            progress.reached(0, closed);
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            progress.end();
            return Ok(closed);
        }
    }
}

/// How many groups of accounts there are for [`JobsImport::groups`]: so many that two batches rarely meet by chance.
const GROUPS: u64 = 4096;

struct JobsImport<'a> {
    store: &'a Store,
    application: &'a Application,
    effect: Effect,
    /// What the file does not list is closed afterwards.
    complete: bool,
    duplicates: Mutex<Duplicates>,
    deferred: Mutex<Deferred>,
    /// The file was read once: the open jobs in the way of its lines that its other lines take out of it.
    making_room: OnceLock<HashSet<JobId>>,
    hasher: RandomState,
    /// Held while a batch with jobs of these accounts is on its way: every change of a job also changes the one item of its account's
    /// portfolio, so batches of one manager would only cancel each other's transactions.
    groups: Vec<tokio::sync::Mutex<()>>,
}

impl<'a> JobsImport<'a> {
    fn new(store: &'a Store, application: &'a Application, effect: Effect, complete: bool) -> Self {
        let groups = (0..GROUPS).map(|_| tokio::sync::Mutex::default()).collect();
        Self {
            store,
            application,
            effect,
            complete,
            duplicates: Mutex::default(),
            deferred: Mutex::default(),
            making_room: OnceLock::new(),
            hasher: RandomState::new(),
            groups,
        }
    }

    fn deferred(&self) -> MutexGuard<'_, Deferred> {
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn in_the_way(&self) -> InTheWay<'_> {
        match self.making_room.get() {
            _ if self.complete => InTheWay::Nothing,
            Some(making_room) => InTheWay::AllBut(making_room),
            None => InTheWay::All,
        }
    }

    /// Waits for the batch's accounts; in the order of the groups, so that two batches never wait for each other.
    async fn own_accounts(&self, batch: &[JobLine]) -> Vec<tokio::sync::MutexGuard<'_, ()>> {
        let groups: BTreeSet<_> = batch.iter().map(|line| (self.hasher.hash_one(&line.account_id) % GROUPS) as usize).collect();
        let mut guards = Vec::with_capacity(groups.len());
        for group in groups {
            guards.push(self.groups[group].lock().await);
        }
        guards
    }
}

impl Import for JobsImport<'_> {
    type Entry = JobLine;
    const UNIT: &'static str = "jobs";
    const BATCH: usize = Store::IMPORT_BATCH;
    const IN_FLIGHT: usize = 8;

    fn parse(&self, text: &[u8]) -> Result<JobLine, Vec<Fault>> {
        let Wire(line) = lines::parse(text).map_err(|fault| vec![fault])?;
        let faults = job_check::check(&line.master);
        if faults.is_empty() { Ok(line) } else { Err(faults) }
    }

    fn schema() -> Schema {
        let mut schema = structure::schema_of::<JobMaster>();
        schema.root["properties"][OWNER] = json!({ "type": "string" });
        schema
    }

    fn clash(&self, line: &JobLine, number: u64) -> Option<Fault> {
        let mut duplicates = self.duplicates.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = duplicates.insert(&line.account_id, &line.master, number).err()?;
        self.deferred().refuse(line.master.id.clone());
        let reason = text!(
            "ist schon der Zähler von Zeile {earlier}, mit sich überschneidendem Zeitraum und gemeinsamer OBIS-Kennzahl",
            "is the meter of line {earlier} too, in an overlapping period and with a common OBIS code"
        );
        Some(Fault::new("meter.meterNumber", reason))
    }

    fn id(line: &JobLine) -> &str {
        line.master.id.as_str()
    }

    async fn store(&self, batch: Vec<JobLine>) -> Result<Vec<Outcome>, Failure> {
        let _accounts = self.own_accounts(&batch).await;
        let (application, effect, in_the_way) = (self.application, self.effect, self.in_the_way());
        let import = || JobImport { application, effect, in_the_way, now: Timestamp::now() };
        let imported = patiently(|| self.store.import_jobs(import(), &batch)).await?;
        let outcome = |(line, imported): (&JobLine, JobImported)| match imported {
            JobImported::Created => Outcome::Created,
            JobImported::Updated => Outcome::Updated,
            JobImported::Unchanged => Outcome::Unchanged,
            JobImported::Moved { .. } => Outcome::Moved,
            JobImported::Rejected { reason: Rejection::MeterTwice { open, refused } } if self.making_room.get().is_none() => {
                self.deferred().defer(refused, open);
                Outcome::Deferred
            }
            JobImported::Rejected { reason } => {
                self.deferred().refuse(line.master.id.clone());
                let field = match reason {
                    Rejection::AccountUnknown | Rejection::OtherAccount => OWNER,
                    Rejection::MeterTwice { .. } => "meter.meterNumber",
                    Rejection::TooLarge { .. } => "",
                };
                Outcome::Refused(vec![Fault::new(field, &reason)])
            }
        };
        Ok(batch.iter().zip(imported).map(outcome).collect())
    }

    fn settle(&self, listed: &Seen) {
        let deferred = std::mem::take(&mut *self.deferred());
        self.making_room.get_or_init(|| deferred.making_room(|job| listed.contains(job.as_str())));
    }
}

/// A line as it is written: the job's own fields and `accountId` side by side.
///
/// (`#[serde(flatten)]` would take numbers through binary floating point and accept unknown fields.)
struct Wire(JobLine);

impl<'de> Deserialize<'de> for Wire {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(WireVisitor)
    }
}

struct WireVisitor;

impl<'de> Visitor<'de> for WireVisitor {
    type Value = Wire;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a job with its accountId")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Wire, A::Error> {
        let mut account_id = None;
        let master = JobMaster::deserialize(MapAccessDeserializer::new(WithoutOwner { map, account_id: &mut account_id }))?;
        let account_id = account_id.ok_or_else(|| de::Error::missing_field(OWNER))?;
        Ok(Wire(JobLine { account_id, master }))
    }
}

/// A map without its `accountId`, which is put aside.
struct WithoutOwner<'a, A> {
    map: A,
    account_id: &'a mut Option<AccountId>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutOwner<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = seed;
        loop {
            match self.map.next_key_seed(KeySeed(seed))? {
                None => return Ok(None),
                Some(Key::Field(value)) => return Ok(Some(value)),
                Some(Key::Owner(unused)) if self.account_id.is_none() => {
                    *self.account_id = Some(self.map.next_value()?);
                    seed = unused;
                }
                Some(Key::Owner(_)) => return Err(de::Error::duplicate_field(OWNER)),
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

const OWNER: &str = "accountId";

/// A key of the line: the owner's, or whatever the job makes of it.
enum Key<S, V> {
    Owner(S),
    Field(V),
}

struct KeySeed<S>(S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for KeySeed<S> {
    type Value = Key<S, S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let key = Cow::<'de, str>::deserialize(deserializer)?;
        if key == OWNER { Ok(Key::Owner(self.0)) } else { self.0.deserialize(CowStrDeserializer::new(key)).map(Key::Field) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::text::Lang;

    fn line(text: &str) -> Result<JobLine, String> {
        lines::parse::<Wire>(text.as_bytes()).map(|Wire(line)| line).map_err(|fault| fault.line(Lang::En))
    }

    const TASK: &str = r#"{"taskId":"t","obis":"1-0:1.8.0","readingEvents":[{"readingDate":"2025-11-30","readingValue":00}]}"#;

    #[test]
    fn the_owner_stands_among_the_jobs_fields() {
        let task = TASK.replace("00}", "123456789012345.123456789}");
        let parsed = line(&format!(r#"{{"id":"j","accountId":"a","meter":{{"meterNumber":"1","meterRateTasks":[{task}]}}}}"#)).unwrap();
        assert_eq!(parsed.account_id.as_str(), "a");
        assert_eq!(parsed.master.meter.meter_rate_tasks[0].reading_events[0].reading_value.as_str(), "123456789012345.123456789");
    }

    #[test]
    fn a_fault_is_named_with_its_field() {
        let task = TASK.replace("00}", "\"1,5\"}");
        let meter = format!(r#"{{"meterNumber":"1","meterRateTasks":[{task}]}}"#);
        let reason = "a reading value consists of digits, optionally with one point and further digits";
        let at = "meter.meterRateTasks[0].readingEvents[0].readingValue";
        assert_eq!(line(&format!(r#"{{"id":"j","accountId":"a","meter":{meter}}}"#)), Err(format!("{at}: {reason}")));
        assert_eq!(line(r#"{"id":"j","meter":{"meterNumber":"1","meterRateTasks":[]}}"#), Err("accountId: is missing".into()));
        assert!(line(r#"{"accountId":"a","id":"j","accountId":"b"}"#).unwrap_err().contains("duplicate field `accountId`"));
        assert!(line(r#"{"accountId":"a","id":"j","meters":1}"#).unwrap_err().starts_with("meters: unknown field `meters`"));
        assert!(line(r#"{"accountId":"a b","id":"j"}"#).unwrap_err().starts_with("accountId: an account id must be"));
        assert!(line("[]").is_err() && line("{} {}").is_err());
    }
}
