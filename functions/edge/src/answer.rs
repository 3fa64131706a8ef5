//! What a handler answers.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use crate::cookie::Cookie;
use crate::etag::Etag;
use crate::problem::Problem;
use crate::security::SecurityEvent;

/// A handler's answer. Unless the handler says otherwise it may not be stored by any cache on its way (`Cache-Control: no-store`).
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// What went wrong on the way to it, for the log.
    pub(crate) cause: Option<String>,
    pub(crate) event: Option<SecurityEvent>,
    /// What its log line has besides, by name.
    pub(crate) noted: Option<(&'static str, Value)>,
}

impl Answer {
    /// No content.
    pub fn empty(status: StatusCode) -> Self {
        Self { status, headers: HeaderMap::new(), body: Bytes::new(), cause: None, event: None, noted: None }
    }

    /// A JSON document.
    ///
    /// # Errors
    /// `internal-error` if the value cannot be JSON.
    pub fn json(status: StatusCode, value: &impl Serialize) -> Result<Self, Problem> {
        let body = serde_json::to_vec(value).map_err(Problem::internal)?;
        Ok(Self::bytes("application/json", body).with_status(status))
    }

    /// Any document, with status 200.
    pub fn bytes(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { status: StatusCode::OK, headers, body: body.into(), cause: None, event: None, noted: None }
    }

    /// The same with a note for the log: something went wrong that the caller can do without.
    #[must_use]
    pub fn with_cause(mut self, cause: String) -> Self {
        self.cause = Some(cause);
        self
    }

    /// The same with something for the security log.
    #[must_use]
    pub fn with_event(mut self, event: SecurityEvent) -> Self {
        self.event = Some(event);
        self
    }

    /// The same with something for its log line, under a name of its own there.
    ///
    /// # Errors
    /// `internal-error` if the value cannot be JSON.
    pub fn with_note(mut self, name: &'static str, value: &impl Serialize) -> Result<Self, Problem> {
        self.noted = Some((name, serde_json::to_value(value).map_err(Problem::internal)?));
        Ok(self)
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// The same with a fixed header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.insert(name, HeaderValue::from_static(value));
        self
    }

    /// The same with a cookie beside those that it sets already.
    ///
    /// # Errors
    /// `internal-error` if the cookie cannot be a header.
    pub fn with_cookie(mut self, cookie: &Cookie<'_>) -> Result<Self, Problem> {
        self.headers.append(header::SET_COOKIE, HeaderValue::from_str(&cookie.to_string()).map_err(Problem::internal)?);
        Ok(self)
    }

    /// A page elsewhere, to be fetched with GET.
    ///
    /// # Errors
    /// `internal-error` if the address cannot be a header.
    pub fn see_other(location: &str) -> Result<Self, Problem> {
        let mut answer = Self::empty(StatusCode::SEE_OTHER);
        answer.headers.insert(header::LOCATION, HeaderValue::from_str(location).map_err(Problem::internal)?);
        Ok(answer)
    }

    /// "You have it already": the answer to a request that named the content's present tag.
    pub fn not_modified(etag: &Etag) -> Self {
        Self::empty(StatusCode::NOT_MODIFIED).with_etag(etag)
    }

    /// The same with its tag.
    #[must_use]
    pub fn with_etag(mut self, etag: &Etag) -> Self {
        if let Ok(value) = HeaderValue::from_str(etag.as_str()) {
            self.headers.insert(header::ETAG, value);
        }
        self
    }

    /// The same under a more exact media type.
    #[must_use]
    pub fn with_content_type(self, content_type: &'static str) -> Self {
        self.with_header(header::CONTENT_TYPE, content_type)
    }

    /// The same, for every cache, which has to ask again each time.
    #[must_use]
    pub fn revalidated(self) -> Self {
        self.with_header(header::CACHE_CONTROL, "no-cache")
    }
}
