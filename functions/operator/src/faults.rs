//! What is wrong with a file, for the person who mends it: on standard error, and as a table that a spreadsheet opens.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use domain::fault::Fault;
use domain::text;
use domain::text::{Lang, Text};

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
    reason: Text,
}

impl<'a> Placed<'a> {
    /// Finds the cell that the fault is about: its own, or the nearest that holds it or lies in it.
    pub fn of(fault: &'a Fault, line: u64, cells: &'a BTreeMap<String, Cell>) -> Self {
        let path = &fault.path;
        let inside =
            |(name, _): &(&String, &Cell)| !path.is_empty() && name.strip_prefix(path).is_some_and(|rest| rest.starts_with(['.', '[']));
        let cell = cells.get(path).or_else(|| cells.iter().find(inside).map(|(_, cell)| cell));
        // A table always has the column; what it lacks is a text in it.
        let reason = match cell {
            Some(_) if fault.is_missing => text!("darf nicht leer sein", "must not be empty"),
            _ => fault.reason.clone(),
        };
        Self { line: cell.map_or(line, |cell| cell.line), field: path, cell, reason }
    }

    /// The fault in a sentence, without the cell's value, which may be personal and would stay in a scheduled run's log.
    pub fn text(&self) -> Text {
        let (line, reason) = (self.line, &self.reason);
        match self.cell.map_or(self.field, |cell| cell.column.as_str()) {
            "" => text!("Zeile {line}: {reason}", "line {line}: {reason}"; reason),
            column => text!("Zeile {line}: {column}: {reason}", "line {line}: {column}: {reason}"; reason),
        }
    }
}

/// The table: line, column, value, reason.
pub struct FaultTable {
    path: PathBuf,
    lang: Lang,
    writer: csv::Writer<Output>,
}

impl FaultTable {
    /// Begins the file.
    pub fn create(path: &Path, lang: Lang) -> Result<Self, Failure> {
        let mut writer = csv::WriterBuilder::new().delimiter(b';').terminator(csv::Terminator::CRLF).from_writer(Output::create(path)?);
        let begun = writer
            .write_record(match lang {
                Lang::De => ["Zeile", "Spalte", "Wert", "Grund"],
                Lang::En => ["line", "column", "value", "reason"],
            })
            .map_err(io::Error::from);
        begun.map_err(|error| Failure::File { path: path.to_owned(), error })?;
        Ok(Self { path: path.to_owned(), lang, writer })
    }

    /// Adds a row.
    pub fn write(&mut self, fault: &Placed<'_>) -> Result<(), Failure> {
        let column = fault.cell.map_or(fault.field, |cell| cell.column.as_str());
        let value = fault.cell.map_or("", |cell| cell.value.as_str());
        let row = [fault.line.to_string(), column.to_owned(), value.to_owned(), fault.reason.of(self.lang).to_owned()];
        write_row(&mut self.writer, row).map_err(|error| Failure::File { path: self.path.clone(), error })
    }

    /// Puts the complete file in its place; without a fault it holds the header only.
    pub fn finish(self) -> Result<(), Failure> {
        let output = self.writer.into_inner().map_err(|error| Failure::File { path: self.path.clone(), error: error.into_error() })?;
        output.finish()
    }
}
