//! A tenant with people in it, and workers that run on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use bytes::Bytes;
use domain::config::{Application, Retention};
use domain::ids::{AccountId, ImageId, JobId, TaskId, TenantId};
use domain::model::{JobMaster, LoginKind, ReadingResult, ReadingResultImage};
use domain::value::MeterValue;
use emulators::{Dynamo, Ministack, MinistackOptions};
use grants::settings::Settings;
use grants::{Grant, Resource};
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use store::{
    Account, Effect, IdempotencyWrite, InTheWay, JobImport, JobImported, JobLine, LinkSecretHash, NewAccount, NewResult, NewSession,
    Photos, Store, SubmitResults, Submitted, TenantBundle,
};
use tokio::sync::OnceCell;
use workers::{BY_CLOCK, Worker};

use crate::guard::{Guard, Permission, Stop};

const TABLE: &str = "table";
/// Since when the jobs are listed: two worlds that are compared were not made in the same moment.
const LISTED: Timestamp = Timestamp::constant(1_793_534_400, 0);
/// What the names of the parameters with signing secrets begin with.
pub const SECRETS: &str = "/zaehlwerk/test/webhook/";

/// One ministack for all tests; it ends with the process.
static MINISTACK: OnceCell<Ministack> = OnceCell::const_new();

async fn ministack() -> &'static str {
    let start = || async { Ministack::start(&MinistackOptions::default()).await.unwrap() };
    MINISTACK.get_or_init(start).await.endpoint()
}

pub struct World {
    pub store: Store,
    pub photos: Photos,
    pub dynamodb: aws_sdk_dynamodb::Client,
    pub s3: aws_sdk_s3::Client,
    pub bucket: String,
    /// The tenant has a webhook.
    has_webhook: bool,
    dynamo: Dynamo,
}

/// A tenant's config with these fields beside the least.
fn application(tenant: &TenantId, more: Value) -> Application {
    let host = format!("{tenant}.localhost");
    let mut application = json!({ "applicationId": tenant, "name": "Portal", "hosts": [host], "portalUrl": format!("http://{host}") });
    application.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(application).unwrap()
}

pub fn tenant() -> TenantId {
    TenantId::new("portal").unwrap()
}

pub fn account(id: &str) -> AccountId {
    AccountId::new(id).unwrap()
}

pub fn job(id: &str) -> JobId {
    JobId::new(id).unwrap()
}

pub fn image(id: &str) -> ImageId {
    ImageId::new(id).unwrap()
}

/// The day on which everything begins.
pub fn start() -> Timestamp {
    "2026-11-02T12:00:00Z".parse().unwrap()
}

pub fn days(days: i64) -> Timestamp {
    start() + (24 * days).hours()
}

/// What became of one run.
pub struct Ran {
    pub went_well: bool,
    /// What the platform was told.
    pub answer: Value,
    pub line: Value,
    /// Which of its calls changed something.
    pub writes: BTreeSet<usize>,
    pub used: BTreeSet<Permission>,
}

impl World {
    pub async fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let dynamo = Dynamo::in_memory().unwrap();
        let aws = emulators::settings(dynamo.endpoint(), Some(ministack().await));
        let bucket = format!("photos-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        emulators::create_table(&store::dynamodb(&aws), TABLE).await.unwrap();
        emulators::create_bucket(&store::s3(&aws), &bucket, "http://portal.localhost").await.unwrap();
        let store = Store::new(store::dynamodb(&aws), TABLE);
        Self {
            store,
            photos: Photos::new(store::s3(&aws), &bucket),
            dynamodb: store::dynamodb(&aws),
            s3: store::s3(&aws),
            bucket,
            has_webhook: false,
            dynamo,
        }
    }

    pub async fn with_retention(retention: Retention) -> Self {
        let world = Self::new().await;
        world.apply(retention).await;
        world
    }

    /// With a webhook, whose signing secrets are in the parameter that is named so.
    pub async fn with_webhook(url: &str, secret_parameter: &str) -> Self {
        let world = Self { has_webhook: true, ..Self::new().await };
        world.apply_webhook(&tenant(), json!({ "url": url, "secretParameter": secret_parameter })).await;
        world
    }

    /// Applies a tenant's config with a webhook.
    pub async fn apply_webhook(&self, tenant: &TenantId, mut webhook: Value) {
        // By number: to look up a name takes a thread of its own, and on a busy machine more time than a connection may take.
        webhook["url"] = webhook["url"].as_str().unwrap().replace("localhost", "127.0.0.1").into();
        self.apply_with(tenant, json!({ "webhook": webhook })).await;
    }

    /// Applies the tenant's config, as another process would.
    pub async fn apply(&self, retention: Retention) {
        self.apply_with(&tenant(), json!({ "retention": retention })).await;
    }

    async fn apply_with(&self, tenant: &TenantId, more: Value) {
        let bundle = TenantBundle {
            application: application(tenant, more),
            translations: BTreeMap::new(),
            help: BTreeMap::new(),
            contact: Vec::new(),
            instructions: Vec::new(),
            logo: vec![1],
        };
        self.store.apply_tenant(&bundle).await.unwrap();
    }

    /// One run of a worker, through a guard that gives it what its row in the table grants.
    pub async fn run(&self, worker: &'static Worker, now: Timestamp, time_left: Duration, stop: Option<Stop>) -> Ran {
        self.invoke(worker, "{}", now, time_left, stop).await
    }

    /// A run with a batch of messages.
    pub async fn take(&self, worker: &'static Worker, batch: &str, now: Timestamp) -> Ran {
        self.invoke(worker, batch, now, Duration::from_secs(30), None).await
    }

    pub async fn invoke(&self, worker: &'static Worker, event: &str, now: Timestamp, time_left: Duration, stop: Option<Stop>) -> Ran {
        let guard = Guard::new(permissions(worker.grants), stop);
        let (table, bucket) = (guard.before(self.dynamo.endpoint()).await, guard.before(ministack().await).await);
        let settings = Settings {
            aws: emulators::settings(&table, Some(&bucket)),
            table_name: Some(TABLE.into()),
            portal_host: None,
            photo_bucket: Some(self.bucket.clone()),
            reads_photos: false,
            jwt_public_keys: None,
            jwt_private_key: None,
            mail_configuration_set: None,
            crm_parameter_prefix: None,
            webhook_parameter_prefix: Some(SECRETS.into()),
        };
        let connected = workers::connect(worker, &settings).await.unwrap();
        let invoked = connected.invoke(event, "id", now, time_left).await;
        let line = serde_json::from_str(&invoked.line).unwrap();
        let used = guard.used.lock().unwrap().clone();
        let answer = invoked.answer.as_ref().map_or(Value::Null, |answer| serde_json::from_str(answer.get()).unwrap());
        Ran { went_well: invoked.answer.is_ok(), answer, line, writes: guard.writes.lock().unwrap().iter().copied().collect(), used }
    }

    /// A run that the clock starts.
    pub async fn by_clock(&self, worker: &'static Worker, now: Timestamp) -> Ran {
        self.invoke(worker, BY_CLOCK, now, Duration::from_secs(300), None).await
    }

    /// A run that has all the time it wants and goes well.
    pub async fn works(&self, worker: &'static Worker, now: Timestamp) -> Ran {
        let ran = self.run(worker, now, Duration::from_secs(300), None).await;
        assert!(ran.went_well && ran.line["finished"] == true, "{}: {}", worker.name, ran.line);
        ran
    }

    /// Somebody with a letter.
    pub async fn account(&self, id: &str, name: &str, valid_until: Option<&str>) {
        let new = NewAccount {
            account: Account {
                id: account(id),
                name: name.into(),
                share: None,
                roles: Vec::new(),
                language: None,
                valid_until: valid_until.map(|day| day.parse().unwrap()),
                username: Some(format!("{id}-user")),
                generation: 0,
            },
            password_hash: Some("hash".into()),
            link: Some(LinkSecretHash { sha256_hex: link_hash(id), expires_at: days(400) }),
        };
        self.store.put_account(&tenant(), &new).await.unwrap();
        let session = NewSession {
            account_id: account(id),
            generation: 0,
            login: LoginKind::Credentials,
            now: start(),
            ends_at: None,
            random: [7; 80],
        };
        self.store.open_session(&tenant(), session).await.unwrap();
    }

    pub async fn import(&self, owner: &str, master: &JobMaster) -> JobImported {
        let line = JobLine { account_id: account(owner), master: master.clone() };
        let import =
            JobImport { application: &application(&tenant(), json!({})), effect: Effect::Stored, in_the_way: InTheWay::All, now: LISTED };
        self.store.import_jobs(import, &[line]).await.unwrap().remove(0)
    }

    /// A reading with a comment and a photo of two versions.
    pub async fn read(&self, owner: &str, job_id: &str, sender: &str, comment: &str, created: Timestamp) {
        let image_id = image(&format!("{job_id}-{}", created.as_second()));
        for bytes in ["first", "second"] {
            self.photos.put(&tenant(), &job(job_id), &image_id, Bytes::from(bytes)).await.unwrap();
        }
        let stored = self.store.job(&tenant(), &account(owner), &job(job_id)).await.unwrap().unwrap();
        let result = ReadingResult {
            reading_date: "2026-11-02".parse().unwrap(),
            reading_value: MeterValue::parse("00123.450").unwrap(),
            created,
            comment: Some(comment.into()),
            lower_reason: None,
            reading_result_images: vec![ReadingResultImage { image_id }],
        };
        let new = NewResult { result_id: format!("r{}", created.as_second()), task_id: TaskId::new("t1").unwrap(), result };
        let submission = SubmitResults {
            job: &stored,
            results: &[new],
            login: LoginKind::Credentials,
            account_id: &account(sender),
            idempotency: IdempotencyWrite {
                key_hash: format!("{job_id}-{created}"),
                request_hash: "hash".into(),
                response_body: format!(r#"{{"comment": "{comment}"}}"#),
                created,
            },
            deliver: self.has_webhook,
        };
        assert_eq!(self.store.submit(&tenant(), submission).await.unwrap(), Submitted::Stored);
    }

    /// Puts signing secrets where a tenant's are looked for.
    pub async fn put_secrets(&self, tenant: &TenantId, name: &str, secrets: &str) {
        let settings = emulators::settings(self.dynamo.endpoint(), Some(ministack().await));
        emulators::put_secret(&settings, &format!("{SECRETS}{tenant}/{name}"), secrets).await.unwrap();
    }

    /// Everything in the table, by key, without the counters of changes.
    pub async fn table(&self) -> BTreeMap<(String, String), String> {
        let scanned = self.dynamodb.scan().table_name(TABLE).into_paginator().items().send().collect::<Result<Vec<_>, _>>().await;
        let text = |value: &AttributeValue| value.as_s().unwrap().clone();
        scanned
            .unwrap()
            .into_iter()
            .map(|item| {
                let attributes: BTreeMap<_, _> = item.iter().filter(|(name, _)| *name != "version").collect();
                ((text(&item["pk"]), text(&item["sk"])), format!("{attributes:?}"))
            })
            .collect()
    }

    /// Every version and every delete marker in the bucket, by key.
    pub async fn objects(&self) -> Vec<String> {
        let page = self.s3.list_object_versions().bucket(&self.bucket).send().await.unwrap();
        assert_ne!(page.is_truncated(), Some(true));
        let versions = page.versions().iter().map(|version| version.key().unwrap().to_owned());
        versions.chain(page.delete_markers().iter().map(|marker| marker.key().unwrap().to_owned())).collect()
    }

    /// Puts an item as it is.
    pub async fn put_raw(&self, item: Value) {
        let attribute = |value: &Value| match value {
            Value::String(text) => AttributeValue::S(text.clone()),
            Value::Bool(flag) => AttributeValue::Bool(*flag),
            Value::Array(texts) => AttributeValue::Ss(texts.iter().map(|text| text.as_str().unwrap().into()).collect()),
            other => AttributeValue::N(other.to_string()),
        };
        let item = item.as_object().unwrap().iter().map(|(name, value)| (name.clone(), attribute(value))).collect();
        self.dynamodb.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
    }
}

pub fn link_hash(id: &str) -> String {
    format!("link-of-{id}")
}

/// A job with one rate.
pub fn master(id: &str, meter_number: &str) -> JobMaster {
    let master = json!({
        "id": id,
        "customer": {"lastname": format!("Customer {meter_number}")},
        "meter": {
            "meterNumber": meter_number,
            "meterAddress": {"street": format!("Street {meter_number}")},
            "meterRateTasks": [{"taskId": "t1", "obis": "1-0:1.8.0"}],
        },
    });
    serde_json::from_value(master).unwrap()
}

pub fn permissions(grants: &[Grant]) -> BTreeSet<Permission> {
    let name = |resource| match resource {
        Resource::Table => "table",
        Resource::TableIndex => "tableIndex",
        Resource::Uploads => "uploads",
        Resource::Photos => "photos",
        Resource::PhotoBucket => "photoBucket",
        Resource::SigningKey => "signingKey",
        Resource::Mail => "mail",
        Resource::TextRecognition => "textRecognition",
        Resource::CrmKeys => "crmKeys",
        Resource::WebhookSecrets => "webhookSecrets",
    };
    grants.iter().flat_map(|grant| grant.actions.iter().map(move |action| ((*action).to_owned(), name(grant.resource)))).collect()
}
