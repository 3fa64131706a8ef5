//! A product of one's own, all of whose calls to AWS go through a proxy that can break them.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex as SyncMutex};
use std::time::Duration;

use api::route::Route;
use api::routing;
use api::settings::Settings;
use aws::TimeLimits;
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edge::{Request, Running, Service, SharedService};
use emulators::Dynamo;
use local::gateway::{Gateway, Serving};
use runtime::log::Cost;
use serde_json::{Map, Value, json};
use store::Store;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

use crate::calls::{Call, rightful};
use crate::proxy::Proxy;
use crate::world::{self, Portal};

/// The product with one tenant: an account `owner` that has the job `owner-job`.
pub struct Lab {
    pub portal: Portal,
    pub proxy: Proxy,
    functions: Vec<Arc<Function>>,
    table: aws_sdk_dynamodb::Client,
    table_name: String,
    settings: Settings,
    _serving: Serving,
    _dynamo: Dynamo,
}

impl Lab {
    /// One whose calls to AWS may take as long as the emulators need.
    pub async fn start() -> Self {
        Self::start_within(TimeLimits::EMULATOR).await
    }

    /// One whose calls to AWS may take so long.
    async fn start_within(limits: TimeLimits) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let dynamo = Dynamo::in_memory().unwrap();
        let (environment, s3_url) = world::environment();
        let proxy = Proxy::start(dynamo.endpoint().to_owned(), s3_url.clone(), environment["AWS_ENDPOINT_URL_TEXTRACT"].clone()).await;
        // The SDK counts retries by region for the whole process; what others lost may not be missing here.
        let region = format!("lab-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let bucket = format!("photos-{region}");
        let variable = |dynamodb_url: &str, other_url: &str, name: &str| match name {
            "AWS_REGION" => Some(region.clone()),
            "PHOTO_BUCKET" => Some(bucket.clone()),
            "AWS_ENDPOINT_URL_DYNAMODB" => Some(dynamodb_url.to_owned()),
            name if name.starts_with("AWS_ENDPOINT_URL") => environment.contains_key(name).then(|| other_url.to_owned()),
            name => environment.get(name).cloned(),
        };
        let mut broken = Settings::from_lookup(|name| variable(&proxy.url, &proxy.url, name)).unwrap();
        broken.aws.time_limits = Some(limits);
        let settings = Settings::from_lookup(|name| variable(dynamo.endpoint(), &s3_url, name)).unwrap();
        let (table, table_name) = (store::dynamodb(&settings.aws), settings.table_name.clone().unwrap());
        emulators::create_table(&table, &table_name).await.unwrap();
        emulators::verify_sender(&settings.aws, "example.org").await.unwrap();
        emulators::create_bucket(&store::s3(&settings.aws), &bucket, "http://localhost").await.unwrap();

        let functions: Vec<_> = api::routes::ROUTES.iter().map(|route| Arc::new(Function::new(route, broken.clone()))).collect();
        let routes = functions.iter().map(|function| {
            let service: SharedService = function.clone();
            routing::Route::new(function.route.method().clone(), function.route.path(), service)
        });
        let gateway = Gateway {
            routes: routing::Routes::new(routes),
            default: Arc::new(api::Fallback),
            time_limit: Duration::from_secs(Route::TIMEOUT.into()),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let api_url = format!("http://{}", listener.local_addr().unwrap());
        let serving = gateway.serve(listener);

        let portal = Portal::at(api_url, Store::new(table.clone(), &table_name), "lab".into()).await;
        portal.add_account("owner").await;
        portal.add_job("owner", "owner-job", json!({})).await;
        Self { portal, proxy, functions, table, table_name, settings, _serving: serving, _dynamo: dynamo }
    }

    /// A lab and the rightful call of a route, of those that it has the one at this place. The route's function has just been started.
    pub async fn for_call(route: &Route, way: usize) -> (Self, Call) {
        Self::for_call_within(TimeLimits::EMULATOR, route, way).await
    }

    /// The same, with calls to AWS that may take so long.
    pub async fn for_call_within(limits: TimeLimits, route: &Route, way: usize) -> (Self, Call) {
        let lab = Self::start_within(limits).await;
        let call = rightful(&lab.portal, route, &lab.portal.persona("owner")).await.remove(way);
        lab.restart(route.operation).await;
        (lab, call)
    }

    /// Starts a function anew: it has connections, and knows nothing.
    pub async fn restart(&self, operation: &str) {
        let function = self.functions.iter().find(|function| function.route.operation == operation).unwrap();
        *function.started.lock().await = Some(api::connect(&[function.route], &function.settings).await.unwrap());
    }

    /// Everything that is stored: items, and objects with the hash of their content.
    pub async fn state(&self) -> Vec<Value> {
        let items = self.table.scan().table_name(&self.table_name).into_paginator().items().send().collect::<Result<Vec<_>, _>>().await;
        let mut state: Vec<_> = items.unwrap().into_iter().map(|item| json_of(AttributeValue::M(item))).collect();
        let s3 = store::s3(&self.settings.aws);
        let objects = s3.list_objects_v2().bucket(self.settings.photo_bucket.as_ref().unwrap()).send().await.unwrap();
        state.extend(objects.contents().iter().map(|object| json!({ "key": object.key(), "etag": object.e_tag() })));
        state
    }
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
    settings: Settings,
    started: Arc<Mutex<Option<SharedService>>>,
}

impl Function {
    fn new(route: &'static Route, settings: Settings) -> Self {
        Self { route, settings, started: Arc::default() }
    }
}

impl Service for Function {
    fn call(&self, request: Request) -> Running {
        let (route, settings, started) = (self.route, self.settings.clone(), self.started.clone());
        let cost = Arc::<SyncMutex<Option<Box<dyn Fn() -> Cost + Send>>>>::default();
        let cost_so_far = cost.clone();
        let answer = Box::pin(async move {
            let service = {
                let mut started = started.lock().await;
                if started.is_none() {
                    *started = Some(api::connect(&[route], &settings).await.unwrap());
                }
                started.clone().unwrap()
            };
            let running = service.call(request);
            *cost.lock().unwrap() = Some(running.cost);
            running.answer.await
        });
        let cost = Box::new(move || cost_so_far.lock().unwrap().as_ref().map_or_else(Cost::default, |cost| cost()));
        Running { operation: route.operation, problems: route.problem_codes(), answer, cost }
    }

    fn log(&self, line: &str) {
        world::write_log(line);
    }
}
