//! From a handler's answer or problem to the reply, with the headers that every reply has.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::answer::Answer;
use crate::event::Reply;
use crate::problem::Problem;

/// JSON up to this length goes as it is: compressed it would not fit into fewer packets.
const COMPRESS_ABOVE: usize = 1024;

const EVERYWHERE: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=63072000")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// What the reply depends on beside the answer.
pub(crate) struct Wish<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) accepts_gzip: bool,
    pub(crate) is_head: bool,
}

/// The reply to an answer or a problem.
pub(crate) fn reply(result: Result<Answer, Problem>, wish: &Wish<'_>) -> Reply {
    let Answer { status, mut headers, mut body, cause: _, event: _, noted: _ } =
        result.unwrap_or_else(|problem| describe(&problem, wish.request_id));
    for (name, value) in EVERYWHERE {
        headers.insert(name, value);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Ok(id) = HeaderValue::from_str(wish.request_id) {
        headers.insert("x-request-id", id);
    }
    if is_json(&headers) {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if wish.accepts_gzip
            && body.len() > COMPRESS_ABOVE
            && let Ok(compressed) = gzip(&body)
        {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            body = compressed;
        }
    }
    if wish.is_head {
        body = Bytes::new();
    }
    Reply::new(status, &headers, body)
}

fn describe(problem: &Problem, request_id: &str) -> Answer {
    let code = problem.code();
    let answer = Answer::json(code.status(), &problem.body(request_id)).unwrap_or_else(|_| Answer::empty(code.status()));
    let mut answer = answer.with_content_type("application/problem+json");
    if code.status() == StatusCode::UNAUTHORIZED {
        answer.headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(seconds) = problem.retry_after() {
        answer.headers.insert(header::RETRY_AFTER, seconds.into());
    }
    if let Some(Ok(methods)) = problem.allow().map(HeaderValue::from_str) {
        answer.headers.insert(header::ALLOW, methods);
    }
    answer
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|media_type| media_type.ends_with("json"))
}

/// Four tenths fewer bytes of a list of jobs than the first level, and no slower; the levels above take longer for the last tenth.
const LEVEL: u32 = 4;

fn gzip(body: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::new(LEVEL));
    encoder.write_all(body)?;
    Ok(encoder.finish()?.into())
}
