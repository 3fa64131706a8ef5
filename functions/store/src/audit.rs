//! Which commands of the operator touched persons' data, when, and by whom.

use domain::ids::{AccountId, TenantId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::item::{Fields, Record, json, seconds};
use crate::table::EXPIRES_AT;
use crate::{Result, Store, fingerprint, keys};

/// How long it is kept: as long as a claim for damages may be made (§ 195 BGB).
const KEPT: SignedDuration = SignedDuration::from_hours(3 * 366 * 24);

/// A command that was carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    /// When it was through.
    pub at: Timestamp,
    /// Who gave it, as the command was told.
    pub by: String,
    /// Its words, without arguments.
    pub command: String,
    /// Whom it was about, by the fingerprint that the list of erasures has too; none: several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
}

impl Store {
    /// Remembers a command; of its account only the fingerprint.
    pub async fn keep_audit(&self, tenant: &TenantId, by: &str, command: &str, account: Option<&AccountId>, at: Timestamp) -> Result<()> {
        let account = account.map(|account| fingerprint(tenant, account));
        let record = AuditRecord { at, by: by.to_owned(), command: command.to_owned(), account };
        let random = u32::from_le_bytes(crate::random()?);
        let item = Record::at(&keys::audit_record(tenant, at, random)).with("record", json(&record)?);
        self.put(item.with(EXPIRES_AT, seconds(at + KEPT)).item()).await
    }

    /// The commands of the last three years, by time.
    pub async fn audit(&self, tenant: &TenantId) -> Result<Vec<AuditRecord>> {
        let items = self.whole_partition(&keys::audit(tenant)).await?;
        items.iter().map(|item| Fields(item).json("record")).collect()
    }
}
