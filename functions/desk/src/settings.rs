//! What a tenant may set itself: the files of its bundle, changed one by one as drafts, put into effect together, and taken back to any version.

use std::collections::BTreeMap;

use domain::config::Application;
use domain::config_check::{LOGO_FILE, LOGO_MAX_BYTES, TENANT_FILE};
use domain::fault::FileFault;
use domain::ids::{MemberId, TenantId};
use domain::network::Reach;
use domain::text;
use jiff::Timestamp;
use store::{NewVersion, Onto, Store, StoreError, TenantBundle, TenantDraft, TenantFiles, TenantVersion, file_hash};

use crate::exports::schedule;
use crate::opening::Opening;
use crate::platform::Deployed;
use crate::{Failure, at_once, bundle, opening, patiently};

/// Most versions that are listed.
pub const MOST_VERSIONS: u32 = 100;

/// A tenant's settings.
#[derive(Debug)]
pub struct Settings {
    /// Hash of the bundle that is in effect.
    pub version: String,
    /// Its files.
    pub files: TenantFiles,
    /// The drafts of files.
    pub drafts: Vec<Draft>,
    /// What is wrong with the files as they are to be.
    pub faults: Vec<FileFault>,
    /// The bundle that they are; none with faults.
    pub proposed: Option<TenantBundle>,
    /// What it takes to leave the rehearsal, as the files are to be; none: the tenant is in none, or they cannot be read.
    pub opening: Option<Opening>,
    application: Application,
}

/// A draft of a file.
#[derive(Debug)]
pub struct Draft {
    /// The stored draft, with its author, time and base.
    pub draft: TenantDraft,
    /// The content that it is to have; none: there is to be no such file.
    pub content: Option<Vec<u8>>,
    /// The file in effect is not the one that it was written from any more.
    pub is_outdated: bool,
}

/// The person who changes settings.
#[derive(Debug, Clone, Copy)]
pub struct Editor<'a> {
    /// The person's name.
    pub by: &'a str,
    /// The member.
    pub member: &'a MemberId,
    /// The time of the change.
    pub at: Timestamp,
}

impl Settings {
    /// What was shown, as one word: the request that puts it into effect repeats it.
    pub fn state(&self) -> String {
        let drafts = self.drafts.iter().map(|Draft { draft, .. }| format!("{}={:?}<{:?}", draft.file, draft.hash, draft.base));
        file_hash(drafts.fold(self.version.clone(), |state, draft| state + "\n" + &draft).as_bytes())
    }

    /// Whether what was shown is what there is, and can be put into effect.
    pub fn is_ready(&self, shown: &str) -> bool {
        self.proposed.is_some() && self.state() == shown && !self.drafts.iter().any(|draft| draft.is_outdated)
    }

    /// Hashes of all files as they are to be.
    pub fn hashes(&self) -> BTreeMap<String, String> {
        let drafted = self.drafts.iter().map(|Draft { draft, .. }| &draft.file);
        self.files.keys().chain(drafted).filter_map(|file| Some((file.clone(), self.hash(file)?))).collect()
    }

    /// Hash of the file as it is to be.
    pub fn hash(&self, file: &str) -> Option<String> {
        match self.draft(file) {
            Some(draft) => draft.hash.clone(),
            None => self.files.get(file).map(|content| file_hash(content)),
        }
    }

    fn draft(&self, file: &str) -> Option<&TenantDraft> {
        self.drafts.iter().map(|Draft { draft, .. }| draft).find(|draft| draft.file == file)
    }

    fn new_draft(&self, file: &str, content: Option<&[u8]>, editor: Editor<'_>) -> TenantDraft {
        TenantDraft {
            file: file.to_owned(),
            hash: content.map(file_hash),
            base: self.files.get(file).map(|content| file_hash(content)),
            by: editor.by.to_owned(),
            at: editor.at,
        }
    }
}

/// The tenant's settings, whose own systems are within `reach`.
///
/// # Errors
/// [`Failure::TenantUnknown`], [`Failure::Store`].
pub async fn read(store: &Store, tenant: &TenantId, reach: Reach, now: Timestamp) -> Result<Settings, Failure> {
    let (live, version) = at_once(store.tenant_in_effect(tenant)).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let stored = at_once(store.tenant_drafts(tenant)).await?;
    let hashes = stored.iter().filter_map(|draft| Some((draft.file.clone(), draft.hash.clone()?))).collect();
    let mut contents = at_once(store.tenant_files(tenant, &hashes)).await?;
    let files = at_once(async { live.files() }).await?;
    let mut drafts = Vec::new();
    for draft in stored {
        let is_outdated = !is_in_effect(store, tenant, &draft, files.get(&draft.file).map(Vec::as_slice)).await?;
        drafts.push(Draft { content: contents.remove(&draft.file), is_outdated, draft });
    }

    let mut proposed = files.clone();
    for Draft { draft, content, .. } in &drafts {
        match content {
            Some(content) => drop(proposed.insert(draft.file.clone(), content.clone())),
            None => drop(proposed.remove(&draft.file)),
        }
    }
    let mut opening = None;
    let (proposed, faults) = match bundle::read(&proposed, Vec::new(), reach) {
        Err(faults) => (None, faults),
        Ok(bundle) => {
            let mut faults = set_by_the_platform(&live.application, &bundle.application);
            faults.extend(schedule::unknown_seasons(store, &bundle.application).await?);
            if live.application.rehearsal {
                let found = opening::of(store, &bundle, now).await?;
                if !bundle.application.rehearsal {
                    faults.extend(opening::fault(&found.steps));
                }
                opening = Some(found);
            }
            (faults.is_empty().then_some(bundle), faults)
        }
    };
    Ok(Settings { version, files, drafts, faults, proposed, opening, application: live.application })
}

/// Whether the file in effect says what the draft was written from; a newer program, which knows more settings, writes the same otherwise.
async fn is_in_effect(store: &Store, tenant: &TenantId, draft: &TenantDraft, live: Option<&[u8]>) -> Result<bool, Failure> {
    let (Some(base), Some(live)) = (&draft.base, live) else { return Ok(draft.base.is_none() && live.is_none()) };
    if *base == file_hash(live) {
        return Ok(true);
    }
    let before = at_once(store.tenant_file(tenant, base)).await?;
    Ok(before.is_some_and(|before| bundle::canonical(&draft.file, &before) == *live))
}

/// Keeps what a file is to have, or that it is to go; `seen` is the hash of what it had for the member who changed it. What the platform sets is taken from what is in
/// effect when that has changed since the file was drafted.
///
/// # Errors
/// [`Failure::Refused`] for a file that a folder does not have, or one that is too large; [`Failure::Stale`] when it has changed meanwhile; [`Failure::Store`].
pub async fn draft(
    store: &Store,
    tenant: &TenantId,
    settings: &Settings,
    (file, content): (&str, Option<&[u8]>),
    seen: Option<&str>,
    editor: Editor<'_>,
) -> Result<(), Failure> {
    if !bundle::is_file(file) {
        return Err(Failure::Refused(text!("diese Datei gibt es nicht", "there is no such file")));
    }
    let most = if file == LOGO_FILE { LOGO_MAX_BYTES } else { bundle::TEXT_MAX_BYTES };
    if content.is_some_and(|content| content.len() > most) {
        return Err(Failure::Refused(text!("mehr als {most} KB", "more than {most} KB", most = most / 1024)));
    }
    let content = content.map(|content| bundle::canonical(file, content));
    let renewed = content.clone().map(|content| if file == TENANT_FILE { renewed(&settings.application, content) } else { content });
    let is_outdated = settings.drafts.iter().any(|of| of.draft.file == file && of.is_outdated);
    let there = settings.hash(file);
    if there.as_deref() != seen {
        // The same request comes again when its answer was lost.
        let is_kept = [&content, &renewed].into_iter().any(|content| there == content.as_deref().map(file_hash));
        return if is_kept && !is_outdated { Ok(()) } else { Err(Failure::Stale) };
    }
    let content = if is_outdated { renewed } else { content };
    let draft = settings.new_draft(file, content.as_deref(), editor);
    keep(store, tenant, settings, vec![(draft, content)]).await
}

/// Makes drafts of a version's files, so that putting them into effect takes the tenant back to it; other drafts go, as they were shown. What the platform sets
/// stays as it is.
///
/// # Errors
/// [`Failure::Stale`] when something else is in effect or drafted than what was shown; [`Failure::Store`].
pub async fn go_back(
    store: &Store,
    tenant: &TenantId,
    settings: &Settings,
    (version, shown): (&TenantVersion, &str),
    editor: Editor<'_>,
) -> Result<(), Failure> {
    let mut files = at_once(store.tenant_files(tenant, &version.files)).await?;
    for (file, content) in &mut files {
        *content = bundle::canonical(file, content);
    }
    if let Some(content) = files.get_mut(TENANT_FILE)
        && let Some(mut before) = bundle::application(content)
    {
        keep_what_the_platform_sets(&settings.application, &mut before);
        // To look at what was is no reason to stop the mails of a tenant that is open since.
        before.rehearsal = settings.application.rehearsal;
        *content = serde_json::to_vec(&before).unwrap_or_default();
    }
    if settings.state() != shown {
        // The same request comes again when its answer was lost.
        let wanted = files.iter().map(|(file, content)| (file.clone(), file_hash(content))).collect();
        return if settings.hashes() == wanted { Ok(()) } else { Err(Failure::Stale) };
    }
    let of_drafts = settings.drafts.iter().map(|Draft { draft, .. }| &draft.file);
    let mut names: Vec<_> = settings.files.keys().chain(files.keys()).chain(of_drafts).cloned().collect();
    names.sort();
    names.dedup();
    let drafts = names.into_iter().map(|file| {
        let content = files.remove(&file);
        (settings.new_draft(&file, content.as_deref(), editor), content)
    });
    let drafts = drafts.filter(|(draft, _)| draft.hash != draft.base || settings.draft(&draft.file).is_some()).collect();
    keep(store, tenant, settings, drafts).await
}

/// Puts all drafts into effect, as they were shown. To ask for the same again puts nothing into effect twice.
///
/// # Errors
/// [`Failure::Refused`] with faults, or with a draft of a file that is not in effect any more; [`Failure::Stale`] when something else is in effect or drafted than what was shown; [`Failure::Store`].
pub async fn apply(store: &Store, settings: &Settings, shown: &str, editor: Editor<'_>) -> Result<(), Failure> {
    if settings.state() != shown {
        let versions = at_once(store.tenant_versions(&settings.application.application_id, 1)).await?;
        let is_done = versions.first().is_some_and(|version| version.shown.as_deref() == Some(shown));
        return if is_done { Ok(()) } else { Err(Failure::Stale) };
    }
    let refused = |text| Err(Failure::Refused(text));
    if settings.drafts.iter().any(|draft| draft.is_outdated) {
        return refused(text!("eine Datei wurde inzwischen anders geändert", "has a draft of a file that was changed meanwhile"));
    }
    let Some(proposed) = &settings.proposed else {
        return refused(text!("die Dateien haben Fehler", "has faults, which the settings list"));
    };
    let drafts: Vec<_> = settings.drafts.iter().map(|Draft { draft, .. }| draft.clone()).collect();
    let new = NewVersion {
        by: editor.by,
        member: Some(editor.member),
        at: editor.at,
        onto: Some(Onto { version: &settings.version, drafts: &drafts, shown: Some(shown) }),
        is_first: false,
    };
    stale(store.apply_tenant(proposed, new).await).map(drop)
}

/// The outcome of bringing a bundle.
#[derive(Debug)]
pub enum Brought {
    /// It is in effect.
    Applied {
        /// It is another one than before.
        changed: bool,
    },
    /// A member put this one into effect at the desk, and it is none of what was brought.
    OfDesk(TenantVersion),
}

/// Puts a whole bundle into effect; what was put into effect at the desk, and says something else, is replaced only if it is the version `over_desk`.
///
/// # Errors
/// The store's.
pub async fn bring(store: &Store, bundle: &TenantBundle, over_desk: Option<&str>, by: &str) -> Result<Brought, Failure> {
    // A caller who is overtaken looks again at what is in effect.
    Ok(patiently(|| try_to_bring(store, bundle, over_desk, by)).await?)
}

async fn try_to_bring(store: &Store, bundle: &TenantBundle, over_desk: Option<&str>, by: &str) -> Result<Brought, StoreError> {
    let id = &bundle.application.application_id;
    let live = store.tenant_in_effect(id).await?;
    let last = store.tenant_versions(id, 1).await?.into_iter().next();
    if let (Some((live, version)), Some(last)) = (&live, last)
        && last.member.is_some()
        && over_desk != Some(version)
        && live.files()? != bundle.files()?
    {
        return Ok(Brought::OfDesk(last));
    }
    let onto = live.as_ref().map(|(_, version)| Onto { version, drafts: &[], shown: None });
    let applied = store.apply_tenant(bundle, NewVersion { is_first: onto.is_none(), onto, ..NewVersion::by(by) }).await?;
    Ok(Brought::Applied { changed: applied.changed })
}

/// Forgets all drafts, as they were shown; where there is none, nothing is left to be done.
///
/// # Errors
/// As [`go_back`].
pub async fn discard(store: &Store, tenant: &TenantId, settings: &Settings, shown: &str) -> Result<(), Failure> {
    if settings.drafts.is_empty() {
        return Ok(());
    }
    if settings.state() != shown {
        return Err(Failure::Stale);
    }
    let drafts: Vec<_> = settings.drafts.iter().map(|Draft { draft, .. }| draft.clone()).collect();
    stale(store.forget_tenant_drafts(tenant, &drafts).await)
}

async fn keep(store: &Store, tenant: &TenantId, settings: &Settings, drafts: Vec<(TenantDraft, Option<Vec<u8>>)>) -> Result<(), Failure> {
    let seen: Vec<_> = settings.drafts.iter().map(|Draft { draft, .. }| draft.clone()).collect();
    stale(store.put_tenant_drafts(tenant, &drafts, &seen).await)
}

fn stale<T>(done: Result<T, StoreError>) -> Result<T, Failure> {
    done.map_err(|error| if error == StoreError::Conflict { Failure::Stale } else { error.into() })
}

/// What a deployment knows of the tenant, and so a tenant cannot set by itself: who it is, where it is reached, what it sends mail from, and by whom its members log in (D-SETTINGS-3).
fn set_by_the_platform(live: &Application, new: &Application) -> Vec<FileFault> {
    let sender = |application: &Application| application.communication_settings.sender_email.clone();
    let kept = [
        ("applicationId", live.application_id == new.application_id),
        ("hosts", live.hosts == new.hosts),
        ("portalUrl", live.portal_url == new.portal_url),
        ("communicationSettings.senderEmail", sender(live) == sender(new)),
        ("desk.login", live.desk.login == new.desk.login),
    ];
    let reason = || {
        text!("legt fest, wer das Portal betreibt; hier bleibt es, wie es ist", "is set by whoever runs the portal; here it stays as it is")
    };
    kept.into_iter().filter(|(_, is_kept)| !is_kept).map(|(path, _)| FileFault::new(TENANT_FILE, path, reason())).collect()
}

/// `tenant.json` with what the platform sets as it is in effect; unchanged where it cannot be read.
fn renewed(live: &Application, content: Vec<u8>) -> Vec<u8> {
    let Some(mut application) = bundle::application(&content) else { return content };
    keep_what_the_platform_sets(live, &mut application);
    serde_json::to_vec(&application).unwrap_or(content)
}

fn keep_what_the_platform_sets(live: &Application, before: &mut Application) {
    before.application_id.clone_from(&live.application_id);
    Deployed::of(live).write_to(before);
    before.desk.login.clone_from(&live.desk.login);
}
