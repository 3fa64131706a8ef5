use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use domain::ids::{ImportId, MemberId, RunId, TenantId, UploadId};
use domain::text::Lang;
use jiff::{Timestamp, ToSpan};
use store::{
    ExportTask, ImportFile, ImportKind, ImportRun, ImportTask, KeptMapping, LettersTask, NewRun, RunFile, RunImport, RunLetters,
    RunOutcome, RunTask, Store,
};

/// The file of [`run`].
pub const FILE_OF_RUN: &str = "readings-00000001.csv";

/// Asks for an export, of the readings of jobs by this preset.
pub async fn ask_for_export(store: &Store, tenant: &TenantId, preset: &str, asked: Timestamp) -> RunId {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let id = RunId::new(format!("run-{}", NEXT.fetch_add(1, Ordering::Relaxed))).unwrap();
    ask_for(
        store,
        tenant,
        id,
        RunTask::Export(ExportTask { without_job: false, season: None, preset: preset.to_owned(), again: None }),
        asked,
    )
    .await
}

/// Asks for a run of this id.
pub async fn ask_for(store: &Store, tenant: &TenantId, id: RunId, task: RunTask, asked: Timestamp) -> RunId {
    let new = NewRun { id: id.clone(), task, member: Some(MemberId::draw([9; 16])), by: "Jonas Reuter".to_owned(), asked };
    store.put_run(tenant, &new).await.unwrap();
    id
}

/// A worker takes the run and notes that it has written [`FILE_OF_RUN`].
pub async fn note_file(store: &Store, tenant: &TenantId, run: &RunId) {
    let now = Timestamp::now();
    store.take_run(tenant, run, "worker", (now, now + 1.minute())).await.unwrap().unwrap();
    let file = RunFile { name: FILE_OF_RUN.to_owned(), bytes: 1, rows: 1, number: Some(1), shortened: 0, replaced: 0, missing: 0 };
    let outcome = RunOutcome { files: vec![file], ..RunOutcome::default() };
    assert!(store.note_run_outcome(tenant, run, "worker", (&outcome, true)).await.unwrap());
}

/// A run that goes on and has written its file.
pub async fn run(store: &Store, tenant: &TenantId) -> RunId {
    let run = ask_for_export(store, tenant, "plain", Timestamp::now()).await;
    note_file(store, tenant, &run).await;
    run
}

/// The import of a table of jobs that was sent as this file, by this mapping.
pub fn import_task(file: &UploadId, mapping: &str) -> ImportTask {
    ImportTask {
        file: file.clone(),
        name: "jobs.csv".to_owned(),
        kind: ImportKind::Jobs,
        mapping: Some(mapping.to_owned()),
        season: None,
        closes_missing: false,
        channel: None,
        late: None,
        lang: Lang::De,
    }
}

/// A rehearsal that is done of a file of which nothing arrived.
pub async fn rehearsal(store: &Store, tenant: &TenantId) -> (UploadId, RunId) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (id, now) = (NEXT.fetch_add(1, Ordering::Relaxed), Timestamp::now());
    let file = UploadId::new(format!("file-{id}")).unwrap();
    let (member, name, by) = (MemberId::draw([9; 16]), "jobs.csv".to_owned(), "Jonas Reuter".to_owned());
    let sent = ImportFile { id: file.clone(), name, bytes: 1, kind: ImportKind::Jobs, member, by, at: now };
    store.put_import_file(tenant, &sent).await.unwrap();
    let task = RunTask::Rehearsal(import_task(&file, r#"{"columns":{"id":"Auftrag"}}"#));
    let run = ask_for(store, tenant, RunId::new(format!("rehearsal-{id}")).unwrap(), task, now).await;
    store.take_run(tenant, &run, "worker", (now, now + 1.minute())).await.unwrap().unwrap();
    let outcome = RunOutcome { import: Some(RunImport::default()), ..RunOutcome::default() };
    assert!(store.end_run(tenant, &run, "worker", Ok(&outcome), now).await.unwrap());
    (file, run)
}

/// Letters that are drawn, and about which nothing is decided; there is none in them.
pub async fn drawn_letters(store: &Store, tenant: &TenantId) -> RunId {
    let (run, now) = letters_on_their_way(store, tenant).await;
    let outcome = RunOutcome { letters: Some(RunLetters::default()), ..RunOutcome::default() };
    assert!(store.end_run(tenant, &run, "worker", Ok(&outcome), now).await.unwrap());
    run
}

/// A run that was cancelled when it had drawn a letter.
pub async fn cancelled_letters(store: &Store, tenant: &TenantId) {
    let (run, now) = letters_on_their_way(store, tenant).await;
    let letters = RunLetters { letters: 1, ..RunLetters::default() };
    let outcome = RunOutcome { letters: Some(letters), ..RunOutcome::default() };
    assert!(store.note_run_outcome(tenant, &run, "worker", (&outcome, true)).await.unwrap());
    assert!(store.cancel_run(tenant, &run, now).await.unwrap());
}

/// A run of letters that a worker has.
async fn letters_on_their_way(store: &Store, tenant: &TenantId) -> (RunId, Timestamp) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (id, now) = (RunId::new(format!("letters-{}", NEXT.fetch_add(1, Ordering::Relaxed))).unwrap(), Timestamp::now());
    let task =
        LettersTask { season: None, filter: None, only_without_mail: false, accounts: Vec::new(), reply_cards: false, lang: Lang::De };
    let run = ask_for(store, tenant, id, RunTask::Letters(task), now).await;
    store.take_run(tenant, &run, "worker", (now, now + 1.minute())).await.unwrap().unwrap();
    (run, now)
}

/// An import of a rehearsal, which a worker has, and which was cancelled.
pub async fn stopping_import(store: &Store, tenant: &TenantId) -> RunId {
    let (file, rehearsal) = rehearsal(store, tenant).await;
    let (id, now) = (RunId::new(format!("{rehearsal}-import")).unwrap(), Timestamp::now());
    let task = RunTask::Import { rehearsal, task: import_task(&file, r#"{"columns":{"id":"Auftrag"}}"#) };
    let run = ask_for(store, tenant, id, task, now).await;
    store.take_run(tenant, &run, "worker", (now, now + 1.minute())).await.unwrap().unwrap();
    assert!(store.cancel_run(tenant, &run, now).await.unwrap());
    run
}

/// An import of accounts that brought none.
pub async fn import_of_accounts(store: &Store, tenant: &TenantId) -> ImportId {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let run = ImportRun {
        id: ImportId::new(format!("import-{}", NEXT.fetch_add(1, Ordering::Relaxed))).unwrap(),
        kind: "accounts".to_owned(),
        by: "jens".to_owned(),
        file: "accounts.csv".to_owned(),
        sha256: "0".repeat(64),
        season: None,
        begun: Timestamp::now(),
        ended: Some(Timestamp::now()),
        counts: BTreeMap::new(),
        undone: None,
    };
    store.put_import(tenant, &run).await.unwrap();
    run.id
}

/// A mapping of files of jobs that the tenant keeps.
pub async fn kept_mapping(store: &Store, tenant: &TenantId, name: &str) {
    let mapping = r#"{"columns":{"id":"Auftrag"}}"#.to_owned();
    let by = "Jonas Reuter".to_owned();
    let kept = KeptMapping { name: name.to_owned(), kind: ImportKind::Jobs, mapping, by, at: Timestamp::UNIX_EPOCH };
    store.keep_mapping(tenant, &kept).await.unwrap();
}
