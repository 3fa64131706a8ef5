//! Readings as they leave the product: rows of an export, and the webhook's messages, which say the same.

use std::borrow::Cow;

use domain::ids::{AccountId, ImageId, JobId, TaskId};
use domain::model::{Channel, LoginKind, LowerReason, MeterType, ReadingReason};
use domain::obis::ObisCode;
use domain::sending::SendingKind;
use domain::value::MeterValue;
use domain::visitor_reading::Contact;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Serialize, Serializer};
use store::{Clearing, ClearingEntry, ReadingWithoutJob, ReadingWithoutJobValue, Sending};

/// A reading of a job.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the fields are those of the reading")]
pub struct ReadingRow<'a> {
    pub result_id: &'a str,
    pub job_id: &'a JobId,
    pub account_id: Option<&'a AccountId>,
    pub task_id: &'a TaskId,
    pub meter_number: Option<&'a str>,
    pub obis: &'a str,
    pub unit: Option<Cow<'a, str>>,
    pub reading_value: &'a MeterValue,
    pub reading_date: Date,
    pub created: Timestamp,
    pub comment: Option<Cow<'a, str>>,
    pub lower_reason: Option<LowerReason>,
    pub image_ids: Images<'a>,
    pub channel: Channel,
    /// Through which kind of login, and by whom, of what was sent in the portal.
    pub login_kind: Option<LoginKind>,
    pub login: Option<&'a AccountId>,
    /// Which member of the staff entered it.
    pub entered_by: Option<&'a str>,
    /// A clerk's decision: `released` or `rejected`.
    pub clearing: Option<&'static str>,
    /// The meter's exchange before this reading: the day, the old meter's last and the new one's first counter.
    pub exchanged_on: Option<Date>,
    pub final_value: Option<&'a MeterValue>,
    pub initial_value: Option<&'a MeterValue>,
    /// The number of the meter that came.
    pub new_number: Option<&'a str>,
    /// As what it goes out; none: this is no export but a look at what was received.
    pub kind: Option<SendingKind>,
    /// What it corrects or cancels: the reading, and the export that had it.
    pub refers_to: Option<&'a str>,
    pub refers_to_export: Option<u64>,
}

impl<'a> ReadingRow<'a> {
    /// The row of a reading as it stands.
    pub fn of(reading: &'a ClearingEntry) -> Self {
        Self::with(reading, reading.clearing.as_ref())
    }

    /// The row of a reading as it went out, without decisions since.
    pub fn sent(reading: &'a ClearingEntry, sending: &'a Sending) -> Self {
        let refers_to = sending.refers_to.as_ref();
        Self {
            kind: Some(sending.kind),
            refers_to: refers_to.map(|sent| sent.result_id.as_str()),
            refers_to_export: refers_to.and_then(|sent| sent.export),
            ..Self::with(reading, sending.clearing.as_ref())
        }
    }

    fn with(reading: &'a ClearingEntry, clearing: Option<&'a Clearing>) -> Self {
        let entry = &reading.entry;
        let exchange = clearing.and_then(Clearing::counting_exchange);
        let own_unit = entry.unit.as_deref().map(Cow::Borrowed);
        Self {
            result_id: &entry.result_id,
            job_id: &entry.job_id,
            account_id: entry.account_id.as_ref(),
            task_id: &entry.task_id,
            meter_number: entry.meter_number_by(clearing),
            obis: &entry.obis,
            unit: own_unit.or_else(|| unit(&entry.obis).map(Cow::Borrowed)),
            reading_value: &entry.reading_value,
            reading_date: entry.reading_date,
            created: entry.created,
            comment: entry.comment.as_deref().map(Cow::Borrowed),
            lower_reason: entry.lower_reason_by(clearing),
            image_ids: Images::of(&entry.image_ids),
            channel: entry.channel,
            login_kind: entry.login_kind,
            login: entry.login_account_id.as_ref(),
            entered_by: entry.entered.as_ref().map(|entered| entered.by.as_str()),
            clearing: clearing.map(|clearing| if clearing.released { "released" } else { "rejected" }),
            exchanged_on: exchange.map(|exchange| exchange.day),
            final_value: exchange.map(|exchange| &exchange.final_value),
            initial_value: exchange.map(|exchange| &exchange.initial_value),
            new_number: exchange.and_then(|exchange| exchange.new_number.as_deref()),
            kind: None,
            refers_to: None,
            refers_to_export: None,
        }
    }
}

/// A value of a reading without a job.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the fields are those of the reading")]
pub struct RowWithoutJob<'a> {
    pub reading_id: &'a JobId,
    pub meter_type: Option<MeterType>,
    pub sub_type: Option<&'a str>,
    pub meter_number: Cow<'a, str>,
    pub obis: Option<&'a str>,
    pub rate_name: Option<Cow<'a, str>>,
    pub unit: Option<&'static str>,
    pub reading_value: &'a MeterValue,
    pub reading_date: Date,
    pub reading_reason: Option<ReadingReason>,
    pub firstname: Option<Cow<'a, str>>,
    pub lastname: Option<Cow<'a, str>>,
    pub street: Option<Cow<'a, str>>,
    pub house_number: Option<Cow<'a, str>>,
    pub zip: Option<Cow<'a, str>>,
    pub city: Option<Cow<'a, str>>,
    pub email: Option<Cow<'a, str>>,
    pub comment: Option<Cow<'a, str>>,
    pub created: Timestamp,
    pub image_ids: Images<'a>,
    pub login_kind: LoginKind,
    pub login: &'a AccountId,
}

impl<'a> RowWithoutJob<'a> {
    /// A row for each value of the reading.
    pub fn of(entry: &'a ReadingWithoutJob) -> impl Iterator<Item = Self> {
        entry.reading_values.iter().map(move |value| Self::of_value(entry, value))
    }

    fn of_value(entry: &'a ReadingWithoutJob, value: &'a ReadingWithoutJobValue) -> Self {
        let of_contact = |field: fn(&Contact) -> &String| entry.contact.as_ref().map(|contact| Cow::Borrowed(field(contact).as_str()));
        Self {
            reading_id: &entry.id,
            meter_type: entry.meter_type,
            sub_type: entry.sub_type.as_deref(),
            meter_number: Cow::Borrowed(&entry.meter_number),
            obis: value.obis.as_deref(),
            rate_name: value.rate_name.as_deref().map(Cow::Borrowed),
            unit: value.obis.as_deref().and_then(unit),
            reading_value: &value.value,
            reading_date: entry.reading_date,
            reading_reason: entry.reading_reason,
            firstname: of_contact(|contact| &contact.firstname),
            lastname: of_contact(|contact| &contact.lastname),
            street: of_contact(|contact| &contact.street),
            house_number: of_contact(|contact| &contact.house_number),
            zip: of_contact(|contact| &contact.zip),
            city: of_contact(|contact| &contact.city),
            email: entry.email.as_deref().map(Cow::Borrowed),
            comment: entry.comment.as_deref().map(Cow::Borrowed),
            created: entry.created,
            image_ids: Images::of(&value.image_ids),
            login_kind: entry.login_kind,
            login: &entry.login_account_id,
        }
    }
}

/// A list in JSON; in CSV one text with blanks between the ids.
#[derive(Debug)]
pub struct Images<'a> {
    ids: &'a [ImageId],
    joined: bool,
}

impl<'a> Images<'a> {
    /// As a list.
    pub fn of(ids: &'a [ImageId]) -> Self {
        Self { ids, joined: false }
    }

    /// As one text.
    pub fn join(&mut self) {
        self.joined = true;
    }
}

impl Serialize for Images<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.joined {
            serializer.serialize_str(&self.ids.iter().map(ImageId::as_str).collect::<Vec<_>>().join(" "))
        } else {
            self.ids.serialize(serializer)
        }
    }
}

fn unit(obis: &str) -> Option<&'static str> {
    obis.parse::<ObisCode>().ok().and_then(ObisCode::unit)
}
