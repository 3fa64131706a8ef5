//! The clock starts a worker again and again; it goes through a tenant when that is due, and until it is through.

use std::time::Duration;

use jiff::ToSpan;
use serde_json::Value;
use workers::table::{ACCOUNT_EXPIRY, ERASURE, ORPHAN_PHOTOS};
use workers::{BY_CLOCK, Worker};

use crate::retention::limits;
use crate::world::{Ran, World, account, days, start, tenant};
use crate::{accounts, erasure, orphans};

/// How much a run looked at; none: it left the tenant alone.
fn seen(ran: &Ran) -> Option<u64> {
    assert!(ran.went_well, "{}", ran.line);
    ran.line["counts"]["seen"].as_u64()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_has_its_peace_for_a_week() {
    for worker in [&ACCOUNT_EXPIRY, &ORPHAN_PHOTOS] as [&'static Worker; 2] {
        let world = World::with_retention(limits()).await;
        match worker.name {
            "orphan_photos" => orphans::populate(&world).await,
            _ => accounts::populate(&world).await,
        }
        let all = seen(&world.by_clock(worker, start()).await);
        assert!(all.is_some(), "{}", worker.name);
        // The week ends at midnight.
        let due = days(7) - 12.hours();
        assert_eq!(seen(&world.by_clock(worker, due - 1.seconds()).await), None, "{}", worker.name);
        assert_eq!(seen(&world.by_clock(worker, due).await), all, "{}", worker.name);
        assert_eq!(seen(&world.by_clock(worker, due).await), None, "{}", worker.name);
        assert_eq!(seen(&world.works(worker, due).await), all, "{}: a person wants it now", worker.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_run_could_not_finish_the_next_one_does() {
    let world = World::with_retention(limits()).await;
    accounts::populate(&world).await;
    let mut seen_so_far = 0;
    for run in 0.. {
        assert!(run < 20, "it does not come to an end");
        let ran = world.invoke(&ACCOUNT_EXPIRY, BY_CLOCK, start(), Duration::ZERO, None).await;
        seen_so_far += seen(&ran).unwrap();
        if ran.line["finished"] == Value::Bool(true) {
            break;
        }
    }
    assert_eq!(seen_so_far, 3);
    assert_eq!(seen(&world.by_clock(&ACCOUNT_EXPIRY, start()).await), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_is_always_due() {
    let world = World::new().await;
    world.apply(Default::default()).await;
    erasure::populate(&world).await;
    world.by_clock(&ERASURE, start()).await;
    world.store.request_erasure(&tenant(), &account("canary-1"), start()).await.unwrap();
    let ran = world.by_clock(&ERASURE, start() + 15.minutes()).await;
    assert!(ran.line["counts"]["items"].as_u64().unwrap() > 10, "{}", ran.line);
}
