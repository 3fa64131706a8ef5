//! The calls to DynamoDB, each counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Result;

/// The table, as the rest of the product sees it. Clones share one connection pool and one cache.
#[derive(Debug, Clone)]
pub struct Store {
    client: aws_sdk_dynamodb::Client,
    table: Arc<str>,
    meter: Arc<Meter>,
}

/// What the calls of one request cost.
#[derive(Debug, Default)]
pub struct Meter {
    round_trips: AtomicU64,
    read_half_units: AtomicU64,
    write_half_units: AtomicU64,
}

impl Meter {
    /// Calls that were answered.
    pub fn round_trips(&self) -> u64 {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// Consumed read units.
    pub fn read_units(&self) -> f64 {
        self.read_half_units.load(Ordering::Relaxed) as f64 / 2.0
    }

    /// Consumed write units.
    pub fn write_units(&self) -> f64 {
        self.write_half_units.load(Ordering::Relaxed) as f64 / 2.0
    }
}

impl Store {
    /// The table of this name.
    pub fn new(client: aws_sdk_dynamodb::Client, table: impl Into<String>) -> Self {
        Self { client, table: table.into().into(), meter: Arc::default() }
    }

    /// The same store with a meter of its own, for one request.
    pub fn metered(&self) -> (Self, Arc<Meter>) {
        let meter = Arc::<Meter>::default();
        (Self { meter: meter.clone(), ..self.clone() }, meter)
    }

    /// Opens the connection, so that the first request does not wait for it.
    pub async fn warm(&self) -> Result<()> {
        todo!("{}", self.table)
    }
}
