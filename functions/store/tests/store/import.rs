use std::collections::HashSet;

use domain::ids::ImportId;
use domain::model::JobMaster;
use store::{Effect, InTheWay, JobImport, JobImported, LinkSecretHash, NewAccount, Rejection};

use crate::on_both;
use crate::support::{
    account, account_id, at, import, import_at, import_job, job_id, line, master, noon, other_tenant, padded, reading, record, stored,
    submit, tenant,
};

/// A job for a register of this meter.
fn of_meter(id: &str, number: &str, obis: &str) -> JobMaster {
    let mut master = master(id, &["t1"]);
    master.meter.meter_number = number.into();
    master.meter.meter_rate_tasks[0].obis = obis.parse().unwrap();
    master
}

const USED: &str = "1-0:1.8.0";
const FED_IN: &str = "1-0:2.8.0";

on_both! {
    async fn twice_changes_nothing(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        store.put_account(&tenant(), &account("a2")).await.unwrap();
        let lines: Vec<_> = (0..40).map(|n| line(if n % 2 == 0 { "a1" } else { "a2" }, master(&format!("j{n}"), &["t1"]))).collect();
        assert_eq!(import(store, &tenant(), &lines).await, vec![JobImported::Created; 40]);
        let (store, meter) = store.metered();
        assert_eq!(import(&store, &tenant(), &lines).await, vec![JobImported::Unchanged; 40]);
        assert_eq!((meter.round_trips(), meter.write_units()), (2, 0.0), "one read for 25 lines");
    }

    async fn answers_in_the_order_of_the_lines(table) {
        let store = &table.store;
        import_job(store, "a1", master("same", &["t1"])).await;
        import_job(store, "a1", master("changed", &["t1"])).await;
        import_job(store, "a2", master("taken", &["t1"])).await;
        let lines = [
            line("a1", master("new", &["t1"])),
            line("nobody", master("orphan", &["t1"])),
            line("a1", master("same", &["t1"])),
            line("a1", master("taken", &["t1"])),
            line("a1", master("changed", &["t1", "t2"])),
            line("a1", padded(master("huge", &["t1"]), 410_000)),
        ];
        let answers = import(store, &tenant(), &lines).await;
        assert_eq!(answers[..5], [
            JobImported::Created,
            JobImported::Rejected { reason: Rejection::AccountUnknown },
            JobImported::Unchanged,
            JobImported::Rejected { reason: Rejection::OtherAccount },
            JobImported::Updated { renumbered: false, dropped: false },
        ]);
        let JobImported::Rejected { reason: Rejection::TooLarge { size, limit: 409_600 } } = answers[5] else { panic!("{:?}", answers[5]) };
        assert!(size > 410_000);
        assert_eq!(stored(store, "a2", "taken").await.version, 0, "untouched");
        // Ids are unique in a tenant, not in the world.
        store.put_account(&other_tenant(), &account("a1")).await.unwrap();
        let elsewhere = import(store, &other_tenant(), &[line("a1", master("taken", &["t1"]))]).await;
        assert_eq!(elsewhere, [JobImported::Created]);
    }

    async fn the_same_id_twice_in_a_batch_goes_one_after_the_other(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        store.put_account(&tenant(), &account("a2")).await.unwrap();
        let lines = [
            line("a1", master("j1", &["t1"])),
            line("a1", master("j1", &["t1", "t2"])),
            line("a2", master("j1", &["t1"])),
            line("a1", master("j1", &["t1", "t2"])),
        ];
        let answers = import(store, &tenant(), &lines).await;
        let rejected = JobImported::Rejected { reason: Rejection::OtherAccount };
        assert_eq!(answers, [JobImported::Created, JobImported::Updated { renumbered: false, dropped: false }, rejected, JobImported::Unchanged]);
        assert_eq!(stored(store, "a1", "j1").await.master, master("j1", &["t1", "t2"]));
    }

    async fn a_meter_of_an_account_has_one_open_job_for_a_time(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        store.put_account(&tenant(), &account("a2")).await.unwrap();
        // The meter's number is nothing that only one meter has.
        let of_meter = |owner: &str, id: &str, obis: &str, months: [u8; 2]| {
            let mut master = master(id, &["t1"]);
            master.meter.meter_number = "EBZ 4711".into();
            master.meter.meter_rate_tasks[0].obis = obis.parse().unwrap();
            master.job_constraints.earliest_execution = Some(jiff::civil::date(2027, months[0].try_into().unwrap(), 1));
            master.job_constraints.latest_execution = Some(jiff::civil::date(2027, months[1].try_into().unwrap(), 28));
            line(owner, master)
        };
        let twice = |open: &[&str], refused: &str| JobImported::Rejected {
            reason: Rejection::MeterTwice { open: open.iter().map(|open| job_id(open)).collect(), refused: job_id(refused) },
        };
        let used = "1-0:1.8.0";
        // Other registers and other times are other questions, in one file or in several.
        let lines = [
            of_meter("a1", "winter", used, [1, 2]),
            of_meter("a1", "fed-in", "1-0:2.8.0", [1, 2]),
            of_meter("a1", "spring", used, [3, 4]),
            of_meter("a2", "neighbour", used, [1, 2]),
        ];
        assert_eq!(import(store, &tenant(), &lines).await, vec![JobImported::Created; 4]);
        assert_eq!(import(store, &tenant(), &lines).await, vec![JobImported::Unchanged; 4]);
        let again = [
            of_meter("a1", "winter-2", used, [2, 3]),
            of_meter("a1", "fed-in-2", "1-0:2.8.0", [2, 2]),
            of_meter("a1", "summer", used, [5, 6]),
        ];
        let answers = import(store, &tenant(), &again).await;
        assert_eq!(answers, [twice(&["spring", "winter"], "winter-2"), twice(&["fed-in"], "fed-in-2"), JobImported::Created]);
        assert!(store.job(&tenant(), &account_id("a1"), &job_id("winter-2")).await.unwrap().is_none());

        // Who has been read, or is no longer listed, is in nobody's way; nor is a job whose own meter is another one by now.
        submit(store, &stored(store, "a1", "winter").await, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        assert_eq!(import(store, &tenant(), &[of_meter("a1", "winter-3", used, [1, 2])]).await, [JobImported::Created]);
        store.close_job(&tenant(), &account_id("a1"), &job_id("spring"), noon()).await.unwrap();
        let mut elsewhere = of_meter("a1", "summer", used, [5, 6]);
        elsewhere.master.meter.meter_number = "EBZ 4712".into();
        let lines = [elsewhere, of_meter("a1", "spring-2", used, [3, 4]), of_meter("a1", "summer-2", used, [5, 6])];
        assert_eq!(import(store, &tenant(), &lines).await, [JobImported::Updated { renumbered: false, dropped: false }, JobImported::Created, JobImported::Created]);
        assert_eq!(import(store, &tenant(), &[of_meter("a1", "fed-in", "1-0:2.8.0", [1, 3])]).await, [JobImported::Updated { renumbered: false, dropped: false }]);
    }

    async fn a_corrected_meter_number_leaves_nothing_at_the_former_one(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        let lines = |numbers: [&str; 2]| [line("a1", of_meter("j1", numbers[0], USED)), line("a1", of_meter("j2", numbers[1], FED_IN))];
        assert_eq!(import(store, &tenant(), &lines(["EBZ 1", "EBZ 1"])).await, vec![JobImported::Created; 2]);
        assert_eq!(table.holders().await, [r#"[["a1","j1"],["a1","j2"]]"#]);
        let (metered, meter) = store.metered();
        assert_eq!(import(&metered, &tenant(), &lines(["EBZ 2", "EBZ 1"])[..1]).await, [JobImported::Updated { renumbered: false, dropped: false }]);
        assert_eq!(meter.round_trips(), 3, "the read, the other meter, the transaction");
        assert_eq!(table.holders().await, [r#"[["a1","j1"]]"#, r#"[["a1","j2"]]"#]);
        import(store, &tenant(), &lines(["EBZ 2", "EBZ 2"])).await;
        assert_eq!(table.holders().await, [r#"[["a1","j1"],["a1","j2"]]"#]);
        // Both leave the same meter in one transaction, and one takes the other's.
        assert_eq!(import(store, &tenant(), &lines(["EBZ 3", "EBZ 4"])).await, vec![JobImported::Updated { renumbered: false, dropped: false }; 2]);
        assert_eq!(table.holders().await, [r#"[["a1","j1"]]"#, r#"[["a1","j2"]]"#]);
        assert_eq!(import(store, &tenant(), &lines(["EBZ 4", "EBZ 3"])).await, vec![JobImported::Updated { renumbered: false, dropped: false }; 2]);
        assert_eq!(table.holders().await, [r#"[["a1","j1"]]"#, r#"[["a1","j2"]]"#]);
        assert_eq!(import(store, &tenant(), &[line("a1", of_meter("j3", "EBZ 4", FED_IN))]).await, [JobImported::Created]);
        // So do jobs that were read or closed.
        submit(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        store.close_job(&tenant(), &account_id("a1"), &job_id("j2"), noon()).await.unwrap();
        let renumbered = [true, false].map(|renumbered| JobImported::Updated { renumbered, dropped: false });
        assert_eq!(import(store, &tenant(), &lines(["EBZ 5", "EBZ 5"])).await, renumbered);
        assert_eq!(table.holders().await, [r#"[["a1","j2"]]"#, r#"[["a1","j3"]]"#], "who was read needs no meter");
    }

    /// Five items a line are more than a transaction takes.
    async fn many_corrected_numbers_take_several_transactions(table) {
        let store = &table.store;
        let lines = |number: &str| {
            let line = |n: usize| line(&format!("a{n}"), of_meter(&format!("j{n}"), &format!("{number} {n}"), USED));
            (0..25).map(line).collect::<Vec<_>>()
        };
        for line in lines("EBZ") {
            store.put_account(&tenant(), &account(line.account_id.as_str())).await.unwrap();
        }
        import(store, &tenant(), &lines("EBZ")).await;
        let (metered, meter) = store.metered();
        assert_eq!(import(&metered, &tenant(), &lines("ESY")).await, vec![JobImported::Updated { renumbered: false, dropped: false }; 25]);
        assert_eq!(meter.round_trips(), 6, "a read, one of the former meters, and four transactions");
        assert_eq!(table.meters().await.len(), 25);
    }

    /// Jobs that change meters, each in the other's way.
    async fn jobs_that_make_room_are_in_no_lines_way(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        let line = |id: &str, number: &str| line("a1", of_meter(id, number, USED));
        import(store, &tenant(), &[line("j1", "EBZ 1"), line("j2", "EBZ 2"), line("j3", "EBZ 3")]).await;
        let crossed = [line("j1", "EBZ 2"), line("j2", "EBZ 1"), line("j4", "EBZ 3")];
        let answers = import(store, &tenant(), &crossed).await;
        let twice = |open: &str, refused: &str| JobImported::Rejected {
            reason: Rejection::MeterTwice { open: vec![job_id(open)], refused: job_id(refused) },
        };
        assert_eq!(answers, [twice("j2", "j1"), twice("j1", "j2"), twice("j3", "j4")]);
        let making_room = HashSet::from([job_id("j1"), job_id("j2")]);
        let application = serde_json::from_str(r#"{"applicationId":"musterwerk","name":"T","hosts":["t"],"portalUrl":"https://t"}"#).unwrap();
        for (effect, changed) in [(Effect::Tried, JobImported::Updated { renumbered: false, dropped: false }), (Effect::Stored, JobImported::Updated { renumbered: false, dropped: false }), (Effect::Stored, JobImported::Unchanged)] {
            let import = JobImport { application: &application, effect, in_the_way: InTheWay { making_room: Some(&making_room), ..InTheWay::default() }, coming: None, import: None, now: noon() };
            let answers = store.import_jobs(import, &crossed).await.unwrap();
            assert_eq!(answers, [changed.clone(), changed, twice("j3", "j4")]);
        }
        assert_eq!(stored(store, "a1", "j1").await.master.meter.meter_number, "EBZ 2");
        assert_eq!(table.holders().await, [r#"[["a1","j1"]]"#, r#"[["a1","j2"]]"#, r#"[["a1","j3"]]"#]);
    }

    async fn a_line_names_all_open_jobs_in_its_way(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        import(store, &tenant(), &[line("a1", of_meter("j1", "EBZ 1", USED)), line("a1", of_meter("j2", "EBZ 1", FED_IN))]).await;
        let mut both = of_meter("j3", "EBZ 1", USED);
        both.meter.meter_rate_tasks.extend(of_meter("j3", "EBZ 1", FED_IN).meter.meter_rate_tasks);
        both.meter.meter_rate_tasks[1].task_id = domain::ids::TaskId::new("t2").unwrap();
        let answer = import(store, &tenant(), &[line("a1", both)]).await.remove(0);
        let reason = Rejection::MeterTwice { open: vec![job_id("j1"), job_id("j2")], refused: job_id("j3") };
        let said = "is the meter of the open jobs `j1`, `j2` too, in an overlapping period and with a common OBIS code; job `j3` was not taken";
        assert_eq!(reason.to_string(), said);
        assert_eq!(answer, JobImported::Rejected { reason });
    }

    /// The meters have other jobs now, as in every season.
    async fn a_new_season_takes_one_read_more(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        let season = |year: i16| {
            let line = |n: usize| {
                let mut master = master(&format!("j{year}-{n}"), &["t1"]);
                master.meter.meter_number = format!("EBZ {n}");
                master.job_constraints.earliest_execution = Some(jiff::civil::date(year, 1, 1));
                master.job_constraints.latest_execution = Some(jiff::civil::date(year, 2, 1));
                line("a1", master)
            };
            (0..25).map(line).collect::<Vec<_>>()
        };
        for (year, round_trips) in [(2027, 3), (2028, 4), (2028, 1)] {
            let (store, meter) = store.metered();
            import(&store, &tenant(), &season(year)).await;
            assert_eq!(meter.round_trips(), round_trips, "{year}");
        }
        // Two registers of each meter, each in a job of its own, are two rounds.
        let (store, meter) = store.metered();
        let mut lines: Vec<_> = season(2029).into_iter().take(24).collect();
        for n in 0..12 {
            lines[2 * n + 1].master.meter.meter_number = lines[2 * n].master.meter.meter_number.clone();
            lines[2 * n + 1].master.meter.meter_rate_tasks[0].obis = "1-0:2.8.0".parse().unwrap();
        }
        assert_eq!(import(&store, &tenant(), &lines).await, vec![JobImported::Created; 24]);
        assert_eq!(meter.round_trips(), 6);
    }

    /// Together they are more than the 4 MB of a transaction.
    async fn lines_that_are_large_together_go_in_parts(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        let lines: Vec<_> = (0..15).map(|n| line("a1", padded(master(&format!("j{n}"), &["t1"]), 390_000))).collect();
        assert_eq!(import(store, &tenant(), &lines).await, vec![JobImported::Created; 15]);
        assert_eq!(import(store, &tenant(), &lines).await, vec![JobImported::Unchanged; 15]);
    }

    /// The last line's job lets the link live longest, the other batch's shorter.
    async fn the_link_lives_as_long_as_any_job_lets_it(table) {
        let store = &table.store;
        let link = LinkSecretHash { sha256_hex: "link".into(), expires_at: at("9999-12-30T00:00:00Z") };
        store.put_account(&tenant(), &NewAccount { link: Some(link), ..account("a1") }).await.unwrap();
        let until = |n: usize, last: Option<&str>| {
            let mut master = master(&format!("j{n:02}"), &["t1"]);
            master.meter.meter_number = format!("EBZ {n}");
            master.job_constraints.latest_execution = last.map(|day| day.parse().unwrap());
            line("a1", master)
        };
        let opens = async |time: &str| store.account_of_link(&tenant(), "link", at(time)).await.unwrap().is_some();
        assert!(opens("2099-12-31T12:00:00Z").await, "without jobs there is no last day");

        let mut lines: Vec<_> = (0..40).map(|n| until(n, Some("2027-01-15"))).collect();
        lines[24] = until(24, Some("2027-01-31"));
        import_at(store, &tenant(), &lines, noon()).await;
        assert!(opens("2027-01-31T22:59:59Z").await && !opens("2027-01-31T23:00:00Z").await, "until midnight where the tenant is");

        // What is stored already says it too, as after a change of how long readings are taken.
        let document = r#"{"applicationId":"musterwerk","name":"T","hosts":["t"],"portalUrl":"https://t",
            "jobFeatures":{"durationSendingReadingValuesBasedOnLatestExecutionIsAllowed":7}}"#;
        let application = serde_json::from_str(document).unwrap();
        let import = JobImport { application: &application, effect: Effect::Stored, in_the_way: InTheWay::default(), coming: None, import: None, now: noon() };
        assert_eq!(store.import_jobs(import, &lines).await.unwrap(), vec![JobImported::Unchanged; 40]);
        assert!(opens("2027-02-07T22:59:59Z").await && !opens("2027-02-07T23:00:00Z").await);

        // A season later; the account may end before.
        import_at(store, &tenant(), &[until(50, None)], at("2027-11-01T12:00:00Z")).await;
        assert!(opens("2028-04-29T21:59:59Z").await && !opens("2028-04-29T22:00:00Z").await, "180 days");
        import_at(store, &tenant(), &[until(51, Some("9999-12-31"))], at("2027-11-01T12:00:00Z")).await;
        assert!(opens("9999-12-29T12:00:00Z").await, "some systems mean by it that there is no last day");
    }

    async fn a_changed_job_keeps_its_readings(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1", "t2"])).await;
        let job = stored(store, "a1", "j1").await;
        let readings = [reading("t1", "00123.450", noon()), reading("t2", "7.000", noon())];
        submit(store, &job, &readings, record("k", "r", "")).await;

        let mut changed = master("j1", &["t1", "t2"]);
        changed.meter.meter_number = "1EBZ0100000620".into();
        assert_eq!(import_job(store, "a1", changed.clone()).await, JobImported::Updated { renumbered: true, dropped: false });
        let job = stored(store, "a1", "j1").await;
        assert_eq!(job.master, changed);
        assert!(job.done);
        assert_eq!(job.states[0].reading_results[0].reading_value.as_str(), "00123.450");
    }

    async fn readings_stay_with_the_rates_that_still_exist(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1", "t2"])).await;
        let job = stored(store, "a1", "j1").await;
        submit(store, &job, &[reading("t1", "1.000", noon()), reading("t2", "2.000", noon())], record("k", "r", "")).await;

        let updated = |dropped| JobImported::Updated { renumbered: false, dropped };
        assert_eq!(import_job(store, "a1", master("j1", &["t2", "t3"])).await, updated(true));
        let job = stored(store, "a1", "j1").await;
        assert!(!job.done, "the new rate is open");
        assert_eq!(job.states.iter().map(|state| state.task_id.as_str()).collect::<Vec<_>>(), ["t2"]);
        assert_eq!(import_job(store, "a1", master("j1", &["t2"])).await, updated(false), "nobody has read it");
        assert!(stored(store, "a1", "j1").await.done);

        let since = noon() - jiff::SignedDuration::from_hours(1);
        let mut cursor = None;
        let mut ledger = Vec::new();
        loop {
            let page = store.results(&tenant(), since, noon() + jiff::SignedDuration::from_hours(1), cursor.as_deref()).await.unwrap();
            ledger.extend(page.entries);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(ledger.len(), 2, "the ledger loses nothing");
    }

    async fn an_import_that_goes_on_says_the_same_of_a_job_that_was_read(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        submit(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        let application = testing::application("musterwerk", serde_json::json!({}));
        let (id, in_the_way) = (ImportId::new("20261121-080000-7f3a").unwrap(), InTheWay::default());
        let mut changed = master("j1", &["t2"]);
        changed.meter.meter_number = "1EBZ0100000620".into();
        for _ in 0..2 {
            let import = JobImport { application: &application, effect: Effect::Stored, in_the_way, coming: None, import: Some(&id), now: noon() };
            let answers = store.import_jobs(import, &[line("a1", changed.clone())]).await.unwrap();
            assert_eq!(answers, [JobImported::Updated { renumbered: true, dropped: true }]);
        }
    }

    /// A register goes, and with that the job is done: on the day that it was with the tenant.
    async fn what_a_line_makes_done_was_done_when_it_was_read(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1", "t2"])).await;
        let in_the_night = at("2026-11-21T23:30:00Z");
        submit(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", in_the_night)], record("k", "r", "")).await;
        let berlin = testing::application("musterwerk", serde_json::json!({ "timeZone": "Europe/Berlin" }));
        testing::import(store, &berlin, &[line("a1", master("j1", &["t1"]))], noon()).await;
        let job = stored(store, "a1", "j1").await;
        assert_eq!((job.done, job.done_on), (true, Some("2026-11-22".parse().unwrap())));
    }

    /// A value may change its digits without changing its number.
    async fn a_change_of_digits_is_a_change(table) {
        let with = |minimum: &str| {
            let mut master = master("j1", &["t1"]);
            let document = format!(r#"{{"minimumValue":"{minimum}"}}"#);
            master.meter.meter_rate_tasks[0].reading_value_validation = Some(serde_json::from_str(&document).unwrap());
            master
        };
        import_job(&table.store, "a1", with("1.5")).await;
        assert_eq!(import_job(&table.store, "a1", with("1.50")).await, JobImported::Updated { renumbered: false, dropped: false });
    }

    async fn an_import_and_submissions_at_once_lose_nothing(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let mut changed = master("j1", &["t1"]);
        changed.meter.meter_number = "new".into();
        let submissions = async {
            for n in 0..5 {
                loop {
                    let job = stored(store, "a1", "j1").await;
                    let sent = submit(store, &job, &[reading("t1", &format!("{n}.000"), noon())], record(&format!("k{n}"), "r", "")).await;
                    if sent == store::Submitted::Stored {
                        break;
                    }
                }
            }
        };
        let (imported, ()) = futures::join!(import_job(store, "a1", changed), submissions);
        assert!(matches!(imported, JobImported::Updated { .. }), "{imported:?}");
        let job = stored(store, "a1", "j1").await;
        assert_eq!(job.master.meter.meter_number, "new");
        assert_eq!(job.states[0].reading_results.len(), 5);
        assert_eq!(job.account_id, account_id("a1"));
    }
}
