//! One JSON line a request. It tells operations, codes, times and costs; never who asked for what.

use serde::Serialize;

/// The line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line<'a> {
    pub(crate) level: &'static str,
    pub(crate) request_id: &'a str,
    pub(crate) operation: &'a str,
    pub(crate) status: u16,
    pub(crate) duration_ms: f64,
    pub(crate) round_trips: u64,
    pub(crate) read_units: f64,
    pub(crate) write_units: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<&'a str>,
}

/// Writes a line to standard output, which the platform collects.
pub fn write(line: &str) {
    use std::io::Write as _;
    // Nobody could be told that the log cannot be written.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
