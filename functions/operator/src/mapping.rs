//! A mapping file: which column of the utility's CSV file is which field of a line, and how cells are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use domain::text;
use domain::text::{Lang, Text};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::Failure;
use crate::structure::{self, Kind, Schema};

/// The document.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// Between two cells: `;` or `,`. Without it, whichever the header has more of.
    #[serde(default)]
    delimiter: Option<String>,
    /// How the file's letters are stored. Without it, UTF-8 if the whole file is valid UTF-8, else Windows-1252.
    #[serde(default)]
    encoding: Option<Encoding>,
    /// What stands before the decimals of a number.
    #[serde(default)]
    decimal: Decimal,
    /// Field -> the column's name in the header, or several whose cells are joined by a blank.
    columns: BTreeMap<String, Columns>,
    /// Field -> the same cell for every line.
    #[serde(default)]
    constants: BTreeMap<String, String>,
    /// Field -> what a cell says -> what that means, such as `Strom` -> `ELECTRIC_METER`.
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<String, String>>,
}

/// How letters are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Encoding {
    /// UTF-8, with or without byte order mark.
    #[serde(rename = "utf-8")]
    Utf8,
    /// The "ANSI" of Windows in Western Europe.
    #[serde(rename = "windows-1252")]
    Windows1252,
}

/// What stands before the decimals.
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
    decimal: Decimal,
}

/// A mapping that fits a file's header.
#[derive(Debug)]
pub struct Plan {
    pub fields: Vec<Field>,
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
    /// Reads the file; what is wrong with it is one failure, because nothing can be done without it.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| Failure::File { path: path.to_owned(), error })?;
        let mut json = serde_json::Deserializer::from_str(&text);
        serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let inner = error.inner();
            let reason = if inner.is_syntax() || inner.is_eof() {
                structure::not_json(inner)
            } else {
                let path = error.path().to_string();
                let fault = structure::misfit(if path == "." { "" } else { &path }, &inner.to_string());
                Text { de: fault.line(Lang::De).into(), en: fault.line(Lang::En).into() }
            };
            Failure::Mapping { path: path.to_owned(), reason }
        })
    }

    /// The stated delimiter, or the header's.
    pub fn delimiter(&self, header: &[u8]) -> Result<u8, Misfit> {
        match self.delimiter.as_deref() {
            Some(";") => Ok(b';'),
            Some(",") => Ok(b','),
            Some(other) => Err(Misfit(text!(
                "delimiter: möglich sind nur `;` und `,`, nicht `{other}`",
                "delimiter: must be `;` or `,`, not `{other}`"
            ))),
            None => {
                let count = |delimiter| header.iter().filter(|byte| **byte == delimiter).count();
                Ok(if count(b';') >= count(b',') { b';' } else { b',' })
            }
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
            let mut found = Vec::new();
            for column in columns.names() {
                let places: Vec<usize> = (0..header.len()).filter(|&place| header[place] == *column).collect();
                match places[..] {
                    [place] => found.push((place, column.clone())),
                    [] => {
                        let reason = text!(
                            "die Datei hat keine Spalte `{column}`; vorhanden sind {known}",
                            "the file has no column `{column}`; it has {known}",
                            known = header.join(", ")
                        );
                        return Err(Misfit::at("columns", name, reason));
                    }
                    _ => {
                        let reason = text!("die Datei hat mehrere Spalten `{column}`", "the file has more than one column `{column}`");
                        return Err(Misfit::at("columns", name, reason));
                    }
                }
            }
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
        // In the order of the file, because a row's faults are told in this order.
        fields.sort_by_key(|field| field.columns.first().map_or(usize::MAX, |(place, _)| *place));
        let by_rows = fields.iter().any(|field| field.path.contains(&Step::Row));
        Ok(Plan { fields, by_rows })
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
        let field = Field { name: name.to_owned(), path, columns, constant, kind, values, decimal: self.decimal };
        match field.constant.as_deref().map(|constant| field.value(constant)) {
            Some(Err(reason)) => Err(Misfit::at(place, name, reason)),
            _ => Ok(field),
        }
    }
}

fn parse_path(name: &str) -> Option<Vec<Step>> {
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
        match &self.constant {
            Some(constant) => constant.clone(),
            None => {
                let cells = self.columns.iter().filter_map(|(place, _)| cells.get(*place)).map(|cell| cell.trim());
                cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// True when every line has the same.
    pub fn is_constant(&self) -> bool {
        self.constant.is_some()
    }

    /// What the text means; the fault, if it means nothing.
    pub fn value(&self, text: &str) -> Result<Value, Text> {
        let text = self.values.get(text).map_or(text, String::as_str);
        match &self.kind {
            Kind::Text if by_spreadsheet(text) => Err(text!(
                "wurde von einer Tabellenkalkulation gerundet; formatieren Sie die Spalte vor dem Speichern als Text",
                "was turned into a rounded number by a spreadsheet; format the column as text before exporting"
            )),
            Kind::Text => Ok(text.into()),
            Kind::Day => day(text).map(|day| day.to_string().into()).ok_or_else(|| {
                text!("muss ein Tag sein, etwa 31.12.2026 oder 2026-12-31", "must be a day, such as 31.12.2026 or 2026-12-31")
            }),
            Kind::Reading => reading(text, self.decimal).map(Value::from),
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

/// `1,23457E+13`: what a spreadsheet makes of a long number.
fn by_spreadsheet(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once("E+") else { return false };
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa = mantissa.replacen([',', '.'], "", 1);
    number(&mantissa) && number(exponent)
}

fn day(text: &str) -> Option<Date> {
    if let Ok(day) = Date::strptime("%d.%m.%Y", text) {
        return (1900..2200).contains(&day.year()).then_some(day);
    }
    Date::strptime("%Y-%m-%d", text).ok()
}

/// The digits with a point. A point where decimals are behind a comma is refused: `1.234` could be either.
fn reading(text: &str, decimal: Decimal) -> Result<String, Text> {
    match decimal {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn field(kind: Kind) -> Field {
        let (columns, values) = (vec![(0, "A".to_owned())], BTreeMap::new());
        Field { name: "f".into(), path: Vec::new(), columns, constant: None, kind, values, decimal: Decimal::Comma }
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
    }

    #[test]
    fn a_path_is_taken_apart() {
        let member = |name: &str| Step::Member(name.into());
        assert_eq!(parse_path("a.b[].c[2]").unwrap(), [member("a"), member("b"), Step::Row, member("c"), Step::Place(2)]);
        assert!(["", "a.", "a[", "a[x]", "a[1]b", "[0]"].iter().all(|path| parse_path(path).is_none()));
    }
}
