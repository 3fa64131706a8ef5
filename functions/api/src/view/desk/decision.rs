use domain::ids::{AccountId, JobId};
use domain::model::LowerReason;
use domain::text::Lang;
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{DeskMade, DeskReading, DeskReadingWithoutJob};
use crate::view::bound;

/// What a clerk decides about a reading, on the version of it that they saw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskDecision {
    /// The kind of decision.
    pub kind: DeskDecisionKind,
    /// The reading's version.
    pub version: String,
    /// Of `reject` the words for the customer, of `correct` those for the colleagues, if any; of `assign` why a value is right that is warned of.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub reason: Option<String>,
    /// Of `exchange`: what is known of it.
    #[serde(default)]
    pub exchange: Option<DeskExchange>,
    /// Of `correct`: the counter.
    #[serde(default)]
    pub value: Option<MeterValue>,
    /// Of `correct`, `exchange` and `assign`: it is right although it is warned of.
    #[serde(default)]
    pub confirmed: bool,
    /// Of `assign`: the job.
    #[serde(default)]
    pub job: Option<JobId>,
    /// Of `assign`: the register, if the reading has one value and the job several registers.
    #[serde(default)]
    #[schema(max_length = 100)]
    pub register: Option<String>,
    /// Of `assign`: why it is taken although the time is over, in the place of another reading, or once more after it was rejected.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub late: Option<String>,
    /// Of `assign`: ids of the job's readings in whose place it comes, as `late` says; what a register has that is not named here stays (`read-already`), and the same
    /// reading as one that was rejected is not taken again (`entered-before`).
    #[serde(default, deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub replaces: Vec<String>,
    /// Of `assign`: why a counter is lower than before; with `METER_CHANGE` it waits until the exchange is named.
    #[serde(default)]
    pub lower_reason: Option<LowerReason>,
    /// Of `aside`: what has to be found out; null: it is aside no longer.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub note: Option<String>,
    /// In which the clerk is told why it is refused.
    #[serde(default)]
    pub lang: Lang,
}

/// The decisions of a clerk about a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskDecisionKind {
    /// It counts.
    Release,
    /// It does not count; the customer is told why and reads again.
    Reject,
    /// It counts: the meter was exchanged before it.
    Exchange,
    /// Another value counts; this one stays in the ledger.
    Correct,
    /// A colleague's proposal holds.
    Agree,
    /// It came without a job, and is this one's.
    Assign,
    /// Not now: something has to be found out. It waits on, and is not given to a clerk as the next one.
    Aside,
}

/// A meter that went and one that came.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskExchange {
    /// The day.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// The number of the meter that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 100)]
    pub new_number: Option<String>,
    /// The number of the meter that went, where the reading has that of the one that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 100)]
    pub old_number: Option<String>,
    /// The last counter of the meter that went.
    pub final_value: MeterValue,
    /// The first counter of the meter that came.
    pub initial_value: MeterValue,
}

/// The outcome of a decision.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskDecisionAnswer {
    /// The customer was told by mail.
    pub mailed: bool,
    /// It holds once a second member agrees.
    pub proposed: bool,
    /// The time of the decision: by this it is taken back.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

impl DeskDecision {
    /// One of several decisions, for which there are the same words.
    pub fn about(kind: DeskDecisionKind, version: &str, reason: &Option<String>, note: &Option<String>) -> Self {
        let (version, reason, note) = (version.to_owned(), reason.clone(), note.clone());
        Self {
            kind,
            version,
            reason,
            exchange: None,
            value: None,
            confirmed: false,
            job: None,
            register: None,
            late: None,
            replaces: Vec::new(),
            lower_reason: None,
            note,
            lang: Lang::default(),
        }
    }
}

/// The decisions of a member on a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskDecisions {
    /// The day.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// The last decision first.
    pub decisions: Vec<DeskDecided>,
    /// For the next page; null: this was the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// A reading that was decided about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskDecided {
    /// Its job.
    pub job: JobId,
    /// The account that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    /// The reading as it stands now, if it has a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<DeskReading>,
    /// The same, if it had none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_job: Option<DeskReadingWithoutJob>,
    /// The decision.
    pub decision: DeskMade,
}
