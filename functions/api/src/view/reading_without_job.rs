use domain::ids::JobId;
use domain::model::{MeterType, ReadingReason};
use domain::value::MeterValue;
use domain::visitor_reading::Contact;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{SubmittedImage, bound};

/// A visitor's reading of a meter (P3).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisitorReading {
    /// The type of the meter.
    pub meter_type: MeterType,
    /// Its sub-type, where the tenant offers some.
    #[serde(default)]
    pub sub_type: Option<String>,
    /// The number on its plate.
    pub meter_number: String,
    /// One value for each rate.
    #[serde(deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub reading_values: Vec<VisitorReadingValue>,
    /// The day of the reading: a date (`2026-03-12`), or a date-time, whose day in the tenant's time zone counts.
    pub reading_date: String,
    /// One of the reasons that the tenant offers.
    pub reading_reason: ReadingReason,
    /// The reader's contact data.
    pub contact: Contact,
    /// Where a copy goes, if the session and the tenant allow one.
    #[serde(default)]
    pub email: Option<String>,
    /// The language of mails about it, such as `de-FORMAL`; without one the tenant's.
    #[serde(default, deserialize_with = "bound::language")]
    #[schema(max_length = 35)]
    pub language: Option<String>,
}

/// The value of one rate.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisitorReadingValue {
    /// The rate.
    pub obis: String,
    /// Its name (P3); what is stored is the tenant's own name of the rate.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub rate_name: IgnoredAny,
    /// The counter; a JSON number is taken too, digit for digit.
    pub value: MeterValue,
    /// Photos; a reading has at most ten.
    #[serde(default, deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub reading_images: Vec<SubmittedImage>,
}

/// A logged-in account's reading of a meter that has no job (L3).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnReading {
    /// The number on its plate.
    pub meter_number: String,
    /// The counter; a JSON number is taken too, digit for digit.
    pub reading_value: MeterValue,
    /// The day of the reading, as in a submission for a job.
    pub reading_date: String,
    /// The reader's comment.
    #[serde(default)]
    pub comment: Option<String>,
    /// At most ten photos.
    #[serde(default, deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub reading_images: Vec<SubmittedImage>,
}

/// A reading that was taken.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingTaken {
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
