//! How a list leaves the product for another system: a tenant's presets (`exports.json`), and what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fault::{Faults, FileFault};
use crate::pass_through;
use crate::text;

/// Name of the file with the presets by name, beside `tenant.json`; it may be absent.
pub const EXPORTS_FILE: &str = "exports.json";
/// The presets that come with the product; a tenant's own have other names.
pub const BUILT_IN: [&str; 2] = [PLAIN, SAP_ISU];
const PLAIN: &str = "plain";
const SAP_ISU: &str = "sap-isu";
/// Most presets of a tenant.
const PRESETS_MAX: usize = 20;
/// Most columns of a preset.
const COLUMNS_MAX: usize = 100;
/// Longest heading in characters.
const NAME_MAX: usize = 100;
/// Longest text of the preset's own in characters.
const TEXT_MAX: usize = 200;
/// Most places that are filled with zeros; SAP's longest such field has 20.
const ZEROS_MAX: u8 = 40;

/// A list's form and columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// What the file is.
    pub format: FileFormat,
    /// The columns in their order.
    pub columns: Vec<Column>,
    /// What stands before the decimals in CSV; absent: a comma. There is never anything between thousands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<DecimalSign>,
    /// How days are written; absent: as Germans do, in JSON lines by ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<DayForm>,
    /// Between two cells of CSV; absent: a semicolon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separator: Option<Separator>,
    /// How the letters of CSV are stored; absent: UTF-8 with the mark by which spreadsheets know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<LetterEncoding>,
    /// What ends a line of CSV; absent: CRLF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_ends: Option<LineEnds>,
    /// Whether the first row has the columns' names; absent: it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// In CSV, texts with a digit are written as `="0012"`, so that Excel makes no number or day of them; absent: they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts_for_excel: Option<bool>,
}

impl Preset {
    /// What a preset wants that the list's rows do not have.
    pub fn misplaced(&self, list: List) -> Option<text::Text> {
        let of_jobs = list != List::WithoutJob;
        self.columns.iter().find_map(|column| {
            let name = &column.name;
            let what = match (column.field, &column.pass_through) {
                (Some(field), _) if !field.lists().contains(&list) => field.name(),
                (_, Some(column)) if !of_jobs => column.clone(),
                _ => return None,
            };
            let (de, en) = match list {
                List::Readings => ("Stände von Aufträgen", "readings of jobs"),
                List::WithoutJob => ("Stände ohne Auftrag", "readings without a job"),
                List::Open => ("offene Aufträge", "open jobs"),
            };
            Some(text!("Spalte `{name}`: `{what}` gibt es für {de} nicht", "column `{name}`: {en} have no `{what}`"))
        })
    }
}

/// A column: a field, what the utility's own file said, or a text that is the same in every row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// The heading; in JSON lines the member's name.
    pub name: String,
    /// The field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<Field>,
    /// The column of the jobs' file, named under `passThrough` of its mapping; where it says nothing, the field stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass_through: Option<String>,
    /// The same in every row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is written for what the field says, such as `02` for `PHONE`; what is not named stays as it is.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
    /// How this column's days are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<DayForm>,
    /// Numbers are filled up with zeros in front to so many places, as SAP stores them; what has a letter is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill_zeros: Option<u8>,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// Cells with a separator between them.
    Csv,
    /// A workbook of Excel's.
    Xlsx,
    /// One JSON object a line.
    Jsonl,
}

impl FileFormat {
    /// The ending of its name.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Jsonl => "jsonl",
        }
    }
}

/// What stands before the decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum DecimalSign {
    /// As Germans write it.
    #[serde(rename = ",")]
    Comma,
    /// As programs do.
    #[serde(rename = ".")]
    Point,
}

/// How a day is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum DayForm {
    /// `31.12.2026`
    #[serde(rename = "DD.MM.YYYY")]
    German,
    /// `31.12.26`
    #[serde(rename = "DD.MM.YY")]
    GermanShort,
    /// `2026-12-31`
    #[serde(rename = "YYYY-MM-DD")]
    Iso,
    /// `20261231`, as SAP stores it.
    #[serde(rename = "YYYYMMDD")]
    Digits,
}

/// What stands between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Separator {
    /// As Excel's in German.
    #[serde(rename = ";")]
    Semicolon,
    /// As Excel's in English.
    #[serde(rename = ",")]
    Comma,
    /// A tabulator.
    #[serde(rename = "tab")]
    Tab,
    /// A bar.
    #[serde(rename = "|")]
    Bar,
}

/// How letters are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum LetterEncoding {
    /// UTF-8 with a byte order mark.
    #[serde(rename = "utf-8-bom")]
    Utf8WithMark,
    /// UTF-8.
    #[serde(rename = "utf-8")]
    Utf8,
    /// The "ANSI" of Windows in Western Europe.
    #[serde(rename = "windows-1252")]
    Windows1252,
}

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum LineEnds {
    /// As Windows does.
    #[serde(rename = "CRLF")]
    CrLf,
    /// As Unix does.
    #[serde(rename = "LF")]
    Lf,
}

/// Which rows a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// Readings of jobs.
    Readings,
    /// Readings of meters without a job.
    WithoutJob,
    /// Jobs that are not read yet.
    Open,
}

impl List {
    /// Whether the preset of this name, one that comes along, is for such a list.
    pub fn has_built_in(self, name: &str) -> bool {
        name == PLAIN || (name == SAP_ISU && self == Self::Readings)
    }
}

/// What a cell of a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A number or a word by which something is known, or what a person wrote.
    Text,
    /// One of these names.
    Code(&'static [&'static str]),
    /// A number to count with.
    Number,
    /// A day.
    Day,
    /// A day with its time.
    Moment,
}

const R: &[List] = &[List::Readings];
const W: &[List] = &[List::WithoutJob];
const O: &[List] = &[List::Open];
const RW: &[List] = &[List::Readings, List::WithoutJob];
const RO: &[List] = &[List::Readings, List::Open];
const ALL: &[List] = &[List::Readings, List::WithoutJob, List::Open];

const FLAG: FieldKind = FieldKind::Code(&["true", "false"]);
const METER_TYPES: FieldKind =
    FieldKind::Code(&["ELECTRIC_METER", "HEAT_METER", "GAS_METER", "WATER_METER", "WATER_WARM_METER", "GENERIC_METER"]);

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident $lists:ident $kind:expr;)*) => {
        /// What a row can say.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub enum Field { $($(#[$doc])* $variant,)* }

        impl Field {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The lists whose rows have it.
            pub fn lists(self) -> &'static [List] {
                match self { $(Self::$variant => $lists,)* }
            }

            /// What its cells are.
            pub fn kind(self) -> FieldKind {
                match self { $(Self::$variant => $kind,)* }
            }
        }
    };
}

use FieldKind::{Code, Day, Moment, Number, Text};

fields! {
    /// The number under which the customer's service knows the customer: that of the job, else the account's id.
    CustomerNumber RO Text;
    /// The account's id.
    AccountId RO Text;
    /// The job's id.
    JobId RO Text;
    /// The reading's id.
    ResultId R Text;
    /// The id of a reading without a job.
    ReadingId W Text;
    /// The season's id.
    Season RO Text;
    /// The register's id in its job.
    TaskId R Text;
    /// The register's place in its job, counted from 1.
    Register R Number;
    /// The tenant's name of the rate.
    RateName RW Text;
    /// The number on the meter's plate.
    MeterNumber ALL Text;
    /// What it measures.
    MeterType ALL METER_TYPES;
    /// What it measures more exactly.
    SubType W Text;
    /// The OBIS code.
    Obis RW Text;
    /// The unit.
    Unit RW Text;
    /// Market location.
    MaLoId RO Text;
    /// Metering location.
    MeLoId RO Text;
    /// The counter.
    ReadingValue RW Number;
    /// The counter's digits before the point.
    ReadingValueWhole RW Text;
    /// The counter's digits after the point.
    ReadingValueDecimals RW Text;
    /// The day on which it was read.
    ReadingDate RW Day;
    /// When it was received.
    Created RW Moment;
    /// Why it was read.
    ReadingReason W Text;
    /// Through which channel it came.
    Channel R Code(&["PORTAL", "PHONE", "CARD", "EMAIL", "TECHNICIAN", "IMPORT"]);
    /// Through which kind of login it came into the portal.
    LoginKind RW Code(&["credentials", "token", "public"]);
    /// Which member of the staff entered it.
    EnteredBy R Text;
    /// The reading without a job that it was before a clerk assigned it.
    WithoutJob R Text;
    /// Why they entered a value that was warned of.
    ConfirmedReason R Text;
    /// Why they entered it late, or in the place of another one.
    LateReason R Text;
    /// The account that sent it.
    Login RW Text;
    /// What the reader remarked.
    Comment RW Text;
    /// Why it is below the one before.
    LowerReason R Code(&["METER_CHANGE", "ROLLOVER"]);
    /// The photos' ids, with blanks between them.
    ImageIds RW Text;
    /// A clerk's decision.
    Clearing R Code(&["released", "rejected"]);
    /// A clerk's reason.
    ClearingReason R Text;
    /// The day of the meter's exchange before this reading.
    ExchangedOn R Day;
    /// The last counter of the meter that went.
    FinalValue R Number;
    /// The first counter of the meter that came.
    InitialValue R Number;
    /// The number of the meter that came.
    NewNumber R Text;
    /// As what the reading goes out.
    Kind R Code(&["ORIGINAL", "CORRECTION", "CANCELLATION"]);
    /// The reading that it corrects or cancels.
    RefersTo R Text;
    /// The export that had that one.
    RefersToExport R Number;
    /// That one's counter.
    RefersToValue R Number;
    /// That one's day.
    RefersToDate R Day;
    /// The export's number.
    Export RW Number;
    /// The customer's name in one text.
    Name O Text;
    /// The customer's company.
    Company RO Text;
    /// The customer's first name.
    Firstname ALL Text;
    /// The customer's surname.
    Lastname ALL Text;
    /// Where the meter is: the street.
    Street ALL Text;
    /// The house number.
    HouseNumber ALL Text;
    /// The postcode.
    Postcode ALL Text;
    /// The town.
    City ALL Text;
    /// The part of the town.
    District RO Text;
    /// Where in the house.
    Location RO Text;
    /// The sender's address.
    Email W Text;
    /// Readings are taken from this day on.
    Earliest RO Day;
    /// The last day.
    Deadline RO Day;
    /// The deadline is over.
    Overdue O FLAG;
    /// Readings of it are taken today.
    Open O FLAG;
    /// The owner has a confirmed address.
    HasEmail O FLAG;
}

impl Field {
    /// As presets name it.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// Windows-1252 beyond Latin-1 (WHATWG Encoding, index windows-1252).
const WINDOWS_1252: &str = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

fn is_windows_1252(letter: char) -> bool {
    letter.is_ascii() || ('\u{a0}'..='\u{ff}').contains(&letter) || WINDOWS_1252.contains(letter)
}

/// Every fault of the tenant's presets.
pub fn check(presets: &BTreeMap<String, Preset>) -> Vec<FileFault> {
    let mut faults = Faults::default();
    let count = presets.len();
    faults.unless(
        count <= PRESETS_MAX,
        "",
        text!("hat {count} Vorlagen, erlaubt sind höchstens {PRESETS_MAX}", "has {count} presets, at most {PRESETS_MAX} are allowed"),
    );
    for (name, preset) in presets {
        let label = name.len() <= 32
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        faults.unless(
            label,
            name,
            text!(
                "der Name einer Vorlage hat höchstens 32 Kleinbuchstaben, Ziffern und Bindestriche und beginnt mit einem Buchstaben",
                "a preset's name has at most 32 lower-case letters, digits and hyphens, and begins with a letter"
            ),
        );
        faults.unless(
            !BUILT_IN.contains(&name.as_str()),
            name,
            text!(
                "heißt wie eine mitgelieferte Vorlage; nehmen Sie einen anderen Namen",
                "is the name of a preset that comes along; take another"
            ),
        );
        check_preset(name, preset, &mut faults);
    }
    faults.in_file(EXPORTS_FILE)
}

fn check_preset(path: &str, preset: &Preset, faults: &mut Faults) {
    let Preset { format, columns, decimal, separator, encoding, line_ends, header, texts_for_excel, .. } = preset;
    let of_csv = [
        ("decimal", decimal.is_some()),
        ("separator", separator.is_some()),
        ("encoding", encoding.is_some()),
        ("lineEnds", line_ends.is_some()),
        ("textsForExcel", texts_for_excel.is_some()),
    ];
    for (setting, _) in of_csv.into_iter().filter(|(_, said)| *said && *format != FileFormat::Csv) {
        let written = format.ending();
        faults.add(
            format!("{path}.{setting}"),
            text!("gibt es nur beim Format csv, nicht bei {written}", "is for the format csv only, not for {written}"),
        );
    }
    faults.unless(
        header.is_none() || *format != FileFormat::Jsonl,
        format!("{path}.header"),
        text!(
            "gibt es beim Format jsonl nicht: dort stehen die Namen in jeder Zeile",
            "is not for the format jsonl, where each line has the names"
        ),
    );
    faults.unless(
        !matches!((separator, decimal.unwrap_or(DecimalSign::Comma)), (Some(Separator::Comma), DecimalSign::Comma)),
        format!("{path}.separator"),
        text!(
            "ist dasselbe Zeichen wie vor den Nachkommastellen; mit diesem Trennzeichen braucht die Vorlage \"decimal\": \".\"",
            "is the sign before the decimals too; with this separator the preset needs \"decimal\": \".\""
        ),
    );
    let count = columns.len();
    if columns.is_empty() {
        faults.add(format!("{path}.columns"), text!("braucht mindestens eine Spalte", "needs at least one column"));
    } else if count > COLUMNS_MAX {
        let reason =
            text!("hat {count} Spalten, erlaubt sind höchstens {COLUMNS_MAX}", "has {count} columns, at most {COLUMNS_MAX} are allowed");
        faults.add(format!("{path}.columns"), reason);
    }
    let letters = if *encoding == Some(LetterEncoding::Windows1252) { Some(LetterEncoding::Windows1252) } else { None };
    let mut names = BTreeSet::new();
    for (place, column) in columns.iter().enumerate() {
        let path = format!("{path}.columns[{place}]");
        let name = format!("{path}.name");
        faults.line_of_text(&column.name, NAME_MAX, name.as_str());
        faults.unless(names.insert(&column.name), name, text!("heißt wie eine Spalte davor", "is the name of a column before it"));
        check_column(&path, column, faults);
        let own = [("name", &column.name)].into_iter().chain(column.text.iter().map(|text| ("text", text)));
        for (part, text) in own.chain(column.values.values().map(|text| ("values", text))) {
            if let Some(letter) = letters.and_then(|_| text.chars().find(|letter| !is_windows_1252(*letter))) {
                faults.add(format!("{path}.{part}"), text!("`{letter}` gibt es in windows-1252 nicht", "windows-1252 has no `{letter}`"));
            }
        }
    }
}

fn check_column(path: &str, column: &Column, faults: &mut Faults) {
    let Column { field, pass_through, text, values, days, fill_zeros, .. } = column;
    match (field.is_some() || pass_through.is_some(), text) {
        (false, None) => faults.add(path, text!("braucht field, passThrough oder text", "needs field, passThrough or text")),
        (true, Some(_)) => faults.add(
            format!("{path}.text"),
            text!(
                "steht in jeder Zeile; field oder passThrough kommen dann nie vor",
                "is in every row, so that field or passThrough never come"
            ),
        ),
        _ => {}
    }
    if let Some(text) = text {
        faults.line_of_text(text, TEXT_MAX, format!("{path}.text"));
    }
    if let Some(name) = pass_through {
        faults.line_of_text(name, pass_through::NAME_MAX, format!("{path}.passThrough"));
    }
    let kind = field.map(Field::kind);
    let is_text = matches!(kind, None | Some(FieldKind::Text | FieldKind::Code(_)));
    if !values.is_empty() && (!is_text || text.is_some()) {
        faults.add(
            format!("{path}.values"),
            text!(
                "ersetzt Wörter; hier steht eine Zahl, ein Tag oder ein fester Text",
                "replaces words; here is a number, a day or a fixed text"
            ),
        );
    }
    if let Some(FieldKind::Code(codes)) = kind.filter(|_| pass_through.is_none()) {
        for said in values.keys().filter(|said| !codes.contains(&said.as_str())) {
            let known = codes.join(", ");
            faults.add(
                format!("{path}.values.{said}"),
                text!("kommt in diesem Feld nie vor; möglich: {known}", "never comes in this field; possible are {known}"),
            );
        }
    }
    for value in values.values() {
        let length = value.chars().count();
        if length > TEXT_MAX || value.chars().any(char::is_control) {
            faults.add(
                format!("{path}.values"),
                text!("muss je eine Zeile mit höchstens {TEXT_MAX} Zeichen sein", "must be lines of at most {TEXT_MAX} characters"),
            );
        }
    }
    faults.unless(
        days.is_none() || matches!(kind, Some(FieldKind::Day | FieldKind::Moment)),
        format!("{path}.days"),
        text!("ist nur für Felder mit einem Tag", "is for fields with a day only"),
    );
    if let Some(places) = fill_zeros {
        let sound = is_text && text.is_none() && (1..=ZEROS_MAX).contains(places);
        faults.unless(
            sound,
            format!("{path}.fillZeros"),
            text!(
                "füllt Nummern auf 1 bis {ZEROS_MAX} Stellen auf, keine Zählerstände, Tage und festen Texte",
                "fills numbers up to 1 to {ZEROS_MAX} places, no readings, days and fixed texts"
            ),
        );
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn found(presets: Value) -> Vec<String> {
        let presets: BTreeMap<String, Preset> = serde_json::from_value(presets).unwrap();
        check(&presets).iter().map(|fault| fault.text().en.into_owned()).collect()
    }

    fn with(member: &str, value: Value) -> Vec<String> {
        let mut preset = json!({ "format": "csv", "columns": [{ "name": "A", "field": "jobId" }] });
        preset[member] = value;
        found(json!({ "p": preset }))
    }

    fn column(column: Value) -> Vec<String> {
        with("columns", json!([column]))
    }

    #[test]
    fn a_list_has_no_columns_of_another_one() {
        let misplaced = |column: Value| {
            let preset: Preset = serde_json::from_value(json!({ "format": "csv", "columns": [column] })).unwrap();
            [List::Readings, List::WithoutJob, List::Open].map(|list| preset.misplaced(list).map(|text| text.en.into_owned()))
        };
        assert_eq!(misplaced(json!({ "name": "A", "text": "01" })), [None, None, None]);
        let value = misplaced(json!({ "name": "A", "field": "readingValue" }));
        assert_eq!(value, [None, None, Some("column `A`: open jobs have no `readingValue`".to_owned())]);
        let passed = misplaced(json!({ "name": "A", "passThrough": "Beleg" }));
        assert_eq!(passed, [None, Some("column `A`: readings without a job have no `Beleg`".to_owned()), None]);
    }

    #[test]
    fn every_setting_together_is_sound() {
        let preset = json!({
            "format": "csv", "decimal": ".", "days": "YYYYMMDD", "separator": "tab", "encoding": "windows-1252", "lineEnds": "LF", "header": false,
            "textsForExcel": true,
            "columns": [
                { "name": "Nr", "passThrough": "Beleg", "field": "jobId", "fillZeros": 20 },
                { "name": "Tag", "field": "readingDate", "days": "DD.MM.YY" },
                { "name": "Art", "field": "kind", "values": { "ORIGINAL": "E", "CORRECTION": "K", "CANCELLATION": "S" } },
                { "name": "Für €", "text": "01" },
            ],
        });
        assert_eq!(found(json!({ "sap-1": preset })), [""; 0]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let one = json!({ "format": "csv", "columns": [{ "name": "A", "field": "jobId" }] });
        let label = "a preset's name has at most 32 lower-case letters, digits and hyphens, and begins with a letter";
        for name in ["SAP", "1sap", "sap_1", "-sap", &"a".repeat(33)] {
            assert_eq!(found(json!({ name: one })), [format!("exports.json: {name}: {label}")]);
        }
        assert_eq!(found(json!({ "a".repeat(32): one })), [""; 0]);
        assert_eq!(found(json!({ "plain": one })), ["exports.json: plain: is the name of a preset that comes along; take another"]);
        let many: serde_json::Map<String, Value> = (0..=PRESETS_MAX).map(|number| (format!("p{number}"), one.clone())).collect();
        assert_eq!(found(Value::Object(many)), ["exports.json: has 21 presets, at most 20 are allowed"]);
        let columns =
            |count: usize| json!((0..count).map(|place| json!({ "name": format!("A{place}"), "field": "jobId" })).collect::<Vec<_>>());
        let values = |text: String| json!({ "name": "A", "field": "kind", "values": { "ORIGINAL": text } });
        let lines = format!("p.columns[0].values: must be lines of at most {TEXT_MAX} characters");
        for (faults, reason) in [
            (with("columns", json!([])), "p.columns: needs at least one column"),
            (
                with("columns", json!(vec![json!({ "name": "A", "field": "jobId" }); 2])),
                "p.columns[1].name: is the name of a column before it",
            ),
            (with("format", json!("jsonl")), ""),
            (with("columns", columns(COLUMNS_MAX)), ""),
            (
                with("columns", columns(COLUMNS_MAX + 1)),
                &format!("p.columns: has {} columns, at most {COLUMNS_MAX} are allowed", COLUMNS_MAX + 1),
            ),
            (column(values("1".repeat(TEXT_MAX))), ""),
            (column(values("1".repeat(TEXT_MAX + 1))), &lines),
            (column(values("1\t2".to_owned())), &lines),
            (
                with("separator", json!(",")),
                "p.separator: is the sign before the decimals too; with this separator the preset needs \"decimal\": \".\"",
            ),
            (column(json!({ "name": " ", "field": "jobId" })), "p.columns[0].name: must not be empty"),
            (column(json!({ "name": "A" })), "p.columns[0]: needs field, passThrough or text"),
            (
                column(json!({ "name": "A", "field": "jobId", "text": "1" })),
                "p.columns[0].text: is in every row, so that field or passThrough never come",
            ),
            (
                column(json!({ "name": "A", "field": "kind", "values": { "ORIGNAL": "1" } })),
                "p.columns[0].values.ORIGNAL: never comes in this field; possible are ORIGINAL, CORRECTION, CANCELLATION",
            ),
            (
                column(json!({ "name": "A", "field": "readingValue", "values": { "1": "2" } })),
                "p.columns[0].values: replaces words; here is a number, a day or a fixed text",
            ),
            (column(json!({ "name": "A", "field": "jobId", "days": "YYYYMMDD" })), "p.columns[0].days: is for fields with a day only"),
            (
                column(json!({ "name": "A", "field": "readingDate", "fillZeros": 8 })),
                "p.columns[0].fillZeros: fills numbers up to 1 to 40 places, no readings, days and fixed texts",
            ),
            (
                column(json!({ "name": "A", "field": "jobId", "fillZeros": 41 })),
                "p.columns[0].fillZeros: fills numbers up to 1 to 40 places, no readings, days and fixed texts",
            ),
        ] {
            let wanted: Vec<String> =
                [reason].iter().filter(|reason| !reason.is_empty()).map(|reason| format!("exports.json: {reason}")).collect();
            assert_eq!(faults, wanted);
        }
        let preset = json!({ "format": "xlsx", "decimal": ",", "encoding": "utf-8", "columns": [{ "name": "A", "field": "jobId" }] });
        assert_eq!(
            found(json!({ "p": preset })),
            [
                "exports.json: p.decimal: is for the format csv only, not for xlsx",
                "exports.json: p.encoding: is for the format csv only, not for xlsx"
            ]
        );
        let preset = json!({ "format": "jsonl", "header": false, "columns": [{ "name": "A", "field": "jobId" }] });
        assert_eq!(found(json!({ "p": preset })), ["exports.json: p.header: is not for the format jsonl, where each line has the names"]);
        let preset = json!({ "format": "csv", "encoding": "windows-1252", "columns": [{ "name": "Zähler Ł", "text": "Ω" }] });
        assert_eq!(
            found(json!({ "p": preset })),
            ["exports.json: p.columns[0].name: windows-1252 has no `Ł`", "exports.json: p.columns[0].text: windows-1252 has no `Ω`"]
        );
    }

    #[test]
    fn each_field_is_of_a_list() {
        assert!(Field::ALL.iter().all(|field| !field.lists().is_empty()));
        assert_eq!(Field::MaLoId.name(), "maLoId");
    }
}
