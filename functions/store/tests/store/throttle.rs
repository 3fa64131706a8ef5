use std::time::Duration;

use domain::ids::AccountId;
use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use store::{Attempt, Store, Throttle};

use crate::on_both;
use crate::support::{noon, other_tenant, tenant};

async fn attempt(store: &Store, name: Option<&str>, address: &str, now: Timestamp) -> Throttle {
    store.login_attempts(&tenant(), name, address, now).await.unwrap()
}

async fn allowed(store: &Store, name: Option<&str>, address: &str, now: Timestamp) -> Attempt {
    match attempt(store, name, address, now).await {
        Throttle::Allowed(attempt) => attempt,
        blocked => panic!("{blocked:?}"),
    }
}

on_both! {
    async fn ten_failures_of_a_name_block_it_until_the_first_is_15_minutes_old(table) {
        let store = &table.store;
        let later = |seconds| noon() + SignedDuration::from_secs(seconds);
        for n in 0..10 {
            allowed(store, Some("n"), &format!("a{n}"), later(n)).await;
        }
        assert_eq!(attempt(store, Some("n"), "a", later(60)).await, Throttle::Blocked { retry_after_seconds: 15 * 60 - 60 + 1 });
        allowed(store, Some("m"), "a", later(60)).await;
        assert!(matches!(store.login_attempts(&other_tenant(), Some("n"), "a", later(60)).await.unwrap(), Throttle::Allowed(_)));

        // One place is free again, and then the next failure blocks until the second one is old.
        allowed(store, Some("n"), "a", later(15 * 60)).await;
        assert_eq!(attempt(store, Some("n"), "a", later(15 * 60)).await, Throttle::Blocked { retry_after_seconds: 2 });
    }

    async fn so_many_uploads_an_hour_and_no_more(table) {
        let (store, anna, bert) = (&table.store, AccountId::new("anna").unwrap(), AccountId::new("bert").unwrap());
        let at = |seconds| noon() + SignedDuration::from_secs(seconds);
        let here = tenant();
        let counts = join_all((0..8).map(|_| store.count_uploads(&here, &anna, 1, 5, at(60)))).await;
        let refused: Vec<_> = counts.into_iter().filter_map(Result::unwrap).collect();
        assert_eq!(refused, [3540; 3]);
        for (tenant, account, seconds) in [(tenant(), &bert, 60), (other_tenant(), &anna, 60), (tenant(), &anna, 3600)] {
            assert_eq!(store.count_uploads(&tenant, account, 1, 5, at(seconds)).await.unwrap(), None);
        }
    }

    async fn so_many_readings_an_hour_of_a_sender_and_of_a_network(table) {
        let (store, here) = (&table.store, tenant());
        let visitor = |n: u32| AccountId::new(format!("visitor~{n}")).unwrap();
        let count = async |account: &AccountId, network: &'static str, seconds| {
            store.count_reading_without_job(&here, account, 2, Some((network, 5)), noon() + SignedDuration::from_secs(seconds)).await.unwrap()
        };
        for n in 0..2 {
            assert_eq!((count(&visitor(n), "home", 60).await, count(&visitor(n), "home", 60).await), (None, None));
            assert_eq!(count(&visitor(n), "home", 60).await, Some(3540), "the session has had its readings");
        }
        assert_eq!(count(&visitor(2), "home", 60).await, None);
        assert_eq!(count(&visitor(3), "home", 60).await, Some(3540), "so has the network");
        assert_eq!(count(&visitor(4), "office", 60).await, None);
        assert_eq!(count(&visitor(5), "home", 3600).await, None, "another hour");
        let account = AccountId::new("anna").unwrap();
        assert_eq!(store.count_reading_without_job(&here, &account, 1, None, noon()).await.unwrap(), None);
        assert_eq!(store.count_reading_without_job(&other_tenant(), &account, 1, None, noon()).await.unwrap(), None);
        assert_eq!(store.count_reading_without_job(&here, &account, 1, None, noon()).await.unwrap(), Some(3600));
    }

    async fn refused_attempts_do_not_prolong_the_block(table) {
        let store = &table.store;
        for _ in 0..10 {
            allowed(store, Some("n"), "a", noon()).await;
        }
        for minute in 1..15 {
            let now = noon() + SignedDuration::from_mins(minute);
            assert!(matches!(attempt(store, Some("n"), "a", now).await, Throttle::Blocked { .. }));
        }
        for _ in 0..10 {
            allowed(store, Some("n"), "a", noon() + SignedDuration::from_mins(15)).await;
        }
    }

    async fn a_success_forgets_the_failures_of_the_name(table) {
        let store = &table.store;
        for _ in 0..9 {
            allowed(store, Some("n"), "a", noon()).await;
        }
        let last = allowed(store, Some("n"), "a", noon()).await;
        store.login_succeeded(&tenant(), &last).await.unwrap();
        for _ in 0..10 {
            allowed(store, Some("n"), "a", noon()).await;
        }
    }

    /// An office behind one address logs in as often as it likes.
    async fn successes_do_not_count_against_the_address(table) {
        let store = &table.store;
        for n in 0..99 {
            allowed(store, Some(&format!("n{n}")), "office", noon()).await;
        }
        for _ in 0..3 {
            let attempt = allowed(store, Some("good"), "office", noon()).await;
            store.login_succeeded(&tenant(), &attempt).await.unwrap();
        }
        allowed(store, None, "office", noon()).await;
        assert!(matches!(attempt(store, None, "office", noon()).await, Throttle::Blocked { retry_after_seconds: 901 }));
        assert!(matches!(attempt(store, Some("good"), "office", noon()).await, Throttle::Blocked { .. }));
        // The refusal by address cost the name nothing.
        for _ in 0..10 {
            allowed(store, Some("good"), "home", noon()).await;
        }
    }

    /// Whoever hammers one blocked name does not lock out everybody else at the same address.
    async fn refusals_by_name_do_not_count_against_the_address(table) {
        let store = &table.store;
        for _ in 0..10 {
            allowed(store, Some("n"), "office", noon()).await;
        }
        for _ in 0..95 {
            assert!(matches!(attempt(store, Some("n"), "office", noon()).await, Throttle::Blocked { .. }));
        }
        for _ in 0..90 {
            allowed(store, None, "office", noon()).await;
        }
        assert!(matches!(attempt(store, None, "office", noon()).await, Throttle::Blocked { .. }));
    }

    /// All tenants share what the mail service takes.
    async fn reminders_are_counted_by_the_second(table) {
        let store = &table.store;
        let at = noon() + SignedDuration::from_millis(250);
        let turns = join_all((0..5).map(|_| store.count_reminder(3, at))).await;
        let refused: Vec<_> = turns.into_iter().filter_map(Result::unwrap).collect();
        assert_eq!(refused, [Duration::from_millis(750); 2]);
        assert_eq!(store.count_reminder(3, noon() + SignedDuration::from_secs(1)).await.unwrap(), None);
    }

    async fn of_fifty_parallel_guesses_ten_are_verified(table) {
        let guesses = (0..50).map(|_| attempt(&table.store, Some("n"), "a", noon()));
        let answers = join_all(guesses).await;
        assert_eq!(answers.iter().filter(|answer| matches!(answer, Throttle::Allowed(_))).count(), 10);
    }
}
