//! What takes longer than a request goes on until it is through, whatever happens to its worker.

use std::collections::BTreeSet;

use domain::ids::RunId;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use store::{ExportState, Run, RunState};
use testing::{Permission, ask_for_export, permissions};
use workers::table::{RUN_CLOCK, RUNS};

use crate::world::{Ran, Stop, World, days, master, start, tenant};

/// A tenant two of whose customers have read.
async fn world() -> World {
    let world = World::with_retention(Default::default()).await;
    for n in 0..2 {
        let (owner, id) = (format!("a{n}"), format!("j{n}"));
        world.account(&owner, "Reader", None).await;
        world.import(&owner, &master(&id, &format!("1{id}"))).await;
        world.read(&owner, &id, &owner, "", start()).await;
    }
    world
}

/// A worker's turn at the run.
async fn work(world: &World, run: &RunId, now: Timestamp, stop: Option<Stop>) -> Ran {
    let message = json!({ "tenant": tenant(), "run": run }).to_string();
    let batch = json!({ "Records": [{ "messageId": "1", "body": message }] }).to_string();
    world.invoke(&RUNS, &batch, now, std::time::Duration::from_secs(60), stop).await
}

async fn found(world: &World, run: &RunId) -> Run {
    world.store.run(&tenant(), run).await.unwrap().unwrap()
}

/// Its file's name and content, and that nobody has more than one export of it.
async fn file(world: &World, run: &RunId) -> (String, String) {
    let outcome = found(world, run).await.outcome.unwrap();
    assert_eq!(outcome.files.len(), 1, "{outcome:?}");
    let exports = world.store.exports_of_readings(&tenant()).await.unwrap();
    assert!(exports.len() == 1 && exports[0].state == ExportState::Done, "{exports:?}");
    let counts = exports[0].counts.unwrap();
    assert_eq!((counts.originals, counts.corrections, counts.cancellations), (2, 0, 0));
    let name = outcome.files[0].name.clone();
    let key = format!("files/{}/{run}/{name}", tenant());
    let object = world.s3.get_object().bucket(&world.bucket).key(key).send().await.unwrap();
    let bytes = object.body.collect().await.unwrap().into_bytes();
    assert_eq!((outcome.files[0].bytes, outcome.files[0].rows), (bytes.len() as u64, 2));
    (name, String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_was_stopped_anywhere_is_finished_under_its_number() {
    let mut world = world().await;
    let run = ask_for_export(&world.store, &tenant(), "plain", days(1)).await;
    let prepared = world.snapshot().await;
    let writes = work(&world, &run, days(1), None).await.writes;
    assert_eq!(found(&world, &run).await.state, RunState::Done);
    let wanted = file(&world, &run).await;
    assert!(wanted.1.lines().count() == 3 && wanted.0 == "readings-00000001.csv", "{wanted:?}");
    assert!(writes.len() > 8, "take, turn, number, two readings, fixed, file, outcome, done, end: {writes:?}");
    let first = writes.first().map(|&call| Stop { call, after: false });
    for stop in first.into_iter().chain(writes.iter().map(|&call| Stop { call, after: true })) {
        world.restore(&prepared).await;
        work(&world, &run, days(1), Some(stop)).await;
        // Its lease and its turn are over; a run that does not come to its end is woken each minute.
        for minutes in [2, 4] {
            work(&world, &run, days(1) + minutes.minutes(), None).await;
        }
        let ended = found(&world, &run).await;
        assert_eq!(ended.state, RunState::Done, "{stop:?}: {:?}", ended.failure);
        assert_eq!(file(&world, &run).await, wanted, "{stop:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_done_says_why_and_is_not_tried_again() {
    let world = world().await;
    let run = ask_for_export(&world.store, &tenant(), "no-such-preset", days(1)).await;
    let ran = work(&world, &run, days(1), None).await;
    assert_eq!(ran.line["level"], "error", "whoever looks after the deployment sees it: {}", ran.line);
    let ended = found(&world, &run).await;
    assert_eq!(ended.state, RunState::Failed);
    assert!(ended.failure.unwrap().de.contains("no-such-preset"));
    assert!(work(&world, &run, days(2), None).await.went_well, "it is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn five_faults_in_a_row_end_a_run() {
    let mut broken = world().await;
    let run = ask_for_export(&broken.store, &tenant(), "plain", days(1)).await;
    broken.bucket = "no-such-bucket".to_owned();
    for turn in 1..=5 {
        assert_eq!(found(&broken, &run).await.state, RunState::Open, "before turn {turn}");
        work(&broken, &run, days(1) + (2 * turn).minutes(), None).await;
    }
    let ended = found(&broken, &run).await;
    assert_eq!((ended.state, ended.failure.is_some()), (RunState::Failed, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_at_his_turn_waits_for_it() {
    let world = world().await;
    let run = ask_for_export(&world.store, &tenant(), "plain", days(1)).await;
    let until = days(1) + 1.minute();
    world.store.take_turn(&tenant(), "export", "command", "Jens", (days(1), until)).await.unwrap().unwrap();
    for _ in 0..7 {
        assert!(work(&world, &run, days(1), None).await.went_well);
    }
    let waits = found(&world, &run).await;
    assert_eq!((waits.state, waits.tries, waits.failure), (RunState::Open, 0, None), "to wait is no try");
    work(&world, &run, until, None).await;
    assert_eq!(found(&world, &run).await.state, RunState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_wakes_whom_nobody_has() {
    let world = world().await;
    let free = ask_for_export(&world.store, &tenant(), "plain", days(1)).await;
    let (taken, over) = (ask_for_export(&world.store, &tenant(), "plain", days(1)).await, testing::run(&world.store, &tenant()).await);
    world.store.take_run(&tenant(), &taken, "worker", (days(1), days(2))).await.unwrap().unwrap();
    world.store.cancel_run(&tenant(), &over, days(1)).await.unwrap();
    let ran = world.works(&RUN_CLOCK, days(1)).await;
    assert_eq!(ran.line["counts"]["woken"], 1, "{}", ran.line);
    let message = world.queue.next().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&message.body).unwrap(), json!({ "tenant": tenant(), "run": free }));
    assert_eq!(world.works(&RUN_CLOCK, days(3)).await.line["counts"]["woken"], 2, "a worker's time was over");
    assert_eq!(ran.used, permissions(RUN_CLOCK.grants));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_uses_what_it_is_granted_and_no_more() {
    let world = world().await;
    let mut used: BTreeSet<Permission> = BTreeSet::new();
    let run = ask_for_export(&world.store, &tenant(), "plain", days(1)).await;
    used.extend(work(&world, &run, days(1), None).await.used);
    assert_eq!(found(&world, &run).await.state, RunState::Done, "{:?}", found(&world, &run).await.failure);
    assert_eq!(used, permissions(RUNS.grants), "left: used, right: granted");
}
