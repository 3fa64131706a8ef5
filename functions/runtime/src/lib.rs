//! What every Lambda has: its main, and its log line.

pub mod log;
mod run;

pub use run::{BoxError, BoxFuture, Handler, Invocation, run};
