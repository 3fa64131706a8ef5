//! What messages say. Their fields are those of `zaehlwerk readings export`, and what the receiver could not look up there.

use domain::clearing::{Doubt, METER_CHANGED_TEXT, Sent, doubts};
use domain::ids::{AccountId, ImageId, JobId, TaskId, TenantId};
use domain::model::{LoginKind, LowerReason, MeterType, ReadingReason};
use domain::obis::ObisCode;
use domain::unknown_reading::Contact;
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use store::{DeskEntry, Push, StoredJob, Tenant, UnknownReadingEntry, UnknownReadingValue};

/// A message (Standard Webhooks, "Payload structure").
#[derive(Serialize)]
struct Event<D> {
    r#type: &'static str,
    /// When it happened.
    timestamp: Timestamp,
    data: D,
}

#[derive(Serialize)]
struct Readings<'a, R> {
    tenant: &'a TenantId,
    readings: Vec<R>,
}

#[derive(Serialize)]
struct Ping<'a> {
    tenant: &'a TenantId,
}

/// Whether a reading may be used.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// Yes.
    Ready,
    /// A clerk has to look first.
    Held,
    /// A clerk said no.
    Rejected,
}

/// A reading of a job.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reading<'a> {
    result_id: &'a str,
    job_id: &'a JobId,
    account_id: Option<&'a AccountId>,
    task_id: &'a TaskId,
    meter_number: Option<&'a str>,
    ma_lo_id: Option<&'a str>,
    me_lo_id: Option<&'a str>,
    obis: &'a str,
    unit: Option<&'a str>,
    reading_value: &'a MeterValue,
    reading_date: Date,
    created: Timestamp,
    comment: Option<&'a str>,
    lower_reason: Option<LowerReason>,
    image_ids: &'a [ImageId],
    channel: LoginKind,
    login: Option<&'a AccountId>,
    clearing: Option<&'static str>,
    exchanged_on: Option<Date>,
    final_value: Option<&'a MeterValue>,
    initial_value: Option<&'a MeterValue>,
    status: Status,
    doubts: Vec<Doubt>,
}

/// A value of a reading without a job.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UnknownReading<'a> {
    reading_id: &'a JobId,
    meter_type: Option<MeterType>,
    sub_type: Option<&'a str>,
    meter_number: &'a str,
    obis: Option<&'a str>,
    rate_name: Option<&'a str>,
    unit: Option<&'static str>,
    reading_value: &'a MeterValue,
    reading_date: Date,
    reading_reason: Option<ReadingReason>,
    firstname: Option<&'a str>,
    lastname: Option<&'a str>,
    street: Option<&'a str>,
    house_number: Option<&'a str>,
    zip: Option<&'a str>,
    city: Option<&'a str>,
    email: Option<&'a str>,
    comment: Option<&'a str>,
    created: Timestamp,
    image_ids: &'a [ImageId],
    channel: LoginKind,
    login: &'a AccountId,
}

/// Readings of a job came.
const RECEIVED: &str = "reading.received";
/// A clerk decided about a reading of a job.
const CLEARED: &str = "reading.cleared";
/// A reading of a meter that has no job came.
const UNKNOWN_RECEIVED: &str = "unknownReading.received";

/// What the message will say has happened: its `type`.
pub fn event_type(push: &Push) -> &'static str {
    match push {
        push if push.is_without_job() => UNKNOWN_RECEIVED,
        push if push.is_clearing() => CLEARED,
        _ => RECEIVED,
    }
}

/// The message about readings of a job, as JSON.
///
/// # Errors
/// Never: everything in it can be written.
pub fn readings(tenant: &Tenant, push: &Push, readings: &[DeskEntry], job: Option<&StoredJob>) -> serde_json::Result<Vec<u8>> {
    let words: Vec<_> = tenant.translations.values().filter_map(|texts| texts.get(METER_CHANGED_TEXT).cloned()).collect();
    let tenant = &tenant.application.application_id;
    let happened = readings.first().map(|reading| match &reading.clearing {
        Some(clearing) if push.is_clearing() => clearing.at,
        _ => reading.entry.created,
    });
    let readings = readings.iter().map(|reading| Reading::of(reading, job, &words)).collect();
    let data = Readings { tenant, readings };
    serde_json::to_vec(&Event { r#type: event_type(push), timestamp: happened.unwrap_or_default(), data })
}

/// The message about a reading without a job, as JSON.
///
/// # Errors
/// As [`readings`].
pub fn unknown_reading(tenant: &TenantId, entry: &UnknownReadingEntry) -> serde_json::Result<Vec<u8>> {
    let readings = entry.reading_values.iter().map(|value| UnknownReading::of(entry, value)).collect();
    serde_json::to_vec(&Event { r#type: UNKNOWN_RECEIVED, timestamp: entry.created, data: Readings { tenant, readings } })
}

/// The message that only tries out the receiver, as JSON.
///
/// # Errors
/// As [`readings`].
pub fn ping(tenant: &TenantId, now: Timestamp) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Event { r#type: "ping", timestamp: now, data: Ping { tenant } })
}

impl<'a> Reading<'a> {
    fn of(reading: &'a DeskEntry, job: Option<&'a StoredJob>, words: &[String]) -> Self {
        let entry = &reading.entry;
        let master = job.map(|job| &job.master);
        let task = master.and_then(|master| master.meter.meter_rate_tasks.iter().find(|task| task.task_id == entry.task_id));
        let sent = Sent { value: &entry.reading_value, comment: entry.comment.as_deref(), lower_reason: entry.lower_reason };
        let doubts = doubts(&sent, task, words);
        let status = match &reading.clearing {
            Some(clearing) if clearing.released => Status::Ready,
            Some(_) => Status::Rejected,
            None if doubts.is_empty() => Status::Ready,
            None => Status::Held,
        };
        let exchange = reading.clearing.as_ref().and_then(|clearing| clearing.exchange.as_ref());
        let ma_lo_id = master.and_then(|master| master.meter.ma_lo_id.as_deref().or(master.ma_lo_id.as_deref()));
        Self {
            result_id: &entry.result_id,
            job_id: &entry.job_id,
            account_id: entry.account_id.as_ref(),
            task_id: &entry.task_id,
            meter_number: entry.meter_number.as_deref(),
            ma_lo_id,
            me_lo_id: master.and_then(|master| master.me_lo_id.as_deref()),
            obis: &entry.obis,
            unit: entry.unit.as_deref().or_else(|| unit(&entry.obis)),
            reading_value: &entry.reading_value,
            reading_date: entry.reading_date,
            created: entry.created,
            comment: entry.comment.as_deref(),
            lower_reason: entry.lower_reason,
            image_ids: &entry.image_ids,
            channel: entry.channel,
            login: entry.login_account_id.as_ref(),
            clearing: reading.clearing.as_ref().map(|clearing| if clearing.released { "released" } else { "rejected" }),
            exchanged_on: exchange.map(|exchange| exchange.day),
            final_value: exchange.map(|exchange| &exchange.final_value),
            initial_value: exchange.map(|exchange| &exchange.initial_value),
            status,
            doubts,
        }
    }
}

impl<'a> UnknownReading<'a> {
    fn of(entry: &'a UnknownReadingEntry, value: &'a UnknownReadingValue) -> Self {
        let contact = |field: fn(&Contact) -> &String| entry.contact.as_ref().map(|contact| field(contact).as_str());
        Self {
            reading_id: &entry.id,
            meter_type: entry.meter_type,
            sub_type: entry.sub_type.as_deref(),
            meter_number: &entry.meter_number,
            obis: value.obis.as_deref(),
            rate_name: value.rate_name.as_deref(),
            unit: value.obis.as_deref().and_then(unit),
            reading_value: &value.value,
            reading_date: entry.reading_date,
            reading_reason: entry.reading_reason,
            firstname: contact(|contact| &contact.firstname),
            lastname: contact(|contact| &contact.lastname),
            street: contact(|contact| &contact.street),
            house_number: contact(|contact| &contact.house_number),
            zip: contact(|contact| &contact.zip),
            city: contact(|contact| &contact.city),
            email: entry.email.as_deref(),
            comment: entry.comment.as_deref(),
            created: entry.created,
            image_ids: &value.image_ids,
            channel: entry.channel,
            login: &entry.login_account_id,
        }
    }
}

fn unit(obis: &str) -> Option<&'static str> {
    obis.parse::<ObisCode>().ok().and_then(ObisCode::unit)
}
