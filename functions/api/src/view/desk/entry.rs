use desk::entry::Remark;
use domain::clearing::Doubt;
use domain::ids::{JobId, UploadId};
use domain::model::{Channel, LowerReason};
use domain::text::Lang;
use domain::value::MeterValue;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::view::bound;

/// A reading that came by phone, card or mail, or that the utility's field staff took.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskEntry {
    /// Of which job; or else `meterNumber`.
    #[serde(default)]
    pub job: Option<JobId>,
    /// Of which meter: of the jobs of its latest period the open one, or else the only one.
    #[serde(default, deserialize_with = "bound::number")]
    #[schema(max_length = 100)]
    pub meter_number: Option<String>,
    /// The channel of the reading.
    pub channel: DeskChannel,
    /// The day of the reading: a date (`2026-03-12`), or a date-time, whose day in the tenant's time zone counts.
    pub reading_date: String,
    /// The counters.
    #[serde(deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub values: Vec<DeskCounter>,
    /// The customer's comment.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub comment: Option<String>,
    /// The reason why a counter is lower than before.
    #[serde(default)]
    pub lower_reason: Option<LowerReason>,
    /// Why values are right that are warned of; they wait for a clerk all the same.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub confirmed: Option<String>,
    /// Why it is entered although the time is over, in the place of another reading, or once more after it was rejected.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub late: Option<String>,
    /// Ids of the readings in whose place it comes, as `late` says: what a register has that is not named here stays (`read-already`), and the same reading
    /// as one that was rejected is not taken again (`entered-before`).
    #[serde(default, deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub replaces: Vec<String>,
    /// Photos or scans, such as one of the card, which are kept with each of the counters.
    #[serde(default, deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub images: Vec<DeskImage>,
    /// Only say what would become of it.
    #[serde(default)]
    pub trial: bool,
    /// In which the member who enters it is told why it is refused.
    #[serde(default)]
    pub lang: Lang,
}

/// The channels by which a reading comes to staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskChannel {
    /// The customer said it on the phone.
    Phone,
    /// On a card or a letter.
    Card,
    /// In a mail.
    Email,
    /// The utility's field staff, or a person on its behalf, read the meter.
    Technician,
}

impl From<DeskChannel> for Channel {
    fn from(channel: DeskChannel) -> Self {
        match channel {
            DeskChannel::Phone => Self::Phone,
            DeskChannel::Card => Self::Card,
            DeskChannel::Email => Self::Email,
            DeskChannel::Technician => Self::Technician,
        }
    }
}

/// A photo or scan that was sent ahead (`POST …/jobs/{job}/upload`).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskImage {
    /// The upload's id.
    pub upload_id: UploadId,
}

/// The counter of a register.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskCounter {
    /// Its `taskId`, its OBIS code or the name of its rate; absent: the meter has one register only.
    #[serde(default, deserialize_with = "bound::number")]
    #[schema(max_length = 100)]
    pub register: Option<String>,
    /// The counter.
    pub value: MeterValue,
}

/// The outcome of a reading.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskEntered {
    /// Whether it was stored.
    pub outcome: DeskOutcome,
    /// Its job.
    pub job: JobId,
    /// The ids of what was stored, one for each register.
    pub readings: Vec<String>,
    /// Every register of the job has a reading.
    pub done: bool,
    /// Why a clerk has to look at it before it goes out.
    pub doubts: Vec<Doubt>,
    /// What was warned of and confirmed.
    pub remarks: Vec<DeskRemark>,
}

/// Whether a reading was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskOutcome {
    /// It is.
    Stored,
    /// It would be.
    Tried,
    /// It was there already.
    Unchanged,
}

/// Something to say about a reading.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRemark {
    /// The code of the remark, such as `EXPECTED_HIGH`.
    pub code: String,
    /// The name of the register, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub register: Option<String>,
    /// In German.
    pub de: String,
    /// In English.
    pub en: String,
}

impl From<&Remark> for DeskRemark {
    fn from(remark: &Remark) -> Self {
        let [de, en] = [Lang::De, Lang::En].map(|lang| remark.reason.of(lang).to_owned());
        Self { code: remark.code.clone(), register: remark.register.clone(), de, en }
    }
}
