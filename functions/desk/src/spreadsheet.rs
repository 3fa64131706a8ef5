//! Texts that a spreadsheet opens.

use std::borrow::Cow;
use std::io;

use serde::Serialize;

/// Longest text of a workbook's cell, in UTF-16 units.
const CELL_TEXT: usize = 32_767;
/// What a spreadsheet needs to see at a file's beginning to take it for UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A cell that no spreadsheet takes for a formula: one that looks so gets a leading apostrophe.
pub fn no_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Writes a row for a spreadsheet; no cell begins a formula, regardless of its author.
pub fn write_row<W: io::Write>(writer: &mut csv::Writer<W>, row: impl Serialize) -> io::Result<()> {
    let mut cells = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    cells.serialize(row).map_err(io::Error::from)?;
    let bytes = cells.into_inner().map_err(|error| error.into_error())?;
    for row in csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice()).into_records() {
        writer.write_record(row.map_err(io::Error::from)?.iter().map(|cell| no_formula(cell).into_owned())).map_err(io::Error::from)?;
    }
    Ok(())
}

/// As much of a text as a workbook's cell takes.
pub(crate) fn workbook_text(text: &str) -> &str {
    let end = text.char_indices().scan(0, |units, (at, letter)| {
        *units += letter.len_utf16();
        Some((at, *units))
    });
    let end = end.filter(|(_, units)| *units > CELL_TEXT).map(|(at, _)| at).next().unwrap_or(text.len());
    &text[..end]
}

/// A table for a German spreadsheet, in memory.
pub fn begin_table() -> csv::Writer<Vec<u8>> {
    table(BOM.to_vec())
}

/// The same, on its way to the writer.
///
/// # Errors
/// The writer's.
pub(crate) fn begin_table_in<W: io::Write>(mut writer: W) -> io::Result<csv::Writer<W>> {
    writer.write_all(BOM)?;
    Ok(table(writer))
}

fn table<W: io::Write>(writer: W) -> csv::Writer<W> {
    csv::WriterBuilder::new().delimiter(b';').terminator(csv::Terminator::CRLF).from_writer(writer)
}
