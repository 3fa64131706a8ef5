//! Runs: what takes longer than a request and goes on in the cloud. Who asked for what, how far it is, and what came out.
//!
//! A run is open until it is done, has failed or was cancelled, and is in the index as long as it is open. Its worker has a lease, which it renews as it
//! notes how far it is: a run whose worker died is taken by the next one (D-RUNS-1).

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{AccountId, ImportId, MemberId, RunId, SeasonId, TenantId, UploadId};
use domain::model::Channel;
use domain::open_filter::OpenFilter;
use domain::text::{Lang, Text};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::db::{Range, Read, Update, Written};
use crate::error::RETRY_AFTER;
use crate::item::{Fields, Item, Record, json, millis, number, seconds, text};
use crate::keys;
use crate::table::{EXPIRES_AT, RESULTS_INDEX, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY};
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

/// For how long a run is listed.
const LISTED: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Runs that are read at once.
const PAGE: u32 = 60;

/// The task of a run.
///
/// A member of it narrows what is done: a version that does not know it must not do the rest (D-PLATFORM-31).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub enum RunTask {
    /// Writes a table of readings.
    Export(ExportTask),
    /// Writes messages to the market.
    Market {},
    /// Says what an import of a file would do.
    Rehearsal(ImportTask),
    /// Imports a file as a rehearsal showed it.
    Import {
        /// The rehearsal, whose task it is.
        rehearsal: RunId,
        /// The same once more, because the rehearsal may be gone before the import.
        task: ImportTask,
    },
    /// Lists who would be reminded now.
    DueReminders {
        /// Of these open jobs alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<OpenFilter>,
        /// The language of the list.
        #[serde(default)]
        lang: Lang,
    },
    /// Reminds the accounts that are due now.
    Reminders {
        /// Of these open jobs alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<OpenFilter>,
    },
    /// Says who would get a letter, and shows the first ones.
    DueLetters(LettersTask),
    /// Draws letters; the login data in them work when they are handed over.
    Letters(LettersTask),
    /// Puts the login data of drawn letters into effect.
    HandOver {
        /// The run that drew them.
        letters: RunId,
        /// The language of the list of what was left out.
        #[serde(default)]
        lang: Lang,
    },
    /// Lists who would be invited by mail now.
    DueInvitations {
        /// To the jobs of this season alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        season: Option<SeasonId>,
        /// Only accounts with one of these open jobs; its season is the one above.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<OpenFilter>,
        /// The language of the list.
        #[serde(default)]
        lang: Lang,
    },
    /// Invites by mail the accounts that are due now.
    Invitations {
        /// To the jobs of this season alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        season: Option<SeasonId>,
        /// Only accounts with one of these open jobs; its season is the one above.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<OpenFilter>,
    },
    /// Takes an import back.
    Undo {
        /// The import.
        import: ImportId,
        /// The language of the list of what stays.
        #[serde(default)]
        lang: Lang,
    },
}

impl RunTask {
    /// The filter by which the member chose whom it is about.
    pub fn filter(&self) -> Option<&OpenFilter> {
        match self {
            Self::DueLetters(task) | Self::Letters(task) => task.filter.as_ref(),
            Self::DueInvitations { filter, .. } | Self::Invitations { filter, .. } => filter.as_ref(),
            Self::DueReminders { filter, .. } | Self::Reminders { filter } => filter.as_ref(),
            Self::Export(_) | Self::Market {} | Self::Rehearsal(_) | Self::Import { .. } | Self::HandOver { .. } | Self::Undo { .. } => {
                None
            }
        }
    }
}

/// The accounts that get a letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LettersTask {
    /// About the jobs of this season alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// Only accounts with one of these open jobs; its season is the one above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<OpenFilter>,
    /// Only accounts that no mail reaches.
    pub only_without_mail: bool,
    /// These, also if they had a letter or are reached by mail; none: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<AccountId>,
    /// With cards on which readings can be written and sent back.
    pub reply_cards: bool,
    /// The language of the lists that come out.
    #[serde(default)]
    pub lang: Lang,
}

/// What a file that is imported has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImportKind {
    /// Accounts.
    Accounts,
    /// Jobs.
    Jobs,
    /// Readings of meters.
    Readings,
}

/// Which file is imported, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportTask {
    /// The file that was sent.
    pub file: UploadId,
    /// Its name.
    pub name: String,
    /// What it has. The task's own kind stands beside it.
    #[serde(rename = "contents")]
    pub kind: ImportKind,
    /// Which column is which field, as the document of a mapping; none: the file has a JSON object in each line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<String>,
    /// To which season its jobs belong, if they do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// What it lacks of the season is closed.
    #[serde(default)]
    pub closes_missing: bool,
    /// How its readings came, if they do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// Why its readings come though their time is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<String>,
    /// The language of the lists that come out.
    #[serde(default)]
    pub lang: Lang,
}

/// Which table of readings a run writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportTask {
    /// Of readings without a job, instead of those of jobs.
    pub without_job: bool,
    /// Of this season alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// How the file looks: the name of a preset.
    pub preset: String,
    /// The export with this number once more, in place of what no export had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<u64>,
}

/// A run that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRun {
    /// Its id; runs sort by time.
    pub id: RunId,
    /// The task of the run.
    pub task: RunTask,
    /// Who asked; none: no member, it was due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
    /// The name of that member, or of the schedule.
    pub by: String,
    /// The time of the request.
    pub asked: Timestamp,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// It waits for a worker, or one has it.
    Open,
    /// It is through.
    Done,
    /// It is given up; its failure says why.
    Failed,
    /// A member did not want it any more.
    Cancelled,
}

impl RunState {
    const ALL: [(Self, &'static str); 4] =
        [(Self::Open, "open"), (Self::Done, "done"), (Self::Failed, "failed"), (Self::Cancelled, "cancelled")];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(state, _)| *state == self).map_or("", |(_, name)| name)
    }
}

/// A file that a run made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunFile {
    /// Its name.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// How many rows it has, or of messages to the market how many readings.
    pub rows: u64,
    /// The export's number; none: it is no export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Of how many counters it has no decimals behind the third, because the market takes no more.
    #[serde(default)]
    pub shortened: u64,
    /// How many letters the preset's encoding does not have; there is a question mark for each.
    #[serde(default)]
    pub replaced: u64,
    /// How many readings of that export are not there any more.
    #[serde(default)]
    pub missing: u64,
}

/// The outcome of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunOutcome {
    /// Its files.
    pub files: Vec<RunFile>,
    /// How many readings wait for a decision and are in no file; none: not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<u64>,
    /// What else is in no file, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<RunLeftOut>,
    /// What an import did, or would do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import: Option<RunImport>,
    /// The numbers of mails by their outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mails: Option<RunMails>,
    /// The numbers of letters by their outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letters: Option<RunLetters>,
}

/// The numbers of letters by their outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunLetters {
    /// Would be drawn, were drawn, or were handed over.
    pub letters: u64,
    /// How many of them bring a user name and a password to a customer who has none.
    pub new_logins: u64,
    /// Who is invited by mail instead.
    pub by_mail: u64,
    /// Who got a letter for these jobs already.
    pub had: u64,
    /// Who should get one and cannot; a list says why.
    pub left_out: u64,
    /// How many letters have characters that the font lacks.
    pub question_marks: u64,
}

/// What was decided about drawn letters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LettersEnd {
    /// They go to their recipients; otherwise they were called back, and never will.
    pub handed_over: bool,
    /// The time at which that was said.
    pub at: Timestamp,
    /// The name of the person who said it.
    pub by: String,
}

/// The numbers of a run's mails by their outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunMails {
    /// Who would get one, where none was sent.
    #[serde(default)]
    pub due: u64,
    /// Sent.
    pub sent: u64,
    /// Not sent, because the address takes none.
    pub suppressed: u64,
    /// Not sent, because the tenant is in rehearsal and the address is none of its members'.
    #[serde(default)]
    pub rehearsed: u64,
    /// Not sent, because the tenant may write to no more recipients today.
    pub later: u64,
    /// Not sent, for another reason.
    pub failed: u64,
}

impl RunMails {
    /// The number of mails that came to their end.
    pub fn done(&self) -> u64 {
        self.sent + self.suppressed + self.rehearsed + self.later + self.failed
    }
}

/// What an import did, would do, or took back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunImport {
    /// How many lines, or jobs, became what.
    pub counts: BTreeMap<String, u64>,
    /// What is wrong with lines, each kind once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<RunText>,
    /// How many kinds of faults there are beside.
    #[serde(default)]
    pub more_faults: u64,
    /// What the utility should know of the file's passwords.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<RunText>,
    /// What the file lacks of its season; none: nothing is to be closed, or nothing can be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing: Option<RunClosing>,
    /// When the same file was imported before, and by whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<RunBefore>,
    /// Which lines came out otherwise than the rehearsal showed; none: all came out so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anew: Option<RunAnew>,
    /// How far it came before a member cancelled it; none: it is through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<RunStopped>,
    /// What of an import that was taken back stays, and why: the first ones; the list has all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<RunText>,
}

/// How far an import came before a member cancelled it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunStopped {
    /// So many lines are done.
    pub done: u64,
    /// So many it has.
    pub of: u64,
    /// Everything before this line is done.
    pub before_line: u64,
}

/// Lines that came out otherwise than they were shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunAnew {
    /// The number of these lines.
    pub count: u64,
    /// The first of them; the list has all.
    pub lines: Vec<RunAnewLine>,
}

/// A line that came out otherwise than it was shown, in the words that counts have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunAnewLine {
    /// The line, counted from 1.
    pub line: u64,
    /// The result that was shown.
    pub shown: String,
    /// The result that came out.
    pub became: String,
}

/// What a list of all jobs of a season lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunClosing {
    /// How many jobs of the season are not closed.
    pub open: u64,
    /// How many of them the list lacks.
    pub missing: u64,
    /// They are so many that the member has to type their number.
    pub is_much: bool,
}

/// An earlier import of the same file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunBefore {
    /// The time of its beginning.
    pub at: Timestamp,
    /// The person who had it done.
    pub by: String,
}

/// Readings that are in no file for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunLeftOut {
    /// Why, in words that follow their number.
    pub why: RunText,
    /// The number of readings.
    pub readings: u64,
    /// The utility's staff have to do something about it.
    pub is_fault: bool,
}

/// What a run says, in each language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunText {
    /// German.
    pub de: String,
    /// English.
    pub en: String,
}

impl From<Text> for RunText {
    fn from(text: Text) -> Self {
        Self { de: text.de.into_owned(), en: text.en.into_owned() }
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The run as it was asked for.
    pub new: NewRun,
    /// Whether it goes on.
    pub state: RunState,
    /// How many workers in a row took it and did not come further.
    pub tries: u64,
    /// How far it is, out of `of`.
    pub done: u64,
    /// How far it ever was: each worker begins anew.
    pub furthest: u64,
    /// How far it will be at its end, as far as that is known.
    pub of: u64,
    /// When its worker began; none: no worker has it.
    pub taken: Option<Timestamp>,
    /// Until when a worker has it that is not heard of; none: no worker has.
    pub leased_until: Option<Timestamp>,
    /// The time of its end.
    pub ended: Option<Timestamp>,
    /// The run's outcome.
    pub outcome: Option<RunOutcome>,
    /// Why it did not come further the last time.
    pub failure: Option<RunText>,
    /// What was decided about the letters that it drew; none: nothing yet.
    pub letters_end: Option<LettersEnd>,
}

/// A run that is not over, as the clock sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRun {
    /// The tenant of the run.
    pub tenant: TenantId,
    /// The run's id.
    pub id: RunId,
    /// Until when a worker has it; none: no worker has.
    pub leased_until: Option<Timestamp>,
}

impl Run {
    /// It was cancelled, and its worker has not heard of that yet.
    pub fn is_stopping(&self, now: Timestamp) -> bool {
        self.state == RunState::Cancelled && self.leased_until.is_some_and(|until| until > now)
    }

    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let (found, known) = (fields.text("runState")?, RunState::ALL);
        let state = known.iter().find(|(_, name)| *name == found).map(|(state, _)| *state);
        let optional = |name| fields.optional_text(name).map(|text| text.is_some());
        Ok(Self {
            new: fields.json("run")?,
            state: state.ok_or_else(|| StoreError::Internal { operation: "read", reason: "a run's state is unknown".into() })?,
            tries: fields.optional_count("tries")?.unwrap_or_default(),
            done: fields.optional_count("reached")?.unwrap_or_default(),
            furthest: fields.optional_count("furthest")?.unwrap_or_default(),
            of: fields.optional_count("reachedOf")?.unwrap_or_default(),
            taken: fields.optional_millis("taken")?,
            leased_until: fields.optional_millis("leasedUntil")?,
            ended: fields.optional_millis("ended")?,
            outcome: if optional("outcome")? { Some(fields.json("outcome")?) } else { None },
            failure: if optional("failure")? { Some(fields.json("failure")?) } else { None },
            letters_end: if optional("lettersEnd")? { Some(fields.json("lettersEnd")?) } else { None },
        })
    }
}

/// The worker that writes has the run, and it was not cancelled.
const OURS: &str = "leaseOwner = :owner AND runState = :open";

/// The values of [`OURS`], and these.
fn ours<const N: usize>(owner: &str, values: [(&str, AttributeValue); N]) -> Item {
    let ours = [(":owner", text(owner)), (":open", text(RunState::Open.name()))];
    ours.into_iter().chain(values).map(|(name, value)| (name.to_owned(), value)).collect()
}

impl Store {
    /// Remembers what is to be done.
    pub async fn put_run(&self, tenant: &TenantId, new: &NewRun) -> Result<()> {
        let item = Record::at(&keys::run(tenant, &new.id))
            .with("run", json(new)?)
            .with("runState", text(RunState::Open.name()))
            .with(RESULTS_PARTITION_KEY, text(keys::OPEN_RUNS))
            .with(RESULTS_SORT_KEY, text(keys::open_run(tenant, &new.id)))
            .with(EXPIRES_AT, seconds(new.asked + LISTED));
        let mut tx = Tx::new(self);
        tx.put("the run", item.item(), Some(Condition::absent(StoreError::Conflict)))?;
        tx.commit("the run").await
    }

    /// The tenant's last runs that are wanted, the latest first. One call, and more as long as neither so many are found nor all are looked at. Those that only a newer
    /// version can read are left out.
    pub async fn runs(&self, tenant: &TenantId, most: usize, wanted: impl Fn(&Run) -> bool) -> Result<Vec<Run>> {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = self.newest(&keys::runs(tenant), PAGE, after).await?;
            for item in &page.items {
                match Run::read(item) {
                    Ok(run) => found.extend(Some(run).filter(&wanted)),
                    Err(_) => self.meter().left_out(),
                }
            }
            after = page.last;
            if found.len() >= most || after.is_none() {
                found.truncate(most);
                return Ok(found);
            }
        }
    }

    /// One of them; [`StoreError::Unavailable`]: only a newer version can read it.
    pub async fn run(&self, tenant: &TenantId, id: &RunId) -> Result<Option<Run>> {
        let Some(item) = self.get(&keys::run(tenant, id), Read::Latest).await? else { return Ok(None) };
        let known = Run::read(&item);
        if known.is_err() {
            self.meter().left_out();
        }
        known.map(Some).map_err(|_| StoreError::Unavailable { operation: "a run of a newer version", retry_after: RETRY_AFTER })
    }

    /// Takes a run to work on it, until then; none: it is over, another worker has it, or it is left as it is for a newer version, which alone can read it.
    pub async fn take_run(&self, tenant: &TenantId, id: &RunId, owner: &str, (now, until): (Timestamp, Timestamp)) -> Result<Option<Run>> {
        let key = keys::run(tenant, id);
        let Some(item) = self.get(&key, Read::Latest).await? else { return Ok(None) };
        if Run::read(&item).is_err() {
            self.meter().left_out();
            return Ok(None);
        }
        let taken = Update {
            key: &key,
            expression: "SET leaseOwner = :owner, leasedUntil = :until, taken = :now ADD tries :one",
            condition: Some("runState = :open AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now)"),
            values: Item::from([
                (":owner".into(), text(owner)),
                (":until".into(), millis(until)),
                (":now".into(), millis(now)),
                (":one".into(), number(1)),
                (":open".into(), text(RunState::Open.name())),
            ]),
        };
        let (Written::Done, Some(before)) = self.update_and_tell(taken).await? else { return Ok(None) };
        let before = Run::read(&before)?;
        Ok(Some(Run { tries: before.tries + 1, taken: Some(now), ..before }))
    }

    /// Notes how far the run is, and keeps it until then; false: it is another worker's, or was cancelled. A run that came further than ever has its tries again.
    pub async fn note_run(
        &self,
        tenant: &TenantId,
        id: &RunId,
        owner: &str,
        (furthest, done, of): (u64, u64, u64),
        until: Timestamp,
    ) -> Result<bool> {
        let expression = "SET leasedUntil = :until, reached = :done, reachedOf = :of";
        let noted = Update {
            key: &keys::run(tenant, id),
            expression: &if done > furthest { format!("{expression}, furthest = :done REMOVE tries") } else { expression.to_owned() },
            condition: Some(OURS),
            values: ours(owner, [(":until", millis(until)), (":done", number(done)), (":of", number(of))]),
        };
        Ok(matches!(self.update(noted).await?, Written::Done))
    }

    /// Notes what came out so far, and whether that is more than ever; false: it is another worker's, or was cancelled.
    pub async fn note_run_outcome(
        &self,
        tenant: &TenantId,
        id: &RunId,
        owner: &str,
        (outcome, is_further): (&RunOutcome, bool),
    ) -> Result<bool> {
        let noted = Update {
            key: &keys::run(tenant, id),
            expression: if is_further { "SET outcome = :outcome REMOVE tries" } else { "SET outcome = :outcome" },
            condition: Some(OURS),
            values: ours(owner, [(":outcome", json(outcome)?)]),
        };
        Ok(matches!(self.update(noted).await?, Written::Done))
    }

    /// Gives a run back that is to go on later; why it did not come further, or none: it only has to wait for its turn, which is no try.
    pub async fn leave_run(&self, tenant: &TenantId, id: &RunId, owner: &str, failure: Option<&RunText>) -> Result<()> {
        let mut values = ours(owner, []);
        let expression = match failure {
            Some(failure) => {
                values.insert(":failure".into(), json(failure)?);
                "SET failure = :failure REMOVE leaseOwner, leasedUntil, taken"
            }
            None => "REMOVE leaseOwner, leasedUntil, taken, tries",
        };
        let left = Update { key: &keys::run(tenant, id), expression, condition: Some(OURS), values };
        self.update(left).await.map(drop)
    }

    /// The run is through, or given up; false: it is another worker's, or was cancelled.
    pub async fn end_run(
        &self,
        tenant: &TenantId,
        id: &RunId,
        owner: &str,
        end: std::result::Result<&RunOutcome, &RunText>,
        now: Timestamp,
    ) -> Result<bool> {
        let (state, name, value) = match end {
            Ok(outcome) => (RunState::Done, "outcome", json(outcome)?),
            Err(failure) => (RunState::Failed, "failure", json(failure)?),
        };
        let ended = Update {
            key: &keys::run(tenant, id),
            expression: &format!(
                "SET runState = :state, ended = :now, {name} = :value REMOVE leaseOwner, leasedUntil, taken, gsi1pk, gsi1sk"
            ),
            condition: Some(OURS),
            values: ours(owner, [(":state", text(state.name())), (":now", millis(now)), (":value", value)]),
        };
        Ok(matches!(self.update(ended).await?, Written::Done))
    }

    /// Its worker has heard that it was cancelled, and says what came out until then, or leaves what it noted; false: it was not, or is another worker's.
    pub async fn stop_run(&self, tenant: &TenantId, id: &RunId, owner: &str, outcome: Option<&RunOutcome>) -> Result<bool> {
        let mut values = Item::from([(":owner".into(), text(owner)), (":cancelled".into(), text(RunState::Cancelled.name()))]);
        let removed = "REMOVE leaseOwner, leasedUntil, taken";
        let expression = match outcome {
            Some(outcome) => {
                values.insert(":outcome".into(), json(outcome)?);
                format!("SET outcome = :outcome {removed}")
            }
            None => removed.to_owned(),
        };
        let stopped = Update {
            key: &keys::run(tenant, id),
            expression: &expression,
            condition: Some("leaseOwner = :owner AND runState = :cancelled"),
            values,
        };
        Ok(matches!(self.update(stopped).await?, Written::Done))
    }

    /// A run that was cancelled goes on; false: it is none.
    pub async fn resume_run(&self, tenant: &TenantId, id: &RunId) -> Result<bool> {
        let resumed = Update {
            key: &keys::run(tenant, id),
            expression: "SET runState = :open, gsi1pk = :open_runs, gsi1sk = :place REMOVE ended, failure, tries",
            condition: Some("runState = :cancelled"),
            values: Item::from([
                (":open".into(), text(RunState::Open.name())),
                (":cancelled".into(), text(RunState::Cancelled.name())),
                (":open_runs".into(), text(keys::OPEN_RUNS)),
                (":place".into(), text(keys::open_run(tenant, id))),
            ]),
        };
        Ok(matches!(self.update(resumed).await?, Written::Done))
    }

    /// A member does not want it any more; false: it was over. Its worker keeps it until it has heard of that.
    pub async fn cancel_run(&self, tenant: &TenantId, id: &RunId, now: Timestamp) -> Result<bool> {
        let cancelled = Update {
            key: &keys::run(tenant, id),
            expression: "SET runState = :state, ended = :now REMOVE gsi1pk, gsi1sk",
            condition: Some("runState = :open"),
            values: Item::from([
                (":state".into(), text(RunState::Cancelled.name())),
                (":open".into(), text(RunState::Open.name())),
                (":now".into(), millis(now)),
            ]),
        };
        Ok(matches!(self.update(cancelled).await?, Written::Done))
    }

    /// Decides once about the letters that a run drew; false: they are not drawn, or it was decided otherwise before.
    pub async fn end_letters(&self, tenant: &TenantId, id: &RunId, end: &LettersEnd) -> Result<bool> {
        let decided = Update {
            key: &keys::run(tenant, id),
            expression: "SET lettersEnd = :end",
            condition: Some("runState = :done AND attribute_not_exists(lettersEnd)"),
            values: Item::from([(":end".into(), json(end)?), (":done".into(), text(RunState::Done.name()))]),
        };
        if matches!(self.update(decided).await?, Written::Done) {
            return Ok(true);
        }
        let before = self.run(tenant, id).await?.and_then(|run| run.letters_end);
        Ok(before.is_some_and(|before| before.handed_over == end.handed_over))
    }

    /// The runs of all tenants that are not over.
    pub async fn open_runs(&self) -> Result<Vec<OpenRun>> {
        let mut runs = Vec::new();
        // Every place is greater than a blank; an empty text is none for DynamoDB.
        let mut after = " ".to_owned();
        loop {
            let range = Range {
                condition: Some("#sk > :after"),
                values: Item::from([(":after".into(), text(&after))]),
                index: Some(RESULTS_INDEX),
                ..Range::default()
            };
            let page = self.query(keys::OPEN_RUNS, range, Read::Recent).await?;
            for item in &page.items {
                Fields(item).text(RESULTS_SORT_KEY)?.clone_into(&mut after);
                let (tenant, id) = after.split_once('#').unwrap_or_default();
                // What one tenant's clerk wrote by the command line must not stop the runs of all.
                let leased_until = Fields(item).optional_millis("leasedUntil");
                let (Ok(tenant), Ok(id), Ok(leased_until)) = (tenant.parse(), id.parse(), leased_until) else { continue };
                runs.push(OpenRun { tenant, id, leased_until });
            }
            if !page.more {
                return Ok(runs);
            }
        }
    }
}
