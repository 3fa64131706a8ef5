//! What is wrong with a file, for the person who mends it: each fault at its place, and the same fault once.

use std::collections::{BTreeMap, HashMap};
use std::io;

use domain::fault::Fault;
use domain::text;
use domain::text::{Lang, Text};
use store::ImportKind;

use super::columns::{SECRETS, name_of};
use super::lines::Cell;
use crate::spreadsheet::{begin_table_in, write_row};

/// How many places of the same fault are named.
const NAMED: usize = 3;

/// A fault with its place.
#[derive(Debug)]
pub struct FoundFault<'a> {
    /// The line, counted from 1.
    pub line: u64,
    /// The column's name in a table, else the field; empty: the line as a whole, or a field for which the table has no column.
    pub column: &'a str,
    /// What the cell says. It may be personal: it belongs in the list of faults, and in no log.
    pub value: &'a str,
    /// The reason.
    pub reason: Text,
}

impl<'a> FoundFault<'a> {
    /// Finds the cell that the fault is about: its own, or the nearest that holds it or lies in it.
    pub(crate) fn of(fault: &'a Fault, line: u64, (kind, cells): (ImportKind, &'a BTreeMap<String, Cell>)) -> Self {
        let path = &fault.path;
        let inside =
            |(name, _): &(&String, &Cell)| !path.is_empty() && name.strip_prefix(path).is_some_and(|rest| rest.starts_with(['.', '[']));
        let cell = cells.get(path).or_else(|| cells.iter().find(inside).map(|(_, cell)| cell));
        // A table always has the column; what it lacks is a text in it.
        let reason = match cell {
            Some(_) if fault.is_missing => text!("darf nicht leer sein", "must not be empty"),
            _ => fault.reason.clone(),
        };
        match cell {
            Some(Cell { line, column, .. }) if SECRETS.contains(&path.as_str()) => Self { line: *line, column, value: "", reason },
            Some(Cell { line, column, value }) => Self { line: *line, column, value, reason },
            None => match name_of(kind, path).filter(|_| !cells.is_empty()) {
                // No column of the table is this field, so that the reason has to name it.
                Some(name) => Self { line, column: "", value: "", reason: text!("{name}: {reason}", "{name}: {reason}"; name, reason) },
                None => Self { line, column: path, value: "", reason },
            },
        }
    }
}

/// Where a fault was found, and in which words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u64,
    /// The reason of the fault there.
    pub reason: Text,
}

/// The same fault, in one line or in many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultGroup {
    /// The column's name in a table, else the field; empty: the line as a whole, or a field for which the table has no column.
    pub column: String,
    /// In how many lines.
    pub count: u64,
    /// The first places.
    pub places: Vec<Place>,
}

impl FaultGroup {
    /// The group in sentences: one, or one for each place where the words differ and the places are few.
    pub fn texts(&self) -> Vec<(u64, Text)> {
        let Some(first) = self.places.first() else { return Vec::new() };
        let same = self.places.iter().all(|place| place.reason == first.reason);
        if self.count == 1 || !same && self.count as usize <= self.places.len() {
            let single = |place: &Place| {
                let line = place.line;
                (line, self.with_column(&text!("Zeile {line}", "line {line}"), &place.reason))
            };
            return self.places.iter().map(single).collect();
        }
        let lines = self.places.iter().map(|place| place.line.to_string()).collect::<Vec<_>>().join(", ");
        let lines = match self.count as usize - self.places.len() {
            0 => text!("Zeilen {lines}", "lines {lines}"),
            1 => text!("Zeilen {lines} und eine weitere", "lines {lines} and one more"),
            others => text!("Zeilen {lines} und {others} weitere", "lines {lines} and {others} more"),
        };
        let reason = &first.reason;
        let reason = if same { reason.clone() } else { text!("zum Beispiel: {reason}", "for example: {reason}"; reason) };
        vec![(first.line, self.with_column(&lines, &reason))]
    }

    fn with_column(&self, lines: &Text, reason: &Text) -> Text {
        match self.column.as_str() {
            "" => text!("{lines}: {reason}", "{lines}: {reason}"; lines, reason),
            column => text!("{lines}: {column}: {reason}", "{lines}: {column}: {reason}"; lines, reason),
        }
    }
}

/// The faults of a file while it is read. Two are the same when they are about the same column and their words differ in nothing but numbers and
/// what is quoted, so that memory holds kinds of faults and not faults.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    places: HashMap<(String, String), usize>,
    groups: Vec<FaultGroup>,
}

impl Groups {
    pub(crate) fn add(&mut self, fault: &FoundFault<'_>) {
        let key = (fault.column.to_owned(), kind_of(&fault.reason.en));
        let groups = &mut self.groups;
        let place = *self.places.entry(key).or_insert_with(|| {
            groups.push(FaultGroup { column: fault.column.to_owned(), count: 0, places: Vec::new() });
            groups.len() - 1
        });
        let Some(group) = self.groups.get_mut(place) else { return };
        group.count += 1;
        if group.places.len() < NAMED {
            group.places.push(Place { line: fault.line, reason: fault.reason.clone() });
        }
    }

    pub(crate) fn found(self) -> Vec<FaultGroup> {
        self.groups
    }
}

/// The words without numbers and without what is quoted.
fn kind_of(reason: &str) -> String {
    let outside = reason.split('`').step_by(2).collect::<Vec<_>>().join("`");
    outside.chars().filter(|character| !character.is_ascii_digit()).collect()
}

/// What is wrong with a file as a table that a spreadsheet opens: line, column, value, reason.
pub struct FaultList<W: io::Write> {
    lang: Lang,
    writer: csv::Writer<W>,
}

impl<W: io::Write> FaultList<W> {
    /// Begins the table with its heads.
    ///
    /// # Errors
    /// The writer's; the same holds for the other functions.
    pub fn begin(writer: W, lang: Lang) -> io::Result<Self> {
        let mut writer = begin_table_in(writer)?;
        writer.write_record(match lang {
            Lang::De => ["Zeile", "Spalte", "Wert", "Grund"],
            Lang::En => ["line", "column", "value", "reason"],
        })?;
        Ok(Self { lang, writer })
    }

    /// Adds a row.
    pub fn add(&mut self, fault: &FoundFault<'_>) -> io::Result<()> {
        write_row(&mut self.writer, [&fault.line.to_string(), fault.column, fault.value, fault.reason.of(self.lang)])
    }

    /// The whole table; without a fault it has its heads only.
    pub fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(|error| error.into_error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(reasons: &[(u64, &'static str)]) -> Vec<String> {
        let mut groups = Groups::default();
        for (line, reason) in reasons {
            groups.add(&FoundFault { line: *line, column: "id", value: "x", reason: Text::same(*reason) });
        }
        groups.found().iter().flat_map(FaultGroup::texts).map(|(_, text)| text.en.into_owned()).collect()
    }

    #[test]
    fn what_a_table_has_no_column_for_is_named_as_people_call_it() {
        let cell = Cell { line: 2, column: "Auftrag".to_owned(), value: "t1".to_owned() };
        let unnumbered = BTreeMap::from([("accountId".to_owned(), cell.clone())]);
        let table = BTreeMap::from([("id".to_owned(), cell)]);
        let found = |path: &str, cells| {
            let fault = Fault::missing(path);
            let FoundFault { column, reason, .. } = FoundFault::of(&fault, 2, (ImportKind::Jobs, cells));
            format!("{column}|{}|{}", reason.de, reason.en)
        };
        assert_eq!(found("meter.meterRateTasks", &table), "|OBIS-Kennzahl: fehlt|OBIS code: is missing");
        assert_eq!(found("meter.meterRateTasks[1].obis", &table), "|OBIS-Kennzahl: fehlt|OBIS code: is missing");
        assert_eq!(found("meter.meterNumber", &table), "|Zählernummer: fehlt|Meter number: is missing");
        assert_eq!(found("id", &unnumbered), "|Auftragsnummer: fehlt|Job number: is missing");
        assert_eq!(found("meter.meterRateTasks", &BTreeMap::new()), "meter.meterRateTasks|fehlt|is missing");
    }

    #[test]
    fn the_same_fault_is_said_once() {
        assert_eq!(said(&[(2, "is empty")]), ["line 2: id: is empty"]);
        assert_eq!(said(&[(2, "is empty"), (3, "is long"), (7, "is empty")]), ["lines 2, 7: id: is empty", "line 3: id: is long"]);
        let many: Vec<_> = (1..=1206).map(|line| (line, "is empty")).collect();
        assert_eq!(said(&many), ["lines 1, 2, 3 and 1203 more: id: is empty"]);
        assert_eq!(said(&many[..4]), ["lines 1, 2, 3 and one more: id: is empty"]);
    }

    #[test]
    fn what_differs_in_numbers_only_is_one_kind_and_said_apart_while_it_is_little() {
        let twice = [(5, "`a` is the id of line 1 too"), (6, "`b` is the id of line 2 too")];
        assert_eq!(said(&twice), ["line 5: id: `a` is the id of line 1 too", "line 6: id: `b` is the id of line 2 too"]);
        let often = [&twice[..], &[(7, "`c` is the id of line 3 too"), (8, "`d` is the id of line 4 too")]].concat();
        assert_eq!(said(&often), ["lines 5, 6, 7 and one more: id: for example: `a` is the id of line 1 too"]);
    }
}
