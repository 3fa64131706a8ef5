//! The way of every line from a file into the store: read, checked, sent in batches, reported.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;
use std::hash::BuildHasher;
use std::io;
use std::path::Path;
use std::pin::pin;

use domain::fault::Fault;
use domain::text;
use domain::text::Text;
use futures::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::cli::Input;
use crate::faults::{FaultTable, Placed};
use crate::lines::{Cell, Line, Lines};
use crate::mapping::Mapping;
use crate::progress::Progress;
use crate::rows::{Rows, Unreadable};
use crate::structure::Schema;
use crate::{Failure, Say};

/// What became of one line.
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
    /// It was not taken.
    Refused(Vec<Fault>),
    /// An earlier line says exactly the same.
    Repeated,
    /// Other lines of the file decide about it: it comes once more when all of them were read.
    Deferred,
}

/// A kind of file that can be imported.
pub trait Import {
    /// What a line means.
    type Entry;
    /// How many lines go into one call.
    const BATCH: usize;
    /// How many calls run at a time.
    const IN_FLIGHT: usize;
    /// Whether a line may say once more what an earlier one said, as in a file with one row for each of several meters of a customer.
    const REPEATS: bool;

    /// What the lines are, in the plural.
    fn unit() -> Text;
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
    fn store(&self, batch: Vec<Self::Entry>) -> impl Future<Output = Result<Vec<Outcome>, Failure>>;
    /// All lines were read, which list these ids: what was deferred comes next, and is decided.
    fn settle(&self, _listed: &Seen) {}
}

/// What became of a file.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// New ones.
    pub created: u64,
    /// Changed ones.
    pub updated: u64,
    /// Those that were so already.
    pub unchanged: u64,
    /// Those that came from another account.
    pub moved: u64,
    /// Lines that repeat another one.
    pub repeated: u64,
    /// Lines at fault.
    pub faulty: u64,
}

impl Summary {
    fn lines(&self) -> u64 {
        self.created + self.updated + self.unchanged + self.moved + self.repeated + self.faulty
    }
}

impl Summary {
    /// The counts in a line.
    pub fn text(&self) -> Text {
        let Self { created, updated, unchanged, moved, repeated, faulty } = self;
        let moved = match moved {
            0 => Text::same(""),
            moved => text!("{moved} von einem anderen Zugang übernommen, ", "{moved} moved from another account, "),
        };
        let repeated = match repeated {
            0 => Text::same(""),
            repeated => text!("{repeated} wiederholt, ", "{repeated} repeated, "),
        };
        text!(
            "{created} neu, {updated} geändert, {unchanged} unverändert, {moved}{repeated}{faulty} fehlerhaft",
            "{created} created, {updated} updated, {unchanged} unchanged, {moved}{repeated}{faulty} faulty";
            moved, repeated
        )
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
    cells: BTreeMap<String, Cell>,
}

/// A line whose fate is known.
struct Done {
    number: u64,
    last: u64,
    end: u64,
    outcome: Outcome,
    cells: BTreeMap<String, Cell>,
}

/// How far an import has come.
#[derive(Default)]
struct State {
    summary: Summary,
    seen: Seen,
    /// The first line that was not reached yet.
    reached: u64,
    /// The lines that come once more.
    deferred: BTreeSet<u64>,
}

/// Imports the file. Faulty lines are reported on standard error and, where wanted, in a table; the others go in.
pub async fn run<I: Import>(import: &I, input: &Input, say: Say) -> Result<(Summary, Seen), Failure> {
    let file = input.file.as_path();
    let mut faults = input.faults.as_deref().map(|path| FaultTable::create(path, say.lang)).transpose()?;
    let first = input.from_line.unwrap_or(0);
    let (lines, length) = lines::<I>(input)?;
    let lines = lines.filter(|line| line.as_ref().map_or(true, |line| line.last >= first));
    let progress = Progress::through(length, I::unit(), say);
    let mut state = State { reached: first, ..State::default() };
    let mut fed = feed(import, file, lines, &mut state, faults.as_mut(), &progress).await;
    if fed.is_ok() && !state.deferred.is_empty() {
        import.settle(&state.seen);
        fed = feed_deferred(import, input, &mut state, faults.as_mut(), &progress).await;
    }
    progress.end();
    if fed.is_err() {
        let line = state.deferred.first().map_or(state.reached, |first| state.reached.min(*first));
        let file = file.display();
        progress.say(&text!(
            "{file}: angehalten; alles vor Zeile {line} ist erledigt: weiter mit --from-line {line}",
            "{file}: stopped; everything before line {line} is done: go on with --from-line {line}"
        ));
    }
    if let Some(faults) = faults {
        faults.finish()?;
    }
    fed.map(|()| (state.summary, state.seen))
}

type FileLines<'a> = Box<dyn Iterator<Item = Result<Line, Failure>> + 'a>;

/// The lines of the file, and its length in bytes.
fn lines<I: Import>(input: &Input) -> Result<(FileLines<'_>, u64), Failure> {
    let unreadable = |error: io::Error| Failure::File { path: input.file.clone(), error };
    match &input.mapping {
        None => {
            let (lines, length) = Lines::open(&input.file).map_err(unreadable)?;
            Ok((Box::new(lines.map(move |line| line.map_err(unreadable))), length))
        }
        Some(path) => {
            let mapping = Mapping::read(path)?;
            let (rows, length) = Rows::open(&input.file, &mapping, &I::schema()).map_err(|error| match error {
                Unreadable::Io(error) => unreadable(error),
                Unreadable::Misfit(reason) => Failure::Mapping { path: path.clone(), reason: reason.0 },
            })?;
            Ok((Box::new(rows.map(move |line| line.map_err(unreadable))), length))
        }
    }
}

/// Reads the file once more, for the lines that were deferred: to keep them all would take as much memory as the file has lines.
async fn feed_deferred<I: Import>(
    import: &I,
    input: &Input,
    state: &mut State,
    table: Option<&mut FaultTable>,
    progress: &Progress,
) -> Result<(), Failure> {
    let wanted = state.deferred.clone();
    let (lines, length) = lines::<I>(input)?;
    let lines = lines.filter(|line| line.as_ref().map_or(true, |line| wanted.contains(&line.number)));
    let lines = lines.map(|line| line.map(|line| Line { end: length, ..line }));
    feed(import, &input.file, lines, state, table, progress).await?;
    if state.deferred.is_empty() {
        return Ok(());
    }
    let reason = text!("wurde während des Imports geändert", "is not what it was when the import began");
    Err(Failure::Mapping { path: input.file.clone(), reason })
}

async fn feed<I: Import>(
    import: &I,
    file: &Path,
    lines: impl Iterator<Item = Result<Line, Failure>>,
    state: &mut State,
    mut table: Option<&mut FaultTable>,
    progress: &Progress,
) -> Result<(), Failure> {
    let State { summary, seen, reached, deferred } = state;
    let again = !deferred.is_empty();
    let steps = lines.map(|line| {
        let Line { number, last, end, text, cells } = line?;
        let entry = text.and_then(|text| Ok((import.parse(&text)?, text)));
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
        Ok::<_, Failure>(Step { number, last, end, entry, cells })
    });
    let batches = stream::iter(steps).try_chunks(I::BATCH).map(|batch| async { send(import, batch.map_err(|error| error.1)?).await });
    let mut batches = pin!(batches.buffered(I::IN_FLIGHT));
    while let Some(batch) = batches.next().await {
        for Done { number, last, end, outcome, cells } in batch? {
            deferred.remove(&number);
            match &outcome {
                Outcome::Created => summary.created += 1,
                Outcome::Updated => summary.updated += 1,
                Outcome::Unchanged => summary.unchanged += 1,
                Outcome::Moved => summary.moved += 1,
                Outcome::Repeated => summary.repeated += 1,
                Outcome::Deferred => drop(deferred.insert(number)),
                Outcome::Refused(faults) => {
                    summary.faulty += 1;
                    for fault in faults {
                        let fault = Placed::of(fault, number, &cells);
                        let (file, reason) = (file.display(), fault.text());
                        progress.say(&text!("{file}: {reason}", "{file}: {reason}"; reason));
                        if let Some(table) = table.as_deref_mut() {
                            table.write(&fault)?;
                        }
                    }
                }
            }
            *reached = (*reached).max(last + 1);
            progress.reached(end, summary.lines());
        }
    }
    Ok(())
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
async fn send<I: Import>(import: &I, batch: Vec<Step<I::Entry>>) -> Result<Vec<Done>, Failure> {
    let mut entries = Vec::with_capacity(batch.len());
    let lines: Vec<_> = batch
        .into_iter()
        .map(|Step { number, last, end, entry, cells }| {
            let known = match entry {
                Ok(Some(entry)) => {
                    entries.push(entry);
                    None
                }
                Ok(None) => Some(Outcome::Repeated),
                Err(faults) => Some(Outcome::Refused(faults)),
            };
            (known, move |outcome| Done { number, last, end, outcome, cells })
        })
        .collect();
    let sent = entries.len();
    let outcomes = if sent == 0 { Vec::new() } else { import.store(entries).await? };
    debug_assert_eq!(outcomes.len(), sent, "one outcome a line");
    let mut outcomes = outcomes.into_iter();
    let done = lines.into_iter().filter_map(|(known, done)| Some(done(known.or_else(|| outcomes.next())?)));
    Ok(done.collect())
}
