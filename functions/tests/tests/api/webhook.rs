//! What a tenant's webhook will get: each reading once, by whatever way it came.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::DeliveryContent;

use crate::readings_without_job::{own_reading, visitors_reading};
use crate::world::{Portal, double_tariff, today};

async fn send_all(portal: &Portal) {
    portal.add_account("anna").await;
    portal.add_job("anna", "job-1", double_tariff()).await;
    let anna = portal.login("anna").await;
    let results = json!([{ "taskId": "t1", "readingValue": "4000.5" }, { "taskId": "t2", "readingValue": "17.0" }]);
    let readings = json!({ "readingDate": today().to_string(), "confirmed": true, "results": results });
    for _ in 0..2 {
        assert_eq!(anna.send("job-1", readings.clone(), Some("k")).await.status, StatusCode::OK);
    }
    let visitor = portal.visitor().await;
    let post = async |path: &str, token: &str, body: &Value, key: &str| {
        let answer = portal.send(Method::POST, path, Some(token), Some(body), Some(key)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    };
    for key in ["one", "one", "two"] {
        post("/api/unknown-readings/results", &visitor, &visitors_reading(), key).await;
    }
    post("/api/pro/unknown-reading", anna.token(), &own_reading(), "k2").await;
}

#[tokio::test]
async fn every_way_of_a_reading_leads_to_the_webhook() {
    let portal = Portal::configured(json!({ "webhook": { "url": "https://erp.example.org/in", "secretParameter": "secret-name" } })).await;
    send_all(&portal).await;
    let contents = portal.delivery_contents().await;
    let values: Vec<Vec<&str>> = contents
        .iter()
        .map(|content| match content {
            DeliveryContent::OfJob { readings, .. } => readings.iter().map(|told| told.reading.entry.reading_value.as_str()).collect(),
            DeliveryContent::WithoutJob(entry) => entry.reading_values.iter().map(|value| value.value.as_str()).collect(),
            DeliveryContent::Export(_) | DeliveryContent::Gone | DeliveryContent::Later => Vec::new(),
        })
        .collect();
    assert_eq!(values, [vec!["4000.5", "17.0"], vec!["4711.123"], vec!["4711"]], "a repeated request is no other reading");
    let public = portal.get("/api/public/application").await.body.to_string();
    assert!(!public.contains("erp.example.org") && !public.contains("secret-name"), "{public}");
}

#[tokio::test]
async fn without_a_webhook_nothing_waits() {
    let portal = Portal::configured(json!({})).await;
    send_all(&portal).await;
    assert!(portal.delivery_contents().await.is_empty());
}
