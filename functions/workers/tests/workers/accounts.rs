//! When accounts lose their logins, and when they go.

use domain::config::Retention;
use domain::device::DeviceKind;
use domain::model::LoginKind;
use jiff::ToSpan;
use store::{LinkSecretHash, NewSession};
use workers::table::{ACCOUNT_EXPIRY, ERASURE};

use crate::retention::limits;
use crate::world::{World, account, days, link_hash, master, start, tenant};

pub async fn populate(world: &World) {
    world.account("ends", "Ends on the tenth day", Some("2026-11-12")).await;
    world.import("ends", &master("j1", "1ENDS")).await;
    world.account("stays", "Stays", None).await;
    world.import("stays", &master("j2", "1STAYS")).await;
    world.account("idle", "Has no jobs", None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_account_loses_its_logins_and_keeps_its_jobs() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    let session = NewSession {
        account_id: account("ends"),
        generation: 0,
        login: LoginKind::Token,
        device: DeviceKind::Iphone,
        epoch: 0,
        now: start(),
        ends_at: None,
        random: [8; 80],
    };
    let token = world.store.open_session(&tenant(), session).await.unwrap();
    let logins = async |id: &str| {
        let name = world.store.credential(&tenant(), &format!("{id}-user")).await.unwrap().is_some();
        (name, world.store.link_login(&tenant(), &link_hash(id), start()).await.unwrap().is_some())
    };

    // The twelfth of November is still a day of the account, in Berlin.
    world.works(&ACCOUNT_EXPIRY, days(10) + 10.hours()).await;
    assert_eq!(logins("ends").await, (true, true));
    world.works(&ACCOUNT_EXPIRY, days(10) + 12.hours()).await;
    assert_eq!(logins("ends").await, (false, false));
    assert_eq!(logins("stays").await, (true, true));
    assert!(world.store.find_session(&tenant(), token.as_str(), days(1)).await.unwrap().is_none());
    assert!(world.table().await.keys().all(|(pk, sk)| pk != "T#portal#A#ends" || !sk.starts_with("SESSION#")));
    assert!(world.store.has_jobs(&tenant(), &account("ends")).await.unwrap());
    assert!(world.store.account(&tenant(), &account("ends")).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_without_jobs_goes_when_it_had_none_for_long() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    world.works(&ACCOUNT_EXPIRY, days(0)).await;
    world.works(&ACCOUNT_EXPIRY, days(99)).await;
    assert!(world.store.account(&tenant(), &account("idle")).await.unwrap().is_some());
    world.works(&ACCOUNT_EXPIRY, days(101)).await;
    world.works(&ERASURE, days(101)).await;
    world.works(&ERASURE, days(102)).await;
    assert!(!format!("{:?}", world.table().await).contains("idle"));
    for id in ["ends", "stays"] {
        assert!(world.store.account(&tenant(), &account(id)).await.unwrap().is_some());
    }
}

/// What the utility's next file says of it is no job.
#[tokio::test(flavor = "multi_thread")]
async fn the_time_without_jobs_goes_on_when_the_account_is_written_again() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    world.works(&ACCOUNT_EXPIRY, days(0)).await;
    let mut new = testing::account("idle");
    new.account.email = Some("idle@example.org".parse().unwrap());
    world.store.put_account(&tenant(), &new).await.unwrap();
    let link = LinkSecretHash { sha256_hex: link_hash("idle-next-season"), expires_at: days(400) };
    assert!(world.store.add_link(&tenant(), &account("idle"), &link).await.unwrap());
    for day in [50, 101] {
        world.works(&ACCOUNT_EXPIRY, days(day)).await;
    }
    assert!(world.store.erasure(&tenant(), &account("idle")).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_job_begins_the_time_anew() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    world.works(&ACCOUNT_EXPIRY, days(0)).await;
    world.import("idle", &master("j3", "1IDLE")).await;
    world.works(&ACCOUNT_EXPIRY, days(90)).await;
    assert!(!format!("{:?}", world.table().await).contains("joblessSince"));
    world.works(&ACCOUNT_EXPIRY, days(101)).await;
    assert!(world.store.account(&tenant(), &account("idle")).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_limit_and_under_a_legal_hold_nothing_goes() {
    for kept in [Retention::default(), Retention { legal_hold: true, ..limits() }] {
        let world = World::with_retention(kept).await;
        populate(&world).await;
        world.works(&ACCOUNT_EXPIRY, days(1)).await;
        world.works(&ACCOUNT_EXPIRY, days(5_000)).await;
        world.works(&ERASURE, days(5_001)).await;
        assert!(world.store.account(&tenant(), &account("idle")).await.unwrap().is_some());
    }
}
