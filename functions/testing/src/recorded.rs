//! What AWS says. `recorded/README.md` tells which file has what; each message has its source.

use serde_json::{Value, json};

fn message(file: &str, name: &str) -> Value {
    let messages: Value = serde_json::from_str(file).unwrap();
    messages.get(name).unwrap_or_else(|| panic!("no message {name} is recorded")).clone()
}

/// An answer of DynamoDB: its status and its body.
pub fn dynamodb(name: &str) -> (u16, Value) {
    let answer = message(include_str!("../recorded/dynamodb.json"), name);
    (answer["status"].as_u64().unwrap().try_into().unwrap(), answer["body"].clone())
}

/// What firewall, edge or gateway answer: `status`, `headers` and `body`.
pub fn edge(name: &str) -> Value {
    message(include_str!("../recorded/edge.json"), name)
}

/// An event of the mail service, or what wraps it.
pub fn mail_event(name: &str) -> Value {
    message(include_str!("../recorded/mail-events.json"), name)["event"].clone()
}

/// What Lambda gives to a function for messages in a queue, which are their ids and bodies.
pub fn batch(messages: &[(&str, String)]) -> Value {
    let queue = mail_event("bySqs");
    let record = &queue["Records"][0];
    let of = |(id, body): &(&str, String)| {
        let mut record = record.clone();
        record["messageId"] = json!(id);
        record["body"] = json!(body);
        record
    };
    json!({ "Records": messages.iter().map(of).collect::<Vec<_>>() })
}
