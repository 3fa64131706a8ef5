//! API Gateway's side: events and replies of payload format 2.0.
//!
//! The event is read by `lambda_http`'s shape, but its conversion to an `http::Request` is left out (D-PLATFORM-1): that one panics for a `Host`, an
//! `X-Forwarded-Proto` or a query that make no URL, and may not take a function down, because any client can send them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequest;
use serde::Serialize;

use crate::request::Request;

/// The event is none of an HTTP API. The text is logged, so it says what is wrong and not what was there.
#[derive(Debug, thiserror::Error)]
#[error("the event is not of payload format 2.0: {0}")]
pub(crate) struct BadEvent(&'static str);

/// The request that an event carries.
pub(crate) fn request(event: &str, request_id: &str, time_left: Option<Duration>) -> Result<Request, BadEvent> {
    let event: ApiGatewayV2httpRequest = serde_json::from_str(event).map_err(|_| BadEvent("its JSON has another shape"))?;
    let context = event.request_context;
    let raw_path = event.raw_path.ok_or(BadEvent("there is no path"))?;
    let text = event.body.unwrap_or_default();
    let body = match event.is_base64_encoded {
        true => STANDARD.decode(text).map_err(|_| BadEvent("the body is not base64"))?.into(),
        false => Bytes::from(text),
    };
    let mut headers = event.headers;
    // API Gateway takes cookies out of the headers.
    if let Some(cookies) = event.cookies.filter(|cookies| !cookies.is_empty())
        && let Ok(cookies) = HeaderValue::from_str(&cookies.join("; "))
    {
        headers.insert(header::COOKIE, cookies);
    }
    Ok(Request {
        method: context.http.method,
        path: without_stage(&raw_path, context.stage.as_deref().unwrap_or_default()).to_owned(),
        query: event.raw_query_string.unwrap_or_default(),
        headers,
        body,
        peer: context.http.source_ip.and_then(|address| address.parse::<IpAddr>().ok()),
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

/// What the function hands back to API Gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// HTTP status.
    pub status_code: u16,
    /// Headers; none is repeated.
    pub headers: BTreeMap<String, String>,
    /// Cookies to set, a `Set-Cookie` each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cookies: Vec<String>,
    /// Text, or base64 of bytes.
    pub body: String,
    /// The body is base64.
    pub is_base64_encoded: bool,
}

impl Reply {
    /// JSON goes as text, everything else as base64.
    pub(crate) fn new(status: StatusCode, headers: &HeaderMap, body: Bytes) -> Self {
        let names_and_values = headers.iter().filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
        let names_and_values = names_and_values.filter(|(name, _)| name != header::SET_COOKIE.as_str());
        let cookies = headers.get_all(header::SET_COOKIE).iter().filter_map(|value| value.to_str().ok()).map(str::to_owned).collect();
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
        Self { status_code: status.as_u16(), headers: names_and_values.collect(), cookies, body, is_base64_encoded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_come_and_go_beside_the_headers() {
        let event = serde_json::json!({
            "rawPath": "/", "requestContext": {"http": {"method": "GET"}}, "cookies": ["a=1", "__Host-desk=m.s", "b=2=3"],
        });
        let request = request(&event.to_string(), "id", None).unwrap();
        assert_eq!(request.cookie("__Host-desk"), Some("m.s"));
        assert_eq!((request.cookie("b"), request.cookie("desk")), (Some("2=3"), None));
        let answer = crate::Answer::empty(StatusCode::OK)
            .with_cookie(&crate::Cookie {
                name: "__Host-a",
                value: "1",
                path: "/",
                same_site: crate::SameSite::Strict,
                life: Duration::from_secs(5),
            })
            .and_then(|answer| {
                answer.with_cookie(&crate::Cookie {
                    name: "b",
                    value: "",
                    path: "/x",
                    same_site: crate::SameSite::Lax,
                    life: Duration::ZERO,
                })
            });
        let reply = Reply::new(StatusCode::OK, &answer.unwrap().headers, Bytes::new());
        assert_eq!(
            reply.cookies,
            ["__Host-a=1; Path=/; Max-Age=5; Secure; HttpOnly; SameSite=Strict", "b=; Path=/x; Max-Age=0; Secure; HttpOnly; SameSite=Lax"]
        );
        assert!(!reply.headers.contains_key("set-cookie"));
    }

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
