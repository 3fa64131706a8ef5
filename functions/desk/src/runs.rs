//! Runs: what takes longer than a request, asked for at the desk and gone on with by a worker.

mod imports;
mod invitations;
mod letters;
mod limits;
mod reminders;

use std::pin::pin;
use std::time::{Duration, Instant};

use bytes::Bytes;
use domain::ids::{MemberId, RunId, TenantId};
use domain::preset::{FileFormat, List};
use domain::text;
use futures::future::{Either, select};
use jiff::Timestamp;
use mail::Mailer;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::{
    ClearingEntry, ClearingEntryWithoutJob, ExportTask, Run, RunFile, RunFiles, RunLeftOut, RunMails, RunOutcome, RunState, RunTask,
    RunText, Store, Tenant,
};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::exports::{Export, end_turn, in_turn, random_name, tables};
use crate::mailing::Outcome;
use crate::market;
use crate::mscons::{LeftOut, MarketFile};
use crate::presets::{self, Layout};
use crate::{Clock, Failure, Reached, known, patiently};

/// How long a run that was cancelled may take to end what it has begun; the member who cancelled it waits.
const GRACE: Duration = Duration::from_secs(2);
/// How long a worker has a run without a sign of life.
const LEASE: Duration = Duration::from_secs(60);
/// How often there is one, with how far it is; a cancellation is heard then, too.
const NOTED: Duration = Duration::from_secs(2);
/// How many workers in a row may fail before a run is given up.
const MOST_TRIES: u64 = 5;
const CSV: &str = "text/csv; charset=utf-8";

/// The message that has a worker go on with a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wake {
    /// The tenant that the run belongs to.
    pub tenant: TenantId,
    /// The run.
    pub run: RunId,
}

/// The outcome of a worker's turn at a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worked {
    /// It is through.
    Done,
    /// It was given up, and says why.
    Failed,
    /// It goes on with the next wake.
    Later,
    /// It is over already, or another worker has it.
    NotOurs,
}

/// An id of which there is no other one.
///
/// # Errors
/// The operating system has no random bytes.
pub fn new_id(now: Timestamp) -> Result<RunId, Failure> {
    let id = format!("{}-{}", now.strftime("%Y%m%d-%H%M%S%3f"), random_name()?);
    RunId::new(id).map_err(|error| Failure::Refused((&error).into()))
}

/// Goes on with a run as far as it goes until then. To be stopped anywhere does no harm.
///
/// # Errors
/// The store's, when the run cannot even be taken or given back; another worker takes it after a minute.
pub async fn work((store, files, mailer): (Store, RunFiles, Mailer), wake: Wake, now: Timestamp, ends: Instant) -> Result<Worked, Failure> {
    // On a thread of its own, because thousands of rows are written without a pause; what is closed over in there could not go from thread to thread either.
    let worked = move || Handle::current().block_on(work_here((&store, &files, &mailer), &wake, Clock::set(now), ends));
    spawn_blocking(worked).await.unwrap_or(Err(Failure::Interrupted))
}

async fn work_here(clients: (&Store, &RunFiles, &Mailer), wake: &Wake, clock: Clock, ends: Instant) -> Result<Worked, Failure> {
    loop {
        if let Some(worked) = turn(clients, wake, clock, ends).await? {
            return Ok(worked);
        }
    }
}

/// A worker's turn at the run; none: a member had it cancelled and go on again before the worker was through with stopping, so that it is free.
async fn turn(
    (store, files, mailer): (&Store, &RunFiles, &Mailer),
    wake: &Wake,
    clock: Clock,
    ends: Instant,
) -> Result<Option<Worked>, Failure> {
    let Wake { tenant, run: id } = wake;
    let owner = random_name()?;
    let taken = patiently(|| {
        let now = clock.now();
        store.take_run(tenant, id, &owner, (now, now + LEASE))
    });
    let Some(run) = taken.await? else { return Ok(Some(Worked::NotOurs)) };
    // A worker that the platform ends, as when its memory is used up, says nothing, not even that it failed.
    if run.tries > MOST_TRIES {
        let said = text!(
            "{MOST_TRIES} Anläufe endeten hintereinander, ohne weiterzukommen und ohne zu sagen, warum; vielleicht genügte der Speicher nicht. Bitte in kleineren Teilen wiederholen",
            "{MOST_TRIES} attempts in a row ended without coming further and without saying why; perhaps the memory was not enough. Do it in smaller parts"
        );
        let said = RunText::from(said);
        patiently(|| store.end_run(tenant, id, &owner, Err(&said), clock.now())).await?;
        return Ok(Some(Worked::Failed));
    }
    let reached = Reached::default();
    let noted = async {
        let mut furthest = run.furthest;
        loop {
            tokio::time::sleep(NOTED).await;
            let (done, of) = reached.so_far();
            match store.note_run(tenant, id, &owner, (furthest, done, of), clock.now() + LEASE).await {
                Ok(true) => furthest = furthest.max(done),
                Ok(false) => return,
                // One that fails is tried again before the lease is over.
                Err(_) => {}
            }
        }
    };
    let shelf = Shelf { store, files, tenant, run: &run, owner: &owner, outcome: run.outcome.clone().unwrap_or_default() };
    let work = async {
        match &run.new.task {
            RunTask::Export(task) => shelf.export(task, (clock, &reached)).await,
            RunTask::Market {} => shelf.market((clock, &reached)).await,
            RunTask::Rehearsal(task) => shelf.rehearse(task, &reached).await,
            RunTask::Import { rehearsal, task } => shelf.import((rehearsal, task), (clock, &reached)).await,
            RunTask::DueReminders { filter, lang } => shelf.list_due((filter.as_ref(), *lang), clock).await,
            RunTask::Reminders { filter } => shelf.remind(filter.as_ref(), mailer, (clock, &reached)).await,
            RunTask::DueLetters(task) => shelf.list_letters(task, &reached).await,
            RunTask::Letters(task) => shelf.draw(task, &reached).await,
            RunTask::HandOver { letters, lang } => shelf.hand_over(letters, *lang, &reached).await,
            RunTask::DueInvitations { season, filter, lang } => {
                shelf.list_invitations(((season.as_ref(), filter.as_ref()), *lang), clock).await
            }
            RunTask::Invitations { season, filter } => shelf.invite((season.as_ref(), filter.as_ref()), mailer, (clock, &reached)).await,
            RunTask::Undo { import, lang } => shelf.undo(import, *lang, clock).await,
        }
    };
    let (noted, time_is_up, work) = (pin!(noted), pin!(tokio::time::sleep_until(ends.into())), pin!(work));
    let ended = match select(work, select(noted, time_is_up)).await {
        Either::Left((ended, _)) => ended,
        Either::Right((Either::Left(_), work)) if is_cancelled_import(store, tenant, id, &run).await? => {
            // What is begun comes to its end, so that what is said of it is so.
            reached.stop();
            let outcome = tokio::time::timeout(GRACE, work).await.ok().and_then(Result::ok);
            return let_go(store, wake, &owner, outcome.as_ref()).await;
        }
        Either::Right((stopped, _)) => {
            // A member who asks for the next export need not wait until this turn is over.
            patiently(|| end_turn(store, tenant, &owner)).await?;
            if let Either::Left(_) = stopped {
                return let_go(store, wake, &owner, None).await;
            }
            Err(Failure::OutOfTime)
        }
    };
    let failure = match ended {
        Ok(outcome) => {
            // Before it is done: a worker that is stopped in between says it once more, under the same id.
            announce(store, tenant, &run, &outcome).await?;
            let is_ours = patiently(|| store.end_run(tenant, id, &owner, Ok(&outcome), clock.now())).await?;
            if is_ours {
                return Ok(Some(Worked::Done));
            }
            // It was cancelled in the last moment.
            return let_go(store, wake, &owner, Some(&outcome).filter(|_| is_import(&run))).await;
        }
        Err(Failure::Busy { .. }) => {
            patiently(|| store.leave_run(tenant, id, &owner, None)).await?;
            return Ok(Some(Worked::Later));
        }
        Err(Failure::OutOfTime) if came_further(store, tenant, &run, &reached).await? => {
            patiently(|| store.leave_run(tenant, id, &owner, None)).await?;
            return Ok(Some(Worked::Later));
        }
        Err(failure) => failure,
    };
    if patiently(|| store.stop_run(tenant, id, &owner, None)).await? {
        return Ok(Some(Worked::NotOurs));
    }
    let said = RunText::from(failure.text());
    let can_help = !matches!(failure, Failure::Refused(_) | Failure::Misfit(_) | Failure::TenantUnknown(_));
    if can_help && run.tries < MOST_TRIES {
        patiently(|| store.leave_run(tenant, id, &owner, Some(&said))).await?;
        return Ok(Some(Worked::Later));
    }
    patiently(|| store.end_run(tenant, id, &owner, Err(&said), clock.now())).await?;
    Ok(Some(Worked::Failed))
}

/// Ends a turn at a run that is not this worker's any more, with what came out until then; none: it was cancelled, and a member had it go on meanwhile.
async fn let_go(
    store: &Store,
    Wake { tenant, run: id }: &Wake,
    owner: &str,
    outcome: Option<&RunOutcome>,
) -> Result<Option<Worked>, Failure> {
    if patiently(|| store.stop_run(tenant, id, owner, outcome)).await? {
        return Ok(Some(Worked::NotOurs));
    }
    // The next worker does not have to wait until the lease is over.
    patiently(|| store.leave_run(tenant, id, owner, None)).await?;
    Ok(None)
}

/// Whether an import was cancelled. Of other runs nothing more is done than what they noted: a mail that is not sent is not wanted any more.
async fn is_cancelled_import(store: &Store, tenant: &TenantId, id: &RunId, run: &Run) -> Result<bool, Failure> {
    Ok(is_import(run) && patiently(|| store.run(tenant, id)).await?.is_some_and(|run| run.state == RunState::Cancelled))
}

fn is_import(run: &Run) -> bool {
    matches!(run.new.task, RunTask::Import { .. })
}

/// Whether a worker did something that none before had done.
async fn came_further(store: &Store, tenant: &TenantId, before: &Run, reached: &Reached) -> Result<bool, Failure> {
    let now = patiently(|| store.run(tenant, &before.new.id)).await?;
    Ok(reached.so_far().0 > before.furthest || now.is_some_and(|now| now.outcome != before.outcome))
}

/// Has the tenant's webhook told of an export's files, if the settings say so.
async fn announce(store: &Store, tenant: &TenantId, run: &Run, outcome: &RunOutcome) -> Result<(), Failure> {
    let is_export = matches!(run.new.task, RunTask::Export(_) | RunTask::Market {});
    if !is_export || outcome.files.is_empty() {
        return Ok(());
    }
    let application = &known(store, tenant).await?.application;
    if application.desk.exports.announced && application.webhook.is_some() {
        patiently(|| store.announce(tenant, run)).await?;
    }
    Ok(())
}

/// What the member asked for already, if it is not over: a client that got no answer and asks again starts nothing twice.
///
/// # Errors
/// [`Failure::Busy`] when something else is going on, or another import that was cancelled may still write.
pub fn same<'a>(runs: &'a [Run], task: &RunTask, member: &MemberId, now: Timestamp) -> Result<Option<&'a Run>, Failure> {
    let stopping = runs.iter().find(|run| is_import(run) && run.is_stopping(now) && run.new.task != *task);
    if let Some(stopping) = stopping {
        return Err(Failure::Busy { by: stopping.new.by.clone() });
    }
    let Some(open) = runs.iter().find(|run| run.state == RunState::Open) else { return Ok(None) };
    if open.new.task == *task && open.new.member.as_ref() == Some(member) {
        return Ok(Some(open));
    }
    Err(Failure::Busy { by: open.new.by.clone() })
}

/// Whether an import goes on, is being stopped or taken back: it may bring jobs of any season.
pub fn is_importing(runs: &[Run], now: Timestamp) -> bool {
    let brings_jobs = |run: &Run| is_import(run) || matches!(run.new.task, RunTask::Undo { .. });
    runs.iter().any(|run| brings_jobs(run) && (run.state == RunState::Open || run.is_stopping(now)))
}

/// Where the files of a run go: the same readings give the same bytes.
struct Shelf<'a> {
    store: &'a Store,
    files: &'a RunFiles,
    tenant: &'a TenantId,
    run: &'a Run,
    owner: &'a str,
    outcome: RunOutcome,
}

impl Shelf<'_> {
    /// The tenant as it is now: whether customers get anything may have changed within the minute for which others keep it.
    async fn in_effect(&self) -> Result<Tenant, Failure> {
        patiently(|| self.store.tenant_now(self.tenant)).await?.ok_or_else(|| Failure::TenantUnknown(self.tenant.clone()))
    }

    /// Writes a table.
    async fn export(mut self, task: &ExportTask, (clock, reached): (Clock, &Reached)) -> Result<RunOutcome, Failure> {
        let ExportTask { without_job, season, preset, again } = task;
        let (store, tenant, now) = (self.store, self.tenant, clock.now());
        let who = (self.run.new.by.as_str(), self.owner);
        let list = if *without_job { List::WithoutJob } else { List::Readings };
        let layout = &Layout::named(store, tenant, preset, list, None).await?;
        match (again.map(tables::Again::Number), without_job) {
            (Some(again), true) => {
                tables::again_without_job(store, tenant, again, now, async |export| self.put_without_job(layout, export).await).await?;
            }
            (Some(again), false) => {
                let write = async |export: &Export<'_, ClearingEntry>, received: &[ClearingEntry]| self.put(layout, export, received).await;
                tables::again_of_jobs(store, tenant, again, now, write).await?;
            }
            (None, true) => {
                let write = async |export: &Export<'_, ClearingEntryWithoutJob>| self.put_without_job(layout, export).await;
                in_turn(store, tenant, who, clock, tables::new_without_job(store, tenant, (now, reached), write)).await?;
            }
            (None, false) => {
                let write = async |export: &Export<'_, ClearingEntry>, received: &[ClearingEntry]| self.put(layout, export, received).await;
                let new = tables::new_of_jobs(store, tenant, season.as_ref(), (now, reached), write);
                let waiting = in_turn(store, tenant, who, clock, new).await?;
                self.outcome.waiting = Some(waiting as u64);
            }
        }
        Ok(self.outcome)
    }

    /// Writes messages to the market.
    async fn market(mut self, (clock, reached): (Clock, &Reached)) -> Result<RunOutcome, Failure> {
        let (store, tenant, who) = (self.store, self.tenant, (self.run.new.by.as_str(), self.owner));
        let write = async |file: &MarketFile| {
            let written = RunFile {
                name: file.name.clone(),
                bytes: file.bytes.len() as u64,
                rows: file.counters as u64,
                number: Some(file.export),
                shortened: file.shortened as u64,
                replaced: 0,
                missing: 0,
            };
            self.keep(written, "application/edifact", file.bytes.clone()).await
        };
        let new = market::export(store, tenant, (clock.now(), reached), write);
        let report = in_turn(store, tenant, who, clock, new).await?;
        let left_out = |(reason, count): (&LeftOut, &usize)| RunLeftOut {
            why: reason.text(*count).into(),
            readings: *count as u64,
            is_fault: reason.is_fault(),
        };
        self.outcome.left_out = report.left_out.iter().map(left_out).collect();
        Ok(self.outcome)
    }

    async fn put(&mut self, layout: &Layout, export: &Export<'_, ClearingEntry>, received: &[ClearingEntry]) -> Result<(), Failure> {
        let mut content = Vec::new();
        let written = presets::write_export(self.store, self.tenant, layout, export, received, &mut content).await?;
        self.keep_table(layout, export, content, written.replaced).await
    }

    async fn put_without_job(&mut self, layout: &Layout, export: &Export<'_, ClearingEntryWithoutJob>) -> Result<(), Failure> {
        let mut content = Vec::new();
        let written = presets::write_export_without_job(layout, export, &mut content)?;
        self.keep_table(layout, export, content, written.replaced).await
    }

    async fn keep_table<R>(&mut self, layout: &Layout, export: &Export<'_, R>, content: Vec<u8>, replaced: u64) -> Result<(), Failure> {
        let written = RunFile {
            name: tables::file_name(&export.record, layout.format),
            bytes: content.len() as u64,
            rows: export.readings.len() as u64,
            number: Some(export.record.number),
            shortened: 0,
            replaced,
            missing: export.missing() as u64,
        };
        self.keep(written, media_type(layout.format), content).await
    }

    /// A document that a run keeps beside its files; none: there is no such one.
    async fn read<T: DeserializeOwned>(&self, run: &RunId, name: &str) -> Result<Option<T>, Failure> {
        let Some(mut file) = patiently(|| self.files.open_made(self.tenant, run, name)).await? else { return Ok(None) };
        let mut content = Vec::new();
        while let Some(bytes) = file.next().await? {
            content.extend_from_slice(&bytes);
        }
        serde_json::from_slice(&content).map(Some).map_err(|error| Failure::Unreadable(error.into()))
    }

    async fn keep(&mut self, file: RunFile, media_type: &str, content: Vec<u8>) -> Result<(), Failure> {
        let (id, content) = (&self.run.new.id, Bytes::from(content));
        patiently(|| self.files.put(self.tenant, id, &file.name, media_type, content.clone())).await?;
        let files = self.outcome.files.len();
        self.outcome.files.retain(|earlier| earlier.name != file.name);
        self.outcome.files.push(file);
        // Before the export is done: a worker that goes on with the run after that finds nothing new, and the file all the same.
        self.note(self.outcome.files.len() > files).await
    }

    /// Notes what came out so far, and whether no worker had come so far before.
    async fn note(&self, is_further: bool) -> Result<(), Failure> {
        let (id, outcome) = (&self.run.new.id, &self.outcome);
        let is_ours = patiently(|| self.store.note_run_outcome(self.tenant, id, self.owner, (outcome, is_further))).await?;
        if is_ours { Ok(()) } else { Err(Failure::Overtaken) }
    }
}

/// Counts what became of a mail.
fn count_mail(mails: &mut RunMails, outcome: &Outcome) {
    match outcome {
        Outcome::Sent => mails.sent += 1,
        Outcome::Suppressed => mails.suppressed += 1,
        Outcome::Rehearsed => mails.rehearsed += 1,
        Outcome::Later => mails.later += 1,
        Outcome::Failed { .. } => mails.failed += 1,
    }
}

/// A file of this content, which is no export.
fn made(name: &str, content: &[u8], rows: u64) -> RunFile {
    RunFile { name: name.to_owned(), bytes: content.len() as u64, rows, number: None, shortened: 0, replaced: 0, missing: 0 }
}

fn media_type(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Csv => CSV,
        FileFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        FileFormat::Jsonl => "application/jsonl; charset=utf-8",
    }
}
