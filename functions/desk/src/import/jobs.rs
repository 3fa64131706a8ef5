//! A file of jobs.

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use domain::config::Application;
use domain::fault::Fault;
use domain::ids::{AccountId, ImportId, JobId, SeasonId, TenantId};
use domain::job_check;
use domain::model::JobMaster;
use domain::pass_through::{PASS_THROUGH, PassThrough};
use domain::season::Season;
use domain::text;
use domain::text::Text;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::value::{CowStrDeserializer, MapAccessDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::json;
use store::{Effect, ImportKind, InTheWay, JobImport, JobImported, JobLine, Rejection, Store};

use super::closing::{self, Missing};
use super::deferred::Deferred;
use super::duplicates::Duplicates;
use super::{Import, ImportReport, Outcome, Seen, Source, Stopped, Watch, lines};
use crate::structure::{self, Schema};
use crate::{Failure, patiently};

/// The options of an import of jobs.
#[derive(Debug, Clone, Copy)]
pub struct JobsOptions<'a> {
    /// Whether anything is written.
    pub effect: Effect,
    /// To which season its lines belong, if they do not say it.
    pub season: Option<&'a SeasonId>,
    /// By which the import can be undone later.
    pub import: Option<&'a ImportId>,
    /// In a trial: accounts that will be there.
    pub coming: Option<&'a HashSet<AccountId>>,
    /// What the file lacks of the season, as [`missing_jobs`] found it, is closed afterwards.
    pub close: Option<&'a Missing>,
}

/// The outcome of a file of jobs.
#[derive(Debug)]
pub struct JobsReport {
    /// The lines.
    pub lines: ImportReport,
    /// How many jobs were closed, or would be in a trial; none: none were to be, or a line is faulty and may stand for one of them.
    pub closed: Option<u64>,
    /// The warnings for the utility.
    pub warnings: Vec<Text>,
}

/// What closing what the file lacks would close; none: a line of it cannot be read and may stand for one of them, or it lists no job at all.
/// Nothing is written.
pub async fn missing_jobs(
    store: &Store,
    tenant: &TenantId,
    source: &Source<'_>,
    season: Option<&SeasonId>,
) -> Result<Option<Missing>, Failure> {
    let settings = patiently(|| store.tenant(tenant)).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let seasons = Seasons::of(store, tenant, season).await?;
    let of_file = seasons.all_of_file()?;
    let import = JobsImport::new(store, &settings.application, Effect::Tried, &seasons);
    match super::listed(&import, source)? {
        Some(listed) if !listed.is_empty() => closing::missing(store, &settings.application, &of_file, &listed).await.map(Some),
        _ => Ok(None),
    }
}

/// Brings the file's jobs in, and closes what was said to be closed if no line is faulty.
///
/// # Errors
/// When it cannot go on; everything before the line that is named is done.
pub async fn import_jobs(
    store: &Store,
    tenant: &TenantId,
    source: &Source<'_>,
    options: JobsOptions<'_>,
    watch: &mut impl Watch,
) -> Result<JobsReport, Stopped<Failure>> {
    let settings = patiently(|| store.tenant(tenant)).await.map_err(Failure::from)?;
    let settings = settings.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let seasons = Seasons::of(store, tenant, options.season).await?;
    let closing = options.close.map(|_| seasons.all_of_file()).transpose()?;
    let mut import = JobsImport::new(store, &settings.application, options.effect, &seasons);
    import.closing = closing.as_ref();
    import.coming = options.coming;
    import.import = options.import;
    import.has_accounts = options.effect == Effect::Stored || options.coming.is_some() || has_accounts(store, tenant).await?;
    let (lines, _) = super::run(&import, source, watch).await?;
    let closed = match options.close {
        Some(_) if lines.counts.faulty > 0 => None,
        Some(missing) if options.effect == Effect::Tried => Some(missing.jobs.len() as u64),
        Some(missing) => match closing::close(store, tenant, &missing.jobs, options.import).await {
            Ok(closed) => Some(closed),
            Err(failure) => return Err(Stopped { report: lines, before_line: None, failure }),
        },
        None => None,
    };
    let [renumbered, dropped] = [import.renumbered, import.dropped].map(|jobs| jobs.into_inner().unwrap_or_else(PoisonError::into_inner));
    let warnings = [renumbered_after_reading(&renumbered), dropped_after_reading(&dropped)];
    Ok(JobsReport { lines, closed, warnings: warnings.into_iter().flatten().collect() })
}

/// Jobs that a warning names.
const NAMED: usize = 20;

fn named(jobs: &BTreeSet<JobId>) -> String {
    let mut named: Vec<_> = jobs.iter().take(NAMED).map(|job| format!("`{job}`")).collect();
    if jobs.len() > NAMED {
        named.push("…".into());
    }
    named.join(", ")
}

/// A reading keeps the number under which it was taken, also at the systems that got it (D-IMPORTS-16).
fn renumbered_after_reading(jobs: &BTreeSet<JobId>) -> Option<Text> {
    let named = named(jobs);
    match jobs.len() {
        0 => None,
        1 => Some(text!(
            "der Auftrag {named} ist schon abgelesen, und sein Zähler hat jetzt eine andere Nummer: die Ablesung behält die alte, auch dort, wohin sie schon ging; wurde der Zähler gewechselt, tragen Sie den Wechsel bei der Ablesung ein",
            "job {named} was read already, and its meter has another number now: the reading keeps the old one, also wherever it went; if the meter was exchanged, enter the exchange at the reading"
        )),
        count => Some(text!(
            "{count} Aufträge sind schon abgelesen, und ihre Zähler haben jetzt andere Nummern ({named}): die Ablesungen behalten die alten, auch dort, wohin sie schon gingen; wurde ein Zähler gewechselt, tragen Sie den Wechsel bei der Ablesung ein",
            "{count} jobs were read already, and their meters have other numbers now ({named}): the readings keep the old ones, also wherever they went; if a meter was exchanged, enter the exchange at the reading"
        )),
    }
}

/// The reading stays where it went, and nobody else would hear that its customer is asked again (D-IMPORTS-21).
fn dropped_after_reading(jobs: &BTreeSet<JobId>) -> Option<Text> {
    let named = named(jobs);
    match jobs.len() {
        0 => None,
        1 => Some(text!(
            "der Auftrag {named} verliert ein Register, das schon abgelesen ist: seine Ablesung zählt für den Auftrag nicht mehr, und ein anderes Register an seiner Stelle wird noch einmal abgefragt; gilt die Ablesung weiter, nehmen Sie den Import zurück, falls er schon lief, und geben Sie dem Register in der Datei seine bisherige Kennung (`taskId`), sonst lehnen Sie die Ablesung ab",
            "job {named} loses a register that was read already: its reading counts for the job no more, and another register in its place is asked for again; if the reading still holds, take the import back if it has run, and give the register its former id (`taskId`) in the file; else reject the reading"
        )),
        count => Some(text!(
            "{count} Aufträge verlieren Register, die schon abgelesen sind ({named}): deren Ablesungen zählen für die Aufträge nicht mehr, und andere Register an ihrer Stelle werden noch einmal abgefragt; gelten die Ablesungen weiter, nehmen Sie den Import zurück, falls er schon lief, und geben Sie den Registern in der Datei ihre bisherigen Kennungen (`taskId`), sonst lehnen Sie die Ablesungen ab",
            "{count} jobs lose registers that were read already ({named}): their readings count for the jobs no more, and other registers in their place are asked for again; if the readings still hold, take the import back if it has run, and give the registers their former ids (`taskId`) in the file; else reject the readings"
        )),
    }
}

/// Whether any account was imported: before that, in a trial, jobs without one are only early.
async fn has_accounts(store: &Store, tenant: &TenantId) -> Result<bool, Failure> {
    let mut cursor: Option<String> = None;
    loop {
        let (accounts, next) = patiently(|| store.accounts(tenant, cursor.as_deref())).await?;
        cursor = next;
        if !accounts.is_empty() || cursor.is_none() {
            return Ok(!accounts.is_empty());
        }
    }
}

/// Where postcodes have five digits (D-IMPORTS-7).
const GERMAN_ZONES: [&str; 2] = ["Europe/Berlin", "Europe/Busingen"];

/// How many groups of accounts there are for [`JobsImport::groups`]: so many that two batches rarely meet by chance.
const GROUPS: u64 = 4096;

/// A file of jobs on its way in.
pub struct JobsImport<'a> {
    store: &'a Store,
    application: &'a Application,
    effect: Effect,
    seasons: &'a Seasons,
    /// What the file does not list of this season is closed afterwards.
    closing: Option<&'a SeasonId>,
    coming: Option<&'a HashSet<AccountId>>,
    import: Option<&'a ImportId>,
    /// The tenant has accounts, so that one that is not among them is a fault.
    has_accounts: bool,
    duplicates: Mutex<Duplicates>,
    deferred: Mutex<Deferred>,
    /// The file was read once: the open jobs in the way of its lines that its other lines take out of it.
    making_room: OnceLock<HashSet<JobId>>,
    /// Jobs that were read under another number of their meter.
    renumbered: Mutex<BTreeSet<JobId>>,
    /// Jobs of which a register that was read is listed no more.
    dropped: Mutex<BTreeSet<JobId>>,
    hasher: RandomState,
    /// Held while a batch with jobs of these accounts is on its way: every change of a job also changes the one item of its account's
    /// portfolio, so batches of one manager would only cancel each other's transactions.
    groups: Vec<tokio::sync::Mutex<()>>,
}

impl<'a> JobsImport<'a> {
    fn new(store: &'a Store, application: &'a Application, effect: Effect, seasons: &'a Seasons) -> Self {
        let groups = (0..GROUPS).map(|_| tokio::sync::Mutex::default()).collect();
        Self {
            store,
            application,
            effect,
            seasons,
            closing: None,
            coming: None,
            import: None,
            has_accounts: true,
            duplicates: Mutex::default(),
            deferred: Mutex::default(),
            making_room: OnceLock::new(),
            renumbered: Mutex::default(),
            dropped: Mutex::default(),
            hasher: RandomState::new(),
            groups,
        }
    }

    fn deferred(&self) -> MutexGuard<'_, Deferred> {
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn in_the_way(&self) -> InTheWay<'_> {
        InTheWay { making_room: self.making_room.get(), closed_afterwards: self.closing }
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
    type Error = Failure;
    const KIND: ImportKind = ImportKind::Jobs;
    const BATCH: usize = Store::IMPORT_BATCH;
    const IN_FLIGHT: usize = 8;
    const REPEATS: bool = false;

    fn parse(&self, text: &[u8]) -> Result<JobLine, Vec<Fault>> {
        let Wire { account_id, season, pass_through, master } = Wire::parse(text).map_err(|fault| vec![fault])?;
        let pass_through = PassThrough::of(pass_through);
        let mut faults = job_check::check(&master);
        faults.extend(pass_through.check(master.meter.meter_rate_tasks.len()));
        if GERMAN_ZONES.contains(&self.application.time_zone.as_str()) {
            faults.extend(job_check::check_german(&master));
        }
        match self.seasons.of_line(season, &master) {
            Ok(season) if faults.is_empty() => return Ok(JobLine { account_id, master, season, pass_through }),
            Ok(_) => {}
            Err(fault) => faults.push(fault),
        }
        Err(faults)
    }

    fn schema() -> Schema {
        line_schema()
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
        let (coming, by) = (self.coming, self.import);
        let import = || JobImport { application, effect, in_the_way, coming, import: by, now: Timestamp::now() };
        let imported = patiently(|| self.store.import_jobs(import(), &batch)).await?;
        let outcome = |(line, imported): (&JobLine, JobImported)| match imported {
            JobImported::Created => Outcome::Created,
            JobImported::Updated { renumbered, dropped } => {
                for (_, jobs) in [(renumbered, &self.renumbered), (dropped, &self.dropped)].into_iter().filter(|(is_so, _)| *is_so) {
                    jobs.lock().unwrap_or_else(PoisonError::into_inner).insert(line.master.id.clone());
                }
                Outcome::Updated
            }
            JobImported::Unchanged => Outcome::Unchanged,
            JobImported::Moved => Outcome::Moved,
            JobImported::Rejected { reason: Rejection::MeterTwice { open, refused } } if self.making_room.get().is_none() => {
                self.deferred().defer(refused, open);
                Outcome::Deferred
            }
            JobImported::Rejected { reason: Rejection::AccountUnknown } if !self.has_accounts => Outcome::Waiting,
            JobImported::Rejected { reason } => {
                self.deferred().refuse(line.master.id.clone());
                let field = match reason {
                    Rejection::AccountUnknown | Rejection::OtherAccount => OWNER,
                    Rejection::OtherSeason { .. } => "id",
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

/// The schema of a line.
pub(super) fn line_schema() -> Schema {
    let mut schema = structure::schema_of::<JobMaster>();
    for name in [OWNER, SEASON] {
        schema.root["properties"][name] = json!({ "type": "string" });
    }
    schema.root["properties"][PASS_THROUGH] = json!({ "type": "array" });
    schema
}

/// The tenant's seasons, and which of them a file is for.
#[derive(Debug)]
struct Seasons {
    known: BTreeMap<SeasonId, Season>,
    of_file: Option<SeasonId>,
}

impl Seasons {
    async fn of(store: &Store, tenant: &TenantId, of_file: Option<&SeasonId>) -> Result<Self, Failure> {
        let known: BTreeMap<_, _> =
            patiently(|| store.seasons(tenant)).await?.into_iter().map(|season| (season.id.clone(), season)).collect();
        let seasons = Self { known, of_file: of_file.cloned() };
        match of_file {
            Some(id) if !seasons.has(id) => Err(Failure::Refused(crate::seasons::unknown(id))),
            _ => Ok(seasons),
        }
    }

    fn has(&self, id: &SeasonId) -> bool {
        id.is_default() || self.known.contains_key(id)
    }

    /// The season of a list of everything.
    fn all_of_file(&self) -> Result<SeasonId, Failure> {
        match &self.of_file {
            Some(id) => Ok(id.clone()),
            None if self.known.is_empty() => Ok(SeasonId::default()),
            None => Err(Failure::Refused(text!(
                "welche Ablesesaison die Datei vollständig aufzählt, ist nicht gesagt; wählen Sie sie (als Befehl mit --season)",
                "which season the file lists completely is not said; choose it (by command with --season)"
            ))),
        }
    }

    /// The season of a line (D-SEASONS-2).
    fn of_line(&self, named: Option<SeasonId>, job: &JobMaster) -> Result<SeasonId, Fault> {
        let id = match (named, &self.of_file) {
            (Some(named), Some(of_file)) if named != *of_file => {
                return Err(Fault::new(
                    SEASON,
                    text!(
                        "ist `{named}`, die Datei ist aber für die Saison `{of_file}`",
                        "is `{named}`, but the file was named to be of season `{of_file}`"
                    ),
                ));
            }
            (Some(id), _) => id,
            (None, Some(id)) => id.clone(),
            (None, None) if self.known.is_empty() => SeasonId::default(),
            (None, None) => {
                return Err(Fault::new(
                    SEASON,
                    text!(
                        "ist nicht genannt; wählen Sie die Ablesesaison für die ganze Datei (als Befehl mit --season), oder nennen Sie sie in jeder Zeile",
                        "is not named; choose the season of the whole file (by command with --season), or name it in each line"
                    ),
                ));
            }
        };
        if !self.has(&id) {
            return Err(Fault::new(SEASON, crate::seasons::unknown(&id)));
        }
        match self.known.get(&id).and_then(|season| season.refuses(job)) {
            Some(fault) => Err(fault),
            None => Ok(id),
        }
    }
}

/// A line as it is written: the job's own fields, `accountId`, `season` and `passThrough` side by side.
///
/// (`#[serde(flatten)]` would take numbers through binary floating point.)
#[derive(Debug)]
struct Wire {
    account_id: AccountId,
    season: Option<SeasonId>,
    pass_through: Vec<BTreeMap<String, String>>,
    master: JobMaster,
}

impl Wire {
    fn parse(text: &[u8]) -> Result<Self, Fault> {
        static SCHEMA: LazyLock<Schema> = LazyLock::new(line_schema);
        // Before what is missing: it may be there under a name with a slip.
        let unknown = serde_json::from_slice(text).ok().and_then(|line| SCHEMA.unknown_member(&line));
        unknown.map_or_else(|| lines::parse(text), Err)
    }
}

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
        let mut beside = Beside::default();
        let master = JobMaster::deserialize(MapAccessDeserializer::new(WithoutBeside { map, beside: &mut beside }))?;
        let account_id = beside.account_id.ok_or_else(|| de::Error::missing_field(OWNER))?;
        Ok(Wire { account_id, season: beside.season, pass_through: beside.pass_through.unwrap_or_default(), master })
    }
}

/// The fields of a line beside the job's own.
#[derive(Default)]
struct Beside {
    account_id: Option<AccountId>,
    season: Option<SeasonId>,
    pass_through: Option<Vec<BTreeMap<String, String>>>,
}

/// A map without what stands beside the job, which is put aside.
struct WithoutBeside<'a, A> {
    map: A,
    beside: &'a mut Beside,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutBeside<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = seed;
        loop {
            seed = match self.map.next_key_seed(KeySeed(seed))? {
                None => return Ok(None),
                Some(Key::Field(value)) => return Ok(Some(value)),
                Some(Key::Owner(unused)) => {
                    if self.beside.account_id.replace(self.map.next_value()?).is_some() {
                        return Err(de::Error::duplicate_field(OWNER));
                    }
                    unused
                }
                Some(Key::Season(unused)) => {
                    if self.beside.season.replace(self.map.next_value()?).is_some() {
                        return Err(de::Error::duplicate_field(SEASON));
                    }
                    unused
                }
                Some(Key::PassThrough(unused)) => {
                    if self.beside.pass_through.replace(self.map.next_value()?).is_some() {
                        return Err(de::Error::duplicate_field(PASS_THROUGH));
                    }
                    unused
                }
            };
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

const OWNER: &str = "accountId";
const SEASON: &str = "season";

/// A key of the line: what stands beside the job, or what the job makes of it.
enum Key<S, V> {
    Owner(S),
    Season(S),
    PassThrough(S),
    Field(V),
}

struct KeySeed<S>(S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for KeySeed<S> {
    type Value = Key<S, S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let key = Cow::<'de, str>::deserialize(deserializer)?;
        match key.as_ref() {
            OWNER => Ok(Key::Owner(self.0)),
            SEASON => Ok(Key::Season(self.0)),
            PASS_THROUGH => Ok(Key::PassThrough(self.0)),
            _ => self.0.deserialize(CowStrDeserializer::new(key)).map(Key::Field),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<Wire, String> {
        Wire::parse(text.as_bytes()).map_err(|fault| fault.text().en.into_owned())
    }

    const TASK: &str = r#"{"taskId":"t","obis":"1-0:1.8.0","readingEvents":[{"readingDate":"2025-11-30","readingValue":00}]}"#;

    #[test]
    fn the_owner_stands_among_the_jobs_fields() {
        let task = TASK.replace("00}", "123456789012345.123456789}");
        let parsed =
            line(&format!(r#"{{"id":"j","season":"2026","accountId":"a","meter":{{"meterNumber":"1","meterRateTasks":[{task}]}}}}"#))
                .unwrap();
        assert_eq!((parsed.account_id.as_str(), parsed.season.unwrap().as_str()), ("a", "2026"));
        assert_eq!(parsed.master.meter.meter_rate_tasks[0].reading_events[0].reading_value.as_str(), "123456789012345.123456789");
    }

    #[test]
    fn a_fault_is_named_with_its_field() {
        let task = TASK.replace("00}", "\"1,5\"}");
        let meter = format!(r#"{{"meterNumber":"1","meterRateTasks":[{task}]}}"#);
        let reason = "a reading value consists of digits, optionally with one point and further digits";
        let at = "meter.meterRateTasks[0].readingEvents[0].readingValue";
        assert_eq!(line(&format!(r#"{{"id":"j","accountId":"a","meter":{meter}}}"#)).unwrap_err(), format!("{at}: {reason}"));
        assert_eq!(line(r#"{"id":"j","meter":{"meterNumber":"1","meterRateTasks":[]}}"#).unwrap_err(), "accountId: is missing");
        assert!(line(r#"{"accountId":"a","id":"j","accountId":"b"}"#).unwrap_err().contains("duplicate field `accountId`"));
        assert!(line(r#"{"accountId":"a","id":"j","meters":1}"#).unwrap_err().starts_with("meters: unknown field `meters`"));
        let task = TASK.replace("00}", "1,\"colour\":1}");
        let of_register = line(&format!(r#"{{"id":"j","accountId":"a","meter":{{"meterNumber":"1","meterRateTasks":[{task}]}}}}"#));
        let known = "unknown field `colour`, expected one of `";
        assert!(of_register.unwrap_err().starts_with(&format!("meter.meterRateTasks[0].readingEvents[0].colour: {known}")));
        assert!(line(r#"{"accountId":"a b","id":"j"}"#).unwrap_err().starts_with("accountId: an account id must be"));
        assert!(line("[]").is_err() && line("{} {}").is_err());
    }
}
