use domain::clearing::Doubt;
use domain::ids::{AccountId, JobId, SeasonId};
use domain::model::MeterType;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{DeskJob, DeskReading};

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

/// A reading that waits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskWaitingItem {
    /// Its job.
    pub job: JobId,
    /// Whose it is; absent: the time of their data is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    /// The account's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The season of its job.
    pub season: SeasonId,
    /// What its meter measures.
    pub meter_type: MeterType,
    /// The district of its meter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
    /// The reading.
    pub reading: DeskReading,
}

/// Which reading somebody wants to decide about next.
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
    /// `place` of the one after which to go on; absent: the oldest.
    #[serde(default)]
    #[schema(max_length = 300)]
    pub after: Option<String>,
}

/// The next reading to decide about, which nobody else gets for five minutes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskNext {
    /// Its id in the job below; null: nothing waits, or others look at all that does.
    #[schema(required)]
    pub reading: Option<String>,
    /// What stands for it when the one after it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Its job, with all that can be said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<DeskJob>,
    /// The address that the customer registered, or that the utility's file has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}
