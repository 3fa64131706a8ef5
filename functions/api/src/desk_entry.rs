//! What the desk's endpoints make of what the library says.

use desk::entry::{REGISTER_UNKNOWN, Remark};
use domain::text::Lang;
use edge::{Code, FieldError, Problem};

use crate::error::Result;
use crate::view::desk::DeskEntry;

/// Most characters of a text that a member writes to a reading.
const MOST_CHARACTERS: usize = 1000;

/// The text in this field, without white space at its ends, if there is any.
///
/// # Errors
/// `request-invalid` where it is too long.
pub(crate) fn short(field: &str, text: &Option<String>) -> Result<Option<String>> {
    let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    match text.is_some_and(|text| text.chars().nth(MOST_CHARACTERS).is_some()) {
        true => Err(Problem::invalid_field(field, format!("can have at most {MOST_CHARACTERS} characters")).into()),
        false => Ok(text.map(str::to_owned)),
    }
}

/// The problem with what is remarked, at the fields of what was sent.
pub(crate) fn problem(code: Code, sent: &DeskEntry, remarks: &[Remark]) -> Problem {
    let field = |remark: &Remark| match (field(remark), place(sent, remark)) {
        (field @ ("value" | "register"), Some(place)) => format!("values[{place}].{field}"),
        ("value" | "register", None) => "values".to_owned(),
        (field, _) => field.to_owned(),
    };
    Problem::new(code).with_fields(remarks.iter().map(|remark| field_error(field(remark), remark, sent.lang)).collect())
}

/// The same of a decision.
pub(crate) fn decision_problem(code: Code, remarks: &[Remark], lang: Lang) -> Problem {
    Problem::new(code).with_fields(remarks.iter().map(|remark| field_error(field(remark).to_owned(), remark, lang)).collect())
}

/// Which register is meant stands beside its value.
fn field(remark: &Remark) -> &'static str {
    if remark.code == REGISTER_UNKNOWN { "register" } else { remark.field }
}

fn field_error(field: String, remark: &Remark, lang: Lang) -> FieldError {
    let finding = remark.finding.as_ref();
    FieldError {
        field,
        message: remark.text().of(lang).to_owned(),
        code: finding.map(|finding| finding.code),
        severity: finding.map(|finding| finding.severity),
        limit: finding.and_then(|finding| finding.limit.clone()),
    }
}

/// Which of the counters a remark is about.
fn place(sent: &DeskEntry, remark: &Remark) -> Option<usize> {
    if sent.values.len() == 1 {
        return Some(0);
    }
    let task = remark.finding.as_ref().and_then(|finding| finding.task_id.as_ref());
    let is_it = |register: &str| task.is_some_and(|task| task.as_str() == register) || remark.register.as_deref() == Some(register);
    sent.values.iter().position(|one| one.register.as_deref().is_some_and(is_it))
}
