use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{MemberId, RunId};
use domain::open_filter::OpenFilter;
use domain::text::Lang;
use jiff::{SignedDuration, ToSpan};
use store::{ExportState, ExportTask, LettersTask, NewRun, ReadingsExport, RunFile, RunOutcome, RunState, RunTask, RunText, Store, Turn};

use crate::on_both;
use crate::support::{Item, noon, other_tenant, tenant};

const MINUTE: SignedDuration = SignedDuration::from_secs(60);

fn new(id: &str) -> NewRun {
    let task = RunTask::Export(ExportTask { without_job: false, season: None, preset: "plain".into(), again: None });
    NewRun { id: RunId::new(id).unwrap(), task, member: Some(MemberId::draw([1; 16])), by: "Jonas Reuter".into(), asked: noon() }
}

fn failure(en: &str) -> RunText {
    RunText { de: en.into(), en: en.into() }
}

fn outcome(name: &str) -> RunOutcome {
    let file = RunFile { name: name.into(), bytes: 3, rows: 1, number: Some(1), shortened: 0, replaced: 0, missing: 0 };
    RunOutcome { files: vec![file], waiting: Some(2), ..RunOutcome::default() }
}

async fn open(store: &Store) -> usize {
    store.open_runs().await.unwrap().len()
}

on_both! {
    async fn a_run_is_one_workers_until_its_lease_is_over(table) {
        let store = &table.store;
        let run = new("r1");
        store.put_run(&tenant(), &run).await.unwrap();
        assert!(store.put_run(&tenant(), &run).await.is_err(), "it is there already");
        assert_eq!(store.run(&other_tenant(), &run.id).await.unwrap(), None);
        let take = async |owner: &str, now| store.take_run(&tenant(), &run.id, owner, (now, now + MINUTE)).await.unwrap();
        let taken = take("one", noon()).await.unwrap();
        assert_eq!((taken.tries, taken.taken, taken.new.clone()), (1, Some(noon()), run.clone()));
        assert_eq!(take("two", noon() + 59.seconds()).await, None);
        let listed = store.open_runs().await.unwrap();
        assert_eq!((listed[0].tenant.clone(), listed[0].leased_until), (tenant(), Some(noon() + MINUTE)));
        assert_eq!(take("two", noon() + MINUTE).await.unwrap().tries, 2);
        let later = noon() + MINUTE + MINUTE;
        assert!(!store.note_run(&tenant(), &run.id, "one", (0, 5, 10), later).await.unwrap(), "the first worker's time is over");
        assert!(!store.note_run_outcome(&tenant(), &run.id, "one", (&outcome("a"), true)).await.unwrap());
        assert!(!store.end_run(&tenant(), &run.id, "one", Ok(&outcome("a")), noon()).await.unwrap());
        assert!(store.note_run(&tenant(), &run.id, "two", (0, 0, 10), later).await.unwrap());
        assert_eq!(store.run(&tenant(), &run.id).await.unwrap().unwrap().tries, 2, "it came no further");
        assert!(store.note_run(&tenant(), &run.id, "two", (0, 5, 10), later).await.unwrap());
        assert!(store.note_run_outcome(&tenant(), &run.id, "two", (&outcome("b"), false)).await.unwrap());
        let found = store.run(&tenant(), &run.id).await.unwrap().unwrap();
        assert_eq!((found.tries, found.done, found.of, found.outcome), (0, 5, 10, Some(outcome("b"))));
        assert!(store.end_run(&tenant(), &run.id, "two", Ok(&outcome("c")), later).await.unwrap());
        let found = store.run(&tenant(), &run.id).await.unwrap().unwrap();
        assert_eq!((found.state, found.ended, found.outcome), (RunState::Done, Some(later), Some(outcome("c"))));
        assert_eq!((open(store).await, take("three", later + MINUTE).await), (0, None));
        assert!(!store.cancel_run(&tenant(), &run.id, later).await.unwrap(), "it is over");
    }

    async fn what_fails_is_tried_again_or_given_up(table) {
        let store = &table.store;
        let run = new("r1");
        store.put_run(&tenant(), &run).await.unwrap();
        let take = async |owner: &str| store.take_run(&tenant(), &run.id, owner, (noon(), noon() + MINUTE)).await.unwrap();
        assert_eq!(take("one").await.unwrap().tries, 1);
        store.leave_run(&tenant(), &run.id, "one", Some(&failure("the table was busy"))).await.unwrap();
        let found = store.run(&tenant(), &run.id).await.unwrap().unwrap();
        assert_eq!((found.state, found.taken, found.failure), (RunState::Open, None, Some(failure("the table was busy"))));
        assert_eq!(take("two").await.unwrap().tries, 2);
        store.leave_run(&tenant(), &run.id, "two", None).await.unwrap();
        assert_eq!(take("three").await.unwrap().tries, 1, "to wait for one's turn is no try");
        assert!(store.end_run(&tenant(), &run.id, "three", Err(&failure("no such preset")), noon()).await.unwrap());
        let found = store.run(&tenant(), &run.id).await.unwrap().unwrap();
        assert_eq!((found.state, found.failure), (RunState::Failed, Some(failure("no such preset"))));
    }

    async fn only_who_comes_further_than_anybody_before_gives_a_run_its_tries_back(table) {
        let store = &table.store;
        let run = new("r1");
        store.put_run(&tenant(), &run).await.unwrap();
        let mut tries = Vec::new();
        for (owner, reached) in [("one", 50), ("two", 5), ("three", 40), ("four", 50), ("five", 51)] {
            let taken = store.take_run(&tenant(), &run.id, owner, (noon(), noon() + MINUTE)).await.unwrap().unwrap();
            assert!(store.note_run(&tenant(), &run.id, owner, (taken.furthest, reached, 100), noon()).await.unwrap());
            let found = store.run(&tenant(), &run.id).await.unwrap().unwrap();
            assert_eq!(found.done, reached, "how far it is now");
            tries.push(found.tries);
        }
        assert_eq!(tries, [0, 1, 2, 3, 0]);
        assert!(store.take_run(&tenant(), &run.id, "six", (noon(), noon() + MINUTE)).await.unwrap().is_some());
        assert!(store.note_run_outcome(&tenant(), &run.id, "six", (&outcome("a"), false)).await.unwrap());
        assert_eq!(store.run(&tenant(), &run.id).await.unwrap().unwrap().tries, 1, "another worker made this, too");
        assert!(store.note_run_outcome(&tenant(), &run.id, "six", (&outcome("b"), true)).await.unwrap());
        assert_eq!(store.run(&tenant(), &run.id).await.unwrap().unwrap().tries, 0);
    }

    async fn a_run_that_was_cancelled_is_nobodys(table) {
        let store = &table.store;
        for id in ["r1", "r2"] {
            store.put_run(&tenant(), &new(id)).await.unwrap();
        }
        let listed = async || store.runs(&tenant(), 5, |_| true).await.unwrap().into_iter().map(|run| run.new.id.to_string()).collect::<Vec<_>>();
        assert_eq!((listed().await, open(store).await), (vec!["r2".to_owned(), "r1".to_owned()], 2), "the latest first");
        let run = new("r1");
        store.take_run(&tenant(), &run.id, "one", (noon(), noon() + MINUTE)).await.unwrap().unwrap();
        assert!(store.cancel_run(&tenant(), &run.id, noon()).await.unwrap());
        assert!(!store.note_run(&tenant(), &run.id, "one", (0, 1, 2), noon() + MINUTE).await.unwrap(), "its worker hears of it");
        let found = store.run(&tenant(), &run.id).await.unwrap().unwrap();
        assert_eq!((found.state, open(store).await), (RunState::Cancelled, 1));
        assert!(found.is_stopping(noon()) && !found.is_stopping(noon() + MINUTE), "whoever is not heard of is not waited for");
        assert!(!store.end_run(&tenant(), &run.id, "one", Ok(&outcome("a")), noon()).await.unwrap());
        assert!(!store.stop_run(&tenant(), &run.id, "two", None).await.unwrap());
        assert!(store.stop_run(&tenant(), &run.id, "one", Some(&outcome("a"))).await.unwrap());
        let found = store.run(&tenant(), &run.id).await.unwrap().unwrap();
        assert_eq!((found.is_stopping(noon()), found.outcome), (false, Some(outcome("a"))));
    }

    async fn a_run_that_was_cancelled_goes_on(table) {
        let store = &table.store;
        let run = new("r1");
        store.put_run(&tenant(), &run).await.unwrap();
        assert!(!store.resume_run(&tenant(), &run.id).await.unwrap(), "it was not");
        assert!(store.cancel_run(&tenant(), &run.id, noon()).await.unwrap());
        assert!(store.resume_run(&tenant(), &run.id).await.unwrap());
        let found = store.run(&tenant(), &run.id).await.unwrap().unwrap();
        assert_eq!((found.state, found.ended, open(store).await), (RunState::Open, None, 1));
        assert!(store.take_run(&tenant(), &run.id, "one", (noon(), noon() + MINUTE)).await.unwrap().is_some());
    }

    async fn a_run_of_a_newer_version_is_left_to_it(table) {
        let filter = OpenFilter::default();
        let tasks = [RunTask::Reminders { filter: Some(filter.clone()) }, RunTask::Letters(LettersTask {
            season: None, filter: Some(filter), only_without_mail: false, accounts: Vec::new(), reply_cards: false, lang: Lang::De,
        }), RunTask::Market {}];
        // More in what is to be done, in whom it is about, and something else to do.
        let newer: [fn(&mut serde_json::Value); 3] = [
            |task| task["filter"]["street"] = "Am Markt".into(),
            |task| task["onlyOnce"] = true.into(),
            |task| task["kind"] = "tariffs".into(),
        ];
        let store = &table.store;
        store.put_run(&tenant(), &new("known")).await.unwrap();
        let mut cases: Vec<_> = tasks.iter().flat_map(|task| newer.map(|change| (task, change))).collect();
        cases.retain(|(task, _)| task.filter().is_some());
        cases.extend([(&tasks[2], newer[1]), (&tasks[2], newer[2])]);
        for (task, change) in cases {
            let run = NewRun { task: task.clone(), ..new("newer") };
            store.put_run(&tenant(), &run).await.unwrap();
            let key = |item: &&Item| item["sk"].as_s().is_ok_and(|sk| sk.ends_with("newer"));
            let mut item = table.scan().await.iter().find(key).cloned().unwrap();
            let mut document: serde_json::Value = serde_json::from_str(item["run"].as_s().unwrap()).unwrap();
            change(&mut document["task"]);
            item.insert("run".into(), AttributeValue::S(document.to_string()));
            table.client.put_item().table_name(&table.name).set_item(Some(item.clone())).send().await.unwrap();

            let (metered, meter) = store.metered();
            assert_eq!(metered.take_run(&tenant(), &run.id, "one", (noon(), noon() + MINUTE)).await.unwrap(), None, "{document}");
            let listed: Vec<_> = metered.runs(&tenant(), 5, |_| true).await.unwrap().into_iter().map(|run| run.new.id).collect();
            assert_eq!(listed, [new("known").id], "{document}");
            assert_eq!(meter.of_newer_version(), 2);
            assert!(metered.run(&tenant(), &run.id).await.unwrap_err().is_unavailable());
            assert_eq!(table.scan().await.iter().find(key), Some(&item), "nothing is changed");
            assert_eq!(open(store).await, 2, "the clock goes on waking a worker for it");
            assert!(store.cancel_run(&tenant(), &run.id, noon()).await.unwrap());
            table.client.delete_item().table_name(&table.name).key("pk", item["pk"].clone()).key("sk", item["sk"].clone()).send().await.unwrap();
        }
    }

    async fn an_export_goes_on_from_where_it_was(table) {
        let store = &table.store;
        let open = ReadingsExport { number: 1, medium: "table".into(), created: noon(), state: ExportState::Open, counts: None };
        let fixed = ReadingsExport { state: ExportState::Fixed, ..open.clone() };
        let done = ReadingsExport { state: ExportState::Done, ..open.clone() };
        store.begin_export(&tenant(), &open).await.unwrap();
        assert!(store.note_export(&tenant(), ExportState::Open, &fixed).await.unwrap());
        assert!(store.note_export(&tenant(), ExportState::Open, &fixed).await.unwrap(), "the answer was lost, and it was noted");
        assert!(store.note_export(&tenant(), ExportState::Fixed, &done).await.unwrap());
        assert!(!store.note_export(&tenant(), ExportState::Open, &fixed).await.unwrap(), "somebody who was away meanwhile");
        assert_eq!(store.exports_of_readings(&tenant()).await.unwrap(), [done]);
    }

    async fn a_turn_is_one_persons_until_it_ends(table) {
        let store = &table.store;
        let take = async |owner: &str, by: &str, now| {
            store.take_turn(&tenant(), "export", owner, by, (now, now + MINUTE)).await.unwrap()
        };
        assert_eq!(take("one", "Jonas Reuter", noon()).await, Ok(()));
        let his = Err(Turn { by: "Jonas Reuter".into(), since: noon() });
        assert_eq!(take("two", "Clara Brandt", noon() + 59.seconds()).await, his);
        assert_eq!(store.take_turn(&other_tenant(), "export", "two", "", (noon(), noon() + MINUTE)).await.unwrap(), Ok(()));
        assert!(store.keep_turn(&tenant(), "export", "one", noon() + MINUTE + MINUTE).await.unwrap());
        assert_eq!(take("two", "Clara Brandt", noon() + MINUTE).await, his, "it was kept");
        assert_eq!(take("two", "Clara Brandt", noon() + MINUTE + MINUTE).await, Ok(()), "he was silent for too long");
        assert!(!store.keep_turn(&tenant(), "export", "one", noon() + 9.minutes()).await.unwrap());
        store.end_turn(&tenant(), "export", "one").await.unwrap();
        assert!(take("three", "", noon() + MINUTE + MINUTE).await.is_err(), "it is not his to end");
        store.end_turn(&tenant(), "export", "two").await.unwrap();
        assert_eq!(take("three", "", noon() + MINUTE + MINUTE).await, Ok(()));
    }
}
