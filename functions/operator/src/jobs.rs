//! `zaehlwerk jobs import`.

use std::collections::HashSet;
use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use desk::import::{JobsOptions, JobsReport, Missing, import_jobs, missing_jobs, write_missing};
use domain::ids::AccountId;
use domain::text;
use domain::text::{Text, counted};
use jiff::Timestamp;
use serde_json::json;
use store::{Effect, ImportRun, Store};

use crate::cli::{Input, JobsImport};
use crate::import::{self, Opened, Watcher};
use crate::output::Output;
use crate::{Failure, Say, Verdict, accounts, tell};

/// Brings the file's jobs in, closes what it lacks if that is wanted, or only rehearses it with a file of accounts.
pub async fn import(store: &Store, args: &JobsImport, by: &str, say: Say) -> Result<Verdict, Failure> {
    let input = &Input { dry_run: args.input.dry_run || args.rehearse.is_some(), ..args.input.clone() };
    let (tenant, effect) = (&args.tenant, input.effect());
    let mut verdict = Verdict::Sound;
    let mut documents = json!({ "dryRun": effect == Effect::Tried });
    let coming = match &args.rehearse {
        None => None,
        Some(file) => {
            let accounts = Input { file: file.clone(), mapping: args.rehearse_mapping.clone(), dry_run: true, ..Input::default() };
            let (report, coming) = accounts::rehearse(store, tenant, &accounts, say).await?;
            if report.counts.faulty > 0 {
                verdict = Verdict::Faulty;
            }
            let counts = report.counts.text();
            let tried = accounts.tried();
            say.line(&text!("{tried}Zugänge: {counts}", "{tried}accounts: {counts}"; tried, counts))?;
            documents["accounts"] = json!(report.counts);
            documents["accountFaults"] = import::document(&report.faults);
            Some(coming)
        }
    };

    let opened = Opened::of(input)?;
    let missing = match args.close_missing {
        true => missing_jobs(store, tenant, &opened.source(), args.season.as_ref())
            .await
            .map_err(|failure| import::named(failure.into(), input))?,
        false => None,
    };
    if let Some(missing) = &missing {
        if let Some(path) = &args.close_list {
            list(missing, path)?;
        }
        if effect == Effect::Stored && !may_close(missing, args, say)? {
            if say.is_json() {
                tell(json!({ "closed": null, "wouldClose": missing.jobs.len(), "open": missing.open }))?;
            }
            return Ok(Verdict::Faulty);
        }
    }
    let run = match effect {
        Effect::Tried => None,
        Effect::Stored => Some(import::begun(store, tenant, input, &opened, "jobs", args.season.as_ref(), by).await?),
    };
    let report = bring_in(store, args, input, &opened, (coming.as_ref(), missing.as_ref(), run.as_ref()), say).await?;

    let counts = report.lines.counts;
    if let Some(run) = run {
        documents["import"] = json!(run.id);
        desk::imports::end(store, tenant, run, (counts, report.closed), Some(Timestamp::now())).await?;
    }
    if counts.faulty > 0 {
        verdict = Verdict::Faulty;
    }
    let rest = match report.closed {
        _ if !args.close_missing => Text::same(""),
        Some(closed) => text!(", {closed} geschlossen", ", {closed} closed"),
        None if counts.faulty > 0 => text!(
            "; keiner geschlossen, weil eine fehlerhafte Zeile für einen davon stehen kann",
            "; none closed, because a faulty line may stand for one of them"
        ),
        None => {
            verdict = Verdict::Faulty;
            text!("; keiner geschlossen, weil die Datei gar keinen Auftrag enthält", "; none closed, because the file lists no job at all")
        }
    };
    let tried =
        if effect == Effect::Tried { text!("Probe, nichts geschrieben: ", "dry run, nothing was written: ") } else { Text::same("") };
    let counted = counts.text();
    let line = text!("{tried}Aufträge: {counted}{rest}", "{tried}jobs: {counted}{rest}"; tried, counted, rest);
    documents["jobs"] = json!(counts);
    documents["closed"] = json!(report.closed);
    documents["faults"] = import::document(&report.lines.faults);
    documents["warnings"] = json!(import::in_english(&report.warnings));
    import::warn(&report.warnings, input, say);
    say.tell(&line, &documents)?;
    Ok(verdict)
}

async fn bring_in(
    store: &Store,
    args: &JobsImport,
    input: &Input,
    opened: &Opened,
    (coming, close, run): (Option<&HashSet<AccountId>>, Option<&Missing>, Option<&ImportRun>),
    say: Say,
) -> Result<JobsReport, Failure> {
    let options = JobsOptions { effect: input.effect(), season: args.season.as_ref(), import: run.map(|run| &run.id), coming, close };
    let mut watcher = Watcher::begin(input, opened, text!("Aufträge", "jobs"), say)?;
    watcher.needs_whole = args.close_missing;
    match import_jobs(store, &args.tenant, &opened.source(), options, &mut watcher).await {
        Ok(report) => watcher.through(&report.lines).map(|()| report),
        Err(stopped) => {
            import::note_stop(store, &args.tenant, run, &stopped.report).await;
            Err(watcher.stopped(stopped))
        }
    }
}

/// Whether so many jobs may be closed: few of them, or as the clerk says, who knows the number.
fn may_close(missing: &Missing, args: &JobsImport, say: Say) -> Result<bool, Failure> {
    let (count, open, percent) = (missing.jobs.len() as u64, missing.open, missing.percent());
    let (verb, jobs) = (if count == 1 { "würde" } else { "würden" }, counted(open, ["Auftrag", "Aufträgen"], ["job", "jobs"]));
    let would = text!(
        "es {verb} {count} von {jobs} der Ablesesaison geschlossen ({percent} %)",
        "{count} of the season's {jobs} would be closed ({percent} %)";
        jobs
    );
    let refused = |rest: Text| {
        let line = text!("{would}; nichts wurde getan: {rest}", "{would}; nothing was done: {rest}"; would, rest);
        say.complain(&line);
        Ok(false)
    };
    match args.yes_close {
        Some(said) if said == count => Ok(true),
        Some(said) => refused(text!("--yes-close sagt {said}", "--yes-close says {said}")),
        None if !missing.is_much() => Ok(true),
        None if io::stdin().is_terminal() => {
            let question = text!("{would}. Geben Sie die Zahl ein, um fortzufahren:", "{would}. Type the number to go on:"; would);
            say.complain(&question);
            let mut answer = String::new();
            io::stdin().lock().read_line(&mut answer).map_err(Failure::Output)?;
            if answer.trim() == count.to_string() {
                Ok(true)
            } else {
                refused(text!("die Zahl wurde nicht bestätigt", "the number was not confirmed"))
            }
        }
        None => refused(text!(
            "--yes-close {count} bestätigt es, --close-list LISTE zählt sie auf",
            "--yes-close {count} confirms it, --close-list LIST lists them"
        )),
    }
}

/// Writes which jobs would be closed.
fn list(missing: &Missing, path: &Path) -> Result<(), Failure> {
    let file = |error| Failure::File { path: path.to_owned(), error };
    write_missing(&missing.jobs, Output::create(path)?).map_err(file)?.finish()
}
