//! One attempt to deliver a message.

use std::sync::Arc;
use std::time::Duration;

use aws::{AwsSettings, ParameterError, Parameters};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use domain::config::WebhookSettings;
use domain::ids::TenantId;
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use store::StoreError;

use super::cause::{STATUS, UNREADABLE, UNWRITTEN};
use super::event::ping;
use super::secret::{Secrets, fingerprint};
use crate::http::Http;

/// How long the receiver may take.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The receiver of a tenant's messages.
#[derive(Debug, Clone, Copy)]
pub struct Endpoint<'a> {
    pub tenant: &'a TenantId,
    pub settings: &'a WebhookSettings,
}

/// Why a message was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct Refusal {
    /// The address is gone for good (410).
    pub gone: bool,
    /// What happened, without personal data: see [`super::cause_text`].
    pub cause: String,
    /// When the receiver wants the next message.
    pub retry_after: Option<Duration>,
}

/// Delivers messages. Keeps connections and secrets for the life of the process.
pub struct WebhookClient {
    http: Http,
    secrets: Parameters,
}

impl WebhookClient {
    /// A client that finds a tenant's signing secrets in the parameter `<prefix><tenant>/<secretParameter>`.
    pub fn new(aws: AwsSettings, parameter_prefix: impl Into<String>) -> Self {
        Self { http: Http::new(aws.reach()), secrets: Parameters::new(aws, parameter_prefix) }
    }

    /// The secrets that are good now.
    ///
    /// # Errors
    /// Why there are none: nothing can be sent.
    pub async fn secrets(&self, to: Endpoint<'_>) -> Result<Secrets, String> {
        read(self.secrets.get(to.tenant, &to.settings.secret_parameter).await)
    }

    /// Sends a message that says nothing, now and once; gives its id, and why it was not taken.
    ///
    /// # Errors
    /// The parameter store does not answer, it could not be written, or there are no random bytes.
    pub async fn ping(&self, to: Endpoint<'_>, now: Timestamp) -> Result<(String, Option<String>), StoreError> {
        let id = format!("msg_ping{}", hex::encode(store::random::<12>()?));
        let body = ping(to.tenant, now).map_err(|error| StoreError::Internal { operation: "ping", reason: error.to_string() })?;
        let cause = match self.secrets.get(to.tenant, &to.settings.secret_parameter).await {
            Err(error) if !error.is_missing => return Err(unavailable(&error)),
            text => match read(text) {
                Ok(secrets) => self.send(to, &secrets, &id, now, &body).await.err().map(|refusal| refusal.cause),
                Err(cause) => Some(cause),
            },
        };
        Ok((id, cause))
    }

    /// Fingerprints of the secrets that are good now, the newest first; none if there are none that can be used.
    ///
    /// # Errors
    /// The parameter store does not answer.
    pub async fn fingerprints(&self, to: Endpoint<'_>) -> Result<Vec<String>, StoreError> {
        Ok(self.known_secrets(to).await?.iter().map(|secret| fingerprint(secret)).collect())
    }

    /// Signs by a new secret, too, from now on. Of three before it the one in the middle goes: the receiver has the oldest one until it is ended.
    ///
    /// # Errors
    /// The parameter store does not answer.
    pub async fn add_secret(&self, to: Endpoint<'_>, new: &str) -> Result<(), StoreError> {
        let known = self.known_secrets(to).await?;
        // D-WEBHOOK-6: the last one may be one whose answer was lost.
        let mut lines = vec![new];
        if let [newest, others @ ..] = known.as_slice() {
            lines.extend([newest].into_iter().chain(others.last()).map(String::as_str));
        }
        self.write_secrets(to, &lines.join("\n")).await
    }

    /// Signs by the newest secret alone from now on, which has this fingerprint; empty: there is none, and nothing to do.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another one is the newest, which the receiver may not have; the parameter store does not answer.
    pub async fn end_old_secrets(&self, to: Endpoint<'_>, shown: &str) -> Result<(), StoreError> {
        match self.known_secrets(to).await?.as_slice() {
            [newest, older @ ..] if fingerprint(newest) == shown => match older {
                [] => Ok(()),
                _ => self.write_secrets(to, newest).await,
            },
            [] if shown.is_empty() => Ok(()),
            _ => Err(StoreError::Conflict),
        }
    }

    /// The secrets as they are written now, the newest first; none if there are none that can be used.
    async fn known_secrets(&self, to: Endpoint<'_>) -> Result<Vec<String>, StoreError> {
        let name = &to.settings.secret_parameter;
        self.secrets.forget(to.tenant, name);
        match self.secrets.get(to.tenant, name).await {
            Ok(text) if Secrets::parse(&text).is_ok() => Ok(text.split_whitespace().map(str::to_owned).collect()),
            Ok(_) => Ok(Vec::new()),
            Err(error) if error.is_missing => Ok(Vec::new()),
            Err(error) => Err(unavailable(&error)),
        }
    }

    async fn write_secrets(&self, to: Endpoint<'_>, text: &str) -> Result<(), StoreError> {
        let put = self.secrets.put(to.tenant, &to.settings.secret_parameter, text).await;
        put.map_err(|error| unavailable(&error))
    }

    /// Posts a message once; `id` stays the same whenever it is sent again.
    ///
    /// # Errors
    /// [`Refusal`]: it was not taken, or that is unknown.
    pub async fn send(&self, to: Endpoint<'_>, secrets: &Secrets, id: &str, now: Timestamp, body: &[u8]) -> Result<(), Refusal> {
        let Endpoint { tenant, settings } = to;
        let failed = |cause: &str| Refusal { gone: false, cause: cause.to_owned(), retry_after: None };
        let signature = secrets.sign(id, now.as_second(), body);
        let request = request(&settings.url, id, now, &signature, body).ok_or_else(|| failed(UNWRITTEN))?;
        // A message goes to the configured address and nowhere else: a redirection is not followed.
        let answer = self.http.answer(request, TIME_LIMIT).await.map_err(failed)?;
        if (200..=299).contains(&answer.status) {
            return Ok(());
        }
        if matches!(answer.status, 401 | 403) {
            self.secrets.forget(tenant, &settings.secret_parameter);
        }
        Err(Refusal {
            gone: answer.status == 410,
            cause: format!("{STATUS}{}", answer.status),
            retry_after: answer.retry_after.and_then(|text| retry_after(&text, now)),
        })
    }
}

/// The secrets in a parameter, or why there are none.
fn read(text: Result<Arc<str>, ParameterError>) -> Result<Secrets, String> {
    let text = text.map_err(|error| format!("{UNREADABLE}{error}"))?;
    Secrets::parse(&text).map_err(|fault| fault.to_string())
}

/// Without its parameter store nothing can be done now; a moment later it can.
const UNAVAILABLE: Duration = Duration::from_secs(2);

fn unavailable(error: &ParameterError) -> StoreError {
    StoreError::Unavailable { operation: error.operation, retry_after: UNAVAILABLE }
}

fn request(url: &str, id: &str, now: Timestamp, signature: &str, body: &[u8]) -> Option<HttpRequest> {
    let mut request = HttpRequest::new(SdkBody::from(body));
    request.set_uri(url).ok()?;
    request.set_method("POST").ok()?;
    let headers = request.headers_mut();
    headers.try_insert("content-type", "application/json").ok()?;
    headers.try_insert("user-agent", "Zaehlwerk").ok()?;
    headers.try_insert("webhook-id", id.to_owned()).ok()?;
    headers.try_insert("webhook-timestamp", now.as_second().to_string()).ok()?;
    headers.try_insert("webhook-signature", signature.to_owned()).ok()?;
    Some(request)
}

/// Seconds, or a date (RFC 9110, 10.2.3).
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = rfc2822::parse(text.trim()).ok()?.timestamp();
    Some(Duration::from_secs(u64::try_from(then.as_second() - now.as_second()).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_says_when_it_wants_the_next_message() {
        let now = "1994-11-06T08:49:07Z".parse().unwrap();
        assert_eq!(retry_after("120", now), Some(Duration::from_secs(120)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(Duration::from_secs(30)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("soon", now), None);
    }
}
