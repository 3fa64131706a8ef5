//! Readings that wait for a clerk, and what is decided about them.

use domain::clearing::{Counting, Doubt, needs_second_member};
use domain::config::CrmAdapter;
use domain::finding::Finding;
use domain::ids::{JobId, MemberId, TenantId};
use domain::job::resolved_config;
use domain::meter::job_meter_type;
use domain::model::{MeterRateTask, TaskState};
use domain::obis;
use domain::reading::{self, JobContext, Submission, SubmittedResult};
use domain::text;
use domain::text::Text;
use domain::value::MeterValue;
use domain::window::{self, Sending};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use mail::{Mailer, Message, Order, Post, ReadMeter, ReadRate, Rejection, SendError};
use store::{
    Aside, Cleared, Clearing, ClearingEntry, Correction, DecidedPage, Destination, Entered, Exchange, IdempotencyWrite, LedgerEntry,
    MailKind, NewResult, NextWaiting, Proposal, Proposed, Reopened, Store, StoreError, StoredJob, Taken, Tenant, Waiting, WaitingFilter,
    WaitingPage,
};

use crate::entry::{EXCHANGE_DAY, FINAL_VALUE, INITIAL_VALUE, Remark, german};
use crate::letters::Day;
use crate::{Failure, patiently};

/// Readings that are asked for at once.
const PAGE: u32 = 100;

/// So many years before its reading an exchange may have been.
const EXCHANGED_YEARS: i16 = 10;

/// The clerk who decides.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    /// The name that is noted.
    pub name: &'a str,
    /// The member, if it is one at the desk.
    pub member: Option<&'a MemberId>,
    /// One reading is looked at alone: what needs a second member becomes a proposal, and a reported exchange may be said to be none; of several at once neither.
    pub singly: bool,
}

impl By<'_> {
    /// That they decided.
    pub(crate) fn clearing(self, released: bool, reason: Option<String>, at: Timestamp) -> Clearing {
        let (by, member) = (Some(self.name.to_owned()), self.member.cloned());
        Clearing {
            released,
            reason,
            at,
            by,
            member,
            exchange: None,
            named_before: false,
            corrected_by: None,
            assigned: None,
            proposed_by: None,
        }
    }
}

/// Some of the readings that wait, the oldest first, and where to go on; one query and one read, for a season of any size. The next one is a page of one.
///
/// # Errors
/// The store's.
pub async fn page(
    store: &Store,
    tenant: &TenantId,
    filter: &WaitingFilter,
    limit: u32,
    cursor: Option<&str>,
) -> Result<(Vec<Waiting>, Option<String>), Failure> {
    let WaitingPage { readings, next_cursor } = patiently(|| store.waiting(tenant, filter, limit, cursor)).await?;
    Ok((readings, next_cursor))
}

/// The readings that wait, the oldest first, at most `limit`.
///
/// # Errors
/// There is no such tenant, and the store's.
pub async fn list(store: &Store, tenant: &TenantId, filter: &WaitingFilter, limit: Option<usize>) -> Result<Vec<Waiting>, Failure> {
    known(store, tenant).await?;
    let limit = limit.unwrap_or(usize::MAX);
    let (mut items, mut cursor) = (Vec::new(), None);
    while items.len() < limit {
        let wanted = u32::try_from(limit - items.len()).unwrap_or(PAGE).min(PAGE);
        let (some, next) = page(store, tenant, filter, wanted, cursor.as_deref()).await?;
        items.extend(some);
        cursor = next;
        if cursor.is_none() {
            break;
        }
    }
    Ok(items)
}

/// The number of readings that wait.
///
/// # Errors
/// The store's.
pub async fn count(store: &Store, tenant: &TenantId, filter: &WaitingFilter) -> Result<usize, Failure> {
    Ok(patiently(|| store.waiting_count(tenant, filter)).await?)
}

/// The decisions of the season and of what was left of the one before, the last one first.
///
/// # Errors
/// There is no such tenant, and the store's.
pub async fn decided(store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Vec<(LedgerEntry, Clearing)>, Failure> {
    known(store, tenant).await?;
    let readings = crate::standing::readings(store, tenant, now).await?;
    let mut decided: Vec<_> = readings.into_iter().filter_map(|reading| Some((reading.entry, reading.clearing?))).collect();
    decided.sort_by_key(|(_, clearing)| std::cmp::Reverse(clearing.at));
    Ok(decided)
}

pub(crate) async fn known(store: &Store, tenant: &TenantId) -> Result<std::sync::Arc<Tenant>, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))
}

/// A clerk's decision.
#[derive(Debug, Clone)]
pub enum Decision {
    /// The reading counts.
    Release {
        /// The meter was exchanged: the reading counts from the new one's first counter on.
        exchange: Option<Exchange>,
        /// The exchange is right although it is warned of.
        confirmed: bool,
    },
    /// It does not, for this reason.
    Reject(String),
    /// Another value holds: that of a new reading in its place; the old one stays in the ledger.
    Correct(CorrectedValue),
    /// A colleague's proposal holds.
    Agree,
}

/// The value that a clerk puts in the place of another one.
#[derive(Debug, Clone)]
pub struct CorrectedValue {
    /// The counter.
    pub value: MeterValue,
    /// The reason; the customer is not told.
    pub reason: Option<String>,
    /// It is right although it is warned of.
    pub confirmed: bool,
}

/// The reading that a decision is about.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The job.
    pub job: &'a JobId,
    /// The reading: its id, or the first four characters of it or more.
    pub reading: &'a str,
    /// The version that the clerk saw; none: as it is now.
    pub version: Option<&'a str>,
}

/// Fewest characters by which a reading is named.
const SHORTEST_ID: usize = 4;

/// The reasons why no decision was made.
#[derive(Debug)]
pub enum Undecided {
    /// There is no such reading.
    Unknown,
    /// Several readings have ids that begin so.
    Several,
    /// It was erased meanwhile.
    Gone,
    /// Its job is closed, which takes no other value.
    JobClosed,
    /// Another clerk decided since, or a newer reading came; this is the decision, if there is one.
    Overtaken(Option<Box<Clearing>>),
    /// The meter was exchanged after it was read.
    ExchangedAfter {
        /// The day of the exchange.
        day: Date,
        /// The day of the reading.
        read: Date,
    },
    /// The meter was exchanged so long before it was read that the year must be wrong.
    ExchangedLongAgo {
        /// The day of the exchange.
        day: Date,
    },
    /// The reading has the new meter's number already, and that of the old one is not named.
    SameNumber,
    /// An old meter's number is named, and is not that of another meter than the one that came and that the reading names.
    NotOldNumber,
    /// Another member has to agree to what this one proposed.
    OwnProposal,
    /// It needs a second member, who only agrees to a reading that waits.
    NeedsSecond,
    /// The reader says that the meter was exchanged: nobody says of several at once that it was not.
    ExchangeReported,
    /// The corrected value cannot be, or is the one that was sent.
    Misread(Vec<Remark>),
    /// The corrected value or the exchange is unusual, and the clerk has not confirmed it.
    Unconfirmed(Vec<Remark>),
    /// It could not be carried out.
    Failed(Failure),
}

impl Undecided {
    /// What is wrong with a decision about this reading, for the clerk.
    pub fn text(&self, About { job, reading, .. }: About<'_>) -> Text {
        match self {
            Self::Unknown => {
                text!("den Stand `{reading}` des Auftrags `{job}` gibt es nicht", "there is no reading `{reading}` of job `{job}`")
            }
            Self::Several => text!(
                "mehrere Stände des Auftrags `{job}` beginnen mit `{reading}`: geben Sie mehr Zeichen an",
                "several readings of job `{job}` begin with `{reading}`: give more characters"
            ),
            Self::Gone => {
                text!("den Stand `{reading}` des Auftrags `{job}` gibt es nicht mehr", "the reading `{reading}` of job `{job}` was erased")
            }
            Self::JobClosed => text!(
                "der Auftrag `{job}` ist geschlossen: den Stand können Sie freigeben oder ablehnen, ein anderer tritt nicht mehr an seine Stelle",
                "the job `{job}` is closed: release the reading or reject it, no other value takes its place"
            ),
            Self::Overtaken(None) => text!(
                "inzwischen kam ein neuerer Stand, oder jemand hat entschieden; bitte die Liste neu laden",
                "a newer reading came meanwhile, or somebody decided; look at the list again"
            ),
            Self::Overtaken(Some(clearing)) => {
                let (at, by) = (clearing.at, clearing.by.as_deref().unwrap_or("?"));
                let (de, en) = match &**clearing {
                    Clearing { assigned: Some(_), .. } => ("zugeordnet", "assigned"),
                    Clearing { released: true, .. } => ("freigegeben", "released"),
                    _ => ("abgelehnt", "rejected"),
                };
                text!(
                    "{by} hat den Stand am {local} {de}; bitte die Liste neu laden",
                    "{by} {en} the reading at {at}; look at the list again",
                    local = local(at)
                )
            }
            Self::ExchangedAfter { day, read } => {
                let (on, read_on) = (Day(*day), Day(*read));
                text!("{on} liegt nach dem Tag der Ablesung ({read_on})", "{day} is after the day of the reading ({read})")
            }
            Self::ExchangedLongAgo { day } => text!(
                "{on} liegt mehr als {EXCHANGED_YEARS} Jahre vor der Ablesung: stimmt das Jahr?",
                "{day} is more than {EXCHANGED_YEARS} years before the reading: is the year right?",
                on = Day(*day)
            ),
            Self::SameNumber => text!(
                "ist die Nummer, die der Stand schon hat: nennen Sie dazu auch die des alten Zählers",
                "is the number that the reading has already: name that of the old meter, too"
            ),
            Self::NotOldNumber => text!(
                "gehört nur dazu, wenn der Stand schon die Nummer des neuen Zählers hat, und ist eine andere als diese",
                "belongs here only if the reading has the new meter's number already, and is another one"
            ),
            Self::OwnProposal => text!(
                "das haben Sie selbst vorgeschlagen: ein anderes Mitglied muss zustimmen",
                "you proposed this yourself: another member has to agree"
            ),
            Self::NeedsSecond => text!(
                "über so viel Verbrauch entscheiden zwei Mitglieder: öffnen Sie den Stand einzeln und solange er wartet",
                "two members decide about so much consumption: open the reading singly, while it waits"
            ),
            Self::ExchangeReported => text!(
                "dazu ist ein Zählerwechsel gemeldet: öffnen Sie den Stand einzeln, und entscheiden Sie, ob es einer war",
                "a meter exchange was reported with it: open the reading singly, and decide whether it was one"
            ),
            Self::Misread(remarks) | Self::Unconfirmed(remarks) => remarks.first().map_or_else(|| Text::same(""), Remark::text),
            Self::Failed(failure) => failure.text(),
        }
    }
}

/// A moment as German says it: on the command line, by the clerk's machine as in its lists; the desk has words of its own.
fn local(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%d.%m.%Y um %H:%M Uhr").to_string()
}

impl From<Failure> for Undecided {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<StoreError> for Undecided {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

/// Whether the customer hears by mail what staff did about a reading: rejected it, or entered it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Not by mail: the portal says it.
    Nobody,
    /// The owner, by mail.
    Mailed,
    /// The mail did not go: the portal says it.
    NotTaken(String),
}

/// What became of a decision, and its moment: that of the first one if it is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Decided {
        /// Whether the customer hears of it.
        told: Told,
        /// The time of the decision.
        at: Timestamp,
    },
    /// It holds once a second member agrees.
    Proposed {
        /// The time of the proposal.
        at: Timestamp,
    },
}

/// Notes a decision that `by` made; of a rejection the customer hears by `mailer`.
///
/// # Errors
/// [`Undecided`]; nothing was changed then.
pub async fn decide(
    store: &Store,
    tenant: &TenantId,
    about: About<'_>,
    decision: Decision,
    (by, mailer): (By<'_>, &Mailer),
    now: Timestamp,
) -> Result<Outcome, Undecided> {
    let settings = known(store, tenant).await?;
    let deliver = settings.application.webhook.is_some();
    let readings = patiently(|| store.job_readings(tenant, about.job)).await?;
    let found = named(readings, about.reading)?;
    // What was taken back waits where it came from, and would count twice.
    if found.is_withdrawn() {
        return Err(Undecided::Gone);
    }
    let seen = match about.version {
        Some(version) => version.to_owned(),
        None => patiently(|| store.clearing_version(tenant, &found.entry)).await?.ok_or(Undecided::Gone)?,
    };
    let (decision, proposed_by) = match decision {
        Decision::Agree => match &found.proposal {
            Some(proposal) if by.member == Some(&proposal.member) => return Err(Undecided::OwnProposal),
            Some(Proposal { what, by, .. }) => (Decision::from(what.clone()), Some(by.clone())),
            // Their own agreement, whose answer did not come.
            None => match found.clearing {
                Some(made) if made.proposed_by.is_some() && made.member.as_ref() == by.member => {
                    return Ok(Outcome::Decided { told: Told::Nobody, at: made.at });
                }
                made => return Err(Undecided::Overtaken(made.map(Box::new))),
            },
        },
        decision => (decision, None),
    };
    let is_of_exchange = found.entry.is_of_exchange_by(found.clearing.as_ref());
    if matches!(decision, Decision::Release { exchange: None, .. }) && !by.singly && is_of_exchange {
        let is_seen = patiently(|| store.clearing_version(tenant, &found.entry)).await?.ok_or(Undecided::Gone)? == seen;
        return Err(if is_seen { Undecided::ExchangeReported } else { Undecided::Overtaken(found.clearing.map(Box::new)) });
    }
    if let Decision::Release { exchange: Some(exchange), confirmed } = &decision {
        check_exchange(exchange, &found.entry)?;
        check_counters(store, &settings, &found.entry, exchange, *confirmed).await?;
    }
    if proposed_by.is_none()
        && let Some(member) = by.member
        && let Some(what) = proposed(store, &settings, &found.entry, &decision).await?
    {
        if let Decision::Correct(value) = &decision {
            corrected(store, &settings, &found, value, by.name, now).await?;
        }
        let proposal = Proposal { what, by: by.name.to_owned(), member: member.clone(), at: now };
        return propose(store, tenant, &found, (proposal, by.singly), &seen).await;
    }
    // That a reading does not count says nothing of an exchange: whoever decides anew, or about what takes its place, hears of it.
    let named = found.clearing.as_ref().and_then(|before| before.exchange.clone());
    let named_before = found.clearing.as_ref().is_some_and(|before| before.exchange.is_some() || before.named_before);
    let by_now = Clearing { proposed_by, named_before, ..by.clearing(false, None, now) };
    let (clearing, corrected) = match decision {
        Decision::Release { exchange, .. } => (Clearing { released: true, exchange, ..by_now }, None),
        Decision::Reject(reason) => (Clearing { reason: Some(reason), exchange: named, ..by_now }, None),
        Decision::Correct(value) => {
            let corrected = corrected(store, &settings, &found, &value, by.name, now).await?;
            let corrected_by = Some(corrected.result_id.clone());
            (Clearing { reason: value.reason, corrected_by, exchange: named, ..by_now }, Some(corrected))
        }
        Decision::Agree => return Err(Undecided::Overtaken(None)),
    };
    let (released, is_corrected, mut at) = (clearing.released, corrected.is_some(), now);
    let noted = match &corrected {
        None => patiently(|| store.note_clearing(tenant, &found.entry, &clearing, &seen, deliver)).await?,
        Some(corrected) => {
            let correction = Correction { entry: &found.entry, clearing: &clearing, corrected };
            patiently(|| store.note_correction(tenant, correction, &seen, deliver)).await?
        }
    };
    match noted {
        Cleared::Noted => {}
        Cleared::Gone => return Err(Undecided::Gone),
        Cleared::Overtaken => {
            let readings = patiently(|| store.job_readings(tenant, about.job)).await?;
            let made = readings.iter().find(|reading| reading.entry.result_id == found.entry.result_id);
            let made = made.and_then(|reading| reading.clearing.as_ref());
            // Their own decision, whose answer did not come.
            match made {
                Some(made) if is_repeated(made, &clearing, corrected.as_ref(), &readings) => at = made.at,
                made => return Err(Undecided::Overtaken(made.cloned().map(Box::new))),
            }
        }
    }
    let told = match released || is_corrected {
        true => Told::Nobody,
        false => tell_customer(store, mailer, &settings, &found.entry, &clearing).await?,
    };
    Ok(Outcome::Decided { told, at })
}

impl From<Proposed> for Decision {
    fn from(proposed: Proposed) -> Self {
        match proposed {
            Proposed::Release { exchange, confirmed } => Self::Release { exchange, confirmed },
            Proposed::Correct { value, reason, confirmed } => Self::Correct(CorrectedValue { value, reason, confirmed }),
        }
    }
}

/// The decision as a proposal, if the tenant wants two members for so much consumption.
async fn proposed(store: &Store, tenant: &Tenant, entry: &LedgerEntry, decision: &Decision) -> Result<Option<Proposed>, Undecided> {
    let settings = &tenant.application.desk.decisions;
    let (value, what) = match decision {
        Decision::Release { exchange, confirmed } => {
            (&entry.reading_value, Proposed::Release { exchange: exchange.clone(), confirmed: *confirmed })
        }
        Decision::Correct(CorrectedValue { value, reason, confirmed }) => {
            (value, Proposed::Correct { value: value.clone(), reason: reason.clone(), confirmed: *confirmed })
        }
        Decision::Reject(_) | Decision::Agree => return Ok(None),
    };
    if settings.second_member_above.is_empty() {
        return Ok(None);
    }
    // What waits is released in a closed job, too.
    let job = patiently(|| store.job_by_id(&tenant.application.application_id, &entry.job_id)).await?;
    let Some(job) = job else { return Ok(None) };
    let Some(task) = job.master.meter.meter_rate_tasks.iter().find(|task| task.task_id == entry.task_id) else { return Ok(None) };
    let exchange = match &what {
        Proposed::Release { exchange: Some(exchange), .. } => Some((&exchange.final_value, &exchange.initial_value)),
        _ => None,
    };
    let counting = Counting { day: entry.reading_date, value, lower_reason: entry.lower_reason, exchange };
    let needed = needs_second_member(settings, task, counting);
    Ok(needed.then_some(what))
}

async fn propose(
    store: &Store,
    tenant: &TenantId,
    found: &ClearingEntry,
    (proposal, singly): (Proposal, bool),
    seen: &str,
) -> Result<Outcome, Undecided> {
    // A proposal about what does not wait would come to nobody's eyes.
    if !singly || found.clearing.is_some() || found.version(false)? == seen {
        let now = patiently(|| store.clearing_version(tenant, &found.entry)).await?.ok_or(Undecided::Gone)?;
        let overtaken = || Undecided::Overtaken(found.clearing.clone().map(Box::new));
        return Err(if now == seen { Undecided::NeedsSecond } else { overtaken() });
    }
    match patiently(|| store.propose(tenant, &found.entry, &proposal, seen)).await? {
        (Cleared::Noted, at) => Ok(Outcome::Proposed { at }),
        (Cleared::Gone, _) => Err(Undecided::Gone),
        (Cleared::Overtaken, _) => Err(Undecided::Overtaken(found.clearing.clone().map(Box::new))),
    }
}

/// Whether the same person decides the same as is decided.
fn is_repeated(made: &Clearing, new: &Clearing, corrected: Option<&LedgerEntry>, readings: &[ClearingEntry]) -> bool {
    let value = |id: &String| readings.iter().find(|reading| reading.entry.result_id == *id).map(|reading| &reading.entry.reading_value);
    let same = |one: &Clearing, other: &Clearing| {
        (one.released, &one.reason, &one.by, &one.member, &one.exchange)
            == (other.released, &other.reason, &other.by, &other.member, &other.exchange)
    };
    same(made, new) && made.corrected_by.as_ref().and_then(value) == corrected.map(|corrected| &corrected.reading_value)
}

/// The reading with another value, if the rules have nothing against it: those of the register, as for a late entry.
async fn corrected(
    store: &Store,
    tenant: &Tenant,
    found: &ClearingEntry,
    new: &CorrectedValue,
    by: &str,
    now: Timestamp,
) -> Result<LedgerEntry, Undecided> {
    let (application, entry) = (&tenant.application, &found.entry);
    let owner = entry.account_id.as_ref().ok_or(Undecided::Gone)?;
    let job = patiently(|| store.job(&application.application_id, owner, &entry.job_id)).await?;
    let job = job.ok_or(Undecided::Gone)?;
    if job.closed {
        return Err(Undecided::JobClosed);
    }
    let zone = TimeZone::get(&application.time_zone).unwrap_or(TimeZone::UTC);
    let (states, config) = (states_without(&job, entry), resolved_config(application, &job.master));
    let context = JobContext::new(&job.master, &states, &config, application, now.to_zoned(zone).date());
    let task = job.master.meter.meter_rate_tasks.iter().find(|task| task.task_id == entry.task_id);
    // That there was no exchange holds for the other value, too.
    let is_of_exchange = entry.is_of_exchange_by(found.clearing.as_ref());
    let given = if is_of_exchange { entry.lower_reason } else { entry.lower_reason_by(found.clearing.as_ref()) };
    let result = SubmittedResult {
        task_id: entry.task_id.clone(),
        reading_value: new.value.clone(),
        comment: None,
        lower_reason: task.and_then(|task| reading::lower_reason(given, &new.value, task, &states)),
        image_count: 0,
    };
    let submission = Submission { reading_date: entry.reading_date, results: vec![result], confirmed: new.confirmed };
    if new.value == entry.reading_value {
        return Err(Undecided::Misread(vec![Remark::same_value()]));
    }
    // The day was taken when the reading came, and the other registers are as they are.
    let of_register = |finding: &Finding| finding.task_id.as_ref() == Some(&entry.task_id);
    let findings: Vec<_> = reading::check_entered(&context, &submission, true).into_iter().filter(of_register).collect();
    let remarks = |findings: Vec<Finding>| findings.iter().map(|finding| Remark::of(finding, &context, &submission)).collect();
    let warnings = match reading::Decision::of(findings, new.confirmed) {
        reading::Decision::Taken(warnings) => warnings,
        reading::Decision::Refused(findings) => return Err(Undecided::Misread(remarks(findings))),
        reading::Decision::Unconfirmed(findings) => return Err(Undecided::Unconfirmed(remarks(findings))),
    };
    let key = format!("corrected/{}/{}/{now}", entry.job_id, entry.result_id);
    let key = IdempotencyWrite::of_staff(&key, now).key_hash;
    let new_result = NewResult::of(&submission, &[], &warnings, &key, now).into_iter().next().ok_or(Undecided::Gone)?;
    Ok(LedgerEntry {
        result_id: new_result.result_id,
        reading_value: new.value.clone(),
        created: now,
        login_account_id: None,
        login_kind: None,
        without_job: None,
        entered: Some(Entered { by: by.to_owned(), confirmed: new.reason.clone().filter(|_| !warnings.is_empty()), late: None }),
        lower_reason: new_result.result.lower_reason,
        confirmed: new_result.confirmed,
        // A clerk has looked; but a meter's exchange is named at the reading that goes out.
        doubts: if is_of_exchange { vec![Doubt::MeterChange] } else { Vec::new() },
        ..entry.clone()
    })
}

/// What was sent for the job before, without this reading.
fn states_without(job: &StoredJob, entry: &LedgerEntry) -> Vec<TaskState> {
    let mut states = job.states.clone();
    for state in states.iter_mut().filter(|state| state.task_id == entry.task_id) {
        state.reading_results.retain(|result| result.created != entry.created);
    }
    states
}

/// The reasons why a decision was not taken back.
#[derive(Debug)]
pub enum NotUndone {
    /// There is no such reading.
    Unknown,
    /// Several readings have ids that begin so.
    Several,
    /// It was erased meanwhile.
    Gone,
    /// No decision was made about this reading, or it was taken back already.
    Undecided(Box<LedgerEntry>),
    /// No decision was made about this reading without a job, or it was taken back already.
    Nothing,
    /// This was decided meanwhile, about the reading itself or about the one that it became in a job.
    Decided(Box<Clearing>),
    /// This was proposed in the place of the proposal that was meant.
    Proposed(Box<Proposal>),
    /// It was put aside with this note since.
    PutAside(Box<Aside>),
    /// It went out with what was decided.
    Taken(Taken),
    /// It could not be carried out.
    Failed(Failure),
}

impl NotUndone {
    /// The text for the clerk.
    pub fn text(&self, about: About<'_>) -> Text {
        match self {
            Self::Unknown => Undecided::Unknown.text(about),
            Self::Several => Undecided::Several.text(about),
            Self::Gone => Undecided::Gone.text(about),
            Self::Undecided(_) | Self::Nothing => {
                text!("über diesen Stand ist nichts entschieden", "nothing was decided about this reading")
            }
            Self::Decided(clearing) => Undecided::Overtaken(Some(clearing.clone())).text(about),
            Self::Proposed(proposal) => {
                let Proposal { by, at, .. } = &**proposal;
                text!(
                    "{by} hat am {local} etwas anderes vorgeschlagen; bitte die Liste neu laden",
                    "{by} proposed something else at {at}; look at the list again",
                    local = local(*at)
                )
            }
            Self::PutAside(aside) => {
                let Aside { by, at, .. } = &**aside;
                text!(
                    "{by} hat den Stand am {local} mit einer anderen Notiz zurückgestellt; bitte die Liste neu laden",
                    "{by} put the reading aside with another note at {at}; look at the list again",
                    local = local(*at)
                )
            }
            Self::Taken(Taken { export: Some(number), .. }) => text!(
                "die Entscheidung ging mit dem Export {number} hinaus; entscheiden Sie neu, der nächste Export berichtigt es",
                "the decision went out with export {number}; decide anew, the next export corrects it"
            ),
            Self::Taken(Taken { destination: Destination::Webhook, .. } | Taken { .. }) => text!(
                "die Entscheidung hat der Empfänger schon; entscheiden Sie neu, er bekommt eine Berichtigung",
                "the receiver has the decision already; decide anew, it gets a correction"
            ),
            Self::Failed(failure) => failure.text(),
        }
    }
}

impl From<StoreError> for NotUndone {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

/// Takes a decision back, until it went out: the reading waits again, a corrected value does not count any more. With `made` only the decision of that moment.
/// Answers what had been decided; nothing: it was a proposal, or put aside.
///
/// # Errors
/// [`NotUndone`]; nothing was changed then.
pub async fn undo(
    store: &Store,
    tenant: &TenantId,
    about: About<'_>,
    made: Option<Timestamp>,
) -> Result<(LedgerEntry, Option<Clearing>), NotUndone> {
    known(store, tenant).await.map_err(NotUndone::Failed)?;
    let readings = patiently(|| store.job_readings(tenant, about.job)).await?;
    let found = named(readings, about.reading).map_err(|undecided| match undecided {
        Undecided::Several => NotUndone::Several,
        _ => NotUndone::Unknown,
    })?;
    match patiently(|| store.undo_decision(tenant, &found.entry, made, Timestamp::now())).await? {
        Reopened::Undone(clearing) => Ok((found.entry, Some(*clearing))),
        Reopened::Withdrawn => Ok((found.entry, None)),
        Reopened::Undecided => Err(NotUndone::Undecided(Box::new(found.entry))),
        Reopened::Taken(taken) => Err(NotUndone::Taken(taken)),
        Reopened::Decided(since) => Err(NotUndone::Decided(since)),
        Reopened::Proposed(since) => Err(NotUndone::Proposed(since)),
        Reopened::PutAside(since) => Err(NotUndone::PutAside(since)),
        Reopened::Gone => Err(NotUndone::Gone),
    }
}

/// Puts a reading that waits aside with a note; without one, takes it from there. Answers when: of a note that is there already, at its time.
///
/// # Errors
/// [`Undecided`]; nothing was changed then.
pub async fn put_aside(
    store: &Store,
    tenant: &TenantId,
    about: About<'_>,
    note: Option<&str>,
    by: &str,
    now: Timestamp,
) -> Result<Timestamp, Undecided> {
    let readings = patiently(|| store.job_readings(tenant, about.job)).await?;
    let found = named(readings, about.reading)?;
    let seen = match about.version {
        Some(version) => version.to_owned(),
        None => patiently(|| store.clearing_version(tenant, &found.entry)).await?.ok_or(Undecided::Gone)?,
    };
    let aside = note.map(|note| Aside { note: note.to_owned(), by: by.to_owned(), at: now });
    let (cleared, at) = patiently(|| store.put_aside(tenant, &found.entry, aside.as_ref(), &seen)).await?;
    match cleared {
        Cleared::Noted => Ok(at.unwrap_or(now)),
        Cleared::Gone => Err(Undecided::Gone),
        Cleared::Overtaken => Err(Undecided::Overtaken(found.clearing.map(Box::new))),
    }
}

/// The reading that this clerk looks at next, which no other clerk gets for 5 minutes.
///
/// # Errors
/// The store's.
pub async fn next(
    store: &Store,
    tenant: &TenantId,
    filter: &WaitingFilter,
    by: &str,
    after: Option<&str>,
    now: Timestamp,
) -> Result<NextWaiting, Failure> {
    Ok(patiently(|| store.take_waiting(tenant, filter, by, after, now)).await?)
}

/// A page of what a member decided on a day, the last decision first.
///
/// # Errors
/// The store's.
pub async fn decided_by(store: &Store, tenant: &TenantId, by: &MemberId, day: Date, cursor: Option<&str>) -> Result<DecidedPage, Failure> {
    Ok(patiently(|| store.decisions(tenant, by, day, cursor)).await?)
}

/// The reading of this id, or the only one whose id begins so: no clerk types 32 characters.
fn named(mut readings: Vec<ClearingEntry>, id: &str) -> Result<ClearingEntry, Undecided> {
    readings.retain(|found| found.entry.result_id.starts_with(id));
    if readings.len() > 1 {
        return Err(Undecided::Several);
    }
    readings.pop().filter(|found| id.len() >= SHORTEST_ID || found.entry.result_id == id).ok_or(Undecided::Unknown)
}

/// What a reading says against the exchange that a clerk names.
fn check_exchange(exchange: &Exchange, entry: &LedgerEntry) -> Result<(), Undecided> {
    if exchange.day > entry.reading_date {
        return Err(Undecided::ExchangedAfter { day: exchange.day, read: entry.reading_date });
    }
    if exchange.day < entry.reading_date.saturating_sub(EXCHANGED_YEARS.years()) {
        return Err(Undecided::ExchangedLongAgo { day: exchange.day });
    }
    let is_of_new = exchange.new_number.is_some() && exchange.new_number == entry.meter_number;
    match &exchange.old_number {
        None if is_of_new => Err(Undecided::SameNumber),
        Some(_) if !is_of_new || exchange.old_number == entry.meter_number => Err(Undecided::NotOldNumber),
        _ => Ok(()),
    }
}

/// What the register says against the exchange: its digits, and what it showed before and after. Of a job that is gone or asks for other registers, nothing is known.
async fn check_counters(
    store: &Store,
    tenant: &Tenant,
    entry: &LedgerEntry,
    exchange: &Exchange,
    confirmed: bool,
) -> Result<(), Undecided> {
    let application = &tenant.application;
    let job = patiently(|| store.job_by_id(&application.application_id, &entry.job_id)).await?;
    let Some(job) = job.filter(|job| entry.account_id.as_ref() == Some(&job.account_id)) else { return Ok(()) };
    let Some(task) = job.master.meter.meter_rate_tasks.iter().find(|task| task.task_id == entry.task_id) else { return Ok(()) };
    let mut asked = resolved_config(application, &job.master).meter_reading;
    // Who wrote the counter down when the meter went was not asked for all decimals.
    asked.mask_post_decimals = true;
    // By then the job may be the new meter's, which has other digits.
    let digits = reading::check_digits(&asked, task, &exchange.final_value);
    let unlikely: Vec<_> = digits.iter().map(Remark::of_final_value).chain(unlikely(exchange, entry, task)).collect();
    if confirmed || unlikely.is_empty() { Ok(()) } else { Err(Undecided::Unconfirmed(unlikely)) }
}

/// What is unlikely about an exchange: a meter that went below what it showed before, one that came above what it shows now, and a day before the utility's last
/// reading.
fn unlikely(exchange: &Exchange, entry: &LedgerEntry, task: &MeterRateTask) -> Vec<Remark> {
    let Exchange { day, final_value, initial_value, .. } = exchange;
    let mut remarks = Vec::new();
    let last = task.reading_events.iter().max_by_key(|event| event.reading_date);
    if let Some(last) = last.filter(|last| *day < last.reading_date) {
        let reason = text!(
            "der Wechsel am {on} liegt vor dem letzten bekannten Stand vom {known_on}",
            "the exchange on {day} is before the last known reading of {known}",
            on = Day(*day),
            known = last.reading_date,
            known_on = Day(last.reading_date)
        );
        remarks.push(Remark::of_exchange("EXCHANGED_BEFORE", EXCHANGE_DAY, reason));
    }
    let before = task.reading_events.iter().filter(|event| event.reading_date <= *day).max_by_key(|event| event.reading_date);
    if let Some(known) = before.map(|event| &event.reading_value).filter(|known| final_value.is_below(known)) {
        let reason = text!(
            "der Endstand ist kleiner als der letzte bekannte Stand ({shown})",
            "the last counter of the old meter is lower than the last known reading ({known})",
            shown = german(known.as_str())
        );
        remarks.push(Remark::of_exchange("FINAL_LOWER", FINAL_VALUE, reason));
    }
    if entry.reading_value.is_below(initial_value) {
        let value = &entry.reading_value;
        let reason = text!(
            "der Anfangsstand ist größer als der abgelesene Stand ({shown})",
            "the first counter of the new meter is greater than the reading ({value})",
            shown = german(value.as_str())
        );
        remarks.push(Remark::of_exchange("INITIAL_ABOVE", INITIAL_VALUE, reason));
    }
    remarks
}

/// Tells the owner, if the register is open again and there is a confirmed address; once with the same words about the same reading. Who may send another one is asked
/// to read once more (D-EXPORTS-5).
async fn tell_customer(store: &Store, mailer: &Mailer, tenant: &Tenant, entry: &LedgerEntry, clearing: &Clearing) -> Result<Told, Failure> {
    let application = &tenant.application;
    let id = &application.application_id;
    let (Some(owner), Some(reason)) = (&entry.account_id, &clearing.reason) else { return Ok(Told::Nobody) };
    if application.crm != CrmAdapter::Builtin || application.communication_settings.sender_email.is_empty() {
        return Ok(Told::Nobody);
    }
    let Some(job) = patiently(|| store.job(id, owner, &entry.job_id)).await?.filter(|job| !job.closed) else { return Ok(Told::Nobody) };
    let Some(task) = job.master.meter.meter_rate_tasks.iter().find(|task| task.task_id == entry.task_id) else { return Ok(Told::Nobody) };
    if !job.rejected.iter().any(|(task, rejected)| *task == entry.task_id && rejected.created == entry.created) {
        return Ok(Told::Nobody);
    }
    let Some(registration) = patiently(|| store.registration(id, owner)).await? else { return Ok(Told::Nobody) };
    let Some(email) = &registration.confirmed else { return Ok(Told::Nobody) };
    let language = patiently(|| store.account(id, owner)).await?.and_then(|account| account.language);
    let features = resolved_config(application, &job.master).features;
    let today = clearing.at.to_zoned(TimeZone::get(&application.time_zone).unwrap_or(TimeZone::UTC)).date();
    let message = Message::Rejection(Rejection {
        meter: ReadMeter {
            meter_type: job_meter_type(&job.master),
            custom_type: job.master.meter.custom_meter_type.clone(),
            number: entry.meter_number.clone().unwrap_or_default(),
            place: None,
            date: entry.reading_date,
            rates: vec![ReadRate {
                name: obis::display_name(task.rate_name.as_deref(), &task.obis),
                value: entry.reading_value.clone(),
                unit: obis::task_unit(task).map(str::to_owned),
                date: entry.reading_date,
            }],
        },
        reason: reason.clone(),
        may_read_again: window::sending(&job.master.job_constraints, &features, today) == Sending::Open,
        unsubscribe: Some(application.registration_page(&registration.self_service_token)),
    });
    let order = Order {
        account: owner,
        top: owner,
        kind: MailKind::Rejection,
        key: &format!("{} {reason}", entry.result_id),
        request_hash: &entry.result_id,
        to: email,
        to_name: None,
        language: language.as_deref(),
    };
    let post = Post { store, mailer, tenant, now: clearing.at };
    match post.send(order, &message).await {
        Ok(_) => Ok(Told::Mailed),
        Err(SendError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Told::NotTaken(error.to_string())),
    }
}
