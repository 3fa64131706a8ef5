use domain::clearing::Doubt;
use domain::finding::FindingCode;
use domain::ids::{AccountId, ImageId, JobId, MemberId, TaskId};
use domain::job::last_result;
use domain::model::{Channel, LoginKind, LowerReason};
use domain::sending::SendingKind;
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use store::{Aside, Clearing, ClearingEntry, Destination, Exchange, Proposal, Proposed, Sending, StoredJob, Taken};
use utoipa::ToSchema;

use super::DeskExchange;

/// A reading of the ledger with what became of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskReading {
    /// Its id, unique in its job.
    pub id: String,
    /// The register.
    pub task_id: TaskId,
    /// Its OBIS code at that time.
    pub obis: String,
    /// The meter's number at that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter_number: Option<String>,
    /// The counter, digit for digit.
    pub reading_value: MeterValue,
    /// The day of the reading.
    #[schema(value_type = String, format = Date)]
    pub reading_date: Date,
    /// The time at which the server took it.
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    /// The channel of the reading.
    pub channel: Channel,
    /// Through which kind of login, if it was sent in the portal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login_kind: Option<LoginKind>,
    /// The sub-account that sent it, with which the job was shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_with: Option<AccountId>,
    /// The member of the staff who entered it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entered_by: Option<String>,
    /// It came without a job, as this reading, and a clerk assigned it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_job: Option<JobId>,
    /// Why they entered a value that was warned of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed_reason: Option<String>,
    /// Why they entered it late, or in the place of another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_reason: Option<String>,
    /// The reader's comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The reason why the counter is lower than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_reason: Option<LowerReason>,
    /// The warnings that were confirmed.
    pub confirmed: Vec<FindingCode>,
    /// The reasons why a clerk has or had to look at it.
    pub doubts: Vec<Doubt>,
    /// Its photos.
    pub images: Vec<ImageId>,
    /// The state of the reading.
    pub state: DeskReadingState,
    /// The decision about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DeskMade>,
    /// That it was put aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aside: Option<DeskAside>,
    /// What a member proposed, and a second one has not agreed to yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<DeskProposal>,
    /// The sendings of it, the oldest first.
    pub sent: Vec<DeskSending>,
    /// The version that a decision about it is bound to.
    pub version: String,
}

/// The state of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskReadingState {
    /// It is the one that counts.
    Counts,
    /// A clerk has to look at it.
    Waits,
    /// A later one counts.
    Replaced,
    /// A clerk rejected it.
    Rejected,
    /// A clerk put another value in its place.
    Corrected,
}

/// A decision as it was made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMade {
    /// The kind of decision.
    pub kind: DeskMadeKind,
    /// The member or clerk who decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The colleague whose proposal they agreed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_by: Option<String>,
    /// The time of the decision.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The meter was exchanged before the reading; of one that does not count, what was named before that was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<DeskExchange>,
    /// The reading that was put in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<String>,
    /// The job to which it was assigned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned_to: Option<JobId>,
    /// By what it can no longer be taken back; absent: it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<DeskTaken>,
}

/// The kinds of decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskMadeKind {
    /// It counts.
    Release,
    /// It counts, from a new meter's first counter on.
    Exchange,
    /// It does not count.
    Reject,
    /// Another value counts.
    Correct,
    /// It came without a job, and is one's now.
    Assign,
}

/// The sending of a decision.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskTaken {
    /// The destination: `MARKET`, `TABLE`, `WEBHOOK`.
    #[schema(value_type = String)]
    pub destination: Destination,
    /// The export's number; absent: it was a message to the webhook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub export: Option<u64>,
}

/// That a reading was put aside.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAside {
    /// The note on what has to be found out.
    pub note: String,
    /// The clerk who put it aside.
    pub by: String,
    /// The time at which it was put aside.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// A decision for which a second member is needed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskProposal {
    /// The kind of decision.
    pub kind: DeskProposalKind,
    /// The member who proposed it.
    pub by: String,
    /// The member, as `me` names them.
    #[schema(value_type = String)]
    pub member: MemberId,
    /// The time of the proposal.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Of `correct` the counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<MeterValue>,
    /// Of `correct` the words for colleagues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Of `exchange` what is known of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<DeskExchange>,
}

/// The kinds of decision that can be proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskProposalKind {
    /// It counts.
    Release,
    /// It counts, from a new meter's first counter on.
    Exchange,
    /// Another value counts.
    Correct,
}

/// That a reading went out once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSending {
    /// The destination: `MARKET`, `TABLE`, `WEBHOOK`.
    #[schema(value_type = String)]
    pub destination: Destination,
    /// As what.
    pub kind: SendingKind,
    /// The export's number; absent: it was a message to the webhook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub export: Option<u64>,
    /// The time of the sending.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

impl From<Aside> for DeskAside {
    fn from(Aside { note, by, at }: Aside) -> Self {
        Self { note, by, at }
    }
}

impl From<Proposal> for DeskProposal {
    fn from(Proposal { what, by, member, at }: Proposal) -> Self {
        let (kind, value, reason, exchange) = match what {
            Proposed::Release { exchange: None, .. } => (DeskProposalKind::Release, None, None, None),
            Proposed::Release { exchange, .. } => (DeskProposalKind::Exchange, None, None, exchange.map(DeskExchange::from)),
            Proposed::Correct { value, reason, .. } => (DeskProposalKind::Correct, Some(value), reason, None),
        };
        Self { kind, by, member, at, value, reason, exchange }
    }
}

impl DeskTaken {
    /// The sending of a decision, for the desk.
    pub fn new(Taken { destination, export }: Taken) -> Self {
        Self { destination, export }
    }
}

impl DeskMade {
    /// A decision, and how it went out.
    pub fn new(clearing: &Clearing, taken: Option<Taken>) -> Self {
        let Clearing { released, reason, at, by, proposed_by, exchange, corrected_by, assigned, .. } = clearing.clone();
        let kind = match (released, &exchange, &corrected_by) {
            _ if assigned.is_some() => DeskMadeKind::Assign,
            (true, Some(_), _) => DeskMadeKind::Exchange,
            (true, None, _) => DeskMadeKind::Release,
            (false, _, Some(_)) => DeskMadeKind::Correct,
            (false, _, None) => DeskMadeKind::Reject,
        };
        let assigned_to = assigned.map(|assigned| assigned.job);
        Self {
            kind,
            by,
            proposed_by,
            at,
            reason,
            exchange: exchange.map(DeskExchange::from),
            corrected_by,
            assigned_to,
            taken: taken.map(DeskTaken::new),
        }
    }
}

impl From<Exchange> for DeskExchange {
    fn from(Exchange { day, new_number, old_number, final_value, initial_value, .. }: Exchange) -> Self {
        Self { day, new_number, old_number, final_value, initial_value }
    }
}

impl DeskReading {
    /// A reading of this job.
    ///
    /// # Errors
    /// The store's, if what was decided cannot be written down.
    pub fn new(reading: &ClearingEntry, job: &StoredJob) -> store::Result<Self> {
        let entry = &reading.entry;
        let waits = job.waiting.iter().any(|waiting| waiting.result_id == entry.result_id);
        let is_last = last_result(&job.states, &entry.task_id).is_some_and(|last| last.created == entry.created);
        let state = match &reading.clearing {
            Some(Clearing { released: false, corrected_by: Some(_), .. }) => DeskReadingState::Corrected,
            Some(Clearing { released: false, .. }) => DeskReadingState::Rejected,
            _ if waits => DeskReadingState::Waits,
            _ if is_last => DeskReadingState::Counts,
            _ => DeskReadingState::Replaced,
        };
        Ok(Self::with_state(reading, state, reading.version(waits)?))
    }

    /// A reading of which it is known that it waits.
    ///
    /// # Errors
    /// As of [`Self::new`].
    pub fn waiting(reading: &ClearingEntry) -> store::Result<Self> {
        Ok(Self::with_state(reading, DeskReadingState::Waits, reading.version(true)?))
    }

    /// A reading that was decided about.
    ///
    /// # Errors
    /// As of [`Self::new`].
    pub fn decided(reading: &ClearingEntry) -> store::Result<Self> {
        let state = match &reading.clearing {
            Some(Clearing { released: false, corrected_by: Some(_), .. }) => DeskReadingState::Corrected,
            Some(Clearing { released: false, .. }) => DeskReadingState::Rejected,
            _ => DeskReadingState::Counts,
        };
        Ok(Self::with_state(reading, state, reading.version(false)?))
    }

    fn with_state(reading: &ClearingEntry, state: DeskReadingState, version: String) -> Self {
        let entry = reading.entry.clone();
        let sending = |destination| {
            let sending = move |sending: &Sending| DeskSending { destination, kind: sending.kind, export: sending.export, at: sending.at };
            reading.sent.to(destination).iter().map(sending)
        };
        let mut sent: Vec<_> = [Destination::Market, Destination::Table, Destination::Webhook].into_iter().flat_map(sending).collect();
        sent.sort_by_key(|sending| sending.at);
        let lower_reason = entry.lower_reason_by(reading.clearing.as_ref());
        let shared_with = entry.login_account_id.filter(|login| entry.account_id.as_ref() != Some(login));
        let (entered_by, confirmed_reason, late_reason) =
            entry.entered.map_or((None, None, None), |entered| (Some(entered.by), entered.confirmed, entered.late));
        Self {
            id: entry.result_id,
            task_id: entry.task_id,
            obis: entry.obis,
            meter_number: entry.meter_number,
            reading_value: entry.reading_value,
            reading_date: entry.reading_date,
            created: entry.created,
            channel: entry.channel,
            login_kind: entry.login_kind,
            shared_with,
            entered_by,
            without_job: entry.without_job,
            confirmed_reason,
            late_reason,
            comment: entry.comment,
            lower_reason,
            confirmed: entry.confirmed,
            doubts: entry.doubts,
            images: entry.image_ids,
            state,
            decision: reading.clearing.as_ref().map(|clearing| DeskMade::new(clearing, reading.taken())),
            aside: reading.aside.clone().map(DeskAside::from),
            proposal: reading.proposal.clone().map(DeskProposal::from),
            sent,
            version,
        }
    }
}
