//! Stands between a worker and AWS: answers like IAM, notes what was used, and breaks off at a given call.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::State;
use axum::http::{Method, Request, Response, StatusCode, request::Parts};
use serde_json::Value;

/// An IAM action on a kind of resource.
pub type Permission = (String, &'static str);

/// Where a worker is stopped: at its how manieth call, before or after the call has had its effect.
#[derive(Debug, Clone, Copy)]
pub struct Stop {
    pub call: usize,
    pub after: bool,
}

pub struct Guard {
    pub calls: AtomicUsize,
    /// Which of the calls changed something.
    pub writes: Mutex<Vec<usize>>,
    pub used: Mutex<BTreeSet<Permission>>,
    granted: BTreeSet<Permission>,
    stop: Option<Stop>,
    http: reqwest::Client,
}

impl Guard {
    pub fn new(granted: BTreeSet<Permission>, stop: Option<Stop>) -> Arc<Self> {
        let http = reqwest::Client::builder().no_gzip().build().unwrap();
        Arc::new(Self { calls: AtomicUsize::new(0), writes: Mutex::default(), used: Mutex::default(), granted, stop, http })
    }

    /// Its address for what is at `upstream`.
    pub async fn before(self: &Arc<Self>, upstream: &str) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let app = axum::Router::new().fallback(pass).with_state((self.clone(), upstream.to_owned()));
        tokio::spawn(async move { axum::serve(listener, app).await });
        address
    }
}

fn denied() -> Response<Body> {
    let body = Body::from(r#"{"__type": "com.amazon.coral.service#AccessDeniedException"}"#);
    Response::builder().status(StatusCode::FORBIDDEN).body(body).unwrap()
}

async fn pass(State((guard, upstream)): State<(Arc<Guard>, String)>, request: Request<Body>) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let call = guard.calls.fetch_add(1, Ordering::SeqCst);
    if let Some(Stop { call: at, after: false }) = guard.stop
        && call >= at
    {
        return denied();
    }
    for permission in needed(&parts, &body) {
        if ["Put", "Update", "Delete"].iter().any(|verb| permission.0.split(':').nth(1).unwrap().starts_with(verb)) {
            guard.writes.lock().unwrap().push(call);
        }
        // Whoever needs it fails; opening a connection does not.
        if !guard.granted.contains(&permission) {
            return denied();
        }
        guard.used.lock().unwrap().insert(permission);
    }
    // The host stays the guard's, because it is signed.
    let url = format!("{upstream}{}", parts.uri);
    let sent = guard.http.request(parts.method, url).headers(parts.headers).body(body).send().await.unwrap();
    if guard.stop.is_some_and(|stop| stop.after && call >= stop.call) {
        return denied();
    }
    let mut response = Response::builder().status(sent.status());
    *response.headers_mut().unwrap() = sent.headers().clone();
    response.body(Body::from(sent.bytes().await.unwrap())).unwrap()
}

/// What IAM would ask for: of a transaction, the actions of its parts.
fn needed(parts: &Parts, body: &[u8]) -> Vec<Permission> {
    if let Some(target) = parts.headers.get("x-amz-target") {
        let (service, operation) = target.to_str().unwrap().rsplit_once('.').unwrap();
        if service == "AmazonSSM" {
            return vec![(format!("ssm:{operation}"), "webhookSecrets")];
        }
        let body: Value = serde_json::from_slice(body).unwrap();
        if operation != "TransactWriteItems" {
            let resource = if body["IndexName"].is_string() { "tableIndex" } else { "table" };
            return vec![(format!("dynamodb:{operation}"), resource)];
        }
        let kinds = body["TransactItems"].as_array().unwrap().iter().flat_map(|item| item.as_object().unwrap().keys());
        return kinds.map(|kind| (format!("dynamodb:{kind}Item"), "table")).collect();
    }
    let query = parts.uri.query().unwrap_or_default();
    let key = parts.uri.path().trim_start_matches('/').split_once('/').map(|(_, key)| key).unwrap_or_default();
    match (&parts.method, key.split('/').next().unwrap_or_default()) {
        (&Method::GET, "") if query.split('&').any(|part| part.trim_end_matches('=') == "versions") => {
            vec![("s3:ListBucketVersions".into(), "photoBucket")]
        }
        (&Method::GET, "") => vec![("s3:ListBucket".into(), "photoBucket")],
        (&Method::DELETE, folder) => {
            let action = if query.contains("versionId=") { "s3:DeleteObjectVersion" } else { "s3:DeleteObject" };
            vec![(action.into(), if folder == "uploads" { "uploads" } else { "photos" })]
        }
        (method, _) => panic!("no worker should call {method} {}", parts.uri),
    }
}
