//! `local worker`: what a schedule does in production, on demand.

use std::time::Duration;

use jiff::Timestamp;
use workers::table::WORKERS;

use crate::{Outcome, Ports, tell};

/// Runs the worker once and prints its log line.
pub async fn run(ports: Ports, name: &str) -> Outcome {
    let worker = WORKERS.iter().find(|worker| worker.name == name).ok_or("there is no such worker")?;
    let url = |port: u16| format!("http://127.0.0.1:{port}");
    let settings = local::settings(&url(ports.dynamodb_port), &url(ports.s3_port));
    let connected = workers::connect(worker, &settings).await?;
    let invoked = connected.invoke("{}", "local", Timestamp::now(), Duration::from_secs(worker.timeout.into())).await;
    tell(invoked.line);
    invoked.answer.map(drop).map_err(|fault| format!("{fault}; is `make dev` running?").into())
}
