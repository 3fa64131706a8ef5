//! The demo tenants, brought in as a utility company would: by what its commands do, and by readings over the API.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use desk::import::{Content, FoundFault, JobsOptions, RefusedLine, Source, Watch};
use domain::ids::TenantId;
use domain::network::Reach;
use domain::staff::{ProviderId, Role};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use local::{Pool, Stack, demo_data};
use operator::{Input, Say, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{Effect, Identity, NewMember, NewMembership, Store};

use crate::{town, worker};

/// The reasons why the demo is not in.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The demo's files as of today.
    #[error("the demo cannot be written: {0}")]
    Data(Box<dyn std::error::Error>),
    /// A command of the operator.
    #[error(transparent)]
    Operator(#[from] operator::Failure),
    /// A file that the operator refused; the faults are on standard error.
    #[error("{} was refused", .0.display())]
    Faulty(PathBuf),
    /// The API did not answer.
    #[error(transparent)]
    Request(#[from] reqwest::Error),
    /// The API refused a reading.
    #[error("the demo's reading for {job} was refused: {answer}")]
    Refused {
        job: String,
        /// The problem.
        answer: String,
    },
}

/// The letter of one demo person.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Letter {
    /// The name that it addresses.
    pub name: String,
    /// User name.
    pub username: String,
    pub password: String,
    /// The link in place of both.
    pub link: String,
    /// Last day on which it works.
    pub valid_until: Option<String>,
}

/// A tenant of the demo with its letters.
#[derive(Debug)]
pub struct DemoTenant {
    /// The tenant's name.
    pub name: String,
    pub portal_url: String,
    /// Its letters, as they were imported.
    pub letters: Vec<Letter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TenantFile {
    application_id: TenantId,
    name: String,
    hosts: Vec<String>,
    portal_url: String,
}

/// A line of `readings.jsonl`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reading {
    username: String,
    password: String,
    job_id: String,
    body: Value,
}

/// A member of the staff, with what the person types at the identity provider's page.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DemoMember {
    pub name: String,
    pub email: String,
    pub password: String,
    /// The member's roles for each tenant.
    pub memberships: BTreeMap<TenantId, BTreeSet<Role>>,
}

/// A member's roles for each tenant.
type RolesByTenant = &'static [(&'static str, &'static [Role])];

/// Name, e-mail address and roles of the demo's members.
const MEMBERS: [(&str, &str, RolesByTenant); 4] = [
    ("Mara Lindner", "mara.lindner@stadtwerke-birkenfurt.example", &[("birkenfurt", &[Role::Support])]),
    (
        "Jonas Reuter",
        "jonas.reuter@stadtwerke-birkenfurt.example",
        &[("birkenfurt", &[Role::Lead, Role::Privacy]), ("nachbar", &[Role::Lead])],
    ),
    ("Clara Brandt", "clara.brandt@stadtwerke-birkenfurt.example", &[("birkenfurt", &[Role::Clerk])]),
    ("Petra Vogt", "petra.vogt@zaehlwerk.example", &[("platform", &[Role::Platform])]),
];
const PASSWORD: &str = "Arbeitsplatz-2026";
const MEMBERS_FILE: &str = "members.json";

/// Has the demo's members log in at the desk, as an invitation that was accepted does.
async fn add_members(stack: &Stack, folder: &Path) -> Result<(), DemoError> {
    let (store, now) = (stack.store(), Timestamp::now());
    let file_of_pool = |error: io::Error| file_error(&folder.join(MEMBERS_FILE), error);
    let pool = Pool::at(&stack.s3_url).await.map_err(file_of_pool)?;
    let mut members = Vec::new();
    for (name, email, tenants) in MEMBERS {
        let subject = pool.add_person(email, name, PASSWORD).await.map_err(file_of_pool)?;
        let person = NewMember {
            identity: Identity { provider: ProviderId::platform(), subject },
            name: name.to_owned(),
            email: email.parse().ok(),
            random: store::random().map_err(operator::Failure::from)?,
        };
        let member = store.member_for(&person).await.map_err(operator::Failure::from)?;
        let mut memberships = BTreeMap::new();
        for (tenant, roles) in tenants {
            let tenant: TenantId = tenant.parse().map_err(|error| file_error(folder, error))?;
            let roles: BTreeSet<Role> = roles.iter().copied().collect();
            let new = NewMembership { roles: roles.clone(), invited_by: "demo".to_owned(), now, until: None };
            store.join_tenant(&tenant, &member, &new).await.map_err(operator::Failure::from)?;
            memberships.insert(tenant, roles);
        }
        members.push(DemoMember { name: name.to_owned(), email: email.to_owned(), password: PASSWORD.to_owned(), memberships });
    }
    let file = folder.join(MEMBERS_FILE);
    fs::write(&file, json!(members).to_string()).map_err(|error| file_error(&file, error))
}

/// Whether an imported folder has members.
pub fn has_members(folder: &Path) -> bool {
    folder.join(MEMBERS_FILE).exists()
}

/// The members of an imported folder.
///
/// # Errors
/// When the file is missing or was changed.
pub fn read_members(folder: &Path) -> Result<Vec<DemoMember>, DemoError> {
    read(&folder.join(MEMBERS_FILE))
}

/// Writes the demo's files as of today into `folder` and brings them in.
///
/// # Errors
/// [`DemoError`] at the first thing that is refused.
pub async fn import(stack: &Stack, checkout: &Path, folder: &Path, portal_port: u16) -> Result<(), DemoError> {
    // Where the demo tenants are: near midnight it is another day than by UTC.
    let today = Timestamp::now().to_zoned(TimeZone::get("Europe/Berlin").unwrap_or(TimeZone::UTC)).date();
    demo_data::write(&checkout.join("demo"), folder, today, Some(portal_port)).map_err(DemoError::Data)?;
    let store = stack.store();
    for folder in tenants(folder)? {
        let tenant: TenantFile = read(&folder.join("tenant.json"))?;
        let (accounts, letters, jobs) = (input(&folder, "accounts.jsonl"), folder.join("letters.jsonl"), folder.join("jobs.jsonl"));
        let id = &tenant.application_id;
        // The demo takes the place of settings that were tried out at the desk.
        let there = store.tenant_in_effect(id).await.map_err(operator::Failure::from)?.map(|(_, version)| version);
        let applied = operator::apply_tenant(&store, &folder, Reach::AndThisMachine, there.as_deref(), "demo", Say::NOTHING).await?;
        sound(&folder, applied)?;
        sound(&accounts.file, operator::import_accounts(&store, id, &accounts, Some(&letters), "demo", Say::NOTHING).await?)?;
        import_jobs(&store, id, &jobs).await?;
        let readings = folder.join("readings.jsonl");
        if readings.exists() {
            for reading in read_lines(&readings)? {
                send(stack, &tenant, reading).await?;
            }
            town::import(&store, id, &folder, Timestamp::now()).await?;
        }
    }
    worker::count_seasons(&stack.dynamodb_url, &stack.s3_url).await.map_err(|error| DemoError::Data(error))?;
    add_members(stack, folder).await
}

/// The tenants of an imported folder.
///
/// # Errors
/// When a file is missing or was changed.
pub fn read_tenants(folder: &Path) -> Result<Vec<DemoTenant>, DemoError> {
    let tenants = tenants(folder)?.into_iter().map(|folder| {
        let tenant: TenantFile = read(&folder.join("tenant.json"))?;
        Ok(DemoTenant { name: tenant.name, portal_url: tenant.portal_url, letters: read_lines(&folder.join("letters.jsonl"))? })
    });
    tenants.collect()
}

pub(crate) async fn import_jobs(store: &Store, tenant: &TenantId, file: &Path) -> Result<(), DemoError> {
    let open = || Ok(Box::new(fs::File::open(file)?) as Box<dyn Content>);
    let source = Source { open: &open, mapping: None, from_line: 0, is_stopped: &|| false };
    let options = JobsOptions { effect: Effect::Stored, season: None, import: None, coming: None, close: None };
    let done = desk::import::import_jobs(store, tenant, &source, options, &mut Faults(file)).await;
    let report = done.map_err(|stopped| operator::Failure::Desk(stopped.failure))?;
    if report.lines.counts.faulty == 0 { Ok(()) } else { Err(DemoError::Faulty(file.to_owned())) }
}

/// Says what is wrong with a file.
struct Faults<'a>(&'a Path);

impl Watch for Faults<'_> {
    fn reached(&mut self, _bytes: u64, _of: u64, _lines: u64) {}

    fn refused(&mut self, line: &RefusedLine<'_>) -> io::Result<()> {
        line.faults.iter().try_for_each(|FoundFault { line, column, reason, .. }| {
            writeln!(io::stderr(), "{}: line {line}: {column}: {}", self.0.display(), reason.en)
        })
    }
}

fn input(folder: &Path, name: &str) -> Input {
    Input { file: folder.join(name), ..Input::default() }
}

fn sound(file: &Path, verdict: Verdict) -> Result<(), DemoError> {
    if verdict == Verdict::Sound { Ok(()) } else { Err(DemoError::Faulty(file.to_owned())) }
}

fn tenants(folder: &Path) -> Result<Vec<PathBuf>, DemoError> {
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, error))?;
    let mut folders: Vec<_> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.join("tenant.json").exists()).collect();
    folders.sort();
    Ok(folders)
}

pub(crate) fn file_error(path: &Path, reason: impl ToString) -> DemoError {
    DemoError::File { path: path.to_owned(), reason: reason.to_string() }
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, DemoError> {
    let text = fs::read_to_string(path).map_err(|error| file_error(path, error))?;
    serde_json::from_str(&text).map_err(|error| file_error(path, error))
}

fn read_lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>, DemoError> {
    let text = fs::read_to_string(path).map_err(|error| file_error(path, error))?;
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| file_error(path, error))).collect()
}

/// Sends a reading as the person would.
async fn send(stack: &Stack, tenant: &TenantFile, reading: Reading) -> Result<(), DemoError> {
    let client = reqwest::Client::new();
    let host = tenant.hosts.first().map(String::as_str).unwrap_or_default();
    let post = |path: &str| client.post(format!("{}{path}", stack.api_url)).header("x-forwarded-host", host);
    let login = json!({"applicationId": tenant.application_id, "username": reading.username, "password": reading.password});
    let token: Value = post("/auth/token").json(&login).send().await?.error_for_status()?.json().await?;
    let path = format!("/api/pro/job/{}/meterRateTask/result", reading.job_id);
    let answer = post(&path).bearer_auth(token["token"].as_str().unwrap_or_default()).json(&reading.body).send().await?;
    if answer.status().is_success() {
        return Ok(());
    }
    Err(DemoError::Refused { job: reading.job_id, answer: answer.text().await? })
}
