use desk::season_readings::CameIn;
use domain::ids::{AccountId, JobId};
use domain::model::Channel;
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use store::ClearingEntry;
use utoipa::ToSchema;

/// Readings as they came, the latest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskReadings {
    /// How many have been counted; null: this is not the first page, or this day alone has no count.
    #[schema(required)]
    pub count: Option<usize>,
    /// At most 25; may be none although there are more pages.
    pub readings: Vec<DeskListedReading>,
    /// For the next ones; absent: these were the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A reading as it came.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskListedReading {
    /// Its id, unique in its job.
    pub id: String,
    /// The job.
    pub job: JobId,
    /// The account of the job; absent: the time of the customer's data is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    /// What the account is called; absent: there is none any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The meter's number at that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter_number: Option<String>,
    /// The register's OBIS code.
    pub obis: String,
    /// Its unit, where the job named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The counter, digit for digit.
    pub reading_value: MeterValue,
    /// The day of the reading.
    #[schema(value_type = String, format = Date)]
    pub reading_date: Date,
    /// The time at which the server took it.
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    /// The channel of the reading.
    pub channel: Channel,
    /// A clerk decided that it does not count, or that another value does.
    pub is_rejected: bool,
}

impl From<CameIn> for DeskReadings {
    fn from(CameIn { readings, contacts, count, next_cursor }: CameIn) -> Self {
        let listed = |ClearingEntry { entry, clearing, .. }: ClearingEntry| DeskListedReading {
            name: entry.account_id.as_ref().and_then(|account| contacts.get(account)).map(|contact| contact.name.clone()),
            id: entry.result_id,
            job: entry.job_id,
            account: entry.account_id,
            meter_number: entry.meter_number,
            obis: entry.obis,
            unit: entry.unit,
            reading_value: entry.reading_value,
            reading_date: entry.reading_date,
            created: entry.created,
            channel: entry.channel,
            is_rejected: clearing.is_some_and(|clearing| !clearing.released),
        };
        Self { count, readings: readings.into_iter().map(listed).collect(), next_cursor }
    }
}
