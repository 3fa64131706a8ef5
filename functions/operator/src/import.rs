//! Files on their way into the library, and what is said of them.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use desk::import::mapping::Mapping;
use desk::import::{Content, FaultGroup, ImportReport, RefusedLine, Source, Stopped, Watch};
use desk::imports::{self, NewImport};
use domain::ids::{SeasonId, TenantId};
use domain::text;
use domain::text::{Lang, Text};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{ImportRun, Store};

use crate::audit::{self, About};
use crate::cli::Input;
use crate::faults::FaultTable;
use crate::progress::Progress;
use crate::{Failure, Say};

/// A file that is imported.
pub struct Opened {
    open: Box<dyn Fn() -> io::Result<Box<dyn Content>>>,
    mapping: Option<Mapping>,
    from_line: u64,
    length: u64,
}

impl Opened {
    /// The file with its mapping.
    pub fn of(input: &Input) -> Result<Self, Failure> {
        if let (Some(_), Some(faults)) = (input.from_line, &input.faults)
            && faults.exists()
        {
            // It has the faults of the lines before (D-IMPORTS-26).
            return Err(Failure::Exists(faults.clone()));
        }
        let mapping = input.mapping.as_ref().map(|path| {
            let text = fs::read_to_string(path).map_err(|error| Failure::File { path: path.clone(), error })?;
            Mapping::parse(&text).map_err(|reason| Failure::Mapping { path: path.clone(), reason })
        });
        let file = input.file.clone();
        let length = fs::metadata(&file).map_err(|error| Failure::File { path: file.clone(), error })?.len();
        let open = Box::new(move || Ok(Box::new(File::open(&file)?) as Box<dyn Content>));
        Ok(Self { open, mapping: mapping.transpose()?, from_line: input.from_line.unwrap_or(0), length })
    }

    /// With a mapping that was not named at the command line.
    pub fn set_mapping(&mut self, mapping: Mapping) {
        self.mapping = Some(mapping);
    }

    pub fn source(&self) -> Source<'_> {
        Source { open: &self.open, mapping: self.mapping.as_ref(), from_line: self.from_line, is_stopped: &|| false }
    }
}

/// What a person sees of an import, and the list of its faults.
pub struct Watcher<'a> {
    input: &'a Input,
    progress: Progress,
    table: Option<FaultTable>,
    /// The import compares the whole file with what is stored.
    pub needs_whole: bool,
}

impl<'a> Watcher<'a> {
    /// Begins; `unit` is what the lines are, in the plural.
    pub fn begin(input: &'a Input, opened: &Opened, unit: Text, say: Say) -> Result<Self, Failure> {
        let table = input.faults.as_deref().map(|path| FaultTable::create(path, say.lang)).transpose()?;
        Ok(Self { input, progress: Progress::through(opened.length, unit, say), table, needs_whole: false })
    }

    /// The file was read.
    pub fn through(self, report: &ImportReport) -> Result<(), Failure> {
        self.end(report, None)
    }

    /// The import could not go on; why, with the files' names.
    pub fn stopped<E: Into<Failure>>(self, stopped: Stopped<E>) -> Failure {
        let input = self.input;
        match self.end(&stopped.report, stopped.before_line) {
            Ok(()) => named(stopped.failure.into(), input),
            Err(failure) => failure,
        }
    }

    fn end(self, report: &ImportReport, before_line: Option<u64>) -> Result<(), Failure> {
        self.progress.end();
        let file = self.input.file.display();
        let mut texts: Vec<(u64, Text)> = report.faults.iter().flat_map(FaultGroup::texts).collect();
        texts.sort_by_key(|(line, _)| *line);
        for (_, text) in &texts {
            self.progress.say(&text!("{file}: {text}", "{file}: {text}"; text));
        }
        let listed = self.table.map_or(Ok(()), FaultTable::finish);
        if let Some(line) = before_line {
            let has_list = self.input.faults.as_ref().is_some_and(|faults| faults.exists());
            let on = match (self.needs_whole, has_list) {
                (true, _) => text!("das Ganze noch einmal, wie --close-missing es braucht", "begin anew, as --close-missing needs it"),
                (false, false) => text!("weiter mit --from-line {line}", "go on with --from-line {line}"),
                (false, true) => text!(
                    "weiter mit --from-line {line} und einer anderen Datei für --faults",
                    "go on with --from-line {line} and another file for --faults"
                ),
            };
            self.progress.say(&text!(
                "{file}: angehalten; alles vor Zeile {line} ist erledigt: {on}",
                "{file}: stopped; everything before line {line} is done: {on}";
                on
            ));
        }
        listed
    }
}

impl Watch for Watcher<'_> {
    fn reached(&mut self, bytes: u64, _of: u64, lines: u64) {
        self.progress.reached(bytes, lines);
    }

    fn refused(&mut self, line: &RefusedLine<'_>) -> io::Result<()> {
        let Some(table) = &mut self.table else { return Ok(()) };
        line.faults.iter().try_for_each(|fault| table.write(fault))
    }
}

/// Notes that an import begins.
pub async fn begun(
    store: &Store,
    tenant: &TenantId,
    input: &Input,
    opened: &Opened,
    kind: &'static str,
    season: Option<&SeasonId>,
    by: &str,
) -> Result<ImportRun, Failure> {
    let file = input.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let now = Timestamp::now();
    let new = NewImport { id: imports::new_id(now)?, kind, by, file: &file, season };
    let begun = imports::begin(store, tenant, &opened.source(), new, now).await.map_err(|failure| named(failure.into(), input))?;
    audit::keep(store, tenant, by, &format!("{kind} import"), &About::Many).await?;
    Ok(begun)
}

/// Notes how far an import came that could not go on. What stopped it may stop this, too, and is what matters.
pub async fn note_stop(store: &Store, tenant: &TenantId, run: Option<&ImportRun>, report: &ImportReport) {
    if let Some(run) = run {
        drop(imports::end(store, tenant, run.clone(), (report.counts, None), None).await);
    }
}

/// The groups for a program.
pub fn document(faults: &[FaultGroup]) -> Value {
    let group = |group: &FaultGroup| {
        let lines: Vec<_> = group.places.iter().map(|place| place.line).collect();
        let reason = group.places.first().map(|place| place.reason.of(Lang::En));
        json!({ "column": group.column, "reason": reason, "count": group.count, "lines": lines })
    };
    faults.iter().map(group).collect()
}

/// Says what the utility should know of a file that came in.
pub fn warn(warnings: &[Text], input: &Input, say: Say) {
    for warning in warnings {
        let file = input.file.display();
        say.complain(&text!("{file}: Warnung: {warning}", "{file}: warning: {warning}"; warning));
    }
}

/// The same for a program.
pub fn in_english(warnings: &[Text]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.of(Lang::En)).collect()
}

/// What the library says of a file, with the file's name.
pub fn named(failure: Failure, input: &Input) -> Failure {
    let path = |path: &Option<PathBuf>| path.clone().unwrap_or_default();
    match failure {
        Failure::Desk(desk::Failure::Unreadable(error)) => Failure::File { path: input.file.clone(), error },
        Failure::Desk(desk::Failure::Unreported(error)) => Failure::File { path: path(&input.faults), error },
        Failure::Desk(desk::Failure::Misfit(reason)) => Failure::Mapping { path: path(&input.mapping), reason },
        Failure::Desk(failure @ desk::Failure::Changed) => Failure::Mapping { path: input.file.clone(), reason: failure.text() },
        other => other,
    }
}
