//! What stands between the functions and AWS and can break each call: an HTTP proxy.

use std::cell::Cell;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What becomes of a call.
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
    /// The connection breaks before the call has arrived.
    Lost,
    /// The connection breaks after the call was carried out.
    AnswerLost,
    /// AWS leaves out everything that it was asked for in a batch.
    LeftOver,
}

/// A call of AWS.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The action, such as `GetItem`, or method and first part of the path.
    pub action: String,
    is_dynamodb: bool,
    /// The body, if it is JSON.
    body: Value,
}

impl Asked {
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
        let dynamodb = |status: u16, code: &str, mut body: Value| {
            body["__type"] = json!(format!("com.amazonaws.dynamodb.v20120810#{code}"));
            body["message"] = json!("scripted");
            (status, code.to_owned(), body.to_string())
        };
        // The code in the header is that of REST and JSON, the one in the body that of S3.
        let other =
            |status: u16, code: &str| (status, code.to_owned(), format!("<Error><Code>{code}</Code><Message>scripted</Message></Error>"));
        let (status, code, body) = match (fate, self.is_dynamodb) {
            (Fate::Throttled, true) => dynamodb(400, "ProvisionedThroughputExceededException", json!({})),
            (Fate::Throttled, false) => other(503, "SlowDown"),
            (Fate::Fails, true) => dynamodb(500, "InternalServerError", json!({})),
            (Fate::Fails, false) => other(500, "InternalError"),
            (Fate::Conflicts, _) if self.action == "TransactWriteItems" => {
                let mut reasons = vec![json!({ "Code": "None" }); self.body["TransactItems"].as_array().map_or(1, Vec::len)];
                reasons[0] = json!({ "Code": "TransactionConflict" });
                dynamodb(400, "TransactionCanceledException", json!({ "CancellationReasons": reasons }))
            }
            (Fate::Conflicts, _) => dynamodb(400, "TransactionConflictException", json!({})),
            (Fate::LeftOver, _) => {
                let left = if self.action == "BatchGetItem" { "UnprocessedKeys" } else { "UnprocessedItems" };
                (200, String::new(), json!({ "Responses": {}, left: self.body["RequestItems"] }).to_string())
            }
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

/// A proxy before DynamoDB and the other services. It ends when it is dropped.
pub struct Proxy {
    pub url: String,
    state: Arc<Mutex<State>>,
    serving: JoinHandle<()>,
}

impl Proxy {
    pub async fn start(dynamodb_url: String, other_url: String, textract_url: String) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::<Mutex<State>>::default();
        let way = Arc::new(Way { dynamodb_url, other_url, textract_url, http: reqwest::Client::new(), state: state.clone() });
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
        Self { url, state, serving }
    }

    /// From now on calls meet what the script says; it gets how many there were before.
    pub fn play(&self, script: impl FnMut(usize, &Asked) -> Fate + Send + 'static) {
        *self.state.lock().unwrap() = State { script: Some(Box::new(script)), asked: Vec::new() };
    }

    /// The calls since the script began, which ends here.
    pub fn stop(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.state.lock().unwrap()).asked
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

struct Way {
    dynamodb_url: String,
    other_url: String,
    textract_url: String,
    http: reqwest::Client,
    state: Arc<Mutex<State>>,
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
        let target = head.headers.get("x-amz-target").and_then(|target| target.to_str().ok()).unwrap_or_default();
        let is_dynamodb = target.starts_with("DynamoDB");
        let action = match target.rsplit_once('.') {
            Some((_, action)) => action.to_owned(),
            None => format!("{} /{}", head.method, head.uri.path().split('/').nth(1).unwrap_or_default()),
        };
        let fate = {
            let State { script, asked } = &mut *self.state.lock().unwrap();
            match script {
                Some(script) => {
                    let call = Asked { action, is_dynamodb, body: serde_json::from_slice(&body).unwrap_or_default() };
                    let fate = script(asked.len(), &call);
                    asked.push(call.clone());
                    if let Some(answer) = call.answer(fate) {
                        return Ok(answer);
                    }
                    fate
                }
                None => Fate::Works,
            }
        };
        match fate {
            Fate::Hangs => std::future::pending().await,
            Fate::Lost => return Err(Broken),
            _ => {}
        }
        let base = match target.split_once('.') {
            Some((service, _)) if service.starts_with("DynamoDB") => &self.dynamodb_url,
            Some(("Textract", _)) => &self.textract_url,
            _ => &self.other_url,
        };
        let url = format!("{base}{}", head.uri.path_and_query().map_or("/", |path| path.as_str()));
        // The host stays as it was: it is signed.
        let mut headers = head.headers;
        headers.remove(CONNECTION);
        headers.remove(TRANSFER_ENCODING);
        let _with_aws = WithAws::begin();
        let answer = self.http.request(head.method, url).headers(headers).body(body).send().await.map_err(|_| Broken)?;
        if fate == Fate::AnswerLost {
            return Err(Broken);
        }
        let mut passed = Response::builder().status(answer.status());
        for (name, value) in answer.headers() {
            if ![CONNECTION, TRANSFER_ENCODING, CONTENT_LENGTH].contains(name) {
                passed = passed.header(name, value);
            }
        }
        let body = answer.bytes().await.map_err(|_| Broken)?;
        Ok(passed.body(Full::new(body)).unwrap())
    }
}
