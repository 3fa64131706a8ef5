//! What leads set, and what the portal's visitors see of it before and afterwards.

use domain::staff::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::at_desk::send;
use crate::world::{Answer, Portal};

const TEXTS: &str = "translations/de-FORMAL.json";

/// A portal whose settings a lead changes.
struct Desk {
    portal: Portal,
    lead: String,
}

impl Desk {
    async fn new() -> Self {
        let portal = Portal::configured(json!({})).await;
        let lead = portal.member(&[Role::Lead]).await;
        Self { portal, lead }
    }

    async fn settings(&self) -> Value {
        let found = send(&self.portal, &self.lead, Method::GET, "/settings", None).await;
        assert_eq!(found.status, StatusCode::OK, "{found:?}");
        found.body
    }

    /// Asks for a file to be different, as somebody who saw it now.
    async fn draft(&self, file: &str, content: Option<&str>) -> Answer {
        let seen = file_of(&self.settings().await, file)["hash"].clone();
        send(&self.portal, &self.lead, Method::POST, "/settings/drafts", Some(json!({ "file": file, "content": content, "seen": seen })))
            .await
    }

    async fn apply(&self, state: &Value) -> Answer {
        send(&self.portal, &self.lead, Method::POST, "/settings", Some(json!({ "state": state }))).await
    }

    /// The greeting in effect.
    async fn welcome(&self) -> Option<String> {
        let bundle = self.portal.store().tenant_bundle(self.portal.tenant_id()).await.unwrap().unwrap();
        bundle.translations.get("de-FORMAL").map(|texts| texts["home.welcome"].clone())
    }

    /// The settings of the tenant with this one changed.
    async fn with(&self, change: impl FnOnce(&mut Value)) -> String {
        let settings = self.settings().await;
        let mut document: Value = serde_json::from_str(file_of(&settings, "tenant.json")["content"].as_str().unwrap()).unwrap();
        change(&mut document);
        document.to_string()
    }
}

fn file_of(settings: &Value, name: &str) -> Value {
    settings["files"].as_array().unwrap().iter().find(|file| file["name"] == name).cloned().unwrap_or_default()
}

/// What a visitor of the portal gets who has this cookie.
async fn visit(portal: &Portal, path: &str, cookie: Option<&str>) -> String {
    let headers: Vec<_> = cookie.map(|cookie| ("cookie", cookie)).into_iter().collect();
    let answer = portal.send_with(Method::GET, path, &headers, None).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    String::from_utf8_lossy(&answer.bytes).into_owned()
}

fn count(settings: &Value, what: &str) -> usize {
    settings[what].as_array().unwrap().len()
}

#[tokio::test]
async fn a_text_is_drafted_seen_put_into_effect_and_taken_back() {
    let desk = Desk::new().await;
    let drafted = desk.draft(TEXTS, Some(r#"{ "home.welcome": "Moin" }"#)).await;
    assert_eq!((drafted.status, count(&drafted.body, "faults")), (StatusCode::OK, 0), "{drafted:?}");
    assert_eq!(file_of(&drafted.body, TEXTS)["draft"]["content"], r#"{"home.welcome":"Moin"}"#);
    assert_eq!(desk.welcome().await, None, "nothing is in effect yet");

    let applied = desk.apply(&drafted.body["state"]).await;
    assert_eq!(applied.status, StatusCode::OK, "{applied:?}");
    assert!(file_of(&applied.body, TEXTS).get("draft").is_none());
    let version = &applied.body["versions"][0];
    assert_eq!((&version["isCurrent"], &version["byCommand"], &version["changed"]), (&json!(true), &json!(false), &json!([TEXTS])));
    assert_eq!(desk.welcome().await.as_deref(), Some("Moin"));
    assert_eq!(desk.apply(&drafted.body["state"]).await.body["versions"], applied.body["versions"], "an answer that was lost");

    let first = applied.body["versions"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    let files = send(&desk.portal, &desk.lead, Method::GET, &format!("/settings/versions/{first}"), None).await.body;
    assert!(!files["files"].as_array().unwrap().iter().any(|file| file["name"] == TEXTS), "{files}");
    let back = send(&desk.portal, &desk.lead, Method::POST, &format!("/settings/versions/{first}"), None).await;
    assert!(file_of(&back.body, TEXTS)["draft"].get("content").is_none(), "it is to go: {back:?}");
    assert_eq!(desk.apply(&back.body["state"]).await.status, StatusCode::OK);
    assert_eq!(desk.welcome().await, None);
    assert_eq!(desk.settings().await["versions"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn what_has_a_fault_is_kept_shown_and_not_put_into_effect() {
    let desk = Desk::new().await;
    let pale = desk.with(|tenant| tenant["theme"]["primaryColor"] = json!("#ffff00")).await;
    let drafted = desk.draft("tenant.json", Some(&pale)).await.body;
    let fault = &drafted["faults"][0];
    assert_eq!((&fault["file"], &fault["path"]), (&json!("tenant.json"), &json!("theme.primaryColor")), "{fault}");
    desk.apply(&drafted["state"]).await.assert_problem(422, "request-invalid");

    let elsewhere = desk.with(|tenant| tenant["hosts"].as_array_mut().unwrap().push(json!("elsewhere.localhost"))).await;
    let drafted = desk.draft("tenant.json", Some(&elsewhere)).await.body;
    assert_eq!(drafted["faults"][0]["path"], "hosts", "a lead cannot take another's host: {drafted}");
    desk.apply(&drafted["state"]).await.assert_problem(422, "request-invalid");

    let broken = desk.draft("contact.json", Some("[{")).await.body;
    assert!(broken["faults"].as_array().unwrap().iter().any(|fault| fault["file"] == "contact.json"), "{broken}");
    assert_eq!(file_of(&broken, "contact.json")["draft"]["content"], "[{", "what was typed is not lost");

    desk.draft("../secrets.json", Some("{}")).await.assert_problem(422, "request-invalid");
    desk.draft("help/de-FORMAL.md", Some(&"x".repeat(310_000))).await.assert_problem(422, "request-invalid");
    let emptied = send(&desk.portal, &desk.lead, Method::DELETE, "/settings/drafts", None).await.body;
    assert_eq!(
        (count(&emptied, "faults"), emptied["files"].as_array().unwrap().iter().any(|file| file.get("draft").is_some())),
        (0, false)
    );
}

#[tokio::test]
async fn two_people_and_a_command_do_not_overwrite_each_other() {
    let desk = Desk::new().await;
    let seen = file_of(&desk.settings().await, TEXTS)["hash"].clone();
    let draft = async |text: &str| {
        let body = json!({ "file": TEXTS, "content": json!({ "home.welcome": text }).to_string(), "seen": seen });
        send(&desk.portal, &desk.lead, Method::POST, "/settings/drafts", Some(body)).await
    };
    let first = draft("Moin").await;
    assert_eq!(draft("Moin").await.status, StatusCode::OK, "the same once more");
    draft("Servus").await.assert_problem(409, "conflict");
    assert_eq!(file_of(&desk.settings().await, TEXTS)["draft"]["content"], r#"{"home.welcome":"Moin"}"#);

    // Meanwhile a command puts another text into effect.
    let mut bundle = desk.portal.store().tenant_bundle(desk.portal.tenant_id()).await.unwrap().unwrap();
    bundle.translations.insert("de-FORMAL".into(), [("home.welcome".to_owned(), "Grüezi".to_owned())].into());
    desk.portal.store().apply_tenant(&bundle, store::NewVersion::by("anna@rechner")).await.unwrap();
    desk.apply(&first.body["state"]).await.assert_problem(409, "conflict");
    let settings = desk.settings().await;
    assert_eq!(settings["versions"][0]["by"], "anna@rechner");
    assert_eq!(file_of(&settings, TEXTS)["draft"]["isOutdated"], true);
    desk.apply(&settings["state"]).await.assert_problem(422, "request-invalid");
    let kept = desk.draft(TEXTS, Some(r#"{"home.welcome":"Moin"}"#)).await.body;
    assert_eq!(file_of(&kept, TEXTS)["draft"]["isOutdated"], false, "somebody looked at it again");
    assert_eq!(desk.apply(&kept["state"]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_preview_is_seen_by_who_has_its_address_and_by_nobody_else() {
    let desk = Desk::new().await;
    desk.draft(TEXTS, Some(r#"{ "home.welcome": "Moin" }"#)).await;
    desk.draft("help/de-FORMAL.md", Some("# Neue Hilfe")).await;
    desk.draft("contact.json", Some(r#"[{ "language": "de-FORMAL", "path": "", "text": "Tel. 1" }]"#)).await;
    let sender = desk.with(|tenant| tenant["desk"]["letter"]["senderLine"] = json!("Musterwerk, Am Markt 1")).await;
    desk.draft("tenant.json", Some(&sender)).await;
    let letter = send(&desk.portal, &desk.lead, Method::GET, "/settings/letter", None).await;
    assert!(letter.status == StatusCode::OK && letter.bytes.starts_with(b"%PDF"), "{:?}", letter.status);
    let preview = send(&desk.portal, &desk.lead, Method::POST, "/settings/preview", None).await.body;
    let path = preview["url"].as_str().unwrap().split_once("/api/").unwrap().1;
    let begun = desk.portal.get(&format!("/api/{path}")).await;
    assert_eq!((begun.status.as_u16(), begun.header("location")), (303, Some("/")));
    let cookie = begun.header("set-cookie").unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("Secure") && cookie.contains("Max-Age=3600"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();

    let tenant = desk.portal.tenant().to_owned();
    let seen = async |path: &str, cookie: Option<&str>| visit(&desk.portal, path, cookie).await;
    let shown = desk.portal.send_with(Method::GET, "/api/public/application", &[("cookie", &cookie)], None).await;
    assert_eq!(shown.header("cache-control"), Some("private, no-store"), "no cache on the way gives it to others");
    let application: Value = serde_json::from_str(&seen("/api/public/application", Some(&cookie)).await).unwrap();
    assert_eq!((&application["isPreview"], &application["translations"]["de-FORMAL"]["home.welcome"]), (&json!(true), &json!("Moin")));
    assert_eq!(seen(&format!("/api/public/help/{tenant}/de-FORMAL"), Some(&cookie)).await, "# Neue Hilfe");
    assert!(seen(&format!("/api/public/contact/{tenant}"), Some(&cookie)).await.contains("Tel. 1"));
    assert!(seen("/api/public/application/logo.png", Some(&cookie)).await.contains("PNG"));
    assert!(!seen("/api/public/application", None).await.contains("isPreview"));
    let forged = seen("/api/public/application", Some("__Host-preview=forged")).await;
    assert!(!forged.contains("Moin"), "{forged}");

    let other = Portal::configured(json!({})).await;
    let elsewhere = visit(&other, "/api/public/application", Some(&cookie)).await;
    assert!(!elsewhere.contains("Moin"), "another tenant's portal knows no such preview");
    assert!(desk.portal.get("/api/public/preview").await.header("set-cookie").unwrap().contains("Max-Age=0"));
}
