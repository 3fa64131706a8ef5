//! What leads see of exports, and have written.

use domain::staff::Role;
use jiff::{Timestamp, ToSpan as _};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{ExportCounts, ExportState, ReadingsExport};

use crate::at_desk::{over, send};
use crate::calls::new_job;
use crate::world::{Portal, reading, today};

#[tokio::test]
async fn an_export_is_written_in_the_background_and_fetched() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let job = new_job(&portal, "anna").await;
    assert!(portal.persona("anna").send(&job, reading("4000.0"), None).await.status.is_success());
    let start = async |body: Value| send(&portal, &lead, Method::POST, "/exports", Some(body)).await;
    let started = start(json!({ "what": "TABLE", "preset": "plain" })).await;
    assert_eq!((started.status, &started.body["isOwn"]), (StatusCode::ACCEPTED, &json!(true)), "{started:?}");
    let done = over(&portal, &lead, &started).await;
    assert_eq!((&done["state"], &done["files"][0]["rows"], &done["waiting"]), (&json!("DONE"), &json!(1), &json!(0)), "{done}");
    let name = done["files"][0]["name"].as_str().unwrap();
    let path = format!("/runs/{}/files/{name}", done["id"].as_str().unwrap());
    let there = send(&portal, &lead, Method::GET, &path, None).await.body;
    let file = reqwest::get(there["url"].as_str().unwrap()).await.unwrap();
    assert_eq!(file.headers()["content-disposition"], format!("attachment; filename=\"{name}\""));
    assert!(file.text().await.unwrap().contains(";4000,0;"));
    send(&portal, &lead, Method::GET, &format!("{path}x"), None).await.assert_problem(404, "not-found");

    let nothing = over(&portal, &lead, &start(json!({ "what": "TABLE", "preset": "plain" })).await).await;
    assert_eq!((&nothing["state"], &nothing["files"]), (&json!("DONE"), &json!([])), "each reading goes out once");
    let again = over(&portal, &lead, &start(json!({ "what": "TABLE", "preset": "sap-isu", "again": 1 })).await).await;
    assert_eq!((&again["files"][0]["number"], &again["files"][0]["rows"]), (&json!(1), &json!(1)), "{again}");
    let unknown = over(&portal, &lead, &start(json!({ "what": "TABLE", "preset": "plain", "again": 99 })).await).await;
    assert_eq!(unknown["state"], json!("FAILED"));
    assert!(unknown["failure"]["de"].as_str().unwrap().contains("99"), "{unknown}");
    for (body, field) in [
        (json!({ "what": "TABLE", "preset": "none" }), "preset"),
        (json!({ "what": "TABLE" }), "preset"),
        (json!({ "what": "MARKET" }), "what"),
        (json!({ "what": "TABLE", "preset": "plain", "season": "none" }), "season"),
        (json!({ "what": "WITHOUT_JOB", "preset": "plain", "season": "default" }), "season"),
    ] {
        let refused = start(body).await;
        refused.assert_problem(422, "request-invalid");
        assert_eq!(refused.body["fieldErrors"][0]["field"], field);
    }
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let told: Vec<_> = trail.iter().map(|record| record.command.as_str()).filter(|what| what.starts_with("desk ")).collect();
    assert_eq!(told, ["desk export", "desk file", "desk export", "desk export", "desk export"]);
}

#[tokio::test]
async fn messages_to_the_market_go_out_and_what_cannot_is_told() {
    let partners = json!({ "sender": "9900000000001", "role": "MSB", "recipient": "9900000000002", "recipientRole": "LF" });
    let portal = Portal::configured(json!({ "desk": { "market": { "electricity": partners } } })).await;
    portal.add_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let yesterday = today().yesterday().unwrap();
    for (job, location) in [("with", Some("DE00056266802AO6G56M11SN51G21M24S")), ("without", None)] {
        let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "unit": "kWh" });
        let meter = json!({ "meterNumber": format!("1EBZ{job}"), "meterType": "ELECTRIC_METER", "meterRateTasks": [rate] });
        portal.add_job("anna", job, json!({ "meter": meter, "meLoId": location })).await;
        let mut sent = reading("4000.1234");
        sent["readingDate"] = json!(yesterday);
        let answer = portal.persona("anna").send(job, sent, None).await;
        assert!(answer.status.is_success(), "{answer:?}");
    }
    assert_eq!(send(&portal, &lead, Method::GET, "/exports", None).await.body["hasMarket"], true);
    let started = send(&portal, &lead, Method::POST, "/exports", Some(json!({ "what": "MARKET" }))).await;
    assert_eq!(started.status, StatusCode::ACCEPTED, "{started:?}");
    let done = over(&portal, &lead, &started).await;
    assert_eq!((&done["state"], &done["what"]), (&json!("DONE"), &json!("MARKET")), "{done}");
    let name = done["files"][0]["name"].as_str().unwrap();
    assert!(name.starts_with("MSCONS_VL_9900000000001_9900000000002_"), "{done}");
    assert_eq!((&done["files"][0]["rows"], &done["files"][0]["shortened"]), (&json!(1), &json!(1)), "{done}");
    let why = json!({ "de": "ohne Messlokation", "en": "without a metering location" });
    assert_eq!(done["leftOut"], json!([{ "why": why, "readings": 1, "isFault": true }]));
    let path = format!("/runs/{}/files/{name}", done["id"].as_str().unwrap());
    let there = send(&portal, &lead, Method::GET, &path, None).await.body;
    let message = reqwest::get(there["url"].as_str().unwrap()).await.unwrap().text().await.unwrap();
    assert!(message.starts_with("UNA") && message.contains("DE00056266802AO6G56M11SN51G21M24S"), "{message}");
    let more = json!({ "what": "MARKET", "preset": "plain" });
    send(&portal, &lead, Method::POST, "/exports", Some(more)).await.assert_problem(422, "request-invalid");
}

#[tokio::test]
async fn one_export_goes_on_at_a_time() {
    let portal = Portal::with_account("anna").await;
    let (lead, other, clerk) =
        (portal.member(&[Role::Lead]).await, portal.member(&[Role::Lead]).await, portal.member(&[Role::Clerk]).await);
    // A command is at it for a minute.
    let (now, tenant) = (Timestamp::now(), portal.tenant_id());
    portal.store().take_turn(tenant, "export", "command", "Jens", (now, now + 1.minute())).await.unwrap().unwrap();
    let body = json!({ "what": "TABLE", "preset": "plain" });
    let started = send(&portal, &lead, Method::POST, "/exports", Some(body.clone())).await;
    let same = send(&portal, &lead, Method::POST, "/exports", Some(body.clone())).await;
    assert_eq!((same.status, &same.body["id"]), (StatusCode::ACCEPTED, &started.body["id"]), "who asks again starts nothing twice");
    send(&portal, &other, Method::POST, "/exports", Some(body.clone())).await.assert_problem(409, "run-under-way");
    send(&portal, &lead, Method::POST, "/exports", Some(json!({ "what": "TABLE", "preset": "sap-isu" })))
        .await
        .assert_problem(409, "run-under-way");
    let listed = send(&portal, &other, Method::GET, "/exports", None).await.body;
    assert_eq!((&listed["runs"][0]["id"], &listed["runs"][0]["isOwn"]), (&started.body["id"], &json!(false)));
    let run = format!("/runs/{}", started.body["id"].as_str().unwrap());
    send(&portal, &clerk, Method::DELETE, &run, None).await.assert_problem(403, "role-missing");
    send(&portal, &other, Method::DELETE, "/runs/another", None).await.assert_problem(404, "not-found");
    assert_eq!(send(&portal, &other, Method::DELETE, &run, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(over(&portal, &lead, &started).await["state"], json!("CANCELLED"));
    portal.store().end_turn(tenant, "export", "command").await.unwrap();
    let next = send(&portal, &other, Method::POST, "/exports", Some(body)).await;
    assert_eq!(over(&portal, &other, &next).await["state"], json!("DONE"));
}

#[tokio::test]
async fn leads_see_what_went_out_and_what_was_interrupted() {
    let portal = Portal::with_account("anna").await;
    let (lead, clerk) = (portal.member(&[Role::Lead]).await, portal.member(&[Role::Clerk]).await);
    assert_eq!(send(&portal, &lead, Method::GET, "/exports", None).await.body["exports"], json!([]));
    let created: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    let counts = Some(ExportCounts { originals: 3, corrections: 1, cancellations: 0 });
    for (number, medium, state, counts) in
        [(1, "table", ExportState::Done, counts), (2, "gas", ExportState::Done, None), (3, "unknown", ExportState::Fixed, None)]
    {
        let export = ReadingsExport { number, medium: medium.into(), created, state, counts };
        portal.store().begin_export(portal.tenant_id(), &export).await.unwrap();
    }
    assert_eq!(
        send(&portal, &lead, Method::GET, "/exports", None).await.body["exports"],
        json!([
            { "number": 3, "kind": "WITHOUT_JOB", "begunAt": created, "isComplete": false },
            { "number": 2, "kind": "GAS", "begunAt": created, "isComplete": true },
            {
                "number": 1, "kind": "TABLE", "begunAt": created, "isComplete": true,
                "counts": { "originals": 3, "corrections": 1, "cancellations": 0 },
            },
        ])
    );
    send(&portal, &clerk, Method::GET, "/exports", None).await.assert_problem(403, "role-missing");
}
