//! A file that was sent to be imported, as the import reads it: a table in text, or JSON lines.

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use calamine::{DataRef, Reader, SheetVisible, Xlsx};
use domain::ids::{TenantId, UploadId};
use domain::text;
use domain::text::Text;
use store::RunFiles;
use tempfile::NamedTempFile;
use zip::ZipArchive;

use super::Content;
use super::columns::{self, Column};
use super::hidden::{self, SheetRows};
use crate::{Failure, patiently};

/// Longest file in bytes: 200 MB.
pub const MAX_BYTES: u64 = 200 * 1000 * 1000;
/// Longest workbook, which has to be read as a whole before its first row is known.
const MAX_WORKBOOK: u64 = 30 * 1000 * 1000;
/// How much of a workbook may come out of it; a small file can hold any amount of the same.
const MAX_UNPACKED: u64 = 400 * 1000 * 1000;
/// How many rows of a workbook are its beginning.
const LOOKED_AT: u32 = 1000;
/// Most columns of a workbook's table.
const MAX_COLUMNS: usize = 400;
/// What stands between two cells of the table that a workbook becomes, for any heads.
pub(super) const SHEET_SEPARATOR: u8 = b';';
/// How much of a file tells what it is.
const TELLING: usize = 8 * 1024;

/// A file on the disk of the importing worker, gone with this value.
#[derive(Debug)]
pub struct SentFile {
    file: NamedTempFile,
    /// It is a table; otherwise each line has a JSON object.
    pub is_table: bool,
    /// What of a workbook it is; none: it is none.
    pub sheet: Option<Sheet>,
}

/// The sheet of a workbook that is read; the others are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The sheet's name.
    pub name: String,
    /// Which one it is, counted from 1, hidden ones among them.
    pub number: usize,
    /// How many the workbook has, hidden ones among them.
    pub of: usize,
    /// How many rows that say anything are hidden, and not read.
    pub hidden_rows: u64,
    /// How many rows are read, the one with the heads among them.
    pub rows: u64,
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    Table,
    Lines,
    Workbook,
}

impl SentFile {
    /// Opens it at its beginning.
    ///
    /// # Errors
    /// The system's.
    pub fn open(&self) -> io::Result<Box<dyn Content>> {
        Ok(Box::new(self.file.reopen()?))
    }

    /// The length in bytes.
    ///
    /// # Errors
    /// The system's.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.as_file().metadata()?.len())
    }

    /// The columns of the table that it is.
    ///
    /// # Errors
    /// The system's.
    pub fn columns(&self) -> Result<Vec<Column>, Failure> {
        columns::columns(self.open().map_err(Failure::Unreadable)?, self.sheet.as_ref().map(|_| SHEET_SEPARATOR))
    }

    #[cfg(test)]
    pub(super) fn of(content: &[u8], is_table: bool) -> io::Result<Self> {
        let mut file = NamedTempFile::new()?;
        file.write_all(content)?;
        Ok(Self { file, is_table, sheet: None })
    }
}

/// Fetches the file, or its beginning of about so many bytes; of a workbook some rows. A workbook becomes a table with each row in the line of its number,
/// whose decimals stand behind this sign.
///
/// # Errors
/// [`Failure::Refused`] in words for the member who sent it, when it did not arrive or is nothing that can be imported; the store's.
pub async fn fetch(
    files: &RunFiles,
    tenant: &TenantId,
    id: &UploadId,
    (first, decimal_sign): (Option<u64>, char),
) -> Result<SentFile, Failure> {
    let mut file = download(files, tenant, id, first).await?;
    let nature = nature(&mut file).map_err(Failure::Unreadable)?.map_err(Failure::Refused)?;
    if nature != Nature::Workbook {
        return Ok(SentFile { file, is_table: nature == Nature::Table, sheet: None });
    }
    if first.is_some() {
        file = download(files, tenant, id, None).await?;
    }
    let (table, sheet) = unpacked(&file, first.map(|_| LOOKED_AT), decimal_sign)?;
    Ok(SentFile { file: table, is_table: true, sheet: Some(sheet) })
}

async fn download(files: &RunFiles, tenant: &TenantId, id: &UploadId, first: Option<u64>) -> Result<NamedTempFile, Failure> {
    let missing =
        || Failure::Refused(text!("die Datei ist nicht angekommen; bitte noch einmal senden", "the file did not arrive; send it again"));
    let mut content = patiently(|| files.open_import(tenant, id, first)).await?.ok_or_else(missing)?;
    let mut file = BufWriter::new(NamedTempFile::new().map_err(Failure::Unwritable)?);
    while let Some(bytes) = content.next().await? {
        file.write_all(&bytes).map_err(Failure::Unwritable)?;
    }
    let mut file = file.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
    file.rewind().map_err(Failure::Unreadable)?;
    Ok(file)
}

/// What the file is by its first bytes; in words why it can be nothing that is imported.
fn nature(file: &mut (impl Read + Seek)) -> io::Result<Result<Nature, Text>> {
    let mut first = Vec::with_capacity(TELLING);
    Read::by_ref(file).take(TELLING as u64).read_to_end(&mut first)?;
    file.rewind()?;
    let text = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&first).trim_ascii_start();
    let refused = |reason| Ok(Err(reason));
    if text.is_empty() {
        return refused(text!("die Datei ist leer", "the file is empty"));
    }
    if first.starts_with(b"PK\x03\x04") {
        return Ok(Ok(Nature::Workbook));
    }
    if first.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        return refused(text!(
            "die Datei hat das alte Excel-Format (.xls) oder ein Kennwort; bitte ohne Kennwort als .xlsx oder CSV speichern",
            "the file is of the old Excel format (.xls) or has a password; save it without one as .xlsx or CSV"
        ));
    }
    if first.starts_with(&[0xff, 0xfe]) || first.starts_with(&[0xfe, 0xff]) {
        return refused(text!(
            "die Datei ist Text in UTF-16; bitte als „CSV UTF-8“ speichern",
            "the file is text in UTF-16; save it as \"CSV UTF-8\""
        ));
    }
    if first.contains(&0) || first.starts_with(b"%PDF") {
        return refused(text!(
            "die Datei ist weder eine Tabelle (CSV oder XLSX) noch besteht sie aus JSON-Zeilen",
            "the file is neither a table (CSV or XLSX) nor JSON lines"
        ));
    }
    Ok(Ok(if text.starts_with(b"{") { Nature::Lines } else { Nature::Table }))
}

fn no_workbook() -> Failure {
    Failure::Refused(text!(
        "die Arbeitsmappe ist nicht lesbar; bitte in Excel öffnen und als .xlsx oder CSV neu speichern",
        "the workbook cannot be read; open it in Excel and save it again as .xlsx or CSV"
    ))
}

fn too_large() -> Failure {
    let most = MAX_WORKBOOK / 1_000_000;
    Failure::Refused(text!(
        "die Arbeitsmappe ist zu groß (erlaubt sind {most} MB, und ausgepackt {unpacked} MB); bitte als CSV speichern",
        "the workbook is too large (at most {most} MB, and {unpacked} MB when unpacked); save it as CSV",
        unpacked = MAX_UNPACKED / 1_000_000
    ))
}

/// The visible rows of the first visible sheet of a workbook as a table, or so many of them.
fn unpacked(workbook: &NamedTempFile, rows: Option<u32>, decimal_sign: char) -> Result<(NamedTempFile, Sheet), Failure> {
    let open = || workbook.reopen().map(BufReader::new).map_err(Failure::Unreadable);
    let length = workbook.as_file().metadata().map_err(Failure::Unreadable)?.len();
    if length > MAX_WORKBOOK {
        return Err(too_large());
    }
    // By what comes out, because a file may lie about it.
    let mut archive = ZipArchive::new(open()?).map_err(|_| no_workbook())?;
    let mut left = MAX_UNPACKED;
    for place in 0..archive.len() {
        let entry = archive.by_index(place).map_err(|_| no_workbook())?;
        left -= io::copy(&mut entry.take(left), &mut io::sink()).map_err(|_| no_workbook())?;
        if left == 0 {
            return Err(too_large());
        }
    }
    let mut book: Xlsx<_> = Xlsx::new(open()?).map_err(|_| no_workbook())?;
    let sheets = book.sheets_metadata();
    let place = sheets.iter().position(|sheet| sheet.visible == SheetVisible::Visible).ok_or_else(no_workbook)?;
    let name = sheets[place].name.clone();
    let SheetRows { hidden, filled } = hidden::rows(&mut archive, &name).ok_or_else(no_workbook)?;
    let sheet = Sheet { name, number: place + 1, of: sheets.len(), hidden_rows: hidden.len() as u64, rows: filled };
    let mut cells = book.worksheet_cells_reader(&sheet.name).map_err(|_| no_workbook())?;
    let mut table = Table::begin()?;
    while let Some(cell) = cells.next_cell().map_err(|_| no_workbook())? {
        let (row, column) = cell.get_position();
        if rows.is_some_and(|rows| row >= rows) {
            break;
        }
        // Hidden rows are not meant to be imported (D-IMPORTS-17).
        if hidden.contains(&row) {
            continue;
        }
        table.put((row, column as usize), written(cell.get_value(), decimal_sign))?;
    }
    Ok((table.finish()?, sheet))
}

/// A table in the making, a row at a time.
struct Table {
    file: BufWriter<NamedTempFile>,
    /// The number of rows that are written.
    written: u32,
    /// How many cells the first row has that has any.
    width: Option<usize>,
    row: Vec<String>,
}

impl Table {
    fn begin() -> Result<Self, Failure> {
        let file = BufWriter::new(NamedTempFile::new().map_err(Failure::Unwritable)?);
        Ok(Self { file, written: 0, width: None, row: Vec::new() })
    }

    /// Takes the next cell; cells come by rows.
    fn put(&mut self, (row, column): (u32, usize), text: String) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        self.reach(row)?;
        // What stands beyond makes the row too long, which is said of its line.
        let column = column.min(MAX_COLUMNS);
        if self.row.len() <= column {
            self.row.resize(column + 1, String::new());
        }
        self.row[column] = text;
        Ok(())
    }

    /// Writes the rows before this one.
    fn reach(&mut self, row: u32) -> Result<(), Failure> {
        while self.written < row {
            let mut cells = std::mem::take(&mut self.row);
            if !cells.is_empty() {
                let width = *self.width.get_or_insert(cells.len());
                cells.resize(cells.len().max(width), String::new());
            }
            if cells.is_empty() {
                self.file.write_all(b"\n").map_err(Failure::Unwritable)?;
            } else {
                let mut line = csv::WriterBuilder::new().delimiter(SHEET_SEPARATOR).from_writer(Vec::new());
                let line = line.write_record(&cells).map(|()| line).map_err(io::Error::from);
                let line = line.and_then(|line| line.into_inner().map_err(|error| error.into_error()));
                self.file.write_all(&line.map_err(Failure::Unwritable)?).map_err(Failure::Unwritable)?;
            }
            self.written += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<NamedTempFile, Failure> {
        self.reach(self.written + 1)?;
        self.file.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))
    }
}

/// What stands in a cell, as people would write it into a table.
fn written(value: &DataRef<'_>, decimal_sign: char) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        // A spreadsheet keeps fifteen digits; what had more is shown as it shows it, and refused by name.
        DataRef::Float(number) if number.abs() >= 1e15 => format!("{number:.5E}").replace('E', "E+").replace('.', ","),
        DataRef::Float(number) => number.to_string().replace('.', &decimal_sign.to_string()),
        DataRef::String(text) => one_line(text),
        DataRef::SharedString(text) => one_line(text),
        DataRef::Bool(true) => "ja".to_owned(),
        DataRef::Bool(false) => "nein".to_owned(),
        DataRef::DateTime(time) => {
            let (year, month, day, ..) = time.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        DataRef::DateTimeIso(text) => text.split('T').next().unwrap_or_default().to_owned(),
        DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    }
}

fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};

    use super::super::accounts::line_schema;
    use super::super::mapping::Mapping;
    use super::super::rows::Rows;
    use super::*;

    fn told(bytes: &[u8]) -> Result<Nature, String> {
        nature(&mut Cursor::new(bytes)).unwrap().map_err(|text| text.en.into_owned())
    }

    #[test]
    fn what_a_file_is_shows_in_its_first_bytes() {
        assert_eq!(told(b"Kunde;Z\xe4hler\n"), Ok(Nature::Table));
        assert_eq!(told(b"\xef\xbb\xbf \n{\"id\": 1}"), Ok(Nature::Lines));
        assert_eq!(told(b"PK\x03\x04..."), Ok(Nature::Workbook));
        for (bytes, reason) in [
            (&b" \n"[..], "the file is empty"),
            (&b"\xd0\xcf\x11\xe0\xa1"[..], "the file is of the old Excel format"),
            (&b"\xff\xfeK\0"[..], "the file is text in UTF-16"),
            (&b"%PDF-1.7"[..], "the file is neither"),
            (&b"GIF\0"[..], "the file is neither"),
        ] {
            assert!(told(bytes).unwrap_err().starts_with(reason), "{reason}");
        }
    }

    fn kept(bytes: &[u8]) -> NamedTempFile {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn a_workbooks_rows_are_the_lines_of_their_numbers() {
        let mut book = Workbook::new();
        book.add_worksheet().set_hidden(true).write(0, 0, "verborgen").unwrap();
        let sheet = book.add_worksheet().set_active(true);
        for (column, name) in ["Kunde", "Stand", "Tag", "Wert"].into_iter().enumerate() {
            sheet.write(1, u16::try_from(column).unwrap(), name).unwrap();
        }
        sheet.write(2, 0, "eins\nzwei").unwrap();
        sheet.write(2, 1, 2392.5).unwrap();
        sheet.write_with_format(2, 2, ExcelDateTime::from_ymd(2025, 12, 31).unwrap(), &Format::new().set_num_format("dd.mm.yyyy")).unwrap();
        sheet.write(4, 0, 66_362_352).unwrap();
        sheet.write(4, 1, Formula::new("=NA()").set_result("#N/A")).unwrap();
        sheet.write(4, 3, 1.234_567_8e19).unwrap();
        sheet.write(5, 500, "daneben").unwrap();
        for row in [6, 7] {
            sheet.write(row, 0, "ausgefiltert").unwrap();
            sheet.set_row_hidden(row).unwrap();
        }
        sheet.set_row_hidden(9).unwrap();
        sheet.write(8, 0, "zuletzt").unwrap();
        let mut table = String::new();
        let (file, sheet) = unpacked(&kept(&book.save_to_buffer().unwrap()), None, ',').unwrap();
        assert_eq!(sheet, Sheet { name: "Sheet2".to_owned(), number: 2, of: 2, hidden_rows: 2, rows: 5 });
        file.reopen().unwrap().read_to_string(&mut table).unwrap();
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines[..5], ["", "Kunde;Stand;Tag;Wert", "eins zwei;2392,5;2025-12-31;", "", "66362352;#N/A;;1,23457E+19"]);
        assert!(lines[5].ends_with(";daneben"));
        assert_eq!(lines[6..], ["", "", "zuletzt;;;"]);
    }

    #[test]
    fn commas_in_the_heads_of_a_workbook_part_no_columns() {
        let mut book = Workbook::new();
        book.add_worksheet().write_row(0, 0, ["Kunde, Nr.", "Name, Vorname"]).unwrap();
        let (file, sheet) = unpacked(&kept(&book.save_to_buffer().unwrap()), None, ',').unwrap();
        let sent = SentFile { file, is_table: true, sheet: Some(sheet) };
        let names: Vec<_> = sent.columns().unwrap().into_iter().map(|column| column.name).collect();
        assert_eq!(names, ["Kunde, Nr.", "Name, Vorname"]);
        let mapping = Mapping::parse(r#"{ "columns": { "id": "Kunde, Nr." }, "delimiter": "," }"#).unwrap().of_workbook();
        let rows = Rows::open(&|| sent.open(), sent.length().unwrap(), &mapping, &line_schema());
        assert!(rows.is_ok_and(|rows| rows.count() == 0));
    }

    #[test]
    fn a_workbook_that_unpacks_without_end_is_refused() {
        let mut file = Cursor::new(Vec::new());
        let mut bomb = zip::ZipWriter::new(&mut file);
        bomb.start_file("xl/workbook.xml", zip::write::SimpleFileOptions::default()).unwrap();
        let megabyte = vec![b' '; 1_000_000];
        for _ in 0..=MAX_UNPACKED / 1_000_000 {
            bomb.write_all(&megabyte).unwrap();
        }
        bomb.finish().unwrap();
        let refused = unpacked(&kept(file.get_ref()), None, ',').unwrap_err();
        assert!(refused.to_string().starts_with("the workbook is too large"), "{refused}");
        let refused = unpacked(&kept(b"PK\x03\x04 and nothing more"), None, ',').unwrap_err();
        assert!(refused.to_string().starts_with("the workbook cannot be read"), "{refused}");
    }
}
