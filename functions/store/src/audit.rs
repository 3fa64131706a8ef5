//! What touched persons' data, by a command of the operator or at the desk: when, and by whom.

use domain::audit::Action;
use domain::config_check::MAX_AUDIT_DAYS;
use domain::ids::{AccountId, MemberId, TenantId};
use domain::open_filter::OpenFilter;
use jiff::{SignedDuration, Timestamp};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use crate::db::{Query, Range, Read, Update};
use crate::item::{self, Fields, Item, Record, key_of, seconds, text};
use crate::keys::Key;
use crate::retention::{BEGINNING, Retained};
use crate::table::{EXPIRES_AT, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY, SORT_KEY};
use crate::{Holds, Result, Store, StoreError, fingerprint, keys};

/// Records of one page.
const PAGE: usize = 100;
/// Queries of one page; with a filter each reads a megabyte, of which some 2,500 records make one.
const QUERIES: usize = 10;
/// Records that are forgotten at once.
const AT_ONCE: usize = 25;

/// How long it is kept at most; a tenant may say less.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * MAX_AUDIT_DAYS as i64);

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    /// When it was through, or a command that takes a while begun.
    pub at: Timestamp,
    /// Who did it: of a command as it was told, at the desk the member's name.
    pub by: String,
    /// The command's words, without arguments; or what was done at the desk, such as `desk login`.
    pub command: String,
    /// Whom it was about, by the fingerprint that the list of erasures has too; none: several accounts, or no account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The account itself, until it is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<AccountId>,
    /// The member of the staff; none: it was a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
    /// What of the account it was about: the id of a job, a reading, a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<String>,
    /// Which open jobs it was about, if they were chosen by a filter.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "known_filter")]
    pub filter: Option<OpenFilter>,
    /// From where, as the security log's pseudonym has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

/// Some of what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPage {
    /// The latest first; at most a hundred, and none although there are more pages where a filter left out what was read.
    pub records: Vec<AuditRecord>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// What is wanted of the trail; what is not said does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFilter {
    /// From this moment on.
    pub since: Timestamp,
    /// Before this one.
    pub until: Timestamp,
    /// About this account, also when it is erased.
    pub account: Option<AccountId>,
    /// By this member.
    pub member: Option<MemberId>,
    /// What was done: one of these; none are all.
    pub actions: Vec<Action>,
}

/// Something that is to be remembered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Audit<'a> {
    /// As [`AuditRecord::by`].
    pub by: &'a str,
    /// As [`AuditRecord::command`].
    pub command: &'a str,
    /// The account that it is about.
    pub account: Option<&'a AccountId>,
    /// Nothing of the account is there any more: it is not named, because no erasure would take the name out again.
    pub is_gone: bool,
    /// As [`AuditRecord::member`].
    pub member: Option<&'a MemberId>,
    /// As [`AuditRecord::thing`].
    pub thing: Option<&'a str>,
    /// As [`AuditRecord::filter`].
    pub filter: Option<&'a OpenFilter>,
    /// As [`AuditRecord::network`].
    pub network: Option<&'a str>,
}

impl Store {
    /// Remembers what was done at this time.
    pub async fn keep_audit(&self, tenant: &TenantId, audit: Audit<'_>, at: Timestamp) -> Result<()> {
        self.put(item(tenant, audit, at)?).await
    }

    /// Remembers once a minute what a member does.
    pub async fn keep_audit_of_minute(&self, tenant: &TenantId, audit: Audit<'_>, at: Timestamp) -> Result<()> {
        let minute = Timestamp::from_second(at.as_second().div_euclid(60) * 60).unwrap_or(at);
        let who = keys::sha256_hex(format!("{:?} {} {}", audit.member, audit.by, audit.command).as_bytes());
        let place = u32::from_str_radix(who.get(..8).unwrap_or_default(), 16).unwrap_or_default();
        self.put(item_at(tenant, audit, minute, place)?).await
    }

    /// Some of what was done, the latest first. About an account it is one query by the account's key; by a member or an action ten at most, which read a megabyte
    /// each.
    pub async fn audit_page(&self, tenant: &TenantId, filter: &AuditFilter, cursor: Option<&str>) -> Result<AuditPage> {
        let mut page = AuditPage { records: Vec::new(), next_cursor: None };
        if filter.since >= filter.until {
            return Ok(page);
        }
        let partition = filter.partition(tenant);
        let mut after = cursor.map(|cursor| filter.place(tenant, cursor)).transpose()?;
        for _ in 0..QUERIES {
            let found = self.query_narrowed(&filter.query(&partition, after.take())).await?;
            let room = PAGE - page.records.len();
            for item in found.items.iter().take(room) {
                page.records.push(AuditRecord::read(item)?);
            }
            // With a filter there may be more in what was read than fits.
            after = if found.items.len() > room { found.items.get(room - 1).map(key_of).transpose()? } else { found.last };
            if after.is_none() || page.records.len() == PAGE {
                break;
            }
        }
        page.next_cursor = after.map(|key| key.sk);
        Ok(page)
    }

    /// Forgets some of what was done before that moment; what was about a person whose data is held, or with whom they shared, stays.
    pub async fn forget_audit(&self, tenant: &TenantId, before: Timestamp, cursor: Option<&str>, holds: &Holds) -> Result<Retained> {
        // DynamoDB takes no range whose end lies before its beginning.
        if before <= BEGINNING {
            return Ok(Retained { changed: 0, objects: 0, next_cursor: None });
        }
        let from = cursor.map_or_else(|| keys::instant(BEGINNING), str::to_owned);
        let values = Item::from([(":from".into(), text(from)), (":to".into(), text(keys::instant(before)))]);
        let limit = u32::try_from(AT_ONCE).ok();
        let range = Range { condition: Some("#sk BETWEEN :from AND :to"), values, limit, ..Range::default() };
        let page = self.query(&keys::audit(tenant), range, Read::Latest).await?;
        let about: Vec<Option<AccountId>> =
            page.items.iter().map(|item| Fields(item).optional_parsed("accountId")).collect::<Result<_>>()?;
        let kept = self.kept_of(tenant, holds, about.iter().flatten()).await?;
        let mut changed = 0;
        for (item, about) in page.items.iter().zip(&about) {
            if about.as_ref().is_none_or(|account| !kept.contains(account)) {
                self.delete(&key_of(item)?, None).await?;
                changed += 1;
            }
        }
        // What is held stays where the next step begins.
        let last = page.items.last().map(|item| Fields(item).text(SORT_KEY).map(str::to_owned)).transpose()?;
        Ok(Retained { changed, objects: 0, next_cursor: last.filter(|_| page.more) })
    }

    /// Takes an account that is erased out of the trail: the fingerprint stays. Answers in how many records it stood.
    pub(crate) async fn forget_in_audit(&self, tenant: &TenantId, account: &AccountId) -> Result<usize> {
        let partition = keys::audit_of_account(tenant, &fingerprint(tenant, account));
        let (mut count, mut after) = (0, None);
        loop {
            let query = Query {
                partition: &partition,
                index: true,
                newest_first: false,
                condition: "gsi1sk > :from",
                filter: Some("attribute_exists(accountId)".into()),
                values: Item::from([(":from".into(), text(keys::instant(BEGINNING)))]),
                limit: None,
                after,
                read: Read::Recent,
            };
            let found = self.query_narrowed(&query).await?;
            for item in &found.items {
                let (key, condition) = (key_of(item)?, Some("attribute_exists(pk)"));
                self.update(Update { key: &key, expression: "REMOVE accountId", condition, values: Item::new() }).await?;
                count += 1;
            }
            after = found.last;
            if after.is_none() {
                return Ok(count);
            }
        }
    }

    /// All of what is kept, by time.
    pub async fn audit(&self, tenant: &TenantId) -> Result<Vec<AuditRecord>> {
        let items = self.whole_partition(&keys::audit(tenant)).await?;
        items.iter().map(AuditRecord::read).collect()
    }
}

/// What this version knows of a filter: an entry is not lost over what a newer one can choose by.
fn known_filter<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<OpenFilter>, D::Error> {
    let Some(mut members) = Option::<Map<String, Value>>::deserialize(deserializer)? else { return Ok(None) };
    members.retain(|name, value| OpenFilter::deserialize(json!({ name: value })).is_ok());
    OpenFilter::deserialize(Value::Object(members)).map(Some).map_err(D::Error::custom)
}

impl AuditRecord {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self { customer: fields.optional_parsed("accountId")?, ..fields.json("record")? })
    }
}

impl AuditFilter {
    fn partition(&self, tenant: &TenantId) -> String {
        match &self.account {
            Some(account) => keys::audit_of_account(tenant, &fingerprint(tenant, account)),
            None => keys::audit(tenant),
        }
    }

    /// The record at which a page ended.
    fn place(&self, tenant: &TenantId, cursor: &str) -> Result<Key> {
        let is_one = keys::instant(self.since).as_str() <= cursor && cursor < keys::instant(self.until).as_str();
        if is_one { Ok(Key { pk: keys::audit(tenant), sk: cursor.to_owned() }) } else { Err(StoreError::InvalidCursor) }
    }

    fn query<'a>(&self, partition: &'a str, after: Option<Key>) -> Query<'a> {
        let mut values = Item::from([(":from".into(), text(keys::instant(self.since))), (":to".into(), text(keys::instant(self.until)))]);
        let mut conditions = Vec::new();
        if let Some(member) = &self.member {
            values.insert(":member".into(), text(member.as_str()));
            conditions.push("memberId = :member");
        }
        let names: Vec<_> = (0..self.actions.len()).map(|place| format!(":command{place}")).collect();
        let commands = format!("command IN ({})", names.join(", "));
        if !self.actions.is_empty() {
            values.extend(names.into_iter().zip(self.actions.iter().map(|action| text(action.as_str()))));
            conditions.push(&commands);
        }
        let filter = (!conditions.is_empty()).then(|| conditions.join(" AND "));
        Query {
            partition,
            index: self.account.is_some(),
            newest_first: true,
            condition: if self.account.is_some() { "gsi1sk BETWEEN :from AND :to" } else { "sk BETWEEN :from AND :to" },
            // With a filter a limit would count what is left out.
            limit: u32::try_from(PAGE).ok().filter(|_| filter.is_none()),
            filter,
            values,
            after,
            read: Read::Recent,
        }
    }
}

/// The entry, for a transaction with what it is about.
pub(crate) fn item(tenant: &TenantId, audit: Audit<'_>, at: Timestamp) -> Result<Item> {
    item_at(tenant, audit, at, u32::from_le_bytes(crate::random()?))
}

fn item_at(tenant: &TenantId, audit: Audit<'_>, at: Timestamp, place: u32) -> Result<Item> {
    debug_assert!(audit.command.parse::<Action>().is_ok(), "`{}` is none of the trail's actions: it has no words", audit.command);
    let fingerprint = audit.account.map(|account| fingerprint(tenant, account));
    let record = AuditRecord {
        at,
        by: audit.by.to_owned(),
        command: audit.command.to_owned(),
        account: fingerprint.clone(),
        customer: None,
        member: audit.member.cloned(),
        thing: audit.thing.map(str::to_owned),
        filter: audit.filter.cloned(),
        network: audit.network.map(str::to_owned),
    };
    let key = keys::audit_record(tenant, at, place);
    let mut item = Record::at(&key)
        .with("record", item::json(&record)?)
        .with("command", text(audit.command))
        .with_some("memberId", audit.member.map(|member| text(member.as_str())))
        .with_some("accountId", audit.account.filter(|_| !audit.is_gone).map(|account| text(account.as_str())))
        .with(EXPIRES_AT, seconds(at + KEPT));
    if let Some(fingerprint) = fingerprint {
        item = item.with(RESULTS_PARTITION_KEY, text(keys::audit_of_account(tenant, &fingerprint))).with(RESULTS_SORT_KEY, text(key.sk));
    }
    Ok(item.item())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_a_newer_version_says_what_this_one_knows() {
        let record = json!({
            "at": "2026-11-20T12:00:00Z", "by": "Jonas Reuter", "command": "desk tariffs", "why": "asked",
            "filter": { "overdue": true, "street": "Am Markt", "dueUntil": "never" },
        });
        let item = Item::from([("record".into(), text(record.to_string()))]);
        let read = AuditRecord::read(&item).unwrap();
        assert_eq!((read.command.as_str(), read.filter), ("desk tariffs", Some(OpenFilter { overdue: true, ..OpenFilter::default() })));
    }
}
