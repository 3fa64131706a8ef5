//! One JSON line an event. It tells operations, times and costs; never who asked for what.

use std::io::Write as _;
use std::sync::LazyLock;
use std::time::Instant;

use serde::{Serialize, Serializer};

/// What storage calls of one event cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Calls to DynamoDB.
    pub round_trips: u64,
    pub read_units: f64,
    pub write_units: f64,
    /// The tenant that the event was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The tenant that has used up four fifths of its mails of the day, if a mail was asked for after them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail_day_nearly_full: Option<String>,
    /// How many runs were left out of a list, or left open, because only a newer version can read them.
    #[serde(skip_serializing_if = "is_none")]
    pub of_newer_version: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The line; an endpoint and a worker have more to say, each its own.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line<'a, T> {
    /// Whether operations should look at it.
    #[serde(rename = "level", serialize_with = "level")]
    pub failed: bool,
    /// The platform's id of the event.
    pub request_id: &'a str,
    /// The endpoint's operation id, or the worker's name.
    pub operation: &'a str,
    /// The time at which the event came.
    #[serde(rename = "durationMs", serialize_with = "milliseconds")]
    pub began: Instant,
    /// Which commit the function was built from, see [`version`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<&'static str>,
    /// The cost of storage.
    #[serde(flatten)]
    pub cost: Cost,
    /// The further fields of the line.
    #[serde(flatten)]
    pub more: T,
}

impl<T: Serialize> Line<'_, T> {
    /// The line as of now.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What the deployment says in `VERSION`; none: it is no deployment.
pub fn version() -> Option<&'static str> {
    static VERSION: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("VERSION").ok());
    VERSION.as_deref()
}

fn level<S: Serializer>(failed: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *failed { "error" } else { "info" })
}

/// Since then, to a tenth.
fn milliseconds<S: Serializer>(began: &Instant, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((began.elapsed().as_secs_f64() * 10_000.0).round() / 10.0)
}

/// Writes a line to standard output, which the platform collects.
pub fn write(line: &str) {
    // That the log cannot be written could be reported nowhere.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_deployment_says_its_version() {
        let line = |version| Line {
            failed: false,
            request_id: "r",
            operation: "o",
            began: Instant::now(),
            version,
            cost: Cost::default(),
            more: (),
        };
        assert!(line(Some("0123456789ab")).json().contains(r#""version":"0123456789ab""#));
        assert!(!line(None).json().contains("version"));
    }
}
