//! A counter's reading, kept exactly as it was typed.

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::text;
use crate::text::Text;

/// A reading value: digits, optionally a point and more digits. At most 15 before and 9 after the point.
///
/// The text is kept digit for digit (`00123.450` stays so, into the export); comparisons go by the number (D-READING-6).
/// On the wire it is a JSON string, or a JSON number that is read from its digits and never through binary floating point.
/// A sign, an exponent or a comma is refused: the entry field turns the comma into the point, so `1,5` is never 15.
#[derive(Debug, Clone)]
pub struct MeterValue {
    text: String,
    number: Decimal,
}

/// The text is not a reading value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a reading value consists of digits, optionally with one point and further digits")]
pub struct InvalidValue;

impl From<InvalidValue> for Text {
    fn from(error: InvalidValue) -> Self {
        text!("ein Zählerstand besteht aus Ziffern, wenn nötig mit einem Punkt und weiteren Ziffern", "{error}")
    }
}

impl MeterValue {
    /// Most digits that any counter shows before the point.
    pub const MAX_PRE_DECIMALS: usize = 15;
    /// Most digits that any counter shows after the point.
    pub const MAX_POST_DECIMALS: usize = 9;

    /// Reads `digits[.digits]`.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let (pre, post) = match text.split_once('.') {
            Some((_, "")) => return Err(InvalidValue),
            Some(parts) => parts,
            None => (text, ""),
        };
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if pre.is_empty() || pre.len() > Self::MAX_PRE_DECIMALS || post.len() > Self::MAX_POST_DECIMALS || !digits(pre) || !digits(post) {
            return Err(InvalidValue);
        }
        let number = text.parse().map_err(|_| InvalidValue)?;
        Ok(Self { text: text.to_owned(), number })
    }

    /// As typed, with a point: `00123.450`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number for comparisons and differences.
    pub fn number(&self) -> Decimal {
        self.number
    }

    /// How far the counter went since `before`, of which only the decimals count that this value has: a reader who types no decimals reads 1234 of an unchanged 1234.5
    /// (D-READING-5). Negative when it is lower.
    pub fn since(&self, before: &Self) -> Decimal {
        let decimals = u32::try_from(self.post_decimals()).unwrap_or_default();
        self.number - before.number.trunc_with_scale(decimals)
    }

    /// Lower than `other`, in the decimals that this value has.
    pub fn is_below(&self, other: &Self) -> bool {
        self.since(other) < Decimal::ZERO
    }

    /// Without the digits behind so many decimals.
    #[must_use]
    pub fn cut(&self, decimals: u8) -> Self {
        let (pre, post) = self.text.split_once('.').unwrap_or((&self.text, ""));
        let post = post.get(..usize::from(decimals)).unwrap_or(post);
        let text = if post.is_empty() { pre.to_owned() } else { format!("{pre}.{post}") };
        Self { text, number: self.number.trunc_with_scale(decimals.into()) }
    }

    /// How many digits stand before the point, leading zeros not counted (0 has one digit).
    pub fn pre_decimals(&self) -> usize {
        let pre = self.text.split('.').next().unwrap_or_default();
        pre.trim_start_matches('0').len().max(1)
    }

    /// How many digits stand after the point.
    pub fn post_decimals(&self) -> usize {
        self.text.split_once('.').map_or(0, |(_, post)| post.len())
    }
}

/// Two values are equal when their numbers are: `1.50` and `01.5`.
impl PartialEq for MeterValue {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for MeterValue {}

impl PartialOrd for MeterValue {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for MeterValue {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number.cmp(&other.number)
    }
}

impl fmt::Display for MeterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for MeterValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for MeterValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        let unquoted = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
        Self::parse(unquoted).map_err(de::Error::custom)
    }
}

impl utoipa::PartialSchema for MeterValue {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .pattern(Some("^[0-9]{1,15}(\\.[0-9]{1,9})?$"))
            .description(Some("Digits with a decimal point, exactly as read from the counter."))
            .examples(["00123.450"])
            .into()
    }
}

impl utoipa::ToSchema for MeterValue {
    fn name() -> std::borrow::Cow<'static, str> {
        "MeterValue".into()
    }
}
