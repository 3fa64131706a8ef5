//! Where AWS is, and who asks it. A function knows both from environment variables and nothing else: no profile, no metadata service.

use std::time::Duration;

use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::behavior_version::BehaviorVersion;
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SdkConfig;
use aws_types::region::Region;
use domain::network::Reach;

use crate::tls;

/// How long one attempt of a call may take: so long that a call survives two that are never answered.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(1500);
/// How long a call may take with all its attempts: the client is told within 5 s.
pub const OPERATION_TIMEOUT: Duration = Duration::from_millis(4500);
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// Attempts of a call.
pub const ATTEMPTS: u32 = 3;

/// The time limits of calls.
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
    /// What an emulator needs at most, which shares its machine with other programs: only a call that hangs takes longer (D-PLATFORM-2).
    pub const EMULATOR: Self = Self { connect: Self::LONG, attempt: Self::LONG, operation: Self::LONG };
    const LONG: Duration = Duration::from_secs(120);
}

/// Where AWS is, and who we are.
#[derive(Debug, Clone)]
pub struct AwsSettings {
    pub region: String,
    /// The identity, which may change while it is used.
    pub credentials: SharedCredentialsProvider,
    /// Address of DynamoDB in place of the region's.
    pub dynamodb_endpoint_url: Option<String>,
    /// Address of S3 in place of the region's; buckets are then addressed by path.
    pub s3_endpoint_url: Option<String>,
    /// Address of the queues in place of the region's.
    pub sqs_endpoint_url: Option<String>,
    /// Address of the parameter store in place of the region's.
    pub ssm_endpoint_url: Option<String>,
    /// Address of the mail service in place of the region's.
    pub sesv2_endpoint_url: Option<String>,
    /// Address of Textract in place of the region's.
    pub textract_endpoint_url: Option<String>,
    /// Address of the user pools in place of the region's.
    pub cognito_endpoint_url: Option<String>,
    /// How long calls may take; none: those of AWS as long as AWS needs, and those to an address of their own as long as an emulator does.
    pub time_limits: Option<TimeLimits>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {0} is not set")]
pub struct MissingSetting(pub &'static str);

impl AwsSettings {
    /// Reads `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_ENDPOINT_URL` and
    /// `AWS_ENDPOINT_URL_{DYNAMODB,S3,SQS,SSM,SESV2,TEXTRACT,COGNITO_IDENTITY_PROVIDER}`; an empty variable is an absent one.
    pub fn from_env() -> Result<Self, MissingSetting> {
        Self::from_lookup(|name| std::env::var(name).ok())
    }

    /// The same from any source of variables.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, MissingSetting> {
        let optional = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let required = |name: &'static str| optional(name).ok_or(MissingSetting(name));
        let (region, key, secret) = (required("AWS_REGION")?, required("AWS_ACCESS_KEY_ID")?, required("AWS_SECRET_ACCESS_KEY")?);
        let credentials = Credentials::new(key, secret, optional("AWS_SESSION_TOKEN"), None, "environment");
        Ok(Self::with_credentials(SharedCredentialsProvider::new(credentials), region, lookup))
    }

    /// The same with an identity and a region of another source; of the variables the addresses are read.
    pub fn with_credentials(credentials: SharedCredentialsProvider, region: String, lookup: impl Fn(&str) -> Option<String>) -> Self {
        let optional = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let endpoint = |name: &str| optional(name).or_else(|| optional("AWS_ENDPOINT_URL"));
        Self {
            region,
            credentials,
            dynamodb_endpoint_url: endpoint("AWS_ENDPOINT_URL_DYNAMODB"),
            s3_endpoint_url: endpoint("AWS_ENDPOINT_URL_S3"),
            sqs_endpoint_url: endpoint("AWS_ENDPOINT_URL_SQS"),
            ssm_endpoint_url: endpoint("AWS_ENDPOINT_URL_SSM"),
            sesv2_endpoint_url: endpoint("AWS_ENDPOINT_URL_SESV2"),
            textract_endpoint_url: endpoint("AWS_ENDPOINT_URL_TEXTRACT"),
            cognito_endpoint_url: endpoint("AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER"),
            time_limits: None,
        }
    }

    /// Where the tenants' own systems may be: on this machine only where emulators stand for AWS.
    pub fn reach(&self) -> Reach {
        let emulated = [&self.dynamodb_endpoint_url, &self.ssm_endpoint_url];
        if emulated.into_iter().any(Option::is_some) { Reach::AndThisMachine } else { Reach::Internet }
    }

    /// How long calls may take to the service at this address; none: that of AWS.
    pub fn limits(&self, endpoint_url: Option<&str>) -> TimeLimits {
        self.time_limits.unwrap_or(if endpoint_url.is_some() { TimeLimits::EMULATOR } else { TimeLimits::AWS })
    }

    /// What a client needs of the service at this address; none: that of AWS.
    pub fn sdk_config(&self, endpoint_url: Option<&str>) -> SdkConfig {
        let TimeLimits { connect, attempt, operation } = self.limits(endpoint_url);
        let timeouts = TimeoutConfig::builder();
        let timeouts = timeouts.connect_timeout(connect).operation_attempt_timeout(attempt).operation_timeout(operation).build();
        let retries = RetryConfig::standard().with_max_attempts(ATTEMPTS).with_initial_backoff(Duration::from_millis(50));
        let mut config = SdkConfig::builder()
            .behavior_version(BehaviorVersion::v2026_01_12())
            .region(Region::new(self.region.clone()))
            .credentials_provider(self.credentials.clone())
            .http_client(tls::http_client())
            .timeout_config(timeouts)
            .retry_config(retries);
        config.set_endpoint_url(endpoint_url.map(str::to_owned));
        config.build()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use aws_credential_types::provider::ProvideCredentials as _;

    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<AwsSettings, MissingSetting> {
        let variables: HashMap<&str, &str> = variables.iter().copied().collect();
        AwsSettings::from_lookup(|name| variables.get(name).map(|value| (*value).to_owned()))
    }

    const LAMBDA: [(&str, &str); 4] =
        [("AWS_REGION", "eu-central-1"), ("AWS_ACCESS_KEY_ID", "id"), ("AWS_SECRET_ACCESS_KEY", "secret"), ("AWS_SESSION_TOKEN", "token")];

    #[tokio::test]
    async fn a_lambda_has_its_region_and_a_temporary_identity() {
        let settings = from(&LAMBDA).unwrap();
        assert_eq!(settings.region, "eu-central-1");
        let credentials = settings.credentials.provide_credentials().await.unwrap();
        assert_eq!(credentials.access_key_id(), "id");
        assert_eq!(credentials.secret_access_key(), "secret");
        assert_eq!(credentials.session_token(), Some("token"));
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

    #[test]
    fn clients_take_the_settings() {
        let config = from(&LAMBDA).unwrap().sdk_config(None);
        assert_eq!(config.region().map(Region::as_ref), Some("eu-central-1"));
        let timeouts = config.timeout_config().unwrap();
        assert_eq!(timeouts.operation_attempt_timeout(), Some(ATTEMPT_TIMEOUT));
        assert_eq!(timeouts.operation_timeout(), Some(OPERATION_TIMEOUT));
        assert_eq!(config.retry_config().unwrap().max_attempts(), ATTEMPTS);
    }

    #[test]
    fn only_an_address_of_its_own_gets_an_emulators_time() {
        let settings = from(&[LAMBDA.as_slice(), &[("AWS_ENDPOINT_URL_DYNAMODB", "http://dynamodb")]].concat()).unwrap();
        let limit = |settings: &AwsSettings, url: &Option<String>| {
            settings.sdk_config(url.as_deref()).timeout_config().and_then(TimeoutConfig::operation_timeout)
        };
        assert_eq!(limit(&settings, &settings.dynamodb_endpoint_url), Some(TimeLimits::EMULATOR.operation));
        assert_eq!(limit(&settings, &settings.s3_endpoint_url), Some(OPERATION_TIMEOUT));
        let held = AwsSettings { time_limits: Some(TimeLimits::AWS), ..settings };
        assert_eq!(limit(&held, &held.dynamodb_endpoint_url), Some(OPERATION_TIMEOUT));
    }
}
