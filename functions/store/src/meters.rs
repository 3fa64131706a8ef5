//! Which jobs have a meter: one item a meter, by which an import notices that a meter moved or is listed twice.

use std::collections::{HashMap, HashSet};

use domain::ids::{AccountId, JobId, TenantId};
use domain::meter;
use domain::model::JobMaster;
use jiff::Timestamp;

use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::item::{Fields, Item, Record, json, key_of, text};
use crate::keys::{self, Key};
use crate::tx::{Condition, Tx};
use crate::{Progress, Result, Store, StoreError, StoredJob};

/// Under which name it is noted how far the look for leftovers has come.
const LEFTOVERS: &str = "meters";

/// A job and its account.
pub(crate) type Place = (AccountId, JobId);

/// Which jobs a meter's item names.
const HOLDERS: &str = "jobs";

/// The item of a job's meter.
pub(crate) fn meter_key(tenant: &TenantId, account: &AccountId, job: &JobMaster) -> Key {
    keys::meter(tenant, &meter::identity_in(account, job))
}

/// The jobs that have a meter. Earlier versions named the last one only, without a list.
pub(crate) fn holders(meter: Option<&Item>) -> Result<Vec<Place>> {
    let Some(item) = meter else { return Ok(Vec::new()) };
    let fields = Fields(item);
    if item.contains_key(HOLDERS) {
        return fields.json(HOLDERS);
    }
    Ok(vec![(fields.parsed("accountId")?, fields.parsed("jobId")?)])
}

/// Says in the transaction which jobs have the meter, if that is not what is stored; a meter that no job has leaves no item.
pub(crate) fn put_holders(tx: &mut Tx<'_>, key: &Key, stored: Option<&Item>, mut places: Vec<Place>) -> Result<()> {
    places.sort();
    let named = json(&places)?;
    let before = stored.and_then(|item| item.get(HOLDERS));
    let unchanged = match before {
        None => Condition { expression: "attribute_not_exists(jobs)", values: Item::new(), refusal: StoreError::Conflict },
        Some(before) => {
            let values = Item::from([(":jobs".into(), before.clone())]);
            Condition { expression: "jobs = :jobs", values, refusal: StoreError::Conflict }
        }
    };
    match (stored, places.is_empty()) {
        (None, true) => Ok(()),
        (Some(_), true) => tx.delete(key, Some(unchanged)),
        _ if before == Some(&named) => Ok(()),
        _ => tx.put("the meter", Record::at(key).with(HOLDERS, named).item(), Some(unchanged)),
    }
}

impl Store {
    /// Takes the meter from a job that is deleted.
    pub(crate) async fn release_meter(&self, tenant: &TenantId, account: &AccountId, job: &JobMaster) -> Result<()> {
        let key = meter_key(tenant, account, job);
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let item = self.get(&key, Read::Latest).await?;
            let mut left = holders(item.as_ref())?;
            left.retain(|(owner, id)| owner != account || *id != job.id);
            let mut tx = Tx::new(self);
            put_holders(&mut tx, &key, item.as_ref(), left)?;
            if tx.is_empty() {
                return Ok(());
            }
            match tx.commit("the meter").await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// Drops what earlier versions left: when an import gave a job another meter, the item of the former one went on naming the job, and nothing
    /// leads to it. So the whole table is looked through, once for each tenant; stopped, it goes on where it was. Only for the command line: no
    /// function may scan.
    pub async fn drop_left_meters(&self, tenant: &TenantId, now: Timestamp) -> Result<()> {
        let mut progress = self.progress(tenant.clone(), LEFTOVERS).await?;
        while progress.worked_at.is_none() || progress.position.is_some() {
            let after = progress.position.as_deref().map(position_of).transpose()?;
            let values = Item::from([(":meters".into(), text(keys::meters(tenant)))]);
            let (meters, next) = self.scan("begins_with(pk, :meters)", values, after.as_ref()).await?;
            self.drop_left_holders(tenant, meters).await?;
            let position = next.map(|Key { pk, sk }| serde_json::json!([pk, sk]).to_string());
            progress = Progress { position, worked_at: Some(now), ..progress };
            self.keep_progress(LEFTOVERS, &progress).await?;
        }
        Ok(())
    }

    /// Takes out of these items whatever job is gone or has another meter.
    async fn drop_left_holders(&self, tenant: &TenantId, mut meters: Vec<Item>) -> Result<()> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let mut met = Vec::new();
            for Leftover { meter, tx } in self.leftovers(tenant, &meters).await? {
                match tx.commit("the meter").await {
                    Err(StoreError::Conflict) => met.push(meter),
                    done => done?,
                }
            }
            if met.is_empty() {
                return Ok(());
            }
            meters = self.get_many(&met, None, Read::Latest).await?.into_values().collect();
        }
        Err(StoreError::Conflict)
    }

    /// Which of these items name jobs that are gone or have another meter, each with what takes them out while that is so.
    async fn leftovers(&self, tenant: &TenantId, meters: &[Item]) -> Result<Vec<Leftover<'_>>> {
        let mut named = HashMap::new();
        for item in meters {
            named.insert(key_of(item)?, holders(Some(item))?);
        }
        let jobs: HashSet<Key> = named.values().flatten().map(|(account, job)| keys::job(tenant, account, job)).collect();
        let jobs = self.get_many(&jobs.into_iter().collect::<Vec<_>>(), None, Read::Latest).await?;
        let mut leftovers = Vec::new();
        for item in meters {
            let meter = key_of(item)?;
            let mut tx = Tx::new(self);
            let mut left = Vec::new();
            for (account, id) in named.remove(&meter).unwrap_or_default() {
                let key = keys::job(tenant, &account, &id);
                match jobs.get(&key).map(StoredJob::read).transpose()? {
                    Some(job) if meter_key(tenant, &account, &job.master) == meter => left.push((account, id)),
                    Some(job) => tx.check(&key, Condition::version(job.version))?,
                    None => tx.check(&key, Condition::absent(StoreError::Conflict))?,
                }
            }
            if !tx.is_empty() {
                put_holders(&mut tx, &meter, Some(item), left)?;
                leftovers.push(Leftover { meter, tx });
            }
        }
        Ok(leftovers)
    }
}

/// A meter's item that names jobs wrongly, and what puts that right.
struct Leftover<'a> {
    meter: Key,
    tx: Tx<'a>,
}

/// Where a page ended.
fn position_of(text: &str) -> Result<Key> {
    let broken = |error: serde_json::Error| StoreError::Internal { operation: "meters", reason: error.to_string() };
    serde_json::from_str(text).map(|(pk, sk)| Key { pk, sk }).map_err(broken)
}
