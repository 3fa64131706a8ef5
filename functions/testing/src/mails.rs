//! The mails that ministack's mail service took.

use serde_json::{Value, json};

/// All of them.
pub async fn mails(ministack: &str) -> Vec<Value> {
    listed(format!("{ministack}/_ministack/ses/messages")).await
}

/// Those that this AWS account sent.
pub async fn mails_of(ministack: &str, account: &str) -> Vec<Value> {
    listed(format!("{ministack}/_ministack/ses/messages?account={account}")).await
}

async fn listed(url: String) -> Vec<Value> {
    let answer: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    answer["messages"].as_object().unwrap().values().flat_map(|mails| mails.as_array().unwrap().clone()).collect()
}

/// Those to this address.
pub async fn mails_to(ministack: &str, address: &str) -> Vec<Value> {
    mails(ministack).await.into_iter().filter(|mail| mail["To"] == json!([address])).collect()
}

/// What follows this text in a mail, up to the next white space.
pub fn after(mail: &Value, text: &str) -> String {
    let body = mail["BodyText"].as_str().unwrap();
    let rest = body.split_once(text).unwrap_or_else(|| panic!("{text} in {body}")).1;
    rest.split_whitespace().next().unwrap().to_owned()
}
