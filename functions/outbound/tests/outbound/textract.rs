//! Against a server that speaks Textract's protocol and says what it is told to.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use aws::{AwsSettings, TimeLimits};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use domain::config::MeterReadingConfig;
use domain::photo_reading::propose;
use outbound::ocr::{Ocr, OcrError, PATIENCE, Textract};
use serde_json::{Value, json};
use tokio::time::{self, Instant};

const PHOTO: &[u8] = b"a photo";

/// What the server says.
#[derive(Clone)]
enum Script {
    Says(u16, String),
    /// Nothing, ever; it tells when it was asked.
    Hangs(mpsc::Sender<()>),
}

struct Server {
    script: Script,
    asked: Mutex<Vec<(HeaderMap, Value)>>,
}

async fn answer(State(server): State<Arc<Server>>, headers: HeaderMap, body: Bytes) -> Response {
    server.asked.lock().unwrap().push((headers, serde_json::from_slice(&body).unwrap()));
    match &server.script {
        Script::Says(status, body) => {
            let status = StatusCode::from_u16(*status).unwrap();
            (status, [(header::CONTENT_TYPE, "application/x-amz-json-1.1")], body.clone()).into_response()
        }
        Script::Hangs(asked) => {
            asked.send(()).unwrap();
            std::future::pending().await
        }
    }
}

/// A client of a server with this script.
async fn textract(script: Script) -> (Textract, Arc<Server>) {
    let server = Arc::new(Server { script, asked: Mutex::default() });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new().route("/", post(answer)).with_state(server.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let settings = emulators::settings("http://127.0.0.1:9", None);
    let settings = AwsSettings { textract_endpoint_url: Some(endpoint), time_limits: Some(TimeLimits::AWS), ..settings };
    (Textract::new(&settings), server)
}

async fn says(status: u16, body: impl ToString) -> (Textract, Arc<Server>) {
    textract(Script::Says(status, body.to_string())).await
}

/// An answer with these lines; each has its words' confidences.
fn document(lines: &[(&str, &[f32])]) -> Value {
    let mut blocks = vec![json!({ "BlockType": "PAGE", "Id": "p", "Relationships": [{ "Type": "CHILD", "Ids": ["l0"] }] })];
    for (index, (text, words)) in lines.iter().enumerate() {
        let ids: Vec<_> = (0..words.len()).map(|word| format!("w{index}-{word}")).collect();
        #[allow(clippy::cast_precision_loss)]
        let mean = words.iter().sum::<f32>() / words.len() as f32;
        blocks.push(json!({
            "BlockType": "LINE", "Id": format!("l{index}"), "Text": text, "Confidence": mean,
            "Geometry": { "BoundingBox": { "Width": 0.1, "Height": 0.1, "Left": 0.1, "Top": 0.1 }, "Polygon": [] },
            "Relationships": [{ "Type": "CHILD", "Ids": ids }],
        }));
        blocks.extend(
            ids.iter().zip(*words).map(|(id, confidence)| json!({ "BlockType": "WORD", "Id": id, "Text": "?", "Confidence": confidence })),
        );
    }
    json!({ "DocumentMetadata": { "Pages": 1 }, "DetectDocumentTextModelVersion": "1.0", "Blocks": blocks })
}

/// What is proposed for a water meter when Textract sees these lines.
async fn proposed(lines: &[(&str, &[f32])]) -> Option<(String, u8)> {
    let (textract, _) = says(200, document(lines)).await;
    let lines = textract.lines(PHOTO.into()).await.unwrap();
    let task = serde_json::from_value(json!({ "taskId": "w", "obis": "8-0:1.0.0", "preDecimals": 5, "postDecimals": 3 })).unwrap();
    let proposal = propose(&lines, "8SEN0199000042", &task, &MeterReadingConfig::default());
    proposal.map(|proposal| (proposal.value.to_string(), proposal.confidence))
}

#[tokio::test]
async fn the_photo_travels_as_it_is_and_the_lines_come_back() {
    let (textract, server) = says(200, document(&[("SENSUS", &[99.5]), ("00962 415", &[97.25, 91.5])])).await;
    let lines = textract.lines(PHOTO.into()).await.unwrap();
    let lines: Vec<_> = lines.iter().map(|line| (line.text.as_str(), line.confidence)).collect();
    assert_eq!(lines, [("SENSUS", 99.5), ("00962 415", 91.5)], "a line is as certain as its least certain word");
    let asked = server.asked.lock().unwrap();
    let (headers, body) = &asked[0];
    assert_eq!(headers["x-amz-target"], "Textract.DetectDocumentText");
    assert_eq!(headers["content-type"], "application/x-amz-json-1.1");
    assert_eq!(body, &json!({ "Document": { "Bytes": "YSBwaG90bw==" } }));
}

#[tokio::test]
async fn a_counter_among_other_lines_is_proposed() {
    let good: &[(&str, &[f32])] = &[("SENSUS", &[99.5]), ("8SEN0199000042", &[98.0]), ("00962 415 m³", &[97.3, 96.1, 99.0])];
    assert_eq!(proposed(good).await, Some(("00962.415".into(), 96)));
}

#[tokio::test]
async fn no_counter_is_no_proposal() {
    assert_eq!(proposed(&[("8SEN0199000042", &[98.0]), ("0199000042", &[98.0]), ("99000042", &[98.0])]).await, None, "the meter's number");
    let type_plate: &[(&str, &[f32])] =
        &[("Q3 4 R160 H", &[99.0]), ("2019 M23", &[99.0]), ("DE-19-MI001-PTB008", &[98.0]), ("PN 16", &[99.0])];
    assert_eq!(proposed(type_plate).await, None, "the type plate");
    assert_eq!(proposed(&[("00962 415", &[99.0, 61.0])]).await, None, "one doubtful drum");
    assert_eq!(proposed(&[]).await, None, "nothing");
}

#[tokio::test]
async fn a_service_that_fails_says_how() {
    let refusal = |code: &str| json!({ "__type": code, "message": "scripted" });
    for (status, code, expected) in [
        (400, "ThrottlingException", OcrError::Busy("ThrottlingException".into())),
        (400, "ProvisionedThroughputExceededException", OcrError::Busy("ProvisionedThroughputExceededException".into())),
        (400, "AccessDeniedException", OcrError::Refused("AccessDeniedException".into())),
        (400, "UnsupportedDocumentException", OcrError::Refused("UnsupportedDocumentException".into())),
        (500, "InternalServerError", OcrError::NoAnswer),
    ] {
        let (textract, server) = says(status, refusal(code)).await;
        assert_eq!(textract.lines(PHOTO.into()).await, Err(expected), "{code}");
        // What is refused for good is asked once.
        assert_eq!(server.asked.lock().unwrap().len() > 1, !code.contains("Document") && !code.contains("Access"), "{code}");
    }
}

#[tokio::test]
async fn garbage_is_no_answer() {
    for garbage in ["", "<html>", "{\"Blocks\": 7}", "{\"Blocks\": [{\"BlockType\": "] {
        let (textract, _) = says(200, garbage).await;
        let lines = textract.lines(PHOTO.into()).await;
        assert!(matches!(&lines, Err(OcrError::NoAnswer)) || lines == Ok(Vec::new()), "{garbage}: {lines:?}");
    }
    // Blocks without what makes them lines are passed over.
    let (textract, _) = says(200, json!({ "Blocks": [{ "BlockType": "LINE", "Id": "l" }, { "BlockType": "NEWER" }, {}] })).await;
    assert_eq!(textract.lines(PHOTO.into()).await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_slow_service_is_given_up_and_asked_once() {
    let (tells, asked) = mpsc::channel();
    let (textract, server) = textract(Script::Hangs(tells)).await;
    // The clock stands still until the service was asked, and runs on its own as soon as there is nothing left but to wait.
    time::pause();
    tokio::task::spawn_blocking(move || asked.recv().unwrap());
    let begun = Instant::now();
    assert_eq!(textract.lines(PHOTO.into()).await, Err(OcrError::NoAnswer));
    assert!((PATIENCE..PATIENCE + Duration::from_millis(500)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    assert_eq!(server.asked.lock().unwrap().len(), 1, "each call is paid for");
}
