//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::ids::{AccountId, TenantId};

/// The utility company's side of Zählwerk: set up a tenant, bring accounts and reading jobs in, get readings out,
/// show and erase what is stored about a person.
///
/// Region and credentials come from AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.
/// Exit codes: 0 all done; 1 something in the files is wrong (each fault is reported, sound lines went in); 2 it could not be carried out.
#[derive(Debug, Parser)]
#[command(name = "zaehlwerk", version)]
pub struct Cli {
    #[command(flatten)]
    pub storage: Storage,
    #[command(subcommand)]
    pub command: Command,
}

/// Where the data is.
#[derive(Debug, Args)]
pub struct Storage {
    /// Address of DynamoDB in place of the region's, such as http://127.0.0.1:8000
    #[arg(long, global = true, env = "AWS_ENDPOINT_URL_DYNAMODB", value_name = "URL")]
    pub endpoint_url: Option<String>,
    /// The table
    #[arg(long, global = true, env = "TABLE_NAME", default_value = "zaehlwerk", value_name = "NAME")]
    pub table: String,
    /// The bucket with the photos; what erases needs it
    #[arg(long, global = true, env = "PHOTO_BUCKET", value_name = "NAME")]
    pub bucket: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// The tenant itself: config, texts, logo
    #[command(subcommand)]
    Tenant(Tenant),
    /// Who may log in
    #[command(subcommand)]
    Accounts(Accounts),
    /// What is to be read
    #[command(subcommand)]
    Jobs(Jobs),
    /// What was read
    #[command(subcommand)]
    Readings(Readings),
    /// What is stored about a person
    #[command(subcommand)]
    Subject(Subject),
}

#[derive(Debug, Subcommand)]
pub enum Subject {
    /// Print everything about an account and the accounts with which it shared (GDPR, Art. 15)
    ///
    /// One JSON object a line, each with its `kind`. Exit code 1: nothing is stored.
    Show {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The account
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// One JSON document for all
        #[arg(long)]
        json: bool,
    },
    /// Erase an account and all that it shared: items, readings, photos with every version (GDPR, Art. 17)
    ///
    /// What stays is a line in the list of erasures, which names nobody. An hour later the worker `erasure` looks a last time. Exit code
    /// 1: nothing is stored, or it was not confirmed; 2: the tenant has a legal hold, or it could not be carried out.
    Erase {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The account
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// Do not ask
        #[arg(long)]
        yes: bool,
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the list of erasures, one JSON object a line; it names nobody
    Erasures {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Erase again, in a restored table, whom FILE lists
    Replay {
        /// What `zaehlwerk subject erasures` printed for the table before
        file: PathBuf,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
}

#[derive(Debug, Subcommand)]
pub enum Tenant {
    /// Check a tenant's folder and put it into effect as a whole
    ///
    /// DIR holds tenant.json, contact.json, instructions.json, logo.png, and for each language translations/<language>.json and
    /// help/<language>.md as far as wanted. If anything is wrong, every fault is printed as `file: path: reason` and nothing is changed.
    Apply {
        /// The folder
        dir: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum Accounts {
    /// Create accounts and bring them up to date
    ///
    /// Each line of FILE is {id, name, username?, password?, token?, roles?, language?, validUntil?}. For a new account, what is missing
    /// of user name, password and token is generated. The same file again changes nothing.
    Import {
        /// JSON lines
        file: PathBuf,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// New file for the letters: one line for each account that is created, with its login data. They are kept nowhere else
        #[arg(long, value_name = "OUT")]
        letters: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum Jobs {
    /// Create reading jobs and bring them up to date; readings that were sent are kept
    ///
    /// Each line of FILE is {accountId, id, meter, …}. The same file again changes nothing.
    Import {
        /// JSON lines
        file: PathBuf,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// Close the jobs that FILE does not list; only when no line of it is faulty
        #[arg(long)]
        close_missing: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum Readings {
    /// Write every reading that was received
    ///
    /// Values are exact, digit for digit. A reading may show up some seconds after it was received: let two exports overlap by a minute;
    /// `jobId` and `resultId` tell which rows are the same.
    Export {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// Received from here on: a day of the tenant's time zone (2026-11-01) or a moment (2026-11-01T06:00:00Z)
        #[arg(long, value_name = "WHEN")]
        since: String,
        /// Received before: a day or a moment; without it, until now
        #[arg(long, value_name = "WHEN")]
        until: Option<String>,
        /// Shape of the rows
        #[arg(long, value_enum)]
        format: Format,
        /// The file, replaced once all rows are there; without it, standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// Shape of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One JSON object a line
    Jsonl,
    /// Comma-separated with a header (RFC 4180, UTF-8). A comment that a spreadsheet would take for a formula gets a leading apostrophe
    Csv,
}
