//! API Gateway's side of payload format 2.0: an HTTP request becomes the event that a function gets, a function's answer
//! becomes an HTTP response.

use std::collections::BTreeMap;
use std::net::IpAddr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{
    CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, HeaderName, HeaderValue, SET_COOKIE, TRANSFER_ENCODING, USER_AGENT,
};
use http::{HeaderMap, Response, StatusCode};
use jiff::Timestamp;
use percent_encoding::percent_decode;
use serde::{Deserialize, Serialize};

/// Headers that belong to one connection and not to the message.
const PER_CONNECTION: [HeaderName; 3] = [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING];

/// An HTTP request as the gateway received it, with the route that it chose.
pub struct Received<'a> {
    /// Method, target and headers.
    pub request: &'a http::request::Parts,
    /// The whole body.
    pub body: &'a [u8],
    /// The path as [`decoded_path`] gives it.
    pub path: &'a str,
    /// The route's key, such as `GET /api/pro/job`, or `$default`.
    pub route_key: &'a str,
    /// The values of the route's `{variables}`.
    pub path_parameters: BTreeMap<String, String>,
    /// The address that the connection comes from.
    pub source: IpAddr,
    /// The gateway's id of the request.
    pub request_id: &'a str,
    /// The time of the request.
    pub now: Timestamp,
}

/// The event of payload format 2.0, with the fields that API Gateway sends for a route without authorizer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event<'a> {
    version: &'static str,
    route_key: &'a str,
    raw_path: &'a str,
    raw_query_string: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cookies: Vec<String>,
    headers: BTreeMap<&'a str, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    query_string_parameters: BTreeMap<String, String>,
    request_context: RequestContext<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    path_parameters: BTreeMap<String, String>,
    is_base64_encoded: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestContext<'a> {
    account_id: &'static str,
    api_id: &'static str,
    domain_name: &'a str,
    domain_prefix: &'a str,
    http: HttpDescription<'a>,
    request_id: &'a str,
    route_key: &'a str,
    stage: &'static str,
    time: String,
    time_epoch: i64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HttpDescription<'a> {
    method: &'a str,
    path: &'a str,
    protocol: String,
    source_ip: String,
    user_agent: &'a str,
}

/// The path as an HTTP API shows it to routes and functions: every escape is decoded but `%25`, and what follows an escaped
/// question mark is lost.
pub fn decoded_path(path: &str) -> String {
    let decoded: Vec<_> = path.split("%25").map(|part| percent_decode(part.as_bytes()).decode_utf8_lossy()).collect();
    let decoded = decoded.join("%25");
    decoded.split('?').next().unwrap_or_default().to_owned()
}

impl<'a> Event<'a> {
    /// The event for a request.
    pub fn new(received: Received<'a>) -> Self {
        let Received { request, body, path, route_key, path_parameters, source, request_id, now } = received;
        let raw_query_string = request.uri.query().unwrap_or_default();
        let host = text(&request.headers, &HOST);
        let is_base64_encoded = !body.is_empty() && !is_text(text(&request.headers, &CONTENT_TYPE));
        let body = match body {
            [] => None,
            bytes if is_base64_encoded => Some(STANDARD.encode(bytes)),
            bytes => Some(String::from_utf8_lossy(bytes).into_owned()),
        };
        Self {
            version: "2.0",
            route_key,
            raw_path: path,
            raw_query_string,
            cookies: cookies(&request.headers),
            headers: headers(&request.headers, source),
            query_string_parameters: query(raw_query_string),
            request_context: RequestContext {
                account_id: "000000000000",
                api_id: "local",
                domain_name: host,
                domain_prefix: host.split('.').next().unwrap_or_default(),
                http: HttpDescription {
                    method: request.method.as_str(),
                    path,
                    protocol: format!("{:?}", request.version),
                    source_ip: source.to_string(),
                    user_agent: text(&request.headers, &USER_AGENT),
                },
                request_id,
                route_key,
                stage: "$default",
                time: now.strftime("%d/%b/%Y:%H:%M:%S +0000").to_string(),
                time_epoch: now.as_millisecond(),
            },
            body,
            path_parameters,
            is_base64_encoded,
        }
    }
}

/// A header's value, or nothing when it is absent or not text.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Whether a body travels as it is. API Gateway does so for these types only; a body without a type is base64.
fn is_text(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence.starts_with("text/") || matches!(essence.as_str(), "application/json" | "application/xml" | "application/javascript")
}

/// The single cookies: they leave the headers for a field of their own.
fn cookies(headers: &HeaderMap) -> Vec<String> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .map(|cookie| cookie.trim().to_owned())
        .filter(|cookie| !cookie.is_empty())
        .collect()
}

/// Lower-case names, repeated headers joined with a comma, and the forwarding headers that the gateway adds.
fn headers(received: &HeaderMap, source: IpAddr) -> BTreeMap<&str, String> {
    let mut headers = BTreeMap::<&str, String>::new();
    for (name, value) in received {
        if name == COOKIE || name == CONNECTION || name == TRANSFER_ENCODING {
            continue;
        }
        let value = String::from_utf8_lossy(value.as_bytes());
        headers.entry(name.as_str()).and_modify(|joined| *joined = format!("{joined},{value}")).or_insert_with(|| value.into_owned());
    }
    let forwarded_for = headers.entry("x-forwarded-for").or_default();
    if !forwarded_for.is_empty() {
        forwarded_for.push_str(", ");
    }
    forwarded_for.push_str(&source.to_string());
    headers.entry("x-forwarded-proto").or_insert_with(|| "http".to_owned());
    headers
}

/// Decoded query parameters, repeated ones joined with a comma.
fn query(raw: &str) -> BTreeMap<String, String> {
    let mut parameters = BTreeMap::<String, String>::new();
    for (name, value) in form_urlencoded::parse(raw.as_bytes()) {
        parameters
            .entry(name.into_owned())
            .and_modify(|joined| *joined = format!("{joined},{value}"))
            .or_insert_with(|| value.into_owned());
    }
    parameters
}

/// A function's answer in payload format 2.0.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    status_code: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    cookies: Vec<String>,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    is_base64_encoded: bool,
}

/// Why a function's answer cannot be sent; API Gateway says "Internal Server Error" to the client.
#[derive(Debug, thiserror::Error)]
pub enum BadAnswer {
    /// Not an answer of payload format 2.0.
    #[error("the function's answer is not of payload format 2.0: {0}")]
    Shape(#[from] serde_json::Error),
    /// `isBase64Encoded` is set and the body is something else.
    #[error("the function's answer is not base64 although it says so: {0}")]
    Base64(#[from] base64::DecodeError),
    /// A status, header name or header value that HTTP does not allow.
    #[error("the function's answer is not valid HTTP: {0}")]
    Http(#[from] http::Error),
}

/// The HTTP response for a function's answer.
///
/// # Errors
/// [`BadAnswer`] when the answer is malformed.
pub fn response(answer: &[u8]) -> Result<Response<Bytes>, BadAnswer> {
    let answer: Answer = serde_json::from_slice(answer)?;
    let body = answer.body.unwrap_or_default();
    let body = if answer.is_base64_encoded { STANDARD.decode(body)? } else { body.into_bytes() };
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = StatusCode::from_u16(answer.status_code).map_err(http::Error::from)?;
    let headers = response.headers_mut();
    for (name, value) in answer.headers {
        let name = HeaderName::try_from(name).map_err(http::Error::from)?;
        if !PER_CONNECTION.contains(&name) {
            headers.insert(name, HeaderValue::try_from(value).map_err(http::Error::from)?);
        }
    }
    for cookie in answer.cookies {
        headers.append(SET_COOKIE, HeaderValue::try_from(cookie).map_err(http::Error::from)?);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use serde_json::{Value, json};

    use super::*;

    fn event(request: http::request::Builder, body: &[u8]) -> Value {
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let path = decoded_path(parts.uri.path());
        let event = Event::new(Received {
            request: &parts,
            body,
            path: &path,
            route_key: "POST /auth/token",
            path_parameters: BTreeMap::new(),
            source: Ipv4Addr::LOCALHOST.into(),
            request_id: "id",
            now: "2026-03-12T19:03:58.390Z".parse().unwrap(),
        });
        serde_json::to_value(event).unwrap()
    }

    #[test]
    fn a_whole_event() {
        let request = http::Request::post("/auth/token?a=1&a=%20x&b")
            .header("Host", "demo.localhost:3000")
            .header("User-Agent", "curl")
            .header("Accept", "a")
            .header("Accept", "b")
            .header("Content-Type", "Application/JSON; charset=utf-8")
            .header("Cookie", "one=1; two=2");
        assert_eq!(
            event(request, b"{\"a\":\"\xc3\xa4\"}"),
            json!({
                "version": "2.0",
                "routeKey": "POST /auth/token",
                "rawPath": "/auth/token",
                "rawQueryString": "a=1&a=%20x&b",
                "cookies": ["one=1", "two=2"],
                "headers": {
                    "accept": "a,b",
                    "content-type": "Application/JSON; charset=utf-8",
                    "host": "demo.localhost:3000",
                    "user-agent": "curl",
                    "x-forwarded-for": "127.0.0.1",
                    "x-forwarded-proto": "http",
                },
                "queryStringParameters": {"a": "1, x", "b": ""},
                "requestContext": {
                    "accountId": "000000000000",
                    "apiId": "local",
                    "domainName": "demo.localhost:3000",
                    "domainPrefix": "demo",
                    "http": {
                        "method": "POST",
                        "path": "/auth/token",
                        "protocol": "HTTP/1.1",
                        "sourceIp": "127.0.0.1",
                        "userAgent": "curl",
                    },
                    "requestId": "id",
                    "routeKey": "POST /auth/token",
                    "stage": "$default",
                    "time": "12/Mar/2026:19:03:58 +0000",
                    "timeEpoch": 1_773_342_238_390_i64,
                },
                "body": "{\"a\":\"ä\"}",
                "isBase64Encoded": false,
            })
        );
    }

    #[test]
    fn an_empty_body_is_absent() {
        let event = event(http::Request::get("/"), b"");
        assert_eq!(event.get("body"), None);
        assert_eq!(event["isBase64Encoded"], false);
        assert_eq!(event.get("cookies"), None);
        assert_eq!(event.get("queryStringParameters"), None);
    }

    #[test]
    fn only_some_types_travel_as_text() {
        for (content_type, base64) in [
            ("text/plain", false),
            ("application/json", false),
            ("application/xml", false),
            ("application/javascript", false),
            ("application/problem+json", true),
            ("application/x-www-form-urlencoded", true),
            ("image/jpeg", true),
        ] {
            let event = event(http::Request::post("/").header("content-type", content_type), b"abc");
            assert_eq!(event["isBase64Encoded"], base64, "{content_type}");
            assert_eq!(event["body"], if base64 { "YWJj" } else { "abc" }, "{content_type}");
        }
        assert_eq!(event(http::Request::post("/"), b"abc")["body"], "YWJj");
    }

    #[test]
    fn a_forwarded_address_is_kept_and_the_callers_added() {
        let event = event(http::Request::get("/").header("X-Forwarded-For", "198.51.100.7").header("X-Forwarded-Proto", "https"), b"");
        assert_eq!(event["headers"]["x-forwarded-for"], "198.51.100.7, 127.0.0.1");
        assert_eq!(event["headers"]["x-forwarded-proto"], "https");
    }

    #[test]
    fn paths_are_decoded_but_for_percent_signs() {
        for (raw, decoded) in [
            ("/a%20b", "/a b"),
            ("/%C3%A4", "/ä"),
            ("/a%252Fb", "/a%252Fb"),
            ("/a%2Fb", "/a/b"),
            ("/a%3Fb", "/a"),
            ("/%", "/%"),
            ("/%ff", "/\u{fffd}"),
        ] {
            assert_eq!(decoded_path(raw), decoded, "{raw}");
        }
    }

    #[test]
    fn an_answer_becomes_a_response() {
        let answer = json!({
            "statusCode": 201,
            "headers": {"content-type": "image/png", "content-length": "99", "connection": "close"},
            "multiValueHeaders": {},
            "cookies": ["a=1; Secure", "b=2"],
            "body": "AJ8=",
            "isBase64Encoded": true,
        });
        let response = response(answer.to_string().as_bytes()).unwrap();
        assert_eq!(response.status(), 201);
        assert_eq!(response.body().as_ref(), &[0, 159]);
        assert_eq!(response.headers()["content-type"], "image/png");
        assert_eq!(response.headers().get("content-length"), None);
        assert_eq!(response.headers().get("connection"), None);
        assert_eq!(response.headers().get_all("set-cookie").iter().collect::<Vec<_>>(), ["a=1; Secure", "b=2"]);
    }

    #[test]
    fn a_malformed_answer_is_refused() {
        for answer in [
            "null",
            r#"{"body":"no status"}"#,
            r#"{"statusCode":99}"#,
            r#"{"statusCode":200,"body":"%","isBase64Encoded":true}"#,
            r#"{"statusCode":200,"headers":{"a b":"c"}}"#,
            r#"{"statusCode":200,"headers":{"a":"b\nc"}}"#,
        ] {
            assert!(response(answer.as_bytes()).is_err(), "{answer}");
        }
    }
}
