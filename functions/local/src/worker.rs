//! `local worker`: what a schedule does in production, on demand.

use std::convert::Infallible;
use std::error::Error;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time;
use workers::table::{TALLIES, WORKERS};

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

/// Counts what changed in the seasons since the last time.
///
/// # Errors
/// The worker's.
pub async fn count_seasons(dynamodb_url: &str, s3_url: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
    let connected = workers::connect(&TALLIES, &local::settings(dynamodb_url, s3_url)).await?;
    let invoked = connected.invoke("{}", "local", Timestamp::now(), Duration::from_secs(TALLIES.timeout.into())).await;
    invoked.answer.map(drop)
}

/// Counts them each minute, as the schedule does in production.
pub async fn keep_counting(dynamodb_url: String, s3_url: String) -> Infallible {
    loop {
        time::sleep(Duration::from_secs(60)).await;
        // What was not counted now is counted the next time.
        drop(count_seasons(&dynamodb_url, &s3_url).await);
    }
}
