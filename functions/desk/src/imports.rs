//! The list of imports, and taking one back.

use std::collections::BTreeMap;
use std::io::Read;

use domain::ids::{ImportId, SeasonId, TenantId};
use domain::text;
use domain::text::Text;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use ring::digest::{Context, SHA256};
use serde::Serialize;
use store::{ImportRun, Store, UNDOABLE, Undone};

use crate::import::{Counts, Source};
use crate::{Failure, patiently};

/// How many jobs or accounts are taken back at a time.
const IN_FLIGHT: usize = 8;
/// After so many it is told how far that is.
const BATCH: usize = 100;

/// The kind of an import of readings, which is not taken back as a whole: they are kept, and clerks decide about them.
pub const READINGS: &str = "readings";

/// The record of an import when it begins.
#[derive(Debug, Clone)]
pub struct NewImport<'a> {
    /// Its id; what was begun under the same one before begins anew.
    pub id: ImportId,
    /// The contents of its file: `jobs`, `accounts` or `readings`.
    pub kind: &'static str,
    /// The member or clerk who gave the command.
    pub by: &'a str,
    /// The file's name, without its folder.
    pub file: &'a str,
    /// The season that was named for the file.
    pub season: Option<&'a SeasonId>,
}

/// An id of which there is no other one.
///
/// # Errors
/// The operating system has no random bytes.
pub fn new_id(now: Timestamp) -> Result<ImportId, Failure> {
    let random = u16::from_le_bytes(store::random()?);
    let id = format!("{}-{random:04x}", now.strftime("%Y%m%d-%H%M%S"));
    ImportId::new(id).map_err(|error| Failure::Refused((&error).into()))
}

/// Notes that an import begins.
pub async fn begin(
    store: &Store,
    tenant: &TenantId,
    source: &Source<'_>,
    new: NewImport<'_>,
    now: Timestamp,
) -> Result<ImportRun, Failure> {
    if patiently(|| store.tenant(tenant)).await?.is_none() {
        return Err(Failure::TenantUnknown(tenant.clone()));
    }
    let run = ImportRun {
        id: new.id,
        kind: new.kind.to_owned(),
        by: new.by.to_owned(),
        file: new.file.to_owned(),
        sha256: sha256(source)?,
        season: new.season.cloned(),
        begun: now,
        ended: None,
        counts: BTreeMap::new(),
        undone: None,
    };
    patiently(|| store.put_import(tenant, &run)).await?;
    Ok(run)
}

/// Notes what became of its lines, and that it is through then; not at all, if it was stopped.
pub async fn end(
    store: &Store,
    tenant: &TenantId,
    run: ImportRun,
    (counts, closed): (Counts, Option<u64>),
    ended: Option<Timestamp>,
) -> Result<(), Failure> {
    let Counts { created, updated, unchanged, moved, waiting: _, repeated, faulty } = counts;
    let counts = [
        ("created", created),
        ("updated", updated),
        ("unchanged", unchanged),
        ("moved", moved),
        ("repeated", repeated),
        ("faulty", faulty),
        ("closed", closed.unwrap_or_default()),
    ];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name.to_owned(), count)).collect();
    // A member may have taken back meanwhile what a worker that was not heard of had written.
    let kept = patiently(|| store.imports(tenant)).await?.into_iter().find(|kept| kept.id == run.id);
    let run = ImportRun { ended, counts, undone: kept.and_then(|kept| kept.undone), ..run };
    patiently(|| store.put_import(tenant, &run)).await?;
    Ok(())
}

/// SHA-256 of the file, in hex.
pub(crate) fn sha256(source: &Source<'_>) -> Result<String, Failure> {
    let mut file = (source.open)().map_err(Failure::Unreadable)?;
    let (mut hash, mut bytes) = (Context::new(&SHA256), vec![0; 64 * 1024]);
    loop {
        let read = file.read(&mut bytes).map_err(Failure::Unreadable)?;
        if read == 0 {
            return Ok(hash.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        hash.update(&bytes[..read]);
    }
}

/// The tenant's imports, the latest first.
pub async fn list(store: &Store, tenant: &TenantId) -> Result<Vec<ImportRun>, Failure> {
    if patiently(|| store.tenant(tenant)).await?.is_none() {
        return Err(Failure::TenantUnknown(tenant.clone()));
    }
    let mut imports = patiently(|| store.imports(tenant)).await?;
    imports.sort_by_key(|run| std::cmp::Reverse(run.begun));
    Ok(imports)
}

/// Whether an import can be taken back at this time: it is not too old, and brought in no readings.
pub fn can_be_undone(run: &ImportRun, now: Timestamp) -> bool {
    run.undone.is_none() && run.kind != READINGS && now.duration_since(run.begun) <= UNDOABLE
}

/// The outcome of taking an import back.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct UndoReport {
    /// Jobs or accounts that are gone again.
    pub removed: u64,
    /// Jobs that are what they were before.
    pub restored: u64,
    /// Jobs or accounts that stay as the import made them.
    pub kept: Vec<Kept>,
}

impl UndoReport {
    fn add(&mut self, done: Vec<(String, Undone)>) {
        for (id, undone) in done {
            match undone {
                Undone::Removed => self.removed += 1,
                Undone::Restored => self.restored += 1,
                Undone::Used => self.kept.push(Kept { id, used: true, season: None }),
                Undone::Unknown => self.kept.push(Kept { id, used: false, season: None }),
                Undone::SeasonGone(season) => self.kept.push(Kept { id, used: false, season: Some(season) }),
                Undone::Passed => {}
            }
        }
    }
}

/// A record that stays as an import made it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// The job or the account.
    pub id: String,
    /// It was used since; otherwise `season` says why it stays, or what it was before is not known.
    pub used: bool,
    /// The season that it was of before, and that was deleted since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
}

impl Kept {
    /// The reason why it stays.
    pub fn text(&self) -> Text {
        let id = &self.id;
        match (&self.season, self.used) {
            (Some(season), _) => text!(
                "{id} bleibt: die Ablesesaison `{season}`, zu der der Auftrag vorher gehörte, wurde gelöscht",
                "{id} stays: the season `{season}` that it belonged to before was deleted"
            ),
            (None, true) => text!("{id} bleibt: seither benutzt", "{id} stays: it was used since"),
            (None, false) => text!("{id} bleibt: der frühere Inhalt ist nicht bekannt", "{id} stays: what it was before is not known"),
        }
    }
}

/// Takes an import back as far as what it wrote was not used since. What a later import wrote is that one's, and is not looked at. To be stopped
/// and done again does no harm; what is gone or restored by then is not told again.
pub async fn undo(
    store: &Store,
    tenant: &TenantId,
    id: &ImportId,
    now: Timestamp,
    mut told: impl AsyncFnMut(&UndoReport) -> Result<(), Failure>,
) -> Result<UndoReport, Failure> {
    let run = list(store, tenant).await?.into_iter().find(|run| run.id == *id);
    let run = run.ok_or_else(|| Failure::Refused(text!("es gibt keinen Import `{id}`", "there is no import `{id}`")))?;
    if now.duration_since(run.begun) > UNDOABLE {
        return Err(Failure::Refused(text!(
            "Import `{id}` ist zu alt: was vorher war, wird 90 Tage aufgehoben",
            "import `{id}` is too old: what was before is kept for 90 days"
        )));
    }
    if run.kind == READINGS {
        return Err(Failure::Refused(text!(
            "Import `{id}` enthält Stände: was nicht gelten soll, wird in der Klärung abgelehnt, und der Auftrag ist wieder offen",
            "import `{id}` has readings: what shall not count is rejected in clearing, and the job is open again"
        )));
    }
    let mut report = UndoReport::default();
    if run.kind == "accounts" {
        for some in patiently(|| store.accounts_of_import(tenant, id)).await?.chunks(BATCH) {
            let undone = stream::iter(some).map(|account| async move {
                let undone = patiently(|| store.undo_account(tenant, account, id)).await?;
                Ok::<_, Failure>((account.to_string(), undone))
            });
            report.add(undone.buffered(IN_FLIGHT).try_collect().await?);
            told(&report).await?;
        }
    } else {
        for some in patiently(|| store.jobs_of_import(tenant, id)).await?.chunks(BATCH) {
            let undone = stream::iter(some).map(|(account, job)| async move {
                let undone = patiently(|| store.undo_job(tenant, account, job, id, now)).await?;
                Ok::<_, Failure>((job.to_string(), undone))
            });
            report.add(undone.buffered(IN_FLIGHT).try_collect().await?);
            told(&report).await?;
        }
    }
    report.kept.sort_by(|a, b| a.id.cmp(&b.id));
    let run = ImportRun { undone: Some(now), ..run };
    patiently(|| store.put_import(tenant, &run)).await?;
    Ok(report)
}
