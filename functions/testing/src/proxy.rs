//! What stands between the functions and AWS and can break each call: an HTTP proxy.

use std::cell::Cell;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{CONNECTION, CONTENT_LENGTH, HeaderMap, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, Uri};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::RwLock;
use tokio::task::JoinHandle;

use crate::recorded;

/// The fate of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It arrives, and so does its answer.
    Works,
    /// AWS asks to slow down.
    Throttled,
    /// AWS has a fault.
    Fails,
    /// Another transaction is at work on the same item.
    Conflicts,
    /// There is never an answer.
    Hangs,
    /// It arrives after this time, and so does its answer.
    Takes(Duration),
    /// The connection breaks before the call has arrived.
    Lost,
    /// The connection breaks after the call was carried out.
    AnswerLost,
    /// AWS leaves out everything that it was asked for in a batch.
    LeftOver,
    /// AWS does not allow it.
    Denied,
}

/// A call of AWS.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The action, such as `GetItem`, or method and second part of the path: of S3 what follows the bucket.
    pub action: String,
    /// What the header `x-amz-target` says, which REST does without.
    pub(crate) target: Option<String>,
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    /// The body, if it is JSON.
    pub(crate) body: Value,
}

impl Asked {
    fn new(head: &Parts, body: &[u8]) -> Self {
        let target = head.headers.get("x-amz-target").and_then(|target| target.to_str().ok()).map(str::to_owned);
        let action = match target.as_deref().and_then(|target| target.rsplit_once('.')) {
            Some((_, action)) => action.to_owned(),
            None => format!("{} /{}", head.method, head.uri.path().split('/').nth(2).unwrap_or_default()),
        };
        Self { action, target, method: head.method.clone(), uri: head.uri.clone(), body: serde_json::from_slice(body).unwrap_or_default() }
    }

    /// Under which condition something is written; none: it does not say.
    pub fn condition(&self) -> Option<&str> {
        self.body["ConditionExpression"].as_str()
    }

    /// Whether this stands in its address or its body.
    pub fn names(&self, what: &str) -> bool {
        self.uri.to_string().contains(what) || self.body.to_string().contains(what)
    }

    /// What comes before the action in the header `x-amz-target`, without its version.
    pub(crate) fn service(&self) -> Option<&str> {
        self.target.as_deref()?.split(['.', '_']).next()
    }

    fn is_dynamodb(&self) -> bool {
        self.service() == Some("DynamoDB")
    }

    /// Whether this can happen to it.
    pub fn can(&self, fate: Fate) -> bool {
        match fate {
            Fate::Conflicts => matches!(self.action.as_str(), "TransactWriteItems" | "PutItem" | "UpdateItem" | "DeleteItem"),
            Fate::LeftOver => self.action.starts_with("Batch"),
            _ => true,
        }
    }

    /// The answer of AWS, if the fate is one.
    fn answer(&self, fate: Fate) -> Option<Response<Full<Bytes>>> {
        let says = |(status, body): (u16, Value)| {
            let code = body["__type"].as_str().and_then(|kind| kind.rsplit('#').next()).unwrap_or_default();
            (status, code.to_owned(), body.to_string())
        };
        let dynamodb = |name: &str| says(recorded::dynamodb(name));
        // The code in the header is that of REST and JSON, the one in the body that of S3.
        let other =
            |status: u16, code: &str| (status, code.to_owned(), format!("<Error><Code>{code}</Code><Message>scripted</Message></Error>"));
        let (status, code, body) = match (fate, self.is_dynamodb()) {
            (Fate::Throttled, true) => dynamodb("throttled"),
            (Fate::Throttled, false) if self.uri.path().starts_with("/v2/email/") => {
                (429, "TooManyRequestsException".to_owned(), json!({ "message": "scripted" }).to_string())
            }
            (Fate::Throttled, false) => other(503, "SlowDown"),
            (Fate::Fails, true) => dynamodb("failed"),
            (Fate::Fails, false) => other(500, "InternalError"),
            (Fate::Conflicts, _) if self.action == "TransactWriteItems" => {
                let (status, mut body) = recorded::dynamodb("cancelled");
                let [none, conflict] = [0_usize, 1].map(|reason| body["CancellationReasons"][reason].clone());
                let mut reasons = vec![none; self.body["TransactItems"].as_array().map_or(1, Vec::len)];
                reasons[0] = conflict;
                body["CancellationReasons"] = json!(reasons);
                says((status, body))
            }
            (Fate::Conflicts, _) => dynamodb("conflict"),
            (Fate::LeftOver, _) => {
                let reads = self.action == "BatchGetItem";
                let (name, left) = if reads { ("readLeftOver", "UnprocessedKeys") } else { ("writeLeftOver", "UnprocessedItems") };
                let (status, mut body) = recorded::dynamodb(name);
                body[left] = self.body["RequestItems"].clone();
                says((status, body))
            }
            (Fate::Denied, true) => dynamodb("denied"),
            (Fate::Denied, false) => other(403, "AccessDenied"),
            _ => return None,
        };
        let answer = Response::builder().status(status).header("x-amzn-errortype", code);
        Some(answer.body(Full::new(body.into())).unwrap())
    }
}

thread_local! {
    static CAME: Cell<u64> = const { Cell::new(0) };
    static WITH_AWS: Cell<i64> = const { Cell::new(0) };
}

/// How many calls have come to the proxies of this thread, and how many of them AWS is busy with: for a test whose runtime is one thread.
pub fn traffic() -> (u64, i64) {
    (CAME.get(), WITH_AWS.get())
}

/// A call that AWS is busy with, until it is dropped.
struct WithAws;

impl WithAws {
    fn begin() -> Self {
        WITH_AWS.set(WITH_AWS.get() + 1);
        Self
    }
}

impl Drop for WithAws {
    fn drop(&mut self) {
        WITH_AWS.set(WITH_AWS.get() - 1);
    }
}

type Script = Box<dyn FnMut(usize, &Asked) -> Fate + Send>;

#[derive(Default)]
struct State {
    script: Option<Script>,
    asked: Vec<Asked>,
}

/// The address of AWS.
#[derive(Clone)]
pub struct Upstream {
    pub dynamodb_url: String,
    pub textract_url: String,
    /// Of all other services.
    pub other_url: String,
    http: reqwest::Client,
}

impl Upstream {
    pub fn new(dynamodb_url: &str, textract_url: &str, other_url: &str) -> Self {
        let [dynamodb_url, textract_url, other_url] = [dynamodb_url, textract_url, other_url].map(str::to_owned);
        Self { dynamodb_url, textract_url, other_url, http: reqwest::Client::new() }
    }
}

/// A proxy before DynamoDB and the other services. It ends when it is dropped.
pub struct Proxy {
    pub url: String,
    state: Arc<Mutex<State>>,
    /// Whether calls still get through; each holds it while AWS is busy with it.
    is_open: Arc<RwLock<bool>>,
    serving: JoinHandle<()>,
}

impl Proxy {
    pub async fn start(upstream: Upstream) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (state, is_open) = (Arc::<Mutex<State>>::default(), Arc::new(RwLock::new(true)));
        let way = Arc::new(Way { upstream, state: state.clone(), is_open: is_open.clone() });
        let serving = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let way = way.clone();
                let service = service_fn(move |request| {
                    let way = way.clone();
                    async move { way.pass(request).await }
                });
                // A connection that breaks is what we are here for.
                tokio::spawn(async move { drop(http1::Builder::new().serve_connection(TokioIo::new(stream), service).await) });
            }
        });
        Self { url, state, is_open, serving }
    }

    /// From now on calls meet what the script says; it gets how many there were before.
    pub fn play(&self, script: impl FnMut(usize, &Asked) -> Fate + Send + 'static) {
        *self.state.lock().unwrap() = State { script: Some(Box::new(script)), asked: Vec::new() };
    }

    /// The calls since the script began, which ends here.
    pub fn stop(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.state.lock().unwrap()).asked
    }

    /// Lets nothing through any more, and waits for what AWS is still busy with.
    pub async fn close(&self) {
        *self.is_open.write().await = false;
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

struct Way {
    upstream: Upstream,
    state: Arc<Mutex<State>>,
    is_open: Arc<RwLock<bool>>,
}

/// Breaks the connection.
#[derive(Debug, Clone, Copy)]
struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken on purpose")
    }
}

impl std::error::Error for Broken {}

impl Way {
    async fn pass(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Broken> {
        CAME.set(CAME.get() + 1);
        let (head, body) = request.into_parts();
        let body = body.collect().await.map_err(|_| Broken)?.to_bytes();
        let call = Asked::new(&head, &body);
        let fate = {
            let State { script, asked } = &mut *self.state.lock().unwrap();
            match script {
                Some(script) => {
                    asked.push(call.clone());
                    script(asked.len() - 1, &call)
                }
                None => Fate::Works,
            }
        };
        if let Some(answer) = call.answer(fate) {
            return Ok(answer);
        }
        match fate {
            Fate::Hangs => std::future::pending().await,
            Fate::Takes(time) => tokio::time::sleep(time).await,
            Fate::Lost => return Err(Broken),
            _ => {}
        }
        // In a task of its own: AWS carries out what has arrived there, whether or not its answer is still waited for.
        let answer =
            tokio::spawn(forward(self.upstream.clone(), self.is_open.clone(), call, head.headers, body)).await.map_err(|_| Broken)?;
        if fate == Fate::AnswerLost { Err(Broken) } else { answer }
    }
}

async fn forward(
    upstream: Upstream,
    is_open: Arc<RwLock<bool>>,
    call: Asked,
    mut headers: HeaderMap,
    body: Bytes,
) -> Result<Response<Full<Bytes>>, Broken> {
    let is_open = is_open.read().await;
    if !*is_open {
        return Err(Broken);
    }
    let base = match call.service() {
        Some("DynamoDB") => &upstream.dynamodb_url,
        Some("Textract") => &upstream.textract_url,
        _ => &upstream.other_url,
    };
    let url = format!("{base}{}", call.uri.path_and_query().map_or("/", |path| path.as_str()));
    // The host stays as it was: it is signed.
    headers.remove(CONNECTION);
    headers.remove(TRANSFER_ENCODING);
    let _with_aws = WithAws::begin();
    let answer = upstream.http.request(call.method, url).headers(headers).body(body).send().await.map_err(|_| Broken)?;
    let mut passed = Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        if ![CONNECTION, TRANSFER_ENCODING, CONTENT_LENGTH].contains(name) {
            passed = passed.header(name, value);
        }
    }
    let body = answer.bytes().await.map_err(|_| Broken)?;
    Ok(passed.body(Full::new(body)).unwrap())
}
