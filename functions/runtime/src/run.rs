//! The main of every Lambda.

use std::error::Error;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::value::RawValue;

use crate::log;

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed error.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Time that the reply needs on its way out before the platform kills the function.
const MARGIN: Duration = Duration::from_millis(500);

/// A Lambda as the platform sees it: an event comes in, an answer goes out.
pub trait Handler: Send + Sync {
    /// Answers one event; an error tells the platform that the event was not dealt with.
    fn handle(&self, event: Box<RawValue>, invocation: Invocation) -> BoxFuture<'static, Result<Box<RawValue>, BoxError>>;
}

/// What the platform says about one event.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The platform's id of it.
    pub request_id: String,
    /// The time left for the answer.
    pub time_left: Duration,
}

/// Starts the handler and hands it events until the platform stops the process.
///
/// Not generic, and on one thread: a Lambda has one event at a time, and one instance of the runtime's code serves all binaries.
pub fn run(start: BoxFuture<'static, Result<Arc<dyn Handler>, BoxError>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ended = runtime.map_err(BoxError::from).and_then(|runtime| runtime.block_on(serve(start)));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::write(&serde_json::json!({"level": "error", "operation": "start", "cause": error.to_string()}).to_string());
            ExitCode::FAILURE
        }
    }
}

async fn serve(start: BoxFuture<'static, Result<Arc<dyn Handler>, BoxError>>) -> Result<(), BoxError> {
    let handler = start.await?;
    let service = service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        let LambdaEvent { payload, context } = event;
        handler.handle(payload, Invocation { request_id: context.request_id, time_left: time_left(context.deadline) })
    });
    lambda_runtime::run(service).await
}

/// How long an answer may take that the platform wants before `deadline` (milliseconds since 1970).
fn time_left(deadline: u64) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_millis(deadline).saturating_sub(now).saturating_sub(MARGIN)
}
