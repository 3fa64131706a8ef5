//! Findings of the rules as field errors.

use domain::reading::{Field, Finding, FindingCode, Severity};
use edge::FieldError;

use crate::view::SubmittedReading;

/// A finding at the field of the request that it is about.
pub(crate) fn field_error(finding: &Finding, results: &[SubmittedReading]) -> FieldError {
    FieldError {
        field: field(finding, results),
        message: message(finding),
        code: Some(finding.code.into()),
        severity: Some(finding.severity),
        limit: finding.limit.clone(),
    }
}

fn field(finding: &Finding, results: &[SubmittedReading]) -> String {
    // Of a rate that was sent twice, the second one is at fault.
    let index = finding.task_id.as_ref().and_then(|task| results.iter().rposition(|result| result.task_id == *task));
    match (index, finding.field) {
        (Some(index), Field::Results) => format!("results[{index}].taskId"),
        (Some(index), field) => format!("results[{index}].{}", field.as_str()),
        (None, field) => field.as_str().to_owned(),
    }
}

fn message(finding: &Finding) -> String {
    let limit = finding.limit.as_deref().unwrap_or_default();
    match finding.code {
        FindingCode::ResultsEmpty => "No reading was sent.".into(),
        FindingCode::TaskUnknown => "The meter has no such rate.".into(),
        FindingCode::TaskTwice => "This rate was sent twice.".into(),
        FindingCode::PreDecimals => format!("The counter has {limit} digits before the point."),
        FindingCode::DecimalsExact => format!("Exactly {limit} decimals are needed."),
        FindingCode::RangeBelow => format!("The reading is smaller than expected (at least {limit})."),
        FindingCode::RangeAbove => format!("The reading is greater than expected (at most {limit})."),
        FindingCode::HistoricLower => format!("The reading is lower than the last known one ({limit})."),
        FindingCode::ContinuityLower => format!("The reading is lower than the one sent before ({limit})."),
        FindingCode::Incomplete => "Not all rates of the meter have a reading yet.".into(),
        FindingCode::ImageRequired => "A photo is needed.".into(),
        FindingCode::ImageForbidden => "No photo can be sent here.".into(),
        FindingCode::ImageTooMany => format!("At most {limit} photos can be sent."),
        FindingCode::CommentRequired => "A comment is needed.".into(),
        FindingCode::ImageOrCommentRequired => "A photo or a comment is needed.".into(),
        FindingCode::CommentTooShort => format!("The comment needs at least {limit} characters."),
        FindingCode::CommentTooLong => format!("The comment can have at most {limit} characters."),
        FindingCode::DateTooEarly => format!("The reading date must not be before {limit}."),
        FindingCode::DateTooLate => format!("The reading date must not be after {limit}."),
        FindingCode::WindowNotOpen => format!("Readings can be sent from {limit}."),
        FindingCode::WindowExpired => format!("Readings could be sent until {limit}."),
        FindingCode::BeforeEarliest => format!("The reading period begins on {limit}; the consumption might be estimated."),
        FindingCode::AfterLatest => format!("The reading period ended on {limit}; the reading may not count for the bill."),
    }
}

/// The heaviest finding.
pub(crate) fn heaviest(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|finding| finding.severity).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_shown_at_its_field() {
        let results: Vec<SubmittedReading> =
            ["t1", "t2", "t1"].map(|task| serde_json::from_value(serde_json::json!({"taskId": task, "readingValue": "1"})).unwrap()).into();
        let field = |code, task: Option<&str>, field| {
            let task_id = task.map(|task| task.parse().unwrap());
            let finding = Finding { code, severity: Severity::Error, task_id, field, limit: Some("7".into()), feed_in: false };
            field_error(&finding, &results).field
        };
        assert_eq!(field(FindingCode::RangeAbove, Some("t2"), Field::ReadingValue), "results[1].readingValue");
        assert_eq!(field(FindingCode::ImageRequired, Some("t2"), Field::ReadingImages), "results[1].readingImages");
        assert_eq!(field(FindingCode::TaskTwice, Some("t1"), Field::Results), "results[2].taskId");
        assert_eq!(field(FindingCode::Incomplete, None, Field::Results), "results");
        assert_eq!(field(FindingCode::DateTooEarly, None, Field::ReadingDate), "readingDate");
    }
}
