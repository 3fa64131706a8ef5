use desk::without_job::{Fit, Suggestion};
use domain::ids::{AccountId, ImageId, JobId, SeasonId};
use domain::model::{LoginKind, MeterType, ReadingReason};
use domain::value::MeterValue;
use domain::visitor_reading::Contact;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use store::{ClearingEntryWithoutJob, ReadingWithoutJobValue};
use utoipa::ToSchema;

use super::{DeskAside, DeskJobState, DeskMade, DeskPlace};

/// A reading of a meter that has no job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskReadingWithoutJob {
    /// Its id; stands where a job's id and the reading's would.
    pub id: JobId,
    /// The time at which the server took it.
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    /// Through which kind of login: `public` is a visitor.
    pub login_kind: LoginKind,
    /// The account that sent it, if it was no visitor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<AccountId>,
    /// The kind of meter, if it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter_type: Option<MeterType>,
    /// The number on its plate.
    pub meter_number: String,
    /// The day of the reading.
    #[schema(value_type = String, format = Date)]
    pub reading_date: Date,
    /// The reason of the reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_reason: Option<ReadingReason>,
    /// The reader's contact data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<Contact>,
    /// Their address, if they gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The reader's comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The values, one for each rate.
    pub values: Vec<DeskValueWithoutJob>,
    /// The decision about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DeskMade>,
    /// That it was put aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aside: Option<DeskAside>,
    /// The exports of the table of readings without a job that had it.
    pub exports: Vec<u64>,
    /// The version that a decision about it is bound to.
    pub version: String,
}

/// The value of one rate.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskValueWithoutJob {
    /// The rate, if the meter's rates were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obis: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_name: Option<String>,
    /// The counter, digit for digit.
    pub value: MeterValue,
    /// Its photos.
    pub images: Vec<ImageId>,
}

/// The grounds on which a job is suggested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskFit {
    /// Its meter has the number, or one that ends so.
    MeterNumber,
    /// The sender of the reading has the job.
    Sender,
    /// It is where the reader says.
    Address,
    /// Its customer is called as the reader.
    Name,
}

/// A job that a reading may belong to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSuggestion {
    /// The job.
    pub job: JobId,
    /// The account that it belongs to.
    pub account: AccountId,
    /// The account's name.
    pub name: String,
    /// Its season.
    pub season: SeasonId,
    /// Its meter.
    pub meter_number: String,
    /// The kind of meter.
    pub meter_type: MeterType,
    /// The meter's place.
    pub place: DeskPlace,
    /// The state of the job.
    pub state: DeskJobState,
    /// Why it suggests itself; one reason at least.
    pub because: Vec<DeskFit>,
}

impl From<Fit> for DeskFit {
    fn from(fit: Fit) -> Self {
        match fit {
            Fit::MeterNumber => Self::MeterNumber,
            Fit::Sender => Self::Sender,
            Fit::Address => Self::Address,
            Fit::Name => Self::Name,
        }
    }
}

impl From<Suggestion> for DeskSuggestion {
    fn from(Suggestion { job, because }: Suggestion) -> Self {
        Self {
            job: job.job,
            account: job.account,
            name: job.name,
            season: job.season,
            meter_number: job.meter_number,
            meter_type: job.meter_type,
            place: job.place.into(),
            state: job.state.into(),
            because: because.into_iter().map(DeskFit::from).collect(),
        }
    }
}

impl DeskReadingWithoutJob {
    /// The reading, with the decision and by what that can no longer be taken back.
    ///
    /// # Errors
    /// The store's, if what was decided cannot be written down.
    pub fn new(reading: &ClearingEntryWithoutJob, decision: Option<DeskMade>) -> store::Result<Self> {
        let entry = reading.entry.clone();
        let value = |ReadingWithoutJobValue { obis, rate_name, value, image_ids }| DeskValueWithoutJob {
            obis,
            rate_name,
            value,
            images: image_ids,
        };
        Ok(Self {
            id: entry.id,
            created: entry.created,
            login_kind: entry.login_kind,
            sender: (entry.login_kind != LoginKind::Public).then_some(entry.login_account_id),
            meter_type: entry.meter_type,
            meter_number: entry.meter_number,
            reading_date: entry.reading_date,
            reading_reason: entry.reading_reason,
            contact: entry.contact,
            email: entry.email,
            comment: entry.comment,
            values: entry.reading_values.into_iter().map(value).collect(),
            decision,
            aside: reading.aside.clone().map(DeskAside::from),
            exports: reading.sent.iter().filter_map(|sending| sending.export).collect(),
            version: reading.version()?,
        })
    }
}
