use domain::ids::JobId;
use edge::Code;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::view::bound;

/// What a clerk decides about several readings, on the version of each that they saw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSeveral {
    /// The kind of decision.
    pub kind: DeskSeveralKind,
    /// Of `reject` the words for the customers.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub reason: Option<String>,
    /// Of `aside`: what has to be found out.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub note: Option<String>,
    /// The readings, at most 50.
    #[serde(deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub items: Vec<DeskSeen>,
}

/// What can be done about several readings at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskSeveralKind {
    /// They count.
    Release,
    /// They do not count.
    Reject,
    /// Not now: something has to be found out.
    Aside,
}

/// A reading as the member saw it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSeen {
    /// Its job; of a reading without one its own id.
    pub job: JobId,
    /// The reading's id.
    #[schema(max_length = 100)]
    pub reading: String,
    /// Its version.
    #[schema(max_length = 100)]
    pub version: String,
}

/// What became of each reading, in the order in which they were named.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSeveralAnswer {
    /// One for each.
    pub items: Vec<DeskOutcomeOfOne>,
}

/// The outcome for one of them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskOutcomeOfOne {
    /// Its job; of a reading without one its own id.
    pub job: JobId,
    /// The reading's id.
    pub reading: String,
    /// The customer was told by mail.
    pub mailed: bool,
    /// Why it is as it was before; absent: it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// That in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The decision of another member or a clerk, with name and time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub decision: Option<Value>,
}
