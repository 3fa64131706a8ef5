//! A clerk looks at the webhook, and deals with what the receiver did not take.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use desk::clearing::{self, About, By, CorrectedValue, Decision};
use domain::finding::FindingCode;
use domain::ids::{ImageId, JobId, TaskId};
use domain::model::{LoginKind, LowerReason, MeterType, ReadingReason, ReadingResult};
use domain::value::MeterValue;
use domain::visitor_reading::Contact;
use jiff::{Timestamp, ToSpan};
use mail::Mailer;
use serde_json::{Value, json};
use store::{IdempotencyWrite, NewResult, ReadingWithoutJob, ReadingWithoutJobValue, Source, SubmitResults, Submitted};
use testing::receiver::{Message, Receiver, Reply};

use crate::world::{Said, World};

pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// The demo tenant with a webhook, and what runs beside the table.
fn world_with_webhook(url: &str) -> World {
    let world = World::with_tenant();
    world.put_signing_secret(SECRET);
    apply(&world, json!({ "url": url, "secretParameter": "webhook" }));
    world
}

/// Applies the demo tenant with this webhook.
pub fn apply(world: &World, webhook: Value) {
    let folder = world.path("demo").join("birkenfurt");
    let mut settings: Value = serde_json::from_str(&fs::read_to_string(folder.join("tenant.json")).unwrap()).unwrap();
    settings["webhook"] = webhook;
    fs::write(folder.join("tenant.json"), settings.to_string()).unwrap();
    world.run(&["tenant", "apply", folder.to_str().unwrap()]).succeeded();
}

/// A visitor's readings, which wait for the webhook.
pub fn visitors(world: &World, numbers: std::ops::Range<i64>) {
    for n in numbers {
        let created = Timestamp::now() - 1.hours() + n.seconds();
        let value = |obis: &str, value| ReadingWithoutJobValue {
            obis: Some(obis.into()),
            rate_name: Some("=Verbrauch".into()),
            value: MeterValue::parse(value).unwrap(),
            image_ids: vec![ImageId::new("i1").unwrap()],
        };
        let entry = ReadingWithoutJob {
            id: JobId::new(format!("unknown~{n}")).unwrap(),
            created,
            login_kind: LoginKind::Public,
            login_account_id: "visitor~1".parse().unwrap(),
            meter_type: Some(MeterType::GasMeter),
            sub_type: Some("A".into()),
            meter_number: "7GMT0000004711".into(),
            reading_values: vec![value("7-0:3.0.0", "00123.450"), value("7-0:3.1.0", "7.0")],
            reading_date: "2026-11-20".parse().unwrap(),
            reading_reason: Some(ReadingReason::AnnualReading),
            contact: Some(Contact {
                firstname: "Vera".into(),
                lastname: "Besuch".into(),
                street: "Lindenweg".into(),
                house_number: "12".into(),
                zip: "01234".into(),
                city: "Birkenfurt".into(),
            }),
            email: Some("vera@example.org".into()),
            language: None,
            comment: Some("=1+1".into()),
        };
        let record = IdempotencyWrite { key_hash: format!("k{n}"), request_hash: "h".into(), response_body: "{}".into(), created };
        assert_eq!(world.block_on(world.store.submit_without_job(&world.tenant, &entry, &record, true)).unwrap(), Submitted::Stored);
    }
}

fn webhook(world: &World, words: &[&str]) -> Said {
    let args = [&["webhook"], words, &["--tenant", "birkenfurt"]].concat();
    Said::from(world.command_with_aws(&args).output().unwrap())
}

fn document(said: Said) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}{}", said.out, said.err))
}

#[test]
fn a_ping_tries_out_the_receiver() {
    let receiver = Receiver::start(&[SECRET], |n, _| if n == 0 { (204, None) } else { (503, None) });
    let world = world_with_webhook(&receiver.url);
    let said = webhook(&world, &["test"]).succeeded();
    let [ping] = &receiver.messages()[..] else { panic!("{}", said.out) };
    assert_eq!(said.out, format!("{}: {} taken\n", receiver.url, ping.id));
    assert!((Timestamp::now().as_second() - ping.timestamp).abs() < 60);
    assert_eq!((&ping.body["type"], &ping.body["data"]), (&json!("ping"), &json!({ "tenant": "birkenfurt" })));

    let said = webhook(&world, &["test"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.ends_with("not taken: it answers with status 503\n"), "{}", said.out);
    assert_ne!(receiver.messages()[1].id, ping.id, "each is another message");

    apply(&world, json!({ "url": receiver.url, "secretParameter": "other" }));
    let said = webhook(&world, &["test", "--json"]);
    assert_eq!(said.code, Some(1));
    assert!(document(said)["cause"].as_str().unwrap().starts_with("the signing secret cannot be read"));
    apply(&world, Value::Null);
    let said = webhook(&world, &["test"]);
    assert_eq!((said.code, said.err.as_str()), (Some(2), "zaehlwerk: webhook: the tenant has none in its tenant.json\n"));
}

#[test]
fn a_clerk_sees_what_waits_and_deals_with_dead_letters() {
    let mended = Arc::new(AtomicBool::new(false));
    let is_mended = mended.clone();
    let poison = move |_, message: &Message| -> Reply {
        let refused = ["unknown~1", "unknown~3", "unknown~4"].iter().any(|id| message.readings()[0]["readingId"] == *id);
        if refused && !is_mended.load(Ordering::SeqCst) { (422, None) } else { (200, None) }
    };
    let receiver = Receiver::start(&[SECRET], poison);
    let world = world_with_webhook(&receiver.url);
    let status = |code: i32| {
        let said = webhook(&world, &["status", "--json"]);
        assert_eq!(said.code, Some(code), "{}", said.out);
        document(said)
    };
    assert_eq!((&status(0)["waiting"], &status(0)["oldest"]), (&json!(0), &Value::Null));
    visitors(&world, 0..6);
    let waiting = status(0);
    assert_eq!((&waiting["waiting"], &waiting["deadLetters"], &waiting["url"]), (&json!(6), &json!(0), &json!(receiver.url)));
    assert!(waiting["oldest"].as_str().unwrap().parse::<Timestamp>().unwrap() < Timestamp::now() - 59.minutes());

    // What is refused waits, and is dead when it was refused for three days.
    let begun = Timestamp::now();
    world.deliveries(begun);
    let said = webhook(&world, &["status"]).succeeded();
    assert!(
        said.out.contains("waiting: 3 messages, the oldest since ") && said.out.contains("; 3 of them were refused before\n"),
        "{}",
        said.out
    );
    assert!(said.out.contains(", it answers with status 422\n") && said.out.ends_with("dead letters: 0\n"), "{}", said.out);
    world.deliveries(begun + 80.hours());
    let said = webhook(&world, &["status"]);
    assert!(said.code == Some(1) && said.out.ends_with("dead letters: 3\n"), "{}", said.out);

    let dead = document(webhook(&world, &["dead", "--json"]).succeeded());
    let dead = dead["deadLetters"].as_array().unwrap().clone();
    let ids: Vec<_> = dead.iter().map(|dead| dead["message"].as_str().unwrap()).collect();
    let tried: Vec<_> = receiver.messages().into_iter().filter(|message| message.answered == 422).map(|message| message.id).collect();
    assert!(ids.len() == 3 && ids.iter().all(|id| tried.contains(&(*id).to_owned())), "{ids:?}");
    assert_eq!(
        (&dead[0]["job"], &dead[0]["attempts"], &dead[0]["cause"]),
        (&json!("unknown~1"), &json!(2), &json!("it answers with status 422"))
    );
    assert!(dead[0]["givenUpAt"].as_str().unwrap().parse::<Timestamp>().unwrap() > begun + 79.hours(), "{}", dead[0]);
    let said = webhook(&world, &["dead"]).succeeded();
    assert!(said.out.starts_with(&format!("{}  unknown~1  ", ids[0])) && said.out.ends_with("webhook: 3 dead letters\n"), "{}", said.out);

    // One is dealt with by hand, the others go again.
    let said = webhook(&world, &["discard", ids[0], "msg_unknown"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), "msg_unknown: is no dead letter\n"));
    assert_eq!(said.out, "webhook: 1 dead letter discarded\n");
    let said = webhook(&world, &["retry", ids[1], ids[0], "--json"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(document(said), json!({ "revived": 1, "hurried": 0, "unknown": [ids[0]] }));
    assert_eq!((&status(1)["waiting"], &status(1)["deadLetters"]), (&json!(1), &json!(1)));
    world.deliveries(begun);
    let said = webhook(&world, &["retry"]).succeeded();
    assert!(said.out.starts_with("webhook: 1 dead letter waits again, and 1 message waits no longer;"), "{}", said.out);
    assert_eq!(status(0)["waiting"], 2);
    mended.store(true, Ordering::SeqCst);
    webhook(&world, &["retry"]).succeeded();
    world.deliveries(begun);
    assert_eq!((&status(0)["waiting"], &status(0)["deadLetters"]), (&json!(0), &json!(0)));
    let taken: Vec<_> = receiver.taken().into_iter().map(|message| message.id).collect();
    assert_eq!(taken.len(), 5);
    assert!(!taken.contains(&ids[0].to_owned()) && taken.contains(&ids[1].to_owned()) && taken.contains(&ids[2].to_owned()));
}

/// A reading of account `a` whose reader says that the meter was changed; its id.
fn reading_to_clear(world: &World, job: &str) -> String {
    read(world, job, Some(LowerReason::MeterChange), &[])
}

/// A job of account `a`; `more` are its rate's fields beside.
fn import(world: &World, job: &str, more: Value) {
    let mut rate = json!({ "taskId": "t", "obis": "1-0:1.8.0" });
    testing::merge(&mut rate, more);
    let meter = json!({ "meterNumber": "1EBZ0100000619", "meterRateTasks": [rate] });
    let line = json!({ "accountId": "a", "id": job, "maLoId": "41373559241", "meter": meter });
    world.import_jobs(&[line.to_string()], &[]).succeeded();
}

/// A reading of such a job, whose reader confirmed these warnings; its id.
fn read(world: &World, job: &str, lower_reason: Option<LowerReason>, confirmed: &[FindingCode]) -> String {
    import(world, job, json!({}));
    let stored = world.job(job).unwrap();
    let created = Timestamp::now();
    let result = ReadingResult {
        reading_date: "2026-11-20".parse().unwrap(),
        reading_value: MeterValue::parse("00007.5").unwrap(),
        created,
        comment: None,
        lower_reason,
        reading_result_images: Vec::new(),
    };
    let task_id = TaskId::new("t").unwrap();
    let submission = SubmitResults {
        job: &stored,
        results: &[NewResult { result_id: "r1".into(), task_id, result, confirmed: confirmed.to_vec() }],
        source: Source::Portal(LoginKind::Token),
        account_id: &stored.account_id,
        idempotency: IdempotencyWrite { key_hash: job.into(), request_hash: "h".into(), response_body: "{}".into(), created },
        deliver: true,
    };
    assert_eq!(world.block_on(world.store.submit(&world.tenant, submission)).unwrap(), Submitted::Stored);
    "r1".into()
}

/// What is exported is ready, and what waits for a clerk is held, whatever the job says since (D-CLEARING-5, D-CLEARING-7).
#[test]
fn a_message_says_of_a_reading_what_the_ledger_says() {
    let receiver = Receiver::start(&[SECRET], |_, _| (200, None));
    let world = world_with_webhook(&receiver.url);
    let mailer = Mailer::new(&world.aws(), None);
    let correct = |job: &str| {
        let job = JobId::new(job).unwrap();
        let about = About { job: &job, reading: "r1", version: None };
        let value = CorrectedValue { value: MeterValue::parse("00009.5").unwrap(), reason: None, confirmed: true };
        let by = By { name: "Frau Kern", member: None, singly: true };
        let decided = clearing::decide(&world.store, &world.tenant, about, Decision::Correct(value), (by, &mailer), Timestamp::now());
        world.block_on(decided).unwrap();
    };
    let range = json!({ "readingValueValidation": { "minimumValue": "1000" } });
    let before = json!({ "readingEvents": [{ "readingDate": "2025-11-20", "readingValue": "00999.5" }] });

    read(&world, "ready", None, &[]);
    import(&world, "ready", range.clone());
    read(&world, "confirmed", None, &[FindingCode::RangeBelow]);
    import(&world, "confirmed", range);
    correct("confirmed");
    read(&world, "rollover", Some(LowerReason::Rollover), &[]);
    import(&world, "rollover", before);
    correct("rollover");
    read(&world, "exchanged", None, &[FindingCode::ExpectedHigh]);
    let exchange = ["--exchanged-on", "2026-11-02", "--final", "482104", "--initial", "0", "--tenant", "birkenfurt"];
    world.run(&[&["clearing", "release", "exchanged", "r1"], &exchange[..]].concat()).succeeded();
    correct("exchanged");

    world.deliveries(Timestamp::now() + 1.hours());
    let messages = receiver.messages();
    let said = |job: &str| {
        let rows = messages.iter().filter(|message| message.body["type"] == "reading.received").flat_map(Message::readings);
        let row = rows.filter(|row| row["jobId"] == job).max_by_key(|row| row["created"].to_string()).unwrap();
        (row["readingValue"].clone(), row["lowerReason"].clone(), row["status"].clone(), row["doubts"].clone())
    };
    assert_eq!(said("ready"), (json!("00007.5"), Value::Null, json!("ready"), json!([])));
    assert_eq!(said("confirmed"), (json!("00009.5"), Value::Null, json!("ready"), json!([])));
    assert_eq!(said("rollover"), (json!("00009.5"), json!("ROLLOVER"), json!("ready"), json!([])));
    assert_eq!(said("exchanged"), (json!("00009.5"), Value::Null, json!("held"), json!(["METER_CHANGE"])));
}

#[test]
fn what_a_clerk_decides_about_a_reading_follows_it() {
    let mended = Arc::new(AtomicBool::new(false));
    let is_mended = mended.clone();
    let receiver = Receiver::start(&[SECRET], move |_, message| {
        let refused = message.readings()[0]["status"] == "rejected" && !is_mended.load(Ordering::SeqCst);
        if refused { (422, None) } else { (200, None) }
    });
    let world = world_with_webhook(&receiver.url);
    let id = reading_to_clear(&world, "j1");
    let clearing = |words: &[&str]| world.run(&[&["clearing"], words, &["--tenant", "birkenfurt"]].concat());
    let deliver = |later: i64| world.deliveries(Timestamp::now() + later.hours());
    deliver(0);
    let [received] = &receiver.messages()[..] else { panic!("{:?}", receiver.messages()) };
    assert_eq!((&received.body["type"], &received.readings()[0]["status"]), (&json!("reading.received"), &json!("held")));

    // Released after the first thought, before anything was sent: the receiver hears how it stands.
    let begun = Timestamp::now();
    clearing(&["reject", "j1", &id, "--reason", "blurred"]).succeeded();
    clearing(&["release", "j1", &id, "--exchanged-on", "2026-11-02", "--final", "48210.4", "--initial", "0"]).succeeded();
    deliver(0);
    let [_, released] = &receiver.messages()[..] else { panic!("{:?}", receiver.messages()) };
    assert_ne!(released.id, received.id);
    let decided: Timestamp = released.body["timestamp"].as_str().unwrap().parse().unwrap();
    assert!(begun <= decided && decided <= Timestamp::now(), "when it was decided, not when it was read");
    let mut row = received.readings()[0].clone();
    for (field, value) in
        [("status", "ready"), ("clearing", "released"), ("exchangedOn", "2026-11-02"), ("finalValue", "48210.4"), ("initialValue", "0")]
            .into_iter()
            .chain([("kind", "CORRECTION"), ("refersTo", &id)])
    {
        row[field] = json!(value);
    }
    assert_eq!(released.body["type"], "reading.cleared");
    assert_eq!(released.body["data"], json!({ "tenant": "birkenfurt", "readings": [row] }));

    // A dead letter says what it is, and stays it.
    clearing(&["reject", "j1", &id, "--reason", "another meter"]).succeeded();
    deliver(0);
    deliver(80);
    let dead = document(webhook(&world, &["dead", "--json"]).succeeded());
    assert_eq!((&dead["deadLetters"][0]["type"], &dead["deadLetters"][0]["job"]), (&json!("reading.cleared"), &json!("j1")));
    mended.store(true, Ordering::SeqCst);
    webhook(&world, &["retry"]).succeeded();
    deliver(0);
    let rejected = receiver.messages().pop().unwrap();
    assert_eq!((&rejected.body["type"], &rejected.readings()[0]["clearing"]), (&json!("reading.cleared"), &json!("rejected")));
    assert_eq!((receiver.taken().len(), dead["deadLetters"][0]["message"].as_str()), (3, Some(rejected.id.as_str())));

    // Who has no webhook leaves nothing for one.
    apply(&world, Value::Null);
    clearing(&["release", "j1", &id]).succeeded();
    apply(&world, json!({ "url": receiver.url, "secretParameter": "webhook" }));
    assert_eq!(document(webhook(&world, &["status", "--json"]).succeeded())["waiting"], 0);
}

/// As for jobs in the played season: what is delivered has the fields of the export.
#[test]
fn a_reading_without_a_job_is_pushed_as_it_is_exported() {
    let receiver = Receiver::start(&[SECRET], |_, _| (200, None));
    let world = world_with_webhook(&receiver.url);
    visitors(&world, 0..2);
    world.deliveries(Timestamp::now());
    let said = world.run(&["readings", "export", "--unknown", "--tenant", "birkenfurt", "--since", "2026-11-01", "--format", "jsonl"]);
    let mut exported: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut delivered: Vec<Value> = receiver.taken().iter().flat_map(Message::readings).cloned().collect();
    for rows in [&mut exported, &mut delivered] {
        rows.sort_by_key(|row| format!("{} {}", row["readingId"], row["obis"]));
    }
    assert_eq!((delivered.len(), &delivered[0]["unit"], &delivered[0]["zip"]), (4, &json!("m³"), &json!("01234")));
    assert_eq!(delivered, exported);
}

#[test]
fn an_address_that_is_gone_is_said_and_tried_again_when_a_clerk_wants_it() {
    let receiver = Receiver::start(&[SECRET], |n, _| if n == 0 { (410, None) } else { (200, None) });
    let world = world_with_webhook(&receiver.url);
    visitors(&world, 0..1);
    world.deliveries(Timestamp::now());
    visitors(&world, 1..3);
    world.deliveries(Timestamp::now() + 5.hours());
    let said = webhook(&world, &["status"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("says that its address is gone") && said.out.contains("waiting: 2 messages"), "{}", said.out);
    webhook(&world, &["retry"]).succeeded();
    world.deliveries(Timestamp::now() + 5.hours());
    webhook(&world, &["status"]).succeeded();
    assert_eq!((receiver.messages().len(), receiver.taken().len()), (4, 3));
}
