//! Readings of meters that have no job, by a logged-in account (L5).

use jiff::{ToSpan as _, civil::Date};
use serde::{Deserialize, Serialize};

use crate::config::RateReadingConfig;
use crate::finding::{Finding, FindingCode};
use crate::reading::{COMMENT_MAX_LENGTH, COMMENT_MIN_LENGTH};
use crate::value::MeterValue;
use crate::visitor_reading::{Findings, is_meter_number};
use crate::white_space::without_white_space;

/// What a logged-in account may enter for an unknown meter (L5).
const RATE: RateReadingConfig = RateReadingConfig {
    pre_decimals: 9,
    post_decimals: 3,
    query_post_decimals: false,
    is_reading_image_allowed: true,
    is_reading_image_required: false,
};
/// How far back such a reading may lie, in days (L5).
const DAYS_IN_PAST: i64 = 30;
/// Most characters of the number of an unknown meter.
const METER_NUMBER_MAX: usize = 50;

/// A logged-in account's reading of a meter that has no job (L3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnReading {
    /// The number on its plate.
    pub meter_number: String,
    /// The counter.
    pub reading_value: MeterValue,
    /// The day of the reading.
    pub reading_date: Date,
    /// What the reader remarks.
    #[serde(default)]
    pub comment: Option<String>,
    /// The number of photos with it.
    #[serde(default)]
    pub image_count: usize,
}

/// Everything that is wrong with a logged-in account's reading (L5).
pub fn check(query_post_decimals: bool, image_required: bool, reading: &OwnReading, today: Date) -> Vec<Finding> {
    let mut findings = Findings::default();
    findings.text(&reading.meter_number, METER_NUMBER_MAX, is_meter_number, "meterNumber");
    let rate = RateReadingConfig { is_reading_image_required: image_required, ..RATE };
    findings.pre_decimals(&reading.reading_value, rate.pre_decimals, "readingValue");
    let most = if query_post_decimals { rate.post_decimals } else { 0 };
    if reading.reading_value.post_decimals() > usize::from(most) {
        findings.limit(FindingCode::DecimalsTooMany, "readingValue", most);
    }
    findings.images(&rate, reading.image_count, "readingImages");
    findings.image_count(reading.image_count, "readingImages");
    findings.date(reading.reading_date, today.saturating_sub(DAYS_IN_PAST.days()), today);
    if let Some(comment) = crate::reading::trimmed_comment(reading.comment.as_deref()) {
        let (length, written) = (comment.chars().count(), without_white_space(comment).chars().count());
        if written < COMMENT_MIN_LENGTH {
            findings.limit(FindingCode::TooShort, "comment", COMMENT_MIN_LENGTH);
        } else if length > COMMENT_MAX_LENGTH {
            findings.limit(FindingCode::TooLong, "comment", COMMENT_MAX_LENGTH);
        }
    }
    findings.0
}
