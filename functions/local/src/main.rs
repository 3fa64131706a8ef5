//! `local`: starts the whole product on this machine.

mod demo;
mod dev;
mod ephemeral;
mod town;
mod web;
mod worker;

use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use clap::builder::{FalseyValueParser, PossibleValuesParser};
use clap::{ArgAction, Args, Parser, Subcommand};
use local::Log;
use local::bounds::Limits;
use tokio::signal::unix::{SignalKind, signal};
use workers::table::WORKERS;

/// Starts the whole product on this machine, with the demo tenants in it.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    ports: Ports,
    /// Have photos read, by a stand-in for Textract that knows the photos in `functions/emulators/fixtures`
    #[arg(long, global = true, env = "PHOTO_READING", action = ArgAction::SetTrue, value_parser = FalseyValueParser::new())]
    photo_reading: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// For working with it: portal, API and storage, with data that is kept in `.local`
    Dev {
        /// Start with fresh data
        #[arg(long, env = "RESET", action = ArgAction::SetTrue, value_parser = FalseyValueParser::new())]
        reset: bool,
        /// Folder for the data, in place of `.local/data` in the checkout
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
    },
    /// For tests: API and storage with data that is gone afterwards
    ///
    /// Prints one line of JSON when it is ready, and ends when its standard input closes.
    Ephemeral {
        /// Whoever serves the desk's pages does so over TLS
        #[arg(long)]
        desk_tls: bool,
        #[command(flatten)]
        limits: Limits,
    },
    /// One run of a worker on the data of the running `dev`
    Worker {
        /// Its name, such as `retention`
        #[arg(value_parser = PossibleValuesParser::new(WORKERS.iter().map(|worker| worker.name)))]
        name: String,
    },
}

/// Ports, all on the loopback interface.
#[derive(Debug, Clone, Copy, Args)]
struct Ports {
    /// The portal
    #[arg(long, global = true, env = "ZW_WEB_PORT", default_value_t = 5173, value_name = "PORT")]
    web_port: u16,
    /// The desk
    #[arg(long, global = true, env = "ZW_DESK_PORT", default_value_t = 5174, value_name = "PORT")]
    desk_port: u16,
    /// The API
    #[arg(long, global = true, env = "ZW_API_PORT", default_value_t = 3000, value_name = "PORT")]
    api_port: u16,
    /// S3 and the other services of ministack
    #[arg(long, global = true, env = "ZW_S3_PORT", default_value_t = 4566, value_name = "PORT")]
    s3_port: u16,
    /// DynamoDB; `ephemeral` takes any free one
    #[arg(long, global = true, env = "ZW_DYNAMODB_PORT", default_value_t = 8000, value_name = "PORT")]
    dynamodb_port: u16,
    /// The page with the mails that `dev` has sent
    #[arg(long, global = true, env = "ZW_MAIL_PORT", default_value_t = 8025, value_name = "PORT")]
    mail_port: u16,
}

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = local::runtime().map_err(Into::into).and_then(|runtime| runtime.block_on(run(cli)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // When standard error is closed too, the exit code has to say it alone.
            drop(writeln!(io::stderr(), "local: {error}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Outcome {
    match cli.command {
        Command::Dev { reset, data } => dev::run(cli.ports, cli.photo_reading, reset, data).await,
        Command::Ephemeral { desk_tls, limits } => ephemeral::run(cli.ports, desk_tls, cli.photo_reading, limits).await,
        Command::Worker { name } => worker::run(cli.ports, &name).await,
    }
}

/// The checkout that this program was built from.
fn checkout() -> PathBuf {
    let crate_folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    crate_folder.ancestors().nth(2).unwrap_or(&crate_folder).to_owned()
}

/// One line on standard output; that it is closed could be reported nowhere.
fn tell(line: impl std::fmt::Display) {
    drop(writeln!(io::stdout(), "{line}"));
}

/// The functions' lines go to a file, because the terminal is for people.
fn log_to(path: &Path) -> io::Result<Log> {
    let file = Mutex::new(OpenOptions::new().create(true).append(true).open(path)?);
    Ok(Arc::new(move |line| {
        if let Ok(mut file) = file.lock() {
            // A full disk shows elsewhere.
            drop(writeln!(file, "{line}"));
        }
    }))
}

/// Waits for Ctrl-C, or for the end that another process asks for.
async fn asked_to_stop() -> io::Result<()> {
    let (mut interrupted, mut terminated) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::select! {
        _ = interrupted.recv() => {}
        _ = terminated.recv() => {}
    }
    Ok(())
}
