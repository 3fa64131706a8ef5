//! What somebody needs for a dispute stays, however old it is and whoever asks; the others' goes as ever.

use bytes::Bytes;
use domain::config::Retention;
use domain::model::LoginKind;
use domain::value::MeterValue;
use serde_json::json;
use store::{Audit, Hold, IdempotencyWrite, NewVersion, ReadingWithoutJob, ReadingWithoutJobValue, Submitted, fingerprint};
use testing::{application, bundle, end_hold, hold};
use workers::table::{ACCOUNT_EXPIRY, ERASURE, RETENTION};

use crate::retention::limits;
use crate::world::{World, account, days, image, job, master, start, tenant};

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
    world.store.hold(&tenant(), &hold("held"), None).await.unwrap();
    for day in [41, 51, 101, 106] {
        world.works(&RETENTION, days(day)).await;
    }
    assert_eq!((left(&world, "held").await, left(&world, "other").await), ((1, true, true, 1), (0, false, false, 0)));
    end_hold(&world.store, &tenant(), &account("held")).await;
    for day in [107, 120] {
        world.works(&RETENTION, days(day)).await;
    }
    assert_eq!(left(&world, "held").await, (0, false, false, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_holds_somebody_below_holds_the_jobs_that_they_read() {
    let world = world(limits()).await;
    let below = Hold { ancestors: vec![account("held")], ..hold("tenant") };
    world.store.hold(&tenant(), &below, None).await.unwrap();
    world.works(&RETENTION, days(106)).await;
    assert_eq!((left(&world, "held").await.2, left(&world, "other").await.2), (true, false));
    let of = async |id: &str| world.store.hold_of(&tenant(), &account(id)).await.unwrap().is_some();
    assert_eq!((of("held").await, of("tenant").await, of("other").await), (true, true, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_waits_and_an_account_without_jobs_stays() {
    let world = world(limits()).await;
    for id in ["held", "idle"] {
        world.store.hold(&tenant(), &hold(id), None).await.unwrap();
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
        end_hold(&world.store, &tenant(), &account(id)).await;
    }
    for day in [117, 118] {
        world.works(&ACCOUNT_EXPIRY, days(day)).await;
        world.works(&ERASURE, days(day)).await;
    }
    assert_eq!((is_there("held").await, is_there("tenant").await, is_there("idle").await), (false, false, false));
}

/// A reading of a meter without a job, with a photo, and a look at whoever sent it.
async fn send_without_job(world: &World, sender: &str) {
    send_with_photo(world, sender, &format!("photo-of-{sender}")).await;
    let audit = Audit { by: "Frau Kern", command: "desk customer", account: Some(&account(sender)), ..Audit::default() };
    world.store.keep_audit(&tenant(), audit, start()).await.unwrap();
}

/// A reading of a meter without a job that came on the first day, with this photo and a comment.
pub async fn send_with_photo(world: &World, sender: &str, photo: &str) -> ReadingWithoutJob {
    let (id, photo) = (job(&format!("unknown~{sender}")), image(photo));
    world.photos.put(&tenant(), &id, &photo, Bytes::from("photo")).await.unwrap();
    let value = ReadingWithoutJobValue { obis: None, rate_name: None, value: MeterValue::parse("17").unwrap(), image_ids: vec![photo] };
    let entry = ReadingWithoutJob {
        id,
        created: start(),
        login_kind: LoginKind::Credentials,
        login_account_id: account(sender),
        meter_type: None,
        sub_type: None,
        meter_number: "7GMT0000004711".into(),
        reading_values: vec![value],
        reading_date: "2026-11-02".parse().unwrap(),
        reading_reason: None,
        contact: None,
        email: None,
        language: None,
        comment: Some("Im Keller".into()),
    };
    let record = IdempotencyWrite { key_hash: sender.into(), request_hash: "h".into(), response_body: "{}".into(), created: start() };
    assert_eq!(world.store.submit_without_job(&tenant(), &entry, &record, false).await.unwrap(), Submitted::Stored);
    entry
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_held_person_shared_stays_with_what_was_sent_from_there() {
    let world = world(limits()).await;
    world.account_below(&["other"], "beside", "Below the other one", None).await;
    for sender in ["tenant", "beside", "left"] {
        send_without_job(&world, sender).await;
    }
    // The share of "left" was deleted: the account at the top leads to what was sent.
    let led_to = json!({ "pk": format!("T#{}#A#held", tenant()), "sk": "UNKNOWN#unknown~left" });
    world.put_raw(led_to).await;
    world.store.hold(&tenant(), &hold("held"), None).await.unwrap();
    world.works(&RETENTION, days(106)).await;
    let reading = async |sender: &str| {
        let found = world.store.reading_without_job(&tenant(), &job(&format!("unknown~{sender}"))).await.unwrap();
        let photos = world.objects().await.into_iter().filter(|key| key.ends_with(&format!("photo-of-{sender}"))).count();
        (found.is_some(), photos)
    };
    assert_eq!((reading("tenant").await, reading("left").await, reading("beside").await), ((true, 1), (true, 1), (false, 0)));
    let trail = world.store.audit(&tenant()).await.unwrap();
    let looks = |of: &str| trail.iter().filter(|record| record.customer == Some(account(of))).count();
    assert_eq!((looks("tenant"), looks("beside")), (1, 0));

    end_hold(&world.store, &tenant(), &account("held")).await;
    world.works(&RETENTION, days(113)).await;
    assert_eq!((reading("tenant").await, reading("left").await), ((false, 0), (false, 0)));
    assert_eq!(world.store.audit(&tenant()).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_held_while_an_erasure_is_under_way_stays() {
    let world = world(limits()).await;
    let mut asked = ["held", "other"];
    // In the order in which the worker comes to them.
    asked.sort_by_key(|id| fingerprint(&tenant(), &account(id)));
    let [first, second] = asked;
    for id in asked {
        world.store.request_erasure(&tenant(), &account(id), days(2)).await.unwrap();
    }
    let hold_second = move |store: store::Store| async move { store.hold(&tenant(), &hold(second), None).await.unwrap() };
    let is_there = async |id: &str| world.store.account(&tenant(), &account(id)).await.unwrap().is_some();
    let ran = world.runs_while(&ERASURE, days(2), "TransactWriteItems", hold_second).await;
    assert!(ran.went_well, "{}", ran.line);
    assert_eq!((is_there(first).await, is_there(second).await), (false, true));

    // What comes between the worker's look at the holds and the end of the account counts, too.
    end_hold(&world.store, &tenant(), &account(second)).await;
    let ran = world.runs_while(&ERASURE, days(3), "TransactWriteItems", hold_second).await;
    assert!(!ran.went_well && is_there(second).await, "{}", ran.line);
    world.works(&ERASURE, days(4)).await;
    assert!(is_there(second).await && left(&world, second).await.2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_legal_hold_that_is_put_into_effect_during_a_run_counts_from_the_next_step_on() {
    let world = world(limits()).await;
    let hold_all = |store: store::Store| async move {
        let held = Retention { legal_hold: true, ..limits() };
        let bundle = bundle(application(tenant().as_str(), json!({ "retention": held })));
        store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap();
    };
    // The first step, among the readings, says how far it came; jobs and trail are for the next ones.
    let ran = world.runs_while(&RETENTION, days(106), "PutItem", hold_all).await;
    assert!(ran.went_well, "{}", ran.line);
    let (_, _, stored, records) = left(&world, "other").await;
    assert_eq!((stored, records), (true, 1));
}
