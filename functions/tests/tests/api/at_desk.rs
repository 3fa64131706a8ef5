//! Calls of the desk about one tenant.

use std::io::Cursor;
use std::time::Duration;

use calamine::{Reader, Xlsx};
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::world::{Answer, Portal};

/// Asks with the session of a member; the path is that behind the tenant.
pub async fn send(portal: &Portal, session: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
    let path = format!("/api/desk/tenants/{}{path}", portal.tenant());
    portal.send(method, &path, Some(session), body.as_ref(), None).await
}

/// The run that was started by this, as soon as it is over.
pub async fn over(portal: &Portal, session: &str, started: &Answer) -> Value {
    assert_eq!(started.status, StatusCode::ACCEPTED, "{started:?}");
    let path = format!("/runs/{}", started.body["id"].as_str().unwrap());
    loop {
        let found = send(portal, session, Method::GET, &path, None).await;
        assert_eq!(found.status, StatusCode::OK, "{found:?}");
        if !["WAITING", "WORKING"].contains(&found.body["state"].as_str().unwrap()) {
            return found.body;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A file that a run made.
pub async fn made(portal: &Portal, session: &str, run: &Value, name: &str) -> Vec<u8> {
    let path = format!("/runs/{}/files/{name}", run["id"].as_str().unwrap());
    let told = send(portal, session, Method::GET, &path, None).await;
    assert_eq!(told.status, StatusCode::OK, "{told:?}");
    reqwest::get(told.body["url"].as_str().unwrap()).await.unwrap().bytes().await.unwrap().to_vec()
}

/// The rows of a workbook's sheet, the one with the heads among them.
pub fn rows_of(book: Vec<u8>) -> Vec<Vec<String>> {
    let mut book = Xlsx::new(Cursor::new(book)).unwrap();
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    sheet.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect()
}
