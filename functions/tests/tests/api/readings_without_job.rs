//! Readings of meters that have no job: visitors', and logged-in accounts'.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::model::ReadingReason;
use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::world::{Answer, PHOTO, Portal, Ticket, today};

/// A visitor's reading that nothing is wrong with.
pub fn visitors_reading() -> Value {
    json!({
        "meterType": "GAS_METER", "meterNumber": "7GMT0000004711", "readingDate": today().to_string(), "readingReason": "ANNUAL_READING",
        "readingValues": [{ "obis": "7-0:3.0.0", "rateName": "Verbrauch", "value": "4711.123" }],
        "contact": { "firstname": "Vera", "lastname": "Besuch", "street": "Lindenweg", "houseNumber": "12", "zip": "99999", "city": "Birkenfurt" },
    })
}

/// A logged-in account's reading that nothing is wrong with.
pub fn own_reading() -> Value {
    json!({ "meterNumber": "1EBZ0100000999", "readingValue": "4711", "readingDate": today().to_string(), "comment": "Der Zähler im Keller." })
}

async fn send(portal: &Portal, token: &str, body: &Value, key: Option<&str>) -> Answer {
    portal.send(Method::POST, "/api/unknown-readings/results", Some(token), Some(body), key).await
}

async fn send_own(portal: &Portal, body: &Value) -> Answer {
    portal.send(Method::POST, "/api/pro/unknown-reading", Some(portal.persona("anna").token()), Some(body), None).await
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

#[tokio::test]
async fn a_visitor_sends_a_reading_with_photos() {
    let portal = Portal::with_account("anna").await;
    let token = portal.visitor().await;
    let ticket = json!({ "contentType": "image/jpeg", "contentLength": PHOTO.len() });
    let upload = portal.send(Method::POST, "/api/unknown-readings/upload", Some(&token), Some(&ticket), None).await;
    assert!(Ticket::of(&portal, upload.body.clone()).put(PHOTO, "image/jpeg").await.is_success());
    let images = json!([{ "uploadId": upload.body["uploadId"] }, { "encodedImage": STANDARD.encode(PHOTO), "mimeType": "image/jpeg" }]);
    let mut body = visitors_reading();
    body["readingValues"][0]["readingImages"] = images;
    body["readingValues"][0]["rateName"] = json!("x".repeat(390_000));
    let answer = send(&portal, &token, &body, Some("k")).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");

    let [entry] = &portal.readings_without_job().await[..] else { panic!("not one reading") };
    assert_eq!(entry.id.as_str(), answer.body["id"].as_str().unwrap());
    assert_eq!(entry.reading_values[0].value.as_str(), "4711.123");
    assert_eq!(entry.reading_values[0].rate_name.as_deref(), Some("Verbrauch"), "the tenant's name of the rate");
    assert_eq!(entry.image_ids().count(), 2);
    assert_eq!(entry.contact.as_ref().unwrap().lastname, "Besuch");
    assert!(entry.login_account_id.as_str().starts_with("visitor~"));
    for image in entry.image_ids() {
        assert!(portal.stored_photo(&entry.id, image).await.is_some());
    }
}

#[tokio::test]
async fn the_same_reading_of_a_session_is_one_reading() {
    let portal = Portal::with_account("anna").await;
    let token = portal.visitor().await;
    let first = send(&portal, &token, &visitors_reading(), Some("one")).await;
    for key in [Some("one"), Some("two"), None] {
        let again = send(&portal, &token, &visitors_reading(), key).await;
        assert_eq!((again.status, &again.body), (StatusCode::CREATED, &first.body));
    }
    send(&portal, &token, &with(visitors_reading(), "meterNumber", json!("7GMT0000004712")), Some("one"))
        .await
        .assert_problem(422, "idempotency-key-reused");
    assert_eq!(portal.readings_without_job().await.len(), 1);
    let other = portal.visitor().await;
    assert_ne!(send(&portal, &other, &visitors_reading(), None).await.body, first.body);
    assert_eq!(portal.readings_without_job().await.len(), 2);
}

/// Whoever forgot the photo, or corrects the reason after a lost answer, sends the same values once more.
#[tokio::test]
async fn what_a_visitor_adds_or_corrects_is_not_answered_with_the_reading_before() {
    let portal = Portal::with_account("anna").await;
    let token = portal.visitor().await;
    let ticket = json!({ "contentType": "image/jpeg", "contentLength": PHOTO.len() });
    let upload = portal.send(Method::POST, "/api/unknown-readings/upload", Some(&token), Some(&ticket), None).await;
    assert!(Ticket::of(&portal, upload.body.clone()).put(PHOTO, "image/jpeg").await.is_success());
    let mut with_photo = visitors_reading();
    with_photo["readingValues"][0]["readingImages"] = json!([{ "uploadId": upload.body["uploadId"] }]);
    let corrected = with(visitors_reading(), "readingReason", json!("PROVIDER_CHANGE"));
    for (key, body) in [("one", visitors_reading()), ("two", with_photo), ("three", corrected)] {
        assert_eq!(send(&portal, &token, &body, Some(key)).await.status, StatusCode::CREATED);
    }
    let stored = portal.readings_without_job().await;
    assert_eq!((stored.len(), stored.iter().flat_map(|entry| entry.image_ids()).count()), (3, 1));
    assert_eq!(stored.iter().filter(|entry| entry.reading_reason == Some(ReadingReason::ProviderChange)).count(), 1);
}

/// What one person sent in a session is found together.
#[tokio::test]
async fn what_a_visitor_sends_under_several_keys_is_of_one_sender() {
    let portal = Portal::with_account("anna").await;
    let token = portal.visitor().await;
    for (key, number) in
        [("5f0a2f5e-4b0e-4a53-9f55-6a3f0f6d3c12", "7GMT0000004711"), ("5f0a2f5e-4b0e-4a53-9f55-6a3f0f6d3c13", "7GMT0000004712")]
    {
        let sent = send(&portal, &token, &with(visitors_reading(), "meterNumber", json!(number)), Some(key)).await;
        assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
    }
    let stored = portal.readings_without_job().await;
    assert_eq!(stored.len(), 2);
    assert_eq!(stored[0].login_account_id, stored[1].login_account_id);
}

/// D-VISITORS-4: the answer was lost and the session is over, and the photos were brought once more.
#[tokio::test]
async fn a_visitors_key_holds_in_another_session() {
    let portal = Portal::with_account("anna").await;
    let to = crate::calls::new_address();
    let attempt = async || {
        let token = portal.visitor().await;
        let ticket = json!({ "contentType": "image/jpeg", "contentLength": PHOTO.len() });
        let upload = portal.send(Method::POST, "/api/unknown-readings/upload", Some(&token), Some(&ticket), None).await;
        assert!(Ticket::of(&portal, upload.body.clone()).put(PHOTO, "image/jpeg").await.is_success());
        let mut body = with(visitors_reading(), "email", json!(to));
        body["readingValues"][0]["readingImages"] = json!([{ "uploadId": upload.body["uploadId"] }]);
        (token, body)
    };
    let key = Some("5f0a2f5e-4b0e-4a53-9f55-6a3f0f6d3c11");
    let (token, body) = attempt().await;
    let first = send(&portal, &token, &body, key).await;
    assert_eq!(first.status, StatusCode::CREATED, "{first:?}");
    let (token, body) = attempt().await;
    let again = send(&portal, &token, &body, key).await;
    assert_eq!((again.status, &again.body), (StatusCode::CREATED, &first.body));
    assert_eq!(portal.readings_without_job().await.len(), 1);

    // Its receipt goes by the key, to whoever says what was sent; who does not, hears nothing of it.
    let receipt = async |body: &Value, key: Option<&str>| {
        portal.send(Method::POST, "/api/pro/unknown-readings/receipts", Some(&token), Some(body), key).await
    };
    receipt(&body, None).await.assert_problem(404, "not-found");
    receipt(&with(body.clone(), "email", json!(crate::calls::new_address())), key).await.assert_problem(404, "not-found");
    for _ in 0..2 {
        assert_eq!(receipt(&body, key).await.status, StatusCode::ACCEPTED);
    }
    assert_eq!(crate::world::mails_to(&to).await.len(), 1);
    send(&portal, &token, &with(body, "meterNumber", json!("7GMT0000004712")), key).await.assert_problem(422, "idempotency-key-reused");
}

#[tokio::test]
async fn a_visitors_faults_are_said_at_their_fields() {
    let portal = Portal::configured(json!({ "crmSettings": { "unknownUserReceiptAllowed": false } })).await;
    let token = portal.visitor().await;
    for (field, value, at, code) in [
        ("meterType", json!("HEAT_METER"), "meterType", "NOT_OFFERED"),
        ("meterNumber", json!("kurz"), "meterNumber", "TOO_SHORT"),
        ("readingReason", json!("OTHER"), "readingReason", "NOT_OFFERED"),
        ("readingDate", json!("2020-01-01"), "readingDate", "DATE_TOO_EARLY"),
        ("readingValues", json!([{ "obis": "7-0:3.0.0", "value": "4711.1" }]), "readingValues[0].value", "DECIMALS_EXACT"),
        ("email", json!("vera@example.org"), "email", "EMAIL_NOT_ALLOWED"),
    ] {
        let answer = send(&portal, &token, &with(visitors_reading(), field, value), None).await;
        answer.assert_problem(422, "reading-invalid");
        let errors = answer.body["fieldErrors"].as_array().unwrap();
        assert!(errors.iter().any(|error| error["field"] == at && error["code"] == code), "{answer:?}");
    }
    let mut nameless = visitors_reading();
    nameless["contact"]["lastname"] = json!("");
    assert_eq!(send(&portal, &token, &nameless, None).await.body["fieldErrors"][0]["field"], "contact.lastname");
    let mut bad_photo = visitors_reading();
    bad_photo["readingValues"][0]["readingImages"] = json!([{ "encodedImage": "AAAA", "mimeType": "image/jpeg" }]);
    let answer = send(&portal, &token, &bad_photo, None).await;
    answer.assert_problem(422, "photo-invalid");
    assert_eq!(answer.body["fieldErrors"][0]["field"], "readingValues[0].readingImages[0]");
    bad_photo["readingValues"][0]["readingImages"] = json!([{ "uploadId": "never-sent" }]);
    send(&portal, &token, &bad_photo, None).await.assert_problem(422, "upload-missing");
    send(&portal, &token, &json!({}), None).await.assert_problem(422, "request-invalid");
    assert!(portal.readings_without_job().await.is_empty());
}

#[tokio::test]
async fn a_visitors_lists_and_texts_have_an_end() {
    let portal = Portal::with_account("anna").await;
    let token = portal.visitor().await;
    let values: Vec<_> = (0..51).map(|n| json!({ "obis": format!("7-0:{n}.0.0"), "value": "1.000" })).collect();
    let mut images = visitors_reading();
    images["readingValues"][0]["readingImages"] = json!(vec![json!({ "uploadId": "x" }); 51]);
    for (body, field) in [
        (with(visitors_reading(), "readingValues", json!(values)), "readingValues"),
        (with(visitors_reading(), "language", json!("x".repeat(36))), "language"),
        (images, "readingValues[0].readingImages"),
    ] {
        let refused = send(&portal, &token, &body, None).await;
        refused.assert_problem(422, "request-invalid");
        assert_eq!(refused.body["fieldErrors"][0]["field"], field, "{refused:?}");
    }
    send(&portal, &token, &with(visitors_reading(), "readingValues", json!(values[..50])), None)
        .await
        .assert_problem(422, "reading-invalid");
}

#[tokio::test]
async fn a_visitor_may_announce_a_hundred_photos() {
    let portal = Portal::with_account("anna").await;
    let announced = json!({ "contentType": "image/jpeg", "contentLength": 1000 });
    let announce = async |token: &str| portal.send(Method::POST, "/api/unknown-readings/upload", Some(token), Some(&announced), None).await;
    let token = portal.visitor().await;
    let mut taken = 0;
    let refused = loop {
        let answer = announce(&token).await;
        if answer.status != StatusCode::CREATED {
            break answer;
        }
        taken += 1;
        assert!(taken <= 200, "nobody stops it");
    };
    // When an hour begins in between, its places are new ones.
    assert!(taken >= 100, "{taken}");
    refused.assert_problem(429, "too-many-attempts");
    assert!(refused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok()).is_some_and(|wait| (1..=3600).contains(&wait)));
    assert_eq!(announce(&portal.visitor().await).await.status, StatusCode::CREATED);
}

/// The meter with this number.
fn numbered(n: usize) -> Value {
    with(visitors_reading(), "meterNumber", json!(format!("7GMT{n:010}")))
}

#[tokio::test]
async fn a_session_sends_so_many_readings_and_no_more() {
    let portal = Portal::with_account("anna").await;
    let token = portal.visitor().await;
    let mut taken = 0;
    let refused = loop {
        let answer = send(&portal, &token, &numbered(taken), None).await;
        if answer.status != StatusCode::CREATED {
            break answer;
        }
        taken += 1;
        assert!(taken <= 40, "nobody stops it");
    };
    // When an hour begins in between, its places are new ones.
    assert!(taken >= 20, "{taken}");
    refused.assert_problem(429, "too-many-attempts");
    assert!(refused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok()).is_some_and(|wait| (1..=3600).contains(&wait)));
    assert_eq!(portal.readings_without_job().await.len(), taken);
    assert_eq!(send(&portal, &token, &numbered(0), None).await.status, StatusCode::CREATED, "one that was sent has its answer");
    assert_eq!(send(&portal, &portal.visitor().await, &numbered(taken), None).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_network_sends_so_many_readings_however_many_sessions_it_opens() {
    let portal = Portal::with_account("anna").await;
    let (mut taken, mut refused) = (0, None);
    for session in 0..40 {
        let token = portal.visitor().await;
        let readings: Vec<_> = (0..20).map(|n| numbered(20 * session + n)).collect();
        let answers = join_all(readings.iter().map(|reading| send(&portal, &token, reading, None))).await;
        taken += answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
        refused = answers.into_iter().find(|answer| answer.status != StatusCode::CREATED);
        if refused.is_some() {
            break;
        }
    }
    assert!(taken >= 300, "{taken}");
    refused.expect("somebody stops it").assert_problem(429, "too-many-attempts");
    assert_eq!(send_own(&portal, &own_reading()).await.status, StatusCode::CREATED, "who has an account is not kept out");
}

#[tokio::test]
async fn a_visitors_session_is_good_for_nothing_else() {
    let portal = Portal::with_job("anna", "job-1").await;
    let token = portal.visitor().await;
    portal.get_with("/api/pro/job", &token).await.assert_problem(403, "role-missing");
    portal.get_with("/api/pro/account/info", &token).await.assert_problem(403, "role-missing");
    portal
        .send(Method::POST, "/api/pro/unknown-reading", Some(&token), Some(&own_reading()), None)
        .await
        .assert_problem(403, "role-missing");
}

#[tokio::test]
async fn what_the_tenant_switched_off_says_so() {
    let portal = Portal::configured(json!({
        "features": { "unknownReadingsAllowed": false },
        "config": { "unknownUserReading": { "unknownUserReadingAllowed": false } },
    }))
    .await;
    portal.add_account("anna").await;
    portal.request(Method::POST, "/auth/token-unknown-readings").await.assert_problem(403, "feature-disabled");
    send_own(&portal, &own_reading()).await.assert_problem(403, "feature-disabled");
}

#[tokio::test]
async fn sessions_of_visitors_are_bounded_for_a_network_and_do_not_keep_logins_out() {
    let portal = Portal::with_account("anna").await;
    for _ in 0..100 {
        assert_eq!(portal.visitor_from("198.51.100.7").await.status, StatusCode::OK);
    }
    let blocked = portal.visitor_from("198.51.100.7").await;
    blocked.assert_problem(429, "too-many-attempts");
    assert!(blocked.header("retry-after").unwrap().parse::<u64>().unwrap() > 0);
    assert_eq!(portal.visitor_from("203.0.113.7").await.status, StatusCode::OK);
    let login = json!({ "username": "anna", "password": crate::world::password("anna") });
    assert_eq!(portal.token_from("198.51.100.7", login).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_account_reads_a_meter_that_nobody_knows() {
    let portal = Portal::with_account("anna").await;
    let answer = send_own(&portal, &own_reading()).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    assert_eq!(send_own(&portal, &own_reading()).await.body, answer.body);
    let [entry] = &portal.readings_without_job().await[..] else { panic!("not one reading") };
    assert_eq!((entry.login_account_id.as_str(), entry.meter_number.as_str()), ("anna", "1EBZ0100000999"));
    assert_eq!(entry.comment.as_deref(), Some("Der Zähler im Keller."));
    // With a photo more it says something else.
    let images = json!([{ "encodedImage": STANDARD.encode(PHOTO), "mimeType": "image/jpeg" }]);
    assert_ne!(send_own(&portal, &with(own_reading(), "readingImages", images)).await.body, answer.body);

    for (field, value, code) in [
        ("meterNumber", json!(""), "REQUIRED"),
        ("readingValue", json!("1234567890"), "PRE_DECIMALS"),
        ("readingDate", json!("2020-01-01"), "DATE_TOO_EARLY"),
        ("comment", json!("kurz"), "TOO_SHORT"),
    ] {
        let answer = send_own(&portal, &with(own_reading(), field, value)).await;
        answer.assert_problem(422, "reading-invalid");
        assert_eq!(answer.body["fieldErrors"][0]["code"], code, "{answer:?}");
    }
}
