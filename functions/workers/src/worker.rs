//! The shape of a row of the worker table.

use std::collections::BTreeSet;
use std::time::Instant;

use grants::{Clients, Grant};
use jiff::Timestamp;
use runtime::{BoxError, BoxFuture};
use serde_json::{Value, json};

use crate::run::{Run, Tally};

pub struct Worker {
    /// Its Lambda: the name of a file in `src` and in `lambdas/src/workers`.
    pub name: &'static str,
    /// What it does, as the deployment shows it.
    pub description: &'static str,
    /// The event that starts it, and its code.
    pub trigger: Trigger,
    /// The actions that it may do.
    pub grants: &'static [Grant],
    /// Megabytes; computing power grows with it.
    pub memory: u32,
    /// Seconds after which the platform ends a run.
    pub timeout: u32,
}

/// The events that start a worker.
pub enum Trigger {
    /// Messages of the queue that bears the worker's name.
    Queue {
        /// Most messages of one run.
        batch: u32,
        /// Deals with one message; a fault brings it back later, and in the end to the dead letters.
        take: fn(Message) -> BoxFuture<'static, Result<Taken, BoxError>>,
    },
    /// The clock.
    Schedule {
        /// When, as EventBridge Scheduler writes it, in UTC.
        expression: &'static str,
        work: fn(Run) -> BoxFuture<'static, Result<Tally, BoxError>>,
    },
}

/// One message of a queue.
pub struct Message {
    /// The clients that the worker's grants gave it.
    pub clients: Clients,
    /// The text that was sent.
    pub body: String,
    pub now: Timestamp,
    /// What is begun then and later may not come to its end.
    pub ends: Instant,
}

/// What became of a message that does not come back.
pub enum Taken {
    /// It was dealt with.
    Done,
    /// It was none that can be dealt with, for this reason, which holds nothing of it.
    Dropped(String),
}

/// The list of workers for the deployment, `infra/workers.json`.
pub fn infrastructure(workers: &[&Worker]) -> Value {
    let row = |worker: &&Worker| {
        let environment: BTreeSet<&str> = worker.grants.iter().flat_map(|grant| grant.environment).copied().collect();
        let trigger = match worker.trigger {
            Trigger::Queue { batch, .. } => json!({"queue": {"batch": batch}}),
            Trigger::Schedule { expression, .. } => json!({"schedule": expression}),
        };
        json!({
            "name": worker.name,
            "description": worker.description,
            "trigger": trigger,
            "memory": worker.memory,
            "timeout": worker.timeout,
            "grants": worker.grants.iter().map(|grant| json!({"actions": grant.actions, "resource": grant.resource})).collect::<Vec<_>>(),
            "environment": environment,
        })
    };
    Value::Array(workers.iter().map(row).collect())
}
