use std::sync::LazyLock;

use regex_lite::Regex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An uncaught error in a page. Each text is of a closed form, so that no typed text and no id fits in (D-OPERATIONS-11).
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BrowserError {
    /// The way in which the error came up.
    pub kind: BrowserErrorKind,
    /// Its class.
    pub name: BrowserErrorName,
    /// The number in place of the message, of an error of React's.
    #[schema(value_type = Option<u16>, maximum = 9999)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub react_error: Option<SmallNumber>,
    /// Where in our own files it was, the innermost first: one place at least, and eight at most.
    #[schema(value_type = Vec<CodePlace>, min_items = 1, max_items = 8)]
    pub stack: CodePlaces,
    /// The screen.
    pub page: PagePattern,
    /// The page's version.
    pub version: PageVersion,
    /// The family of the browser.
    pub browser: BrowserFamily,
    /// Its main version; 0: it does not say it.
    #[schema(value_type = u16, maximum = 9999)]
    pub browser_version: SmallNumber,
}

/// The way in which an error came up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BrowserErrorKind {
    /// It was thrown.
    Error,
    /// A promise was rejected.
    Rejection,
}

/// Classes of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub enum BrowserErrorName {
    Error,
    AggregateError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    ApiError,
    DataCloneError,
    InvalidStateError,
    NotAllowedError,
    NotFoundError,
    NotSupportedError,
    QuotaExceededError,
    SecurityError,
    TransactionInactiveError,
    /// Another one.
    Other,
}

/// Families of browsers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BrowserFamily {
    Chrome,
    Edge,
    Firefox,
    Opera,
    Safari,
    Samsung,
    /// Another one.
    Other,
}

/// Texts that are taken in their own form only; the error says the form and not what was sent.
macro_rules! closed {
    ($($(#[$doc:meta])* $name:ident = $pattern:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Debug, Deserialize, Serialize, ToSchema)]
        #[serde(try_from = "String")]
        #[schema(pattern = $pattern)]
        pub struct $name(String);

        impl TryFrom<String> for $name {
            type Error = &'static str;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                static FORM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($pattern).ok());
                let fits = FORM.as_ref().is_some_and(|form| form.is_match(&text));
                if fits { Ok(Self(text)) } else { Err(concat!("a text of the form ", $pattern, " is needed")) }
            }
        }
    )* };
}

closed! {
    /// A file of ours by its name, a line and a column of it.
    CodePlace = r"^[A-Za-z0-9_.-]{1,80}\.js:[0-9]{1,7}:[0-9]{1,7}$";
    /// The address of a screen as the page's router knows it: with names in the place of ids.
    PagePattern = r"^/[A-Za-z:/*?-]{0,100}$";
    /// A commit's first twelve digits, and whether the checkout had more than the commit.
    PageVersion = r"^([0-9a-f]{12}(-changed)?|development)$";
}

/// A number that is no id of anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "u16")]
pub struct SmallNumber(u16);

impl TryFrom<u16> for SmallNumber {
    type Error = &'static str;

    fn try_from(number: u16) -> Result<Self, Self::Error> {
        if number <= 9999 { Ok(Self(number)) } else { Err("a number of at most 9999 is needed") }
    }
}

/// One to eight places.
#[derive(Debug, Deserialize, Serialize)]
#[serde(try_from = "Vec<CodePlace>")]
pub struct CodePlaces(Vec<CodePlace>);

impl TryFrom<Vec<CodePlace>> for CodePlaces {
    type Error = &'static str;

    fn try_from(places: Vec<CodePlace>) -> Result<Self, Self::Error> {
        if (1..=8).contains(&places.len()) { Ok(Self(places)) } else { Err("one to eight places are needed") }
    }
}
