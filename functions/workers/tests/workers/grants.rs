//! Every worker gets by with what its row grants, and uses all of it.

use std::collections::BTreeSet;

use domain::config::Retention;
use jiff::{Timestamp, ToSpan};
use testing::{Permission, permissions};
use workers::Worker;
use workers::table::{ACCOUNT_EXPIRY, ERASURE, ORPHAN_PHOTOS, RETENTION, TALLIES};

use crate::world::{World, account, days, tenant};
use crate::{accounts, erasure, orphans, retention};

async fn uses(world: &World, worker: &'static Worker, moments: &[Timestamp], mut used: BTreeSet<Permission>) {
    for now in moments {
        used.extend(world.works(worker, *now).await.used);
    }
    assert_eq!(used, permissions(worker.grants), "{} (left: used, right: granted)", worker.name);
}

#[tokio::test(flavor = "multi_thread")]
async fn are_exact() {
    let world = World::with_retention(Retention::default()).await;
    orphans::populate(&world).await;
    uses(&world, &ORPHAN_PHOTOS, &[Timestamp::now() + 25.hours()], BTreeSet::new()).await;

    let world = World::with_retention(retention::limits()).await;
    retention::populate(&world).await;
    uses(&world, &TALLIES, &[days(1)], BTreeSet::new()).await;
    uses(&world, &RETENTION, &[days(41), days(101), days(106)], BTreeSet::new()).await;

    let world = World::with_retention(Retention::default()).await;
    erasure::populate(&world).await;
    world.store.request_erasure(&tenant(), &account("canary-2"), days(1)).await.unwrap();
    let of_share = world.works(&ERASURE, days(1)).await.used;
    world.store.request_erasure(&tenant(), &account("canary-1"), days(2)).await.unwrap();
    uses(&world, &ERASURE, &[days(2), days(3)], of_share).await;

    let world = World::with_retention(retention::limits()).await;
    accounts::populate(&world).await;
    uses(&world, &ACCOUNT_EXPIRY, &[days(0), days(101)], BTreeSet::new()).await;
}
