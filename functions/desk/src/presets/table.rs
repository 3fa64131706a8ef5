//! Writers of a preset's file: CSV, workbook, JSON lines.

use std::borrow::Cow;
use std::io::{self, Write};

use domain::preset::{Column, DayForm, DecimalSign, FileFormat, LetterEncoding, LineEnds, Separator};
use encoding_rs::WINDOWS_1252;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};
use unicode_normalization::UnicodeNormalization;

use super::Layout;
use super::rows::{Cell, Row, significant};
use crate::spreadsheet::{no_formula, workbook_text};

/// Digits that a spreadsheet's numbers keep (IEEE 754, double).
const EXACT_DIGITS: usize = 15;
/// Longest text in a spreadsheet's formula, in characters.
const FORMULA_TEXT: usize = 255;
/// A workbook's column in characters.
const WIDTH: f64 = 18.0;

/// The contents of a written file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows below the header.
    pub rows: u64,
    /// Letters that the encoding lacks, each written as `?`.
    pub replaced: u64,
}

/// A file in the making.
pub struct Table<'a, W: Write> {
    layout: &'a Layout,
    written: Written,
    sink: Sink<W>,
}

enum Sink<W: Write> {
    Csv(Box<csv::Writer<W>>),
    Xlsx(Box<Book>, W),
    Jsonl(W),
}

/// The content of a cell.
enum Content<'a> {
    Empty,
    /// Digits, with a point.
    Number(Cow<'a, str>),
    Day(Date, DayForm),
    Moment(Timestamp, DayForm),
    /// The second value: it is the utility's own, and goes back as it came.
    Text(Cow<'a, str>, bool),
}

impl<'a, W: Write> Table<'a, W> {
    /// Begins a file that was made at this time.
    ///
    /// # Errors
    /// The target's.
    pub fn begin(layout: &'a Layout, made: Timestamp, mut target: W) -> io::Result<Self> {
        let preset = &layout.preset;
        let has_header = preset.header.unwrap_or(true);
        let names: Vec<_> = preset.columns.iter().map(|column| column.name.as_str()).collect();
        let mut written = Written::default();
        let sink = match layout.format {
            FileFormat::Csv => {
                if layout.encoding() == LetterEncoding::Utf8WithMark {
                    target.write_all("\u{feff}".as_bytes())?;
                }
                let separator = match preset.separator.unwrap_or(Separator::Semicolon) {
                    Separator::Semicolon => b';',
                    Separator::Comma => b',',
                    Separator::Tab => b'\t',
                    Separator::Bar => b'|',
                };
                let ends = match preset.line_ends.unwrap_or(LineEnds::CrLf) {
                    LineEnds::CrLf => csv::Terminator::CRLF,
                    LineEnds::Lf => csv::Terminator::Any(b'\n'),
                };
                let mut writer = csv::WriterBuilder::new().delimiter(separator).terminator(ends).from_writer(target);
                if has_header {
                    writer.write_record(names.iter().map(|name| encoded(name, layout.encoding(), &mut written)))?;
                }
                Sink::Csv(Box::new(writer))
            }
            FileFormat::Xlsx => Sink::Xlsx(Box::new(Book::begin(&names, has_header, made)?), target),
            FileFormat::Jsonl => Sink::Jsonl(target),
        };
        Ok(Self { layout, written, sink })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// The target's.
    pub fn write(&mut self, row: &impl Row) -> io::Result<()> {
        let (layout, written) = (self.layout, &mut self.written);
        let columns = &layout.preset.columns;
        match &mut self.sink {
            Sink::Csv(writer) => {
                for column in columns {
                    let text = layout.csv_cell(layout.content(column, row));
                    writer.write_field(encoded(&text, layout.encoding(), written))?;
                }
                writer.write_record(None::<&[u8]>)?;
            }
            Sink::Xlsx(book, _) => {
                book.write(columns.iter().map(|column| layout.content(column, row)), layout).map_err(io::Error::other)?
            }
            Sink::Jsonl(target) => {
                for (place, column) in columns.iter().enumerate() {
                    target.write_all(if place == 0 { b"{" } else { b"," })?;
                    serde_json::to_writer(&mut *target, &column.name)?;
                    target.write_all(b":")?;
                    match layout.content(column, row) {
                        Content::Empty => target.write_all(b"null")?,
                        Content::Number(digits) => target.write_all(digits.as_bytes())?,
                        Content::Day(day, form) => serde_json::to_writer(&mut *target, &written_day(day, form))?,
                        Content::Moment(at, form) => serde_json::to_writer(&mut *target, &layout.written_moment(at, form))?,
                        Content::Text(text, _) => serde_json::to_writer(&mut *target, &text)?,
                    }
                }
                target.write_all(b"}\n")?;
            }
        }
        self.written.rows += 1;
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// The target's.
    pub fn finish(self) -> io::Result<Written> {
        match self.sink {
            Sink::Csv(mut writer) => writer.flush()?,
            Sink::Xlsx(mut book, mut target) => {
                target.write_all(&book.workbook.save_to_buffer().map_err(io::Error::other)?)?;
                target.flush()?;
            }
            Sink::Jsonl(mut target) => target.flush()?,
        }
        Ok(self.written)
    }
}

impl Layout {
    fn encoding(&self) -> LetterEncoding {
        self.preset.encoding.unwrap_or(LetterEncoding::Utf8WithMark)
    }

    fn days(&self, column: &Column) -> DayForm {
        let usual = if self.format == FileFormat::Jsonl { DayForm::Iso } else { DayForm::German };
        column.days.or(self.preset.days).unwrap_or(usual)
    }

    fn content<'r>(&self, column: &'r Column, row: &'r impl Row) -> Content<'r> {
        let passed = column.pass_through.as_deref().map(|name| row.passed(name)).filter(|value| !value.is_empty());
        let (text, own) = match (passed, column.field, &column.text) {
            (Some(value), ..) => (value, true),
            (None, Some(field), _) => match row.cell(field) {
                Cell::Text(text) => (text, false),
                Cell::Number(value) => return Content::Number(Cow::Borrowed(significant(value.as_str()))),
                Cell::Count(count) => return Content::Number(Cow::Owned(count.to_string())),
                Cell::Day(day) => return Content::Day(day, self.days(column)),
                Cell::Moment(at) => return Content::Moment(at, self.days(column)),
                Cell::Empty => return Content::Empty,
            },
            (None, None, Some(text)) => (Cow::Borrowed(text.as_str()), true),
            (None, None, None) => return Content::Empty,
        };
        let (text, own) = column.values.get(text.as_ref()).map_or((text, own), |said| (Cow::Borrowed(said.as_str()), true));
        match column.fill_zeros {
            Some(places) if !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit()) => {
                Content::Text(Cow::Owned(format!("{text:0>places$}", places = usize::from(places))), own)
            }
            _ => Content::Text(text, own),
        }
    }

    fn csv_cell<'r>(&self, content: Content<'r>) -> Cow<'r, str> {
        match content {
            Content::Empty => Cow::Borrowed(""),
            Content::Number(digits) => match self.preset.decimal.unwrap_or(DecimalSign::Comma) {
                DecimalSign::Comma => Cow::Owned(digits.replacen('.', ",", 1)),
                DecimalSign::Point => digits,
            },
            Content::Day(day, form) => Cow::Owned(written_day(day, form)),
            Content::Moment(at, form) => Cow::Owned(self.written_moment(at, form)),
            Content::Text(text, own) => {
                if self.preset.texts_for_excel == Some(true) {
                    for_excel(text)
                } else if own {
                    text
                } else {
                    Cow::Owned(no_formula(&text).into_owned())
                }
            }
        }
    }

    fn local(&self, at: Timestamp) -> DateTime {
        at.to_zoned(self.zone.clone()).datetime()
    }

    /// A moment in the tenant's time zone; in JSON lines it says which.
    fn written_moment(&self, at: Timestamp, form: DayForm) -> String {
        if self.format == FileFormat::Jsonl && form == DayForm::Iso {
            return at.to_string();
        }
        let local = self.local(at);
        format!("{} {}", written_day(local.date(), form), local.time().strftime("%H:%M:%S"))
    }
}

fn written_day(day: Date, form: DayForm) -> String {
    let pattern = match form {
        DayForm::German => "%d.%m.%Y",
        DayForm::GermanShort => "%d.%m.%y",
        DayForm::Iso => "%Y-%m-%d",
        DayForm::Digits => "%Y%m%d",
    };
    day.strftime(pattern).to_string()
}

/// A text of which Excel makes nothing else: of `0012`, `1.8.0`, `12-3` or `MAI1` it would make numbers and days, and of what begins like a formula one.
fn for_excel(text: Cow<'_, str>) -> Cow<'_, str> {
    let guarded = no_formula(&text);
    let is_safe = matches!(guarded, Cow::Borrowed(_)) && !text.contains(|letter: char| letter.is_ascii_digit());
    if is_safe {
        text
    } else if text.chars().count() <= FORMULA_TEXT {
        Cow::Owned(format!("=\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Owned(guarded.into_owned())
    }
}

/// A text in the file's letters.
fn encoded<'t>(text: &'t str, encoding: LetterEncoding, written: &mut Written) -> Cow<'t, [u8]> {
    if encoding != LetterEncoding::Windows1252 {
        return Cow::Borrowed(text.as_bytes());
    }
    let (bytes, _, has_others) = WINDOWS_1252.encode(text);
    if !has_others {
        return bytes;
    }
    let mut bytes = Vec::with_capacity(text.len());
    // An accent may stand apart from its letter.
    for letter in text.nfc() {
        let mut room = [0; 4];
        let (one, _, is_other) = WINDOWS_1252.encode(letter.encode_utf8(&mut room));
        if is_other {
            written.replaced += 1;
            bytes.push(b'?');
        } else {
            bytes.extend_from_slice(&one);
        }
    }
    Cow::Owned(bytes)
}

/// A workbook with one sheet, whose rows go to a temporary file as they come.
struct Book {
    workbook: Workbook,
    row: u32,
    text: Format,
    /// By how many decimals.
    numbers: Vec<Format>,
}

impl Book {
    fn begin(names: &[&str], has_header: bool, made: Timestamp) -> io::Result<Self> {
        let mut workbook = Workbook::new();
        // Not the time of writing: the same export gives the same bytes.
        let made = ExcelDateTime::from_timestamp(made.as_second()).map_err(io::Error::other)?;
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&made));
        let text = Format::new().set_num_format("@");
        let places = |places: usize| if places == 0 { "0".to_owned() } else { format!("0.{}", "0".repeat(places)) };
        let numbers = (0..=domain::value::MeterValue::MAX_POST_DECIMALS).map(|count| Format::new().set_num_format(places(count))).collect();
        let mut begin = || -> Result<(), XlsxError> {
            let sheet = workbook.add_worksheet_with_constant_memory()?;
            for (place, name) in (0..).zip(names) {
                sheet.set_column_width(place, WIDTH)?;
                if has_header {
                    sheet.write_string_with_format(0, place, *name, &Format::new().set_bold().set_align(FormatAlign::Left))?;
                }
            }
            if has_header {
                sheet.set_freeze_panes(1, 0)?;
            }
            Ok(())
        };
        begin().map_err(io::Error::other)?;
        Ok(Self { workbook, row: u32::from(has_header), text, numbers })
    }

    fn write<'r>(&mut self, cells: impl Iterator<Item = Content<'r>>, layout: &Layout) -> Result<(), XlsxError> {
        let Self { workbook, row, text, numbers } = self;
        let sheet: &mut Worksheet = workbook.worksheet_from_index(0)?;
        for (place, content) in (0..).zip(cells) {
            match content {
                Content::Empty => {}
                Content::Number(digits) => {
                    let places = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                    let exact = digits.bytes().filter(u8::is_ascii_digit).count() <= EXACT_DIGITS;
                    match (digits.parse::<f64>(), numbers.get(places)) {
                        (Ok(number), Some(format)) if exact => sheet.write_number_with_format(*row, place, number, format)?,
                        _ => sheet.write_string_with_format(*row, place, digits, text)?,
                    };
                }
                Content::Day(day, form) => {
                    let pattern = day_pattern(form);
                    write_time(sheet, (*row, place), day.at(0, 0, 0, 0), pattern)?;
                }
                Content::Moment(at, form) => {
                    let pattern = format!("{} hh:mm:ss", day_pattern(form));
                    write_time(sheet, (*row, place), layout.local(at), &pattern)?;
                }
                Content::Text(said, _) => {
                    sheet.write_string_with_format(*row, place, workbook_text(&said), text)?;
                }
            }
        }
        *row += 1;
        Ok(())
    }
}

fn day_pattern(form: DayForm) -> &'static str {
    match form {
        DayForm::German => "dd\\.mm\\.yyyy",
        DayForm::GermanShort => "dd\\.mm\\.yy",
        DayForm::Iso => "yyyy\\-mm\\-dd",
        DayForm::Digits => "yyyymmdd",
    }
}

/// Writes a time, to the second.
fn write_time(sheet: &mut Worksheet, (row, column): (u32, u16), at: DateTime, pattern: &str) -> Result<(), XlsxError> {
    let format = Format::new().set_num_format(pattern);
    let (year, month, day) = (at.year().unsigned_abs(), at.month().unsigned_abs(), at.day().unsigned_abs());
    let (hour, minute, second) = (u16::from(at.hour().unsigned_abs()), at.minute().unsigned_abs(), at.second().unsigned_abs());
    // The spreadsheet's calendar begins in 1900.
    match ExcelDateTime::from_ymd(year, month, day).and_then(|time| time.and_hms(hour, minute, f64::from(second))) {
        Ok(time) => sheet.write_datetime_with_format(row, column, &time, &format)?,
        Err(_) => sheet.write_string(row, column, at.strftime("%Y-%m-%d").to_string())?,
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use domain::preset::{Field, Preset};
    use domain::value::MeterValue;
    use jiff::tz::TimeZone;

    use super::*;

    struct Reading {
        value: MeterValue,
        words: &'static str,
        day: Date,
    }

    impl Row for Reading {
        fn cell(&self, field: Field) -> Cell<'_> {
            match field {
                Field::ReadingValue => Cell::Number(&self.value),
                Field::Comment => Cell::Text(Cow::Borrowed(self.words)),
                Field::ReadingDate => Cell::Day(self.day),
                Field::Export => Cell::Count(7),
                Field::Created => Cell::Moment("2026-03-29T01:30:00Z".parse().unwrap()),
                _ => Cell::Empty,
            }
        }

        fn passed(&self, _column: &str) -> Cow<'_, str> {
            Cow::Borrowed("-1")
        }
    }

    fn written(preset: &str, value: &str, words: &'static str) -> (Vec<u8>, Written) {
        let preset: Preset = serde_json::from_str(preset).unwrap();
        let layout = Layout::new(preset, None, TimeZone::get("Europe/Berlin").unwrap());
        let mut bytes = Vec::new();
        let mut table = Table::begin(&layout, Timestamp::UNIX_EPOCH, &mut bytes).unwrap();
        table.write(&Reading { value: MeterValue::parse(value).unwrap(), words, day: Date::constant(2026, 1, 5) }).unwrap();
        let written = table.finish().unwrap();
        (bytes, written)
    }

    fn csv(more: &str, value: &str, words: &'static str) -> String {
        let columns = r#"[{"name":"v","field":"readingValue"},{"name":"w","field":"comment"},{"name":"p","passThrough":"P"}]"#;
        let preset = format!(r#"{{"format":"csv","header":false,"encoding":"utf-8","lineEnds":"LF"{more},"columns":{columns}}}"#);
        String::from_utf8(written(&preset, value, words).0).unwrap()
    }

    #[test]
    fn cells_are_no_formulas_and_values_stay_exact() {
        for words in ["=1+1", "+49", "-", "@SUM(A1)"] {
            assert_eq!(csv("", "00.500", words), format!("0,500;'{words};-1\n"));
        }
        assert_eq!(
            csv(r#","decimal":".""#, "000123456789012345.123456789".get(3..).unwrap(), "im Keller"),
            "123456789012345.123456789;im Keller;-1\n"
        );
        let excel = |words| csv(r#","textsForExcel":true"#, "0", words);
        for (words, cell) in [
            ("im Keller", "im Keller"),
            ("1.8.0", r#""=""1.8.0""""#),
            ("MAI1", r#""=""MAI1""""#),
            (r#"=A1&"x""#, r#""=""=A1&""""x""""""""#),
        ] {
            assert_eq!(excel(words), format!("0;{cell};\"=\"\"-1\"\"\"\n"));
        }
        // Longer than a formula's text: a formula no longer, and a number no way.
        let long: &'static str = Box::leak(format!("={}", "1".repeat(255)).into_boxed_str());
        assert!(excel(long).starts_with("0;'=111"), "{}", excel(long));
    }

    #[test]
    fn letters_that_are_lacking_are_counted_and_accents_put_together() {
        let preset = r#"{"format":"csv","encoding":"windows-1252","columns":[{"name":"Bemerkung","field":"comment"}]}"#;
        let (bytes, written) = written(preset, "1", "Mu\u{308}ller–Łuczak");
        assert_eq!(bytes, b"Bemerkung\r\nM\xfcller\x96?uczak\r\n");
        assert_eq!(written, Written { rows: 1, replaced: 1 });
    }

    #[test]
    fn times_are_those_of_the_tenant() {
        let of = |format: &str, days: &str| {
            let columns = r#"[{"name":"t","field":"readingDate"},{"name":"m","field":"created"},{"name":"n","field":"export"}]"#;
            let preset = format!(r#"{{"format":"{format}","days":"{days}","columns":{columns}}}"#);
            String::from_utf8(written(&preset, "1", "").0).unwrap()
        };
        assert!(of("csv", "DD.MM.YYYY").ends_with("05.01.2026;29.03.2026 03:30:00;7\r\n"));
        assert!(of("csv", "DD.MM.YY").contains("05.01.26;29.03.26 03:30:00"));
        assert_eq!(of("jsonl", "YYYYMMDD"), "{\"t\":\"20260105\",\"m\":\"20260329 03:30:00\",\"n\":7}\n");
        assert_eq!(of("jsonl", "YYYY-MM-DD"), "{\"t\":\"2026-01-05\",\"m\":\"2026-03-29T01:30:00Z\",\"n\":7}\n");
    }
}
