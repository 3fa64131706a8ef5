//! What leads set, and what the portal's visitors see of it before and afterwards.

use domain::staff::Role;
use jiff::{Timestamp, ToSpan as _};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{ExportState, ReadingsExport};

use crate::at_desk::send;
use crate::calls::new_job;
use crate::world::{Answer, Portal, reading};

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

    async fn discard(&self, state: &Value) -> Answer {
        send(&self.portal, &self.lead, Method::DELETE, &format!("/settings/drafts?state={}", state.as_str().unwrap()), None).await
    }

    async fn back(&self, version: &str, state: &Value) -> Answer {
        send(&self.portal, &self.lead, Method::POST, &format!("/settings/versions/{version}"), Some(json!({ "state": state }))).await
    }

    async fn apply(&self, state: &Value) -> Answer {
        send(&self.portal, &self.lead, Method::POST, "/settings", Some(json!({ "state": state }))).await
    }

    /// The greeting in effect.
    async fn welcome(&self) -> Option<String> {
        let bundle = self.portal.store().tenant_bundle(self.portal.tenant_id()).await.unwrap().unwrap();
        bundle.translations.get("de-FORMAL").map(|texts| texts["home.welcome"].clone())
    }

    /// Has those who run the product name another sender.
    async fn change_sender(&self, sender: &str) -> Answer {
        let (_, platform) = self.portal.platform_member().await;
        let host = self.portal.host();
        let path = format!("/api/desk/platform/tenants/{}", self.portal.tenant());
        let there = self.portal.send(Method::GET, &path, Some(&platform), None, None).await.body;
        let seen = json!({ "hosts": there["hosts"], "portalUrl": there["portalUrl"], "senderEmail": there["senderEmail"] });
        let body = json!({ "hosts": [host], "portalUrl": format!("http://{host}"), "senderEmail": sender, "seen": seen });
        self.portal.send(Method::POST, &path, Some(&platform), Some(&body), None).await
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
    let back = desk.back(&first, &applied.body["state"]).await;
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

    let exports = json!({ "scheduled": [{ "what": "TABLE", "preset": "plain", "season": "2026", "every": "DAY", "hour": 6 }] });
    let unknown = desk.with(|tenant| tenant["desk"]["exports"] = exports).await;
    let drafted = desk.draft("tenant.json", Some(&unknown)).await.body;
    assert_eq!(drafted["faults"][0]["path"], "desk.exports.scheduled[0].season", "{drafted}");

    let broken = desk.draft("contact.json", Some("[{")).await.body;
    assert!(broken["faults"].as_array().unwrap().iter().any(|fault| fault["file"] == "contact.json"), "{broken}");
    assert_eq!(file_of(&broken, "contact.json")["draft"]["content"], "[{", "what was typed is not lost");

    desk.draft("../secrets.json", Some("{}")).await.assert_problem(422, "request-invalid");
    desk.draft("help/de-FORMAL.md", Some(&"x".repeat(310_000))).await.assert_problem(422, "request-invalid");
    let emptied = desk.discard(&desk.settings().await["state"]).await.body;
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

/// Drafts have no history.
#[tokio::test]
async fn a_draft_that_nobody_was_shown_is_neither_discarded_nor_replaced() {
    let desk = Desk::new().await;
    let shown = desk.draft("help/de-FORMAL.md", Some("# Hilfe")).await.body;
    let theirs = desk.draft(TEXTS, Some(r#"{ "home.welcome": "Moin" }"#)).await.body;
    let version = shown["versions"][0]["id"].as_str().unwrap();
    desk.discard(&shown["state"]).await.assert_problem(409, "conflict");
    desk.back(version, &shown["state"]).await.assert_problem(409, "conflict");
    send(&desk.portal, &desk.lead, Method::DELETE, "/settings/drafts", None).await.assert_problem(400, "malformed-request");
    assert_eq!(file_of(&desk.settings().await, TEXTS)["draft"]["content"], r#"{"home.welcome":"Moin"}"#);

    // Each once more, because an answer may get lost.
    let is_drafted = |settings: &Value| settings["files"].as_array().unwrap().iter().any(|file| file.get("draft").is_some());
    for _ in 0..2 {
        let discarded = desk.discard(&theirs["state"]).await;
        assert_eq!((discarded.status, is_drafted(&discarded.body)), (StatusCode::OK, false), "{discarded:?}");
    }
    let drafted = desk.draft(TEXTS, Some(r#"{ "home.welcome": "Moin" }"#)).await.body;
    let first = desk.apply(&drafted["state"]).await.body;
    for _ in 0..2 {
        let back = desk.back(version, &first["state"]).await;
        assert_eq!((back.status, is_drafted(&back.body)), (StatusCode::OK, true), "{back:?}");
    }
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

#[tokio::test]
async fn mails_and_letters_are_written_by_the_tenant_and_seen_before() {
    let desk = Desk::new().await;
    let get = async |path: &str| send(&desk.portal, &desk.lead, Method::GET, path, None).await;
    let known = get("/settings/texts?language=en-FORMAL").await.body;
    let known = known["texts"].as_array().unwrap();
    let of = |key: &str| known.iter().find(|text| text["key"] == key).unwrap();
    assert_eq!(of("mail.reminder.about")["needed"], json!(["day"]));
    assert_eq!(of("mail.regards")["text"], "Kind regards\n{tenant}");
    assert_eq!(of("letter.text")["needed"], json!(["access", "meters"]));
    let low_german = get("/settings/texts?language=nds").await.body;
    assert_eq!(low_german["texts"].as_array().unwrap().len(), 1, "mails are not written in it, letters may be");

    let letter = "Ablesung\n\n{salutation},\n\nbitte.\n\n{access}\n\n{meters}";
    let fits = format!("{letter}\n\n{}", "Lang. ".repeat(600));
    let faulty = json!({ "mail.reminder.about": "bitte bald", "letter.text": fits }).to_string();
    let drafted = desk.draft(TEXTS, Some(&faulty)).await.body;
    let faults: Vec<_> = drafted["faults"].as_array().unwrap().iter().map(|fault| fault["path"].as_str().unwrap()).collect();
    assert_eq!(faults, ["letter.text", "mail.reminder.about"], "{drafted}");
    get("/settings/mail?kind=REMINDER&language=de-FORMAL").await.assert_problem(422, "request-invalid");

    let own = json!({ "home.welcome": "Moin", "mail.reminder.about": "bitte <bald>, bis {day}.", "letter.text": letter }).to_string();
    let drafted = desk.draft(TEXTS, Some(&own)).await.body;
    assert_eq!(drafted["faults"], json!([]));
    let mail = get("/settings/mail?kind=REMINDER&language=de-FORMAL").await.body;
    assert!(mail["text"].as_str().unwrap().contains("bitte <bald>, bis "), "{mail}");
    assert!(mail["html"].as_str().unwrap().contains("bitte &#60;bald&#62;, bis "), "{mail}");
    let several = get("/settings/mail?kind=REMINDER&language=de-FORMAL&several=true&anytime=true").await.body;
    assert_eq!(several["subject"], "2 Ihrer Zählerstände fehlen noch");
    get("/settings/mail?kind=ADVERTISEMENT&language=de-FORMAL").await.assert_problem(400, "malformed-request");
    let letter = get("/settings/letter?language=de-FORMAL").await;
    assert!(letter.status == StatusCode::OK && letter.bytes.starts_with(b"%PDF"), "{:?}", letter.status);

    assert_eq!(desk.apply(&drafted["state"]).await.status, StatusCode::OK);
    let public: Value = serde_json::from_str(&visit(&desk.portal, "/api/public/application", None).await).unwrap();
    assert_eq!(public["translations"]["de-FORMAL"], json!({ "home.welcome": "Moin" }), "the portal gets what it shows");
}

#[tokio::test]
async fn a_rehearsal_ends_when_nothing_is_missing() {
    let desk = Desk::new().await;
    let mut bundle = desk.portal.store().tenant_bundle(desk.portal.tenant_id()).await.unwrap().unwrap();
    bundle.application.portal_url = format!("https://{}", bundle.application.hosts[0]);
    desk.portal.store().apply_tenant(&bundle, store::NewVersion::by("test")).await.unwrap();
    assert!(desk.settings().await.get("opening").is_none(), "a tenant in operation has nothing to open");
    let begun = desk.with(|tenant| tenant["rehearsal"] = json!(true)).await;
    let drafted = desk.draft("tenant.json", Some(&begun)).await.body;
    assert_eq!(desk.apply(&drafted["state"]).await.status, StatusCode::OK, "{drafted}");
    let done = |settings: &Value| -> Vec<String> {
        let steps = settings["opening"].as_array().unwrap().iter().filter(|step| step["isDone"] == json!(true));
        steps.map(|step| step["step"].as_str().unwrap().to_owned()).collect()
    };
    desk.portal.add_account("anna").await;
    let job = new_job(&desk.portal, "anna").await;
    assert_eq!(desk.portal.login("anna").await.send(&job, reading("1.0"), None).await.status, StatusCode::OK);
    desk.portal.store().count_all(desk.portal.tenant_id(), Timestamp::now()).await.unwrap();
    let settings = desk.settings().await;
    assert!(!done(&settings).contains(&"LEADS".to_owned()));
    assert_eq!(settings["openingReadings"], 1, "what was only tried goes out like any other");
    for (number, medium, left) in [(1, "unknown", 1), (2, "table", 0)] {
        let (medium, created) = (medium.to_owned(), Timestamp::now() + 48.hours());
        let export = ReadingsExport { number, medium, created, state: ExportState::Done, counts: None };
        desk.portal.store().begin_export(desk.portal.tenant_id(), &export).await.unwrap();
        assert_eq!(desk.settings().await["openingReadings"], left, "what went out is not tried: {export:?}");
    }
    let ended = desk.with(|tenant| tenant["rehearsal"] = json!(false)).await;
    let drafted = desk.draft("tenant.json", Some(&ended)).await.body;
    assert_eq!(drafted["faults"][0]["path"], "rehearsal", "{drafted}");
    let reason = drafted["faults"][0]["reason"]["de"].as_str().unwrap();
    assert!(reason.contains("Impressum") && reason.contains("zwei Leitungen"), "{reason}");
    desk.apply(&drafted["state"]).await.assert_problem(422, "request-invalid");

    desk.portal.member(&[Role::Lead]).await;
    let complete = desk.with(|tenant| {
        tenant.as_object_mut().unwrap().remove("rehearsal");
        for link in ["imprint", "privacy", "accessibility"] {
            tenant["config"]["legal"][link] = json!({ "url": "https://example.org", "enabled": true });
        }
        tenant["desk"]["letter"]["footer"] = json!(["Am Markt 1"]);
    });
    let complete = complete.await;
    desk.draft("contact.json", Some(r#"[{ "language": "de-FORMAL", "path": "", "text": "Tel. 1" }]"#)).await;
    let drafted = desk.draft("tenant.json", Some(&complete)).await.body;
    let missing: Vec<_> = drafted["opening"].as_array().unwrap().iter().filter(|step| step["isDone"] == json!(false)).collect();
    assert_eq!((missing, &drafted["faults"]), (vec![], &json!([])));
    assert_eq!(desk.apply(&drafted["state"]).await.status, StatusCode::OK);
    let settings = desk.settings().await;
    assert!(settings.get("opening").is_none() && settings.get("openingReadings").is_none());
}

#[tokio::test]
async fn what_a_program_put_into_effect_that_knew_fewer_settings_is_changed_as_ever() {
    let desk = Desk::new().await;
    let sender_line = async |line: &str| desk.with(|tenant| tenant["desk"]["letter"]["senderLine"] = json!(line)).await;
    let before = sender_line("Musterwerk, Am Markt 1").await;
    desk.draft("tenant.json", Some(&before)).await;
    desk.portal.put_into_effect_before_limits().await;
    let settings = desk.settings().await;
    assert_eq!(file_of(&settings, "tenant.json")["draft"]["isOutdated"], false, "nobody has put anything into effect");
    let applied = desk.apply(&settings["state"]).await;
    assert_eq!(applied.status, StatusCode::OK, "{applied:?}");

    desk.portal.put_into_effect_before_limits().await;
    desk.draft(TEXTS, Some(r#"{ "home.welcome": "Moin" }"#)).await;
    let preview = send(&desk.portal, &desk.lead, Method::POST, "/settings/preview", None).await;
    let path = preview.body["url"].as_str().unwrap().split_once("/api/").unwrap().1.to_owned();
    let begun = desk.portal.get(&format!("/api/{path}")).await;
    let cookie = begun.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert!(visit(&desk.portal, "/api/public/application", Some(&cookie)).await.contains("Moin"));

    let changed = desk.change_sender("other@example.org").await;
    assert_eq!((changed.status, &changed.body["faults"]), (StatusCode::OK, &json!([])), "{changed:?}");
    desk.portal.put_into_effect_before_limits().await;
    let settings = desk.settings().await;
    let oldest = settings["versions"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap();
    let back = desk.back(oldest, &settings["state"]).await.body;
    let draft = file_of(&back, "tenant.json")["draft"]["content"].as_str().unwrap().to_owned();
    assert!(draft.contains("limits") && draft.contains("other@example.org"), "{draft}");
}

#[tokio::test]
async fn a_draft_that_is_kept_once_more_has_what_the_platform_set_meanwhile() {
    let desk = Desk::new().await;
    let drafted = desk.with(|tenant| tenant["desk"]["letter"]["senderLine"] = json!("Musterwerk, Am Markt 1")).await;
    desk.draft("tenant.json", Some(&drafted)).await;
    let changed = desk.change_sender("other@example.org").await;
    assert_eq!((changed.status, &changed.body["faults"]), (StatusCode::OK, &json!([])), "{changed:?}");
    let outdated = file_of(&desk.settings().await, "tenant.json");
    assert_eq!(outdated["draft"]["isOutdated"], true);

    // As "Den Entwurf behalten" does; and once more, because an answer may get lost.
    let keep = json!({ "file": "tenant.json", "content": outdated["draft"]["content"], "seen": outdated["hash"] });
    for _ in 0..2 {
        let kept = send(&desk.portal, &desk.lead, Method::POST, "/settings/drafts", Some(keep.clone())).await;
        assert_eq!((kept.status, &kept.body["faults"]), (StatusCode::OK, &json!([])), "{kept:?}");
        assert_eq!(file_of(&kept.body, "tenant.json")["draft"]["isOutdated"], false);
    }
    assert_eq!(desk.apply(&desk.settings().await["state"]).await.status, StatusCode::OK);
    let live = desk.portal.store().tenant_now(desk.portal.tenant_id()).await.unwrap().unwrap().application;
    let sender = (live.communication_settings.sender_email.as_str(), live.desk.letter.sender_line.as_str());
    assert_eq!(sender, ("other@example.org", "Musterwerk, Am Markt 1"));
}
