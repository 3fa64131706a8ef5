//! API Gateway's side: events and replies of payload format 2.0.
//!
//! The event is read by a shape of our own and not by `lambda_http`, whose conversion panics for a `Host` or `X-Forwarded-Proto` that
//! makes no URL: that may not take a function down, because anybody can send it.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde::{Deserialize, Serialize};

use crate::request::Request;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    raw_path: String,
    #[serde(default)]
    raw_query_string: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    request_context: RequestContext,
    body: Option<String>,
    #[serde(default)]
    is_base64_encoded: bool,
}

#[derive(Deserialize)]
struct RequestContext {
    http: Http,
    #[serde(default)]
    stage: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Http {
    method: String,
    #[serde(default)]
    source_ip: String,
}

/// The event is none of an HTTP API. The text is logged, so it says what is wrong and not what was there.
#[derive(Debug, thiserror::Error)]
#[error("the event is not of payload format 2.0: {0}")]
pub(crate) struct BadEvent(&'static str);

/// The request that an event carries.
pub(crate) fn request(event: &str, request_id: &str, time_left: Option<Duration>) -> Result<Request, BadEvent> {
    let event: Event = serde_json::from_str(event).map_err(|_| BadEvent("its JSON has another shape"))?;
    let path = without_stage(&event.raw_path, &event.request_context.stage).to_owned();
    let Http { method, source_ip } = event.request_context.http;
    let text = event.body.unwrap_or_default();
    let body = match event.is_base64_encoded {
        true => STANDARD.decode(text).map_err(|_| BadEvent("the body is not base64"))?.into(),
        false => Bytes::from(text),
    };
    Ok(Request {
        method: Method::from_bytes(method.as_bytes()).map_err(|_| BadEvent("the method is none"))?,
        path,
        query: event.raw_query_string,
        headers: event.headers.into_iter().filter_map(readable).collect::<HeaderMap>(),
        body,
        peer: source_ip.parse::<IpAddr>().ok(),
        request_id: request_id.to_owned(),
        time_left,
    })
}

/// A path without the name of the gateway's stage, which API Gateway leaves in front of it; the stage `$default` has none there.
fn without_stage<'a>(path: &'a str, stage: &str) -> &'a str {
    match stage {
        "" | "$default" => path,
        stage => path.strip_prefix('/').and_then(|rest| rest.strip_prefix(stage)).filter(|rest| rest.starts_with('/')).unwrap_or(path),
    }
}

fn readable((name, value): (String, String)) -> Option<(HeaderName, HeaderValue)> {
    Some((name.parse().ok()?, value.parse().ok()?))
}

/// What the function hands back to API Gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// HTTP status.
    pub status_code: u16,
    /// Headers; none is repeated.
    pub headers: BTreeMap<String, String>,
    /// Text, or base64 of bytes.
    pub body: String,
    /// Which of the two.
    pub is_base64_encoded: bool,
}

impl Reply {
    /// JSON goes as text, everything else as base64.
    pub(crate) fn new(status: StatusCode, headers: &HeaderMap, body: Bytes) -> Self {
        let names_and_values = headers.iter().filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
        let is_json = !headers.contains_key(header::CONTENT_ENCODING)
            && headers
                .get(header::CONTENT_TYPE)
                .and_then(|value| value.to_str().ok())
                .is_some_and(|media_type| media_type.ends_with("json"));
        let (body, is_base64_encoded) = match String::from_utf8(body.into()) {
            Ok(text) if is_json || text.is_empty() => (text, false),
            Ok(text) => (STANDARD.encode(text), true),
            Err(bytes) => (STANDARD.encode(bytes.into_bytes()), true),
        };
        Self { status_code: status.as_u16(), headers: names_and_values.collect(), body, is_base64_encoded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_is_no_part_of_the_path() {
        for (stage, given, path) in [
            ("k3y", "/k3y/api/pro/job", "/api/pro/job"),
            ("k3y", "/k3y/", "/"),
            ("k3y", "/k3y", "/k3y"),
            ("k3y", "/k3yed/api", "/k3yed/api"),
            ("$default", "/api/pro/job", "/api/pro/job"),
            ("$default", "/$default/api/pro/job", "/$default/api/pro/job"),
            ("", "/api/pro/job", "/api/pro/job"),
            ("", "//api/pro/job", "//api/pro/job"),
        ] {
            let event = serde_json::json!({"rawPath": given, "requestContext": {"http": {"method": "GET"}, "stage": stage}});
            assert_eq!(request(&event.to_string(), "id", None).unwrap().path, path, "{stage}: {given}");
        }
    }
}
