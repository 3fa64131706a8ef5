//! One JSON line a run. It tells times, costs and counts; never whose data it was.

use std::collections::BTreeMap;

use serde::Serialize;

/// The line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line<'a> {
    pub(crate) level: &'static str,
    pub(crate) request_id: &'a str,
    /// The worker's name, as an endpoint's line has its operation.
    pub(crate) operation: &'a str,
    pub(crate) duration_ms: f64,
    pub(crate) round_trips: u64,
    pub(crate) read_units: f64,
    pub(crate) write_units: f64,
    pub(crate) counts: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) finished: Option<bool>,
    /// What went wrong, for each message of a queue that did not go well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) causes: Vec<String>,
}
