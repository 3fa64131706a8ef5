//! A CSV file, row by row: the rows of one entry become the JSON that the import of lines reads, so that the same checks hold for both.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasher;
use std::io::{self, BufReader, Read, SeekFrom};
use std::sync::Arc;

use csv::ByteRecord;
use domain::fault::Fault;
use domain::pass_through::{self, PASS_THROUGH, PassThrough};
use domain::text;
use domain::text::counted;
use encoding_rs::{DecoderResult, UTF_8, WINDOWS_1252};
use serde_json::{Map, Value, json};

use super::Content;
use super::columns::separator;
use super::lines::{Cell, Line, RawRow, TableRows};
use super::mapping::{Encoding, Field, Mapping, Misfit, Plan, Step, undamaged};
use crate::structure::Schema;

/// The entries of a CSV file.
pub struct Rows {
    reader: csv::Reader<Box<dyn Content>>,
    encoding: Encoding,
    delimiter: u8,
    length: u64,
    ends_with_newline: bool,
    heads: Arc<[String]>,
    plan: Plan,
    ahead: Option<Row>,
    hasher: RandomState,
    /// Where several rows make an entry: hashes of the ids of those that cannot be put together, and why.
    torn: HashMap<u64, Torn>,
}

/// Why the rows that follow each other may be less than an entry has.
#[derive(Clone, Copy)]
enum Torn {
    /// More of them begin on this second line.
    Apart(u64, u64),
    /// The row of this line may be one of them.
    Beside(u64),
}

impl Torn {
    fn fault(self) -> Fault {
        let reason = match self {
            Self::Apart(first, again) => text!(
                "hat Zeilen an getrennten Stellen, ab Zeile {first} und ab Zeile {again}; sortieren Sie die Datei nach dieser Spalte, damit sie aufeinander folgen",
                "has rows apart from each other, from line {first} and from line {again}; sort the file by this column, so that they follow each other"
            ),
            Self::Beside(line) => text!(
                "ist vielleicht nicht vollständig: ob Zeile {line} dazugehört, zeigt sich erst, wenn sie berichtigt ist",
                "may be incomplete: whether line {line} belongs to it shows when that line is mended"
            ),
        };
        Fault::new("id", reason)
    }
}

struct Row {
    line: u64,
    end: u64,
    cells: Vec<String>,
    /// The fault of its cells.
    fault: Option<Fault>,
}

/// The reasons why a file cannot be read by its mapping.
pub enum Unreadable {
    /// The system says so.
    Io(io::Error),
    /// The mapping does not fit.
    Misfit(Misfit),
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Rows {
    /// Opens a file of this length.
    pub fn open(
        open: &dyn Fn() -> io::Result<Box<dyn Content>>,
        length: u64,
        mapping: &Mapping,
        schema: &Schema,
    ) -> Result<Self, Unreadable> {
        let encoding = mapping.encoding().map_or_else(|| encoding_of(&mut open()?), Ok)?;
        let stated = mapping.delimiter().map_err(Unreadable::Misfit)?;
        let delimiter = stated.map_or_else(|| separator(&mut BufReader::new(open()?)), Ok)?;
        // A carriage return before the line's end is white space at the end of the last cell.
        let begin = || -> io::Result<_> {
            let mut reader = csv::ReaderBuilder::new()
                .delimiter(delimiter)
                .terminator(csv::Terminator::Any(b'\n'))
                .has_headers(false)
                .flexible(true)
                .buffer_capacity(64 * 1024)
                .from_reader(open()?);
            let mut record = ByteRecord::new();
            while reader.read_byte_record(&mut record)? && is_blank(&record) {}
            Ok((reader, record))
        };
        let (reader, record) = begin()?;
        let header: Vec<String> = record.iter().map(|cell| decoded(cell, encoding).unwrap_or_default().trim().to_owned()).collect();
        let plan = mapping.plan(schema, &header).map_err(Unreadable::Misfit)?;
        let mut last = [0];
        let mut end = open()?;
        let ends_with_newline = end.seek(SeekFrom::End(-1)).and_then(|_| end.read_exact(&mut last)).is_ok() && last == *b"\n";
        let (heads, hasher) = (header.into(), RandomState::new());
        let mut rows =
            Self { reader, encoding, delimiter, length, ends_with_newline, heads, plan, ahead: None, hasher, torn: HashMap::new() };
        if rows.plan.by_rows && rows.id_field().is_some() {
            rows.torn = rows.torn()?;
            rows.reader = begin()?.0;
        }
        Ok(rows)
    }

    /// Reads the table to its end, for entries that would be stored with a part of their rows (D-IMPORTS-21).
    fn torn(&mut self) -> io::Result<HashMap<u64, Torn>> {
        let (mut torn, mut first) = (HashMap::new(), HashMap::new());
        // The id of the row before and of the last row that has one; a row behind it whose account or job is unknown.
        let (mut before, mut last, mut stray) = (None, None, None);
        while let Some(row) = self.row()? {
            before = match self.id(&row) {
                Some(id) => {
                    let id = self.hasher.hash_one(id);
                    torn.extend(stray.take().map(|line| (id, Torn::Beside(line))));
                    match first.entry(id) {
                        Entry::Vacant(place) => drop(place.insert(row.line)),
                        Entry::Occupied(_) if before == Some(id) => {}
                        Entry::Occupied(first) => drop(torn.entry(id).or_insert(Torn::Apart(*first.get(), row.line))),
                    }
                    last = Some(id);
                    last
                }
                None => {
                    let (named, is_sure) = self.named(&row);
                    let ids = named.iter().map(|id| self.hasher.hash_one(id)).chain(last.filter(|_| !is_sure));
                    torn.extend(ids.map(|id| (id, Torn::Beside(row.line))));
                    stray = if is_sure { stray } else { Some(row.line) };
                    None
                }
            };
        }
        Ok(torn)
    }

    /// The ids of which a row without a certain one may be, and whether it can be of no other.
    fn named(&self, row: &Row) -> (Vec<String>, bool) {
        let Some(field) = self.id_field() else { return (Vec::new(), false) };
        let surplus = row.cells.len().saturating_sub(self.heads.len());
        // A separator within a cell before the id's moved it along; a line's end may have taken in the row below.
        let named = (0..=surplus).map(|moved| field.text(&row.cells[moved..])).filter(|id| !id.is_empty()).collect();
        (named, surplus > 0 && field.columns.len() == 1 && !row.cells.iter().any(|cell| cell.contains('\n')))
    }

    fn id_field(&self) -> Option<&Field> {
        self.plan.fields.iter().find(|field| field.name == "id")
    }

    /// The next row that has any cell.
    fn row(&mut self) -> io::Result<Option<Row>> {
        if let Some(row) = self.ahead.take() {
            return Ok(Some(row));
        }
        loop {
            let mut record = ByteRecord::new();
            if !self.reader.read_byte_record(&mut record).map_err(io::Error::from)? {
                return Ok(None);
            }
            if is_blank(&record) {
                continue;
            }
            let (line, last) = self.lines_of(&record);
            let (cells, fault) = self.cells(&record, last);
            return Ok(Some(Row { line, end: self.reader.position().byte(), cells, fault }));
        }
    }

    /// The lines on which the row that was just read begins and ends: the library's own number is that of blank lines before it.
    fn lines_of(&self, record: &ByteRecord) -> (u64, u64) {
        let after = self.reader.position();
        let is_last = after.byte() >= self.length;
        // A quotation mark that nothing closes takes in the file's last line end.
        let is_open = is_last && self.ends_with_newline && record.iter().next_back().is_some_and(|cell| cell.ends_with(b"\n"));
        let is_ended = !is_open && (!is_last || self.ends_with_newline);
        let within = record.as_slice().iter().filter(|byte| **byte == b'\n').count() as u64;
        let first = after.line() - within - u64::from(is_ended);
        (first, first + within - u64::from(is_open))
    }

    /// The cells of a row that ends on this line, and why they mean nothing.
    fn cells(&self, record: &ByteRecord, last: u64) -> (Vec<String>, Option<Fault>) {
        let mut fault = None;
        let read = |cell: &[u8]| {
            decoded(cell, self.encoding).unwrap_or_else(|| {
                fault = Some(Fault::new("", text!("ist kein gültiges UTF-8", "is not valid UTF-8")));
                String::from_utf8_lossy(cell).into_owned()
            })
        };
        let cells: Vec<_> = record.iter().map(read).collect();
        let width = self.heads.len();
        if cells.len() != width {
            let cells = counted(record.len(), ["Zelle", "Zellen"], ["cell", "cells"]);
            fault = Some(Fault::new("", text!("hat {cells}, die Kopfzeile hat {width}", "has {cells}, the header has {width}"; cells)));
        }
        // A row that a cell took in brought its separators along (D-IMPORTS-28).
        let least = if record.len() == width { width.saturating_sub(1).max(1) } else { 1 };
        let separators = |cell: &[u8]| cell.iter().filter(|byte| **byte == self.delimiter).count();
        if let Some(place) = record.iter().position(|cell| cell.contains(&b'\n') && separators(cell) >= least) {
            let head = self.heads.get(place).map_or("", String::as_str);
            let reason = text!(
                "reicht bis Zeile {last}: vermutlich beginnt die Zelle `{head}` mit einem Anführungszeichen, das nichts schließt, und hat die Zeilen danach aufgenommen; löschen Sie es, und importieren Sie die Datei noch einmal",
                "goes on to line {last}: the cell `{head}` probably begins with a quotation mark that nothing closes, and took in the lines behind it; delete it, and import the file again"
            );
            fault = Some(Fault::new("", reason));
        }
        (cells, fault)
    }

    fn entry(&mut self) -> io::Result<Option<Line>> {
        let Some(first) = self.row()? else { return Ok(None) };
        let mut rows = vec![first];
        if self.plan.by_rows {
            while let Some(next) = self.row()? {
                if self.id(&next).is_some() && self.id(&next) == self.id(&rows[0]) {
                    rows.push(next);
                } else {
                    self.ahead = Some(next);
                    break;
                }
            }
        }
        Ok(Some(self.line(rows)))
    }

    /// The row's id; none: it has none, or none that can be relied on.
    fn id(&self, row: &Row) -> Option<String> {
        let field = self.id_field()?;
        if row.fault.is_some() {
            return None;
        }
        Some(field.text(&row.cells)).filter(|id| !id.is_empty() && field.value(id).is_ok())
    }

    /// The rows of one entry, put together.
    fn line(&self, rows: Vec<Row>) -> Line {
        let torn = self.id(&rows[0]).and_then(|id| self.torn.get(&self.hasher.hash_one(id))).map(|torn| torn.fault());
        let mut assembly = Assembly::default();
        for (place, row) in rows.iter().enumerate() {
            match &row.fault {
                Some(fault) => assembly.faults.push(fault.clone()),
                None => assembly.add(&self.plan, place, row.line, &row.cells),
            }
        }
        let number = rows[0].line;
        let last = rows.last().map_or(number, |row| row.line);
        let end = rows.last().map_or(0, |row| row.end);
        let rows = rows.into_iter().map(|Row { line, cells, .. }| RawRow { line, cells }).collect();
        let table = Some(TableRows { heads: Arc::clone(&self.heads), rows });
        if !assembly.faults.is_empty() {
            return Line { number, last, end, text: Err(assembly.faults), torn, cells: assembly.cells, table };
        }
        name_tasks(&mut assembly.value);
        let pass_through = PassThrough::of(assembly.pass_through);
        if !pass_through.is_empty() {
            assembly.value.insert(PASS_THROUGH.to_owned(), json!(pass_through));
        }
        let text = serde_json::to_vec(&Value::Object(assembly.value)).unwrap_or_default();
        Line { number, last, end, text: Ok(text), torn, cells: assembly.cells, table }
    }
}

impl Iterator for Rows {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entry().transpose()
    }
}

/// An entry in the making.
#[derive(Default)]
struct Assembly {
    value: Map<String, Value>,
    cells: BTreeMap<String, Cell>,
    /// One for each row.
    pass_through: Vec<BTreeMap<String, String>>,
    faults: Vec<Fault>,
}

impl Assembly {
    fn add(&mut self, plan: &Plan, place: usize, line: u64, cells: &[String]) {
        let texts: Vec<(&Field, String)> = plan.fields.iter().map(|field| (field, field.text(cells))).collect();
        let mut passed = BTreeMap::new();
        for (index, column) in &plan.pass_through {
            // What stands before the line's end belongs to it.
            let value = cells.get(*index).map(|cell| cell.trim_end_matches('\r').to_owned()).unwrap_or_default();
            let name = pass_through::cell(place, column);
            self.cells.insert(name.clone(), Cell { line, column: column.clone(), value: value.clone() });
            let is_field = plan.fields.iter().any(|field| field.columns.iter().any(|(of_field, _)| of_field == index));
            if let (false, Err(reason)) = (is_field, undamaged(value.trim())) {
                self.faults.push(Fault::new(name, reason));
            }
            passed.insert(column.clone(), value);
        }
        self.pass_through.push(passed);
        // A list's element exists when its condition holds, or else when a column of it says something; what stands behind an absent one moves up.
        let mut present: BTreeMap<&[Step], BTreeSet<usize>> = BTreeMap::new();
        let condition = |path: &[Step]| plan.conditions.iter().find(|condition| condition.path == path);
        for condition in plan.conditions.iter().filter(|condition| condition.holds(cells)) {
            if let Some((Step::Place(index), before)) = condition.path.split_last() {
                present.entry(before).or_default().insert(*index);
            }
        }
        for (field, _) in texts.iter().filter(|(field, text)| !field.is_constant() && !text.is_empty()) {
            for (depth, step) in field.path.iter().enumerate() {
                if let Step::Place(index) = step
                    && condition(&field.path[..=depth]).is_none()
                {
                    present.entry(&field.path[..depth]).or_default().insert(*index);
                }
            }
        }
        for (field, text) in &texts {
            let mut path = Vec::new();
            let mut exists = true;
            for (depth, step) in field.path.iter().enumerate() {
                path.push(match step {
                    Step::Member(name) => Step::Member(name.clone()),
                    Step::Row => Step::Place(place),
                    Step::Place(index) => {
                        let here = present.get(&field.path[..depth]);
                        exists &= here.is_some_and(|here| here.contains(index));
                        Step::Place(here.map_or(0, |here| here.range(..index).count()))
                    }
                });
            }
            let name = shown(&path);
            if !field.columns.is_empty() {
                let column = field.columns.iter().map(|(_, column)| column.as_str()).collect::<Vec<_>>().join(" + ");
                if place == 0 || field.path.contains(&Step::Row) {
                    self.cells.insert(name.clone(), Cell { line, column, value: text.clone() });
                } else if let Some(earlier) = self.cells.get(&name).filter(|earlier| earlier.value != *text) {
                    let reason = text!(
                        "weicht von Zeile {first} ab, die zum selben Eintrag gehört",
                        "differs from line {first}, which is of the same entry",
                        first = earlier.line
                    );
                    let key = format!("{name}@{line}");
                    self.cells.insert(key.clone(), Cell { line, column, value: text.clone() });
                    self.faults.push(Fault::new(key, reason));
                    continue;
                }
            }
            // A row is an element of its list even when its cells are empty: what it lacks has to be said.
            if exists
                && !field.is_constant()
                && let Some(row) = field.path.iter().position(|step| *step == Step::Row)
            {
                slot(&mut self.value, &path[..=row]);
            }
            if text.is_empty() || !exists {
                continue;
            }
            match field.value(text) {
                Ok(value) => insert(&mut self.value, &path, value),
                // Each row of an entry would say it once more.
                Err(reason) if place == 0 || field.path.contains(&Step::Row) => self.faults.push(Fault::new(name, reason)),
                Err(_) => {}
            }
        }
    }
}

/// `meter.meterRateTasks[0].obis`
fn shown(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Member(name) if text.is_empty() => text.push_str(name),
            Step::Member(name) => text.extend([".", name]),
            Step::Place(index) => text.push_str(&format!("[{index}]")),
            Step::Row => text.push_str("[]"),
        }
    }
    text
}

fn insert(object: &mut Map<String, Value>, path: &[Step], value: Value) {
    if let Some(slot) = slot(object, path) {
        *slot = value;
    }
}

/// The place of a path, made if there is none yet.
fn slot<'a>(object: &'a mut Map<String, Value>, path: &[Step]) -> Option<&'a mut Value> {
    let [Step::Member(name), rest @ ..] = path else { return None };
    let mut target = object.entry(name.clone()).or_insert(Value::Null);
    for step in rest {
        target = match step {
            Step::Member(name) => {
                if !target.is_object() {
                    *target = Value::Object(Map::new());
                }
                let Value::Object(members) = target else { return None };
                members.entry(name.clone()).or_insert(Value::Null)
            }
            Step::Place(index) => {
                if !target.is_array() {
                    *target = Value::Array(Vec::new());
                }
                let Value::Array(items) = target else { return None };
                while items.len() <= *index {
                    items.push(Value::Object(Map::new()));
                }
                &mut items[*index]
            }
            Step::Row => return None,
        };
    }
    Some(target)
}

/// A rate without an id gets its OBIS code's: `1-0-1.8.0`.
fn name_tasks(entry: &mut Map<String, Value>) {
    let tasks = entry.get_mut("meter").and_then(|meter| meter.get_mut("meterRateTasks")).and_then(Value::as_array_mut);
    for task in tasks.into_iter().flatten().filter_map(Value::as_object_mut) {
        if !task.contains_key("taskId") {
            // Without a code either, it is the code that is missing: the person has no column of ids to mend.
            let code = task.get("obis").and_then(Value::as_str).unwrap_or("-");
            let id = code.replace([':', '*'], "-");
            task.insert("taskId".into(), id.into());
        }
    }
}

fn decoded(cell: &[u8], encoding: Encoding) -> Option<String> {
    match encoding {
        Encoding::Utf8 => {
            let cell = cell.strip_prefix(b"\xef\xbb\xbf").unwrap_or(cell);
            UTF_8.decode_without_bom_handling_and_without_replacement(cell).map(|text| text.into_owned())
        }
        Encoding::Windows1252 => Some(WINDOWS_1252.decode_without_bom_handling(cell).0.into_owned()),
    }
}

/// Whether no cell of a row says anything.
pub(super) fn is_blank(record: &ByteRecord) -> bool {
    record.iter().all(|cell| cell.trim_ascii().is_empty())
}

/// How the letters of a file are stored that does not say it: UTF-8 has its mark, or more whole letters beyond ASCII than broken ones, which text in Windows-1252
/// hardly ever has; so one broken letter spoils no file (D-IMPORTS-28).
pub(super) fn encoding_of(file: &mut dyn Read) -> io::Result<Encoding> {
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let mut bytes = vec![0; 64 * 1024];
    let mut text = String::with_capacity(256 * 1024);
    let (mut whole, mut broken) = (0, 0);
    loop {
        let read = file.read(&mut bytes)?;
        let mut rest = &bytes[..read];
        loop {
            text.clear();
            let (result, used) = decoder.decode_to_string_without_replacement(rest, &mut text, read == 0);
            if whole + broken == 0 && text.starts_with('\u{feff}') {
                return Ok(Encoding::Utf8);
            }
            whole += text.bytes().filter(|byte| *byte >= 0xc0).count();
            rest = &rest[used..];
            match result {
                DecoderResult::Malformed(..) => broken += 1,
                DecoderResult::InputEmpty | DecoderResult::OutputFull => break,
            }
        }
        if read == 0 {
            return Ok(if broken == 0 || whole > broken { Encoding::Utf8 } else { Encoding::Windows1252 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_utf_8_unless_most_of_them_are_broken() {
        let encoding = |mut bytes: &[u8]| encoding_of(&mut bytes).unwrap();
        let long = [vec![b'x'; 64 * 1024 - 1], "ü".into()].concat();
        for utf8 in
            [b"plain", "Müller;Straße".as_bytes(), b"\xef\xbb\xbfM\xfcller", b"\xc3\xbc\xc3\xa4 Gr\xc3n", &long, "\u{fffd}".as_bytes()]
        {
            assert_eq!(encoding(utf8), Encoding::Utf8, "{utf8:?}");
        }
        for windows in [&b"M\xfcller"[..], b"Fu\xdf\x93 Gr\xfcn", b"Stra\xdf"] {
            assert_eq!(encoding(windows), Encoding::Windows1252, "{windows:?}");
        }
    }
}
