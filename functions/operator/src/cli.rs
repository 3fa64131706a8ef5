//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use desk::clearing::Decision;
use desk::entry::Counter;
use desk::exports::tables::Again;
use desk::market::MessageState;
use domain::audit::NAMELESS;
use domain::clearing::Doubt;
use domain::config_check::TENANT_FILE;
use domain::email::EmailAddress;
use domain::ids::{AccountId, ImportId, JobId, MemberId, SeasonId, TenantId};
use domain::model::{Channel, LowerReason, MeterType};
use domain::preset::{EXPORTS_FILE, FileFormat};
use domain::staff::Role;
use domain::text;
use domain::text::{Lang, Text};
use domain::value::MeterValue;
use jiff::civil::{Date, Time};
use store::{Effect, Exchange};

use crate::misunderstood::Unfit;

/// The utility company's side of Zählwerk: set up a tenant, bring accounts and reading jobs in, get readings out,
/// show and erase what is stored about a person.
///
/// Credentials are those of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, else those of the AWS command line (aws) for AWS_PROFILE, and
/// are renewed by it; the region is AWS_REGION, else that of the profile.
#[derive(Debug, Parser)]
#[command(name = "zaehlwerk", version)]
pub struct Cli {
    #[command(flatten)]
    pub storage: Storage,
    /// Say on standard output what was done as one line of JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Language of messages, faults and help; without it, that of the environment (LC_ALL, LC_MESSAGES, LANG)
    #[arg(long, global = true, env = LANG_VARIABLE, value_parser = PossibleValuesParser::new(["de", "en"]).try_map(|name| lang_of(&name).ok_or(name)))]
    pub lang: Option<Lang>,
    /// Who gives the command; what touches persons' data is kept with it
    #[arg(long, global = true, env = "ZAEHLWERK_BY", default_value_t = user(), value_name = "NAME")]
    pub by: String,
    #[command(subcommand)]
    pub command: Command,
}

/// The environment's name of `--lang`.
pub const LANG_VARIABLE: &str = "ZAEHLWERK_LANG";

/// The language that `--lang` means.
pub fn lang_of(name: &str) -> Option<Lang> {
    match name {
        "de" => Some(Lang::De),
        "en" => Some(Lang::En),
        _ => None,
    }
}

/// Who is logged in at this machine.
fn user() -> String {
    ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok()).unwrap_or_else(|| NAMELESS.into())
}

/// The file of an import.
#[derive(Debug, Clone, Default, Args)]
pub struct Input {
    /// JSON lines; with --mapping, a CSV file
    pub file: PathBuf,
    /// Mapping file (JSON): FILE is CSV, and this says which column is which field (see docs/season.md)
    #[arg(long, value_name = "MAP")]
    pub mapping: Option<PathBuf>,
    /// Check everything and say what would be done, without doing it
    #[arg(long)]
    pub dry_run: bool,
    /// Begin at this line of FILE, such as after an interruption
    #[arg(long, value_name = "LINE")]
    pub from_line: Option<u64>,
    /// CSV file for all faults: line, column, value, reason; with --from-line a file that is not there yet
    #[arg(long, value_name = "FAULTS")]
    pub faults: Option<PathBuf>,
}

impl Input {
    /// Whether the import writes.
    pub fn effect(&self) -> Effect {
        if self.dry_run { Effect::Tried } else { Effect::Stored }
    }

    /// How a summary begins.
    pub fn tried(&self) -> Text {
        if self.dry_run { text!("Probelauf, nichts wurde gespeichert: ", "dry run, nothing was written: ") } else { Text::same("") }
    }
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
    /// What people get by post
    #[command(subcommand)]
    Letters(Letters),
    /// What was read
    #[command(subcommand)]
    Readings(Readings),
    /// Messages to market partners, and their answers
    #[command(subcommand)]
    Market(Market),
    /// The tenant's receiver of readings as they come
    #[command(subcommand)]
    Webhook(Webhook),
    /// What is stored about a person
    #[command(subcommand)]
    Subject(Subject),
    /// Who gave which command that touched persons' data, kept for retention.auditDays (else two years); one JSON object a line
    ///
    /// Example: zaehlwerk audit --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Audit {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// How far the season is: return rate in total, by day, by login, by kind of meter; open jobs near their deadline
    ///
    /// Example: zaehlwerk season --tenant stadtwerk --season 2026 --format html --out bericht.html
    #[command(verbatim_doc_comment)]
    Season(Season),
    /// What was imported, and taking it back
    #[command(subcommand)]
    Imports(Imports),
    /// The seasons: which jobs are read together
    #[command(subcommand)]
    Seasons(Seasons),
    /// E-mails about jobs that are still open
    #[command(subcommand)]
    Reminders(Reminders),
    /// E-mails that ask for readings, in place of letters
    #[command(subcommand)]
    Invitations(Invitations),
    /// The utility's staff at the desk
    #[command(subcommand)]
    Members(Members),
    /// Readings that a clerk should look at: meter changes, rollovers, values outside the expected range
    #[command(subcommand)]
    Clearing(Clearing),
}

#[derive(Debug, Subcommand)]
pub enum Webhook {
    /// Say how it stands with the tenant's receiver of readings: what waits, since when, and what it answered last
    ///
    /// Exit code 1: the receiver takes nothing at the moment, or there are dead letters.
    ///
    /// Example: zaehlwerk webhook status --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Status {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// List the dead letters: messages that the receiver did not take, and that are not sent again by themselves
    ///
    /// Example: zaehlwerk webhook dead --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Dead {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Send dead letters again, under the ids that they had, and have everything that waits tried at once
    ///
    /// Without messages, all dead letters; also after the receiver said that its address is gone. Exit code 1: one of the messages is no dead
    /// letter; the others are sent.
    ///
    /// Example: zaehlwerk webhook retry --tenant stadtwerk
    /// Example: zaehlwerk webhook retry msg_9f86d081884c7d659a2feaa0c55ad015 --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Retry {
        /// Messages, as `webhook dead` lists them
        #[arg(value_name = "MESSAGE")]
        messages: Vec<String>,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Take dead letters off the list, which are never sent then; their readings stay and can be exported
    ///
    /// Exit code 1: one of the messages is no dead letter; the others are off.
    ///
    /// Example: zaehlwerk webhook discard msg_9f86d081884c7d659a2feaa0c55ad015 --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Discard {
        /// Messages, as `webhook dead` lists them
        #[arg(value_name = "MESSAGE", required = true)]
        messages: Vec<String>,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Send a signed message of the type `ping` to the receiver, now and once
    ///
    /// Exit code 1: it was not taken.
    ///
    /// Example: zaehlwerk webhook test --tenant stadtwerk --parameter-prefix /zaehlwerk/production/webhook/
    #[command(verbatim_doc_comment)]
    Test {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// What the names of the parameters with signing secrets begin with; the tenant comes next
        #[arg(long, env = "WEBHOOK_PARAMETER_PREFIX", value_name = "NAME")]
        parameter_prefix: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Subject {
    /// Print everything about an account and the accounts with which it shared (GDPR, Art. 15)
    ///
    /// One JSON object a line, each with its `kind`. Exit code 1: nothing is stored.
    ///
    /// Example: zaehlwerk subject show --tenant stadtwerk --account k-10417
    #[command(verbatim_doc_comment)]
    Show {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The account
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        account: AccountId,
    },
    /// Erase an account and all that it shared: items, readings, photos with every version (GDPR, Art. 17)
    ///
    /// What stays is a line in the list of erasures, which names nobody. An hour later the worker `erasure` looks a last time. Exit code
    /// 1: nothing is stored, or it was not confirmed; 2: the tenant has a legal hold, or it could not be carried out.
    ///
    /// Example: zaehlwerk subject erase --tenant stadtwerk --account k-10417
    #[command(verbatim_doc_comment)]
    Erase {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The account
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        account: AccountId,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Print the list of erasures, one JSON object a line; it names no customer
    ///
    /// Those that have begun, or await a second member, come last, without `erasedAt`.
    ///
    /// Example: zaehlwerk subject erasures --tenant stadtwerk > erasures.jsonl
    #[command(verbatim_doc_comment)]
    Erasures {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Print whose data is held, why, by whom and since when, one JSON object a line
    ///
    /// Example: zaehlwerk subject holds --tenant stadtwerk > holds.jsonl
    #[command(verbatim_doc_comment)]
    Holds {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Erase again, in a restored table, whom FILE lists
    ///
    /// Who came back after an erasure that the restored table has in its own list stays. Exit code 1: a line of FILE is none of such a list; the others were
    /// carried out.
    ///
    /// Example: zaehlwerk subject replay erasures.jsonl --tenant stadtwerk --holds holds.jsonl
    #[command(verbatim_doc_comment)]
    Replay {
        /// What `zaehlwerk subject erasures` printed for the table before
        file: PathBuf,
        /// What `zaehlwerk subject holds` printed for the table before: these hold then, and no others
        #[arg(long, value_name = "FILE")]
        holds: Option<PathBuf>,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
}

#[derive(Debug, Subcommand)]
pub enum Tenant {
    /// Begin a tenant's folder: settings that pass `tenant apply`, and a page that says what is what
    ///
    /// Example: zaehlwerk tenant new stadtwerk/ --id stadtwerk --name "Stadtwerke Musterstadt" --host zaehler.musterstadt.example
    #[command(verbatim_doc_comment)]
    New {
        /// The folder, which must not exist yet
        dir: PathBuf,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        id: TenantId,
        /// The name that the portal shows
        #[arg(long, value_name = "NAME")]
        name: String,
        /// The portal's host name
        #[arg(long, value_name = "HOST")]
        host: String,
    },
    /// Print the JSON Schema of tenant.json or exports.json, for editors
    ///
    /// Example: zaehlwerk tenant schema > tenant.schema.json
    #[command(verbatim_doc_comment)]
    Schema {
        /// Of which file
        #[arg(value_name = "FILE", default_value = TENANT_FILE, value_parser = [TENANT_FILE, EXPORTS_FILE])]
        file: String,
    },
    /// Say what `tenant apply` would change
    ///
    /// Exit code 1: something differs, or the folder has faults.
    ///
    /// Example: zaehlwerk tenant diff stadtwerk/
    #[command(verbatim_doc_comment)]
    Diff {
        /// The folder
        dir: PathBuf,
    },
    /// Check a tenant's folder and put it into effect as a whole
    ///
    /// DIR holds tenant.json, contact.json, instructions.json, logo.png, and for each language translations/<language>.json and
    /// help/<language>.md as far as wanted. If anything is wrong, every fault is printed as `file: path: reason`, nothing is changed, and the
    /// exit code is 1. What somebody put into effect at the desk is not replaced without `--over-desk`; `tenant fetch` gets it and says its version.
    ///
    /// Example: zaehlwerk tenant apply stadtwerk/
    #[command(verbatim_doc_comment)]
    Apply {
        /// The folder
        dir: PathBuf,
        /// Replace this version, too, though it was put into effect at the desk
        #[arg(long, value_name = "VERSION")]
        over_desk: Option<String>,
    },
    /// Write the files that are in effect into a tenant's folder, such as those that were changed at the desk
    ///
    /// Files of the same name are replaced; texts of languages that the tenant does not have any more, and exports.json if it has no presets, are
    /// removed; other files stay.
    ///
    /// Example: zaehlwerk tenant fetch stadtwerk/ --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Fetch {
        /// The folder
        dir: PathBuf,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
}

#[derive(Debug, Subcommand)]
pub enum Accounts {
    /// List customers, or find them by words: name, customer number, user name, street, postcode, the end of a meter's number, market or metering location
    ///
    /// Several words narrow the search: all have to be there. Spelling does not matter (Müller, Mueller, MULLER). Looking is noted with --by
    /// (`zaehlwerk audit`).
    ///
    /// Example: zaehlwerk accounts list --tenant stadtwerk --find "müller haupt 12"
    #[command(verbatim_doc_comment)]
    List {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        #[command(flatten)]
        find: Find,
    },
    /// Show everything about a customer: meters and jobs, readings of all years, mails, logins, shares
    ///
    /// Looking is noted with --by (`zaehlwerk audit`). Exit code 1: there is no such account.
    ///
    /// Example: zaehlwerk accounts show k-10417 --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Show {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The account, as `accounts list` shows it
        account: AccountId,
    },
    /// Create accounts and bring them up to date
    ///
    /// Each line of FILE is {id, name, username?, password?, token?, roles?, language?, email?, salutation?, validUntil?}. With --letters, what is missing
    /// of a new account's user name, password and token is generated; without, an account that brings no login data gets them with its first letter
    /// (`letters reprint`, or the desk's). If it was stopped, the letters so far are in OUT.unfinished, and the same command with the same --letters goes
    /// on with them. The same file again changes nothing. Exit code 1: some lines are faulty; each fault is reported, and the other lines went in.
    ///
    /// Example: zaehlwerk accounts import kunden.csv --mapping kunden.map.json --tenant stadtwerk --letters briefe.jsonl --faults fehler.csv
    #[command(verbatim_doc_comment)]
    Import {
        #[command(flatten)]
        input: Input,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// New file for the letters: one line for each account that is created, with its login data. They are kept nowhere else
        #[arg(long, value_name = "OUT")]
        letters: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub enum Jobs {
    /// List jobs, or find them by words, as `accounts list` finds customers
    ///
    /// Example: zaehlwerk jobs list --tenant stadtwerk --find 5678
    /// Example: zaehlwerk jobs list --tenant stadtwerk --season 2026 --limit 100000 --format csv
    #[command(verbatim_doc_comment)]
    List {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        #[command(flatten)]
        find: Find,
        /// Of this season only
        #[arg(long, value_name = "ID")]
        season: Option<SeasonId>,
    },
    /// Show a job with its readings of all years
    ///
    /// Exit code 1: there is no such job.
    ///
    /// Example: zaehlwerk jobs show 10417-strom --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Show {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The job
        job: JobId,
    },
    /// List who has not answered yet, by postcode, street and house number: for a second letter, a walk, an estimate
    ///
    /// Example: zaehlwerk jobs open --tenant stadtwerk --season 2026 --overdue --without-email --format csv --out offen.csv
    #[command(verbatim_doc_comment)]
    Open(Open),
    /// Create reading jobs and bring them up to date; readings that were sent are kept
    ///
    /// Each line of FILE is {accountId, id, meter, …}. The same file again changes nothing. A job or a meter that another account had
    /// moves: the other account's job is closed and keeps its readings. Exit code 1: some lines are faulty; each fault is reported, and the
    /// other lines went in. Also 1: so many jobs would be closed that it has to be confirmed, and then nothing was done; or FILE lists no
    /// job at all, and none was closed.
    ///
    /// Example: zaehlwerk jobs import ablesung.csv --mapping ablesung.map.json --tenant stadtwerk --dry-run --faults fehler.csv
    /// Example: zaehlwerk jobs import ablesung.csv --mapping ablesung.map.json --tenant stadtwerk --rehearse kunden.csv --rehearse-mapping kunden.map.json
    /// Example: zaehlwerk jobs import ablesung.csv --mapping ablesung.map.json --tenant stadtwerk --season 2026 --close-missing --close-list weg.csv
    #[command(verbatim_doc_comment)]
    Import(JobsImport),
}

/// Arguments of `jobs import`.
#[derive(Debug, Args)]
pub struct JobsImport {
    #[command(flatten)]
    pub input: Input,
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// The season to which FILE belongs; needed as soon as the tenant has seasons, unless each line names its own
    #[arg(long, value_name = "SEASON")]
    pub season: Option<SeasonId>,
    /// Close the jobs of the season that FILE does not list; only when no line of it is faulty, and more than 5 of 100 only when it was confirmed
    #[arg(long, conflicts_with = "from_line")]
    pub close_missing: bool,
    /// Confirm that so many jobs are closed
    #[arg(long, value_name = "NUMBER", requires = "close_missing")]
    pub yes_close: Option<u64>,
    /// CSV file for the jobs that would be closed, written before anything is done
    #[arg(long, value_name = "LIST", requires = "close_missing")]
    pub close_list: Option<PathBuf>,
    /// Only check FILE together with this file of accounts, which need not be there yet; nothing is written, no password is made
    #[arg(long, value_name = "ACCOUNTS")]
    pub rehearse: Option<PathBuf>,
    /// Mapping file of ACCOUNTS
    #[arg(long, value_name = "MAP", requires = "rehearse")]
    pub rehearse_mapping: Option<PathBuf>,
}

/// What is looked for, and how it is shown.
#[derive(Debug, Args)]
pub struct Find {
    /// Words that all have to be there
    #[arg(long, value_name = "WORDS")]
    pub find: Option<String>,
    /// Most rows
    #[arg(long, value_name = "COUNT", default_value_t = 25)]
    limit: usize,
    /// Shape of the rows
    #[arg(long, value_enum, default_value_t = ListFormat::Table)]
    pub format: ListFormat,
}

impl Find {
    /// Most rows, one at least.
    pub fn limit(&self) -> usize {
        self.limit.max(1)
    }
}

/// Shape of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For a person at a terminal
    Table,
    /// Semicolon-separated with a header. A cell that a spreadsheet would take for a formula gets a leading apostrophe
    Csv,
    /// One JSON object a line
    Jsonl,
}

/// Arguments of `jobs open`.
#[derive(Debug, Args)]
pub struct Open {
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// Of this season only
    #[arg(long, value_name = "ID")]
    pub season: Option<SeasonId>,
    /// Of this kind of meter only, such as GAS_METER; may be given several times
    #[arg(long, value_name = "TYPE", value_parser = meter_type)]
    pub meter_type: Vec<MeterType>,
    /// In this postcode, town or district, or where one of these begins so
    #[arg(long, value_name = "PLACE")]
    pub district: Option<String>,
    /// With a deadline until this day
    #[arg(long, value_name = "DAY")]
    pub due_until: Option<Date>,
    /// With a deadline that is over
    #[arg(long)]
    pub overdue: bool,
    /// Whose owner has confirmed an e-mail address
    #[arg(long, conflicts_with = "without_email")]
    pub with_email: bool,
    /// Whose owner has not
    #[arg(long)]
    pub without_email: bool,
    /// Columns, names and signs by this preset: `plain` for Excel, or one of the tenant's in exports.json
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Shape of the rows: a table, or with --preset the preset's own
    #[arg(long, value_enum)]
    pub format: Option<OpenFormat>,
    /// The file, replaced once all rows are there; without it, standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum Letters {
    /// Make letters as PDF (DIN 5008, PDF/A) and as a table for a print shop
    ///
    /// FILE is what `accounts import` or `letters reprint` wrote; addresses and meters come from the jobs. A letter that cannot arrive or has nothing
    /// to ask for is left out: without street, town, German postcode or open job, with an address or a text that does not fit, or with a link that
    /// opens no account of the tenant any more. Exit code 1: letters were left out, or have signs that the font lacks; each is reported with its
    /// account.
    ///
    /// Example: zaehlwerk letters print briefe.jsonl --tenant stadtwerk --pdf briefe.pdf --csv druckerei.csv
    /// Example: zaehlwerk letters print briefe.jsonl --tenant stadtwerk --pdf briefe.pdf --reply-cards
    #[command(verbatim_doc_comment)]
    Print(Print),
    /// Give accounts new login data and write their letters; the old password and link end at once, and a registered e-mail address is forgotten
    ///
    /// What an account shared goes on, and is counted in the answer: a manager's caretakers need no new access because of a lost letter. With
    /// --end-shares it ends, with everything below: for a letter that somebody else may have had.
    ///
    /// With --keep-login the letters have a fresh link only: user name, password, earlier links and sessions stay. That is next season's letter, for
    /// --all whose jobs can be read.
    ///
    /// Who has no login data yet gets them with either letter. Whose last letter came back gets none, unless --account names them.
    ///
    /// If it was stopped, the letters so far are in OUT.unfinished, and the same command with the same --letters goes on with them.
    ///
    /// Exit code 1: some accounts do not exist, or had a letter that came back; the others have their letter.
    ///
    /// Example: zaehlwerk letters reprint --tenant stadtwerk --account k-10417 --letters neu.jsonl
    /// Example: zaehlwerk letters reprint --tenant stadtwerk --keep-login --all --season 2027 --letters briefe-2027.jsonl
    #[command(verbatim_doc_comment)]
    Reprint(Reprint),
}

/// Arguments of `letters reprint`.
#[derive(Debug, Args)]
pub struct Reprint {
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// An account; may be given several times
    #[arg(long, value_name = "ACCOUNT", allow_hyphen_values = true, required_unless_present_any = ["accounts", "all"])]
    pub account: Vec<AccountId>,
    /// A file with one account id a line, such as `invitations send` writes
    #[arg(long, value_name = "FILE")]
    pub accounts: Option<PathBuf>,
    /// Every account of the utility's own with a job that can be read
    #[arg(long, requires = "keep_login", conflicts_with_all = ["account", "accounts"])]
    pub all: bool,
    /// With --all, only jobs of this season
    #[arg(long, value_name = "ID", requires = "all")]
    pub season: Option<SeasonId>,
    /// New file for the letters
    #[arg(long, value_name = "OUT")]
    pub letters: PathBuf,
    /// Leave the login data as they are, and write letters with a fresh link
    #[arg(long, conflicts_with = "end_shares")]
    pub keep_login: bool,
    /// End what was shared with the old login data, too
    #[arg(long)]
    pub end_shares: bool,
}

/// Arguments of `letters print`.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("target").required(true).multiple(true).args(["pdf", "pdf_dir", "csv"])))]
pub struct Print {
    /// The letters, as JSON lines
    pub file: PathBuf,
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// The letters, ordered by postcode; when they are more than --per-file, OUT-001.pdf, OUT-002.pdf and so on. OUT.manifest.json says which files there are,
    /// with their counts and SHA-256
    #[arg(long, value_name = "OUT")]
    pub pdf: Option<PathBuf>,
    /// Most letters of one PDF
    #[arg(long, value_name = "COUNT", default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=5000))]
    pub per_file: u16,
    /// Only about the jobs of this season
    #[arg(long, value_name = "ID")]
    pub season: Option<SeasonId>,
    /// With a card to be cut off and sent back for each meter, on pages of their own
    #[arg(long)]
    pub reply_cards: bool,
    /// A folder with one PDF a letter, named by the account
    #[arg(long, value_name = "DIR")]
    pub pdf_dir: Option<PathBuf>,
    /// The data of all letters as CSV, one row each, in the same order
    #[arg(long, value_name = "OUT")]
    pub csv: Option<PathBuf>,
    /// The utility's own text in place of the one that comes along (see docs/season.md)
    #[arg(long, value_name = "TEXT")]
    pub template: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum Readings {
    /// List the readings, of all years, of jobs that are found by words, as `accounts list` finds customers
    ///
    /// Example: zaehlwerk readings list --tenant stadtwerk --find "müller haupt 12"
    #[command(verbatim_doc_comment)]
    List {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// Words that all have to be there
        #[arg(long, value_name = "WORDS")]
        find: String,
        /// Most jobs
        #[arg(long, value_name = "COUNT", default_value_t = 25)]
        limit: usize,
        /// Shape of the rows
        #[arg(long, value_enum, default_value_t = ListFormat::Table)]
        format: ListFormat,
    },
    /// Enter a reading that came by phone, card or mail, or that field staff read
    ///
    /// The rules are those of the portal, without photos. What is warned of needs --confirm, waits for clearing and goes out after that. After the deadline,
    /// --late says why it is entered all the same. Where the meter was read already, or the same reading was rejected, --replaces names that reading, too: the
    /// refusal says its id. Who has a confirmed e-mail address gets the receipt. Exit code 1: it was not entered, for the reasons that are said, or the receipt did not go.
    ///
    /// Example: zaehlwerk readings enter 10417-strom --tenant stadtwerk --channel PHONE --value 4711.3
    /// Example: zaehlwerk readings enter --meter 1EMH0012345678 --tenant stadtwerk --channel TECHNICIAN --date 2026-11-20 --value HT=4711.3 --value NT=233.0
    #[command(verbatim_doc_comment)]
    Enter(Enter),
    /// Enter the readings of a file: cards that were scanned or typed, a list of field staff
    ///
    /// Each line of FILE is {job | code | meterNumber, readingDate, readings: [{register?, value}], channel?, comment?, lowerReason?}. A file that ends in .csv
    /// needs no mapping if its columns are called Auftrag, Code or Zählernummer, Datum, Stand or Stand HT and Stand NT. The same file again enters nothing twice.
    /// What is far outside of what is expected is entered and waits for clearing. A meter that was read already keeps its reading, and the line is faulty if it says
    /// something else. Exit code 1: lines are faulty; each fault is said, the other lines went in.
    ///
    /// Example: zaehlwerk readings import karten.csv --tenant stadtwerk --channel CARD --faults fehler.csv --dry-run
    #[command(verbatim_doc_comment)]
    Import(CardsImport),
    /// Write messages to the market (MSCONS) for electricity and gas, one file for each recipient
    ///
    /// Each reading goes once. What was corrected or rejected after it went is cancelled (13006) first, and what takes its place goes with the run after that.
    /// Readings stay out while they wait for clearing or their day is not over. A run that was interrupted is finished by the next one, with the same
    /// references. Partners and roles stand in tenant.json under desk.market. Exit code 1: somebody has to do something about readings that were left out,
    /// such as those without a metering location; each reason is counted.
    ///
    /// Example: zaehlwerk readings mscons --tenant stadtwerk --out ausgang/
    #[command(verbatim_doc_comment)]
    Mscons {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The folder for the files
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Write the files of this day's exports once more, with the same references
        #[arg(long, value_name = "DAY")]
        again: Option<Date>,
    },
    /// Write every reading that was received, or with --new each one once
    ///
    /// Values are exact, digit for digit. With --since a reading may show up some seconds after it was received: let two exports overlap by a
    /// minute; `jobId` and `resultId` tell which rows are the same. With --new the table notes what went out: the file has what no file had
    /// before, without what waits for clearing; a run that was interrupted is finished by the next one under the same name. A file of that name
    /// with something else in it is not replaced (exit code 2).
    /// Exit code 1: the preset's encoding lacks letters that are in the file as `?`, or with --again readings of the export are missing.
    ///
    /// Example: zaehlwerk readings export --tenant stadtwerk --format csv --new --dir ausgang/
    /// Example: zaehlwerk readings export --tenant stadtwerk --preset plain --season 2026 --new --dir ausgang/
    #[command(verbatim_doc_comment)]
    Export(Export),
}

/// Arguments of `readings enter`.
#[derive(Debug, Args)]
pub struct Enter {
    /// The job
    #[arg(required_unless_present = "meter", conflicts_with = "meter")]
    pub job: Option<JobId>,
    /// The number on the meter, in place of the job
    #[arg(long, value_name = "NUMBER")]
    pub meter: Option<String>,
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// How the reading came: PHONE, CARD, EMAIL, TECHNICIAN, or IMPORT if nobody knows
    #[arg(long, value_name = "CHANNEL", value_parser = channel)]
    pub channel: Channel,
    /// The counter; with several registers once for each, as REGISTER=COUNTER (OBIS code, or HT and NT)
    #[arg(long, value_name = "COUNTER", required = true, value_parser = register_value)]
    pub value: Vec<Counter>,
    /// The day of the reading; without it, today
    #[arg(long, value_name = "DAY")]
    pub date: Option<Date>,
    /// What the customer remarks
    #[arg(long, value_name = "TEXT")]
    pub comment: Option<String>,
    /// Why the counter is lower than before: METER_CHANGE or ROLLOVER
    #[arg(long, value_name = "REASON", value_parser = lower_reason)]
    pub lower_reason: Option<LowerReason>,
    /// Why a value is right that is warned of
    #[arg(long, value_name = "TEXT", value_parser = words)]
    pub confirm: Option<String>,
    /// Why it is entered after the deadline, in the place of another reading, or once more after it was rejected
    #[arg(long, value_name = "TEXT", value_parser = words)]
    pub late: Option<String>,
    /// The id of the reading in whose place it comes, or that was rejected; of several registers once for each
    #[arg(long, value_name = "READING", requires = "late")]
    pub replaces: Vec<String>,
    /// Say what would be done, without doing it
    #[arg(long)]
    pub dry_run: bool,
    /// The mail service's configuration set, which reports bounces and complaints
    #[arg(long, env = "MAIL_CONFIGURATION_SET", value_name = "NAME")]
    pub configuration_set: Option<String>,
}

/// Arguments of `readings import`.
#[derive(Debug, Args)]
pub struct CardsImport {
    #[command(flatten)]
    pub input: Input,
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// How the readings came, of lines that do not say it: PHONE, CARD, EMAIL, TECHNICIAN, or IMPORT if nobody knows
    #[arg(long, value_name = "CHANNEL", default_value = "IMPORT", value_parser = channel)]
    pub channel: Channel,
    /// Why they are entered after the deadline
    #[arg(long, value_name = "TEXT", value_parser = words)]
    pub late: Option<String>,
}

/// Arguments of `readings export`.
#[derive(Debug, Args)]
pub struct Export {
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// Received from here on: a day of the tenant's time zone (2026-11-01) or a moment (2026-11-01T06:00:00Z)
    #[arg(long, value_name = "WHEN", required_unless_present_any = ["new", "again"])]
    pub since: Option<String>,
    /// Received before: a day or a moment; without it, until now
    #[arg(long, value_name = "WHEN")]
    pub until: Option<String>,
    /// The readings of meters that have no job, instead of those of jobs; one row for each value
    #[arg(long)]
    pub unknown: bool,
    /// What no export with --new had yet, as a new file in --dir
    #[arg(long, conflicts_with_all = ["since", "until", "out", "again"], requires = "dir")]
    pub new: bool,
    /// The files of exports with --new once more: those of a day (2026-11-21) or the one with a number (12)
    #[arg(long, value_name = "DAY|NUMBER", conflicts_with_all = ["since", "until", "out"], requires = "dir", value_parser = again)]
    pub again: Option<Again>,
    /// The folder for --new and --again
    #[arg(long, value_name = "DIR", conflicts_with = "since")]
    pub dir: Option<PathBuf>,
    /// Readings of this season only
    #[arg(long, value_name = "ID", conflicts_with_all = ["unknown", "again"])]
    pub season: Option<SeasonId>,
    /// Columns, names and signs by this preset: `plain` for Excel, `sap-isu`, or one of the tenant's in exports.json
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Shape of the rows; with --preset in place of the preset's own
    #[arg(long, value_enum, required_unless_present = "preset")]
    pub format: Option<Format>,
    /// The file, replaced once all rows are there; without it, standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum Imports {
    /// List the imports of accounts, jobs and readings, the latest first
    ///
    /// Example: zaehlwerk imports list --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    List {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Take an import back, for 90 days: what it created goes, jobs that it changed or closed become what they were
    ///
    /// What somebody used since stays: a job that was read, an account that was logged in to, that has jobs or was given new login data. So does an
    /// account that was changed. Exit code 1: something stays; it is named.
    ///
    /// Example: zaehlwerk imports undo 20261122-114512-7f3a --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Undo {
        /// The import, as `imports list` shows it
        id: ImportId,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
}

#[derive(Debug, Subcommand)]
pub enum Seasons {
    /// List the tenant's seasons, the latest first
    ///
    /// Example: zaehlwerk seasons list --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    List {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Create a season, or change the one that has this id; jobs that belong to it stay
    ///
    /// Lines of `jobs import` whose period, kind of meter or district does not belong to their season are faults. As soon as there is a season,
    /// each file of jobs has to name one.
    ///
    /// Example: zaehlwerk seasons create 2026 --tenant stadtwerk --name "Jahresablesung 2026" --from 2026-11-01 --to 2027-01-31
    #[command(verbatim_doc_comment)]
    Create(NewSeason),
}

/// Arguments of `seasons create`.
#[derive(Debug, Args)]
pub struct NewSeason {
    /// Its id, such as 2026
    pub id: SeasonId,
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// Its name
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// Its first day
    #[arg(long, value_name = "DAY")]
    pub from: Date,
    /// Its last day
    #[arg(long, value_name = "DAY")]
    pub to: Date,
    /// A kind of meter that belongs to it; may be given several times. Without it, all
    #[arg(long = "meter-type", value_name = "TYPE", value_parser = meter_type)]
    pub meter_types: Vec<MeterType>,
    /// A district that belongs to it (cityDistrict of the meter's address); may be given several times. Without it, all
    #[arg(long = "district", value_name = "NAME")]
    pub districts: Vec<String>,
}

fn meter_type(text: &str) -> Result<MeterType, Unfit> {
    let known = "ELECTRIC_METER, GAS_METER, WATER_METER, WATER_WARM_METER, HEAT_METER, GENERIC_METER";
    serde_json::from_value(text.into()).map_err(|_| Unfit(text!("ist keine von {known}", "is none of {known}")))
}

/// Arguments of `season`.
#[derive(Debug, Args)]
pub struct Season {
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// Only this season; `default` are the jobs that belong to none
    #[arg(long, value_name = "SEASON")]
    pub season: Option<SeasonId>,
    /// Count by looking at every job, and mend what differs
    #[arg(long)]
    pub recount: bool,
    /// Shape of the report
    #[arg(long, value_enum, default_value_t = SeasonFormat::Table)]
    pub format: SeasonFormat,
    /// The file; without it, standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Shape of the season's report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SeasonFormat {
    /// For a person at a terminal
    Table,
    /// Semicolon-separated
    Csv,
    /// A page with charts, without scripts
    Html,
    /// One JSON object
    Json,
}

#[derive(Debug, Subcommand)]
pub enum Reminders {
    /// Remind accounts with a confirmed address and open jobs near their deadline
    ///
    /// How often, how early and how fast stands in tenant.json under desk.reminders; all tenants' runs together take half of what the mail
    /// service takes. May be stopped and begun again: nobody gets a reminder twice. Exit code 1: some could not be sent, or wait for tomorrow
    /// because the tenant may not write to more recipients today.
    ///
    /// Example: zaehlwerk reminders send --tenant stadtwerk --dry-run
    #[command(verbatim_doc_comment)]
    Send {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// Say who would get what, and send nothing
        #[arg(long)]
        dry_run: bool,
        /// The mail service's configuration set, which reports bounces and complaints
        #[arg(long, env = "MAIL_CONFIGURATION_SET", value_name = "NAME")]
        configuration_set: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum Market {
    /// Read what partners answered: CONTRL (could it be read?) and APERAK (could it be processed?)
    ///
    /// The same file again changes nothing. Exit code 1: something belongs to no message that went out, or is no answer; the rest was read.
    ///
    /// Example: zaehlwerk market receive eingang/*.txt --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Receive {
        /// Interchanges from partners, decrypted
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// List the messages of the last 400 days, the last one first: open, accepted, refused and why
    ///
    /// Exit code 1: some were refused.
    ///
    /// Example: zaehlwerk market status --tenant stadtwerk --state refused
    #[command(verbatim_doc_comment)]
    Status {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// Only those that stand so
        #[arg(long, value_name = "STATE")]
        state: Option<State>,
    },
    /// Have refused messages sent once more with the next run, such as after the partner mended its master data
    ///
    /// Without messages, all that were refused. Exit code 1: one of them was not refused.
    ///
    /// Example: zaehlwerk market resend --tenant stadtwerk
    /// Example: zaehlwerk market resend ZW000007K3F9QZ-7Q2M4XPA --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Resend {
        /// Messages, as `market status` lists them
        #[arg(value_name = "MESSAGE")]
        messages: Vec<String>,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
}

/// How a message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum State {
    /// Nobody has answered yet, or only that it arrived
    Open,
    /// It was taken, or nobody objected in time
    Accepted,
    /// It was not taken
    Refused,
}

impl From<State> for MessageState {
    fn from(state: State) -> Self {
        match state {
            State::Open => Self::Open,
            State::Accepted => Self::Accepted,
            State::Refused => Self::Refused,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Members {
    /// List who works at the tenant's desk, with their roles, and who is invited
    ///
    /// Example: zaehlwerk members list --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    List {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
    /// Invite somebody to the tenant's desk by mail
    ///
    /// The link is good once, for seven days; for two if it opens the role lead or platform. Whoever accepts it logs in first.
    /// Those who run the product are members of `platform`, with the role platform; no mail is sent to them, the link is printed.
    /// Where the tenant has no login of its own, whoever is invited has to be a user of the desk's user pool, too; the command that makes them one is printed.
    /// Exit code 1: the mail did not go out; the link that is printed is good all the same.
    ///
    /// Example: zaehlwerk members invite clara@stadtwerk.example --tenant stadtwerk --role clerk --role privacy --desk-origin https://desk.example
    #[command(verbatim_doc_comment)]
    Invite(NewMember),
    /// Give a member other roles, at the member's next click
    ///
    /// A tenant with jobs keeps two leads. Exit code 1: there is no such member.
    ///
    /// Example: zaehlwerk members change 4fGh0wT8LkZr2VbNq1XyPc --tenant stadtwerk --role support
    #[command(verbatim_doc_comment)]
    Change {
        /// The member, as `members list` shows it
        member: MemberId,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// What the member may do: support, clerk, lead, privacy or platform; may be given several times
        #[arg(long = "role", value_name = "ROLE", required = true)]
        roles: Vec<Role>,
    },
    /// End a membership, at the member's next click
    ///
    /// Open invitations to the member's address, and those that the member wrote, end with it. A tenant with jobs keeps two leads. Exit code
    /// 1: there is no such member.
    ///
    /// Example: zaehlwerk members remove 4fGh0wT8LkZr2VbNq1XyPc --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Remove {
        /// The member, as `members list` shows it
        member: MemberId,
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
    },
}

/// Arguments of `members invite`.
#[derive(Debug, Args)]
pub struct NewMember {
    /// Where the invitation goes
    pub email: EmailAddress,
    /// The tenant's application id
    #[arg(long, value_name = "ID")]
    pub tenant: TenantId,
    /// What the member may do: support, clerk, lead, privacy or platform; may be given several times
    #[arg(long = "role", value_name = "ROLE", required = true)]
    pub roles: Vec<Role>,
    /// The member that it is, whose login at the provider is another one now: their history goes on
    #[arg(long, value_name = "MEMBER")]
    pub member: Option<MemberId>,
    /// Where the desk is, such as https://desk.example
    #[arg(long, env = "DESK_ORIGIN", value_name = "URL", value_parser = origin)]
    pub desk_origin: String,
    /// The mail service's configuration set, which reports bounces and complaints
    #[arg(long, env = "MAIL_CONFIGURATION_SET", value_name = "NAME")]
    pub configuration_set: Option<String>,
}

/// What a link begins with; browsers show a slash at its end, with which the link would have two.
fn origin(text: &str) -> Result<String, Unfit> {
    let origin = text.strip_suffix('/').unwrap_or(text);
    let host = ["https://", "http://"].into_iter().find_map(|scheme| origin.strip_prefix(scheme));
    let is_host = |host: &str| !host.is_empty() && host.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter));
    host.is_some_and(is_host).then(|| origin.to_owned()).ok_or_else(|| {
        Unfit(text!(
            "muss eine Adresse wie https://desk.example sein, ohne Pfad",
            "must be an address such as https://desk.example, without a path"
        ))
    })
}

#[derive(Debug, Subcommand)]
pub enum Invitations {
    /// Invite every account that has an address and open jobs: one mail with a link that logs in
    ///
    /// The address that the owner has confirmed goes before that of `accounts import`; who has declined such mails gets none. Login data and earlier links
    /// stay. At the pace and in the limits of reminders. May be stopped and begun again: nobody gets a second mail for the same jobs. Exit
    /// code 1: some could not be sent, or wait for tomorrow because the tenant may not write to more recipients today.
    ///
    /// Example: zaehlwerk invitations send --tenant stadtwerk --season 2026 --dry-run
    /// Example: zaehlwerk invitations send --tenant stadtwerk --season 2026 --without-mail ohne-mail.txt --returned zurueck.txt
    #[command(verbatim_doc_comment)]
    Send {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// Only for the jobs of this season
        #[arg(long, value_name = "ID")]
        season: Option<SeasonId>,
        /// Say who would get what, and send nothing
        #[arg(long)]
        dry_run: bool,
        /// New file with the accounts that need a letter: no address, declined, or one that takes no mail; one id a line
        #[arg(long, value_name = "OUT", conflicts_with = "dry_run")]
        without_mail: Option<PathBuf>,
        /// New file with the accounts that were invited, and whose mails came back or were called spam; one id a line
        #[arg(long, value_name = "OUT", conflicts_with = "dry_run")]
        returned: Option<PathBuf>,
        /// The mail service's configuration set, which reports bounces and complaints
        #[arg(long, env = "MAIL_CONFIGURATION_SET", value_name = "NAME")]
        configuration_set: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum Clearing {
    /// List the readings that wait for a decision; they do not go out before
    ///
    /// Those that came without a job (WITHOUT_JOB) do go out while they wait, and are assigned or rejected at the desk only.
    ///
    /// Example: zaehlwerk clearing list --tenant stadtwerk --photos fotos/
    /// Example: zaehlwerk clearing list --tenant stadtwerk --season 2026 --reason EXPECTED_HIGH --limit 20
    /// Example: zaehlwerk clearing list --tenant stadtwerk --decided
    #[command(verbatim_doc_comment)]
    List {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// Save their photos in this folder, as <job>-<reading>-<number>.jpg
        #[arg(long, value_name = "DIR")]
        photos: Option<PathBuf>,
        /// What was decided already, with the reasons, in place of what waits
        #[arg(long, conflicts_with = "photos")]
        decided: bool,
        #[command(flatten)]
        waiting: WaitingArgs,
    },
    /// Let a reading count
    ///
    /// When the meter was exchanged, name the day, the new meter's number and both counters of the register: they go out with the reading. To the
    /// market they go only with the new number. What is unlikely about them, such as a last counter below the last known reading, needs --confirmed.
    ///
    /// Example: zaehlwerk clearing release 10417-strom 7f3a --tenant stadtwerk --exchanged-on 2026-11-02 --new-number 1EMH0012345678 --final 48210.4 --initial 0
    #[command(verbatim_doc_comment)]
    Release {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The job
        job: JobId,
        /// The reading's id, as `clearing list` shows it
        reading: String,
        /// The version that `clearing list --json` named: if somebody decided since, or a newer reading came, nothing is done
        #[arg(long, value_name = "VERSION")]
        seen: Option<String>,
        #[command(flatten)]
        exchange: ExchangeArgs,
    },
    /// Let a reading not count: its register is open again, and the portal says why
    ///
    /// Who has a confirmed e-mail address gets a mail with the words of --reason, which asks to read once more while readings are taken. Exit
    /// code 1: the mail did not go.
    ///
    /// Example: zaehlwerk clearing reject 10417-strom 7f3a --tenant stadtwerk --reason "photo shows another meter"
    #[command(verbatim_doc_comment)]
    Reject {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The job
        job: JobId,
        /// The reading's id, as `clearing list` shows it
        reading: String,
        /// The version that `clearing list --json` named: if somebody decided since, or a newer reading came, nothing is done
        #[arg(long, value_name = "VERSION")]
        seen: Option<String>,
        /// Why, in words that the customer reads
        #[arg(long, value_name = "TEXT", value_parser = words_for_customer)]
        reason: String,
        /// The mail service's configuration set, which reports bounces and complaints
        #[arg(long, env = "MAIL_CONFIGURATION_SET", value_name = "NAME")]
        configuration_set: Option<String>,
    },
    /// Take a decision back: the reading waits as before
    ///
    /// That is possible until an export or the webhook took it; then decide anew, and the next export corrects it. A mail that went stays sent.
    ///
    /// Example: zaehlwerk clearing undo 10417-strom 7f3a --tenant stadtwerk
    #[command(verbatim_doc_comment)]
    Undo {
        /// The tenant's application id
        #[arg(long, value_name = "ID")]
        tenant: TenantId,
        /// The job
        job: JobId,
        /// The reading's id, as `clearing list` shows it
        reading: String,
    },
}

/// Which readings that wait are wanted.
#[derive(Debug, Args)]
pub struct WaitingArgs {
    /// Of jobs of this season
    #[arg(long, value_name = "SEASON", conflicts_with = "decided")]
    pub season: Option<SeasonId>,
    /// Of meters of this kind, such as GAS_METER
    #[arg(long, value_name = "TYPE", value_parser = meter_type, conflicts_with = "decided")]
    pub meter_type: Option<MeterType>,
    /// For this reason: METER_CHANGE, ROLLOVER, OUTSIDE_RANGE, EXPECTED_LOW, EXPECTED_HIGH, LOWER_UNEXPLAINED or WITHOUT_JOB
    #[arg(long = "reason", value_name = "REASON", value_parser = doubt, conflicts_with = "decided")]
    pub doubt: Option<Doubt>,
    /// That came more than so many days ago
    #[arg(long, value_name = "DAYS", conflicts_with = "decided")]
    pub older_than: Option<u16>,
    /// At most so many, the oldest first
    #[arg(long, value_name = "COUNT", conflicts_with = "decided")]
    pub limit: Option<usize>,
}

fn doubt(text: &str) -> Result<Doubt, Unfit> {
    serde_json::from_value(text.into()).map_err(|_| {
        Unfit(text!(
            "ist kein Grund; es gibt METER_CHANGE, ROLLOVER, OUTSIDE_RANGE, EXPECTED_LOW, EXPECTED_HIGH, LOWER_UNEXPLAINED und WITHOUT_JOB",
            "is no reason; there are METER_CHANGE, ROLLOVER, OUTSIDE_RANGE, EXPECTED_LOW, EXPECTED_HIGH, LOWER_UNEXPLAINED and WITHOUT_JOB"
        ))
    })
}

/// A meter's exchange.
#[derive(Debug, Args)]
pub struct ExchangeArgs {
    /// The day on which the meter was exchanged
    #[arg(long, value_name = "DAY", requires = "final_value", requires = "initial_value")]
    exchanged_on: Option<Date>,
    /// The time of that day, in the tenant's time zone
    #[arg(long, value_name = "HH:MM", requires = "exchanged_on", value_parser = time)]
    exchanged_at: Option<Time>,
    /// The number of the meter that came
    #[arg(long, value_name = "NUMBER", requires = "exchanged_on", value_parser = meter_number)]
    new_number: Option<String>,
    /// The number of the meter that went, if the reading has that of the new one already
    #[arg(long, value_name = "NUMBER", requires = "new_number", value_parser = meter_number)]
    old_number: Option<String>,
    /// The last counter of the meter that went
    #[arg(long = "final", value_name = "COUNTER", requires = "exchanged_on", value_parser = counter)]
    final_value: Option<MeterValue>,
    /// The first counter of the meter that came
    #[arg(long = "initial", value_name = "COUNTER", requires = "exchanged_on", value_parser = counter)]
    initial_value: Option<MeterValue>,
    /// Gas: the number of the transaction (UTILMD) that announced the exchange to the market
    #[arg(long, value_name = "NUMBER", requires = "exchanged_on", value_parser = market_reference)]
    transaction: Option<String>,
    /// The day and the counters are right although they are warned of
    #[arg(long, requires = "exchanged_on")]
    confirmed: bool,
}

impl ExchangeArgs {
    /// The exchange, if there was one.
    fn exchange(self) -> Option<Exchange> {
        let Self { exchanged_on, exchanged_at: time, new_number, old_number, final_value, initial_value, transaction, .. } = self;
        let (final_value, initial_value) = (final_value?, initial_value?);
        Some(Exchange { day: exchanged_on?, time, new_number, old_number, final_value, initial_value, transaction })
    }

    /// That the reading counts.
    pub fn decision(self) -> Decision {
        let confirmed = self.confirmed;
        Decision::Release { exchange: self.exchange(), confirmed }
    }
}

fn time(text: &str) -> Result<Time, Unfit> {
    text.parse().map_err(|_| Unfit(text!("muss eine Uhrzeit sein, etwa 09:30", "must be a time, such as 09:30")))
}

fn meter_number(text: &str) -> Result<String, Unfit> {
    domain::job_check::check_meter_number(text).map(|()| text.to_owned()).map_err(Unfit)
}

fn market_reference(text: &str) -> Result<String, Unfit> {
    domain::market::check_reference(text).map(|()| text.to_owned()).map_err(Unfit)
}

/// A channel of what staff enter.
fn channel(text: &str) -> Result<Channel, Unfit> {
    let channel = serde_json::from_value(text.to_uppercase().into()).ok().filter(|channel| *channel != Channel::Portal);
    channel.ok_or_else(|| {
        Unfit(text!("möglich sind PHONE, CARD, EMAIL, TECHNICIAN und IMPORT", "must be PHONE, CARD, EMAIL, TECHNICIAN or IMPORT"))
    })
}

/// A day, or the number that stands in a file's name.
fn again(text: &str) -> Result<Again, Unfit> {
    let day = text.parse().map(Again::OfDay).ok();
    day.or_else(|| text.parse().map(Again::Number).ok()).ok_or_else(|| {
        Unfit(text!(
            "muss ein Tag sein wie 2026-11-21 oder die Nummer eines Exports wie 12",
            "must be a day such as 2026-11-21 or an export's number such as 12"
        ))
    })
}

fn lower_reason(text: &str) -> Result<LowerReason, Unfit> {
    let reason = serde_json::from_value(text.to_uppercase().into()).ok();
    reason.ok_or_else(|| Unfit(text!("möglich sind METER_CHANGE und ROLLOVER", "must be METER_CHANGE or ROLLOVER")))
}

/// A reason in words.
fn words(text: &str) -> Result<String, Unfit> {
    at_least(3, text)
}

/// The same as the customer is told it, of which the desk takes any that says something.
fn words_for_customer(text: &str) -> Result<String, Unfit> {
    at_least(1, text)
}

fn at_least(least: usize, text: &str) -> Result<String, Unfit> {
    let text = text.trim();
    let is_reason = (least..=1000).contains(&text.chars().count());
    is_reason
        .then(|| text.to_owned())
        .ok_or_else(|| Unfit(text!("muss {least} bis 1000 Zeichen haben", "must have {least} to 1000 characters")))
}

/// A counter as it stands on a meter or a card, with its register before it if there are several.
fn register_value(text: &str) -> Result<Counter, Unfit> {
    let (register, value) = match text.rsplit_once('=') {
        Some((register, value)) => (Some(register.trim().to_owned()), value),
        None => (None, text),
    };
    Ok(Counter { register, value: counter(&value.trim().replacen(',', ".", 1))? })
}

fn counter(text: &str) -> Result<MeterValue, Unfit> {
    MeterValue::parse(text).map_err(|error| Unfit(error.into()))
}

/// Shape of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One JSON object a line
    Jsonl,
    /// Comma-separated with a header (RFC 4180, UTF-8). A comment that a spreadsheet would take for a formula gets a leading apostrophe
    Csv,
    /// A workbook of Excel's; without --preset by the preset `plain`
    Xlsx,
}

impl Format {
    /// The format of a preset's file.
    pub fn of_file(self) -> FileFormat {
        match self {
            Self::Jsonl => FileFormat::Jsonl,
            Self::Csv => FileFormat::Csv,
            Self::Xlsx => FileFormat::Xlsx,
        }
    }
}

/// Shape of the list of open jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OpenFormat {
    /// For a person at a terminal
    Table,
    /// Semicolon-separated with a header. A cell that a spreadsheet would take for a formula gets a leading apostrophe
    Csv,
    /// One JSON object a line
    Jsonl,
    /// A workbook of Excel's; without --preset by the preset `plain`
    Xlsx,
}
