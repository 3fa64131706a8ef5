//! What touched persons' data, by a command of the operator or at the desk: when, and by whom.

use domain::ids::{AccountId, MemberId, TenantId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::db::{Range, Read};
use crate::item::{Fields, Item, Record, json, key_of, seconds, text};
use crate::keys::Key;
use crate::table::EXPIRES_AT;
use crate::{Result, Store, StoreError, fingerprint, keys};

/// Records of one page.
const PAGE: u32 = 500;

/// How long it is kept: as long as a claim for damages may be made (§ 195 BGB).
const KEPT: SignedDuration = SignedDuration::from_hours(3 * 366 * 24);

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    /// When it was through.
    pub at: Timestamp,
    /// Who did it: of a command as it was told, at the desk the member's name.
    pub by: String,
    /// The command's words, without arguments; or what was done at the desk, such as `desk login`.
    pub command: String,
    /// Whom it was about, by the fingerprint that the list of erasures has too; none: several, or nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The member of the staff; none: it was a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
    /// What of the account it was about: the id of a job, a reading, a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<String>,
    /// From where, as the security log's pseudonym has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

/// Some of what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPage {
    /// By time.
    pub records: Vec<AuditRecord>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// Something that is to be remembered; of its account only the fingerprint.
#[derive(Debug, Clone, Copy, Default)]
pub struct Audit<'a> {
    /// As [`AuditRecord::by`].
    pub by: &'a str,
    /// As [`AuditRecord::command`].
    pub command: &'a str,
    /// Whom it is about.
    pub account: Option<&'a AccountId>,
    /// As [`AuditRecord::member`].
    pub member: Option<&'a MemberId>,
    /// As [`AuditRecord::thing`].
    pub thing: Option<&'a str>,
    /// As [`AuditRecord::network`].
    pub network: Option<&'a str>,
}

impl Store {
    /// Remembers what was done at this time.
    pub async fn keep_audit(&self, tenant: &TenantId, audit: Audit<'_>, at: Timestamp) -> Result<()> {
        self.put(item(tenant, audit, at)?).await
    }

    /// Some of what was done from `since` on and before `until`, by time; one query.
    pub async fn audit_page(&self, tenant: &TenantId, since: Timestamp, until: Timestamp, cursor: Option<&str>) -> Result<AuditPage> {
        let (from, to) = (keys::instant(since), keys::instant(until));
        if since >= until {
            return Ok(AuditPage { records: Vec::new(), next_cursor: None });
        }
        let partition = keys::audit(tenant);
        let after = match cursor {
            Some(cursor) if from.as_str() <= cursor && cursor < to.as_str() => Some(Key { pk: partition.clone(), sk: cursor.to_owned() }),
            Some(_) => return Err(StoreError::InvalidCursor),
            None => None,
        };
        let range = Range {
            condition: Some("#sk BETWEEN :from AND :to"),
            values: Item::from([(":from".into(), text(from)), (":to".into(), text(to))]),
            limit: Some(PAGE),
            after: after.as_ref(),
            index: None,
        };
        let page = self.query(&partition, range, Read::Recent).await?;
        let next_cursor = page.items.last().filter(|_| page.more).map(key_of).transpose()?.map(|key| key.sk);
        let records = page.items.iter().map(|item| Fields(item).json("record")).collect::<Result<_>>()?;
        Ok(AuditPage { records, next_cursor })
    }

    /// What was done in the last three years, by time.
    pub async fn audit(&self, tenant: &TenantId) -> Result<Vec<AuditRecord>> {
        let items = self.whole_partition(&keys::audit(tenant)).await?;
        items.iter().map(|item| Fields(item).json("record")).collect()
    }
}

/// The entry, for a transaction with what it is about.
pub(crate) fn item(tenant: &TenantId, audit: Audit<'_>, at: Timestamp) -> Result<Item> {
    let record = AuditRecord {
        at,
        by: audit.by.to_owned(),
        command: audit.command.to_owned(),
        account: audit.account.map(|account| fingerprint(tenant, account)),
        member: audit.member.cloned(),
        thing: audit.thing.map(str::to_owned),
        network: audit.network.map(str::to_owned),
    };
    let random = u32::from_le_bytes(crate::random()?);
    let item = Record::at(&keys::audit_record(tenant, at, random)).with("record", json(&record)?);
    Ok(item.with(EXPIRES_AT, seconds(at + KEPT)).item())
}
