//! The main of every Lambda.

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lambda_http::{LambdaEvent, lambda_runtime, service_fn};
use serde_json::value::RawValue;

use crate::log;
use crate::service::{BoxFuture, SharedService, invoke};

/// What stops a function.
pub type Fault = Box<dyn Error + Send + Sync>;

/// Time that the reply needs on its way out before the platform kills the function.
const MARGIN: Duration = Duration::from_millis(500);

/// Starts the service and answers events until the platform stops the process.
///
/// Not generic, and on one thread: a Lambda has one request at a time, and one instance of the runtime's code serves all binaries.
pub fn run(start: BoxFuture<'static, Result<SharedService, Fault>>) -> ExitCode {
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

async fn serve(start: BoxFuture<'static, Result<SharedService, Fault>>) -> Result<(), Fault> {
    let service = start.await?;
    let handler = service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        let service = service.clone();
        async move {
            let LambdaEvent { payload, context } = event;
            let reply = invoke(&*service, payload.get(), &context.request_id, Some(time_left(context.deadline))).await;
            Ok::<_, Fault>(reply)
        }
    });
    lambda_runtime::run(handler).await
}

/// How long an answer may take that the platform wants before `deadline` (milliseconds since 1970).
fn time_left(deadline: u64) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_millis(deadline).saturating_sub(now).saturating_sub(MARGIN)
}
