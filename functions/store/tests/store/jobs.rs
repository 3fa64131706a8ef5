use std::collections::BTreeSet;

use futures::stream::{self, StreamExt};
use store::{Access, JobImported, OpenJobsFilter, Slot, Store, StoreError, cursor_of_slots};

use crate::on_both;
use crate::support::{
    Item, account, account_id, import, import_job, job_id, line, master, noon, other_tenant, padded, reading, record, stored, submit,
    tenant,
};

/// Imports this many jobs of one account, in batches.
async fn portfolio(store: &Store, jobs: usize, padding: usize) {
    store.put_account(&tenant(), &account("manager")).await.unwrap();
    let lines: Vec<_> = (0..jobs).map(|n| line("manager", padded(master(&format!("job-{n:05}"), &["t1"]), padding))).collect();
    let batches = lines.chunks(Store::IMPORT_BATCH).map(|batch| async { import(store, &tenant(), batch).await });
    let answers: Vec<Vec<JobImported>> = stream::iter(batches).buffer_unordered(4).collect().await;
    assert!(answers.concat().iter().all(|answer| *answer == JobImported::Created));
}

/// All pages: the ids, and how many pages there were.
async fn all(store: &Store, limit: u32) -> (Vec<String>, usize) {
    let (mut ids, mut pages, mut cursor) = (Vec::new(), 0, None);
    loop {
        let page = store.jobs(&tenant(), &account_id("manager"), limit, cursor.as_deref()).await.unwrap();
        assert!(page.jobs.len() <= limit as usize);
        ids.extend(page.jobs.iter().map(|job| job.master.id.to_string()));
        pages += 1;
        cursor = page.next_cursor;
        if cursor.is_none() {
            return (ids, pages);
        }
    }
}

fn expected(jobs: usize) -> Vec<String> {
    (0..jobs).map(|n| format!("job-{n:05}")).collect()
}

on_both! {
    async fn two_thousand_come_in_pages(table) {
        portfolio(&table.store, 2_000, 0).await;
        let (mut ids, pages) = all(&table.store, 100).await;
        ids.sort();
        assert_eq!(ids, expected(2_000));
        assert!(pages <= 21, "{pages}: the last may be empty");
    }

    /// Whatever the limit, and however little they take where they are stored.
    async fn a_page_has_two_megabytes_of_jobs(table) {
        portfolio(&table.store, 100, 50_000).await;
        let (mut ids, pages) = all(&table.store, 500).await;
        ids.sort();
        assert_eq!((ids, pages), (expected(100), 3));
    }

    async fn first_page_is_one_query_and_brings_the_version(table) {
        portfolio(&table.store, 30, 0).await;
        let state = table.store.accessible_state(&tenant(), &Access::owner(account_id("manager"))).await.unwrap();
        let (store, meter) = table.store.metered();
        let first = store.jobs(&tenant(), &account_id("manager"), 10, None).await.unwrap();
        assert_eq!(meter.round_trips(), 1);
        assert_eq!((first.jobs.len(), first.state.as_ref()), (10, Some(&state)));
        let second = store.jobs(&tenant(), &account_id("manager"), 20, first.next_cursor.as_deref()).await.unwrap();
        assert_eq!(meter.round_trips(), 2);
        assert_eq!((second.jobs.len(), second.state), (20, None));

        let (store, meter) = table.store.metered();
        store.accessible_state(&tenant(), &Access::owner(account_id("manager"))).await.unwrap();
        assert_eq!(meter.round_trips(), 1);
        if table.counts_capacity {
            assert_eq!(meter.read_units(), 1.0);
        }
    }

    async fn version_changes_with_any_job_and_with_nothing_else(table) {
        let store = &table.store;
        let version = async || store.accessible_state(&tenant(), &Access::owner(account_id("a1"))).await;
        let empty = version().await.unwrap();
        import_job(store, "a1", master("j1", &["t1"])).await;
        let imported = version().await.unwrap();
        assert_ne!(imported, empty);
        import_job(store, "a1", master("j1", &["t1"])).await;
        import_job(store, "a2", master("j2", &["t1"])).await;
        assert_eq!(version().await.unwrap(), imported);
        import_job(store, "a1", master("j1", &["t1", "t2"])).await;
        let updated = version().await.unwrap();
        assert_ne!(updated, imported);
        let job = stored(store, "a1", "j1").await;
        submit(store, &job, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        let read = version().await.unwrap();
        assert_ne!(read, updated);
        store.close_job(&tenant(), &account_id("a1"), &job_id("j1"), noon()).await.unwrap();
        assert_ne!(version().await.unwrap(), read);
    }

    /// Of two thousand jobs whoever has them gets those of one slot in sixty-four again.
    async fn of_a_list_only_the_slots_that_changed_are_read(table) {
        let store = &table.store;
        portfolio(store, 2_000, 0).await;
        let manager = Access::owner(account_id("manager"));
        let state = async || store.accessible_state(&tenant(), &manager).await.unwrap();
        let seen = state().await;
        let changed = [job_id("job-00007"), job_id("job-01999")];
        submit(store, &stored(store, "manager", changed[0].as_str()).await, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        store.close_job(&tenant(), &account_id("manager"), &changed[1], noon()).await.unwrap();
        let slots = state().await.changed_since(&seen, &BTreeSet::new()).unwrap();
        assert_eq!(slots.iter().copied().collect::<BTreeSet<_>>(), changed.iter().map(Slot::of).collect());

        let (metered, meter) = store.metered();
        let (mut ids, mut cursor, mut trips) = (Vec::new(), Some(cursor_of_slots(slots.clone())), 0);
        while let Some(from) = cursor {
            let page = metered.accessible_jobs(&tenant(), &manager, 10, Some(&from)).await.unwrap();
            assert!(page.jobs.len() <= 10 && page.state.is_none());
            ids.extend(page.jobs.iter().map(|job| job.master.id.to_string()));
            (cursor, trips) = (page.next_cursor, trips + 1);
        }
        ids.sort();
        let open = |id: &String| slots.contains(&Slot::of(&job_id(id))) && *id != changed[1].as_str();
        assert_eq!(ids, expected(2_000).into_iter().filter(open).collect::<Vec<_>>());
        assert!(ids.contains(&changed[0].to_string()) && trips > 1 && ids.len() < 100, "{trips}: {}", ids.len());
        if table.counts_capacity {
            assert!(meter.read_units() < 80.0, "{}", meter.read_units());
        }
    }

    /// Whatever the sizes of page and portfolio: lanes and their pages have each job behind the first page once, and there are none where a page follows or two.
    async fn the_rest_of_a_long_list_is_there_in_lanes(table) {
        let store = &table.store;
        portfolio(store, 600, 0).await;
        let manager = Access::owner(account_id("manager"));
        for (limit, count) in [(1, 4), (30, 4), (120, 3), (160, 2), (250, 0), (600, 0), (900, 0)] {
            let first = store.accessible_jobs(&tenant(), &manager, limit, None).await.unwrap();
            assert_eq!(first.lanes.len(), count, "{limit}");
            let mut sizes = Vec::new();
            let mut ids: Vec<_> = first.jobs.iter().map(|job| job.master.id.to_string()).collect();
            for lane in &first.lanes {
                let (before, mut cursor) = (ids.len(), Some(lane.clone()));
                while let Some(from) = cursor {
                    let page = store.accessible_jobs(&tenant(), &manager, limit.max(50), Some(&from)).await.unwrap();
                    assert!(page.lanes.is_empty() && page.state.is_none());
                    ids.extend(page.jobs.iter().map(|job| job.master.id.to_string()));
                    cursor = page.next_cursor;
                }
                sizes.push(ids.len() - before);
            }
            if count > 0 {
                ids.sort();
                assert_eq!(ids, expected(600), "{limit}");
                assert!(sizes.iter().max().unwrap() < &(sizes.iter().min().unwrap() * 2), "{limit}: {sizes:?}");
            }
        }
    }

    async fn cursors_of_others_are_refused(table) {
        portfolio(&table.store, 3, 0).await;
        let all: String = (0..Slot::COUNT).filter_map(Slot::new).map(|slot| slot.to_string()).collect();
        let slot = Slot::of(&job_id("job-00001")).to_string();
        let other = if slot == "aa" { "ab" } else { "aa" };
        let (behind, out_of) = (format!("{other}.job-00001"), format!("{other}-{other}.job-00001"));
        let malformed = ["", "x", ".", "aa", "x.job-00001", ".a#b", "aab.job", "ip.", "äa.", "aaaa.", "abaa.", "aa-.", "-aa.", "ab-aa.", "aa-ab-ac."];
        for cursor in malformed.into_iter().chain([&*format!("{all}."), &behind, &out_of]) {
            let refused = table.store.jobs(&tenant(), &account_id("manager"), 1, Some(cursor)).await;
            assert_eq!(refused, Err(StoreError::InvalidCursor), "{cursor}");
        }
        for cursor in ["", "x", "16.", "0", "0.a#b"] {
            assert_eq!(table.store.job_ids(&tenant(), Some(cursor)).await, Err(StoreError::InvalidCursor), "{cursor}");
        }
    }

    async fn belong_to_one_account_of_one_tenant(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        import_job(store, "a2", master("j2", &["t1"])).await;
        assert!(store.job(&tenant(), &account_id("a2"), &job_id("j1")).await.unwrap().is_none());
        assert!(store.job(&other_tenant(), &account_id("a1"), &job_id("j1")).await.unwrap().is_none());
        let page = store.jobs(&tenant(), &account_id("a2"), 500, None).await.unwrap();
        assert_eq!(page.jobs.iter().map(|job| job.master.id.as_str()).collect::<Vec<_>>(), ["j2"]);
        assert!(store.jobs(&other_tenant(), &account_id("a2"), 500, None).await.unwrap().jobs.is_empty());
    }

    async fn one_job_is_one_read(table) {
        import_job(&table.store, "a1", master("j1", &["t1"])).await;
        let (store, meter) = table.store.metered();
        store.job(&tenant(), &account_id("a1"), &job_id("j1")).await.unwrap().unwrap();
        assert_eq!(meter.round_trips(), 1);
        if table.counts_capacity {
            assert_eq!((meter.read_units(), meter.write_units()), (1.0, 0.0));
        }
    }

    async fn are_listed_for_the_operator(table) {
        let store = &table.store;
        portfolio(store, 100, 0).await;
        import_job(store, "a1", master("other", &["t1"])).await;
        assert!(store.close_job(&tenant(), &account_id("manager"), &job_id("job-00042"), noon()).await.unwrap());
        let (mut listed, mut cursor) = (Vec::new(), None);
        loop {
            let page = store.job_ids(&tenant(), cursor.as_deref()).await.unwrap();
            listed.extend(page.jobs);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        listed.sort_by(|a, b| a.job_id.cmp(&b.job_id));
        assert_eq!(listed.len(), 101);
        assert_eq!(listed[100].account_id, account_id("a1"));
        assert_eq!(listed.iter().filter(|job| job.closed).map(|job| job.job_id.as_str()).collect::<Vec<_>>(), ["job-00042"]);
    }

    async fn closed_ones_are_gone_unless_they_are_done(table) {
        let store = &table.store;
        import_job(store, "a1", master("open", &["t1"])).await;
        import_job(store, "a1", master("done", &["t1"])).await;
        let job = stored(store, "a1", "done").await;
        submit(store, &job, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        for id in ["open", "done"] {
            assert!(store.close_job(&tenant(), &account_id("a1"), &job_id(id), noon()).await.unwrap());
            assert!(!store.close_job(&tenant(), &account_id("a1"), &job_id(id), noon()).await.unwrap());
        }
        assert!(!store.close_job(&tenant(), &account_id("a1"), &job_id("never"), noon()).await.unwrap());

        assert!(store.job(&tenant(), &account_id("a1"), &job_id("open")).await.unwrap().is_none());
        let (found, _) = store.job_with_idempotency(&tenant(), &account_id("a1"), &job_id("open"), "k2", noon()).await.unwrap();
        assert!(found.is_none());
        let page = store.jobs(&tenant(), &account_id("a1"), 500, None).await.unwrap();
        assert_eq!(page.jobs.len(), 1);
        assert!(page.jobs[0].closed && page.jobs[0].done);

        // A reading that was checked before the job was closed comes too late.
        import_job(store, "a1", master("late", &["t1"])).await;
        let job = stored(store, "a1", "late").await;
        store.close_job(&tenant(), &account_id("a1"), &job_id("late"), noon()).await.unwrap();
        let late = submit(store, &job, &[reading("t1", "1.000", noon())], record("k3", "r", "")).await;
        assert_eq!(late, store::Submitted::Stale);
    }

    /// Whatever becomes of the job at which the part before ended.
    async fn who_goes_through_the_open_ones_leaves_out_none(table) {
        let store = &table.store;
        let at = |id: &str, zip: &str| {
            let mut job = master(id, &["t1"]);
            job.meter.meter_address.zip = Some(zip.to_owned());
            job
        };
        for (id, zip) in [("j0", "10000"), ("j1", "10001"), ("j2", "10002"), ("j3", "10003")] {
            import_job(store, "a1", at(id, zip)).await;
        }
        let (mut seen, mut place) = (Vec::new(), None);
        for _ in 0..3 {
            let (jobs, next) = store.open_jobs_behind(&tenant(), &OpenJobsFilter::default(), 1, place.as_ref()).await.unwrap();
            place = next;
            seen.extend(jobs.iter().map(|job| job.job_id.to_string()));
            if seen.len() == 1 {
                import_job(store, "a1", at("j0", "90000")).await;
            }
            let is_gone = |item: &&Item| item.contains_key("body") && item["sk"].as_s().unwrap().ends_with("j1");
            if let Some(item) = table.scan().await.iter().find(is_gone).filter(|_| seen.len() == 2) {
                let delete = table.client.delete_item().table_name(&table.name).key("pk", item["pk"].clone());
                delete.key("sk", item["sk"].clone()).send().await.unwrap();
            }
        }
        assert_eq!(seen, ["j0", "j1", "j2"]);
        assert!(store.job_by_id(&tenant(), &job_id("j1")).await.unwrap().is_none());
    }

    async fn listed_again_is_open_again(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        store.close_job(&tenant(), &account_id("a1"), &job_id("j1"), noon()).await.unwrap();
        assert_eq!(import_job(store, "a1", master("j1", &["t1"])).await, JobImported::Updated { renumbered: false, dropped: false });
        assert!(!stored(store, "a1", "j1").await.closed);
        assert!(!store.job_ids(&tenant(), None).await.unwrap().jobs.iter().any(|job| job.closed));
        assert!(store.close_job(&tenant(), &account_id("a1"), &job_id("j1"), noon()).await.unwrap());
    }
}
