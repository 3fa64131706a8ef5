//! The way of every line from a file into the store: read, checked, sent in batches, reported.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::hash::BuildHasher;
use std::io;
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use futures::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use store::StoreError;

use crate::Failure;
use crate::cli::Input;
use crate::faults::{FaultTable, Placed};
use crate::lines::{Cell, FieldFault, Line, Lines};
use crate::mapping::Mapping;
use crate::progress::Progress;
use crate::rows::{Rows, Unreadable};
use crate::structure::Schema;

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
    Refused(Vec<FieldFault>),
}

/// A kind of file that can be imported.
pub trait Import {
    /// What a line means.
    type Entry;
    /// What the lines are, in the plural.
    const UNIT: &'static str;
    /// How many lines go into one call.
    const BATCH: usize;
    /// How many calls run at a time.
    const IN_FLIGHT: usize;

    /// Reads and checks a line for itself.
    fn parse(&self, text: &[u8]) -> Result<Self::Entry, Vec<FieldFault>>;
    /// The entry's schema, for tables.
    fn schema() -> Schema;
    /// What stands against the entry in the lines before it.
    fn clash(&self, _entry: &Self::Entry, _line: u64) -> Option<FieldFault> {
        None
    }
    /// The id that may appear once in a file.
    fn id(entry: &Self::Entry) -> &str;
    /// Brings a batch in; one outcome a line.
    fn store(&self, batch: Vec<Self::Entry>) -> impl Future<Output = Result<Vec<Outcome>, Failure>>;
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
    /// Lines at fault.
    pub faulty: u64,
}

impl Summary {
    fn lines(&self) -> u64 {
        self.created + self.updated + self.unchanged + self.moved + self.faulty
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} created, {} updated, {} unchanged, ", self.created, self.updated, self.unchanged)?;
        if self.moved > 0 {
            write!(f, "{} moved from another account, ", self.moved)?;
        }
        write!(f, "{} faulty", self.faulty)
    }
}

/// The ids of a file as hashes of 64 bits, so that a million lines cost megabytes and not the file's size.
#[derive(Debug, Default)]
pub struct Seen {
    hasher: RandomState,
    lines: HashMap<u64, u64>,
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
    entry: Result<E, Vec<FieldFault>>,
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

/// Imports the file. Faulty lines are reported on standard error and, where wanted, in a table; the others go in.
pub async fn run<I: Import>(import: &I, input: &Input) -> Result<(Summary, Seen), Failure> {
    let file = input.file.as_path();
    let unreadable = |error: io::Error| Failure::File { path: file.to_owned(), error };
    let mut faults = input.faults.as_deref().map(FaultTable::create).transpose()?;
    let mut seen = Seen::default();
    let (lines, length): (Box<dyn Iterator<Item = io::Result<Line>>>, u64) = match &input.mapping {
        None => {
            let (lines, length) = Lines::open(file).map_err(unreadable)?;
            (Box::new(lines), length)
        }
        Some(path) => {
            let mapping = Mapping::read(path)?;
            let (rows, length) = Rows::open(file, &mapping, &I::schema()).map_err(|error| match error {
                Unreadable::Io(error) => unreadable(error),
                Unreadable::Misfit(reason) => Failure::Mapping { path: path.clone(), reason: reason.to_string() },
            })?;
            (Box::new(rows), length)
        }
    };
    let progress = Progress::through(length, I::UNIT);
    let first = input.from_line.unwrap_or(0);
    let lines = lines.filter(|line| line.as_ref().map_or(true, |line| line.last >= first)).map(|line| line.map_err(unreadable));
    let mut reached = first;
    let summary = feed(import, file, lines, &mut seen, faults.as_mut(), &progress, &mut reached).await;
    progress.end();
    if summary.is_err() {
        progress
            .say(format_args!("{}: stopped; everything before line {reached} is done: go on with --from-line {reached}", file.display()));
    }
    if let Some(faults) = faults {
        faults.finish()?;
    }
    Ok((summary?, seen))
}

async fn feed<I: Import>(
    import: &I,
    file: &Path,
    lines: impl Iterator<Item = Result<Line, Failure>>,
    seen: &mut Seen,
    mut table: Option<&mut FaultTable>,
    progress: &Progress,
    reached: &mut u64,
) -> Result<Summary, Failure> {
    let steps = lines.map(|line| {
        let Line { number, last, end, text, cells } = line?;
        let entry = text.and_then(|text| import.parse(&text));
        let entry = entry.and_then(|entry| match seen.insert(I::id(&entry), number) {
            Ok(()) => import.clash(&entry, number).map_or(Ok(entry), |fault| Err(vec![fault])),
            Err(earlier) => Err(vec![FieldFault::new("id", format!("`{}` is the id of line {earlier} too", I::id(&entry)))]),
        });
        Ok::<_, Failure>(Step { number, last, end, entry, cells })
    });
    let batches = stream::iter(steps).try_chunks(I::BATCH).map(|batch| async { send(import, batch.map_err(|error| error.1)?).await });
    let mut batches = pin!(batches.buffered(I::IN_FLIGHT));
    let mut summary = Summary::default();
    while let Some(batch) = batches.next().await {
        for Done { number, last, end, outcome, cells } in batch? {
            match &outcome {
                Outcome::Created => summary.created += 1,
                Outcome::Updated => summary.updated += 1,
                Outcome::Unchanged => summary.unchanged += 1,
                Outcome::Moved => summary.moved += 1,
                Outcome::Refused(faults) => {
                    summary.faulty += 1;
                    for fault in faults {
                        let fault = Placed::of(fault, number, &cells);
                        progress.say(format_args!("{}: {fault}", file.display()));
                        if let Some(table) = table.as_deref_mut() {
                            table.write(&fault)?;
                        }
                    }
                }
            }
            *reached = last + 1;
            progress.reached(end, summary.lines());
        }
    }
    Ok(summary)
}

/// Sends what is sound of a batch.
async fn send<I: Import>(import: &I, batch: Vec<Step<I::Entry>>) -> Result<Vec<Done>, Failure> {
    let mut entries = Vec::with_capacity(batch.len());
    let lines: Vec<_> = batch
        .into_iter()
        .map(|Step { number, last, end, entry, cells }| {
            let refused = entry.map(|entry| entries.push(entry)).err().map(Outcome::Refused);
            (refused, move |outcome| Done { number, last, end, outcome, cells })
        })
        .collect();
    let sent = entries.len();
    let outcomes = if sent == 0 { Vec::new() } else { import.store(entries).await? };
    debug_assert_eq!(outcomes.len(), sent, "one outcome a line");
    let mut outcomes = outcomes.into_iter();
    let done = lines.into_iter().filter_map(|(refused, done)| Some(done(refused.or_else(|| outcomes.next())?)));
    Ok(done.collect())
}

/// Tries again for a minute while the store asks to slow down: an import of an hour must not end because of one busy second.
pub async fn patiently<T, F: Future<Output = Result<T, StoreError>>>(call: impl Fn() -> F) -> Result<T, StoreError> {
    let mut tries_left = 30;
    loop {
        match call().await {
            Err(error) if tries_left > 0 && (error.is_unavailable() || error == StoreError::Conflict) => {
                tries_left -= 1;
                tokio::time::sleep(error.retry_after().unwrap_or(Duration::from_millis(500))).await;
            }
            done => return done,
        }
    }
}
