//! Tenants: their application config, texts, logo and hosts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::iter;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::clearing::METER_CHANGED_TEXT;
use domain::config::{Application, ContactInformationItem, MeterReadingInstruction, ScheduledExport};
use domain::ids::TenantId;
use domain::preset::Preset;
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read};
use crate::item::{Fields, Item, Record, bytes, flag, json, text};
use crate::keys::{self, Key};
use crate::table::SORT_KEY;
use crate::tx::{Condition, Tx};
use crate::versions::{NewVersion, put_version};
use crate::{Result, Store, StoreError};

/// How long a process may go on with what it knows of a tenant.
const KEPT: Duration = Duration::from_secs(60);
/// Longest host name of the DNS.
const MAX_HOST: usize = 253;

/// What every request of a tenant needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Tenant {
    /// The validated config.
    pub application: Application,
    /// The tenant's own texts: language -> key -> text.
    pub translations: BTreeMap<String, BTreeMap<String, String>>,
    /// Hash of the whole bundle; changes with any part of it.
    pub version: String,
    /// Since when each of the exports by schedule is in effect, in their order.
    pub scheduled_since: Vec<Timestamp>,
}

/// Everything that `tenant apply` brings, already validated.
#[derive(Debug, Clone, PartialEq)]
pub struct TenantBundle {
    /// `tenant.json`.
    pub application: Application,
    /// `translations/<lang>.json`.
    pub translations: BTreeMap<String, BTreeMap<String, String>>,
    /// `help/<lang>.md`.
    pub help: BTreeMap<String, String>,
    /// `contact.json`.
    pub contact: Vec<ContactInformationItem>,
    /// `instructions.json`.
    pub instructions: Vec<MeterReadingInstruction>,
    /// `exports.json`.
    pub presets: BTreeMap<String, Preset>,
    /// `logo.png`, at most 200 KB.
    pub logo: Vec<u8>,
    /// Square icons made of the logo: side in pixels -> PNG.
    pub icons: BTreeMap<u16, Vec<u8>>,
}

/// The result of applying a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// False: the same bundle was stored already, nothing was written.
    pub changed: bool,
}

/// A tenant's logo, or one of its icons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// The image.
    pub png: Vec<u8>,
    /// Hash of the image, without quotes.
    pub etag: String,
}

impl TenantBundle {
    /// Hash of the whole bundle.
    pub fn version(&self) -> Result<String> {
        #[derive(Serialize)]
        struct Parts<'a> {
            application: &'a Application,
            translations: &'a BTreeMap<String, BTreeMap<String, String>>,
            help: &'a BTreeMap<String, String>,
            contact: &'a [ContactInformationItem],
            instructions: &'a [MeterReadingInstruction],
            presets: &'a BTreeMap<String, Preset>,
            logo: String,
            icons: Vec<String>,
        }
        let parts = Parts {
            application: &self.application,
            translations: &self.translations,
            help: &self.help,
            contact: &self.contact,
            instructions: &self.instructions,
            presets: &self.presets,
            logo: keys::sha256_hex(&self.logo),
            icons: self.icons.values().map(|png| keys::sha256_hex(png)).collect(),
        };
        let document =
            serde_json::to_vec(&parts).map_err(|error| StoreError::Internal { operation: "tenant", reason: error.to_string() })?;
        Ok(keys::sha256_hex(&document))
    }

    /// Every item of the tenant, without the config itself.
    fn items(&self) -> Result<Vec<(&'static str, Key, Item)>> {
        let t = &self.application.application_id;
        let mut items = Vec::new();
        let mut add = |what, key: Key, value| {
            let item = Record::at(&key).with(DOCUMENT, value).item();
            items.push((what, key, item));
        };
        for (language, texts) in &self.translations {
            add("the translation file", keys::translations(t, language), json(texts)?);
        }
        for (language, markdown) in &self.help {
            add("the help file", keys::help(t, language), text(markdown));
        }
        add("contact.json", keys::contact(t), json(&self.contact)?);
        add("instructions.json", keys::instructions(t), json(&self.instructions)?);
        if !self.presets.is_empty() {
            add("exports.json", keys::presets(t), json(&self.presets)?);
        }
        let pictures = self.icons.iter().map(|(side, png)| ("an icon", keys::icon(t, *side), png));
        for (what, key, png) in [("logo.png", keys::logo(t), &self.logo)].into_iter().chain(pictures) {
            let item = Record::at(&key).with("png", bytes(png.as_slice())).with("etag", text(keys::sha256_hex(png))).item();
            items.push((what, key, item));
        }
        Ok(items)
    }
}

const DOCUMENT: &str = "document";
/// In the list of all tenants: this one has a webhook. A worker that goes by it every minute reads no tenant that has none.
pub(crate) const WEBHOOK: &str = "webhook";
/// The same: exports of this one go out by themselves.
pub(crate) const SCHEDULE: &str = "schedule";
const VERSION: &str = "version";
const SCHEDULED_SINCE: &str = "scheduledSince";

impl Store {
    /// The tenant whose portal is reached under this host name (lower case, no port). Kept in the process for 60 s.
    pub async fn tenant_by_host(&self, host: &str) -> Result<Option<Arc<Tenant>>> {
        if host.len() > MAX_HOST {
            return Ok(None);
        }
        let known = self.tenants.hosts.get(host);
        let id = match known {
            Some(id) => id,
            None => {
                let Some(item) = self.get(&keys::host(host), Read::Recent).await? else { return Ok(None) };
                let id: TenantId = Fields(&item).parsed("tenant")?;
                self.tenants.hosts.keep(host.to_owned(), id.clone());
                id
            }
        };
        self.tenant(&id).await
    }

    /// The tenant, kept in the process for 60 s.
    pub async fn tenant(&self, tenant: &TenantId) -> Result<Option<Arc<Tenant>>> {
        if let Some(tenant) = self.tenants.tenants.get(tenant) {
            return Ok(Some(tenant));
        }
        let Some(found) = self.read_tenant(tenant, Read::Recent).await?.map(Arc::new) else { return Ok(None) };
        self.tenants.tenants.keep(tenant.clone(), found.clone());
        Ok(Some(found))
    }

    /// The tenant as it is in effect now.
    pub async fn tenant_now(&self, tenant: &TenantId) -> Result<Option<Tenant>> {
        self.read_tenant(tenant, Read::Latest).await
    }

    /// Stores the bundle as a whole, or nothing. A host that another tenant holds is [`StoreError::HostTaken`]; [`StoreError::Conflict`] when something else is in
    /// effect than what it was to replace.
    pub async fn apply_tenant(&self, bundle: &TenantBundle, new: NewVersion<'_>) -> Result<Applied> {
        let version = bundle.version()?;
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.try_apply(bundle, &version, new).await {
                Err(StoreError::Conflict) if new.onto.is_none() && !new.is_first => {}
                Err(error) => return Err(error),
                Ok(applied) => {
                    self.tenants.forget(&bundle.application.application_id);
                    return Ok(applied);
                }
            }
        }
        Err(StoreError::Conflict)
    }

    /// Everything that `tenant apply` stored.
    pub async fn tenant_bundle(&self, t: &TenantId) -> Result<Option<TenantBundle>> {
        Ok(self.tenant_in_effect(t).await?.map(|(bundle, _)| bundle))
    }

    /// The same with the version that it got when it was put into effect; a newer program, which knows more settings, may compute another one.
    pub async fn tenant_in_effect(&self, t: &TenantId) -> Result<Option<(TenantBundle, String)>> {
        let Some(tenant) = self.read_tenant(t, Read::Latest).await? else { return Ok(None) };
        let Tenant { application, translations, version, .. } = tenant;
        let mut bundle = TenantBundle {
            application,
            translations,
            help: BTreeMap::new(),
            contact: Vec::new(),
            instructions: Vec::new(),
            presets: BTreeMap::new(),
            logo: Vec::new(),
            icons: BTreeMap::new(),
        };
        let help = keys::help(t, "").sk;
        for item in self.read_items(t, None, Read::Latest).await? {
            let fields = Fields(&item);
            let sk = fields.text(SORT_KEY)?;
            if let Some(language) = sk.strip_prefix(&help) {
                bundle.help.insert(language.to_owned(), fields.text(DOCUMENT)?.to_owned());
            } else if sk == keys::contact(t).sk {
                bundle.contact = fields.json(DOCUMENT)?;
            } else if sk == keys::instructions(t).sk {
                bundle.instructions = fields.json(DOCUMENT)?;
            } else if sk == keys::presets(t).sk {
                bundle.presets = fields.json(DOCUMENT)?;
            } else if sk == keys::logo(t).sk {
                bundle.logo = fields.bytes("png")?.to_vec();
            } else if let Some(side) = sk.strip_prefix(keys::ICON).and_then(|side| side.parse().ok()) {
                bundle.icons.insert(side, fields.bytes("png")?.to_vec());
            }
        }
        Ok(Some((bundle, version)))
    }

    /// The tenant's logo.
    pub async fn logo(&self, tenant: &TenantId) -> Result<Option<Logo>> {
        self.picture(&keys::logo(tenant)).await
    }

    /// The tenant's icon of so many pixels a side.
    pub async fn icon(&self, tenant: &TenantId, side: u16) -> Result<Option<Logo>> {
        self.picture(&keys::icon(tenant, side)).await
    }

    async fn picture(&self, key: &Key) -> Result<Option<Logo>> {
        let item = self.get(key, Read::Recent).await?;
        item.map(|item| {
            let fields = Fields(&item);
            Ok(Logo { png: fields.bytes("png")?.to_vec(), etag: fields.text("etag")?.to_owned() })
        })
        .transpose()
    }

    /// The languages in which the tenant has a help text.
    pub async fn help_languages(&self, tenant: &TenantId) -> Result<Vec<String>> {
        let items = self.read_items(tenant, Some(keys::HELP), Read::Latest).await?;
        let language = |item: &Item| Ok(Fields(item).text(SORT_KEY)?.strip_prefix(keys::HELP).unwrap_or_default().to_owned());
        items.iter().map(language).collect()
    }

    /// The help text (Markdown) in the first of these languages that has one.
    pub async fn help(&self, tenant: &TenantId, languages: [&str; 2]) -> Result<Option<String>> {
        let [wanted, fallback] = languages.map(|language| keys::help(tenant, language));
        let asked = if wanted == fallback { vec![wanted.clone()] } else { vec![wanted.clone(), fallback.clone()] };
        let found = self.get_batch(&asked, Read::Latest).await?;
        let item = found.get(&wanted).or_else(|| found.get(&fallback));
        item.map(|item| Ok(Fields(item).text(DOCUMENT)?.to_owned())).transpose()
    }

    /// The utility's contact data.
    pub async fn contact(&self, tenant: &TenantId) -> Result<Vec<ContactInformationItem>> {
        self.document(&keys::contact(tenant)).await
    }

    /// The tenant's instructions for kinds of meters.
    pub async fn instructions(&self, tenant: &TenantId) -> Result<Vec<MeterReadingInstruction>> {
        self.document(&keys::instructions(tenant)).await
    }

    /// How exports for the tenant's systems look, by name.
    pub async fn presets(&self, tenant: &TenantId) -> Result<BTreeMap<String, Preset>> {
        let item = self.get(&keys::presets(tenant), Read::Latest).await?;
        item.map_or_else(|| Ok(BTreeMap::new()), |item| Fields(&item).json(DOCUMENT))
    }

    /// A list that the tenant brought. It is read consistently, because the tag that it is answered with was read before it.
    async fn document<T: DeserializeOwned>(&self, key: &Key) -> Result<Vec<T>> {
        let item = self.get(key, Read::Latest).await?;
        item.map_or_else(|| Ok(Vec::new()), |item| Fields(&item).json(DOCUMENT))
    }

    async fn try_apply(&self, bundle: &TenantBundle, version: &str, new: NewVersion<'_>) -> Result<Applied> {
        let t = &bundle.application.application_id;
        let before = self.read_items(t, None, Read::Latest).await?;
        let application_key = keys::application(t);
        let before_application = before.iter().find(|item| Fields(item).text(SORT_KEY).is_ok_and(|sk| sk == application_key.sk));
        let (before_version, before_hosts, before_scheduled) = match before_application {
            None => (None, Vec::new(), Vec::new()),
            Some(item) => {
                let application: Application = Fields(item).json(DOCUMENT)?;
                // What is older than its time being kept is as old as can be.
                let since = scheduled_since(item)?.into_iter().chain(iter::repeat(Timestamp::default()));
                let scheduled = application.desk.exports.scheduled.into_iter().zip(since).collect();
                (Some(Fields(item).text(VERSION)?), application.hosts, scheduled)
            }
        };
        if new.onto.is_some_and(|onto| before_version != Some(onto.version)) {
            return Err(StoreError::Conflict);
        }
        if before_version == Some(version) {
            return Ok(Applied { changed: false });
        }
        if new.is_first && before_version.is_some() {
            return Err(StoreError::Conflict);
        }

        // A bundle that is brought as a whole replaces what there is; code that changes a part of it must know all of it.
        if new.member.is_some() && !are_known(t, &before)? {
            return Err(StoreError::NewerVersion);
        }
        let files = bundle.files()?;
        let mut tx = Tx::new(self);
        put_version(&mut tx, t, version, &files, new)?;
        let scheduled = &bundle.application.desk.exports.scheduled;
        let known = |export| before_scheduled.iter().find(|(before, _)| before == export).map(|(_, since)| *since);
        let since: Vec<_> = scheduled.iter().map(|export| known(export).unwrap_or(new.at)).collect();
        let application = Record::at(&application_key)
            .with(DOCUMENT, json(&bundle.application)?)
            .with(VERSION, text(version))
            .with_some(SCHEDULED_SINCE, (!since.is_empty()).then(|| json(&since)).transpose()?)
            .item();
        let unchanged = before_version.map_or_else(
            || Condition::absent(StoreError::Conflict),
            |version| Condition {
                expression: "version = :version",
                values: Item::from([(":version".into(), text(version))]),
                refusal: StoreError::Conflict,
            },
        );
        tx.put("tenant.json", application, Some(unchanged))?;

        let items = bundle.items()?;
        for item in &before {
            let key = Key { pk: keys::tenant(t), sk: Fields(item).text(SORT_KEY)?.to_owned() };
            if key != application_key && !items.iter().any(|(_, kept, _)| *kept == key) {
                tx.delete(&key, None)?;
            }
        }
        for (what, _, item) in items {
            tx.put(what, item, None)?;
        }
        let hosts: BTreeSet<&String> = bundle.application.hosts.iter().collect();
        for &host in &hosts {
            let free = Condition {
                expression: "attribute_not_exists(pk) OR tenant = :tenant",
                values: Item::from([(":tenant".into(), text(t.as_str()))]),
                refusal: StoreError::HostTaken { host: host.clone() },
            };
            tx.put("the host", Record::at(&keys::host(host)).with("tenant", text(t.as_str())).item(), Some(free))?;
        }
        let webhook = bundle.application.webhook.is_some().then(|| flag(true));
        let schedule = (!scheduled.is_empty()).then(|| flag(true));
        let listed = Record::at(&keys::directory(t)).with_some(WEBHOOK, webhook).with_some(SCHEDULE, schedule);
        tx.put("the tenant", listed.item(), None)?;
        for host in before_hosts.iter().filter(|host| !hosts.contains(host)) {
            tx.delete(&keys::host(host), None)?;
        }
        self.keep_version_files(t, &files).await?;
        tx.commit("the tenant").await?;
        Ok(Applied { changed: true })
    }

    async fn read_tenant(&self, t: &TenantId, read: Read) -> Result<Option<Tenant>> {
        let application_key = keys::application(t);
        let mut found = None;
        let mut translations = BTreeMap::new();
        for item in self.read_items(t, Some(keys::CONFIG), read).await? {
            let fields = Fields(&item);
            let sk = fields.text(SORT_KEY)?;
            if sk == application_key.sk {
                found = Some((fields.json(DOCUMENT)?, fields.text(VERSION)?.to_owned(), scheduled_since(&item)?));
            } else if let Some(language) = sk.strip_prefix(keys::TRANSLATIONS) {
                translations.insert(language.to_owned(), fields.json(DOCUMENT)?);
            }
        }
        Ok(found.map(|(application, version, scheduled_since)| Tenant { application, translations, version, scheduled_since }))
    }

    /// The tenant's own items: all, or those whose sort key begins so.
    async fn read_items(&self, t: &TenantId, beginning: Option<&str>, read: Read) -> Result<Vec<Item>> {
        let partition = keys::tenant(t);
        let mut items: Vec<Item> = Vec::new();
        loop {
            let after = items.last().map(|last| Fields(last).text(SORT_KEY).map(|sk| Key { pk: partition.clone(), sk: sk.to_owned() }));
            let after = after.transpose()?;
            let range = Range {
                condition: beginning.map(|_| "begins_with(#sk, :beginning)"),
                values: beginning.map(|beginning| (":beginning".into(), text(beginning))).into_iter().collect(),
                after: after.as_ref(),
                ..Range::default()
            };
            let page = self.query(&partition, range, read).await?;
            items.extend(page.items);
            if !page.more {
                return Ok(items);
            }
        }
    }
}

/// Whether this version knows all that these items of a tenant's say.
fn are_known(t: &TenantId, items: &[Item]) -> Result<bool> {
    for item in items {
        let fields = Fields(item);
        let sk = fields.text(SORT_KEY)?;
        let is_known = if sk == keys::application(t).sk {
            fields.is_known::<Application>(DOCUMENT)?
        } else if sk == keys::contact(t).sk {
            fields.is_known::<Vec<ContactInformationItem>>(DOCUMENT)?
        } else if sk == keys::instructions(t).sk {
            fields.is_known::<Vec<MeterReadingInstruction>>(DOCUMENT)?
        } else if sk == keys::presets(t).sk {
            fields.is_known::<BTreeMap<String, Preset>>(DOCUMENT)?
        } else {
            true
        };
        if !is_known {
            return Ok(false);
        }
    }
    Ok(true)
}

fn scheduled_since(application: &Item) -> Result<Vec<Timestamp>> {
    if application.contains_key(SCHEDULED_SINCE) { Fields(application).json(SCHEDULED_SINCE) } else { Ok(Vec::new()) }
}

/// What a process knows of tenants.
#[derive(Debug, Default)]
pub(crate) struct TenantCache {
    hosts: Kept<String, TenantId>,
    tenants: Kept<TenantId, Arc<Tenant>>,
}

impl Tenant {
    /// The exports by schedule, each with the time since which it is in effect.
    pub fn scheduled(&self) -> impl Iterator<Item = (&ScheduledExport, Timestamp)> {
        self.application.desk.exports.scheduled.iter().zip(self.scheduled_since.iter().copied().chain(iter::repeat(Timestamp::default())))
    }

    /// The tenant's own texts of the comment "meter was changed".
    pub fn meter_changed_texts(&self) -> impl Iterator<Item = &str> {
        self.translations.values().filter_map(|texts| texts.get(METER_CHANGED_TEXT)).map(String::as_str)
    }
}

impl TenantCache {
    fn forget(&self, tenant: &TenantId) {
        self.tenants.retain(|id, _| id != tenant);
        self.hosts.retain(|_, id| id != tenant);
    }
}

/// Values that are good for [`KEPT`]. Only what exists is kept, so that made-up hosts cannot fill the memory.
#[derive(Debug)]
struct Kept<K, V>(Mutex<HashMap<K, (Instant, V)>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
    {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|(since, _)| since.elapsed() < KEPT).map(|(_, value)| value.clone())
    }

    fn keep(&self, key: K, value: V) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (Instant::now(), value));
    }

    fn retain(&self, mut keep: impl FnMut(&K, &V) -> bool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|key, (_, value)| keep(key, value));
    }
}
