//! What clerks decide beside single readings of jobs: readings that came without a job, several at once, one that is picked.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::ids::JobId;
use domain::sending::SendingKind;
use domain::staff::Role;
use jiff::{Timestamp, ToSpan};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{Destination, JobImported, LedgerEntry, Sending};

use crate::calls::{doubtful, last_reading, new_address};
use crate::desk_work::Desk;
use crate::readings_without_job::{own_reading, visitors_reading};
use crate::world::{PHOTO, Portal, double_tariff, mails_to, reading, today};

/// Sends a visitor's reading; its id.
pub async fn visit(portal: &Portal, with: Value) -> String {
    let mut body = visitors_reading();
    testing::merge(&mut body, with);
    let answer = portal.send(Method::POST, "/api/unknown-readings/results", Some(&portal.visitor().await), Some(&body), None).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    answer.body["id"].as_str().unwrap().to_owned()
}

/// A job of a gas meter with the visitor's number.
pub fn gas() -> Value {
    let event = |days: i64, value: &str| {
        let day = today().saturating_sub(days.days()).to_string();
        json!({ "readingDate": day, "readingValue": value, "reason": "ANNUAL_READING" })
    };
    let events = [event(730, "1711.000"), event(365, "3211.000")];
    let rate = json!({ "taskId": "t1", "obis": "7-0:3.0.0", "postDecimals": 3, "readingEvents": events });
    json!({ "meter": { "meterType": "GAS_METER", "meterNumber": "7GMT0000004711", "meterRateTasks": [rate] } })
}

fn path(id: &str) -> String {
    format!("/jobs/{id}/readings/{id}/decision")
}

fn shown<'v>(list: &'v Value, id: &str) -> &'v Value {
    list["items"].as_array().unwrap().iter().find(|item| item["job"] == id).unwrap()
}

#[tokio::test]
async fn a_visitors_reading_waits_suggests_its_job_and_becomes_the_jobs() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "gas", gas()).await;
    portal.add_job("anna", "power", json!({})).await;
    let image = json!([{ "encodedImage": STANDARD.encode(PHOTO), "mimeType": "image/jpeg" }]);
    let values = json!([{ "obis": "7-0:3.0.0", "value": "4711.123", "readingImages": image }]);
    let id = visit(&portal, json!({ "readingValues": values })).await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);

    let list = sommer.get("/waiting?reason=WITHOUT_JOB").await;
    assert_eq!((&list["count"], &list["items"][0]["withoutJob"]["contact"]["lastname"]), (&json!(1), &json!("Besuch")));
    assert_eq!(sommer.get("/waiting?meterType=WATER_METER").await["count"], 0);
    let next = sommer.next(json!({})).await;
    assert_eq!((&next["reading"], &next["withoutJob"]["values"][0]["value"]), (&json!(id), &json!("4711.123")));
    assert_eq!(next["suggestions"][0]["because"], json!(["METER_NUMBER"]), "{next}");
    assert_eq!((&next["suggestions"][0]["job"], next["suggestions"].as_array().unwrap().len()), (&json!("gas"), 1));
    assert_eq!(winter.next(json!({})).await["reading"], Value::Null, "it is with the other one");
    let photo = next["withoutJob"]["values"][0]["images"][0].as_str().unwrap();
    let address = sommer.get(&format!("/jobs/{id}/readings/{id}/photos/{photo}")).await;
    assert_eq!(reqwest::get(address["url"].as_str().unwrap()).await.unwrap().status(), StatusCode::OK);

    let version = next["withoutJob"]["version"].clone();
    let assign = |more: Value| {
        let mut body = json!({ "kind": "assign", "version": version, "job": "gas" });
        testing::merge(&mut body, more);
        body
    };
    sommer.post(&path(&id), json!({ "kind": "release", "version": version })).await.assert_problem(422, "request-invalid");
    sommer.post(&path(&id), assign(json!({ "job": "power" }))).await.assert_problem(422, "reading-invalid");
    sommer.post(&path(&id), assign(json!({ "job": "nowhere" }))).await.assert_problem(422, "reading-invalid");
    let done = sommer.post(&path(&id), assign(json!({}))).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
    let again = sommer.post(&path(&id), assign(json!({}))).await;
    assert_eq!(again.status, StatusCode::OK, "their own decision, whose answer did not come: {again:?}");
    let told = winter.post(&path(&id), json!({ "kind": "reject", "version": version, "reason": "Nicht unser Netz." })).await;
    told.assert_problem(409, "decided-already");
    assert_eq!(told.body["decision"]["kind"], "assign");

    let job = sommer.get("/jobs/gas").await;
    let read = &job["file"]["readings"][0];
    assert_eq!((&read["readingValue"], &read["state"], &read["withoutJob"]), (&json!("4711.123"), &json!("counts"), &json!(id)));
    assert!(read["enteredBy"].as_str().unwrap().starts_with("member-"), "{read}");
    assert!(portal.stored_photo(&"gas".parse().unwrap(), &photo.parse().unwrap()).await.is_some(), "its photos go with it");
    assert_eq!(sommer.get("/waiting").await["count"], 0);

    // Taken back, it waits as before, and the job is open again.
    assert_eq!(sommer.get("/decisions").await["decisions"][0]["decision"]["assignedTo"], "gas");
    assert_eq!(sommer.send(Method::DELETE, &path(&id), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(sommer.send(Method::DELETE, &path(&id), None).await.status, StatusCode::NO_CONTENT, "nothing is left to be done");
    let job = sommer.get("/jobs/gas").await;
    assert_eq!((&job["file"]["state"], &job["file"]["readings"][0]["state"]), (&json!("open"), &json!("rejected")));
    assert_eq!(sommer.get("/waiting").await["count"], 1);
    recounts_nothing(&portal).await;
    let left = &job["file"]["readings"][0];
    let release = json!({ "kind": "release", "version": left["version"] });
    let left = format!("/jobs/gas/readings/{}/decision", left["id"].as_str().unwrap());
    sommer.post(&left, release).await.assert_problem(404, "not-found");

    // Assigned once more it goes out, and then nobody takes it back.
    assert_eq!(sommer.post(&path(&id), assign(json!({}))).await.status, StatusCode::OK);
    let readings = portal.store().job_readings(portal.tenant_id(), &"gas".parse().unwrap()).await.unwrap();
    let sending = Sending {
        kind: SendingKind::Original,
        export: Some(7),
        at: jiff::Timestamp::now(),
        refers_to: None,
        clearing: None,
        lines: Vec::new(),
    };
    assert!(portal.store().note_sending(portal.tenant_id(), &readings[1], Destination::Table, &sending).await.unwrap());
    assert_eq!(sommer.get("/decisions").await["decisions"][0]["decision"]["taken"]["export"], 7);
    sommer.send(Method::DELETE, &path(&id), None).await.assert_problem(409, "decision-sent");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let assigned = trail.iter().find(|record| record.command == "desk assign").unwrap();
    assert!(assigned.account.is_some(), "the trail says whose job it is");

    // D-CLEARING-7: it is decided anew, at what it became, and need not wait for that.
    let became = sommer.get("/jobs/gas").await["file"]["readings"][1].clone();
    assert_eq!((&became["state"], &became["withoutJob"]), (&json!("counts"), &json!(id)), "{became}");
    let reject = json!({ "kind": "reject", "version": became["version"], "reason": "Das war der Zähler der Nachbarn." });
    let anew = sommer.post(&format!("/jobs/gas/readings/{}/decision", became["id"].as_str().unwrap()), reject).await;
    assert_eq!(anew.status, StatusCode::OK, "{anew:?}");
    let job = sommer.get("/jobs/gas").await;
    assert_eq!((&job["file"]["state"], &job["file"]["readings"][1]["state"]), (&json!("open"), &json!("rejected")));
    let register = portal.store().job_readings(portal.tenant_id(), &"gas".parse().unwrap()).await.unwrap();
    let known: Vec<_> = register.iter().map(|reading| reading.known(Destination::Table, false)).collect();
    let due: Vec<_> = domain::sending::due(&known).into_iter().map(|due| (due.index, due.kind)).collect();
    assert_eq!(due, [(1, SendingKind::Cancellation)], "the next export takes it back");
    recounts_nothing(&portal).await;
}

/// What is counted follows from what is there.
async fn recounts_nothing(portal: &Portal) {
    let recounted = portal.store().recount(portal.tenant_id(), jiff::Timestamp::now()).await.unwrap();
    assert_eq!((recounted.jobs_mended, recounted.cells_mended), (0, 0));
}

#[tokio::test]
async fn what_is_warned_of_is_confirmed_before_a_reading_is_assigned() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "gas", gas()).await;
    let values = json!([{ "obis": "7-0:3.0.0", "value": "99711.123" }]);
    let id = visit(&portal, json!({ "readingValues": values })).await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let version = clerk.next(json!({})).await["withoutJob"]["version"].clone();
    let assign = |more: Value| {
        let mut body = json!({ "kind": "assign", "version": version, "job": "gas" });
        testing::merge(&mut body, more);
        body
    };
    clerk.post(&path(&id), assign(json!({}))).await.assert_problem(422, "confirmation-required");
    clerk.post(&path(&id), assign(json!({ "confirmed": true }))).await.assert_problem(422, "request-invalid");
    let done = clerk.post(&path(&id), assign(json!({ "confirmed": true, "reason": "Schwimmbad" }))).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
    let read = clerk.get("/jobs/gas").await["file"]["readings"][0].clone();
    assert_eq!((&read["confirmedReason"], &read["doubts"]), (&json!("Schwimmbad"), &json!([])), "a clerk has looked");
    let other = visit(&portal, json!({ "readingValues": [{ "obis": "7-0:3.0.0", "value": "4800.000" }] })).await;
    let version = clerk.next(json!({})).await["withoutJob"]["version"].clone();
    let twice = async |more: Value| {
        let mut body = json!({ "kind": "assign", "version": version, "job": "gas" });
        testing::merge(&mut body, more);
        clerk.post(&path(&other), body).await
    };
    twice(json!({})).await.assert_problem(409, "read-already");
    // Why it is late is no reason to take the place of what nobody saw (D-READING-22).
    for seen in [json!([]), json!(["r-before"])] {
        twice(json!({ "late": "lag im Eingang", "replaces": seen })).await.assert_problem(409, "read-already");
    }
    let done =
        twice(json!({ "late": "Schwimmbad ist leer", "replaces": [read["id"]], "confirmed": true, "reason": "zweiter Besuch" })).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
}

/// The clerk asked for it, and the session may still be the same.
#[tokio::test]
async fn what_a_visitor_sends_again_after_a_refusal_waits_anew() {
    let portal = Portal::with_account("anna").await;
    let token = portal.visitor().await;
    let send = async |key: Option<&str>| {
        let sent = portal.send(Method::POST, "/api/unknown-readings/results", Some(&token), Some(&visitors_reading()), key).await;
        assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
        sent.body["id"].as_str().unwrap().to_owned()
    };
    let refused = send(Some("first")).await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let version = clerk.next(json!({})).await["withoutJob"]["version"].clone();
    let reject = json!({ "kind": "reject", "version": version, "reason": "Bitte noch einmal ablesen." });
    assert_eq!(clerk.post(&path(&refused), reject).await.status, StatusCode::OK);
    assert_eq!(clerk.get("/waiting").await["count"], 0);

    let anew = send(Some("second")).await;
    assert_ne!(anew, refused);
    for key in [Some("second"), Some("third"), None] {
        assert_eq!(send(key).await, anew);
    }
    assert_eq!(clerk.get("/waiting").await["count"], 1);
    assert_eq!(send(Some("first")).await, refused, "its answer comes as late as it likes");
}

/// D-CLEARING-9: the old meter's number would go out with the new one's counter, and nobody would hear of the exchange.
#[tokio::test]
async fn a_new_meters_reading_that_is_assigned_waits_until_its_exchange_is_named() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "gas", gas()).await;
    let values = json!([{ "obis": "7-0:3.0.0", "value": "12.000" }]);
    let id = visit(&portal, json!({ "readingValues": values })).await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let assign = async || {
        let next = clerk.next(json!({ "this": { "job": id, "reading": id } })).await["withoutJob"].clone();
        let (version, why) = (&next["version"], "Zähler getauscht");
        let body =
            json!({ "kind": "assign", "version": version, "job": "gas", "lowerReason": "METER_CHANGE", "confirmed": true, "reason": why });
        let done = clerk.post(&path(&id), body).await;
        assert_eq!(done.status, StatusCode::OK, "{done:?}");
        let read = clerk.get("/jobs/gas").await["file"]["readings"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&read["state"], &read["doubts"]), (&json!("waits"), &json!(["METER_CHANGE"])), "{read}");
        read
    };
    let waiting = async |reason: &str| clerk.get(&format!("/waiting?reason={reason}")).await["count"].clone();
    assign().await;
    assert_eq!((waiting("METER_CHANGE").await, waiting("WITHOUT_JOB").await), (json!(1), json!(0)));
    // Taken back, it waits as what it was, and no more as the job's.
    assert_eq!(clerk.send(Method::DELETE, &path(&id), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!((waiting("METER_CHANGE").await, waiting("WITHOUT_JOB").await), (json!(0), json!(1)));

    let read = assign().await;
    let named = json!({ "day": today().to_string(), "newNumber": "7GMT0000009999", "finalValue": "3300.000", "initialValue": "0" });
    let decision = format!("/jobs/gas/readings/{}/decision", read["id"].as_str().unwrap());
    let done = clerk.post(&decision, json!({ "kind": "exchange", "version": read["version"], "exchange": named })).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
    assert_eq!(clerk.get("/waiting").await["count"], 0);
    let out = portal.store().readings_of_job(portal.tenant_id(), &testing::job_id("gas")).await.unwrap().pop().unwrap();
    assert_eq!(out.clearing.unwrap().exchange.unwrap().new_number.as_deref(), Some("7GMT0000009999"));

    // Another one in its place takes the exchange from what goes out, too.
    let later = visit(&portal, json!({ "readingValues": [{ "obis": "7-0:3.0.0", "value": "15.000" }] })).await;
    let version = clerk.next(json!({ "this": { "job": later, "reading": later } })).await["withoutJob"]["version"].clone();
    let with = json!({ "confirmed": true, "reason": "neuer Zähler", "late": "neuer Stand", "replaces": [read["id"]] });
    let mut body = json!({ "kind": "assign", "version": version, "job": "gas" });
    testing::merge(&mut body, with);
    let done = clerk.post(&path(&later), body).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
    assert_eq!(waiting("METER_CHANGE").await, 1);
}

/// Another reading took its place and was taken back, twice (D-CLEARING-9).
#[tokio::test]
async fn what_was_before_waits_or_is_refused_again_whenever_an_assignment_is_taken_back() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "gas", gas()).await;
    let mut sent = reading("4711.123");
    sent["results"][0]["lowerReason"] = json!("ROLLOVER");
    let anna = portal.login("anna").await;
    assert!(anna.send("gas", sent, None).await.status.is_success());
    let before = last_reading(&portal, "gas").await.result_id;
    let visitors = |value: &str| visit(&portal, json!({ "readingValues": [{ "obis": "7-0:3.0.0", "value": value }] }));
    let visitors = [visitors("4712.123").await, visitors("4713.123").await];
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let assign_and_take_back = async |id: &str| {
        let next = clerk.next(json!({ "this": { "job": id, "reading": id } })).await;
        let version = &next["withoutJob"]["version"];
        let body = json!({ "kind": "assign", "version": version, "job": "gas", "late": "neuer Stand", "replaces": [before] });
        let done = clerk.post(&path(id), body).await;
        assert_eq!(done.status, StatusCode::OK, "{done:?}");
        assert_eq!(clerk.send(Method::DELETE, &path(id), None).await.status, StatusCode::NO_CONTENT);
    };
    for id in &visitors {
        assign_and_take_back(id).await;
        let waits = clerk.get("/waiting?reason=ROLLOVER").await;
        assert_eq!((&waits["count"], &waits["items"][0]["reading"]["id"]), (&json!(1), &json!(before)), "{waits}");
    }
    recounts_nothing(&portal).await;

    let version = clerk.get("/waiting?reason=ROLLOVER").await["items"][0]["reading"]["version"].clone();
    let reject = json!({ "kind": "reject", "version": version, "reason": "Das Foto fehlt." });
    let rejected = clerk.post(&format!("/jobs/gas/readings/{before}/decision"), reject).await;
    assert_eq!(rejected.status, StatusCode::OK, "{rejected:?}");
    for id in &visitors {
        assign_and_take_back(id).await;
        let task = anna.get("/api/pro/job").await.body["jobs"][0]["meter"]["meterRateTasks"][0].clone();
        assert_eq!(task["rejectedReading"]["reason"], "Das Foto fehlt.", "{task}");
    }
}

/// D-CLEARING-7: what was read before the rejected reading does not count, whatever is taken back.
#[tokio::test]
async fn what_is_taken_back_closes_no_register_that_a_later_rejection_opened() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);
    let (first, version) = doubtful(&portal, &anna).await;
    let decision = |id: &str| format!("/jobs/{}/readings/{id}/decision", first.job_id);
    let decide = async |clerk: &Desk<'_>, id: &str, kind: &str, version: &str| {
        let body = json!({ "kind": kind, "version": version, "reason": "Bitte noch einmal ablesen." });
        let done = clerk.post(&decision(id), body).await;
        assert_eq!(done.status, StatusCode::OK, "{done:?}");
    };
    decide(&sommer, &first.result_id, "reject", &version).await;
    assert!(anna.send(first.job_id.as_str(), reading("4712.0"), None).await.status.is_success());
    let second = last_reading(&portal, first.job_id.as_str()).await;
    let version = async |entry: &LedgerEntry| portal.store().clearing_version(portal.tenant_id(), entry).await.unwrap().unwrap();
    decide(&winter, &second.result_id, "reject", &version(&second).await).await;

    let is_open = async |when: &str| {
        let task = anna.get("/api/pro/job").await.body["jobs"][0]["meter"]["meterRateTasks"][0].clone();
        assert_eq!((&task["rejectedReading"]["readingValue"], &task["readingResults"]), (&json!("4712.0"), &json!([])), "{when}: {task}");
        assert_eq!(sommer.get(&format!("/jobs/{}", first.job_id)).await["file"]["state"], "open", "{when}");
        assert_eq!(sommer.get("/waiting").await["count"], 0, "{when}");
        recounts_nothing(&portal).await;
    };
    is_open("rejected").await;
    let take_back = async || sommer.send(Method::DELETE, &decision(&first.result_id), None).await;
    assert_eq!(take_back().await.status, StatusCode::NO_CONTENT);
    is_open("the first rejection taken back").await;
    decide(&sommer, &first.result_id, "release", &version(&first).await).await;
    assert_eq!(sommer.get(&format!("/jobs/{}", first.job_id)).await["file"]["state"], "done");
    assert_eq!(take_back().await.status, StatusCode::NO_CONTENT);
    is_open("a release after both taken back").await;
}

/// D-CLEARING-7: nor does what was read before it come back with an assignment that is taken back.
#[tokio::test]
async fn an_assignment_that_is_taken_back_closes_no_register_that_a_rejection_opened() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "gas", gas()).await;
    let anna = portal.login("anna").await;
    for value in ["4711.123", "4712.123"] {
        assert!(anna.send("gas", reading(value), None).await.status.is_success());
    }
    let before = last_reading(&portal, "gas").await;
    let visitors = visit(&portal, json!({ "readingValues": [{ "obis": "7-0:3.0.0", "value": "4713.123" }] })).await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let version = clerk.next(json!({ "this": { "job": visitors, "reading": visitors } })).await["withoutJob"]["version"].clone();
    let assign = json!({ "kind": "assign", "version": version, "job": "gas", "late": "neuer Stand", "replaces": [before.result_id] });
    let assigned = clerk.post(&path(&visitors), assign).await;
    assert_eq!(assigned.status, StatusCode::OK, "{assigned:?}");
    let version = portal.store().clearing_version(portal.tenant_id(), &before).await.unwrap().unwrap();
    let reject = json!({ "kind": "reject", "version": version, "reason": "Das Foto fehlt." });
    let rejected = clerk.post(&format!("/jobs/gas/readings/{}/decision", before.result_id), reject).await;
    assert_eq!(rejected.status, StatusCode::OK, "{rejected:?}");
    assert_eq!(clerk.get("/jobs/gas").await["file"]["state"], "done");

    assert_eq!(clerk.send(Method::DELETE, &path(&visitors), None).await.status, StatusCode::NO_CONTENT);
    let job = anna.get("/api/pro/job").await.body["jobs"][0].clone();
    let task = &job["meter"]["meterRateTasks"][0];
    assert_eq!((&job["done"], &task["readingResults"]), (&json!(false), &json!([])), "{job}");
    assert_eq!(task["rejectedReading"]["readingValue"], "4712.123", "{task}");
    assert_eq!(clerk.get("/jobs/gas").await["file"]["state"], "open");
    recounts_nothing(&portal).await;
    // Read once more, it is another reading, also of a client without keys.
    assert!(anna.send("gas", reading("4712.123"), None).await.status.is_success());
    assert_eq!(clerk.get("/jobs/gas").await["file"]["state"], "done");
}

/// D-EXPORTS-5: after the deadline nobody is asked for what the portal would not take.
#[tokio::test]
async fn who_may_not_read_again_is_not_asked_to() {
    let portal = Portal::with_account("anna").await;
    let (anna, to) = (portal.login("anna").await, new_address());
    anna.register(&to).await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let until = |day: i64| json!({ "jobConstraints": { "latestExecution": today().saturating_add(day.days()).to_string() } });
    for (job, last_day, subject) in
        [("in-time", 0, "Bitte lesen Sie Ihren Zähler noch einmal ab"), ("too-late", -1, "Zu Ihrem Zählerstand")]
    {
        portal.add_job("anna", job, until(0)).await;
        assert!(anna.send(job, reading("4711.0"), None).await.status.is_success());
        portal.list_job("anna", job, until(last_day), jiff::Timestamp::now()).await;
        let entry = last_reading(&portal, job).await;
        let version = portal.store().clearing_version(portal.tenant_id(), &entry).await.unwrap().unwrap();
        let reject = json!({ "kind": "reject", "version": version, "reason": format!("Nicht lesbar ({job}).") });
        let rejected = clerk.post(&format!("/jobs/{job}/readings/{}/decision", entry.result_id), reject).await;
        assert_eq!((rejected.status, &rejected.body["mailed"]), (StatusCode::OK, &json!(true)), "{rejected:?}");
        let mails = mails_to(&to).await;
        let told = mails.iter().find(|mail| mail.to_string().contains(&format!("({job})"))).unwrap();
        assert_eq!(told["Subject"], subject, "{told}");
        assert_eq!(told["BodyText"].as_str().unwrap().contains("Zum Ableseportal"), last_day == 0, "{told}");
    }
}

/// Why nothing was assigned is said at its field and in the clerk's language.
#[tokio::test]
async fn who_does_not_say_which_register_is_meant_is_asked() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "two", double_tariff()).await;
    let id = visit(&portal, json!({})).await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let version = clerk.next(json!({})).await["withoutJob"]["version"].clone();
    let asked = clerk.post(&path(&id), json!({ "kind": "assign", "version": version, "job": "two", "lang": "de" })).await;
    asked.assert_problem(422, "reading-invalid");
    let fault = &asked.body["fieldErrors"][0];
    assert_eq!(fault["field"], "register");
    assert!(fault["message"].as_str().unwrap().starts_with("ein Zählwerk `7-0:3.0.0` hat der Zähler nicht"), "{fault}");
}

/// Whoever sent it was asked for other decimals than the counter has.
#[tokio::test]
async fn a_reading_is_assigned_with_as_many_decimals_as_there_are() {
    let portal = Portal::with_account("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let with_one = json!({ "meter": { "meterNumber": "7GMT0000004712", "meterRateTasks": [{ "taskId": "t1", "obis": "7-0:3.0.0", "postDecimals": 1 }] } });
    let mut of_one = gas();
    testing::merge(&mut of_one, with_one);
    portal.add_job("anna", "three", gas()).await;
    portal.add_job("anna", "one", of_one).await;
    let token = portal.login("anna").await.token().to_owned();
    let own = portal.send(Method::POST, "/api/pro/unknown-reading", Some(&token), Some(&own_reading()), None).await;
    let visited = visit(&portal, json!({ "readingValues": [{ "obis": "7-0:3.0.0", "value": "4711.123" }] })).await;
    for (id, job, taken) in [(own.body["id"].as_str().unwrap(), "three", "4711"), (visited.as_str(), "one", "4711.1")] {
        assign(&portal, id, job).await;
        assert_eq!(clerk.get(&format!("/jobs/{job}")).await["file"]["readings"][0]["readingValue"], taken);
    }
}

#[tokio::test]
async fn a_reading_without_a_job_is_refused_with_words_or_put_aside() {
    let portal = Portal::with_account("anna").await;
    let to = new_address();
    let anna = portal.login("anna").await;
    anna.register(&to).await;
    let sent = portal.send(Method::POST, "/api/pro/unknown-reading", Some(anna.token()), Some(&own_reading()), None).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
    let id = sent.body["id"].as_str().unwrap();
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let version = shown(&clerk.get("/waiting").await, id)["withoutJob"]["version"].clone();
    let aside = json!({ "kind": "aside", "version": version, "note": "Hausverwaltung ruft zurück" });
    let put = clerk.post(&path(id), aside.clone()).await;
    assert_eq!(put.status, StatusCode::OK, "{put:?}");
    assert_eq!(clerk.next(json!({})).await["reading"], Value::Null);
    let take_back = async |made: &str| clerk.send(Method::DELETE, &format!("{}?made={made}", path(id)), None).await;
    take_back("2026-01-01T00:00:00Z").await.assert_problem(409, "decided-already");
    assert_eq!(take_back(put.body["at"].as_str().unwrap()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(clerk.post(&path(id), aside).await.status, StatusCode::OK, "it is what it was");
    let this = clerk.next(json!({ "this": { "job": id, "reading": id } })).await;
    assert_eq!((&this["reading"], &this["withoutJob"]["sender"]), (&json!(id), &json!("anna")), "whoever names it gets it");
    let version = &this["withoutJob"]["version"];
    let refuse = json!({ "kind": "reject", "version": version, "reason": "Dieser Zähler gehört nicht zu unserem Netz." });
    let refused = clerk.post(&path(id), refuse.clone()).await;
    assert_eq!((refused.status, &refused.body["mailed"]), (StatusCode::OK, &json!(true)), "{refused:?}");
    assert_eq!(clerk.post(&path(id), refuse).await.status, StatusCode::OK, "the same once more");
    let told = mails_to(&to).await.into_iter().filter(|mail| mail.to_string().contains("nicht zu unserem Netz")).count();
    assert_eq!(told, 1);
    assert_eq!(clerk.get("/waiting").await["count"], 0);
    recounts_nothing(&portal).await;
    // Refused, it may be sent anew, once.
    for key in [None, Some("anew"), Some("anew")] {
        let anew = portal.send(Method::POST, "/api/pro/unknown-reading", Some(anna.token()), Some(&own_reading()), key).await;
        assert_eq!((anew.status, anew.body["id"] == id), (StatusCode::CREATED, false), "{anew:?}");
    }
    assert_eq!(clerk.get("/waiting").await["count"], 1);
    assert_eq!(clerk.send(Method::DELETE, &path(id), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(clerk.get("/waiting").await["count"], 2);

    // Neither support nor another tenant's clerk decides.
    let support = Desk::of(&portal, Role::Support).await;
    support.post(&path(id), json!({ "kind": "reject", "version": version, "reason": "Nein." })).await.assert_problem(403, "role-missing");
    let elsewhere = Portal::with_account("bert").await;
    let stranger = Desk::of(&elsewhere, Role::Clerk).await;
    stranger.post(&path(id), json!({ "kind": "reject", "version": version, "reason": "Nein." })).await.assert_problem(404, "not-found");
}

#[tokio::test]
async fn a_reading_that_is_picked_is_ones_own_for_a_while() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let (first, _) = doubtful(&portal, &anna).await;
    let (second, version) = doubtful(&portal, &anna).await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);
    let this = |job: &JobId, reading: &str| json!({ "this": { "job": job, "reading": reading } });
    let picked = sommer.next(this(&second.job_id, &second.result_id)).await;
    assert_eq!((&picked["reading"], &picked["isWithAnother"]), (&json!(second.result_id), &json!(false)));
    let refused = winter.next(this(&second.job_id, &second.result_id)).await;
    assert_eq!((&refused["reading"], &refused["isWithAnother"]), (&Value::Null, &json!(true)));
    assert_eq!(winter.next(json!({})).await["reading"], json!(first.result_id));
    let decision = format!("/jobs/{}/readings/{}/decision", second.job_id, second.result_id);
    assert_eq!(sommer.post(&decision, json!({ "kind": "release", "version": version })).await.status, StatusCode::OK);
    let over = sommer.next(this(&second.job_id, &second.result_id)).await;
    assert_eq!((&over["reading"], &over["isWithAnother"]), (&Value::Null, &json!(false)), "it waits no longer");
}

/// Assigns a visitor's reading to a job, by the desk.
pub async fn assign(portal: &Portal, id: &str, job: &str) {
    let clerk = Desk::of(portal, Role::Clerk).await;
    let next = clerk.next(json!({ "this": { "job": id, "reading": id } })).await;
    let body = json!({ "kind": "assign", "version": next["withoutJob"]["version"], "job": job });
    let done = clerk.post(&path(id), body).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
}

#[tokio::test]
async fn several_are_decided_at_once_and_what_others_decided_stays() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);
    let mut items = Vec::new();
    for _ in 0..3 {
        let (entry, version) = doubtful(&portal, &anna).await;
        items.push(json!({ "job": entry.job_id, "reading": entry.result_id, "version": version }));
    }
    let decision =
        |item: &Value| format!("/jobs/{}/readings/{}/decision", item["job"].as_str().unwrap(), item["reading"].as_str().unwrap());
    let quicker = json!({ "kind": "reject", "version": items[1]["version"], "reason": "Bitte noch einmal." });
    assert_eq!(winter.post(&decision(&items[1]), quicker).await.status, StatusCode::OK);
    let id = visit(&portal, json!({})).await;
    let version = shown(&sommer.get("/waiting").await, &id)["withoutJob"]["version"].clone();
    items.push(json!({ "job": id, "reading": id, "version": version }));
    items.push(json!({ "job": "nowhere", "reading": "nothing", "version": "1" }));

    let release = json!({ "kind": "release", "items": items });
    for _ in 0..2 {
        let done = sommer.post("/waiting/decisions", release.clone()).await;
        assert_eq!(done.status, StatusCode::OK, "{done:?}");
        let codes: Vec<_> = done.body["items"].as_array().unwrap().iter().map(|item| item["code"].as_str()).collect();
        let told = [None, Some("decided-already"), None, Some("request-invalid"), Some("not-found")];
        assert_eq!(codes, told, "and the same once more");
        assert_eq!(done.body["items"][1]["decision"]["kind"], "reject");
    }
    assert_eq!(sommer.get("/waiting").await["count"], 1, "what came without a job cannot be released");
    let mine = sommer.get("/decisions").await;
    assert_eq!((mine["decisions"].as_array().unwrap().len(), &mine["nextCursor"]), (2, &Value::Null));
    sommer.send(Method::GET, "/decisions?cursor=none", None).await.assert_problem(400, "malformed-request");
    assert_eq!(
        sommer.send(Method::DELETE, &decision(&items[0]), None).await.status,
        StatusCode::NO_CONTENT,
        "each is taken back for itself"
    );
    let aside = json!({ "kind": "aside", "note": "Sammelanfrage an den Messdienst", "items": [items[0], items[3]] });
    assert_eq!(sommer.post("/waiting/decisions", aside).await.status, StatusCode::OK);
    assert_eq!(sommer.next(json!({})).await["reading"], Value::Null);
    let wordless = json!({ "kind": "reject", "items": [items[0]] });
    sommer.post("/waiting/decisions", wordless).await.assert_problem(422, "request-invalid");
    let support = Desk::of(&portal, Role::Support).await;
    support.post("/waiting/decisions", release).await.assert_problem(403, "role-missing");
}

/// D-CLEARING-14: passed over, the new meter's counter would be billed as the old one's.
#[tokio::test]
async fn that_no_meter_was_exchanged_is_said_of_one_reading_at_a_time() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    portal.add_job("anna", "new", json!({})).await;
    let mut sent = reading("4711.0");
    sent["results"][0]["lowerReason"] = json!("METER_CHANGE");
    assert!(anna.send("new", sent, None).await.status.is_success());
    let (id, version) = (last_reading(&portal, "new").await.result_id, waits(&clerk).await["version"].clone());
    let items = json!([{ "job": "new", "reading": id, "version": version }]);
    let several = clerk.post("/waiting/decisions", json!({ "kind": "release", "items": items })).await;
    assert_eq!(several.body["items"][0]["code"], "request-invalid", "{several:?}");
    assert_eq!(waits(&clerk).await["version"], version);

    // Who says so is believed wherever it is told, until that is taken back.
    let reasons = async || {
        let jobs = anna.get("/api/pro/job").await.body;
        let read = &jobs["jobs"][0]["meter"]["meterRateTasks"][0]["readingResults"][0];
        let shown = clerk.get("/jobs/new").await["file"]["readings"][0].clone();
        (read["lowerReason"].clone(), shown["lowerReason"].clone())
    };
    let told = (json!("METER_CHANGE"), json!("METER_CHANGE"));
    assert_eq!(reasons().await, told);
    let decision = format!("/jobs/new/readings/{id}/decision");
    let released = clerk.post(&decision, json!({ "kind": "release", "version": version })).await;
    assert_eq!(released.status, StatusCode::OK, "{released:?}");
    assert_eq!(reasons().await, (Value::Null, Value::Null));
    assert_eq!(clerk.send(Method::DELETE, &decision, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(reasons().await, told);

    // A rejection says nothing of an exchange: the value that a clerk puts there waits until it is named or denied.
    let version = waits(&clerk).await["version"].clone();
    let items = json!([{ "job": "new", "reading": id, "version": version }]);
    let rejected = clerk.post(&decision, json!({ "kind": "reject", "version": version, "reason": "Foto unscharf" })).await;
    assert_eq!(rejected.status, StatusCode::OK, "{rejected:?}");
    let several = clerk.post("/waiting/decisions", json!({ "kind": "release", "items": items })).await;
    assert_eq!(several.body["items"][0]["code"], "decided-already", "{several:?}");
    let version = clerk.get("/jobs/new").await["file"]["readings"][0]["version"].clone();
    let correct = json!({ "kind": "correct", "version": version, "value": "4712.0", "reason": "laut Anruf" });
    let corrected = clerk.post(&decision, correct).await;
    assert_eq!(corrected.status, StatusCode::OK, "{corrected:?}");
    assert_eq!(waits(&clerk).await["doubts"], json!(["METER_CHANGE"]));
}

/// D-CLEARING-7: both meters would be billed as one.
#[tokio::test]
async fn a_rejection_keeps_the_exchange_that_was_named() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let exchanged = async |job: &str| {
        portal.add_job("anna", job, json!({})).await;
        assert!(anna.send(job, reading("120.0"), None).await.status.is_success());
        let path = decision_on(&last_reading(&portal, job).await);
        name_exchange(&clerk, job, &path).await;
        path
    };
    let shown = async |job: &str| clerk.get(&format!("/jobs/{job}")).await["file"]["readings"].as_array().unwrap().last().unwrap().clone();
    let reject = async |job: &str, path: &str, reason: &str| {
        let body = json!({ "kind": "reject", "version": shown(job).await["version"], "reason": reason });
        let rejected = clerk.post(path, body).await;
        assert_eq!(rejected.status, StatusCode::OK, "{rejected:?}");
    };

    let path = exchanged("corrected").await;
    reject("corrected", &path, "Foto unscharf").await;
    reject("corrected", &path, "Foto zu dunkel").await;
    let rejected = shown("corrected").await;
    assert_eq!((&rejected["decision"]["kind"], &rejected["decision"]["exchange"]["finalValue"]), (&json!("reject"), &json!("9500")));
    assert_eq!(rejected["lowerReason"], Value::Null, "the reader said nothing, and it does not count");
    let items = json!([{ "job": "corrected", "reading": rejected["id"], "version": rejected["version"] }]);
    let several = clerk.post("/waiting/decisions", json!({ "kind": "release", "items": items })).await;
    assert_eq!(several.body["items"][0]["code"], "request-invalid", "{several:?}");
    let correct = json!({ "kind": "correct", "version": rejected["version"], "value": "152.0", "reason": "laut Anruf" });
    let corrected = clerk.post(&path, correct).await;
    assert_eq!(corrected.status, StatusCode::OK, "{corrected:?}");
    assert_eq!(waits(&clerk).await["doubts"], json!(["METER_CHANGE"]));
    let before = clerk.get("/jobs/corrected").await["file"]["readings"][0].clone();
    assert_eq!((&before["state"], &before["decision"]["exchange"]["initialValue"]), (&json!("corrected"), &json!("0")));

    // Of what is read next, too.
    let path = exchanged("read-again").await;
    reject("read-again", &path, "Foto unscharf").await;
    assert!(anna.send("read-again", reading("152.0"), None).await.status.is_success());
    let anew = shown("read-again").await;
    assert_eq!((&anew["state"], &anew["doubts"]), (&json!("waits"), &json!(["METER_CHANGE"])), "{anew}");
    reject("read-again", &decision_on(&last_reading(&portal, "read-again").await), "Foto unscharf").await;
    assert!(anna.send("read-again", reading("153.0"), None).await.status.is_success());
    assert_eq!(shown("read-again").await["doubts"], json!(["METER_CHANGE"]));

    // Nor is it forgotten because another decision stood in its place.
    for (job, again) in [("denied", false), ("named-anew", true)] {
        let path = exchanged(job).await;
        if again {
            name_exchange(&clerk, job, &path).await;
        } else {
            let body = json!({ "kind": "release", "version": shown(job).await["version"] });
            assert_eq!(clerk.post(&path, body).await.status, StatusCode::OK);
        }
        assert_eq!(clerk.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
        let back = shown(job).await;
        assert_eq!((&back["state"], &back["doubts"]), (&json!("waits"), &json!(["METER_CHANGE"])), "{back}");
        reject(job, &path, "Foto unscharf").await;
    }

    // What went out with the exchange does not go out without it because a rejection is taken back.
    let path = exchanged("taken-back").await;
    let sent = portal.store().job_readings(portal.tenant_id(), &testing::job_id("taken-back")).await.unwrap().pop().unwrap();
    let sending = Sending {
        kind: SendingKind::Original,
        export: Some(7),
        at: Timestamp::now(),
        refers_to: None,
        clearing: sent.clearing.clone(),
        lines: Vec::new(),
    };
    assert!(portal.store().note_sending(portal.tenant_id(), &sent, Destination::Table, &sending).await.unwrap());
    reject("taken-back", &path, "Foto unscharf").await;
    assert_eq!(clerk.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    let back = shown("taken-back").await;
    assert_eq!((&back["state"], &back["doubts"]), (&json!("waits"), &json!(["METER_CHANGE"])), "{back}");
    recounts_nothing(&portal).await;
}

/// D-CLEARING-7: as a correction it would go out under the old meter's number.
#[tokio::test]
async fn what_is_read_after_an_exchange_was_told_waits_until_it_is_named_or_denied() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let shown = async |job: &str| clerk.get(&format!("/jobs/{job}")).await["file"]["readings"].as_array().unwrap().last().unwrap().clone();
    let stands = async |job: &str, value: &str, state: &str, doubts: Value| {
        let shown = shown(job).await;
        assert_eq!((&shown["readingValue"], &shown["state"], &shown["doubts"]), (&json!(value), &json!(state), &doubts), "{shown}");
    };
    portal.add_job("anna", "new", json!({})).await;
    assert!(anna.send("new", reading("120.0"), None).await.status.is_success());
    name_exchange(&clerk, "new", &decision_on(&last_reading(&portal, "new").await)).await;

    // The customer reads again, and staff write down what they say by phone.
    let told = json!(["METER_CHANGE"]);
    let key = Some("again");
    for _ in 0..2 {
        assert!(anna.send("new", reading("152.0"), key).await.status.is_success());
    }
    stands("new", "152.0", "waits", told.clone()).await;
    let values = json!([{ "register": "1-0:1.8.0", "value": "153.0" }]);
    let by_phone = json!({
        "job": "new", "channel": "PHONE", "readingDate": today().to_string(), "values": values,
        "late": "verlesen", "replaces": [shown("new").await["id"]],
    });
    let entered = clerk.post("/readings", by_phone).await;
    assert!(entered.status.is_success(), "{entered:?}");
    assert_eq!(entered.body["doubts"], told);
    stands("new", "153.0", "waits", told.clone()).await;

    // Once a clerk says that there was none, nothing of it is left.
    let release = json!({ "kind": "release", "version": shown("new").await["version"] });
    let released = clerk.post(&decision_on(&last_reading(&portal, "new").await), release).await;
    assert_eq!(released.status, StatusCode::OK, "{released:?}");
    assert!(anna.send("new", reading("154.0"), None).await.status.is_success());
    stands("new", "154.0", "counts", json!([])).await;

    // Nor is it lost before anybody has decided.
    portal.add_job("anna", "said", json!({})).await;
    let mut sent = reading("120.0");
    sent["results"][0]["comment"] = json!("Zähler wurde gewechselt");
    assert!(anna.send("said", sent, None).await.status.is_success());
    assert!(anna.send("said", reading("152.0"), None).await.status.is_success());
    stands("said", "152.0", "waits", told).await;
    recounts_nothing(&portal).await;
}

/// Where a reading is decided about.
fn decision_on(entry: &LedgerEntry) -> String {
    format!("/jobs/{}/readings/{}/decision", entry.job_id, entry.result_id)
}

/// A clerk names an exchange at the job's last reading.
async fn name_exchange(clerk: &Desk<'_>, job: &str, path: &str) {
    let version = clerk.get(&format!("/jobs/{job}")).await["file"]["readings"].as_array().unwrap().last().unwrap()["version"].clone();
    let named = json!({ "day": today().to_string(), "newNumber": "1EBZ0100000999", "finalValue": "9500", "initialValue": "0" });
    let done = clerk.post(path, json!({ "kind": "exchange", "version": version, "exchange": named, "confirmed": true })).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
}

/// What does not wait is in nobody's list, where a second member could agree (D-CLEARING-12).
#[tokio::test]
async fn nothing_is_proposed_of_what_does_not_wait() {
    let portal = Portal::with_account("anna").await;
    portal.configure(above(3710)).await;
    let path = much(&portal, "big").await;
    let replaced = last_reading(&portal, "big").await;
    assert!(portal.login("anna").await.send("big", reading("4712.0"), None).await.status.is_success());
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let version = portal.store().clearing_version(portal.tenant_id(), &replaced).await.unwrap().unwrap();
    clerk.post(&path, json!({ "kind": "release", "version": version })).await.assert_problem(409, "second-member-needed");
}

/// A job of which a reading came that a clerk has to look at, with 3,711 kWh since the one before: the job, and the path of its decision.
async fn much(portal: &Portal, job: &str) -> String {
    let event = json!({ "readingDate": "2020-01-01", "readingValue": "1000.0", "reason": "PERIODIC_READING" });
    let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "readingEvents": [event] });
    let meter = json!({ "meter": { "meterNumber": format!("1EMH {job}"), "meterRateTasks": [rate] } });
    portal.add_job("anna", job, meter).await;
    send_much(portal, job, "4711.0").await
}

async fn send_much(portal: &Portal, job: &str, value: &str) -> String {
    let mut sent = reading(value);
    sent["results"][0]["lowerReason"] = json!("ROLLOVER");
    let answer = portal.login("anna").await.send(job, sent, None).await;
    assert!(answer.status.is_success(), "{answer:?}");
    format!("/jobs/{job}/readings/{}/decision", last_reading(portal, job).await.result_id)
}

/// The only reading that waits, as it is listed.
async fn waits(desk: &Desk<'_>) -> Value {
    let list = desk.get("/waiting").await;
    assert_eq!(list["count"], 1, "{list}");
    list["items"][0]["reading"].clone()
}

fn above(limit: u32) -> Value {
    json!({ "desk": { "decisions": { "secondMemberAbove": { "kWh": limit } } } })
}

#[tokio::test]
async fn above_the_tenants_limit_a_second_member_agrees() {
    let portal = Portal::with_account("anna").await;
    portal.configure(above(3710)).await;
    let path = much(&portal, "big").await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);
    sommer.next(json!({})).await;
    let release = json!({ "kind": "release", "version": waits(&sommer).await["version"] });
    for _ in 0..2 {
        let proposed = sommer.post(&path, release.clone()).await;
        assert_eq!((proposed.status, &proposed.body["proposed"]), (StatusCode::OK, &json!(true)), "and once more: {proposed:?}");
    }
    let shown = waits(&sommer).await;
    assert_eq!((&shown["state"], &shown["proposal"]["kind"], &shown["decision"]), (&json!("waits"), &json!("release"), &Value::Null));
    assert_eq!(sommer.next(json!({})).await["reading"], Value::Null, "it does not come back to whoever proposed it");
    let agree = json!({ "kind": "agree", "version": shown["version"] });
    sommer.post(&path, agree.clone()).await.assert_problem(409, "second-member-needed");
    winter.post(&path, release).await.assert_problem(409, "decided-already");
    winter.post(&path, json!({ "kind": "agree", "version": "00000000" })).await.assert_problem(409, "decided-already");
    // That the first one looks at it again keeps it from nobody.
    let this = json!({ "this": { "job": "big", "reading": shown["id"] } });
    assert_eq!(sommer.next(this).await["reading"], shown["id"]);
    assert_eq!(winter.next(json!({})).await["reading"], shown["id"]);
    for _ in 0..2 {
        let agreed = winter.post(&path, agree.clone()).await;
        assert_eq!((agreed.status, &agreed.body["proposed"]), (StatusCode::OK, &json!(false)), "and once more: {agreed:?}");
    }
    let read = sommer.get("/jobs/big").await["file"]["readings"][0].clone();
    assert_eq!((&read["state"], &read["proposal"]), (&json!("counts"), &Value::Null));
    assert_ne!(read["decision"]["by"], read["decision"]["proposedBy"]);
    assert_eq!(read["decision"]["proposedBy"], shown["proposal"]["by"]);
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let kept =
        |command: &str| trail.iter().filter(|record| record.command == command).map(|record| record.member.clone()).collect::<Vec<_>>();
    assert_ne!(kept("desk propose").first(), kept("desk agree").first(), "{trail:?}");
    assert!(kept("desk release").is_empty());
    recounts_nothing(&portal).await;

    // Taken back it waits again, and needs two again.
    assert_eq!(winter.get("/decisions").await["decisions"].as_array().unwrap().len(), 1);
    assert_eq!(winter.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    let correct = json!({ "kind": "correct", "value": "4720.0", "confirmed": true, "version": waits(&winter).await["version"] });
    assert_eq!(winter.post(&path, correct).await.body["proposed"], true);
    let shown = waits(&sommer).await;
    assert_eq!((&shown["proposal"]["kind"], &shown["proposal"]["value"]), (&json!("correct"), &json!("4720.0")));
    let agreed = sommer.post(&path, json!({ "kind": "agree", "version": shown["version"] })).await;
    assert_eq!(agreed.status, StatusCode::OK, "{agreed:?}");
    let readings = sommer.get("/jobs/big").await["file"]["readings"].clone();
    let counts = readings.as_array().unwrap().iter().find(|read| read["state"] == "counts").unwrap();
    assert_eq!(counts["readingValue"], "4720.0");
}

#[tokio::test]
async fn a_proposal_ends_with_what_it_was_about() {
    let portal = Portal::with_account("anna").await;
    portal.configure(above(3710)).await;
    let path = much(&portal, "big").await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);
    let propose = async |path: &str| {
        let release = json!({ "kind": "release", "version": waits(&sommer).await["version"] });
        assert_eq!(sommer.post(path, release).await.body["proposed"], true);
        json!({ "kind": "agree", "version": waits(&winter).await["version"] })
    };
    // Taken back by whoever made it.
    let agree = propose(&path).await;
    assert_eq!(sommer.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(waits(&sommer).await["proposal"], Value::Null);
    winter.post(&path, agree).await.assert_problem(409, "decided-already");
    // A newer reading came.
    let agree = propose(&path).await;
    let newer = send_much(&portal, "big", "4712.0").await;
    winter.post(&path, agree).await.assert_problem(409, "decided-already");
    // Several at once propose nothing.
    let shown = waits(&winter).await;
    let items = json!([{ "job": "big", "reading": shown["id"], "version": shown["version"] }]);
    let several = winter.post("/waiting/decisions", json!({ "kind": "release", "items": items })).await;
    assert_eq!(several.body["items"][0]["code"], "second-member-needed", "{several:?}");
    // The other one rejects.
    let agree = propose(&newer).await;
    let reject = json!({ "kind": "reject", "version": agree["version"], "reason": "Bitte lesen Sie noch einmal." });
    assert_eq!(winter.post(&newer, reject).await.status, StatusCode::OK);
    let rejected = sommer.get("/jobs/big").await["file"]["readings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|read| read["state"] == "rejected")
        .unwrap()
        .clone();
    assert_eq!(rejected["proposal"], Value::Null);
    let anew = json!({ "kind": "release", "version": rejected["version"] });
    winter.post(&newer, anew).await.assert_problem(409, "second-member-needed");
}

/// Between proposal and agreement the utility's file may bring what makes the exchange unlikely (D-CLEARING-12).
#[tokio::test]
async fn an_exchange_is_looked_at_once_more_when_a_second_member_agrees() {
    let portal = Portal::with_account("anna").await;
    portal.configure(above(10)).await;
    let path = much(&portal, "big").await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);
    let propose = async |more: Value| {
        let named = json!({ "day": today().to_string(), "finalValue": "5000.0", "initialValue": "0" });
        let mut body = json!({ "kind": "exchange", "version": waits(&sommer).await["version"], "exchange": named });
        testing::merge(&mut body, more);
        let proposed = sommer.post(&path, body).await;
        assert_eq!((proposed.status, &proposed.body["proposed"]), (StatusCode::OK, &json!(true)), "{proposed:?}");
    };
    let agree = async || winter.post(&path, json!({ "kind": "agree", "version": waits(&winter).await["version"] })).await;
    propose(json!({})).await;
    let event = json!({ "readingDate": "2020-06-01", "readingValue": "6000.0", "reason": "PERIODIC_READING" });
    let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "readingEvents": [event] });
    let meter = json!({ "meter": { "meterNumber": "1EMH big", "meterRateTasks": [rate] } });
    assert_eq!(
        portal.list_job("anna", "big", meter, jiff::Timestamp::now()).await,
        JobImported::Updated { renumbered: false, dropped: false }
    );
    let refused = agree().await;
    refused.assert_problem(422, "confirmation-required");
    assert_eq!(refused.body["fieldErrors"][0]["field"], "exchange.finalValue", "{refused:?}");
    assert_eq!(waits(&sommer).await["proposal"]["kind"], "exchange");

    // What the first one confirmed needs no other word.
    propose(json!({ "confirmed": true })).await;
    assert_eq!(agree().await.status, StatusCode::OK);
    assert_eq!(sommer.get("/waiting").await["count"], 0);
}

#[tokio::test]
async fn up_to_the_limit_or_without_one_a_member_decides_alone() {
    for limit in [json!({}), above(3711)] {
        let portal = Portal::with_account("anna").await;
        portal.configure(limit).await;
        let path = much(&portal, "big").await;
        let clerk = Desk::of(&portal, Role::Clerk).await;
        let release = json!({ "kind": "release", "version": waits(&clerk).await["version"] });
        let released = clerk.post(&path, release).await;
        assert_eq!((released.status, &released.body["proposed"]), (StatusCode::OK, &json!(false)), "{released:?}");
        assert_eq!(clerk.get("/waiting").await["count"], 0);
    }
}

/// What waits when its job is closed is released as any other (D-CLEARING-12).
#[tokio::test]
async fn of_a_closed_job_a_second_member_agrees_too() {
    let portal = Portal::with_account("anna").await;
    portal.configure(above(3710)).await;
    let event = json!({ "readingDate": "2020-01-01", "readingValue": "1000.0", "reason": "PERIODIC_READING" });
    let rates = json!([{ "taskId": "t1", "obis": "1-0:1.8.1", "readingEvents": [event] }, { "taskId": "t2", "obis": "1-0:1.8.2" }]);
    portal.add_job("anna", "big", json!({ "meter": { "meterRateTasks": rates } })).await;
    let mut sent = reading("4711.0");
    testing::merge(&mut sent, json!({ "confirmed": true }));
    sent["results"][0]["lowerReason"] = json!("ROLLOVER");
    let answer = portal.login("anna").await.send("big", sent, None).await;
    assert!(answer.status.is_success(), "{answer:?}");
    let path = format!("/jobs/big/readings/{}/decision", last_reading(&portal, "big").await.result_id);
    portal.close_job("anna", "big").await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);
    let release = json!({ "kind": "release", "version": waits(&sommer).await["version"] });
    let proposed = sommer.post(&path, release).await;
    assert_eq!((proposed.status, &proposed.body["proposed"]), (StatusCode::OK, &json!(true)), "{proposed:?}");
    let agree = json!({ "kind": "agree", "version": waits(&winter).await["version"] });
    assert_eq!(winter.post(&path, agree).await.status, StatusCode::OK);
    assert_eq!(sommer.get("/waiting").await["count"], 0);
}

/// The first answer may be lost: the second one names the moment by which the decision is taken back.
#[tokio::test]
async fn what_is_sent_twice_is_taken_back_by_its_only_moment() {
    let portal = Portal::with_account("anna").await;
    portal.configure(above(3710)).await;
    portal.add_job("anna", "gas", gas()).await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let (entry, seen) = doubtful(&portal, &anna).await;
    let of_job = format!("/jobs/{}/readings/{}/decision", entry.job_id, entry.result_id);
    let id = visit(&portal, json!({})).await;
    let version = shown(&clerk.get("/waiting").await, &id)["withoutJob"]["version"].clone();
    let much = much(&portal, "big").await;
    let large = clerk.get("/jobs/big").await["file"]["readings"][0]["version"].clone();
    let reason = "Bitte lesen Sie noch einmal.";
    let decisions = [
        (&of_job, json!({ "kind": "reject", "version": seen, "reason": reason })),
        (&path(&id), json!({ "kind": "reject", "version": version, "reason": reason })),
        (&path(&id), json!({ "kind": "assign", "version": version, "job": "gas" })),
        (&much, json!({ "kind": "release", "version": large })),
    ];
    for (path, decision) in decisions {
        let first = clerk.post(path, decision.clone()).await;
        assert_eq!(first.status, StatusCode::OK, "{first:?}");
        let again = clerk.post(path, decision).await;
        assert_eq!((again.status, &again.body["at"]), (StatusCode::OK, &first.body["at"]), "{again:?}");
        let undo = format!("{path}?made={}", again.body["at"].as_str().unwrap());
        assert_eq!(clerk.send(Method::DELETE, &undo, None).await.status, StatusCode::NO_CONTENT);
        assert_eq!(clerk.get("/waiting").await["count"], 3);
    }

    // What was proposed since is another one's, and stays.
    let proposed = clerk.post(&much, json!({ "kind": "release", "version": large })).await;
    let version = clerk.get("/jobs/big").await["file"]["readings"][0]["version"].clone();
    let correct = json!({ "kind": "correct", "value": "4720.0", "confirmed": true, "version": version });
    assert_eq!(clerk.post(&much, correct).await.body["proposed"], true);
    let undo = format!("{much}?made={}", proposed.body["at"].as_str().unwrap());
    clerk.send(Method::DELETE, &undo, None).await.assert_problem(409, "decided-already");
    assert_eq!(clerk.get("/jobs/big").await["file"]["readings"][0]["proposal"]["kind"], "correct");
}

#[tokio::test]
async fn who_is_refused_anew_hears_the_new_words() {
    let portal = Portal::with_account("anna").await;
    let to = new_address();
    let anna = portal.login("anna").await;
    anna.register(&to).await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let (entry, seen) = doubtful(&portal, &anna).await;
    let sent = portal.send(Method::POST, "/api/pro/unknown-reading", Some(anna.token()), Some(&own_reading()), None).await;
    let id = sent.body["id"].as_str().unwrap();
    let version = shown(&clerk.get("/waiting").await, id)["withoutJob"]["version"].clone();
    let of_job = format!("/jobs/{}/readings/{}/decision", entry.job_id, entry.result_id);
    for (path, version) in [(of_job, json!(seen)), (path(id), version)] {
        let before = mails_to(&to).await.len();
        for reason in ["Das Foto fehlt.", "Das Foto ist unscharf.", "Das Foto ist unscharf."] {
            let refused = clerk.post(&path, json!({ "kind": "reject", "version": version, "reason": reason })).await;
            assert_eq!((refused.status, &refused.body["mailed"]), (StatusCode::OK, &json!(true)), "{refused:?}");
            let mails = mails_to(&to).await;
            let told = mails.iter().find(|mail| mail.to_string().contains(reason)).unwrap()["BodyText"].as_str().unwrap();
            // Who stops reminders would still get such a mail.
            assert!(told.contains("E-Mails ansehen und abbestellen: ") && told.contains("?ref=zaehlwerk"), "{told}");
            assert_eq!(clerk.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
        }
        assert_eq!(mails_to(&to).await.len(), before + 2, "the same words once");
    }
}

/// The wrong customer keeps neither photos nor words of the one whose reading it was (D-CLEARING-9), nor does a correction of it.
#[tokio::test]
async fn a_wrong_assignment_leaves_nothing_of_the_sender() {
    let portal = Portal::with_account("anna").await;
    portal.add_account("bert").await;
    portal.add_job("bert", "power", json!({})).await;
    let anna = portal.login("anna").await;
    let mut body = own_reading();
    let images = json!([{ "encodedImage": STANDARD.encode(PHOTO), "mimeType": "image/jpeg" }]);
    testing::merge(&mut body, json!({ "readingValue": "4711.0", "readingImages": images }));
    let sent = portal.send(Method::POST, "/api/pro/unknown-reading", Some(anna.token()), Some(&body), None).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
    let id = sent.body["id"].as_str().unwrap();
    let photo = portal.readings_without_job().await[0].image_ids().next().unwrap().to_string();
    assign(&portal, id, "power").await;
    let words = ["Der Zähler im Keller.", &photo];
    let knows = async |account: &str| {
        let subject = portal.subject(account).await;
        words.map(|word| subject.contains(word))
    };
    assert_eq!(knows("bert").await, [true, true]);

    let clerk = Desk::of(&portal, Role::Clerk).await;
    let read = clerk.get("/jobs/power").await["file"]["readings"][0].clone();
    let decision = format!("/jobs/power/readings/{}/decision", read["id"].as_str().unwrap());
    let correct = json!({ "kind": "correct", "version": read["version"], "value": "4720.0", "reason": "laut Foto", "confirmed": true });
    let corrected = clerk.post(&decision, correct).await;
    assert_eq!(corrected.status, StatusCode::OK, "{corrected:?}");
    for path in [decision, path(id)] {
        assert_eq!(clerk.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!((knows("bert").await, knows("anna").await), ([false, false], [true, true]));
    assert_eq!(clerk.get("/jobs/power").await["file"]["readings"].as_array().unwrap().len(), 2, "the values stay in the ledger");
}
