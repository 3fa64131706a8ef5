//! Readings that staff enter for a customer: what came by phone, card or mail, what a technician read, what another system has (D-READING-22).

mod receipt;
mod remarks;

use std::sync::Arc;

use domain::clearing::{self, Doubt, Sent};
use domain::finding::Finding;
use domain::ids::{ImageId, JobId, TenantId};
use domain::job::{last_result, resolved_config};
use domain::model::{Channel, JobMaster, LowerReason, MeterRateTask};
use domain::obis::ObisCode;
use domain::reading::{self, Decision, JobContext, Submission, SubmittedResult};
use domain::search;
use domain::text;
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::{
    Assignment, ClearingEntry, Entered, IdempotencyWrite, LedgerEntry, NewResult, Source, Store, StoredJob, SubmitResults, Submitted,
    Tenant,
};

use crate::lists::{JobRow, JobState, Place, Rows};
use crate::{Failure, known, lists, patiently};

pub use receipt::{receipt, receipt_again};
pub use remarks::{ENTERED_BEFORE, FINAL_VALUE, INITIAL_VALUE, JOB_UNKNOWN, REGISTER_UNKNOWN, Remark, channel_name};
pub(crate) use remarks::{EXCHANGE_DAY, german};

/// How often a job is read again when another request changed it between our read and our write.
const ATTEMPTS: usize = 10;
/// Most jobs of a meter's number that are looked at.
const MOST_OF_METER: usize = 50;

/// A reading as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct NewReading {
    /// Of which job.
    pub job: JobId,
    /// Through which channel; never [`Channel::Portal`].
    pub channel: Channel,
    /// The day on which the counters were read.
    pub reading_date: Date,
    /// The counters.
    pub values: Vec<Counter>,
    /// The customer's comment.
    pub comment: Option<String>,
    /// Why a counter is lower than before; kept with the registers of which it can be the reason ([`reading::lower_reason`]).
    pub lower_reason: Option<LowerReason>,
    /// Photos, which are kept with each of the counters.
    pub photos: Photos,
}

/// Photos of a reading that staff enter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Photos {
    /// There are none.
    #[default]
    None,
    /// So many are to be stored once it is known that the reading is: for a trial.
    Announced(usize),
    /// They are stored.
    Stored(Vec<ImageId>),
}

impl Photos {
    fn count(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Announced(count) => *count,
            Self::Stored(ids) => ids.len(),
        }
    }
}

/// The counter of a register.
#[derive(Debug, Clone, PartialEq)]
pub struct Counter {
    /// Its OBIS code (`1-0:1.8.1`, `1.8.1`), the name of its rate (`HT`) or its id; none: the meter has one register only.
    pub register: Option<String>,
    /// The counter.
    pub value: MeterValue,
}

/// By whom a reading is entered, and what is taken that would not be otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entering {
    /// The name that is noted.
    pub by: String,
    /// Why a value is right that is warned of; it waits for a clerk all the same (D-CLEARING-4).
    pub confirmed: Option<String>,
    /// Why it is entered though the time is over, or in the place of another reading.
    pub late: Option<String>,
    /// The readings, by their ids, that the member saw and in whose place it comes, if `late` says why; none: it comes from a file, which takes no reading's place.
    pub replaces: Option<Vec<String>>,
}

impl Entering {
    fn names(&self, reading: &ClearingEntry) -> bool {
        self.replaces.iter().flatten().any(|id| *id == reading.entry.result_id)
    }
}

/// A wish that may come twice, and is carried out once.
pub struct Once<'a> {
    /// Hash of its key.
    pub key_hash: &'a str,
    /// Hash of what is wished: with another one the key is used for something else.
    pub request_hash: &'a str,
    /// The answer to every repetition.
    pub answer: &'a (dyn Fn(&Stored) -> String + Send + Sync),
}

/// The outcome of a reading.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is stored.
    Stored(Box<Stored>),
    /// It was entered before, or the job has the same.
    Unchanged {
        /// All registers of the job are read.
        done: bool,
    },
    /// It is stored once the member says why these are right.
    Unconfirmed(Vec<Remark>),
    /// It is not stored.
    Refused(Vec<Remark>),
}

impl Outcome {
    /// Of an entry without a key, of which no repetition is known.
    const UNCHANGED: Self = Self::Unchanged { done: false };
}

/// The outcome of a wish that may come twice.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// It came for the first time.
    First(Outcome),
    /// It was carried out before, and answered so.
    Repeated(String),
    /// Its key was used for another wish.
    KeyReused,
}

/// A reading that was stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// The job with it.
    pub job: StoredJob,
    /// The ids of the readings, one for each register.
    pub readings: Vec<String>,
    /// The warnings that were confirmed.
    pub confirmed: Vec<Remark>,
    /// Why a clerk has to look at it before it goes out.
    pub doubts: Vec<Doubt>,
}

/// The tenant for which readings are entered.
#[derive(Debug)]
pub struct Desk<'a> {
    store: &'a Store,
    tenant: Arc<Tenant>,
    zone: TimeZone,
    /// The tenant's texts of the comment "meter was changed".
    meter_changed: Vec<String>,
}

impl<'a> Desk<'a> {
    /// Of this tenant.
    ///
    /// # Errors
    /// There is no such tenant, or the store does not answer.
    pub async fn of(store: &'a Store, tenant: &TenantId) -> Result<Self, Failure> {
        let tenant = known(store, tenant).await?;
        let zone = TimeZone::get(&tenant.application.time_zone).unwrap_or(TimeZone::UTC);
        let meter_changed = tenant.meter_changed_texts().map(str::to_owned).collect();
        Ok(Self { store, tenant, zone, meter_changed })
    }

    /// The day in the tenant's time zone.
    pub fn today(&self, now: Timestamp) -> Date {
        now.to_zoned(self.zone.clone()).date()
    }

    pub(crate) const ATTEMPTS: usize = ATTEMPTS;

    pub(crate) fn store(&self) -> &'a Store {
        self.store
    }

    pub(crate) fn id(&self) -> &TenantId {
        &self.tenant.application.application_id
    }

    /// The job of a meter that a reading belongs to: of those of its latest period the one that is open, or else the only one (D-READING-26).
    ///
    /// # Errors
    /// There is none, several could be meant, or too many are found to look at all.
    pub async fn job_of_meter(&self, number: &str) -> Result<Result<JobId, Remark>, Failure> {
        let Rows { rows, more } = match lists::jobs(self.store, self.id(), Some(number), None, MOST_OF_METER).await {
            Ok(rows) => rows,
            Err(Failure::Refused(reason)) => return Ok(Err(Remark::of_meter(reason))),
            Err(error) => return Err(error),
        };
        let wanted = search::number(number);
        let same: Vec<_> = rows.into_iter().filter(|row| search::number(&row.meter_number) == wanted).collect();
        let same: Vec<_> = same.iter().filter(|row| !same.iter().any(|other| is_of_later_period(other, row))).collect();
        let open: Vec<_> = same.iter().copied().filter(|row| row.state == JobState::Open).collect();
        let meant = if open.is_empty() { same } else { open };
        Ok(match meant[..] {
            [] | [_] if more => Err(Remark::of_meter(text!(
                "nach der Zählernummer `{number}` findet die Suche zu viele Aufträge; nennen Sie den Auftrag statt des Zählers",
                "the search for the meter number `{number}` finds too many jobs; name the job instead of the meter"
            ))),
            [one] => Ok(one.job.clone()),
            [] => Err(Remark::of_meter(text!(
                "zum Zähler `{number}` gibt es keinen Auftrag; `zaehlwerk jobs list --find` sucht auch nach Namen und Anschrift",
                "there is no job of a meter `{number}`; `zaehlwerk jobs list --find` looks for names and addresses, too"
            ))),
            _ => {
                let jobs = meant.iter().map(|row| row.job.as_str()).collect::<Vec<_>>().join(", ");
                Err(Remark::of_meter(text!(
                    "zum Zähler `{number}` gibt es mehrere Aufträge; nennen Sie einen davon: {jobs}",
                    "there are several jobs of the meter `{number}`; name one of them: {jobs}"
                )))
            }
        })
    }

    /// Enters a reading, unless it is there already; with `trial` only says what would become of it.
    ///
    /// The rules are those of the portal ([`reading::check_entered`]). A register that has a reading is not read again, unless that is wanted; of two requests in the
    /// same moment each is stored or refused as a whole.
    pub async fn enter(&self, new: &NewReading, entering: &Entering, trial: bool, now: Timestamp) -> Result<Outcome, Failure> {
        match self.enter_once(new, entering, trial, None, now).await? {
            Answered::First(outcome) => Ok(outcome),
            // Only what has a key is known again.
            Answered::Repeated(_) | Answered::KeyReused => Ok(Outcome::UNCHANGED),
        }
    }

    /// The same; a wish that comes twice is carried out once.
    pub async fn enter_once(
        &self,
        new: &NewReading,
        entering: &Entering,
        trial: bool,
        once: Option<&Once<'_>>,
        now: Timestamp,
    ) -> Result<Answered, Failure> {
        if new.channel == Channel::Portal {
            let reason = text!(
                "über das Portal sendet die Kundin oder der Kunde selbst; nennen Sie den Weg, auf dem der Stand kam",
                "customers send through the portal themselves; name the way on which the reading came"
            );
            return Ok(Answered::First(Outcome::Refused(vec![Remark::new("CHANNEL", "channel", reason)])));
        }
        for _ in 0..ATTEMPTS {
            if let Some(answered) = self.try_to_enter(new, entering, trial, Wish { once, assignment: None }, now).await? {
                return Ok(answered);
            }
        }
        Err(store::StoreError::Conflict.into())
    }

    /// Enters what came without a job as a clerk assigns it. None: another request was faster, and it is to be looked at again.
    pub(crate) async fn try_to_assign(
        &self,
        new: &NewReading,
        entering: &Entering,
        trial: bool,
        assignment: &Assignment,
        now: Timestamp,
    ) -> Result<Option<Outcome>, Failure> {
        let wish = Wish { once: None, assignment: Some(assignment) };
        Ok(self.try_to_enter(new, entering, trial, wish, now).await?.map(|answered| match answered {
            Answered::First(outcome) => outcome,
            Answered::Repeated(_) | Answered::KeyReused => Outcome::UNCHANGED,
        }))
    }

    /// None: another request was faster, and it is to be looked at again.
    async fn try_to_enter(
        &self,
        new: &NewReading,
        entering: &Entering,
        trial: bool,
        Wish { once, assignment }: Wish<'_>,
        now: Timestamp,
    ) -> Result<Option<Answered>, Failure> {
        let (store, application) = (self.store, &self.tenant.application);
        let first = |outcome| Ok(Some(Answered::First(outcome)));
        let refused = |remarks| first(Outcome::Refused(remarks));
        let Some(job) = patiently(|| store.job_by_id(self.id(), &new.job)).await? else {
            return refused(vec![Remark::job_unknown(&new.job)]);
        };
        if let Some(once) = once
            && let Some(record) = patiently(|| store.idempotency(self.id(), &job.account_id, once.key_hash, now)).await?
        {
            let is_same = record.request_hash == once.request_hash;
            return Ok(Some(if is_same { Answered::Repeated(record.response_body) } else { Answered::KeyReused }));
        }
        if job.closed {
            return refused(vec![Remark::job_closed(&new.job)]);
        }
        let cut = assignment.map(|_| as_counted(&job.master, &new.values));
        let counters = cut.as_ref().unwrap_or(&new.values);
        let registers = match registers(&job.master, counters) {
            Ok(registers) => registers,
            Err(remarks) => return refused(remarks),
        };
        let Left { values: left, refused: read_before } = self.left_to_enter(&job, new, entering, registers).await?;
        if !read_before.is_empty() {
            return refused(read_before);
        }
        if left.is_empty() {
            return first(Outcome::Unchanged { done: job.done });
        }

        let submission = Submission {
            reading_date: new.reading_date,
            results: left
                .iter()
                .map(|(task, counter)| SubmittedResult {
                    task_id: task.task_id.clone(),
                    reading_value: counter.value.clone(),
                    comment: new.comment.clone(),
                    lower_reason: reading::lower_reason(new.lower_reason, &counter.value, task, &job.states),
                    image_count: new.photos.count(),
                })
                .collect(),
            confirmed: entering.confirmed.is_some(),
        };
        let mut config = resolved_config(application, &job.master);
        // The sender was asked by the tenant's settings for readings without a job, not for the decimals of this counter.
        config.meter_reading.mask_post_decimals |= assignment.is_some();
        let context = JobContext::new(&job.master, &job.states, &config, application, self.today(now));
        let findings = reading::check_entered(&context, &submission, entering.late.is_some());
        let remarks = |findings: Vec<Finding>| findings.iter().map(|finding| Remark::of(finding, &context, &submission)).collect();
        let warnings = match Decision::of(findings, submission.confirmed) {
            Decision::Taken(warnings) => warnings,
            Decision::Unconfirmed(findings) => return first(Outcome::Unconfirmed(remarks(findings))),
            Decision::Refused(findings) => return refused(remarks(findings)),
        };

        // Our own attempt is known again by its key; another request's changes the job's version, and with it the key.
        let (date, values) = (new.reading_date, left.iter().map(|(task, counter)| format!("{}={}", task.task_id, counter.value)));
        let key = format!("entered/{}/{}/{date}/{}", new.job, job.version, values.collect::<Vec<_>>().join("/"));
        let mut record = IdempotencyWrite::of_staff(&key, now);
        let results = NewResult::of(&submission, &photos(assignment, (new, counters), &left), &warnings, &record.key_hash, now);
        let mut doubts = self.doubts(&job, &left, &results);
        if assignment.is_some() {
            clearing::keep_assigned(&mut doubts);
        }
        let stored = Stored {
            job: job.with_results(&results),
            readings: results.iter().map(|new| new.result_id.clone()).collect(),
            confirmed: remarks(warnings),
            doubts,
        };
        if trial {
            return first(Outcome::Stored(Box::new(stored)));
        }
        if let Some(Once { key_hash, request_hash, answer }) = once {
            record = IdempotencyWrite {
                key_hash: (*key_hash).to_owned(),
                request_hash: (*request_hash).to_owned(),
                response_body: answer(&stored),
                created: now,
            };
        }
        let source = source(&results, new, entering, assignment);
        let submitted = patiently(|| store.submit(self.id(), self.submission(&job, &results, source.clone(), record.clone()))).await?;
        Ok(match submitted {
            Submitted::Replayed { response_body } if once.is_some() => Some(Answered::Repeated(response_body)),
            Submitted::KeyReused if once.is_some() => Some(Answered::KeyReused),
            Submitted::Stored | Submitted::Replayed { .. } => Some(Answered::First(Outcome::Stored(Box::new(stored)))),
            Submitted::Stale | Submitted::KeyReused => None,
        })
    }

    fn submission<'s>(
        &self,
        job: &'s StoredJob,
        results: &'s [NewResult],
        source: Source,
        idempotency: IdempotencyWrite,
    ) -> SubmitResults<'s> {
        SubmitResults { job, results, source, account_id: &job.account_id, idempotency, deliver: self.tenant.application.webhook.is_some() }
    }

    fn doubts(&self, job: &StoredJob, left: &[(&MeterRateTask, &Counter)], results: &[NewResult]) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for ((task, counter), new) in left.iter().zip(results) {
            let (comment, lower_reason) = (new.result.comment.as_deref(), new.result.lower_reason);
            let exchanged = job.was_exchanged(&task.task_id);
            let sent = Sent { value: &counter.value, comment, lower_reason, confirmed: &new.confirmed, exchanged };
            doubts.extend(clearing::doubts(&sent, Some(task), &self.meter_changed));
        }
        doubts.sort();
        doubts.dedup();
        doubts
    }

    /// Which counters are not there yet. A register that has another reading keeps it, unless just that one is to be replaced (D-READING-22); what was entered
    /// before and does not hold any more is left out of a file, which may come twice, and refused to a person who does not name it.
    async fn left_to_enter<'n>(
        &self,
        job: &StoredJob,
        new: &NewReading,
        entering: &Entering,
        registers: Vec<Named<'n>>,
    ) -> Result<Left<'n>, Failure> {
        let (is_of_file, says_why) = (entering.replaces.is_none(), entering.late.is_some());
        let was_read = registers.iter().any(|(task, _)| {
            last_result(&job.states, &task.task_id).is_some() || job.rejected.iter().any(|(rejected, _)| *rejected == task.task_id)
        });
        let (store, id) = (self.store, &job.master.id);
        let readings = if was_read { patiently(|| store.readings_of_job(self.id(), id)).await? } else { Vec::new() };
        let mut left = Left::default();
        for (task, counter) in registers {
            let last = last_result(&job.states, &task.task_id);
            let present = last.and_then(|last| {
                let is_it = |entry: &LedgerEntry| entry.task_id == task.task_id && entry.created == last.created;
                readings.iter().find(|reading| is_it(&reading.entry))
            });
            let before = readings.iter().rev().find(|reading| !reading.is_withdrawn() && is_same(reading, new, task, counter));
            match (last, before) {
                (Some(last), _) if last.reading_date == new.reading_date && last.reading_value == counter.value => {}
                (_, Some(_)) if is_of_file => {}
                (last, Some(before)) if (last.is_none() || before.is_rejected()) && !(says_why && entering.names(before)) => {
                    left.refused.push(Remark::entered_before(before, task));
                }
                (None, _) => left.values.push((task, counter)),
                _ if says_why && present.is_some_and(|present| entering.names(present)) => left.values.push((task, counter)),
                (Some(last), _) => left.refused.push(Remark::already_read(last, present, task)),
            }
        }
        Ok(left)
    }
}

/// Whether the job asks for the same meter once more, after the period of the earlier one: the number alone does not tell meters of several makers apart, account
/// and place do.
fn is_of_later_period(job: &JobRow, earlier: &JobRow) -> bool {
    let same_place = job.place == earlier.place && job.place != Place::default();
    let same_meter = job.meter_type == earlier.meter_type && (job.account == earlier.account || same_place);
    let ended = earlier.deadline.or(earlier.earliest);
    same_meter && ended.zip(job.earliest.or(job.deadline)).is_some_and(|(ended, begins)| ended < begins)
}

/// How a reading is entered beside what it is.
#[derive(Clone, Copy)]
struct Wish<'w> {
    /// It may come twice.
    once: Option<&'w Once<'w>>,
    /// It came without a job.
    assignment: Option<&'w Assignment>,
}

/// How the readings came, and who enters them.
fn source(results: &[NewResult], new: &NewReading, entering: &Entering, assignment: Option<&Assignment>) -> Source {
    // A reason is kept where it was needed.
    let confirmed = entering.confirmed.clone().filter(|_| results.iter().any(|new| !new.confirmed.is_empty()));
    let entered = Entered { by: entering.by.clone(), confirmed, late: entering.late.clone() };
    match assignment {
        Some(assignment) => Source::Assigned(Box::new(Assignment { entered, ..assignment.clone() })),
        None => Source::Staff(new.channel, entered),
    }
}

/// The photos of what is left to enter.
fn photos(assignment: Option<&Assignment>, (new, counters): (&NewReading, &[Counter]), left: &[Named<'_>]) -> Vec<Vec<ImageId>> {
    let Some(assignment) = assignment else {
        let Photos::Stored(ids) = &new.photos else { return Vec::new() };
        return vec![ids.clone(); left.len()];
    };
    let place = |counter: &Counter| counters.iter().position(|value| std::ptr::eq(value, counter));
    let images = |(_, counter): &Named<'_>| Some(assignment.reading.reading_values.get(place(counter)?)?.image_ids.clone());
    left.iter().map(|named| images(named).unwrap_or_default()).collect()
}

/// A counter, and the register that it names.
type Named<'n> = (&'n MeterRateTask, &'n Counter);

/// The counters of a reading that are left to enter.
#[derive(Default)]
struct Left<'n> {
    values: Vec<Named<'n>>,
    refused: Vec<Remark>,
}

/// The reading was entered before.
fn is_same(reading: &ClearingEntry, new: &NewReading, task: &MeterRateTask, counter: &Counter) -> bool {
    let entry = &reading.entry;
    entry.task_id == task.task_id
        && entry.channel == new.channel
        && entry.reading_date == new.reading_date
        && entry.reading_value == counter.value
}

/// The registers that the counters name.
fn registers<'n>(job: &'n JobMaster, values: &'n [Counter]) -> Result<Vec<Named<'n>>, Vec<Remark>> {
    if values.is_empty() {
        return Err(vec![Remark::no_value()]);
    }
    let (mut found, mut remarks) = (Vec::new(), Vec::new());
    for counter in values {
        match register(&job.meter.meter_rate_tasks, counter.register.as_deref()) {
            Some(task) => found.push((task, counter)),
            None => remarks.push(Remark::register_unknown(job, counter.register.as_deref())),
        }
    }
    if remarks.is_empty() { Ok(found) } else { Err(remarks) }
}

/// The counters with no more decimals than their registers have; a resident who reads them on a finer display sends more.
fn as_counted(job: &JobMaster, values: &[Counter]) -> Vec<Counter> {
    let decimals = |counter: &Counter| register(&job.meter.meter_rate_tasks, counter.register.as_deref())?.post_decimals;
    let cut = |counter: &Counter| match decimals(counter) {
        Some(decimals) => Counter { value: counter.value.cut(decimals), ..counter.clone() },
        None => counter.clone(),
    };
    values.iter().map(cut).collect()
}

/// The one register that is named; none: there is no such one, or more than one.
fn register<'n>(tasks: &'n [MeterRateTask], named: Option<&str>) -> Option<&'n MeterRateTask> {
    let Some(named) = named.map(str::trim).filter(|named| !named.is_empty()) else {
        return if let [only] = tasks { Some(only) } else { None };
    };
    let code = |obis: &str| obis.parse::<ObisCode>().ok();
    // A display shows `1.8.1` of `1-0:1.8.1`.
    let shown = code(named).or_else(|| code(&format!("0-0:{named}")));
    let same_code = |task: &&MeterRateTask| shown.zip(code(&task.obis)).is_some_and(|(shown, known)| shown.same_register(known));
    let same_name = |task: &&MeterRateTask| task.rate_name.as_deref().is_some_and(|name| name.trim().eq_ignore_ascii_case(named));
    let only = |is: &dyn Fn(&&MeterRateTask) -> bool| {
        let mut found = tasks.iter().filter(is);
        found.next().filter(|_| found.next().is_none())
    };
    only(&|task| task.task_id.as_str() == named || task.obis == named).or_else(|| only(&same_code)).or_else(|| only(&same_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(tasks: &[(&str, &str, &str)]) -> Vec<MeterRateTask> {
        let task = |(id, obis, name): &(&str, &str, &str)| {
            serde_json::from_value(serde_json::json!({ "taskId": id, "obis": obis, "rateName": name })).unwrap()
        };
        tasks.iter().map(task).collect()
    }

    #[test]
    fn a_register_is_named_as_a_card_a_display_or_a_clerk_names_it() {
        let two = tasks(&[("a", "1-0:1.8.1", "HT"), ("b", "1-0:1.8.2", "NT")]);
        let of = |name: &str| register(&two, Some(name)).map(|task| task.task_id.as_str());
        for name in ["b", "1-0:1.8.2", "1.8.2", "NT", "nt", " NT "] {
            assert_eq!(of(name), Some("b"), "{name}");
        }
        for name in ["c", "1.8.0", "", "HT NT"] {
            assert_eq!(of(name), None, "{name}");
        }
        let one = tasks(&[("a", "7-0:3.0.0", "")]);
        assert!(register(&one, None).is_some() && register(&one, Some(" ")).is_some());
        let same = tasks(&[("a", "1-0:1.8.0", "Haus"), ("b", "1-1:1.8.0", "Haus")]);
        assert_eq!(register(&same, Some("1.8.0")), None, "two could be meant");
        assert_eq!(register(&same, Some("1-1:1.8.0")).map(|task| task.task_id.as_str()), Some("b"));
    }
}
