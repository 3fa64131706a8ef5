//! What only one at a time may do for a tenant: a person's command, or a run.

use domain::ids::TenantId;
use jiff::Timestamp;

use crate::db::{Update, Written};
use crate::item::{Fields, Item, millis, seconds, text};
use crate::keys;
use crate::{Result, Store};

/// The holder of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The holder's name.
    pub by: String,
    /// Since when.
    pub since: Timestamp,
}

impl Store {
    /// Takes the turn, until then; otherwise whose it is. `owner` is known to this caller alone.
    pub async fn take_turn(
        &self,
        tenant: &TenantId,
        what: &str,
        owner: &str,
        by: &str,
        (now, until): (Timestamp, Timestamp),
    ) -> Result<std::result::Result<(), Turn>> {
        let key = keys::turn(tenant, what);
        let taken = Update {
            key: &key,
            expression: "SET turnOwner = :owner, madeBy = :by, turnSince = :now, leasedUntil = :until, expiresAt = :expires",
            condition: Some("attribute_not_exists(pk) OR leasedUntil <= :now"),
            values: Item::from([
                (":owner".into(), text(owner)),
                (":by".into(), text(by)),
                (":now".into(), millis(now)),
                (":until".into(), millis(until)),
                (":expires".into(), seconds(until)),
            ]),
        };
        match self.update(taken).await? {
            Written::Done => Ok(Ok(())),
            Written::Refused(Some(item)) => {
                let fields = Fields(&item);
                Ok(Err(Turn { by: fields.text("madeBy")?.to_owned(), since: fields.millis("turnSince")? }))
            }
            // It went in this moment.
            Written::Refused(None) => Ok(Err(Turn { by: String::new(), since: now })),
        }
    }

    /// Keeps the turn for longer; false: it is over, and perhaps another one's.
    pub async fn keep_turn(&self, tenant: &TenantId, what: &str, owner: &str, until: Timestamp) -> Result<bool> {
        let kept = Update {
            key: &keys::turn(tenant, what),
            expression: "SET leasedUntil = :until, expiresAt = :expires",
            condition: Some("turnOwner = :owner"),
            values: Item::from([(":owner".into(), text(owner)), (":until".into(), millis(until)), (":expires".into(), seconds(until))]),
        };
        Ok(matches!(self.update(kept).await?, Written::Done))
    }

    /// Lets the next one have it.
    pub async fn end_turn(&self, tenant: &TenantId, what: &str, owner: &str) -> Result<()> {
        let owned = ("turnOwner = :owner", Item::from([(":owner".into(), text(owner))]));
        self.delete(&keys::turn(tenant, what), Some(owned)).await
    }
}
