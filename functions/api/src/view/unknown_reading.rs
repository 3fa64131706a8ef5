use domain::ids::JobId;
use domain::model::{MeterType, ReadingReason};
use domain::unknown_reading::Contact;
use domain::value::MeterValue;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SubmittedImage;

/// A visitor's reading of a meter (P3).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownResult {
    /// The type of the meter.
    pub meter_type: MeterType,
    /// Its sub-type, where the tenant offers some.
    #[serde(default)]
    pub sub_type: Option<String>,
    /// The number on its plate.
    pub meter_number: String,
    /// One value for each rate.
    pub reading_values: Vec<UnknownResultValue>,
    /// The day of the reading: a date (`2026-03-12`), or a date-time, whose day in the tenant's time zone counts.
    pub reading_date: String,
    /// One of the reasons that the tenant offers.
    pub reading_reason: ReadingReason,
    /// Who read it.
    pub contact: Contact,
    /// Where a copy goes, if the session and the tenant allow one.
    #[serde(default)]
    pub email: Option<String>,
    /// The copy's language, such as `de-FORMAL`; without one the tenant's.
    #[serde(default)]
    pub language: Option<String>,
}

/// The value of one rate.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownResultValue {
    /// The rate.
    pub obis: String,
    /// Its name.
    #[serde(default)]
    pub rate_name: Option<String>,
    /// The counter; a JSON number is taken too, digit for digit.
    pub value: MeterValue,
    /// Photos; a reading has at most ten.
    #[serde(default)]
    pub reading_images: Vec<SubmittedImage>,
}

/// A logged-in account's reading of a meter that has no job (L3).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownReading {
    /// The number on its plate.
    pub meter_number: String,
    /// The counter; a JSON number is taken too, digit for digit.
    pub reading_value: MeterValue,
    /// The day of the reading, as in a submission for a job.
    pub reading_date: String,
    /// What the reader remarks.
    #[serde(default)]
    pub comment: Option<String>,
    /// At most ten photos.
    #[serde(default)]
    pub reading_images: Vec<SubmittedImage>,
}

/// A reading that was taken.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownReadingTaken {
    /// The reading's id.
    pub id: JobId,
}

/// A visitor's session (P3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisitorToken {
    /// The access token.
    pub token: String,
    /// Its life in seconds.
    pub expires_in: u32,
}
