//! What every Lambda has: its main, and its log line.

pub mod log;
pub mod metrics;
mod run;

pub use run::{BoxError, BoxFuture, Handler, Invocation, run};
