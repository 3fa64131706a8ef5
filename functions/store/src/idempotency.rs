//! A repeated request gets the stored answer of the first one.

use domain::ids::{AccountId, TenantId};
use jiff::{SignedDuration, Timestamp};

use crate::db::Read;
use crate::item::{Fields, Item, Record, number, packed_bytes, seconds, text};
use crate::keys;
use crate::table::EXPIRES_AT;
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

/// How long an answer is kept: longer than any queue of unsent readings.
const LIFE: SignedDuration = SignedDuration::from_hours(35 * 24);

/// What an oversized answer is called in the error.
const ANSWER: &str = "the answer";

/// The record of a request that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// Hash of the request that was carried out; another hash under the same key is a misuse of the key.
    pub request_hash: String,
    /// The answer that it got.
    pub response_body: String,
    /// The time at which the request was carried out.
    pub created: Timestamp,
}

/// The record to be written in the same transaction as the effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyWrite {
    /// Hash of the caller's key; the record is scoped to the account, not to the login.
    pub key_hash: String,
    /// Hash of the request.
    pub request_hash: String,
    /// The answer that this and every later identical request gets.
    pub response_body: String,
    /// Now; the record lives 35 days from here.
    pub created: Timestamp,
}

/// What became of a write that carries its idempotency record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// It is stored now; the answer is the one that was handed in.
    Stored,
    /// The same request was carried out before; this is its answer.
    Replayed {
        /// The stored answer.
        response_body: String,
    },
    /// The key was used for another request.
    KeyReused,
    /// What is to be changed has changed since it was read: read and check again.
    Stale,
}

impl Store {
    /// What a write means if another request was faster: if it was the same request, its answer is ours.
    pub(crate) async fn overtaken(&self, tenant: &TenantId, account: &AccountId, write: &IdempotencyWrite) -> Result<Submitted> {
        let record = self.get(&keys::idempotency(tenant, account, &write.key_hash), Read::Latest).await?;
        let record = record.map(|item| IdempotencyRecord::read(&item, write.created)).transpose()?.flatten();
        Ok(match record {
            Some(record) if record.request_hash == write.request_hash => Submitted::Replayed { response_body: record.response_body },
            Some(_) => Submitted::KeyReused,
            None => Submitted::Stale,
        })
    }
}

impl IdempotencyRecord {
    /// The record, unless its time is over.
    pub(crate) fn read(item: &Item, now: Timestamp) -> Result<Option<Self>> {
        let fields = Fields(item);
        if fields.time(EXPIRES_AT)? <= now {
            return Ok(None);
        }
        Ok(Some(Self {
            request_hash: fields.text("requestHash")?.to_owned(),
            response_body: fields.packed_text("responseBody")?,
            created: fields.millis("created")?,
        }))
    }
}

impl IdempotencyWrite {
    /// Of a change that staff make, which this names: no client is answered, but our own attempt is known again.
    pub fn of_staff(change: &str, created: Timestamp) -> Self {
        let hash = keys::sha256_hex(change.as_bytes());
        Self { key_hash: hash.clone(), request_hash: hash, response_body: String::new(), created }
    }

    /// Adds the record to the transaction; [`StoreError::Conflict`] if there is a live one.
    pub(crate) fn add_to(&self, tx: &mut Tx<'_>, tenant: &TenantId, account: &AccountId) -> Result<()> {
        let item = Record::at(&keys::idempotency(tenant, account, &self.key_hash))
            .with("requestHash", text(&self.request_hash))
            .with("responseBody", packed_bytes(ANSWER, self.response_body.as_bytes())?)
            .with("created", number(self.created.as_millisecond()))
            .with(EXPIRES_AT, seconds(self.created + LIFE))
            .item();
        let free = Condition {
            expression: "attribute_not_exists(pk) OR expiresAt <= :now",
            values: Item::from([(":now".into(), seconds(self.created))]),
            refusal: StoreError::Conflict,
        };
        tx.put(ANSWER, item, Some(free))
    }
}

impl Store {
    /// The record of an earlier request of the account with this key.
    pub async fn idempotency(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        key_hash: &str,
        now: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        let item = self.get(&keys::idempotency(tenant, account, key_hash), Read::Latest).await?;
        Ok(item.map(|item| IdempotencyRecord::read(&item, now)).transpose()?.flatten())
    }
}
