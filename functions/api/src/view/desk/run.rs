use std::collections::BTreeMap;

use domain::config::ExportWhat;
use domain::ids::{ImportId, MemberId, RunId, SeasonId, UploadId};
use domain::model::Channel;
use domain::open_filter::OpenFilter;
use domain::preset::FileFormat;
use domain::text::Text;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{
    ExportTask, ImportTask, PresignedFile, Run, RunAnewLine, RunFile, RunFiles, RunImport, RunLeftOut, RunMails, RunState, RunStopped,
    RunTask, RunText,
};
use utoipa::ToSchema;

use super::{DeskImportKind, DeskLettersEnd, DeskLettersTask, DeskRunLetters};

/// A new export.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskExportRequest {
    /// The readings that go out.
    pub what: ExportWhat,
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

/// A form that a file can have.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskPreset {
    /// The preset's name.
    pub name: String,
    /// The format of the file.
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
    /// A member cancelled it.
    Cancelled,
}

/// The task of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskRunWhat {
    /// It writes a table of the readings of jobs.
    Table,
    /// It writes a table of the readings without a job.
    WithoutJob,
    /// It writes messages to the market.
    Market,
    /// It says what an import would do.
    Rehearsal,
    /// It imports a file.
    Import,
    /// It takes an import back.
    Undo,
    /// It lists who would be reminded.
    DueReminders,
    /// It reminds.
    Reminders,
    /// It lists who would get a letter.
    DueLetters,
    /// It draws letters.
    Letters,
    /// It puts the login data of drawn letters into effect.
    HandOver,
    /// It lists who would be invited by mail.
    DueInvitations,
    /// It invites by mail.
    Invitations,
}

/// Something long that goes on in the cloud, such as an export of readings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRun {
    /// Its id.
    pub id: RunId,
    /// The member who asked for it.
    pub by: String,
    /// It was the caller.
    pub is_own: bool,
    /// It was due by the tenant's schedule, and no member asked for it.
    pub is_scheduled: bool,
    /// The time of the request.
    #[schema(value_type = String, format = DateTime)]
    pub asked_at: Timestamp,
    /// Whether it goes on.
    pub state: DeskRunState,
    /// When its worker began; absent: no worker has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub taken_at: Option<Timestamp>,
    /// The end of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
    /// The task of the run.
    pub what: DeskRunWhat,
    /// It is about this season alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// It is about customers with an open job that this filter wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<OpenFilter>,
    /// The preset of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// It writes the export with this number once more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<u64>,
    /// The source of an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<DeskRunSource>,
    /// The import that it does or takes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportId>,
    /// The progress: readings of an export, bytes of a file.
    pub reached: u64,
    /// The progress at its end; 0: that is not known yet.
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
    /// The rest that is in no file, and why.
    pub left_out: Vec<DeskLeftOut>,
    /// What an import did, would do, or took back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<DeskImported>,
    /// The outcome of its mails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mails: Option<DeskRunMails>,
    /// It was cancelled, and what its worker had begun comes to its end.
    pub is_stopping: bool,
    /// The recipients of its letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters_task: Option<DeskLettersTask>,
    /// The outcome of its letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters: Option<DeskRunLetters>,
    /// What was decided about the letters that it drew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters_end: Option<DeskLettersEnd>,
    /// The run whose letters it hands over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands_over: Option<RunId>,
    /// Why it did not come further the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<DeskRunText>,
}

/// The file and the settings of an import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRunSource {
    /// The file that was sent.
    pub file: UploadId,
    /// The file's name.
    pub name: String,
    /// The file's contents.
    pub kind: DeskImportKind,
    /// The column of each field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub mapping: Option<Value>,
    /// Jobs of the season that it lacks are closed.
    pub closes_missing: bool,
    /// How its readings came, if they do not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// Why its readings come though their time is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<String>,
    /// The rehearsal that showed what the import does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rehearsal: Option<RunId>,
}

/// What an import did, would do, or took back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskImported {
    /// How many lines became what: `created`, `updated`, `unchanged`, `moved`, `withoutAccount`, `repeated`, `faulty`, `closed`; of readings also `toClear` and
    /// `incomplete`; of what was taken back `removed`, `restored` and `kept`. What is none is absent.
    pub counts: BTreeMap<String, u64>,
    /// What is wrong with lines, each kind once, at most 50.
    pub faults: Vec<DeskRunText>,
    /// How many kinds of faults there are beside.
    pub more_faults: u64,
    /// What the utility should know of the passwords in a file of accounts.
    pub warnings: Vec<DeskRunText>,
    /// The jobs of its season that the file lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing: Option<DeskClosing>,
    /// The same file was imported before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<DeskBefore>,
    /// Which lines came out otherwise than the rehearsal showed; absent: all came out so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anew: Option<DeskAnew>,
    /// How far it came before a member cancelled it; absent: it is through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<DeskStopped>,
    /// What stays of an import that was taken back, and why, at most 50; the list among the run's files has all.
    pub kept: Vec<DeskRunText>,
}

/// How far an import came before a member cancelled it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskStopped {
    /// So many lines are done.
    pub done: u64,
    /// So many it has.
    pub of: u64,
    /// Everything before this line is done.
    pub before_line: u64,
}

/// Lines that came out otherwise than they were shown, because what they are about was changed between rehearsal and import.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAnew {
    /// The number of the lines.
    pub count: u64,
    /// The first of them, at most 50; the list among the run's files has all.
    pub lines: Vec<DeskAnewLine>,
}

/// A line that came out otherwise than it was shown, in the words that counts have.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAnewLine {
    /// The line, counted from 1.
    pub line: u64,
    /// The outcome of the rehearsal.
    pub shown: String,
    /// The outcome of the import.
    pub became: String,
}

/// The jobs of a season that a list of all of them lacks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskClosing {
    /// How many jobs of the season are not closed.
    pub open: u64,
    /// The number of them that the list lacks.
    pub missing: u64,
    /// They are so many that their number has to be typed.
    pub is_much: bool,
}

/// An earlier import of the same file.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskBefore {
    /// The start of that import.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The member or clerk who started it.
    pub by: String,
}

/// The outcome of the mails of a run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRunMails {
    /// The number of recipients, where no mail was sent.
    pub due: u64,
    /// Sent.
    pub sent: u64,
    /// Not sent, because the address takes none.
    pub suppressed: u64,
    /// Not sent, because the tenant is in rehearsal and the address is none of its members'.
    pub rehearsed: u64,
    /// Not sent, because the tenant may write to no more recipients today.
    pub later: u64,
    /// Not sent, for another reason.
    pub failed: u64,
}

/// A file of a run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRunFile {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// How many rows it has, or of messages to the market how many readings.
    pub rows: u64,
    /// The export's number; absent: it is no export.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// How many readings of the export are not there any more, so that the file is not what it was.
    pub missing: u64,
    /// How many letters its encoding does not have; there is a question mark for each.
    pub replaced: u64,
    /// Of how many counters it has no decimals behind the third, because the market takes no more.
    pub shortened: u64,
}

/// Readings that are in no file for one reason.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLeftOut {
    /// The reason, in words that follow the number.
    pub why: DeskRunText,
    /// The number of readings.
    pub readings: u64,
    /// A member has to do something about it.
    pub is_fault: bool,
}

/// A text of a run.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskRunText {
    /// In German.
    pub de: String,
    /// In English.
    pub en: String,
}

/// The address of a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskFile {
    /// The address of a GET.
    pub url: String,
    /// The time at which the address stops working.
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
        let is_stopping = run.is_stopping(now);
        let Run { new, state, done, of, taken, leased_until: _, ended, outcome, failure, letters_end, tries: _, furthest: _ } = run;
        let (mut season, mut preset, mut again, mut import, mut source) = (None, None, None, None, None);
        let (mut letters_task, mut hands_over) = (None, None);
        let filter = new.task.filter().cloned();
        let what = match new.task {
            RunTask::Market {} => DeskRunWhat::Market,
            RunTask::Export(ExportTask { without_job, season: of, preset: by, again: number }) => {
                (season, preset, again) = (of, Some(by), number);
                if without_job { DeskRunWhat::WithoutJob } else { DeskRunWhat::Table }
            }
            RunTask::Rehearsal(task) => {
                (season, source) = (task.season.clone(), Some(DeskRunSource::new(task, None)));
                DeskRunWhat::Rehearsal
            }
            RunTask::Import { rehearsal, task } => {
                (season, source) = (task.season.clone(), Some(DeskRunSource::new(task, Some(rehearsal))));
                import = ImportId::new(new.id.as_str()).ok();
                DeskRunWhat::Import
            }
            RunTask::DueReminders { .. } => DeskRunWhat::DueReminders,
            RunTask::Reminders { .. } => DeskRunWhat::Reminders,
            RunTask::DueLetters(task) => {
                (letters_task, season) = (Some(DeskLettersTask::from(&task)), task.season);
                DeskRunWhat::DueLetters
            }
            RunTask::Letters(task) => {
                (letters_task, season) = (Some(DeskLettersTask::from(&task)), task.season);
                DeskRunWhat::Letters
            }
            RunTask::HandOver { letters, lang: _ } => {
                hands_over = Some(letters);
                DeskRunWhat::HandOver
            }
            RunTask::DueInvitations { season: of, .. } => {
                season = of;
                DeskRunWhat::DueInvitations
            }
            RunTask::Invitations { season: of, .. } => {
                season = of;
                DeskRunWhat::Invitations
            }
            RunTask::Undo { import: taken, lang: _ } => {
                import = Some(taken);
                DeskRunWhat::Undo
            }
        };
        let outcome = outcome.unwrap_or_default();
        Self {
            is_own: new.member.as_ref() == Some(member),
            is_scheduled: new.member.is_none(),
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
            is_stopping,
            taken_at: taken,
            ended_at: ended,
            what,
            season,
            filter,
            preset,
            again,
            source,
            import,
            reached: done,
            of,
            waiting: outcome.waiting,
            left_out: outcome.left_out.into_iter().map(Into::into).collect(),
            imported: outcome.import.map(Into::into),
            mails: outcome.mails.map(Into::into),
            letters_task,
            letters: outcome.letters.map(Into::into),
            letters_end: letters_end.map(Into::into),
            hands_over,
            files: outcome.files.into_iter().map(Into::into).collect(),
            files_until: Some(files_until(new.asked)).filter(|until| *until > now),
            failure: failure.filter(|_| state != RunState::Done).map(Into::into),
        }
    }
}

impl From<RunFile> for DeskRunFile {
    fn from(RunFile { name, bytes, rows, number, shortened, replaced, missing }: RunFile) -> Self {
        Self { name, bytes, rows, number, missing, replaced, shortened }
    }
}

impl DeskRunSource {
    fn new(task: ImportTask, rehearsal: Option<RunId>) -> Self {
        let ImportTask { file, name, kind, mapping, season: _, closes_missing, channel, late, lang: _ } = task;
        let mapping = mapping.and_then(|mapping| serde_json::from_str(&mapping).ok());
        Self { file, name, kind: kind.into(), mapping, closes_missing, channel, late, rehearsal }
    }
}

impl From<RunMails> for DeskRunMails {
    fn from(RunMails { due, sent, suppressed, rehearsed, later, failed }: RunMails) -> Self {
        Self { due, sent, suppressed, rehearsed, later, failed }
    }
}

impl From<RunImport> for DeskImported {
    fn from(RunImport { counts, faults, more_faults, warnings, closing, before, anew, stopped, kept }: RunImport) -> Self {
        Self {
            counts,
            faults: faults.into_iter().map(Into::into).collect(),
            more_faults,
            warnings: warnings.into_iter().map(Into::into).collect(),
            closing: closing.map(|closing| DeskClosing { open: closing.open, missing: closing.missing, is_much: closing.is_much }),
            before: before.map(|before| DeskBefore { at: before.at, by: before.by }),
            stopped: stopped.map(|RunStopped { done, of, before_line }| DeskStopped { done, of, before_line }),
            kept: kept.into_iter().map(Into::into).collect(),
            anew: anew.map(|anew| DeskAnew { count: anew.count, lines: anew.lines.into_iter().map(Into::into).collect() }),
        }
    }
}

impl From<RunAnewLine> for DeskAnewLine {
    fn from(RunAnewLine { line, shown, became }: RunAnewLine) -> Self {
        Self { line, shown, became }
    }
}

impl From<RunLeftOut> for DeskLeftOut {
    fn from(RunLeftOut { why, readings, is_fault }: RunLeftOut) -> Self {
        Self { why: why.into(), readings, is_fault }
    }
}

impl From<Text> for DeskRunText {
    fn from(text: Text) -> Self {
        Self { de: text.de.into_owned(), en: text.en.into_owned() }
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
