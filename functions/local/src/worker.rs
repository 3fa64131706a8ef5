//! `local worker`: what a schedule does in production, on demand.

use std::convert::Infallible;
use std::error::Error;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time;
use workers::Worker;
use workers::table::{RUN_CLOCK, TALLIES, WORKERS};

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
    work(&TALLIES, dynamodb_url, s3_url).await
}

async fn work(worker: &'static Worker, dynamodb_url: &str, s3_url: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
    let connected = workers::connect(worker, &local::settings(dynamodb_url, s3_url)).await?;
    let invoked = connected.invoke("{}", "local", Timestamp::now(), Duration::from_secs(worker.timeout.into())).await;
    invoked.answer.map(drop)
}

/// Does each minute what the schedule has done each minute in production, as far as the demo shows it: counting, and going on with runs.
pub async fn keep_working(dynamodb_url: String, s3_url: String) -> Infallible {
    loop {
        time::sleep(Duration::from_secs(60)).await;
        for worker in [&TALLIES, &RUN_CLOCK] {
            // What was not done now is done the next time.
            drop(work(worker, &dynamodb_url, &s3_url).await);
        }
    }
}
