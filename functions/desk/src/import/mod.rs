//! The way of every line from a file into the store: read, checked, sent in batches, reported.

mod accounts;
mod closing;
pub mod columns;
mod compared;
pub mod contents;
mod deferred;
mod duplicates;
mod faults;
pub mod faulty_rows;
pub mod file;
mod hidden;
mod jobs;
pub mod lines;
pub mod mapping;
mod passwords;
mod readings;
mod rows;
pub mod verdicts;

use std::cell::Cell;
use std::collections::hash_map::{Entry, RandomState};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;
use std::hash::BuildHasher;
use std::io::{self, Read, Seek, SeekFrom};
use std::pin::pin;

use domain::fault::Fault;
use domain::text;
use domain::text::Text;
use futures::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use serde_json::{Map, Value};
use store::ImportKind;

use crate::Failure;
use crate::structure::Schema;

pub use accounts::{AccountsOptions, AccountsReport, LetterBook, NoLetters, import_accounts};
pub use closing::{Missing, MissingJob, write_missing};
pub use compared::{Compared, Comparison};
pub use faults::{FaultGroup, FaultList, FoundFault, Place};
pub use jobs::{JobsImport, JobsOptions, JobsReport, import_jobs, missing_jobs};
pub use readings::{CardsOptions, CardsReport, import_cards, usual_mapping};

use faults::Groups;
use lines::{Cell as TableCell, Line, Lines};
pub use lines::{RawRow, TableRows};
use mapping::Mapping;
use rows::{Rows, Unreadable};
use verdicts::Verdict;

/// The content of a file, to read.
pub trait Content: Read + Seek {}

impl<T: Read + Seek> Content for T {}

/// A file to be imported. It is opened several times: to find out its letters, to read it, and to read once more the lines that waited for others.
pub struct Source<'a> {
    /// Opens it at its beginning.
    pub open: &'a dyn Fn() -> io::Result<Box<dyn Content>>,
    /// It is a table, and this says which column is which field; none: JSON lines.
    pub mapping: Option<&'a Mapping>,
    /// Where to begin: what ends before this line was done by an earlier run.
    pub from_line: u64,
    /// Asked before each line: whether the import is not wanted any more, and ends with [`Failure::Stopped`] when what is begun is done.
    pub is_stopped: &'a dyn Fn() -> bool,
}

impl Source<'_> {
    fn lines(&self, schema: &Schema) -> Result<(FileLines<'_>, u64), Failure> {
        let mut file = (self.open)().map_err(Failure::Unreadable)?;
        let length = file.seek(SeekFrom::End(0)).and_then(|length| file.rewind().map(|()| length)).map_err(Failure::Unreadable)?;
        let lines: FileLines<'_> = match self.mapping {
            None => Box::new(Lines::of(file)),
            Some(mapping) => Box::new(Rows::open(self.open, length, mapping, schema).map_err(|error| match error {
                Unreadable::Io(error) => Failure::Unreadable(error),
                Unreadable::Misfit(misfit) => Failure::Misfit(misfit.0),
            })?),
        };
        let first = self.from_line;
        Ok((Box::new(lines.filter(move |line| line.as_ref().map_or(true, |line| line.last >= first))), length))
    }
}

type FileLines<'a> = Box<dyn Iterator<Item = io::Result<Line>> + 'a>;

/// The receiver of an import's progress, and of the lines that are not taken.
pub trait Watch {
    /// So many bytes of so many were read, and so many lines are done.
    fn reached(&mut self, bytes: u64, of: u64, lines: u64);

    /// So a line came out.
    fn judged(&mut self, _line: u64, _verdict: Verdict) {}

    /// A line is not taken.
    ///
    /// # Errors
    /// When it cannot be noted; the import stops then.
    fn refused(&mut self, line: &RefusedLine<'_>) -> io::Result<()>;
}

/// A line that is not taken.
#[derive(Debug)]
pub struct RefusedLine<'a> {
    /// The faults of the line.
    pub faults: Vec<FoundFault<'a>>,
    /// Its rows; none: it is a line of JSON.
    pub table: Option<&'a TableRows>,
}

/// The outcome of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Created,
    /// It changed.
    Updated,
    /// It was so already.
    Unchanged,
    /// It came from another account.
    Moved,
    /// Nothing is wrong with it, but its account is still to come: an answer to a trial.
    Waiting,
    /// It was not taken.
    Refused(Vec<Fault>),
    /// An earlier line says exactly the same.
    Repeated,
    /// Other lines of the file decide about it: it comes once more when all of them were read.
    Deferred,
}

/// A kind of file that can be imported.
pub trait Import {
    /// The entry of a line.
    type Entry;
    /// The reason why it cannot go on.
    type Error: From<Failure>;
    /// What a line is of.
    const KIND: ImportKind;
    /// Lines that go into one call.
    const BATCH: usize;
    /// Calls that run at a time.
    const IN_FLIGHT: usize;
    /// Whether a line may say once more what an earlier one said, as in a file with one row for each of several meters of a customer.
    const REPEATS: bool;

    /// Reads and checks a line for itself.
    fn parse(&self, text: &[u8]) -> Result<Self::Entry, Vec<Fault>>;
    /// The entry's schema, for tables.
    fn schema() -> Schema;
    /// What stands against the entry in the lines before it.
    fn clash(&self, _entry: &Self::Entry, _line: u64) -> Option<Fault> {
        None
    }
    /// The id that may appear once in a file.
    fn id(entry: &Self::Entry) -> &str;
    /// Brings a batch in; one outcome a line.
    fn store(&self, batch: Vec<Self::Entry>) -> impl Future<Output = Result<Vec<Outcome>, Self::Error>>;
    /// All lines were read, which list these ids: what was deferred comes next, and is decided.
    fn settle(&self, _listed: &Seen) {}
}

/// The number of lines by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// New ones.
    pub created: u64,
    /// Changed ones.
    pub updated: u64,
    /// Those that were so already.
    pub unchanged: u64,
    /// Those that came from another account.
    pub moved: u64,
    /// Those whose accounts are still to come, in a trial.
    pub waiting: u64,
    /// Lines that repeat another one.
    pub repeated: u64,
    /// Lines at fault.
    pub faulty: u64,
}

impl Counts {
    /// Of how many lines.
    pub fn lines(&self) -> u64 {
        self.created + self.updated + self.unchanged + self.moved + self.waiting + self.repeated + self.faulty
    }

    /// The counts in a line.
    pub fn text(&self) -> Text {
        let Self { created, updated, unchanged, moved, waiting, repeated, faulty } = self;
        let moved = match moved {
            0 => Text::same(""),
            moved => text!("{moved} von einem anderen Zugang übernommen, ", "{moved} moved from another account, "),
        };
        let waiting = match waiting {
            0 => Text::same(""),
            waiting => text!("{waiting} ohne Zugang (Zugänge fehlen noch), ", "{waiting} without an account (none was imported yet), "),
        };
        let repeated = match repeated {
            0 => Text::same(""),
            repeated => text!("{repeated} wiederholt, ", "{repeated} repeated, "),
        };
        text!(
            "{created} neu, {updated} geändert, {unchanged} unverändert, {moved}{waiting}{repeated}{faulty} fehlerhaft",
            "{created} created, {updated} updated, {unchanged} unchanged, {moved}{waiting}{repeated}{faulty} faulty";
            moved, waiting, repeated
        )
    }
}

/// The outcome of a file.
#[derive(Debug, Default)]
pub struct ImportReport {
    /// The number of lines by outcome.
    pub counts: Counts,
    /// What is wrong, the same fault once, in the order of the file.
    pub faults: Vec<FaultGroup>,
}

/// An import that could not go on.
#[derive(Debug)]
pub struct Stopped<E> {
    /// The outcome until then.
    pub report: ImportReport,
    /// Everything before this line is done; none: nothing was begun.
    pub before_line: Option<u64>,
    /// The reason.
    pub failure: E,
}

impl<E: From<Failure>> From<Failure> for Stopped<E> {
    fn from(failure: Failure) -> Self {
        Self { report: ImportReport::default(), before_line: None, failure: failure.into() }
    }
}

/// The ids of a file as hashes of 64 bits, so that a million lines cost megabytes and not the file's size.
#[derive(Debug, Default)]
pub struct Seen {
    hasher: RandomState,
    lines: HashMap<u64, u64>,
    /// What the lines said, where they may be repeated: hashes of each member and of what it says.
    said: HashMap<u64, Vec<(u64, u64)>>,
}

impl Seen {
    /// Remembers the id; the earlier line, if it had come before.
    fn insert(&mut self, id: &str, line: u64) -> Result<(), u64> {
        match self.lines.entry(self.hasher.hash_one(id)) {
            Entry::Occupied(earlier) => Err(*earlier.get()),
            Entry::Vacant(place) => {
                place.insert(line);
                Ok(())
            }
        }
    }

    /// Remembers what the line of this id says, and names the members that say something else than in an earlier line.
    fn differs(&mut self, id: &str, text: &[u8]) -> Vec<String> {
        let said: Map<String, Value> = serde_json::from_slice(text).unwrap_or_default();
        let hash = |name: &str| self.hasher.hash_one(name);
        let now: Vec<_> = said.iter().map(|(name, value)| (hash(name), self.hasher.hash_one(value.to_string()))).collect();
        match self.said.entry(self.hasher.hash_one(id)) {
            Entry::Vacant(place) => {
                place.insert(now);
                Vec::new()
            }
            Entry::Occupied(earlier) => {
                let earlier = earlier.get();
                let mut names: Vec<_> =
                    said.keys().zip(&now).filter(|(_, member)| !earlier.contains(member)).map(|(name, _)| name.clone()).collect();
                // A member that only the earlier line has is known by its hash alone.
                if names.is_empty() && earlier.len() > now.len() {
                    names.push(String::new());
                }
                names
            }
        }
    }

    /// No sound line was in the file.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The id was in the file.
    pub fn contains(&self, id: &str) -> bool {
        self.lines.contains_key(&self.hasher.hash_one(id))
    }
}

/// One line on its way: its number, where it ends in the file, what it means, and where its fields stand.
struct Step<E> {
    number: u64,
    last: u64,
    end: u64,
    /// None: an earlier line says the same.
    entry: Result<Option<E>, Vec<Fault>>,
    cells: BTreeMap<String, TableCell>,
    table: Option<TableRows>,
}

/// A line whose fate is known.
struct Done {
    number: u64,
    last: u64,
    end: u64,
    outcome: Outcome,
    cells: BTreeMap<String, TableCell>,
    table: Option<TableRows>,
}

/// The state of an import under way.
#[derive(Default)]
struct State {
    counts: Counts,
    groups: Groups,
    seen: Seen,
    /// The first line that was not reached yet.
    reached: u64,
    /// The lines that come once more.
    deferred: BTreeSet<u64>,
}

/// Imports the file: what is faulty is reported, the rest goes in. With the report comes what the file lists.
///
/// # Errors
/// When it cannot go on; everything before the line that is named is done.
pub async fn run<I: Import>(import: &I, source: &Source<'_>, watch: &mut impl Watch) -> Result<(ImportReport, Seen), Stopped<I::Error>> {
    let (lines, length) = source.lines(&I::schema())?;
    let mut state = State { reached: source.from_line, ..State::default() };
    let mut fed = feed(import, (lines, length), source.is_stopped, &mut state, watch).await;
    if fed.is_ok() && !state.deferred.is_empty() {
        import.settle(&state.seen);
        fed = feed_deferred(import, source, &mut state, watch).await;
    }
    let line = state.deferred.first().map_or(state.reached, |first| state.reached.min(*first));
    let report = ImportReport { counts: state.counts, faults: state.groups.found() };
    match fed {
        Ok(()) => Ok((report, state.seen)),
        Err(failure) => Err(Stopped { report, before_line: Some(line), failure }),
    }
}

/// What a file lists, without storing any of it; none if a line of it cannot be read.
pub(crate) fn listed<I: Import>(import: &I, source: &Source<'_>) -> Result<Option<Seen>, Failure> {
    let mut seen = Seen::default();
    for line in source.lines(&I::schema())?.0 {
        let Line { number, text, .. } = line.map_err(Failure::Unreadable)?;
        let Ok(entry) = text.and_then(|text| import.parse(&text)) else { return Ok(None) };
        if seen.insert(I::id(&entry), number).is_err() && !I::REPEATS {
            return Ok(None);
        }
    }
    Ok(Some(seen))
}

/// Reads the file once more, for the lines that were deferred: to keep them all would take as much memory as the file has lines.
async fn feed_deferred<I: Import>(import: &I, source: &Source<'_>, state: &mut State, watch: &mut impl Watch) -> Result<(), I::Error> {
    let wanted = state.deferred.clone();
    let (lines, length) = source.lines(&I::schema())?;
    let lines = lines.filter(|line| line.as_ref().map_or(true, |line| wanted.contains(&line.number)));
    let lines = lines.map(|line| line.map(|line| Line { end: length, ..line }));
    feed(import, (lines, length), source.is_stopped, state, watch).await?;
    if state.deferred.is_empty() { Ok(()) } else { Err(Failure::Changed.into()) }
}

async fn feed<I: Import>(
    import: &I,
    (lines, length): (impl Iterator<Item = io::Result<Line>>, u64),
    is_stopped: &dyn Fn() -> bool,
    state: &mut State,
    watch: &mut impl Watch,
) -> Result<(), I::Error> {
    let State { counts, groups, seen, reached, deferred } = state;
    let again = !deferred.is_empty();
    let is_cut = Cell::new(false);
    let lines = lines.take_while(|_| {
        is_cut.set(is_stopped());
        !is_cut.get()
    });
    let steps = lines.map(|line| {
        let Line { number, last, end, text, torn, cells, table } = line.map_err(Failure::Unreadable)?;
        let entry = text.and_then(|text| Ok((import.parse(&text)?, text)));
        let entry = match torn {
            None => entry,
            // All that is wrong is said at once.
            Some(torn) => Err(entry.err().into_iter().flatten().chain([torn]).collect()),
        };
        let entry = entry.and_then(|(entry, text)| match seen.insert(I::id(&entry), number) {
            Err(_) if again => Ok(Some(entry)),
            Err(earlier) if I::REPEATS => repeated(seen.differs(I::id(&entry), &text), earlier),
            Err(earlier) => {
                let id = I::id(&entry);
                let reason = text!("`{id}` ist schon die Kennung von Zeile {earlier}", "`{id}` is the id of line {earlier} too");
                Err(vec![Fault::new("id", reason)])
            }
            Ok(()) => {
                if I::REPEATS {
                    seen.differs(I::id(&entry), &text);
                }
                import.clash(&entry, number).map_or(Ok(Some(entry)), |fault| Err(vec![fault]))
            }
        });
        Ok::<_, I::Error>(Step { number, last, end, entry, cells, table })
    });
    let batches = stream::iter(steps).try_chunks(I::BATCH).map(|batch| async { send(import, batch.map_err(|error| error.1)?).await });
    let mut batches = pin!(batches.buffered(I::IN_FLIGHT));
    while let Some(batch) = batches.next().await {
        for Done { number, last, end, outcome, cells, table } in batch? {
            deferred.remove(&number);
            if let Some(verdict) = Verdict::of(&outcome) {
                watch.judged(number, verdict);
            }
            match &outcome {
                Outcome::Created => counts.created += 1,
                Outcome::Updated => counts.updated += 1,
                Outcome::Unchanged => counts.unchanged += 1,
                Outcome::Moved => counts.moved += 1,
                Outcome::Waiting => counts.waiting += 1,
                Outcome::Repeated => counts.repeated += 1,
                Outcome::Deferred => drop(deferred.insert(number)),
                Outcome::Refused(faults) => {
                    counts.faulty += 1;
                    let faults: Vec<_> = faults.iter().map(|fault| FoundFault::of(fault, number, (I::KIND, &cells))).collect();
                    faults.iter().for_each(|fault| groups.add(fault));
                    watch.refused(&RefusedLine { faults, table: table.as_ref() }).map_err(Failure::Unreported)?;
                }
            }
            *reached = (*reached).max(last + 1);
            watch.reached(end, length, counts.lines());
        }
    }
    if is_cut.get() { Err(Failure::Stopped.into()) } else { Ok(()) }
}

/// What a line means whose id an earlier line has: nothing, if it says the same (D-IMPORTS-6).
fn repeated<E>(differs: Vec<String>, earlier: u64) -> Result<Option<E>, Vec<Fault>> {
    if differs.is_empty() {
        return Ok(None);
    }
    let reason =
        || text!("ist anders als in Zeile {earlier}, die dieselbe Kennung hat", "differs from line {earlier}, which has the same id");
    Err(differs.into_iter().map(|name| Fault::new(name, reason())).collect())
}

/// Sends what is sound of a batch.
async fn send<I: Import>(import: &I, batch: Vec<Step<I::Entry>>) -> Result<Vec<Done>, I::Error> {
    let mut entries = Vec::with_capacity(batch.len());
    let lines: Vec<_> = batch
        .into_iter()
        .map(|Step { number, last, end, entry, cells, table }| {
            let known = match entry {
                Ok(Some(entry)) => {
                    entries.push(entry);
                    None
                }
                Ok(None) => Some(Outcome::Repeated),
                Err(faults) => Some(Outcome::Refused(faults)),
            };
            (known, move |outcome| Done { number, last, end, outcome, cells, table })
        })
        .collect();
    let sent = entries.len();
    let outcomes = if sent == 0 { Vec::new() } else { import.store(entries).await? };
    debug_assert_eq!(outcomes.len(), sent, "one outcome a line");
    let mut outcomes = outcomes.into_iter();
    let done = lines.into_iter().filter_map(|(known, done)| Some(done(known.or_else(|| outcomes.next())?)));
    Ok(done.collect())
}
