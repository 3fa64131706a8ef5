use domain::clearing::Doubt;
use domain::finding::FindingCode;
use jiff::{Timestamp, ToSpan};
use store::{Store, WaitingFilter};

use crate::on_both;
use crate::support::{account, account_id, import_job, line, master, noon, other_tenant, reading, record, stored, submit, tenant};

/// Sends a reading whose reader confirmed that it is high.
async fn high(store: &Store, job: &str, task: &str, created: Timestamp) {
    let mut new = reading(task, "9.000", created);
    new.confirmed = vec![FindingCode::ExpectedHigh];
    submit(store, &stored(store, "a1", job).await, &[new], record(&format!("{job}{created}"), "r", "")).await;
}

on_both! {
    /// Whatever else there is: what is read is what the list shows.
    async fn a_list_its_number_and_the_next_one_are_a_query_each(table) {
        let store = &table.store;
        for n in 0..12 {
            import_job(store, "a1", master(&format!("j{n:02}"), &["t1"])).await;
            if n % 2 == 0 {
                high(store, &format!("j{n:02}"), "t1", noon() + n.minutes()).await;
            } else {
                submit(store, &stored(store, "a1", &format!("j{n:02}")).await, &[reading("t1", "1.000", noon())], record(&format!("{n}"), "r", "")).await;
            }
        }
        let (metered, meter) = store.metered();
        let (tenant, all) = (tenant(), WaitingFilter::default());
        let page = metered.waiting(&tenant, &all, 4, None).await.unwrap();
        let jobs = |page: &store::WaitingPage| page.readings.iter().map(|waiting| waiting.reading.ids().0.to_string()).collect::<Vec<_>>();
        assert_eq!((jobs(&page), meter.round_trips()), (["j00", "j02", "j04", "j06"].map(str::to_owned).into(), 2));
        let next = store.waiting(&tenant, &all, 4, page.next_cursor.as_deref()).await.unwrap();
        assert_eq!((jobs(&next), next.next_cursor), (vec!["j08".into(), "j10".into()], None));
        let (metered, meter) = store.metered();
        assert_eq!((metered.waiting_count(&tenant, &all).await.unwrap(), meter.round_trips()), (6, 1));
        let old = WaitingFilter { before: Some(noon() + 3.minutes()), doubt: Some(Doubt::ExpectedHigh), ..WaitingFilter::default() };
        assert_eq!(store.waiting_count(&tenant, &old).await.unwrap(), 2);
        // With a filter, too, a page ends where it was asked to, and the next one goes on there.
        let narrow = WaitingFilter { doubt: Some(Doubt::ExpectedHigh), ..WaitingFilter::default() };
        let first = store.waiting(&tenant, &narrow, 5, None).await.unwrap();
        let rest = store.waiting(&tenant, &narrow, 5, first.next_cursor.as_deref()).await.unwrap();
        assert_eq!((first.readings.len(), jobs(&rest)), (5, vec!["j10".into()]));
        assert_eq!(store.waiting_count(&other_tenant(), &all).await.unwrap(), 0);
    }

    /// A register has one reading that waits at most, and a job that another account took over keeps what waits.
    async fn an_entry_goes_with_its_reading_and_stays_with_its_job(table) {
        let store = &table.store;
        let waits = async || store.waiting_count(&tenant(), &WaitingFilter::default()).await.unwrap();
        import_job(store, "a1", master("j1", &["t1", "t2"])).await;
        high(store, "j1", "t1", noon()).await;
        high(store, "j1", "t2", noon() + 1.minute()).await;
        assert_eq!(waits().await, 2);
        high(store, "j1", "t1", noon() + 2.minutes()).await;
        assert_eq!(waits().await, 2, "the later one is in the place of the one before");
        submit(store, &stored(store, "a1", "j1").await, &[reading("t2", "1.000", noon() + 3.minutes())], record("sound", "r", "")).await;
        assert_eq!(waits().await, 1);

        store.close_job(&tenant(), &account_id("a1"), &crate::support::job_id("j1"), noon() + 4.minutes()).await.unwrap();
        assert_eq!(waits().await, 1);
        store.put_account(&tenant(), &account("a2")).await.unwrap();
        let mut moved = master("j2", &["t1"]);
        moved.meter.meter_number.clone_from(&stored(store, "a1", "j1").await.master.meter.meter_number);
        crate::support::import(store, &tenant(), &[line("a2", moved)]).await;
        assert_eq!(waits().await, 1);
    }
}
