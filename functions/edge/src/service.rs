//! What one function does, as the boundary sees it, and how an event gets its reply.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use http::{Method, header};
use runtime::log::{self, Cost, Line};
use runtime::metrics::{self, Metrics};
use runtime::{BoxError, BoxFuture, Handler, Invocation};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::event::{self, Reply};
use crate::render::{self, Wish};
use crate::{Answer, Code, Problem, Request, SecurityEvent};

/// A request that is being answered.
pub struct Running {
    /// The operation id, for the log.
    pub operation: &'static str,
    /// Whether its calls are counted for each tenant.
    pub is_counted: bool,
    /// The codes that the operation's document lists.
    pub problems: Vec<Code>,
    pub answer: BoxFuture<'static, Result<Answer, Problem>>,
    /// What storage has cost so far.
    pub cost: Box<dyn Fn() -> Cost + Send>,
}

/// A function: one Lambda. It is a trait object everywhere, so that the runtime is compiled once and not once a binary.
pub trait Service: Send + Sync {
    /// Begins to answer a request.
    fn call(&self, request: Request) -> Running;

    /// Takes the line of a request that was answered.
    fn log(&self, line: &str) {
        log::write(line);
    }
}

/// A service that can be shared.
pub type SharedService = Arc<dyn Service>;

/// What the log line of a request has besides.
#[derive(Debug, Serialize)]
struct Outcome<'a> {
    status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a str>,
    #[serde(flatten)]
    security: Option<SecurityEvent>,
    #[serde(flatten)]
    noted: BTreeMap<&'static str, Value>,
    #[serde(flatten)]
    metrics: Metrics,
}

/// Events that are requests.
struct Requests(SharedService);

impl Handler for Requests {
    fn handle(&self, event: Box<RawValue>, invocation: Invocation) -> BoxFuture<'static, Result<Box<RawValue>, BoxError>> {
        let service = self.0.clone();
        Box::pin(async move {
            let reply = invoke(&*service, event.get(), &invocation.request_id, Some(invocation.time_left)).await;
            Ok(to_raw_value(&reply)?)
        })
    }
}

/// The main of a Lambda that answers requests.
pub fn run(start: BoxFuture<'static, Result<SharedService, BoxError>>) -> ExitCode {
    runtime::run(Box::pin(async move { Ok(Arc::new(Requests(start.await?)) as Arc<dyn Handler>) }))
}

/// Seconds after which a request is worth trying again that was not answered in time.
const RETRY_AFTER: u64 = 2;

/// Answers one event of payload format 2.0.
///
/// `request_id` is the platform's id of the invocation. After `time_left` the answer is 503, even if the service is still at work.
pub async fn invoke(service: &dyn Service, event: &str, request_id: &str, time_left: Option<Duration>) -> Reply {
    let began = Instant::now();
    let (running, accepts_gzip, is_head) = match event::request(event, request_id, time_left) {
        Ok(request) => {
            let accepts_gzip = accepts_gzip(request.header(header::ACCEPT_ENCODING).unwrap_or_default());
            let is_head = request.method == Method::HEAD;
            (service.call(request), accepts_gzip, is_head)
        }
        Err(error) => (unreadable(&error.to_string()), false, false),
    };
    let Running { operation, is_counted, problems, answer, cost } = running;
    let result = match time_left {
        Some(limit) => tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| Err(too_late())),
        None => answer.await,
    };

    let (code, cause, security, noted) = match &result {
        Ok(answer) => (None, answer.cause.clone(), answer.event.clone(), answer.noted.clone()),
        Err(problem) => (Some(problem.code()), problem.cause().map(str::to_owned), problem.event().cloned(), None),
    };
    debug_assert!(code.is_none_or(|code| problems.contains(&code)), "{operation} answers {code:?}, which its document does not list");
    let reply = render::reply(result, &Wish { request_id, accepts_gzip, is_head });
    let (status, cost) = (reply.status_code, cost());
    let (failed, succeeded) = (status >= 500, is_counted.then_some(status < 400));
    let metrics = Metrics::of(metrics::namespace(), SystemTime::now(), cost.tenant.is_some(), failed, succeeded);
    let noted = noted.into_iter().collect();
    let more = Outcome { status, code: code.map(Code::as_str), cause: cause.as_deref(), security, noted, metrics };
    service.log(&Line { failed, request_id, operation, began, version: log::version(), cost, more }.json());
    reply
}

fn unreadable(cause: &str) -> Running {
    let problem = Problem::new(Code::MalformedRequest).with_cause(cause);
    Running {
        operation: "unreadable",
        is_counted: false,
        problems: vec![Code::MalformedRequest],
        answer: Box::pin(std::future::ready(Err(problem))),
        cost: Box::new(Cost::default),
    }
}

fn too_late() -> Problem {
    Problem::new(Code::TemporarilyUnavailable).with_retry_after(RETRY_AFTER).with_cause("there was no answer in time")
}

/// Whether `Accept-Encoding` names gzip and does not weigh it with zero.
fn accepts_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let refused = parts.any(|weight| weight.strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()) == Some(0.0));
        named && !refused
    })
}
