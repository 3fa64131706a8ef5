use domain::ids::{MemberId, RunId, SeasonId};
use domain::preset::FileFormat;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use store::{ExportTask, PresignedFile, Run, RunFile, RunFiles, RunLeftOut, RunState, RunTask, RunText};
use utoipa::ToSchema;

/// A new export.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskExportRequest {
    /// What goes out.
    pub what: DeskExportWhat,
    /// Of this season alone; absent: of all.
    #[serde(default)]
    pub season: Option<SeasonId>,
    /// How the file of a table looks: the name of a preset.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub preset: Option<String>,
    /// The export with this number once more; absent: what no export had yet.
    #[serde(default)]
    pub again: Option<u64>,
}

/// What goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskExportWhat {
    /// A table of the readings of jobs.
    Table,
    /// A table of the readings without a job.
    WithoutJob,
    /// Messages to the market.
    Market,
}

/// How a file can look.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskPreset {
    /// The preset's name.
    pub name: String,
    /// What the file is then.
    pub format: FileFormat,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskRunState {
    /// It waits for its turn.
    Waiting,
    /// It is worked on.
    Working,
    /// It is through.
    Done,
    /// It was given up.
    Failed,
    /// Somebody did not want it any more.
    Cancelled,
}

/// Something long that goes on in the cloud: an export of readings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRun {
    /// Its id.
    pub id: RunId,
    /// Who asked for it.
    pub by: String,
    /// It was the caller.
    pub is_own: bool,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub asked_at: Timestamp,
    /// Whether it goes on.
    pub state: DeskRunState,
    /// When it was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
    /// What goes out.
    pub what: DeskExportWhat,
    /// It is about this season alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// How its file looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// It writes the export with this number once more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<u64>,
    /// How far it is.
    pub reached: u64,
    /// How far it will be in the end; 0: that is not known yet.
    pub of: u64,
    /// Its files; they are kept for 30 days.
    pub files: Vec<DeskRunFile>,
    /// Until when they are there; absent: they are not any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub files_until: Option<Timestamp>,
    /// How many readings wait for a decision and are in no file; absent: not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<u64>,
    /// What else is in no file, and why.
    pub left_out: Vec<DeskLeftOut>,
    /// Why it did not come further the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<DeskRunText>,
}

/// A file of a run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRunFile {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// How many readings it has.
    pub readings: u64,
    /// The export's number.
    pub number: u64,
    /// How many readings of the export are not there any more, so that the file is not what it was.
    pub missing: u64,
    /// How many letters its encoding does not have; there is a question mark for each.
    pub replaced: u64,
}

/// Readings that are in no file for one reason.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLeftOut {
    /// Why, in words that follow their number.
    pub why: DeskRunText,
    /// How many.
    pub readings: u64,
    /// Somebody has to do something about it.
    pub is_fault: bool,
}

/// What a run says.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskRunText {
    /// In German.
    pub de: String,
    /// In English.
    pub en: String,
}

/// Where a file is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskFile {
    /// The address of a GET.
    pub url: String,
    /// When it stops working.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// Until when the files of a run are there that was asked for then.
pub fn files_until(asked: Timestamp) -> Timestamp {
    asked.saturating_add(SignedDuration::from_hours(24 * i64::from(RunFiles::DAYS))).unwrap_or(asked)
}

impl DeskRun {
    /// As this member sees it.
    pub fn new(run: Run, member: &MemberId, now: Timestamp) -> Self {
        let Run { new, state, done, of, taken, ended, outcome, failure, tries: _ } = run;
        let (what, season, preset, again) = match new.task {
            RunTask::Market => (DeskExportWhat::Market, None, None, None),
            RunTask::Export(ExportTask { without_job, season, preset, again }) => {
                (if without_job { DeskExportWhat::WithoutJob } else { DeskExportWhat::Table }, season, Some(preset), again)
            }
        };
        let outcome = outcome.unwrap_or_default();
        Self {
            is_own: new.member == *member,
            id: new.id,
            by: new.by,
            asked_at: new.asked,
            state: match state {
                RunState::Open if taken.is_some() => DeskRunState::Working,
                RunState::Open => DeskRunState::Waiting,
                RunState::Done => DeskRunState::Done,
                RunState::Failed => DeskRunState::Failed,
                RunState::Cancelled => DeskRunState::Cancelled,
            },
            ended_at: ended,
            what,
            season,
            preset,
            again,
            reached: done,
            of,
            waiting: outcome.waiting,
            left_out: outcome.left_out.into_iter().map(Into::into).collect(),
            files: outcome.files.into_iter().map(Into::into).collect(),
            files_until: Some(files_until(new.asked)).filter(|until| *until > now),
            failure: failure.filter(|_| state != RunState::Done).map(Into::into),
        }
    }
}

impl From<RunFile> for DeskRunFile {
    fn from(RunFile { name, bytes, readings, number, replaced, missing }: RunFile) -> Self {
        Self { name, bytes, readings, number, missing, replaced }
    }
}

impl From<RunLeftOut> for DeskLeftOut {
    fn from(RunLeftOut { why, readings, is_fault }: RunLeftOut) -> Self {
        Self { why: why.into(), readings, is_fault }
    }
}

impl From<RunText> for DeskRunText {
    fn from(RunText { de, en }: RunText) -> Self {
        Self { de, en }
    }
}

impl From<PresignedFile> for DeskFile {
    fn from(PresignedFile { url, expires_at }: PresignedFile) -> Self {
        Self { url, expires_at }
    }
}
