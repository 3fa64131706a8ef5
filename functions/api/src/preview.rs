//! The portal as it is to be: a browser with a preview's token in a cookie sees the tenant's settings as they were when the preview was asked for, all else as it is.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::config_check::{HELP_FOLDER, TENANT_FILE, TRANSLATIONS_FOLDER};
use domain::ids::TenantId;
use edge::{Code, Cookie, Problem, Request, SameSite};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use store::{Store, Tenant, file_hash};

use crate::error::Result;

/// The life of a preview.
pub(crate) const LIFE: Duration = Duration::from_secs(60 * 60);
/// Bound to the portal's host.
const COOKIE: &str = "__Host-preview";
/// Longest token that is looked up.
const MAX_TOKEN: usize = 100;

/// The files that the preview shows, by hash.
pub(crate) struct Preview(BTreeMap<String, String>);

impl Preview {
    /// The preview whose token the request has.
    pub(crate) async fn of(request: &Request, store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Option<Self>> {
        let Some(token) = request.cookie(COOKIE) else { return Ok(None) };
        Self::by_token(token, store, tenant, now).await
    }

    /// The preview of this token.
    pub(crate) async fn by_token(token: &str, store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Option<Self>> {
        if token.len() > MAX_TOKEN {
            return Ok(None);
        }
        Ok(store.tenant_preview(tenant, token, now).await?.map(Self))
    }

    /// The tenant as it is to be.
    pub(crate) async fn tenant(&self, store: &Store, tenant: &TenantId) -> Result<Tenant> {
        let application = self.document(store, tenant, TENANT_FILE).await?.ok_or(Code::NotFound)?;
        let mut translations = BTreeMap::new();
        for file in self.0.keys() {
            let language = file.strip_prefix(TRANSLATIONS_FOLDER).and_then(|file| file.strip_prefix('/')?.strip_suffix(".json"));
            if let Some(language) = language {
                translations.insert(language.to_owned(), self.document(store, tenant, file).await?.unwrap_or_default());
            }
        }
        let version = file_hash(format!("{:?}", self.0).as_bytes());
        Ok(Tenant { application, translations, version, scheduled_since: Vec::new() })
    }

    /// What a file is to say; none: there is to be no such file.
    pub(crate) async fn document<T: DeserializeOwned>(&self, store: &Store, tenant: &TenantId, file: &str) -> Result<Option<T>> {
        let content = self.content(store, tenant, file).await?;
        Ok(content.map(|content| serde_json::from_slice(&content)).transpose()?)
    }

    /// The content of a file in the drafts.
    pub(crate) async fn content(&self, store: &Store, tenant: &TenantId, file: &str) -> Result<Option<Vec<u8>>> {
        let Some(hash) = self.0.get(file) else { return Ok(None) };
        Ok(Some(store.tenant_file(tenant, hash).await?.ok_or_else(|| Problem::internal("a file of a preview is gone"))?))
    }

    /// The languages that are to have a help text.
    pub(crate) fn help_languages(&self) -> Vec<String> {
        let language = |file: &String| Some(file.strip_prefix(HELP_FOLDER)?.strip_prefix('/')?.strip_suffix(".md")?.to_owned());
        self.0.keys().filter_map(language).collect()
    }

    /// The help text in the first of these languages that is to have one.
    pub(crate) async fn help(&self, store: &Store, tenant: &TenantId, languages: [&str; 2]) -> Result<Option<String>> {
        for language in languages {
            if let Some(text) = self.content(store, tenant, &format!("{HELP_FOLDER}/{language}.md")).await? {
                return Ok(Some(String::from_utf8_lossy(&text).into_owned()));
            }
        }
        Ok(None)
    }
}

/// The cookie that shows the preview of this token; without one, what is in effect again.
pub(crate) fn cookie(token: Option<&str>) -> Cookie<'_> {
    Cookie { name: COOKIE, value: token.unwrap_or("-"), path: "/", same_site: SameSite::Lax, life: token.map_or(Duration::ZERO, |_| LIFE) }
}
