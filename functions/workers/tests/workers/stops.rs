//! A worker may be stopped before and after each change that it makes, and may have too little time for all: the end is that of one clean run.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::config::Retention;
use jiff::{Timestamp, ToSpan};
use workers::Worker;
use workers::table::{ACCOUNT_EXPIRY, ERASURE, ORPHAN_PHOTOS, RETENTION, TALLIES};

use crate::world::{Stop, World, account, days, tenant};
use crate::{accounts, erasure, orphans, retention};

/// What a worker is tried on.
struct Case {
    worker: &'static Worker,
    now: Timestamp,
}

async fn world(case: &Case) -> World {
    let limits = if case.worker.name == "erasure" { Retention::default() } else { retention::limits() };
    let world = World::with_retention(limits).await;
    match case.worker.name {
        "orphan_photos" => orphans::populate(&world).await,
        "retention" => retention::populate(&world).await,
        "account_expiry" => {
            accounts::populate(&world).await;
            world.store.note_jobless(&tenant(), &account("idle"), Some(days(0))).await.unwrap();
        }
        "erasure" => {
            erasure::populate(&world).await;
            world.store.request_erasure(&tenant(), &account("canary-1"), days(2)).await.unwrap();
        }
        "tallies" => retention::populate(&world).await,
        other => panic!("{other} is new: say what it is tried on"),
    }
    world
}

type End = (BTreeMap<(String, String), String>, Vec<String>);

async fn end(world: &World) -> End {
    // What a worker changes is counted once, wherever it was stopped.
    world.store.count_all(&tenant(), days(300)).await.unwrap();
    (world.table().await, world.objects().await)
}

fn same((items, objects): &End, wanted: &End, what: &str) {
    let differs = |(key, item): &(&(String, String), &String)| wanted.0.get(*key) != Some(*item);
    let more: Vec<_> = items.iter().filter(differs).collect();
    let missing: Vec<_> = wanted.0.keys().filter(|key| !items.contains_key(*key)).collect();
    assert!(more.is_empty() && missing.is_empty(), "{what}: {more:?}, missing: {missing:?}");
    assert_eq!(objects, &wanted.1, "{what}");
}

async fn stopped_anywhere(case: Case) {
    let Case { worker, now } = case;
    let mut world = world(&case).await;
    let prepared = world.snapshot().await;
    let writes = world.works(worker, now).await.writes;
    let wanted = end(&world).await;
    assert!(writes.len() > 1, "{}: {writes:?}", worker.name);
    // Between two writes it does not matter where.
    let first = writes.first().map(|&call| Stop { call, after: false });
    for stop in first.into_iter().chain(writes.iter().map(|&call| Stop { call, after: true })) {
        world.restore(&prepared).await;
        let stopped = world.run(worker, now, Duration::from_secs(300), Some(stop)).await;
        assert!(!stopped.went_well, "{} at {stop:?}: {}", worker.name, stopped.line);
        assert_eq!(stopped.line["level"], "error");
        world.works(worker, now).await;
        same(&end(&world).await, &wanted, &format!("{} stopped at {stop:?}", worker.name));
    }

    // Without any time left, a run does one step: the worker comes to the same end all the same.
    world.restore(&prepared).await;
    for run in 0.. {
        assert!(run < 200, "{} does not come to an end", worker.name);
        let ran = world.run(worker, now, Duration::ZERO, None).await;
        assert!(ran.went_well, "{}", ran.line);
        if ran.line["finished"] == true {
            break;
        }
    }
    same(&end(&world).await, &wanted, &format!("{} in small steps", worker.name));
}

#[tokio::test(flavor = "multi_thread")]
async fn orphan_photos() {
    stopped_anywhere(Case { worker: &ORPHAN_PHOTOS, now: Timestamp::now() + 25.hours() }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn retention_of_data() {
    stopped_anywhere(Case { worker: &RETENTION, now: days(106) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn account_expiry() {
    stopped_anywhere(Case { worker: &ACCOUNT_EXPIRY, now: days(101) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn erasure_of_a_person() {
    stopped_anywhere(Case { worker: &ERASURE, now: days(2) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tallies() {
    stopped_anywhere(Case { worker: &TALLIES, now: days(300) }).await;
}
