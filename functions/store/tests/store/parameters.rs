use store::StoreError;

use crate::support::ministack;

#[tokio::test]
async fn a_secret_is_read_in_clear_and_a_missing_one_is_told() {
    let endpoint = ministack().await;
    let settings = emulators::settings(endpoint, Some(endpoint));
    let body = r#"{"Name":"/zaehlwerk/key","Value":"secret","Type":"SecureString"}"#;
    let put = reqwest::Client::new()
        .post(endpoint)
        .header("x-amz-target", "AmazonSSM.PutParameter")
        .header("content-type", "application/x-amz-json-1.1")
        .header("authorization", "AWS4-HMAC-SHA256 Credential=test/20261121/eu-central-1/ssm/aws4_request, SignedHeaders=host, Signature=x")
        .body(body);
    assert!(put.send().await.unwrap().status().is_success());
    assert_eq!(settings.parameter("/zaehlwerk/key").await.unwrap(), "secret");
    let missing = settings.parameter("/zaehlwerk/other").await.unwrap_err();
    assert!(
        matches!(&missing, StoreError::Internal { operation: "GetParameter", reason } if reason.starts_with("ParameterNotFound")),
        "{missing}"
    );
}
