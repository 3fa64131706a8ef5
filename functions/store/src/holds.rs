//! Persons of whom nothing is erased while it is needed, such as for a dispute about a bill (GDPR, Art. 17(3)(e) and 18(2)).

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{AccountId, MemberId, TenantId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::db::Read;
use crate::item::{Fields, Item, Record, json, text};
use crate::keys;
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

const HOLD: &str = "hold";
/// When it was set, for conditions.
const SINCE: &str = "since";
/// Where a sub-account names the accounts above.
const ANCESTORS: &str = "ancestors";

/// Nothing about an account and what it shared is erased, no matter who asks or how old it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hold {
    /// The account.
    pub account: AccountId,
    /// Of a sub-account, the accounts above, whose jobs it read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancestors: Vec<AccountId>,
    /// Why, as the member wrote it.
    pub reason: String,
    /// The member who set the hold.
    pub member: MemberId,
    /// The member's name at that time.
    pub by: String,
    /// Since when.
    pub at: Timestamp,
}

/// The holds of a tenant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holds(Vec<Hold>);

impl Holds {
    /// By account.
    pub fn list(&self) -> &[Hold] {
        &self.0
    }

    /// The account's own.
    pub fn own(&self, account: &AccountId) -> Option<&Hold> {
        self.0.iter().find(|hold| hold.account == *account)
    }

    /// What keeps the account from being erased: a hold of its own, of one above it, or of one below that would go with it.
    pub fn of(&self, account: &AccountId, ancestors: &[AccountId]) -> Option<&Hold> {
        self.0.iter().find(|hold| hold.account == *account || ancestors.contains(&hold.account) || hold.ancestors.contains(account))
    }

    /// The accounts whose jobs and readings stay as they are.
    pub fn kept(&self) -> BTreeSet<&AccountId> {
        self.0.iter().flat_map(|hold| hold.ancestors.iter().chain([&hold.account])).collect()
    }
}

impl Store {
    /// Holds what is stored about a person, in the place of the hold since `seen`; none: there was none to be seen.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another one is there, or that one has ended.
    pub async fn hold(&self, tenant: &TenantId, hold: &Hold, seen: Option<Timestamp>) -> Result<()> {
        let before = match seen {
            None => Condition::absent(StoreError::Conflict),
            Some(seen) => as_seen("since = :seen OR (attribute_exists(pk) AND attribute_not_exists(since))", seen),
        };
        let held = Record::at(&keys::hold(tenant, &hold.account)).with(HOLD, json(hold)?).with(SINCE, text(hold.at.to_string())).item();
        let mut tx = Tx::new(self);
        tx.put("the hold", held, Some(before))?;
        tx.commit("the hold").await
    }

    /// Ends the hold since `seen`; without any nothing happens.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another one is there.
    pub async fn end_hold(&self, tenant: &TenantId, account: &AccountId, seen: Timestamp) -> Result<()> {
        let mut tx = Tx::new(self);
        tx.delete(&keys::hold(tenant, account), Some(as_seen("since = :seen OR attribute_not_exists(since)", seen)))?;
        tx.commit("the hold").await
    }

    /// The tenant's holds.
    pub async fn holds(&self, tenant: &TenantId) -> Result<Holds> {
        let read = |item: &Item| Fields(item).json(HOLD);
        self.whole_partition(&keys::holds(tenant)).await?.iter().map(read).collect::<Result<_>>().map(Holds)
    }

    /// Which of these accounts lose nothing by time: those of [`Holds::kept`], and those with which a held one shared.
    pub(crate) async fn kept_of<'a>(
        &self,
        tenant: &TenantId,
        holds: &Holds,
        accounts: impl Iterator<Item = &'a AccountId>,
    ) -> Result<BTreeSet<&'a AccountId>> {
        let mut kept = BTreeSet::new();
        if holds.0.is_empty() {
            return Ok(kept);
        }
        let heads: BTreeMap<_, _> = accounts.map(|account| (account, keys::account(tenant, account))).collect();
        let wanted: Vec<_> = heads.values().cloned().collect();
        let found = self.get_many(&wanted, Some(&[ANCESTORS]), Read::Latest).await?;
        for (account, key) in heads {
            let ancestors: Vec<AccountId> = match found.get(&key) {
                Some(head) if head.contains_key(ANCESTORS) => Fields(head).json(ANCESTORS)?,
                _ => Vec::new(),
            };
            if holds.of(account, &ancestors).is_some() {
                kept.insert(account);
            }
        }
        Ok(kept)
    }

    /// What keeps the account from being erased, as of now.
    pub async fn hold_of(&self, tenant: &TenantId, account: &AccountId) -> Result<Option<Hold>> {
        let holds = self.holds(tenant).await?;
        if holds.0.is_empty() {
            return Ok(None);
        }
        let ancestors = self.ancestors(tenant, account).await?;
        Ok(holds.of(account, &ancestors).cloned())
    }
}

/// The hold is the one since then; one that a version before this one wrote does not say it beside its document.
fn as_seen(expression: &'static str, seen: Timestamp) -> Condition {
    Condition { expression, values: Item::from([(":seen".into(), text(seen.to_string()))]), refusal: StoreError::Conflict }
}
