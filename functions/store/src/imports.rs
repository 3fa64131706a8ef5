//! Imports: what each brought in, and how it is undone.
//!
//! Every job and every account says which import wrote it last, so that one that was changed since is recognised. What a job was before is
//! beside it in its account's partition for some time; an import that wrote it later takes that place, because only the last one can be undone.

use std::collections::HashMap;

use domain::ids::{AccountId, ImportId, JobId, SeasonId, TaskId, TenantId};
use domain::job::is_done;
use domain::login::fold_name;
use domain::model::{JobMaster, TaskState};
use domain::pass_through::PassThrough;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::accounts::StoredAccount;
use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read};
use crate::item::{Fields, Item, Record, flag, json, key_of, packed, seconds, text};
use crate::jobs::{JOB, StoredJob, bump_portfolio, forgotten_entry, list_entry, rewrite};
use crate::keys::{self, Key};
use crate::meters::{self, meter_key, put_holders};
use crate::search::put_entries;
use crate::table::{EXPIRES_AT, RESULTS_INDEX, SORT_KEY};
use crate::tx::{Condition, Tx};
use crate::{LedgerEntry, Result, Store, StoreError};

/// For how long an import can be undone.
pub const UNDOABLE: SignedDuration = SignedDuration::from_hours(90 * 24);
/// For how long it is listed: as long as the commands that touched persons' data.
const LISTED: SignedDuration = SignedDuration::from_hours(3 * 366 * 24);

/// An import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportRun {
    /// Its id; imports sort by time.
    pub id: ImportId,
    /// What it brought in: `jobs` or `accounts`.
    pub kind: String,
    /// The person who had it done.
    pub by: String,
    /// The file's name, without its folder.
    pub file: String,
    /// SHA-256 of the file, in hex.
    pub sha256: String,
    /// The season that was named for the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// The time of its beginning.
    pub begun: Timestamp,
    /// When it was through; none: it was stopped, or goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// How many lines became what, and how many jobs were closed.
    #[serde(default)]
    pub counts: std::collections::BTreeMap<String, u64>,
    /// The time at which it was undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<Timestamp>,
}

/// Which import wrote something last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The import.
    pub import: ImportId,
    /// It was not there before.
    pub created: bool,
    /// Its meter came from another account with it.
    #[serde(default)]
    pub moved: bool,
    /// It was read under another number of its meter.
    #[serde(default)]
    pub renumbered: bool,
    /// A register of it that was read is listed no more.
    #[serde(default)]
    pub dropped: bool,
    /// The hash of the line of a job of the same id, which was forgotten and in whose place it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forgotten: Option<String>,
}

impl Origin {
    pub(crate) fn by(import: &ImportId) -> Self {
        Self { import: import.clone(), created: false, moved: false, renumbered: false, dropped: false, forgotten: None }
    }

    pub(crate) fn read(item: &Item) -> Result<Option<Self>> {
        let import = Fields(item).optional_parsed("import")?;
        let forgotten = Fields(item).optional_text("importForgotten")?.map(str::to_owned);
        let has = |name| item.contains_key(name);
        Ok(import.map(|import| Self {
            import,
            created: has("importCreated"),
            moved: has("importMoved"),
            renumbered: has("importRenumbered"),
            dropped: has("importDropped"),
            forgotten,
        }))
    }

    pub(crate) fn add_to(origin: Option<&Self>, record: Record) -> Record {
        record
            .with_some("import", origin.map(|origin| text(origin.import.as_str())))
            .with_some("importCreated", origin.filter(|origin| origin.created).map(|_| flag(true)))
            .with_some("importMoved", origin.filter(|origin| origin.moved).map(|_| flag(true)))
            .with_some("importRenumbered", origin.filter(|origin| origin.renumbered).map(|_| flag(true)))
            .with_some("importDropped", origin.filter(|origin| origin.dropped).map(|_| flag(true)))
            .with_some("importForgotten", origin.and_then(|origin| origin.forgotten.as_deref()).map(text))
    }
}

/// What an undone import did to a job or an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undone {
    /// It was created by the import, and is gone.
    Removed,
    /// It is what it was before.
    Restored,
    /// It stays, because it was read, logged in to, or used otherwise since.
    Used,
    /// It stays: what it was before is not known any more.
    Unknown,
    /// It stays: the season that it was of before is not there any more.
    SeasonGone(SeasonId),
    /// A later import wrote it, or it went; nothing is to be done.
    Passed,
}

/// What a job was before an import.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Before {
    master: JobMaster,
    states: Vec<TaskState>,
    season: SeasonId,
    #[serde(default, skip_serializing_if = "PassThrough::is_empty")]
    pass_through: PassThrough,
    closed: bool,
    closed_at: Option<Timestamp>,
    listed_at: Option<Timestamp>,
    origin: Option<Origin>,
    findable: String,
    at: Timestamp,
}

/// Keeps in the transaction what a job was before the import changed it, unless it is too large.
pub(crate) fn keep_before(tx: &mut Tx<'_>, tenant: &TenantId, import: &ImportId, job: &StoredJob, now: Timestamp) -> Result<()> {
    let StoredJob { account_id, master, states, season, pass_through, closed, closed_at, listed_at, origin, findable, .. } = job.clone();
    let key = keys::job_before(tenant, &account_id, &master.id);
    let before = Before { master, states, season, pass_through, closed, closed_at, listed_at, origin, findable, at: now };
    let before = match packed(JOB, &before) {
        Err(StoreError::TooLarge { .. }) => return Ok(()),
        before => before?,
    };
    let record = Record::at(&key).with("import", text(import.as_str())).with("before", before);
    tx.put(JOB, record.with(EXPIRES_AT, seconds(now + UNDOABLE)).item(), None)
}

/// What was kept of a job, after some of its readings lost something.
pub(crate) fn rewritten_before(kept: &Item, entries: &[LedgerEntry]) -> Result<Item> {
    let mut before: Before = Fields(kept).packed("before")?;
    rewrite(&mut before.states, entries);
    let mut item = kept.clone();
    item.insert("before".into(), packed(JOB, &before)?);
    Ok(item)
}

impl Store {
    /// Notes an import, or how far it came.
    pub async fn put_import(&self, tenant: &TenantId, run: &ImportRun) -> Result<()> {
        let item = Record::at(&keys::import(tenant, &run.id)).with("run", json(run)?);
        self.put(item.with(EXPIRES_AT, seconds(run.begun + LISTED)).item()).await
    }

    /// The tenant's imports, by time.
    pub async fn imports(&self, tenant: &TenantId) -> Result<Vec<ImportRun>> {
        self.whole_partition(&keys::imports(tenant)).await?.iter().map(|item| Fields(item).json("run")).collect()
    }

    /// The jobs that an import wrote last, with their accounts.
    pub async fn jobs_of_import(&self, tenant: &TenantId, import: &ImportId) -> Result<Vec<(AccountId, JobId)>> {
        let mut jobs = Vec::new();
        for shard in 0..keys::JOB_LIST_SHARDS {
            let mut last: Option<Key> = None;
            loop {
                let range = Range { after: last.as_ref(), ..Range::default() };
                let page = self.query(&keys::job_list(tenant, shard), range, Read::Latest).await?;
                for item in &page.items {
                    if Fields(item).optional_text("import")? == Some(import.as_str()) {
                        jobs.push((Fields(item).parsed("accountId")?, Fields(item).parsed(SORT_KEY)?));
                    }
                }
                last = page.items.last().map(key_of).transpose()?;
                if !page.more {
                    break;
                }
            }
        }
        Ok(jobs)
    }

    /// The accounts that an import wrote last.
    pub async fn accounts_of_import(&self, tenant: &TenantId, import: &ImportId) -> Result<Vec<AccountId>> {
        let mut accounts = Vec::new();
        for shard in 0..keys::ACCOUNT_SHARDS {
            // Every id is greater than a blank; an empty text is none for DynamoDB.
            let mut after = " ".to_owned();
            loop {
                let range = Range {
                    condition: Some("#sk > :after"),
                    values: Item::from([(":after".into(), text(&after))]),
                    index: Some(RESULTS_INDEX),
                    ..Range::default()
                };
                let page = self.query(&keys::account_list(tenant, shard), range, Read::Recent).await?;
                for item in &page.items {
                    let id: AccountId = Fields(item).parsed("accountId")?;
                    after = id.as_str().to_owned();
                    if Fields(item).optional_text("import")? == Some(import.as_str()) {
                        accounts.push(id);
                    }
                }
                if !page.more {
                    break;
                }
            }
        }
        Ok(accounts)
    }

    /// Takes back what an import did to a job, unless it was read since.
    pub async fn undo_job(&self, tenant: &TenantId, account: &AccountId, job: &JobId, import: &ImportId, now: Timestamp) -> Result<Undone> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.try_undo_job(tenant, account, job, import, now).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    async fn try_undo_job(&self, tenant: &TenantId, account: &AccountId, job: &JobId, import: &ImportId, now: Timestamp) -> Result<Undone> {
        let (job_key, before_key) = (keys::job(tenant, account, job), keys::job_before(tenant, account, job));
        let found = self.get_batch(&[job_key.clone(), before_key.clone()], Read::Latest).await?;
        let Some(stored) = found.get(&job_key).map(StoredJob::read).transpose()? else { return Ok(Undone::Passed) };
        let Some(origin) = stored.origin.as_ref().filter(|origin| origin.import == *import) else { return Ok(Undone::Passed) };
        let version = Condition::version(stored.version);
        let mut tx = Tx::new(self);
        let undone = if origin.created {
            if !stored.states.is_empty() {
                return Ok(Undone::Used);
            }
            stored.remove(&mut tx, tenant, version)?;
            match &origin.forgotten {
                Some(line) => tx.put(JOB, forgotten_entry(tenant, job, line), None)?,
                None => tx.delete(&keys::job_entry(tenant, job), None)?,
            }
            self.hand_back_meters(&mut tx, tenant, &stored, None).await?;
            Undone::Removed
        } else {
            let kept = found.get(&before_key).filter(|item| Fields(item).optional_text("import").ok().flatten() == Some(import.as_str()));
            let Some(kept) = kept.filter(|item| Fields(item).time(EXPIRES_AT).is_ok_and(|end| end > now)) else {
                return Ok(Undone::Unknown);
            };
            let Before { master, states, season, pass_through, closed, closed_at, listed_at, origin, findable, at } =
                Fields(kept).packed("before")?;
            if stored.states.iter().flat_map(|state| &state.reading_results).any(|result| result.created > at) {
                return Ok(Undone::Used);
            }
            // A season that the import left without jobs may have been deleted since (D-SEASONS-11).
            if season != stored.season && !season.is_default() && self.season(tenant, &season).await?.is_none() {
                return Ok(Undone::SeasonGone(season));
            }
            // What became of a reading since, such as a clerk's rejection, holds; registers that the import took away come back with theirs.
            let is_there = |task: &TaskId| stored.master.meter.meter_rate_tasks.iter().any(|there| there.task_id == *task);
            let gone = states.into_iter().filter(|state| !is_there(&state.task_id));
            let states: Vec<_> = stored.states.iter().cloned().chain(gone).collect();
            let done = is_done(&master, &states);
            let next = StoredJob {
                master,
                states,
                season,
                pass_through,
                done,
                closed,
                closed_at,
                listed_at,
                version: stored.version + 1,
                origin,
                findable,
                ..stored.clone()
            };
            let zone = self.zone(tenant).await?;
            next.put(&mut tx, tenant, zone.as_ref(), Some(&stored), version)?;
            tx.put(JOB, list_entry(tenant, &next), None)?;
            tx.delete(&before_key, None)?;
            self.hand_back_meters(&mut tx, tenant, &stored, Some(&next)).await?;
            Undone::Restored
        };
        bump_portfolio(&mut tx, tenant, account, job)?;
        tx.commit("the import").await?;
        Ok(undone)
    }

    /// Says in the transaction that a job no longer has the meter that it has now, and has the one that it will have.
    async fn hand_back_meters(&self, tx: &mut Tx<'_>, tenant: &TenantId, now: &StoredJob, next: Option<&StoredJob>) -> Result<()> {
        let account = &now.account_id;
        let place = (account.clone(), now.master.id.clone());
        let left = meter_key(tenant, account, &now.master);
        let taken = next.filter(|next| !next.closed).map(|next| meter_key(tenant, account, &next.master));
        let mut keys: Vec<Key> = vec![left];
        keys.extend(taken.clone().filter(|taken| *taken != keys[0]));
        let found: HashMap<Key, Item> = self.get_batch(&keys, Read::Latest).await?;
        for key in keys {
            let mut holders = meters::holders(found.get(&key))?;
            holders.retain(|other| *other != place);
            if taken.as_ref() == Some(&key) {
                holders.push(place.clone());
            }
            put_holders(tx, &key, found.get(&key), holders)?;
        }
        Ok(())
    }

    /// Takes an account back that an import created, if its customer neither logged in nor was given other login data, and nothing hangs on it; one that it changed
    /// stays as it is.
    pub async fn undo_account(&self, tenant: &TenantId, account: &AccountId, import: &ImportId) -> Result<Undone> {
        let items = self.whole_partition(&keys::account_partition(tenant, account)).await?;
        let head = keys::account(tenant, account);
        let mut tx = Tx::new(self);
        let mut undone = Undone::Passed;
        for item in &items {
            let key = key_of(item)?;
            if key != head {
                continue;
            }
            let stored = StoredAccount::read(item)?;
            match Origin::read(item)?.filter(|origin| origin.import == *import) {
                None => return Ok(Undone::Passed),
                Some(origin) if !origin.created => return Ok(Undone::Unknown),
                // A letter or the desk has told its owner how to log in (D-IMPORTS-25).
                Some(_) if stored.renewed => return Ok(Undone::Used),
                Some(_) => undone = Undone::Removed,
            }
            tx.delete(&head, Some(Condition::version(stored.version)))?;
            put_entries(&mut tx, tenant, account, None, &stored.findable, "")?;
            if let Some(name) = &stored.account.username {
                tx.delete(&keys::name(tenant, &fold_name(name)), None)?;
            }
            for link in stored.links() {
                tx.delete(&keys::link(tenant, link), None)?;
            }
        }
        if undone == Undone::Passed {
            return Ok(undone);
        }
        let portfolio = keys::portfolio(tenant, account);
        for key in items.iter().map(key_of) {
            let key = key?;
            if key == portfolio {
                tx.delete(&key, None)?;
            } else if key != head {
                return Ok(Undone::Used);
            }
        }
        match tx.commit("the account").await {
            Ok(()) => Ok(Undone::Removed),
            Err(StoreError::Conflict) => Ok(Undone::Used),
            Err(error) => Err(error),
        }
    }
}
