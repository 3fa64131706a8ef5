//! The emulators start, keep what they should, and leave nothing behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::types::AttributeValue;
use emulators::{Dynamo, Ministack, MinistackOptions, create_bucket, create_table, settings};

async fn tables(dynamo: &Dynamo) -> Vec<String> {
    store::dynamodb(&settings(dynamo.endpoint(), None)).list_tables().send().await.unwrap().table_names.unwrap_or_default()
}

fn answers(endpoint: &str) -> bool {
    TcpStream::connect(endpoint.trim_start_matches("http://")).is_ok()
}

fn ends(endpoint: &str) -> bool {
    let begin = Instant::now();
    while answers(endpoint) {
        // Only one that never ends takes longer, however busy the machine is.
        if begin.elapsed() > Duration::from_secs(300) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[tokio::test]
async fn databases_in_memory_have_nothing_in_common() {
    let (one, other) = (Dynamo::in_memory().unwrap(), Dynamo::in_memory().unwrap());
    let client = store::dynamodb(&settings(one.endpoint(), None));
    create_table(&client, "table").await.unwrap();
    create_table(&client, "table").await.unwrap();
    assert_eq!((tables(&one).await, tables(&other).await), (vec!["table".to_owned()], Vec::new()));
    let endpoint = one.endpoint().to_owned();
    assert!(endpoint.starts_with("http://127.0.0.1:") && answers(&endpoint));
    drop(one);
    assert!(!answers(&endpoint));
}

#[tokio::test]
async fn a_database_on_disk_is_still_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dynamodb.sqlite");
    let dynamo = Dynamo::on_disk(&file, 0).unwrap();
    create_table(&store::dynamodb(&settings(dynamo.endpoint(), None)), "kept").await.unwrap();
    drop(dynamo);
    let dynamo = Dynamo::on_disk(&file, 0).unwrap();
    assert_eq!(tables(&dynamo).await, ["kept"]);
}

#[tokio::test]
async fn a_database_goes_back_to_its_snapshot() {
    let dynamo = Dynamo::in_memory().unwrap();
    let client = store::dynamodb(&settings(dynamo.endpoint(), None));
    create_table(&client, "table").await.unwrap();
    let put = async |sk: &str, word: &str| {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let item = [("pk", "p"), ("sk", sk), ("gsi1pk", "index"), ("gsi1sk", sk), ("word", word)]
            .map(|(name, value)| (name.to_owned(), text(value)));
        client.put_item().table_name("table").set_item(Some(item.into())).send().await.unwrap();
    };
    let words = async |index: Option<&str>| {
        let found = client.scan().table_name("table").set_index_name(index.map(str::to_owned)).send().await.unwrap();
        let word = |item: &HashMap<String, AttributeValue>| item["word"].as_s().unwrap().clone();
        found.items().iter().map(word).collect::<Vec<_>>()
    };
    put("kept", "before").await;
    let snapshot = dynamo.snapshot().unwrap();
    for _ in 0..2 {
        put("kept", "after").await;
        put("added", "after").await;
        assert_eq!((words(None).await.len(), words(Some("gsi1")).await.len()), (2, 2));
        dynamo.restore(&snapshot).unwrap();
        for index in [None, Some("gsi1")] {
            assert_eq!(words(index).await, ["before"]);
        }
    }
}

#[tokio::test]
async fn a_port_in_use_is_told() {
    let dynamo = Dynamo::in_memory().unwrap();
    let port: u16 = dynamo.endpoint().rsplit(':').next().unwrap().parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let refused = Dynamo::on_disk(&folder.path().join("dynamodb.sqlite"), port).err().unwrap().to_string();
    assert!(refused.contains(&format!("port {port}")), "{refused}");
    let options = MinistackOptions { port: Some(port), ..MinistackOptions::default() };
    let refused = Ministack::start(&options).await.unwrap_err().to_string();
    assert!(refused.contains(&format!("is port {port} in use?")), "{refused}");
}

#[tokio::test]
async fn ministack_keeps_its_state_and_ends_when_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let options = MinistackOptions { state_dir: Some(folder.path().join("state")), log_file: Some(folder.path().join("log")), port: None };
    let ministack = Ministack::start(&options).await.unwrap();
    let s3 = store::s3(&settings(ministack.endpoint(), Some(ministack.endpoint())));
    for _ in 0..2 {
        create_bucket(&s3, "kept", &["http://localhost:5173"]).await.unwrap();
    }
    s3.put_object().bucket("kept").key("key").body(vec![7; 10].into()).send().await.unwrap();
    let endpoint = ministack.endpoint().to_owned();
    drop(ministack);
    assert!(!answers(&endpoint), "dropping waits for the end");

    let ministack = Ministack::start(&options).await.unwrap();
    let s3 = store::s3(&settings(ministack.endpoint(), Some(ministack.endpoint())));
    let object = s3.get_object().bucket("kept").key("key").send().await.unwrap();
    assert_eq!(object.body.collect().await.unwrap().into_bytes(), vec![7; 10]);
}

/// Not a test of its own: the process that `ministack_ends_when_its_parent_is_killed` kills.
#[tokio::test]
#[ignore = "started by the test of the same matter"]
async fn parent_of_ministack() {
    let ministack = Ministack::start(&MinistackOptions::default()).await.unwrap();
    println!("endpoint {}", ministack.endpoint());
    std::future::pending::<()>().await;
}

#[test]
fn ministack_ends_when_its_parent_is_killed() {
    let mut parent = Command::new(std::env::current_exe().unwrap());
    let mut parent = parent.args(["--exact", "parent_of_ministack", "--ignored", "--nocapture"]).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(parent.stdout.take().unwrap()).lines();
    let endpoint = lines.map(|line| line.unwrap()).find_map(|line| line.split_once("endpoint ").map(|(_, endpoint)| endpoint.to_owned()));
    let endpoint = endpoint.unwrap();
    assert!(answers(&endpoint));
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert!(ends(&endpoint), "{endpoint} still answers");
}
