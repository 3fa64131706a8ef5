//! What somebody needs for a dispute stays, however old it is and whoever asks; the others' goes as ever.

use domain::config::Retention;
use store::{Audit, Hold};
use testing::hold;
use workers::table::{ACCOUNT_EXPIRY, ERASURE, RETENTION};

use crate::retention::limits;
use crate::world::{World, account, days, job, master, start, tenant};

/// Two customers whose jobs were read on the first day, with photo and comment, somebody with whom the first one shared, and one without jobs.
async fn world(limits: Retention) -> World {
    let world = World::with_retention(limits).await;
    for owner in ["held", "other"] {
        world.account(owner, owner, None).await;
        world.import(owner, &master(&format!("{owner}-job"), &format!("1{owner}"))).await;
        world.read(owner, &format!("{owner}-job"), owner, "Meter was changed", start()).await;
        let audit = Audit { by: "Frau Kern", command: "desk customer", account: Some(&account(owner)), ..Audit::default() };
        world.store.keep_audit(&tenant(), audit, start()).await.unwrap();
    }
    world.account_below(&["held"], "tenant", "Below", None).await;
    world.account("idle", "Has no jobs", None).await;
    world
}

/// What is stored of an owner's job: photos, comment, job, records of the trail.
async fn left(world: &World, owner: &str) -> (usize, bool, bool, usize) {
    let id = job(&format!("{owner}-job"));
    let entry = world.store.ledger(&tenant(), &id).await.unwrap().remove(0);
    let stored = world.store.job(&tenant(), &account(owner), &id).await.unwrap().is_some();
    let trail = world.store.audit(&tenant()).await.unwrap();
    let records = trail.iter().filter(|record| record.customer == Some(account(owner))).count();
    (entry.image_ids.len(), entry.comment.is_some(), stored, records)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_persons_time_is_not_over_before_the_hold_ends() {
    let world = world(limits()).await;
    world.store.hold(&tenant(), &hold("held")).await.unwrap();
    for day in [41, 51, 101, 106] {
        world.works(&RETENTION, days(day)).await;
    }
    assert_eq!((left(&world, "held").await, left(&world, "other").await), ((1, true, true, 1), (0, false, false, 0)));
    world.store.end_hold(&tenant(), &account("held")).await.unwrap();
    for day in [107, 120] {
        world.works(&RETENTION, days(day)).await;
    }
    assert_eq!(left(&world, "held").await, (0, false, false, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_holds_somebody_below_holds_the_jobs_that_they_read() {
    let world = world(limits()).await;
    let below = Hold { ancestors: vec![account("held")], ..hold("tenant") };
    world.store.hold(&tenant(), &below).await.unwrap();
    world.works(&RETENTION, days(106)).await;
    assert_eq!((left(&world, "held").await.2, left(&world, "other").await.2), (true, false));
    let of = async |id: &str| world.store.hold_of(&tenant(), &account(id)).await.unwrap().is_some();
    assert_eq!((of("held").await, of("tenant").await, of("other").await), (true, true, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_waits_and_an_account_without_jobs_stays() {
    let world = world(limits()).await;
    for id in ["held", "idle"] {
        world.store.hold(&tenant(), &hold(id)).await.unwrap();
    }
    for id in ["held", "tenant", "other"] {
        world.store.request_erasure(&tenant(), &account(id), days(2)).await.unwrap();
    }
    for day in [2, 3, 110] {
        world.works(&ACCOUNT_EXPIRY, days(day)).await;
        world.works(&ERASURE, days(day)).await;
    }
    let is_there = async |id: &str| world.store.account(&tenant(), &account(id)).await.unwrap().is_some();
    let there = (is_there("held").await, is_there("tenant").await, is_there("idle").await, is_there("other").await);
    assert_eq!(there, (true, true, true, false), "what was shared from a held account stays with it");
    for id in ["held", "idle"] {
        world.store.end_hold(&tenant(), &account(id)).await.unwrap();
    }
    for day in [117, 118] {
        world.works(&ACCOUNT_EXPIRY, days(day)).await;
        world.works(&ERASURE, days(day)).await;
    }
    assert_eq!((is_there("held").await, is_there("tenant").await, is_there("idle").await), (false, false, false));
}
