use domain::clearing::Doubt;
use domain::ids::{AccountId, JobId, SeasonId};
use domain::model::MeterType;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{DeskJob, DeskReading, DeskReadingWithoutJob, DeskSuggestion};

/// Some of the readings that wait for a clerk.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskWaiting {
    /// The oldest first; at most 25, and may be fewer although there are more.
    pub items: Vec<DeskWaitingItem>,
    /// How many wait, of those that the filter wants.
    pub count: usize,
    /// For the next page; null on the last one.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// A reading that waits: of a job, or without one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskWaitingItem {
    /// Its job; of a reading without one its own id.
    pub job: JobId,
    /// The account that it belongs to; absent: it has no job, or the time of their data is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    /// The account's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The season of its job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// The kind of meter, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter_type: Option<MeterType>,
    /// The district of its meter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
    /// The reading, if it has a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<DeskReading>,
    /// The reading, if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_job: Option<DeskReadingWithoutJob>,
}

/// Which reading the clerk wants to decide about next.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskNextRequest {
    /// For this reason, among others.
    #[serde(default)]
    pub reason: Option<Doubt>,
    /// Of meters that measure this.
    #[serde(default)]
    pub meter_type: Option<MeterType>,
    /// Of jobs of this season.
    #[serde(default)]
    pub season: Option<SeasonId>,
    /// `place` of the answer after which to go on; absent: the oldest.
    #[serde(default)]
    #[schema(max_length = 300)]
    pub after: Option<String>,
    /// No other than this one, even while another clerk looks at it; the rest is not looked at.
    #[serde(default)]
    pub this: Option<DeskThis>,
}

/// One reading that waits.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskThis {
    /// Its job; of a reading without one its own id.
    pub job: JobId,
    /// The reading's id.
    #[schema(max_length = 100)]
    pub reading: String,
}

/// The next reading to decide about, which no other clerk gets for five minutes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskNext {
    /// Its id in the job below; null: nothing waits, others look at all that does, what was asked for waits no longer, or there is a `place`.
    #[schema(required)]
    pub reading: Option<String>,
    /// What stands for it when the one after it is wanted. Without a reading: up to here all were put aside or are with others, and this is the `after` of the call
    /// that looks at the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Its job, with all that can be said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<DeskJob>,
    /// The reading itself, if it has no job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_job: Option<DeskReadingWithoutJob>,
    /// The jobs that it may belong to, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<DeskSuggestion>,
    /// Another clerk looks at the one that was asked for.
    pub is_with_another: bool,
    /// The address that the customer registered, or that the utility's file has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

impl DeskNext {
    /// No reading.
    pub fn none(is_with_another: bool) -> Self {
        Self { reading: None, place: None, job: None, without_job: None, suggestions: Vec::new(), is_with_another, email: None }
    }
}
