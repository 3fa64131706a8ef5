use domain::network::{Network, networks_of};
use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use store::{Admission, Attempt, Ended, Store};

use crate::on_both;
use crate::support::{Table, noon, other_tenant, tenant};

fn from(address: &str) -> Vec<Network> {
    networks_of(Some(address.parse().unwrap()))
}

/// An address of its own for each number.
fn stranger(n: u32) -> String {
    format!("198.51.{}.{}", n / 256, n % 256)
}

fn later(seconds: i64) -> Timestamp {
    noon() + SignedDuration::from_secs(seconds)
}

/// The attempt, or the seconds that it has to wait.
async fn begin(store: &Store, name: &str, address: &str, now: Timestamp) -> Result<Box<Attempt>, u64> {
    match store.begin_login(&tenant(), name, &from(address), now).await.unwrap() {
        Admission::Allowed { attempt, .. } => Ok(attempt),
        Admission::Blocked { retry_after_seconds } => Err(retry_after_seconds),
    }
}

fn told(ended: Ended) -> Result<(), u64> {
    match ended {
        Ended::Counted => Ok(()),
        Ended::Blocked { retry_after_seconds } => Err(retry_after_seconds),
    }
}

async fn fail(store: &Store, name: &str, address: &str, now: Timestamp) -> Result<(), u64> {
    let attempt = begin(store, name, address, now).await?;
    told(store.login_failed(&tenant(), attempt, now).await.unwrap())
}

async fn succeed(store: &Store, name: &str, address: &str, now: Timestamp) -> Result<(), u64> {
    let attempt = begin(store, name, address, now).await?;
    told(store.login_succeeded(attempt, now).await.unwrap())
}

on_both! {
    async fn ten_failures_of_a_name_from_a_network_block_that_network_only(table) {
        let store = &table.store;
        for n in 0..10 {
            fail(store, "n", "192.0.2.1", later(n)).await.unwrap();
        }
        assert_eq!(fail(store, "n", "192.0.2.1", later(60)).await, Err(14 * 60));
        succeed(store, "m", "192.0.2.1", later(60)).await.unwrap();
        succeed(store, "n", "192.0.2.2", later(60)).await.unwrap();
        assert_eq!(fail(store, "n", "192.0.2.1", later(61)).await, Err(14 * 60 - 1), "another network's success forgets nothing");
        assert!(matches!(store.begin_login(&other_tenant(), "n", &from("192.0.2.1"), later(60)).await.unwrap(), Admission::Allowed { .. }));
        succeed(store, "n", "192.0.2.1", later(15 * 60)).await.unwrap();
    }

    async fn a_success_forgets_the_failures_of_its_network(table) {
        let store = &table.store;
        for _ in 0..9 {
            fail(store, "n", "192.0.2.1", noon()).await.unwrap();
        }
        succeed(store, "n", "192.0.2.1", noon()).await.unwrap();
        for _ in 0..10 {
            fail(store, "n", "192.0.2.1", noon()).await.unwrap();
        }
    }

    /// Each from a network of its own, as often as they are let: once a second at first, then ever more seldom.
    async fn about_a_hundred_strangers_may_guess_at_a_name(table) {
        let store = &table.store;
        let (mut tried, mut longest) = (0, 0);
        for second in 0..15 * 60 {
            match fail(store, "n", &stranger(tried), later(second)).await {
                Ok(()) => tried += 1,
                Err(wait) => longest = longest.max(wait),
            }
        }
        assert!((90..=110).contains(&tried), "{tried}");
        assert!((60..=300).contains(&longest), "a stranger waits {longest} s");
    }

    async fn a_network_that_lately_logged_in_with_the_name_is_let_through(table) {
        let store = &table.store;
        let month = SignedDuration::from_hours(30 * 24);
        succeed(store, "n", "192.0.2.7", noon() - month + SignedDuration::from_secs(60)).await.unwrap();
        succeed(store, "n", "2001:db8:1:201::1", noon()).await.unwrap();
        for n in 0..80 {
            let now = later(n64(n) * 10);
            let _ = fail(store, "n", &stranger(n), now).await;
        }
        let now = later(11);
        for n in 80..90 {
            let _ = fail(store, "n", &stranger(n), now).await;
        }
        assert!(begin(store, "n", "192.0.2.8", now).await.is_err(), "a network that nobody knows");
        succeed(store, "n", "192.0.2.7", now).await.unwrap();
        succeed(store, "n", "2001:db8:1:2ff::2", now).await.unwrap();
        assert!(begin(store, "n", "2001:db8:1:300::2", now).await.is_err(), "another line's /56");
        for _ in 0..10 {
            fail(store, "n", "192.0.2.7", now).await.unwrap();
        }
        assert!(begin(store, "n", "192.0.2.7", now).await.is_err(), "ten failures block it too");
    }

    async fn a_network_is_known_for_a_month(table) {
        let store = &table.store;
        succeed(store, "n", "192.0.2.7", noon()).await.unwrap();
        let now = noon() + SignedDuration::from_hours(30 * 24);
        for n in 0..70 {
            let _ = fail(store, "n", &stranger(n), now).await;
        }
        assert!(begin(store, "n", "192.0.2.7", now).await.is_err());
    }

    /// The ninth makes the first one unknown, so that the item stays small.
    async fn eight_networks_are_known_for_a_name(table) {
        let store = &table.store;
        for n in 0..9 {
            succeed(store, "n", &format!("192.0.2.{n}"), later(n)).await.unwrap();
        }
        for n in 0..70 {
            let _ = fail(store, "n", &stranger(n), later(60)).await;
        }
        assert!(begin(store, "n", "192.0.2.0", later(60)).await.is_err());
        succeed(store, "n", "192.0.2.1", later(60)).await.unwrap();
    }

    async fn a_hundred_failures_of_a_network_block_it_whatever_the_names(table) {
        let store = &table.store;
        for n in 0..100 {
            succeed(store, "good", "192.0.2.1", noon()).await.unwrap();
            fail(store, &format!("n{n}"), "192.0.2.1", noon()).await.unwrap();
        }
        assert_eq!(begin(store, "good", "192.0.2.1", later(1)).await, Err(15 * 60 - 1));
        succeed(store, "good", "192.0.2.2", noon()).await.unwrap();
        succeed(store, "good", "192.0.2.1", later(15 * 60)).await.unwrap();
    }

    async fn what_is_refused_writes_nothing_and_prolongs_nothing(table) {
        let store = &table.store;
        for _ in 0..10 {
            fail(store, "n", "192.0.2.1", noon()).await.unwrap();
        }
        let (metered, meter) = store.metered();
        for minute in 1..15 {
            begin(&metered, "n", "192.0.2.1", later(60 * minute)).await.unwrap_err();
        }
        assert_eq!((meter.round_trips(), meter.write_units()), (14, 0.0));
        for n in 0..90 {
            fail(store, &format!("n{n}"), "192.0.2.1", later(60)).await.unwrap();
        }
        succeed(store, "n", "192.0.2.1", later(15 * 60)).await.unwrap();
    }

    async fn of_fifty_parallel_guesses_ten_are_answered(table) {
        let guesses = (0..50).map(|_| fail(&table.store, "n", "192.0.2.1", noon()));
        let answers = join_all(guesses).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 10);
    }

    /// Whoever sends many guesses at the same time does not learn that one of them was right, either.
    async fn a_right_guess_among_too_many_is_not_told(table) {
        let store = &table.store;
        let right = begin(store, "n", "192.0.2.1", noon()).await.unwrap();
        for _ in 0..10 {
            fail(store, "n", "192.0.2.1", noon()).await.unwrap();
        }
        assert_eq!(told(store.login_succeeded(right, noon()).await.unwrap()), Err(15 * 60));
        assert_eq!(begin(store, "n", "192.0.2.1", noon()).await, Err(15 * 60), "nothing was forgotten");
    }

    async fn of_strangers_at_the_same_time_one_is_answered_once_they_wait_for_one_another(table) {
        let store = &table.store;
        for n in 0..60 {
            fail(store, "n", &stranger(n), noon()).await.unwrap();
        }
        let mut attempts = Vec::new();
        for n in 60..70 {
            attempts.push(begin(store, "n", &stranger(n), later(1)).await.unwrap());
        }
        let right = begin(store, "n", &stranger(70), later(1)).await.unwrap();
        let here = tenant();
        let answers = join_all(attempts.into_iter().map(|attempt| store.login_failed(&here, attempt, later(1)))).await;
        assert_eq!(answers.into_iter().filter(|ended| *ended == Ok(Ended::Counted)).count(), 1);
        assert_eq!(told(store.login_succeeded(right, later(1)).await.unwrap()), Err(1));
    }

    async fn an_attempt_that_nobody_ended_is_not_counted(table) {
        let store = &table.store;
        for _ in 0..20 {
            begin(store, "n", "192.0.2.1", noon()).await.unwrap();
        }
    }

    async fn a_guess_at_the_border_of_a_quarter_counts_in_the_next(table) {
        let store = &table.store;
        for _ in 0..9 {
            fail(store, "n", "192.0.2.1", later(15 * 60 - 1)).await.unwrap();
        }
        let late = begin(store, "n", "192.0.2.1", later(15 * 60 - 1)).await.unwrap();
        fail(store, "n", "192.0.2.2", later(15 * 60)).await.unwrap();
        told(store.login_failed(&tenant(), late, later(15 * 60)).await.unwrap()).unwrap();
        for _ in 0..9 {
            fail(store, "n", "192.0.2.1", later(15 * 60)).await.unwrap();
        }
        assert!(begin(store, "n", "192.0.2.1", later(15 * 60)).await.is_err());
    }

    async fn so_many_sessions_of_visitors_from_a_network(table) {
        let store = &table.store;
        let visit = async |address: &str| store.count_visitor_session(&tenant(), &from(address), noon()).await.unwrap();
        for _ in 0..100 {
            assert_eq!(visit("192.0.2.1").await, None);
        }
        assert_eq!(visit("192.0.2.1").await, Some(15 * 60));
        assert_eq!(visit("192.0.2.2").await, None);
        for n in 0..400 {
            assert_eq!(visit(&format!("2001:db8:1:2{:02x}::1", n % 200)).await, None, "{n}");
        }
        assert_eq!(visit("2001:db8:1:2ff::1").await, Some(15 * 60), "the /56 has had four times as many");
        assert_eq!(visit("2001:db8:1:300::1").await, None);
    }

    async fn what_one_line_is_refused_counts_for_none_beside_it(table) {
        let store = &table.store;
        let visit = async |address: &str| store.count_visitor_session(&tenant(), &from(address), noon()).await.unwrap();
        for n in 0..1700 {
            assert_eq!(visit("2001:db8:1:200::1").await, (n >= 100).then_some(15 * 60), "{n}");
        }
        assert_eq!(visit("2001:db8:1:201::1").await, None, "the same /56");
        assert_eq!(visit("2001:db8:1:300::1").await, None, "the same /48");
    }

    async fn so_many_errors_of_browsers_from_a_network(table) {
        let store = &table.store;
        let tell = async |address: &str, now| store.count_browser_error(&tenant(), &from(address), now).await.unwrap();
        for _ in 0..30 {
            assert_eq!(tell("192.0.2.1", noon()).await, None);
        }
        assert_eq!(tell("192.0.2.1", noon()).await, Some(15 * 60));
        assert_eq!(tell("192.0.2.2", noon()).await, None);
        assert_eq!(tell("192.0.2.1", later(15 * 60)).await, None);
    }
}

/// Whoever has a /48 has 65,536 times a /64.
#[tokio::test]
async fn ipv6_is_counted_at_three_widths() {
    let table = Table::dynoxide().await;
    let store = &table.store;
    // Of each /64 less than it may have.
    let fail_often = async |address: &str| {
        let names: Vec<_> = (0..80).map(|n| format!("{address} {n}")).collect();
        join_all(names.iter().map(|name| fail(store, name, address, noon()))).await.into_iter().collect::<Result<(), u64>>()
    };
    for n in 0..5 {
        fail_often(&format!("2001:db8:1:2{n:02x}::1")).await.unwrap();
    }
    assert_eq!(begin(store, "m", "2001:db8:1:2ff::1", noon()).await, Err(15 * 60), "400 of the /56");
    for n in 0..15 {
        fail_often(&format!("2001:db8:1:{n:x}300::1")).await.unwrap();
    }
    assert_eq!(begin(store, "m", "2001:db8:1:ffff::1", noon()).await, Err(15 * 60), "1600 of the /48");
    begin(store, "m", "2001:db8:2::1", noon()).await.unwrap();
}

#[tokio::test]
async fn links_are_counted_apart_from_passwords() {
    let table = Table::dynoxide().await;
    let (store, house) = (&table.store, from("192.0.2.1"));
    let here = tenant();
    let first = join_all((0..1000).map(|_| store.link_failed(&here, &house, noon()))).await;
    assert!(first.into_iter().all(|wait| wait.unwrap().is_none()));
    let (metered, meter) = store.metered();
    assert_eq!(metered.link_failed(&tenant(), &house, later(1)).await.unwrap(), Some(15 * 60 - 1));
    assert_eq!((meter.round_trips(), meter.write_units()), (1, 0.0));
    succeed(store, "n", "192.0.2.1", noon()).await.unwrap();
    assert_eq!(store.link_failed(&tenant(), &from("192.0.2.2"), noon()).await.unwrap(), None);
    assert_eq!(store.link_failed(&tenant(), &house, later(15 * 60)).await.unwrap(), None);
}

fn n64(n: u32) -> i64 {
    n.into()
}
