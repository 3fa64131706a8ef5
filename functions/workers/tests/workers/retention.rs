//! What goes when, by a clock of the test's own.

use domain::config::Retention;
use domain::ids::{ImportId, SeasonId};
use domain::model::Channel;
use domain::sending::SendingKind;
use domain::value::MeterValue;
use serde_json::json;
use store::{
    Assignment, Audit, Cell, Cleared, Clearing, ClearingEntry, Correction, DeadLetter, Destination, Entered, JobImported, JobLine,
    LedgerEntry, Rejection, Reopened, Sending, Source, Undone,
};
use workers::table::{ERASURE, RETENTION};

use crate::holds::send_with_photo;
use crate::world::{World, account, days, job, master, start, tenant};

pub fn limits() -> Retention {
    Retention { photo_days: Some(40), comment_days: Some(50), personal_data_days: Some(100), audit_days: Some(60), legal_hold: false }
}

/// A job that is read on the first day, one that is closed on the fifth without a reading, and one that stays open.
pub async fn populate(world: &World) {
    world.account("anna", "Anna", None).await;
    for id in ["done", "closed", "open"] {
        world.import("anna", &master(id, &format!("1{id}"))).await;
    }
    world.read("anna", "done", "anna", "Meter was changed", start()).await;
    world.store.close_job(&tenant(), &account("anna"), &job("closed"), days(5)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn forgets_photos_comments_and_jobs_in_their_time_and_keeps_the_values() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    let entry = async || world.store.ledger(&tenant(), &job("done")).await.unwrap().remove(0);
    let stored = async |id: &str| world.store.job(&tenant(), &account("anna"), &job(id)).await.unwrap();

    world.works(&RETENTION, days(39)).await;
    assert_eq!((world.objects().await.len(), entry().await.image_ids.len()), (2, 1));

    world.works(&RETENTION, days(41)).await;
    assert_eq!((world.objects().await.len(), entry().await.image_ids.len()), (0, 0));
    let result = stored("done").await.unwrap().states.remove(0).reading_results.remove(0);
    assert_eq!((result.reading_result_images.len(), result.comment.as_deref()), (0, Some("Meter was changed")));

    world.works(&RETENTION, days(51)).await;
    assert_eq!(entry().await.comment, None);
    let result = stored("done").await.unwrap().states.remove(0).reading_results.remove(0);
    assert_eq!((result.comment, result.reading_value.to_string().as_str()), (None, "00123.450"));

    let waiting = async || world.table().await.keys().filter(|(pk, _)| pk == "T#portal#WAITING").count();
    assert_eq!(waiting().await, 1, "its comment says that the meter was changed");
    let counted = async |day| {
        world.store.count_all(&tenant(), days(day)).await.unwrap();
        let tally = world.store.tallies(&tenant()).await.unwrap().remove("default").unwrap();
        let of = |kind: fn(&Cell<'_>) -> bool| {
            let cells = tally.cells.iter().filter(|(name, _)| Cell::parse(name).as_ref().is_some_and(kind));
            cells.map(|(_, count)| count).sum::<i64>()
        };
        (of(|cell| matches!(cell, Cell::Done(..))), of(|cell| matches!(cell, Cell::Waiting(_))))
    };
    assert_eq!(counted(51).await, (1, 1));
    world.works(&RETENTION, days(101)).await;
    assert_eq!((stored("done").await, waiting().await), (None, 0));
    assert_eq!(counted(101).await, (1, 0), "what was read stays counted, and nothing waits any more");
    let kept = entry().await;
    assert_eq!((kept.account_id, kept.login_account_id, kept.meter_number), (None, None, None));
    assert_eq!((kept.reading_value.to_string().as_str(), kept.task_id.as_str(), kept.created), ("00123.450", "t1", start()));
    let listed = world.store.job_ids(&tenant(), None).await.unwrap();
    assert!(listed.jobs.iter().all(|listed| listed.job_id != job("done")));
    assert!(world.table().await.keys().any(|(pk, sk)| pk.starts_with("T#portal#JOBS#") && sk == "closed"), "closed on the fifth day");

    world.works(&RETENTION, days(106)).await;
    assert!(world.table().await.keys().all(|(_, sk)| sk != "JOB#closed" && sk != "closed"));
    assert!(stored("open").await.is_some());
}

/// A clerk's command line writes what it likes below its own tenant (D-PLATFORM-22).
#[tokio::test(flavor = "multi_thread")]
async fn progress_that_nobody_can_read_keeps_no_tenant_waiting() {
    let world = World::with_retention(limits()).await;
    world.put_raw(json!({ "pk": "T#portal#WORK", "sk": "retention", "workedAt": "yesterday" })).await;
    let ran = world.works(&RETENTION, days(1)).await;
    assert_eq!(ran.line["ofNewerVersion"], 1, "{}", ran.line);
    assert_eq!(world.store.progress(tenant(), "retention").await.unwrap().worked_at, Some(days(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn forgets_why_and_by_whom_a_reading_was_entered() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    let words = |text: &str| Some(text.to_owned());
    let entered = Entered { by: "Frau Kern".into(), confirmed: words("Familie Ott hat einen Pool"), late: words("Karte lag in der Post") };
    world.import("anna", &master("card", "1card")).await;
    world.read_from(Source::Staff(Channel::Card, entered.clone()), "anna", "card", "anna", "Im Keller", start()).await;
    let entry = async || world.store.ledger(&tenant(), &job("card")).await.unwrap().remove(0);
    world.works(&RETENTION, days(49)).await;
    assert_eq!(entry().await.entered, Some(entered.clone()));
    world.works(&RETENTION, days(51)).await;
    assert_eq!(entry().await.entered, Some(Entered { confirmed: None, late: None, ..entered }), "words go as comments do");
    world.works(&RETENTION, days(101)).await;
    assert_eq!((entry().await.entered, entry().await.channel), (None, Channel::Card));
}

pub fn decided(released: bool, day: i64) -> Clearing {
    Clearing {
        released,
        reason: None,
        at: days(day),
        by: None,
        member: None,
        proposed_by: None,
        exchange: None,
        named_before: false,
        corrected_by: None,
        assigned: None,
    }
}

/// A clerk puts another value in the place of a reading, with these words for colleagues.
pub async fn correct(world: &World, entry: &LedgerEntry, reason: &str, day: i64) {
    let value = MeterValue::parse("00132.450").unwrap();
    let (result_id, entered) = ("corrected".to_owned(), Some(Entered { by: "Frau Kern".into(), confirmed: None, late: None }));
    let corrected = LedgerEntry { result_id, reading_value: value, created: days(day), login_account_id: None, entered, ..entry.clone() };
    let clearing = Clearing { corrected_by: Some("corrected".into()), reason: Some(reason.into()), ..decided(false, day) };
    let seen = world.store.clearing_version(&tenant(), entry).await.unwrap().unwrap();
    let correction = Correction { entry, clearing: &clearing, corrected: &corrected };
    assert_eq!(world.store.note_correction(&tenant(), correction, &seen, false).await.unwrap(), Cleared::Noted);
}

/// No reading names a photo that is gone: a correction has those of the reading before it, and its comment.
#[tokio::test(flavor = "multi_thread")]
async fn a_corrected_reading_loses_photos_and_comment_with_the_first_one() {
    for is_taken_back in [false, true] {
        let world = World::with_retention(limits()).await;
        populate(&world).await;
        let entry = world.store.ledger(&tenant(), &job("done")).await.unwrap().remove(0);
        correct(&world, &entry, "Zahlendreher", 30).await;
        if is_taken_back {
            assert!(matches!(world.store.undo_decision(&tenant(), &entry, None, days(31)).await.unwrap(), Reopened::Undone(_)));
        }
        let named = async || {
            let entries = world.store.ledger(&tenant(), &job("done")).await.unwrap();
            let named: Vec<_> = entries.iter().map(|entry| (entry.image_ids.len(), entry.comment.is_some())).collect();
            let stored = world.store.job(&tenant(), &account("anna"), &job("done")).await.unwrap().unwrap();
            let shown = &stored.states[0].reading_results[0];
            (named, shown.reading_value.to_string(), shown.reading_result_images.len(), shown.comment.is_some())
        };
        let value = if is_taken_back { "00123.450" } else { "00132.450" };
        world.works(&RETENTION, days(41)).await;
        assert_eq!((world.objects().await.len(), named().await), (0, (vec![(0, true), (0, true)], value.into(), 0, true)));
        world.works(&RETENTION, days(51)).await;
        assert_eq!(named().await, (vec![(0, false), (0, false)], value.into(), 0, false));
    }
}

/// They are noted once more with what went out, where they are compared.
#[tokio::test(flavor = "multi_thread")]
async fn a_clerks_words_go_with_the_person_and_those_about_a_corrected_value_as_comments_do() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    world.read("anna", "open", "anna", "Im Keller", start()).await;
    let first = async |id: &str| world.store.job_readings(&tenant(), &job(id)).await.unwrap().remove(0);
    let rejected = Clearing { reason: Some("Frau Ott hat sich verlesen".into()), ..decided(false, 1) };
    assert!(testing::decide(&world.store, &tenant(), &first("done").await.entry, &rejected, false).await);
    correct(&world, &first("open").await.entry, "Frau Ott rief an", 30).await;
    for id in ["done", "open"] {
        let read = first(id).await;
        let (kind, clearing) = (SendingKind::Cancellation, read.clearing.clone());
        let sending = Sending { kind, export: Some(1), at: days(31), refers_to: None, clearing, lines: Vec::new() };
        assert!(world.store.note_sending(&tenant(), &read, Destination::Table, &sending).await.unwrap());
    }
    world.store.close_job(&tenant(), &account("anna"), &job("done"), days(5)).await.unwrap();
    let said = async |id: &str| {
        let ClearingEntry { clearing, sent, .. } = first(id).await;
        (
            clearing.and_then(|clearing| clearing.reason).unwrap(),
            sent.table[0].clearing.clone().and_then(|clearing| clearing.reason).unwrap(),
        )
    };
    let both = |text: &str| (text.to_owned(), text.to_owned());
    world.works(&RETENTION, days(79)).await;
    assert_eq!((said("done").await, said("open").await), (both("Frau Ott hat sich verlesen"), both("Frau Ott rief an")));
    world.works(&RETENTION, days(86)).await;
    assert_eq!((said("done").await, said("open").await), (both("Frau Ott hat sich verlesen"), both("")));
    world.works(&RETENTION, days(106)).await;
    assert_eq!(said("done").await, both(""));
    for id in ["done", "open"] {
        assert!(first(id).await.taken().is_some(), "{id} went out as it was decided");
    }
    assert!(!format!("{:?}", world.table().await).contains("Ott"));
}

/// What an import left behind for its undoing does not bring back what goes.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_is_taken_back_brings_no_comment_and_no_photo_back() {
    let world = World::with_retention(limits()).await;
    world.account("anna", "Anna", None).await;
    let with = |rates: &[&str]| {
        let rates: Vec<_> = rates.iter().map(|id| json!({ "taskId": id, "obis": "1-0:1.8.0" })).collect();
        testing::job("two", json!({ "meter": { "meterNumber": "1TWO", "meterRateTasks": rates } }))
    };
    world.import("anna", &with(&["t1", "t2"])).await;
    world.read("anna", "two", "anna", "Im Keller", start()).await;
    let import = ImportId::new("20261103-080000-7f3a").unwrap();
    let (master, season) = (with(&["t2"]), SeasonId::default());
    let line = JobLine { account_id: account("anna"), master, season, pass_through: Default::default() };
    world.import_by(&import, &line, days(1)).await;
    world.works(&RETENTION, days(51)).await;
    let undone = world.store.undo_job(&tenant(), &account("anna"), &job("two"), &import, days(52)).await.unwrap();
    assert_eq!(undone, Undone::Restored);
    let stored = world.store.job(&tenant(), &account("anna"), &job("two")).await.unwrap().unwrap();
    let shown: Vec<_> = stored.states.iter().flat_map(|state| &state.reading_results).collect();
    let shown: Vec<_> =
        shown.iter().map(|shown| (shown.reading_value.as_str(), shown.comment.is_some(), shown.reading_result_images.len())).collect();
    assert_eq!(shown, [("00123.450", false, 0)]);
}

/// However long a tenant keeps the persons; what is assigned to a job counts from the day on which it came.
#[tokio::test(flavor = "multi_thread")]
async fn what_came_without_a_job_loses_photos_and_comment_too() {
    let world = World::with_retention(Retention { personal_data_days: None, ..limits() }).await;
    send_with_photo(&world, "visitor", "of-visitor").await;
    populate(&world).await;
    let reading = send_with_photo(&world, "anna", &format!("open-{}", days(20).as_second())).await;
    let entered = Entered { by: "Frau Kern".into(), confirmed: None, late: None };
    let assignment = Assignment { reading: reading.clone(), entered, clearing: decided(true, 20) };
    world.read_from(Source::Assigned(Box::new(assignment)), "anna", "open", "anna", "Im Keller", days(20)).await;
    let left = async || {
        let mut left = Vec::new();
        for sender in ["visitor", "anna"] {
            let stored = world.store.clearing_reading_without_job(&tenant(), &job(&format!("unknown~{sender}"))).await.unwrap().unwrap();
            assert_eq!(stored.clearing.is_some(), sender == "anna", "what was decided stays");
            left.push((stored.entry.image_ids().count(), stored.entry.comment.is_some()));
        }
        let entry = world.store.ledger(&tenant(), &job("open")).await.unwrap().remove(0);
        left.push((entry.image_ids.len(), entry.comment.is_some()));
        let stored = world.store.job(&tenant(), &account("anna"), &job("open")).await.unwrap().unwrap();
        let shown = &stored.states[0].reading_results[0];
        left.push((shown.reading_result_images.len(), shown.comment.is_some()));
        left
    };
    for (day, wanted) in [(39, (1, true)), (41, (0, true)), (51, (0, false))] {
        world.works(&RETENTION, days(day)).await;
        assert_eq!(left().await, [wanted; 4], "on day {day}");
    }
    assert_eq!(world.objects().await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_trail_goes_after_the_days_that_the_tenant_names() {
    for (limits, kept) in [(limits(), 60), (Retention { audit_days: None, ..limits() }, 730)] {
        let world = World::with_retention(limits).await;
        for day in [0, 1] {
            for _ in 0..30 {
                let audit = Audit { by: "Frau Kern", command: "desk customer", account: Some(&account("anna")), ..Audit::default() };
                world.store.keep_audit(&tenant(), audit, days(day)).await.unwrap();
            }
        }
        let left = async || world.store.audit(&tenant()).await.unwrap().len();
        world.works(&RETENTION, days(kept - 1)).await;
        assert_eq!(left().await, 60);
        world.works(&RETENTION, days(kept + 7)).await;
        assert_eq!(left().await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_job_comes_back_only_as_another_one() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    world.works(&RETENTION, days(101)).await;
    assert_eq!(world.import("anna", &master("done", "1done")).await, JobImported::Unchanged);
    assert_eq!(world.import("anna", &master("done", "1exchanged")).await, JobImported::Created);
    assert!(world.store.job(&tenant(), &account("anna"), &job("done")).await.unwrap().is_some());
    assert_eq!(world.store.ledger(&tenant(), &job("done")).await.unwrap().len(), 1, "the earlier reading is still the utility's");
}

// D-IMPORTS-4
#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_job_of_another_customer_or_season_is_another_one() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    world.works(&RETENTION, days(101)).await;
    world.account("bert", "Bert", None).await;
    let line = |owner: &str, season: SeasonId| JobLine {
        account_id: account(owner),
        master: master("done", "1done"),
        season,
        pass_through: Default::default(),
    };
    let next_year = line("anna", SeasonId::new("next-year").unwrap());
    for other in [line("bert", SeasonId::default()), next_year] {
        let (import, owner) = (ImportId::new("20261103-080000-7f3a").unwrap(), other.account_id.clone());
        assert_eq!(world.import_by(&import, &other, days(102)).await, JobImported::Created);
        // Taken back, the line of the one that is forgotten opens nothing, as before.
        let undone = world.store.undo_job(&tenant(), &owner, &job("done"), &import, days(103)).await.unwrap();
        assert_eq!(undone, Undone::Removed);
        assert_eq!(world.import("anna", &master("done", "1done")).await, JobImported::Unchanged);
        assert!(world.store.job_by_id(&tenant(), &job("done")).await.unwrap().is_none());
    }
}

// D-IMPORTS-4
#[tokio::test(flavor = "multi_thread")]
async fn of_two_forgotten_jobs_of_an_id_neither_corrects_the_other() {
    let world = World::with_retention(limits()).await;
    for (owner, meter, day) in [("anna", "1done", 0), ("bert", "1exchanged", 102)] {
        world.account(owner, owner, None).await;
        assert_eq!(world.import_at(owner, &master("done", meter), days(day)).await, JobImported::Created);
        world.read(owner, "done", owner, "Im Keller", days(day)).await;
        world.works(&RETENTION, days(day + 101)).await;
    }
    let readings = world.store.job_readings(&tenant(), &job("done")).await.unwrap();
    assert!(readings.iter().all(|reading| reading.entry.account_id.is_none()), "both are forgotten");
    let due = desk::exports::due(&readings, Destination::Table, days(204), |_| true);
    let mut sent: Vec<Vec<_>> =
        due.registers.iter().map(|register| register.iter().map(|one| (one.reading.entry.created, one.sending.kind)).collect()).collect();
    sent.sort_by_key(|register| register[0].0);
    assert_eq!(sent, [start(), days(102)].map(|day| vec![(day, SendingKind::Original)]));
}

// D-IMPORTS-4
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_the_reading_of_a_forgotten_job() {
    let world = World::with_webhook("http://localhost", "/none").await;
    world.apply(limits()).await;
    populate(&world).await;
    world.works(&RETENTION, days(101)).await;
    world.account("bert", "Bert", None).await;
    assert_eq!(world.import("bert", &master("done", "1exchanged")).await, JobImported::Created);
    world.read("bert", "done", "bert", "my own", days(102)).await;
    let entry = world.store.ledger(&tenant(), &job("done")).await.unwrap().remove(1);
    let rejected = Clearing { reason: Some("too high".into()), ..decided(false, 103) };
    assert!(testing::decide(&world.store, &tenant(), &entry, &rejected, false).await);
    assert!(matches!(world.store.undo_decision(&tenant(), &entry, None, days(104)).await.unwrap(), Reopened::Undone(_)));
    let stored = world.store.job(&tenant(), &account("bert"), &job("done")).await.unwrap().unwrap();
    let comments: Vec<_> = stored.states[0].reading_results.iter().map(|result| result.comment.as_deref()).collect();
    assert_eq!(comments, [Some("my own")], "what was before the decision that is taken back");
    let mut told = world.store.subject(&tenant(), &account("bert")).await.unwrap();
    told.retain(|item| item["kind"] == "reading");
    assert_eq!(told.iter().map(|item| &item["entry"]["comment"]).collect::<Vec<_>>(), ["my own"], "a disclosure");
    let (file, _) = desk::customers::job(&world.store, &tenant(), &job("done")).await.unwrap().unwrap();
    let shown: Vec<_> = file.readings.iter().map(|reading| reading.entry.comment.as_deref()).collect();
    assert_eq!(shown, [Some("my own")], "the job's page at the desk");
    let delivery = world.store.deliveries(&tenant()).next().await.unwrap().unwrap();
    let dead = DeadLetter { delivery, given_up_at: days(104), cause: "it answers with status 500".into() };
    world.store.give_up_delivery(&tenant(), &dead).await.unwrap();
    world.store.request_erasure(&tenant(), &account("bert"), days(105)).await.unwrap();
    world.works(&ERASURE, days(105)).await;
    let left = world.store.ledger(&tenant(), &job("done")).await.unwrap();
    assert_eq!(left.iter().map(|entry| entry.account_id.clone()).collect::<Vec<_>>(), [None], "an erasure leaves the utility's value");
    assert_eq!(world.store.dead_letters(&tenant()).await.unwrap(), [dead]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_job_leaves_its_meter_to_the_one_that_is_open() {
    let world = World::with_retention(limits()).await;
    world.account("anna", "Anna", None).await;
    let year = |id: &str, first: Option<&str>, last: Option<&str>| {
        let mut master = master(id, "EBZ 4711");
        let day = |day: &str| day.parse().unwrap();
        (master.job_constraints.earliest_execution, master.job_constraints.latest_execution) = (first.map(day), last.map(day));
        master
    };
    world.import("anna", &year("this-year", None, Some("2026-12-31"))).await;
    world.import("anna", &year("next-year", Some("2027-01-01"), None)).await;
    world.read("anna", "this-year", "anna", "Meter was changed", start()).await;
    world.works(&RETENTION, days(101)).await;
    assert_eq!(world.store.job(&tenant(), &account("anna"), &job("this-year")).await.unwrap(), None);
    let imported = world.import("anna", &year("another", Some("2027-01-01"), None)).await;
    assert_eq!(imported, JobImported::Rejected { reason: Rejection::MeterTwice { open: vec![job("next-year")], refused: job("another") } });
    world.store.request_erasure(&tenant(), &account("anna"), days(102)).await.unwrap();
    world.works(&ERASURE, days(102)).await;
    assert!(world.table().await.keys().all(|(pk, _)| !pk.contains("#METER#")), "nothing leads to a job that is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_reading_keeps_its_job() {
    let world = World::with_retention(limits()).await;
    populate(&world).await;
    world.read("anna", "done", "anna", "again", days(60)).await;
    world.works(&RETENTION, days(101)).await;
    let stored = world.store.job(&tenant(), &account("anna"), &job("done")).await.unwrap().unwrap();
    let comments: Vec<_> = stored.states[0].reading_results.iter().map(|result| result.comment.as_deref()).collect();
    assert_eq!(comments, [None, Some("again")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_legal_hold_and_no_limits_keep_everything() {
    for kept in [Retention { legal_hold: true, ..limits() }, Retention::default()] {
        let world = World::with_retention(kept).await;
        populate(&world).await;
        let (items, objects) = (world.table().await.len(), world.objects().await.len());
        world.works(&RETENTION, days(10_000)).await;
        assert_eq!((world.table().await.len(), world.objects().await.len()), (items + 1, objects), "one item for the worker's progress");
    }
}
