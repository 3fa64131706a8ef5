//! A stack answers over HTTP, and keeps its data where it is told to.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::{Arc, Mutex};

use local::{Stack, StackOptions};
use serde_json::Value;

async fn get(url: String) -> (u16, Value) {
    let response = reqwest::get(url).await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn an_empty_stack_answers() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = lines.clone();
    let options = StackOptions { log: Arc::new(move |line| log.lock().unwrap().push(line.to_owned())), ..Default::default() };
    let stack = Stack::start(options).await.unwrap();
    let url = &stack.api_url;

    let (status, problem) = get(format!("{url}/api/public/application")).await;
    assert_eq!((status, &problem["code"]), (404, &"application-unknown".into()));
    let (status, problem) = get(format!("{url}/nothing")).await;
    assert_eq!((status, &problem["code"]), (404, &"not-found".into()));
    let (status, problem) = get(format!("{url}/auth/token")).await;
    assert_eq!((status, &problem["code"]), (405, &"method-not-allowed".into()));

    let lines = lines.lock().unwrap();
    let operations: Vec<Value> = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["operation"].clone()).collect();
    assert_eq!(operations, ["application_get", "fallback", "fallback"]);
}

#[tokio::test]
async fn data_and_key_outlive_a_stack_that_keeps_them() {
    let folder = tempfile::tempdir().unwrap();
    let options = StackOptions { data: Some(folder.path().to_owned()), ..Default::default() };
    let client = |stack: &Stack| {
        let lookup = |name: &str| stack.environment.get(name).cloned();
        store::s3(&aws::AwsSettings::from_lookup(lookup).unwrap())
    };

    assert!(!Stack::has_data(folder.path()));
    let stack = Stack::start(options.clone()).await.unwrap();
    assert!(Stack::has_data(folder.path()));
    let key = stack.environment["JWT_PRIVATE_KEY"].clone();
    let bucket = stack.environment["PHOTO_BUCKET"].clone();
    client(&stack).put_object().bucket(&bucket).key("kept").body(b"photo".to_vec().into()).send().await.unwrap();
    drop(stack);

    let stack = Stack::start(options).await.unwrap();
    assert_eq!(stack.environment["JWT_PRIVATE_KEY"], key);
    let object = client(&stack).get_object().bucket(&bucket).key("kept").send().await.unwrap();
    assert_eq!(object.body.collect().await.unwrap().to_vec(), b"photo");
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let refused = Stack::start(StackOptions { api_port: port, ..Default::default() }).await.err().unwrap();
    assert!(refused.to_string().starts_with(&format!("port {port}: ")), "{refused}");
}
