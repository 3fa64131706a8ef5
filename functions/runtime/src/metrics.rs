//! Metrics that CloudWatch takes out of a log line by itself: its embedded metric format. The line's own fields are their values and dimensions
//! (D-OPERATIONS-10).

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// A metric as the line names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Metric {
    /// A field of the line.
    pub name: &'static str,
    /// A unit of CloudWatch.
    pub unit: &'static str,
}

/// How long the answer took; the number of its samples is that of the requests.
pub const DURATION: Metric = Metric { name: "durationMs", unit: "Milliseconds" };
/// Answers with a fault of ours. Where there is none nothing is told, because a metric is paid for in each hour in which it is told.
pub const FAULTS: Metric = Metric { name: "faults", unit: "Count" };
/// 1: the caller got what was asked for; 0: a refusal, or a fault.
pub const SUCCEEDED: Metric = Metric { name: "succeeded", unit: "Count" };

/// Every metric of requests with what it may be told apart by. A tenant times an operation is paid for as often as there are tenants, so that
/// only a few operations have it.
pub const ALL: [(Metric, &[&[&str]]); 3] =
    [(DURATION, &[&[OPERATION], &[TENANT]]), (FAULTS, &[&[OPERATION], &[TENANT]]), (SUCCEEDED, &[&[OPERATION, TENANT]])];

/// Fields of the line.
const OPERATION: &str = "operation";
const TENANT: &str = "tenant";

/// What the deployment says in `METRICS`; on a developer's machine `local`.
pub fn namespace() -> &'static str {
    static NAMESPACE: LazyLock<String> = LazyLock::new(|| std::env::var("METRICS").unwrap_or_else(|_| "local".to_owned()));
    &NAMESPACE
}

/// The fields of a request's line that make it one of metrics.
#[derive(Debug, Serialize)]
pub struct Metrics {
    #[serde(rename = "_aws")]
    metadata: Metadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    succeeded: Option<u8>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata {
    /// Milliseconds since 1970.
    timestamp: u64,
    cloud_watch_metrics: Vec<Directive>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Directive {
    namespace: &'static str,
    dimensions: Vec<&'static [&'static str]>,
    metrics: Vec<Metric>,
}

impl Metrics {
    /// Of a request that was answered at `now`. `has_tenant`: the line has the field `tenant`. `succeeded`: of an operation that is counted for
    /// each tenant, whether the caller got what was asked for.
    pub fn of(namespace: &'static str, now: SystemTime, has_tenant: bool, failed: bool, succeeded: Option<bool>) -> Self {
        let succeeded = succeeded.filter(|_| has_tenant).map(u8::from);
        let told = |metric: &Metric| match metric.name {
            "faults" => failed,
            "succeeded" => succeeded.is_some(),
            _ => true,
        };
        let mut directives: Vec<Directive> = Vec::new();
        for (metric, apart) in ALL.iter().filter(|(metric, _)| told(metric)) {
            let dimensions: Vec<_> = apart.iter().copied().filter(|by| has_tenant || !by.contains(&TENANT)).collect();
            match directives.iter_mut().find(|other| other.dimensions == dimensions) {
                Some(other) => other.metrics.push(*metric),
                None => directives.push(Directive { namespace, dimensions, metrics: vec![*metric] }),
            }
        }
        let timestamp = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis().try_into().unwrap_or_default();
        Self { metadata: Metadata { timestamp, cloud_watch_metrics: directives }, faults: failed.then_some(1), succeeded }
    }
}
