//! Texts that a spreadsheet opens.

use std::borrow::Cow;

/// A cell that no spreadsheet takes for a formula: one that looks so gets a leading apostrophe.
pub fn no_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}
