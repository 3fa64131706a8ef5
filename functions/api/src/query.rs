//! Query parameters that are one of a set of words, a day or an id.

use std::str::FromStr;

use edge::{Code, FieldError, Problem};
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::Call;
use crate::error::Result;

/// A parameter that is a word of the API, such as a kind of meter; none: it is not there.
///
/// # Errors
/// `malformed-request`: it is none of these words. What is unknown is never taken for nothing, which would find more than was asked for.
pub(crate) fn word<T: DeserializeOwned>(call: &Call, name: &'static str) -> Result<Option<T>> {
    let parse = |text: &str| serde_json::from_value(Value::String(text.to_owned())).ok();
    parsed(call, name, parse)
}

/// The same of what is written as text, such as a day or a number.
///
/// # Errors
/// As of [`word`].
pub(crate) fn value<T: FromStr>(call: &Call, name: &'static str) -> Result<Option<T>> {
    parsed(call, name, |text| text.parse().ok())
}

/// A day of these centuries.
///
/// # Errors
/// As of [`word`].
pub(crate) fn day(call: &Call, name: &'static str) -> Result<Option<Date>> {
    parsed(call, name, |text| text.parse().ok().filter(|day: &Date| (2000..2100).contains(&day.year())))
}

/// Words as a search folds them, of which there is one at least; what is beyond so many characters is left out.
///
/// # Errors
/// As of [`word`].
pub(crate) fn words(call: &Call, name: &'static str, most: usize) -> Result<Option<String>> {
    parsed(call, name, |text| (!domain::search::words(text).is_empty()).then(|| text.chars().take(most).collect()))
}

fn parsed<T>(call: &Call, name: &'static str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>> {
    let Some(text) = call.request.query(name) else { return Ok(None) };
    match parse(&text) {
        Some(value) => Ok(Some(value)),
        None => {
            let error = FieldError::new(name, "is not one of the possible values");
            Err(Problem::new(Code::MalformedRequest).with_fields(vec![error]).into())
        }
    }
}
