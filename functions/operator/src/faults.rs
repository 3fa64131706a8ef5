//! What is wrong with a file, for the person who mends it: on standard error, and as a table that a spreadsheet opens.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use domain::fault::Fault;

use crate::Failure;
use crate::lines::Cell;
use crate::output::Output;
use crate::text::write_row;

/// A fault with its place.
#[derive(Debug)]
pub struct Placed<'a> {
    line: u64,
    field: &'a str,
    cell: Option<&'a Cell>,
    reason: &'a str,
}

impl<'a> Placed<'a> {
    /// Finds the cell that the fault is about: its own, or the nearest that holds it or lies in it.
    pub fn of(fault: &'a Fault, line: u64, cells: &'a BTreeMap<String, Cell>) -> Self {
        let missing = fault.reason.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        let path = match missing {
            Some(name) if fault.path.is_empty() => name.to_owned(),
            Some(name) => format!("{}.{name}", fault.path),
            None => fault.path.clone(),
        };
        let inside =
            |(name, _): &(&String, &Cell)| !path.is_empty() && name.strip_prefix(&path).is_some_and(|rest| rest.starts_with(['.', '[']));
        let cell = cells.get(&path).or_else(|| cells.iter().find(inside).map(|(_, cell)| cell));
        // A table always has the column; what it lacks is a text in it.
        let reason = if missing.is_some() && cell.is_some() { "must not be empty" } else { &fault.reason };
        Self { line: cell.map_or(line, |cell| cell.line), field: &fault.path, cell, reason }
    }
}

/// Without the cell's value, which may be personal and would stay in a scheduled run's log.
impl fmt::Display for Placed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match (self.cell, self.field) {
            (Some(cell), _) => write!(f, "{}: ", cell.column)?,
            (None, "") => {}
            (None, field) => write!(f, "{field}: ")?,
        }
        f.write_str(self.reason)
    }
}

/// The table: line, column, value, reason.
pub struct FaultTable {
    path: PathBuf,
    writer: csv::Writer<Output>,
}

impl FaultTable {
    /// Begins the file.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let mut writer = csv::WriterBuilder::new().delimiter(b';').terminator(csv::Terminator::CRLF).from_writer(Output::create(path)?);
        let begun = writer.write_record(["line", "column", "value", "reason"]).map_err(io::Error::from);
        begun.map_err(|error| Failure::File { path: path.to_owned(), error })?;
        Ok(Self { path: path.to_owned(), writer })
    }

    /// Adds a row.
    pub fn write(&mut self, fault: &Placed<'_>) -> Result<(), Failure> {
        let column = fault.cell.map_or(fault.field, |cell| cell.column.as_str());
        let value = fault.cell.map_or("", |cell| cell.value.as_str());
        let row = [fault.line.to_string(), column.to_owned(), value.to_owned(), fault.reason.to_owned()];
        write_row(&mut self.writer, row).map_err(|error| Failure::File { path: self.path.clone(), error })
    }

    /// Puts the complete file in its place; without a fault it holds the header only.
    pub fn finish(self) -> Result<(), Failure> {
        let output = self.writer.into_inner().map_err(|error| Failure::File { path: self.path.clone(), error: error.into_error() })?;
        output.finish()
    }
}
