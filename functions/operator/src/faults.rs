//! What is wrong with a file, as a table that a spreadsheet opens.

use std::io;
use std::path::{Path, PathBuf};

use desk::import::FoundFault;
use domain::text::Lang;

use crate::Failure;
use crate::output::Output;
use crate::text::write_row;

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
    pub fn write(&mut self, fault: &FoundFault<'_>) -> io::Result<()> {
        write_row(&mut self.writer, [&fault.line.to_string(), fault.column, fault.value, fault.reason.of(self.lang)])
    }

    /// Puts the complete file in its place; without a fault it holds the header only.
    pub fn finish(self) -> Result<(), Failure> {
        let output = self.writer.into_inner().map_err(|error| Failure::File { path: self.path.clone(), error: error.into_error() })?;
        output.finish()
    }
}
