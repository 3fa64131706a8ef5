//! A request as the handlers see it.

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use domain::network::{Network, networks_of};
use http::{HeaderMap, Method, header};
use serde::de::DeserializeOwned;

use crate::etag::Etag;
use crate::problem::{Code, FieldError, Problem};

/// An HTTP request behind API Gateway.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: Method,
    /// The path, escapes decoded by the gateway.
    pub path: String,
    /// What follows the question mark, as it was sent.
    pub query: String,
    /// The headers; one that HTTP does not allow is left out.
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Where the gateway's connection comes from.
    pub peer: Option<IpAddr>,
    /// Id of the request in answers and logs.
    pub request_id: String,
    /// How long the answer may take; the platform kills the function shortly after.
    pub time_left: Option<Duration>,
}

/// Most bytes of a body: with API Gateway's wrapping it stays below the 6 MB of a Lambda event.
pub const MAX_BODY: usize = 5_500_000;

impl Request {
    /// A header's text.
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The host name that the browser asked for: lower case, no port. Behind CloudFront it is in `X-Forwarded-Host`, which the
    /// distribution sets on each request.
    pub fn host(&self) -> String {
        let host = self.header("x-forwarded-host").or_else(|| self.header(header::HOST)).unwrap_or_default();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        name.trim_end_matches('.').to_ascii_lowercase()
    }

    /// The address of the person's device.
    ///
    /// Behind CloudFront it is in `X-Viewer-Address`, which the distribution sets on each request; without CloudFront it is the
    /// gateway's peer.
    pub fn device_address(&self) -> Option<IpAddr> {
        self.header("x-viewer-address").and_then(|address| address.parse().ok()).or(self.peer)
    }

    /// The networks of that address, in which requests are counted.
    pub fn networks(&self) -> Vec<Network> {
        networks_of(self.device_address())
    }

    /// A query parameter, decoded; the first one of its name.
    pub fn query(&self, name: &str) -> Option<Cow<'_, str>> {
        form_urlencoded::parse(self.query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The JSON body.
    ///
    /// # Errors
    /// `request-too-large` over [`MAX_BODY`]; `unsupported-media-type`; `malformed-request` for what is no JSON; `request-invalid` with the field's path for JSON of another shape.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        if self.body.len() > MAX_BODY {
            return Err(Problem::new(Code::RequestTooLarge));
        }
        let media_type = self.header(header::CONTENT_TYPE).and_then(|value| value.split(';').next()).unwrap_or_default().trim();
        if !media_type.eq_ignore_ascii_case("application/json") {
            return Err(Problem::new(Code::UnsupportedMediaType));
        }
        let mut json = serde_json::Deserializer::from_slice(&self.body);
        let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let path = error.path().to_string();
            let error = error.into_inner();
            if error.is_data() {
                Problem::new(Code::RequestInvalid).with_fields(vec![field_error(&path, &error)])
            } else {
                Problem::new(Code::MalformedRequest).with_detail(format!("The body is not valid JSON: {error}."))
            }
        })?;
        json.end().map_err(|error| Problem::new(Code::MalformedRequest).with_detail(format!("The body is not valid JSON: {error}.")))?;
        Ok(value)
    }

    /// The `Idempotency-Key` header: 1 to 64 printable ASCII characters without blanks.
    ///
    /// # Errors
    /// `malformed-request` for any other text.
    pub fn idempotency_key(&self) -> Result<Option<&str>, Problem> {
        let Some(value) = self.headers.get("idempotency-key") else { return Ok(None) };
        let key = value.to_str().unwrap_or_default();
        if (1..=64).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()) {
            return Ok(Some(key));
        }
        Err(Problem::new(Code::MalformedRequest)
            .with_detail("The Idempotency-Key header must be 1 to 64 printable ASCII characters without blanks."))
    }

    /// The bearer token of the `Authorization` header; none if the header is absent or of another kind.
    pub fn bearer_token(&self) -> Option<&str> {
        let (scheme, token) = self.header(header::AUTHORIZATION)?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    }

    /// A cookie's value; the first one of its name.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Every cookie: name and value.
    pub fn cookies(&self) -> impl Iterator<Item = (&str, &str)> {
        let cookies = self.header(header::COOKIE).unwrap_or_default();
        cookies.split(';').filter_map(|cookie| cookie.trim().split_once('='))
    }

    /// Whether the client has some earlier content.
    pub fn revalidates(&self) -> bool {
        self.headers.contains_key(header::IF_NONE_MATCH)
    }

    /// Whether the client has this content already: `If-None-Match` names its tag (weak comparison, RFC 9110 section 13.1.2).
    pub fn has(&self, etag: &Etag) -> bool {
        self.tags().any(|tag| tag == "*" || tag == opaque(etag.as_str()))
    }

    /// In which state the client has this content, of a tag in `If-None-Match` that was made by [`Etag::with_state`].
    pub fn held_state(&self, etag: &Etag) -> Option<&str> {
        let beginning = opaque(etag.as_str()).trim_end_matches('"');
        self.tags().find_map(|tag| tag.strip_prefix(beginning)?.strip_prefix('.')?.strip_suffix('"'))
    }

    fn tags(&self) -> impl Iterator<Item = &str> {
        let values = self.headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).map(opaque)
    }
}

fn opaque(tag: &str) -> &str {
    tag.trim().trim_start_matches("W/")
}

/// What serde found wrong, at the field that it means.
fn field_error(path: &str, error: &serde_json::Error) -> FieldError {
    let text = error.to_string();
    // The position in the body, with which serde_json ends its texts, says nothing beside the path.
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    let path = if path == "." { "" } else { path };
    // Of a field that is missing the path names the object around it.
    let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    let field = match missing {
        Some(name) if path.is_empty() => name.to_owned(),
        Some(name) => format!("{path}.{name}"),
        None => path.to_owned(),
    };
    FieldError::new(field, without_value(message))
}

/// The text without what was sent, which may be a secret in the wrong place: an answer may be shown, kept or reported.
fn without_value(message: &str) -> String {
    let kind = ["invalid type", "invalid value", "unknown variant", "unknown field"].into_iter().find(|kind| message.starts_with(kind));
    match kind {
        Some(kind) => format!("{kind}{}", message.rfind(", expected ").map_or("", |at| &message[at..])),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_what_is_wanted_and_not_what_was_sent() {
        for (message, told) in [
            ("invalid type: string \"secret, expected u8\", expected u64", "invalid type, expected u64"),
            ("unknown variant `secret`, expected one of `a`, `b`", "unknown variant, expected one of `a`, `b`"),
            ("unknown field `secret`, there are no fields", "unknown field"),
            ("a date is needed", "a date is needed"),
        ] {
            assert_eq!(without_value(message), told);
        }
    }

    #[test]
    fn throttling_is_by_the_device_and_not_by_the_machines_before_it() {
        let address = |viewer: Option<&str>| {
            let headers = viewer.map(|viewer| (header::HeaderName::from_static("x-viewer-address"), viewer.parse().unwrap()));
            let request = Request {
                method: Method::GET,
                path: "/".into(),
                query: String::new(),
                headers: headers.into_iter().collect(),
                body: Bytes::new(),
                peer: "198.51.100.1".parse().ok(),
                request_id: String::new(),
                time_left: None,
            };
            request.device_address().unwrap().to_string()
        };
        assert_eq!(address(Some("192.0.2.1")), "192.0.2.1");
        assert_eq!(address(None), "198.51.100.1");
        assert_eq!(address(Some("unknown")), "198.51.100.1");
    }
}
