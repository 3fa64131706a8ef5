//! Clients of AWS, from environment variables and nothing else: no profile, no metadata service.

use std::time::Duration;

use aws_credential_types::Credentials;
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::region::Region;
use aws_types::sdk_config::SharedCredentialsProvider;
use base64::Engine;

use crate::{Result, StoreError};

/// How long one attempt of a call may take.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a call may take with all its attempts.
pub const OPERATION_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const ATTEMPTS: u32 = 3;

/// Where AWS is, and who we are.
#[derive(Debug, Clone)]
pub struct AwsSettings {
    /// The region.
    pub region: String,
    /// The identity.
    pub credentials: Credentials,
    /// Address of DynamoDB in place of the region's.
    pub dynamodb_endpoint_url: Option<String>,
    /// Address of S3 in place of the region's; buckets are then addressed by path.
    pub s3_endpoint_url: Option<String>,
    /// Address of the parameter store in place of the region's.
    pub ssm_endpoint_url: Option<String>,
}

/// A setting that is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {0} is not set")]
pub struct MissingSetting(pub &'static str);

impl AwsSettings {
    /// Reads `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_ENDPOINT_URL` and
    /// `AWS_ENDPOINT_URL_{DYNAMODB,S3,SSM}`; an empty variable is an absent one.
    pub fn from_env() -> std::result::Result<Self, MissingSetting> {
        Self::from_lookup(|name| std::env::var(name).ok())
    }

    /// The same from any source of variables.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> std::result::Result<Self, MissingSetting> {
        let optional = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let required = |name: &'static str| optional(name).ok_or(MissingSetting(name));
        let endpoint = |name: &str| optional(name).or_else(|| optional("AWS_ENDPOINT_URL"));
        Ok(Self {
            region: required("AWS_REGION")?,
            credentials: Credentials::new(
                required("AWS_ACCESS_KEY_ID")?,
                required("AWS_SECRET_ACCESS_KEY")?,
                optional("AWS_SESSION_TOKEN"),
                None,
                "environment",
            ),
            dynamodb_endpoint_url: endpoint("AWS_ENDPOINT_URL_DYNAMODB"),
            s3_endpoint_url: endpoint("AWS_ENDPOINT_URL_S3"),
            ssm_endpoint_url: endpoint("AWS_ENDPOINT_URL_SSM"),
        })
    }

    /// A client for DynamoDB.
    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        aws_sdk_dynamodb::Client::new(&self.sdk_config(self.dynamodb_endpoint_url.as_deref()))
    }

    /// A client for S3.
    pub fn s3(&self) -> aws_sdk_s3::Client {
        let config = aws_sdk_s3::config::Builder::from(&self.sdk_config(self.s3_endpoint_url.as_deref()))
            .force_path_style(self.s3_endpoint_url.is_some())
            // A checksum would be part of what a presigned PUT has to send, and the browser cannot know it beforehand.
            .request_checksum_calculation(aws_sdk_s3::config::RequestChecksumCalculation::WhenRequired)
            .build();
        aws_sdk_s3::Client::from_conf(config)
    }

    /// A decrypted parameter of the parameter store.
    pub async fn parameter(&self, name: &str) -> Result<String> {
        let client = aws_sdk_ssm::Client::new(&self.sdk_config(self.ssm_endpoint_url.as_deref()));
        let output = client.get_parameter().name(name).with_decryption(true).send().await;
        let output = output.map_err(|error| crate::error::from_sdk("GetParameter", error))?;
        output
            .parameter
            .and_then(|parameter| parameter.value)
            .ok_or_else(|| StoreError::Internal { operation: "GetParameter", reason: format!("the parameter {name} has no value") })
    }

    fn sdk_config(&self, endpoint_url: Option<&str>) -> aws_types::SdkConfig {
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .operation_attempt_timeout(ATTEMPT_TIMEOUT)
            .operation_timeout(OPERATION_TIMEOUT)
            .build();
        let retries = RetryConfig::standard().with_max_attempts(ATTEMPTS).with_initial_backoff(Duration::from_millis(50));
        let mut config = aws_types::SdkConfig::builder()
            .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::v2026_01_12())
            .region(Region::new(self.region.clone()))
            .credentials_provider(SharedCredentialsProvider::new(self.credentials.clone()))
            .http_client(http_client())
            .timeout_config(timeouts)
            .retry_config(retries);
        config.set_endpoint_url(endpoint_url.map(str::to_owned));
        config.build()
    }
}

/// HTTPS by `ring` with the roots compiled in: neither the machine's root store nor its entropy pool is waited for.
fn http_client() -> aws_sdk_dynamodb::config::SharedHttpClient {
    let mut roots = TrustStore::empty();
    for certificate in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        let base64 = base64::engine::general_purpose::STANDARD.encode(certificate);
        roots.add_pem_certificate(format!("-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----\n"));
    }
    let builder = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring));
    match TlsContext::builder().with_trust_store(roots).build() {
        Ok(context) => builder.tls_context(context).build_https(),
        Err(_) => builder.build_https(),
    }
}
