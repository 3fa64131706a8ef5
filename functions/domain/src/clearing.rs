//! Readings that a clerk should look at before they go to the market or into a bill.

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::config::DecisionSettings;
use crate::finding::FindingCode;
use crate::model::{LowerReason, MeterRateTask};
use crate::obis::task_unit;
use crate::reading::rollover_consumption;
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
    /// The reader says that the meter was exchanged, or it was told with the reading in whose place this one comes.
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
    /// The reason for a lower value than before.
    pub lower_reason: Option<LowerReason>,
    /// The warnings that the reader confirmed.
    pub confirmed: &'a [FindingCode],
    /// An exchange of the meter was told with the reading in whose place it comes.
    pub exchanged: bool,
}

/// A reading as a decision lets it count.
#[derive(Debug, Clone, Copy)]
pub struct Counting<'a> {
    /// The day of the reading.
    pub day: Date,
    /// The counter.
    pub value: &'a MeterValue,
    /// The reason for a lower value than before.
    pub lower_reason: Option<LowerReason>,
    /// The last counter of the meter that went and the first one of the meter that came.
    pub exchange: Option<(&'a MeterValue, &'a MeterValue)>,
}

/// Whether a second member has to agree that a reading counts: more was used since the utility's earlier reading than the tenant lets one member decide about.
/// Without an earlier reading nothing was used.
pub fn needs_second_member(settings: &DecisionSettings, task: &MeterRateTask, reading: Counting<'_>) -> bool {
    let Some(limit) = task_unit(task).and_then(|unit| settings.second_member_above.get(unit)) else { return false };
    let before = task.reading_events.iter().filter(|event| event.reading_date < reading.day).max_by_key(|event| event.reading_date);
    let Some(before) = before.map(|event| &event.reading_value) else { return false };
    let used = match (reading.exchange, reading.lower_reason) {
        (Some((last, first)), _) => last.since(before) + reading.value.since(first),
        (None, Some(LowerReason::Rollover)) if reading.value.is_below(before) => {
            rollover_consumption(task.pre_decimals, before, reading.value)
        }
        (None, _) => reading.value.since(before),
    };
    used.abs() > Decimal::from(*limit)
}

/// Leaves of the reasons to look at a reading that a clerk assigned to a job those that wait all the same: the clerk has looked, but an exchange is named at the
/// reading that goes out (D-CLEARING-9).
pub fn keep_assigned(doubts: &mut Vec<Doubt>) {
    doubts.retain(|doubt| *doubt == Doubt::MeterChange);
}

/// All reasons to look at a reading; `task` is its rate, if the job still has it. `meter_changed` are the tenant's own texts of the comment
/// "meter was changed".
pub fn doubts(sent: &Sent<'_>, task: Option<&MeterRateTask>, meter_changed: &[String]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let says_so = sent
        .comment
        .map(trimmed)
        .is_some_and(|comment| METER_CHANGED.contains(&comment) || meter_changed.iter().any(|text| trimmed(text) == comment));
    // D-CLEARING-7: it would go out as a correction without the exchange.
    if sent.exchanged || sent.lower_reason == Some(LowerReason::MeterChange) || says_so {
        doubts.push(Doubt::MeterChange);
    }
    if sent.lower_reason == Some(LowerReason::Rollover) {
        doubts.push(Doubt::Rollover);
    }
    let is_explained = !doubts.is_empty();
    if let Some(range) = task.and_then(|task| task.reading_value_validation.as_ref()) {
        let below = range.minimum_value.as_ref().is_some_and(|minimum| sent.value.is_below(minimum));
        let above = range.maximum_value.as_ref().is_some_and(|maximum| sent.value > maximum);
        // An exchanged meter and one that began anew are below the range for that very reason.
        if above || (below && !is_explained) {
            doubts.push(Doubt::OutsideRange);
        }
    }
    // D-CLEARING-4: a value that the reader was asked about waits, also when the job has changed since.
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
        let sent = Sent { value: &MeterValue::parse(value).unwrap(), comment, lower_reason, confirmed, exchanged: false };
        doubts(&sent, Some(&task), &["Neuer Zähler".into()])
    }

    #[test]
    fn a_clerk_looks_at_what_the_counter_alone_cannot_explain() {
        assert_eq!(of("100", None, None), []);
        assert_eq!(of("200", None, None), []);
        assert_eq!(of("99.9", None, None), [Doubt::OutsideRange]);
        assert_eq!(of("99", None, None), [Doubt::OutsideRange]);
        assert_eq!(of("200.1", Some("im Keller war es dunkel"), None), [Doubt::OutsideRange]);
        assert_eq!(of("3", None, Some(LowerReason::Rollover)), [Doubt::Rollover]);
        assert_eq!(of("3", Some("Zähler wurde gewechselt "), None), [Doubt::MeterChange]);
        assert_eq!(of("150", Some("Neuer Zähler"), None), [Doubt::MeterChange]);
        assert_eq!(of("300", None, Some(LowerReason::MeterChange)), [Doubt::MeterChange, Doubt::OutsideRange]);
    }

    #[test]
    fn of_what_a_clerk_assigned_an_exchange_alone_waits() {
        let mut doubts = of("300", None, Some(LowerReason::MeterChange));
        keep_assigned(&mut doubts);
        assert_eq!(doubts, [Doubt::MeterChange]);
    }

    #[test]
    fn what_comes_in_the_place_of_a_new_meters_reading_waits_and_may_be_below_the_old_ones_range() {
        let task = r#"{"taskId":"t","obis":"1-0:1.8.0","readingValueValidation":{"minimumValue":"100"}}"#;
        let sent = Sent { value: &MeterValue::parse("7").unwrap(), comment: None, lower_reason: None, confirmed: &[], exchanged: true };
        assert_eq!(doubts(&sent, Some(&serde_json::from_str(task).unwrap()), &[]), [Doubt::MeterChange]);
    }

    #[test]
    fn decimals_that_nobody_asked_for_put_no_value_outside_the_range() {
        let task = r#"{"taskId":"t","obis":"1-0:1.8.0","postDecimals":1,"readingValueValidation":{"minimumValue":"1234.5"}}"#;
        let task = serde_json::from_str(task).unwrap();
        let of = |value: &str| {
            let sent =
                Sent { value: &MeterValue::parse(value).unwrap(), comment: None, lower_reason: None, confirmed: &[], exchanged: false };
            doubts(&sent, Some(&task), &[])
        };
        assert_eq!(of("1234"), [], "D-READING-5: the counter is unchanged");
        assert_eq!(of("1234.5"), []);
        assert_eq!(of("1233"), [Doubt::OutsideRange]);
        assert_eq!(of("1234.4"), [Doubt::OutsideRange]);
    }

    #[test]
    fn more_consumption_than_the_tenants_limit_needs_a_second_member() {
        let settings: DecisionSettings = serde_json::from_str(r#"{"secondMemberAbove":{"kWh":1000}}"#).unwrap();
        let needs = |task: &str, value: &str, lower_reason, exchange: Option<(&str, &str)>| {
            let known = |text: &str| MeterValue::parse(text).unwrap();
            let (value, exchange) = (known(value), exchange.map(|(last, first)| (known(last), known(first))));
            let exchange = exchange.as_ref().map(|(last, first)| (last, first));
            let reading = Counting { day: "2026-11-20".parse().unwrap(), value: &value, lower_reason, exchange };
            needs_second_member(&settings, &serde_json::from_str(task).unwrap(), reading)
        };
        let events = r#"[{"readingDate":"2024-11-20","readingValue":"8000"},{"readingDate":"2025-11-20","readingValue":"9000"},
            {"readingDate":"2026-11-20","readingValue":"1"}]"#;
        let power = format!(r#"{{"taskId":"t","obis":"1-0:1.8.0","preDecimals":4,"readingEvents":{events}}}"#);
        let gas = format!(r#"{{"taskId":"t","obis":"7-0:3.0.0","readingEvents":{events}}}"#);
        let new = r#"{"taskId":"t","obis":"1-0:1.8.0"}"#;
        assert!(!needs(&power, "10000", None, None));
        assert!(needs(&power, "10000.1", None, None));
        assert!(needs(&power, "7999", None, None), "whichever way it went");
        assert!(!needs(&power, "0", Some(LowerReason::Rollover), None), "past 9999");
        assert!(needs(&power, "0001", Some(LowerReason::Rollover), None));
        assert!(!needs(&power, "500", None, Some(("9500", "0"))), "across both meters");
        assert!(needs(&power, "501", None, Some(("9500", "0"))));
        assert!(!needs(&power, "600", None, Some(("9500", "100"))), "the new meter began at 100");
        assert!(!needs(&power, "9500", Some(LowerReason::Rollover), None), "it is not lower");
        assert!(!needs(&power, "9000", Some(LowerReason::Rollover), None), "nothing was used, and not all of its digits");
        assert!(!needs(&gas, "99999", None, None), "another unit");
        assert!(!needs(new, "99999", None, None), "nothing is known of before");
    }

    #[test]
    fn decimals_that_nobody_asked_for_are_no_consumption() {
        let settings: DecisionSettings = serde_json::from_str(r#"{"secondMemberAbove":{"m³":0}}"#).unwrap();
        let task = r#"{"taskId":"t","obis":"7-0:3.0.0","preDecimals":5,"readingEvents":[{"readingDate":"2025-11-20","readingValue":"01234.567"}]}"#;
        let task = serde_json::from_str(task).unwrap();
        let needs = |value: &str, lower_reason, exchange: Option<(&str, &str)>| {
            let known = |text: &str| MeterValue::parse(text).unwrap();
            let (value, exchange) = (known(value), exchange.map(|(last, first)| (known(last), known(first))));
            let exchange = exchange.as_ref().map(|(last, first)| (last, first));
            needs_second_member(&settings, &task, Counting { day: "2026-11-20".parse().unwrap(), value: &value, lower_reason, exchange })
        };
        for rollover in [None, Some(LowerReason::Rollover)] {
            assert!(!needs("1234", rollover, None), "the counter is unchanged");
            assert!(!needs("1234.5", rollover, None));
            assert!(!needs("1234.567", rollover, None));
            assert!(needs("1233", rollover, None));
            assert!(needs("1234.566", rollover, None));
            assert!(needs("1234.568", rollover, None));
        }
        assert!(!needs("5", None, Some(("1234", "5.9"))), "neither of the two was used");
        assert!(needs("5", None, Some(("1235", "5.9"))));
        assert!(needs("6", None, Some(("1234", "5.9"))));
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
