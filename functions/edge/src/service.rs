//! What one function does, as the boundary sees it.

use std::pin::Pin;
use std::sync::Arc;

use crate::{Answer, Code, Problem, Request};

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What storage calls of one request cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// Calls to DynamoDB.
    pub round_trips: u64,
    /// Read units.
    pub read_units: f64,
    /// Write units.
    pub write_units: f64,
}

/// A request that is being answered.
pub struct Running {
    /// The operation id, for the log.
    pub operation: &'static str,
    /// The codes that the operation's document lists.
    pub problems: Vec<Code>,
    /// The answer.
    pub answer: BoxFuture<'static, Result<Answer, Problem>>,
    /// What storage has cost so far.
    pub cost: Box<dyn Fn() -> Cost + Send>,
}

/// A function: one Lambda. It is a trait object everywhere, so that the runtime is compiled once and not once a binary.
pub trait Service: Send + Sync {
    /// Begins to answer a request.
    fn call(&self, request: Request) -> Running;
}

/// A service that can be shared.
pub type SharedService = Arc<dyn Service>;
