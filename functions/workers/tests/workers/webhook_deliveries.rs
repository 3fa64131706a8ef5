//! Readings arrive at a tenant's webhook: all, signed, and each under one id, whatever fails on the way.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{AccountId, JobId, TenantId};
use domain::model::LoginKind;
use domain::value::MeterValue;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use store::{
    Assignment, Clearing, DeadLetter, Delivery, Entered, IdempotencyWrite, JobImported, ReadingWithoutJob, ReadingWithoutJobValue,
    Reopened, Source, Submitted,
};
use testing::receiver::{Message, Receiver, Reply, url};
use testing::{Asked, Fate, permissions};
use workers::table::{ERASURE, WEBHOOK_DELIVERIES};

use crate::retention::decided;
use crate::world::{Ran, Stop, TABLE, World, account, days, master, start, tenant};

/// The two secrets of these tests, and where the first and both are.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const NEXT_SECRET: &str = "whsec_bmV4dG5leHRuZXh0bmV4dG5leHRuZXh0";
const NAME: &str = "secrets";
const OK: Reply = (204, None);

async fn world_for(url: &str) -> World {
    let world = World::with_webhook(url, NAME).await;
    world.put_secrets(&tenant(), NAME, SECRET).await;
    world
}

/// A visitor's readings, numbered in their order.
async fn visitors(world: &World, tenant: &TenantId, numbers: std::ops::Range<i64>) {
    for n in numbers {
        let entry = ReadingWithoutJob {
            id: JobId::new(format!("unknown~{n:03}")).unwrap(),
            created: start() + n.seconds(),
            login_kind: LoginKind::Public,
            login_account_id: AccountId::new(format!("visitor~{n}")).unwrap(),
            meter_type: None,
            sub_type: None,
            meter_number: format!("1EBZ{n:010}"),
            reading_values: vec![ReadingWithoutJobValue {
                obis: Some("1-0:1.8.0".into()),
                rate_name: None,
                value: MeterValue::parse(&format!("{n:05}.5")).unwrap(),
                image_ids: Vec::new(),
            }],
            reading_date: "2026-11-02".parse().unwrap(),
            reading_reason: None,
            contact: None,
            email: None,
            language: None,
            comment: None,
        };
        let record =
            IdempotencyWrite { key_hash: format!("k{n}"), request_hash: "r".into(), response_body: String::new(), created: entry.created };
        assert_eq!(world.store.submit_without_job(tenant, &entry, &record, true).await.unwrap(), Submitted::Stored);
    }
}

/// A job with a reading.
async fn read(world: &World) {
    world.account("anna", "Anna", None).await;
    world.import("anna", &master("j1", "1EBZ0100004711")).await;
    world.read("anna", "j1", "anna", "was dark", start()).await;
}

async fn waiting(world: &World, tenant: &TenantId) -> Vec<Delivery> {
    let mut queue = world.store.deliveries(tenant);
    let mut waiting = Vec::new();
    while let Some(delivery) = queue.next().await.unwrap() {
        waiting.push(delivery);
    }
    waiting
}

async fn dead(world: &World) -> Vec<DeadLetter> {
    world.store.dead_letters(&tenant()).await.unwrap()
}

fn count(ran: &Ran, what: &str) -> u64 {
    count_of(&ran.line, what)
}

fn count_of(line: &Value, what: &str) -> u64 {
    line["counts"][what].as_u64().unwrap_or_default()
}

fn ids(messages: &[Message]) -> BTreeSet<&str> {
    messages.iter().map(|message| message.id.as_str()).collect()
}

/// Runs every hour until nothing waits any more.
async fn until_all_is_sent(world: &World, since: Timestamp) -> Timestamp {
    for hour in 0..100 {
        let now = since + hour.hours();
        world.works(&WEBHOOK_DELIVERIES, now).await;
        if waiting(world, &tenant()).await.is_empty() {
            return now;
        }
    }
    panic!("{:?}", waiting(world, &tenant()).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_says_what_the_ledger_says() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    read(&world).await;
    visitors(&world, &tenant(), 1..2).await;
    assert_eq!(waiting(&world, &tenant()).await.len(), 2);
    let (sent, begun) = (start() + 1.minutes(), Instant::now());
    let ran = world.works(&WEBHOOK_DELIVERIES, sent).await;
    let over = sent + begun.elapsed();
    assert_eq!((count(&ran, "delivered"), waiting(&world, &tenant()).await.len()), (2, 0));
    let mut messages = receiver.messages();
    messages.sort_by_key(|message| message.body["type"].to_string());
    let [of_job, of_visitor] = &messages[..] else { panic!("{messages:?}") };
    // The run's clock goes on while it works.
    assert!((sent.as_second()..=over.as_second()).contains(&of_job.timestamp), "{} of {sent} to {over}", of_job.timestamp);
    let reading = json!({
        "resultId": format!("r{}", start().as_second()), "jobId": "j1", "accountId": "anna", "taskId": "t1", "meterNumber": "1EBZ0100004711",
        "maLoId": null, "meLoId": null, "obis": "1-0:1.8.0", "unit": "kWh", "readingValue": "00123.450", "readingDate": "2026-11-02",
        "created": start(), "comment": "was dark", "lowerReason": null, "imageIds": [format!("j1-{}", start().as_second())],
        "channel": "PORTAL", "loginKind": "credentials", "login": "anna", "enteredBy": null, "clearing": null, "exchangedOn": null, "finalValue": null, "initialValue": null,
        "newNumber": null, "kind": "ORIGINAL", "refersTo": null, "refersToExport": null, "status": "ready", "doubts": [],
    });
    assert_eq!(
        of_job.body,
        json!({ "type": "reading.received", "timestamp": start(), "data": { "tenant": "portal", "readings": [reading] } })
    );
    assert_eq!((&of_visitor.body["type"], &of_visitor.body["data"]["tenant"]), (&json!("unknownReading.received"), &json!("portal")));
    let [reading] = of_visitor.readings() else { panic!("{of_visitor:?}") };
    assert_eq!((&reading["readingId"], &reading["readingValue"]), (&json!("unknown~001"), &json!("00001.5")));
    assert!(!ran.line.to_string().contains("4711"), "{}", ran.line);
}

// D-CLEARING-9
#[tokio::test(flavor = "multi_thread")]
async fn a_new_meters_reading_that_is_assigned_is_held() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    world.account("anna", "Anna", None).await;
    world.import("anna", &master("j1", "1EBZ0100004711")).await;
    visitors(&world, &tenant(), 1..2).await;
    let reading = world.store.clearing_reading_without_job(&tenant(), &JobId::new("unknown~001").unwrap()).await.unwrap().unwrap().entry;
    let entered = Entered { by: "Frau Kern".into(), confirmed: None, late: None };
    let assignment = Assignment { reading, entered, clearing: decided(true, 1) };
    world.read_from(Source::Assigned(Box::new(assignment)), "anna", "j1", "anna", "Meter was changed", days(1)).await;
    world.works(&WEBHOOK_DELIVERIES, days(1) + 1.minutes()).await;
    let messages = receiver.messages();
    let told = messages.iter().find(|message| message.body["type"] == "reading.received").unwrap();
    assert_eq!([&told.readings()[0]["status"], &told.readings()[0]["doubts"]], [&json!("held"), &json!(["METER_CHANGE"])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_says_what_it_corrects_of_what_was_taken_before() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    read(&world).await;
    world.read("anna", "j1", "anna", "too much", start() + 1.seconds()).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.minutes()).await;
    world.read("anna", "j1", "anna", "again", start() + 2.minutes()).await;
    let decide = async |place: usize, released: bool, at: Timestamp| {
        let reading = world.store.clearing_results(&tenant(), start(), days(1), None).await.unwrap().entries.remove(place);
        let clearing = Clearing {
            released,
            reason: None,
            at,
            by: None,
            exchange: None,
            named_before: false,
            corrected_by: None,
            member: None,
            proposed_by: None,
            assigned: None,
        };
        assert!(testing::decide(&world.store, &tenant(), &reading.entry, &clearing, true).await);
    };
    world.works(&WEBHOOK_DELIVERIES, start() + 3.minutes()).await;
    decide(2, false, start() + 4.minutes()).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 5.minutes()).await;
    let mut told: Vec<_> = receiver.messages();
    told.sort_by_key(|message| message.body["timestamp"].to_string());
    let ids: Vec<_> = told.iter().map(|message| message.readings()[0]["resultId"].clone()).collect();
    let kinds: Vec<_> = told.iter().map(|message| (&message.readings()[0]["kind"], &message.readings()[0]["refersTo"])).collect();
    assert_eq!(ids[2], ids[3]);
    let correction = json!("CORRECTION");
    let wanted = [(&json!("ORIGINAL"), &Value::Null), (&correction, &ids[0]), (&correction, &ids[1]), (&json!("CANCELLATION"), &ids[2])];
    assert_eq!(kinds, wanted, "also of those that go at once");
    let sent = world.store.clearing_results(&tenant(), start(), days(1), None).await.unwrap().entries.remove(2).sent;
    assert_eq!((sent.webhook.len(), sent.table.len(), sent.webhook[1].export), (2, 0, None));
}

// D-IMPORTS-4
#[tokio::test(flavor = "multi_thread")]
async fn a_reading_corrects_none_of_a_forgotten_job_that_had_the_id_of_its_own() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    read(&world).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.minutes()).await;
    world.store.forget_jobs(&world.photos, &tenant(), days(1), &BTreeSet::new(), None).await.unwrap();
    world.account("bert", "Bert", None).await;
    assert_eq!(world.import("bert", &master("j1", "1EBZ0100004712")).await, JobImported::Created);
    world.read("bert", "j1", "bert", "", days(2)).await;
    world.works(&WEBHOOK_DELIVERIES, days(2) + 1.minutes()).await;
    let mut told = receiver.messages();
    told.sort_by_key(|message| message.body["timestamp"].to_string());
    let said: Vec<_> =
        told.iter().map(|message| ["accountId", "kind", "refersTo"].map(|name| message.readings()[0][name].clone())).collect();
    assert_eq!(said, ["anna", "bert"].map(|account| [json!(account), json!("ORIGINAL"), Value::Null]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_fails_every_third_time_gets_everything_once() {
    let receiver = Receiver::start(&[SECRET], |n, _| if n % 3 == 2 { (500, None) } else { OK });
    let world = world_for(&receiver.url).await;
    read(&world).await;
    visitors(&world, &tenant(), 0..60).await;
    let now = until_all_is_sent(&world, start() + 1.hours()).await;
    assert!(now <= start() + 8.hours(), "{now}");
    let (all, taken) = (receiver.messages(), receiver.taken());
    assert!(all.len() > 85, "it failed: {}", all.len());
    assert_eq!((taken.len(), ids(&taken).len(), ids(&all).len()), (61, 61, 61));
    let read: BTreeSet<_> = taken.iter().flat_map(Message::readings).map(|reading| reading["readingValue"].to_string()).collect();
    assert_eq!(read.len(), 61, "each is another reading");
    assert_eq!(world.store.receiver(&tenant()).await.unwrap().failures, 0);
    assert!(dead(&world).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_down_has_its_peace_and_gets_everything_later() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = url(&listener);
    let port = listener.local_addr().unwrap();
    drop(listener);
    let world = world_for(&address).await;
    visitors(&world, &tenant(), 0..30).await;
    let begun = start() + 1.hours();
    let ran = world.works(&WEBHOOK_DELIVERIES, begun).await;
    assert!((5..=12).contains(&count(&ran, "failed")), "{}", ran.line);
    let receiver = world.store.receiver(&tenant()).await.unwrap();
    assert_eq!((receiver.failures, receiver.last_error.as_deref(), receiver.leased_until), (1, Some("the connection broke"), None));
    let pause = receiver.retry_at.unwrap().duration_since(begun).as_secs();
    assert!((30..=61).contains(&pause), "{pause}");
    // Nobody calls before the pause is over; then one message tries.
    assert_eq!(count(&world.works(&WEBHOOK_DELIVERIES, begun + 20.seconds()).await, "failed"), 0);
    let mut now = begun;
    for failures in 2..=9 {
        now = world.store.receiver(&tenant()).await.unwrap().retry_at.unwrap() + 1.seconds();
        assert_eq!(count(&world.works(&WEBHOOK_DELIVERIES, now).await, "failed"), 1);
        assert_eq!(world.store.receiver(&tenant()).await.unwrap().failures, failures);
    }
    let pause = world.store.receiver(&tenant()).await.unwrap().retry_at.unwrap().duration_since(now).as_mins();
    assert!((30..=60).contains(&pause), "it grows to an hour: {pause}");
    assert_eq!(count(&world.works(&WEBHOOK_DELIVERIES, begun + 23.hours()).await, "needsClerk"), 0);
    assert_eq!(count(&world.works(&WEBHOOK_DELIVERIES, begun + 25.hours()).await, "needsClerk"), 1, "nothing was taken for a day");

    let receiver = Receiver::start_at(TcpListener::bind(port).unwrap(), &[SECRET], |_, _| OK);
    until_all_is_sent(&world, begun + 27.hours()).await;
    assert_eq!((receiver.messages().len(), ids(&receiver.messages()).len()), (30, 30));
    let healed = world.store.receiver(&tenant()).await.unwrap();
    assert_eq!((healed.failures, healed.failing_since, healed.retry_at), (0, None, None));
    assert_eq!(count(&world.works(&WEBHOOK_DELIVERIES, begun + 30.hours()).await, "needsClerk"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_gone_waits_for_a_clerk() {
    // Of the eight that are sent together the last three are taken, as if they had overtaken the others.
    let overtakes = |message: &Message| ("unknown~005".."unknown~008").contains(&message.readings()[0]["readingId"].as_str().unwrap());
    let receiver = Receiver::start(&[SECRET], move |_, message| if overtakes(message) { OK } else { (410, None) });
    let world = world_for(&receiver.url).await;
    visitors(&world, &tenant(), 0..40).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
    let tried = receiver.messages().len();
    assert_eq!(tried, 8);
    let buried = dead(&world).await;
    assert_eq!((buried.len(), waiting(&world, &tenant()).await.len()), (tried - 3, 40 - tried));
    assert!(buried.iter().all(|dead| dead.cause == "it answers with status 410" && dead.delivery.attempts == 1), "{buried:?}");
    let ran = world.works(&WEBHOOK_DELIVERIES, start() + 48.hours()).await;
    assert_eq!((receiver.messages().len(), count(&ran, "needsClerk")), (tried, 1), "nothing is sent there any more");

    // Another address gets what waits; what is dead comes when a clerk says so, under the id that it had.
    let other = Receiver::start(&[SECRET], |_, _| OK);
    world.apply_webhook(&tenant(), json!({ "url": other.url, "secretParameter": NAME })).await;
    until_all_is_sent(&world, start() + 49.hours()).await;
    assert_eq!(other.messages().len(), 40 - tried);
    for dead in &buried {
        assert!(world.store.revive_dead_letter(&tenant(), dead).await.unwrap());
    }
    assert!(dead(&world).await.is_empty());
    until_all_is_sent(&world, start() + 50.hours()).await;
    let all: Vec<_> = receiver.taken().into_iter().chain(other.taken()).collect();
    assert_eq!((all.len(), ids(&all).len()), (40, 40));
    let tried_in_vain: BTreeSet<_> = buried.iter().map(|dead| dead.delivery.id(&tenant())).collect();
    assert!(tried_in_vain.iter().all(|id| ids(&other.messages()).contains(id.as_str())));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_message_that_is_never_taken_holds_nobody_up_and_dies_in_three_days() {
    let is_poison = |message: &Message| message.readings()[0]["readingId"] == "unknown~003";
    let receiver = Receiver::start(&[SECRET], move |_, message| if is_poison(message) { (422, None) } else { OK });
    let world = world_for(&receiver.url).await;
    visitors(&world, &tenant(), 0..20).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
    assert_eq!((receiver.taken().len(), waiting(&world, &tenant()).await.len()), (19, 1));
    until_all_is_sent(&world, start() + 2.hours()).await;
    let buried = dead(&world).await;
    let [DeadLetter { delivery, cause, given_up_at }] = &buried[..] else { panic!("{buried:?}") };
    assert_eq!((delivery.job().as_str(), cause.as_str()), ("unknown~003", "it answers with status 422"));
    let failed_for = given_up_at.duration_since(delivery.failing_since.unwrap());
    assert!((71..74).contains(&failed_for.as_hours()), "{failed_for}");
    assert_eq!(ids(&receiver.messages()).len(), 20);
    assert_eq!(count(&world.works(&WEBHOOK_DELIVERIES, start() + 90.hours()).await, "needsClerk"), 1);
}

/// A version that was taken back leaves what it began (D-PLATFORM-31).
#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_only_a_newer_version_can_read_waits_for_it_and_holds_nobody_up() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    let run = testing::run(&world.store, &tenant()).await;
    world.store.announce(&tenant(), &world.store.run(&tenant(), &run).await.unwrap().unwrap()).await.unwrap();
    visitors(&world, &tenant(), 0..20).await;
    let key =
        [("pk", format!("T#{}#RUNS", tenant())), ("sk", run.to_string())].map(|(name, value)| (name.to_owned(), AttributeValue::S(value)));
    let put = async |change: fn(&str) -> String| {
        let get = world.dynamodb.get_item().table_name(TABLE).set_key(Some(key.clone().into()));
        let mut item = get.send().await.unwrap().item.unwrap();
        let changed = change(item["run"].as_s().unwrap());
        assert_ne!(item["run"].as_s().unwrap(), &changed);
        item.insert("run".into(), AttributeValue::S(changed));
        world.dynamodb.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
    };
    put(|run| run.replace("\"preset\"", "\"ofTomorrow\":1,\"preset\"")).await;

    // The run was asked for by the real clock, and is the last of them.
    let now = Timestamp::now() + 1.hours();
    for minute in 0..3 {
        let ran = world.works(&WEBHOOK_DELIVERIES, now + minute.minutes() * 2).await;
        assert_eq!((receiver.taken().len(), ran.line["ofNewerVersion"].as_u64()), (20, Some(1)), "{}", ran.line);
        let [left] = &waiting(&world, &tenant()).await[..] else { panic!("one waits") };
        assert_eq!((left.attempts, left.failing_since), (0, None), "nobody failed");
    }
    let found = world.store.receiver(&tenant()).await.unwrap();
    assert_eq!((found.failures, found.failing_since, found.leased_until), (0, None, None), "the receiver did nothing wrong");

    put(|run| run.replace("\"ofTomorrow\":1,", "")).await;
    world.works(&WEBHOOK_DELIVERIES, now + 1.hours()).await;
    assert_eq!((receiver.taken().len(), waiting(&world, &tenant()).await.len()), (21, 0));
}

/// The circuit opens at five in a row; from then on each run tries one message first.
#[tokio::test(flavor = "multi_thread")]
async fn five_messages_that_are_never_taken_hold_nobody_up() {
    let is_poison = |message: &Message| ("unknown~003".."unknown~008").contains(&message.readings()[0]["readingId"].as_str().unwrap());
    let receiver = Receiver::start(&[SECRET], move |_, message| if is_poison(message) { (422, None) } else { OK });
    let world = world_for(&receiver.url).await;
    visitors(&world, &tenant(), 0..20).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
    assert_eq!((receiver.taken().len(), world.store.receiver(&tenant()).await.unwrap().failures), (3, 1));
    world.works(&WEBHOOK_DELIVERIES, start() + 1.hours() + 2.minutes()).await;
    assert_eq!((receiver.taken().len(), waiting(&world, &tenant()).await.len()), (15, 5));

    // With nothing else to send the receiver has its peace; what comes then goes as soon as that is over.
    let mut now = start() + 2.hours();
    while world.store.receiver(&tenant()).await.unwrap().failures < 4 {
        now += 2.hours();
        world.works(&WEBHOOK_DELIVERIES, now).await;
    }
    visitors(&world, &tenant(), 20..30).await;
    world.works(&WEBHOOK_DELIVERIES, now + 1.hours()).await;
    assert_eq!((receiver.taken().len(), waiting(&world, &tenant()).await.len()), (25, 5));
    until_all_is_sent(&world, now + 2.hours()).await;
    assert_eq!((dead(&world).await.len(), receiver.taken().len()), (5, 25));
}

/// The receiver does what docs/webhook.md says: it keeps a message, and passes over whatever comes under the id of one that it has.
#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_has_a_decision_unknown_to_us_hears_that_it_was_taken_back() {
    // It keeps what comes second; either its answer comes too late, or it cannot be noted.
    for is_answer_late in [true, false] {
        let receiver = Receiver::start(&[SECRET], move |n, _| if n == 1 && is_answer_late { (504, None) } else { OK });
        let world = world_for(&receiver.url).await;
        read(&world).await;
        world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
        let reading = world.store.clearing_results(&tenant(), start(), days(1), None).await.unwrap().entries.remove(0);
        let rejected = Clearing {
            released: false,
            reason: Some("unreadable".into()),
            at: start() + 2.hours(),
            by: None,
            exchange: None,
            named_before: false,
            corrected_by: None,
            member: None,
            assigned: None,
            proposed_by: None,
        };
        assert!(testing::decide(&world.store, &tenant(), &reading.entry, &rejected, true).await);
        let unnoted = move |_: usize, asked: &Asked| {
            if asked.action == "TransactWriteItems" && !is_answer_late { Fate::Denied } else { Fate::Works }
        };
        let run = (workers::BY_CLOCK, start() + 3.hours(), Duration::from_secs(300));
        let ran = world.invoke_while(&WEBHOOK_DELIVERIES, run, unnoted).await;
        assert_eq!(ran.went_well, is_answer_late, "{}", ran.line);
        let undone = world.store.undo_decision(&tenant(), &reading.entry, None, start() + 4.hours()).await.unwrap();
        assert!(matches!(undone, Reopened::Undone(_)), "{undone:?}");
        until_all_is_sent(&world, start() + 5.hours()).await;
        let (mut seen, mut kept) = (BTreeSet::new(), receiver.messages());
        kept.retain(|message| seen.insert(message.id.clone()));
        let told: Vec<_> = kept.iter().map(|message| (&message.body["type"], &message.readings()[0]["status"])).collect();
        let [received, cleared] = [json!("reading.received"), json!("reading.cleared")];
        assert_eq!(told, [(&received, &json!("ready")), (&cleared, &json!("rejected")), (&cleared, &json!("ready"))], "{is_answer_late}");
        assert_eq!(kept[2].readings()[0]["clearing"], Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_says_when_it_wants_more() {
    let receiver = Receiver::start(&[SECRET], |n, _| if n == 0 { (429, Some("7200")) } else { OK });
    let world = world_for(&receiver.url).await;
    visitors(&world, &tenant(), 0..20).await;
    let now = start() + 1.hours();
    world.works(&WEBHOOK_DELIVERIES, now).await;
    assert_eq!(receiver.messages().len(), 8);
    world.works(&WEBHOOK_DELIVERIES, now + 119.minutes()).await;
    assert_eq!(receiver.messages().len(), 8, "it wants two hours");
    world.works(&WEBHOOK_DELIVERIES, now + 121.minutes()).await;
    assert_eq!((receiver.messages().len(), receiver.taken().len()), (21, 20));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_goes_to_no_other_address() {
    let thief = Receiver::start(&[SECRET], |_, _| OK);
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = format!("http://localhost:{}", listener.local_addr().unwrap().port());
    let to = axum::response::Redirect::temporary(&thief.url);
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(|| async move { to.clone() })).await });
    let world = world_for(&address).await;
    visitors(&world, &tenant(), 0..1).await;
    let ran = world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
    assert_eq!((count(&ran, "failed"), thief.messages().len()), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn both_secrets_are_good_while_they_are_exchanged() {
    let receiver = Receiver::start(&[SECRET, NEXT_SECRET], |_, _| OK);
    let world = World::with_webhook(&receiver.url, "exchanged").await;
    world.put_secrets(&tenant(), "exchanged", &format!("{SECRET}\n{NEXT_SECRET}\n")).await;
    visitors(&world, &tenant(), 0..1).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
    assert_eq!(receiver.taken().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_secret_nothing_is_sent_and_nothing_dies() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    for (name, secrets) in [("absent", None), ("none", Some("password"))] {
        let world = World::with_webhook(&receiver.url, name).await;
        if let Some(secrets) = secrets {
            world.put_secrets(&tenant(), name, secrets).await;
        }
        visitors(&world, &tenant(), 0..3).await;
        for day in 0..8 {
            world.works(&WEBHOOK_DELIVERIES, start() + 1.hours() + (24 * day).hours()).await;
        }
        let waiting = waiting(&world, &tenant()).await;
        assert!(waiting.len() == 3 && waiting.iter().all(|delivery| delivery.attempts == 0), "{waiting:?}");
        let error = world.store.receiver(&tenant()).await.unwrap().last_error.unwrap();
        assert!(error.contains("signing secret") && !error.contains("password"), "{error}");
    }
    assert_eq!(receiver.messages().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_webhook_keeps_what_comes() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    let paused = |paused: bool| json!({ "url": receiver.url, "secretParameter": NAME, "paused": paused });
    world.apply_webhook(&tenant(), paused(true)).await;
    visitors(&world, &tenant(), 0..3).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
    assert_eq!((receiver.messages().len(), waiting(&world, &tenant()).await.len()), (0, 3));
    world.apply_webhook(&tenant(), paused(false)).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
    assert_eq!(receiver.taken().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_stopped_anywhere_loses_nothing() {
    let begun = start() + 1.hours();
    let run = async |stop: Option<Stop>| {
        // The third is refused at first.
        let receiver = Receiver::start(&[SECRET], |n, message| match message.readings()[0]["readingId"].as_str() {
            Some("unknown~002") if n < 3 => (500, None),
            _ => OK,
        });
        let world = world_for(&receiver.url).await;
        visitors(&world, &tenant(), 0..3).await;
        let ran = world.run(&WEBHOOK_DELIVERIES, begun, Duration::from_secs(300), stop).await;
        (world, receiver, ran)
    };
    let (_, _, clean) = run(None).await;
    assert!(clean.went_well && clean.writes.len() > 4, "{}", clean.line);
    let mut twice = 0;
    for (&call, after) in clean.writes.iter().flat_map(|call| [(call, false), (call, true)]) {
        let (world, receiver, stopped) = run(Some(Stop { call, after })).await;
        assert!(!stopped.went_well, "{call} {after}: {}", stopped.line);
        // Whoever had the receiver has it until its time is over.
        let before = receiver.messages().len();
        world.works(&WEBHOOK_DELIVERIES, begun + 30.seconds()).await;
        if call > *clean.writes.first().unwrap() || after {
            assert_eq!(receiver.messages().len(), before, "{call} {after}");
        }
        until_all_is_sent(&world, begun + 1.hours()).await;
        let taken = receiver.taken();
        assert_eq!((ids(&taken).len(), dead(&world).await.len()), (3, 0), "{call} {after}");
        twice += taken.len() - 3;
    }
    assert!(twice > 0, "stopped between the receiver's answer and the table, it sends the same message again");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_runs_at_once_one_serves_the_receiver() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    visitors(&world, &tenant(), 0..60).await;
    let now = start() + 1.hours();
    let (one, other) = tokio::join!(world.works(&WEBHOOK_DELIVERIES, now), world.works(&WEBHOOK_DELIVERIES, now));
    let mut delivered = [count(&one, "delivered"), count(&other, "delivered")];
    delivered.sort();
    assert_eq!(delivered, [0, 60]);
    assert_eq!((receiver.messages().len(), ids(&receiver.messages()).len()), (60, 60));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_without_time_does_one_step_and_the_next_one_goes_on() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    visitors(&world, &tenant(), 0..20).await;
    let mut delivered = Vec::new();
    for _ in 0..3 {
        let ran = world.run(&WEBHOOK_DELIVERIES, start() + 1.hours(), Duration::ZERO, None).await;
        delivered.push((count(&ran, "delivered"), ran.line["finished"] == true));
    }
    assert_eq!(delivered, [(8, false), (8, false), (4, false)]);
    let first: Vec<_> = receiver.messages()[..8].iter().map(|message| message.readings()[0]["readingId"].to_string()).collect();
    assert!(first.iter().all(|id| id.as_str() < "\"unknown~008\""), "the oldest go first: {first:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tenants_have_nothing_to_do_with_each_other() {
    let broken = Arc::new(AtomicU16::new(500));
    let status = broken.clone();
    let ours = Receiver::start(&[SECRET], move |_, _| (status.load(Ordering::SeqCst), None));
    let theirs = Receiver::start(&[NEXT_SECRET], |_, _| OK);
    let neighbour = TenantId::new("neighbour").unwrap();
    let world = world_for(&ours.url).await;
    world.apply_webhook(&neighbour, json!({ "url": theirs.url, "secretParameter": NAME })).await;
    world.put_secrets(&neighbour, NAME, NEXT_SECRET).await;
    visitors(&world, &tenant(), 0..10).await;
    visitors(&world, &neighbour, 100..110).await;
    // The same ids as ours, which are other messages.
    visitors(&world, &neighbour, 0..2).await;
    let now = start() + 1.hours();
    world.works(&WEBHOOK_DELIVERIES, now).await;
    assert_eq!((ours.taken().len(), theirs.taken().len()), (0, 12));
    assert!(theirs.messages().iter().all(|message| message.body["data"]["tenant"] == "neighbour"));
    broken.store(200, Ordering::SeqCst);
    until_all_is_sent(&world, now + 1.hours()).await;
    assert_eq!((ours.taken().len(), theirs.messages().len()), (10, 12));
    assert!(ours.messages().iter().all(|message| message.body["data"]["tenant"] == "portal"));
    assert!(ids(&ours.messages()).is_disjoint(&ids(&theirs.messages())));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_erased_is_sent_and_nothing_leads_to_it() {
    let status = Arc::new(AtomicU16::new(410));
    let answer = status.clone();
    let receiver = Receiver::start(&[SECRET], move |_, _| (answer.load(Ordering::SeqCst), None));
    let world = world_for(&receiver.url).await;
    read(&world).await;
    world.works(&WEBHOOK_DELIVERIES, start() + 1.hours()).await;
    assert_eq!(dead(&world).await.len(), 1);
    world.read("anna", "j1", "anna", "again", days(1)).await;
    visitors(&world, &tenant(), 0..1).await;
    let readings = world.store.clearing_results(&tenant(), days(1), days(2), None).await.unwrap().entries;
    let rejected = Clearing {
        released: false,
        reason: None,
        at: days(1) + 1.hour(),
        by: None,
        exchange: None,
        named_before: false,
        corrected_by: None,
        member: None,
        assigned: None,
        proposed_by: None,
    };
    assert!(testing::decide(&world.store, &tenant(), &readings[0].entry, &rejected, true).await);
    assert_eq!(waiting(&world, &tenant()).await.len(), 3);
    world.store.request_erasure(&tenant(), &account("anna"), days(2)).await.unwrap();
    world.works(&ERASURE, days(2)).await;
    assert_eq!((dead(&world).await.len(), waiting(&world, &tenant()).await.len()), (0, 1));

    // One whose reading went in another way is not sent either.
    let key = |value: &str| aws_sdk_dynamodb::types::AttributeValue::S(value.into());
    let gone = world.dynamodb.delete_item().table_name("table").key("pk", key("T#portal#UNKNOWN#unknown~000")).key("sk", key("UNKNOWN"));
    gone.send().await.unwrap();
    status.store(200, Ordering::SeqCst);
    world.store.reset_receiver(&tenant()).await.unwrap();
    let ran = world.works(&WEBHOOK_DELIVERIES, days(3)).await;
    assert_eq!((count(&ran, "erased"), receiver.messages().len(), waiting(&world, &tenant()).await.len()), (1, 1, 0));
    assert!(world.table().await.keys().all(|(pk, _)| !pk.contains("#PUSH#")));
    assert!(!format!("{:?}", world.table().await).contains("j1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_that_has_none_pays_nothing() {
    let world = World::with_retention(Default::default()).await;
    read(&world).await;
    assert!(world.table().await.keys().all(|(pk, _)| !pk.contains("PUSH")), "no item more");
    let line = world.by_clock(&WEBHOOK_DELIVERIES, start() + 1.hours()).await.line;
    let cost = |what: &str| line[what].as_f64().unwrap();
    assert_eq!((cost("roundTrips"), cost("writeUnits"), &line["counts"]), (1.0, 0.0, &json!({})), "{line}");
    assert!(cost("readUnits") <= 1.0, "{line}");

    // One whose webhook has nothing to do writes nothing.
    let world = world_for("http://localhost:9/").await;
    let line = world.by_clock(&WEBHOOK_DELIVERIES, start() + 1.hours()).await.line;
    assert_eq!((line["roundTrips"].as_u64(), line["writeUnits"].as_f64()), (Some(8), Some(0.0)), "{line}");
}

/// docs/capacity.md has these figures.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_costs_one_write_and_its_reads() {
    let receiver = Receiver::start(&[SECRET], |_, _| OK);
    let world = world_for(&receiver.url).await;
    visitors(&world, &tenant(), 0..80).await;
    let line = world.by_clock(&WEBHOOK_DELIVERIES, start() + 1.hours()).await.line;
    assert_eq!((count_of(&line, "delivered"), line["writeUnits"].as_f64()), (80, Some(82.0)), "two for the lease: {line}");
    assert!(line["readUnits"].as_f64().unwrap() <= 2.0 * 80.0, "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn its_grants_are_exact() {
    let receiver = Receiver::start(&[SECRET], |n, _| [OK, (500, None), (410, None)][n.min(2)]);
    let world = world_for(&receiver.url).await;
    let mut used = BTreeSet::new();
    for hour in 1..=3 {
        if hour == 1 {
            read(&world).await;
        } else {
            visitors(&world, &tenant(), hour..hour + 1).await;
        }
        world.store.reset_receiver(&tenant()).await.unwrap();
        used.extend(world.works(&WEBHOOK_DELIVERIES, start() + hour.hours()).await.used);
    }
    let answers: Vec<_> = receiver.messages().iter().map(|message| message.answered).collect();
    assert!(answers.starts_with(&[204, 500, 410]), "taken, refused and buried: {answers:?}");
    // By this right the addresses of an export's files are signed, and it is used when they are fetched.
    let granted = permissions(WEBHOOK_DELIVERIES.grants);
    let signs = granted.difference(&used).map(|permission| permission.0.as_str()).collect::<Vec<_>>();
    assert_eq!((signs, used.is_subset(&granted)), (vec!["s3:GetObject"], true));
}
