//! Who made the secrets by which messages to a tenant's receiver are signed. The secrets themselves are in the parameter store alone.

use domain::ids::{MemberId, TenantId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::db::Read;
use crate::item::{Fields, Item, Record, json, text};
use crate::keys;
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

const MADE: &str = "made";
/// How long it may take to write a secret that was noted.
const TO_WRITE: SignedDuration = SignedDuration::from_mins(1);

/// A secret that was made at the desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MadeSecret {
    /// By which it is known without being known.
    pub fingerprint: String,
    /// The member who made it.
    pub member: MemberId,
    /// The member's name at that time.
    pub by: String,
    /// The time at which it was made.
    pub at: Timestamp,
}

impl Store {
    /// The secrets that were made at the desk, the newest first; some may not be good any more.
    pub async fn made_secrets(&self, tenant: &TenantId) -> Result<Vec<MadeSecret>> {
        let item = self.get(&keys::webhook_secrets(tenant), Read::Latest).await?;
        item.map_or_else(|| Ok(Vec::new()), |item| Fields(&item).json(MADE))
    }

    /// Notes a secret that is about to be written beside the `good` ones, which were read before; those that are not good any more are forgotten.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another request makes one in the same moment: the parameter store would keep the last one alone.
    pub async fn note_secret(&self, tenant: &TenantId, new: &MadeSecret, good: &[String]) -> Result<()> {
        let key = keys::webhook_secrets(tenant);
        let item = self.get(&key, Read::Latest).await?;
        let mut made: Vec<MadeSecret> = item.as_ref().map_or_else(|| Ok(Vec::new()), |item| Fields(item).json(MADE))?;
        let is_good = |made: &MadeSecret| good.contains(&made.fingerprint);
        if made.first().is_some_and(|last| !is_good(last) && last.member != new.member && new.at.duration_since(last.at) < TO_WRITE) {
            return Err(StoreError::Conflict);
        }
        made.retain(is_good);
        made.insert(0, new.clone());
        let unchanged = match &item {
            None => Condition::absent(StoreError::Conflict),
            Some(item) => {
                let values = Item::from([(":made".into(), text(Fields(item).text(MADE)?))]);
                Condition { expression: "made = :made", values, refusal: StoreError::Conflict }
            }
        };
        let mut tx = Tx::new(self);
        tx.put("the secrets", Record::at(&key).with(MADE, json(&made)?).item(), Some(unchanged))?;
        tx.commit("the secrets").await
    }
}
