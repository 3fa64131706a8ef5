//! What is counted, and counted again.

use domain::ids::AccountId;
use domain::model::LoginKind;
use domain::value::MeterValue;
use jiff::{Timestamp, ToSpan};
use store::{ReadingWithoutJob, ReadingWithoutJobValue, Submitted};

use crate::on_both;
use crate::support::{job_id, noon, record, tenant};

fn visitors(id: &str, created: Timestamp) -> ReadingWithoutJob {
    let value = ReadingWithoutJobValue { obis: None, rate_name: None, value: MeterValue::parse("1").unwrap(), image_ids: vec![] };
    ReadingWithoutJob {
        id: job_id(id),
        created,
        login_kind: LoginKind::Public,
        login_account_id: AccountId::new("visitor~1").unwrap(),
        meter_type: None,
        sub_type: None,
        meter_number: "4711".into(),
        reading_values: vec![value],
        reading_date: "2026-11-21".parse().unwrap(),
        reading_reason: None,
        contact: None,
        email: None,
        language: None,
        comment: None,
    }
}

on_both! {
    /// Whoever counts anew took the time before the last reading came.
    async fn what_comes_while_all_is_counted_anew_is_counted_once(table) {
        let store = &table.store;
        for (n, created) in [noon(), noon() + 2.minutes()].into_iter().enumerate() {
            let (id, key) = (format!("unknown~{n}"), format!("k{n}"));
            let sent = store.submit_without_job(&tenant(), &visitors(&id, created), &record(&key, "r", ""), false).await;
            assert_eq!(sent.unwrap(), Submitted::Stored);
        }
        store.count_all(&tenant(), noon()).await.unwrap();
        let recounted = store.recount(&tenant(), noon() + 1.minute()).await.unwrap();
        assert_eq!(recounted.cells_mended, 0);
    }
}
