//! Clients of AWS, from environment variables and nothing else: no profile, no metadata service.

use std::time::Duration;

use aws_credential_types::Credentials;
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};
use aws_smithy_http_client::{Builder, Connector};
use aws_smithy_runtime_api::client::http::{HttpConnectorSettings, SharedHttpConnector};
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::region::Region;
use aws_types::sdk_config::SharedCredentialsProvider;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem::Finder;
use rustls_pki_types::CertificateDer;
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use crate::{Result, StoreError};

/// How long one attempt of a call may take: so long that a call survives two that are never answered.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(1500);
/// How long a call may take with all its attempts: the client is told within 5 s.
pub const OPERATION_TIMEOUT: Duration = Duration::from_millis(4500);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const ATTEMPTS: u32 = 3;

/// How long calls may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// Opening a connection.
    pub connect: Duration,
    /// One attempt of a call.
    pub attempt: Duration,
    /// A call with all its attempts.
    pub operation: Duration,
}

impl TimeLimits {
    /// What AWS needs at most, which answers within milliseconds.
    pub const AWS: Self = Self { connect: CONNECT_TIMEOUT, attempt: ATTEMPT_TIMEOUT, operation: OPERATION_TIMEOUT };
    /// What an emulator needs at most, which shares its machine with whatever else is going on there: only a call that hangs takes longer.
    pub const EMULATOR: Self = Self { connect: Self::LONG, attempt: Self::LONG, operation: Self::LONG };
    const LONG: Duration = Duration::from_secs(120);
}

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
    /// Address of the mail service in place of the region's.
    pub sesv2_endpoint_url: Option<String>,
    /// Address of Textract in place of the region's.
    pub textract_endpoint_url: Option<String>,
    /// How long calls may take; none: those of AWS as long as AWS needs, and those to an address of their own as long as an emulator does.
    pub time_limits: Option<TimeLimits>,
}

/// A setting that is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {0} is not set")]
pub struct MissingSetting(pub &'static str);

impl AwsSettings {
    /// Reads `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_ENDPOINT_URL` and
    /// `AWS_ENDPOINT_URL_{DYNAMODB,S3,SSM,SESV2,TEXTRACT}`; an empty variable is an absent one.
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
            sesv2_endpoint_url: endpoint("AWS_ENDPOINT_URL_SESV2"),
            textract_endpoint_url: endpoint("AWS_ENDPOINT_URL_TEXTRACT"),
            time_limits: None,
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

    /// A client for the mail service.
    pub fn sesv2(&self) -> aws_sdk_sesv2::Client {
        aws_sdk_sesv2::Client::new(&self.sdk_config(self.sesv2_endpoint_url.as_deref()))
    }

    /// A client for the parameter store.
    pub fn ssm(&self) -> aws_sdk_ssm::Client {
        aws_sdk_ssm::Client::new(&self.sdk_config(self.ssm_endpoint_url.as_deref()))
    }

    /// A client for Textract, whose calls may take this long, or as long as an emulator needs. A call that got no answer is not repeated: each
    /// that arrives is paid for.
    pub fn textract(&self, patience: Duration) -> aws_sdk_textract::Client {
        let is_emulator = self.time_limits(self.textract_endpoint_url.as_deref()) == TimeLimits::EMULATOR;
        let operation = if is_emulator { TimeLimits::EMULATOR.operation } else { patience };
        let timeouts = TimeoutConfig::builder().disable_operation_attempt_timeout().operation_timeout(operation).build();
        let config = self.sdk_config(self.textract_endpoint_url.as_deref());
        let config = aws_sdk_textract::config::Builder::from(&config).timeout_config(timeouts).build();
        aws_sdk_textract::Client::from_conf(config)
    }

    /// A decrypted parameter of the parameter store.
    pub async fn parameter(&self, name: &str) -> Result<String> {
        let output = self.ssm().get_parameter().name(name).with_decryption(true).send().await;
        let output = output.map_err(|error| crate::error::from_sdk("GetParameter", error))?;
        output
            .parameter
            .and_then(|parameter| parameter.value)
            .ok_or_else(|| StoreError::Internal { operation: "GetParameter", reason: format!("the parameter {name} has no value") })
    }

    fn time_limits(&self, endpoint_url: Option<&str>) -> TimeLimits {
        self.time_limits.unwrap_or(if endpoint_url.is_some() { TimeLimits::EMULATOR } else { TimeLimits::AWS })
    }

    fn sdk_config(&self, endpoint_url: Option<&str>) -> aws_types::SdkConfig {
        let TimeLimits { connect, attempt, operation } = self.time_limits(endpoint_url);
        let timeouts = TimeoutConfig::builder();
        let timeouts = timeouts.connect_timeout(connect).operation_attempt_timeout(attempt).operation_timeout(operation).build();
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

/// The roots of Amazon Trust Services, which issues the certificates of all of AWS and asks that all five be trusted (amazontrust.com/repository).
const AWS_ROOTS: [&str; 5] =
    ["Amazon Root CA 1", "Amazon Root CA 2", "Amazon Root CA 3", "Amazon Root CA 4", "Starfield Services Root Certificate Authority - G2"];

/// HTTPS by `ring` to AWS, whose roots are compiled in. To parse all roots of the web would take two thirds of what a function computes until
/// its first answer.
fn http_client() -> aws_sdk_dynamodb::config::SharedHttpClient {
    let builder = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring));
    match tls(aws_roots()) {
        Some(context) => builder.tls_context(context).build_https(),
        None => builder.build_https(),
    }
}

/// HTTPS to systems that are none of AWS. It follows no redirection and has no time limit of its own but for connecting.
pub fn https() -> SharedHttpConnector {
    let settings = HttpConnectorSettings::builder().connect_timeout(CONNECT_TIMEOUT).build();
    let builder = Connector::builder().connector_settings(settings).sleep_impl(TokioSleep::new());
    let builder = builder.tls_provider(Provider::Rustls(CryptoMode::Ring));
    SharedHttpConnector::new(match tls(TLS_SERVER_ROOT_CERTS.iter()) {
        Some(context) => builder.tls_context(context).build(),
        None => builder.build(),
    })
}

fn aws_roots() -> impl Iterator<Item = &'static CertificateDer<'static>> {
    let names = AWS_ROOTS.map(Finder::new);
    TLS_SERVER_ROOT_CERTS.iter().filter(move |certificate| names.iter().any(|name| name.find(certificate).is_some()))
}

fn tls(certificates: impl Iterator<Item = &'static CertificateDer<'static>>) -> Option<TlsContext> {
    let mut roots = TrustStore::empty();
    for certificate in certificates {
        roots.add_pem_certificate(pem(certificate));
    }
    TlsContext::builder().with_trust_store(roots).build().ok()
}

fn pem(certificate: &[u8]) -> String {
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", STANDARD.encode(certificate))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ring::digest::{SHA256, digest};
    use rustls_pki_types::pem::PemObject;

    use super::*;

    fn from(variables: &[(&str, &str)]) -> std::result::Result<AwsSettings, MissingSetting> {
        let variables: HashMap<&str, &str> = variables.iter().copied().collect();
        AwsSettings::from_lookup(|name| variables.get(name).map(|value| (*value).to_owned()))
    }

    const LAMBDA: [(&str, &str); 4] =
        [("AWS_REGION", "eu-central-1"), ("AWS_ACCESS_KEY_ID", "id"), ("AWS_SECRET_ACCESS_KEY", "secret"), ("AWS_SESSION_TOKEN", "token")];

    #[test]
    fn a_lambda_has_its_region_and_a_temporary_identity() {
        let settings = from(&LAMBDA).unwrap();
        assert_eq!(settings.region, "eu-central-1");
        assert_eq!(settings.credentials.access_key_id(), "id");
        assert_eq!(settings.credentials.secret_access_key(), "secret");
        assert_eq!(settings.credentials.session_token(), Some("token"));
        assert_eq!((settings.dynamodb_endpoint_url, settings.s3_endpoint_url), (None, None));
        assert_eq!((settings.ssm_endpoint_url, settings.sesv2_endpoint_url, settings.textract_endpoint_url), (None, None, None));
    }

    #[test]
    fn an_address_for_one_service_goes_before_the_one_for_all() {
        let local = [("AWS_ENDPOINT_URL", "http://all"), ("AWS_ENDPOINT_URL_DYNAMODB", "http://dynamodb"), ("AWS_ENDPOINT_URL_SSM", "")];
        let settings = from(&[LAMBDA.as_slice(), &local].concat()).unwrap();
        assert_eq!(settings.dynamodb_endpoint_url.as_deref(), Some("http://dynamodb"));
        assert_eq!(settings.s3_endpoint_url.as_deref(), Some("http://all"));
        assert_eq!(settings.ssm_endpoint_url.as_deref(), Some("http://all"), "an empty variable is an absent one");
    }

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(from(&LAMBDA[1..]).unwrap_err(), MissingSetting("AWS_REGION"));
        assert_eq!(from(&LAMBDA[..1]).unwrap_err(), MissingSetting("AWS_ACCESS_KEY_ID"));
        assert_eq!(from(&LAMBDA[..2]).unwrap_err().to_string(), "the environment variable AWS_SECRET_ACCESS_KEY is not set");
    }

    /// TLS leaves out what it cannot parse without a word, and would then trust nobody.
    #[test]
    fn every_root_arrives_as_it_is() {
        for certificate in TLS_SERVER_ROOT_CERTS {
            assert_eq!(&CertificateDer::from_pem_slice(pem(certificate).as_bytes()).unwrap(), certificate);
        }
        assert!(TLS_SERVER_ROOT_CERTS.len() > 100);
    }

    /// The fingerprints are those that Amazon Trust Services publishes.
    #[test]
    fn aws_is_trusted_by_the_five_roots_of_its_own_authority() {
        let mut fingerprints: Vec<String> =
            aws_roots().map(|root| digest(&SHA256, root).as_ref().iter().map(|byte| format!("{byte:02X}")).collect()).collect();
        fingerprints.sort();
        assert_eq!(
            fingerprints,
            [
                "18CE6CFE7BF14E60B2E347B8DFE868CB31D02EBB3ADA271569F50343B46DB3A4",
                "1BA5B2AA8C65401A82960118F80BEC4F62304D83CEC4713A19C39C011EA46DB4",
                "568D6905A2C88708A4B3025190EDCFEDB1974A606A13C6E5290FCB2AE63EDAB5",
                "8ECDE6884F3D87B1125BA31AC3FCB13D7016DE7F57CC904FE1CB97C6AE98196E",
                "E35D28419ED02025CFA69038CD623962458DA5C695FBDEA3C22B0BFB25897092",
            ]
        );
    }

    #[test]
    fn clients_take_the_settings() {
        let settings = from(&LAMBDA).unwrap();
        let client = settings.dynamodb();
        assert_eq!(client.config().region().map(Region::as_ref), Some("eu-central-1"));
        let timeouts = client.config().timeout_config().unwrap();
        assert_eq!(timeouts.operation_attempt_timeout(), Some(ATTEMPT_TIMEOUT));
        assert_eq!(timeouts.operation_timeout(), Some(OPERATION_TIMEOUT));
        assert_eq!(client.config().retry_config().unwrap().max_attempts(), ATTEMPTS);
    }

    #[test]
    fn only_an_address_of_its_own_gets_an_emulators_time() {
        let settings = from(&[LAMBDA.as_slice(), &[("AWS_ENDPOINT_URL_DYNAMODB", "http://dynamodb")]].concat()).unwrap();
        let limit = |config: Option<&TimeoutConfig>| config.and_then(TimeoutConfig::operation_timeout);
        assert_eq!(limit(settings.dynamodb().config().timeout_config()), Some(TimeLimits::EMULATOR.operation));
        assert_eq!(limit(settings.s3().config().timeout_config()), Some(OPERATION_TIMEOUT));
        let patience = Duration::from_secs(4);
        assert_eq!(limit(settings.textract(patience).config().timeout_config()), Some(patience));
        let held = AwsSettings { time_limits: Some(TimeLimits::AWS), ..settings };
        assert_eq!(limit(held.dynamodb().config().timeout_config()), Some(OPERATION_TIMEOUT));
    }
}
