//! What answers show of the tenant and its jobs.

use std::collections::BTreeMap;

use api::view::{Job, Manifest, PublicApplication, ResultSubmission, SubmittedImage};
use domain::config::Application;
use serde_json::{Value, json};
use store::{Access, StoredJob, Tenant};

fn application(more: &Value) -> Application {
    let mut application = json!({
        "applicationId": "stadtwerk", "name": "Stadtwerk", "hosts": ["secret.example.de"], "portalUrl": "https://zaehler.example.de",
        "communicationSettings": {"senderName": "Frau Geheim", "senderEmail": "geheim@example.de"},
    });
    application.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(application).unwrap()
}

#[test]
fn the_public_config_is_public() {
    let translations = BTreeMap::from([("de-FORMAL".into(), BTreeMap::from([("home.title".into(), "Willkommen".into())]))]);
    let tenant = Tenant { application: application(&json!({})), translations, version: "v1".into(), scheduled_since: Vec::new() };
    let shown = serde_json::to_value(PublicApplication::new(&tenant, true)).unwrap();
    assert_eq!((&shown["version"], &shown["photoReadingAvailable"]), (&json!("v1"), &json!(true)));
    assert_eq!(shown["translations"]["de-FORMAL"]["home.title"], "Willkommen");
    assert_eq!(shown["communicationSettings"], json!({"accountRecipientsPerHour": 50, "tenantRecipientsPerDay": 500}));
    let text = shown.to_string();
    for secret in ["secret.example.de", "Geheim", "geheim@"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[test]
fn a_job_has_its_settings_resolved_and_its_results_at_the_rates() {
    let stored = StoredJob {
        origin: None,
        season: domain::ids::SeasonId::default(),
        pass_through: Default::default(),
        master: serde_json::from_value(json!({
            "id": "j1",
            "meter": {
                "meterNumber": "1",
                "meterRateTasks": [{"taskId": "t1", "obis": "7-0:3.0.0", "readingEvents": [{"readingDate": "2025-01-01", "readingValue": "00100.50"}]}, {"taskId": "t2", "obis": "7-0:3.1.0"}],
            },
            "config": {"features": {"imageAlwaysRequired": true}, "meterReading": {"readingDateMaxDaysInPast": 3}},
        }))
        .unwrap(),
        states: serde_json::from_value(json!([{
            "taskId": "t2",
            "readingResults": [{"readingDate": "2026-03-12", "readingValue": "00123.450", "created": "2026-03-12T10:00:00Z"}],
        }]))
        .unwrap(),
        waiting: vec![],
        done_on: None,
        tallied: store::Cells::new(),
        rejected: vec![(
            "t1".parse().unwrap(),
            serde_json::from_value(json!({
                "readingDate": "2026-03-12", "readingValue": "00200.0", "created": "2026-03-12T10:00:00Z", "reason": "another meter",
            }))
            .unwrap(),
        )],
        done: false,
        closed: false,
        closed_at: None,
        listed_at: None,
        version: 3,
        account_id: "anna".parse().unwrap(),
        sent: store::Sent::default(),
        findable: String::new(),
    };
    let application = application(&json!({"jobFeatures": {"imagesForbidden": true}}));
    let job = serde_json::to_value(Job::new(stored, &application, &Access::owner("anna".parse().unwrap()))).unwrap();
    assert_eq!((&job["id"], &job["login"], &job["done"]), (&json!("j1"), &json!("anna"), &json!(false)));
    assert_eq!(job["meter"]["meterType"], "GAS_METER");
    assert_eq!(job["config"]["features"]["imageAlwaysRequired"], true);
    assert_eq!(job["config"]["features"]["imagesForbidden"], true);
    assert_eq!(job["config"]["features"]["showReadingImagesAllowed"], true);
    assert_eq!(job["config"]["meterReading"]["readingDateMaxDaysInPast"], 3);
    let tasks = &job["meter"]["meterRateTasks"];
    assert_eq!(tasks[0]["readingEvents"][0]["readingValue"], "00100.50");
    assert_eq!(tasks[0]["readingResults"], json!([]));
    assert_eq!(tasks[1]["readingResults"][0]["readingValue"], "00123.450");
    assert_eq!(tasks[1]["readingResults"][0]["readingResultImages"], json!([]));
    assert_eq!(job.get("version"), None);
}

#[test]
fn the_manifest_names_the_icons() {
    let manifest = serde_json::to_value(Manifest::new(&application(&json!({})))).unwrap();
    let icon = |side: &str, purpose: &str| {
        let src = format!("/api/public/application/icon/{side}");
        json!({"src": src, "sizes": format!("{side}x{side}"), "type": "image/png", "purpose": purpose})
    };
    assert_eq!(manifest["icons"], json!([icon("180", "any"), icon("192", "any"), icon("512", "any maskable")]));
    assert_eq!((&manifest["name"], &manifest["lang"]), (&json!("Stadtwerk"), &json!("de")));
}

#[test]
fn a_photo_comes_one_way_or_the_other() {
    let submission = |image: Value| {
        let reading = json!({"taskId": "t1", "readingValue": 123.40, "readingImages": [image]});
        serde_json::from_str::<ResultSubmission>(&json!({"readingDate": "2026-03-12", "results": [reading]}).to_string())
            .map(|submission| submission.results[0].reading_images[0].clone())
    };
    let uploaded = SubmittedImage::Uploaded { upload_id: "u1".parse().unwrap() };
    let inline = SubmittedImage::Inline { encoded_image: "AA==".into(), mime_type: "image/jpeg".into() };
    assert_eq!(submission(json!({"uploadId": "u1"})).unwrap(), uploaded);
    assert_eq!(submission(json!({"encodedImage": "AA==", "mimeType": "image/jpeg"})).unwrap(), inline);
    for neither in [
        json!({}),
        json!({"encodedImage": "AA=="}),
        json!({"uploadId": "u1", "encodedImage": "AA==", "mimeType": "image/jpeg"}),
        json!({"uploadId": "a/b"}),
    ] {
        assert!(submission(neither.clone()).is_err(), "{neither}");
    }
}
