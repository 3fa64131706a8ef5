//! Findings of the rules as field errors.

use domain::finding::{Finding, FindingCode};
use edge::FieldError;

use crate::view::SubmittedReading;

pub(crate) fn field_error(finding: Finding) -> FieldError {
    let message = message(&finding);
    FieldError { field: finding.field, message, code: Some(finding.code), severity: None, limit: finding.limit }
}

/// A finding on readings of a job, some of which can be confirmed: with its severity, at the result that it is about.
pub(crate) fn result_error(finding: Finding, results: &[SubmittedReading]) -> FieldError {
    let (field, severity) = (result_field(&finding, results), Some(finding.severity));
    FieldError { field, severity, ..field_error(finding) }
}

fn result_field(finding: &Finding, results: &[SubmittedReading]) -> String {
    // Of a rate that was sent twice, the second one is at fault.
    let index = finding.task_id.as_ref().and_then(|task| results.iter().rposition(|result| result.task_id == *task));
    match (index, finding.field.as_str()) {
        (Some(index), "results") => format!("results[{index}].taskId"),
        (Some(index), field) => format!("results[{index}].{field}"),
        (None, field) => field.to_owned(),
    }
}

fn message(finding: &Finding) -> String {
    let limit = finding.limit.as_deref().unwrap_or_default();
    match finding.code {
        FindingCode::ResultsEmpty => "No reading was sent.".into(),
        FindingCode::TaskUnknown => "The meter has no such rate.".into(),
        FindingCode::TaskTwice | FindingCode::Twice => "This rate was sent twice.".into(),
        FindingCode::PreDecimals => format!("The counter has {limit} digits before the point."),
        FindingCode::DecimalsExact => format!("Exactly {limit} decimals are needed."),
        FindingCode::RangeBelow => format!("The reading is smaller than expected (at least {limit})."),
        FindingCode::RangeAbove => format!("The reading is greater than expected (at most {limit})."),
        FindingCode::HistoricLower => format!("The reading is lower than the last known one ({limit})."),
        FindingCode::ContinuityLower => format!("The reading is lower than the one sent before ({limit})."),
        FindingCode::ExpectedLow => "The consumption is much less than what the meter used before.".into(),
        FindingCode::ExpectedHigh => "The consumption is much more than what the meter used before.".into(),
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
        FindingCode::Required => "This is needed.".into(),
        FindingCode::TooShort => format!("At least {limit} characters are needed."),
        FindingCode::TooLong => format!("At most {limit} characters are possible."),
        FindingCode::LengthExact => format!("Exactly {limit} characters are needed."),
        FindingCode::Characters => "Some of the characters are not possible here.".into(),
        FindingCode::NotOffered => "This is not one of the possible choices.".into(),
        FindingCode::DecimalsTooMany => format!("At most {limit} decimals are possible."),
        FindingCode::EmailInvalid => "This is no e-mail address that a copy can be sent to.".into(),
        FindingCode::EmailNotAllowed => "No copy can be sent.".into(),
        FindingCode::NameRequired => "The access needs a name.".into(),
        FindingCode::NameTooLong => format!("The name can have at most {limit} characters."),
        FindingCode::NameCharacters => "The name has characters that do not belong in a line of text.".into(),
        FindingCode::SalutationTooLong => format!("This can have at most {limit} characters."),
        FindingCode::SalutationCharacters => {
            "This can have letters, blanks, points, apostrophes, hyphens and commas, and no address.".into()
        }
        FindingCode::JobsRequired => "No job was chosen.".into(),
        FindingCode::MaxJobs => format!("At most {limit} jobs can be shared at once."),
        FindingCode::JobTwice => "This job was named twice.".into(),
        FindingCode::JobNotShareable => "This job cannot be shared.".into(),
        FindingCode::MaxShares => format!("There are {limit} shares already. Delete some that are not needed any more."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_shown_at_its_field() {
        let results: Vec<SubmittedReading> =
            ["t1", "t2", "t1"].map(|task| serde_json::from_value(serde_json::json!({"taskId": task, "readingValue": "1"})).unwrap()).into();
        let field = |code, task: Option<&str>, field| {
            let finding = Finding::error(code, field).limit(7);
            result_error(task.map_or(finding.clone(), |task| finding.of_rate(&task.parse().unwrap(), false)), &results).field
        };
        assert_eq!(field(FindingCode::RangeAbove, Some("t2"), "readingValue"), "results[1].readingValue");
        assert_eq!(field(FindingCode::ImageRequired, Some("t2"), "readingImages"), "results[1].readingImages");
        assert_eq!(field(FindingCode::TaskTwice, Some("t1"), "results"), "results[2].taskId");
        assert_eq!(field(FindingCode::Incomplete, None, "results"), "results");
        assert_eq!(field(FindingCode::DateTooEarly, None, "readingDate"), "readingDate");
    }
}
