//! Photos: what is stored is a clean JPEG, and nothing else is taken.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::hostile::{CANARY, Hostile, corpus};
use crate::world::{PHOTO, Persona, Portal, photo_of_last_reading, reading};

fn has_metadata(jpeg: &[u8]) -> bool {
    jpeg.windows(4).any(|bytes| bytes == b"Exif")
}

/// The photo with other dimensions in its frame header.
fn with_dimensions(width: u16, height: u16) -> Vec<u8> {
    let mut jpeg = PHOTO.to_vec();
    let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    jpeg[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    jpeg
}

fn inline(bytes: &[u8]) -> Value {
    json!({ "encodedImage": STANDARD.encode(bytes), "mimeType": "image/jpeg" })
}

fn reading_with(images: Vec<Value>) -> Value {
    let mut body = reading("1234.5");
    body["results"][0]["readingImages"] = json!(images);
    body
}

async fn stored(persona: &Persona<'_>, job: &Value) -> Vec<u8> {
    let image = &job["meter"]["meterRateTasks"][0]["readingResults"][0]["readingResultImages"][0]["imageId"];
    let path = format!("/api/pro/job/job-1/meter-rate-tasks/t1/result-images/{}", image.as_str().unwrap());
    let answer = persona.get(&path).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, Some("image/jpeg")));
    answer.bytes
}

#[tokio::test]
async fn inline_photos_are_stored_without_metadata() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let data_url = json!({ "encodedImage": format!("data:image/jpeg;base64,{}", STANDARD.encode(PHOTO)), "mimeType": "image/jpeg" });
    let sent = anna.send("job-1", reading_with(vec![data_url]), Some("k")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    let photo = stored(&anna, &sent.body).await;
    assert!(photo.starts_with(&[0xff, 0xd8]) && photo.ends_with(&[0xff, 0xd9]));
    assert!(has_metadata(PHOTO) && !has_metadata(&photo));
}

#[tokio::test]
async fn photos_sent_ahead_are_taken_by_reference() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let upload = anna.upload(PHOTO).await;
    let sent = anna.send("job-1", reading_with(vec![json!({ "uploadId": upload })]), Some("k")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    assert!(!has_metadata(&stored(&anna, &sent.body).await));
}

#[tokio::test]
async fn an_upload_of_somebody_else_does_not_exist() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_account("bert").await;
    let upload = portal.login("bert").await.upload(PHOTO).await;
    let anna = portal.login("anna").await;
    let foreign = anna.send("job-1", reading_with(vec![json!({ "uploadId": upload })]), Some("k1")).await;
    foreign.assert_problem(422, "upload-missing");
    let unknown = anna.send("job-1", reading_with(vec![json!({ "uploadId": "never-uploaded" })]), Some("k2")).await;
    assert_eq!(foreign.without_instance(), unknown.without_instance());
    assert!(portal.ledger().await.is_empty());
}

/// What is sent as a photo and is none, or none that may be stored.
fn no_photos() -> Vec<(&'static str, Vec<u8>)> {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
    vec![
        ("a text", b"Hello, I am a text file.".to_vec()),
        ("an SVG", svg.to_vec()),
        ("a truncated JPEG", PHOTO[..PHOTO.len() / 2].to_vec()),
        ("a header of 30,000 x 30,000", with_dimensions(30_000, 30_000)),
        ("a side of 1,601", with_dimensions(1601, 160)),
        ("only the magic", PHOTO[..4].to_vec()),
        ("more than 2 MiB", [PHOTO, &vec![0; 2 * 1024 * 1024]].concat()),
    ]
}

#[tokio::test]
async fn what_is_no_acceptable_jpeg_is_refused() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    for (name, bytes) in no_photos().into_iter().chain([("nothing", Vec::new())]) {
        let answer = anna.send("job-1", reading_with(vec![inline(&bytes)]), Some("k")).await;
        answer.assert_problem(422, "photo-invalid");
        assert_eq!(answer.body["fieldErrors"][0]["field"], "results[0].readingImages[0]", "{name}: {answer:?}");
    }
    assert!(portal.ledger().await.is_empty());
}

#[tokio::test]
async fn what_was_sent_ahead_is_judged_by_its_bytes_too() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    for (name, bytes) in no_photos().into_iter().filter(|(_, bytes)| bytes.len() <= 2 * 1024 * 1024) {
        let upload = anna.upload(&bytes).await;
        let answer = anna.send("job-1", reading_with(vec![json!({ "uploadId": upload })]), None).await;
        answer.assert_problem(422, "photo-invalid");
        assert_eq!(answer.body["fieldErrors"][0]["field"], "results[0].readingImages[0]", "{name}: {answer:?}");
    }
    assert!(portal.ledger().await.is_empty());
}

#[tokio::test]
async fn hostile_photos_are_refused_or_stored_without_what_they_bring_along() {
    let (mut refused, mut kept) = (0, 0);
    // Where a file is cut off is judged by the rules; the ways of a whole file are the same for all.
    let files: Vec<_> = corpus().into_iter().filter(|file| !file.name.contains(" after marker ")).collect();
    // A job is read twenty times a day at most (D-READING-16).
    for files in files.chunks(20) {
        let (of_these_refused, of_these_kept) = send_hostile(files).await;
        refused += of_these_refused;
        kept += of_these_kept;
    }
    assert!(refused >= 60 && kept >= 20, "{refused} refused, {kept} kept");
}

/// Sends a reading with each of the files; answers how many were refused, and how many are kept without what was hidden in them.
async fn send_hostile(files: &[Hostile]) -> (usize, usize) {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let (mut refused, mut kept) = (0, 0);
    for file in files {
        let answer = anna.send("job-1", reading_with(vec![inline(&file.bytes)]), None).await;
        if answer.status == StatusCode::OK {
            let image = photo_of_last_reading(&answer.body);
            let photo = anna.get(&format!("/api/pro/job/job-1/meter-rate-tasks/t1/result-images/{image}")).await;
            assert_eq!(photo.status, StatusCode::OK, "{}: {photo:?}", file.name);
            assert!(!photo.bytes.windows(CANARY.len()).any(|window| window == CANARY), "{}", file.name);
            kept += 1;
        } else {
            assert_eq!(answer.body["code"], "photo-invalid", "{}: {answer:?}", file.name);
            refused += 1;
        }
    }
    assert_eq!(portal.ledger().await.len(), kept);
    (refused, kept)
}

#[tokio::test]
async fn an_upload_is_announced_with_its_size_and_kind() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    for (content_type, length) in [("image/jpeg", 2 * 1024 * 1024 + 1), ("image/jpeg", 0), ("image/png", 1000), ("text/html", 1000)] {
        let body = json!({ "contentType": content_type, "contentLength": length });
        portal.send(Method::POST, "/api/pro/upload", Some(anna.token()), Some(&body), None).await.assert_problem(422, "request-invalid");
    }
}

#[tokio::test]
async fn the_address_of_an_upload_takes_what_was_announced_only() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let ticket = anna.announce(PHOTO.len()).await;
    assert!(!ticket.put(&[PHOTO, b"more"].concat(), "image/jpeg").await.is_success());
    assert!(!ticket.put(PHOTO, "text/html").await.is_success());
    assert!(ticket.put(PHOTO, "image/jpeg").await.is_success());
}

#[tokio::test]
async fn a_permission_is_good_for_one_photo() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let ticket = anna.announce(PHOTO.len()).await;
    assert!(ticket.put(PHOTO, "image/jpeg").await.is_success());
    let mut other = PHOTO.to_vec();
    other.reverse();
    for again in [&other[..], PHOTO] {
        assert_eq!(ticket.put(again, "image/jpeg").await, StatusCode::PRECONDITION_FAILED);
    }
    assert!(!ticket.put_without("if-none-match", &other).await.is_success(), "the header is signed");
    let sent = anna.send("job-1", reading_with(vec![json!({ "uploadId": ticket.id() })]), Some("k")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
}

#[tokio::test]
async fn three_photos_a_rate_and_not_four() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let four = anna.send("job-1", reading_with(vec![inline(PHOTO); 4]), Some("k4")).await;
    four.assert_problem(422, "reading-invalid");
    four.assert_finding("results[0].readingImages", "IMAGE_TOO_MANY");
    let three = anna.send("job-1", reading_with(vec![inline(PHOTO); 3]), Some("k3")).await;
    assert_eq!(three.status, StatusCode::OK, "{three:?}");
}

/// Two requests under one key race: the one that is refused has changed nothing of the other's.
#[tokio::test]
async fn a_refused_request_leaves_the_photo_of_the_one_that_was_taken() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_job("anna", "job-2", json!({})).await;
    let anna = portal.login("anna").await;
    let photos = [PHOTO, include_bytes!("../../../domain/tests/photos/progressive.jpg")];
    let body = |photo: usize| reading_with(vec![inline(photos[photo])]);
    let mut clean = Vec::new();
    for photo in [0, 1] {
        let sent = anna.send("job-2", body(photo), None).await;
        let image = photo_of_last_reading(&sent.body);
        clean.push(anna.get(&format!("/api/pro/job/job-2/meter-rate-tasks/t1/result-images/{image}")).await.bytes);
    }
    for round in 0..5 {
        let key = format!("key-{round}");
        let answers = join_all((0..8).map(|n| anna.send("job-1", body(n % 2), Some(&key)))).await;
        let taken = answers.iter().position(|answer| answer.status == StatusCode::OK).unwrap();
        assert!(answers.iter().any(|answer| answer.body["code"] == "idempotency-key-reused"));
        let image = photo_of_last_reading(&answers[taken].body);
        let kept = anna.get(&format!("/api/pro/job/job-1/meter-rate-tasks/t1/result-images/{image}")).await.bytes;
        assert!(kept == clean[taken % 2], "round {round}: the other photo is there");
    }
}

#[tokio::test]
async fn photos_are_shown_only_when_the_job_allows_it() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", json!({ "config": { "features": { "showReadingImagesAllowed": false } } })).await;
    let anna = portal.login("anna").await;
    let sent = anna.send("job-1", reading_with(vec![inline(PHOTO)]), Some("k")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    let entry = portal.ledger().await.remove(0);
    let path = format!("/api/pro/job/job-1/meter-rate-tasks/t1/result-images/{}", entry.image_ids[0]);
    anna.get(&path).await.assert_problem(404, "not-found");
}
