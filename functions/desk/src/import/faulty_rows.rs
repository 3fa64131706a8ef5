//! The lines of a table that were not taken, as a workbook that is mended and sent again: what is wrong stands before the columns as they came.

use std::io;

use domain::text;
use domain::text::{Lang, Text};
use jiff::Timestamp;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, XlsxError};
use store::ImportKind;

use super::RefusedLine;
use super::columns::{SECRETS, is_secret};
use super::faults::FoundFault;
use super::lines::{RawRow, TableRows};
use super::mapping::Mapping;
use crate::spreadsheet::workbook_text;

/// Heads of the two columns that the list adds: so that none of a utility's own is called so.
const HEADS: [[&str; 2]; 2] = [["Zeile [Zählwerk]", "Fehler [Zählwerk]"], ["Line [Zählwerk]", "Fault [Zählwerk]"]];
/// What stands in place of a password or link: the member who mends the list writes it anew, because three characters are neither.
const HIDDEN: &str = "***";
/// Rows that a sheet has room for; no member mends more.
const MOST: usize = 1_000_000;
/// Cells that the disk of a worker has room for beside the file: some 80 bytes each, and what they say.
const MOST_CELLS: usize = 2_000_000;
/// Widths of the two columns and of the others, in characters.
const WIDTHS: [f64; 3] = [10.0, 60.0, 18.0];

/// Whether a column with this head was added by a list of faults, and means nothing for an import.
pub fn is_added(head: &str) -> bool {
    HEADS.iter().flatten().any(|added| *added == head)
}

/// The list in the making; its rows go to a temporary file as they come.
pub struct FaultyRows {
    workbook: Workbook,
    lang: Lang,
    kind: ImportKind,
    /// Columns whose cells the mapping makes passwords or links.
    secret: Vec<String>,
    rows: u32,
    /// The number of cells for which there is room.
    room: usize,
    /// The number of rows that had no room.
    missing: u64,
    text: Format,
}

impl FaultyRows {
    /// Begins a list of a file of this kind, made at this time.
    ///
    /// # Errors
    /// The system's.
    pub fn begin((kind, mapping): (ImportKind, &Mapping), lang: Lang, made: Timestamp) -> io::Result<Self> {
        let mut workbook = Workbook::new();
        // Not the time of writing: a run that begins anew writes the same bytes.
        let made = ExcelDateTime::from_timestamp(made.as_second()).map_err(io::Error::other)?;
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&made));
        workbook.add_worksheet_with_constant_memory().map_err(io::Error::other)?;
        let secret = SECRETS.iter().flat_map(|field| mapping.columns_of(field)).cloned().collect();
        Ok(Self { workbook, lang, kind, secret, rows: 0, room: MOST_CELLS, missing: 0, text: Format::new().set_num_format("@") })
    }

    /// Adds the rows of a line, or none of them from where there is no room any more: a part of a job would take its other registers away.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, line: &RefusedLine<'_>) -> io::Result<()> {
        let Some(TableRows { heads, rows }) = line.table else { return Ok(()) };
        if self.rows == 0 {
            self.write_heads(heads).map_err(io::Error::other)?;
        }
        let cells: usize = rows.iter().map(|row| 2 + row.cells.iter().filter(|cell| !cell.is_empty()).count()).sum();
        if self.missing > 0 || cells > self.room || self.rows as usize + rows.len() > MOST {
            self.missing += rows.len() as u64;
            return Ok(());
        }
        self.room -= cells;
        rows.iter().try_for_each(|row| self.write(heads, row, &line.faults)).map_err(io::Error::other)
    }

    /// That rows are missing in the list; none: it has all.
    pub fn warning(&self) -> Option<Text> {
        let Self { rows, missing, .. } = self;
        (*missing > 0).then(|| {
            text!(
                "die Fehlerliste hat die ersten {rows} Zeilen; {missing} weitere sind fehlerhaft und stehen nicht darin",
                "the list of faults has the first {rows} rows; {missing} more are at fault and not in it"
            )
        })
    }

    /// The workbook, and how many rows it has under its heads.
    ///
    /// # Errors
    /// The system's.
    pub fn finish(mut self) -> io::Result<(Vec<u8>, u64)> {
        Ok((self.workbook.save_to_buffer().map_err(io::Error::other)?, u64::from(self.rows)))
    }

    fn write_heads(&mut self, heads: &[String]) -> Result<(), XlsxError> {
        let added = HEADS[usize::from(self.lang == Lang::En)];
        let names = added.into_iter().chain(own(heads).map(|(_, name)| name));
        let sheet = self.workbook.worksheet_from_index(0)?;
        let bold = Format::new().set_num_format("@").set_bold().set_align(FormatAlign::Left);
        for (place, name) in (0..).zip(names) {
            sheet.set_column_width(place, WIDTHS[usize::from(place).min(2)])?;
            // What is typed into a cell that was empty stays what was typed, too: 01234 is no number.
            sheet.set_column_format(place, &self.text)?;
            sheet.write_string_with_format(0, place, name, &bold)?;
        }
        sheet.set_freeze_panes(1, 2)?;
        Ok(())
    }

    fn write(&mut self, heads: &[String], row: &RawRow, faults: &[FoundFault<'_>]) -> Result<(), XlsxError> {
        self.rows += 1;
        let (at, lang) = (self.rows, self.lang);
        let said = |FoundFault { column, reason, .. }: &FoundFault<'_>| match *column {
            "" => reason.of(lang).to_owned(),
            column => format!("{column}: {}", reason.of(lang)),
        };
        let said = faults.iter().filter(|fault| fault.line == row.line).map(said).collect::<Vec<_>>().join("; ");
        let of_others = text!("gehört zu den Nachbarzeilen", "belongs to its neighbours");
        let said = if said.is_empty() { of_others.of(lang).to_owned() } else { said };
        let beyond = row.cells.iter().skip(heads.len()).map(String::as_str);
        let cells = own(heads).map(|(place, head)| match row.cells.get(place).map_or("", |cell| cell.trim_end_matches('\r')) {
            "" => "",
            _ if is_secret(self.kind, head) || self.secret.iter().any(|secret| secret == head) => HIDDEN,
            cell => cell,
        });
        let cells: Vec<_> = cells.chain(beyond).collect();
        let sheet = self.workbook.worksheet_from_index(0)?;
        sheet.write_string_with_format(at, 0, row.line.to_string(), &self.text)?;
        sheet.write_string_with_format(at, 1, workbook_text(&said), &self.text)?;
        for (place, cell) in (2..).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            sheet.write_string_with_format(at, place, workbook_text(cell), &self.text)?;
        }
        Ok(())
    }
}

/// The columns that the table came with before any list of faults.
fn own(heads: &[String]) -> impl Iterator<Item = (usize, &str)> {
    heads.iter().enumerate().map(|(place, head)| (place, head.as_str())).filter(|(_, head)| !is_added(head))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn lines_for_which_there_is_no_room_are_counted() {
        let mapping = Mapping::parse(r#"{"columns":{"id":"Auftrag"}}"#).unwrap();
        let mut list = FaultyRows::begin((ImportKind::Jobs, &mapping), Lang::En, Timestamp::UNIX_EPOCH).unwrap();
        list.room = 12;
        let heads: Arc<[String]> = ["Auftrag", "OBIS"].map(str::to_owned).into();
        let line = |first: u64, rows: u64| TableRows {
            heads: heads.clone(),
            rows: (first..first + rows).map(|line| RawRow { line, cells: vec!["j".to_owned(), String::new()] }).collect(),
        };
        for table in [line(2, 1), line(3, 2), line(5, 2), line(7, 1)] {
            list.add(&RefusedLine { faults: Vec::new(), table: Some(&table) }).unwrap();
        }
        assert_eq!(list.warning().unwrap().en, "the list of faults has the first 3 rows; 3 more are at fault and not in it");
        assert_eq!(list.finish().unwrap().1, 3);
    }
}
