//! The job, its meter and its readings, with the specification's field names (L3).
//!
//! [`JobMaster`] is what the utility imports; [`TaskState`] is what readers added to it.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::config::{JobFeatureOverrides, MeterReadingOverrides};
use crate::ids::{ImageId, JobId, TaskId};
use crate::value::MeterValue;

/// A reading job as the utility's ERP lists it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobMaster {
    /// The job's id, unique within the tenant.
    pub id: JobId,
    /// The meter to read.
    pub meter: Meter,
    /// When it may be read.
    #[serde(default)]
    pub job_constraints: JobConstraints,
    /// Type given for the job; goes before what the OBIS code says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job_info: Option<JobInfo>,
    /// What the owner may do with the job.
    #[serde(default)]
    pub job_permissions: JobPermissions,
    /// Deviations of this job from the tenant's settings.
    #[serde(default)]
    pub config: JobOverrides,
    /// The business partner whom the utility deals with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<Partner>,
    /// The customer who uses the energy or water.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<Customer>,
    /// Metering location (33 characters, `DE…`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub me_lo_id: Option<String>,
    /// Market location (11 digits with check digit).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ma_lo_id: Option<String>,
    /// To whom the readings go in the market (13 digits), such as this customer's supplier; absent: to the recipient of the tenant's settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub market_recipient: Option<String>,
    /// The message that ordered the reading in the market: the number of its ORDERS (BGM, DE1004).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub market_order: Option<String>,
    /// The utility's key of the building or flat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_key: Option<String>,
}

/// A meter and where it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Meter {
    /// The number on the meter's plate.
    pub meter_number: String,
    /// What it measures; absent means: derived from the OBIS code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meter_type: Option<MeterType>,
    /// The tenant's own name for the type, shown in place of the translated type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_meter_type: Option<String>,
    /// Market location of this meter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ma_lo_id: Option<String>,
    /// Where the meter is.
    #[serde(default)]
    pub meter_address: MeterAddress,
    /// The rates (registers) to read; at least one.
    pub meter_rate_tasks: Vec<MeterRateTask>,
}

/// What a meter measures (L3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MeterType {
    ElectricMeter,
    HeatMeter,
    GasMeter,
    WaterMeter,
    WaterWarmMeter,
    GenericMeter,
}

/// Where the meter hangs and how to find it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MeterAddress {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zip: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city_district: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firstname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lastname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location_description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// One rate (register) to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeterRateTask {
    /// The task's id, unique within the job.
    pub task_id: TaskId,
    /// The tenant's name of the rate (`HT`, `NT`, `Verbrauch`); never derived from the OBIS code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_name: Option<String>,
    /// `medium-channel:class.type.number`, such as `1-0:1.8.0`.
    pub obis: String,
    /// Unit for display and export; absent means: derived from the OBIS code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Digits before the point; absent means 8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre_decimals: Option<u8>,
    /// Digits after the point; absent means: any number up to 9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_decimals: Option<u8>,
    /// The day for which the utility wants the reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub target_reading_date: Option<Date>,
    /// Earlier readings that the utility knows, oldest first.
    #[serde(default)]
    pub reading_events: Vec<ReadingEvent>,
    /// The expected range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading_value_validation: Option<ReadingValueValidation>,
    /// What the utility expects to be used in a year, in the register's unit; absent means: derived from the earlier readings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_annual_consumption: Option<MeterValue>,
    /// How the use is spread over the year; absent means: by the medium.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_profile: Option<LoadProfile>,
}

/// How a year's use is spread over its months.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LoadProfile {
    /// Every day alike.
    Even,
    /// By degree days.
    Heating,
    /// By degree days, and hot water all year.
    HeatingHotWater,
    /// Feed-in of photovoltaics.
    Sun,
    /// BDEW's household.
    H25,
    /// BDEW's business.
    G25,
    /// BDEW's farm.
    L25,
    /// BDEW's household with photovoltaics.
    P25,
    /// BDEW's household with photovoltaics and a battery.
    S25,
}

/// The range in which a reading is expected (L5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingValueValidation {
    /// Smallest expected value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_value: Option<MeterValue>,
    /// Greatest expected value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum_value: Option<MeterValue>,
    /// True: a value outside is refused; false: it needs a confirmation.
    #[serde(default)]
    pub strict_validation: bool,
}

/// An earlier reading that the utility holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingEvent {
    /// The day of the reading.
    #[schema(value_type = String, format = Date)]
    pub reading_date: Date,
    /// The counter on that day.
    pub reading_value: MeterValue,
    /// Why it was read; absent means unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReadingReason>,
    /// Text for the reason `OTHER`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_reason: Option<String>,
}

/// Why a meter was read (L3, P3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReadingReason {
    InitialReading,
    PeriodicReading,
    EstimatedReading,
    IntermediateReading,
    MeterChange,
    Other,
    /// Customer self-reading.
    OtherKsa,
    AnnualReading,
    ControlReading,
    ProviderChange,
}

/// When a job may be read: the window's first and last day, both inclusive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct JobConstraints {
    /// First day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub earliest_execution: Option<Date>,
    /// Last day: the deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub latest_execution: Option<Date>,
}

/// Facts about the job itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobInfo {
    /// The type of the meter as the order states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meter_type: Option<MeterType>,
}

/// What the job's owner may do with it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct JobPermissions {
    /// The job may be shared with a sub-account.
    pub re_share: bool,
}

/// Where a job deviates from its tenant's settings; absent fields follow the tenant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct JobOverrides {
    /// Deviating flags.
    pub features: JobFeatureOverrides,
    /// Deviating entry settings.
    pub meter_reading: MeterReadingOverrides,
}

/// The utility's business partner.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Partner {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firstname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lastname: Option<String>,
}

/// The utility's customer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Customer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firstname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lastname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mailing_address: Option<MailingAddress>,
}

/// Where the customer gets letters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MailingAddress {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zip: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// In words, for letters abroad; absent means Germany.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// A reading that was sent for one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingResult {
    /// The day on which the counter was read.
    #[schema(value_type = String, format = Date)]
    pub reading_date: Date,
    /// The counter.
    pub reading_value: MeterValue,
    /// When the server took it.
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    /// What the reader remarked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Why the value is below the last one, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower_reason: Option<LowerReason>,
    /// The stored photos.
    #[serde(default)]
    pub reading_result_images: Vec<ReadingResultImage>,
}

/// What the reader answered when asked why the counter is lower than before (domain decision: new meter, rollover or typing error;
/// a typing error is corrected and therefore never stored).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LowerReason {
    /// The meter was exchanged.
    MeterChange,
    /// The counter passed its last digit and began at zero.
    Rollover,
}

/// A stored photo of a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingResultImage {
    /// The photo's id for fetching it.
    pub image_id: ImageId,
}

/// A reading that a clerk rejected: its register is open again, and the next reader is told why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RejectedReading {
    /// The day on which the counter was read.
    #[schema(value_type = String, format = Date)]
    pub reading_date: Date,
    /// The counter.
    pub reading_value: MeterValue,
    /// When the server took it.
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    /// The clerk's words.
    pub reason: String,
    /// An exchange of the meter was told with it; absent: none was.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exchanged: bool,
}

/// What readers sent for one task so far, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskState {
    /// The task.
    pub task_id: TaskId,
    /// Its results; the last is the official one.
    pub reading_results: Vec<ReadingResult>,
}

/// Through which channel a reading came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Channel {
    /// Its reader sent it in the portal.
    Portal,
    /// The customer said it on the phone; staff entered it.
    Phone,
    /// The customer wrote it on a card or a letter.
    Card,
    /// The customer wrote it in a mail.
    Email,
    /// Field staff of the utility, or on its behalf, read the meter.
    Technician,
    /// It came in a file that does not say how it was read.
    Import,
}

/// Through which kind of login a reading came into the portal (audit, return rate by login).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LoginKind {
    /// User name and password.
    Credentials,
    /// A link or QR code.
    Token,
    /// None: a visitor's session.
    Public,
}
