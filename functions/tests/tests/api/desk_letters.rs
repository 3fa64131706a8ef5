//! What leads see of letters and invitations, and have done.

use domain::ids::RunId;
use domain::staff::Role;
use domain::text::Lang;
use jiff::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{LettersEnd, RunTask};

use crate::at_desk::{made, over, send};
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
    // Of a run that was cancelled no letter can be handed over.
    testing::cancelled_letters(portal.store(), portal.tenant_id()).await;
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
    assert_eq!((&next["letters"]["letters"], &next["letters"]["had"]), (&json!(1), &json!(0)), "the one before did not arrive: {next}");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let told: Vec<_> = trail.iter().map(|record| record.command.as_str()).filter(|what| what.starts_with("desk letters")).collect();
    let expected = ["listed", "drawn", "handed over", "listed", "listed", "drawn"].map(|what| format!("desk letters {what}"));
    assert_eq!(told, expected);
}

/// The cell of this head of the only letter that a run drew.
async fn printed(portal: &Portal, lead: &str, run: &Value, name: &str) -> String {
    let table = String::from_utf8(made(portal, lead, run, "anschreiben-001.csv").await).unwrap();
    let rows: Vec<Vec<&str>> = table.trim_start_matches('\u{feff}').lines().map(|line| line.split(';').collect()).collect();
    rows[1][rows[0].iter().position(|head| *head == name).unwrap()].to_owned()
}

#[tokio::test]
async fn whoever_did_not_get_the_first_letter_gets_login_data_with_the_next_one() {
    let portal = portal_with_newcomer(json!({})).await;
    let lead = portal.member(&[Role::Lead]).await;
    let run = async |path: &str, body: Value| over(&portal, &lead, &send(&portal, &lead, Method::POST, path, Some(body)).await).await;
    let wanted: Value = serde_json::from_str(EVERYBODY).unwrap();
    let mut trial = wanted.clone();
    trial["trial"] = json!(true);
    let sent = async || {
        let drawn = run("/letters", wanted.clone()).await;
        let over = run(&format!("/letters/{}/hand-over", drawn["id"].as_str().unwrap()), json!({ "lang": "de" })).await;
        assert_eq!((&over["letters"]["letters"], &over["letters"]["leftOut"]), (&json!(1), &json!(0)), "{over}");
        let [username, password] = ["username", "password"].map(|name| printed(&portal, &lead, &drawn, name));
        (username.await, password.await)
    };
    let is_let_in = async |(username, password): &(String, String)| {
        portal.token(json!({ "username": username, "password": password })).await.status == StatusCode::OK
    };
    let first = sent().await;
    assert!(is_let_in(&first).await);
    let returned = send(&portal, &lead, Method::POST, "/letters/returned", Some(json!({ "code": "eva" }))).await;
    assert_eq!(returned.status, StatusCode::OK, "{returned:?}");
    let shown = run("/letters", trial.clone()).await;
    assert_eq!((&shown["letters"]["leftOut"], &shown["letters"]["had"]), (&json!(1), &json!(0)), "somebody has to call: {shown}");
    send(&portal, &lead, Method::DELETE, "/letters/returned/eva", None).await;
    let shown = run("/letters", trial.clone()).await;
    assert_eq!((&shown["letters"]["letters"], &shown["letters"]["newLogins"]), (&json!(1), &json!(1)), "{shown}");
    let second = sent().await;
    assert!(is_let_in(&second).await && !is_let_in(&first).await, "nobody has read the first ones");
    let shown = run("/letters", trial.clone()).await;
    assert_eq!(shown["letters"]["had"], 1, "{shown}");

    // Another one, which tells no password: who has the last one's goes on with it.
    portal.add_job("eva", "job-2-of-eva", json!({})).await;
    assert_eq!(sent().await.1, "");
    send(&portal, &lead, Method::POST, "/letters/returned", Some(json!({ "code": "eva" }))).await;
    send(&portal, &lead, Method::DELETE, "/letters/returned/eva", None).await;
    let shown = run("/letters", trial).await;
    assert_eq!((&shown["letters"]["letters"], &shown["letters"]["newLogins"]), (&json!(1), &json!(0)), "{shown}");
    assert!(is_let_in(&second).await);
}

#[tokio::test]
async fn in_rehearsal_letters_are_drawn_and_not_handed_over() {
    let portal = portal_with_newcomer(json!({ "rehearsal": true })).await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let drawn = over(&portal, &lead, &post("/letters", serde_json::from_str(EVERYBODY).unwrap()).await).await;
    let id = drawn["id"].as_str().unwrap();
    post(&format!("/letters/{id}/hand-over"), json!({ "lang": "de" })).await.assert_problem(409, "conflict");
    let called_back = send(&portal, &lead, Method::POST, &format!("/letters/{id}/call-back"), None).await;
    assert_eq!(called_back.status, StatusCode::NO_CONTENT, "nothing was decided by that");
}

/// Whoever keeps a specimen could log in, and the customer never could.
#[tokio::test]
async fn whose_login_was_tried_in_rehearsal_gets_another_one_with_the_first_letter() {
    for (rehearsal, new_logins) in [(true, 1), (false, 0)] {
        let portal = portal_with_newcomer(json!({ "rehearsal": rehearsal })).await;
        let lead = portal.member(&[Role::Lead]).await;
        let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
        let username = async || portal.store().account(portal.tenant_id(), &testing::account_id("eva")).await.unwrap().unwrap().username;
        assert_eq!(post("/customers/eva/login", json!({ "endShares": false, "language": "de" })).await.status, StatusCode::OK);
        let tried = username().await;
        portal.configure(json!({})).await;
        let mut trial: Value = serde_json::from_str(EVERYBODY).unwrap();
        trial["trial"] = json!(true);
        let shown = over(&portal, &lead, &post("/letters", trial).await).await;
        assert_eq!((&shown["letters"]["letters"], &shown["letters"]["newLogins"]), (&json!(1), &json!(new_logins)), "{shown}");
        let drawn = over(&portal, &lead, &post("/letters", serde_json::from_str(EVERYBODY).unwrap()).await).await;
        let hand_over = format!("/letters/{}/hand-over", drawn["id"].as_str().unwrap());
        let handed = over(&portal, &lead, &post(&hand_over, json!({ "lang": "de" })).await).await;
        assert_eq!((&handed["letters"]["letters"], username().await == tried), (&json!(1), !rehearsal), "{handed}");
    }
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
async fn drawn_letters_wait_for_a_decision_whatever_is_asked_for_since() {
    let portal = portal_with_newcomer(json!({})).await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let wanted: Value = serde_json::from_str(EVERYBODY).unwrap();
    let drawn = over(&portal, &lead, &post("/letters", wanted.clone()).await).await;
    let id = drawn["id"].as_str().unwrap();
    let listed = async || {
        let runs = send(&portal, &lead, Method::GET, "/letters", None).await.body["runs"].clone();
        runs.as_array().unwrap().iter().map(|run| run["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let later = async |number: usize, task: RunTask| {
        let id = RunId::new(format!("z-{number:03}")).unwrap();
        testing::ask_for(portal.store(), portal.tenant_id(), id.clone(), task, Timestamp::now()).await;
        assert!(portal.store().cancel_run(portal.tenant_id(), &id, Timestamp::now()).await.unwrap());
    };
    for number in 0..60 {
        later(number, RunTask::Market {}).await;
    }
    assert_eq!(listed().await, [id], "sixty exports later");
    post("/letters", wanted.clone()).await.assert_problem(409, "conflict");
    let letters = RunId::new("none").unwrap();
    for number in 60..80 {
        later(number, RunTask::HandOver { letters: letters.clone(), lang: Lang::De }).await;
    }
    let long = listed().await;
    assert_eq!((long.len(), long.last().map(String::as_str)), (21, Some(id)), "twenty others about letters later");
    post("/letters", wanted.clone()).await.assert_problem(409, "conflict");

    let end = LettersEnd { handed_over: true, at: Timestamp::now(), by: "Jonas".into() };
    assert!(portal.store().end_letters(portal.tenant_id(), &id.parse().unwrap(), &end).await.unwrap());
    assert_eq!(listed().await.len(), 21, "its hand-over was stopped, and somebody has to go on with it");
    let handed = over(&portal, &lead, &post(&format!("/letters/{id}/hand-over"), json!({ "lang": "de" })).await).await;
    assert_eq!(handed["letters"]["letters"], 1, "{handed}");
    assert!(!listed().await.contains(&id.to_owned()), "nobody has to do anything about it");
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

/// A tenant with customers in two towns: who has gas and electricity, who has gas alone, who has electricity alone, and who has read already.
async fn portal_with_two_towns() -> Portal {
    let portal = Portal::configured(json!({})).await;
    let gas = json!([{ "taskId": "t1", "obis": "7-0:3.0.0", "postDecimals": 1 }]);
    for (account, town, jobs) in [
        ("both", "Birkenfurt", &["gas", "power"][..]),
        ("gas", "Neustadt", &["gas"]),
        ("power", "Neustadt", &["power"]),
        ("read", "Neustadt", &["gas"]),
    ] {
        let mut new = testing::account(account);
        new.account.email = Some(format!("{account}@customers.example").parse().unwrap());
        portal.store().put_account(portal.tenant_id(), &new).await.unwrap();
        let address = json!({ "street": "Am Markt", "houseNumber": "1", "zip": "01234", "city": town });
        for medium in jobs {
            let mut meter = json!({ "meterAddress": address, "meterNumber": format!("9{}{account}", medium.to_uppercase()) });
            if *medium == "gas" {
                meter["meterRateTasks"] = gas.clone();
            }
            let with = json!({ "meter": meter, "customer": { "lastname": account, "mailingAddress": address } });
            portal.add_job(account, &format!("{medium}-of-{account}"), with).await;
        }
    }
    portal.close_job("read", "gas-of-read").await;
    portal
}

/// Accounts of a run's table, by name.
async fn accounts_of(portal: &Portal, lead: &str, run: &Value, file: &str, column: usize) -> Vec<String> {
    let table = String::from_utf8(made(portal, lead, run, file).await).unwrap();
    let mut accounts: Vec<_> = table.lines().skip(1).map(|line| line.split(';').nth(column).unwrap().to_owned()).collect();
    accounts.sort();
    accounts
}

#[tokio::test]
async fn letters_and_mails_go_to_whoever_has_an_open_job_that_a_filter_wants_and_to_nobody_else() {
    let portal = portal_with_two_towns().await;
    let lead = portal.member(&[Role::Lead, Role::Privacy]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let letters = |trial: bool, filter: Value| json!({ "trial": trial, "filter": filter, "onlyWithoutMail": false, "replyCards": false, "lang": "en" });
    let gas = json!({ "meterTypes": ["GAS_METER"] });

    let shown = over(&portal, &lead, &post("/letters", letters(true, gas.clone())).await).await;
    assert_eq!((&shown["state"], &shown["letters"]["letters"], &shown["filter"]), (&json!("DONE"), &json!(2), &gas), "{shown}");
    assert_eq!(accounts_of(&portal, &lead, &shown, "recipients.csv", 0).await, ["both", "gas"]);
    // As many as the list shows of the same filter.
    let listed = send(&portal, &lead, Method::GET, "/open?meterType=GAS_METER", None).await.body;
    assert_eq!(listed["count"], 2);

    let drawn = over(&portal, &lead, &post("/letters", letters(false, gas.clone())).await).await;
    assert_eq!((&drawn["letters"]["letters"], &drawn["letters"]["newLogins"]), (&json!(2), &json!(2)), "{drawn}");
    let table = String::from_utf8(made(&portal, &lead, &drawn, "letters-001.csv").await).unwrap();
    assert!(table.contains("9GASboth") && table.contains("9POWERboth"), "a letter tells of all that its customer has open: {table}");
    assert!(!table.contains("9POWERpower") && !table.contains("9GASread"), "{table}");

    let of_town = json!({ "district": "neust", "email": false });
    let invite = |trial: bool| json!({ "trial": trial, "filter": of_town, "lang": "en" });
    let due = over(&portal, &lead, &post("/letters/invitations", invite(true)).await).await;
    assert_eq!((&due["mails"]["due"], &due["filter"]), (&json!(2), &of_town), "{due}");
    assert_eq!(accounts_of(&portal, &lead, &due, "invitations.csv", 0).await, ["gas", "power"]);
    let sent = over(&portal, &lead, &post("/letters/invitations", invite(false)).await).await;
    assert_eq!(sent["mails"]["sent"], 2, "{sent}");
    let rest = over(&portal, &lead, &post("/letters/invitations", json!({ "trial": true, "lang": "en" })).await).await;
    assert_eq!(accounts_of(&portal, &lead, &rest, "invitations.csv", 0).await, ["both"], "nobody else was invited");

    let trail = send(&portal, &lead, Method::GET, "/audit", None).await.body;
    let chosen: Vec<_> = trail["entries"].as_array().unwrap().iter().filter(|entry| entry["filter"].is_object()).collect();
    let told: Vec<_> = chosen.iter().map(|entry| (entry["action"].as_str().unwrap(), &entry["filter"])).collect();
    let expected = [
        ("desk invitations", &of_town),
        ("desk invitations listed", &of_town),
        ("desk letters drawn", &gas),
        ("desk letters listed", &gas),
    ];
    assert_eq!(told, expected);
    let file = send(&portal, &lead, Method::GET, "/audit?format=csv", None).await;
    let file = String::from_utf8(file.bytes.to_vec()).unwrap();
    assert!(file.contains("PLZ, Ort oder Bezirk beginnt mit „neust“, nicht per E-Mail erreichbar"), "{file}");
}

#[tokio::test]
async fn whoever_is_chosen_by_a_seasons_district_is_of_this_one_and_of_none_that_begins_like_it() {
    let portal = Portal::configured(json!({})).await;
    let lead = portal.member(&[Role::Lead]).await;
    for (account, place) in [
        ("nord", json!({ "city": "Birkenfurt", "cityDistrict": "Nord" })),
        ("nordost", json!({ "city": "Birkenfurt", "cityDistrict": "Nordost" })),
        ("alt", json!({ "city": "Birkenfurt", "cityDistrict": "Alt-Nord" })),
        ("hausen", json!({ "city": "Nordhausen" })),
        ("town", json!({ "city": "Nord" })),
    ] {
        let mut new = testing::account(account);
        new.account.email = Some(format!("{account}@customers.example").parse().unwrap());
        portal.store().put_account(portal.tenant_id(), &new).await.unwrap();
        let mailing = json!({ "street": "Am Markt", "houseNumber": "1", "zip": "01234", "city": "Birkenfurt" });
        let mut address = mailing.clone();
        testing::merge(&mut address, place);
        let with = json!({ "meter": { "meterAddress": address }, "customer": { "lastname": account, "mailingAddress": mailing } });
        portal.add_job(account, &format!("job-of-{account}"), with).await;
    }
    portal.store().count_all(portal.tenant_id(), Timestamp::now()).await.unwrap();
    let get = async |path: &str| send(&portal, &lead, Method::GET, path, None).await.body;
    assert_eq!(get("/season").await["figures"]["byDistrict"]["Nord"], json!({ "jobs": 1, "done": 0 }));
    assert_eq!(get("/open?district=Nord").await["count"], 5, "as words are searched");
    let listed = get("/open?inDistrict=Nord").await;
    let accounts: Vec<_> = listed["rows"].as_array().unwrap().iter().map(|row| row["account"].as_str().unwrap()).collect();
    assert_eq!((accounts, &listed["count"]), (vec!["nord"], &Value::Null), "{listed}");

    let filter = json!({ "inDistrict": "Nord" });
    for (path, body, file) in [
        (
            "/letters",
            json!({ "trial": true, "filter": filter, "onlyWithoutMail": false, "replyCards": false, "lang": "en" }),
            "recipients.csv",
        ),
        ("/letters/invitations", json!({ "trial": true, "filter": filter, "lang": "en" }), "invitations.csv"),
    ] {
        let shown = over(&portal, &lead, &send(&portal, &lead, Method::POST, path, Some(body)).await).await;
        assert_eq!(shown["filter"], filter, "{shown}");
        assert_eq!(accounts_of(&portal, &lead, &shown, file, 0).await, ["nord"], "{path}");
    }
}

/// A district has as many streets before its own in the list as the town has that is called like it.
#[tokio::test]
async fn whoever_is_of_a_district_is_found_behind_a_town_that_is_called_so() {
    let portal = Portal::configured(json!({})).await;
    let lead = portal.member(&[Role::Lead]).await;
    portal.store().put_account(portal.tenant_id(), &testing::account("town")).await.unwrap();
    for n in 0..102 {
        let mut address = json!({ "street": "Am Markt", "houseNumber": n.to_string(), "zip": "01234", "city": "Birkenfurt" });
        if n == 101 {
            testing::merge(&mut address, json!({ "street": "Zum Wehr", "cityDistrict": "Birkenfurt" }));
        }
        portal.add_job("town", &format!("job-{n}"), json!({ "meter": { "meterAddress": address } })).await;
    }
    let listed = send(&portal, &lead, Method::GET, "/open?inDistrict=Birkenfurt", None).await.body;
    let jobs: Vec<_> = listed["rows"].as_array().unwrap().iter().map(|row| row["job"].as_str().unwrap()).collect();
    assert_eq!((jobs, &listed["nextCursor"]), (vec!["job-101"], &Value::Null), "{listed}");
}

#[tokio::test]
async fn a_filter_that_finds_nobody_is_refused_with_words() {
    let portal = portal_with_two_towns().await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let letters = |filter: Value| json!({ "trial": true, "filter": filter, "onlyWithoutMail": false, "replyCards": false, "lang": "de" });
    let refused = over(&portal, &lead, &post("/letters", letters(json!({ "overdue": true }))).await).await;
    assert_eq!(refused["state"], "FAILED");
    assert!(refused["failure"]["de"].as_str().unwrap().starts_with("In dieser Auswahl ist kein Zähler offen."), "{refused}");

    let season = json!({ "id": "2020", "name": "Jahresablesung 2020", "firstDay": "2020-11-01", "lastDay": "2020-12-31" });
    portal.store().put_season(portal.tenant_id(), &serde_json::from_value(season).unwrap()).await.unwrap();
    let of_season = json!({ "season": "2020" });
    for (path, body) in [
        ("/letters", letters(of_season.clone())),
        ("/letters/invitations", json!({ "trial": false, "filter": of_season, "lang": "de" })),
        ("/reminders", json!({ "trial": true, "filter": of_season, "lang": "de" })),
    ] {
        let refused = over(&portal, &lead, &post(path, body).await).await;
        let why = refused["failure"]["de"].as_str().unwrap_or_default();
        assert!(why.starts_with("Die Ablesesaison „Jahresablesung 2020“ ging am 31.12.2020 zu Ende"), "{path}: {refused}");
        assert_eq!(refused["state"], "FAILED");
    }
}

#[tokio::test]
async fn a_filter_stands_alone_and_is_one_of_the_list() {
    let portal = portal_with_two_towns().await;
    let (lead, other) = (portal.member(&[Role::Lead]).await, portal.member(&[Role::Lead]).await);
    let letters = |more: Value| {
        let mut body = json!({ "trial": true, "filter": {}, "onlyWithoutMail": false, "replyCards": false, "lang": "de" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let post = async |body: Value| send(&portal, &lead, Method::POST, "/letters", Some(body)).await;
    for odd in [
        json!({ "accounts": ["gas"] }),
        json!({ "season": "default" }),
        json!({ "filter": { "season": "none" } }),
        json!({ "filter": { "district": "!" } }),
        json!({ "filter": { "district": "x".repeat(101) } }),
        json!({ "filter": { "inDistrict": "x".repeat(501) } }),
        json!({ "filter": { "meterTypes": ["STEAM"] } }),
        json!({ "filter": { "town": "Neustadt" } }),
    ] {
        post(letters(odd)).await.assert_problem(422, "request-invalid");
    }
    let longest = post(letters(json!({ "filter": { "inDistrict": "x".repeat(500) } }))).await;
    over(&portal, &lead, &longest).await;
    let begun = post(letters(json!({ "trial": false }))).await;
    let clash = send(&portal, &other, Method::POST, "/letters", Some(letters(json!({ "trial": false })))).await;
    let again = post(letters(json!({ "trial": false }))).await;
    let drawn = over(&portal, &lead, &begun).await;
    assert_eq!(drawn["letters"]["letters"], 3, "a filter that says nothing is everybody who has something open: {drawn}");
    // The other lead is told, unless the first one's letters were drawn by then, which wait for a decision.
    assert_eq!(clash.status, StatusCode::CONFLICT, "{clash:?}");
    assert!(again.body["id"] == begun.body["id"] || again.body["code"] == "conflict", "nothing is drawn twice: {again:?}");
}
