//! Access to a tenant for the platform's staff: asked for with a reason, given for a time by the tenant's lead (D-DESK-14).

use std::collections::BTreeSet;

use domain::ids::{MemberId, TenantId};
use domain::staff::Role;
use jiff::{SignedDuration, Timestamp};

use crate::db::Read;
use crate::item::{Fields, Item, Record, number, seconds, text};
use crate::keys;
use crate::staff::add_membership;
use crate::table::{EXPIRES_AT, SORT_KEY};
use crate::tx::{Condition, Tx};
use crate::{NewMembership, Result, Store, StoreError};

/// A request that no lead answers in this time is forgotten.
const ASKED: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A member of the platform wants to see what only the tenant's members see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessAsk {
    /// The member who asks.
    pub member: MemberId,
    /// The member's name.
    pub by: String,
    /// The member's reason.
    pub reason: String,
    /// The time of the request.
    pub at: Timestamp,
}

impl AccessAsk {
    /// The time at which the request is forgotten.
    pub fn until(&self) -> Timestamp {
        self.at + ASKED
    }

    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            member: fields.parsed(SORT_KEY)?,
            by: fields.text("by")?.to_owned(),
            reason: fields.text("reason")?.to_owned(),
            at: fields.millis("at")?,
        })
    }
}

impl Store {
    /// Asks the tenant's leads, in place of what the member asked before.
    pub async fn ask_for_access(&self, tenant: &TenantId, ask: &AccessAsk) -> Result<()> {
        let item = Record::at(&keys::access_ask(tenant, &ask.member))
            .with("by", text(&ask.by))
            .with("reason", text(&ask.reason))
            .with("at", number(ask.at.as_millisecond()))
            .with(EXPIRES_AT, seconds(ask.until()));
        self.put(item.item()).await
    }

    /// The open request of this member to the tenant's leads.
    pub async fn access_ask(&self, tenant: &TenantId, member: &MemberId, now: Timestamp) -> Result<Option<AccessAsk>> {
        let item = self.get(&keys::access_ask(tenant, member), Read::Latest).await?;
        Ok(item.as_ref().map(AccessAsk::read).transpose()?.filter(|ask| ask.until() > now))
    }

    /// The open requests to the tenant's leads.
    pub async fn access_asks(&self, tenant: &TenantId, now: Timestamp) -> Result<Vec<AccessAsk>> {
        let items = self.whole_partition(&keys::access_asks(tenant)).await?;
        let mut asks = items.iter().map(AccessAsk::read).collect::<Result<Vec<_>>>()?;
        asks.retain(|ask| ask.until() > now);
        Ok(asks)
    }

    /// Takes back what the member asked, or refuses it.
    pub async fn forget_access_ask(&self, tenant: &TenantId, member: &MemberId) -> Result<()> {
        self.delete(&keys::access_ask(tenant, member), None).await
    }

    /// Gives the member who asked these roles until then; false: it is asked no more, or the member is one of the tenant's.
    pub async fn give_access(&self, tenant: &TenantId, member: &MemberId, new: NewMembership) -> Result<bool> {
        let mut tx = Tx::new(self);
        tx.delete(&keys::access_ask(tenant, member), Some(Condition::present(StoreError::Conflict)))?;
        let values = Item::from([(":now".into(), number(new.now.as_millisecond()))]);
        let is_none = Condition { expression: "attribute_not_exists(pk) OR accessUntil <= :now", values, refusal: StoreError::Conflict };
        add_membership(&mut tx, tenant, member, &new, Some(is_none))?;
        match tx.commit("the access").await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Ends the access that the member was given for a time; a membership without an end stays. False: there is none.
    pub async fn end_access(&self, tenant: &TenantId, member: &MemberId) -> Result<bool> {
        let refusal = StoreError::Conflict;
        let mut tx = Tx::new(self);
        let is_timed = Condition { expression: "attribute_exists(accessUntil)", values: Item::new(), refusal };
        tx.delete(&keys::membership(tenant, member), Some(is_timed))?;
        tx.delete(&keys::tenant_of_member(member, tenant), None)?;
        match tx.commit("the access").await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// What the member may do for the tenant for a time, and until when; none: nothing, or without an end.
    pub async fn timed_access(&self, tenant: &TenantId, member: &MemberId, now: Timestamp) -> Result<Option<(BTreeSet<Role>, Timestamp)>> {
        let Some(item) = self.get(&keys::membership(tenant, member), Read::Latest).await? else { return Ok(None) };
        let fields = Fields(&item);
        let until = fields.optional_millis("accessUntil")?.filter(|until| *until > now);
        until.map(|until| Ok((fields.parsed_set("staffRoles")?, until))).transpose()
    }
}
