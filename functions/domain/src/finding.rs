//! What the rules say about things that people enter: readings of a job, readings without a job, shares.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::TaskId;

/// What a finding means for what was entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth saying; nothing is asked.
    Info,
    /// Needs a confirmation.
    Warning,
    /// It is not taken.
    Error,
}

/// Kinds of findings; those from `REQUIRED` on are of readings without a job, those from `NAME_REQUIRED` on of shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FindingCode {
    /// No rate is filled in.
    ResultsEmpty,
    /// The job has no such rate.
    TaskUnknown,
    /// The rate was filled in before.
    TaskTwice,
    /// More digits before the point than the counter has; the limit is their number.
    PreDecimals,
    /// Not exactly the limit's number of digits after the point.
    DecimalsExact,
    /// Below the expected range; the limit is its lower end.
    RangeBelow,
    /// Above the expected range; the limit is its upper end.
    RangeAbove,
    /// Lower than the last earlier reading, which is the limit.
    HistoricLower,
    /// Lower than the last result, which is the limit.
    ContinuityLower,
    /// Much less than the meter used before.
    ExpectedLow,
    /// Much more than the meter used before.
    ExpectedHigh,
    /// An open rate is not filled in.
    Incomplete,
    /// A photo is needed.
    ImageRequired,
    /// No photo may be sent.
    ImageForbidden,
    /// More photos than the limit.
    ImageTooMany,
    /// A comment is needed.
    CommentRequired,
    /// A photo or a comment is needed.
    ImageOrCommentRequired,
    /// Fewer characters than the limit.
    CommentTooShort,
    /// More characters than the limit.
    CommentTooLong,
    /// The date lies before the limit.
    DateTooEarly,
    /// The date lies after the limit.
    DateTooLate,
    /// Readings are taken from the limit on.
    WindowNotOpen,
    /// Readings were taken until the limit.
    WindowExpired,
    /// Read before the period that begins at the limit: the consumption may be estimated.
    BeforeEarliest,
    /// Read after the period that ended at the limit: the reading may not count for the bill.
    AfterLatest,
    /// Nothing was entered.
    Required,
    /// Fewer characters than the limit.
    TooShort,
    /// More characters than the limit.
    TooLong,
    /// Not exactly as many characters as the limit.
    LengthExact,
    /// A character that the field does not take.
    Characters,
    /// Not one of those that the tenant offers.
    NotOffered,
    /// The same rate twice.
    Twice,
    /// More digits after the point than the limit.
    DecimalsTooMany,
    /// No e-mail address.
    EmailInvalid,
    /// No copy can be sent.
    EmailNotAllowed,
    /// The name of the share is empty.
    NameRequired,
    /// The name has more characters than the limit.
    NameTooLong,
    /// The name has characters that no line of text has.
    NameCharacters,
    /// The salutation of the mail has more characters than the limit.
    SalutationTooLong,
    /// The salutation has something else than words of letters.
    SalutationCharacters,
    /// No job is named.
    JobsRequired,
    /// There are more jobs than the limit.
    MaxJobs,
    /// A job is named twice.
    JobTwice,
    /// The job does not exist, is another account's, or must not be shared.
    JobNotShareable,
    /// There are as many shares as the limit already.
    MaxShares,
}

/// One thing to say about what was entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What was found.
    pub code: FindingCode,
    /// What it means.
    pub severity: Severity,
    /// The rate of a job; absent for what was entered as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// Where to show it, in the words of the wire: `readingValues[0].value`, or of a rate of a job `readingValue`.
    pub field: String,
    /// The limit that does not hold: a number of characters, digits, photos or jobs, a value, or a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// The rate counts what is fed into the grid: the text speaks of feed-in instead of consumption.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub feed_in: bool,
}

impl Finding {
    /// A finding on what was entered as a whole.
    pub fn new(code: FindingCode, severity: Severity, field: impl Into<String>) -> Self {
        Self { code, severity, task_id: None, field: field.into(), limit: None, feed_in: false }
    }

    /// One that refuses what was entered.
    pub fn error(code: FindingCode, field: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, field)
    }

    /// The limit that does not hold.
    #[must_use]
    pub fn limit(self, limit: impl ToString) -> Self {
        Self { limit: Some(limit.to_string()), ..self }
    }

    /// The rate that it is about.
    #[must_use]
    pub fn of_rate(self, task_id: &TaskId, feed_in: bool) -> Self {
        Self { task_id: Some(task_id.clone()), feed_in, ..self }
    }
}
