//! What takes longer than a request goes on until it is through, whatever happens to its worker.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{RunId, UploadId};
use domain::login::verify_password;
use domain::model::Channel;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use store::{ExportState, ImportKind, ImportTask, Run, RunImport, RunState, RunTask};
use testing::{Asked, Fate, Permission, account_id, ask_for, ask_for_export, import_task, permissions};
use tokio::runtime::Handle;
use tokio::task::block_in_place;
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
pub(crate) async fn work(world: &World, run: &RunId, now: Timestamp, stop: Option<Stop>) -> Ran {
    work_for(world, run, now, Duration::from_secs(60), stop).await
}

async fn work_for(world: &World, run: &RunId, now: Timestamp, time_left: Duration, stop: Option<Stop>) -> Ran {
    world.invoke(&RUNS, &wake(run), now, time_left, stop).await
}

/// The message that has a worker go on with the run.
pub(crate) fn wake(run: &RunId) -> String {
    let message = json!({ "tenant": tenant(), "run": run }).to_string();
    json!({ "Records": [{ "messageId": "1", "body": message }] }).to_string()
}

pub(crate) async fn found(world: &World, run: &RunId) -> Run {
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

/// Whoever runs out of memory returns nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_workers_are_never_heard_of_again_is_given_up() {
    let world = world().await;
    let run = ask_for_export(&world.store, &tenant(), "plain", days(1)).await;
    for turn in 1..=5 {
        let now = days(1) + (2 * turn).minutes();
        world.store.take_run(&tenant(), &run, &format!("killed-{turn}"), (now, now + 1.minute())).await.unwrap().unwrap();
    }
    let ran = work(&world, &run, days(2), None).await;
    assert_eq!(ran.line["level"], "error", "whoever looks after the deployment sees it: {}", ran.line);
    let ended = found(&world, &run).await;
    assert_eq!(ended.state, RunState::Failed);
    assert!(ended.failure.unwrap().de.contains("vielleicht genügte der Speicher nicht"));
    assert_eq!(world.works(&RUN_CLOCK, days(3)).await.line["counts"]["woken"], 0);
}

/// The platform ends a worker after a quarter of an hour, which is no fault; that nothing fits into one is said in the end.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_time_is_up_gives_its_run_back() {
    let world = world().await;
    let run = ask_for_export(&world.store, &tenant(), "plain", days(1)).await;
    let other = ask_for_export(&world.store, &tenant(), "plain", days(1)).await;
    for turn in 1..=5 {
        let before = found(&world, &run).await;
        assert_eq!((before.state, before.tries), (RunState::Open, turn - 1));
        let ran = work_for(&world, &run, days(1), Duration::from_secs(20), None).await;
        assert_eq!(ran.line["level"] == "error", turn == 5, "{}", ran.line);
        if turn < 5 {
            work_for(&world, &other, days(1), Duration::from_secs(20), None).await;
        }
    }
    let ended = found(&world, &run).await;
    assert_eq!(ended.state, RunState::Failed);
    assert!(ended.failure.unwrap().de.contains("in kleineren Teilen"));
    work(&world, &other, days(1), None).await;
    assert_eq!(found(&world, &other).await.state, RunState::Done, "neither the run nor the turn has to wait for a lease");
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
    // An import reads its file, and undoing it deletes.
    let task = sent(&world, TABLE, false).await;
    for (id, now) in [(rehearse(&world, "r1", &task).await, days(3)), (carry_out(&world, "r1", &task).await, days(4))] {
        used.extend(work(&world, &id, now, None).await.used);
        assert_eq!(found(&world, &id).await.state, RunState::Done, "{:?}", found(&world, &id).await.failure);
    }
    used.extend(work(&world, &undo(&world, "r1-import").await, days(5), None).await.used);
    used.extend(crate::reminders::by_a_run().await);
    used.extend(crate::letters::by_runs().await);
    // Without this one S3 answers 403 for a file that did not arrive.
    used.insert(("s3:ListBucket".to_owned(), grants::Resource::PhotoBucket));
    assert_eq!(used, permissions(RUNS.grants), "left: used, right: granted");
}

/// A job that changes, one that takes the meter of another account's, a new one, and one that is at fault.
const TABLE: &str = "Kunde;Auftrag;Zaehler;OBIS\na0;j0;1j0;1-0:1.8.0\na1;new-of-a1;1EBZ0100004711;1-0:1.8.0\na1;new;1new;1-0:1.8.0\na9;bad;1bad;1-0:1.8.0\n";
const MAPPING: &str =
    r#"{"columns":{"accountId":"Kunde","id":"Auftrag","meter.meterNumber":"Zaehler","meter.meterRateTasks[].obis":"OBIS"}}"#;

/// A file that was sent, and how it is imported.
async fn sent(world: &World, table: &str, closes_missing: bool) -> ImportTask {
    let file = UploadId::new("file").unwrap();
    let key = format!("files/{}/imports/{file}", tenant());
    world.s3.put_object().bucket(&world.bucket).key(key).body(table.as_bytes().to_vec().into()).send().await.unwrap();
    ImportTask { closes_missing, ..import_task(&file, MAPPING) }
}

async fn rehearse(world: &World, id: &str, task: &ImportTask) -> RunId {
    ask_for(&world.store, &tenant(), id.parse().unwrap(), RunTask::Rehearsal(task.clone()), days(3)).await
}

async fn carry_out(world: &World, rehearsal: &str, task: &ImportTask) -> RunId {
    let task = RunTask::Import { rehearsal: rehearsal.parse().unwrap(), task: task.clone() };
    ask_for(&world.store, &tenant(), format!("{rehearsal}-import").parse().unwrap(), task, days(4)).await
}

async fn undo(world: &World, import: &str) -> RunId {
    let task = RunTask::Undo { import: import.parse().unwrap(), lang: Default::default() };
    ask_for(&world.store, &tenant(), "undo".parse().unwrap(), task, days(5)).await
}

async fn imported(world: &World, run: &RunId) -> RunImport {
    let ended = found(world, run).await;
    assert_eq!(ended.state, RunState::Done, "{:?}", ended.failure);
    ended.outcome.unwrap().import.unwrap()
}

fn counts(import: &RunImport) -> Vec<(&str, u64)> {
    import.counts.iter().map(|(name, count)| (name.as_str(), *count)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_was_stopped_anywhere_did_the_same_in_the_end() {
    let mut world = world().await;
    world.import("a0", &master("old-of-a0", "1EBZ0100004711")).await;
    // The file lists whatever is not closed, but for the second customer's job.
    let sound: String = TABLE.lines().filter(|line| !line.contains(";bad;")).map(|line| format!("{line}\n")).collect();
    let task = sent(&world, &sound.replace(";1j0;", ";2j0;"), true).await;
    let rehearsal = rehearse(&world, "r", &task).await;
    let before = world.table().await;
    work(&world, &rehearsal, days(3), None).await;
    let shown = imported(&world, &rehearsal).await;
    assert_eq!(counts(&shown), [("closed", 2), ("created", 1), ("moved", 1), ("updated", 1)]);
    let warned = |import: &RunImport| {
        let said: Vec<_> = import.warnings.iter().map(|warning| warning.en.as_str()).collect();
        let of_number = "job `j0` was read already, and its meter has another number now";
        let of_register = "job `j0` loses a register that was read already";
        assert!(said.len() == 2 && said[0].starts_with(of_number) && said[1].starts_with(of_register), "{said:?}");
    };
    warned(&shown);
    assert_eq!(shown.closing.map(|closing| (closing.open, closing.missing, closing.is_much)), Some((3, 2, true)));
    let after = world.table().await;
    let wrote: Vec<_> = after.iter().filter(|(key, item)| before.get(*key) != Some(*item)).map(|(key, _)| key).collect();
    assert!(wrote.iter().all(|(partition, _)| partition.ends_with("#RUNS")), "a rehearsal writes nothing: {wrote:?}");

    let run = carry_out(&world, "r", &task).await;
    let prepared = world.snapshot().await;
    let writes = work(&world, &run, days(4), None).await.writes;
    let wanted = imported(&world, &run).await;
    assert_eq!((&wanted.counts, &wanted.warnings), (&shown.counts, &shown.warnings), "what was shown is what happens");
    let first = writes.first().map(|&call| Stop { call, after: false });
    for stop in first.into_iter().chain(writes.iter().map(|&call| Stop { call, after: true })) {
        world.restore(&prepared).await;
        work(&world, &run, days(4), Some(stop)).await;
        work(&world, &run, days(4) + 2.minutes(), None).await;
        assert_eq!(imported(&world, &run).await, wanted, "{stop:?}");
        let listed = world.store.imports(&tenant()).await.unwrap();
        assert!(listed.len() == 1 && listed[0].counts == wanted.counts && listed[0].ended.is_some(), "{stop:?}: {listed:?}");
    }
    work(&world, &undo(&world, "r-import").await, days(5), None).await;
    let job = async |id: &str| world.store.job_by_id(&tenant(), &id.parse().unwrap()).await.unwrap();
    assert!(job("new").await.is_none(), "what was new is gone");
    let back = job("old-of-a0").await.unwrap();
    assert_eq!((back.account_id, back.closed), (account_id("a0"), false));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_of_accounts_that_was_stopped_anywhere_counts_the_same() {
    let mut world = world().await;
    let table = "Nummer;Name;Benutzer;Passwort\na0;Anna Neu;;\nb1;Ben Bach;;\nb2;Cem Çelik;cem.celik;Sonnenblume-17\nb3;;;\n";
    let mapping = r#"{"columns":{"id":"Nummer","name":"Name","username":"Benutzer","password":"Passwort"}}"#;
    let sent = sent(&world, table, false).await;
    let task = ImportTask { kind: ImportKind::Accounts, mapping: Some(mapping.to_owned()), ..sent };
    let rehearsal = rehearse(&world, "r", &task).await;
    work(&world, &rehearsal, days(3), None).await;
    let shown = imported(&world, &rehearsal).await;
    assert_eq!(counts(&shown), [("created", 2), ("faulty", 1), ("updated", 1)]);
    let run = carry_out(&world, "r", &task).await;
    let prepared = world.snapshot().await;
    let writes = work(&world, &run, days(4), None).await.writes;
    assert_eq!(imported(&world, &run).await, shown, "what was shown is what happens");
    for stop in writes.iter().map(|&call| Stop { call, after: true }) {
        world.restore(&prepared).await;
        work(&world, &run, days(4), Some(stop)).await;
        work(&world, &run, days(4) + 2.minutes(), None).await;
        assert_eq!(imported(&world, &run).await, shown, "{stop:?}");
    }
    let account = async |id: &str| world.store.account(&tenant(), &account_id(id)).await.unwrap();
    assert_eq!(account("b1").await.unwrap().username, None, "the first letter has its login data");
    work(&world, &undo(&world, "r-import").await, days(5), None).await;
    assert!(account("b1").await.is_none() && account("b2").await.is_none() && account("a0").await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_whose_taking_back_was_stopped_says_in_the_end_how_much_is_gone() {
    let world = world().await;
    let jobs: String = (0..120).map(|n| format!("a0;new-{n};{n}new;1-0:1.8.0\n")).collect();
    let task = sent(&world, &format!("Kunde;Auftrag;Zaehler;OBIS\n{jobs}"), false).await;
    work(&world, &rehearse(&world, "r", &task).await, days(3), None).await;
    let run = carry_out(&world, "r", &task).await;
    work(&world, &run, days(4), None).await;
    assert_eq!(counts(&imported(&world, &run).await), [("created", 120)]);
    let run = undo(&world, "r-import").await;
    let mut is_noted = false;
    let until_noted = move |_: usize, asked: &Asked| {
        let fate = if is_noted { Fate::Denied } else { Fate::Works };
        is_noted |= asked.names("SET outcome = :outcome");
        fate
    };
    world.invoke_while(&RUNS, (&wake(&run), days(5), Duration::from_secs(60)), until_noted).await;
    let so_far = found(&world, &run).await;
    assert_eq!((so_far.state, counts(&so_far.outcome.unwrap().import.unwrap())), (RunState::Open, vec![("removed", 100)]));
    work(&world, &run, days(5) + 2.minutes(), None).await;
    assert_eq!(counts(&imported(&world, &run).await), [("removed", 120)]);
}

const LOGINS: &str = "Nummer;Name;Benutzer;Passwort\nb1;Ben Bach;ben.bach;Sonnenblume-17\nb2;Cem Çelik;cem.celik;Sonnenblume-18\n";
const LOGINS_MAPPING: &str = r#"{"columns":{"id":"Nummer","name":"Name","username":"Benutzer","password":"Passwort"}}"#;

/// A rehearsed import of accounts with their passwords.
async fn import_of_logins(world: &World) -> RunId {
    let sent = sent(world, LOGINS, false).await;
    let task = ImportTask { kind: ImportKind::Accounts, mapping: Some(LOGINS_MAPPING.to_owned()), ..sent };
    work(world, &rehearse(world, "r", &task).await, days(3), None).await;
    carry_out(world, "r", &task).await
}

/// A worker's turn at an import that somebody cancels while its first line is stored; and who had it go on meanwhile, if anybody.
async fn work_until_cancelled(world: &World, run: &RunId, goes_on: bool) {
    let (store, id, handle) = (world.store.clone(), run.clone(), Handle::current());
    let (mut is_cancelled, mut is_resumed) = (false, !goes_on);
    let script = move |_: usize, asked: &Asked| {
        if asked.action == "TransactWriteItems" && !is_cancelled {
            is_cancelled = block_in_place(|| handle.block_on(store.cancel_run(&tenant(), &id, days(4)))).unwrap();
        }
        // The worker has heard of it, and is about to say that it stopped.
        if asked.condition().is_some_and(|condition| condition.contains("runState = :cancelled")) && !is_resumed {
            is_resumed = block_in_place(|| handle.block_on(store.resume_run(&tenant(), &id))).unwrap();
        }
        Fate::Works
    };
    world.invoke_while(&RUNS, (&wake(run), days(4), Duration::from_secs(60)), script).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_goes_on_while_it_is_being_stopped_waits_for_no_lease() {
    let world = world().await;
    let run = import_of_logins(&world).await;
    work_until_cancelled(&world, &run, true).await;
    assert_eq!(counts(&imported(&world, &run).await), [("created", 2)]);
}

/// It was cancelled before it had noted how far it is.
#[tokio::test(flavor = "multi_thread")]
async fn readings_that_an_import_stored_before_it_was_cancelled_are_as_they_were_shown() {
    let world = world().await;
    world.import("a1", &master("by-card", "1card")).await;
    let line = json!({ "job": "by-card", "readingDate": start().to_string()[..10], "readings": [{ "value": "100" }] });
    let sent = sent(&world, &format!("{line}\n"), false).await;
    let task = ImportTask { kind: ImportKind::Readings, mapping: None, channel: Some(Channel::Card), ..sent };
    work(&world, &rehearse(&world, "r", &task).await, days(3), None).await;
    let run = carry_out(&world, "r", &task).await;
    work_until_cancelled(&world, &run, false).await;
    assert_eq!(found(&world, &run).await.state, RunState::Cancelled);
    assert!(world.store.resume_run(&tenant(), &run).await.unwrap());
    work(&world, &run, days(4), None).await;
    let imported = imported(&world, &run).await;
    assert_eq!((counts(&imported), &imported.anew), (vec![("unchanged", 1)], &None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_an_import_stored_is_not_worked_out_again_when_it_goes_on() {
    let world = world().await;
    let run = import_of_logins(&world).await;
    work_until_cancelled(&world, &run, false).await;
    assert_eq!(found(&world, &run).await.state, RunState::Cancelled);
    let hash = async || world.store.credential(&tenant(), "ben.bach").await.unwrap().unwrap().password_hash;
    assert!(verify_password("Sonnenblume-17", Some(&hash().await)));
    // If the line's password were held against this, it would not fit, and be hashed anew.
    let items = world.dynamodb.scan().table_name("table").send().await.unwrap().items.unwrap();
    let text = |item: &HashMap<String, AttributeValue>, name: &str| item.get(name).and_then(|value| value.as_s().ok().cloned());
    let is_login = |item: &HashMap<String, AttributeValue>| text(item, "sk").as_deref() == Some("NAME");
    let mut login = items.into_iter().find(|item| is_login(item) && text(item, "accountId").as_deref() == Some("b1")).unwrap();
    login.insert("passwordHash".to_owned(), AttributeValue::S("marked".to_owned()));
    world.dynamodb.put_item().table_name("table").set_item(Some(login)).send().await.unwrap();
    assert!(world.store.resume_run(&tenant(), &run).await.unwrap());
    work(&world, &run, days(4), None).await;
    assert_eq!(counts(&imported(&world, &run).await), [("created", 2)]);
    assert_eq!(hash().await, "marked");
}

/// Comparing takes so long that the passwords of 35,000 customers fill a worker's time.
#[tokio::test(flavor = "multi_thread")]
async fn passwords_that_a_worker_compared_are_compared_by_nobody_else() {
    let world = world().await;
    let first = import_of_logins(&world).await;
    work(&world, &first, days(4), None).await;
    let sent = sent(&world, &format!("{LOGINS}slow-1;Dora Damm;dora.damm;Sonnenblume-19\n"), false).await;
    let task = ImportTask { kind: ImportKind::Accounts, mapping: Some(LOGINS_MAPPING.to_owned()), ..sent };
    let rehearsal = rehearse(&world, "again", &task).await;
    let stuck = |_: usize, asked: &Asked| if asked.names("slow-1") { Fate::Hangs } else { Fate::Works };
    world.invoke_while(&RUNS, (&wake(&rehearsal), days(5), Duration::from_secs(28)), stuck).await;
    assert_eq!((found(&world, &rehearsal).await.state, found(&world, &rehearsal).await.tries), (RunState::Open, 0), "its time was up");
    // If the passwords were compared again, both would be the same.
    let key = format!("files/{}/{rehearsal}/compared-001.json", tenant());
    let object = world.s3.get_object().bucket(&world.bucket).key(&key).send().await.unwrap();
    let mut compared: Value = serde_json::from_slice(&object.body.collect().await.unwrap().into_bytes()).unwrap();
    let ben = compared.as_array_mut().unwrap().iter_mut().find(|one| one["account"] == "b1").unwrap();
    assert!(ben["isSame"].take() == true && !ben.to_string().contains("argon2"), "{ben}");
    ben["isSame"] = false.into();
    world.s3.put_object().bucket(&world.bucket).key(&key).body(compared.to_string().into_bytes().into()).send().await.unwrap();
    work(&world, &rehearsal, days(5), None).await;
    let shown = imported(&world, &rehearsal).await;
    assert_eq!(counts(&shown), [("created", 1), ("unchanged", 1), ("updated", 1)]);
    let hash = async || world.store.credential(&tenant(), "ben.bach").await.unwrap().unwrap().password_hash;
    let before = hash().await;
    let run = carry_out(&world, "again", &task).await;
    work(&world, &run, days(6), None).await;
    let done = imported(&world, &run).await;
    assert_eq!((counts(&done), &done.anew), (counts(&shown), &None));
    assert_ne!(hash().await, before, "the import goes by the rehearsal");
    work(&world, &undo(&world, "again-import").await, days(7), None).await;
    assert!(world.store.account(&tenant(), &account_id("b2")).await.unwrap().is_some(), "what was unchanged stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_file_to_import_says_why_at_once() {
    let world = world().await;
    let other_column = MAPPING.replace("Auftrag", "Nummer");
    for (id, content, mapping, why) in [
        ("pdf", "%PDF-1.7", MAPPING, "weder eine Tabelle"),
        ("lines", "{}", MAPPING, "brauchen keine Zuordnung"),
        ("column", TABLE, &other_column, "keine Spalte `Nummer`"),
        ("none", "", MAPPING, "nicht angekommen"),
    ] {
        let mut task = ImportTask { mapping: Some(mapping.to_owned()), ..sent(&world, content, false).await };
        if id == "none" {
            task.file = "never-sent".parse().unwrap();
        }
        let run = rehearse(&world, id, &task).await;
        work(&world, &run, days(3), None).await;
        let ended = found(&world, &run).await;
        assert_eq!(ended.state, RunState::Failed, "{id}");
        assert!(ended.failure.as_ref().is_some_and(|failure| failure.de.contains(why)), "{id}: {:?}", ended.failure);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn faulty_lines_stay_out_and_are_listed() {
    let world = world().await;
    let task = sent(&world, TABLE, false).await;
    work(&world, &rehearse(&world, "r", &task).await, days(3), None).await;
    let run = carry_out(&world, "r", &task).await;
    work(&world, &run, days(4), None).await;
    let done = imported(&world, &run).await;
    assert_eq!(counts(&done), [("created", 2), ("faulty", 1), ("updated", 1)]);
    assert_eq!(done.faults[0].de, "Zeile 5: Kunde: es gibt keinen Zugang mit dieser Nummer");
    let file = &found(&world, &run).await.outcome.unwrap().files[0];
    assert_eq!((file.name.as_str(), file.rows, file.number), ("fehler.xlsx", 1, None));
    let again = rehearse(&world, "r2", &task).await;
    work(&world, &again, days(5), None).await;
    let again = imported(&world, &again).await;
    assert_eq!(counts(&again), [("faulty", 1), ("unchanged", 3)]);
    assert_eq!(again.before.map(|before| before.by), Some("Jonas Reuter".to_owned()), "the same file was imported");
}
