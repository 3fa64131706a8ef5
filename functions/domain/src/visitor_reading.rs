//! Readings of meters that have no job, by a visitor without login (P5).

use jiff::{ToSpan as _, civil::Date};
use serde::{Deserialize, Serialize};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use utoipa::ToSchema;

use crate::config::{MeterConfig, MeterRateConfig, RateReadingConfig, VisitorMeter, VisitorReadingConfig};
use crate::email::EmailAddress;
use crate::finding::{Finding, FindingCode};
use crate::model::{MeterType, ReadingReason};
use crate::value::MeterValue;
use crate::white_space::trimmed;

/// What the ids of readings without a job begin with; they stand where a job's id would, so that no job's id may begin so.
pub const WITHOUT_JOB: &str = "unknown~";
/// What the ids of visitors' sessions begin with; they stand where an account's id would.
pub const VISITOR: &str = "visitor~";
/// Most photos of one reading (L5, L9).
pub const MAX_IMAGES: usize = 10;
/// Most characters of a house number (P9).
const HOUSE_NUMBER_MAX: usize = 10;
/// Most characters of every other contact field (P9).
const CONTACT_MAX: usize = 50;
/// Characters of a zip code (P9).
const ZIP_LENGTH: usize = 5;
/// The sub-type whose rates the visitor picks (P2).
const OTHER: &str = "OTHER";
/// A visitor's reading (P3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    pub reading_values: Vec<VisitorValue>,
    /// The day of the reading.
    pub reading_date: Date,
    /// Why it was read.
    pub reading_reason: ReadingReason,
    /// Who read it.
    pub contact: Contact,
    /// Where a copy goes.
    #[serde(default)]
    pub email: Option<String>,
}

/// The value of one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisitorValue {
    /// The rate.
    pub obis: String,
    /// The counter.
    pub value: MeterValue,
    /// The number of photos with it.
    #[serde(default)]
    pub image_count: usize,
}

/// Who read the meter, and where (P3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the fields are the specification's names")]
pub struct Contact {
    pub firstname: String,
    pub lastname: String,
    pub street: String,
    pub house_number: String,
    pub zip: String,
    pub city: String,
}

/// The rates that are asked for a meter of this type and sub-type; none: the tenant does not offer it.
///
/// The visitor may pick among the rates of [`Asked::is_choice`]; of others each one that is asked for needs a value.
pub fn asked<'a>(config: &'a VisitorReadingConfig, meter_type: MeterType, sub_type: Option<&str>) -> Option<Asked<'a>> {
    let meter = config.meters.get(&meter_type)?;
    let VisitorMeter { default_meter_config, sub_type_meter_configs, custom_meter_config } = meter;
    if sub_type_meter_configs.is_empty() {
        return sub_type.is_none().then_some(Asked { config: default_meter_config, is_choice: false });
    }
    let sub_type = sub_type?;
    let sub = sub_type_meter_configs.iter().find(|sub| sub.sub_type == sub_type)?;
    Some(match custom_meter_config {
        Some(custom) if sub_type == OTHER => Asked { config: custom, is_choice: true },
        _ if sub.meter_config.meter_rate_configs.is_empty() => Asked { config: default_meter_config, is_choice: false },
        _ => Asked { config: &sub.meter_config, is_choice: sub_type == OTHER },
    })
}

/// What is asked for a meter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked<'a> {
    /// The rates.
    pub config: &'a MeterConfig,
    /// The visitor picks at least one of them.
    pub is_choice: bool,
}

impl<'a> Asked<'a> {
    /// Which rates must have a value: all, or those that the tenant has selected beforehand.
    fn required(&self) -> Vec<&str> {
        let selected = &self.config.default_selected_meter_rates_by_obis;
        let rates = self.config.meter_rate_configs.iter().map(|rate| rate.obis.as_str());
        match self.is_choice {
            true => Vec::new(),
            false if selected.is_empty() => rates.collect(),
            false => rates.filter(|obis| selected.iter().any(|selected| selected == obis)).collect(),
        }
    }

    /// What the tenant calls a rate that it offers.
    pub fn rate_name(self, obis: &str) -> Option<&'a str> {
        self.config.meter_rate_configs.iter().find(|rate| rate.obis == obis).map(|rate| rate.rate_name.as_str())
    }

    fn reading_config(&self, rate: &MeterRateConfig) -> RateReadingConfig {
        rate.reading_config.as_ref().unwrap_or(&self.config.default_meter_reading_config).clone()
    }
}

/// Everything that is wrong with a visitor's reading (P5). `may_have_copy`: the session and the tenant allow a receipt (P6).
pub fn check(config: &VisitorReadingConfig, reading: &VisitorReading, may_have_copy: bool, today: Date) -> Vec<Finding> {
    let mut findings = Findings::default();
    check_meter(config, reading, &mut findings);
    check_values(config, reading, &mut findings);
    let (past, future) = (config.validation.reading_date_max_days_in_past, config.validation.reading_date_max_days_in_future);
    findings.date(reading.reading_date, today.saturating_sub(i64::from(past).days()), today.saturating_add(i64::from(future).days()));
    if !config.reading_reasons.iter().any(|reason| reason.value == reading.reading_reason) {
        findings.add(FindingCode::NotOffered, "readingReason");
    }
    check_contact(&reading.contact, &mut findings);
    match &reading.email {
        Some(_) if !may_have_copy => findings.add(FindingCode::EmailNotAllowed, "email"),
        Some(email) if email.parse::<EmailAddress>().is_err() => findings.add(FindingCode::EmailInvalid, "email"),
        _ => {}
    }
    findings.0
}

fn check_meter(config: &VisitorReadingConfig, reading: &VisitorReading, findings: &mut Findings) {
    let length = &config.validation.meter_number;
    let (least, most) = (usize::from(length.meter_number_min_length), usize::from(length.meter_number_max_length));
    findings.text(&reading.meter_number, most, is_meter_number, "meterNumber");
    if !reading.meter_number.is_empty() && reading.meter_number.chars().count() < least {
        findings.limit(FindingCode::TooShort, "meterNumber", least);
    }
    match config.meters.get(&reading.meter_type) {
        None => findings.add(FindingCode::NotOffered, "meterType"),
        Some(_) if asked(config, reading.meter_type, reading.sub_type.as_deref()).is_some() => {}
        Some(_) if reading.sub_type.is_none() => findings.add(FindingCode::Required, "subType"),
        Some(_) => findings.add(FindingCode::NotOffered, "subType"),
    }
}

fn check_values(config: &VisitorReadingConfig, reading: &VisitorReading, findings: &mut Findings) {
    let values = &reading.reading_values;
    findings.image_count(values.iter().map(|value| value.image_count).sum(), "readingValues");
    let Some(asked) = asked(config, reading.meter_type, reading.sub_type.as_deref()) else { return };
    let is_given = |obis: &&str| values.iter().any(|value| value.obis == **obis);
    if values.is_empty() || !asked.required().iter().all(is_given) {
        findings.add(FindingCode::Required, "readingValues");
    }
    for (index, value) in values.iter().enumerate() {
        let at = |field: &str| format!("readingValues[{index}].{field}");
        let Some(rate) = asked.config.meter_rate_configs.iter().find(|rate| rate.obis == value.obis) else {
            findings.add(FindingCode::NotOffered, at("obis"));
            continue;
        };
        if values[..index].iter().any(|other| other.obis == value.obis) {
            findings.add(FindingCode::Twice, at("obis"));
        }
        let rate = asked.reading_config(rate);
        findings.pre_decimals(&value.value, rate.pre_decimals, at("value"));
        let (given, wanted) = (value.value.post_decimals(), usize::from(rate.post_decimals));
        // A visitor who is not asked for decimals may leave them all out, or none (P5).
        if given != wanted && (given > 0 || rate.query_post_decimals) {
            findings.limit(FindingCode::DecimalsExact, at("value"), wanted);
        }
        findings.images(&rate, value.image_count, at("readingImages"));
    }
}

fn check_contact(contact: &Contact, findings: &mut Findings) {
    findings.text(&contact.firstname, CONTACT_MAX, is_name, "contact.firstname");
    findings.text(&contact.lastname, CONTACT_MAX, is_name, "contact.lastname");
    findings.text(&contact.street, CONTACT_MAX, is_place, "contact.street");
    findings.text(&contact.house_number, HOUSE_NUMBER_MAX, is_house_number, "contact.houseNumber");
    findings.text(&contact.zip, usize::MAX, |c| c.is_ascii_digit(), "contact.zip");
    if !contact.zip.is_empty() && contact.zip.chars().count() != ZIP_LENGTH {
        findings.limit(FindingCode::LengthExact, "contact.zip", ZIP_LENGTH);
    }
    findings.text(&contact.city, CONTACT_MAX, is_place, "contact.city");
}

/// What a meter's plate shows: capital letters, digits, and what groups them.
pub(crate) fn is_meter_number(c: char) -> bool {
    c.is_ascii_uppercase() || c.is_ascii_digit() || "-./".contains(c)
}

/// Letters of any script with their marks, and what stands in names.
fn is_name(c: char) -> bool {
    matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark) || " -'’.".contains(c)
}

/// As in names, and digits and slashes: `Straße des 17. Juni`, `Frankfurt/Oder`.
fn is_place(c: char) -> bool {
    is_name(c) || c.is_ascii_digit() || c == '/'
}

fn is_house_number(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Letter || c.is_ascii_digit() || "/- ".contains(c)
}

#[derive(Default)]
pub(crate) struct Findings(pub(crate) Vec<Finding>);

impl Findings {
    pub(crate) fn add(&mut self, code: FindingCode, field: impl Into<String>) {
        self.0.push(Finding::error(code, field));
    }

    pub(crate) fn limit(&mut self, code: FindingCode, field: impl Into<String>, limit: impl ToString) {
        self.0.push(Finding::error(code, field).limit(limit));
    }

    /// A field that must be filled, with these characters and no more of them.
    pub(crate) fn text(&mut self, text: &str, most: usize, takes: fn(char) -> bool, field: &str) {
        if trimmed(text).is_empty() {
            return self.add(FindingCode::Required, field);
        }
        if text.chars().count() > most {
            self.limit(FindingCode::TooLong, field, most);
        }
        if !text.chars().all(takes) {
            self.add(FindingCode::Characters, field);
        }
    }

    pub(crate) fn pre_decimals(&mut self, value: &MeterValue, most: u8, field: impl Into<String>) {
        if value.pre_decimals() > usize::from(most) {
            self.limit(FindingCode::PreDecimals, field, most);
        }
    }

    pub(crate) fn images(&mut self, rate: &RateReadingConfig, count: usize, field: impl Into<String>) {
        match count {
            0 if rate.is_reading_image_required => self.add(FindingCode::ImageRequired, field),
            1.. if !rate.is_reading_image_allowed => self.add(FindingCode::ImageForbidden, field),
            _ => {}
        }
    }

    pub(crate) fn image_count(&mut self, count: usize, field: &str) {
        if count > MAX_IMAGES {
            self.limit(FindingCode::ImageTooMany, field, MAX_IMAGES);
        }
    }

    pub(crate) fn date(&mut self, date: Date, first: Date, last: Date) {
        if date < first {
            self.limit(FindingCode::DateTooEarly, "readingDate", first);
        } else if date > last {
            self.limit(FindingCode::DateTooLate, "readingDate", last);
        }
    }
}
