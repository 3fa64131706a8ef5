//! Runs: what takes longer than a request, asked for at the desk and gone on with by a worker.

use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use domain::ids::{MemberId, RunId, TenantId};
use domain::preset::{FileFormat, List};
use futures::future::{Either, select};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{ClearingEntry, ClearingEntryWithoutJob, ExportTask, Run, RunFailure, RunFile, RunFiles, RunOutcome, RunState, RunTask, Store};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::exports::{Export, in_turn, random_name, tables};
use crate::presets::{self, Layout};
use crate::{Clock, Failure, Reached, patiently};

/// How long a worker has a run without a sign of life.
const LEASE: Duration = Duration::from_secs(60);
/// How often there is one, with how far it is; whoever cancelled is heard then, too.
const NOTED: Duration = Duration::from_secs(2);
/// How many workers in a row may fail before a run is given up.
const MOST_TRIES: u64 = 5;

/// The message that has a worker go on with a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wake {
    /// Whose run.
    pub tenant: TenantId,
    /// Which.
    pub run: RunId,
}

/// What became of a worker's turn at a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worked {
    /// It is through.
    Done,
    /// It was given up, and says why.
    Failed,
    /// It goes on with the next wake.
    Later,
    /// It is over already, or somebody else has it.
    NotOurs,
}

/// An id of which there is no other one.
///
/// # Errors
/// The operating system has no random bytes.
pub fn new_id(now: Timestamp) -> Result<RunId, Failure> {
    let id = format!("{}-{}", now.strftime("%Y%m%d-%H%M%S"), random_name()?);
    RunId::new(id).map_err(|error| Failure::Refused((&error).into()))
}

/// Goes on with a run as far as it goes. To be stopped anywhere does no harm.
///
/// # Errors
/// The store's, when the run cannot even be taken or given back; somebody else takes it after a minute.
pub async fn work(store: Store, files: RunFiles, wake: Wake, now: Timestamp) -> Result<Worked, Failure> {
    // On a thread of its own, because thousands of rows are written without a pause; what is closed over in there could not go from thread to thread either.
    let worked = spawn_blocking(move || Handle::current().block_on(work_here(&store, &files, &wake, Clock::set(now)))).await;
    worked.unwrap_or(Err(Failure::Interrupted))
}

async fn work_here(store: &Store, files: &RunFiles, Wake { tenant, run: id }: &Wake, clock: Clock) -> Result<Worked, Failure> {
    let owner = random_name()?;
    let taken = patiently(|| {
        let now = clock.now();
        store.take_run(tenant, id, &owner, (now, now + LEASE))
    });
    let Some(run) = taken.await? else { return Ok(Worked::NotOurs) };
    let reached = Reached::default();
    let noted = async {
        loop {
            tokio::time::sleep(NOTED).await;
            // One that fails is tried again before the lease is over.
            if let Ok(false) = store.note_run(tenant, id, &owner, reached.so_far(), clock.now() + LEASE).await {
                return;
            }
        }
    };
    let RunTask::Export(task) = &run.new.task;
    let ended = match select(pin!(export(store, files, tenant, (&run, &owner), task, (clock, &reached))), pin!(noted)).await {
        Either::Left((ended, _)) => ended,
        Either::Right(((), _)) => return Ok(Worked::NotOurs),
    };
    let failure = match ended {
        Ok(outcome) => {
            let is_ours = patiently(|| store.end_run(tenant, id, &owner, Ok(&outcome), clock.now())).await?;
            return Ok(if is_ours { Worked::Done } else { Worked::NotOurs });
        }
        Err(Failure::Busy { .. }) => {
            patiently(|| store.leave_run(tenant, id, &owner, None)).await?;
            return Ok(Worked::Later);
        }
        Err(failure) => failure,
    };
    let said = RunFailure::from(failure.text());
    let can_help = !matches!(failure, Failure::Refused(_) | Failure::TenantUnknown(_));
    if can_help && run.tries < MOST_TRIES {
        patiently(|| store.leave_run(tenant, id, &owner, Some(&said))).await?;
        return Ok(Worked::Later);
    }
    patiently(|| store.end_run(tenant, id, &owner, Err(&said), clock.now())).await?;
    Ok(Worked::Failed)
}

/// What the member asked for already, if it is not over: whoever got no answer and asks again starts nothing twice.
///
/// # Errors
/// [`Failure::Busy`] when something else is going on.
pub fn same<'a>(runs: &'a [Run], task: &RunTask, member: &MemberId) -> Result<Option<&'a Run>, Failure> {
    let Some(open) = runs.iter().find(|run| run.state == RunState::Open) else { return Ok(None) };
    if open.new.task == *task && open.new.member == *member {
        return Ok(Some(open));
    }
    Err(Failure::Busy { by: open.new.by.clone() })
}

async fn export(
    store: &Store,
    files: &RunFiles,
    tenant: &TenantId,
    (run, owner): (&Run, &str),
    task: &ExportTask,
    (clock, reached): (Clock, &Reached),
) -> Result<RunOutcome, Failure> {
    let ExportTask { without_job, season, preset, again } = task;
    let list = if *without_job { List::WithoutJob } else { List::Readings };
    let layout = Layout::named(store, tenant, preset, list, None).await?;
    let mut shelf =
        Shelf { store, files, tenant, run: &run.new.id, owner, layout: &layout, outcome: run.outcome.clone().unwrap_or_default() };
    let now = clock.now();
    match (again.map(tables::Again::Number), without_job) {
        (Some(again), true) => {
            tables::again_without_job(store, tenant, again, now, async |export| shelf.put_without_job(export).await).await?
        }
        (Some(again), false) => {
            tables::again_of_jobs(store, tenant, again, now, async |export, received| shelf.put(export, received).await).await?;
        }
        (None, true) => {
            let write = async |export: &Export<'_, ClearingEntryWithoutJob>| shelf.put_without_job(export).await;
            in_turn(store, tenant, &run.new.by, clock, tables::new_without_job(store, tenant, (now, reached), write)).await?;
        }
        (None, false) => {
            let write = async |export: &Export<'_, ClearingEntry>, received: &[ClearingEntry]| shelf.put(export, received).await;
            let new = tables::new_of_jobs(store, tenant, season.as_ref(), (now, reached), write);
            let waiting = in_turn(store, tenant, &run.new.by, clock, new).await?;
            shelf.outcome.counts.insert("waiting".to_owned(), waiting as u64);
        }
    }
    Ok(shelf.outcome)
}

/// Where the files of a run go: the same readings give the same bytes.
struct Shelf<'a> {
    store: &'a Store,
    files: &'a RunFiles,
    tenant: &'a TenantId,
    run: &'a RunId,
    owner: &'a str,
    layout: &'a Layout,
    outcome: RunOutcome,
}

impl Shelf<'_> {
    async fn put(&mut self, export: &Export<'_, ClearingEntry>, received: &[ClearingEntry]) -> Result<(), Failure> {
        let mut content = Vec::new();
        let written = presets::write_export(self.store, self.tenant, self.layout, export, received, &mut content).await?;
        self.end(export, content, written.replaced).await
    }

    async fn put_without_job(&mut self, export: &Export<'_, ClearingEntryWithoutJob>) -> Result<(), Failure> {
        let mut content = Vec::new();
        let written = presets::write_export_without_job(self.layout, export, &mut content)?;
        self.end(export, content, written.replaced).await
    }

    async fn end<R>(&mut self, export: &Export<'_, R>, content: Vec<u8>, replaced: u64) -> Result<(), Failure> {
        let name = tables::file_name(&export.record, self.layout.format);
        let content = Bytes::from(content);
        let file = RunFile {
            replaced,
            name: name.clone(),
            bytes: content.len() as u64,
            readings: export.readings.len() as u64,
            number: export.record.number,
            missing: export.missing() as u64,
        };
        let media_type = media_type(self.layout.format);
        patiently(|| self.files.put(self.tenant, self.run, &name, media_type, content.clone())).await?;
        self.outcome.files.retain(|file| file.name != name);
        self.outcome.files.push(file);
        // Before the export is done: whoever goes on with the run after that finds nothing new, and the file all the same.
        let is_ours = patiently(|| self.store.note_run_outcome(self.tenant, self.run, self.owner, &self.outcome)).await?;
        if is_ours { Ok(()) } else { Err(Failure::Overtaken) }
    }
}

fn media_type(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Csv => "text/csv; charset=utf-8",
        FileFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        FileFormat::Jsonl => "application/jsonl; charset=utf-8",
    }
}
