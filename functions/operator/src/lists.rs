//! `zaehlwerk accounts list`, `accounts show`, `jobs list`, `jobs show`, `jobs open`, `readings list`: what staff look up.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use desk::lists::{self, CustomerPage, JobPage, OpenRow, Record, Rows};
use desk::presets::{self, Layout};
use domain::ids::{AccountId, JobId, SeasonId, TenantId};
use domain::open_filter::OpenFilter;
use domain::preset::{BUILT_IN, FileFormat, List};
use domain::text;
use domain::text::{Lang, Text, counted};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::{Value, json};
use store::Store;

use crate::cli::{Find, ListFormat, Open, OpenFormat};
use crate::export::{lacking, no_workbook_on_screen};
use crate::output::Output;
use crate::text::word;
use crate::{Failure, Say, Verdict, tell};
use desk::spreadsheet::{begin_table, write_row};

/// The fields of a row in the order of its columns, by the names that JSON has.
const ACCOUNT: [&str; 9] = ["account", "name", "username", "street", "houseNumber", "postcode", "city", "meterNumber", "validUntil"];
const JOB: [&str; 13] = [
    "job",
    "account",
    "name",
    "season",
    "meterNumber",
    "meterType",
    "street",
    "houseNumber",
    "postcode",
    "city",
    "deadline",
    "state",
    "values",
];
const READING: [&str; 16] = [
    "job",
    "reading",
    "meterNumber",
    "obis",
    "date",
    "value",
    "channel",
    "loginKind",
    "enteredBy",
    "confirmedReason",
    "lateReason",
    "created",
    "comment",
    "released",
    "reason",
    "exported",
];
const OPEN: [&str; 20] = [
    "job",
    "account",
    "season",
    "name",
    "company",
    "firstname",
    "lastname",
    "street",
    "houseNumber",
    "postcode",
    "city",
    "district",
    "location",
    "meterNumber",
    "meterType",
    "earliest",
    "deadline",
    "overdue",
    "open",
    "email",
];

/// What a person calls a field, in German; in English as it is.
const GERMAN: [(&str, &str); 40] = [
    ("account", "Kunde"),
    ("name", "Name"),
    ("username", "Benutzername"),
    ("street", "Straße"),
    ("houseNumber", "Hausnr."),
    ("postcode", "PLZ"),
    ("city", "Ort"),
    ("district", "Ortsteil"),
    ("location", "Einbauort"),
    ("meterNumber", "Zählernummer"),
    ("meterType", "Sparte"),
    ("validUntil", "gültig bis"),
    ("language", "Sprache"),
    ("job", "Auftrag"),
    ("season", "Saison"),
    ("earliest", "ab"),
    ("deadline", "Frist"),
    ("state", "Stand"),
    ("values", "Werte"),
    ("reading", "Ablesung"),
    ("obis", "OBIS"),
    ("date", "Tag"),
    ("value", "Zählerstand"),
    ("channel", "Weg"),
    ("loginKind", "Zugang"),
    ("enteredBy", "eingetragen von"),
    ("confirmedReason", "bestätigt, weil"),
    ("lateReason", "nachgetragen, weil"),
    ("created", "eingegangen"),
    ("comment", "Kommentar"),
    ("released", "freigegeben"),
    ("reason", "Grund"),
    ("exported", "ausgegeben"),
    ("company", "Firma"),
    ("firstname", "Vorname"),
    ("lastname", "Nachname"),
    ("overdue", "überfällig"),
    ("open", "offen"),
    ("email", "E-Mail"),
    ("kind", "Art"),
];

fn label(field: &'static str, lang: Lang) -> &'static str {
    let german = GERMAN.iter().find(|(name, _)| *name == field).map(|(_, german)| *german);
    german.filter(|_| lang == Lang::De).unwrap_or(field)
}

/// Customers.
pub async fn accounts(store: &Store, tenant: &TenantId, find: &Find, say: Say) -> Result<Verdict, Failure> {
    let rows = lists::accounts(store, tenant, find.find.as_deref(), find.limit()).await?;
    show(&rows, "accounts", &ACCOUNT, find.format, say)
}

/// Jobs.
pub async fn jobs(store: &Store, tenant: &TenantId, find: &Find, season: Option<&SeasonId>, say: Say) -> Result<Verdict, Failure> {
    if let Some(season) = season {
        desk::seasons::known(store, tenant, season).await?;
    }
    let rows = lists::jobs(store, tenant, find.find.as_deref(), season, find.limit()).await?;
    show(&rows, "jobs", &JOB, find.format, say)
}

/// Readings of jobs that are found by words.
pub async fn readings(
    store: &Store,
    tenant: &TenantId,
    find: &str,
    limit: usize,
    format: ListFormat,
    say: Say,
) -> Result<Verdict, Failure> {
    let rows = lists::readings(store, tenant, find, limit).await?;
    show(&rows, "readings", &READING, format, say)
}

/// The list of open jobs.
pub async fn open(store: &Store, args: &Open, say: Say) -> Result<Verdict, Failure> {
    if let Some(season) = &args.season {
        desk::seasons::known(store, &args.tenant, season).await?;
    }
    let filter = OpenFilter {
        season: args.season.clone(),
        meter_types: args.meter_type.iter().copied().collect(),
        district: args.district.clone(),
        in_district: None,
        due_until: args.due_until,
        overdue: args.overdue,
        email: args.with_email.then_some(true).or(args.without_email.then_some(false)),
    };
    let rows = lists::open(store, &args.tenant, &filter, None, Timestamp::now()).await?;
    let count = rows.len();
    let preset = args.preset.as_deref().or((args.format == Some(OpenFormat::Xlsx)).then_some(BUILT_IN[0]));
    if let Some(preset) = preset {
        return open_by_preset(store, args, preset, &rows, say).await;
    }
    let format = match args.format {
        Some(OpenFormat::Csv | OpenFormat::Xlsx) => ListFormat::Csv,
        Some(OpenFormat::Jsonl) => ListFormat::Jsonl,
        Some(OpenFormat::Table) | None => ListFormat::Table,
    };
    let rows = Rows { rows, more: false };
    match &args.out {
        None => show(&rows, "open", &OPEN, format, say),
        Some(path) => {
            save(path, &shaped(&values(&rows)?, &OPEN, format, say.lang)?)?;
            told_open(count, path, say)?;
            Ok(Verdict::Sound)
        }
    }
}

fn told_open(count: usize, path: &Path, say: Say) -> Result<(), Failure> {
    let line = text!("Aufträge: {count} offen", "jobs: {count} open");
    say.tell(&line, &json!({ "open": count, "out": path }))
}

async fn open_by_preset(store: &Store, args: &Open, preset: &str, rows: &[OpenRow], say: Say) -> Result<Verdict, Failure> {
    let format = match args.format {
        None => None,
        Some(OpenFormat::Csv) => Some(FileFormat::Csv),
        Some(OpenFormat::Jsonl) => Some(FileFormat::Jsonl),
        Some(OpenFormat::Xlsx) => Some(FileFormat::Xlsx),
        Some(OpenFormat::Table) => {
            let reason = text!("nach einer Vorlage gibt es nur csv, jsonl und xlsx", "by a preset there are csv, jsonl and xlsx only");
            return Err(Failure::Argument { name: "--format", reason });
        }
    };
    let layout = Layout::named(store, &args.tenant, preset, List::Open, format).await?;
    let now = Timestamp::now();
    let written = match &args.out {
        None if layout.format == FileFormat::Xlsx => return Err(no_workbook_on_screen()),
        None => presets::write_open(&layout, rows, now, std::io::stdout().lock()).map_err(Failure::Output)?,
        Some(path) => {
            let mut file = Output::create(path)?;
            let written = presets::write_open(&layout, rows, now, &mut file);
            let written = written.map_err(|error| Failure::File { path: path.clone(), error })?;
            file.finish()?;
            told_open(rows.len(), path, say)?;
            written
        }
    };
    Ok(lacking(written.replaced, say))
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = Output::create(path)?;
    file.write_all(text.as_bytes()).map_err(|error| Failure::File { path: path.to_owned(), error })?;
    file.finish()
}

fn values<T: Serialize>(rows: &Rows<T>) -> Result<Vec<Value>, Failure> {
    let value = |row| serde_json::to_value(row).map_err(|error| Failure::Output(error.into()));
    rows.rows.iter().map(value).collect()
}

fn show<T: Serialize>(rows: &Rows<T>, name: &str, columns: &[&'static str], format: ListFormat, say: Say) -> Result<Verdict, Failure> {
    let rows_of_values = values(rows)?;
    if say.is_json() {
        let mut document = json!({ "more": rows.more });
        document[name] = Value::Array(rows_of_values);
        tell(document)?;
        return Ok(Verdict::Sound);
    }
    std::io::stdout().write_all(shaped(&rows_of_values, columns, format, say.lang)?.as_bytes()).map_err(Failure::Output)?;
    let count = counted(rows_of_values.len(), ["Zeile", "Zeilen"], ["row", "rows"]);
    let told = match rows.more {
        false => count,
        true => text!(
            "{count}; es gibt mehr: suchen Sie mit mehr Wörtern, oder mit --limit",
            "{count}; there are more: use more words, or --limit";
            count
        ),
    };
    match format {
        ListFormat::Table => say.line(&told)?,
        // The next reader of the file takes it for the whole list.
        ListFormat::Csv | ListFormat::Jsonl if rows.more => say.complain(&text!("zaehlwerk: {told}", "zaehlwerk: {told}"; told)),
        ListFormat::Csv | ListFormat::Jsonl => {}
    }
    Ok(Verdict::Sound)
}

/// Moments in the machine's time zone, to the minute.
fn moment(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// A cell as a person reads it: a clerk's word for a code, and no time in Greenwich.
fn shown(row: &Value, column: &str, lang: Lang) -> String {
    let text = cell(row, column);
    match column {
        "created" => text.parse().map(moment).unwrap_or(text),
        "meterType" | "state" | "channel" | "loginKind" | "overdue" | "open" | "email" | "released" | "exported" => {
            word(&text, lang).to_owned()
        }
        _ => text,
    }
}

/// A cell's text.
fn cell(row: &Value, column: &str) -> String {
    match &row[column] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn shaped(rows: &[Value], columns: &[&'static str], format: ListFormat, lang: Lang) -> Result<String, Failure> {
    let cells = |row: &Value| columns.iter().map(|column| cell(row, column)).collect::<Vec<_>>();
    match format {
        ListFormat::Jsonl => Ok(rows.iter().map(|row| format!("{row}\n")).collect()),
        ListFormat::Csv => {
            let mut writer = begin_table();
            write_row(&mut writer, columns).map_err(Failure::Output)?;
            for row in rows {
                write_row(&mut writer, cells(row)).map_err(Failure::Output)?;
            }
            let bytes = writer.into_inner().map_err(|error| Failure::Output(error.into_error()))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        ListFormat::Table => {
            let rows: Vec<_> = rows.iter().map(|row| columns.iter().map(|column| shown(row, column, lang)).collect::<Vec<_>>()).collect();
            // A column that is empty throughout tells nothing.
            let used: Vec<usize> = (0..columns.len()).filter(|place| rows.iter().any(|row| !row[*place].is_empty())).collect();
            let header: Vec<_> = columns.iter().map(|column| label(column, lang).to_owned()).collect();
            let width = |place: usize| {
                let widest = rows.iter().map(|row| row[place].chars().count()).max().unwrap_or_default();
                widest.max(header[place].chars().count())
            };
            let widths: Vec<_> = used.iter().map(|place| width(*place)).collect();
            let mut text = String::new();
            for row in std::iter::once(&header).chain(&rows).filter(|_| !rows.is_empty()) {
                let line: Vec<_> = used.iter().zip(&widths).map(|(place, width)| format!("{:<width$}", row[*place])).collect();
                let _ = writeln!(text, "{}", line.join("  ").trim_end());
            }
            Ok(text)
        }
    }
}

/// Everything about a customer.
pub async fn customer(store: &Store, tenant: &TenantId, account: &AccountId, say: Say) -> Result<Verdict, Failure> {
    let Some(page) = lists::customer(store, tenant, account).await? else {
        return nothing(&text!("einen Zugang `{account}` gibt es nicht", "there is no account `{account}`"), "account", say);
    };
    if say.is_json() {
        tell(json!(page))?
    } else {
        tell(page_of(&page, say.lang).trim_end())?
    }
    Ok(Verdict::Sound)
}

/// Everything about a job.
pub async fn job(store: &Store, tenant: &TenantId, job: &JobId, say: Say) -> Result<Verdict, Failure> {
    let Some(page) = lists::job(store, tenant, job).await? else {
        return nothing(&text!("einen Auftrag `{job}` gibt es nicht", "there is no job `{job}`"), "job", say);
    };
    if say.is_json() {
        tell(json!(page))?
    } else {
        tell(section(&page, say.lang).trim_end())?
    }
    Ok(Verdict::Sound)
}

fn nothing(what: &Text, name: &str, say: Say) -> Result<Verdict, Failure> {
    say.complain(&text!("zaehlwerk: {what}", "zaehlwerk: {what}"; what));
    if say.is_json() {
        tell(json!({ name: null }))?;
    }
    Ok(Verdict::Faulty)
}

fn lines(of: &Value, names: &[&'static str], lang: Lang) -> String {
    let mut text = String::new();
    for name in names {
        let value = shown(of, name, lang);
        if !value.is_empty() {
            let _ = writeln!(text, "{:<13} {value}", label(name, lang));
        }
    }
    text
}

fn page_of(page: &CustomerPage, lang: Lang) -> String {
    const HEAD: [&str; 9] = ["account", "name", "username", "street", "houseNumber", "postcode", "city", "language", "validUntil"];
    let mut text = lines(&json!(page), &HEAD, lang);
    for job in &page.jobs {
        let _ = write!(text, "\n{}", section(job, lang));
    }
    if !page.records.is_empty() {
        text.push('\n');
    }
    for record in &page.records {
        let _ = writeln!(text, "{}", sentence(record, lang).of(lang));
    }
    text
}

fn sentence(record: &Record, lang: Lang) -> Text {
    match record {
        Record::Registration { email, pending_email, no_reminders } => {
            let email = email.as_deref().unwrap_or("–");
            let pending = pending_email.as_ref().map(|email| text!(", noch nicht bestätigt: {email}", ", not confirmed yet: {email}"));
            let declined = no_reminders.then(|| text!(", keine Erinnerungen gewünscht", ", wants no reminders"));
            let more: String = pending.iter().chain(&declined).map(|more| more.of(lang)).collect();
            text!("E-Mail: {email}{more}", "e-mail: {email}{more}")
        }
        Record::Mail { mail, at } => {
            let (mail, at) = (word(mail, lang), moment(*at));
            text!("E-Mail gesendet {at}: {mail}", "mail sent {at}: {mail}")
        }
        Record::Invitation { at, letter_at, letter_returned_at } => {
            let invited = at.map(|at| (moment(at), text!("per E-Mail eingeladen", "invited by mail")));
            let lettered = letter_at.map(|at| (moment(at), text!("angeschrieben", "written to")));
            let returned = letter_returned_at.map(|at| (moment(at), text!("Anschreiben zurückgekommen", "letter came back")));
            let notes = [invited, lettered, returned].into_iter().flatten();
            let notes = notes.map(|(at, what)| format!("{} {at}", what.of(lang))).collect::<Vec<_>>().join(", ");
            text!("zuletzt: {notes}", "last: {notes}")
        }
        Record::Reminder { at } => {
            let at = moment(*at);
            text!("zuletzt erinnert {at}", "last reminded {at}")
        }
        Record::Session { login, device, opened, used } => {
            let (login, device) = (json!(login), json!(device));
            let (login, device) = (word(login.as_str().unwrap_or_default(), lang), word(device.as_str().unwrap_or_default(), lang));
            let (opened, used) = (moment(*opened), moment(*used));
            text!(
                "angemeldet {opened} ({login}, {device}), zuletzt benutzt {used}",
                "logged in {opened} ({login}, {device}), last used {used}"
            )
        }
        Record::Share { share, name, username, jobs, at } => {
            let at = moment(*at);
            text!(
                "geteilt {at}: {name} (Zugang {share}, Benutzername {username}), Aufträge: {jobs}",
                "shared {at}: {name} (account {share}, user name {username}), jobs: {jobs}"
            )
        }
    }
}

fn section(page: &JobPage, lang: Lang) -> String {
    let mut text = lines(&json!(page), &JOB, lang);
    for earlier in &page.earlier {
        let _ = writeln!(
            text,
            "  {}  {}  {}  {}",
            earlier.date,
            earlier.obis,
            earlier.value.as_str(),
            text!("früherer Stand", "earlier reading").of(lang)
        );
    }
    for reading in &page.readings {
        let standing = match reading.released {
            Some(true) => text!("  freigegeben", "  released"),
            Some(false) => text!("  abgelehnt", "  rejected"),
            None => text!("", ""),
        };
        let standing = standing.of(lang);
        let (channel, created) = (json!(reading), moment(reading.created));
        let channel = shown(&channel, "channel", lang);
        let remark = reading.reason.as_deref().or(reading.comment.as_deref()).unwrap_or_default();
        let _ =
            writeln!(text, "  {}  {}  {}  {channel} {created}{standing}  {remark}", reading.date, reading.obis, reading.value.as_str(),);
    }
    text
}
