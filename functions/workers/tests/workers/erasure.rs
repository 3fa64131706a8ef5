//! After an erasure nothing leads to the person, in no item and in no version of an object; nobody else loses anything.

use bytes::Bytes;
use domain::config::Retention;
use domain::erasure::ErasureGround;
use domain::ids::{ImportId, MemberId, SeasonId};
use domain::market::Medium;
use domain::sending::SendingKind;
use jiff::ToSpan;
use serde_json::json;
use store::{
    AnswerKind, AskedErasure, Audit, Cleared, Clearing, DeadLetter, Destination, Effect, IdempotencyWrite, InTheWay, JobImport, JobLine,
    LinkSecretHash, MarketAnswer, MarketContent, MarketLine, Reopened, Sending, Submitted, fingerprint,
};
use testing::application;
use workers::table::ERASURE;

use crate::holds::send_with_photo;
use crate::retention::{correct, decided};
use crate::world::{World, account, days, image, job, link_hash, master, start, tenant};

/// In every id, name, number and text of the person, and in nobody else's.
const CANARY: &str = "canary";

/// The person, somebody with whom they shared, somebody with whom that one shared on, and a neighbour who is not to be touched.
pub async fn populate(world: &World) {
    world.account("neighbour", "Neighbour", None).await;
    world.import("neighbour", &master("n1", "1NEIGHBOUR")).await;
    world.read("neighbour", "n1", "neighbour", "all fine", start()).await;
    upload(world, "neighbour").await;

    world.account("canary-1", "Canary Person", None).await;
    world.import("canary-1", &master("canary-job", "1canary")).await;
    world.import("canary-1", &master("canary-open", "2canary")).await;
    world.read("canary-1", "canary-job", "canary-1", "canary comment", start()).await;
    world.read("canary-1", "canary-job", "canary-2", "Meter was changed", days(1)).await;
    upload(world, "canary-1").await;
    share(world, &["canary-1"], "canary-2").await;
    share(world, &["canary-1", "canary-2"], "canary-3").await;
}

/// What staff and partners add in the course of a season.
async fn work_on(world: &World) {
    let audit = Audit { by: "Frau Kern", command: "desk customer", account: Some(&account("canary-1")), ..Audit::default() };
    world.store.keep_audit(&tenant(), audit, days(1)).await.unwrap();
    let (t, person) = (tenant(), account("canary-1"));
    let link = LinkSecretHash { sha256_hex: link_hash("canary-next-season"), expires_at: days(400) };
    assert!(world.store.add_link(&t, &person, &link).await.unwrap());
    let invitee = world.store.invitees(&t, std::slice::from_ref(&person), start()).await.unwrap().remove(0);
    world.store.note_invitation(&t, &invitee, None, start()).await.unwrap();

    let mut changed = master("canary-open", "3canary");
    changed.customer = Some(serde_json::from_value(json!({ "lastname": "Canary" })).unwrap());
    let pass_through = serde_json::from_value(json!([{ "Auftrag": "canary" }])).unwrap();
    let line = JobLine { account_id: person.clone(), master: changed, season: SeasonId::default(), pass_through };
    let application = application(t.as_str(), json!({}));
    let import = ImportId::new("20261101-080000-7f3a").unwrap();
    let job_import = JobImport {
        application: &application,
        effect: Effect::Stored,
        in_the_way: InTheWay::default(),
        coming: None,
        import: Some(&import),
        now: start(),
    };
    assert_eq!(world.store.import_jobs(job_import, &[line]).await.unwrap().len(), 1);

    let readings = world.store.job_readings(&t, &job("canary-job")).await.unwrap();
    let sending = Sending {
        kind: SendingKind::Original,
        export: Some(1),
        at: days(1),
        refers_to: None,
        clearing: None,
        lines: vec![MarketLine {
            tenant: Some(t.clone()),
            message: "CANARY01".into(),
            medium: Medium::Electricity,
            sender: "9900000000001".into(),
            recipient: "9900000000002".into(),
            location: "canary".into(),
            content: MarketContent::Cancels("canary".into()),
        }],
    };
    let answer = MarketAnswer {
        reference: sending.lines[0].number(1),
        kind: AnswerKind::Aperak,
        accepted: false,
        codes: vec!["Z19".into()],
        text: Some("no such meter: 1canary".into()),
        interchange: "ANSWER".into(),
        at: days(1),
        again: false,
    };
    assert!(world.store.note_sending(&t, &readings[0], Destination::Market, &sending).await.unwrap());
    world.store.keep_market_answer(&t, &answer).await.unwrap();
    let entry = &readings[1].entry;
    let seen = world.store.clearing_version(&t, entry).await.unwrap().unwrap();
    let clearing = Clearing {
        released: false,
        reason: Some("canary, please look again".into()),
        at: days(1),
        by: None,
        exchange: None,
        named_before: false,
        corrected_by: None,
        member: None,
        assigned: None,
        proposed_by: None,
    };
    assert!(matches!(world.store.note_clearing(&t, entry, &clearing, &seen, false).await.unwrap(), Cleared::Noted));
}

/// A photo that was sent ahead, and whose current version is a delete marker.
async fn upload(world: &World, owner: &str) {
    let key = format!("uploads/{}/{owner}/upload-{owner}", tenant());
    world.s3.put_object().bucket(&world.bucket).key(&key).body(Bytes::from("photo").into()).send().await.unwrap();
    world.s3.delete_object().bucket(&world.bucket).key(&key).send().await.unwrap();
}

/// A share as it is stored: the sub-account with its logins, and its place with the account that made it.
async fn share(world: &World, above: &[&str], id: &str) {
    let (t, maker) = (tenant(), above.last().unwrap());
    world.account_below(above, id, &format!("Share {id}"), None).await;
    let head = json!({
        "pk": format!("T#{t}#A#{id}"), "sk": "ACCOUNT", "accountId": id, "name": format!("Share {id}"), "roles": "[]", "version": 1,
        "ancestors": serde_json::to_string(above).unwrap(), "allowToReShare": true, "generation": 1, "jobsVersion": 0,
        "username": format!("{id}-user"), "link": link_hash(id), "linkExpiresAt": days(400).as_second(),
    });
    world.put_raw(head).await;
    let share = json!({
        "pk": format!("T#{t}#A#{maker}"), "sk": format!("SHARE#{id}"), "shareId": id, "shareName": format!("Share {id}"),
        "allowToReShare": true, "jobIds": ["canary-job"], "username": format!("{id}-user"), "linkExpiresAt": days(400).as_second(),
        "created": start().to_string(), "version": 0,
    });
    world.put_raw(share).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leaves_no_trace_of_the_person_and_everything_of_the_neighbour() {
    let world = World::with_retention(Retention::default()).await;
    world.account("bystander", "Bystander", None).await;
    let others_before = world.table().await;
    populate(&world).await;
    work_on(&world).await;
    let canaries = world.table().await.iter().filter(|item| format!("{item:?}").contains(CANARY)).count();
    assert!(canaries > 15, "the test has something to find: {canaries}");
    let neighbour_before: Vec<_> = world.table().await.into_iter().filter(|item| !format!("{item:?}").contains(CANARY)).collect();
    let objects = world.objects().await;
    assert_eq!(objects.iter().filter(|key| key.contains(CANARY)).count(), 6);

    world.store.request_erasure(&tenant(), &account("canary-1"), days(2)).await.unwrap();
    world.works(&ERASURE, days(2)).await;
    let left: Vec<_> = world.table().await.into_iter().filter(|item| format!("{item:?}").contains(CANARY)).collect();
    assert_eq!(left.len(), 1, "only the erasure itself knows whom it is about: {left:?}");
    assert!(world.objects().await.iter().all(|key| !key.contains(CANARY)));

    // What somebody sent who was still logged in goes with the last look.
    upload(&world, "canary-1").await;
    world.works(&ERASURE, days(2) + 59.minutes()).await;
    assert_eq!(world.store.open_erasures(&tenant()).await.unwrap().len(), 1);
    world.works(&ERASURE, days(2) + 61.minutes()).await;
    assert_eq!(world.store.open_erasures(&tenant()).await.unwrap(), []);

    let after = world.table().await;
    assert!(!format!("{after:?}").contains(CANARY));
    for hash in ["canary-1", "canary-2", "canary-3", "canary-next-season"].map(link_hash) {
        assert!(!format!("{after:?}").contains(&hash));
    }
    assert!(world.objects().await.iter().all(|key| !key.contains(CANARY)));
    for (key, item) in neighbour_before.into_iter().chain(others_before) {
        assert_eq!(after.get(&key), Some(&item), "{key:?}");
    }
    let expected: Vec<_> = objects.into_iter().filter(|key| !key.contains(CANARY)).collect();
    assert_eq!(world.objects().await, expected);

    let records = world.store.erasure_records(&tenant()).await.unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].fingerprint, fingerprint(&tenant(), &account("canary-1")));
    assert_eq!((records[0].requested_at, records[0].erased_at), (days(2), days(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_sub_account_takes_its_name_from_the_readings_that_it_sent() {
    let world = World::with_retention(Retention::default()).await;
    populate(&world).await;
    world.store.request_erasure(&tenant(), &account("canary-2"), days(2)).await.unwrap();
    world.works(&ERASURE, days(2)).await;
    world.works(&ERASURE, days(3)).await;

    let ledger = world.store.ledger(&tenant(), &job("canary-job")).await.unwrap();
    let senders: Vec<_> = ledger.iter().map(|entry| entry.login_account_id.clone()).collect();
    assert_eq!(senders, [Some(account("canary-1")), None]);
    assert_eq!(ledger[1].comment, None);
    assert_eq!(ledger[1].reading_value.to_string(), "00123.450");
    let stored = world.store.job(&tenant(), &account("canary-1"), &job("canary-job")).await.unwrap().unwrap();
    let comments: Vec<_> = stored.states[0].reading_results.iter().map(|result| result.comment.as_deref()).collect();
    assert_eq!(comments, [Some("canary comment"), None]);
    let photo = image(&format!("canary-job-{}", days(1).as_second()));
    assert!(world.photos.get(&tenant(), &job("canary-job"), &photo).await.unwrap().is_some(), "the photo is the owner's");
    let left = format!("{:?}", world.table().await);
    assert!(!left.contains("canary-2") && !left.contains("canary-3"), "{left}");
}

/// Until a second member has confirmed the erasure, days may pass.
#[tokio::test(flavor = "multi_thread")]
async fn of_a_sub_account_whose_share_was_deleted_meanwhile_takes_what_it_sent_without_a_job() {
    let world = World::with_retention(Retention::default()).await;
    populate(&world).await;
    let (store, t, [owner, share]) = (&world.store, tenant(), ["canary-1", "canary-2"].map(account));
    for sender in [&owner, &share] {
        send_with_photo(&world, sender.as_str(), &format!("photo-of-{sender}")).await;
    }
    let asked = AskedErasure { member: MemberId::new("first").unwrap(), by: "Frau Sommer".into(), ground: ErasureGround::Objection };
    store.ask_for_erasure(&t, &share, asked, true, days(2)).await.unwrap();
    let access = store.access(&t, &[], &owner).await.unwrap().unwrap();
    let record = IdempotencyWrite { key_hash: "delete".into(), request_hash: "h".into(), response_body: "{}".into(), created: days(3) };
    assert_eq!(store.delete_share(&t, &access, &owner, &share, &record).await.unwrap(), Submitted::Stored);
    store.confirm_erasure(&t, &share).await.unwrap();
    for day in [4, 5] {
        world.works(&ERASURE, days(day)).await;
    }
    let left = format!("{:?} {:?}", world.table().await, world.objects().await);
    assert!(!left.contains("canary-2"), "{left}");
    assert!(store.reading_without_job(&t, &job("unknown~canary-1")).await.unwrap().is_some(), "the owner's own stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_sub_account_and_those_below_no_words_stay_in_what_a_clerk_put_in_their_place() {
    for is_taken_back in [false, true] {
        let world = World::with_retention(Retention::default()).await;
        populate(&world).await;
        let entry = world.store.ledger(&tenant(), &job("canary-job")).await.unwrap().remove(1);
        correct(&world, &entry, "Zahlendreher", 2).await;
        if is_taken_back {
            assert!(matches!(world.store.undo_decision(&tenant(), &entry, None, days(3)).await.unwrap(), Reopened::Undone(_)));
        }
        world.read("canary-1", "canary-job", "canary-3", "canary remark", days(4)).await;
        world.store.request_erasure(&tenant(), &account("canary-2"), days(5)).await.unwrap();
        world.works(&ERASURE, days(5)).await;
        let ledger = world.store.ledger(&tenant(), &job("canary-job")).await.unwrap();
        let told: Vec<_> = ledger.iter().map(|entry| (entry.login_account_id.clone(), entry.comment.as_deref())).collect();
        assert_eq!(told, [(Some(account("canary-1")), Some("canary comment")), (None, None), (None, None), (None, None)]);
        let stored = world.store.job(&tenant(), &account("canary-1"), &job("canary-job")).await.unwrap().unwrap();
        let shown: Vec<_> = stored.states[0].reading_results.iter().map(|result| result.comment.as_deref()).collect();
        assert_eq!(shown, [Some("canary comment"), None, None]);
    }
}

/// Its moment is noted at no reading.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_letter_that_says_that_a_decision_was_taken_back_goes_too() {
    let world = World::with_retention(Retention::default()).await;
    populate(&world).await;
    for (owner, id) in [("canary-1", "canary-job"), ("neighbour", "n1")] {
        let entry = world.store.ledger(&tenant(), &job(id)).await.unwrap().remove(0);
        let clearing = Clearing { reason: Some("unreadable".into()), ..decided(false, 2) };
        assert!(testing::decide(&world.store, &tenant(), &entry, &clearing, true).await, "{owner}");
        let next = async || world.store.deliveries(&tenant()).next().await.unwrap().unwrap();
        let mut tried = next().await;
        tried.attempts = 1;
        world.store.delay_delivery(&tenant(), &tried, &[]).await.unwrap();
        assert!(matches!(world.store.undo_decision(&tenant(), &entry, None, days(3)).await.unwrap(), Reopened::Undone(_)));
        let dead = DeadLetter { delivery: next().await, given_up_at: days(4), cause: "it answers with status 500".into() };
        world.store.give_up_delivery(&tenant(), &dead).await.unwrap();
    }
    world.store.request_erasure(&tenant(), &account("canary-1"), days(5)).await.unwrap();
    world.works(&ERASURE, days(5)).await;
    let left = world.store.dead_letters(&tenant()).await.unwrap();
    assert_eq!(left.iter().map(|dead| dead.delivery.job().clone()).collect::<Vec<_>>(), [job("n1")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn waits_for_a_second_member() {
    let world = World::with_retention(Retention::default()).await;
    populate(&world).await;
    let asked = AskedErasure { member: MemberId::new("first").unwrap(), by: "Frau Sommer".into(), ground: ErasureGround::Objection };
    world.store.ask_for_erasure(&tenant(), &account("canary-1"), asked, true, days(2)).await.unwrap();
    world.works(&ERASURE, days(2)).await;
    assert!(world.store.account(&tenant(), &account("canary-1")).await.unwrap().is_some());
    world.store.confirm_erasure(&tenant(), &account("canary-1")).await.unwrap();
    world.works(&ERASURE, days(2)).await;
    assert!(world.store.account(&tenant(), &account("canary-1")).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn waits_while_there_is_a_legal_hold() {
    let world = World::with_retention(Retention { legal_hold: true, ..Retention::default() }).await;
    populate(&world).await;
    world.store.request_erasure(&tenant(), &account("canary-1"), days(2)).await.unwrap();
    let before = world.table().await.len();
    world.works(&ERASURE, days(2)).await;
    assert_eq!(world.table().await.len(), before + 1, "nothing but the worker's own progress");
}
