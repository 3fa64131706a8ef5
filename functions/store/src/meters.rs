//! Which jobs have a meter: one item a meter, by which an import notices that a meter moved or is listed twice.

use domain::ids::{AccountId, JobId, TenantId};
use domain::meter;
use domain::model::JobMaster;

use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::item::{Fields, Item, Record, json};
use crate::keys::{self, Key};
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

/// A job and its account.
pub(crate) type Place = (AccountId, JobId);

/// The attribute with the jobs of a meter.
const HOLDERS: &str = "jobs";

/// The item of a job's meter.
pub(crate) fn meter_key(tenant: &TenantId, account: &AccountId, job: &JobMaster) -> Key {
    keys::meter(tenant, &meter::identity_in(account, job))
}

/// The jobs that have a meter.
pub(crate) fn holders(meter: Option<&Item>) -> Result<Vec<Place>> {
    meter.map_or_else(|| Ok(Vec::new()), |item| Fields(item).json(HOLDERS))
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
}
