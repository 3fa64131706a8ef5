//! The API with everything behind it: storage by the emulators, functions by the gateway.

use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use api::route::Route as ApiRoute;
use api::routes::ROUTES;
use api::routing::{Route, Routes};
use api::settings::{Settings, StartError};
use edge::{Request, Running, Service, SharedService};
use emulators::{Dynamo, EmulatorError, MessageQueue, Ministack, MinistackOptions, Textract};
use jiff::Timestamp;
use serde_json::json;
use store::Store;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use workers::Connected;
use workers::table::RUNS;

use crate::bounds::{Bounds, Limits};
use crate::gateway::{Gateway, Serving};
use crate::keys::SigningKey;
use crate::pool::{DeskProvider, Pool};

const TABLE: &str = "zaehlwerk";
const BUCKET: &str = "zaehlwerk-photos";
/// The domains that the demo's and the tests' tenants send mails from.
const SENDER_DOMAINS: [&str; 3] = ["stadtwerke-birkenfurt.example", "gemeindewerke-nachbarau.example", "example.org"];
/// What the names of the parameters with the webhooks' signing secrets begin with.
const WEBHOOK_SECRETS: &str = "/zaehlwerk/local/webhook/";
/// The queue whose worker goes on with runs.
const RUN_QUEUE: &str = "zaehlwerk-runs";
const SIGNING_KEY: &str = "signing-key.pem";
const DATABASE: &str = "dynamodb.sqlite";

/// Takes the functions' log lines.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// How to start a [`Stack`]. A port that is 0 is a free one.
#[derive(Clone)]
pub struct StackOptions {
    /// The folder that keeps the data between runs; without one, nothing is kept.
    pub data: Option<PathBuf>,
    pub api_port: u16,
    /// Port of DynamoDB, when data is kept; otherwise it is a free one.
    pub dynamodb_port: u16,
    pub s3_port: u16,
    /// The portal's origin: its pages may put photos into the bucket.
    pub portal_origin: String,
    /// The desk's origin.
    pub desk_origin: String,
    /// By whom the desk's members log in; none: by a user pool of the emulator.
    pub desk_provider: Option<DeskProvider>,
    /// Photos are read, by the stand-in for Textract.
    pub photo_reading: bool,
    /// The limits of calls to a function.
    pub limits: Limits,
    /// Takes the functions' log lines.
    pub log: Log,
}

impl Default for StackOptions {
    /// Free ports, nothing kept, photos are read, as many calls as come, no log.
    fn default() -> Self {
        Self {
            data: None,
            api_port: 0,
            dynamodb_port: 0,
            s3_port: 0,
            portal_origin: "http://localhost:5173".to_owned(),
            desk_origin: "http://localhost:5174".to_owned(),
            desk_provider: None,
            photo_reading: true,
            limits: Limits::default(),
            log: Arc::new(|_| {}),
        }
    }
}

/// The reasons why a [`Stack`] did not start.
#[derive(Debug, thiserror::Error)]
pub enum StackError {
    /// An emulator, the table or the bucket.
    #[error(transparent)]
    Emulator(#[from] EmulatorError),
    #[error("a function did not start: {0}")]
    Function(#[from] StartError),
    /// A file or a port.
    #[error("{what}: {error}")]
    System {
        what: String,
        /// The system's error.
        error: io::Error,
    },
}

/// The running API. It stops when it is dropped.
///
/// It has a runtime of its own and so may be shared by tests, each of which has another one.
pub struct Stack {
    /// Address of the API, without a path.
    pub api_url: String,
    /// Address of DynamoDB.
    pub dynamodb_url: String,
    /// Address of S3 and of the other services of ministack.
    pub s3_url: String,
    /// The variables that functions and the operator's command line read their settings from.
    pub environment: BTreeMap<&'static str, String>,
    _parts: Parts,
}

/// The parts that run until they are dropped.
struct Parts {
    _serving: Serving,
    _ministack: Ministack,
    _textract: Option<Textract>,
    _dynamo: Dynamo,
    _runtime: Background,
}

/// A runtime that ends without waiting for its tasks, which a dropped one would, and that is not allowed inside another runtime.
struct Background(Option<Runtime>);

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Stack {
    /// Whether a stack kept its data in this folder.
    pub fn has_data(folder: &Path) -> bool {
        folder.join(SIGNING_KEY).exists() || folder.join(DATABASE).exists()
    }

    /// Its table.
    pub fn store(&self) -> Store {
        Store::new(store::dynamodb(&settings(&self.dynamodb_url, &self.s3_url).aws), TABLE)
    }

    /// Starts everything and returns once requests are answered.
    ///
    /// # Errors
    /// [`StackError`] when a port is taken or an emulator does not start.
    pub async fn start(options: StackOptions) -> Result<Self, StackError> {
        let runtime = runtime().map_err(|error| system("the runtime", error))?;
        let handle = runtime.handle().clone();
        let started = handle.spawn(start_in(Background(Some(runtime)), options)).await;
        started.map_err(|error| system("the start", io::Error::other(error)))?
    }
}

/// What the product runs on. A debug build polls nested futures whose frames together are larger than a thread's usual 2 MiB, here as in tests
/// (`.cargo/config.toml`).
///
/// # Errors
/// The operating system gives no threads.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().enable_all().thread_stack_size(8 << 20).build()
}

fn system(what: impl Into<String>, error: io::Error) -> StackError {
    StackError::System { what: what.into(), error }
}

async fn start_in(runtime: Background, options: StackOptions) -> Result<Stack, StackError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.api_port)).await;
    let listener = listener.map_err(|error| system(format!("port {}", options.api_port), error))?;
    let address = listener.local_addr().map_err(|error| system("the API's port", error))?;
    let (dynamo, key) = match &options.data {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| system(folder.display().to_string(), error))?;
            let file = folder.join(SIGNING_KEY);
            let key = SigningKey::load_or_generate(&file).map_err(|error| system(file.display().to_string(), error))?;
            (Dynamo::on_disk(&folder.join(DATABASE), options.dynamodb_port)?, key)
        }
        None => (Dynamo::in_memory()?, SigningKey::generate().map_err(|error| system("the signing key", error))?),
    };
    let ministack = Ministack::start(&MinistackOptions {
        port: Some(options.s3_port).filter(|port| *port != 0),
        state_dir: options.data.as_ref().map(|folder| folder.join("ministack")),
        log_file: options.data.as_ref().map(|folder| folder.join("ministack.log")),
    })
    .await?;
    let textract = options.photo_reading.then(Textract::start).transpose()?;
    let mut environment = environment(&dynamo, &ministack, textract.as_ref(), key);
    let of_pool = |error| system("the desk's user pool", error);
    let pool = Pool::at(ministack.endpoint()).await.map_err(of_pool)?;
    let provider = match options.desk_provider {
        Some(provider) => provider,
        None => pool.provider(&options.desk_origin).await.map_err(of_pool)?,
    };
    environment.extend([
        ("DESK_ORIGIN", options.desk_origin.clone()),
        ("DESK_ISSUER", provider.issuer),
        ("DESK_CLIENT_ID", provider.client_id),
        ("DESK_CLIENT_SECRET", provider.client_secret),
        ("DESK_ISSUER_STAND_IN", provider.address),
        ("STAFF_POOL", pool.id),
        ("DESK_LOGIN_PARAMETER_PREFIX", "/zaehlwerk/local/login/".to_owned()),
    ]);
    let queue = MessageQueue::create(&emulators::settings(dynamo.endpoint(), Some(ministack.endpoint())), RUN_QUEUE).await?;
    environment.insert("RUN_QUEUE_URL", queue.url.clone());
    let settings = Settings::from_lookup(|name| environment.get(name).cloned())?;
    emulators::create_table(&store::dynamodb(&settings.aws), TABLE).await?;
    emulators::create_bucket(&store::s3(&settings.aws), BUCKET, &[&options.portal_origin, &options.desk_origin]).await?;
    for domain in SENDER_DOMAINS {
        emulators::verify_sender(&settings.aws, domain).await?;
    }
    let gateway = gateway(&settings, options.limits, &options.log).await?;
    let worker = workers::connect(&RUNS, &settings).await?;
    tokio::spawn(take_runs(queue, worker, options.log.clone()));
    Ok(Stack {
        api_url: format!("http://localhost:{}", address.port()),
        dynamodb_url: dynamo.endpoint().to_owned(),
        s3_url: ministack.endpoint().to_owned(),
        environment,
        _parts: Parts { _serving: gateway.serve(listener), _ministack: ministack, _textract: textract, _dynamo: dynamo, _runtime: runtime },
    })
}

/// Hands the queue's messages to the worker, as the platform does.
async fn take_runs(queue: MessageQueue, worker: Connected, log: Log) {
    loop {
        let Some(message) = queue.next().await else {
            // A queue that does not answer is not asked without a pause.
            tokio::time::sleep(Duration::from_millis(200)).await;
            continue;
        };
        let event = json!({ "Records": [{ "messageId": "local", "body": message.body }] }).to_string();
        let invoked = worker.invoke(&event, "local", Timestamp::now(), Duration::from_secs(RUNS.timeout.into())).await;
        log(&invoked.line);
        queue.put_away(message).await;
    }
}

/// What a function of a running stack is told that makes and checks no access token.
pub fn settings(dynamodb_url: &str, s3_url: &str) -> Settings {
    Settings {
        aws: emulators::settings(dynamodb_url, Some(s3_url)),
        table_name: Some(TABLE.to_owned()),
        portal_host: None,
        portal_hosts: Vec::new(),
        desk: Default::default(),
        photo_bucket: Some(BUCKET.to_owned()),
        run_queue_url: Some(format!("{s3_url}/000000000000/{RUN_QUEUE}")),
        mail_configuration_set: None,
        crm_parameter_prefix: None,
        webhook_parameter_prefix: Some(WEBHOOK_SECRETS.to_owned()),
        reads_photos: false,
        jwt_public_keys: None,
        jwt_private_key: None,
        pseudonym_key: None,
    }
}

/// The variables as the infrastructure sets them for the functions; the private key is given directly.
fn environment(dynamo: &Dynamo, ministack: &Ministack, textract: Option<&Textract>, key: SigningKey) -> BTreeMap<&'static str, String> {
    let aws = emulators::settings(dynamo.endpoint(), Some(ministack.endpoint()));
    let mut environment = BTreeMap::from([
        ("AWS_REGION", aws.region),
        ("AWS_ACCESS_KEY_ID", emulators::KEY.to_owned()),
        ("AWS_SECRET_ACCESS_KEY", emulators::KEY.to_owned()),
        ("AWS_ENDPOINT_URL_DYNAMODB", dynamo.endpoint().to_owned()),
        ("AWS_ENDPOINT_URL_S3", ministack.endpoint().to_owned()),
        ("AWS_ENDPOINT_URL_SQS", ministack.endpoint().to_owned()),
        ("AWS_ENDPOINT_URL_SSM", ministack.endpoint().to_owned()),
        ("AWS_ENDPOINT_URL_SESV2", ministack.endpoint().to_owned()),
        ("AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", ministack.endpoint().to_owned()),
        ("CRM_PARAMETER_PREFIX", "/zaehlwerk/local/crm/".to_owned()),
        ("WEBHOOK_PARAMETER_PREFIX", WEBHOOK_SECRETS.to_owned()),
        ("TABLE_NAME", TABLE.to_owned()),
        ("PORTAL_HOST", "localhost".to_owned()),
        ("PHOTO_BUCKET", BUCKET.to_owned()),
        ("PSEUDONYM_KEY", key.private_pem.clone()),
        ("JWT_PRIVATE_KEY", key.private_pem),
        ("JWT_PUBLIC_KEYS", key.public_keys),
    ]);
    if let Some(textract) = textract {
        environment.extend([("PHOTO_READING", "textract".to_owned()), ("AWS_ENDPOINT_URL_TEXTRACT", textract.endpoint().to_owned())]);
    }
    environment
}

/// The gateway over all functions, each with its own clients as in production.
async fn gateway(settings: &Settings, limits: Limits, log: &Log) -> Result<Gateway, StackError> {
    let logged = |function| Arc::new(Logged { function, log: log.clone() }) as SharedService;
    let mut routes = Vec::new();
    for function in ROUTES.chunk_by(|one, next| one.function == next.function) {
        let service = logged(api::connect(function, settings).await?);
        routes.extend(function.iter().map(|route| Route::new(route.method().clone(), route.path(), service.clone())));
    }
    let time_limit = Duration::from_secs(ApiRoute::TIMEOUT.into());
    Ok(Gateway { routes: Routes::new(routes), default: logged(Arc::new(api::Fallback)), time_limit, bounds: Bounds::new(limits) })
}

/// A function whose log lines go where the stack's owner wants them.
struct Logged {
    function: SharedService,
    log: Log,
}

impl Service for Logged {
    fn call(&self, request: Request) -> Running {
        self.function.call(request)
    }

    fn log(&self, line: &str) {
        (self.log)(line);
    }
}
