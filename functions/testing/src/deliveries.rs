//! Messages to a tenant's webhook.

use domain::ids::{JobId, TenantId};
use domain::model::LoginKind;
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::{DeadLetter, IdempotencyWrite, ReadingWithoutJob, ReadingWithoutJobValue, Store};

/// A message that the receiver did not take: its id.
pub async fn dead_letter(store: &Store, tenant: &TenantId) -> String {
    let created = Timestamp::now();
    let id = format!("unknown~{}", created.as_nanosecond());
    let value = ReadingWithoutJobValue { obis: None, rate_name: None, value: MeterValue::parse("17").unwrap(), image_ids: Vec::new() };
    let entry = ReadingWithoutJob {
        id: JobId::new(&id).unwrap(),
        created,
        login_kind: LoginKind::Public,
        login_account_id: "visitor~1".parse().unwrap(),
        meter_type: None,
        sub_type: None,
        meter_number: "7GMT0000004711".into(),
        reading_values: vec![value],
        reading_date: created.to_zoned(TimeZone::UTC).date(),
        reading_reason: None,
        contact: None,
        email: None,
        language: None,
        comment: None,
    };
    let record = IdempotencyWrite { key_hash: id, request_hash: "h".into(), response_body: "{}".into(), created };
    store.submit_without_job(tenant, &entry, &record, true).await.unwrap();
    let mut queue = store.deliveries(tenant);
    while let Some(mut delivery) = queue.next().await.unwrap() {
        if *delivery.job() == entry.id {
            delivery.attempts = 7;
            let dead = DeadLetter { delivery, given_up_at: created, cause: "it answers with status 422".into() };
            store.give_up_delivery(tenant, &dead).await.unwrap();
            return dead.delivery.id(tenant);
        }
    }
    panic!("nothing waits");
}
