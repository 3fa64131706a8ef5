//! A mapping file: which column of the utility's CSV file is which field of a line, and how cells are written.

use std::collections::{BTreeMap, BTreeSet};

use domain::pass_through::{self, PASS_THROUGH};
use domain::text;
use domain::text::Text;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::file::SHEET_SEPARATOR;
use crate::structure::{self, Kind, Schema};

/// The document.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// Between two cells: `;` or `,`. Without it, the one that the header has more of.
    #[serde(default)]
    delimiter: Option<String>,
    /// How the file's letters are stored. Without it, UTF-8 if the file begins with its mark or most of its letters beyond ASCII are of it, else Windows-1252.
    #[serde(default)]
    encoding: Option<Encoding>,
    /// What stands before the decimals of a number.
    #[serde(default)]
    decimal: Decimal,
    /// How numbers are written beyond that.
    #[serde(default)]
    numbers: Style,
    /// How days are written beyond that.
    #[serde(default)]
    days: Style,
    /// Field -> the column's name in the header, or several whose cells are joined by a blank.
    columns: BTreeMap<String, Columns>,
    /// Field -> the same cell for every line.
    #[serde(default)]
    constants: BTreeMap<String, String>,
    /// Field -> what a cell says -> what that means, such as `Strom` -> `ELECTRIC_METER`.
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<String, String>>,
    /// Fields whose numbers were filled up with zeros in front, such as `000000000066362352`.
    #[serde(default)]
    trim_leading_zeros: BTreeSet<String>,
    /// Element of a list, such as `meter.meterRateTasks[1]` -> when a row has it. Without a condition it is there when any column of it says something.
    #[serde(default)]
    when: BTreeMap<String, When>,
    /// Columns that go back with a job's readings as they came.
    #[serde(default)]
    pass_through: Vec<String>,
}

/// The part of a mapping that says when an element is there.
pub(super) const CONDITION: &str = "when";

/// The style in which cells are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Style {
    /// As people write them.
    #[default]
    Plain,
    /// As SAP exports them: thousands in groups, a minus behind the number; days as `31.12.25` or `20251231`, and `00.00.0000` or `31.12.9999` for none.
    Sap,
}

/// The condition for an element of a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
enum When {
    /// This column is not empty.
    Filled(String),
    /// It has one of these values.
    Says(Says),
}

/// A column, and the values of which it has to have one.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Says {
    column: String,
    is: BTreeSet<String>,
}

/// The encodings of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Encoding {
    /// UTF-8, with or without byte order mark.
    #[serde(rename = "utf-8")]
    Utf8,
    /// The "ANSI" of Windows in Western Europe.
    #[serde(rename = "windows-1252")]
    Windows1252,
}

/// The sign before the decimals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
enum Decimal {
    #[default]
    #[serde(rename = ",")]
    Comma,
    #[serde(rename = ".")]
    Point,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
enum Columns {
    One(String),
    Several(Vec<String>),
}

impl Columns {
    fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

/// One step of a field's path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A member of an object.
    Member(String),
    /// A place of a list.
    Place(usize),
    /// `[]`: the place of this row among the rows of one entry.
    Row,
}

/// A field and where its text comes from.
#[derive(Debug)]
pub struct Field {
    /// As the mapping names it, such as `meter.meterRateTasks[].obis`.
    pub name: String,
    /// The same, taken apart.
    pub path: Vec<Step>,
    /// Indices and names of its columns; none: a constant.
    pub columns: Vec<(usize, String)>,
    constant: Option<String>,
    kind: Kind,
    values: BTreeMap<String, String>,
    writing: Writing,
    trim_leading_zeros: bool,
}

/// The style of numbers and days in a file.
#[derive(Debug, Clone, Copy, Default)]
struct Writing {
    decimal: Decimal,
    numbers: Style,
    days: Style,
}

/// The condition for an element of a list.
#[derive(Debug)]
pub struct Condition {
    /// The element.
    pub path: Vec<Step>,
    column: usize,
    /// What the column has to say; none: anything.
    is: Option<BTreeSet<String>>,
}

impl Condition {
    /// Whether the row has the element.
    pub fn holds(&self, cells: &[String]) -> bool {
        let cell = cells.get(self.column).map(|cell| cell.trim()).unwrap_or_default();
        self.is.as_ref().map_or(!cell.is_empty(), |is| is.contains(cell))
    }
}

/// A mapping that fits a file's header.
#[derive(Debug)]
pub struct Plan {
    pub fields: Vec<Field>,
    /// Elements that do not exist in each row.
    pub conditions: Vec<Condition>,
    /// Indices and names of the columns that go back as they came.
    pub pass_through: Vec<(usize, String)>,
    /// Several rows may stand for one entry.
    pub by_rows: bool,
}

/// The mapping does not fit its purpose or the file.
#[derive(Debug)]
pub struct Misfit(pub Text);

impl Misfit {
    /// What is wrong with the setting `name` of a part of the mapping.
    fn at(part: &str, name: &str, reason: Text) -> Self {
        Self(text!("{part}.{name}: {reason}", "{part}.{name}: {reason}"; reason))
    }
}

impl Mapping {
    /// Whether the file says something of this field or of a part of it, be it by empty cells.
    pub fn has(&self, field: &str) -> bool {
        self.columns.keys().chain(self.constants.keys()).any(|name| name.split(['.', '[']).next() == Some(field))
    }

    /// Reads the document.
    ///
    /// # Errors
    /// What is wrong with it; nothing can be done without it.
    pub fn parse(text: &str) -> Result<Self, Text> {
        let mut json = serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let inner = error.inner();
            if inner.is_syntax() || inner.is_eof() {
                return structure::not_json(inner);
            }
            let path = error.path().to_string();
            structure::misfit(if path == "." { "" } else { &path }, &inner.to_string()).text()
        })
    }

    /// The same for a workbook, whose table is written here and not as the mapping says of files of text.
    pub fn of_workbook(self) -> Self {
        Self { delimiter: Some(char::from(SHEET_SEPARATOR).into()), encoding: Some(Encoding::Utf8), ..self }
    }

    /// Each column that it names, with the field or the part of the mapping that it is for.
    pub fn named_columns(&self) -> impl Iterator<Item = (&str, &str)> {
        let of_fields = self.columns.iter().flat_map(|(field, columns)| columns.names().iter().map(move |name| (field.as_str(), name)));
        let passed = self.pass_through.iter().map(|name| (PASS_THROUGH, name));
        let conditions = self.when.values().map(|when| match when {
            When::Filled(column) | When::Says(Says { column, .. }) => (CONDITION, column),
        });
        of_fields.chain(passed).chain(conditions).map(|(field, name)| (field, name.as_str()))
    }

    /// The columns of which a field is made.
    pub fn columns_of(&self, field: &str) -> &[String] {
        self.columns.get(field).map_or(&[], Columns::names)
    }

    /// The stated delimiter.
    pub fn delimiter(&self) -> Result<Option<u8>, Misfit> {
        match self.delimiter.as_deref() {
            Some(";") => Ok(Some(b';')),
            Some(",") => Ok(Some(b',')),
            Some(other) => Err(Misfit(text!(
                "delimiter: möglich sind nur `;` und `,`, nicht `{other}`",
                "delimiter: must be `;` or `,`, not `{other}`"
            ))),
            None => Ok(None),
        }
    }

    /// What stands before the decimals of a number.
    pub fn decimal_sign(&self) -> char {
        match self.decimal {
            Decimal::Comma => ',',
            Decimal::Point => '.',
        }
    }

    /// The stated encoding.
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// Finds the columns in the header and the fields in the entry's schema.
    pub fn plan(&self, schema: &Schema, header: &[String]) -> Result<Plan, Misfit> {
        let mut fields = Vec::new();
        for (name, columns) in &self.columns {
            let named = columns.names().iter();
            let found = named.map(|column| Ok((place_of(header, column, "columns", name)?, column.clone())));
            let found = found.collect::<Result<Vec<_>, Misfit>>()?;
            if found.is_empty() {
                return Err(Misfit::at("columns", name, text!("braucht mindestens eine Spalte", "needs at least one column")));
            }
            fields.push(self.field(schema, "columns", name, found, None)?);
        }
        for (name, constant) in &self.constants {
            fields.push(self.field(schema, "constants", name, Vec::new(), Some(constant.clone()))?);
        }
        if let Some(name) = self.values.keys().find(|name| !self.columns.contains_key(*name)) {
            return Err(Misfit::at("values", name, text!("hat keine Spalte", "has no column")));
        }
        for name in &self.trim_leading_zeros {
            let of_field = fields.iter().find(|field: &&Field| field.name == *name);
            match of_field.map(|field| (field.columns.is_empty(), &field.kind)) {
                Some((false, Kind::Text)) => {}
                Some((false, _)) => return Err(Misfit::at("trimLeadingZeros", name, text!("ist kein Text", "is no text"))),
                _ => return Err(Misfit::at("trimLeadingZeros", name, text!("hat keine Spalte", "has no column"))),
            }
        }
        let mut conditions = Vec::new();
        for (name, when) in &self.when {
            let path = parse_path(name).filter(|path| matches!(path.last(), Some(Step::Place(_))));
            let path = path.ok_or_else(|| {
                let reason = text!(
                    "ist kein Platz einer Liste, etwa meter.meterRateTasks[1]",
                    "is no place of a list, such as meter.meterRateTasks[1]"
                );
                Misfit::at("when", name, reason)
            })?;
            let (column, is) = match when {
                When::Filled(column) => (column, None),
                When::Says(Says { column, is }) => (column, Some(is.clone())),
            };
            conditions.push(Condition { path, column: place_of(header, column, "when", name)?, is });
        }
        let pass_through = self.passed_through(schema, header)?;
        // In the order of the file, because a row's faults are told in this order.
        fields.sort_by_key(|field| field.columns.first().map_or(usize::MAX, |(place, _)| *place));
        let by_rows = fields.iter().any(|field| field.path.contains(&Step::Row));
        Ok(Plan { fields, conditions, pass_through, by_rows })
    }

    fn passed_through(&self, schema: &Schema, header: &[String]) -> Result<Vec<(usize, String)>, Misfit> {
        let most = pass_through::COLUMNS_MAX;
        let mut found: Vec<(usize, String)> = Vec::new();
        for column in &self.pass_through {
            let refused = |reason| Err(Misfit::at(PASS_THROUGH, column, reason));
            if schema.root["properties"].get(PASS_THROUGH).is_none() {
                return refused(text!("gibt es nur in Dateien von Aufträgen", "is for files of jobs only"));
            }
            if found.iter().any(|(_, earlier)| earlier == column) {
                return refused(text!("steht zweimal da", "stands there twice"));
            }
            if found.len() == most {
                return refused(text!(
                    "ist zu viel; erlaubt sind höchstens {most} Spalten",
                    "is too much; at most {most} columns are allowed"
                ));
            }
            found.push((place_of(header, column, PASS_THROUGH, column)?, column.clone()));
        }
        Ok(found)
    }

    fn field(
        &self,
        schema: &Schema,
        place: &str,
        name: &str,
        columns: Vec<(usize, String)>,
        constant: Option<String>,
    ) -> Result<Field, Misfit> {
        let path = parse_path(name).ok_or_else(|| {
            let reason = text!("ist kein Feld; schreiben Sie etwa meter.meterNumber", "is no field; write such as meter.meterNumber");
            Misfit::at(place, name, reason)
        })?;
        let kind = schema.kind_at(&path).map_err(|reason| Misfit::at(place, name, reason))?;
        let values = self.values.get(name).cloned().unwrap_or_default();
        let writing = Writing { decimal: self.decimal, numbers: self.numbers, days: self.days };
        let trim_leading_zeros = self.trim_leading_zeros.contains(name);
        let field = Field { name: name.to_owned(), path, columns, constant, kind, values, writing, trim_leading_zeros };
        match field.constant.as_deref().map(|constant| field.value(constant)) {
            Some(Err(reason)) => Err(Misfit::at(place, name, reason)),
            _ => Ok(field),
        }
    }
}

/// Where the header has the column; `part` and `name` say for which setting.
fn place_of(header: &[String], column: &str, part: &str, name: &str) -> Result<usize, Misfit> {
    let places: Vec<usize> = (0..header.len()).filter(|&place| header[place] == *column).collect();
    match places[..] {
        [place] => Ok(place),
        [] => {
            let reason = text!(
                "die Datei hat keine Spalte `{column}`; vorhanden sind {known}",
                "the file has no column `{column}`; it has {known}",
                known = header.join(", ")
            );
            Err(Misfit::at(part, name, reason))
        }
        _ => {
            let reason = text!("die Datei hat mehrere Spalten `{column}`", "the file has more than one column `{column}`");
            Err(Misfit::at(part, name, reason))
        }
    }
}

pub(super) fn parse_path(name: &str) -> Option<Vec<Step>> {
    let mut path = Vec::new();
    for part in name.split('.') {
        let (member, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if member.is_empty() {
            return None;
        }
        path.push(Step::Member(member.to_owned()));
        while let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']')?;
            path.push(if index.is_empty() { Step::Row } else { Step::Place(index.parse().ok().filter(|index| *index < 1000)?) });
            rest = after;
        }
        if !rest.is_empty() {
            return None;
        }
    }
    Some(path)
}

impl Field {
    /// The field's text in a row; empty: nothing is stated.
    pub fn text(&self, cells: &[String]) -> String {
        if let Some(constant) = &self.constant {
            return constant.clone();
        }
        let cells = self.columns.iter().filter_map(|(place, _)| cells.get(*place)).map(|cell| cell.trim());
        let text = cells.map(|cell| if self.trim_leading_zeros { trimmed(cell) } else { cell }).filter(|cell| !cell.is_empty());
        let text = text.collect::<Vec<_>>().join(" ");
        let no_day = self.kind == Kind::Day && self.writing.days == Style::Sap && NO_DAYS.contains(&text.as_str());
        if no_day { String::new() } else { text }
    }

    /// True when every line has the same.
    pub fn is_constant(&self) -> bool {
        self.constant.is_some()
    }

    /// What the text means; the fault, if it means nothing.
    pub fn value(&self, text: &str) -> Result<Value, Text> {
        let text = self.values.get(text).map_or(text, String::as_str);
        undamaged(text)?;
        match &self.kind {
            Kind::Text => Ok(text.into()),
            Kind::Day => day(text, self.writing.days).map(|day| day.to_string().into()).ok_or_else(|| {
                text!("muss ein Tag sein, etwa 31.12.2026 oder 2026-12-31", "must be a day, such as 31.12.2026 or 2026-12-31")
            }),
            Kind::Reading => reading(text, self.writing).map(Value::from),
            Kind::Whole => text.parse::<i64>().map(Value::from).map_err(|_| text!("muss eine ganze Zahl sein", "must be a whole number")),
            Kind::Flag => match text.to_lowercase().as_str() {
                "ja" | "j" | "x" | "1" | "true" | "wahr" | "yes" => Ok(true.into()),
                "nein" | "n" | "0" | "false" | "falsch" | "no" => Ok(false.into()),
                _ => Err(text!("muss ja oder nein sein", "must be ja or nein")),
            },
            Kind::OneOf(names) if names.iter().any(|name| name == text) => Ok(text.into()),
            Kind::OneOf(names) => {
                let known: Vec<_> = self.values.keys().map(String::as_str).collect();
                let known = if known.is_empty() { names.join(", ") } else { known.join(", ") };
                Err(text!("möglich sind nur {known}", "must be one of {known}"))
            }
        }
    }
}

/// What SAP writes for no day, and for one that never comes.
const NO_DAYS: [&str; 7] = ["00.00.0000", "00.00.00", "00000000", "0000-00-00", "31.12.9999", "99991231", "9999-12-31"];

/// A number without the zeros that fill it up; what has a letter was not filled up (SAP's conversion ALPHA), and zeros only are none.
fn trimmed(cell: &str) -> &str {
    if cell.bytes().all(|byte| byte.is_ascii_digit()) { cell.trim_start_matches('0') } else { cell }
}

/// What a spreadsheet destroyed is refused, also where nothing else is asked of a cell.
pub(super) fn undamaged(text: &str) -> Result<(), Text> {
    if is_error(text) {
        return Err(text!(
            "enthält einen Fehlerwert der Tabellenkalkulation (wie #NV oder #BEZUG!); berichtigen Sie die Formel, oder tragen Sie ein, was dort stehen soll",
            "has an error value of the spreadsheet (such as #N/A or #REF!); mend the formula, or write what is to stand there"
        ));
    }
    if by_spreadsheet(text) {
        return Err(text!(
            "hat Excel aus einer langen Nummer gemacht und dabei die letzten Ziffern verworfen; formatieren Sie die Spalte vor dem Einfügen der Daten als Text und speichern Sie die Datei neu",
            "is what Excel made of a long number, dropping its last digits; format the column as text before the data go in, and save the file again"
        ));
    }
    Ok(())
}

/// What a spreadsheet shows in place of a value, in English and in German.
const ERRORS: [&str; 13] =
    ["#N/A", "#NV", "#REF!", "#BEZUG!", "#VALUE!", "#WERT!", "#NUM!", "#ZAHL!", "#DIV/0!", "#NAME?", "#NULL!", "#DATA!", "#GETTING_DATA"];

/// Whether a cell of those that make the text is an error.
fn is_error(text: &str) -> bool {
    text.split(' ').any(|cell| ERRORS.contains(&cell))
}

/// `1,23457E+13`: what a spreadsheet makes of a long number.
fn by_spreadsheet(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['E', 'e']) else { return false };
    let Some(exponent) = exponent.strip_prefix('+') else { return false };
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa = mantissa.replacen([',', '.'], "", 1);
    number(&mantissa) && number(exponent)
}

fn day(text: &str, style: Style) -> Option<Date> {
    // Before the four digits of a year, of which two are a year long ago.
    if style == Style::Sap {
        let digits: Vec<_> = text.split('.').collect();
        if let [day, month, year] = digits[..]
            && year.len() == 2
        {
            return Date::strptime("%d.%m.%Y", format!("{day}.{month}.20{year}")).ok();
        }
        if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Date::strptime("%Y%m%d", text).ok();
        }
    }
    if let Ok(day) = Date::strptime("%d.%m.%Y", text) {
        return (1900..2200).contains(&day.year()).then_some(day);
    }
    Date::strptime("%Y-%m-%d", text).ok()
}

/// The digits with a point. A point where decimals are behind a comma is refused: `1.234` could be either, unless SAP groups thousands with it.
fn reading(text: &str, writing: Writing) -> Result<String, Text> {
    let ungrouped;
    let text = match writing.numbers {
        Style::Plain => text,
        Style::Sap => {
            ungrouped = ungrouped_number(text, writing.decimal)?;
            &ungrouped
        }
    };
    match writing.decimal {
        Decimal::Comma if text.contains('.') => Err(text!(
            "enthält einen Punkt; nach der Zuordnung stehen Nachkommastellen hinter einem Komma",
            "has a point; by the mapping decimals stand behind a comma"
        )),
        Decimal::Comma => Ok(text.replacen(',', ".", 1)),
        Decimal::Point if text.contains(',') => Err(text!(
            "enthält ein Komma; nach der Zuordnung stehen Nachkommastellen hinter einem Punkt",
            "has a comma; by the mapping decimals stand behind a point"
        )),
        Decimal::Point => Ok(text.to_owned()),
    }
}

/// A number of SAP's, such as `2.392,500` or `0,000-`, without the marks between thousands and the sign of nothing.
fn ungrouped_number(text: &str, decimal: Decimal) -> Result<String, Text> {
    let (group, point) = match decimal {
        Decimal::Comma => ('.', ','),
        Decimal::Point => (',', '.'),
    };
    let (number, is_negative) = match text.strip_suffix('-').or_else(|| text.strip_prefix('-')) {
        Some(number) => (number.trim(), true),
        None => (text, false),
    };
    if is_negative && number.chars().any(|digit| matches!(digit, '1'..='9')) {
        return Err(text!("ist negativ; ein Zähler zeigt keinen negativen Stand", "is negative; no counter shows that"));
    }
    let (whole, decimals) = match number.split_once(point) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (number, None),
    };
    let groups: Vec<_> = whole.split([group, ' ', '\u{a0}', '\u{202f}']).collect();
    let is_grouped = groups.len() == 1 || (1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3);
    if !is_grouped {
        return Err(text!("hat `{group}` an anderer Stelle als zwischen Tausendern", "has `{group}` elsewhere than between thousands"));
    }
    Ok(groups.concat() + &decimals.map(|decimals| format!("{point}{decimals}")).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(kind: Kind) -> Field {
        let (columns, values) = (vec![(0, "A".to_owned())], BTreeMap::new());
        let (constant, writing) = (None, Writing::default());
        Field { name: "f".into(), path: Vec::new(), columns, constant, kind, values, writing, trim_leading_zeros: false }
    }

    #[test]
    fn cells_are_read_as_sap_writes_them() {
        let field = |kind, decimal| {
            let writing = Writing { decimal, numbers: Style::Sap, days: Style::Sap };
            Field { writing, trim_leading_zeros: kind == Kind::Text, ..field(kind) }
        };
        let read = |kind: Kind, text: &str| {
            let field = field(kind, Decimal::Comma);
            match field.text(&[text.to_owned()]).as_str() {
                "" => Ok("none".to_owned()),
                text => field.value(text).map(|value| value.as_str().unwrap().to_owned()).map_err(|reason| reason.en.into_owned()),
            }
        };
        for (text, value) in [
            ("2.392,500", "2392.500"),
            ("1.234.567", "1234567"),
            ("392", "392"),
            ("0,000-", "0.000"),
            ("12 345,6", "12345.6"),
            ("2392,5", "2392.5"),
        ] {
            assert_eq!(read(Kind::Reading, text).unwrap(), value, "{text}");
        }
        for text in ["23.92,500", "2392.500", "1.2345", ".123"] {
            assert_eq!(read(Kind::Reading, text).unwrap_err(), "has `.` elsewhere than between thousands", "{text}");
        }
        assert_eq!(read(Kind::Reading, "2392,500-").unwrap_err(), "is negative; no counter shows that");
        assert_eq!(field(Kind::Reading, Decimal::Point).value("2,392.500").unwrap(), "2392.500");
        for (text, day) in [
            ("31.12.25", "2025-12-31"),
            ("20251231", "2025-12-31"),
            ("31.12.2025", "2025-12-31"),
            ("2025-12-31", "2025-12-31"),
            ("00.00.0000", "none"),
            ("00000000", "none"),
            ("31.12.9999", "none"),
        ] {
            assert_eq!(read(Kind::Day, text).unwrap(), day, "{text}");
        }
        assert!(read(Kind::Day, "31.13.25").is_err() && read(Kind::Day, "20251301").is_err());
        for (text, trimmed) in [("000000000066362352", "66362352"), ("0ABC", "0ABC"), ("0000", "none"), ("1200", "1200")] {
            assert_eq!(read(Kind::Text, text).unwrap(), trimmed, "{text}");
        }
    }

    #[test]
    fn cells_are_read_as_germans_write_them() {
        let read = |kind, text: &str| field(kind).value(text).map(|value| value.to_string());
        assert_eq!(read(Kind::Reading, "00123,450").unwrap(), "\"00123.450\"");
        assert!(read(Kind::Reading, "1.234").is_err());
        assert_eq!(read(Kind::Day, "01.02.2026").unwrap(), "\"2026-02-01\"");
        assert_eq!(read(Kind::Day, "1.2.2026").unwrap(), "\"2026-02-01\"");
        assert!(read(Kind::Day, "30.02.2026").is_err() && read(Kind::Day, "01.02.26").is_err());
        assert_eq!(read(Kind::Flag, "Ja").unwrap(), "true");
        assert!(read(Kind::Text, "1,23457E+13").is_err() && read(Kind::Text, "1EBZ0100E+1").is_ok());
        assert!(read(Kind::Reading, "1,23457E+13").unwrap_err().en.contains("Excel"));
        for text in ["#NV", "Dr. #N/A", "#BEZUG!"] {
            assert!(read(Kind::Text, text).unwrap_err().en.starts_with("has an error value"), "{text}");
        }
        assert!(read(Kind::Text, "Tor #4").is_ok());
    }

    #[test]
    fn a_path_is_taken_apart() {
        let member = |name: &str| Step::Member(name.into());
        assert_eq!(parse_path("a.b[].c[2]").unwrap(), [member("a"), member("b"), Step::Row, member("c"), Step::Place(2)]);
        assert!(["", "a.", "a[", "a[x]", "a[1]b", "[0]"].iter().all(|path| parse_path(path).is_none()));
    }
}
