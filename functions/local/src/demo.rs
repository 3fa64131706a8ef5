//! The demo tenants, brought in as a utility company would: by its own commands, and by readings over the API.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use local::Stack;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::process::Command;

/// Why the demo is not in.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A file of the demo.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A command of the operator.
    #[error("{command} ended with {status}:\n{output}")]
    Command {
        /// The command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it said.
        output: String,
    },
    /// A program that cannot be started.
    #[error("{program}: {error}; `make dev` builds it")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// The API did not answer.
    #[error(transparent)]
    Request(#[from] reqwest::Error),
    /// The API refused a reading.
    #[error("the demo's reading for {job} was refused: {answer}")]
    Refused {
        /// The job.
        job: String,
        /// The problem.
        answer: String,
    },
}

/// What one demo person was sent.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Letter {
    /// Whom it addresses.
    pub name: String,
    /// User name.
    pub username: String,
    /// Password.
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
    /// Where its portal is.
    pub portal_url: String,
    /// Its letters, as they were imported.
    pub letters: Vec<Letter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TenantFile {
    application_id: String,
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

/// Writes the demo's files as of today into `folder` and brings them in.
///
/// # Errors
/// [`DemoError`] at the first thing that is refused.
pub async fn import(stack: &Stack, checkout: &Path, folder: &Path, portal_port: u16) -> Result<(), DemoError> {
    let port = portal_port.to_string();
    run(stack, "demo-data", &[path(&checkout.join("demo")), path(folder), "--web-port", &port]).await?;
    for folder in tenants(folder)? {
        let tenant: TenantFile = read(&folder.join("tenant.json"))?;
        let file = |name: &str| path(&folder.join(name)).to_owned();
        let id = tenant.application_id.as_str();
        run(stack, "zaehlwerk", &["tenant", "apply", path(&folder)]).await?;
        let (accounts, letters, jobs) = (file("accounts.jsonl"), file("letters.jsonl"), file("jobs.jsonl"));
        run(stack, "zaehlwerk", &["accounts", "import", &accounts, "--tenant", id, "--letters", &letters]).await?;
        run(stack, "zaehlwerk", &["jobs", "import", &jobs, "--tenant", id]).await?;
        let readings = folder.join("readings.jsonl");
        if readings.exists() {
            for reading in read_lines(&readings)? {
                send(stack, &tenant, reading).await?;
            }
        }
    }
    Ok(())
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

fn path(path: &Path) -> &str {
    // The commands are given paths under the checkout or the system's folder for temporary files.
    path.to_str().unwrap_or_default()
}

fn tenants(folder: &Path) -> Result<Vec<PathBuf>, DemoError> {
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, error))?;
    let mut folders: Vec<_> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.join("tenant.json").exists()).collect();
    folders.sort();
    Ok(folders)
}

fn file_error(path: &Path, reason: impl ToString) -> DemoError {
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

/// Runs a command of the operator, which was built beside this one. Its progress is not shown; its faults are.
async fn run(stack: &Stack, program: &str, arguments: &[&str]) -> Result<(), DemoError> {
    let start_error = |error| DemoError::Start { program: program.to_owned(), error };
    let file = std::env::current_exe().map_err(start_error)?.with_file_name(program);
    let mut command = Command::new(file);
    let output = command.args(arguments).envs(&stack.environment).stdin(Stdio::null()).output().await.map_err(start_error)?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    Err(DemoError::Command {
        command: format!("{program} {}", arguments.join(" ")),
        status: output.status,
        output: String::from_utf8_lossy(&text).into_owned(),
    })
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
