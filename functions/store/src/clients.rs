//! Clients of the two services.

use aws::AwsSettings;

/// A client for DynamoDB.
pub fn dynamodb(settings: &AwsSettings) -> aws_sdk_dynamodb::Client {
    aws_sdk_dynamodb::Client::new(&settings.sdk_config(settings.dynamodb_endpoint_url.as_deref()))
}

/// A client for S3. Where it has an address of its own, buckets are addressed by path.
pub fn s3(settings: &AwsSettings) -> aws_sdk_s3::Client {
    let endpoint_url = settings.s3_endpoint_url.as_deref();
    let config = aws_sdk_s3::config::Builder::from(&settings.sdk_config(endpoint_url))
        .force_path_style(endpoint_url.is_some())
        // A checksum would be part of what a presigned PUT has to send, and the browser cannot know it beforehand.
        .request_checksum_calculation(aws_sdk_s3::config::RequestChecksumCalculation::WhenRequired)
        .build();
    aws_sdk_s3::Client::from_conf(config)
}
