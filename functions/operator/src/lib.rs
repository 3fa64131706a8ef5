//! The utility company's command line, and what the local product needs of it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod accounts;
mod audit;
mod bundle;
mod clearing;
mod cli;
mod columns;
mod deferred;
mod duplicates;
mod edifact;
mod export;
mod exports;
mod faults;
mod help;
mod import;
mod jobs;
mod letter_pdf;
mod letter_text;
mod letters;
mod lines;
mod mapping;
mod mscons;
mod output;
mod passwords;
mod printing;
mod progress;
mod reminders;
mod rows;
mod season;
mod seasons;
mod starter;
mod structure;
mod subject;
mod tenant;
mod text;
mod webhook;

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use aws::{AwsSettings, MissingSetting};
use clap::FromArgMatches;
use domain::ids::TenantId;
use domain::text::{Lang, Text};
use mail::Mailer;
use outbound::webhook::WebhookClient;
use serde_json::json;
use store::{Photos, Store, StoreError};

pub use accounts::import as import_accounts;
pub use cli::Input;
pub use jobs::import as import_jobs;
pub use tenant::apply as apply_tenant;

use audit::Noted;
use clearing::Decision;
use cli::{Accounts, Cli, Command, Jobs, Readings, Storage, Subject, Tenant, Webhook};

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is a file where a new one should go.
    #[error("{}: exists already and is not overwritten", .0.display())]
    Exists(PathBuf),
    /// A mapping file is no use.
    #[error("{}: {}", path.display(), reason.of(Lang::En))]
    Mapping {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Text,
    },
    /// Standard output is closed or full.
    #[error("standard output: {0}")]
    Output(io::Error),
    /// What the library refuses.
    #[error(transparent)]
    Desk(#[from] desk::Failure),
    /// An argument that only the tenant's settings give a meaning.
    #[error("{name}: {reason}")]
    Argument {
        name: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A setting of the environment is missing.
    #[error(transparent)]
    Setting(#[from] MissingSetting),
    /// The mail service does not say how much it takes.
    #[error(transparent)]
    Mailer(#[from] mail::MailerError),
    /// The tenant keeps everything for a dispute.
    #[error("`{0}` has a legal hold: nothing is erased until its tenant.json says otherwise")]
    LegalHold(TenantId),
    /// What erases has to know where the photos are.
    #[error("the bucket with the photos is not named: --bucket or PHOTO_BUCKET")]
    BucketMissing,
    /// A worker of ours ended early.
    #[error("hashing a password was interrupted")]
    Interrupted,
}

/// Whether the files were without fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Everything went in.
    Sound,
    /// Something was reported.
    Faulty,
}

/// The main of `zaehlwerk`.
pub fn main() -> ExitCode {
    // Asked before the arguments are understood: who starts the command as a program wants a document of what was wrong with them too.
    let say = Say::json(env::args_os().skip(1).take_while(|argument| argument != "--").any(|argument| argument == "--json"));
    let cli = match help::command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return misunderstood(&error, say),
    };
    // Hashing passwords is the only work for other threads; each hash takes 19 MiB, so there are no more than processors.
    let hashers = std::thread::available_parallelism().map_or(2, usize::from);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(hashers).build();
    let done = match runtime {
        Ok(runtime) => runtime.block_on(run(cli)),
        Err(error) => Err(Failure::Output(error)),
    };
    match done {
        Ok(Verdict::Sound) => ExitCode::SUCCESS,
        Ok(Verdict::Faulty) => ExitCode::from(1),
        Err(failure) => {
            // When standard error is closed too, the exit code has to say it alone.
            drop(writeln!(io::stderr(), "zaehlwerk: {failure}"));
            tell_failure(&failure.to_string(), say);
            ExitCode::from(2)
        }
    }
}

/// Says what is wrong with the arguments, or the help that they ask for.
fn misunderstood(error: &clap::Error, say: Say) -> ExitCode {
    drop(error.print());
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    // What follows the first paragraph is for people: tips and the usage.
    let cause: Vec<_> = text.split("\n\n").next().unwrap_or(&text).split_whitespace().collect();
    tell_failure(cause.join(" ").trim_start_matches("error: "), say);
    ExitCode::from(2)
}

/// What could not be carried out, as a document for a program; a person has it on standard error.
fn tell_failure(cause: &str, say: Say) {
    if say == Say::Json {
        // As there: the exit code says it alone.
        drop(say.tell("", &json!({ "error": cause })));
    }
}

async fn run(cli: Cli) -> Result<Verdict, Failure> {
    let say = Say::json(cli.json);
    // These two work without a table.
    match &cli.command {
        Command::Tenant(Tenant::New { dir, id, name, host }) => return starter::new(dir, id, name, host, say),
        Command::Tenant(Tenant::Schema) => return starter::schema(say),
        _ => {}
    }
    let (settings, store, photos) = connect(cli.storage)?;
    let noted = Noted::of(&cli.command);
    let done = carry_out(cli.command, settings, &store, photos.ok_or(Failure::BucketMissing), say).await?;
    if let Some(noted) = noted {
        noted.keep(&store, &cli.by).await?;
    }
    Ok(done)
}

async fn carry_out(
    command: Command,
    settings: AwsSettings,
    store: &Store,
    photos: Result<Photos, Failure>,
    say: Say,
) -> Result<Verdict, Failure> {
    match command {
        Command::Tenant(Tenant::New { .. } | Tenant::Schema) => Ok(Verdict::Sound),
        Command::Tenant(Tenant::Apply { dir }) => tenant::apply(store, &dir, settings.reach(), say).await,
        Command::Tenant(Tenant::Diff { dir }) => starter::diff(store, &dir, settings.reach(), say).await,
        Command::Accounts(Accounts::Import { input, tenant, letters }) => accounts::import(store, &tenant, &input, &letters, say).await,
        Command::Jobs(Jobs::Import { input, tenant, close_missing, season }) => {
            jobs::import(store, &tenant, &input, season.as_ref(), close_missing, say).await
        }
        Command::Letters(cli::Letters::Print(print)) => printing::print(store, &print.tenant.clone(), &print, say).await,
        Command::Letters(cli::Letters::Reprint { tenant, account, accounts, letters, end_shares }) => {
            printing::reprint(store, &tenant, &account, accounts.as_deref(), &letters, end_shares, say).await
        }
        Command::Readings(Readings::Mscons { tenant, out, again }) => mscons::run(store, &tenant, &out, again, say).await,
        Command::Reminders(cli::Reminders::Send { tenant, dry_run, configuration_set }) => {
            let mailer = Mailer::new(&settings, configuration_set);
            reminders::send(store, &mailer, &tenant, dry_run, say).await
        }
        Command::Season(args) => season::run(store, &args, say).await,
        Command::Seasons(cli::Seasons::List { tenant }) => seasons::list(store, &tenant, say).await,
        Command::Seasons(cli::Seasons::Create(args)) => seasons::create(store, args, say).await,
        Command::Clearing(cli::Clearing::List { tenant, decided: true, .. }) => clearing::decided(store, &tenant, say).await,
        Command::Clearing(cli::Clearing::List { tenant, photos: None, .. }) => clearing::list(store, &tenant, None, say).await,
        Command::Clearing(cli::Clearing::List { tenant, photos: Some(folder), .. }) => {
            clearing::list(store, &tenant, Some((&photos?, &folder)), say).await
        }
        Command::Clearing(cli::Clearing::Release { tenant, job, reading, exchange }) => {
            clearing::decide(store, &tenant, &job, &reading, Decision::Release(exchange.exchange()), say).await
        }
        Command::Clearing(cli::Clearing::Reject { tenant, job, reading, reason }) => {
            clearing::decide(store, &tenant, &job, &reading, Decision::Reject(reason), say).await
        }
        Command::Readings(Readings::Export(args)) => match args.since.as_deref() {
            Some(since) => export::run(store, &args, since, say).await,
            None => export::once(store, &args, say).await,
        },
        Command::Webhook(Webhook::Status { tenant }) => webhook::status(store, &tenant, say).await,
        Command::Webhook(Webhook::Dead { tenant }) => webhook::dead(store, &tenant, say).await,
        Command::Webhook(Webhook::Retry { messages, tenant }) => webhook::retry(store, &tenant, &messages, say).await,
        Command::Webhook(Webhook::Discard { messages, tenant }) => webhook::discard(store, &tenant, &messages, say).await,
        Command::Webhook(Webhook::Test { tenant, parameter_prefix }) => {
            webhook::test(store, &WebhookClient::new(settings, parameter_prefix), &tenant, say).await
        }
        Command::Audit { tenant } => audit::list(store, &tenant, say).await,
        Command::Subject(Subject::Show { tenant, account }) => subject::show(store, &tenant, &account, say).await,
        Command::Subject(Subject::Erase { tenant, account, yes }) => subject::erase(store, &photos?, &tenant, &account, yes, say).await,
        Command::Subject(Subject::Erasures { tenant }) => subject::erasures(store, &tenant, say).await,
        Command::Subject(Subject::Replay { file, tenant }) => subject::replay(store, &photos?, &tenant, &file, say).await,
    }
}

fn connect(storage: Storage) -> Result<(AwsSettings, Store, Option<Photos>), Failure> {
    let mut settings = AwsSettings::from_env()?;
    if let Some(url) = storage.endpoint_url {
        settings.dynamodb_endpoint_url = Some(url);
    }
    let photos = storage.bucket.map(|bucket| Photos::new(store::s3(&settings), bucket));
    let store = Store::new(store::dynamodb(&settings), storage.table);
    Ok((settings, store, photos))
}

/// One line on standard output.
fn tell(line: impl std::fmt::Display) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}").map_err(Failure::Output)
}

/// How results are said on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Say {
    /// One line for a person.
    Line,
    /// A JSON document for a program.
    Json,
    /// Not at all.
    Nothing,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Desk(error.into())
    }
}

impl Say {
    fn json(wanted: bool) -> Self {
        if wanted { Self::Json } else { Self::Line }
    }

    fn tell(self, line: impl std::fmt::Display, document: &serde_json::Value) -> Result<(), Failure> {
        match self {
            Self::Line => tell(line),
            Self::Json => tell(document),
            Self::Nothing => Ok(()),
        }
    }
}
