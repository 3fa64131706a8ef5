//! What the tenant wrote for readers: help, contact, instructions, and what visitors are asked.

use reqwest::StatusCode;
use serde_json::json;

use crate::world::Portal;

#[tokio::test]
async fn everybody_reads_what_the_tenant_wrote() {
    let portal = Portal::with_account("anna").await;
    let tenant = portal.tenant();
    for (path, field, count) in [
        ("meterReadingHelp", "instructions", 1),
        ("help", "languages", 1),
        ("contact", "contactInformationItems", 1),
        ("unknown-readings/config", "readingReasons", 2),
    ] {
        let path = format!("/api/public/{path}/{tenant}");
        let answer = portal.get(&path).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.body[field].as_array().map(Vec::len), Some(count), "{answer:?}");
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
        let again = portal.get_if_none_match(&path, answer.header("etag").unwrap()).await;
        assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    }
}

#[tokio::test]
async fn the_help_falls_back_to_the_default_language() {
    let portal = Portal::with_account("anna").await;
    for language in ["de-FORMAL", "en-FORMAL"] {
        let answer = portal.get(&format!("/api/public/help/{}/{language}", portal.tenant())).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.header("content-type"), Some("text/markdown; charset=utf-8"));
        assert_eq!(answer.bytes, b"# Hilfe");
    }
    portal.get(&format!("/api/public/help/{}/xx-NONE", portal.tenant())).await.assert_problem(404, "not-found");
}

#[tokio::test]
async fn another_application_and_what_is_switched_off_are_not_found() {
    let portal = Portal::with_account("anna").await;
    let other = Portal::with_account("anna").await;
    for path in ["meterReadingHelp", "help", "contact", "unknown-readings/config"] {
        portal.get(&format!("/api/public/{path}/{}", other.tenant())).await.assert_problem(404, "not-found");
        portal.get(&format!("/api/public/{path}/Kein%20Mandant")).await.assert_problem(404, "not-found");
    }
    let without = Portal::configured(json!({
        "features": { "helpEnabled": false, "unknownReadingsAllowed": false },
        "config": { "unknownUserReading": { "unknownUserReadingAllowed": false } },
    }))
    .await;
    for path in ["help", "unknown-readings/config"] {
        without.get(&format!("/api/public/{path}/{}", without.tenant())).await.assert_problem(404, "not-found");
    }
    without.get(&format!("/api/public/help/{}/de-FORMAL", without.tenant())).await.assert_problem(404, "not-found");
}
