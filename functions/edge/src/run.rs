//! The main of every Lambda.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lambda_http::{LambdaEvent, lambda_runtime, service_fn};
use serde_json::value::{RawValue, to_raw_value};

use crate::log;
use crate::service::{BoxFuture, SharedService, invoke};

/// What stops a function.
pub type Fault = Box<dyn Error + Send + Sync>;

/// Time that the reply needs on its way out before the platform kills the function.
const MARGIN: Duration = Duration::from_millis(500);

/// A Lambda as the platform sees it: an event comes in, an answer goes out.
pub trait Listener: Send + Sync {
    /// Answers one event; a fault tells the platform that the event was not dealt with.
    fn hear(&self, event: Box<RawValue>, invocation: Invocation) -> BoxFuture<'static, Result<Box<RawValue>, Fault>>;
}

/// What the platform says about one event.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The platform's id of it.
    pub request_id: String,
    /// How long the answer may take.
    pub time_left: Duration,
}

/// The main of a Lambda that answers requests, see [`listen`].
pub fn run(start: BoxFuture<'static, Result<SharedService, Fault>>) -> ExitCode {
    listen(Box::pin(async move { Ok(Arc::new(Requests(start.await?)) as Arc<dyn Listener>) }))
}

/// Starts the listener and hands it events until the platform stops the process.
///
/// Not generic, and on one thread: a Lambda has one event at a time, and one instance of the runtime's code serves all binaries.
pub fn listen(start: BoxFuture<'static, Result<Arc<dyn Listener>, Fault>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ended = runtime.map_err(Fault::from).and_then(|runtime| runtime.block_on(serve(start)));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            log::write(&serde_json::json!({"level": "error", "operation": "start", "cause": fault.to_string()}).to_string());
            ExitCode::FAILURE
        }
    }
}

async fn serve(start: BoxFuture<'static, Result<Arc<dyn Listener>, Fault>>) -> Result<(), Fault> {
    let listener = start.await?;
    let handler = service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        let LambdaEvent { payload, context } = event;
        listener.hear(payload, Invocation { request_id: context.request_id, time_left: time_left(context.deadline) })
    });
    lambda_runtime::run(handler).await
}

/// Events that are requests.
struct Requests(SharedService);

impl Listener for Requests {
    fn hear(&self, event: Box<RawValue>, invocation: Invocation) -> BoxFuture<'static, Result<Box<RawValue>, Fault>> {
        let service = self.0.clone();
        Box::pin(async move {
            let reply = invoke(&*service, event.get(), &invocation.request_id, Some(invocation.time_left)).await;
            Ok(to_raw_value(&reply)?)
        })
    }
}

/// How long an answer may take that the platform wants before `deadline` (milliseconds since 1970).
fn time_left(deadline: u64) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_millis(deadline).saturating_sub(now).saturating_sub(MARGIN)
}
