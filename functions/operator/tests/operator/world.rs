//! A database, a folder for files, and the command line.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use aws::AwsSettings;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{AccountId, JobId, TenantId};
use emulators::Dynamo;
use jiff::Timestamp;
use jiff::civil::Date;
use local::{Stack, StackOptions};
use serde_json::Value;
use store::{Photos, Store, StoredJob};
use testing::ministack;

pub type Item = HashMap<String, AttributeValue>;

const TABLE: &str = "operator-test";
/// The table of [`Stack`].
const PRODUCT_TABLE: &str = "zaehlwerk";
/// What the names of the local parameters with signing secrets begin with.
const SECRETS: &str = "/zaehlwerk/local/webhook/";

pub struct World {
    pub store: Store,
    dynamodb: aws_sdk_dynamodb::Client,
    pub folder: tempfile::TempDir,
    pub tenant: TenantId,
    endpoint: String,
    table: &'static str,
    /// Its AWS account in ministack, with mails, parameters and buckets of its own.
    account: String,
    /// What runs as long as the world does.
    behind: Behind,
    runtime: tokio::runtime::Runtime,
}

enum Behind {
    Table { _dynamo: Dynamo },
    Product { stack: Box<Stack> },
}

/// What the command said.
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl World {
    /// An empty table.
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let dynamo = Dynamo::in_memory().unwrap();
        let client = store::dynamodb(&emulators::settings(dynamo.endpoint(), None));
        runtime.block_on(emulators::create_table(&client, TABLE)).unwrap();
        let endpoint = dynamo.endpoint().to_owned();
        Self::of(runtime, client, endpoint, TABLE, Behind::Table { _dynamo: dynamo })
    }

    fn of(
        runtime: tokio::runtime::Runtime,
        dynamodb: aws_sdk_dynamodb::Client,
        endpoint: String,
        table: &'static str,
        behind: Behind,
    ) -> Self {
        let store = Store::new(dynamodb.clone(), table);
        let (folder, tenant) = (tempfile::tempdir().unwrap(), TenantId::new("birkenfurt").unwrap());
        let account = match behind {
            Behind::Table { .. } => testing::aws_account(),
            // That of the functions.
            Behind::Product { .. } => "000000000000".to_owned(),
        };
        Self { store, dynamodb, folder, tenant, endpoint, table, account, behind, runtime }
    }

    /// The whole product: a world on its table, and its API's address.
    pub fn of_product() -> (Self, String) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let stack = runtime.block_on(Stack::start(StackOptions::default())).unwrap();
        let (api, endpoint) = (stack.api_url.clone(), stack.dynamodb_url.clone());
        let client = store::dynamodb(&emulators::settings(&endpoint, None));
        (Self::of(runtime, client, endpoint, PRODUCT_TABLE, Behind::Product { stack: Box::new(stack) }), api)
    }

    /// A table with the demo tenant, and one account `a`.
    pub fn with_tenant() -> Self {
        let world = Self::new();
        let demo = world.demo_data();
        world.run(&["tenant", "apply", demo.join("birkenfurt").to_str().unwrap()]).succeeded();
        world.import_accounts(&[r#"{"id":"a","name":"Anna","username":"anna.s","password":"geheim-anna"}"#]).succeeded();
        world
    }

    /// The demo's files as they are on a fixed day.
    pub fn demo_data(&self) -> PathBuf {
        let out = self.path("demo");
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
        local::demo_data::write(&demo, &out, Date::constant(2026, 11, 21), None).unwrap();
        // Tests say themselves what the desk does.
        let file = out.join("birkenfurt/tenant.json");
        let mut settings: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        settings.as_object_mut().unwrap().remove("desk");
        fs::write(&file, serde_json::to_string_pretty(&settings).unwrap()).unwrap();
        out
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, lines: &[impl AsRef<str>]) -> String {
        let text: String = lines.iter().map(|line| format!("{}\n", line.as_ref())).collect();
        fs::write(self.path(name), text).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Where the table is.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    pub fn command(&self, args: &[&str]) -> Command {
        self.command_at(&self.endpoint, args)
    }

    /// A command that finds the table at another address.
    pub fn command_at(&self, endpoint: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zaehlwerk"));
        command.env_clear().args(args).args(["--endpoint-url", endpoint, "--table", self.table]);
        command.envs([("AWS_REGION", "eu-central-1"), ("AWS_ACCESS_KEY_ID", &self.account), ("AWS_SECRET_ACCESS_KEY", "test")]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &[&str]) -> Said {
        Said::from(self.command(args).output().unwrap())
    }

    /// Everything that is stored.
    pub fn table(&self) -> Vec<Item> {
        let items = self.dynamodb.scan().table_name(self.table).into_paginator().items().send();
        self.block_on(items.collect::<Result<_, _>>()).unwrap()
    }

    /// Makes the table what it was: as after a restore.
    pub fn restore(&self, before: &[Item]) {
        for item in self.table() {
            let key = ["pk", "sk"].map(|name| (name.to_owned(), item[name].clone()));
            self.block_on(self.dynamodb.delete_item().table_name(self.table).set_key(Some(key.into())).send()).unwrap();
        }
        for item in before {
            self.block_on(self.dynamodb.put_item().table_name(self.table).set_item(Some(item.clone())).send()).unwrap();
        }
    }

    /// Changes the cells of each tally, or deletes it.
    pub fn change_tallies(&self, change: impl Fn(&str) -> Option<String>) {
        for mut item in self.table().into_iter().filter(|item| item["pk"].as_s().is_ok_and(|pk| pk.ends_with("#TALLY"))) {
            let key = ["pk", "sk"].map(|name| (name.to_owned(), item[name].clone()));
            let delete = self.dynamodb.delete_item().table_name(self.table).set_key(Some(key.into()));
            match change(item["cells"].as_s().unwrap()) {
                None => drop(self.block_on(delete.send()).unwrap()),
                Some(cells) => {
                    item.insert("cells".into(), AttributeValue::S(cells));
                    self.block_on(self.dynamodb.put_item().table_name(self.table).set_item(Some(item)).send()).unwrap();
                }
            }
        }
    }

    /// Imports with a new letters' file each time.
    pub fn import_accounts(&self, lines: &[impl AsRef<str>]) -> Said {
        let letters = (1..).map(|count| self.path(&format!("letters-{count}.jsonl"))).find(|path| !path.exists()).unwrap();
        let file = self.write("accounts.jsonl", lines);
        self.run(&["accounts", "import", &file, "--tenant", self.tenant.as_str(), "--letters", letters.to_str().unwrap()])
    }

    pub fn import_jobs(&self, lines: &[impl AsRef<str>], more: &[&str]) -> Said {
        let file = self.write("jobs.jsonl", lines);
        self.run(&[&["jobs", "import", &file, "--tenant", self.tenant.as_str()], more].concat())
    }

    /// Somebody who works at the desk of birkenfurt.
    pub fn add_member(&self, name: &str) -> String {
        let tenant = testing::tenant_id("birkenfurt");
        self.block_on(testing::join(&self.store, &tenant, name, &[domain::staff::Role::Clerk], Timestamp::now())).to_string()
    }

    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// The address of S3, mail service and parameters.
    pub fn ministack(&self) -> &str {
        match &self.behind {
            Behind::Table { .. } => self.block_on(ministack()),
            Behind::Product { stack } => &stack.s3_url,
        }
    }

    /// The world's own AWS account.
    pub fn aws(&self) -> AwsSettings {
        testing::of_account(emulators::settings(&self.endpoint, Some(self.ministack())), &self.account)
    }

    /// A command that knows the addresses of S3, mail service and parameters, too.
    pub fn command_with_aws(&self, args: &[&str]) -> Command {
        let mut command = self.command(args);
        command.envs(["S3", "SESV2", "SSM"].map(|service| (format!("AWS_ENDPOINT_URL_{service}"), self.ministack())));
        command.env("WEBHOOK_PARAMETER_PREFIX", SECRETS).env("PHOTO_BUCKET", self.bucket());
        command
    }

    /// Creates the photos' bucket.
    pub fn create_bucket(&self) -> Photos {
        let client = store::s3(&self.aws());
        self.block_on(emulators::create_bucket(&client, &self.bucket(), &["http://localhost"])).unwrap();
        Photos::new(client, self.bucket())
    }

    /// Of all AWS accounts together only one has a bucket of a name.
    fn bucket(&self) -> String {
        format!("photos-{}", self.account)
    }

    /// The mails that the mail service took.
    pub fn mails(&self) -> Vec<Value> {
        self.block_on(testing::mails_of(self.ministack(), &self.account))
    }

    /// One run of the worker that sends readings to webhooks; what it counted.
    pub fn deliveries(&self, now: Timestamp) -> Value {
        let settings = local::settings(&self.endpoint, self.ministack());
        let settings = grants::settings::Settings { aws: self.aws(), table_name: Some(self.table.to_owned()), ..settings };
        self.block_on(async {
            let worker = workers::connect(&workers::table::WEBHOOK_DELIVERIES, &settings).await.unwrap();
            let run = worker.invoke("{}", "id", now, Duration::from_secs(600)).await;
            assert!(run.answer.is_ok(), "{}", run.line);
            serde_json::from_str::<Value>(&run.line).unwrap()["counts"].clone()
        })
    }

    /// Puts the secret that signs the tenant's messages where it is looked for.
    pub fn put_signing_secret(&self, secret: &str) {
        let name = format!("{SECRETS}{}/webhook", self.tenant);
        self.block_on(emulators::put_secret(&self.aws(), &name, secret)).unwrap();
    }

    /// A job of account `a`.
    pub fn job(&self, id: &str) -> Option<StoredJob> {
        let (account, id) = (AccountId::new("a").unwrap(), JobId::new(id).unwrap());
        self.block_on(self.store.job(&self.tenant, &account, &id)).unwrap()
    }

    pub fn jobs_of(&self, account: &str) -> Vec<StoredJob> {
        let account = AccountId::new(account).unwrap();
        self.block_on(self.store.jobs(&self.tenant, &account, 1000, None)).unwrap().jobs
    }

    pub fn lines(&self, name: &str) -> Vec<Value> {
        fs::read_to_string(self.path(name)).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Said {
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self
    }

    /// Exit code 1 and exactly these faults, whatever the path of the file is.
    #[track_caller]
    pub fn found(self, file: &str, faults: &[&str]) -> Self {
        assert_eq!(self.code, Some(1), "{}{}", self.out, self.err);
        let said: Vec<_> = self.err.lines().map(|line| line.split_once(&format!("{file}: ")).map_or(line, |(_, fault)| fault)).collect();
        assert_eq!(said, faults);
        self
    }
}
