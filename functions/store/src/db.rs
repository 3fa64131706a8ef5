//! The calls to DynamoDB. Each asks what it consumed and counts it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ConsumedCapacity, KeysAndAttributes, ReturnConsumedCapacity, ReturnValue};
use domain::ids::TenantId;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;

use crate::error::{RETRY_AFTER, from_sdk};
use crate::item::{Fields, Item, key_attributes, key_of, text};
use crate::keys::{self, Key};
use crate::random::jitter;
use crate::table::{PARTITION_KEY, RESULTS_INDEX, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY, SORT_KEY};
use crate::tenants::TenantCache;
use crate::{Result, StoreError};

/// The table, as the rest of the product sees it. Clones share one connection pool and one cache.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) client: Client,
    pub(crate) table: Arc<str>,
    pub(crate) tenants: Arc<TenantCache>,
    meter: Arc<Meter>,
}

/// What the calls of one request cost.
#[derive(Debug, Default)]
pub struct Meter {
    round_trips: AtomicU64,
    read_half_units: AtomicU64,
    write_half_units: AtomicU64,
    mail_day_nearly_full: OnceLock<String>,
    left_out: AtomicU64,
}

impl Meter {
    /// Calls that were sent.
    pub fn round_trips(&self) -> u64 {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// Consumed read units.
    pub fn read_units(&self) -> f64 {
        self.read_half_units.load(Ordering::Relaxed) as f64 / 2.0
    }

    /// Consumed write units.
    pub fn write_units(&self) -> f64 {
        self.write_half_units.load(Ordering::Relaxed) as f64 / 2.0
    }

    /// The tenant that has written to four fifths of the recipients of its day, if a mail of this request came after them.
    pub fn tenant_with_nearly_full_mail_day(&self) -> Option<String> {
        self.mail_day_nearly_full.get().cloned()
    }

    /// How much that only a newer version can read, or nobody, was left out, or left alone.
    pub fn of_newer_version(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    pub(crate) fn left_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn mail_day_nearly_full(&self, tenant: &TenantId) {
        // Set before: a request has one tenant.
        _ = self.mail_day_nearly_full.set(tenant.to_string());
    }

    pub(crate) fn sent(&self) {
        self.round_trips.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read<'a>(&self, consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
        self.read_half_units.fetch_add(half_units(consumed), Ordering::Relaxed);
    }

    pub(crate) fn written<'a>(&self, consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
        self.write_half_units.fetch_add(half_units(consumed), Ordering::Relaxed);
    }
}

/// The expression that names these attributes, each by its placeholder.
fn projection(names: &[&str]) -> String {
    names.iter().map(|name| format!("#{name}")).collect::<Vec<_>>().join(", ")
}

/// Whether an item of the index is of the tenant whose partition it stands in; a clerk's command line writes items of its own tenant only, but says of them where in
/// the index they stand (D-PLATFORM-22).
fn is_own(partition: &str, item: &Item) -> bool {
    let of = |name| Fields(item).text(name).unwrap_or_default();
    keys::may_stand_in(partition, of(RESULTS_SORT_KEY), of(PARTITION_KEY), of(SORT_KEY))
}

fn half_units<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) -> u64 {
    consumed.into_iter().filter_map(|capacity| capacity.capacity_units).map(|units| (units * 2.0).round() as u64).sum()
}

/// Whether a read must see every write that was answered before it; costs twice as much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    Latest,
    Recent,
}

/// One page of a query.
pub(crate) struct Page {
    pub items: Vec<Item>,
    /// There is more after the last item.
    pub more: bool,
}

/// What a query asks for, beside its partition.
#[derive(Default)]
pub(crate) struct Range<'a> {
    /// Condition on the sort key, with `#sk` for its name; absent means all.
    pub condition: Option<&'a str>,
    pub values: Item,
    pub limit: Option<u32>,
    pub after: Option<&'a Key>,
    pub index: Option<&'static str>,
    /// The attributes of items of the table that are brought along beside the sort key; none means all.
    pub only: Option<&'static [&'static str]>,
}

/// A query whose items must have something beside their keys.
pub(crate) struct Query<'a> {
    pub partition: &'a str,
    /// In the results index, of items that have the same sort key there.
    pub index: bool,
    pub newest_first: bool,
    /// On the sort key `sk`; in the index, `gsi1sk`.
    pub condition: &'static str,
    /// On other attributes; what does not meet it is read and left out.
    pub filter: Option<String>,
    pub values: Item,
    /// Items that are read, before the filter.
    pub limit: Option<u32>,
    pub after: Option<Key>,
    pub read: Read,
}

/// One page of it.
pub(crate) struct Narrowed {
    pub items: Vec<Item>,
    /// The last item that was read; none: there is no more.
    pub last: Option<Key>,
    /// Its sort key in the index, if that is what was asked.
    pub last_in_index: Option<String>,
}

/// Most keys of one BatchGetItem.
const BATCH_KEYS: usize = 100;
const BATCH_ATTEMPTS: u32 = 6;
/// How often a write of one item is sent that meets transactions on it.
const WRITE_ATTEMPTS: u32 = 8;
/// Batches that are under way together.
const BATCHES_AT_ONCE: usize = 4;

/// A write of one item, sent on its own.
pub(crate) struct Update<'a> {
    pub key: &'a Key,
    pub expression: &'a str,
    pub condition: Option<&'a str>,
    pub values: Item,
}

/// What became of a conditional write.
pub(crate) enum Written {
    Done,
    /// The condition did not hold; this is the item as it was, if there is one.
    Refused(Option<Item>),
}

impl Store {
    /// When the table was made, to the second: of one that was restored, when that was.
    pub async fn created_at(&self) -> Result<Timestamp> {
        let described = self.client.describe_table().table_name(&*self.table).send().await;
        let described = described.map_err(|error| from_sdk("DescribeTable", error))?;
        let created = described.table().and_then(|table| table.creation_date_time());
        let created = created.and_then(|created| Timestamp::from_second(created.secs()).ok());
        created.ok_or(StoreError::Internal { operation: "DescribeTable", reason: "it has no time of its beginning".to_owned() })
    }

    /// The table of this name.
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self { client, table: table.into().into(), tenants: Arc::default(), meter: Arc::default() }
    }

    /// The same store with a meter of its own, for one request.
    pub fn metered(&self) -> (Self, Arc<Meter>) {
        let meter = Arc::<Meter>::default();
        (Self { meter: meter.clone(), ..self.clone() }, meter)
    }

    /// Opens the connection and reads the tenant of this host name, so that the first request waits for neither.
    pub async fn warm(&self, host: &str) -> Result<()> {
        match self.tenant_by_host(host).await {
            // A function that may not read has a connection all the same.
            Ok(_) | Err(StoreError::Internal { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    pub(crate) async fn get(&self, key: &Key, read: Read) -> Result<Option<Item>> {
        self.meter.sent();
        let output = self
            .client
            .get_item()
            .table_name(&*self.table)
            .set_key(Some(key_attributes(key)))
            .consistent_read(read == Read::Latest)
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| from_sdk("GetItem", error))?;
        self.meter.read(output.consumed_capacity());
        Ok(output.item)
    }

    /// The items of a partition with the greatest sort keys, or the greatest before one, in falling order; one call.
    pub(crate) async fn newest(&self, partition: &str, most: u32, after: Option<Key>) -> Result<Narrowed> {
        let query = Query {
            partition,
            index: false,
            newest_first: true,
            condition: "sk > :first",
            filter: None,
            values: Item::from([(":first".into(), text(" "))]),
            limit: Some(most),
            after,
            read: Read::Latest,
        };
        self.query_narrowed(&query).await
    }

    pub(crate) async fn query(&self, partition: &str, range: Range<'_>, read: Read) -> Result<Page> {
        let (partition_key, sort_key) = match range.index {
            None => (PARTITION_KEY, SORT_KEY),
            Some(_) => (RESULTS_PARTITION_KEY, RESULTS_SORT_KEY),
        };
        let mut names = HashMap::from([("#pk".to_owned(), partition_key.to_owned())]);
        let mut condition = "#pk = :pk".to_owned();
        if let Some(on_sort_key) = range.condition {
            names.insert("#sk".into(), sort_key.into());
            condition = format!("{condition} AND {on_sort_key}");
        }
        let only = range.only.map(|only| only.iter().copied().chain([sort_key]).collect::<Vec<_>>());
        names.extend(only.iter().flatten().map(|name| (format!("#{name}"), (*name).to_owned())));
        let query = self
            .client
            .query()
            .table_name(&*self.table)
            .set_index_name(range.index.map(str::to_owned))
            .set_projection_expression(only.as_deref().map(projection))
            .key_condition_expression(condition)
            .set_expression_attribute_names(Some(names))
            .set_expression_attribute_values(Some(range.values))
            .expression_attribute_values(":pk", AttributeValue::S(partition.into()))
            .set_limit(range.limit.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX)))
            .set_exclusive_start_key(range.after.map(key_attributes))
            .consistent_read(read == Read::Latest)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let (items, last) = self.send_query(query, partition).await?;
        Ok(Page { items, more: last.is_some() })
    }

    pub(crate) async fn query_narrowed(&self, query: &Query<'_>) -> Result<Narrowed> {
        let partition_key = if query.index { RESULTS_PARTITION_KEY } else { PARTITION_KEY };
        let after = query.after.as_ref().map(|key| {
            let mut after = key_attributes(key);
            if query.index {
                let both = [(RESULTS_PARTITION_KEY, query.partition), (RESULTS_SORT_KEY, &key.sk)];
                after.extend(both.map(|(name, value)| (name.to_owned(), AttributeValue::S(value.to_owned()))));
            }
            after
        });
        let sent = self
            .client
            .query()
            .table_name(&*self.table)
            .set_index_name(query.index.then(|| RESULTS_INDEX.to_owned()))
            .scan_index_forward(!query.newest_first)
            .key_condition_expression(format!("{partition_key} = :pk AND {}", query.condition))
            .set_filter_expression(query.filter.clone())
            .set_expression_attribute_values(Some(query.values.clone()))
            .expression_attribute_values(":pk", AttributeValue::S(query.partition.into()))
            .set_limit(query.limit.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX)))
            .set_exclusive_start_key(after)
            .consistent_read(query.read == Read::Latest)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let (items, last) = self.send_query(sent, query.partition).await?;
        let in_index = last.as_ref().map(|last| Fields(last).optional_text(RESULTS_SORT_KEY)).transpose()?.flatten();
        Ok(Narrowed { last_in_index: in_index.map(str::to_owned), last: last.as_ref().map(key_of).transpose()?, items })
    }

    /// One page: its items, and the keys of the last one that was read if there is more after it. A page of the index is as if nothing but the partition's own
    /// tenant's items were there: as long as it was asked for, and ending at one of them.
    async fn send_query(&self, mut query: QueryFluentBuilder, partition: &str) -> Result<(Vec<Item>, Option<Item>)> {
        let is_index = query.get_index_name().is_some();
        let most = query.get_limit().filter(|_| query.get_filter_expression().is_none()).and_then(|most| usize::try_from(most).ok());
        let mut items: Vec<Item> = Vec::new();
        loop {
            self.meter.sent();
            let output = query.clone().send().await.map_err(|error| from_sdk("Query", error))?;
            self.meter.read(output.consumed_capacity());
            let (found, last) = (output.items.unwrap_or_default(), output.last_evaluated_key);
            if !is_index {
                return Ok((found, last));
            }
            let (own, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|item| is_own(partition, item));
            items.extend(own);
            if let Some(most) = most.filter(|most| items.len() > *most || items.len() == *most && last.is_some()) {
                items.truncate(most);
                let last = items.last().cloned();
                return Ok((items, last));
            }
            let Some(last) = last else { return Ok((items, None)) };
            if is_own(partition, &last) && (most.is_none() || others.is_empty()) {
                return Ok((items, Some(last)));
            }
            // However many others there are, they are passed a megabyte at a time.
            query = query.set_limit(None).set_exclusive_start_key(Some(last));
        }
    }

    /// Any number of items, those that exist, by key, a hundred a call. `only` names the attributes that come beside the keys; none
    /// means all.
    pub(crate) async fn get_many(&self, keys: &[Key], only: Option<&[&str]>, read: Read) -> Result<HashMap<Key, Item>> {
        let mut batches = Vec::new();
        for batch in keys.chunks(BATCH_KEYS) {
            batches.push(self.get_some(batch, only, read));
        }
        let found: Vec<_> = stream::iter(batches).buffered(BATCHES_AT_ONCE).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Up to 100 items, those that exist, by key.
    pub(crate) async fn get_batch(&self, keys: &[Key], read: Read) -> Result<HashMap<Key, Item>> {
        self.get_some(keys, None, read).await
    }

    /// What DynamoDB leaves over is asked for again, a bounded number of times.
    async fn get_some(&self, keys: &[Key], only: Option<&[&str]>, read: Read) -> Result<HashMap<Key, Item>> {
        debug_assert!(keys.len() <= BATCH_KEYS);
        let names: Vec<_> = only.into_iter().flat_map(|only| [PARTITION_KEY, SORT_KEY].into_iter().chain(only.iter().copied())).collect();
        let projection = projection(&names);
        let names: HashMap<_, _> = names.into_iter().map(|name| (format!("#{name}"), name.to_owned())).collect();
        let mut left: Vec<Item> = keys.iter().map(key_attributes).collect();
        let mut found = HashMap::with_capacity(keys.len());
        for attempt in 0..BATCH_ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(jitter(attempt)?).await;
            }
            let wanted = KeysAndAttributes::builder()
                .set_keys(Some(left))
                .set_projection_expression((!names.is_empty()).then(|| projection.clone()))
                .set_expression_attribute_names((!names.is_empty()).then(|| names.clone()))
                .consistent_read(read == Read::Latest)
                .build();
            let wanted = wanted.map_err(|error| StoreError::Internal { operation: "BatchGetItem", reason: error.to_string() })?;
            self.meter.sent();
            let output = self
                .client
                .batch_get_item()
                .request_items(&*self.table, wanted)
                .return_consumed_capacity(ReturnConsumedCapacity::Total)
                .send()
                .await
                .map_err(|error| from_sdk("BatchGetItem", error))?;
            self.meter.read(output.consumed_capacity());
            for item in output.responses.unwrap_or_default().into_values().flatten() {
                found.insert(key_of(&item)?, item);
            }
            left = output.unprocessed_keys.unwrap_or_default().into_values().flat_map(|keys| keys.keys).collect();
            if left.is_empty() {
                return Ok(found);
            }
        }
        Err(StoreError::Unavailable { operation: "BatchGetItem", retry_after: RETRY_AFTER })
    }

    pub(crate) async fn put(&self, item: Item) -> Result<()> {
        let put =
            self.client.put_item().table_name(&*self.table).set_item(Some(item)).return_consumed_capacity(ReturnConsumedCapacity::Total);
        let output = self.past_transactions(|| put.clone().send()).await?.map_err(|error| from_sdk("PutItem", error))?;
        self.meter.written(output.consumed_capacity());
        Ok(())
    }

    pub(crate) async fn update(&self, update: Update<'_>) -> Result<Written> {
        Ok(self.send_update(update, ReturnValue::None).await?.0)
    }

    /// The same, with the item as it was before it was written; none if it is new.
    pub(crate) async fn update_and_tell(&self, update: Update<'_>) -> Result<(Written, Option<Item>)> {
        self.send_update(update, ReturnValue::AllOld).await
    }

    async fn send_update(&self, update: Update<'_>, told: ReturnValue) -> Result<(Written, Option<Item>)> {
        let write = self
            .client
            .update_item()
            .table_name(&*self.table)
            .set_key(Some(key_attributes(update.key)))
            .update_expression(update.expression)
            .set_condition_expression(update.condition.map(str::to_owned))
            .set_expression_attribute_values((!update.values.is_empty()).then_some(update.values))
            .return_values(told)
            .return_values_on_condition_check_failure(aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        match self.past_transactions(|| write.clone().send()).await? {
            Ok(output) => {
                self.meter.written(output.consumed_capacity());
                Ok((Written::Done, output.attributes))
            }
            Err(error) => match error.as_service_error() {
                Some(aws_sdk_dynamodb::operation::update_item::UpdateItemError::ConditionalCheckFailedException(refusal)) => {
                    Ok((Written::Refused(refusal.item.clone()), None))
                }
                _ => Err(from_sdk("UpdateItem", error)),
            },
        }
    }

    /// Deletes the item if the condition holds; if not, nothing is wrong.
    pub(crate) async fn delete(&self, key: &Key, condition: Option<(&str, Item)>) -> Result<()> {
        let (condition, values) = condition.unzip();
        let delete = self
            .client
            .delete_item()
            .table_name(&*self.table)
            .set_key(Some(key_attributes(key)))
            .set_condition_expression(condition.map(str::to_owned))
            .set_expression_attribute_values(values)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        match self.past_transactions(|| delete.clone().send()).await? {
            Ok(output) => self.meter.written(output.consumed_capacity()),
            Err(error) if error.as_service_error().is_some_and(|e| e.is_conditional_check_failed_exception()) => {}
            Err(error) => return Err(from_sdk("DeleteItem", error)),
        }
        Ok(())
    }
}

impl Store {
    /// Sends a write of one item, and again while a transaction is at work on that item, which the SDK does not try again.
    async fn past_transactions<T, E, R, F>(&self, send: impl Fn() -> F) -> Result<std::result::Result<T, SdkError<E, R>>>
    where
        E: ProvideErrorMetadata,
        F: Future<Output = std::result::Result<T, SdkError<E, R>>>,
    {
        let mut attempt = 1;
        loop {
            self.meter.sent();
            let sent = send().await;
            let error = sent.as_ref().err().and_then(SdkError::as_service_error);
            let met = error.and_then(ProvideErrorMetadata::code) == Some("TransactionConflictException");
            if !met || attempt == WRITE_ATTEMPTS {
                return Ok(sent);
            }
            tokio::time::sleep(jitter(attempt)?).await;
            attempt += 1;
        }
    }
}

/// How often a change that lost against another one is tried anew from the read on.
pub(crate) const OPTIMISTIC_ATTEMPTS: u32 = 5;
