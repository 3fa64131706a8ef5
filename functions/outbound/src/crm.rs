//! A tenant's own CRM, by the calls that `docs/crm.md` describes: with time limits, further attempts, and a circuit that opens when the
//! system fails, so that a broken CRM costs its tenant's readers no time and other tenants nothing.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use aws::{AwsSettings, Parameters};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use domain::ids::{AccountId, TenantId};
use serde::{Deserialize, Serialize};

use crate::circuit::{Circuit, OPEN};
use crate::http::Http;

/// How long one attempt may take.
const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(1300);
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(100);
/// The time until a retry is worth it.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// The CRM of a tenant.
#[derive(Debug, Clone, Copy)]
pub struct System<'a> {
    pub tenant: &'a TenantId,
    /// Address under which the calls are.
    pub base_url: &'a str,
    /// Last part of the name of the parameter that holds the access key.
    pub credentials_parameter: &'a str,
}

/// What the CRM knows of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RemoteRegistration {
    /// The account takes part in digital communication.
    pub registered: bool,
    /// The ways that are confirmed.
    pub current_confirmed_communication_types: Vec<String>,
    /// What opens the registration's page.
    pub self_service_token: Option<String>,
    /// Address of the registration pages, in place of the configured one.
    pub registration_url: Option<String>,
}

/// The reason why a call did not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CrmError {
    /// The system does not answer, not in time or not sensibly, or has not done so for a while.
    #[error("the CRM is not available: {cause}")]
    Unavailable {
        /// The time until a retry is worth it.
        retry_after: Duration,
        cause: String,
    },
    /// The system does not want this call.
    #[error("the CRM refused the call with status {status}")]
    Refused { status: u16 },
}

/// Calls the tenants' systems. Keeps connections, access keys and what it knows of each system's health for the life of the process.
pub struct CrmClient {
    http: Http,
    keys: Parameters,
    circuits: Mutex<HashMap<String, Circuit>>,
}

impl CrmClient {
    /// A client that finds the access key of a tenant's system in the parameter `<prefix><tenant>/<credentialsParameter>`.
    pub fn new(aws: AwsSettings, parameter_prefix: impl Into<String>) -> Self {
        Self { http: Http::new(aws.reach()), keys: Parameters::new(aws, parameter_prefix), circuits: Mutex::default() }
    }

    /// What the system knows of an account; an account that it does not know is not registered.
    ///
    /// # Errors
    /// [`CrmError`].
    pub async fn registration(&self, system: &System<'_>, account: &AccountId) -> Result<RemoteRegistration, CrmError> {
        let path = format!("/accounts/{account}/registration");
        match self.call(system, &path, None).await {
            Ok(body) => serde_json::from_slice(&body).map_err(|_| {
                self.judge(system, false);
                unavailable("its answer cannot be read")
            }),
            Err(CrmError::Refused { status: 404 }) => Ok(RemoteRegistration::default()),
            Err(error) => Err(error),
        }
    }

    /// Asks the system for receipts of an account's readings. The system does nothing twice for one key.
    ///
    /// # Errors
    /// [`CrmError`].
    pub async fn send_receipts(&self, system: &System<'_>, account: &AccountId, key: &str, body: &impl Serialize) -> Result<(), CrmError> {
        self.post(system, &format!("/accounts/{account}/reading-receipts"), key, body).await
    }

    /// Asks the system for the receipt of a reading without an account.
    ///
    /// # Errors
    /// [`CrmError`].
    pub async fn send_visitor_receipt(&self, system: &System<'_>, key: &str, body: &impl Serialize) -> Result<(), CrmError> {
        self.post(system, "/unknown-reading-receipts", key, body).await
    }

    async fn post(&self, system: &System<'_>, path: &str, key: &str, body: &impl Serialize) -> Result<(), CrmError> {
        let body = serde_json::to_vec(body).map_err(|_| unavailable("the request could not be written"))?;
        self.call(system, path, Some(Post { key, body })).await.map(drop)
    }

    /// One call with its attempts.
    async fn call(&self, system: &System<'_>, path: &str, post: Option<Post<'_>>) -> Result<Vec<u8>, CrmError> {
        if let Some(wait) = self.with_circuit(system, |circuit| circuit.wait(Instant::now())) {
            return Err(CrmError::Unavailable { retry_after: wait, cause: "it has failed too often lately".into() });
        }
        let key = self.keys.get(system.tenant, system.credentials_parameter).await.map_err(|error| unavailable(&error.to_string()))?;
        let url = format!("{}{path}", system.base_url);
        let mut last = String::new();
        for attempt in 0..ATTEMPTS {
            tokio::time::sleep(PAUSE * attempt).await;
            let request = request(&url, &key, post.as_ref()).ok_or_else(|| unavailable("the request could not be written"))?;
            let answered = self.http.answer(request, ATTEMPT_TIMEOUT).await;
            match answered.map(|answer| (answer.status, answer.body)) {
                Ok((200..=299, Some(body))) => {
                    self.judge(system, true);
                    return Ok(body);
                }
                Ok((200..=299, None)) => last = "its answer is too long or breaks off".into(),
                Ok((401 | 403, _)) => {
                    self.keys.forget(system.tenant, system.credentials_parameter);
                    last = "it does not take the access key".into();
                    break;
                }
                Ok((429, _)) => last = "it is too busy".into(),
                Ok((status @ 400..=499, _)) => {
                    self.judge(system, true);
                    return Err(CrmError::Refused { status });
                }
                // The access key goes to the configured address and nowhere else: a redirection is not followed.
                Ok((status, _)) => last = format!("it answers with status {status}"),
                Err(cause) => last = cause.into(),
            }
        }
        self.judge(system, false);
        Err(unavailable(&last))
    }

    fn judge(&self, system: &System<'_>, worked: bool) {
        self.with_circuit(system, |circuit| if worked { circuit.worked() } else { circuit.failed(Instant::now()) });
    }

    /// A tenant that changes its system begins with a closed circuit.
    fn with_circuit<T>(&self, system: &System<'_>, use_it: impl FnOnce(&mut Circuit) -> T) -> T {
        let mut circuits = self.circuits.lock().unwrap_or_else(PoisonError::into_inner);
        use_it(circuits.entry(format!("{} {}", system.tenant, system.base_url)).or_default())
    }
}

fn unavailable(cause: &str) -> CrmError {
    CrmError::Unavailable { retry_after: RETRY_AFTER.min(OPEN), cause: cause.to_owned() }
}

/// Idempotency key and body of a POST.
struct Post<'a> {
    key: &'a str,
    body: Vec<u8>,
}

/// One attempt; none: the address or the access key has something in it that HTTP does not allow.
fn request(url: &str, access_key: &str, post: Option<&Post<'_>>) -> Option<HttpRequest> {
    let mut request = HttpRequest::new(post.map_or_else(SdkBody::empty, |post| SdkBody::from(post.body.as_slice())));
    request.set_uri(url).ok()?;
    request.set_method(if post.is_some() { "POST" } else { "GET" }).ok()?;
    let headers = request.headers_mut();
    headers.try_insert("authorization", format!("Bearer {access_key}")).ok()?;
    headers.try_insert("accept", "application/json").ok()?;
    if let Some(post) = post {
        headers.try_insert("content-type", "application/json").ok()?;
        headers.try_insert("idempotency-key", post.key.to_owned()).ok()?;
    }
    Some(request)
}
