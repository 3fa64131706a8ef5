//! Photos and scans of readings that staff enter.

use domain::ids::{ImageId, JobId};
use domain::staff::Role;
use jiff::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::world::{Answer, PHOTO, Portal, today};

/// A portal with a meter of two registers.
async fn with_two_registers() -> Portal {
    let portal = Portal::with_account("anna").await;
    let rate = |id: &str, obis: &str| json!({ "taskId": id, "obis": obis, "postDecimals": 0 });
    let rates = [rate("ht", "1-0:1.8.1"), rate("nt", "1-0:1.8.2")];
    portal.add_job("anna", "job-1", json!({ "meter": { "meterNumber": "1EBZ0100000617", "meterRateTasks": rates } })).await;
    portal
}

fn entry(values: Value, images: &[Value]) -> Value {
    json!({ "job": "job-1", "channel": "CARD", "readingDate": today().to_string(), "values": values, "images": images })
}

fn both() -> Value {
    json!([{ "register": "ht", "value": "4711" }, { "register": "nt", "value": "815" }])
}

async fn enter(portal: &Portal, session: &str, body: &Value, key: Option<&str>) -> Answer {
    let path = format!("/api/desk/tenants/{}/readings", portal.tenant());
    portal.send(Method::POST, &path, Some(session), Some(body), key).await
}

async fn readings(portal: &Portal, session: &str) -> Vec<Value> {
    let job = portal.get_with(&format!("/api/desk/tenants/{}/jobs/job-1", portal.tenant()), session).await;
    job.body["file"]["readings"].as_array().unwrap().clone()
}

async fn bytes(portal: &Portal, image: &Value) -> Option<bytes::Bytes> {
    let (job, image) = (JobId::new("job-1").unwrap(), image.as_str().unwrap().parse::<ImageId>().unwrap());
    portal.stored_photo(&job, &image).await
}

#[tokio::test]
async fn a_scan_of_the_card_is_kept_with_each_register_and_goes_with_the_customer() {
    let portal = with_two_registers().await;
    let session = portal.member(&[Role::Support]).await;
    let images = [portal.upload_of_staff(&session, "job-1", PHOTO).await, portal.upload_of_staff(&session, "job-1", PHOTO).await];
    for _ in 0..2 {
        let entered = enter(&portal, &session, &entry(both(), &images), Some("card")).await;
        assert_eq!((entered.status, &entered.body["outcome"]), (StatusCode::OK, &json!("stored")), "{entered:?}");
    }
    let stored = readings(&portal, &session).await;
    let shown: Vec<_> = stored.iter().map(|reading| reading["images"].as_array().unwrap().clone()).collect();
    assert_eq!((shown.len(), shown[0].len(), &shown[0]), (2, 2, &shown[1]));
    for image in &shown[0] {
        let photo = bytes(&portal, image).await.unwrap();
        assert!(photo.starts_with(&[0xff, 0xd8]) && !photo.windows(4).any(|part| part == b"Exif"));
    }
    // The customer sees it as one of their own, and clerks by its address.
    let image = shown[0][0].as_str().unwrap();
    let own = portal.login("anna").await.get(&format!("/api/pro/job/job-1/meter-rate-tasks/nt/result-images/{image}")).await;
    assert_eq!((own.status, own.header("content-type")), (StatusCode::OK, Some("image/jpeg")));
    let path = format!("/api/desk/tenants/{}/jobs/job-1/readings/{}/photos/{image}", portal.tenant(), stored[1]["id"].as_str().unwrap());
    let seen = portal.get_with(&path, &session).await;
    assert_eq!(reqwest::get(seen.body["url"].as_str().unwrap()).await.unwrap().status(), StatusCode::OK);

    portal.erase("anna").await;
    for image in &shown[0] {
        assert_eq!(bytes(&portal, image).await, None);
    }
}

#[tokio::test]
async fn a_photo_is_stored_for_a_reading_that_is_taken_and_for_no_other() {
    let portal = with_two_registers().await;
    let session = portal.member(&[Role::Support]).await;
    let scan = portal.upload_of_staff(&session, "job-1", PHOTO).await;
    let mut trial = entry(both(), std::slice::from_ref(&scan));
    trial["trial"] = json!(true);
    assert_eq!(enter(&portal, &session, &trial, None).await.body["outcome"], "tried");
    let unreadable = entry(json!([{ "register": "ht", "value": "4711.5" }]), std::slice::from_ref(&scan));
    enter(&portal, &session, &unreadable, None).await.assert_problem(422, "reading-invalid");
    let four = [scan.clone(), scan.clone(), scan.clone(), scan.clone()];
    let too_many = enter(&portal, &session, &entry(both(), &four), None).await;
    too_many.assert_problem(422, "reading-invalid");
    assert_eq!(
        (&too_many.body["fieldErrors"][0]["field"], &too_many.body["fieldErrors"][0]["code"]),
        (&json!("images"), &json!("IMAGE_TOO_MANY"))
    );
    let missing = entry(both(), &[json!({ "uploadId": "no-such-upload" })]);
    let missing = enter(&portal, &session, &missing, None).await;
    missing.assert_problem(422, "upload-missing");
    assert_eq!(missing.body["fieldErrors"][0]["field"], "images[0]");
    let text = portal.upload_of_staff(&session, "job-1", b"no photo").await;
    enter(&portal, &session, &entry(both(), &[text]), None).await.assert_problem(422, "photo-invalid");
    assert!(readings(&portal, &session).await.is_empty());
    assert_eq!(portal.stored_photos().await, 0);

    // The same without the photo.
    assert_eq!(enter(&portal, &session, &entry(both(), &[]), None).await.body["outcome"], "stored");
    assert!(readings(&portal, &session).await.iter().all(|reading| reading["images"] == json!([])));
}

#[tokio::test]
async fn photos_of_staff_are_bound_by_the_member_and_belong_to_the_customer() {
    let portal = with_two_registers().await;
    portal.add_account("bert").await;
    portal.add_job("bert", "job-2", json!({})).await;
    let (member, session) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    // What was sent ahead for one customer is nothing for another's job, and the other way round.
    let other = portal.upload_of_staff(&session, "job-2", PHOTO).await;
    enter(&portal, &session, &entry(both(), &[other]), None).await.assert_problem(422, "upload-missing");

    let path = |job: &str| format!("/api/desk/tenants/{}/jobs/{job}/upload", portal.tenant());
    let announce = async |job: &str, session: &str, length: u64| {
        let body = json!({ "contentType": "image/jpeg", "contentLength": length });
        portal.send(Method::POST, &path(job), Some(session), Some(&body), None).await
    };
    announce("no-such-job", &session, 1).await.assert_problem(404, "not-found");
    announce("job-1", &session, 2 * 1024 * 1024 + 1).await.assert_problem(422, "request-invalid");
    // However many the customer sent, staff send theirs.
    portal.have_photos_sent("anna", 3000).await;
    portal.have_photos_announced(&member, 898).await;
    assert_eq!(announce("job-1", &session, 1).await.status, StatusCode::CREATED);
    let refused = announce("job-1", &session, 1).await;
    refused.assert_problem(429, "too-many-attempts");
    assert!(refused.header("retry-after").is_some());
    let colleague = portal.member(&[Role::Clerk]).await;
    assert_eq!(announce("job-1", &colleague, 1).await.status, StatusCode::CREATED);
}
