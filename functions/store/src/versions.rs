//! What a tenant's bundle was and what it is to be: versions that were in effect, and drafts of single files.
//!
//! A bundle is a folder's files; what one has is kept by its hash, once for all versions that have it (D-SETTINGS-1).

use std::collections::{BTreeMap, BTreeSet};

use domain::config_check::{CONTACT_FILE, HELP_FOLDER, INSTRUCTIONS_FILE, LOGO_FILE, TENANT_FILE, TRANSLATIONS_FOLDER};
use domain::ids::{MemberId, TenantId};
use domain::preset::EXPORTS_FILE;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::db::Read;
use crate::item::{Fields, Item, Record, bytes, json, seconds};
use crate::table::EXPIRES_AT;
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError, TenantBundle, item, keys};

/// Files of a tenant's folder: bytes by name, such as `help/de-FORMAL.md`.
pub type TenantFiles = BTreeMap<String, Vec<u8>>;

/// A bundle that was put into effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TenantVersion {
    /// The bundle's hash; one that comes back has the same.
    pub version: String,
    /// When.
    pub at: Timestamp,
    /// The name of who did it: a member, or the person or machine of a command.
    pub by: String,
    /// The member; none by a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
    /// Of drafts: what was shown to the member who put them into effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Hash of each of its files.
    pub files: BTreeMap<String, String>,
}

/// One file as a member wants it to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TenantDraft {
    /// The file.
    pub file: String,
    /// Hash of what it is to have; none: there is to be no such file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Hash of the file in effect that it was written from; none: there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The name of who changed it last.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// Author and conditions of a new version.
#[derive(Debug, Clone, Copy)]
pub struct NewVersion<'a> {
    /// The author's name.
    pub by: &'a str,
    /// The member; none for a command.
    pub member: Option<&'a MemberId>,
    /// When.
    pub at: Timestamp,
    /// What it is to replace; none: what is in effect.
    pub onto: Option<Onto<'a>>,
    /// There is to be no such tenant yet.
    pub is_first: bool,
}

/// What the member who puts drafts into effect saw.
#[derive(Debug, Clone, Copy)]
pub struct Onto<'a> {
    /// The version in effect.
    pub version: &'a str,
    /// The drafts.
    pub drafts: &'a [TenantDraft],
    /// Of drafts: all of it as one word, by which the same request is known when it comes again.
    pub shown: Option<&'a str>,
}

impl<'a> NewVersion<'a> {
    /// By a command.
    pub fn by(by: &'a str) -> Self {
        Self { by, member: None, at: Timestamp::now(), onto: None, is_first: false }
    }
}

/// Hash by which a file's content is kept.
pub fn file_hash(content: &[u8]) -> String {
    keys::sha256_hex(content)
}

impl TenantBundle {
    /// The files that say the same as this bundle.
    pub fn files(&self) -> Result<TenantFiles> {
        fn document(value: &impl Serialize) -> Result<Vec<u8>> {
            serde_json::to_vec(value).map_err(|error| StoreError::Internal { operation: "tenant", reason: error.to_string() })
        }
        let mut files = TenantFiles::from([
            (TENANT_FILE.into(), document(&self.application)?),
            (CONTACT_FILE.into(), document(&self.contact)?),
            (INSTRUCTIONS_FILE.into(), document(&self.instructions)?),
            (LOGO_FILE.into(), self.logo.clone()),
        ]);
        if !self.presets.is_empty() {
            files.insert(EXPORTS_FILE.into(), document(&self.presets)?);
        }
        for (language, texts) in &self.translations {
            files.insert(format!("{TRANSLATIONS_FOLDER}/{language}.json"), document(texts)?);
        }
        for (language, help) in &self.help {
            files.insert(format!("{HELP_FOLDER}/{language}.md"), help.clone().into_bytes());
        }
        Ok(files)
    }
}

impl Store {
    /// The versions of the bundle, the newest first.
    pub async fn tenant_versions(&self, tenant: &TenantId, most: u32) -> Result<Vec<TenantVersion>> {
        let items = self.newest(&keys::tenant_versions(tenant), most, None).await?.items;
        items.iter().map(|item| Fields(item).json("applied")).collect()
    }

    /// The files of these hashes.
    pub async fn tenant_files(&self, tenant: &TenantId, hashes: &BTreeMap<String, String>) -> Result<TenantFiles> {
        // Two files may have the same, such as an empty list.
        let wanted: BTreeSet<_> = hashes.values().map(|hash| keys::tenant_file(tenant, hash)).collect();
        let found = self.get_many(&Vec::from_iter(wanted), None, Read::Latest).await?;
        let content = |(file, hash): (&String, &String)| {
            let item = found.get(&keys::tenant_file(tenant, hash));
            let item = item.ok_or_else(|| StoreError::Internal { operation: "tenant", reason: format!("{file} is not kept") })?;
            Ok((file.clone(), Fields(item).bytes("content")?.to_vec()))
        };
        hashes.iter().map(content).collect()
    }

    /// Keeps which files, by hash, the holder of the token may see until then.
    pub async fn put_tenant_preview(
        &self,
        tenant: &TenantId,
        token: &str,
        files: &BTreeMap<String, String>,
        until: Timestamp,
    ) -> Result<()> {
        let key = keys::tenant_preview(tenant, &file_hash(token.as_bytes()));
        self.put(Record::at(&key).with("files", json(files)?).with(EXPIRES_AT, seconds(until)).item()).await
    }

    /// The hashes of the files that the holder of the token may see.
    pub async fn tenant_preview(&self, tenant: &TenantId, token: &str, now: Timestamp) -> Result<Option<BTreeMap<String, String>>> {
        let Some(item) = self.get(&keys::tenant_preview(tenant, &file_hash(token.as_bytes())), Read::Latest).await? else {
            return Ok(None);
        };
        let fields = Fields(&item);
        if fields.number(EXPIRES_AT)? <= now.as_second() { Ok(None) } else { Ok(Some(fields.json("files")?)) }
    }

    /// The content of the file with this hash.
    pub async fn tenant_file(&self, tenant: &TenantId, hash: &str) -> Result<Option<Vec<u8>>> {
        let item = self.get(&keys::tenant_file(tenant, hash), Read::Latest).await?;
        item.map(|item| Ok(Fields(&item).bytes("content")?.to_vec())).transpose()
    }

    /// The drafts of the tenant's files.
    pub async fn tenant_drafts(&self, tenant: &TenantId) -> Result<Vec<TenantDraft>> {
        self.whole_partition(&keys::tenant_drafts(tenant)).await?.iter().map(|item| Fields(item).json("draft")).collect()
    }

    /// Keeps drafts, each with its content, in place of the ones that were `seen` (hash by file); [`StoreError::Conflict`] when there is another one. What is to be as it
    /// is in effect is no draft any more.
    pub async fn put_tenant_drafts(
        &self,
        tenant: &TenantId,
        drafts: &[(TenantDraft, Option<Vec<u8>>)],
        seen: &[TenantDraft],
    ) -> Result<()> {
        for (draft, content) in drafts {
            if let (Some(hash), Some(content)) = (&draft.hash, content) {
                self.keep_tenant_file(tenant, hash, content).await?;
            }
        }
        let mut tx = Tx::new(self);
        for (draft, _) in drafts {
            let key = keys::tenant_draft(tenant, &draft.file);
            let seen = seen.iter().find(|seen| seen.file == draft.file);
            if draft.hash == draft.base {
                if seen.is_some() {
                    tx.delete(&key, Some(is_seen(seen)?))?;
                }
            } else {
                tx.put("the draft", Record::at(&key).with("draft", json(draft)?).item(), Some(is_seen(seen)?))?;
            }
        }
        if tx.is_empty() { Ok(()) } else { tx.commit("the drafts").await }
    }

    /// Forgets drafts as they were seen; [`StoreError::Conflict`] when there is another one.
    pub async fn forget_tenant_drafts(&self, tenant: &TenantId, seen: &[TenantDraft]) -> Result<()> {
        let mut tx = Tx::new(self);
        for draft in seen {
            tx.delete(&keys::tenant_draft(tenant, &draft.file), Some(is_seen(Some(draft))?))?;
        }
        if tx.is_empty() { Ok(()) } else { tx.commit("the drafts").await }
    }

    /// Keeps the files in effect by their hashes, where the version did not: a newer program, which knows more settings, writes them otherwise than the one that put
    /// them into effect.
    pub async fn keep_live_files(&self, tenant: &TenantId, files: &TenantFiles) -> Result<()> {
        let newest = self.tenant_versions(tenant, 1).await?;
        let kept: BTreeSet<_> = newest.iter().flat_map(|version| version.files.values()).collect();
        for content in files.values() {
            let hash = file_hash(content);
            if !kept.contains(&hash) {
                self.keep_tenant_file(tenant, &hash, content).await?;
            }
        }
        Ok(())
    }

    async fn keep_tenant_file(&self, tenant: &TenantId, hash: &str, content: &[u8]) -> Result<()> {
        let item = Record::at(&keys::tenant_file(tenant, hash)).with("content", bytes(content)).item();
        item::check_size("a file of the tenant's", &item)?;
        self.put(item).await
    }

    /// Keeps the files of a bundle that is about to be put into effect.
    pub(crate) async fn keep_version_files(&self, tenant: &TenantId, files: &TenantFiles) -> Result<()> {
        for content in files.values() {
            self.keep_tenant_file(tenant, &file_hash(content), content).await?;
        }
        Ok(())
    }
}

/// The draft is the one that was seen, or there is none as there was none.
fn is_seen(seen: Option<&TenantDraft>) -> Result<Condition> {
    Ok(match seen {
        None => Condition::absent(StoreError::Conflict),
        Some(seen) => {
            Condition { expression: "draft = :seen", values: Item::from([(":seen".into(), json(seen)?)]), refusal: StoreError::Conflict }
        }
    })
}

/// Adds the version to what puts it into effect.
pub(crate) fn put_version(tx: &mut Tx<'_>, tenant: &TenantId, version: &str, files: &TenantFiles, new: NewVersion<'_>) -> Result<()> {
    let applied = TenantVersion {
        version: version.to_owned(),
        at: new.at,
        by: new.by.to_owned(),
        member: new.member.cloned(),
        shown: new.onto.and_then(|onto| onto.shown).map(str::to_owned),
        files: files.iter().map(|(file, content)| (file.clone(), file_hash(content))).collect(),
    };
    let key = keys::tenant_version(tenant, new.at, version);
    tx.put("the version", Record::at(&key).with("applied", json(&applied)?).item(), None)?;
    for draft in new.onto.iter().flat_map(|onto| onto.drafts) {
        tx.delete(&keys::tenant_draft(tenant, &draft.file), Some(is_seen(Some(draft))?))?;
    }
    Ok(())
}
