//! The utility company's command line, and what the local product needs of it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod accounts;
mod audit;
mod bundle;
mod clearing;
mod cli;
mod columns;
mod credentials;
mod entry;
mod export;
mod faults;
mod german;
mod help;
mod import;
mod imports;
mod invitations;
mod jobs;
mod letters;
mod lists;
mod members;
mod misunderstood;
mod mscons;
mod output;
mod printing;
mod progress;
mod reminders;
mod season;
mod seasons;
mod starter;
mod subject;
mod tenant;
mod text;
mod webhook;

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use aws::{AwsSettings, MissingSetting};
use clap::FromArgMatches;
use clap::error::ErrorKind;
use domain::text::{Lang, Text};
use mail::Mailer;
use outbound::webhook::WebhookClient;
use serde_json::json;
use store::{Photos, Store, StoreError};

pub use accounts::import as import_accounts;
pub use cli::Input;
pub use tenant::apply as apply_tenant;

use audit::Noted;
use cli::{Accounts, Cli, Command, Jobs, Market, Readings, Storage, Subject, Tenant, Webhook};
use desk::clearing::{About, Decision};

/// The reasons why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// There is a file where a new one should go.
    Exists(PathBuf),
    /// A mapping file, a template or a file of letters is no use.
    Mapping {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: Text,
    },
    /// Standard output is closed or full.
    Output(io::Error),
    /// A failure of the crate `desk`.
    Desk(#[from] desk::Failure),
    /// An argument that only the tenant's settings give a meaning.
    Argument {
        name: &'static str,
        /// The fault.
        reason: Text,
    },
    /// A setting of the environment is missing.
    Setting(#[from] MissingSetting),
    /// No credentials say who the command is to AWS.
    Credentials(#[from] credentials::NoCredentials),
    /// The mail service does not say how much it takes.
    Mailer(#[from] mail::MailerError),
    /// What erases has to know where the photos are.
    BucketMissing,
}

impl Failure {
    /// What is wrong, for the person who gave the command.
    pub fn text(&self) -> Text {
        match self {
            Self::File { path, error } => {
                let (path, reason) = (path.display(), system(error));
                domain::text!("{path}: {reason}", "{path}: {reason}"; reason)
            }
            Self::Exists(path) => {
                let path = path.display();
                domain::text!("{path}: gibt es schon und wird nicht überschrieben", "{path}: exists already and is not overwritten")
            }
            Self::Mapping { path, reason } => {
                let path = path.display();
                domain::text!("{path}: {reason}", "{path}: {reason}"; reason)
            }
            Self::Output(error) => {
                let reason = system(error);
                domain::text!("Standardausgabe: {reason}", "standard output: {reason}"; reason)
            }
            Self::Desk(failure) => failure.text(),
            Self::Argument { name, reason } => {
                let de = german::value_name(name).unwrap_or(name);
                domain::text!("{de}: {reason}", "{name}: {reason}"; reason)
            }
            Self::Setting(missing) => domain::text!("die Umgebungsvariable {name} ist nicht gesetzt", "{missing}", name = missing.0),
            Self::Credentials(failed) => failed.text(),
            Self::Mailer(error) => domain::text!("der E-Mail-Dienst hat den Auftrag nicht angenommen ({error})", "{error}"),
            Self::BucketMissing => domain::text!(
                "der Bucket mit den Fotos ist nicht angegeben: --bucket oder PHOTO_BUCKET",
                "the bucket with the photos is not named: --bucket or PHOTO_BUCKET"
            ),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().of(Lang::En))
    }
}

/// What the system says of a file; it has only English.
fn system(error: &io::Error) -> Text {
    let de = match error.kind() {
        io::ErrorKind::NotFound => "Datei oder Ordner nicht gefunden",
        io::ErrorKind::PermissionDenied => "keine Berechtigung",
        io::ErrorKind::AlreadyExists => "gibt es schon",
        io::ErrorKind::IsADirectory => "ist ein Ordner",
        io::ErrorKind::NotADirectory => "ein Teil des Pfads ist kein Ordner",
        io::ErrorKind::StorageFull => "der Datenträger ist voll",
        io::ErrorKind::BrokenPipe => "der Empfänger der Ausgabe ist beendet",
        io::ErrorKind::InvalidData => "der Inhalt ist nicht lesbar (kein UTF-8?)",
        _ => return Text::same(error.to_string()),
    };
    domain::text!("{de}", "{error}")
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
    let arguments: Vec<_> = env::args_os().skip(1).take_while(|argument| argument != "--").collect();
    let say = Say::new(arguments.iter().any(|argument| argument == "--json"), asked_language(&arguments));
    let understood = |lang| {
        let matches = help::command(lang).try_get_matches_from(help::arguments(lang, env::args_os()));
        matches.and_then(|matches| Cli::from_arg_matches(&matches))
    };
    let cli = match understood(say.lang) {
        Ok(cli) => cli,
        Err(error) => {
            // Documents are English in every language.
            let english = if say.lang == Lang::En { None } else { understood(Lang::En).err() };
            return misunderstood(&error, english.as_ref().unwrap_or(&error), say);
        }
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
            let text = failure.text();
            drop(writeln!(io::stderr(), "zaehlwerk: {}", text.of(say.lang)));
            tell_failure(text.of(Lang::En), say);
            ExitCode::from(2)
        }
    }
}

/// The language of what is said before the arguments are understood, and of the help.
fn asked_language(arguments: &[OsString]) -> Lang {
    let mut arguments = arguments.iter().filter_map(|argument| argument.to_str());
    let mut named = None;
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix("--lang") {
            Some("") => named = arguments.next(),
            Some(rest) if rest.starts_with('=') => named = rest.get(1..),
            _ => {}
        }
    }
    let by_variable = || env::var(cli::LANG_VARIABLE).ok().and_then(|name| cli::lang_of(&name));
    named.and_then(cli::lang_of).or_else(by_variable).unwrap_or_else(|| Lang::by(|name| env::var(name).ok()))
}

/// Says what is wrong with the arguments, or the help that they ask for.
fn misunderstood(error: &clap::Error, english: &clap::Error, say: Say) -> ExitCode {
    if !error.use_stderr() {
        drop(error.print());
        return ExitCode::SUCCESS;
    }
    if say.lang == Lang::De && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // No message can reach the clerk when standard error is closed.
        drop(writeln!(io::stderr(), "{}", misunderstood::in_german(error)));
    } else {
        drop(error.print());
    }
    let text = english.to_string();
    // What follows the first paragraph is for people: tips and the usage.
    let cause: Vec<_> = text.split("\n\n").next().unwrap_or(&text).split_whitespace().collect();
    tell_failure(cause.join(" ").trim_start_matches("error: "), say);
    ExitCode::from(2)
}

/// What could not be carried out, as a document for a program; a person has it on standard error.
fn tell_failure(cause: &str, say: Say) {
    if say.is_json() {
        // As there: the exit code says it alone.
        drop(tell(json!({ "error": cause })));
    }
}

async fn run(cli: Cli) -> Result<Verdict, Failure> {
    let say = Say::new(cli.json, cli.lang.unwrap_or_else(|| asked_language(&[])));
    // These two work without a table.
    match &cli.command {
        Command::Tenant(Tenant::New { dir, id, name, host }) => return starter::new(dir, id, name, host, say),
        Command::Tenant(Tenant::Schema { file }) => return starter::schema(file, say),
        _ => {}
    }
    let (settings, identity) = credentials::settings().await?;
    let (settings, store, photos) = connect(settings, cli.storage);
    let (begun, done) = (Noted::begun(&cli.command), Noted::done(&cli.command));
    let by = cli.by;
    let carried_out = async {
        if let Some(begun) = begun {
            begun.keep(&store, &by).await?;
        }
        let verdict = carry_out(cli.command, settings, &store, photos.ok_or(Failure::BucketMissing), &by, say).await?;
        if let Some(done) = done {
            done.keep_done(&store, &by, verdict).await?;
        }
        Ok(verdict)
    };
    // A call without credentials fails in some way or other; the source of the credentials says what helps.
    carried_out.await.map_err(|failure| identity.and_then(|identity| identity.failure()).map_or(failure, Failure::from))
}

async fn carry_out(
    command: Command,
    settings: AwsSettings,
    store: &Store,
    photos: Result<Photos, Failure>,
    by: &str,
    say: Say,
) -> Result<Verdict, Failure> {
    match command {
        Command::Tenant(Tenant::New { .. } | Tenant::Schema { .. }) => Ok(Verdict::Sound),
        Command::Tenant(Tenant::Apply { dir, over_desk }) => {
            tenant::apply(store, &dir, settings.reach(), over_desk.as_deref(), by, say).await
        }
        Command::Tenant(Tenant::Fetch { dir, tenant }) => tenant::fetch(store, &tenant, &dir, say).await,
        Command::Tenant(Tenant::Diff { dir }) => starter::diff(store, &dir, settings.reach(), say).await,
        Command::Accounts(Accounts::List { tenant, find }) => lists::accounts(store, &tenant, &find, say).await,
        Command::Accounts(Accounts::Show { tenant, account }) => lists::customer(store, &tenant, &account, say).await,
        Command::Jobs(Jobs::List { tenant, find, season }) => lists::jobs(store, &tenant, &find, season.as_ref(), say).await,
        Command::Jobs(Jobs::Show { tenant, job }) => lists::job(store, &tenant, &job, say).await,
        Command::Jobs(Jobs::Open(args)) => lists::open(store, &args, say).await,
        Command::Readings(Readings::List { tenant, find, limit, format }) => {
            lists::readings(store, &tenant, &find, limit, format, say).await
        }
        Command::Accounts(Accounts::Import { input, tenant, letters }) => {
            accounts::import(store, &tenant, &input, letters.as_deref(), by, say).await
        }
        Command::Jobs(Jobs::Import(args)) => jobs::import(store, &args, by, say).await,
        Command::Letters(cli::Letters::Print(print)) => printing::print(store, &print.tenant.clone(), &print, say).await,
        Command::Letters(cli::Letters::Reprint(reprint)) => printing::reprint(store, &reprint, by, say).await,
        Command::Invitations(cli::Invitations::Send { tenant, season, dry_run, without_mail, returned, configuration_set }) => {
            let mailer = Mailer::new(&settings, configuration_set);
            let files = invitations::Files { without_mail, returned };
            invitations::send(store, &mailer, &tenant, season.as_ref(), dry_run, &files, say).await
        }
        Command::Members(cli::Members::List { tenant }) => members::list(store, &tenant, say).await,
        Command::Members(cli::Members::Change { member, tenant, roles }) => members::change(store, &tenant, &member, roles, say).await,
        Command::Members(cli::Members::Remove { member, tenant }) => members::remove(store, &tenant, &member, say).await,
        Command::Members(cli::Members::Invite(args)) => {
            let mailer = Mailer::new(&settings, args.configuration_set.clone());
            members::invite(store, &mailer, args, by, say).await
        }
        Command::Readings(Readings::Mscons { tenant, out, again }) => mscons::run(store, &tenant, &out, again, by, say).await,
        Command::Market(Market::Receive { files, tenant }) => mscons::receive(store, &tenant, &files, say).await,
        Command::Market(Market::Status { tenant, state }) => mscons::status(store, &tenant, state.map(Into::into), say).await,
        Command::Market(Market::Resend { messages, tenant }) => mscons::resend(store, &tenant, &messages, say).await,
        Command::Reminders(cli::Reminders::Send { tenant, dry_run, configuration_set }) => {
            let mailer = Mailer::new(&settings, configuration_set);
            reminders::send(store, &mailer, &tenant, dry_run, say).await
        }
        Command::Season(args) => season::run(store, &args, say).await,
        Command::Imports(cli::Imports::List { tenant }) => imports::list(store, &tenant, say).await,
        Command::Imports(cli::Imports::Undo { id, tenant }) => imports::undo(store, &tenant, &id, say).await,
        Command::Seasons(cli::Seasons::List { tenant }) => seasons::list(store, &tenant, say).await,
        Command::Seasons(cli::Seasons::Create(args)) => seasons::create(store, args, say).await,
        Command::Clearing(cli::Clearing::List { tenant, decided: true, .. }) => clearing::decided(store, &tenant, say).await,
        Command::Clearing(cli::Clearing::List { tenant, photos: None, waiting, .. }) => {
            clearing::list(store, &tenant, &waiting, None, say).await
        }
        Command::Clearing(cli::Clearing::List { tenant, photos: Some(folder), waiting, .. }) => {
            clearing::list(store, &tenant, &waiting, Some((&photos?, &folder)), say).await
        }
        Command::Clearing(cli::Clearing::Release { tenant, job, reading, seen, exchange }) => {
            clearing::decide(
                store,
                &tenant,
                About { job: &job, reading: &reading, version: seen.as_deref() },
                exchange.decision(),
                (by, &Mailer::new(&settings, None)),
                say,
            )
            .await
        }
        Command::Clearing(cli::Clearing::Reject { tenant, job, reading, seen, reason, configuration_set }) => {
            let mailer = Mailer::new(&settings, configuration_set);
            let about = About { job: &job, reading: &reading, version: seen.as_deref() };
            clearing::decide(store, &tenant, about, Decision::Reject(reason), (by, &mailer), say).await
        }
        Command::Clearing(cli::Clearing::Undo { tenant, job, reading }) => {
            clearing::undo(store, &tenant, About { job: &job, reading: &reading, version: None }, say).await
        }
        Command::Readings(Readings::Enter(args)) => {
            let mailer = Mailer::new(&settings, args.configuration_set.clone());
            entry::enter(store, &mailer, &args, by, say).await
        }
        Command::Readings(Readings::Import(args)) => entry::import(store, &args, by, say).await,
        Command::Readings(Readings::Export(args)) => match args.since.as_deref() {
            Some(since) => export::run(store, &args, since, say).await,
            None => export::once(store, &args, by, say).await,
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
        Command::Subject(Subject::Erase { tenant, account, yes }) => {
            subject::erase(store, &photos?, &tenant, &account, (by, yes), say).await
        }
        Command::Subject(Subject::Erasures { tenant }) => subject::erasures(store, &tenant, say).await,
        Command::Subject(Subject::Holds { tenant }) => subject::holds(store, &tenant, say).await,
        Command::Subject(Subject::Replay { file, holds, tenant }) => {
            subject::replay(store, &photos?, &tenant, (&file, holds.as_deref()), say).await
        }
    }
}

fn connect(mut settings: AwsSettings, storage: Storage) -> (AwsSettings, Store, Option<Photos>) {
    if let Some(url) = storage.endpoint_url {
        settings.dynamodb_endpoint_url = Some(url);
    }
    let photos = storage.bucket.map(|bucket| Photos::new(store::s3(&settings), bucket));
    let store = Store::new(store::dynamodb(&settings), storage.table);
    (settings, store, photos)
}

/// One line on standard output.
fn tell(line: impl fmt::Display) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}").map_err(Failure::Output)
}

/// How and in which language it is said what a command did.
#[derive(Debug, Clone, Copy)]
pub struct Say {
    form: Form,
    lang: Lang,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Lines for a person.
    Lines,
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
    /// Nothing but what is wrong, in English.
    pub const NOTHING: Self = Self { form: Form::Nothing, lang: Lang::En };

    fn new(json: bool, lang: Lang) -> Self {
        Self { form: if json { Form::Json } else { Form::Lines }, lang }
    }

    /// A program reads it: a single document, whose texts are English in every language.
    fn is_json(self) -> bool {
        self.form == Form::Json
    }

    /// The result: a line for a person, or the document for a program.
    fn tell(self, line: &Text, document: &serde_json::Value) -> Result<(), Failure> {
        match self.form {
            Form::Lines => tell(line.of(self.lang)),
            Form::Json => tell(document),
            Form::Nothing => Ok(()),
        }
    }

    /// One line of several, for a person only.
    fn line(self, line: &Text) -> Result<(), Failure> {
        if self.form == Form::Lines { tell(line.of(self.lang)) } else { Ok(()) }
    }

    /// What is wrong, on standard error, in every form.
    fn complain(self, line: &Text) {
        // No message can reach the clerk when standard error is closed.
        drop(writeln!(io::stderr(), "{}", line.of(self.lang)));
    }
}
