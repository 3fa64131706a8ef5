//! What leads see of letters and invitations, and have done.

use domain::staff::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::at_desk::{over, send};
use crate::world::Portal;

/// A tenant one of whose customers has something to read, an address, and no login data.
async fn portal_with_newcomer(settings: Value) -> Portal {
    let portal = Portal::configured(settings).await;
    portal.store().put_account(portal.tenant_id(), &testing::account("eva")).await.unwrap();
    let address = json!({ "street": "Am Markt", "houseNumber": "1", "zip": "01234", "city": "Birkenfurt" });
    portal.add_job("eva", "job-of-eva", json!({ "customer": { "lastname": "Rauch", "mailingAddress": address } })).await;
    portal
}

#[tokio::test]
async fn a_day_has_a_limit_of_letters_and_invitations_that_is_said_before_the_first_one() {
    let limits = json!({ "desk": { "limits": { "lettersPerDay": 1, "invitationsPerDay": 1 } } });
    let portal = portal_with_newcomer(limits).await;
    let lead = portal.member(&[Role::Lead]).await;
    let run = async |path: &str, body: Value| over(&portal, &lead, &send(&portal, &lead, Method::POST, path, Some(body)).await).await;
    let wanted: Value = serde_json::from_str(EVERYBODY).unwrap();
    let first = run("/letters", wanted.clone()).await;
    assert_eq!((&first["state"], &first["letters"]["letters"]), (&json!("DONE"), &json!(1)), "{first}");
    run(&format!("/letters/{}/hand-over", first["id"].as_str().unwrap()), json!({ "lang": "de" })).await;
    let mut of_eva = wanted.clone();
    of_eva["accounts"] = json!(["eva"]);
    let refused = run("/letters", of_eva).await;
    let why = refused["failure"]["de"].as_str().unwrap_or_default();
    assert!(
        why.starts_with("Am Tag sind höchstens 1 neue Anschreiben erlaubt; heute wurden schon 1 gedruckt, dieser Lauf wären 1."),
        "{refused}"
    );
    assert_eq!((&refused["state"], &refused["files"]), (&json!("FAILED"), &json!([])));

    for (name, file) in [("uwe", "uwe@example.org"), ("ute", "ute@example.org")] {
        let mut account = testing::account(name);
        account.account.email = Some(file.parse().unwrap());
        portal.store().put_account(portal.tenant_id(), &account).await.unwrap();
        portal.add_job(name, &format!("job-of-{name}"), json!({})).await;
    }
    let refused = run("/letters/invitations", json!({ "trial": false, "lang": "en" })).await;
    let why = refused["failure"]["en"].as_str().unwrap_or_default();
    assert!(why.starts_with("At most 1 invitations by mail a day are allowed; 0 went out today, this run would be 2."), "{refused}");
}

const EVERYBODY: &str = r#"{ "trial": false, "onlyWithoutMail": false, "replyCards": true, "lang": "de" }"#;

#[tokio::test]
async fn letters_are_shown_drawn_handed_over_and_let_somebody_in() {
    let portal = portal_with_newcomer(json!({})).await;
    let lead = portal.member(&[Role::Lead]).await;
    let get = async |path: &str| send(&portal, &lead, Method::GET, path, None).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let mut wanted: Value = serde_json::from_str(EVERYBODY).unwrap();
    wanted["trial"] = json!(true);
    let shown = over(&portal, &lead, &post("/letters", wanted.clone()).await).await;
    assert_eq!(
        (&shown["what"], &shown["state"], &shown["letters"]["letters"]),
        (&json!("DUE_LETTERS"), &json!("DONE"), &json!(1)),
        "{shown}"
    );
    assert_eq!(shown["lettersTask"], json!({ "onlyWithoutMail": false, "accounts": [], "replyCards": true }));
    wanted["trial"] = json!(false);
    let drawn = over(&portal, &lead, &post("/letters", wanted.clone()).await).await;
    assert_eq!((&drawn["letters"]["letters"], &drawn["letters"]["newLogins"]), (&json!(1), &json!(1)), "{drawn}");
    let id = drawn["id"].as_str().unwrap();
    let table = get(&format!("/runs/{id}/files/anschreiben-001.csv")).await.body["url"].as_str().unwrap().to_owned();
    let table = reqwest::get(table).await.unwrap().text().await.unwrap();
    get(&format!("/runs/{id}/files/plan.json")).await.assert_problem(404, "not-found");
    let rows: Vec<Vec<&str>> = table.trim_start_matches('\u{feff}').lines().map(|line| line.split(';').collect()).collect();
    let cell = |name: &str| rows[1][rows[0].iter().position(|head| *head == name).unwrap()];
    let grant = json!({ "username": cell("username"), "password": cell("password") });
    assert_eq!(portal.token(grant.clone()).await.status, StatusCode::UNAUTHORIZED, "nothing works before");
    post("/letters", wanted.clone()).await.assert_problem(409, "conflict");

    let handed = post(&format!("/letters/{id}/hand-over"), json!({ "lang": "de" })).await;
    let done = over(&portal, &lead, &handed).await;
    assert_eq!((&done["what"], &done["handsOver"], &done["letters"]["letters"]), (&json!("HAND_OVER"), &json!(id), &json!(1)), "{done}");
    assert_eq!(portal.token(grant).await.status, StatusCode::OK);
    let again = post(&format!("/letters/{id}/hand-over"), json!({ "lang": "en" })).await;
    assert_eq!((again.status, &again.body["id"]), (StatusCode::ACCEPTED, &done["id"]), "once");
    send(&portal, &lead, Method::POST, &format!("/letters/{id}/call-back"), None).await.assert_problem(409, "conflict");
    let listed = get("/letters").await.body;
    let states: Vec<_> = listed["runs"].as_array().unwrap().iter().map(|run| (run["what"].as_str().unwrap(), &run["lettersEnd"])).collect();
    assert_eq!(states.iter().map(|(what, _)| *what).collect::<Vec<_>>(), ["HAND_OVER", "LETTERS", "DUE_LETTERS"]);
    assert_eq!(states[1].1["isHandedOver"], true);
    let customer = get("/customers/eva").await.body;
    assert_eq!(customer["letters"][0]["kind"], "ofSeason", "{customer}");
    let code = cell("link").to_owned();
    let back = post("/letters/returned", json!({ "code": format!(" {code} ") })).await;
    assert_eq!(
        (back.status, &back.body["account"], &back.body["name"]),
        (StatusCode::OK, &json!("eva"), &json!("eva Mustermann")),
        "{back:?}"
    );
    assert!(get("/customers/eva").await.body["letterReturnedAt"].is_string());
    for unknown in ["", "no-such-account", "ä", &"x".repeat(501)] {
        post("/letters/returned", json!({ "code": unknown })).await.assert_problem(422, "request-invalid");
    }
    portal.add_job("eva", "job-2-of-eva", json!({ "customer": { "lastname": "Rauch" } })).await;
    let mut trial = wanted.clone();
    trial["trial"] = json!(true);
    let left_out = over(&portal, &lead, &post("/letters", trial.clone()).await).await;
    assert_eq!((&left_out["letters"]["letters"], &left_out["letters"]["leftOut"]), (&json!(0), &json!(1)), "{left_out}");
    let lifted = send(&portal, &lead, Method::DELETE, "/letters/returned/eva", None).await;
    assert_eq!(lifted.status, StatusCode::NO_CONTENT);
    let due = over(&portal, &lead, &post("/letters", trial).await).await;
    assert_eq!(due["letters"]["letters"], 1, "she can be written to again: {due}");
    portal.close_job("eva", "job-2-of-eva").await;
    let next = over(&portal, &lead, &post("/letters", wanted).await).await;
    assert_eq!((&next["letters"]["letters"], &next["letters"]["had"]), (&json!(0), &json!(1)), "{next}");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let told: Vec<_> = trail.iter().map(|record| record.command.as_str()).filter(|what| what.starts_with("desk letters")).collect();
    let expected = ["listed", "drawn", "handed over", "listed", "listed", "drawn"].map(|what| format!("desk letters {what}"));
    assert_eq!(told, expected);
}

#[tokio::test]
async fn letters_are_called_back_once_and_by_leads_alone() {
    let portal = portal_with_newcomer(json!({})).await;
    let (lead, clerk) = (portal.member(&[Role::Lead]).await, portal.member(&[Role::Clerk]).await);
    let post = async |path: &str, body: Option<Value>| send(&portal, &lead, Method::POST, path, body).await;
    let wanted: Value = serde_json::from_str(EVERYBODY).unwrap();
    send(&portal, &clerk, Method::POST, "/letters", Some(wanted.clone())).await.assert_problem(403, "role-missing");
    let mut of_season = wanted.clone();
    of_season["season"] = json!("none");
    post("/letters", Some(of_season)).await.assert_problem(422, "request-invalid");
    let mut too_many = wanted.clone();
    too_many["accounts"] = (0..1001).map(|n| n.to_string()).collect();
    post("/letters", Some(too_many)).await.assert_problem(422, "request-invalid");
    let mut odd = wanted.clone();
    odd["accounts"] = json!(["eva", "Müller"]);
    post("/letters", Some(odd)).await.assert_problem(422, "request-invalid");
    let drawn = over(&portal, &lead, &post("/letters", Some(wanted.clone())).await).await;
    let id = drawn["id"].as_str().unwrap();
    for _ in 0..2 {
        assert_eq!(post(&format!("/letters/{id}/call-back"), None).await.status, StatusCode::NO_CONTENT);
    }
    post(&format!("/letters/{id}/hand-over"), Some(json!({ "lang": "de" }))).await.assert_problem(409, "conflict");
    let next = over(&portal, &lead, &post("/letters", Some(wanted)).await).await;
    assert_eq!(next["letters"]["letters"], 1, "whose letter was called back gets another one: {next}");
    post("/letters/another/call-back", None).await.assert_problem(404, "not-found");
}

#[tokio::test]
async fn whoever_has_an_address_is_invited_by_mail() {
    let portal = portal_with_newcomer(json!({})).await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let mut account = testing::account("eva");
    account.account.email = Some("eva@customers.example".parse().unwrap());
    portal.store().put_account(portal.tenant_id(), &account).await.unwrap();
    let listed = over(&portal, &lead, &post("/letters/invitations", json!({ "trial": true, "lang": "de" })).await).await;
    assert_eq!((&listed["what"], &listed["mails"]["due"]), (&json!("DUE_INVITATIONS"), &json!(1)), "{listed}");
    let without = json!({ "trial": true, "onlyWithoutMail": true, "replyCards": false, "lang": "de" });
    let letters = over(&portal, &lead, &post("/letters", without).await).await;
    assert_eq!((&letters["letters"]["letters"], &letters["letters"]["byMail"]), (&json!(0), &json!(1)), "{letters}");
    let sent = over(&portal, &lead, &post("/letters/invitations", json!({ "trial": false, "lang": "de" })).await).await;
    assert_eq!((&sent["what"], &sent["mails"]["sent"]), (&json!("INVITATIONS"), &json!(1)), "{sent}");
    let again = over(&portal, &lead, &post("/letters/invitations", json!({ "trial": true, "lang": "de" })).await).await;
    assert_eq!(again["mails"]["due"], 0, "not twice to the same jobs");
}

#[tokio::test]
async fn a_tenant_without_a_sender_writes_letters_to_everybody() {
    let portal = portal_with_newcomer(json!({ "communicationSettings": { "senderEmail": "" } })).await;
    let lead = portal.member(&[Role::Lead]).await;
    let shown = send(&portal, &lead, Method::GET, "/letters", None).await.body;
    assert!(shown["noMails"]["de"].as_str().unwrap().contains("Absender"), "{shown}");
    let invite = json!({ "trial": true, "lang": "de" });
    send(&portal, &lead, Method::POST, "/letters/invitations", Some(invite)).await.assert_problem(422, "request-invalid");
}
