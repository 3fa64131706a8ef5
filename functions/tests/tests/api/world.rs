//! The stack that all tests share, tenants that they do not, and the people in them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use api::settings::Settings;
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use domain::email::EmailAddress;
use domain::ids::{ImageId, JobId, MemberId, SeasonId, TenantId};
use domain::login;
use domain::model::LoginKind;
use domain::staff::Role;
use edge::{Claims, PublicKeys, Signer};
use jiff::{Timestamp, ToSpan as _, civil::Date, tz::TimeZone};
use local::{DeskProvider, Stack, StackOptions};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode, header};
use serde_json::{Value, json};
use store::{
    AccessAsk, DeliveryContent, JobImported, JobLine, LedgerEntry, LinkSecretHash, MailRecord, NewAccount, NewVersion, Photos,
    ReadingWithoutJob, StaffInvitation, Store, TenantBundle,
};
pub use testing::after;
use testing::provider::{self, Provider};
use testing::{account_id, job_id, merge, tenant_id};

/// A photo as a phone makes it, with place and device in its metadata.
pub const PHOTO: &[u8] = include_bytes!("../../../domain/tests/photos/baseline.jpg");

struct World {
    stack: Stack,
    /// Where members log in.
    provider: Provider,
    settings: Settings,
    signer: Signer,
    /// The functions' log lines so far.
    log: Arc<Mutex<Vec<String>>>,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        // In a thread of its own, because a test is already inside a runtime.
        std::thread::spawn(World::start).join().unwrap()
    })
}

impl World {
    fn start() -> Self {
        let log = Arc::new(Mutex::new(Vec::new()));
        let lines = log.clone();
        let provider = Provider::start();
        let desk_provider = DeskProvider {
            issuer: provider::ISSUER.into(),
            client_id: provider::CLIENT_ID.into(),
            client_secret: provider::CLIENT_SECRET.into(),
            address: provider.url.clone(),
        };
        let log_to = Arc::new(move |line: &str| lines.lock().unwrap().push(line.to_owned()));
        let options = StackOptions { log: log_to, desk_provider: Some(desk_provider), ..StackOptions::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let stack = runtime.block_on(Stack::start(options)).unwrap();
        let variable = |name: &str| stack.environment.get(name).cloned();
        let settings = Settings::from_lookup(variable).unwrap();
        let published = PublicKeys::parse(&variable("JWT_PUBLIC_KEYS").unwrap()).unwrap();
        let signer = Signer::new(&variable("JWT_PRIVATE_KEY").unwrap(), &published).unwrap();
        Self { stack, provider, settings, signer, log }
    }

    /// A store of the caller's runtime: connections do not outlive the test that opened them.
    fn store(&self) -> Store {
        Store::new(store::dynamodb(&self.settings.aws), self.settings.table_name.clone().unwrap())
    }
}

/// The variables that the functions read their settings from, and the address of S3 and the services beside it.
pub fn environment() -> (BTreeMap<&'static str, String>, String) {
    let stack = &world().stack;
    (stack.environment.clone(), stack.s3_url.clone())
}

/// Where members of all these tenants log in.
pub fn provider() -> &'static Provider {
    &world().provider
}

/// Takes a line of a function that does not belong to the shared stack.
pub fn write_log(line: &str) {
    world().log.lock().unwrap().push(line.to_owned());
}

/// The log so far, of all tests.
pub fn log() -> Vec<String> {
    world().log.lock().unwrap().clone()
}

/// The mails that the mail service took for this address.
pub async fn mails_to(address: &str) -> Vec<Value> {
    testing::mails_to(&world().stack.s3_url, address).await
}

/// All mails that it took.
pub async fn all_mails() -> Vec<Value> {
    testing::mails(&world().stack.s3_url).await
}

/// What the clock has done each minute.
pub async fn tick(worker: &'static workers::Worker) {
    let connected = workers::connect(worker, &world().settings).await.unwrap();
    let run = connected.invoke("{}", "id", Timestamp::now(), Duration::from_secs(worker.timeout.into())).await;
    assert!(run.answer.is_ok(), "{}", run.line);
}

/// Puts a secret where a CRM's access key is looked for.
pub async fn put_parameter(name: &str, value: &str) {
    emulators::put_secret(&world().settings.aws, name, value).await.unwrap();
}

/// Today where the tenants are.
pub fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::get("Europe/Berlin").unwrap()).date()
}

/// The password of an account in these tests.
pub fn password(name: &str) -> String {
    format!("password-of-{name}")
}

/// Its hash, which takes time once.
fn password_hash(name: &str) -> String {
    static HASHES: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let hash = || login::hash_password(&password(name), [7; 16]).unwrap();
    HASHES.lock().unwrap().entry(name.to_owned()).or_insert_with(hash).clone()
}

/// A submission of today for the rate `t1`.
pub fn reading(value: &str) -> Value {
    json!({ "readingDate": today().to_string(), "results": [{ "taskId": "t1", "readingValue": value }] })
}

/// What makes a job a double-tariff one.
pub fn double_tariff() -> Value {
    let rate = |id: &str, obis: &str| json!({ "taskId": id, "obis": obis, "postDecimals": 1 });
    json!({ "meter": { "meterRateTasks": [rate("t1", "1-0:1.8.1"), rate("t2", "1-0:1.8.2")] } })
}

/// The first photo of the last reading of the job's first rate.
pub fn photo_of_last_reading(job: &Value) -> String {
    let last = job["meter"]["meterRateTasks"][0]["readingResults"].as_array().unwrap().last().unwrap();
    last["readingResultImages"][0]["imageId"].as_str().unwrap().to_owned()
}

/// The token's claims under a header that asks for no signature.
pub fn token_with_alg_none(token: &str) -> String {
    let claims = token.split('.').nth(1).unwrap();
    format!("{}.{claims}.", URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#))
}

/// The desk's origin in these tests.
pub const DESK_ORIGIN: &str = "http://localhost:5174";

fn is_of_desk(path: &str) -> bool {
    path.starts_with("/api/desk/") || path.starts_with("/desk/")
}

/// The header of a browser with this session, or with these cookies.
pub fn desk_cookie(session: &str) -> String {
    if session.contains('=') { session.to_owned() } else { format!("__Host-desk={session}") }
}

/// A client that shows redirections as they are.
fn client() -> Client {
    Client::builder().redirect(Policy::none()).build().unwrap()
}

/// A tenant and its portal.
pub struct Portal {
    api_url: String,
    tenant: TenantId,
    host: String,
    http: Client,
    store: Store,
}

/// Somebody who is logged in.
pub struct Persona<'a> {
    portal: &'a Portal,
    name: String,
    token: String,
    refresh_token: Value,
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    headers: header::HeaderMap,
    /// The body, if it is JSON.
    pub body: Value,
    pub bytes: Vec<u8>,
}

impl Portal {
    /// A new tenant without anybody.
    async fn empty() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("t{}", COUNT.fetch_add(1, Ordering::Relaxed));
        Self::at(world().stack.api_url.clone(), world().store(), name).await
    }

    /// A tenant that is not there yet.
    pub fn not_there(name: &str) -> Self {
        let (api_url, store) = (world().stack.api_url.clone(), world().store());
        Self { api_url, host: format!("{name}.localhost"), tenant: tenant_id(name), http: client(), store }
    }

    /// A new tenant without anybody in this table, behind the API at this address.
    pub async fn at(api_url: String, store: Store, name: String) -> Self {
        let portal = Self { api_url, host: format!("{name}.localhost"), tenant: tenant_id(&name), http: client(), store };
        portal.configure(json!({})).await;
        portal
    }

    /// The tenant's config with these fields replaced. Functions that were called before may know the old one for a while.
    pub async fn configure(&self, with: Value) {
        let mut application = json!({
            "communicationSettings": { "senderName": "Test", "senderEmail": "test@example.org" },
            "features": { "unknownReadingsAllowed": true },
            "config": { "unknownUserReading": { "unknownUserReadingAllowed": true } },
            "unknownReading": {
                "meters": { "GAS_METER": { "defaultMeterConfig": {
                    "meterRateConfigs": [{ "obis": "7-0:3.0.0", "obisLabel": "3.0.0", "rateName": "Verbrauch" }],
                    "defaultMeterReadingConfig": { "preDecimals": 6, "postDecimals": 3, "queryPostDecimals": true },
                } } },
                "readingReasons": [
                    { "value": "ANNUAL_READING", "labelDE": "Jahresablesung", "labelEN": "Annual reading" },
                    { "value": "PROVIDER_CHANGE", "labelDE": "Lieferantenwechsel", "labelEN": "Change of provider" },
                ],
            },
            "crmSettings": { "receiptPlacements": ["HOME"], "unknownUserReceiptAllowed": true },
        });
        merge(&mut application, with);
        let bundle = TenantBundle {
            help: BTreeMap::from([("de-FORMAL".into(), "# Hilfe".into())]),
            contact: serde_json::from_value(json!([{ "language": "de-FORMAL", "path": "", "text": "Rufen Sie an." }])).unwrap(),
            instructions: serde_json::from_value(json!([{ "obisFilter": "^7-", "meterNumberFilter": ".*", "content": "Gas" }])).unwrap(),
            ..testing::bundle(testing::application(self.tenant(), application))
        };
        self.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap();
    }

    /// A new tenant without anybody, whose config has these fields.
    pub async fn configured(with: Value) -> Self {
        let portal = Self::empty().await;
        portal.configure(with).await;
        portal
    }

    /// A new tenant with one account.
    pub async fn with_account(name: &str) -> Self {
        let portal = Self::empty().await;
        portal.add_account(name).await;
        portal
    }

    /// A new tenant with one account that has one single-rate job.
    pub async fn with_job(name: &str, job: &str) -> Self {
        let portal = Self::with_account(name).await;
        portal.add_job(name, job, json!({})).await;
        portal
    }

    /// Under which its portal is reached.
    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn tenant(&self) -> &str {
        self.tenant.as_str()
    }

    pub async fn add_account(&self, name: &str) {
        self.add_account_until(name, None).await;
    }

    pub async fn add_account_until(&self, name: &str, valid_until: Option<&str>) {
        let mut new = testing::account(name);
        new.account.roles = vec!["ROLE_KSA_PRO_USER".into()];
        new.account.valid_until = valid_until.map(|day| day.parse().unwrap());
        new.account.username = Some(name.into());
        new.password_hash = Some(password_hash(name));
        let expires_at = Timestamp::now() + 24.hours();
        new.link = Some(LinkSecretHash { sha256_hex: login::link_token_hash(&self.link_token(name)), expires_at });
        self.store.put_account(&self.tenant, &new).await.unwrap();
    }

    /// Gives an account another password, which it has from now on.
    pub async fn renew_password(&self, name: &str, password: &str) {
        let stored = self.store.account(&self.tenant, &account_id(name)).await.unwrap().unwrap();
        let hash = login::hash_password(password, [9; 16]).unwrap();
        let new = NewAccount { account: stored, password_hash: Some(hash), link: None, end_shares: false };
        self.store.put_account(&self.tenant, &new).await.unwrap();
    }

    /// Gives an account another link, whose token this is.
    pub async fn renew_link(&self, name: &str, token: &str) {
        self.renew_letter(name, token, false).await;
    }

    /// The same, and with `end_shares` what was shared with the earlier one.
    pub async fn renew_letter(&self, name: &str, token: &str, end_shares: bool) {
        let stored = self.store.account(&self.tenant, &account_id(name)).await.unwrap().unwrap();
        let link = LinkSecretHash { sha256_hex: login::link_token_hash(token), expires_at: Timestamp::now() + 24.hours() };
        self.store
            .put_account(&self.tenant, &NewAccount { account: stored, password_hash: None, link: Some(link), end_shares })
            .await
            .unwrap();
    }

    /// The link token of an account in these tests.
    pub fn link_token(&self, name: &str) -> String {
        format!("link{}of{}0123456789abcdefghij", self.tenant, name.replace('-', ""))
    }

    /// A job that may be shared, with one rate `t1` with one decimal; `with` replaces fields.
    pub async fn add_job(&self, account: &str, id: &str, with: Value) {
        let imported = self.list_job(account, id, with, Timestamp::now()).await;
        assert_eq!(imported, JobImported::Created);
    }

    /// The utility lists such a job at this time.
    pub async fn list_job(&self, account: &str, id: &str, with: Value, now: Timestamp) -> JobImported {
        let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 1 });
        let mut fields = json!({ "jobPermissions": { "reShare": true }, "meter": { "meterRateTasks": [rate] } });
        merge(&mut fields, with);
        let line = JobLine {
            account_id: account_id(account),
            master: testing::job(id, fields),
            season: SeasonId::default(),
            pass_through: Default::default(),
        };
        let tenant = self.store.tenant(&self.tenant).await.unwrap().unwrap();
        testing::import(&self.store, &tenant.application, &[line], now).await.remove(0)
    }

    /// The token of the account's registration.
    pub async fn registration(&self, account: &str) -> String {
        let (account, token) = (account_id(account), format!("self-service-of-{account}"));
        self.store.open_registration(&self.tenant, &account, &token).await.unwrap().self_service_token
    }

    /// The account, or those below it, had so many photos read in this hour.
    pub async fn have_photos_read(&self, account: &str, is_below: bool, count: u32) {
        for _ in 0..count {
            let counted = self.store.count_photo_reading(&self.tenant, &account_id(account), is_below, count, Timestamp::now()).await;
            assert_eq!(counted.unwrap(), None);
        }
    }

    /// The account, or those below it, made login data of shares so often in this hour, and in the one that may begin meanwhile.
    pub async fn have_share_logins_made(&self, account: &str, is_below: bool, count: u32) {
        let now = Timestamp::now();
        for at in [now, now + 1.hour()] {
            for _ in 0..count {
                let counted = self.store.count_share_login(&self.tenant, &account_id(account), is_below, u32::MAX, at).await;
                assert_eq!(counted.unwrap(), None);
            }
        }
    }

    /// The account sent so many photos in this hour.
    pub async fn have_photos_sent(&self, account: &str, count: u32) {
        let counted = self.store.count_uploads(&self.tenant, &account_id(account), count, count, Timestamp::now()).await;
        assert_eq!(counted.unwrap(), None);
    }

    /// The member announced so many photos in this hour.
    pub async fn have_photos_announced(&self, member: &MemberId, count: u32) {
        let counted = self.store.count_uploads_of_member(&self.tenant, member, count, u32::MAX, Timestamp::now()).await;
        assert_eq!(counted.unwrap(), None);
    }

    /// What a photo of a job's reading is called that staff sent ahead.
    pub async fn upload_of_staff(&self, session: &str, job: &str, bytes: &[u8]) -> Value {
        let path = format!("/api/desk/tenants/{}/jobs/{job}/upload", self.tenant);
        let announced = json!({ "contentType": "image/jpeg", "contentLength": bytes.len() });
        let ticket = self.send(Method::POST, &path, Some(session), Some(&announced), None).await;
        assert_eq!(ticket.status, StatusCode::CREATED, "{ticket:?}");
        let ticket = Ticket::of(self, ticket.body);
        assert!(ticket.put(bytes, "image/jpeg").await.is_success());
        json!({ "uploadId": ticket.id() })
    }

    /// Erases the account with everything of it, and looks a last time.
    pub async fn erase(&self, account: &str) {
        let asked = Timestamp::now();
        for look in [asked, asked + 1.hour()] {
            let erasure = self.store.request_erasure(&self.tenant, &account_id(account), asked).await.unwrap();
            let erased = self.store.erase(&bucket(), &self.tenant, &erasure, look, &|| false).await.unwrap();
            assert!(erased.finished, "{erased:?}");
        }
    }

    /// Whether the owner of the account's registration has declined reminders.
    pub async fn declined_reminders(&self, account: &str) -> bool {
        self.store.registration(&self.tenant, &account_id(account)).await.unwrap().unwrap().no_reminders
    }

    /// The utility no longer lists the job.
    pub async fn close_job(&self, account: &str, id: &str) {
        let (account, id) = (account_id(account), job_id(id));
        assert!(self.store.close_job(&self.tenant, &account, &id, Timestamp::now()).await.unwrap());
    }

    /// The tenant's items as text.
    pub async fn everything(&self) -> String {
        let (settings, prefix) = (&world().settings, format!("T#{}#", self.tenant));
        let scan = store::dynamodb(&settings.aws).scan().table_name(settings.table_name.as_ref().unwrap()).into_paginator().items().send();
        let items = scan.collect::<Result<Vec<_>, _>>().await.unwrap();
        let own = items.iter().filter(|item| item["pk"].as_s().is_ok_and(|pk| pk.starts_with(&prefix)));
        own.map(|item| format!("{item:?}\n")).collect()
    }

    /// Has the tenant's settings stand as a program left them that knew no limits of a day yet, with the hashes that it computed.
    pub async fn put_into_effect_before_limits(&self) {
        let settings = &world().settings;
        let (client, table) = (store::dynamodb(&settings.aws), settings.table_name.clone().unwrap());
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let of = async |below: &str| {
            let partition = text(&format!("T#{}{below}", self.tenant));
            let query =
                client.query().table_name(&table).key_condition_expression("pk = :pk").expression_attribute_values(":pk", partition);
            query.send().await.unwrap().items.unwrap()
        };
        let put = async |item| drop(client.put_item().table_name(&table).set_item(Some(item)).send().await.unwrap());
        let mut application = of("").await.into_iter().find(|item| item["sk"] == text("CONF#APP")).unwrap();
        let now = application["document"].as_s().unwrap().clone();
        let before = now.replace(r#""limits":{"lettersPerDay":100000,"invitationsPerDay":100000},"#, "");
        assert_ne!(now, before);
        let [hash, hash_before] = [&now, &before].map(|document| store::file_hash(document.as_bytes()));
        application.insert("document".into(), text(&before));
        application.insert("version".into(), text("of-the-program-before"));
        put(application).await;
        for (below, attribute) in [("#VERSIONS", "applied"), ("#DRAFTS", "draft")] {
            for mut item in of(below).await {
                let named = item[attribute].as_s().unwrap().replace(&hash, &hash_before);
                item.insert(attribute.into(), text(&named));
                put(item).await;
            }
        }
        let mut file = of(&format!("#FILE#{hash}")).await.remove(0);
        client.delete_item().table_name(&table).key("pk", file["pk"].clone()).key("sk", file["sk"].clone()).send().await.unwrap();
        file.insert("pk".into(), text(&format!("T#{}#FILE#{hash_before}", self.tenant)));
        file.insert("content".into(), AttributeValue::B(before.into_bytes().into()));
        put(file).await;
    }

    /// Every reading that the tenant got.
    pub async fn ledger(&self) -> Vec<LedgerEntry> {
        let (since, until) = (Timestamp::now() - 1.hours(), Timestamp::now() + 1.hours());
        let mut entries = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = self.store.results(&self.tenant, since, until, cursor.as_deref()).await.unwrap();
            entries.extend(page.entries);
            cursor = page.next_cursor;
            if cursor.is_none() {
                return entries;
            }
        }
    }

    /// What waits for the tenant's webhook.
    pub async fn delivery_contents(&self) -> Vec<DeliveryContent> {
        let mut queue = self.store.deliveries(&self.tenant);
        let mut waiting = Vec::new();
        while let Some(delivery) = queue.next().await.unwrap() {
            waiting.push(delivery);
        }
        self.store.delivery_contents(&self.tenant, &waiting, jiff::Timestamp::now()).await.unwrap()
    }

    /// Every reading of a meter without a job that the tenant got.
    pub async fn readings_without_job(&self) -> Vec<ReadingWithoutJob> {
        let (since, until) = (Timestamp::now() - 1.hours(), Timestamp::now() + 1.hours());
        let mut entries = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = self.store.readings_without_job(&self.tenant, since, until, cursor.as_deref()).await.unwrap();
            entries.extend(page.entries);
            cursor = page.next_cursor;
            if cursor.is_none() {
                return entries;
            }
        }
    }

    /// A photo as it rests in the bucket.
    pub async fn stored_photo(&self, reading: &JobId, image: &ImageId) -> Option<Bytes> {
        bucket().get(&self.tenant, reading, image).await.unwrap()
    }

    /// How many photos of the tenant's readings rest there.
    pub async fn stored_photos(&self) -> usize {
        bucket().list(&self.tenant, None).await.unwrap().photos.len()
    }

    /// The access token of a new visitor.
    pub async fn visitor(&self) -> String {
        let answer = self.request(Method::POST, "/auth/token-unknown-readings").await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.body["token"].as_str().unwrap().to_owned()
    }

    /// A visitor's session for a device with this address.
    pub async fn visitor_from(&self, address: &str) -> Answer {
        let request = self.request_to(Method::POST, "/auth/token-unknown-readings");
        Answer::of(request.header("x-viewer-address", address.to_string())).await
    }

    pub async fn get_if_none_match(&self, path: &str, etag: &str) -> Answer {
        Answer::of(self.request_to(Method::GET, path).header(header::IF_NONE_MATCH, etag)).await
    }

    pub async fn login(&self, name: &str) -> Persona<'_> {
        let answer = self.token(json!({ "username": name, "password": password(name) })).await;
        self.logged_in(name, &answer)
    }

    /// The same with a browser that says this of itself.
    pub async fn login_on(&self, user_agent: &str, name: &str) -> Persona<'_> {
        let grant = json!({ "username": name, "password": password(name), "applicationId": self.tenant() });
        let request = self.request_to(Method::POST, "/auth/token").header(header::USER_AGENT, user_agent.to_owned());
        self.logged_in(name, &Answer::of(request.json(&grant)).await)
    }

    /// The sub-account of a share that was made just now, logged in with its user name.
    pub async fn login_share(&self, created: &Value) -> Persona<'_> {
        let answer = self.token(json!({ "username": created["username"], "password": created["password"] })).await;
        self.logged_in(created["id"].as_str().unwrap(), &answer)
    }

    /// The same, logged in with its link.
    pub async fn open_share(&self, created: &Value) -> Persona<'_> {
        let answer = self.token(json!({ "token": created["token"] })).await;
        self.logged_in(created["id"].as_str().unwrap(), &answer)
    }

    /// Who got this answer to a login.
    pub fn logged_in(&self, name: &str, answer: &Answer) -> Persona<'_> {
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        let token = answer.body["token"].as_str().unwrap().to_owned();
        Persona { portal: self, name: name.to_owned(), token, refresh_token: answer.body["refreshToken"].clone() }
    }

    /// Somebody who has an access token, without the work of a login.
    pub fn persona(&self, name: &str) -> Persona<'_> {
        Persona { portal: self, name: name.to_owned(), token: self.fresh_token(name), refresh_token: Value::Null }
    }

    /// `POST /auth/token` with this tenant's application id.
    pub async fn token(&self, grant: Value) -> Answer {
        self.token_from("192.0.2.1", grant).await
    }

    /// The same from a device with this address.
    pub async fn token_from(&self, address: &str, mut grant: Value) -> Answer {
        grant["applicationId"] = json!(self.tenant());
        let request = self.request_to(Method::POST, "/auth/token").json(&grant);
        Answer::of(request.header("x-viewer-address", address.to_string())).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path).await
    }

    pub async fn get_with(&self, path: &str, token: &str) -> Answer {
        self.send(Method::GET, path, Some(token), None, None).await
    }

    pub async fn get_at_host(&self, host: &str, path: &str) -> Answer {
        Answer::of(self.http.get(format!("{}{path}", self.api_url)).header(header::HOST, host)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, None, Some(&body), None).await
    }

    pub async fn post_text(&self, path: &str, content_type: &str, body: &str) -> Answer {
        Answer::of(self.request_to(Method::POST, path).header(header::CONTENT_TYPE, content_type).body(body.to_owned())).await
    }

    pub async fn request(&self, method: Method, path: &str) -> Answer {
        Answer::of(self.request_to(method, path)).await
    }

    /// At the desk the token is that of the session's cookie, and the desk's page calls.
    pub async fn send(&self, method: Method, path: &str, token: Option<&str>, body: Option<&Value>, key: Option<&str>) -> Answer {
        let mut request = self.request_to(method, path);
        if is_of_desk(path) {
            request = request.header("x-desk", "1").header(header::ORIGIN, DESK_ORIGIN);
        }
        if let Some(token) = token {
            request = match is_of_desk(path) {
                true => request.header(header::COOKIE, desk_cookie(token)),
                false => request.bearer_auth(token),
            };
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        Answer::of(request).await
    }

    /// A request with these headers and no others of ours, at the desk or at the portal.
    pub async fn send_with(&self, method: Method, path: &str, headers: &[(&'static str, &str)], body: Option<&Value>) -> Answer {
        let mut request = self.request_to(method, path);
        for (name, value) in headers {
            request = request.header(*name, (*value).to_owned());
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        Answer::of(request).await
    }

    /// The session of a new member of the tenant with these roles.
    pub async fn member(&self, roles: &[Role]) -> String {
        self.member_since(roles, Timestamp::now()).await.1
    }

    /// The same with the member, the session having begun then.
    pub async fn member_since(&self, roles: &[Role], opened: Timestamp) -> (MemberId, String) {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("member-{:04}", COUNT.fetch_add(1, Ordering::Relaxed));
        let member = testing::join(&self.store, &self.tenant, &name, roles, opened).await;
        let session = testing::staff_session(&self.store, &member, opened).await;
        (member, session)
    }

    /// A member of those who run the product, with a session.
    pub async fn platform_member(&self) -> (MemberId, String) {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (name, now) = (format!("platform-{:04}-of-{}", COUNT.fetch_add(1, Ordering::Relaxed), self.tenant), Timestamp::now());
        let member = testing::join(&self.store, &TenantId::platform(), &name, &[Role::Platform], now).await;
        let session = testing::staff_session(&self.store, &member, now).await;
        (member, session)
    }

    /// The token of a new preview of what an account sees, which a new member asked for.
    pub async fn customer_preview(&self, account: &str) -> String {
        let (member, session) = self.member_since(&[Role::Support], Timestamp::now()).await;
        let path = format!("/api/desk/tenants/{}/customers/{account}/preview", self.tenant);
        let asked = self.send(Method::POST, &path, Some(&session), None, None).await;
        assert_eq!(asked.status, StatusCode::OK, "{member}: {asked:?}");
        asked.body["url"].as_str().unwrap().rsplit_once('#').unwrap().1.to_owned()
    }

    /// Has somebody who runs the product ask the tenant for access.
    pub async fn ask_for_access(&self, member: &MemberId) {
        let ask =
            AccessAsk { member: member.clone(), by: "Petra Vogt".into(), reason: "Der Import bricht ab.".into(), at: Timestamp::now() };
        self.store.ask_for_access(&self.tenant, &ask).await.unwrap();
    }

    /// The token of a new invitation to these roles.
    pub async fn staff_invitation(&self, roles: &[Role]) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let token = format!("invitation-{:08}-of-{}", COUNT.fetch_add(1, Ordering::Relaxed), self.tenant);
        let invitation = StaffInvitation {
            member: None,
            email: "invited@staff.example".parse().unwrap(),
            roles: roles.iter().copied().collect(),
            invited_by: "Jonas Reuter".into(),
            inviter: None,
            expires_at: Timestamp::now() + 24.hours(),
        };
        self.store.invite_member(&self.tenant, &token, &invitation, None).await.unwrap();
        token
    }

    /// The tenant's table.
    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn tenant_id(&self) -> &TenantId {
        &self.tenant
    }

    fn request_to(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.api_url)).header(header::HOST, &self.host)
    }

    /// A token that was good an hour ago.
    pub fn expired_token(&self, account: &str) -> String {
        self.sign(account, roles(), Timestamp::now() - 1.hours())
    }

    /// A token that is good, of an account that may do this and nothing else.
    pub fn token_with_roles(&self, account: &str, roles: &[&str]) -> String {
        self.sign(account, roles.iter().map(|role| (*role).to_owned()).collect(), Timestamp::now())
    }

    /// A token that is good, whether or not there is such an account.
    pub fn fresh_token(&self, account: &str) -> String {
        self.sign(account, roles(), Timestamp::now())
    }

    /// All that is stored about an account and those below it, as it is disclosed.
    pub async fn subject(&self, account: &str) -> String {
        let items = self.store.subject(&self.tenant, &account_id(account)).await.unwrap();
        items.iter().map(|item| format!("{item}\n")).collect()
    }

    /// Mails to this address come back from now on.
    pub async fn suppress(&self, address: &str) {
        let address: EmailAddress = address.parse().unwrap();
        self.store.suppress(&self.tenant, &address.hash(), Timestamp::now()).await.unwrap();
    }

    /// What became of a mail.
    pub async fn mail(&self, account: &str, id: &str) -> MailRecord {
        self.store.mail(&self.tenant, &account_id(account), id).await.unwrap().unwrap()
    }

    fn sign(&self, account: &str, roles: Vec<String>, now: Timestamp) -> String {
        let account = account_id(account);
        let claims = Claims::new(self.tenant.clone(), account, roles, LoginKind::Credentials, now, [1; 16]);
        world().signer.sign(&claims).unwrap()
    }
}

/// What an account of these tenants may do.
fn roles() -> Vec<String> {
    [
        "ROLE_KSA_PRO_USER",
        "ROLE_KSA_UNKNOWN_READINGS",
        "ROLE_KSA_SEND_CRMREGISTEREDUSER_READINGRECEIPT",
        "ROLE_KSA_SEND_UNKNOWNUSER_READINGRECEIPT",
    ]
    .map(str::to_owned)
    .into()
}

impl Persona<'_> {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn refresh_token(&self) -> Value {
        self.refresh_token.clone()
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.portal.get_with(path, &self.token).await
    }

    pub async fn get_if_none_match(&self, path: &str, etag: &str) -> Answer {
        Answer::of(self.portal.request_to(Method::GET, path).bearer_auth(&self.token).header(header::IF_NONE_MATCH, etag)).await
    }

    pub async fn post_text(&self, path: &str, body: &str) -> Answer {
        let request = self.portal.request_to(Method::POST, path).bearer_auth(&self.token);
        Answer::of(request.header(header::CONTENT_TYPE, "application/json").body(body.to_owned())).await
    }

    /// Shares jobs, which may be shared on; gives the share with its login data.
    pub async fn share(&self, name: &str, jobs: &[&str]) -> Value {
        let answer = self.share_as(json!({ "name": name, "allowToReShare": true, "jobIds": jobs }), None).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
        answer.body
    }

    /// The token of its registration's page.
    pub async fn self_service_token(&self) -> String {
        let info = self.get("/api/pro/account/crm-registration-info").await;
        assert_eq!(info.status, StatusCode::OK, "{info:?}");
        info.body["selfServiceToken"].as_str().unwrap().to_owned()
    }

    /// Asks for mails to this address, and gives the token of the mail that it gets.
    pub async fn confirmation_token(&self, address: &str) -> String {
        let path = format!("/api/public/communication/{}", self.self_service_token().await);
        let asked = self.portal.post(&path, json!({ "email": address, "privacyAccepted": true })).await;
        assert_eq!(asked.status, StatusCode::ACCEPTED, "{asked:?}");
        after(&mails_to(address).await[0], "/registrierung/bestaetigen/")
    }

    /// Registers this address and confirms it.
    pub async fn register(&self, address: &str) {
        let path = format!("/api/public/communication/confirmation/{}", self.confirmation_token(address).await);
        let confirmed = self.portal.request(Method::POST, &path).await;
        assert_eq!(confirmed.status, StatusCode::NO_CONTENT, "{confirmed:?}");
    }

    /// Sends a reading that belongs to no job.
    pub async fn send_reading(&self, reading: &Value) {
        let sent = self.portal.send(Method::POST, "/api/unknown-readings/results", Some(&self.token), Some(reading), None).await;
        assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
    }

    /// Asks for a share.
    pub async fn share_as(&self, body: Value, key: Option<&str>) -> Answer {
        self.portal.send(Method::POST, "/api/pro/share/job", Some(&self.token), Some(&body), key).await
    }

    pub async fn post(&self, path: &str, key: Option<&str>) -> Answer {
        self.portal.send(Method::POST, path, Some(&self.token), None, key).await
    }

    pub async fn delete(&self, path: &str, key: Option<&str>) -> Answer {
        self.portal.send(Method::DELETE, path, Some(&self.token), None, key).await
    }

    /// The ids of the jobs that it sees.
    pub async fn jobs(&self) -> Vec<String> {
        let answer = self.get("/api/pro/job").await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.body["jobs"].as_array().unwrap().iter().map(|job| job["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Sends a reading.
    pub async fn send(&self, job: &str, body: Value, key: Option<&str>) -> Answer {
        let path = format!("/api/pro/job/{job}/meterRateTask/result");
        self.portal.send(Method::POST, &path, Some(&self.token), Some(&body), key).await
    }

    /// Sends a reading, and again while others change the same job, as the portal's outbox does.
    pub async fn send_until_settled(&self, job: &str, body: Value, key: &str) -> Answer {
        loop {
            let answer = self.send(job, body.clone(), Some(key)).await;
            if answer.status != StatusCode::CONFLICT {
                return answer;
            }
        }
    }

    /// Sends a reading with a photo and gives the photo's id.
    pub async fn send_with_photo(&self, job: &str) -> String {
        let upload = self.upload(PHOTO).await;
        let mut body = reading("4000.0");
        body["results"][0]["readingImages"] = json!([{ "uploadId": upload }]);
        let answer = self.send(job, body, Some("photo")).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        photo_of_last_reading(&answer.body)
    }

    /// Sends both rates of a double-tariff job, each with a photo, and gives the id of the first rate's photo.
    pub async fn send_both_with_photo(&self, job: &str) -> String {
        let mut body = reading("4000.0");
        let mut results = Vec::new();
        for task in ["t1", "t2"] {
            let upload = self.upload(PHOTO).await;
            results.push(json!({ "taskId": task, "readingValue": "4000.0", "readingImages": [{ "uploadId": upload }] }));
        }
        body["results"] = json!(results);
        let answer = self.send(job, body, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        photo_of_last_reading(&answer.body)
    }

    /// Asks for an address for a photo of this many bytes.
    pub async fn announce(&self, length: usize) -> Ticket {
        let body = json!({ "contentType": "image/jpeg", "contentLength": length });
        let ticket = self.portal.send(Method::POST, "/api/pro/upload", Some(&self.token), Some(&body), None).await;
        assert_eq!(ticket.status, StatusCode::CREATED, "{ticket:?}");
        assert_eq!(ticket.body["method"], "PUT");
        Ticket { http: self.portal.http.clone(), body: ticket.body }
    }

    /// Sends a photo ahead and gives its id.
    pub async fn upload(&self, bytes: &[u8]) -> String {
        let ticket = self.announce(bytes.len()).await;
        let stored = ticket.put(bytes, "image/jpeg").await;
        assert!(stored.is_success(), "{stored}");
        ticket.body["uploadId"].as_str().unwrap().to_owned()
    }
}

/// The bucket of the photos.
fn bucket() -> Photos {
    let settings = &world().settings;
    Photos::new(store::s3(&settings.aws), settings.photo_bucket.clone().unwrap())
}

/// The permission to send a photo ahead.
pub struct Ticket {
    http: Client,
    body: Value,
}

impl Ticket {
    /// What a permission said.
    pub fn of(portal: &Portal, body: Value) -> Self {
        Self { http: portal.http.clone(), body }
    }

    /// By what a reading names the photo.
    pub fn id(&self) -> &Value {
        &self.body["uploadId"]
    }

    /// Puts the bytes where the ticket says, with the headers that it names.
    pub async fn put(&self, bytes: &[u8], content_type: &str) -> StatusCode {
        self.put_with(bytes, |name, value| Some(if name == "content-type" { content_type.to_owned() } else { value.to_owned() })).await
    }

    /// The same without one of the headers.
    pub async fn put_without(&self, header: &str, bytes: &[u8]) -> StatusCode {
        self.put_with(bytes, |name, value| (name != header).then(|| value.to_owned())).await
    }

    async fn put_with(&self, bytes: &[u8], header: impl Fn(&str, &str) -> Option<String>) -> StatusCode {
        let mut put = self.http.put(self.body["url"].as_str().unwrap()).body(bytes.to_vec());
        for (name, value) in self.body["headers"].as_object().unwrap() {
            let name = name.to_ascii_lowercase();
            if let Some(value) = header(&name, value.as_str().unwrap()).filter(|_| name != "content-length") {
                put = put.header(name, value);
            }
        }
        put.send().await.unwrap().status()
    }
}

impl Answer {
    async fn of(request: reqwest::RequestBuilder) -> Self {
        let (client, request) = request.build_split();
        let request = request.unwrap();
        let has_body = request.method() != Method::HEAD;
        let response = client.execute(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.bytes().await.unwrap().to_vec();
        let answer = Self { status, headers, body: serde_json::from_slice(&bytes).unwrap_or_default(), bytes };
        if has_body && (status.is_client_error() || status.is_server_error()) {
            answer.assert_is_problem();
        }
        answer
    }

    /// It is what was asked for, here or elsewhere.
    pub fn succeeded(&self) -> bool {
        self.status.is_success() || self.status.is_redirection()
    }

    /// What the log says about the request.
    #[track_caller]
    pub fn log_line(&self) -> Value {
        let id = self.header("x-request-id").expect("every answer has the request's id");
        let line = log().into_iter().find(|line| line.contains(id));
        serde_json::from_str(&line.expect("every request has a log line")).unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The cookies that it sets, as they stand in the header.
    pub fn cookies(&self) -> Vec<&str> {
        self.headers.get_all(header::SET_COOKIE).iter().map(|cookie| cookie.to_str().unwrap()).collect()
    }

    /// A problem document of this status and code.
    #[track_caller]
    pub fn assert_problem(&self, status: u16, code: &str) {
        assert_eq!((self.status.as_u16(), self.body["code"].as_str()), (status, Some(code)), "{self:?}");
        self.assert_is_problem();
    }

    /// A problem document of a known code, as RFC 9457 and the domain decisions have it.
    fn assert_is_problem(&self) {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let code = self.body["code"].as_str().unwrap_or_default();
        assert!(edge::Code::ALL.iter().any(|known| known.as_str() == code), "{self:?}");
        assert_eq!(self.body["status"], self.status.as_u16(), "{self:?}");
        for field in ["type", "title", "detail", "instance"] {
            assert!(self.body[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {self:?}");
        }
    }

    /// A finding of the rules at a field.
    #[track_caller]
    pub fn assert_finding(&self, field: &str, code: &str) {
        let errors = self.body["fieldErrors"].as_array().cloned().unwrap_or_default();
        assert!(errors.iter().any(|error| error["field"] == field && error["code"] == code), "{self:?}");
    }

    /// The body without the request's id, which is the only thing in which two refusals may differ.
    pub fn without_instance(&self) -> Value {
        let mut body = self.body.clone();
        body["instance"] = Value::Null;
        body
    }
}
