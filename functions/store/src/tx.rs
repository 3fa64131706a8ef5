//! Transactions: writes that belong together happen together or not at all.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{ConditionCheck, Delete, Put, ReturnConsumedCapacity, TransactWriteItem, Update};

use domain::ids::TenantId;

use crate::error::{RETRY_AFTER, from_sdk};
use crate::item::{self, Item, Record, json, key_attributes};
use crate::keys::{self, Key};
use crate::random::{jitter, random};
use crate::tallies::Cells;
use crate::{Result, Store, StoreError};

/// Most items of one transaction.
pub(crate) const MAX_ITEMS: usize = 100;
/// Most bytes of all its items.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// How often a transaction is sent that meets others on the same items.
const ATTEMPTS: u32 = 8;

/// A condition on an item, and what it means if it does not hold.
pub(crate) struct Condition {
    pub expression: &'static str,
    pub values: Item,
    pub refusal: StoreError,
}

impl Condition {
    /// There is no such item yet.
    pub(crate) fn absent(refusal: StoreError) -> Self {
        Self { expression: "attribute_not_exists(pk)", values: Item::new(), refusal }
    }

    /// There is such an item.
    pub(crate) fn present(refusal: StoreError) -> Self {
        Self { expression: "attribute_exists(pk)", values: Item::new(), refusal }
    }

    /// The item has the version that was read before.
    pub(crate) fn version(version: u64) -> Self {
        let values = Item::from([(":version".into(), item::number(version))]);
        Self { expression: "version = :version", values, refusal: StoreError::Conflict }
    }
}

/// Writes that are sent together.
pub(crate) struct Tx<'a> {
    store: &'a Store,
    items: Vec<TransactWriteItem>,
    refusals: Vec<StoreError>,
    bytes: usize,
    change: Option<Change>,
}

/// What the writes change in the counts of a tenant.
struct Change {
    tenant: TenantId,
    shard: u8,
    by_season: BTreeMap<String, Cells>,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        Self { store, items: Vec::new(), refusals: Vec::new(), bytes: 0, change: None }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len() + usize::from(self.change.is_some())
    }

    /// Adds to what the writes change in the counts of a season; all of it is one item.
    pub(crate) fn count(&mut self, shard: u8, tenant: &TenantId, season: &str, cells: &Cells) {
        let change = self.change.get_or_insert_with(|| Change { tenant: tenant.clone(), shard, by_season: BTreeMap::new() });
        let sum = change.by_season.entry(season.to_owned()).or_default();
        for (name, count) in cells {
            *sum.entry(name.clone()).or_default() += count;
        }
        sum.retain(|_, count| *count != 0);
    }

    fn put_change(&mut self) -> Result<()> {
        let Some(Change { tenant, shard, mut by_season }) = self.change.take() else { return Ok(()) };
        by_season.retain(|_, cells| !cells.is_empty());
        if by_season.is_empty() {
            return Ok(());
        }
        let key = keys::change(&tenant, shard, random()?);
        self.put("the change", Record::at(&key).with("cells", json(&by_season)?).item(), None)
    }

    /// Puts an item; `what` names its kind if it is too large.
    pub(crate) fn put(&mut self, what: &'static str, item: Item, condition: Option<Condition>) -> Result<()> {
        item::check_size(what, &item)?;
        self.bytes += item::size(&item);
        let (expression, values, refusal) = parts(condition);
        let put = Put::builder()
            .table_name(&*self.store.table)
            .set_item(Some(item))
            .set_condition_expression(expression)
            .set_expression_attribute_values(values)
            .build()
            .map_err(|error| internal(error.to_string()))?;
        self.push(TransactWriteItem::builder().put(put).build(), refusal);
        Ok(())
    }

    /// Changes some attributes of an item.
    pub(crate) fn update(&mut self, key: &Key, expression: &str, values: Item, condition: Option<Condition>) -> Result<()> {
        let (condition, condition_values, refusal) = parts(condition);
        let values: Item = values.into_iter().chain(condition_values.into_iter().flatten()).collect();
        let update = Update::builder()
            .table_name(&*self.store.table)
            .set_key(Some(key_attributes(key)))
            .update_expression(expression)
            .set_condition_expression(condition)
            .set_expression_attribute_values((!values.is_empty()).then_some(values))
            .build()
            .map_err(|error| internal(error.to_string()))?;
        self.push(TransactWriteItem::builder().update(update).build(), refusal);
        Ok(())
    }

    /// Deletes an item.
    pub(crate) fn delete(&mut self, key: &Key, condition: Option<Condition>) -> Result<()> {
        let (condition, values, refusal) = parts(condition);
        let delete = Delete::builder()
            .table_name(&*self.store.table)
            .set_key(Some(key_attributes(key)))
            .set_condition_expression(condition)
            .set_expression_attribute_values(values)
            .build()
            .map_err(|error| internal(error.to_string()))?;
        self.push(TransactWriteItem::builder().delete(delete).build(), refusal);
        Ok(())
    }

    /// Holds the transaction to a condition on an item that it does not change.
    pub(crate) fn check(&mut self, key: &Key, condition: Condition) -> Result<()> {
        let Condition { expression, values, refusal } = condition;
        let check = ConditionCheck::builder()
            .table_name(&*self.store.table)
            .set_key(Some(key_attributes(key)))
            .condition_expression(expression)
            .set_expression_attribute_values((!values.is_empty()).then_some(values))
            .build()
            .map_err(|error| internal(error.to_string()))?;
        self.push(TransactWriteItem::builder().condition_check(check).build(), refusal);
        Ok(())
    }

    fn push(&mut self, item: TransactWriteItem, refusal: StoreError) {
        self.items.push(item);
        self.refusals.push(refusal);
    }

    /// Sends the writes. A condition that does not hold gives its refusal, the first one if there are several.
    /// Meeting another transaction on the same item is tried again a bounded number of times.
    pub(crate) async fn commit(mut self, what: &'static str) -> Result<()> {
        self.put_change()?;
        if self.items.len() > MAX_ITEMS {
            return Err(StoreError::TooLarge { what, size: self.items.len(), limit: MAX_ITEMS, unit: "items" });
        }
        if self.bytes > MAX_BYTES {
            return Err(StoreError::TooLarge { what, size: self.bytes, limit: MAX_BYTES, unit: "bytes" });
        }
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(jitter(attempt)?).await;
            }
            match self.send().await? {
                Outcome::Committed => return Ok(()),
                Outcome::Refused(refusal) => return Err(refusal),
                Outcome::Met => {}
            }
        }
        Err(StoreError::Unavailable { operation: "TransactWriteItems", retry_after: RETRY_AFTER })
    }

    async fn send(&self) -> Result<Outcome> {
        self.store.meter().sent();
        let sent = self
            .store
            .client
            .transact_write_items()
            .set_transact_items(Some(self.items.clone()))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await;
        let error = match sent {
            Ok(output) => {
                self.store.meter().written(output.consumed_capacity());
                return Ok(Outcome::Committed);
            }
            Err(error) => error,
        };
        match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(canceled)) => {
                let reasons: Vec<_> = canceled.cancellation_reasons().iter().map(|reason| reason.code().unwrap_or("None")).collect();
                self.outcome(&reasons)
            }
            Some(TransactWriteItemsError::TransactionInProgressException(_)) => Ok(Outcome::Met),
            _ => Err(from_sdk("TransactWriteItems", error)),
        }
    }

    /// The one place where the reasons of a cancelled transaction get a meaning.
    fn outcome(&self, reasons: &[&str]) -> Result<Outcome> {
        let refused = reasons.iter().zip(&self.refusals).find(|(reason, _)| **reason == "ConditionalCheckFailed");
        if let Some((_, refusal)) = refused {
            return Ok(Outcome::Refused(refusal.clone()));
        }
        match reasons.iter().find(|reason| **reason != "None") {
            Some(&("TransactionConflict" | "ProvisionedThroughputExceeded" | "ThrottlingError")) => Ok(Outcome::Met),
            other => Err(internal(format!("cancelled: {}", other.unwrap_or(&"without a reason")))),
        }
    }
}

enum Outcome {
    Committed,
    Refused(StoreError),
    /// Another transaction was at work on one of the items, or there were too many.
    Met,
}

fn parts(condition: Option<Condition>) -> (Option<String>, Option<Item>, StoreError) {
    match condition {
        Some(Condition { expression, values, refusal }) => (Some(expression.into()), (!values.is_empty()).then_some(values), refusal),
        None => (None, None, StoreError::Conflict),
    }
}

fn internal(reason: String) -> StoreError {
    StoreError::Internal { operation: "TransactWriteItems", reason }
}
