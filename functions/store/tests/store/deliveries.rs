//! What leads a tenant's webhook to its readings.

use std::collections::BTreeSet;

use domain::model::LoginKind;
use jiff::{Timestamp, ToSpan};
use store::{
    Cleared, Clearing, Correction, DeadLetter, Delivery, DeliveryContent, LedgerEntry, NewResult, Receiver, Reopened, Source, Store,
    StoredJob, SubmitResults, Submitted,
};

use crate::on_both;
use crate::support::{import_job, job_id, master, noon, other_tenant, reading, record, stored, submit, tenant};

async fn deliver(store: &Store, job: &StoredJob, results: &[NewResult], key: &str) {
    let (source, idempotency) = (Source::Portal(LoginKind::Credentials), record(key, "r", ""));
    let submission = SubmitResults { job, results, source, account_id: &job.account_id, idempotency, deliver: true };
    assert_eq!(store.submit(&tenant(), submission).await.unwrap(), Submitted::Stored);
}

async fn waiting(store: &Store) -> Vec<Delivery> {
    let mut queue = store.deliveries(&tenant());
    let mut waiting = Vec::new();
    while let Some(delivery) = queue.next().await.unwrap() {
        waiting.push(delivery);
    }
    waiting
}

/// The only one in the ledger.
async fn the_reading(store: &Store) -> LedgerEntry {
    let mut cursor = None;
    loop {
        let mut page = store.results(&tenant(), noon(), noon() + 1.second(), cursor.as_deref()).await.unwrap();
        match page.entries.pop() {
            Some(entry) => return entry,
            None => cursor = Some(page.next_cursor.unwrap()),
        }
    }
}

on_both! {
    async fn a_submission_is_one_item_more(table) {
        let store = &table.store;
        for id in ["j1", "j2"] {
            import_job(store, "a1", master(id, &["t1", "t2"])).await;
        }
        let results = || [reading("t1", "1.000", noon()), reading("t2", "2.000", noon())];
        let before = table.items().await;
        submit(store, &stored(store, "a1", "j1").await, &results(), record("k1", "r", "")).await;
        let silent = table.items().await;
        deliver(store, &stored(store, "a1", "j2").await, &results(), "k2").await;
        assert_eq!(table.items().await - silent, silent - before + 1);
        let waiting = waiting(store).await;
        let [one] = &waiting[..] else { panic!("{waiting:?}") };
        assert_eq!((one.job(), one.created(), one.attempts), (&job_id("j2"), Some(noon()), 0));
        assert!(one.is_due(noon()) && one.id(&tenant()).len() == 36 && one.id(&tenant()) != one.id(&other_tenant()));
        let contents = store.delivery_contents(&tenant(), &waiting, noon()).await.unwrap();
        let [DeliveryContent::OfJob { readings, job: Some(job) }] = &contents[..] else { panic!("{contents:?}") };
        let values: Vec<_> = readings.iter().map(|told| told.reading.entry.reading_value.as_str()).collect();
        assert_eq!((values, &job.master.id), (vec!["1.000", "2.000"], &job_id("j2")));
        assert_eq!(store.delivery_contents(&other_tenant(), &waiting, noon()).await.unwrap(), [DeliveryContent::Gone]);
    }

    async fn the_largest_submission_fits_with_it(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let many: Vec<_> = (0..94).map(|_| reading("t1", "1.000", noon())).collect();
        deliver(store, &stored(store, "a1", "j1").await, &many, "k").await;
        let contents = store.delivery_contents(&tenant(), &waiting(store).await, noon()).await.unwrap();
        assert!(matches!(&contents[..], [DeliveryContent::OfJob { readings, .. }] if readings.len() == 94));
    }

    async fn the_oldest_comes_first_over_all_pages_and_shards(table) {
        let store = &table.store;
        for n in 0..8 {
            import_job(store, "a1", master(&format!("j{n}"), &["t1"])).await;
        }
        for n in 0..120 {
            let job = stored(store, "a1", &format!("j{}", n * 7 % 8)).await;
            deliver(store, &job, &[reading("t1", "1.000", noon() + n.seconds())], &format!("k{n}")).await;
        }
        let all = waiting(store).await;
        let times: Vec<_> = all.iter().map(|delivery| delivery.created().unwrap()).collect();
        assert_eq!(times, (0..120).map(|n| noon() + n.seconds()).collect::<Vec<_>>());
        assert_eq!(all.iter().map(|delivery| delivery.id(&tenant())).collect::<BTreeSet<_>>().len(), 120);

        // What waits for its time is passed over.
        let mut late = all[0].clone();
        (late.attempts, late.failing_since, late.not_before) = (3, Some(noon()), Some(noon() + 1.hour()));
        store.delay_delivery(&tenant(), &late, &[]).await.unwrap();
        store.end_delivery(&tenant(), &all[1]).await.unwrap();
        let due = store.deliveries(&tenant()).due(2, noon() + 30.minutes()).await.unwrap();
        assert_eq!(due, all[2..4]);
        assert_eq!(store.deliveries(&tenant()).due(1, noon() + 1.hour()).await.unwrap(), [late.clone()]);
        assert_eq!(store.deliveries(&tenant()).least_tried(noon() + 1.hour()).await.unwrap(), Some(all[2].clone()));
        store.hurry_delivery(&tenant(), &late).await.unwrap();
        assert_eq!(store.deliveries(&tenant()).due(1, noon()).await.unwrap().remove(0).attempts, 3);
        // What has ended meanwhile does not come back.
        store.delay_delivery(&tenant(), &all[1], &[]).await.unwrap();
        store.hurry_delivery(&tenant(), &all[1]).await.unwrap();
        store.give_up_delivery(&tenant(), &DeadLetter { delivery: all[1].clone(), given_up_at: noon(), cause: "x".into() }).await.unwrap();
        assert_eq!((waiting(store).await.len(), store.has_dead_letters(&tenant()).await.unwrap()), (119, false));
    }

    async fn what_is_dead_comes_back_as_new(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        for n in 0..50 {
            deliver(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", noon() + n.seconds())], &format!("k{n}")).await;
        }
        let all = waiting(store).await;
        for delivery in &all {
            let mut delivery = delivery.clone();
            (delivery.attempts, delivery.failing_since) = (9, Some(noon()));
            store.give_up_delivery(&tenant(), &DeadLetter { delivery, given_up_at: noon(), cause: "it answers with status 500".into() }).await.unwrap();
        }
        assert!(waiting(store).await.is_empty() && store.has_dead_letters(&tenant()).await.unwrap());
        let dead = store.dead_letters(&tenant()).await.unwrap();
        assert_eq!((dead.len(), dead[0].delivery.attempts, dead[0].cause.as_str()), (50, 9, "it answers with status 500"));
        assert!(store.dead_letters(&other_tenant()).await.unwrap().is_empty());
        store.discard_dead_letter(&tenant(), &dead[49]).await.unwrap();
        for (n, dead) in dead.iter().enumerate() {
            assert_eq!(store.revive_dead_letter(&tenant(), dead).await.unwrap(), n < 49, "what was discarded stays so");
        }
        assert!(!store.revive_dead_letter(&tenant(), &dead[0]).await.unwrap(), "it is among those that wait already");
        assert_eq!((waiting(store).await, store.has_dead_letters(&tenant()).await.unwrap()), (all[..49].to_vec(), false));
    }

    async fn a_decision_is_told_with_its_reading_and_only_as_it_stands(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        deliver(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", noon())], "k1").await;
        let received = waiting(store).await.remove(0);
        let entry = the_reading(store).await;
        let decide = async |released: bool, at: Timestamp, deliver: bool| {
            let clearing = Clearing { released, reason: (!released).then(|| "unreadable".to_owned()), at, by: None, exchange: None, named_before: false, corrected_by: None, member: None, proposed_by: None, assigned: None };
            testing::decide(store, &tenant(), &entry, &clearing, deliver).await
        };
        assert!(decide(true, noon() + 1.hour(), false).await);
        assert_eq!(waiting(store).await, std::slice::from_ref(&received), "nobody is told");
        assert!(decide(false, noon() + 2.hours(), true).await);
        let rejected = waiting(store).await.remove(1);
        assert_eq!((rejected.job(), rejected.created(), rejected.is_clearing()), (&job_id("j1"), Some(noon() + 2.hours()), true));
        assert!(!received.is_clearing() && rejected.id(&tenant()) != received.id(&tenant()));
        store.give_up_delivery(&tenant(), &DeadLetter { delivery: rejected.clone(), given_up_at: noon(), cause: "x".into() }).await.unwrap();
        assert!(store.revive_dead_letter(&tenant(), &store.dead_letters(&tenant()).await.unwrap()[0]).await.unwrap());
        assert_eq!(waiting(store).await, [received.clone(), rejected]);
        assert!(decide(true, noon() + 3.hours(), true).await);
        let waiting_now = waiting(store).await;
        let times: Vec<_> = waiting_now.iter().map(Delivery::created).collect();
        assert_eq!(times, [Some(noon()), Some(noon() + 3.hours())], "the other decision does not hold any more");
        let contents = store.delivery_contents(&tenant(), &waiting_now, noon()).await.unwrap();
        let told = |content: &DeliveryContent| match content {
            DeliveryContent::OfJob { readings, .. } => readings[0].reading.clearing.as_ref().map(|clearing| clearing.released),
            DeliveryContent::WithoutJob(_) | DeliveryContent::Export(_) | DeliveryContent::Gone | DeliveryContent::Later => None,
        };
        assert_eq!(contents.iter().map(told).collect::<Vec<_>>(), [Some(true), Some(true)], "one reading, in one read");

        // What went out is decided about as before, and each destination hears of it.
        assert!(decide(false, noon() + 4.hours(), true).await);
        let times: Vec<_> = waiting(store).await.iter().map(Delivery::created).collect();
        assert_eq!(times, [Some(noon()), Some(noon() + 4.hours())]);
    }

    async fn what_is_taken_back_is_told_to_a_receiver_that_may_have_heard_of_it(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        deliver(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", noon())], "k1").await;
        let entry = the_reading(store).await;
        let told = async |delivery: &Delivery, at: Timestamp| {
            match store.delivery_contents(&tenant(), std::slice::from_ref(delivery), at).await.unwrap().remove(0) {
                DeliveryContent::OfJob { readings, .. } => readings,
                other => panic!("{other:?}"),
            }
        };
        let take = async |delivery: &Delivery, at: Timestamp| store.delivery_taken(&tenant(), delivery, &told(delivery, at).await).await.unwrap();
        let reject = async |at: Timestamp| {
            let reason = Some("unreadable".to_owned());
            let clearing = Clearing { released: false, reason, at, by: None, exchange: None, named_before: false, corrected_by: None, member: None, proposed_by: None, assigned: None };
            assert!(testing::decide(store, &tenant(), &entry, &clearing, true).await);
            waiting(store).await.remove(0)
        };
        let undo = async |at: Timestamp| {
            assert!(matches!(store.undo_decision(&tenant(), &entry, None, at).await.unwrap(), Reopened::Undone(_)));
        };
        take(&waiting(store).await.remove(0), noon()).await;

        // Nobody has tried yet.
        reject(noon() + 1.hour()).await;
        undo(noon() + 90.minutes()).await;
        assert_eq!(waiting(store).await, []);

        // The answer to the first attempt did not come: the receiver may have the message, and would pass over its id.
        let mut tried = reject(noon() + 2.hours()).await;
        tried.attempts = 1;
        store.delay_delivery(&tenant(), &tried, &told(&tried, noon() + 2.hours()).await).await.unwrap();
        undo(noon() + 150.minutes()).await;
        let after = waiting(store).await;
        let [after] = &after[..] else { panic!("{after:?}") };
        assert_eq!((after.created(), after.attempts, after.is_clearing()), (Some(noon() + 150.minutes()), 0, true));
        assert_eq!(told(after, noon()).await[0].reading.clearing, None);
        assert_ne!(after.id(&tenant()), tried.id(&tenant()));
        take(after, noon() + 3.hours()).await;
        assert_eq!(waiting(store).await, []);

        // It was on its way, and came.
        let on_its_way = reject(noon() + 4.hours()).await;
        let said = told(&on_its_way, noon() + 5.hours()).await;
        undo(noon() + 5.hours()).await;
        assert_eq!(waiting(store).await, []);
        store.delivery_taken(&tenant(), &on_its_way, &said).await.unwrap();
        let after = waiting(store).await.remove(0);
        assert_eq!((after.is_clearing(), &told(&after, noon()).await[0].reading.clearing), (true, &None));
        take(&after, noon() + 6.hours()).await;
        assert_eq!(waiting(store).await, []);

        // It was on its way for the first time, and nobody knows whether it came.
        let mut on_its_way = reject(noon() + 7.hours()).await;
        let said = told(&on_its_way, noon() + 8.hours()).await;
        undo(noon() + 8.hours()).await;
        on_its_way.attempts = 1;
        store.delay_delivery(&tenant(), &on_its_way, &said).await.unwrap();
        let after = waiting(store).await.remove(0);
        assert_eq!((after.is_clearing(), &told(&after, noon()).await[0].reading.clearing), (true, &None));
        assert_ne!(after.id(&tenant()), on_its_way.id(&tenant()));
        take(&after, noon() + 9.hours()).await;

        // It was given up, and whether it came nobody knows either.
        let mut given_up = reject(noon() + 10.hours()).await;
        given_up.attempts = 9;
        store.give_up_delivery(&tenant(), &DeadLetter { delivery: given_up.clone(), given_up_at: noon(), cause: "x".into() }).await.unwrap();
        undo(noon() + 11.hours()).await;
        let after = waiting(store).await;
        let [after] = &after[..] else { panic!("{after:?}") };
        assert_eq!((after.is_clearing(), &told(after, noon()).await[0].reading.clearing), (true, &None));
        assert_ne!(after.id(&tenant()), given_up.id(&tenant()));
        assert!(!store.has_dead_letters(&tenant()).await.unwrap(), "nobody brings it back");
    }

    async fn a_correction_that_was_tried_is_taken_back_by_messages_of_their_own(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        deliver(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", noon())], "k1").await;
        store.end_delivery(&tenant(), &waiting(store).await.remove(0)).await.unwrap();
        let entry = the_reading(store).await;
        let corrected = LedgerEntry { result_id: "corrected".into(), created: noon() + 1.hour(), ..entry.clone() };
        let clearing = Clearing {
            released: false,
            reason: None,
            at: noon() + 1.hour(),
            by: None,
            exchange: None,
            named_before: false,
            corrected_by: Some("corrected".into()),
            member: None,
            proposed_by: None,
            assigned: None,
        };
        let seen = store.clearing_version(&tenant(), &entry).await.unwrap().unwrap();
        let correction = Correction { entry: &entry, clearing: &clearing, corrected: &corrected };
        assert_eq!(store.note_correction(&tenant(), correction, &seen, true).await.unwrap(), Cleared::Noted);
        let tried = waiting(store).await;
        for mut delivery in tried.clone() {
            delivery.attempts = 1;
            store.delay_delivery(&tenant(), &delivery, &[]).await.unwrap();
        }
        assert!(matches!(store.undo_decision(&tenant(), &entry, None, noon() + 2.hours()).await.unwrap(), Reopened::Undone(_)));
        let after = waiting(store).await;
        let mut released = Vec::new();
        for content in store.delivery_contents(&tenant(), &after, noon() + 2.hours()).await.unwrap() {
            let DeliveryContent::OfJob { readings, .. } = content else { panic!("{content:?}") };
            released.extend(readings.iter().map(|told| told.reading.clearing.as_ref().map(|clearing| clearing.released)));
        }
        released.sort();
        assert_eq!(released, [None, Some(false)], "the one stands again, and the other does not count");
        let ids = |deliveries: &[Delivery]| deliveries.iter().map(|delivery| delivery.id(&tenant())).collect::<BTreeSet<_>>();
        assert!(tried.len() == 2 && ids(&tried).is_disjoint(&ids(&after)), "{after:?}");
    }

    async fn a_receiver_belongs_to_one_run_at_a_time(table) {
        let (store, t) = (&table.store, &tenant());
        assert_eq!(store.receiver(t).await.unwrap(), Receiver::default());
        assert!(store.lease_receiver(t, "one", noon(), noon() + 90.seconds()).await.unwrap());
        assert!(!store.lease_receiver(t, "two", noon() + 89.seconds(), noon() + 2.hours()).await.unwrap());
        assert!(store.lease_receiver(&other_tenant(), "two", noon(), noon() + 90.seconds()).await.unwrap());
        let found = Receiver {
            failures: 2,
            failing_since: Some(noon()),
            retry_at: Some(noon() + 1.minute()),
            gone: Some("https://gone.example".into()),
            last_error: Some("the connection broke".into()),
            last_error_at: Some(noon()),
            last_delivery: Some(noon()),
            leased_until: None,
        };
        // A run whose time is over, and whose place another one has taken, changes nothing.
        assert!(store.lease_receiver(t, "two", noon() + 90.seconds(), noon() + 3.minutes()).await.unwrap());
        store.release_receiver(t, "one", &found).await.unwrap();
        let kept = store.receiver(t).await.unwrap();
        assert_eq!((kept.failures, kept.leased_until), (0, Some(noon() + 3.minutes())));
        store.release_receiver(t, "two", &found).await.unwrap();
        assert_eq!(store.receiver(t).await.unwrap(), found);
        store.reset_receiver(t).await.unwrap();
        let reset = Receiver { failures: 0, failing_since: None, retry_at: None, gone: None, ..found };
        assert_eq!(store.receiver(t).await.unwrap(), reset);
        assert!(store.lease_receiver(t, "three", noon(), noon() + 90.seconds()).await.unwrap());
        store.release_receiver(t, "three", &Receiver::default()).await.unwrap();
        assert_eq!(store.receiver(t).await.unwrap(), Receiver::default());
    }
}
