//! Secrets in the parameter store; those of tenants are kept for a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use aws_sdk_ssm::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_ssm::types::ParameterType;
use domain::ids::TenantId;

use crate::AwsSettings;

/// How long a secret is used before it is read again.
const KEPT: Duration = Duration::from_secs(300);

/// Why a parameter cannot be read or written, without its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{operation}: {cause}")]
pub struct ParameterError {
    /// What was asked of the parameter store.
    pub operation: &'static str,
    cause: String,
    /// There is no such parameter.
    pub is_missing: bool,
}

const GET: &str = "GetParameter";

impl AwsSettings {
    /// A decrypted parameter.
    ///
    /// # Errors
    /// [`ParameterError`] when there is none, or the parameter store does not answer.
    pub async fn parameter(&self, name: &str) -> Result<String, ParameterError> {
        let ssm = aws_sdk_ssm::Client::new(&self.sdk_config(self.ssm_endpoint_url.as_deref()));
        let output = ssm.get_parameter().name(name).with_decryption(true).send().await.map_err(|error| meaning(GET, error))?;
        let value = output.parameter.and_then(|parameter| parameter.value);
        let cause = || format!("the parameter {name} has no value");
        value.ok_or_else(|| ParameterError { operation: GET, cause: cause(), is_missing: true })
    }

    /// Writes an encrypted parameter in the place of what it was.
    ///
    /// # Errors
    /// [`ParameterError`].
    pub async fn put_parameter(&self, name: &str, value: &str) -> Result<(), ParameterError> {
        let ssm = aws_sdk_ssm::Client::new(&self.sdk_config(self.ssm_endpoint_url.as_deref()));
        let put = ssm.put_parameter().name(name).value(value).r#type(ParameterType::SecureString).overwrite(true);
        put.send().await.map(drop).map_err(|error| meaning("PutParameter", error))
    }
}

/// The one place where an error of the SDK gets a meaning.
fn meaning<E: ProvideErrorMetadata, R>(operation: &'static str, error: SdkError<E, R>) -> ParameterError {
    let is_missing = error.code() == Some("ParameterNotFound");
    let cause = match error {
        SdkError::ServiceError(context) => {
            let error = context.err();
            format!("{}: {}", error.code().unwrap_or("without a code"), error.message().unwrap_or("no message"))
        }
        SdkError::ConstructionFailure(_) => "the request could not be built".to_owned(),
        _ => "the parameter store does not answer".to_owned(),
    };
    ParameterError { operation, cause, is_missing }
}

/// The parameters `<prefix><tenant>/<name>`.
pub struct Parameters {
    aws: AwsSettings,
    prefix: String,
    kept: Mutex<HashMap<String, (Instant, Arc<str>)>>,
}

impl Parameters {
    /// Those whose names begin so.
    pub fn new(aws: AwsSettings, prefix: impl Into<String>) -> Self {
        Self { aws, prefix: prefix.into(), kept: Mutex::default() }
    }

    /// A tenant's secret.
    ///
    /// # Errors
    /// [`ParameterError`] when there is none, or the parameter store does not answer.
    pub async fn get(&self, tenant: &TenantId, name: &str) -> Result<Arc<str>, ParameterError> {
        let name = self.name(tenant, name);
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        if let Some((since, value)) = kept
            && since.elapsed() < KEPT
        {
            return Ok(value);
        }
        let value: Arc<str> = self.aws.parameter(&name).await?.into();
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(name, (Instant::now(), value.clone()));
        Ok(value)
    }

    /// Another secret for the tenant.
    ///
    /// # Errors
    /// [`ParameterError`].
    pub async fn put(&self, tenant: &TenantId, name: &str, value: &str) -> Result<(), ParameterError> {
        let put = self.aws.put_parameter(&self.name(tenant, name), value).await;
        self.forget(tenant, name);
        put
    }

    /// The secret was not taken: it was changed, perhaps, and the next call reads it again.
    pub fn forget(&self, tenant: &TenantId, name: &str) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name(tenant, name));
    }

    fn name(&self, tenant: &TenantId, name: &str) -> String {
        format!("{}{tenant}/{name}", self.prefix)
    }
}
