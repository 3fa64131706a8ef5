//! Proposals of the digits that a photo shows. Textract's stand-in knows the two photos of this repository.

use reqwest::StatusCode;
use serde_json::{Value, json};
use testing::Fate;

use crate::lab::Lab;
use crate::world::{Answer, PHOTO, Persona, Portal};

/// Shows 00962415.
const METER: &[u8] = include_bytes!("../../../../demo/birkenfurt/photos/wasser.jpg");

/// What makes a job one of a meter like that in the photo.
fn water() -> Value {
    let rate = json!({ "taskId": "w", "obis": "8-0:1.0.0", "preDecimals": 5, "postDecimals": 3 });
    json!({ "meter": { "meterNumber": "8SEN0199000042", "meterRateTasks": [rate] } })
}

async fn read(person: &Persona<'_>, job: &str, upload: &str) -> Answer {
    person.post_text(&format!("/api/pro/job/{job}/meter-rate-tasks/w/photo-reading"), &json!({ "uploadId": upload }).to_string()).await
}

#[tokio::test]
async fn the_counter_in_a_photo_is_proposed_and_nothing_is_stored() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", water()).await;
    let anna = portal.login("anna").await;
    let before = anna.get("/api/pro/job").await.body;
    let answer = read(&anna, "job-1", &anna.upload(METER).await).await;
    assert_eq!((answer.status, &answer.body), (StatusCode::OK, &json!({ "proposal": { "value": "00962.415", "confidence": 96 } })));
    assert_eq!(anna.get("/api/pro/job").await.body, before);
    assert!(portal.ledger().await.is_empty());
    assert_eq!(portal.get("/api/public/application").await.body["photoReadingAvailable"], true);

    // A photo in which there is nothing to read.
    let answer = read(&anna, "job-1", &anna.upload(PHOTO).await).await;
    assert_eq!((answer.status, &answer.body), (StatusCode::OK, &json!({ "proposal": null })));
    // Somebody with whom the meter was shared has it read, too.
    let share = anna.share("Hausmeister", &["job-1"]).await;
    let below = portal.login_share(&share).await;
    assert_eq!(read(&below, "job-1", &below.upload(METER).await).await.body["proposal"]["value"], "00962.415");
}

#[tokio::test]
async fn a_photo_is_read_for_who_sent_it_and_for_their_own_meters() {
    let portal = Portal::with_account("anna").await;
    portal.add_account("berta").await;
    portal.add_job("anna", "anna-job", water()).await;
    let mut other = water();
    other["meter"]["meterNumber"] = json!("8SEN0199000043");
    portal.add_job("berta", "berta-job", other).await;
    let (anna, berta) = (portal.login("anna").await, portal.login("berta").await);
    let upload = anna.upload(METER).await;
    assert_eq!(read(&anna, "anna-job", &upload).await.status, StatusCode::OK);
    for refused in [read(&berta, "berta-job", &upload).await, read(&berta, "berta-job", "no-such-upload").await] {
        refused.assert_problem(422, "upload-missing");
        assert_eq!(refused.body["fieldErrors"][0]["field"], "uploadId");
    }
    read(&berta, "anna-job", &berta.upload(METER).await).await.assert_problem(404, "not-found");
    let path = "/api/pro/job/anna-job/meter-rate-tasks/no-such-rate/photo-reading";
    anna.post_text(path, &json!({ "uploadId": upload }).to_string()).await.assert_problem(404, "not-found");
    portal.close_job("anna", "anna-job").await;
    read(&anna, "anna-job", &upload).await.assert_problem(404, "not-found");
}

#[tokio::test]
async fn what_is_no_photo_is_not_paid_for() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", water()).await;
    let anna = portal.login("anna").await;
    for rubbish in [&b"no photo"[..], &METER[..METER.len() / 2]] {
        read(&anna, "job-1", &anna.upload(rubbish).await).await.assert_problem(422, "photo-invalid");
    }
}

#[tokio::test]
async fn where_the_tenant_or_the_job_does_not_want_it_nothing_is_read() {
    let portal = Portal::configured(json!({ "jobFeatures": { "aiReadingEnabled": false } })).await;
    portal.add_account("anna").await;
    let with = |number: &str, features: Value| {
        let mut job = water();
        job["meter"]["meterNumber"] = json!(number);
        job["config"] = json!({ "features": features });
        job
    };
    portal.add_job("anna", "off", water()).await;
    portal.add_job("anna", "on", with("8SEN0199000043", json!({ "aiReadingEnabled": true }))).await;
    portal.add_job("anna", "no-photos", with("8SEN0199000044", json!({ "aiReadingEnabled": true, "imagesForbidden": true }))).await;
    let anna = portal.login("anna").await;
    let upload = anna.upload(METER).await;
    assert_eq!(read(&anna, "on", &upload).await.status, StatusCode::OK);
    for job in ["off", "no-photos"] {
        read(&anna, job, &upload).await.assert_problem(403, "feature-disabled");
    }
}

/// Has it read until that is refused; how often it was not.
async fn read_until_refused(person: &Persona<'_>, most: u32) -> (u32, Answer) {
    let upload = person.upload(METER).await;
    for taken in 0..=most {
        let answer = read(person, "job-1", &upload).await;
        if answer.status != StatusCode::OK {
            return (taken, answer);
        }
    }
    panic!("nobody stops it")
}

#[tokio::test]
async fn an_account_has_so_many_photos_read_in_an_hour() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", water()).await;
    let anna = portal.login("anna").await;
    portal.have_photos_read("anna", false, 299).await;
    let (taken, refused) = read_until_refused(&anna, 301).await;
    // When an hour begins in between, its places are new ones.
    assert!(taken == 1 || taken >= 300, "{taken}");
    refused.assert_problem(429, "too-many-attempts");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3600).contains(&wait), "{wait}");
}

/// Whoever has a letter makes as many shares as they like.
#[tokio::test]
async fn all_those_below_an_account_have_so_many_photos_read_together() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", water()).await;
    let anna = portal.login("anna").await;
    let share = anna.share("Hausmeister", &["job-1"]).await;
    let below = portal.login_share(&share).await;
    let further = portal.login_share(&below.share("Vertretung", &["job-1"]).await).await;
    portal.have_photos_read("anna", true, 998).await;
    let (taken, refused) = read_until_refused(&below, 1001).await;
    // When an hour begins in between, its places are new ones.
    assert!(taken == 2 || taken >= 1000, "{taken}");
    refused.assert_problem(429, "too-many-attempts");
    read(&further, "job-1", &further.upload(METER).await).await.assert_problem(429, "too-many-attempts");
    let own = read(&anna, "job-1", &anna.upload(METER).await).await;
    assert_eq!(own.body["proposal"]["value"], "00962.415", "what is left to the account itself");
}

#[tokio::test]
async fn a_text_recognition_that_fails_is_no_error_for_the_reader() {
    let lab = Lab::start().await;
    lab.portal.add_job("owner", "job-1", water()).await;
    let owner = lab.portal.login("owner").await;
    let upload = owner.upload(METER).await;
    for fate in [Fate::Throttled, Fate::Fails, Fate::Lost] {
        lab.proxy.play(|_, _| Fate::Works);
        assert_eq!(read(&owner, "job-1", &upload).await.body["proposal"]["value"], "00962.415");
        lab.proxy.play(move |_, asked| if asked.action == "DetectDocumentText" { fate } else { Fate::Works });
        let answer = read(&owner, "job-1", &upload).await;
        assert_eq!((answer.status, &answer.body), (StatusCode::OK, &json!({ "proposal": null })), "{fate:?}");
        let cause = &answer.log_line()["cause"];
        assert!(cause.as_str().is_some_and(|cause| cause.starts_with("the text recognition ")), "{fate:?}: {cause}");
    }
}
