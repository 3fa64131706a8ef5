//! Readings that a clerk should look at before they go to the market or into a bill.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::finding::FindingCode;
use crate::model::{LowerReason, MeterRateTask};
use crate::value::MeterValue;
use crate::white_space::trimmed;

/// What the portal sends when the reader picks the comment "meter was changed", in the languages that come with it.
const METER_CHANGED: [&str; 3] = ["meterWasChanged", "Zähler wurde gewechselt", "Meter was changed"];

/// The key of the texts that a tenant's portal shows for it in their place.
pub const METER_CHANGED_TEXT: &str = "reading.comment.preset.meterWasChanged";

/// Why a clerk should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Doubt {
    /// The reader says that the meter was exchanged.
    MeterChange,
    /// The reader says that the counter passed its last digit.
    Rollover,
    /// The value is outside the range that the utility gave.
    OutsideRange,
    /// Much less than the meter used before; the reader confirmed it.
    ExpectedLow,
    /// Much more than the meter used before; the reader confirmed it.
    ExpectedHigh,
    /// Lower than a reading before it; the reader confirmed it and did not say why.
    LowerUnexplained,
    /// It came without a job.
    WithoutJob,
}

/// What a reader sent, as far as it matters here.
#[derive(Debug)]
pub struct Sent<'a> {
    /// The counter.
    pub value: &'a MeterValue,
    /// The remark.
    pub comment: Option<&'a str>,
    /// Why it is lower than before.
    pub lower_reason: Option<LowerReason>,
    /// The warnings that the reader confirmed.
    pub confirmed: &'a [FindingCode],
}

/// All reasons to look at a reading; `task` is its rate, if the job still has it. `meter_changed` are the tenant's own texts of the comment
/// "meter was changed".
pub fn doubts(sent: &Sent<'_>, task: Option<&MeterRateTask>, meter_changed: &[String]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let says_so = sent
        .comment
        .map(trimmed)
        .is_some_and(|comment| METER_CHANGED.contains(&comment) || meter_changed.iter().any(|text| trimmed(text) == comment));
    if sent.lower_reason == Some(LowerReason::MeterChange) || says_so {
        doubts.push(Doubt::MeterChange);
    }
    if sent.lower_reason == Some(LowerReason::Rollover) {
        doubts.push(Doubt::Rollover);
    }
    let is_explained = !doubts.is_empty();
    if let Some(range) = task.and_then(|task| task.reading_value_validation.as_ref()) {
        let below = range.minimum_value.as_ref().is_some_and(|minimum| sent.value < minimum);
        let above = range.maximum_value.as_ref().is_some_and(|maximum| sent.value > maximum);
        // An exchanged meter and one that began anew are below the range for that very reason.
        if above || (below && !is_explained) {
            doubts.push(Doubt::OutsideRange);
        }
    }
    // D-CLEARING-4: whatever the reader was asked about waits, also when the job has changed since.
    for code in sent.confirmed {
        let doubt = match code {
            FindingCode::RangeAbove => Doubt::OutsideRange,
            FindingCode::RangeBelow if !is_explained => Doubt::OutsideRange,
            FindingCode::ExpectedLow => Doubt::ExpectedLow,
            FindingCode::ExpectedHigh => Doubt::ExpectedHigh,
            FindingCode::HistoricLower | FindingCode::ContinuityLower if !is_explained => Doubt::LowerUnexplained,
            _ => continue,
        };
        if !doubts.contains(&doubt) {
            doubts.push(doubt);
        }
    }
    doubts
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(value: &str, comment: Option<&str>, lower_reason: Option<LowerReason>) -> Vec<Doubt> {
        confirmed(value, comment, lower_reason, &[])
    }

    fn confirmed(value: &str, comment: Option<&str>, lower_reason: Option<LowerReason>, confirmed: &[FindingCode]) -> Vec<Doubt> {
        let task = r#"{"taskId":"t","obis":"1-0:1.8.0","readingValueValidation":{"minimumValue":"100","maximumValue":"200"}}"#;
        let task = serde_json::from_str(task).unwrap();
        doubts(&Sent { value: &MeterValue::parse(value).unwrap(), comment, lower_reason, confirmed }, Some(&task), &["Neuer Zähler".into()])
    }

    #[test]
    fn a_clerk_looks_at_what_the_counter_alone_cannot_explain() {
        assert_eq!(of("100", None, None), []);
        assert_eq!(of("200", None, None), []);
        assert_eq!(of("99.9", None, None), [Doubt::OutsideRange]);
        assert_eq!(of("200.1", Some("im Keller war es dunkel"), None), [Doubt::OutsideRange]);
        assert_eq!(of("3", None, Some(LowerReason::Rollover)), [Doubt::Rollover]);
        assert_eq!(of("3", Some("Zähler wurde gewechselt "), None), [Doubt::MeterChange]);
        assert_eq!(of("150", Some("Neuer Zähler"), None), [Doubt::MeterChange]);
        assert_eq!(of("300", None, Some(LowerReason::MeterChange)), [Doubt::MeterChange, Doubt::OutsideRange]);
    }

    #[test]
    fn what_was_confirmed_waits() {
        use FindingCode::{ContinuityLower, ExpectedHigh, ExpectedLow, HistoricLower, Incomplete, RangeAbove, RangeBelow};
        let of = |lower_reason, codes: &[FindingCode]| confirmed("150", None, lower_reason, codes);
        assert_eq!(of(None, &[ExpectedHigh]), [Doubt::ExpectedHigh]);
        assert_eq!(of(None, &[ExpectedLow]), [Doubt::ExpectedLow]);
        assert_eq!(of(None, &[HistoricLower, ContinuityLower]), [Doubt::LowerUnexplained]);
        // The range that was warned of is no longer that of the job.
        assert_eq!(of(None, &[RangeAbove]), [Doubt::OutsideRange]);
        assert_eq!(of(None, &[RangeBelow]), [Doubt::OutsideRange]);
        assert_eq!(confirmed("300", None, None, &[RangeAbove]), [Doubt::OutsideRange], "once");
        assert_eq!(of(Some(LowerReason::Rollover), &[HistoricLower, RangeBelow]), [Doubt::Rollover], "the reason explains both");
        assert_eq!(of(Some(LowerReason::Rollover), &[ExpectedHigh]), [Doubt::Rollover, Doubt::ExpectedHigh]);
        assert_eq!(of(None, &[Incomplete]), [], "no remark on this value");
    }
}
