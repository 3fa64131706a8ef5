//! A tenant with people in it, and workers that run on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use bytes::Bytes;
use domain::config::Retention;
use domain::device::DeviceKind;
use domain::ids::{ImportId, SeasonId, TenantId};
use domain::model::{JobMaster, LoginKind, ReadingResult, ReadingResultImage};
use domain::pass_through::PassThrough;
use domain::value::MeterValue;
use emulators::{Dynamo, MessageQueue, Snapshot};
use grants::Grant;
use grants::settings::Settings;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use store::{
    Effect, IdempotencyWrite, InTheWay, JobImport, JobImported, JobLine, LinkSecretHash, NewResult, NewSession, NewVersion, Photos,
    ShareTerms, Source, Store, SubmitResults, Submitted,
};
use testing::{
    Asked, BucketSnapshot, Fate, Permission, Proxy, Upstream, application, at, bundle, ministack, only, permissions, task_id, tenant_id,
};
pub use testing::{account_id as account, image_id as image, job_id as job};
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use workers::{BY_CLOCK, Worker};

pub const TABLE: &str = "table";
/// Since when the jobs are listed: two worlds that are compared were not made in the same moment.
const LISTED: Timestamp = Timestamp::constant(1_793_534_400, 0);
/// What the names of the parameters with signing secrets begin with.
pub const SECRETS: &str = "/zaehlwerk/test/webhook/";

async fn new_bucket(client: &aws_sdk_s3::Client) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let bucket = format!("photos-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    emulators::create_bucket(client, &bucket, &["http://portal.localhost"]).await.unwrap();
    bucket
}

pub struct World {
    pub store: Store,
    pub photos: Photos,
    pub dynamodb: aws_sdk_dynamodb::Client,
    pub s3: aws_sdk_s3::Client,
    pub bucket: String,
    /// What has runs gone on with.
    pub queue: MessageQueue,
    /// The tenant has a webhook.
    has_webhook: bool,
    dynamo: Dynamo,
}

pub fn tenant() -> TenantId {
    tenant_id("portal")
}

/// The day on which everything begins.
pub fn start() -> Timestamp {
    at("2026-11-02T12:00:00Z")
}

pub fn days(days: i64) -> Timestamp {
    start() + (24 * days).hours()
}

/// Where a worker is stopped: at its how manieth call, before or after the call has had its effect.
#[derive(Debug, Clone, Copy)]
pub struct Stop {
    pub call: usize,
    pub after: bool,
}

/// Allows what is granted, up to the stop.
fn stopping(grants: &[Grant], stop: Option<Stop>) -> impl FnMut(usize, &Asked) -> Fate + Send + 'static {
    let mut granted = only(permissions(grants));
    move |n, asked| match stop {
        Some(Stop { call, after }) if n == call && after => Fate::AnswerLost,
        Some(Stop { call, .. }) if n >= call => Fate::Denied,
        _ => granted(n, asked),
    }
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
        let dynamo = Dynamo::in_memory().unwrap();
        let aws = emulators::settings(dynamo.endpoint(), Some(ministack().await));
        emulators::create_table(&store::dynamodb(&aws), TABLE).await.unwrap();
        let (dynamodb, s3) = (store::dynamodb(&aws), store::s3(&aws));
        let (store, bucket) = (Store::new(dynamodb.clone(), TABLE), new_bucket(&s3).await);
        let queue = MessageQueue::create(&aws, &format!("runs-{bucket}")).await.unwrap();
        Self { store, photos: Photos::new(s3.clone(), &bucket), dynamodb, s3, bucket, queue, has_webhook: false, dynamo }
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

    /// Applies the tenant's config with these fields beside the least.
    pub async fn apply_with(&self, tenant: &TenantId, more: Value) {
        self.apply_at(tenant, more, start()).await;
    }

    /// The same later.
    pub async fn apply_at(&self, tenant: &TenantId, more: Value, at: Timestamp) {
        let new = NewVersion { at, ..NewVersion::by("test") };
        self.store.apply_tenant(&bundle(application(tenant.as_str(), more)), new).await.unwrap();
    }

    /// Everything that is stored now.
    pub async fn snapshot(&self) -> (Snapshot, BucketSnapshot) {
        (self.dynamo.snapshot().unwrap(), BucketSnapshot::of(&self.s3, &self.bucket).await)
    }

    /// Puts this in place of everything that is stored.
    pub async fn restore(&mut self, (items, objects): &(Snapshot, BucketSnapshot)) {
        self.dynamo.restore(items).unwrap();
        self.bucket = new_bucket(&self.s3).await;
        self.photos = Photos::new(self.s3.clone(), &self.bucket);
        objects.put(&self.s3, &self.bucket).await;
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
        self.invoke_while(worker, (event, now, time_left), stopping(worker.grants, stop)).await
    }

    /// One run, whose calls meet what the script says.
    pub async fn invoke_while(
        &self,
        worker: &'static Worker,
        (event, now, time_left): (&str, Timestamp, Duration),
        script: impl FnMut(usize, &Asked) -> Fate + Send + 'static,
    ) -> Ran {
        let proxy = Proxy::start(Upstream::new(self.dynamo.endpoint(), "", ministack().await)).await;
        proxy.play(script);
        let settings = Settings {
            aws: emulators::settings(&proxy.url, Some(&proxy.url)),
            table_name: Some(TABLE.into()),
            portal_host: None,
            portal_hosts: Vec::new(),
            desk: Default::default(),
            photo_bucket: Some(self.bucket.clone()),
            run_queue_url: Some(self.queue.url.clone()),
            reads_photos: false,
            jwt_public_keys: None,
            jwt_private_key: None,
            pseudonym_key: None,
            mail_configuration_set: None,
            crm_parameter_prefix: None,
            webhook_parameter_prefix: Some(SECRETS.into()),
        };
        let connected = workers::connect(worker, &settings).await.unwrap();
        let invoked = connected.invoke(event, "id", now, time_left).await;
        proxy.close().await;
        let line = serde_json::from_str(&invoked.line).unwrap();
        let answer = invoked.answer.as_ref().map_or(Value::Null, |answer| serde_json::from_str(answer.get()).unwrap());
        let needed: Vec<_> = proxy.stop().iter().map(Asked::permissions).collect();
        let changes = |permission: &Permission| {
            ["Put", "Update", "Delete"].iter().any(|verb| permission.0.split(':').nth(1).unwrap().starts_with(verb))
        };
        let writes = needed.iter().enumerate().filter(|(_, needed)| needed.iter().any(changes)).map(|(call, _)| call).collect();
        // Who needs what is not granted fails; opening a connection does not.
        let granted = permissions(worker.grants);
        let used = needed.into_iter().flatten().filter(|permission| granted.contains(permission)).collect();
        Ran { went_well: invoked.answer.is_ok(), answer, line, writes, used }
    }

    /// A run that the clock starts.
    pub async fn by_clock(&self, worker: &'static Worker, now: Timestamp) -> Ran {
        self.invoke(worker, BY_CLOCK, now, Duration::from_secs(300), None).await
    }

    /// A run during which somebody else does something, before the first call of this action has its effect.
    pub async fn runs_while<F: Future<Output = ()>>(
        &self,
        worker: &'static Worker,
        now: Timestamp,
        action: &'static str,
        meanwhile: impl FnOnce(Store) -> F + Send + 'static,
    ) -> Ran {
        let (store, handle, mut granted) = (self.store.clone(), Handle::current(), only(permissions(worker.grants)));
        let mut meanwhile = Some(meanwhile);
        let script = move |n: usize, asked: &Asked| {
            if asked.action == action
                && let Some(meanwhile) = meanwhile.take()
            {
                block_in_place(|| handle.block_on(meanwhile(store.clone())));
            }
            granted(n, asked)
        };
        self.invoke_while(worker, ("{}", now, Duration::from_secs(300)), script).await
    }

    /// A run that has all the time it wants and goes well.
    pub async fn works(&self, worker: &'static Worker, now: Timestamp) -> Ran {
        let ran = self.run(worker, now, Duration::from_secs(300), None).await;
        assert!(ran.went_well && ran.line["finished"] == true, "{}: {}", worker.name, ran.line);
        ran
    }

    /// Somebody with a letter.
    pub async fn account(&self, id: &str, name: &str, valid_until: Option<&str>) {
        self.account_below(&[], id, name, valid_until).await;
    }

    /// The same, made by sharing if there are accounts above.
    pub async fn account_below(&self, above: &[&str], id: &str, name: &str, valid_until: Option<&str>) {
        let mut new = testing::account(id);
        new.account.name = name.into();
        let ancestors: Vec<_> = above.iter().map(|above| account(above)).collect();
        new.account.share = (!above.is_empty()).then_some(ShareTerms { ancestors, allow_to_re_share: true, jobs_version: 0, era: 0 });
        new.account.valid_until = valid_until.map(|day| day.parse().unwrap());
        new.account.username = Some(format!("{id}-user"));
        new.password_hash = Some("hash".into());
        new.link = Some(LinkSecretHash { sha256_hex: link_hash(id), expires_at: days(400) });
        self.store.put_account(&tenant(), &new).await.unwrap();
        let session = NewSession {
            account_id: account(id),
            generation: 0,
            login: LoginKind::Credentials,
            device: DeviceKind::Windows,
            epoch: 0,
            now: start(),
            ends_at: None,
            random: [7; 80],
        };
        self.store.open_session(&tenant(), session).await.unwrap();
    }

    pub async fn import(&self, owner: &str, master: &JobMaster) -> JobImported {
        self.import_at(owner, master, LISTED).await
    }

    pub async fn import_at(&self, owner: &str, master: &JobMaster, now: Timestamp) -> JobImported {
        let pass_through = PassThrough::of(vec![BTreeMap::from([("Vertrag".to_owned(), format!("contract of {owner}"))])]);
        let line = JobLine { account_id: account(owner), master: master.clone(), season: SeasonId::default(), pass_through };
        testing::import(&self.store, &application(tenant().as_str(), json!({})), &[line], now).await.remove(0)
    }

    /// The line comes in an import that can be undone.
    pub async fn import_by(&self, import: &ImportId, line: &JobLine, now: Timestamp) -> JobImported {
        let application = application(tenant().as_str(), json!({}));
        let (effect, in_the_way) = (Effect::Stored, InTheWay::default());
        let job_import = JobImport { application: &application, effect, in_the_way, coming: None, import: Some(import), now };
        self.store.import_jobs(job_import, std::slice::from_ref(line)).await.unwrap().remove(0)
    }

    /// A reading with a comment and a photo of two versions.
    pub async fn read(&self, owner: &str, job_id: &str, sender: &str, comment: &str, created: Timestamp) {
        self.read_from(Source::Portal(LoginKind::Credentials), owner, job_id, sender, comment, created).await;
    }

    /// The same, which came in another way.
    pub async fn read_from(&self, source: Source, owner: &str, job_id: &str, sender: &str, comment: &str, created: Timestamp) {
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
        let new = NewResult { result_id: format!("r{}", created.as_second()), task_id: task_id("t1"), result, confirmed: Vec::new() };
        let submission = SubmitResults {
            job: &stored,
            results: &[new],
            source,
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

    /// Another table, with nothing in it, in the place of this one.
    pub async fn begin_anew(&self) {
        self.dynamodb.delete_table().table_name(TABLE).send().await.unwrap();
        emulators::create_table(&self.dynamodb, TABLE).await.unwrap();
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

    /// Takes an attribute away that an item of an earlier version does not have.
    pub async fn forget(&self, (pk, sk): (&str, &str), attribute: &str) {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let update = self.dynamodb.update_item().table_name(TABLE).key("pk", text(pk)).key("sk", text(sk));
        update.update_expression(format!("REMOVE {attribute}")).condition_expression("attribute_exists(pk)").send().await.unwrap();
    }
}

pub fn link_hash(id: &str) -> String {
    format!("link-of-{id}")
}

/// A job with one rate.
pub fn master(id: &str, meter_number: &str) -> JobMaster {
    let address = json!({ "street": format!("Street {meter_number}") });
    let meter = json!({ "meterNumber": meter_number, "meterAddress": address });
    testing::job(id, json!({ "customer": { "lastname": format!("Customer {meter_number}") }, "meter": meter }))
}
