//! What staff do at the desk, from the search to the decision.

use domain::model::LowerReason;
use domain::staff::Role;
use jiff::ToSpan;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use testing::{Asked, Fate};

use crate::calls::{doubtful, last_reading, new_address, new_job};
use crate::lab::Lab;
use crate::world::{Answer, PHOTO, Portal, double_tariff, mails_to, reading, today};

/// Somebody at the desk of a portal.
pub struct Desk<'a> {
    portal: &'a Portal,
    session: String,
}

impl<'a> Desk<'a> {
    pub async fn of(portal: &'a Portal, role: Role) -> Self {
        Self { portal, session: portal.member(&[role]).await }
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let path = format!("/api/desk/tenants/{}{path}", self.portal.tenant());
        self.portal.send(method, &path, Some(&self.session), body.as_ref(), None).await
    }

    pub async fn get(&self, path: &str) -> Value {
        let answer = self.send(Method::GET, path, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {answer:?}");
        answer.body
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn next(&self, request: Value) -> Value {
        let answer = self.post("/waiting/next", request).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.body
    }
}

fn texts<'v>(list: &'v Value, field: &str) -> Vec<&'v str> {
    list.as_array().unwrap().iter().map(|row| row[field].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_customer_is_found_by_half_a_street_and_shown_on_one_screen() {
    let portal = Portal::with_account("anna").await;
    portal.add_account("bert").await;
    let at = |number: &str| json!({ "meter": { "meterAddress": { "street": "Hauptstraße", "houseNumber": number, "zip": "12345", "city": "Birkenfurt" } } });
    portal.add_job("anna", "job-1", at("1")).await;
    portal.add_job("bert", "job-2", at("2")).await;
    let desk = Desk::of(&portal, Role::Support).await;
    let found = desk.post("/search", json!({ "words": "hauptstr" })).await;
    assert_eq!(found.status, StatusCode::OK, "{found:?}");
    let mut accounts = texts(&found.body["customers"], "account");
    accounts.sort_unstable();
    assert_eq!(accounts, ["anna", "bert"]);
    let found = desk.post("/search", json!({ "words": "hauptstr 2" })).await.body;
    assert_eq!(texts(&found["customers"], "account"), ["bert"], "all words have to fit");
    assert_eq!(found["customers"][0]["place"]["houseNumber"], "2");
    assert_eq!(found["nextCursor"], Value::Null);
    desk.post("/search", json!({ "words": "gmbh" })).await.assert_problem(422, "request-invalid");
    desk.post("/search", json!({ "words": "x".repeat(201) })).await.assert_problem(422, "request-invalid");

    let anna = portal.login("anna").await;
    anna.register("anna@example.net").await;
    anna.share("Hausmeister", &["job-1"]).await;
    let image = anna.send_with_photo("job-1").await;
    let customer = desk.get("/customers/anna").await;
    assert_eq!((&customer["name"], &customer["username"]), (&json!("anna Mustermann"), &json!("anna")));
    assert_eq!(customer["registeredEmail"], "anna@example.net");
    assert_eq!(texts(&customer["shares"], "name"), ["Hausmeister"]);
    assert_eq!(customer["sessions"].as_array().unwrap().len(), 1);
    assert_eq!((&customer["isCut"], &customer["nextCursor"]), (&json!(false), &Value::Null));
    let job = &customer["jobs"][0];
    assert_eq!((&job["job"]["id"], &job["state"]), (&json!("job-1"), &json!("done")));
    let read = &job["readings"][0];
    assert_eq!((&read["readingValue"], &read["state"], &read["images"]), (&json!("4000.0"), &json!("counts"), &json!([image])));

    // Whoever looked is remembered; the address leads to the photo itself.
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert_eq!(trail.iter().map(|record| record.command.as_str()).collect::<Vec<_>>(), ["desk search", "desk customer"]);
    let photo = desk.get(&format!("/jobs/job-1/readings/{}/photos/{image}", read["id"].as_str().unwrap())).await;
    let jpeg = reqwest::get(photo["url"].as_str().unwrap()).await.unwrap();
    assert_eq!((jpeg.status(), &jpeg.headers()["content-type"]), (StatusCode::OK, &"image/jpeg".parse().unwrap()));
    assert!(jpeg.bytes().await.unwrap().len() <= PHOTO.len());
    let elsewhere = format!("/jobs/job-2/readings/{}/photos/{image}", read["id"].as_str().unwrap());
    desk.send(Method::GET, &elsewhere, None).await.assert_problem(404, "not-found");
    desk.send(Method::GET, "/customers/nobody", None).await.assert_problem(404, "not-found");
}

/// Of a number that ends many others not all jobs are looked at: whether one has it, nobody knows.
#[tokio::test]
async fn a_meters_number_that_finds_too_many_jobs_is_not_said_to_have_none() {
    let portal = Portal::with_account("anna").await;
    for number in 0..51 {
        portal.add_job("anna", &format!("job-{number}"), json!({ "meter": { "meterNumber": format!("{number:02}004711") } })).await;
    }
    let desk = Desk::of(&portal, Role::Support).await;
    for (number, told) in [
        ("4711", "nach der Zählernummer `4711` findet die Suche zu viele Aufträge; nennen Sie den Auftrag statt des Zählers"),
        ("99004711", "zum Zähler `99004711` gibt es keinen Auftrag; "),
    ] {
        let body = json!({
            "meterNumber": number, "channel": "PHONE", "readingDate": today().to_string(), "values": [{ "value": "1.0" }], "lang": "de",
        });
        let answer = desk.post("/readings", body).await;
        answer.assert_problem(422, "reading-invalid");
        let message = answer.body["fieldErrors"][0]["message"].as_str().unwrap();
        assert!(message.contains(told), "{message}");
    }
}

#[tokio::test]
async fn a_reading_that_came_by_phone_is_checked_and_entered_once() {
    let portal = Portal::with_account("anna").await;
    let [before, last] = [730, 365].map(|days| today().saturating_sub(days.days()).to_string());
    let event = |day: &str, value: &str| json!({ "readingDate": day, "readingValue": value, "reason": "ANNUAL_READING" });
    let years = [event(&before, "1000.0"), event(&last, "4100.0")];
    let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 1, "readingEvents": years });
    portal.add_job("anna", "job-1", json!({ "meter": { "meterNumber": "1EBZ0100000617", "meterRateTasks": [rate] } })).await;
    let desk = Desk::of(&portal, Role::Support).await;
    let job = desk.get("/jobs/job-1").await;
    let expected = &job["file"]["expected"]["t1"];
    assert_eq!((&expected["since"], &expected["from"], &expected["annual"]), (&json!(last), &json!("4100.0"), &json!("3100")));
    assert_eq!(job["rules"]["today"], today().to_string());
    assert!(job["rules"]["plausibility"]["electricity"]["bands"].is_array());

    let entry = |value: &str, more: Value| {
        let mut body = json!({
            "meterNumber": "1EBZ0100000617", "channel": "PHONE", "readingDate": today().to_string(), "values": [{ "value": value }],
        });
        testing::merge(&mut body, more);
        body
    };
    let unusual = desk.post("/readings", entry("71000.0", json!({}))).await;
    unusual.assert_problem(422, "confirmation-required");
    assert_eq!(
        (&unusual.body["fieldErrors"][0]["field"], &unusual.body["fieldErrors"][0]["code"]),
        (&json!("values[0].value"), &json!("EXPECTED_HIGH"))
    );
    let fine = desk.post("/readings", entry("7100.05", json!({ "lang": "de" }))).await;
    fine.assert_problem(422, "reading-invalid");
    assert_eq!(fine.body["fieldErrors"][0]["message"], "1.8.0: nötig ist genau eine Nachkommastelle");
    let tried = desk.post("/readings", entry("7100.0", json!({ "trial": true }))).await;
    assert_eq!((tried.status, &tried.body["outcome"]), (StatusCode::OK, &json!("tried")));
    assert!(portal.ledger().await.is_empty());

    let first = desk.post("/readings", entry("7100.0", json!({ "comment": "am Telefon" }))).await;
    assert_eq!((first.status, &first.body["outcome"], &first.body["done"]), (StatusCode::OK, &json!("stored"), &json!(true)), "{first:?}");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert!(trail.iter().any(|record| record.command == "desk reading" && record.account.is_some()), "whose it is: {trail:?}");
    let long = json!({ "meterNumber": "1".repeat(101), "job": null });
    desk.post("/readings", entry("7100.0", long)).await.assert_problem(422, "request-invalid");
    let again = desk.post("/readings", entry("7100.0", json!({ "comment": "am Telefon" }))).await;
    assert_eq!(again.body, first.body, "a repeated request gets the first one's answer");
    let entered = portal.ledger().await;
    assert_eq!(entered.len(), 1);
    assert_eq!((entered[0].channel, entered[0].entered.is_some()), (domain::model::Channel::Phone, true));
    let same = desk.post("/readings", entry("7100.0", json!({}))).await.body;
    assert_eq!(same["outcome"], "unchanged");
    desk.post("/readings", entry("7101.0", json!({}))).await.assert_problem(409, "read-already");
    let seen = &first.body["readings"];
    let late = desk.post("/readings", entry("7101.0", json!({ "late": "Kundin hat sich verlesen", "replaces": seen }))).await;
    assert_eq!(late.status, StatusCode::OK, "{late:?}");
    let unusual = json!({ "late": "Neuer Stand", "confirmed": "Wärmepumpe", "replaces": late.body["readings"] });
    let confirmed = desk.post("/readings", entry("71000.0", unusual)).await;
    assert_eq!(confirmed.body["doubts"], json!(["EXPECTED_HIGH"]), "{confirmed:?}");

    desk.post("/readings", json!({ "channel": "PHONE", "readingDate": today().to_string(), "values": [] }))
        .await
        .assert_problem(422, "request-invalid");
    let unknown = desk.post("/readings", entry("1.0", json!({ "meterNumber": "7XYZ9999999999" }))).await;
    unknown.assert_problem(422, "reading-invalid");
    assert_eq!(unknown.body["fieldErrors"][0]["field"], "meterNumber");
    let portal_channel = desk.post("/readings", entry("1.0", json!({ "channel": "PORTAL" }))).await;
    portal_channel.assert_problem(422, "request-invalid");
}

/// D-READING-22: a clerk whose form was open meanwhile is told before anything is stored.
#[tokio::test]
async fn of_what_was_rejected_meanwhile_no_register_is_left_out_without_a_word() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", double_tariff()).await;
    let (support, clerk) = (Desk::of(&portal, Role::Support).await, Desk::of(&portal, Role::Clerk).await);
    let entry = |more: Value| {
        let mut body = json!({
            "job": "job-1", "channel": "PHONE", "readingDate": today().to_string(), "values": [{ "register": "1.8.1", "value": "4711.0" }],
            "confirmed": "NT ist verbaut",
        });
        testing::merge(&mut body, more);
        body
    };
    let both = json!([{ "register": "1.8.1", "value": "4711.0" }, { "register": "1.8.2", "value": "233.0" }]);
    let first = support.post("/readings", entry(json!({}))).await;
    assert_eq!(first.status, StatusCode::OK, "{first:?}");
    let read = portal.ledger().await.remove(0);
    let version = portal.store().clearing_version(portal.tenant_id(), &read).await.unwrap().unwrap();
    let reject = json!({ "kind": "reject", "version": version, "reason": "Ziffer unklar" });
    let rejected = clerk.post(&format!("/jobs/job-1/readings/{}/decision", read.result_id), reject).await;
    assert_eq!(rejected.status, StatusCode::OK, "{rejected:?}");

    let refused = support.post("/readings", entry(json!({ "values": both, "lang": "de" }))).await;
    refused.assert_problem(409, "entered-before");
    assert_eq!(refused.body["fieldErrors"][0]["field"], "values[0].value");
    assert_eq!(refused.body["fieldErrors"][0]["message"], "1.8.1: schon eingetragen und dann abgelehnt: Ziffer unklar");
    assert_eq!(portal.ledger().await.len(), 1);
    let late = json!({ "values": both, "late": "Kundin hat noch einmal nachgesehen" });
    support.post("/readings", entry(late.clone())).await.assert_problem(409, "entered-before");
    let mut named = late;
    testing::merge(&mut named, json!({ "replaces": [read.result_id] }));
    let late = support.post("/readings", entry(named)).await;
    assert_eq!((late.status, &late.body["done"]), (StatusCode::OK, &json!(true)), "{late:?}");
    assert_eq!(portal.ledger().await.len(), 3);
}

/// D-READING-22: that another reading is there by now says nothing of the rejected one.
#[tokio::test]
async fn a_rejected_reading_is_named_beside_the_one_that_is_there_by_now() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", double_tariff()).await;
    let (support, clerk) = (Desk::of(&portal, Role::Support).await, Desk::of(&portal, Role::Clerk).await);
    let enter = async |value: &str, more: Value| {
        let mut body = json!({
            "job": "job-1", "channel": "PHONE", "readingDate": today().to_string(), "values": [{ "register": "1.8.1", "value": value }],
            "confirmed": "NT ist verbaut", "lang": "de",
        });
        testing::merge(&mut body, more);
        support.post("/readings", body).await
    };
    assert_eq!(enter("4711.0", json!({})).await.status, StatusCode::OK);
    let read = portal.ledger().await.remove(0);
    let version = portal.store().clearing_version(portal.tenant_id(), &read).await.unwrap().unwrap();
    let reject = json!({ "kind": "reject", "version": version, "reason": "anderer Zähler" });
    let rejected = clerk.post(&format!("/jobs/job-1/readings/{}/decision", read.result_id), reject).await;
    assert_eq!(rejected.status, StatusCode::OK, "{rejected:?}");
    let there = enter("4800.0", json!({})).await;
    assert_eq!(there.status, StatusCode::OK, "{there:?}");

    let mut replaces = there.body["readings"].as_array().unwrap().clone();
    let late = "Kunde hat noch einmal nachgesehen";
    let refused = enter("04711.0", json!({ "late": late, "replaces": replaces })).await;
    refused.assert_problem(409, "entered-before");
    assert_eq!(refused.body["fieldErrors"][0]["message"], "1.8.1: schon eingetragen und dann abgelehnt: anderer Zähler");
    replaces.push(json!(read.result_id));
    let entered = enter("04711.0", json!({ "late": late, "replaces": replaces })).await;
    assert_eq!((entered.status, &entered.body["outcome"]), (StatusCode::OK, &json!("stored")), "{entered:?}");
    // What was replaced without being rejected needs no more than what is there.
    let again = enter("4800.0", json!({ "late": late, "replaces": entered.body["readings"] })).await;
    assert_eq!((again.status, &again.body["outcome"]), (StatusCode::OK, &json!("stored")), "{again:?}");
}

/// A correction that was taken back is as if it had never been: its value may come on a card.
#[tokio::test]
async fn what_a_clerk_put_there_and_took_back_was_not_entered_before() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", double_tariff()).await;
    let (support, clerk) = (Desk::of(&portal, Role::Support).await, Desk::of(&portal, Role::Clerk).await);
    let card = |value: &str| {
        json!({
            "job": "job-1", "channel": "CARD", "readingDate": today().to_string(), "values": [{ "register": "1.8.1", "value": value }],
            "confirmed": "NT ist verbaut",
        })
    };
    assert_eq!(support.post("/readings", card("4711.0")).await.status, StatusCode::OK);
    let read = portal.ledger().await.remove(0);
    let decision = format!("/jobs/job-1/readings/{}/decision", read.result_id);
    let decide = async |body: Value| {
        let mut body = body;
        let version = portal.store().clearing_version(portal.tenant_id(), &read).await.unwrap();
        testing::merge(&mut body, json!({ "version": version }));
        let done = clerk.post(&decision, body).await;
        assert_eq!(done.status, StatusCode::OK, "{done:?}");
    };
    decide(json!({ "kind": "correct", "value": "4712.0", "reason": "laut Foto" })).await;
    assert_eq!(clerk.send(Method::DELETE, &decision, None).await.status, StatusCode::NO_CONTENT);
    decide(json!({ "kind": "reject", "reason": "Ziffer unklar" })).await;
    // Another request: the same one would get the first one's answer.
    let mut again = card("4711.0");
    testing::merge(&mut again, json!({ "lang": "de" }));
    support.post("/readings", again).await.assert_problem(409, "entered-before");
    let entered = support.post("/readings", card("4712.0")).await;
    assert_eq!((entered.status, &entered.body["outcome"]), (StatusCode::OK, &json!("stored")), "{entered:?}");
}

/// D-READING-22: of two clerks the second one learns what the first one has put there.
#[tokio::test]
async fn that_a_reading_is_late_takes_nobodys_place() {
    let portal = Portal::with_account("anna").await;
    let mut over = double_tariff();
    let (opened, ended) = (today() - 60.days(), today() - 20.days());
    testing::merge(&mut over, json!({ "jobConstraints": { "earliestExecution": opened, "latestExecution": ended } }));
    portal.add_job("anna", "job-1", over).await;
    let (sommer, winter) = (Desk::of(&portal, Role::Support).await, Desk::of(&portal, Role::Support).await);
    let entry = |values: Value, replaces: &[&Value]| {
        json!({
            "job": "job-1", "channel": "CARD", "readingDate": (today() - 30.days()).to_string(), "values": values, "confirmed": "NT ist verbaut",
            "late": "Karte lag im Eingang", "replaces": replaces,
        })
    };
    let ht = |value: &str| json!([{ "register": "1.8.1", "value": value }]);
    let both = |ht: &str| json!([{ "register": "1.8.1", "value": ht }, { "register": "1.8.2", "value": "233.0" }]);
    let first = winter.post("/readings", entry(ht("4711.0"), &[])).await;
    assert_eq!(first.status, StatusCode::OK, "{first:?}");
    let shown = &first.body["readings"][0];

    for values in [ht("4171.0"), both("4171.0")] {
        let unseen = sommer.post("/readings", entry(values, &[])).await;
        unseen.assert_problem(409, "read-already");
        let told = unseen.body["fieldErrors"][0]["message"].as_str().unwrap();
        assert!(told.contains("4711"), "{told}");
    }
    let second = winter.post("/readings", entry(ht("4712.0"), &[shown])).await;
    assert_eq!(second.status, StatusCode::OK, "{second:?}");
    sommer.post("/readings", entry(both("4171.0"), &[shown])).await.assert_problem(409, "read-already");
    sommer.post("/readings", entry(both("4711.0"), &[shown])).await.assert_problem(409, "read-already");
    assert_eq!(portal.ledger().await.len(), 2);
    let third = sommer.post("/readings", entry(both("4171.0"), &[&second.body["readings"][0]])).await;
    assert_eq!((third.status, &third.body["done"]), (StatusCode::OK, &json!(true)), "{third:?}");
}

#[tokio::test]
async fn what_is_entered_once_more_says_whether_a_register_is_still_missing() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", double_tariff()).await;
    let desk = Desk::of(&portal, Role::Support).await;
    let entry = |values: Value, comment: &str| {
        json!({
            "job": "job-1", "channel": "PHONE", "readingDate": today().to_string(), "values": values, "confirmed": "NT ist verbaut",
            "comment": comment,
        })
    };
    let one = json!([{ "register": "1.8.1", "value": "10.0" }]);
    let first = desk.post("/readings", entry(one.clone(), "am Telefon")).await;
    assert_eq!((&first.body["outcome"], &first.body["done"]), (&json!("stored"), &json!(false)), "{first:?}");
    let again = desk.post("/readings", entry(one.clone(), "noch einmal am Telefon")).await.body;
    assert_eq!((&again["outcome"], &again["done"]), (&json!("unchanged"), &json!(false)), "{again}");
    desk.post("/readings", entry(json!([{ "register": "1.8.2", "value": "20.0" }]), "am Telefon")).await;
    let whole = desk.post("/readings", entry(one, "zum dritten Mal am Telefon")).await.body;
    assert_eq!((&whole["outcome"], &whole["done"]), (&json!("unchanged"), &json!(true)), "{whole}");
}

/// D-READING-24
#[tokio::test]
async fn an_entry_that_was_stopped_before_its_receipt_has_it_when_it_is_repeated() {
    let lab = Lab::start().await;
    lab.portal.add_job("owner", "read-since", json!({})).await;
    let (owner, address) = (lab.portal.persona("owner"), new_address());
    owner.register(&address).await;
    let desk = Desk::of(&lab.portal, Role::Support).await;
    let entry =
        |job: &str| json!({ "job": job, "channel": "PHONE", "readingDate": today().to_string(), "values": [{ "value": "4000.5" }] });
    let is_of_mail = |asked: &Asked| asked.action == "TransactWriteItems" && asked.names("recipientHash");
    lab.proxy.play(move |_, asked| if is_of_mail(asked) { Fate::Fails } else { Fate::Works });
    for job in ["owner-job", "read-since"] {
        desk.post("/readings", entry(job)).await.assert_problem(503, "temporarily-unavailable");
    }
    lab.proxy.stop();
    assert_eq!(owner.send("read-since", reading("4001.5"), None).await.status, StatusCode::OK);
    for _ in 0..2 {
        for job in ["owner-job", "read-since"] {
            let again = desk.post("/readings", entry(job)).await;
            assert_eq!((again.status, &again.body["outcome"]), (StatusCode::OK, &json!("stored")), "{again:?}");
        }
        let mails = mails_to(&address).await;
        assert_eq!(mails.len(), 2, "the link that confirms, and one receipt: {mails:?}");
    }
}

/// D-READING-25: what is not lower than before needs no reason, and the market gets none.
#[tokio::test]
async fn a_corrected_value_above_the_last_reading_is_no_rollover_any_more() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let event = json!({ "readingDate": "2025-11-20", "readingValue": "98000.0" });
    let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "preDecimals": 5, "postDecimals": 1, "readingEvents": [event] });
    for (job, corrected, reason) in [("above", "98765.0", None), ("below", "00765.0", Some(LowerReason::Rollover))] {
        portal.add_job("anna", job, json!({ "meter": { "meterNumber": job, "meterRateTasks": [rate] } })).await;
        let mut sent = reading("08765.0");
        sent["results"][0]["lowerReason"] = json!("ROLLOVER");
        sent["confirmed"] = json!(true);
        assert_eq!(anna.send(job, sent, None).await.status, StatusCode::OK);
        let entry = last_reading(&portal, job).await;
        assert_eq!(entry.lower_reason, Some(LowerReason::Rollover));
        let version = portal.store().clearing_version(portal.tenant_id(), &entry).await.unwrap().unwrap();
        let correct = json!({ "kind": "correct", "version": version, "value": corrected, "reason": "laut Foto", "confirmed": true });
        let done = clerk.post(&format!("/jobs/{job}/readings/{}/decision", entry.result_id), correct).await;
        assert_eq!(done.status, StatusCode::OK, "{done:?}");
        let entry = last_reading(&portal, job).await;
        assert_eq!((entry.reading_value.as_str(), entry.lower_reason), (corrected, reason));
    }
}

#[tokio::test]
async fn two_clerks_get_two_readings_and_the_second_is_told_who_decided() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let (first, version) = doubtful(&portal, &anna).await;
    let (second, _) = doubtful(&portal, &anna).await;
    let (sommer, winter) = (Desk::of(&portal, Role::Clerk).await, Desk::of(&portal, Role::Clerk).await);
    let list = sommer.get("/waiting").await;
    assert_eq!((&list["count"], texts(&list["items"], "name")), (&json!(2), vec!["anna Mustermann"; 2]));
    assert_eq!(list["items"][0]["reading"]["doubts"], json!(["ROLLOVER"]));
    assert_eq!(sommer.get("/waiting?reason=OUTSIDE_RANGE").await["count"], 0);
    sommer.send(Method::GET, "/waiting?reason=NONE", None).await.assert_problem(400, "malformed-request");

    let (mine, other) = (sommer.next(json!({})).await, winter.next(json!({})).await);
    assert_eq!((&mine["reading"], &other["reading"]), (&json!(first.result_id), &json!(second.result_id)));
    assert_eq!(mine["job"]["file"]["readings"][0]["version"], version);
    assert_eq!(winter.next(json!({ "after": other["place"] })).await["reading"], Value::Null);

    let path = format!("/jobs/{}/readings/{}/decision", first.job_id, first.result_id);
    let decided = sommer.post(&path, json!({ "kind": "release", "version": version })).await;
    assert_eq!(decided.status, StatusCode::OK, "{decided:?}");
    let told = winter.post(&path, json!({ "kind": "reject", "version": version, "reason": "Bitte noch einmal." })).await;
    told.assert_problem(409, "decided-already");
    assert_eq!(told.body["decision"]["kind"], "release");
    assert!(told.body["decision"]["by"].as_str().unwrap().starts_with("member-"), "{told:?}");
    let rejecting = winter.post(&path, json!({ "kind": "reject", "version": version, "reason": " " })).await;
    rejecting.assert_problem(422, "request-invalid");

    // The one who decided takes it back, from the list of the day.
    let day = sommer.get("/decisions").await;
    assert_eq!((day["decisions"].as_array().unwrap().len(), &day["decisions"][0]["decision"]["kind"]), (1, &json!("release")));
    assert_eq!(day["decisions"][0]["decision"]["taken"], Value::Null);
    assert_eq!(winter.get("/decisions").await["decisions"], json!([]));
    // Whoever means another decision than the one that holds takes nothing back.
    let meant = |made: &str| format!("{path}?made={made}");
    let stale = sommer.send(Method::DELETE, &meant("2026-01-01T00:00:00Z"), None).await;
    stale.assert_problem(409, "decided-already");
    assert_eq!(stale.body["decision"]["kind"], "release");
    let (made, listed) = (decided.body["at"].as_str().unwrap(), &day["decisions"][0]["decision"]["at"]);
    assert_eq!(made, listed);
    let path = meant(made);
    assert_eq!(sommer.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!((&sommer.get("/waiting").await["count"], &sommer.get("/decisions").await["decisions"]), (&json!(2), &json!([])));
}

#[tokio::test]
async fn a_value_is_corrected_a_meter_exchanged_and_what_is_unclear_put_aside() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let decide = async |entry: &store::LedgerEntry, body: Value| {
        clerk.post(&format!("/jobs/{}/readings/{}/decision", entry.job_id, entry.result_id), body).await
    };
    let (entry, version) = doubtful(&portal, &anna).await;
    let correct = |value: &str| json!({ "kind": "correct", "version": version, "value": value, "reason": "laut Foto" });
    decide(&entry, correct("4711.05")).await.assert_problem(422, "reading-invalid");
    decide(&entry, correct("4711.0")).await.assert_problem(422, "reading-invalid");
    let done = decide(&entry, correct("4171.0")).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
    let readings = clerk.get(&format!("/jobs/{}", entry.job_id)).await["file"]["readings"].clone();
    assert_eq!((texts(&readings, "readingValue"), texts(&readings, "state")), (vec!["4711.0", "4171.0"], vec!["corrected", "counts"]));
    let jobs = anna.get("/api/pro/job").await.body;
    let shown = jobs["jobs"].as_array().unwrap().iter().find(|job| job["id"] == entry.job_id.as_str()).unwrap();
    assert_eq!(texts(&shown["meter"]["meterRateTasks"][0]["readingResults"], "readingValue"), ["4171.0"]);

    let (entry, version) = doubtful(&portal, &anna).await;
    let exchange = |day: &str| json!({ "day": day, "newNumber": "1EBZ0100000999", "finalValue": "48210.4", "initialValue": "0" });
    let tomorrow = today().tomorrow().unwrap().to_string();
    let german = today().tomorrow().unwrap().strftime("%d.%m.%Y").to_string();
    let wrong = decide(&entry, json!({ "kind": "exchange", "version": version, "exchange": exchange(&tomorrow), "lang": "de" })).await;
    wrong.assert_problem(422, "request-invalid");
    let fault = &wrong.body["fieldErrors"][0];
    assert_eq!(fault["field"], "exchange.day");
    assert!(fault["message"].as_str().unwrap().starts_with(&format!("{german} liegt nach dem Tag der Ablesung")), "{fault}");
    let wrong = decide(&entry, json!({ "kind": "exchange", "version": version, "exchange": exchange("1026-11-02") })).await;
    wrong.assert_problem(422, "request-invalid");
    assert_eq!(wrong.body["fieldErrors"][0]["field"], "exchange.day");
    let day = today().to_string();
    assert_eq!(decide(&entry, json!({ "kind": "exchange", "version": version, "exchange": exchange(&day) })).await.status, StatusCode::OK);

    // Put right afterwards, it waits until the exchange is named at the value that goes out.
    let readings = async || clerk.get(&format!("/jobs/{}", entry.job_id)).await["file"]["readings"].clone();
    let correct = json!({ "kind": "correct", "version": readings().await[0]["version"], "value": "4171.0", "reason": "laut Foto" });
    assert_eq!(decide(&entry, correct).await.status, StatusCode::OK);
    let waiting = readings().await[1].clone();
    assert_eq!((&waiting["state"], &waiting["doubts"]), (&json!("waits"), &json!(["METER_CHANGE"])), "{waiting}");
    assert_eq!(clerk.get("/waiting?reason=METER_CHANGE").await["count"], 1);
    let path = format!("/jobs/{}/readings/{}/decision", entry.job_id, waiting["id"].as_str().unwrap());
    let body = json!({ "kind": "exchange", "version": waiting["version"], "exchange": exchange(&day) });
    assert_eq!(clerk.post(&path, body).await.status, StatusCode::OK);
    assert_eq!(clerk.get("/waiting").await["count"], 0);

    let (entry, version) = doubtful(&portal, &anna).await;
    let aside = json!({ "kind": "aside", "version": version, "note": "Kundin ruft zurück" });
    let put = decide(&entry, aside.clone()).await;
    assert_eq!(put.status, StatusCode::OK, "{put:?}");
    assert_eq!(decide(&entry, aside).await.body["at"], put.body["at"], "the same once more");
    assert_eq!(clerk.next(json!({})).await["reading"], Value::Null, "nobody gets it as the next one");
    let list = clerk.get("/waiting").await;
    assert_eq!((&list["count"], &list["items"][0]["reading"]["aside"]["note"]), (&json!(1), &json!("Kundin ruft zurück")));
    // A colleague who has not seen the note does not decide past it.
    decide(&entry, json!({ "kind": "release", "version": version })).await.assert_problem(409, "decided-already");
    // Nor is the colleague's own note taken back with the one before it (D-CLEARING-7).
    let colleague = Desk::of(&portal, Role::Clerk).await;
    let path = format!("/jobs/{}/readings/{}/decision", entry.job_id, entry.result_id);
    let theirs = json!({ "kind": "aside", "version": list["items"][0]["reading"]["version"], "note": "Hausverwaltung fragen" });
    let put_since = colleague.post(&path, theirs).await;
    assert_eq!(put_since.status, StatusCode::OK, "{put_since:?}");
    let take_back =
        async |put: &Answer| clerk.send(Method::DELETE, &format!("{path}?made={}", put.body["at"].as_str().unwrap()), None).await;
    take_back(&put).await.assert_problem(409, "decided-already");
    assert_eq!(clerk.get("/waiting").await["items"][0]["reading"]["aside"]["note"], "Hausverwaltung fragen");
    for _ in 0..2 {
        assert_eq!(take_back(&put_since).await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(clerk.next(json!({})).await["reading"], json!(entry.result_id));
}

/// What a clerk mistypes of an exchange is billed: "48.210" for 48,210, a digit too many, both counters in each other's place.
#[tokio::test]
async fn the_counters_of_an_exchange_are_checked_and_make_the_reason() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let event = json!({ "readingDate": "2025-11-20", "readingValue": "48000" });
    let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "preDecimals": 5, "postDecimals": 0, "readingEvents": [event] });
    portal.add_job("anna", "job-1", json!({ "meter": { "meterRateTasks": [rate] } })).await;
    let mut sent = reading("00012");
    sent["results"][0]["lowerReason"] = json!("ROLLOVER");
    sent["confirmed"] = json!(true);
    assert_eq!(anna.send("job-1", sent, None).await.status, StatusCode::OK);
    let entry = last_reading(&portal, "job-1").await;
    let version = portal.store().clearing_version(portal.tenant_id(), &entry).await.unwrap().unwrap();
    let path = format!("/jobs/job-1/readings/{}/decision", entry.result_id);
    let exchange = |day: &str, last: &str, first: &str, confirmed: bool| {
        let named = json!({ "day": day, "finalValue": last, "initialValue": first });
        clerk.post(&path, json!({ "kind": "exchange", "version": version, "exchange": named, "confirmed": confirmed, "lang": "de" }))
    };
    let said = |answer: &Answer| -> Vec<(String, String)> {
        let faults = answer.body["fieldErrors"].as_array().unwrap().iter();
        faults.map(|fault| (fault["field"].as_str().unwrap().to_owned(), fault["message"].as_str().unwrap().to_owned())).collect()
    };
    let (first, last) = ("exchange.initialValue".to_owned(), "exchange.finalValue".to_owned());
    let today = today().to_string();
    for (wrong, why) in [("48.210", "hat mehr Nachkommastellen als das Zählwerk"), ("482104", "das Zählwerk hat 5 Stellen vor dem Komma")]
    {
        let refused = exchange(&today, wrong, "0", false).await;
        refused.assert_problem(422, "confirmation-required");
        assert_eq!(said(&refused)[0], (last.clone(), why.to_owned()));
    }
    let swapped = exchange(&today, "0", "48210", false).await;
    swapped.assert_problem(422, "confirmation-required");
    let lower = "der Endstand ist kleiner als der letzte bekannte Stand (48000)";
    let greater = "der Anfangsstand ist größer als der abgelesene Stand (00012)";
    assert_eq!(said(&swapped), [(last, lower.to_owned()), (first, greater.to_owned())]);
    let early = exchange("2025-11-02", "48210", "0", false).await;
    early.assert_problem(422, "confirmation-required");
    let before = "der Wechsel am 02.11.2025 liegt vor dem letzten bekannten Stand vom 20.11.2025";
    assert_eq!(said(&early), [("exchange.day".to_owned(), before.to_owned())]);
    assert_eq!(clerk.get("/waiting").await["count"], 1);

    // The reader sees no rollover any more, and sees it again when the decision is taken back.
    let reason = async || {
        let jobs = anna.get("/api/pro/job").await.body;
        jobs["jobs"][0]["meter"]["meterRateTasks"][0]["readingResults"][0]["lowerReason"].clone()
    };
    assert_eq!(reason().await, "ROLLOVER");
    let done = exchange(&today, "48210", "0", false).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
    assert_eq!(reason().await, "METER_CHANGE");
    assert_eq!(clerk.get("/jobs/job-1").await["file"]["readings"][0]["lowerReason"], "METER_CHANGE");
    assert_eq!(clerk.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(reason().await, "ROLLOVER");
    // The nightly file may have the new meter already, which has other digits than the one that went.
    assert_eq!(exchange("2025-11-02", "123456", "0", true).await.status, StatusCode::OK, "with a clerk's word");
}

/// Of a customer with jobs of two seasons the search for whose a reading is has both, and first the one that is to be read.
#[tokio::test]
async fn jobs_are_found_each_and_open_ones_first() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let meter = json!({ "meter": { "meterNumber": "1EBZ0100000611" } });
    portal.add_job("anna", "a-2025", meter.clone()).await;
    assert_eq!(anna.send("a-2025", reading("4711.0"), None).await.status, StatusCode::OK);
    portal.add_job("anna", "b-2026", meter).await;
    let desk = Desk::of(&portal, Role::Clerk).await;
    let found = desk.post("/search", json!({ "words": "0611", "jobs": true })).await;
    assert_eq!(found.status, StatusCode::OK, "{found:?}");
    let found = &found.body["customers"];
    assert_eq!((texts(found, "job"), texts(found, "state")), (vec!["b-2026", "a-2025"], vec!["open", "done"]));
    assert_eq!((&found[0]["season"], &found[0]["meterType"]), (&json!("default"), &json!("ELECTRIC_METER")));
    let customers = desk.post("/search", json!({ "words": "0611" })).await.body;
    assert_eq!(texts(&customers["customers"], "account"), ["anna"]);
}

#[tokio::test]
async fn a_reading_of_a_closed_job_is_not_corrected_and_can_be_released() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let (entry, version) = doubtful(&portal, &anna).await;
    portal.close_job("anna", entry.job_id.as_str()).await;
    let path = format!("/jobs/{}/readings/{}/decision", entry.job_id, entry.result_id);
    let correct = json!({ "kind": "correct", "version": version, "value": "4171.0", "reason": "laut Foto" });
    clerk.post(&path, correct).await.assert_problem(422, "job-closed");
    assert_eq!(clerk.post(&path, json!({ "kind": "release", "version": version })).await.status, StatusCode::OK);
}

/// Taking a correction back leaves nothing of its value that could be taken back, too, and then would count.
#[tokio::test]
async fn a_correction_is_taken_back_once() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let (entry, version) = doubtful(&portal, &anna).await;
    let correct = json!({ "kind": "correct", "version": version, "value": "4171.0", "reason": "laut Foto" });
    let path = format!("/jobs/{}/readings/{}/decision", entry.job_id, entry.result_id);
    assert_eq!(clerk.post(&path, correct).await.status, StatusCode::OK);
    let states = async || {
        let readings = clerk.get(&format!("/jobs/{}", entry.job_id)).await["file"]["readings"].clone();
        texts(&readings, "state").into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut seen = Vec::new();
    for place in [0, 1] {
        let readings = clerk.get(&format!("/jobs/{}", entry.job_id)).await["file"]["readings"].clone();
        let id = readings[place]["id"].as_str().unwrap();
        let path = format!("/jobs/{}/readings/{id}/decision", entry.job_id);
        assert_eq!(clerk.send(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
        seen.push(states().await);
    }
    assert_eq!(seen[0], ["waits", "rejected"]);
    assert_eq!(seen[0], seen[1]);
}

#[tokio::test]
async fn who_has_not_answered_is_a_list_and_a_file() {
    let portal = Portal::with_account("anna").await;
    let at =
        |street: &str, number: &str| json!({ "meter": { "meterAddress": { "street": street, "houseNumber": number, "zip": "12345" } } });
    for (job, street, number) in [("job-1", "Weg", "10"), ("job-2", "Weg", "9"), ("job-3", "Allee", "1")] {
        portal.add_job("anna", job, at(street, number)).await;
    }
    let anna = portal.login("anna").await;
    let read = new_job(&portal, "anna").await;
    assert_eq!(anna.send(&read, reading("1.0"), None).await.status, StatusCode::OK);
    let desk = Desk::of(&portal, Role::Support).await;
    let list = desk.get("/open").await;
    assert_eq!(
        (&list["count"], texts(&list["rows"], "job")),
        (&json!(3), vec!["job-3", "job-2", "job-1"]),
        "in the order in which somebody walks"
    );
    assert_eq!(desk.get("/open?email=true").await["rows"], json!([]));
    assert_eq!(desk.get("/open?district=9").await["count"], 0);
    desk.send(Method::GET, "/open?district=%F0%9F%98%80", None).await.assert_problem(400, "malformed-request");
    desk.send(Method::GET, "/open?meterType=STEAM", None).await.assert_problem(400, "malformed-request");
    let file = desk.send(Method::GET, "/open?format=csv", None).await;
    assert_eq!(file.status, StatusCode::OK);
    let lines = String::from_utf8(file.bytes).unwrap();
    assert_eq!(lines.lines().count(), 4, "{lines}");
    let book = desk.send(Method::GET, "/open?format=xlsx", None).await;
    assert_eq!((&book.bytes[..2], book.header("content-disposition")), (&b"PK"[..], Some("attachment; filename=\"offen.xlsx\"")));
}

/// The count is of the list's entries, rows, letters and reminders are of the jobs: both find the same.
#[tokio::test]
async fn a_filter_of_town_and_district_counts_what_it_lists() {
    let portal = Portal::with_account("anna").await;
    for (job, city, district) in [("job-1", "Jena", "Nord"), ("job-2", "Jena", "Süd"), ("job-3", "Gera", "Nord")] {
        let address = json!({ "zip": "07743", "city": city, "cityDistrict": district });
        portal.add_job("anna", job, json!({ "meter": { "meterAddress": address } })).await;
    }
    let desk = Desk::of(&portal, Role::Support).await;
    for (district, found) in [("jena%20nord", vec!["job-1"]), ("nord%200774", vec!["job-1", "job-3"]), ("jena%20west", vec![])] {
        let list = desk.get(&format!("/open?district={district}")).await;
        assert_eq!(list["count"], found.len(), "{district}: {list}");
        let mut jobs = texts(&list["rows"], "job");
        jobs.sort_unstable();
        assert_eq!(jobs, found, "{district}");
    }
}

#[tokio::test]
async fn a_season_stands_beside_the_year_before() {
    let portal = Portal::with_account("anna").await;
    let read = new_job(&portal, "anna").await;
    new_job(&portal, "anna").await;
    let anna = portal.login("anna").await;
    assert_eq!(anna.send(&read, reading("1.0"), None).await.status, StatusCode::OK);
    portal.store().count_all(portal.tenant_id(), jiff::Timestamp::now()).await.unwrap();
    let desk = Desk::of(&portal, Role::Support).await;
    let all = desk.get("/season").await;
    assert_eq!((&all["figures"]["jobs"], &all["figures"]["done"], &all["seasons"]), (&json!(2), &json!(1), &json!([])));
    let year = |year: i16| {
        serde_json::from_value(json!({
            "id": year.to_string(), "name": format!("Ablesung {year}"), "firstDay": format!("{year}-11-01"), "lastDay": format!("{year}-12-31"),
        }))
        .unwrap()
    };
    for season in [year(today().year() - 2), year(today().year() - 3)] {
        portal.store().put_season(portal.tenant_id(), &season).await.unwrap();
    }
    let last = desk.get("/season").await;
    let (now, before) = (today().year() - 2, today().year() - 3);
    assert_eq!((&last["season"]["id"], &last["before"]["season"]["id"]), (&json!(now.to_string()), &json!(before.to_string())));
    assert_eq!((&last["figures"]["jobs"], &last["before"]["figures"]["jobs"]), (&json!(0), &json!(0)));
    desk.send(Method::GET, "/season?season=1999", None).await.assert_problem(404, "not-found");
}
