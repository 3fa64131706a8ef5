//! `zaehlwerk clearing`: readings that wait for a clerk.

use std::fs;
use std::io::Write;
use std::path::Path;

use desk::clearing::{self, About, By, Decision, NotUndone, Outcome, Told, Undecided};
use desk::entry::{FINAL_VALUE, INITIAL_VALUE};
use desk::patiently;
use domain::clearing::Doubt;
use domain::ids::{ImageId, TenantId};
use domain::text;
use domain::text::{Text, counted};
use jiff::{Timestamp, ToSpan};
use mail::Mailer;
use serde_json::{Value, json};
use store::{AnyReading, Clearing, Photos, Store, Waiting, WaitingFilter};

use crate::cli::WaitingArgs;
use crate::output::Output;
use crate::text::word;
use crate::{Failure, Say, Verdict, tell};

/// Lists the readings that await a decision.
///
/// With a folder, their photos are saved there as `<job>-<reading>-<number>.jpg`.
pub async fn list(
    store: &Store,
    tenant: &TenantId,
    args: &WaitingArgs,
    photos: Option<(&Photos, &Path)>,
    say: Say,
) -> Result<Verdict, Failure> {
    let WaitingArgs { season, meter_type, doubt, older_than, limit } = args;
    if let Some(season) = season {
        desk::seasons::known(store, tenant, season).await?;
    }
    let before = older_than.map(|days| Timestamp::now() - (24 * i64::from(days)).hours());
    let filter = WaitingFilter { season: season.clone(), meter_type: *meter_type, doubt: *doubt, before };
    let waiting = clearing::list(store, tenant, &filter, *limit).await?;
    let all =
        if limit.is_some_and(|limit| waiting.len() >= limit) { clearing::count(store, tenant, &filter).await? } else { waiting.len() };
    if let Some((photos, folder)) = photos {
        save_photos(photos, tenant, folder, &waiting).await?;
    }
    let document: Vec<Value> = waiting.iter().map(listed).collect();
    if say.is_json() {
        tell(json!({ "waiting": document, "count": all }))?;
        return Ok(Verdict::Sound);
    }
    for line in &document {
        let doubts = line["doubts"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let doubts: Vec<_> = doubts.map(|doubt| word(doubt, say.lang)).collect();
        let photos = counted(line["photos"].as_array().map_or(0, Vec::len), ["Foto", "Fotos"], ["photo", "photos"]);
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let of = format!("{} {}  {}  {} {}", text("job"), text("reading"), text("date"), text("meterNumber"), text("obis"));
        let (value, doubts, comment) = (text("value"), doubts.join(", "), text("comment"));
        say.line(&text!("{of}  {value}  {doubts}  {photos}  {comment}", "{of}  {value}  {doubts}  {photos}  {comment}"; photos))?;
    }
    let count = document.len();
    say.line(&if count < all {
        text!("Klärung: {count} von {all} Ständen, die warten", "clearing: {count} of {all} readings that wait")
    } else {
        let waiting = counted(count, ["Stand wartet", "Stände warten"], ["reading waits", "readings wait"]);
        text!("Klärung: {waiting}", "clearing: {waiting}"; waiting)
    })?;
    Ok(Verdict::Sound)
}

fn listed(item: &Waiting) -> Value {
    let mut line = match &item.reading {
        AnyReading::OfJob(reading) => {
            let entry = &reading.entry;
            json!({
                "job": entry.job_id, "reading": entry.result_id, "account": entry.account_id, "meterNumber": entry.meter_number,
                "obis": entry.obis, "value": entry.reading_value, "date": entry.reading_date, "created": entry.created,
                "channel": entry.channel, "entered": entry.entered,
                "doubts": entry.doubts, "comment": entry.comment, "photos": entry.image_ids, "exported": !reading.sent.is_empty(), "sent": reading.sent,
            })
        }
        AnyReading::WithoutJob(reading) => {
            let entry = &reading.entry;
            let values: Vec<_> = entry.reading_values.iter().map(|value| value.value.as_str()).collect();
            json!({
                "job": entry.id, "reading": entry.id, "meterNumber": entry.meter_number, "value": values.join(", "),
                "date": entry.reading_date, "created": entry.created, "doubts": [Doubt::WithoutJob], "comment": entry.comment,
                "photos": entry.image_ids().collect::<Vec<_>>(), "exported": !reading.sent.is_empty(), "contact": entry.contact,
            })
        }
    };
    line["season"] = json!(item.season);
    line["meterType"] = json!(item.meter_type);
    line["district"] = json!(item.district);
    line["version"] = json!(item.version);
    line
}

/// Lists the decisions, the last one first.
pub async fn decided(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let decided = clearing::decided(store, tenant, Timestamp::now()).await?;
    if say.is_json() {
        let list = decided.iter().map(|(entry, Clearing { released, reason, at, by, exchange, corrected_by, .. })| {
            json!({
                "job": entry.job_id, "reading": entry.result_id, "account": entry.account_id, "meterNumber": entry.meter_number,
                "obis": entry.obis, "value": entry.reading_value, "date": entry.reading_date,
                "released": released, "reason": reason, "at": at, "by": by, "exchange": exchange,
                "correctedBy": corrected_by,
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
    let count = counted(decided.len(), ["Stand ist", "Stände sind"], ["reading was", "readings were"]);
    say.line(&text!("Klärung: {count} entschieden", "clearing: {count} decided"; count))?;
    Ok(Verdict::Sound)
}

fn outcome(released: bool) -> Text {
    if released { text!("freigegeben", "released") } else { text!("abgelehnt", "rejected") }
}

async fn save_photos(photos: &Photos, tenant: &TenantId, folder: &Path, waiting: &[Waiting]) -> Result<(), Failure> {
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |error| Failure::File { path, error }
    };
    fs::create_dir_all(folder).map_err(unwritable(folder))?;
    for reading in waiting.iter().map(|item| &item.reading) {
        let (job, id) = reading.ids();
        let images: Vec<&ImageId> = match reading {
            AnyReading::OfJob(reading) => reading.entry.image_ids.iter().collect(),
            AnyReading::WithoutJob(reading) => reading.entry.image_ids().collect(),
        };
        for (number, image) in (1..).zip(images) {
            // A photo may be gone: the tenant keeps them for so many days.
            if let Some(jpeg) = patiently(|| photos.get(tenant, job, image)).await? {
                let path = folder.join(format!("{job}-{id}-{number}.jpg"));
                let mut file = Output::create(&path)?;
                file.write_all(&jpeg).map_err(unwritable(&path))?;
                file.finish()?;
            }
        }
    }
    Ok(())
}

/// Notes a decision that `by` made; of a rejection the customer hears by `mailer`.
pub async fn decide(
    store: &Store,
    tenant: &TenantId,
    about: About<'_>,
    decision: Decision,
    (by, mailer): (&str, &Mailer),
    say: Say,
) -> Result<Verdict, Failure> {
    let released = matches!(decision, Decision::Release { .. });
    let by = By { name: by, member: None, singly: true };
    let decided = clearing::decide(store, tenant, about, decision, (by, mailer), Timestamp::now()).await;
    if let Err(Undecided::Unknown) = decided {
        check_has_job(store, tenant, about).await?;
    }
    let decided = decided.map_err(|undecided| {
        let reason = undecided.text(about);
        match undecided {
            Undecided::Failed(failure) => failure.into(),
            Undecided::Unknown | Undecided::Several | Undecided::Gone => Failure::Argument { name: "READING", reason },
            Undecided::Overtaken(_) => Failure::Argument { name: "--seen", reason },
            Undecided::ExchangedAfter { .. } | Undecided::ExchangedLongAgo { .. } => Failure::Argument { name: "--exchanged-on", reason },
            Undecided::SameNumber => Failure::Argument { name: "--new-number", reason },
            Undecided::NotOldNumber => Failure::Argument { name: "--old-number", reason },
            // Only members at the desk propose, agree, and decide about several at once.
            Undecided::OwnProposal | Undecided::NeedsSecond | Undecided::ExchangeReported | Undecided::JobClosed => {
                Failure::Argument { name: "READING", reason }
            }
            Undecided::Misread(remarks) | Undecided::Unconfirmed(remarks) => {
                let name = match remarks.first().map(|remark| remark.field) {
                    Some(FINAL_VALUE) => "--final",
                    Some(INITIAL_VALUE) => "--initial",
                    _ => "--exchanged-on",
                };
                Failure::Argument { name, reason }
            }
        }
    })?;
    let told = match decided {
        Outcome::Decided { told, .. } => told,
        Outcome::Proposed { .. } => Told::Nobody,
    };
    let About { job, reading, .. } = about;
    let (done, how) = (outcome(released), told_text(&told));
    say.tell(
        &text!("{job} {reading}: {done}{how}", "{job} {reading}: {done}{how}"; done, how),
        &json!({ "job": job, "reading": reading, "released": released, "mailed": told == Told::Mailed }),
    )?;
    Ok(if matches!(told, Told::NotTaken(_)) { Verdict::Faulty } else { Verdict::Sound })
}

/// Takes a decision back.
pub async fn undo(store: &Store, tenant: &TenantId, about: About<'_>, say: Say) -> Result<Verdict, Failure> {
    let undone = clearing::undo(store, tenant, about, None).await;
    if let Err(NotUndone::Unknown) = undone {
        check_has_job(store, tenant, about).await?;
    }
    let (_, clearing) = undone.map_err(|not_undone| {
        let reason = not_undone.text(about);
        match not_undone {
            NotUndone::Failed(failure) => failure.into(),
            _ => Failure::Argument { name: "READING", reason },
        }
    })?;
    let About { job, reading, .. } = about;
    let was = clearing.as_ref().map_or_else(|| text!("vorgeschlagen", "proposed"), |clearing| outcome(clearing.released));
    say.tell(
        &text!("{job} {reading}: wartet wieder (war {was})", "{job} {reading}: waits again (was {was})"; was),
        &json!({ "job": job, "reading": reading, "released": clearing.map(|clearing| clearing.released) }),
    )?;
    Ok(Verdict::Sound)
}

/// A reading that is unknown here may be one without a job, which `clearing list` shows among the others.
async fn check_has_job(store: &Store, tenant: &TenantId, About { job, .. }: About<'_>) -> Result<(), Failure> {
    if patiently(|| store.reading_without_job(tenant, job)).await?.is_none() {
        return Ok(());
    }
    let reason = text!(
        "der Stand `{job}` kam ohne Auftrag: zugeordnet oder abgelehnt wird er am Arbeitsplatz",
        "the reading `{job}` came without a job: it is assigned or rejected at the desk"
    );
    Err(Failure::Argument { name: "READING", reason })
}

fn told_text(told: &Told) -> Text {
    match told {
        Told::Nobody => Text::same(String::new()),
        Told::Mailed => text!("; die Kundin oder der Kunde hat eine E-Mail", "; the customer has a mail"),
        Told::NotTaken(cause) => text!("; die E-Mail ging nicht hinaus: {cause}", "; the mail did not go: {cause}"),
    }
}
