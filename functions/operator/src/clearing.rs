//! `zaehlwerk clearing`: readings that wait for a clerk.

use domain::ids::{JobId, TenantId};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{Clearing, DeskEntry, Store};

use crate::desk;
use crate::import::patiently;
use crate::{Failure, Say, Verdict};

/// Lists what nobody has decided yet.
pub async fn list(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let readings = desk::readings(store, tenant, Timestamp::now()).await?;
    let open: Vec<&DeskEntry> = readings.iter().filter(|reading| reading.clearing.is_none()).collect();
    let jobs = desk::jobs_of(store, tenant, &open).await?;
    let mut waiting: Vec<_> = open
        .into_iter()
        .map(|reading| (reading, desk::doubts(reading, jobs.get(&reading.entry.job_id))))
        .filter(|(_, doubts)| !doubts.is_empty())
        .collect();
    waiting.sort_by_key(|(reading, _)| reading.entry.created);
    let document: Vec<Value> = waiting
        .iter()
        .map(|(reading, doubts)| {
            let entry = &reading.entry;
            json!({
                "job": entry.job_id, "reading": entry.result_id, "account": entry.account_id, "meterNumber": entry.meter_number,
                "obis": entry.obis, "value": entry.reading_value, "date": entry.reading_date, "created": entry.created,
                "doubts": doubts, "comment": entry.comment, "photos": entry.image_ids, "exported": reading.export.is_some(),
            })
        })
        .collect();
    if say.json {
        say.tell("", &json!({ "waiting": document }))?;
        return Ok(Verdict::Sound);
    }
    for line in &document {
        let doubts: Vec<_> = line["doubts"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let photos = line["photos"].as_array().map_or(0, Vec::len);
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        say.tell(
            format_args!(
                "{} {}  {}  {} {}  {}  {}  {photos} photos  {}",
                text("job"),
                text("reading"),
                text("date"),
                text("meterNumber"),
                text("obis"),
                text("value"),
                doubts.join(" "),
                text("comment")
            ),
            &Value::Null,
        )?;
    }
    say.tell(format_args!("clearing: {} readings wait", document.len()), &Value::Null)?;
    Ok(Verdict::Sound)
}

/// Notes a decision.
pub async fn decide(
    store: &Store,
    tenant: &TenantId,
    job: &JobId,
    reading: &str,
    released: bool,
    reason: Option<&str>,
    say: Say,
) -> Result<Verdict, Failure> {
    let now = Timestamp::now();
    let readings = desk::readings(store, tenant, now).await?;
    let found = readings.iter().find(|found| found.entry.job_id == *job && found.entry.result_id == reading);
    let found =
        found.ok_or_else(|| Failure::Argument { name: "READING", reason: format!("there is no reading `{reading}` of job `{job}`") })?;
    let clearing = Clearing { released, reason: reason.map(str::to_owned), at: now };
    if !patiently(|| store.note_clearing(tenant, &found.entry, &clearing)).await? {
        let reason = format!("the reading `{reading}` of job `{job}` was exported to the market already");
        return Err(Failure::Argument { name: "READING", reason });
    }
    let done = if released { "released" } else { "rejected" };
    say.tell(format_args!("{job} {reading}: {done}"), &json!({ "job": job, "reading": reading, "released": released }))?;
    Ok(Verdict::Sound)
}
