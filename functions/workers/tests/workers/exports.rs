//! Exports begin by themselves when they are due, once, and the utility's system hears when they are done.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::season::Season;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use store::{Run, RunState, RunTask};
use testing::receiver::{Receiver, Reply};
use testing::{at, ministack, permissions};
use workers::table::{EXPORT_CLOCK, WEBHOOK_DELIVERIES};

use crate::runs::{found, work};
use crate::world::{Ran, Stop, World, days, master, start, tenant};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A tenant one of whose customers has read, with these exports.
async fn world(exports: Value, more: Value) -> World {
    let world = World::new().await;
    let mut settings = json!({ "timeZone": "Europe/Berlin", "desk": { "exports": exports } });
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.apply_with(&tenant(), settings).await;
    world.account("anna", "Anna", None).await;
    world.import("anna", &master("j1", "1EBZ0100004711")).await;
    world.read("anna", "j1", "anna", "was dark", start()).await;
    world
}

/// All of its readings, each day at six.
fn daily() -> Value {
    json!({ "scheduled": [{ "what": "TABLE", "preset": "plain", "every": "DAY", "hour": 6 }] })
}

async fn begun(world: &World, now: Timestamp) -> (u64, Ran) {
    let ran = world.works(&EXPORT_CLOCK, now).await;
    (ran.line["counts"]["begun"].as_u64().unwrap_or_default(), ran)
}

async fn runs(world: &World) -> Vec<Run> {
    world.store.runs(&tenant(), 10, |_| true).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_begins_at_its_hour_and_once() {
    let world = world(daily(), json!({})).await;
    let six = at("2026-11-03T05:00:00Z");
    assert_eq!(begun(&world, start()).await.0, 0, "who makes a schedule waits for its next time");
    assert_eq!(begun(&world, six - 1.second()).await.0, 0);
    let (count, ran) = begun(&world, six + 1.minute()).await;
    assert_eq!((count, ran.used), (1, permissions(EXPORT_CLOCK.grants)));
    assert_eq!(begun(&world, six + 16.minutes()).await.0, 0);
    let run = runs(&world).await.remove(0);
    assert_eq!((run.new.member, run.new.by.as_str()), (None, "Zeitplan"));
    let message: Value = serde_json::from_str(&world.queue.next().await.unwrap().body).unwrap();
    assert_eq!(message, json!({ "tenant": tenant(), "run": run.new.id }));
    work(&world, &run.new.id, six, None).await;
    let done = found(&world, &run.new.id).await;
    assert_eq!((done.state, done.outcome.unwrap().files[0].name.as_str()), (RunState::Done, "readings-00000001.csv"));
    // After days without a clock there is one export, because it takes all that is due.
    assert_eq!(begun(&world, days(5)).await.0, 1);
    assert_eq!(runs(&world).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_season_it_has_its_readings_and_ends_a_quarter_after_it() {
    let scheduled =
        ["2026", "gone"].map(|season| json!({ "what": "TABLE", "preset": "plain", "season": season, "every": "DAY", "hour": 6 }));
    let world = world(json!({ "scheduled": scheduled }), json!({})).await;
    let day = |text: &str| text.parse().unwrap();
    let season = Season {
        id: "2026".parse().unwrap(),
        name: "Jahresablesung 2026".to_owned(),
        first_day: day("2026-10-01"),
        last_day: day("2026-11-30"),
        meter_types: BTreeSet::new(),
        districts: BTreeSet::new(),
    };
    world.store.put_season(&tenant(), &season).await.unwrap();
    begun(&world, start()).await;
    assert_eq!(begun(&world, at("2026-11-03T05:00:00Z")).await.0, 2);
    for run in runs(&world).await {
        work(&world, &run.new.id, days(1), None).await;
        let run = found(&world, &run.new.id).await;
        let RunTask::Export(task) = &run.new.task else { panic!("{run:?}") };
        match task.season.as_ref().unwrap().as_str() {
            // The reading that there is belongs to none.
            "2026" => assert_eq!((run.state, run.outcome.unwrap().files), (RunState::Done, vec![])),
            _ => assert_eq!(run.state, RunState::Failed, "what is not known is said by the run"),
        }
    }
    assert_eq!(begun(&world, at("2027-03-02T06:00:00Z")).await.0, 2, "readings are released after the season's end");
    assert_eq!(begun(&world, at("2027-03-03T06:00:00Z")).await.0, 1, "but not for ever");
}

// D-SETTINGS-6
#[tokio::test(flavor = "multi_thread")]
async fn none_begins_while_the_tenant_is_in_rehearsal() {
    let world = world(daily(), json!({ "rehearsal": true })).await;
    begun(&world, start()).await;
    let six = at("2026-11-03T05:00:00Z");
    assert_eq!(begun(&world, six).await.0, 0);
    apply(&world, daily(), six + 1.hour()).await;
    assert_eq!(begun(&world, six + 2.hours()).await.0, 0, "what the rehearsal was in the way of waits for its next time");
    assert_eq!(begun(&world, six + 24.hours()).await.0, 1);
}

/// Puts these exports into effect.
async fn apply(world: &World, exports: Value, at: Timestamp) {
    world.apply_at(&tenant(), json!({ "timeZone": "Europe/Berlin", "desk": { "exports": exports } }), at).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn its_first_time_may_be_at_once_and_is_never_before_it_was_made() {
    let world = world(json!({}), json!({})).await;
    let six = at("2026-11-03T05:00:00Z");
    apply(&world, daily(), six - 10.minutes()).await;
    assert_eq!(begun(&world, six).await.0, 1, "the clock sees it for the first time");
    let mut two = daily();
    two["scheduled"].as_array_mut().unwrap().push(json!({ "what": "WITHOUT_JOB", "preset": "plain", "every": "DAY", "hour": 6 }));
    let next = six + 24.hours();
    apply(&world, two, next + 5.minutes()).await;
    assert_eq!(begun(&world, next + 15.minutes()).await.0, 1, "the other one was made after its time");
    assert_eq!(begun(&world, next + 24.hours()).await.0, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_of_which_nobody_noted_when_it_was_made_is_no_new_one_after_another_change() {
    let world = world(daily(), json!({})).await;
    begun(&world, start()).await;
    world.forget(("T#portal", "CONF#APP"), "scheduledSince").await;
    let settings = json!({ "timeZone": "Europe/Berlin", "retention": { "auditDays": 800 }, "desk": { "exports": daily() } });
    let six = at("2026-11-03T05:00:00Z");
    world.apply_at(&tenant(), settings, six + 5.minutes()).await;
    assert_eq!(begun(&world, six + 15.minutes()).await.0, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_that_is_made_again_waits_for_its_next_time() {
    let world = world(daily(), json!({})).await;
    begun(&world, start()).await;
    apply(&world, json!({}), days(19)).await;
    apply(&world, daily(), days(20)).await;
    assert_eq!(begun(&world, days(20)).await.0, 0);
    assert_eq!(begun(&world, days(21)).await.0, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_stopped_anywhere_forgets_none_and_begins_none_twice() {
    let mut world = world(
        json!({ "scheduled": [
            { "what": "TABLE", "preset": "plain", "every": "DAY", "hour": 6 },
            { "what": "WITHOUT_JOB", "preset": "plain", "every": "WEEK", "day": 2, "hour": 6 },
        ] }),
        json!({}),
    )
    .await;
    begun(&world, start()).await;
    let (prepared, six) = (world.snapshot().await, at("2026-11-03T05:00:00Z"));
    let (count, ran) = begun(&world, six).await;
    assert_eq!(count, 2);
    assert!(ran.writes.len() >= 3, "two runs and how far it is: {:?}", ran.writes);
    for stop in ran.writes.iter().flat_map(|&call| [false, true].map(|after| Stop { call, after })) {
        world.restore(&prepared).await;
        world.run(&EXPORT_CLOCK, six, Duration::from_secs(60), Some(stop)).await;
        begun(&world, six + 15.minutes()).await;
        assert_eq!(runs(&world).await.len(), 2, "{stop:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_schedule_nothing_is_read() {
    let world = World::with_retention(Default::default()).await;
    let line = world.by_clock(&EXPORT_CLOCK, days(1)).await.line;
    assert_eq!((line["roundTrips"].as_u64(), line["writeUnits"].as_f64()), (Some(1), Some(0.0)), "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_webhook_hears_of_it_and_fetches_the_file() {
    let answers: [Reply; 3] = [(204, None), (500, None), (204, None)];
    let receiver = Receiver::start(&[SECRET], move |n, _| answers[n.min(2)]);
    let webhook = json!({ "url": receiver.url.replace("localhost", "127.0.0.1"), "secretParameter": "secrets" });
    let mut exports = daily();
    exports["announced"] = json!(true);
    let world = world(exports, json!({ "webhook": webhook })).await;
    world.put_secrets(&tenant(), "secrets", SECRET).await;
    begun(&world, start()).await;
    begun(&world, at("2026-11-03T05:00:00Z")).await;
    let run = runs(&world).await.remove(0).new.id;
    work(&world, &run, days(1), None).await;
    // Once more: it is done, and said already.
    work(&world, &run, days(1), None).await;
    world.works(&WEBHOOK_DELIVERIES, days(1) + 1.minute()).await;
    let messages = receiver.messages();
    let [told] = &messages[..] else { panic!("{messages:?}") };
    let (kind, data) = (&told.body["type"], &told.body["data"]);
    assert_eq!((kind, &data["tenant"], &data["run"]), (&json!("export.finished"), &json!(tenant()), &json!(run)));
    assert_eq!((&data["what"], &data["preset"]), (&json!("TABLE"), &json!("plain")));
    let file = &data["files"][0];
    assert_eq!((&file["name"], &file["number"], &file["rows"]), (&json!("readings-00000001.csv"), &json!(1), &json!(1)));
    let expires: Timestamp = file["expiresAt"].as_str().unwrap().parse().unwrap();
    assert!(expires > days(1) + 1.hour() && expires < days(1) + 62.minutes(), "{expires}");
    // The address of the worker's run is that of its guard, which is gone.
    let signed: reqwest::Url = file["url"].as_str().unwrap().parse().unwrap();
    let url = format!("{}{}?{}", ministack().await, signed.path(), signed.query().unwrap());
    let content = reqwest::Client::new().get(url).header("host", signed.authority()).send().await.unwrap();
    assert_eq!(content.status(), 200);
    let text = content.text().await.unwrap();
    assert!(text.len() as u64 == file["bytes"].as_u64().unwrap() && text.contains("1EBZ0100004711"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_want_to_hear_of_it_does_not() {
    let receiver = Receiver::start(&[SECRET], |_, _| (204, None));
    let webhook = json!({ "url": receiver.url.replace("localhost", "127.0.0.1"), "secretParameter": "secrets" });
    let world = world(daily(), json!({ "webhook": webhook })).await;
    begun(&world, start()).await;
    begun(&world, at("2026-11-03T05:00:00Z")).await;
    work(&world, &runs(&world).await.remove(0).new.id, days(1), None).await;
    world.works(&WEBHOOK_DELIVERIES, days(1) + 1.minute()).await;
    assert_eq!(receiver.messages().len(), 0);
}
