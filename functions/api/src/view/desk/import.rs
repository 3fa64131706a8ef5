use std::collections::BTreeMap;

use desk::import::columns::{Column, Field, Group, MissingColumn};
use desk::import::contents::Contents;
use desk::import::file::Sheet;
use desk::import::mapping::Encoding;
use domain::ids::{ImportId, RunId, SeasonId, UploadId};
use domain::model::Channel;
use domain::text::Lang;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{ImportKind, ImportRun};
use utoipa::ToSchema;

use super::{DeskRun, DeskRunText, DeskSeasonName};

/// The contents of a file that is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskImportKind {
    /// Accounts.
    Accounts,
    /// Jobs.
    Jobs,
    /// Readings of meters.
    Readings,
}

/// A file that is about to be sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskImportFileRequest {
    /// The file's name.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// The file's length: at most 200 MB.
    #[schema(minimum = 1, maximum = 200_000_000)]
    pub bytes: u64,
    /// The file's contents.
    pub kind: DeskImportKind,
}

/// What an import of a file would do is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskRehearsalRequest {
    /// The file that was sent.
    pub file: UploadId,
    /// Which column of a table is which field; absent: the file has JSON lines.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub mapping: Option<Value>,
    /// The season of the file's jobs, if they do not say it.
    #[serde(default)]
    pub season: Option<SeasonId>,
    /// The file lists all jobs of the season: those that it lacks are closed.
    #[serde(default)]
    pub closes_missing: bool,
    /// How the file's readings came, if they do not say it.
    #[serde(default)]
    pub channel: Option<Channel>,
    /// Why the file's readings come though their time is over.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub late: Option<String>,
    /// The language of the lists that come out.
    pub lang: Lang,
}

/// The import of a rehearsed file.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskImportRequest {
    /// The rehearsal.
    pub rehearsal: RunId,
    /// How many jobs are closed, as the person typed it who was asked.
    #[serde(default)]
    pub closing: Option<u64>,
    /// The import was cancelled, and goes on.
    #[serde(default)]
    pub resumes: bool,
}

/// An import is to be taken back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskUndoRequest {
    /// The language of the list of what stays.
    pub lang: Lang,
}

/// A mapping is to be kept, in place of one of that name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskMappingRequest {
    /// The mapping's name.
    #[schema(min_length = 1, max_length = 60)]
    pub name: String,
    /// The contents of its files.
    pub kind: DeskImportKind,
    /// The column of each field.
    #[schema(value_type = Object)]
    pub mapping: Value,
}

/// A mapping that is kept.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMapping {
    /// The mapping's name.
    pub name: String,
    /// Which column is which field, as it fits the file.
    #[schema(value_type = Object)]
    pub mapping: Value,
    /// Columns that it names and that the file does not have.
    pub missing: Vec<DeskMissingColumn>,
}

/// A column that a mapping names, and that a table does not have, or has twice.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMissingColumn {
    /// The column's name.
    pub column: String,
    /// The field that it is for; `passThrough`: it goes back as it came; `when`: a condition of the mapping.
    pub field: String,
    /// Which column is that field instead, by what is guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

/// A file that was sent, what stands in it, and how it can be imported.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskImportFile {
    /// Its id.
    pub id: UploadId,
    /// The file's name.
    pub name: String,
    /// The file's length.
    pub bytes: u64,
    /// The file's contents.
    pub kind: DeskImportKind,
    /// The member who sent it.
    pub by: String,
    /// The time at which it was sent.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The reason why it cannot be imported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<DeskRunText>,
    /// It is a table; otherwise each line has a JSON object, or it is refused.
    pub is_table: bool,
    /// The contents that were found; absent: it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contents: Option<DeskContents>,
    /// The sheet of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<DeskSheet>,
    /// The columns of the table.
    pub columns: Vec<DeskColumn>,
    /// The fields of a line.
    pub fields: Vec<DeskField>,
    /// Which column is probably which field: as the last such table was imported, or by names and contents.
    #[schema(value_type = Object)]
    pub suggested: Value,
    /// Columns by which that last table was imported, and that this one does not have.
    pub missing: Vec<DeskMissingColumn>,
    /// The name of that last table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested_of: Option<String>,
    /// Mappings that are kept for such files.
    pub kept: Vec<DeskMapping>,
    /// The tenant's seasons, the latest first.
    pub seasons: Vec<DeskSeasonName>,
    /// The runs of the file, the last one first; and all others that go on.
    pub runs: Vec<DeskRun>,
}

/// The sheet of a workbook that is read.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSheet {
    /// The sheet's name.
    pub name: String,
    /// Which one it is, counted from 1, hidden ones among them.
    pub number: usize,
    /// How many the workbook has, hidden ones among them.
    pub of: usize,
    /// How many rows that say anything are hidden, and left out.
    pub hidden_rows: u64,
}

impl From<Sheet> for DeskSheet {
    fn from(Sheet { name, number, of, hidden_rows, rows: _ }: Sheet) -> Self {
        Self { name, number, of, hidden_rows }
    }
}

/// How much a file has, and how it is written.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskContents {
    /// Rows below the heads that say anything, or lines.
    pub rows: u64,
    /// So many are about right: the file is too long to be counted at once.
    pub is_about: bool,
    /// How its letters are stored; absent: it is a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// What stands between two cells; absent: it is no text of cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub separator: Option<char>,
}

impl From<Contents> for DeskContents {
    fn from(Contents { rows, is_about, encoding, separator }: Contents) -> Self {
        Self { rows, is_about, encoding, separator }
    }
}

/// A column of a table.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskColumn {
    /// The head of the column.
    pub name: String,
    /// The first values that differ, at most 3.
    pub samples: Vec<String>,
    /// All values that were seen, if they are a few.
    pub values: Vec<String>,
    /// Another column has the same name, so that neither can be named.
    pub is_twice: bool,
    /// A list of faults added it: it is no field, and is not imported.
    pub is_added: bool,
}

/// To what a field belongs.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskFieldGroup {
    /// The job or reading itself.
    Itself,
    /// The meter.
    Meter,
    /// A register that has a row of its own.
    Register,
    /// The first register of a row.
    First,
    /// The second one.
    Second,
    /// The third one.
    Third,
    /// The customer.
    Customer,
}

/// A field of a line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskField {
    /// As a mapping names it.
    pub name: String,
    /// To what it belongs.
    pub group: DeskFieldGroup,
    /// The name that people know it by.
    pub label: DeskRunText,
    /// Without it no line is whole; of a register's, with one of them.
    pub is_required: bool,
    /// It is a text whose zeros in front can be left out.
    pub is_text: bool,
    /// The values that it can have, if they are few.
    pub options: Vec<String>,
}

/// The imports of a tenant.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskImports {
    /// The last one first, by commands and at the desk; at most 100.
    pub imports: Vec<DeskImport>,
    /// What was asked for at the desk, the last one first; at most 20.
    pub runs: Vec<DeskRun>,
}

/// An import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskImport {
    /// Its id.
    pub id: ImportId,
    /// The contents of its file: `jobs`, `accounts` or `readings`.
    pub kind: String,
    /// The member or clerk who started it.
    pub by: String,
    /// The file's name.
    pub file: String,
    /// The season that was named for the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// The start of the import.
    #[schema(value_type = String, format = DateTime)]
    pub begun_at: Timestamp,
    /// The end of the import; absent: it was stopped, or goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
    /// The number of lines by outcome, as of a run.
    pub counts: BTreeMap<String, u64>,
    /// The time at which it was taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub undone_at: Option<Timestamp>,
    /// It can be taken back.
    pub can_be_undone: bool,
}

impl From<DeskImportKind> for ImportKind {
    fn from(kind: DeskImportKind) -> Self {
        match kind {
            DeskImportKind::Accounts => Self::Accounts,
            DeskImportKind::Jobs => Self::Jobs,
            DeskImportKind::Readings => Self::Readings,
        }
    }
}

impl From<ImportKind> for DeskImportKind {
    fn from(kind: ImportKind) -> Self {
        match kind {
            ImportKind::Accounts => Self::Accounts,
            ImportKind::Jobs => Self::Jobs,
            ImportKind::Readings => Self::Readings,
        }
    }
}

impl From<Column> for DeskColumn {
    fn from(Column { name, samples, values, is_twice, is_added }: Column) -> Self {
        Self { name, samples, values, is_twice, is_added }
    }
}

impl From<Field> for DeskField {
    fn from(Field { name, group, label, is_required, is_text, options }: Field) -> Self {
        let group = match group {
            Group::Itself => DeskFieldGroup::Itself,
            Group::Meter => DeskFieldGroup::Meter,
            Group::Register => DeskFieldGroup::Register,
            Group::First => DeskFieldGroup::First,
            Group::Second => DeskFieldGroup::Second,
            Group::Third => DeskFieldGroup::Third,
            Group::Customer => DeskFieldGroup::Customer,
        };
        Self { name, group, label: label.into(), is_required, is_text, options }
    }
}

impl DeskMapping {
    /// As it fits a file, which lacks these of its columns.
    pub fn new(name: String, (mapping, missing): (Value, Vec<MissingColumn>)) -> Self {
        Self { name, mapping, missing: missing.into_iter().map(Into::into).collect() }
    }
}

impl From<MissingColumn> for DeskMissingColumn {
    fn from(MissingColumn { column, field, instead }: MissingColumn) -> Self {
        Self { column, field, instead }
    }
}

impl DeskImport {
    /// As it is at this time.
    pub fn new(run: ImportRun, now: Timestamp) -> Self {
        let can_be_undone = desk::imports::can_be_undone(&run, now);
        let ImportRun { id, kind, by, file, sha256: _, season, begun, ended, counts, undone } = run;
        Self { id, kind, by, file, season, begun_at: begun, ended_at: ended, counts, undone_at: undone, can_be_undone }
    }
}
