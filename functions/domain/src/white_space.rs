//! White space in what people enter, the same for the portal and the server.
//!
//! It is what Unicode calls so (`White_Space`) and the byte order mark, which some programs leave in copied text: `str::trim` of Rust keeps
//! U+FEFF, `String.trim` of JavaScript keeps U+0085, and neither may stay in what one side takes as blank.

/// Whether a character is white space.
pub fn is_white_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// The text without white space around it.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

/// The text without any white space.
pub fn without_white_space(text: &str) -> String {
    text.replace(is_white_space, "")
}
