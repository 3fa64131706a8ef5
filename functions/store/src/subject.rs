//! Everything that is stored about a person, for the person (GDPR, Art. 15).

use std::collections::BTreeSet;
use std::pin::pin;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{AccountId, JobId, TenantId};
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::{Map, Number, Value};

use crate::db::Read;
use crate::item::{Fields, Item};
use crate::jobs::BODY;
use crate::keys;
use crate::open;
use crate::packed::unpack;
use crate::search::FINDABLE;
use crate::slots::is_counter;
use crate::table::{PARTITION_KEY, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY, SORT_KEY};
use crate::tallies::TALLIED;
use crate::{ClearingEntry, Result, Store};

/// Items whose readings are read at a time: the caller may wait for those of thousands of meters.
const AT_ONCE: usize = 16;
/// Jobs of one page.
const PAGE: u32 = 100;

/// Attributes that tell nothing about a person: addresses of items, and what only proves or counts something.
const LEFT_OUT: [&str; 24] = [
    // Counts of what the job shows itself.
    TALLIED,
    PARTITION_KEY,
    SORT_KEY,
    RESULTS_PARTITION_KEY,
    RESULTS_SORT_KEY,
    "version",
    // What an open job is found by, which it says itself.
    open::SEASON,
    open::METER_TYPE,
    open::DEADLINE,
    open::DISTRICT,
    // The words of name, address and numbers, which are disclosed as they are.
    FINDABLE,
    "link",
    "furtherLinks",
    "salt",
    "currentHash",
    "previousHash",
    "successors",
    "pendingHash",
    "confirmedBy",
    // Its holder may change the registration, and the next link to log in with goes where it says.
    "selfServiceToken",
    "requestHash",
    "recipientHash",
    "leaseUntil",
    "keylessRecord",
];

impl Store {
    /// Everything about an account and the accounts below it: one JSON object for each item, with its `kind`. None: nothing is stored.
    pub async fn subject(&self, tenant: &TenantId, account: &AccountId) -> Result<Vec<Value>> {
        Ok(self.subject_within(tenant, account, usize::MAX).await?.unwrap_or_default())
    }

    /// The same; none: it is more than so many items. Of those that are too many no more is read than shows it.
    pub async fn subject_within(&self, tenant: &TenantId, account: &AccountId, most: usize) -> Result<Option<Vec<Value>>> {
        let mut found = Vec::new();
        let mut accounts = vec![account.clone()];
        let mut senders = BTreeSet::new();
        while let Some(account) = accounts.pop() {
            let hold = self.get(&keys::hold(tenant, &account), Read::Latest).await?;
            found.extend(hold.iter().map(|hold| disclose("HOLD", hold)));
            let items = self.whole_partition(&keys::account_partition(tenant, &account)).await?;
            // Each tells something.
            if found.len() + items.len() > most {
                return Ok(None);
            }
            for item in &items {
                if let Some(Ok(share)) = Fields(item).text(SORT_KEY)?.strip_prefix(keys::SHARES).map(str::parse) {
                    accounts.push(share);
                }
            }
            let told: Vec<_> = items.iter().map(|item| self.told(tenant, item)).collect();
            let mut told = pin!(stream::iter(told).buffered(AT_ONCE));
            while let Some(some) = told.try_next().await? {
                found.extend(some);
                if found.len() > most {
                    return Ok(None);
                }
            }
            senders.insert(account);
        }
        // What a sub-account sent for the owner is with the owner's jobs.
        let Some(root) = self.ancestors(tenant, account).await?.into_iter().next() else { return Ok(Some(found)) };
        let mut cursor = None;
        loop {
            let page = self.jobs_with_hidden(tenant, &root, PAGE, cursor.as_deref()).await?;
            let ledgers: Vec<String> = page.jobs.iter().map(|job| keys::ledger(tenant, &job.master.id)).collect();
            let ledgers: Vec<_> = ledgers.iter().map(|ledger| self.whole_partition(ledger)).collect();
            let mut ledgers = pin!(stream::iter(ledgers).buffered(AT_ONCE));
            while let Some(ledger) = ledgers.try_next().await? {
                for item in &ledger {
                    if ClearingEntry::read(item)?.entry.login_account_id.is_some_and(|sender| senders.contains(&sender)) {
                        found.push(disclose("READING", item));
                    }
                }
                if found.len() > most {
                    return Ok(None);
                }
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(Some(found));
            }
        }
    }

    /// What an item of an account tells, and the readings that belong to it.
    async fn told(&self, tenant: &TenantId, item: &Item) -> Result<Vec<Value>> {
        let sk = Fields(item).text(SORT_KEY)?;
        if let Some(Ok(reading)) = sk.strip_prefix(keys::WITHOUT_JOB).map(str::parse::<JobId>) {
            let reading = self.get(&keys::reading_without_job(tenant, &reading), Read::Latest).await?;
            return Ok(reading.iter().map(|reading| disclose("READING", reading)).collect());
        }
        let mut told = vec![disclose(sk, item)];
        if let Some(job) = keys::job_at(sk) {
            for reading in self.whole_partition(&keys::ledger(tenant, &job)).await? {
                // Without an account it is another customer's, whose job had the id and is forgotten (D-IMPORTS-4).
                if ClearingEntry::read(&reading)?.entry.account_id.is_some() {
                    told.push(disclose("READING", &reading));
                }
            }
        }
        Ok(told)
    }
}

fn disclose(sort_key: &str, item: &Item) -> Value {
    let kind = sort_key.split(['#', '!']).next().unwrap_or_default().to_ascii_lowercase();
    let mut object = Map::from_iter([("kind".to_owned(), Value::String(kind.clone()))]);
    let counts = |name: &str| sort_key == keys::PORTFOLIO_ITEM && is_counter(name);
    let tells = |name: &str| !LEFT_OUT.contains(&name) && !counts(name);
    let mut names: Vec<_> = item.keys().filter(|name| tells(name)).collect();
    names.sort();
    for name in names {
        match (name.as_str(), item.get(name).and_then(value)) {
            (BODY, Some(Value::Object(body))) => object.extend(body.into_iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()))),
            // A mail's own kind does not take the place of what the record is.
            ("kind", Some(value)) => drop(object.insert(format!("{kind}Kind"), value)),
            (_, Some(value)) => drop(object.insert(name.clone(), value)),
            (_, None) => {}
        }
    }
    Value::Object(object)
}

/// Documents are stored as JSON text, some of them compressed; they are shown as what they are.
fn value(attribute: &AttributeValue) -> Option<Value> {
    match attribute {
        AttributeValue::S(text) if text.starts_with(['{', '[']) => {
            Some(serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into()))
        }
        AttributeValue::B(packed) => serde_json::from_slice(&unpack(packed.as_ref()).ok()?).ok(),
        AttributeValue::S(text) => Some(text.as_str().into()),
        AttributeValue::N(number) => Some(number.parse::<Number>().map_or_else(|_| number.as_str().into(), Value::Number)),
        AttributeValue::Bool(flag) => Some((*flag).into()),
        AttributeValue::Ss(texts) => Some(texts.iter().map(String::as_str).collect::<Vec<_>>().into()),
        _ => None,
    }
}
