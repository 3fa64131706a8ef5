//! The least that a Lambda with the AWS SDK can be: it answers with one item of DynamoDB, without a token, a tenant, or an error of its own.
//!
//! `make bench` holds the product's functions against it: what they cost beyond it is theirs.

use std::env::var;
use std::error::Error;

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Region};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use lambda_http::{LambdaEvent, lambda_runtime, service_fn};
use serde_json::{Value, json};

type Fault = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Fault> {
    let (table, key) = (&var("TABLE_NAME")?, &(var("ITEM_PK")?, var("ITEM_SK")?));
    let client = &Client::from_conf(
        Config::builder()
            .behavior_version(BehaviorVersion::v2026_01_12())
            .region(Region::new(var("AWS_REGION")?))
            .credentials_provider(Credentials::new(var("AWS_ACCESS_KEY_ID")?, var("AWS_SECRET_ACCESS_KEY")?, None, None, "environment"))
            .endpoint_url(var("AWS_ENDPOINT_URL_DYNAMODB")?)
            .http_client(Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https())
            .build(),
    );
    // The connection is opened before the first request, as the product does.
    read(client, table, key).await?;
    lambda_runtime::run(service_fn(move |_: LambdaEvent<Value>| async move { read(client, table, key).await })).await
}

async fn read(client: &Client, table: &str, (pk, sk): &(String, String)) -> Result<Value, Fault> {
    let key = |value: &String| AttributeValue::S(value.clone());
    let output = client.get_item().table_name(table).key("pk", key(pk)).key("sk", key(sk)).send().await?;
    let item = output.item.ok_or("there is no such item")?;
    let name = item.get("name").and_then(|name| name.as_s().ok());
    Ok(json!({"statusCode": 200, "headers": {"content-type": "application/json"}, "body": json!({"name": name}).to_string()}))
}
