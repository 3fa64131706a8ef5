//! Files that were sent to be imported, and the mappings that a tenant keeps for the next ones.

use domain::ids::{MemberId, TenantId, UploadId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::db::Read;
use crate::item::{Fields, Record, json, seconds};
use crate::keys;
use crate::table::EXPIRES_AT;
use crate::{ImportKind, Result, RunFiles, Store};

/// A file that a member sends to be imported; the bucket has what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportFile {
    /// Its id.
    pub id: UploadId,
    /// What it is called, without its folder.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// The kind of its lines.
    pub kind: ImportKind,
    /// The member who sends it.
    pub member: MemberId,
    /// The member's name.
    pub by: String,
    /// Since when.
    pub at: Timestamp,
}

/// A mapping that a tenant keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptMapping {
    /// Its name.
    pub name: String,
    /// The kind of lines of its files.
    pub kind: ImportKind,
    /// The document.
    pub mapping: String,
    /// The name of the member who kept it.
    pub by: String,
    /// The time at which it was kept.
    pub at: Timestamp,
}

impl ImportKind {
    /// As imports are listed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accounts => "accounts",
            Self::Jobs => "jobs",
            Self::Readings => "readings",
        }
    }
}

impl Store {
    /// Remembers a file as long as the bucket keeps it.
    pub async fn put_import_file(&self, tenant: &TenantId, file: &ImportFile) -> Result<()> {
        let end = file.at + SignedDuration::from_hours(24 * i64::from(RunFiles::DAYS));
        let item = Record::at(&keys::import_file(tenant, &file.id)).with("file", json(file)?).with(EXPIRES_AT, seconds(end));
        self.put(item.item()).await
    }

    /// A file that was sent.
    pub async fn import_file(&self, tenant: &TenantId, id: &UploadId) -> Result<Option<ImportFile>> {
        self.get(&keys::import_file(tenant, id), Read::Latest).await?.map(|item| Fields(&item).json("file")).transpose()
    }

    /// Keeps a mapping, in place of one of the same kind and name.
    pub async fn keep_mapping(&self, tenant: &TenantId, mapping: &KeptMapping) -> Result<()> {
        let key = keys::kept_mapping(tenant, mapping.kind.name(), &mapping.name);
        self.put(Record::at(&key).with("kept", json(mapping)?).item()).await
    }

    /// Forgets a mapping that is kept.
    pub async fn forget_mapping(&self, tenant: &TenantId, kind: ImportKind, name: &str) -> Result<()> {
        self.delete(&keys::kept_mapping(tenant, kind.name(), name), None).await
    }

    /// The mappings that the tenant keeps, by kind and name.
    pub async fn kept_mappings(&self, tenant: &TenantId) -> Result<Vec<KeptMapping>> {
        self.whole_partition(&keys::kept_mappings(tenant)).await?.iter().map(|item| Fields(item).json("kept")).collect()
    }
}
