//! Readings that a clerk should look at before they go to the market or into a bill.

use serde::{Deserialize, Serialize};

use crate::model::{LowerReason, MeterRateTask};
use crate::value::MeterValue;
use crate::white_space::trimmed;

/// What the portal sends when the reader picks the comment "meter was changed", in the languages that come with it.
const METER_CHANGED: [&str; 3] = ["meterWasChanged", "Zähler wurde gewechselt", "Meter was changed"];

/// The key of the texts that a tenant's portal shows for it in their place.
pub const METER_CHANGED_TEXT: &str = "reading.comment.preset.meterWasChanged";

/// Why a clerk should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Doubt {
    /// The reader says that the meter was exchanged.
    MeterChange,
    /// The reader says that the counter passed its last digit.
    Rollover,
    /// The value is outside the expected range.
    OutsideRange,
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
    if let Some(range) = task.and_then(|task| task.reading_value_validation.as_ref()) {
        let below = range.minimum_value.as_ref().is_some_and(|minimum| sent.value < minimum);
        let above = range.maximum_value.as_ref().is_some_and(|maximum| sent.value > maximum);
        // An exchanged meter and one that began anew are below the range for that very reason.
        if above || (below && doubts.is_empty()) {
            doubts.push(Doubt::OutsideRange);
        }
    }
    doubts
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(value: &str, comment: Option<&str>, lower_reason: Option<LowerReason>) -> Vec<Doubt> {
        let task = r#"{"taskId":"t","obis":"1-0:1.8.0","readingValueValidation":{"minimumValue":"100","maximumValue":"200"}}"#;
        let task = serde_json::from_str(task).unwrap();
        doubts(&Sent { value: &MeterValue::parse(value).unwrap(), comment, lower_reason }, Some(&task), &["Neuer Zähler".into()])
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
}
