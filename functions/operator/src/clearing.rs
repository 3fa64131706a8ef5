//! `zaehlwerk clearing`: readings that wait for a clerk.

use std::fs;
use std::io::Write;
use std::path::Path;

use domain::config::CrmAdapter;
use domain::ids::{JobId, TenantId};
use domain::meter::job_meter_type;
use domain::obis;
use domain::text;
use domain::text::Text;
use jiff::Timestamp;
use mail::{Mailer, Message, Order, Post, ReadMeter, ReadRate, Rejection, SendError};
use serde_json::{Value, json};
use store::{Clearing, ClearingEntry, Exchange, LedgerEntry, MailKind, Photos, Store, Tenant};

use crate::output::Output;
use crate::{Failure, Say, Verdict, tell};
use desk::patiently;
use desk::standing;

/// Lists what nobody has decided yet.
///
/// With a folder, their photos are saved there as `<job>-<reading>-<number>.jpg`.
pub async fn list(store: &Store, tenant: &TenantId, photos: Option<(&Photos, &Path)>, say: Say) -> Result<Verdict, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let readings = standing::readings(store, tenant, Timestamp::now()).await?;
    let open: Vec<&ClearingEntry> = readings.iter().filter(|reading| reading.clearing.is_none()).collect();
    let jobs = standing::jobs_of(store, tenant, &open).await?;
    let words = standing::words(store, tenant).await?;
    let mut waiting: Vec<_> = open
        .into_iter()
        .map(|reading| (reading, standing::doubts(reading, jobs.get(&reading.entry.job_id), &words)))
        .filter(|(_, doubts)| !doubts.is_empty())
        .collect();
    waiting.sort_by_key(|(reading, _)| reading.entry.created);
    if let Some((photos, folder)) = photos {
        save_photos(photos, tenant, folder, &waiting.iter().map(|(reading, _)| *reading).collect::<Vec<_>>()).await?;
    }
    let document: Vec<Value> = waiting
        .iter()
        .map(|(reading, doubts)| {
            let entry = &reading.entry;
            json!({
                "job": entry.job_id, "reading": entry.result_id, "account": entry.account_id, "meterNumber": entry.meter_number,
                "obis": entry.obis, "value": entry.reading_value, "date": entry.reading_date, "created": entry.created,
                "channel": entry.channel, "entered": entry.entered, "doubts": doubts, "comment": entry.comment, "photos": entry.image_ids, "exported": !reading.sent.is_empty(), "sent": reading.sent,
            })
        })
        .collect();
    if say.is_json() {
        tell(json!({ "waiting": document }))?;
        return Ok(Verdict::Sound);
    }
    for line in &document {
        let doubts: Vec<_> = line["doubts"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let photos = line["photos"].as_array().map_or(0, Vec::len);
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let of = format!("{} {}  {}  {} {}", text("job"), text("reading"), text("date"), text("meterNumber"), text("obis"));
        let (value, doubts, comment) = (text("value"), doubts.join(" "), text("comment"));
        say.line(&text!("{of}  {value}  {doubts}  {photos} Fotos  {comment}", "{of}  {value}  {doubts}  {photos} photos  {comment}"))?;
    }
    say.line(&text!("Klärung: {count} Stände warten", "clearing: {count} readings wait", count = document.len()))?;
    Ok(Verdict::Sound)
}

/// Lists the decisions, the last one first.
pub async fn decided(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let readings = standing::readings(store, tenant, Timestamp::now()).await?;
    let mut decided: Vec<_> = readings.iter().filter_map(|reading| Some((&reading.entry, reading.clearing.as_ref()?))).collect();
    decided.sort_by_key(|(_, clearing)| std::cmp::Reverse(clearing.at));
    if say.is_json() {
        let list = decided.iter().map(|(entry, Clearing { released, reason, at, by, exchange })| {
            json!({
                "job": entry.job_id, "reading": entry.result_id, "account": entry.account_id, "meterNumber": entry.meter_number,
                "obis": entry.obis, "value": entry.reading_value, "date": entry.reading_date,
                "released": released, "reason": reason, "at": at, "by": by, "exchange": exchange,
            })
        });
        tell(json!({ "decided": list.collect::<Vec<_>>() }))?;
        return Ok(Verdict::Sound);
    }
    for (entry, clearing) in &decided {
        let (job, id, value, at) = (&entry.job_id, &entry.result_id, entry.reading_value.as_str(), clearing.at);
        let meter = entry.meter_number.as_deref().unwrap_or_default();
        let done = outcome(clearing.released);
        let reason = clearing.reason.as_deref().unwrap_or_default();
        let of = format!("{job} {id}  {}  {meter} {}  {value}", entry.reading_date, entry.obis);
        say.line(&text!("{of}  {done} {at}  {reason}", "{of}  {done} {at}  {reason}"; done))?;
    }
    say.line(&text!("Klärung: {count} Stände sind entschieden", "clearing: {count} readings were decided", count = decided.len()))?;
    Ok(Verdict::Sound)
}

fn outcome(released: bool) -> Text {
    if released { text!("freigegeben", "released") } else { text!("verworfen", "rejected") }
}

/// A clerk's decision.
#[derive(Debug)]
pub enum Decision {
    /// The reading counts; with an exchange, from the new meter's first counter on.
    Release(Option<Exchange>),
    /// It does not, for this reason.
    Reject(String),
}

async fn save_photos(photos: &Photos, tenant: &TenantId, folder: &Path, readings: &[&ClearingEntry]) -> Result<(), Failure> {
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |error| Failure::File { path, error }
    };
    fs::create_dir_all(folder).map_err(unwritable(folder))?;
    for entry in readings.iter().map(|reading| &reading.entry) {
        for (number, image) in (1..).zip(&entry.image_ids) {
            // A photo may be gone: the tenant keeps them for so many days.
            if let Some(jpeg) = patiently(|| photos.get(tenant, &entry.job_id, image)).await? {
                let path = folder.join(format!("{}-{}-{number}.jpg", entry.job_id, entry.result_id));
                let mut file = Output::create(&path)?;
                file.write_all(&jpeg).map_err(unwritable(&path))?;
                file.finish()?;
            }
        }
    }
    Ok(())
}

/// What a reading says against the exchange that a clerk names.
fn check_exchange(exchange: &Exchange, entry: &LedgerEntry) -> Result<(), Failure> {
    if exchange.day > entry.reading_date {
        let reason = text!(
            "{day} liegt nach dem Tag der Ablesung ({read})",
            "{day} is after the day of the reading ({read})",
            day = exchange.day,
            read = entry.reading_date
        );
        return Err(Failure::Argument { name: "--exchanged-on", reason });
    }
    if exchange.new_number.is_some() && exchange.new_number == entry.meter_number {
        let reason = text!(
            "ist die Nummer, die der Stand schon hat; der neue Zähler hat eine andere",
            "is the number that the reading has already; the new meter has another one"
        );
        return Err(Failure::Argument { name: "--new-number", reason });
    }
    Ok(())
}

/// Notes a decision on `reading` of `job`, that `by` made; of a rejection the customer hears by `mailer`.
pub async fn decide(
    store: &Store,
    tenant: &TenantId,
    (job, reading): (&JobId, &str),
    decision: Decision,
    (by, mailer): (&str, &Mailer),
    say: Say,
) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let deliver = settings.application.webhook.is_some();
    let now = Timestamp::now();
    let readings = patiently(|| store.job_readings(tenant, job)).await?;
    let found = readings.iter().find(|found| found.entry.result_id == reading);
    let found = found.ok_or_else(|| {
        let reason = text!("den Stand `{reading}` des Auftrags `{job}` gibt es nicht", "there is no reading `{reading}` of job `{job}`");
        Failure::Argument { name: "READING", reason }
    })?;
    if let Decision::Release(Some(exchange)) = &decision {
        check_exchange(exchange, &found.entry)?;
    }
    let clearing = match decision {
        Decision::Release(exchange) => Clearing { released: true, reason: None, at: now, by: Some(by.into()), exchange },
        Decision::Reject(reason) => Clearing { released: false, reason: Some(reason), at: now, by: Some(by.into()), exchange: None },
    };
    let released = clearing.released;
    if !patiently(|| store.note_clearing(tenant, &found.entry, &clearing, deliver)).await? {
        let reason =
            text!("den Stand `{reading}` des Auftrags `{job}` gibt es nicht mehr", "the reading `{reading}` of job `{job}` was erased");
        return Err(Failure::Argument { name: "READING", reason });
    }
    let told = if released { Told::Nobody } else { tell_customer(store, mailer, &settings, &found.entry, &clearing).await? };
    let (done, how) = (outcome(released), told.text());
    say.tell(
        &text!("{job} {reading}: {done}{how}", "{job} {reading}: {done}{how}"; done, how),
        &json!({ "job": job, "reading": reading, "released": released, "mailed": matches!(told, Told::Mailed) }),
    )?;
    Ok(if matches!(told, Told::NotTaken(_)) { Verdict::Faulty } else { Verdict::Sound })
}

/// Who hears that a reading was rejected.
enum Told {
    /// Nobody by mail: the portal says it.
    Nobody,
    /// The owner, by mail.
    Mailed,
    /// The mail did not go: the portal says it.
    NotTaken(String),
}

impl Told {
    fn text(&self) -> Text {
        match self {
            Self::Nobody => Text::same(String::new()),
            Self::Mailed => text!("; die Kundin oder der Kunde hat eine E-Mail", "; the customer has a mail"),
            Self::NotTaken(cause) => text!("; die E-Mail ging nicht hinaus: {cause}", "; the mail did not go: {cause}"),
        }
    }
}

/// Asks the owner to read once more, if the register is open again and there is a confirmed address; the same reading once.
async fn tell_customer(store: &Store, mailer: &Mailer, tenant: &Tenant, entry: &LedgerEntry, clearing: &Clearing) -> Result<Told, Failure> {
    let application = &tenant.application;
    let id = &application.application_id;
    let (Some(owner), Some(reason)) = (&entry.account_id, &clearing.reason) else { return Ok(Told::Nobody) };
    if application.crm != CrmAdapter::Builtin || application.communication_settings.sender_email.is_empty() {
        return Ok(Told::Nobody);
    }
    let Some(job) = patiently(|| store.job(id, owner, &entry.job_id)).await?.filter(|job| !job.closed) else { return Ok(Told::Nobody) };
    let Some(task) = job.master.meter.meter_rate_tasks.iter().find(|task| task.task_id == entry.task_id) else { return Ok(Told::Nobody) };
    if !job.rejected.iter().any(|(task, rejected)| *task == entry.task_id && rejected.created == entry.created) {
        return Ok(Told::Nobody);
    }
    let Some(registration) = patiently(|| store.registration(id, owner)).await? else { return Ok(Told::Nobody) };
    let Some(email) = &registration.confirmed else { return Ok(Told::Nobody) };
    let language = patiently(|| store.account(id, owner)).await?.and_then(|account| account.language);
    let message = Message::Rejection(Rejection {
        meter: ReadMeter {
            meter_type: job_meter_type(&job.master),
            custom_type: job.master.meter.custom_meter_type.clone(),
            number: entry.meter_number.clone().unwrap_or_default(),
            place: None,
            date: entry.reading_date,
            rates: vec![ReadRate {
                name: obis::display_name(task.rate_name.as_deref(), &task.obis),
                value: entry.reading_value.clone(),
                unit: obis::task_unit(task).map(str::to_owned),
            }],
        },
        reason: reason.clone(),
        unsubscribe: application.unsubscribe_page(&registration.self_service_token),
    });
    let order = Order {
        account: owner,
        top: owner,
        kind: MailKind::Rejection,
        key: &entry.result_id,
        request_hash: &entry.result_id,
        to: email,
        to_name: None,
        language: language.as_deref(),
    };
    let post = Post { store, mailer, tenant, now: clearing.at };
    match post.send(order, &message).await {
        Ok(_) => Ok(Told::Mailed),
        Err(SendError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Told::NotTaken(error.to_string())),
    }
}
