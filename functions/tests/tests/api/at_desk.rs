//! Calls of the desk about one tenant.

use std::time::Duration;

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
