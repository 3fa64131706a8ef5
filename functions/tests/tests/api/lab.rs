//! A product of one's own, all of whose calls to AWS go through a proxy that can break them.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex as SyncMutex};
use std::time::Duration;

use api::grants::Resource;
use api::route::Route;
use api::routing;
use api::settings::Settings;
use aws::TimeLimits;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edge::{Request, Running, Service, SharedService};
use emulators::{Dynamo, Snapshot};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use local::bounds::{Bounds, Limits};
use local::gateway::{Gateway, Serving};
use runtime::log::Cost;
use serde_json::{Map, Value, json};
use store::Store;
use testing::{BucketSnapshot, Fate, Proxy, Upstream};
use tokio::net::TcpListener;
use tokio::sync::Mutex;

use crate::calls::{Call, rightful};
use crate::world::{self, Portal};

/// Whether the walks over all routes try everything that can happen to each call of AWS, and not the part of it that shows most.
pub fn is_full_matrix() -> bool {
    std::env::var_os("ZW_FULL_MATRIX").is_some_and(|value| value == "1")
}

/// The product with one tenant: an account `owner` that has the job `owner-job`.
pub struct Lab {
    pub portal: Portal,
    pub proxy: Proxy,
    functions: Vec<Arc<Function>>,
    environment: BTreeMap<&'static str, String>,
    upstream: Upstream,
    limits: TimeLimits,
    table: aws_sdk_dynamodb::Client,
    table_name: String,
    s3: aws_sdk_s3::Client,
    bucket: String,
    /// What [`Self::restore`] goes back to, and the route that is tried.
    prepared: Option<(Snapshot, BucketSnapshot, &'static Route)>,
    _serving: Serving,
    dynamo: Dynamo,
}

impl Lab {
    /// One whose calls to AWS may take as long as the emulators need.
    pub async fn start() -> Self {
        Self::start_within(TimeLimits::EMULATOR).await
    }

    /// One whose calls to AWS may take so long.
    async fn start_within(limits: TimeLimits) -> Self {
        let dynamo = Dynamo::in_memory().unwrap();
        let (mut environment, s3_url) = world::environment();
        let upstream = Upstream::new(dynamo.endpoint(), &environment["AWS_ENDPOINT_URL_TEXTRACT"], &s3_url);
        environment.insert("AWS_ENDPOINT_URL_DYNAMODB", dynamo.endpoint().to_owned());
        let settings = Settings::from_lookup(|name| environment.get(name).cloned()).unwrap();
        let (table, table_name, s3) = (store::dynamodb(&settings.aws), settings.table_name.unwrap(), store::s3(&settings.aws));
        emulators::create_table(&table, &table_name).await.unwrap();

        let functions: Vec<_> = api::routes::ROUTES.iter().map(|route| Arc::new(Function::new(route))).collect();
        let routes = functions.iter().map(|function| {
            let service: SharedService = function.clone();
            routing::Route::new(function.route.method().clone(), function.route.path(), service)
        });
        let gateway = Gateway {
            routes: routing::Routes::new(routes),
            default: Arc::new(api::Fallback),
            time_limit: limits.operation.max(Duration::from_secs(Route::TIMEOUT.into())),
            bounds: Bounds::new(Limits::default()),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let api_url = format!("http://{}", listener.local_addr().unwrap());
        let serving = gateway.serve(listener);

        let portal = Portal::at(api_url, Store::new(table.clone(), &table_name), "lab".into()).await;
        portal.add_account("owner").await;
        portal.add_job("owner", "owner-job", json!({})).await;
        let proxy = Proxy::start(upstream.clone()).await;
        let mut lab = Self {
            portal,
            proxy,
            functions,
            environment,
            upstream,
            limits,
            table,
            table_name,
            s3,
            bucket: String::new(),
            prepared: None,
            _serving: serving,
            dynamo,
        };
        lab.connect(None).await;
        lab
    }

    /// A lab and the rightful call of a route, of those that it has the one at this place. The route's function has just been started.
    pub async fn for_call(route: &'static Route, way: usize) -> (Self, Call) {
        Self::for_call_within(TimeLimits::EMULATOR, route, way).await
    }

    /// The same, with calls to AWS that may take so long.
    pub async fn for_call_within(limits: TimeLimits, route: &'static Route, way: usize) -> (Self, Call) {
        let mut lab = Self::start_within(limits).await;
        let call = rightful(&lab.portal, route, &lab.portal.persona("owner")).await.remove(way);
        lab.prepared = Some((lab.dynamo.snapshot().unwrap(), BucketSnapshot::of(&lab.s3, &lab.bucket).await, route));
        lab.restart(route.operation).await;
        (lab, call)
    }

    /// Makes everything as it was when the call was ready: what is stored, and functions that know nothing, have a proxy of their own, and
    /// all retries that the SDK grants. What earlier functions may still be asking for goes nowhere.
    pub async fn restore(&mut self) {
        self.proxy.close().await;
        self.proxy = Proxy::start(self.upstream.clone()).await;
        let (table, objects, route) = self.prepared.take().unwrap();
        self.dynamo.restore(&table).unwrap();
        if self.connect(Some(route)).await {
            objects.put(&self.s3, &self.bucket).await;
        }
        self.restart(route.operation).await;
        self.prepared = Some((table, objects, route));
    }

    /// Has all functions start anew, behind the present proxy and in a region of their own with what this route, or any, needs there. Whether
    /// that is a bucket, which is empty then.
    async fn connect(&mut self, route: Option<&Route>) -> bool {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let needs = |resources: &[Resource]| route.is_none_or(|route| route.all_grants().any(|grant| resources.contains(&grant.resource)));
        let needs_bucket = needs(&[Resource::Uploads, Resource::Photos, Resource::PhotoBucket]);
        // The SDK counts retries by region for the whole process; what others lost may not be missing here.
        let region = format!("lab-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        if needs_bucket {
            self.bucket = format!("photos-{region}");
        }
        let settings = |is_broken: bool| {
            Settings::from_lookup(|name| match name {
                "AWS_REGION" => Some(region.clone()),
                "PHOTO_BUCKET" => Some(self.bucket.clone()),
                name if is_broken && name.starts_with("AWS_ENDPOINT_URL") => {
                    self.environment.contains_key(name).then(|| self.proxy.url.clone())
                }
                name => self.environment.get(name).cloned(),
            })
            .unwrap()
        };
        let (mut broken, whole) = (settings(true), settings(false));
        broken.aws.time_limits = Some(self.limits);
        if needs(&[Resource::StaffPool]) {
            broken.desk.pool = Some(emulators::create_user_pool(&whole.aws, "staff").await.unwrap());
        }
        for function in &self.functions {
            function.connect(broken.clone()).await;
        }
        if needs(&[Resource::Mail]) {
            emulators::verify_sender(&whole.aws, "example.org").await.unwrap();
        }
        if needs_bucket {
            self.s3 = store::s3(&whole.aws);
            emulators::create_bucket(&self.s3, &self.bucket, &["http://localhost"]).await.unwrap();
        }
        needs_bucket
    }

    /// Starts a function anew: it has connections, and knows nothing.
    pub async fn restart(&self, operation: &str) {
        self.functions.iter().find(|function| function.route.operation == operation).unwrap().restart().await;
    }

    async fn items(&self) -> Vec<Value> {
        let items = self.table.scan().table_name(&self.table_name).into_paginator().items().send().collect::<Result<Vec<_>, _>>().await;
        items.unwrap().into_iter().map(|item| json_of(AttributeValue::M(item))).collect()
    }

    /// Makes of every document that is stored one of a newer version, which has a member more in each of its objects. What a run is to do stays: nobody does that who
    /// does not know all of it.
    pub async fn store_as_newer_version(&self) {
        let items = self.table.scan().table_name(&self.table_name).into_paginator().items().send().collect::<Result<Vec<_>, _>>().await;
        for mut item in items.unwrap() {
            let before = item.clone();
            for (name, value) in &mut item {
                match value {
                    // Drafts are compared as a whole: what a newer version wrote is told to have changed meanwhile.
                    AttributeValue::S(text) if !["run", "draft"].contains(&name.as_str()) => text.clone_from(&with_new_member(text)),
                    AttributeValue::B(bytes) if name == "body" => {
                        let text = String::from_utf8(unpacked(bytes.as_ref())).unwrap();
                        *bytes = Blob::new(packed(with_new_member(&text).as_bytes()));
                    }
                    _ => {}
                }
            }
            if item != before {
                self.table.put_item().table_name(&self.table_name).set_item(Some(item)).send().await.unwrap();
            }
        }
    }

    /// Everything that is stored: items, and objects with the hash of their content.
    pub async fn state(&self) -> Vec<Value> {
        let mut state = self.items().await;
        let objects = self.s3.list_objects_v2().bucket(&self.bucket).send().await.unwrap();
        state.extend(objects.contents().iter().map(|object| json!({ "key": object.key(), "etag": object.e_tag() })));
        state
    }
}

/// The member that documents of a newer version have.
const NEW_MEMBER: &str = "ofTomorrow";

/// What has something under each of some names, or under one that says what it is, in place of fields.
const WITHOUT_FIELDS: [&str; 4] = ["counts", "secondMemberAbove", "values", "what"];

/// The document with one member more in each object that has fields; what is no document stays as it is.
fn with_new_member(text: &str) -> String {
    fn add(value: &mut Value) {
        match value {
            Value::Object(members) => {
                let of_fields = members.iter_mut().filter(|(name, _)| !WITHOUT_FIELDS.contains(&name.as_str()));
                of_fields.for_each(|(_, value)| add(value));
                if !members.is_empty() && members.keys().all(|name| is_field(name)) {
                    members.insert(NEW_MEMBER.into(), json!({ "is": [1] }));
                }
            }
            Value::Array(values) => values.iter_mut().for_each(add),
            _ => {}
        }
    }
    match serde_json::from_str(text) {
        // Texts by their keys.
        Ok(Value::Object(members)) if members.values().all(Value::is_string) && !members.contains_key("at") => text.to_owned(),
        Ok(mut document @ (Value::Object(_) | Value::Array(_))) if !text.contains(NEW_MEMBER) => {
            add(&mut document);
            document.to_string()
        }
        _ => text.to_owned(),
    }
}

fn is_field(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_lowercase()) && name.bytes().all(|letter| letter.is_ascii_alphanumeric())
}

/// What packed documents are packed with.
const DICTIONARY: &[u8] = include_bytes!("../../../store/src/packed.dictionary");

fn packed(bytes: &[u8]) -> Vec<u8> {
    let (mut packer, mut packed) = (Compress::new(Compression::best(), true), Vec::with_capacity(bytes.len() + 1024));
    packer.set_dictionary(DICTIONARY).unwrap();
    assert_eq!(packer.compress_vec(bytes, &mut packed, FlushCompress::Finish).unwrap(), Status::StreamEnd);
    packed
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let (mut unpacker, mut bytes) = (Decompress::new(true), Vec::with_capacity(1024 * 1024));
    assert!(unpacker.decompress_vec(packed, &mut bytes, FlushDecompress::Finish).unwrap_err().needs_dictionary().is_some());
    unpacker.set_dictionary(DICTIONARY).unwrap();
    let rest = &packed[usize::try_from(unpacker.total_in()).unwrap()..];
    assert_eq!(unpacker.decompress_vec(rest, &mut bytes, FlushDecompress::Finish).unwrap(), Status::StreamEnd);
    bytes
}

fn json_of(value: AttributeValue) -> Value {
    match value {
        AttributeValue::M(fields) => fields.into_iter().map(|(name, value)| (name, json_of(value))).collect::<Map<_, _>>().into(),
        AttributeValue::L(values) => values.into_iter().map(json_of).collect(),
        AttributeValue::S(text) | AttributeValue::N(text) => text.into(),
        AttributeValue::B(bytes) => STANDARD.encode(bytes).into(),
        AttributeValue::Bool(is) => is.into(),
        AttributeValue::Ss(texts) => texts.into_iter().collect::<BTreeSet<_>>().into_iter().collect(),
        other => panic!("the product stores no {other:?}"),
    }
}

/// A function that starts with its first request.
struct Function {
    route: &'static Route,
    instance: Arc<Mutex<Instance>>,
}

/// What a function starts with, and once it has started, the function.
#[derive(Default)]
struct Instance {
    settings: Option<Settings>,
    service: Option<SharedService>,
}

impl Function {
    fn new(route: &'static Route) -> Self {
        Self { route, instance: Arc::default() }
    }

    /// Forgets the function that has started; the next one has these settings.
    async fn connect(&self, settings: Settings) {
        *self.instance.lock().await = Instance { settings: Some(settings), service: None };
    }

    async fn restart(&self) {
        let mut instance = self.instance.lock().await;
        instance.service = None;
        instance.service(self.route).await;
    }
}

impl Instance {
    async fn service(&mut self, route: &'static Route) -> SharedService {
        if self.service.is_none() {
            self.service = Some(api::connect(&[route], self.settings.as_ref().unwrap()).await.unwrap());
        }
        self.service.clone().unwrap()
    }
}

impl Service for Function {
    fn call(&self, request: Request) -> Running {
        let (route, instance) = (self.route, self.instance.clone());
        let cost = Arc::<SyncMutex<Option<Box<dyn Fn() -> Cost + Send>>>>::default();
        let cost_so_far = cost.clone();
        let answer = Box::pin(async move {
            let service = instance.lock().await.service(route).await;
            let running = service.call(request);
            *cost.lock().unwrap() = Some(running.cost);
            running.answer.await
        });
        let cost = Box::new(move || cost_so_far.lock().unwrap().as_ref().map_or_else(Cost::default, |cost| cost()));
        Running { operation: route.operation, is_counted: false, problems: route.problem_codes(), answer, cost }
    }

    fn log(&self, line: &str) {
        world::write_log(line);
    }
}

/// Two labs of the same way have the same future when what is stored is the same to the last version, and their functions know the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_lab_is_like_a_fresh_one() {
    for (operation, name) in [
        ("result_create", "result_create (photo inside)"),
        ("auth_token", "auth_token (refresh)"),
        ("share_delete", "share_delete (with one below)"),
        ("communication_register", "communication_register"),
    ] {
        let route = *api::routes::ROUTES.iter().find(|route| route.operation == operation).unwrap();
        let mut way = 0;
        let (mut lab, call) = loop {
            let (lab, call) = Lab::for_call(route, way).await;
            if call.name == name {
                break (lab, call);
            }
            way += 1;
        };
        let stored = async |lab: &Lab| (lab.items().await, BucketSnapshot::of(&lab.s3, &lab.bucket).await);
        let run = async |lab: &Lab| {
            lab.proxy.play(|_, _| Fate::Works);
            let answer = call.perform(&lab.portal, Some("key")).await;
            let asked: Vec<_> = lab.proxy.stop().into_iter().map(|asked| asked.action).collect();
            (answer.status, asked)
        };
        let fresh = stored(&lab).await;
        let first = run(&lab).await;
        assert!(first.0.is_success(), "{name}: {first:?}");
        assert!(stored(&lab).await != fresh, "{name} changes nothing");
        lab.restore().await;
        assert_eq!(stored(&lab).await, fresh, "{name}");
        assert_eq!(run(&lab).await, first, "{name}");
    }
}
