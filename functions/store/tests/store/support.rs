//! Backends, and things to store.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use aws::AwsSettings;
use aws_sdk_dynamodb::types::{AttributeValue, TimeToLiveSpecification};
use domain::ids::{SeasonId, TenantId};
use domain::model::{JobMaster, LoginKind, ReadingResult};
use emulators::Dynamo;
use jiff::Timestamp;
use serde_json::json;
use store::table::EXPIRES_AT;
use store::{IdempotencyWrite, JobImported, JobLine, NewAccount, NewResult, Source, Store, StoredJob, SubmitResults, Submitted, random};
pub use testing::{account_id, at, job_id, ministack, task_id};
use testing::{application, tenant_id};

pub type Item = HashMap<String, AttributeValue>;

/// An empty table.
pub struct Table {
    pub store: Store,
    pub client: aws_sdk_dynamodb::Client,
    pub name: String,
    /// The backend counts capacity units as AWS does.
    pub counts_capacity: bool,
    _dynamo: Option<Dynamo>,
}

impl Table {
    pub async fn dynoxide() -> Self {
        let dynamo = Dynamo::in_memory().unwrap();
        let settings = emulators::settings(dynamo.endpoint(), None);
        Self::create(&settings, "table".into(), Some(dynamo)).await
    }

    pub async fn ministack() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let settings = emulators::settings(ministack().await, None);
        let table = Self::create(&settings, format!("table-{}", NEXT.fetch_add(1, Ordering::Relaxed)), None).await;
        // The tests have days of their own. Ministack goes by the machine's: every minute it takes away what has expired by then.
        let never = TimeToLiveSpecification::builder().enabled(false).attribute_name(EXPIRES_AT).build().unwrap();
        table.client.update_time_to_live().table_name(&table.name).time_to_live_specification(never).send().await.unwrap();
        table
    }

    async fn create(settings: &AwsSettings, name: String, dynamo: Option<Dynamo>) -> Self {
        let client = store::dynamodb(settings);
        emulators::create_table(&client, &name).await.unwrap();
        Self { store: Store::new(client.clone(), &name), client, name, counts_capacity: dynamo.is_some(), _dynamo: dynamo }
    }

    /// Another process on the same table: nothing kept in memory is shared.
    pub fn elsewhere(&self) -> Store {
        Store::new(self.client.clone(), &self.name)
    }

    /// Everything that is stored.
    pub async fn scan(&self) -> Vec<Item> {
        self.client.scan().table_name(&self.name).into_paginator().items().send().collect::<Result<_, _>>().await.unwrap()
    }

    pub async fn items(&self) -> usize {
        self.scan().await.len()
    }

    /// The items that say which jobs have a meter.
    pub async fn meters(&self) -> Vec<Item> {
        self.scan().await.into_iter().filter(|item| item["sk"].as_s().is_ok_and(|sk| sk == "METER")).collect()
    }

    /// What they say, in order.
    pub async fn holders(&self) -> Vec<String> {
        let mut holders: Vec<_> = self.meters().await.iter().map(|item| item["jobs"].as_s().unwrap().clone()).collect();
        holders.sort();
        holders
    }
}

/// Makes of one test body a test on each backend.
#[macro_export]
macro_rules! on_both {
    ($($(#[$doc:meta])* async fn $name:ident($table:ident) $body:block)*) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            use $crate::support::Table;

            $(#[$doc])*
            async fn check($table: Table) $body

            #[tokio::test]
            async fn dynoxide() {
                check(Table::dynoxide().await).await;
            }

            #[tokio::test]
            async fn ministack() {
                check(Table::ministack().await).await;
            }
        }
    )*};
}

pub fn tenant() -> TenantId {
    tenant_id("musterwerk")
}

pub fn other_tenant() -> TenantId {
    tenant_id("nachbarwerk")
}

pub fn noon() -> Timestamp {
    at("2026-11-21T12:00:00Z")
}

pub fn account(id: &str) -> NewAccount {
    let mut new = testing::account(id);
    new.account.roles = vec!["ROLE_KSA_PRO_USER".into()];
    new.account.language = Some("de-FORMAL".into());
    new.account.valid_until = Some("2027-03-31".parse().unwrap());
    new
}

pub fn with_login(mut new: NewAccount, name: &str, hash: &str) -> NewAccount {
    new.account.username = Some(name.into());
    new.password_hash = Some(hash.into());
    new
}

/// A job with these rates.
pub fn master(id: &str, tasks: &[&str]) -> JobMaster {
    let task = |id: &&str| json!({ "taskId": id, "obis": "1-0:1.8.0", "preDecimals": 6, "postDecimals": 3 });
    testing::job(id, json!({ "meter": { "meterRateTasks": tasks.iter().map(task).collect::<Vec<_>>() } }))
}

/// The same job, but with a text of this length in it.
pub fn padded(mut master: JobMaster, length: usize) -> JobMaster {
    master.meter.meter_address.hint = Some("x".repeat(length));
    master
}

pub fn line(account: &str, master: JobMaster) -> JobLine {
    JobLine { account_id: account_id(account), master, season: SeasonId::default(), pass_through: Default::default() }
}

/// Imports these lines now.
pub async fn import(store: &Store, tenant: &TenantId, lines: &[JobLine]) -> Vec<JobImported> {
    import_at(store, tenant, lines, Timestamp::now()).await
}

/// Imports these lines at this time.
pub async fn import_at(store: &Store, tenant: &TenantId, lines: &[JobLine], now: Timestamp) -> Vec<JobImported> {
    testing::import(store, &application(tenant.as_str(), json!({})), lines, now).await
}

/// Imports one job of an account that exists by then.
pub async fn import_job(store: &Store, account: &str, master: JobMaster) -> JobImported {
    store.put_account(&tenant(), &self::account(account)).await.unwrap();
    import(store, &tenant(), &[line(account, master)]).await.remove(0)
}

pub async fn stored(store: &Store, account: &str, job: &str) -> StoredJob {
    store.job(&tenant(), &account_id(account), &job_id(job)).await.unwrap().unwrap()
}

pub fn reading(task: &str, value: &str, created: Timestamp) -> NewResult {
    let id = u64::from_le_bytes(random().unwrap());
    NewResult {
        result_id: format!("{id:016x}"),
        task_id: task_id(task),
        result: ReadingResult {
            reading_date: "2026-11-21".parse().unwrap(),
            reading_value: domain::value::MeterValue::parse(value).unwrap(),
            created,
            comment: None,
            lower_reason: None,
            reading_result_images: Vec::new(),
        },
        confirmed: Vec::new(),
    }
}

pub fn record(key: &str, request: &str, answer: &str) -> IdempotencyWrite {
    IdempotencyWrite { key_hash: key.into(), request_hash: request.into(), response_body: answer.into(), created: noon() }
}

/// Submits readings as the owner.
pub async fn submit(store: &Store, job: &StoredJob, results: &[NewResult], idempotency: IdempotencyWrite) -> Submitted {
    let submission = SubmitResults {
        job,
        results,
        source: Source::Portal(LoginKind::Credentials),
        account_id: &job.account_id,
        idempotency,
        deliver: false,
    };
    store.submit(&tenant(), submission).await.unwrap()
}
