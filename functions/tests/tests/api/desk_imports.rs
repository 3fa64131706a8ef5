//! What leads see of imports, and have done.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use domain::staff::Role;
use reqwest::{Body, Method, Response, StatusCode, Url};
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use crate::at_desk::{made, over, rows_of, send};
use crate::world::{Portal, today};

const TABLE: &str = "Kundennummer;Auftrag;Zählernummer;OBIS;Sparte\nanna;new-1;4711;1-0:1.8.0;Strom\nnobody;new-2;4712;1-0:1.8.0;Strom\n";

/// Sends a file; gives what it is called.
async fn upload(portal: &Portal, session: &str, name: &str, content: &[u8]) -> String {
    upload_of("JOBS", portal, session, name, content).await
}

/// The same of a file of this kind.
pub async fn upload_of(kind: &str, portal: &Portal, session: &str, name: &str, content: &[u8]) -> String {
    let ticket = announce(kind, portal, session, name, content.len()).await;
    assert_eq!(put(&ticket, content.to_vec()).await.unwrap().status(), StatusCode::OK);
    ticket["uploadId"].as_str().unwrap().to_owned()
}

/// Says that a file of so many bytes comes; gives where to put it.
async fn announce(kind: &str, portal: &Portal, session: &str, name: &str, bytes: usize) -> Value {
    let body = json!({ "name": name, "bytes": bytes, "kind": kind });
    let ticket = send(portal, session, Method::POST, "/imports/files", Some(body)).await;
    assert_eq!(ticket.status, StatusCode::CREATED, "{ticket:?}");
    ticket.body
}

async fn put(ticket: &Value, content: impl Into<Body>) -> reqwest::Result<Response> {
    let mut put = reqwest::Client::new().put(ticket["url"].as_str().unwrap());
    for (name, value) in ticket["headers"].as_object().unwrap().iter().filter(|(name, _)| *name != "content-length") {
        put = put.header(name, value.as_str().unwrap());
    }
    put.body(content).send().await
}

/// The line drops when this much of so many bytes is on its way.
fn drop_line(ticket: &Value, begun: &[u8], of: usize) {
    let url = Url::parse(ticket["url"].as_str().unwrap()).unwrap();
    let (host, path) = (url.authority(), url.as_str().split_once(url.authority()).unwrap().1);
    let headers = ticket["headers"].as_object().unwrap().iter().filter(|(name, _)| *name != "content-length");
    let headers: String = headers.map(|(name, value)| format!("{name}: {}\r\n", value.as_str().unwrap())).collect();
    let mut line = TcpStream::connect(host).unwrap();
    write!(line, "PUT {path} HTTP/1.1\r\nhost: {host}\r\n{headers}content-length: {of}\r\n\r\n").unwrap();
    line.write_all(begun).unwrap();
}

#[tokio::test]
async fn a_file_is_sent_mapped_rehearsed_imported_and_taken_back() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let get = async |path: &str| send(&portal, &lead, Method::GET, path, None).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let file = upload(&portal, &lead, "Aufträge 2026.csv", TABLE.as_bytes()).await;
    let shown = get(&format!("/imports/files/{file}")).await.body;
    assert_eq!((&shown["name"], &shown["isTable"], &shown["kept"]), (&json!("Aufträge 2026.csv"), &json!(true), &json!([])), "{shown}");
    assert_eq!(
        shown["columns"][0],
        json!({ "name": "Kundennummer", "samples": ["anna", "nobody"], "values": ["anna", "nobody"], "isTwice": false, "isAdded": false })
    );
    assert_eq!(shown["contents"], json!({ "rows": 2, "isAbout": false, "encoding": "utf-8", "separator": ";" }));
    let mapping = &shown["suggested"];
    assert_eq!((&mapping["columns"]["id"], &mapping["values"]["meter.meterType"]["Strom"]), (&json!("Auftrag"), &json!("ELECTRIC_METER")));

    let rehearsal = json!({ "file": file, "mapping": mapping, "lang": "de" });
    let rehearsed = over(&portal, &lead, &post("/imports/rehearsals", rehearsal.clone()).await).await;
    assert_eq!(
        (&rehearsed["state"], &rehearsed["imported"]["counts"]),
        (&json!("DONE"), &json!({ "created": 1, "faulty": 1 })),
        "{rehearsed}"
    );
    assert_eq!(rehearsed["source"]["mapping"], *mapping, "whoever comes back finds what was chosen");
    let list = rows_of(made(&portal, &lead, &rehearsed, "fehler.xlsx").await);
    let row = ["3", "Kundennummer: es gibt keinen Zugang mit dieser Nummer", "nobody", "new-2", "4712", "1-0:1.8.0", "Strom"];
    assert_eq!(list[1..], [row]);
    assert_eq!(get("/imports").await.body["imports"], json!([]), "a rehearsal is no import");

    let import = json!({ "rehearsal": rehearsed["id"] });
    let started = post("/imports", import.clone()).await;
    let done = over(&portal, &lead, &started).await;
    assert_eq!((&done["what"], &done["imported"]["counts"]), (&json!("IMPORT"), &json!({ "created": 1, "faulty": 1 })), "{done}");
    let again = post("/imports", import).await;
    assert_eq!((again.status, &again.body["id"]), (StatusCode::ACCEPTED, &done["id"]), "of one rehearsal there is one import");
    let listed = get("/imports").await.body;
    assert_eq!((&listed["imports"][0]["id"], &listed["imports"][0]["canBeUndone"]), (&done["import"], &json!(true)), "{listed}");
    let undo = format!("/imports/{}/undo", done["import"].as_str().unwrap());
    let undone = over(&portal, &lead, &post(&undo, json!({ "lang": "en" })).await).await;
    assert_eq!(undone["imported"]["counts"], json!({ "removed": 1 }), "{undone}");
    post(&undo, json!({ "lang": "en" })).await.assert_problem(422, "request-invalid");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let told: Vec<_> = trail.iter().map(|record| record.command.as_str()).filter(|what| what.starts_with("desk ")).collect();
    assert_eq!(told, ["desk import file", "desk import rehearsed", "desk file", "desk import", "desk import undone"]);
}

#[tokio::test]
async fn a_table_like_one_before_is_mapped_as_that_was() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| over(&portal, &lead, &send(&portal, &lead, Method::POST, path, Some(body)).await).await;
    let shown = async |table: &str| {
        let file = upload(&portal, &lead, "Aufträge.csv", table.as_bytes()).await;
        send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body
    };
    let first = shown(TABLE).await;
    assert_eq!(first["suggestedOf"], Value::Null);
    let mut mapping = first["suggested"].clone();
    mapping["passThrough"] = json!(["Sparte"]);
    mapping["columns"].as_object_mut().unwrap().remove("meter.meterType");
    mapping["values"].as_object_mut().unwrap().remove("meter.meterType");
    let rehearsed = post("/imports/rehearsals", json!({ "file": first["id"], "mapping": mapping, "lang": "de" })).await;
    assert_eq!(shown(TABLE).await["suggestedOf"], Value::Null, "nothing was imported");
    post("/imports", json!({ "rehearsal": rehearsed["id"] })).await;
    let next = shown(&TABLE.replace("new-", "next-").replace(";Sparte", ";Sparte;Neu")).await;
    assert_eq!((&next["suggested"], &next["suggestedOf"]), (&mapping, &json!("Aufträge.csv")));
    // A column is gone, another is called otherwise.
    let kept = json!({ "name": "SAP", "kind": "JOBS", "mapping": mapping });
    assert_eq!(send(&portal, &lead, Method::POST, "/imports/mappings", Some(kept)).await.status, StatusCode::NO_CONTENT);
    let other = shown(&TABLE.replace("Kundennummer", "KdNr").replace("Sparte", "Medium")).await;
    let missing = json!([
        { "column": "Kundennummer", "field": "accountId", "instead": "KdNr" },
        { "column": "Sparte", "field": "passThrough" },
    ]);
    assert_eq!((&other["suggestedOf"], &other["missing"]), (&json!("Aufträge.csv"), &missing), "{other}");
    let (kept, suggested) = (&other["kept"][0], &other["suggested"]["columns"]);
    assert_eq!(
        (&kept["missing"], &kept["mapping"]["columns"]["accountId"], &kept["mapping"]["passThrough"]),
        (&missing, &json!("KdNr"), &json!([]))
    );
    assert_eq!(
        (&suggested["accountId"], &suggested["meter.meterType"]),
        (&json!("KdNr"), &json!("Medium")),
        "of what it does not say it is guessed"
    );
    let stranger = shown("Nummer;Frist;Name\n1;2;3\n").await;
    assert_eq!((&stranger["suggestedOf"], &stranger["missing"]), (&Value::Null, &json!([])), "a table of another kind");
    let body = json!({ "file": other["id"], "mapping": mapping, "lang": "de" });
    let refused = post("/imports/rehearsals", body).await;
    assert!(refused["failure"]["de"].as_str().is_some_and(|why| why.contains("keine Spalte `Kundennummer`")), "before a row is judged");
}

#[tokio::test]
async fn accounts_come_in_without_login_data_or_with_those_of_the_file_and_go_again() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let table = "Kundennummer;Vorname;Nachname;E-Mail;Benutzername;Passwort;Gültig bis\n\
                 anna;Anna;Neumann;;;;\n\
                 4711;Eva;Rauch;eva@example.org;;;31.12.2030\n\
                 4712;Jan;Öl;;jan.oel;Sonnenblume-17;\n\
                 4713;Ute;Kurz;keine;;;\n\
                 4714;Uwe;Lang;;uwe.lang;;\n\
                 4715;Kai;Kurz;;kai.kurz;geheim;\n";
    let file = upload_of("ACCOUNTS", &portal, &lead, "Kunden.csv", table.as_bytes()).await;
    let shown = send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body;
    assert_eq!((&shown["columns"][5]["name"], &shown["columns"][5]["samples"]), (&json!("Passwort"), &json!([])), "shown to nobody");
    let rehearsal = json!({ "file": file, "mapping": shown["suggested"], "lang": "de" });
    let mut with_season = rehearsal.clone();
    with_season["closesMissing"] = json!(true);
    post("/imports/rehearsals", with_season).await.assert_problem(422, "request-invalid");
    let rehearsed = over(&portal, &lead, &post("/imports/rehearsals", rehearsal).await).await;
    let counts = json!({ "created": 2, "updated": 1, "faulty": 3 });
    assert_eq!((&rehearsed["state"], &rehearsed["imported"]["counts"]), (&json!("DONE"), &counts), "{rehearsed}");
    let list = rows_of(made(&portal, &lead, &rehearsed, "fehler.xlsx").await);
    let (heads, kai) = (&list[0], list.last().unwrap());
    assert!(kai[1].starts_with("Passwort: ") && kai[heads.iter().position(|head| head == "Passwort").unwrap()] == "***", "{list:?}");
    let account = async |id: &str| portal.store().account(portal.tenant_id(), &id.parse().unwrap()).await.unwrap();
    assert!(account("4711").await.is_none(), "nothing was written");

    let done = over(&portal, &lead, &post("/imports", json!({ "rehearsal": rehearsed["id"] })).await).await;
    assert_eq!(done["imported"]["counts"], counts, "{done}");
    let eva = account("4711").await.unwrap();
    assert_eq!((eva.name.as_str(), eva.username.as_deref()), ("Eva Rauch", None), "her login data come with her first letter");
    let token = portal.token(json!({ "username": "jan.oel", "password": "Sonnenblume-17" })).await;
    assert_eq!(token.status, StatusCode::OK, "{token:?}");
    assert_eq!(account("anna").await.unwrap().name, "Anna Neumann");
    let undo = format!("/imports/{}/undo", done["import"].as_str().unwrap());
    let undone = over(&portal, &lead, &post(&undo, json!({ "lang": "en" })).await).await;
    assert!(account("4711").await.is_none(), "{undone}");
}

#[tokio::test]
async fn a_mapping_is_kept_for_the_next_file_and_a_workbook_is_a_table() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let mapping = json!({ "columns": { "id": "Nummer" }, "decimal": "." });
    for name in ["SAP", " SAP "] {
        let body = json!({ "name": name, "kind": "JOBS", "mapping": mapping });
        assert_eq!(send(&portal, &lead, Method::POST, "/imports/mappings", Some(body)).await.status, StatusCode::NO_CONTENT);
    }
    let book = send(&portal, &lead, Method::GET, "/open?format=xlsx", None).await.bytes;
    let file = upload(&portal, &lead, "offen.xlsx", &book).await;
    let shown = send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body;
    let missing = json!([{ "column": "Nummer", "field": "id", "instead": "Auftrag" }]);
    let fitted = json!({ "columns": { "id": "Auftrag" }, "decimal": "." });
    assert_eq!(shown["kept"], json!([{ "name": "SAP", "mapping": fitted, "missing": missing }]));
    assert!(shown["columns"].as_array().unwrap().len() > 5 && shown["isTable"] == true, "{shown}");
    assert_eq!((&shown["sheet"]["number"], &shown["sheet"]["of"], &shown["sheet"]["hiddenRows"]), (&json!(1), &json!(1), &json!(0)));
    let rows = send(&portal, &lead, Method::GET, "/open", None).await.body["count"].as_u64();
    assert_eq!(shown["contents"], json!({ "rows": rows, "isAbout": false }));

    let delete = async |query: &str| send(&portal, &lead, Method::DELETE, &format!("/imports/mappings?{query}"), None).await;
    for nothing in ["kind=ACCOUNTS&name=SAP", "kind=JOBS&name=Oracle", "kind=JOBS", "name=SAP"] {
        delete(nothing).await.assert_problem(404, "not-found");
    }
    delete("kind=everything&name=SAP").await.assert_problem(400, "malformed-request");
    assert_eq!(delete("kind=JOBS&name=SAP").await.status, StatusCode::NO_CONTENT);
    assert_eq!(send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body["kept"], json!([]));
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let told = trail.iter().find(|record| record.command == "desk mapping deleted").unwrap();
    assert_eq!(told.thing.as_deref(), Some("SAP"));
}

#[tokio::test]
async fn what_cannot_be_imported_says_why() {
    let portal = Portal::with_account("anna").await;
    let (lead, other) = (portal.member(&[Role::Lead]).await, portal.member(&[Role::Lead]).await);
    let refused = async |path: &str, body: Value, field: &str| {
        let refused = send(&portal, &lead, Method::POST, path, Some(body.clone())).await;
        refused.assert_problem(422, "request-invalid");
        assert_eq!(refused.body["fieldErrors"][0]["field"], field, "{body}");
    };
    for (name, bytes, field) in [("", 1, "name"), ("a/b.csv", 1, "name"), ("a.csv", 0, "bytes"), ("a.csv", 200_000_001, "bytes")] {
        refused("/imports/files", json!({ "name": name, "bytes": bytes, "kind": "JOBS" }), field).await;
    }
    let file = upload(&portal, &lead, "alt.xls", b"\xd0\xcf\x11\xe0\xa1\xb1").await;
    let shown = send(&portal, &other, Method::GET, &format!("/imports/files/{file}"), None).await.body;
    assert!(shown["refused"]["de"].as_str().unwrap().contains(".xls"), "{shown}");
    let ticket = json!({ "name": "jobs.csv", "bytes": 5, "kind": "READINGS" });
    let never = send(&portal, &lead, Method::POST, "/imports/files", Some(ticket)).await.body["uploadId"].as_str().unwrap().to_owned();
    let shown = send(&portal, &lead, Method::GET, &format!("/imports/files/{never}"), None).await.body;
    assert!(shown["refused"]["de"].as_str().unwrap().contains("nicht angekommen"), "{shown}");
    let mapping = json!({ "columns": { "id": "Auftrag" } });
    let with = |more: Value| {
        let mut body = json!({ "file": file, "mapping": mapping, "lang": "de" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    for (more, field) in [
        (json!({ "mapping": { "columns": [] } }), "mapping"),
        (json!({ "mapping": { "columns": { "id": "x".repeat(50_000) } } }), "mapping"),
        (json!({ "season": "none" }), "season"),
        (json!({ "channel": "PHONE" }), "channel"),
        (json!({ "file": never, "closesMissing": true }), "season"),
        (json!({ "file": never, "channel": "PORTAL" }), "channel"),
        (json!({ "file": never, "late": "x".repeat(201) }), "late"),
    ] {
        refused("/imports/rehearsals", with(more), field).await;
    }
    refused("/imports/mappings", json!({ "name": "", "kind": "JOBS", "mapping": mapping }), "name").await;
    let export = testing::run(portal.store(), portal.tenant_id()).await;
    refused("/imports", json!({ "rehearsal": export }), "rehearsal").await;
    send(&portal, &lead, Method::POST, "/imports/rehearsals", Some(with(json!({})))).await.assert_problem(409, "run-under-way");
}

#[tokio::test]
async fn closing_many_jobs_takes_their_number() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    for job in ["kept", "lacking-1", "lacking-2"] {
        portal.add_job("anna", job, json!({})).await;
    }
    let file = upload(&portal, &lead, "all.csv", TABLE.lines().take(2).collect::<Vec<_>>().join("\n").as_bytes()).await;
    let mapping = send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body["suggested"].clone();
    let body = json!({ "file": file, "mapping": mapping, "closesMissing": true, "lang": "de" });
    let rehearsed = over(&portal, &lead, &send(&portal, &lead, Method::POST, "/imports/rehearsals", Some(body)).await).await;
    let missing = rehearsed["imported"]["closing"]["missing"].as_u64().unwrap();
    assert!(missing >= 3 && rehearsed["imported"]["closing"]["isMuch"] == true, "{rehearsed}");
    for closing in [None, Some(missing - 1)] {
        let body = json!({ "rehearsal": rehearsed["id"], "closing": closing });
        send(&portal, &lead, Method::POST, "/imports", Some(body)).await.assert_problem(422, "request-invalid");
    }
    // What comes in between was not shown, and stays.
    portal.add_job("anna", "since", json!({})).await;
    let body = json!({ "rehearsal": rehearsed["id"], "closing": missing });
    let done = over(&portal, &lead, &send(&portal, &lead, Method::POST, "/imports", Some(body)).await).await;
    assert_eq!(done["imported"]["counts"], json!({ "created": 1, "closed": missing }), "{done}");
    let is_closed = async |job: &str| portal.store().job_by_id(portal.tenant_id(), &job.parse().unwrap()).await.unwrap().unwrap().closed;
    assert!(is_closed("lacking-1").await && !is_closed("since").await);
}

#[tokio::test]
async fn a_season_is_made_for_the_jobs_of_a_file() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let season =
        json!({ "id": "2026", "name": " Jahresablesung 2026 ", "firstDay": "2026-11-01", "lastDay": "2026-12-31", "meterTypes": [] });
    let made = post("/seasons", season.clone()).await;
    assert_eq!((made.status, &made.body["name"]), (StatusCode::CREATED, &json!("Jahresablesung 2026")), "{made:?}");
    assert_eq!(post("/seasons", season.clone()).await.status, StatusCode::CREATED, "whoever got no answer asks again");
    for (field, value) in [("id", json!("2026")), ("id", json!("default")), ("name", json!(" ")), ("lastDay", json!("2026-10-31"))] {
        let mut wrong = season.clone();
        match field {
            "id" => wrong["name"] = json!("Eine andere"),
            _ => wrong["id"] = json!("2027"),
        }
        wrong[field] = value;
        let refused = post("/seasons", wrong).await;
        refused.assert_problem(422, "request-invalid");
        assert_eq!(refused.body["fieldErrors"][0]["field"], field);
    }
    let file = upload(&portal, &lead, "jobs.csv", TABLE.as_bytes()).await;
    let shown = send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body;
    assert_eq!(shown["seasons"][0]["id"], "2026");
    let body = json!({ "file": file, "mapping": shown["suggested"], "season": "2026", "lang": "de" });
    let rehearsed = over(&portal, &lead, &post("/imports/rehearsals", body).await).await;
    assert_eq!((&rehearsed["season"], &rehearsed["imported"]["counts"]["created"]), (&json!("2026"), &json!(1)), "{rehearsed}");
}

#[tokio::test]
async fn a_season_is_changed_as_it_was_shown_and_goes_while_no_job_belongs_to_it() {
    let portal = Portal::with_account("anna").await;
    let (lead, clerk) = (portal.member(&[Role::Lead]).await, portal.member(&[Role::Clerk]).await);
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let delete = async || send(&portal, &lead, Method::DELETE, "/seasons/2027", None).await;
    let wrong = json!({
        "id": "2027", "name": "Ablesung", "firstDay": "2026-11-01", "lastDay": "2026-11-30", "meterTypes": ["GAS_METER"], "districts": ["Nord"],
    });
    assert_eq!(post("/seasons", wrong.clone()).await.status, StatusCode::CREATED);
    let right = json!({
        "id": "2027", "name": "Ablesung 2027", "firstDay": "2026-11-01", "lastDay": "2027-02-28", "meterTypes": [], "districts": [" Süd "],
    });
    let change = json!({ "season": right, "seen": wrong });
    send(&portal, &clerk, Method::POST, "/seasons/2027", Some(change.clone())).await.assert_problem(403, "role-missing");
    for _ in 0..2 {
        // Whoever got no answer asks again.
        let changed = post("/seasons/2027", change.clone()).await;
        assert_eq!((changed.status, &changed.body["lastDay"]), (StatusCode::OK, &json!("2027-02-28")), "{changed:?}");
        assert_eq!((&changed.body["meterTypes"], &changed.body["districts"]), (&json!([]), &json!(["Süd"])));
    }
    let shown = send(&portal, &lead, Method::GET, "/season", None).await.body["season"].clone();
    assert_eq!((&shown["name"], &shown["districts"]), (&json!("Ablesung 2027"), &json!(["Süd"])));

    // Somebody else was shown the one of before.
    let mut late = change.clone();
    late["season"]["name"] = json!("Eine andere");
    post("/seasons/2027", late).await.assert_problem(409, "conflict");
    for (field, value) in [("name", json!(" ")), ("lastDay", json!("2026-10-31")), ("districts", json!([" "])), ("id", json!("2026"))] {
        let mut odd = change.clone();
        odd["season"][field] = value;
        let refused = post("/seasons/2027", odd).await;
        refused.assert_problem(422, "request-invalid");
        assert_eq!(refused.body["fieldErrors"][0]["field"], format!("season.{field}"));
    }
    post("/seasons/2026", change).await.assert_problem(404, "not-found");

    // A job that was closed unread counts nowhere, and belongs to it all the same.
    let file = upload(&portal, &lead, "jobs.jsonl", &line_of("2027")).await;
    let body = json!({ "file": file, "season": "2027", "lang": "de" });
    let rehearsed = over(&portal, &lead, &post("/imports/rehearsals", body).await).await;
    let import = over(&portal, &lead, &post("/imports", json!({ "rehearsal": rehearsed["id"] })).await).await;
    assert_eq!(import["imported"]["counts"], json!({ "created": 1 }), "{import}");
    delete().await.assert_problem(409, "conflict");
    let (store, tenant) = (portal.store(), portal.tenant_id());
    store.close_job(tenant, &"anna".parse().unwrap(), &"of-2027".parse().unwrap(), jiff::Timestamp::now()).await.unwrap();
    store.count_all(tenant, jiff::Timestamp::now()).await.unwrap();
    delete().await.assert_problem(409, "conflict");
    over(&portal, &lead, &post(&format!("/imports/{}/undo", import["id"].as_str().unwrap()), json!({ "lang": "de" })).await).await;
    assert_eq!(store.job_by_id(tenant, &"of-2027".parse().unwrap()).await.unwrap(), None, "what the import made is gone");
    store.count_all(tenant, jiff::Timestamp::now()).await.unwrap();
    send(&portal, &clerk, Method::DELETE, "/seasons/2027", None).await.assert_problem(403, "role-missing");
    let scheduled = json!([{ "what": "TABLE", "preset": "plain", "season": "2027", "every": "DAY", "hour": 6 }]);
    portal.configure(json!({ "desk": { "exports": { "scheduled": scheduled } } })).await;
    delete().await.assert_problem(409, "conflict");
    portal.configure(json!({})).await;
    assert_eq!(delete().await.status, StatusCode::NO_CONTENT);
    delete().await.assert_problem(404, "not-found");
    assert_eq!(send(&portal, &lead, Method::GET, "/season", None).await.body["seasons"], json!([]));
    let trail = store.audit(tenant).await.unwrap();
    let of_season: Vec<_> =
        trail.iter().map(|record| record.command.as_str()).filter(|command| command.starts_with("desk season")).collect();
    assert_eq!(of_season, ["desk season", "desk season changed", "desk season deleted"]);
}

/// A job of this season's, as a line.
fn line_of(season: &str) -> Vec<u8> {
    let address = json!({ "cityDistrict": "Süd" });
    let meter = json!({ "meterNumber": "4711", "meterAddress": address, "meterRateTasks": [{ "taskId": "t", "obis": "1-0:1.8.0" }] });
    format!("{}\n", json!({ "accountId": "anna", "id": format!("of-{season}"), "meter": meter })).into_bytes()
}

/// A season does not end by an empty list, and the rehearsal says by which it does.
#[tokio::test]
async fn a_list_without_a_job_closes_none_and_says_why() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let file = upload(&portal, &lead, "jobs.csv", TABLE.lines().next().unwrap().as_bytes()).await;
    let mapping = send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body["suggested"].clone();
    for (closes, said) in [(true, true), (false, false)] {
        let body = json!({ "file": file, "mapping": mapping, "closesMissing": closes, "lang": "de" });
        let rehearsed = over(&portal, &lead, &send(&portal, &lead, Method::POST, "/imports/rehearsals", Some(body)).await).await;
        let warnings = rehearsed["imported"]["warnings"].as_array().unwrap();
        let is_said = warnings.iter().any(|warning| warning["de"].as_str().unwrap().starts_with("Die Datei zählt keinen Auftrag auf"));
        assert_eq!((is_said, &rehearsed["imported"]["closing"]), (said, &Value::Null), "{rehearsed}");
    }
}

/// A line that drops, another file of the same name, two leads at once, last year's file: refused or begun again, and nothing is half done.
#[tokio::test]
async fn what_goes_wrong_on_the_way_leaves_nothing_half_done() {
    let portal = Portal::with_account("anna").await;
    let (lead, other) = (portal.member(&[Role::Lead]).await, portal.member(&[Role::Lead]).await);
    let shown =
        async |file: &Value| send(&portal, &lead, Method::GET, &format!("/imports/files/{}", file.as_str().unwrap()), None).await.body;
    let ticket = announce("JOBS", &portal, &lead, "jobs.csv", TABLE.len()).await;
    let (begun, rest) = TABLE.as_bytes().split_at(TABLE.len() / 2);
    drop_line(&ticket, begun, TABLE.len());
    assert!(!put(&ticket, begun).await.unwrap().status().is_success(), "half of it is not what was announced");
    let arrived = shown(&ticket["uploadId"]).await;
    assert!(arrived["refused"]["de"].as_str().is_some_and(|why| why.contains("nicht angekommen")), "{arrived}");
    assert_eq!(put(&ticket, TABLE).await.unwrap().status(), StatusCode::OK, "it can be sent once more");

    // What was looked at stays what it is; another file has another id, whatever it is called.
    let turned = [rest, begun].concat();
    assert_eq!(put(&ticket, turned.clone()).await.unwrap().status(), StatusCode::PRECONDITION_FAILED);
    let second = upload(&portal, &lead, "jobs.csv", &turned).await;
    let ([one, two], file) = ([shown(&ticket["uploadId"]).await, shown(&json!(second)).await], &ticket["uploadId"]);
    assert_eq!(one["columns"][0]["name"], "Kundennummer");
    assert_ne!(one["columns"], two["columns"]);

    let body = json!({ "file": file, "mapping": one["suggested"], "lang": "de" });
    let rehearsed = over(&portal, &lead, &send(&portal, &lead, Method::POST, "/imports/rehearsals", Some(body.clone())).await).await;
    let import = async |session| send(&portal, session, Method::POST, "/imports", Some(json!({ "rehearsal": rehearsed["id"] }))).await;
    let (mine, theirs) = futures::join!(import(&lead), import(&other));
    // Whoever comes once it is under way is told so; both are never told to try again.
    let (begun, later) = if mine.status == StatusCode::ACCEPTED { (mine, theirs) } else { (theirs, mine) };
    assert_eq!(begun.status, StatusCode::ACCEPTED, "{begun:?}");
    assert!(later.body["id"] == begun.body["id"] || later.body["code"] == "run-under-way", "{later:?}");
    assert_eq!(over(&portal, &lead, &begun).await["imported"]["counts"], json!({ "created": 1, "faulty": 1 }));
    assert_eq!(send(&portal, &lead, Method::GET, "/imports", None).await.body["imports"].as_array().map(Vec::len), Some(1));

    // Last year's file in this year's season brings nothing, and closes nothing.
    let season = json!({ "id": "2026", "name": "2026", "firstDay": "2026-11-01", "lastDay": "2026-12-31", "meterTypes": [] });
    assert_eq!(send(&portal, &lead, Method::POST, "/seasons", Some(season)).await.status, StatusCode::CREATED);
    let table = |year: u16| format!("Kundennummer;Auftrag;Zählernummer;OBIS;Frist\nanna;of-{year};{year};1-0:1.8.0;31.12.{year}\n");
    for (year, counts, missing) in [(2026, json!({ "created": 1 }), json!(0)), (2025, json!({ "faulty": 1 }), Value::Null)] {
        let file = upload(&portal, &lead, "jobs.csv", table(year).as_bytes()).await;
        let mapping = shown(&json!(file)).await["suggested"].clone();
        let body = json!({ "file": file, "mapping": mapping, "season": "2026", "closesMissing": true, "lang": "de" });
        let rehearsed = over(&portal, &lead, &send(&portal, &lead, Method::POST, "/imports/rehearsals", Some(body)).await).await;
        assert_eq!((&rehearsed["imported"]["counts"], &rehearsed["imported"]["closing"]["missing"]), (&counts, &missing), "{rehearsed}");
        let body = json!({ "rehearsal": rehearsed["id"], "closing": rehearsed["imported"]["closing"]["missing"] });
        let done = over(&portal, &lead, &send(&portal, &lead, Method::POST, "/imports", Some(body)).await).await;
        assert_eq!(done["imported"]["counts"], counts, "{done}");
    }
    let kept = portal.store().job_by_id(portal.tenant_id(), &"of-2026".parse().unwrap()).await.unwrap().unwrap();
    assert!(!kept.closed);
}

#[tokio::test]
async fn what_was_changed_between_rehearsal_and_import_is_said_by_line_and_the_same_file_by_whom() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| over(&portal, &lead, &send(&portal, &lead, Method::POST, path, Some(body)).await).await;
    let table = TABLE.to_owned() + "anna;new-3;4713;1-0:1.8.0;Strom\n";
    let rehearse = async || {
        let file = upload(&portal, &lead, "jobs.csv", table.as_bytes()).await;
        let mapping = send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body["suggested"].clone();
        post("/imports/rehearsals", json!({ "file": file, "mapping": mapping, "lang": "de" })).await
    };
    let rehearsed = rehearse().await;
    assert_eq!((&rehearsed["imported"]["counts"], &rehearsed["imported"]["before"]), (&json!({ "created": 2, "faulty": 1 }), &Value::Null));
    portal.add_job("anna", "new-1", json!({})).await;
    portal.add_account("nobody").await;
    let done = post("/imports", json!({ "rehearsal": rehearsed["id"] })).await;
    let lines = json!([
        { "line": 2, "shown": "created", "became": "updated" },
        { "line": 3, "shown": "faulty", "became": "created" },
    ]);
    assert_eq!((&done["imported"]["anew"]["count"], &done["imported"]["anew"]["lines"]), (&json!(2), &lines), "{done}");
    let list = String::from_utf8(made(&portal, &lead, &done, "neu-beurteilt.csv").await).unwrap();
    assert!(list.ends_with("Zeile;gezeigt;geworden\r\n2;neu;geändert\r\n3;fehlerhaft;neu\r\n"), "{list}");

    let again = rehearse().await;
    assert_eq!(again["imported"]["counts"], json!({ "unchanged": 3 }), "{again}");
    assert_eq!((&again["imported"]["before"]["by"], &again["imported"]["before"]["at"]), (&done["by"], &done["askedAt"]));
    let done = post("/imports", json!({ "rehearsal": again["id"] })).await;
    assert_eq!(done["imported"]["anew"], Value::Null, "as it was shown");
}

/// Lines of [`cancelled`]'s file.
const LINES: u64 = 800;

/// An import that was cancelled in the midst: how it was begun, and it as it was begun and stopped.
async fn cancelled(portal: &Portal, lead: &str) -> (Value, Value, Value) {
    let post = async |path: &str, body: Value| send(portal, lead, Method::POST, path, Some(body)).await;
    // Passwords are hashed, which takes long enough to be cancelled meanwhile.
    let row = |line| format!("konto-{line};Name {line};name.{line};Sonnenblume-{line}\n");
    let table = "Kundennummer;Name;Benutzername;Passwort\n".to_owned() + &(0..LINES).map(row).collect::<String>();
    let file = upload_of("ACCOUNTS", portal, lead, "Kunden.csv", table.as_bytes()).await;
    let mapping = send(portal, lead, Method::GET, &format!("/imports/files/{file}"), None).await.body["suggested"].clone();
    let rehearsal = json!({ "file": file, "mapping": mapping, "lang": "de" });
    let rehearsed = over(portal, lead, &post("/imports/rehearsals", rehearsal).await).await;
    let import = json!({ "rehearsal": rehearsed["id"] });
    let started = post("/imports", import.clone()).await.body;
    let path = format!("/runs/{}", started["id"].as_str().unwrap());
    let until = async |reached: fn(&Value) -> bool| loop {
        let run = send(portal, lead, Method::GET, &path, None).await.body;
        if reached(&run) {
            return run;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    until(|run| run["reached"].as_u64() > Some(0)).await;
    assert_eq!(send(portal, lead, Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    let stopped = until(|run| run["isStopping"] == false).await;
    (import, started, stopped)
}

#[tokio::test]
async fn who_cancels_an_import_is_told_what_is_done_and_what_is_not_and_has_it_go_on() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let (import, started, stopped) = cancelled(&portal, &lead).await;
    let (told, done) = (&stopped["imported"]["stopped"], stopped["imported"]["counts"]["created"].as_u64().unwrap());
    assert_eq!(
        (&stopped["state"], told),
        (&json!("CANCELLED"), &json!({ "done": done, "of": LINES, "beforeLine": done + 2 })),
        "{stopped}"
    );
    assert!((1..LINES).contains(&done));
    let there =
        async |line: u64| portal.store().account(portal.tenant_id(), &format!("konto-{line}").parse().unwrap()).await.unwrap().is_some();
    assert_eq!((there(done - 1).await, there(done).await), (true, false), "what is said to be done is, and nothing else");
    let listed = send(&portal, &lead, Method::GET, "/imports", None).await.body["imports"][0].clone();
    assert_eq!((&listed["counts"]["created"], &listed["endedAt"]), (&json!(done), &Value::Null));
    assert_eq!(post("/imports", import.clone()).await.body["state"], "CANCELLED", "it goes on only for whoever says so");

    let mut resumed = import;
    resumed["resumes"] = json!(true);
    let through = over(&portal, &lead, &post("/imports", resumed.clone()).await).await;
    assert_eq!(
        (&through["state"], &through["imported"]["counts"]),
        (&json!("DONE"), &json!({ "created": LINES })),
        "as in one go: {through}"
    );
    assert_eq!(
        (&through["id"], &through["imported"]["stopped"], &through["imported"]["anew"]),
        (&started["id"], &Value::Null, &Value::Null)
    );
    assert_eq!(over(&portal, &lead, &post("/imports", resumed).await).await["endedAt"], through["endedAt"], "it is through");
}

#[tokio::test]
async fn an_import_that_was_cancelled_does_not_go_on_over_another_one() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let (mut import, ..) = cancelled(&portal, &lead).await;
    testing::import_of_accounts(portal.store(), portal.tenant_id()).await;
    import["resumes"] = json!(true);
    send(&portal, &lead, Method::POST, "/imports", Some(import)).await.assert_problem(422, "request-invalid");
}

#[tokio::test]
async fn an_import_that_was_cancelled_before_it_began_does_not_go_on_over_another_one_either() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let run = testing::stopping_import(portal.store(), portal.tenant_id()).await;
    testing::import_of_accounts(portal.store(), portal.tenant_id()).await;
    let import = json!({ "rehearsal": run.as_str().strip_suffix("-import").unwrap(), "resumes": true });
    send(&portal, &lead, Method::POST, "/imports", Some(import)).await.assert_problem(422, "request-invalid");
}

#[tokio::test]
async fn while_an_import_that_was_cancelled_may_still_write_nothing_else_begins() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let import = testing::import_of_accounts(portal.store(), portal.tenant_id()).await;
    let run = testing::stopping_import(portal.store(), portal.tenant_id()).await;
    let undo = format!("/imports/{import}/undo");
    post(&undo, json!({ "lang": "de" })).await.assert_problem(409, "run-under-way");
    assert!(portal.store().stop_run(portal.tenant_id(), &run, "worker", None).await.unwrap());
    assert_eq!(post(&undo, json!({ "lang": "de" })).await.status, StatusCode::ACCEPTED);
    let season = json!({ "id": "2027", "name": "x", "firstDay": "2026-11-01", "lastDay": "2026-11-30", "meterTypes": [], "districts": [] });
    assert_eq!(post("/seasons", season).await.status, StatusCode::CREATED);
    let deleted = send(&portal, &lead, Method::DELETE, "/seasons/2027", None).await;
    deleted.assert_problem(409, "run-under-way");
}

#[tokio::test]
async fn what_somebody_used_since_stays_when_an_import_is_taken_back_and_is_named() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| send(&portal, &lead, Method::POST, path, Some(body)).await;
    let table = TABLE.replace("nobody", "anna");
    let file = upload(&portal, &lead, "jobs.csv", table.as_bytes()).await;
    let mapping = send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body["suggested"].clone();
    let body = json!({ "file": file, "mapping": mapping, "lang": "de" });
    let rehearsed = over(&portal, &lead, &post("/imports/rehearsals", body).await).await;
    let done = over(&portal, &lead, &post("/imports", json!({ "rehearsal": rehearsed["id"] })).await).await;
    let reading =
        json!({ "meterNumber": "4711", "channel": "PHONE", "readingDate": today().to_string(), "values": [{ "value": "100.0" }] });
    let entered = post("/readings", reading).await;
    assert!(entered.status.is_success(), "{entered:?}");
    let undo = format!("/imports/{}/undo", done["import"].as_str().unwrap());
    let undone = over(&portal, &lead, &post(&undo, json!({ "lang": "de" })).await).await;
    assert_eq!(undone["imported"]["counts"], json!({ "removed": 1, "kept": 1 }), "{undone}");
    assert_eq!(undone["imported"]["kept"][0]["de"], "new-1 bleibt: seither benutzt");
    let list = String::from_utf8(made(&portal, &lead, &undone, "bleibt.csv").await).unwrap();
    assert!(list.contains("new-1;"), "{list}");
    let job = async |id: &str| portal.store().job_by_id(portal.tenant_id(), &id.parse().unwrap()).await.unwrap();
    assert!(job("new-1").await.is_some() && job("new-2").await.is_none());
}

/// A workbook of these rows.
fn book(rows: &[Vec<String>]) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (at, row) in (0..).zip(rows) {
        sheet.write_row(at, 0, row).unwrap();
    }
    book.save_to_buffer().unwrap()
}

#[tokio::test]
async fn the_lines_at_fault_come_as_a_workbook_that_is_mended_and_imported_as_it_is() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let post = async |path: &str, body: Value| over(&portal, &lead, &send(&portal, &lead, Method::POST, path, Some(body)).await).await;
    let shown = async |file: &str| send(&portal, &lead, Method::GET, &format!("/imports/files/{file}"), None).await.body;
    // A job of two rows, one of them at fault; a sound one; one whose house number a spreadsheet would make a day of; a row that is too long; two jobs of
    // two rows of which one is too long, and that stand apart.
    let table = "Kunde;Auftrag;Zählernummer;OBIS;Sparte;PLZ;Hausnummer\n\
                 anna;two;4711;1-0:1.8.1;Strom;01234;1\n\
                 anna;two;4711;1-0:1.8.x;Strom;01234;1\n\
                 anna;sound;4712;1-0:1.8.0;Strom;01234;1\n\
                 nobody;other;4713;1-0:1.8.0;Strom;01234;1-3\n\
                 anna;long;4714;1-0:1.8.0;Strom;01234;1;beyond\n\
                 anna;apart;4715;1-0:1.8.1;Strom;01234;1\n\
                 anna;late;4716;1-0:1.8.1;Strom;01234;1\n\
                 anna;late;4716;1-0:1.8.2;Strom;01234;1;dog\n\
                 anna;apart;4715;1-0:1.8.2;Strom;01234;1\n";
    let file = upload(&portal, &lead, "jobs.csv", table.as_bytes()).await;
    let mut mapping = shown(&file).await["suggested"].clone();
    // Nobody would guess it.
    mapping["columns"]["accountId"] = json!("Kunde");
    let rehearsal = json!({ "file": file, "mapping": mapping, "lang": "de" });
    let rehearsed = post("/imports/rehearsals", rehearsal.clone()).await;
    assert_eq!(rehearsed["imported"]["counts"], json!({ "created": 1, "faulty": 7 }), "{rehearsed}");
    let mut list = rows_of(made(&portal, &lead, &rehearsed, "fehler.xlsx").await);
    let lines: Vec<_> = list[1..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(lines, ["2", "3", "5", "6", "7", "8", "9", "10"], "all rows of an entry, and no sound one");
    assert_eq!(
        (list[1][1].as_str(), list[3][8].as_str(), list[4].last().unwrap().as_str()),
        ("gehört zu den Nachbarzeilen", "1-3", "beyond")
    );

    list[2][5] = "1-0:1.8.2".into();
    list[3][2] = "anna".into();
    list[7].last_mut().unwrap().clear();
    list[5..].rotate_left(1);
    let mended = upload(&portal, &lead, "fehler.xlsx", &book(&list)).await;
    let shown = shown(&mended).await;
    assert_eq!((&shown["suggested"], &shown["suggestedOf"]), (&mapping, &json!("jobs.csv")), "as it was rehearsed");
    assert_eq!((&shown["columns"][1]["isAdded"], &shown["columns"][2]["isAdded"]), (&json!(true), &json!(false)));
    let again = json!({ "file": mended, "mapping": mapping, "closesMissing": true, "lang": "de" });
    let refused = post("/imports/rehearsals", again).await;
    assert!(refused["failure"]["de"].as_str().is_some_and(|why| why.contains("Fehlerliste")), "a part of a list closes nothing: {refused}");
    let rehearsed = post("/imports/rehearsals", json!({ "file": mended, "mapping": mapping, "lang": "de" })).await;
    assert_eq!(rehearsed["imported"]["counts"], json!({ "created": 4, "faulty": 1 }), "{rehearsed}");
    let list = rows_of(made(&portal, &lead, &rehearsed, "fehler.xlsx").await);
    assert_eq!(
        (list.len(), list[0].len(), list[1][0].as_str()),
        (2, 10, "5"),
        "the row of the file that was sent, in the same columns: {list:?}"
    );
    let done = post("/imports", json!({ "rehearsal": rehearsed["id"] })).await;
    assert_eq!(done["imported"]["counts"], json!({ "created": 4, "faulty": 1 }), "{done}");
    let job = async |id: &str| portal.store().job_by_id(portal.tenant_id(), &id.parse().unwrap()).await.unwrap();
    for id in ["two", "late", "apart"] {
        assert_eq!(job(id).await.unwrap().master.meter.meter_rate_tasks.len(), 2, "{id}");
    }
    assert!(job("other").await.is_some() && job("sound").await.is_none());
}
