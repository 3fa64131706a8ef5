//! What the infrastructure code creates in AWS, created in the emulators.

use aws::AwsSettings;
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_cognitoidentityprovider::types::UsernameAttributeType;
use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType, ScalarAttributeType,
    TimeToLiveSpecification,
};
use aws_sdk_s3::types::{
    BucketLocationConstraint, BucketVersioningStatus, CorsConfiguration, CorsRule, CreateBucketConfiguration, VersioningConfiguration,
};
use aws_sdk_ssm::types::ParameterType;
use store::table;

use crate::EmulatorError;

/// Access key and secret of the emulators; ministack verifies signatures with it.
pub const KEY: &str = "test";
const REGION: &str = "eu-central-1";

/// Settings for clients of the emulators.
pub fn settings(dynamodb_endpoint: &str, s3_endpoint: Option<&str>) -> AwsSettings {
    AwsSettings {
        region: REGION.into(),
        credentials: SharedCredentialsProvider::new(Credentials::new(KEY, KEY, None, None, "emulators")),
        dynamodb_endpoint_url: Some(dynamodb_endpoint.into()),
        s3_endpoint_url: s3_endpoint.map(str::to_owned),
        sqs_endpoint_url: s3_endpoint.map(str::to_owned),
        ssm_endpoint_url: s3_endpoint.map(str::to_owned),
        sesv2_endpoint_url: s3_endpoint.map(str::to_owned),
        textract_endpoint_url: None,
        cognito_endpoint_url: s3_endpoint.map(str::to_owned),
        time_limits: None,
    }
}

/// Creates the table as `store::table` defines it; one that exists stays as it is.
///
/// Without its stream: nothing reads it here, and dynoxide looks through all of it at each write (importing 10,000 jobs took 22 s of computing and takes 3).
pub async fn create_table(client: &aws_sdk_dynamodb::Client, name: &str) -> Result<(), EmulatorError> {
    let attribute = |name: &str| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build()
            .map_err(|e| failed("table", name, e))
    };
    let key =
        |name: &str, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build().map_err(|e| failed("table", name, e));
    let index = GlobalSecondaryIndex::builder()
        .index_name(table::RESULTS_INDEX)
        .key_schema(key(table::RESULTS_PARTITION_KEY, KeyType::Hash)?)
        .key_schema(key(table::RESULTS_SORT_KEY, KeyType::Range)?)
        .projection(Projection::builder().projection_type(ProjectionType::All).build())
        .build()
        .map_err(|e| failed("index", table::RESULTS_INDEX, e))?;
    let created = client
        .create_table()
        .table_name(name)
        .attribute_definitions(attribute(table::PARTITION_KEY)?)
        .attribute_definitions(attribute(table::SORT_KEY)?)
        .attribute_definitions(attribute(table::RESULTS_PARTITION_KEY)?)
        .attribute_definitions(attribute(table::RESULTS_SORT_KEY)?)
        .key_schema(key(table::PARTITION_KEY, KeyType::Hash)?)
        .key_schema(key(table::SORT_KEY, KeyType::Range)?)
        .global_secondary_indexes(index)
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await;
    match created {
        Ok(_) => {}
        Err(error) if code(&error) == Some("ResourceInUseException") => return Ok(()),
        Err(error) => return Err(failed("table", name, DisplayErrorContext(error))),
    }
    let expiry = TimeToLiveSpecification::builder().enabled(true).attribute_name(table::EXPIRES_AT).build();
    let expiry = expiry.map_err(|e| failed("expiry of", name, e))?;
    let enabled = client.update_time_to_live().table_name(name).time_to_live_specification(expiry).send().await;
    enabled.map_err(|error| failed("expiry of", name, DisplayErrorContext(error)))?;
    Ok(())
}

/// Creates the photo bucket in the client's region, so that pages of these origins may put into it; one that exists gets the rule anew.
pub async fn create_bucket(client: &aws_sdk_s3::Client, name: &str, cors_origins: &[&str]) -> Result<(), EmulatorError> {
    let region = client.config().region().map_or(REGION, AsRef::as_ref);
    let location = CreateBucketConfiguration::builder().location_constraint(BucketLocationConstraint::from(region)).build();
    let created = client.create_bucket().bucket(name).create_bucket_configuration(location).send().await;
    match created {
        Ok(_) => {}
        Err(error) if code(&error) == Some("BucketAlreadyOwnedByYou") => {}
        Err(error) => return Err(failed("bucket", name, DisplayErrorContext(error))),
    }
    let keeps = VersioningConfiguration::builder().status(BucketVersioningStatus::Enabled).build();
    let versioned = client.put_bucket_versioning().bucket(name).versioning_configuration(keeps).send().await;
    versioned.map_err(|error| failed("versions of", name, DisplayErrorContext(error)))?;
    let origins = cors_origins.iter().map(|origin| (*origin).to_owned()).collect();
    let rule = CorsRule::builder().set_allowed_origins(Some(origins)).allowed_methods("PUT");
    let rule = rule.allowed_headers("content-type").allowed_headers("if-none-match").build();
    let rules = rule.and_then(|rule| CorsConfiguration::builder().cors_rules(rule).build()).map_err(|e| failed("bucket", name, e))?;
    let put = client.put_bucket_cors().bucket(name).cors_configuration(rules).send().await;
    put.map_err(|error| failed("CORS rule of", name, DisplayErrorContext(error)))?;
    Ok(())
}

/// Lets the mail service take mails from all addresses of this domain.
pub async fn verify_sender(settings: &AwsSettings, domain: &str) -> Result<(), EmulatorError> {
    let client = aws_sdk_sesv2::Client::new(&settings.sdk_config(settings.sesv2_endpoint_url.as_deref()));
    match client.create_email_identity().email_identity(domain).send().await {
        Ok(_) => Ok(()),
        Err(error) if code(&error) == Some("AlreadyExistsException") => Ok(()),
        Err(error) => Err(failed("sender", domain, DisplayErrorContext(error))),
    }
}

/// Creates a user pool in which an address is the name; gives its id.
pub async fn create_user_pool(settings: &AwsSettings, name: &str) -> Result<String, EmulatorError> {
    let client = aws_sdk_cognitoidentityprovider::Client::new(&settings.sdk_config(settings.cognito_endpoint_url.as_deref()));
    let created = client.create_user_pool().pool_name(name).username_attributes(UsernameAttributeType::Email).send().await;
    let created = created.map_err(|error| failed("user pool", name, DisplayErrorContext(error)))?;
    created.user_pool.and_then(|pool| pool.id).ok_or_else(|| failed("user pool", name, "it has no id"))
}

/// Puts a secret into the parameter store, in place of one of that name.
pub async fn put_secret(settings: &AwsSettings, name: &str, value: &str) -> Result<(), EmulatorError> {
    let client = aws_sdk_ssm::Client::new(&settings.sdk_config(settings.ssm_endpoint_url.as_deref()));
    let put = client.put_parameter().name(name).value(value).r#type(ParameterType::SecureString).overwrite(true).send().await;
    put.map(drop).map_err(|error| failed("parameter", name, DisplayErrorContext(error)))
}

fn code<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> Option<&str> {
    error.as_service_error().and_then(ProvideErrorMetadata::code)
}

fn failed(kind: &str, name: &str, reason: impl std::fmt::Display) -> EmulatorError {
    EmulatorError::Create { resource: format!("{kind} {name}"), reason: reason.to_string() }
}
