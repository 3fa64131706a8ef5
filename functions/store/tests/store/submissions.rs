use std::collections::BTreeSet;

use domain::finding::FindingCode;
use domain::ids::ImageId;
use domain::model::{Channel, JobMaster, LoginKind, LowerReason, ReadingResultImage};
use futures::future::join_all;
use jiff::{SignedDuration, Timestamp, ToSpan};
use serde_json::json;
use store::{
    Access, JobImported, LedgerEntry, NewVersion, OpenJobsFilter, Slot, Source, Store, StoreError, StoredJob, SubmitResults, Submitted,
};

use crate::on_both;
use crate::support::{
    account, account_id, at, import, import_job, job_id, line, master, noon, other_tenant, reading, record, stored, submit, task_id, tenant,
};

async fn ledger(store: &Store, since: Timestamp, until: Timestamp) -> Vec<LedgerEntry> {
    let (mut entries, mut cursor) = (Vec::new(), None);
    loop {
        let page = store.results(&tenant(), since, until, cursor.as_deref()).await.unwrap();
        entries.extend(page.entries);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return entries;
        }
    }
}

on_both! {
    async fn is_two_round_trips_and_all_or_nothing(table) {
        table.store.apply_tenant(&testing::bundle(testing::application(tenant().as_str(), serde_json::json!({}))), NewVersion::by("test")).await.unwrap();
        import_job(&table.store, "a1", master("j1", &["t1", "t2"])).await;
        let before = table.items().await;
        // Whoever takes a reading knows the tenant by then.
        table.store.tenant(&tenant()).await.unwrap();
        let (store, meter) = table.store.metered();
        let (job, earlier) = store.job_with_idempotency(&tenant(), &account_id("a1"), &job_id("j1"), "k", noon()).await.unwrap();
        assert_eq!(earlier, None);
        let job = job.unwrap();
        let readings = [reading("t1", "00123.450", noon()), reading("t2", "7.000", noon())];
        assert_eq!(submit(&store, &job, &readings, record("k", "r", "answer")).await, Submitted::Stored);
        assert_eq!(meter.round_trips(), 2);
        if table.counts_capacity {
            assert_eq!(meter.read_units(), 2.0, "the job, and the look for a record");
            // Job, portfolio, record, two readings, and what they change in the counts, twice as much in a transaction; and in the index two entries, and the job's
            // place among the open ones.
            assert_eq!(meter.write_units(), 15.0);
        }
        assert_eq!(table.items().await, before + 4);
        let open = store.open_jobs(&tenant(), &OpenJobsFilter::default(), 10, None).await.unwrap();
        assert_eq!(open.jobs, [], "the job is not among the open ones any more");

        let after = stored(&store, "a1", "j1").await;
        let (done_on, tallied) = (Some("2026-11-21".parse().unwrap()), after.tallied.clone());
        assert_eq!(after, store::StoredJob { done_on, tallied, ..job.with_results(&readings) });
        assert!(after.done && !job.done);
        assert_eq!(after.version, job.version + 1);
    }

    async fn of_some_rates_leaves_the_job_open(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1", "t2"])).await;
        let job = stored(store, "a1", "j1").await;
        submit(store, &job, &[reading("t2", "1.000", noon())], record("k", "r", "")).await;
        let job = stored(store, "a1", "j1").await;
        assert!(!job.done);
        submit(store, &job, &[reading("t1", "1.000", noon())], record("k2", "r", "")).await;
        assert!(stored(store, "a1", "j1").await.done);
    }

    async fn the_job_has_the_last_ten_and_the_ledger_all(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        for n in 0..13 {
            let job = stored(store, "a1", "j1").await;
            let now = noon() + SignedDuration::from_secs(n);
            submit(store, &job, &[reading("t1", &format!("{n}.000"), now)], record(&format!("k{n}"), "r", "")).await;
        }
        let job = stored(store, "a1", "j1").await;
        let values: Vec<_> = job.states[0].reading_results.iter().map(|result| result.reading_value.as_str()).collect();
        assert_eq!(values, ["3.000", "4.000", "5.000", "6.000", "7.000", "8.000", "9.000", "10.000", "11.000", "12.000"]);
        let ledger = ledger(store, noon(), noon() + 1.hour()).await;
        let values: Vec<_> = ledger.iter().map(|entry| entry.reading_value.as_str().to_owned()).collect();
        assert_eq!(values, (0..13).map(|n| format!("{n}.000")).collect::<Vec<_>>());
    }

    async fn the_ledger_knows_who_when_and_how(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let job = stored(store, "a1", "j1").await;
        let created = at("2026-11-21T12:00:00.123456Z");
        let mut new = reading("t1", "00123.450", created);
        new.result.comment = Some("Glas trüb".into());
        new.result.lower_reason = Some(LowerReason::Rollover);
        new.confirmed = vec![FindingCode::HistoricLower, FindingCode::ExpectedHigh];
        new.result.reading_result_images = vec![ReadingResultImage { image_id: ImageId::new("img-1").unwrap() }];
        let submission = SubmitResults {
            job: &job,
            results: std::slice::from_ref(&new),
            source: Source::Portal(LoginKind::Token),
            account_id: &account_id("caretaker"),
            idempotency: record("k", "r", ""),
            deliver: false,
        };
        assert_eq!(store.submit(&tenant(), submission).await.unwrap(), Submitted::Stored);
        let entries = ledger(store, noon(), noon() + 1.hour()).await;
        assert_eq!(entries, [LedgerEntry {
            season: domain::ids::SeasonId::default(),
            result_id: new.result_id,
            job_id: job_id("j1"),
            account_id: Some(account_id("a1")),
            listed_at: None,
            login_account_id: Some(account_id("caretaker")),
            channel: Channel::Portal,
            login_kind: Some(LoginKind::Token),
            entered: None,
            without_job: None,
            task_id: task_id("t1"),
            obis: "1-0:1.8.0".into(),
            unit: None,
            meter_number: Some("EBZ j1".into()),
            reading_value: new.result.reading_value,
            reading_date: "2026-11-21".parse().unwrap(),
            created,
            comment: Some("Glas trüb".into()),
            lower_reason: Some(LowerReason::Rollover),
            confirmed: vec![FindingCode::HistoricLower, FindingCode::ExpectedHigh],
            doubts: vec![domain::clearing::Doubt::Rollover, domain::clearing::Doubt::ExpectedHigh],
            image_ids: vec![ImageId::new("img-1").unwrap()],
        }]);
        assert_eq!(entries[0].reading_value.as_str(), "00123.450", "digit for digit");
        let elsewhere = store.results(&other_tenant(), noon(), noon() + 1.hour(), None).await.unwrap();
        assert!(elsewhere.entries.is_empty());
    }

    async fn the_ledger_goes_over_months_and_respects_both_ends(table) {
        let store = &table.store;
        let times = ["2026-09-30T23:59:59.999999Z", "2026-10-01T00:00:00Z", "2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z", "2027-01-15T08:00:00Z"];
        for (n, time) in times.iter().enumerate() {
            let id = format!("j{n}");
            import_job(store, "a1", master(&id, &["t1"])).await;
            let job = stored(store, "a1", &id).await;
            submit(store, &job, &[reading("t1", &format!("{n}"), at(time))], record(&id, "r", "")).await;
        }
        let found = async |since, until| {
            let entries = ledger(store, at(since), at(until)).await;
            entries.into_iter().map(|entry| entry.created.to_string()).collect::<BTreeSet<_>>()
        };
        let set = |times: &[&str]| times.iter().map(|time| at(time).to_string()).collect::<BTreeSet<_>>();
        assert_eq!(found("2020-01-01T00:00:00Z", "2028-01-01T00:00:00Z").await, set(&times));
        assert_eq!(found("2026-10-01T00:00:00Z", "2027-01-15T08:00:00Z").await, set(&times[1..4]), "until is excluded");
        assert_eq!(found("2026-10-01T00:00:00.000001Z", "2026-12-01T00:00:00Z").await, set(&times[2..3]));
        assert_eq!(found("2026-11-30T23:59:59Z", "2026-12-01T12:00:00Z").await, set(&times[2..4]), "until the first day of a month");
        assert!(found("2026-10-02T00:00:00Z", "2026-10-01T00:00:00Z").await.is_empty());
        for cursor in ["", "x", "2026-10-01/4/", "2026-10-01/0"] {
            let refused = store.results(&tenant(), noon(), noon(), Some(cursor)).await;
            assert_eq!(refused, Err(StoreError::InvalidCursor), "{cursor}");
        }
    }

    /// The readings of one job are in one shard; these are more than 1 MB.
    async fn the_ledger_comes_in_pages(table) {
        let store = &table.store;
        let tasks: Vec<String> = (0..30).map(|n| format!("t{n}")).collect();
        let names: Vec<&str> = tasks.iter().map(String::as_str).collect();
        import_job(store, "a1", master("j1", &names)).await;
        for n in 0..40 {
            let job = stored(store, "a1", "j1").await;
            let with_comment = |task: &String| {
                let mut new = reading(task, &n.to_string(), noon());
                new.result.comment = Some("x".repeat(900));
                new
            };
            let readings: Vec<_> = tasks.iter().map(with_comment).collect();
            assert_eq!(submit(store, &job, &readings, record(&format!("k{n}"), "r", "")).await, Submitted::Stored);
        }
        let (mut sizes, mut ids, mut cursor) = (Vec::new(), BTreeSet::new(), None);
        loop {
            let page = store.results(&tenant(), noon(), noon() + 1.hour(), cursor.as_deref()).await.unwrap();
            sizes.push(page.entries.len());
            ids.extend(page.entries.into_iter().map(|entry| entry.result_id));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!((ids.len(), sizes.iter().sum()), (1200, 1200), "each once");
        assert!(sizes.iter().filter(|size| **size > 0).count() > 1, "{sizes:?}");
    }

    async fn sent_again_gets_the_same_answer(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let job = stored(store, "a1", "j1").await;
        assert_eq!(submit(store, &job, &[reading("t1", "1.000", noon())], record("k", "r", "answer")).await, Submitted::Stored);
        let again = submit(store, &job, &[reading("t1", "1.000", noon())], record("k", "r", "another answer")).await;
        assert_eq!(again, Submitted::Replayed { response_body: "answer".into() });
        let other = submit(store, &job, &[reading("t1", "2.000", noon())], record("k", "other", "")).await;
        assert_eq!(other, Submitted::KeyReused);
        let stale = submit(store, &job, &[reading("t1", "2.000", noon())], record("k2", "other", "")).await;
        assert_eq!(stale, Submitted::Stale);
        assert_eq!(ledger(store, noon(), noon() + 1.hour()).await.len(), 1);

        let (_, earlier) = store.job_with_idempotency(&tenant(), &account_id("a1"), &job_id("j1"), "k", noon()).await.unwrap();
        let earlier = earlier.unwrap();
        assert_eq!((earlier.request_hash.as_str(), earlier.response_body.as_str(), earlier.created), ("r", "answer", noon()));
    }

    /// Keys belong to an account; others may use the same.
    async fn a_key_is_one_accounts_own(table) {
        let store = &table.store;
        for account in ["a1", "a2"] {
            let id = format!("j-{account}");
            import_job(store, account, master(&id, &["t1"])).await;
            let job = stored(store, account, &id).await;
            let sent = submit(store, &job, &[reading("t1", "1.000", noon())], record("k", account, account)).await;
            assert_eq!(sent, Submitted::Stored);
        }
    }

    async fn a_key_is_free_again_after_35_days(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let job = stored(store, "a1", "j1").await;
        submit(store, &job, &[reading("t1", "1.000", noon())], record("k", "r", "first")).await;
        let record_at = async |now| store.job_with_idempotency(&tenant(), &account_id("a1"), &job_id("j1"), "k", now).await.unwrap().1;
        let over = noon() + SignedDuration::from_hours(35 * 24);
        assert!(record_at(over - SignedDuration::from_secs(1)).await.is_some());
        assert!(record_at(over).await.is_none(), "the expiry is compared by the reader");
        let job = stored(store, "a1", "j1").await;
        let later = store::IdempotencyWrite { created: over, ..record("k", "other", "second") };
        assert_eq!(submit(store, &job, &[reading("t1", "2.000", over)], later).await, Submitted::Stored);
    }

    async fn of_fifty_identical_ones_at_once_one_is_stored(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let job = stored(store, "a1", "j1").await;
        let race = (0..50).map(|n| {
            let (store, job) = (store.clone(), job.clone());
            async move { submit(&store, &job, &[reading("t1", "1.000", noon())], record("k", "r", &format!("answer {n}"))).await }
        });
        let answers = join_all(race).await;
        let winner = answers.iter().position(|answer| *answer == Submitted::Stored).unwrap();
        let replayed = Submitted::Replayed { response_body: format!("answer {winner}") };
        assert!(answers.iter().enumerate().all(|(n, answer)| n == winner || *answer == replayed), "{answers:?}");
        assert_eq!(ledger(store, noon(), noon() + 1.hour()).await.len(), 1);
        assert_eq!(stored(store, "a1", "j1").await.states[0].reading_results.len(), 1);
    }

    async fn of_fifty_different_ones_at_once_none_is_lost(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let race = (0..50).map(|n| async move {
            loop {
                let job = stored(store, "a1", "j1").await;
                let sent = submit(store, &job, &[reading("t1", &n.to_string(), noon())], record(&format!("k{n}"), "r", "")).await;
                match sent {
                    Submitted::Stored => break,
                    Submitted::Stale => {}
                    other => panic!("{other:?}"),
                }
            }
        });
        join_all(race).await;
        let values: BTreeSet<_> = ledger(store, noon(), noon() + 1.hour()).await.iter().map(|entry| entry.reading_value.as_str().to_owned()).collect();
        assert_eq!(values.len(), 50);
        let job = stored(store, "a1", "j1").await;
        assert_eq!(job.version, 50);
        assert_eq!(job.states[0].reading_results.len(), StoredJob::RESULTS_PER_TASK);
    }

    /// Different jobs of one account only meet at the portfolio's version, which nobody has to lose for.
    async fn of_different_jobs_at_once_all_are_stored(table) {
        let store = &table.store;
        for n in 0..20 {
            import_job(store, "a1", master(&format!("j{n}"), &["t1"])).await;
        }
        let state = async || store.accessible_state(&tenant(), &Access::owner(account_id("a1"))).await.unwrap();
        let before = state().await;
        let race = (0..20).map(|n| async move {
            let id = format!("j{n}");
            let job = stored(store, "a1", &id).await;
            submit(store, &job, &[reading("t1", "1.000", noon())], record(&id, "r", "")).await
        });
        assert_eq!(join_all(race).await, vec![Submitted::Stored; 20]);
        let slots: BTreeSet<_> = (0..20).map(|n| Slot::of(&job_id(&format!("j{n}")))).collect();
        assert_eq!(state().await.changed_since(&before, &BTreeSet::new()), Some(slots.into_iter().collect()));
    }

    async fn that_does_not_fit_is_refused_clearly(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let job = stored(store, "a1", "j1").await;
        let huge = record("k", "r", &"x".repeat(410_000));
        let submission = SubmitResults {
            job: &job,
            results: &[reading("t1", "1.000", noon())],
            source: Source::Portal(LoginKind::Credentials),
            account_id: &job.account_id,
            idempotency: huge,
            deliver: false,
        };
        let refused = store.submit(&tenant(), submission).await.unwrap_err();
        assert!(matches!(refused, StoreError::TooLarge { what: "the answer", .. }), "{refused}");
        let many: Vec<_> = (0..97).map(|_| reading("t1", "1.000", noon())).collect();
        let submission = SubmitResults {
            job: &job,
            results: &many,
            source: Source::Portal(LoginKind::Credentials),
            account_id: &job.account_id,
            idempotency: record("k", "r", ""),
            deliver: false,
        };
        let refused = store.submit(&tenant(), submission).await.unwrap_err();
        assert_eq!(refused, StoreError::TooLarge { what: "the submission", size: 101, limit: 100, unit: "items" });
        assert_eq!(stored(store, "a1", "j1").await, job);
    }
}

/// With all that utilities say of a meter with two rates, three years of readings, and the settings that an answer has.
#[tokio::test]
async fn a_usual_job_and_its_answer_are_a_kilobyte_each() {
    const JOBS: u32 = 100;
    let table = crate::support::Table::dynoxide().await;
    let task = |id: &str, obis: &str, from: u32| {
        let event = |year: u32| {
            let value = from + (year - 2023) * 3877;
            json!({ "readingDate": format!("{year}-11-25"), "readingValue": format!("{value:06}.0"), "reason": "ANNUAL_READING" })
        };
        json!({
            "taskId": id, "rateName": id.to_uppercase(), "obis": obis, "preDecimals": 6, "postDecimals": 1, "targetReadingDate": "2026-11-25",
            "readingEvents": [event(2023), event(2024), event(2025)],
            "readingValueValidation": { "minimumValue": format!("{}.0", from + 7754), "maximumValue": format!("{}.0", from + 14_880), "strictValidation": false },
        })
    };
    let job = |n: u32| -> JobMaster {
        let (key, company, number) = (format!("20001-{n:02}"), "Hausverwaltung Bergmann & Partner", n * 7_919);
        serde_json::from_value(json!({
            "id": format!("20001-{n:04}"),
            "meter": {
                "meterNumber": format!("1EBZ{:010}", 194_355_700 + number),
                "meterAddress": {
                    "street": "Lindenweg", "houseNumber": n.to_string(), "zip": "99999", "city": "Birkenfurt", "cityDistrict": "Altstadt",
                    "objectKey": key, "locationDescription": "Keller, Zählerraum", "hint": "Der Schlüssel hängt innen an der Kellertür.",
                },
                "meterRateTasks": [task("ht", "1-0:1.8.1", 12_300 + number % 5_000), task("nt", "1-0:1.8.2", 16_277 + number % 3_000)],
            },
            "jobConstraints": { "earliestExecution": "2026-11-11", "latestExecution": "2026-12-16" },
            "jobPermissions": { "reShare": true },
            "partner": { "identifier": "20001", "company": company },
            "customer": { "customerNumber": key, "company": company },
            "maLoId": format!("{}", 60_000_079_190_u64 + u64::from(number)),
            "objectKey": key,
        }))
        .unwrap()
    };
    table.store.put_account(&tenant(), &account("a1")).await.unwrap();
    let lines: Vec<_> = (0..JOBS).map(|n| line("a1", job(n))).collect();
    for batch in lines.chunks(Store::IMPORT_BATCH) {
        assert!(import(&table.store, &tenant(), batch).await.iter().all(|answer| *answer == JobImported::Created));
    }
    let (store, meter) = table.store.metered();
    store.jobs(&tenant(), &account_id("a1"), 500, None).await.unwrap();
    assert!(meter.read_units() <= 23.0, "{} read units for {JOBS} jobs", meter.read_units());

    let job = stored(&table.store, "a1", "20001-0007").await;
    let (store, meter) = table.store.metered();
    let config: serde_json::Value = serde_json::from_str(CONFIG).unwrap();
    let answer = json!({ "login": "a1", "done": true, "job": job.master, "config": config }).to_string();
    assert_eq!(submit(&store, &job, &[reading("ht", "024111.0", noon())], record("k", "r", &answer)).await, Submitted::Stored);
    assert_eq!(meter.write_units(), 12.0);
}

/// What an answer says of a tenant's settings.
const CONFIG: &str = r#"{"features":{"reshareAllowed":false,"imagesForbidden":false,"imageAlwaysRequired":false,"hideReadingDateInput":false,"unplausibleReadingsCommentRequired":false,"unplausibleReadingsImageRequired":false,"historicReadingsValidationRequired":true,"continuousReadingsValidationRequired":true,"expectedReadingsValidationRequired":true,"durationSendingReadingValuesBasedOnEarliestExecutionIsAllowed":0,"durationSendingReadingValuesBasedOnLatestExecutionIsAllowed":0,"showReadingImagesAllowed":true,"showReadingCommentAllowed":true,"aiReadingEnabled":true},"meterReading":{"queryPostDecimals":true,"maskPostDecimals":false,"defaultComments":["meterWasChanged"],"readingDateMaxDaysInPast":30,"readingDateMaxDaysInFuture":0,"validationFeedbackDelay":1500}}"#;
