//! A JSONL file, read line by line in constant memory, and what is wrong with a line.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use domain::fault::Fault;
use domain::text;
use serde::de::DeserializeOwned;

use super::Content;
use crate::structure::{misfit, not_json};

/// Longest line in bytes; a job has a few KB, and a file that is no JSONL at all must not fill the memory.
const MAX_LINE: u64 = 1024 * 1024;

/// Where a field of an entry stands in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The row's line.
    pub line: u64,
    /// The column's name in the header.
    pub column: String,
    /// The text of the cell.
    pub value: String,
}

/// A row of a table as it came.
#[derive(Debug)]
pub struct RawRow {
    /// Its line, counted from 1.
    pub line: u64,
    /// What its cells say; of another number than the heads, if that is its fault.
    pub cells: Vec<String>,
}

/// The rows that stand for one line.
#[derive(Debug)]
pub struct TableRows {
    /// The table's heads.
    pub heads: Arc<[String]>,
    /// The rows, one at least.
    pub rows: Vec<RawRow>,
}

/// One line that is not blank, or the rows of a table that stand for one.
#[derive(Debug)]
pub struct Line {
    /// Counted from 1, blank lines included.
    pub number: u64,
    /// The same of the last row.
    pub last: u64,
    /// The place of the next line in the file.
    pub end: u64,
    /// The text, or why there is none.
    pub text: Result<Vec<u8>, Vec<Fault>>,
    /// Why it may be a part only of what it stands for, and is not taken.
    pub torn: Option<Fault>,
    /// In a table: where each field stands.
    pub cells: BTreeMap<String, Cell>,
    /// The rows of a table; none: it is a line of JSON.
    pub table: Option<TableRows>,
}

impl Line {
    /// A line of JSON, or why it cannot be read.
    fn of_json(number: u64, end: u64, text: Result<Vec<u8>, Vec<Fault>>) -> Self {
        Self { number, last: number, end, text, torn: None, cells: BTreeMap::new(), table: None }
    }
}

/// The lines of a file.
pub struct Lines {
    reader: BufReader<Box<dyn Content>>,
    number: u64,
    end: u64,
}

impl Lines {
    /// The lines of this file, from its beginning.
    pub fn of(file: Box<dyn Content>) -> Self {
        Self { reader: BufReader::with_capacity(64 * 1024, file), number: 0, end: 0 }
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            let taken = Read::by_ref(&mut self.reader).take(MAX_LINE + 1).read_until(b'\n', &mut bytes)?;
            if taken == 0 {
                return Ok(None);
            }
            self.number += 1;
            self.end += taken as u64;
            let number = self.number;
            if taken as u64 > MAX_LINE && bytes.last() != Some(&b'\n') {
                self.end += self.reader.skip_until(b'\n')? as u64;
                let fault = Fault::new("", text!("ist länger als {most} KB", "is longer than {most} KB", most = MAX_LINE / 1024));
                return Ok(Some(Line::of_json(number, self.end, Err(vec![fault]))));
            }
            let text = if number == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes) } else { &bytes };
            let text = text.trim_ascii();
            if !text.is_empty() {
                return Ok(Some(Line::of_json(number, self.end, Ok(text.to_vec()))));
            }
        }
    }
}

impl Iterator for Lines {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Reads a line's object; the fault names the field.
pub fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let inner = error.inner();
        if inner.is_syntax() || inner.is_eof() {
            return Fault::new("", not_json(inner));
        }
        let path = error.path().to_string();
        let field = if path == "." { "" } else { &path };
        misfit(field, &inner.to_string())
    })?;
    json.end().map_err(|_| Fault::new("", text!("nach dem Objekt steht noch etwas", "has something after the object")))?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers_and_a_monster_is_skipped() {
        let mut file = b"\xef\xbb\xbf{}\r\n\n  \n".to_vec();
        file.extend(vec![b'x'; 3 * 1024 * 1024]);
        file.extend(b"\n[1]");
        let length = file.len() as u64;
        let lines = Lines::of(Box::new(io::Cursor::new(file)));
        let lines: Vec<_> = lines.map(Result::unwrap).collect();
        let seen: Vec<_> =
            lines.iter().map(|line| (line.number, line.text.clone().map_err(|faults| faults[0].reason.en.clone()))).collect();
        assert_eq!(seen, [(1, Ok(b"{}".to_vec())), (4, Err("is longer than 1024 KB".into())), (5, Ok(b"[1]".to_vec()))]);
        assert_eq!(lines[2].end, length);
    }
}
