use desk::webhook::{Retried, Standing};
use domain::ids::{JobId, TenantId};
use jiff::Timestamp;
use outbound::webhook::cause_text;
use serde::{Deserialize, Serialize};
use store::{DeadLetter, MadeSecret, Receiver};
use utoipa::ToSchema;

use super::DeskRunText;

/// Most messages that are looked at or put back at a time.
pub const MOST_MESSAGES: usize = 500;

/// The state of the tenant's receiver of readings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskWebhook {
    /// The address; absent: the tenant has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The settings say that nothing is sent.
    pub is_paused: bool,
    /// It said that its address is gone; nothing is sent before messages are tried again.
    pub is_gone: bool,
    /// Messages that wait; at most 500 are counted.
    pub waiting: usize,
    /// More wait than were counted.
    pub has_more: bool,
    /// Those of them that were refused before.
    pub refused: usize,
    /// The time of the oldest of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub oldest: Option<Timestamp>,
    /// Since when it takes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub failing_since: Option<Timestamp>,
    /// The time of the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub retry_at: Option<Timestamp>,
    /// The error of the last failed attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<DeskRunText>,
    /// The time of that attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_error_at: Option<Timestamp>,
    /// The time of the last delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_delivery: Option<Timestamp>,
    /// The number of messages that could not be delivered.
    pub dead_count: usize,
    /// The oldest of them; at most 500.
    pub dead: Vec<DeskDeadLetter>,
}

impl DeskWebhook {
    /// The tenant's, with what could not be delivered.
    pub fn new(tenant: &TenantId, standing: Standing, dead: &[DeadLetter]) -> Self {
        let Standing { url, is_paused, is_gone, waiting, has_more, refused, oldest, receiver } = standing;
        let Receiver { failing_since, retry_at, last_error, last_error_at, last_delivery, failures: _, gone: _, leased_until: _ } =
            receiver;
        let (dead_count, dead) = (dead.len(), dead.iter().take(MOST_MESSAGES).map(|dead| DeskDeadLetter::new(tenant, dead)).collect());
        Self {
            url,
            is_paused,
            is_gone,
            waiting,
            has_more,
            refused,
            oldest,
            failing_since,
            retry_at,
            last_error: last_error.map(|cause| cause_text(&cause).into()),
            last_error_at,
            last_delivery,
            dead_count,
            dead,
        }
    }
}

/// The kind of a message.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskMessageKind {
    /// Readings of a job came.
    Reading,
    /// A clerk decided about a reading.
    Decision,
    /// A reading without a job came.
    WithoutJob,
    /// An export's files can be fetched.
    Export,
}

/// A message that could not be delivered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskDeadLetter {
    /// The message, as the receiver would know it.
    pub id: String,
    /// The kind of the message.
    pub kind: DeskMessageKind,
    /// The job, the id of the reading without one, or that of the export's run.
    pub job: JobId,
    /// When the reading came, the clerk decided, or the export was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub received: Option<Timestamp>,
    /// The number of failed attempts.
    pub attempts: u64,
    /// The time at which it was given up.
    #[schema(value_type = String, format = DateTime)]
    pub given_up_at: Timestamp,
    /// The error of the last attempt.
    pub cause: DeskRunText,
}

impl DeskDeadLetter {
    fn new(tenant: &TenantId, DeadLetter { delivery, given_up_at, cause }: &DeadLetter) -> Self {
        let kind = match delivery {
            delivery if delivery.is_export() => DeskMessageKind::Export,
            delivery if delivery.is_without_job() => DeskMessageKind::WithoutJob,
            delivery if delivery.is_clearing() => DeskMessageKind::Decision,
            _ => DeskMessageKind::Reading,
        };
        Self {
            id: delivery.id(tenant),
            kind,
            job: delivery.job().clone(),
            received: delivery.created(),
            attempts: delivery.attempts,
            given_up_at: *given_up_at,
            cause: cause_text(cause).into(),
        }
    }
}

/// What came back for a message that says nothing.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskWebhookTest {
    /// The message, as the receiver knows it.
    pub message: String,
    /// The reason why it was not taken; absent: it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<DeskRunText>,
}

/// By which secrets messages are signed now.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskWebhookSecrets {
    /// The newest first; at most three.
    pub secrets: Vec<DeskGoodSecret>,
}

/// A secret by which messages are signed.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskGoodSecret {
    /// The first eight hexadecimal digits of its SHA-256.
    pub fingerprint: String,
    /// The member who made it; absent: it was not made at the desk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The time at which it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub at: Option<Timestamp>,
}

impl DeskWebhookSecrets {
    /// The good ones, by their fingerprints, with what is known of how they were made.
    pub fn new(good: Vec<String>, made: &[MadeSecret]) -> Self {
        let secret = |fingerprint: String| {
            let (by, at) = made.iter().find(|made| made.fingerprint == fingerprint).map(|made| (made.by.clone(), made.at)).unzip();
            DeskGoodSecret { fingerprint, by, at }
        };
        Self { secrets: good.into_iter().map(secret).collect() }
    }
}

/// By what messages are signed.
#[derive(Serialize, ToSchema)]
pub struct DeskWebhookSecret {
    /// As the receiver needs it.
    pub secret: String,
}

/// The messages to try again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskRetryRequest {
    /// Ids of messages that could not be delivered; empty: the oldest 500.
    #[schema(max_items = 500)]
    pub messages: Vec<String>,
}

/// What became of messages that are tried again.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRetried {
    /// Messages that could not be delivered and wait again.
    pub revived: usize,
    /// Messages that waited for a later attempt and wait no longer.
    pub hurried: usize,
}

impl From<Retried> for DeskRetried {
    fn from(Retried { revived, hurried, unknown: _ }: Retried) -> Self {
        Self { revived, hurried }
    }
}
