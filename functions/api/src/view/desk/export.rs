use domain::config::ScheduledExport;
use jiff::Timestamp;
use serde::Serialize;
use store::{ExportCounts, ExportState, ReadingsExport};
use utoipa::ToSchema;

use super::{DeskPreset, DeskRun, DeskSeasonName};

/// Exports of readings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskExports {
    /// The last one first; at most 100.
    pub exports: Vec<DeskExport>,
    /// Those that were asked for at the desk, the last one first; at most 20.
    pub runs: Vec<DeskRun>,
    /// The presets for the file of a new one.
    pub presets: Vec<DeskPreset>,
    /// Whether messages to the market can go out.
    pub has_market: bool,
    /// The tenant's seasons, the latest first.
    pub seasons: Vec<DeskSeasonName>,
    /// The exports that begin by themselves.
    pub scheduled: Vec<ScheduledExport>,
}

/// The kind of an export.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskExportKind {
    /// A table of readings of jobs.
    Table,
    /// A table of readings without a job.
    WithoutJob,
    /// Messages to the market, of electricity.
    Electricity,
    /// Messages to the market, of gas.
    Gas,
}

/// An export of readings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskExport {
    /// Its number with the tenant; a table's file has it in its name.
    pub number: u64,
    /// The kind of the export.
    pub kind: DeskExportKind,
    /// The start of the export.
    #[schema(value_type = String, format = DateTime)]
    pub begun_at: Timestamp,
    /// Its file is complete; one that was interrupted is finished by the next of its kind.
    pub is_complete: bool,
    /// The counts; absent: it is not complete, or is from before that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<DeskExportCounts>,
}

/// How many readings an export has, by what they are to the destination.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskExportCounts {
    /// Which the destination had nothing of before.
    pub originals: usize,
    /// Those that take the place of another one.
    pub corrections: usize,
    /// Those that no longer hold.
    pub cancellations: usize,
}

impl From<ExportCounts> for DeskExportCounts {
    fn from(ExportCounts { originals, corrections, cancellations }: ExportCounts) -> Self {
        Self { originals, corrections, cancellations }
    }
}

impl From<ReadingsExport> for DeskExport {
    fn from(ReadingsExport { number, medium, created, state, counts }: ReadingsExport) -> Self {
        let kind = match medium.as_str() {
            "unknown" => DeskExportKind::WithoutJob,
            "electricity" => DeskExportKind::Electricity,
            "gas" => DeskExportKind::Gas,
            _ => DeskExportKind::Table,
        };
        Self { number, kind, begun_at: created, is_complete: state == ExportState::Done, counts: counts.map(Into::into) }
    }
}
