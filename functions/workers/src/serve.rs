//! A worker with its clients, and what it does with an event of the platform.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent};
use grants::Clients;
use grants::settings::{Settings, StartError};
use jiff::Timestamp;
use runtime::log::{self, Line};
use runtime::{BoxError, BoxFuture, Handler, Invocation};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::run::{Run, Tally};
use crate::worker::{Message, Taken, Trigger, Worker};

/// What the longest step of a worker takes: a run that has less time left begins none.
const LONGEST_STEP: Duration = Duration::from_secs(20);

/// What the schedule sends, as the infrastructure says it.
pub const BY_CLOCK: &str = r#"{"byClock":true}"#;

/// The event that started a run.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Call {
    by_clock: bool,
}

/// The main of a worker's Lambda.
pub fn serve(worker: &'static Worker) -> ExitCode {
    runtime::run(Box::pin(async move {
        let settings = Settings::from_env()?;
        Ok(Arc::new(connect(worker, &settings).await?) as Arc<dyn Handler>)
    }))
}

/// The worker with the clients that its grants give and no other.
///
/// # Errors
/// [`StartError`] when a setting is missing or wrong.
pub async fn connect(worker: &'static Worker, settings: &Settings) -> Result<Connected, StartError> {
    let grants: Vec<_> = worker.grants.iter().collect();
    Ok(Connected { worker, clients: Clients::connect(&grants, settings).await? })
}

/// A worker that can run.
#[derive(Clone)]
pub struct Connected {
    worker: &'static Worker,
    clients: Clients,
}

/// The outcome of an event.
pub struct Invoked {
    /// The answer to the platform.
    pub answer: Result<Box<RawValue>, BoxError>,
    /// The log line.
    pub line: String,
}

/// What the log line of a run has besides: counts, never whose data it was.
#[derive(Serialize)]
struct More<'a> {
    counts: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<bool>,
    /// What went wrong, for each message of a queue that did not go well.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    causes: &'a [String],
    /// Why messages were given up that trying again cannot help.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    dropped: &'a [String],
}

/// What became of it, before the platform is told.
struct Outcome {
    answer: Result<Box<RawValue>, BoxError>,
    tally: Option<Tally>,
    causes: Vec<String>,
    dropped: Vec<String>,
}

impl Connected {
    /// Deals with one event: a batch of messages, the schedule's call, or the call of a person, whose content does not matter.
    pub async fn invoke(&self, event: &str, request_id: &str, now: Timestamp, time_left: Duration) -> Invoked {
        let began = Instant::now();
        let (clients, cost) = self.clients.metered();
        let Outcome { answer, tally, causes, dropped } = match self.worker.trigger {
            Trigger::Queue { take, .. } => take_batch(take, event, &clients, now, began + time_left).await,
            Trigger::Schedule { work, .. } => {
                let Call { by_clock } = serde_json::from_str(event).unwrap_or_default();
                let run = Run { clients, now, by_clock, began, ends: began + time_left.saturating_sub(LONGEST_STEP) };
                let tally = work(run).await.unwrap_or_else(Tally::of);
                let answer = tally.fault.clone().map_or_else(nothing, |fault| Err(fault.into()));
                Outcome { answer, causes: tally.fault.iter().cloned().collect(), tally: Some(tally), dropped: Vec::new() }
            }
        };
        let finished = tally.as_ref().map(|tally| tally.finished);
        let more = More { counts: tally.map(|tally| tally.counts).unwrap_or_default(), finished, causes: &causes, dropped: &dropped };
        let line = Line {
            failed: !causes.is_empty(),
            request_id,
            operation: self.worker.name,
            began,
            version: log::version(),
            cost: cost(),
            more,
        }
        .json();
        Invoked { answer, line }
    }
}

fn nothing() -> Result<Box<RawValue>, BoxError> {
    Ok(to_raw_value(&())?)
}

/// Deals with each message by itself. Those that did not go well, or for which no time was left, come back.
async fn take_batch(
    take: fn(Message) -> BoxFuture<'static, Result<Taken, BoxError>>,
    event: &str,
    clients: &Clients,
    now: Timestamp,
    ends: Instant,
) -> Outcome {
    let (mut causes, mut dropped) = (Vec::new(), Vec::new());
    let event: SqsEvent = match serde_json::from_str(event) {
        Ok(event) => event,
        Err(_) => {
            let fault = "the event is no batch of a queue";
            return Outcome { answer: Err(fault.into()), tally: None, causes: vec![fault.to_owned()], dropped };
        }
    };
    let mut failed = SqsBatchResponse::default();
    let mut tally = Tally::default();
    for message in event.records {
        let body = message.body.unwrap_or_default();
        let taken = take(Message { clients: clients.clone(), body, now, ends: ends.checked_sub(LONGEST_STEP).unwrap_or(ends) });
        let left = ends.saturating_duration_since(Instant::now());
        match tokio::time::timeout(left, taken).await.unwrap_or_else(|_| Err("there was no time left".into())) {
            Ok(Taken::Done) => tally.add("messages", 1),
            Ok(Taken::Dropped(reason)) => {
                tally.add("dropped", 1);
                dropped.push(reason);
            }
            Err(fault) => {
                tally.add("failed", 1);
                causes.push(fault.to_string());
                failed.add_failure(message.message_id.unwrap_or_default());
            }
        }
    }
    tally.finished = failed.batch_item_failures.is_empty();
    Outcome { answer: to_raw_value(&failed).map_err(BoxError::from), tally: Some(tally), causes, dropped }
}

impl Handler for Connected {
    fn handle(&self, event: Box<RawValue>, invocation: Invocation) -> BoxFuture<'static, Result<Box<RawValue>, BoxError>> {
        let worker = self.clone();
        Box::pin(async move {
            let Invocation { request_id, time_left } = invocation;
            let Invoked { answer, line } = worker.invoke(event.get(), &request_id, Timestamp::now(), time_left).await;
            log::write(&line);
            answer
        })
    }
}
