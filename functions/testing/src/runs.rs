use std::sync::atomic::{AtomicU32, Ordering};

use domain::ids::{MemberId, RunId, TenantId};
use jiff::{Timestamp, ToSpan};
use store::{ExportTask, NewRun, RunFile, RunOutcome, RunTask, Store};

/// The file of [`run`].
pub const FILE_OF_RUN: &str = "readings-00000001.csv";

/// Asks for an export, of the readings of jobs by this preset.
pub async fn ask_for_export(store: &Store, tenant: &TenantId, preset: &str, asked: Timestamp) -> RunId {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let id = RunId::new(format!("run-{}", NEXT.fetch_add(1, Ordering::Relaxed))).unwrap();
    let task = RunTask::Export(ExportTask { without_job: false, season: None, preset: preset.to_owned(), again: None });
    let new = NewRun { id: id.clone(), task, member: MemberId::draw([9; 16]), by: "Jonas Reuter".to_owned(), asked };
    store.put_run(tenant, &new).await.unwrap();
    id
}

/// A worker takes the run and notes that it has written [`FILE_OF_RUN`].
pub async fn note_file(store: &Store, tenant: &TenantId, run: &RunId) {
    let now = Timestamp::now();
    store.take_run(tenant, run, "worker", (now, now + 1.minute())).await.unwrap().unwrap();
    let file = RunFile { name: FILE_OF_RUN.to_owned(), bytes: 1, rows: 1, number: Some(1), replaced: 0, missing: 0 };
    let outcome = RunOutcome { files: vec![file], ..RunOutcome::default() };
    assert!(store.note_run_outcome(tenant, run, "worker", &outcome).await.unwrap());
}

/// A run that goes on and has written its file.
pub async fn run(store: &Store, tenant: &TenantId) -> RunId {
    let run = ask_for_export(store, tenant, "plain", Timestamp::now()).await;
    note_file(store, tenant, &run).await;
    run
}
