use std::time::Duration;

use domain::ids::AccountId;
use domain::network::networks_of;
use futures::future::join_all;
use jiff::SignedDuration;

use crate::on_both;
use crate::support::{noon, other_tenant, tenant};

on_both! {
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
        let count = async |account: &AccountId, address: &str, seconds| {
            let networks = networks_of(address.parse().ok());
            store.count_reading_without_job(&here, account, 2, Some((&networks, 5)), noon() + SignedDuration::from_secs(seconds)).await.unwrap()
        };
        for n in 0..2 {
            assert_eq!((count(&visitor(n), "192.0.2.1", 60).await, count(&visitor(n), "192.0.2.1", 60).await), (None, None));
            assert_eq!(count(&visitor(n), "192.0.2.1", 60).await, Some(3540), "the session has had its readings");
        }
        assert_eq!(count(&visitor(2), "192.0.2.1", 60).await, None);
        assert_eq!(count(&visitor(3), "192.0.2.1", 60).await, Some(3540), "so has the network");
        assert_eq!(count(&visitor(4), "192.0.2.2", 60).await, None);
        assert_eq!(count(&visitor(5), "192.0.2.1", 3600).await, None, "another hour");
        let account = AccountId::new("anna").unwrap();
        assert_eq!(store.count_reading_without_job(&here, &account, 1, None, noon()).await.unwrap(), None);
        assert_eq!(store.count_reading_without_job(&other_tenant(), &account, 1, None, noon()).await.unwrap(), None);
        assert_eq!(store.count_reading_without_job(&here, &account, 1, None, noon()).await.unwrap(), Some(3600));
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
}
