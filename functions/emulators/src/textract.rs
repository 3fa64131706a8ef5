//! Amazon Textract, as far as the product calls it. It recognises nothing: it knows a few photos of this repository, and what is to be
//! read in them is written down (`fixtures/photos.json`). In every other photo it sees no text.

use std::net::{Ipv4Addr, SocketAddr};
use std::thread::JoinHandle;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::EmulatorError;

/// Bits in which two encodings of one photo may differ; different photos differ in about half of the 64.
const SAME_PHOTO: u32 = 8;
const FIXTURES: &str = include_str!("../fixtures/photos.json");

/// A running Textract; stops when dropped.
#[derive(Debug)]
pub struct Textract {
    endpoint: String,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

/// The text that is to be read in a photo.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    /// Path in the checkout.
    #[cfg_attr(not(test), expect(dead_code, reason = "the test compares the file with the hash"))]
    photo: String,
    /// Its [`hash`], in hexadecimal digits.
    hash: String,
    lines: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Line {
    text: String,
    confidence: f32,
}

impl Textract {
    /// Starts on a free port.
    pub fn start() -> Result<Self, EmulatorError> {
        let listener = std::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let (stop, stopped) = oneshot::channel::<()>();
        // A caller's runtime may end before its last call has.
        let server = std::thread::Builder::new().name("textract".into()).spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = axum::serve(listener, Router::new().route("/", post(answer))).into_future() => {}
                    _ = stopped => {}
                }
            });
        });
        Ok(Self { endpoint: format!("http://{address}"), stop: Some(stop), server: Some(server.map_err(failed)?) })
    }

    /// Address for `AWS_ENDPOINT_URL_TEXTRACT`.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

impl Drop for Textract {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            // A server that panicked has nothing left to stop.
            let _ = server.join();
        }
    }
}

async fn answer(headers: HeaderMap, body: Bytes) -> Response {
    if headers.get("x-amz-target").is_none_or(|target| target != "Textract.DetectDocumentText") {
        return refusal("UnknownOperationException");
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let photo = request["Document"]["Bytes"].as_str().and_then(|bytes| STANDARD.decode(bytes).ok());
    let Some(hash) = photo.as_deref().and_then(hash) else { return refusal("UnsupportedDocumentException") };
    let Ok(fixtures) = serde_json::from_str::<Vec<Fixture>>(FIXTURES) else { return refusal("InternalServerError") };
    let known = fixtures.into_iter().find(|fixture| distance(&fixture.hash, hash) <= SAME_PHOTO);
    json_answer(StatusCode::OK, &document(&known.map(|fixture| fixture.lines).unwrap_or_default()))
}

fn refusal(code: &str) -> Response {
    json_answer(StatusCode::BAD_REQUEST, &json!({ "__type": code }))
}

fn json_answer(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/x-amz-json-1.1")], body.to_string()).into_response()
}

/// The answer as Textract shapes it: a page, its lines, and their words.
fn document(lines: &[Line]) -> Value {
    let mut blocks = vec![json!({ "BlockType": "PAGE", "Id": "page" })];
    for (index, Line { text, confidence }) in lines.iter().enumerate() {
        let words: Vec<_> = text.split_whitespace().enumerate().map(|(word, text)| (format!("word-{index}-{word}"), text)).collect();
        let ids: Vec<_> = words.iter().map(|(id, _)| id).collect();
        blocks.push(json!({
            "BlockType": "LINE", "Id": format!("line-{index}"), "Text": text, "Confidence": confidence,
            "Relationships": [{ "Type": "CHILD", "Ids": ids }],
        }));
        blocks.extend(words.iter().map(|(id, text)| json!({ "BlockType": "WORD", "Id": id, "Text": text, "Confidence": confidence })));
    }
    json!({ "DocumentMetadata": { "Pages": 1 }, "DetectDocumentTextModelVersion": "1.0", "Blocks": blocks })
}

fn distance(known: &str, hash: u64) -> u32 {
    u64::from_str_radix(known, 16).map_or(u32::MAX, |known| (known ^ hash).count_ones())
}

/// What a photo has in common with every scaled and re-encoded copy of it: whether each of nine fields of eight rows is brighter than the
/// one to its right (dHash). None: it is no JPEG.
fn hash(jpeg: &[u8]) -> Option<u64> {
    const COLUMNS: usize = 9;
    const ROWS: usize = 8;
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(jpeg), options);
    let pixels = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    let field = |column: usize, row: usize| {
        let (xs, ys) = (column * width / COLUMNS..(column + 1) * width / COLUMNS, row * height / ROWS..(row + 1) * height / ROWS);
        let count = (xs.len() * ys.len()).max(1);
        let sum: usize =
            ys.flat_map(|y| pixels.get(y * width + xs.start..y * width + xs.end)).flatten().map(|pixel| usize::from(*pixel)).sum();
        sum * 1000 / count
    };
    let bits = (0..ROWS).flat_map(|row| (1..COLUMNS).map(move |column| (column, row)));
    Some(bits.fold(0, |hash, (column, row)| hash << 1 | u64::from(field(column - 1, row) > field(column, row))))
}

fn failed(reason: impl std::fmt::Display) -> EmulatorError {
    EmulatorError::Start { emulator: "textract", reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A developer who draws a photo anew or adds one finds its hash here.
    #[test]
    fn every_photo_has_its_hash_and_no_other() {
        let checkout = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let fixtures: Vec<Fixture> = serde_json::from_str(FIXTURES).unwrap();
        let hashes: Vec<_> = fixtures.iter().map(|fixture| hash(&std::fs::read(checkout.join(&fixture.photo)).unwrap()).unwrap()).collect();
        let written: Vec<_> = fixtures.iter().map(|fixture| fixture.hash.clone()).collect();
        assert_eq!(hashes.iter().map(|hash| format!("{hash:016x}")).collect::<Vec<_>>(), written);
        for (one, other) in hashes.iter().zip(&hashes[1..]) {
            assert!((one ^ other).count_ones() > 2 * SAME_PHOTO, "{one:016x} {other:016x}");
        }
        assert_eq!(hash(b"no photo"), None);
    }
}
