//! Imports as runs: what one would do, doing it, and taking it back.
//!
//! To be stopped and begun again changes nothing about what comes out: a job says which import wrote it and what that made of it, and what is closed is what the
//! rehearsal listed.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::pin::pin;

use bytes::Bytes;
use domain::ids::{ImportId, RunId};
use domain::model::Channel;
use domain::preset::FileFormat;
use domain::text;
use domain::text::{Lang, Text};
use futures::future::{Either, select};
use serde::Serialize;
use store::{
    Effect, ImportKind, ImportRun, ImportTask, RunAnew, RunAnewLine, RunBefore, RunClosing, RunImport, RunOutcome, RunStopped, RunText,
};

use super::{CSV, NOTED, Shelf, made, media_type};
use crate::import::faulty_rows::FaultyRows;
use crate::import::file::{SentFile, fetch};
use crate::import::mapping::Mapping;
use crate::import::verdicts::{Verdict, Verdicts};
use crate::import::{
    AccountsOptions, CardsOptions, Compared, Comparison, Counts, FaultGroup, FaultList, ImportReport, JobsOptions, Missing, MissingJob,
    NoLetters, RefusedLine, Source, Stopped, Watch, import_accounts, import_cards, import_jobs, missing_jobs, write_missing,
};
use crate::imports::{self, NewImport, UndoReport};
use crate::spreadsheet::{begin_table, write_row};
use crate::{Clock, Failure, Reached, patiently};

/// Which jobs a rehearsal found missing, for the import that closes them.
const MISSING: &str = "missing.json";
/// What a rehearsal showed of each line, for the import that may find otherwise.
const VERDICTS: &str = "verdicts.json";
/// Under which names lines are counted.
const LINES: [&str; 7] = ["created", "updated", "unchanged", "moved", "withoutAccount", "repeated", "faulty"];
/// How many kinds of faults a run names; the list has all.
const NAMED: usize = 50;

/// Why a list of all jobs of a season that has none closes none, and what does.
fn nothing_listed() -> Text {
    text!(
        "Die Datei zählt keinen Auftrag auf und schließt deshalb keinen: eine leere Liste ist eher eine, die nicht vollständig ist. Soll die Saison enden, lassen Sie die Zeile eines Auftrags darin, der schon abgelesen ist",
        "The file lists no job, and closes none therefore: an empty list is rather one that is not whole. If the season is to end, leave the line of a job in it that was read already"
    )
}

/// What is wrong with a file, in a form in which it can be mended.
enum Faults {
    /// Of JSON lines a list of faults.
    OfLines(Box<FaultList<Vec<u8>>>, u64),
    /// Of a table its rows, to be sent again.
    OfRows(Box<FaultyRows>),
}

/// The receiver of an import's progress, and of the faults of its file.
struct Watcher<'a> {
    reached: &'a Reached,
    faults: Faults,
    verdicts: Vec<(u64, Verdict)>,
}

impl Watch for Watcher<'_> {
    fn reached(&mut self, bytes: u64, of: u64, _lines: u64) {
        self.reached.set(bytes, of);
    }

    fn judged(&mut self, line: u64, verdict: Verdict) {
        self.verdicts.push((line, verdict));
    }

    fn refused(&mut self, line: &RefusedLine<'_>) -> io::Result<()> {
        match &mut self.faults {
            Faults::OfLines(list, count) => {
                *count += line.faults.len() as u64;
                line.faults.iter().try_for_each(|fault| list.add(fault))
            }
            Faults::OfRows(rows) => rows.add(line),
        }
    }
}

/// The outcome of a file.
struct Brought {
    report: ImportReport,
    faults: Faults,
    verdicts: Vec<(u64, Verdict)>,
    /// The other counts.
    more: Vec<(&'static str, u64)>,
    warnings: Vec<Text>,
    closed: Option<u64>,
    /// Everything before this line is done, and the rest is not wanted any more.
    stopped: Option<u64>,
}

impl Shelf<'_> {
    /// Says what an import of the file would do.
    pub(super) async fn rehearse(mut self, task: &ImportTask, reached: &Reached) -> Result<RunOutcome, Failure> {
        let (file, mapping) = self.fetch(task).await?;
        let open = || file.open();
        let source = Source { open: &open, mapping: mapping.as_ref(), from_line: 0, is_stopped: &|| false };
        let missing = match task.closes_missing {
            true => missing_jobs(self.store, self.tenant, &source, task.season.as_ref()).await?,
            false => None,
        };
        let Brought { report, faults, verdicts, more, mut warnings, closed: _, stopped: _ } =
            self.tried(task, &source, missing.as_ref(), reached).await?;
        if task.closes_missing && report.counts.lines() == 0 {
            warnings.push(nothing_listed());
        }
        warnings.extend(self.keep_faults(task.lang, faults).await?);
        self.put_aside(VERDICTS, &Verdicts::of(verdicts)).await?;
        if let Some(missing) = missing.as_ref().filter(|missing| !missing.jobs.is_empty()) {
            self.put_aside(MISSING, &missing.jobs).await?;
            let list = write_missing(&missing.jobs, Vec::new()).map_err(Failure::Unwritable)?;
            let name = if task.lang == Lang::De { "wird-geschlossen.csv" } else { "to-be-closed.csv" };
            self.keep(made(name, &list, missing.jobs.len() as u64), CSV, list).await?;
        }
        let sha256 = imports::sha256(&source)?;
        let is_same = |run: &ImportRun| run.sha256 == sha256 && run.undone.is_none();
        let before = imports::list(self.store, self.tenant).await?.into_iter().find(is_same);
        self.outcome.import = Some(RunImport {
            closing: missing.map(|missing| RunClosing {
                open: missing.open,
                missing: missing.jobs.len() as u64,
                is_much: missing.is_much(),
            }),
            before: before.map(|run| RunBefore { at: run.begun, by: run.by }),
            ..outcome(&report, &more, &warnings)
        });
        Ok(self.outcome)
    }

    /// Imports the file as the rehearsal showed it.
    pub(super) async fn import(
        mut self,
        (rehearsal, task): (&RunId, &ImportTask),
        (clock, reached): (Clock, &Reached),
    ) -> Result<RunOutcome, Failure> {
        let (missing, of) = self.shown(rehearsal).await?;
        let (file, mapping) = self.fetch(task).await?;
        let open = || file.open();
        let is_stopped = || reached.is_stopped();
        let source = Source { open: &open, mapping: mapping.as_ref(), from_line: 0, is_stopped: &is_stopped };
        let id = ImportId::new(self.run.new.id.as_str()).map_err(|error| Failure::Refused((&error).into()))?;
        let new = NewImport { id, kind: task.kind.name(), by: &self.run.new.by, file: &task.name, season: task.season.as_ref() };
        let was_begun = patiently(|| self.store.imports(self.tenant)).await?.iter().any(|import| import.id == new.id);
        let import = imports::begin(self.store, self.tenant, &source, new, self.run.new.asked).await?;
        let compared = Compared::of(self.compared(rehearsal).await?.0);
        let Brought { report, faults, verdicts, more, mut warnings, closed, stopped } =
            self.bring_in(task, &source, (Effect::Stored, Some(&import.id), missing.as_ref()), (&compared, reached)).await?;
        if let Some(before_line) = stopped {
            imports::end(self.store, self.tenant, import, (report.counts, None), None).await?;
            let stopped = Some(RunStopped { done: report.counts.lines(), of, before_line });
            self.outcome.import = Some(RunImport { stopped, ..outcome(&report, &more, &warnings) });
            return Ok(self.outcome);
        }
        warnings.extend(self.keep_faults(task.lang, faults).await?);
        let anew = self.judged_anew(rehearsal, task, (verdicts, was_begun)).await?;
        imports::end(self.store, self.tenant, import, (report.counts, closed), Some(clock.now())).await?;
        self.outcome.import = Some(RunImport { anew, ..outcome(&report, &more, &warnings) });
        Ok(self.outcome)
    }

    /// Takes an import back; what the worker before took back is counted with it.
    pub(super) async fn undo(mut self, import: &ImportId, lang: Lang, clock: Clock) -> Result<RunOutcome, Failure> {
        let (store, tenant, before) = (self.store, self.tenant, self.outcome.import.take().unwrap_or_default());
        let sum = |report: &UndoReport| {
            let count = |name: &str, more: u64| before.counts.get(name).copied().unwrap_or_default() + more;
            // Each worker finds again what stays.
            let counts = [("removed", count("removed", report.removed)), ("restored", count("restored", report.restored))];
            RunImport { counts: named(counts.into_iter().chain([("kept", report.kept.len() as u64)])), ..RunImport::default() }
        };
        let told = async |report: &UndoReport| {
            self.outcome.import = Some(sum(report));
            self.note(false).await
        };
        let report = imports::undo(store, tenant, import, clock.now(), told).await?;
        if !report.kept.is_empty() {
            let mut list = begin_table();
            let written = report.kept.iter().try_for_each(|kept| write_row(&mut list, [&kept.id, kept.text().of(lang)]));
            let list = written.and_then(|()| list.into_inner().map_err(|error| error.into_error())).map_err(Failure::Unwritable)?;
            let name = if lang == Lang::De { "bleibt.csv" } else { "stays.csv" };
            self.keep(made(name, &list, report.kept.len() as u64), CSV, list).await?;
        }
        let kept = report.kept.iter().take(NAMED).map(|kept| kept.text().into()).collect();
        self.outcome.import = Some(RunImport { kept, ..sum(&report) });
        Ok(self.outcome)
    }

    /// Keeps a document beside the files that people fetch.
    async fn put_aside(&self, name: &str, document: &impl Serialize) -> Result<(), Failure> {
        let content = Bytes::from(serde_json::to_vec(document).map_err(|error| Failure::Unwritable(error.into()))?);
        let id = &self.run.new.id;
        patiently(|| self.files.put(self.tenant, id, name, "application/json", content.clone())).await?;
        Ok(())
    }

    /// The lines that came out otherwise than the rehearsal showed, because what they are about was changed meanwhile; the list has all of them.
    async fn judged_anew(
        &mut self,
        rehearsal: &RunId,
        task: &ImportTask,
        (verdicts, was_begun): (Vec<(u64, Verdict)>, bool),
    ) -> Result<Option<RunAnew>, Failure> {
        let Some(shown) = self.read::<Verdicts>(rehearsal, VERDICTS).await? else { return Ok(None) };
        // A reading does not say by which import it came: what an earlier turn of this run stored is entered already (D-IMPORTS-13).
        let goes_on = task.kind == ImportKind::Readings && was_begun;
        let mut anew: Vec<_> = verdicts
            .into_iter()
            .filter_map(|(line, became)| Some((line, shown.at(line)?, became)))
            .filter(|(_, shown, became)| shown != became)
            .filter(|(_, shown, became)| !goes_on || (*shown, *became) != (Verdict::Created, Verdict::Unchanged))
            .collect();
        if anew.is_empty() {
            return Ok(None);
        }
        anew.sort_unstable_by_key(|(line, ..)| *line);
        let (lang, count) = (task.lang, anew.len() as u64);
        let (name, heads) = match lang {
            Lang::De => ("neu-beurteilt.csv", ["Zeile", "gezeigt", "geworden"]),
            Lang::En => ("judged-anew.csv", ["line", "shown", "became"]),
        };
        let mut list = begin_table();
        let written = write_row(&mut list, heads).and_then(|()| {
            anew.iter().try_for_each(|(line, shown, became)| {
                write_row(&mut list, [&line.to_string(), shown.text().of(lang), became.text().of(lang)])
            })
        });
        let list = written.and_then(|()| list.into_inner().map_err(|error| error.into_error())).map_err(Failure::Unwritable)?;
        self.keep(made(name, &list, count), CSV, list).await?;
        let named = anew.into_iter().take(NAMED);
        let lines = named.map(|(line, shown, became)| RunAnewLine { line, shown: shown.name().into(), became: became.name().into() });
        Ok(Some(RunAnew { count, lines: lines.collect() }))
    }

    async fn fetch(&self, task: &ImportTask) -> Result<(SentFile, Option<Mapping>), Failure> {
        let mapping = task.mapping.as_deref().map(Mapping::parse).transpose().map_err(Failure::Misfit)?;
        let decimal_sign = mapping.as_ref().map_or(',', Mapping::decimal_sign);
        let file = fetch(self.files, self.tenant, &task.file, (None, decimal_sign)).await?;
        if file.is_table != mapping.is_some() {
            return Err(Failure::Refused(match file.is_table {
                true => text!("für eine Tabelle fehlt die Zuordnung der Spalten", "a table needs a mapping of its columns"),
                false => text!("JSON-Zeilen brauchen keine Zuordnung", "JSON lines need no mapping"),
            }));
        }
        if task.closes_missing && file.is_table && file.columns()?.iter().any(|column| column.is_added) {
            return Err(Failure::Refused(text!(
                "eine Fehlerliste zählt nicht alle Aufträge der Saison auf; sie schließt keine",
                "a list of faults does not have all jobs of the season; it closes none"
            )));
        }
        let mapping = if file.sheet.is_some() { mapping.map(Mapping::of_workbook) } else { mapping };
        Ok((file, mapping))
    }

    /// What the rehearsal found missing and showed, and how many lines the file has.
    async fn shown(&self, rehearsal: &RunId) -> Result<(Option<Missing>, u64), Failure> {
        let gone = || {
            Failure::Refused(text!(
                "die Probe ist nicht mehr vorhanden; bitte noch einmal proben",
                "the rehearsal is gone; rehearse once more"
            ))
        };
        let run = patiently(|| self.store.run(self.tenant, rehearsal)).await?.and_then(|run| run.outcome?.import).ok_or_else(gone)?;
        let lines = LINES.iter().filter_map(|kind| run.counts.get(*kind)).sum();
        let Some(RunClosing { open, missing, .. }) = run.closing else { return Ok((None, lines)) };
        let jobs: Vec<MissingJob> = match missing {
            0 => Vec::new(),
            _ => self.read(rehearsal, MISSING).await?.ok_or_else(gone)?,
        };
        // The member who started the import was asked about their number.
        Ok((Some(Missing { open, jobs, unasked_percent: 100 }), lines))
    }

    async fn bring_in(
        &self,
        task: &ImportTask,
        source: &Source<'_>,
        (effect, import, close): (Effect, Option<&ImportId>, Option<&Missing>),
        (compared, reached): (&Compared, &Reached),
    ) -> Result<Brought, Failure> {
        let faults = match source.mapping {
            Some(mapping) => FaultyRows::begin((task.kind, mapping), task.lang, self.run.new.asked).map(Box::new).map(Faults::OfRows),
            None => FaultList::begin(Vec::new(), task.lang).map(|list| Faults::OfLines(Box::new(list), 0)),
        };
        let mut watch = Watcher { reached, faults: faults.map_err(Failure::Unwritable)?, verdicts: Vec::new() };
        let (store, tenant, name) = (self.store, self.tenant, &task.name);
        let brought = match task.kind {
            ImportKind::Accounts => {
                let options = AccountsOptions { effect, import, letters: None::<NoLetters>, compared };
                let report = import_accounts(store, tenant, source, options, &mut watch).await;
                report.map(|report| (report.lines, Vec::new(), report.warnings, None))
            }
            ImportKind::Jobs => {
                let options = JobsOptions { effect, season: task.season.as_ref(), import, coming: None, close };
                let report = import_jobs(store, tenant, source, options, &mut watch).await;
                report.map(|report| (report.lines, Vec::new(), report.warnings, report.closed))
            }
            ImportKind::Readings => {
                let confirmed = text!("aus {name}, ohne Rückfrage", "from {name}, nobody was asked");
                let (channel, late) = (task.channel.unwrap_or(Channel::Import), task.late.as_deref());
                let options = CardsOptions { effect, channel, by: &self.run.new.by, late, confirmed: confirmed.of(task.lang) };
                let report = import_cards(store, tenant, source, &options, &mut watch).await;
                report.map(|report| {
                    let more = vec![("toClear", report.waiting), ("incomplete", report.incomplete)];
                    (report.lines, more, Vec::new(), None)
                })
            }
        };
        let (report, mut more, warnings, closed, stopped) = match brought {
            Ok((report, more, warnings, closed)) => (report, more, warnings, closed, None),
            Err(Stopped { report, before_line: Some(line), failure: Failure::Stopped }) => {
                (report, Vec::new(), Vec::new(), None, Some(line))
            }
            Err(stopped) => return Err(stopped.failure),
        };
        more.extend(closed.map(|closed| ("closed", closed)));
        let Watcher { faults, verdicts, .. } = watch;
        Ok(Brought { report, faults, verdicts, more, warnings, closed, stopped })
    }

    /// What would become of the file; what is found out about its passwords is kept for the worker that goes on.
    async fn tried(
        &self,
        task: &ImportTask,
        source: &Source<'_>,
        missing: Option<&Missing>,
        reached: &Reached,
    ) -> Result<Brought, Failure> {
        let (known, number) = self.compared(&self.run.new.id).await?;
        let (compared, aside) = (Compared::of(known), compared(number));
        let brought = pin!(self.bring_in(task, source, (Effect::Tried, None, missing), (&compared, reached)));
        let brought = match select(brought, pin!(self.keep_compared(&aside, &compared))).await {
            Either::Left((brought, _)) => brought?,
            Either::Right((Err(failure), _)) => return Err(failure),
        };
        let new = compared.found();
        if !new.is_empty() {
            self.put_aside(&aside, &new).await?;
        }
        Ok(brought)
    }

    /// What the workers at a rehearsal found out about the file's passwords, and under which number the next one keeps what it finds out.
    async fn compared(&self, rehearsal: &RunId) -> Result<(Vec<Comparison>, usize), Failure> {
        let (mut known, mut number) = (Vec::new(), 1);
        while let Some(some) = self.read::<Vec<Comparison>>(rehearsal, &compared(number)).await? {
            known.extend(some);
            number += 1;
        }
        Ok((known, number))
    }

    /// Keeps what is found out about passwords, again and again: a worker whose time is up may not get to it.
    async fn keep_compared(&self, aside: &str, compared: &Compared) -> Result<Infallible, Failure> {
        let mut kept = 0;
        loop {
            tokio::time::sleep(NOTED).await;
            let new = compared.found();
            if new.len() > kept {
                self.put_aside(aside, &new).await?;
                kept = new.len();
            }
        }
    }

    /// Keeps the list of what is wrong, and says whether something is missing in it.
    async fn keep_faults(&mut self, lang: Lang, faults: Faults) -> Result<Option<Text>, Failure> {
        let (content, rows, format, warning) = match faults {
            Faults::OfLines(list, count) => (list.finish().map_err(Failure::Unwritable)?, count, FileFormat::Csv, None),
            Faults::OfRows(rows) => {
                let warning = rows.warning();
                let (content, count) = rows.finish().map_err(Failure::Unwritable)?;
                (content, count, FileFormat::Xlsx, warning)
            }
        };
        if rows == 0 {
            return Ok(warning);
        }
        let name = match (lang, format) {
            (Lang::De, FileFormat::Xlsx) => "fehler.xlsx",
            (Lang::De, _) => "fehler.csv",
            (Lang::En, FileFormat::Xlsx) => "faults.xlsx",
            (Lang::En, _) => "faults.csv",
        };
        self.keep(made(name, &content, rows), media_type(format), content).await?;
        Ok(warning)
    }
}

fn compared(number: usize) -> String {
    format!("compared-{number:03}.json")
}

fn outcome(report: &ImportReport, more: &[(&'static str, u64)], warnings: &[Text]) -> RunImport {
    let Counts { created, updated, unchanged, moved, waiting, repeated, faulty } = report.counts;
    let counts = [
        ("created", created),
        ("updated", updated),
        ("unchanged", unchanged),
        ("moved", moved),
        ("withoutAccount", waiting),
        ("repeated", repeated),
        ("faulty", faulty),
    ];
    let kinds: Vec<Text> = report.faults.iter().flat_map(FaultGroup::texts).map(|(_, text)| text).collect();
    RunImport {
        counts: named(counts.into_iter().chain(more.iter().copied())),
        more_faults: kinds.len().saturating_sub(NAMED) as u64,
        faults: kinds.into_iter().take(NAMED).map(RunText::from).collect(),
        warnings: warnings.iter().cloned().map(RunText::from).collect(),
        ..RunImport::default()
    }
}

fn named(counts: impl IntoIterator<Item = (&'static str, u64)>) -> BTreeMap<String, u64> {
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name.to_owned(), count)).collect()
}
