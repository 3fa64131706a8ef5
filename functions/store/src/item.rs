//! Items: attributes by name, their size, and JSON documents in them.
//!
//! Documents are kept as JSON text: it is smaller than DynamoDB's maps, and keeps a reading digit for digit. Those of which there are most are compressed (D-STORAGE-8).

use std::collections::{BTreeSet, HashMap};
use std::fmt::Display;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::keys::Key;
use crate::packed::{pack, unpack};
use crate::table::{PARTITION_KEY, SORT_KEY};
use crate::{Result, StoreError};

/// An item, or the values of an expression.
pub(crate) type Item = HashMap<String, AttributeValue>;

pub(crate) fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

pub(crate) fn number(value: impl Display) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

pub(crate) fn flag(value: bool) -> AttributeValue {
    AttributeValue::Bool(value)
}

pub(crate) fn bytes(value: impl Into<Vec<u8>>) -> AttributeValue {
    AttributeValue::B(Blob::new(value))
}

/// A set of texts, of which there is at least one: DynamoDB has no empty set.
pub(crate) fn texts(values: impl IntoIterator<Item = impl Into<String>>) -> AttributeValue {
    AttributeValue::Ss(values.into_iter().map(Into::into).collect())
}

/// Whole seconds, as DynamoDB's expiry wants them.
pub(crate) fn seconds(value: Timestamp) -> AttributeValue {
    number(value.as_second())
}

/// A moment to the millisecond.
pub(crate) fn millis(value: Timestamp) -> AttributeValue {
    number(value.as_millisecond())
}

pub(crate) fn json(value: &impl Serialize) -> Result<AttributeValue> {
    serde_json::to_string(value).map(AttributeValue::S).map_err(|error| broken(error.to_string()))
}

/// A document whose JSON is stored compressed. It is refused above what an item holds uncompressed, so that what is read stays within bounds; `what` names its kind
/// then.
pub(crate) fn packed(what: &'static str, value: &impl Serialize) -> Result<AttributeValue> {
    pack(&fitting(what, value)?).map(bytes)
}

/// The JSON of a document that [`packed`] does not refuse, without the work of compressing it.
pub(crate) fn fitting(what: &'static str, value: &impl Serialize) -> Result<Vec<u8>> {
    let json = serde_json::to_vec(value).map_err(|error| broken(error.to_string()))?;
    check_bytes(what, json.len())?;
    Ok(json)
}

/// As [`packed`], of a text.
pub(crate) fn packed_bytes(what: &'static str, value: &[u8]) -> Result<AttributeValue> {
    check_bytes(what, value.len())?;
    pack(value).map(bytes)
}

/// The two key attributes.
pub(crate) fn key_attributes(key: &Key) -> Item {
    Item::from([(PARTITION_KEY.into(), text(&key.pk)), (SORT_KEY.into(), text(&key.sk))])
}

/// Address of a stored item.
pub(crate) fn key_of(item: &Item) -> Result<Key> {
    let fields = Fields(item);
    Ok(Key { pk: fields.text(PARTITION_KEY)?.to_owned(), sk: fields.text(SORT_KEY)?.to_owned() })
}

/// An item that is being put together.
pub(crate) struct Record(Item);

impl Record {
    pub(crate) fn at(key: &Key) -> Self {
        Self(key_attributes(key))
    }

    pub(crate) fn with(mut self, name: &str, value: AttributeValue) -> Self {
        self.0.insert(name.into(), value);
        self
    }

    pub(crate) fn with_some(self, name: &str, value: Option<AttributeValue>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(crate) fn item(self) -> Item {
        self.0
    }
}

/// Reads the attributes of a stored item; one that is not as this crate writes it is an internal error.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(pub(crate) &'a Item);

impl<'a> Fields<'a> {
    pub(crate) fn optional_text(self, name: &str) -> Result<Option<&'a str>> {
        match self.0.get(name) {
            None => Ok(None),
            Some(AttributeValue::S(value)) => Ok(Some(value)),
            Some(_) => Err(unreadable(name)),
        }
    }

    pub(crate) fn text(self, name: &str) -> Result<&'a str> {
        self.optional_text(name)?.ok_or_else(|| unreadable(name))
    }

    pub(crate) fn number(self, name: &str) -> Result<i64> {
        match self.0.get(name) {
            Some(AttributeValue::N(value)) => value.parse().map_err(|_| unreadable(name)),
            _ => Err(unreadable(name)),
        }
    }

    /// The number for optimistic locking.
    pub(crate) fn version(self) -> Result<u64> {
        self.count("version")
    }

    /// A number that only grows.
    pub(crate) fn count(self, name: &str) -> Result<u64> {
        u64::try_from(self.number(name)?).map_err(|_| unreadable(name))
    }

    pub(crate) fn optional_count(self, name: &str) -> Result<Option<u64>> {
        if self.0.contains_key(name) { self.count(name).map(Some) } else { Ok(None) }
    }

    pub(crate) fn flag(self, name: &str) -> Result<bool> {
        match self.0.get(name) {
            Some(AttributeValue::Bool(value)) => Ok(*value),
            _ => Err(unreadable(name)),
        }
    }

    pub(crate) fn bytes(self, name: &str) -> Result<&'a [u8]> {
        match self.0.get(name) {
            Some(AttributeValue::B(value)) => Ok(value.as_ref()),
            _ => Err(unreadable(name)),
        }
    }

    pub(crate) fn texts(self, name: &str) -> Result<&'a [String]> {
        match self.0.get(name) {
            None => Ok(&[]),
            Some(AttributeValue::Ss(values)) => Ok(values),
            Some(_) => Err(unreadable(name)),
        }
    }

    /// A set of ids.
    pub(crate) fn parsed_set<T: std::str::FromStr + Ord>(self, name: &str) -> Result<BTreeSet<T>> {
        self.texts(name)?.iter().map(|value| value.parse().map_err(|_| unreadable(name))).collect()
    }

    /// The time that [`seconds`] stored.
    pub(crate) fn time(self, name: &str) -> Result<Timestamp> {
        Timestamp::from_second(self.number(name)?).map_err(|_| unreadable(name))
    }

    /// A time in milliseconds.
    pub(crate) fn millis(self, name: &str) -> Result<Timestamp> {
        Timestamp::from_millisecond(self.number(name)?).map_err(|_| unreadable(name))
    }

    pub(crate) fn optional_millis(self, name: &str) -> Result<Option<Timestamp>> {
        if self.0.contains_key(name) { self.millis(name).map(Some) } else { Ok(None) }
    }

    /// A text in the form of an id, a date, a time.
    pub(crate) fn parsed<T: std::str::FromStr>(self, name: &str) -> Result<T> {
        self.text(name)?.parse().map_err(|_| unreadable(name))
    }

    pub(crate) fn optional_parsed<T: std::str::FromStr>(self, name: &str) -> Result<Option<T>> {
        self.optional_text(name)?.map(|value| value.parse().map_err(|_| unreadable(name))).transpose()
    }

    /// A document that [`packed`] stored.
    pub(crate) fn packed<T: DeserializeOwned>(self, name: &str) -> Result<T> {
        from_json(name, &self.unpacked(name)?)
    }

    /// A text that [`packed_bytes`] stored.
    pub(crate) fn packed_text(self, name: &str) -> Result<String> {
        String::from_utf8(self.unpacked(name)?).map_err(|_| unreadable(name))
    }

    /// What [`packed`] or [`packed_bytes`] stored.
    pub(crate) fn unpacked(self, name: &str) -> Result<Vec<u8>> {
        unpack(self.bytes(name)?)
    }

    pub(crate) fn json<T: DeserializeOwned>(self, name: &str) -> Result<T> {
        from_json(name, self.text(name)?.as_bytes())
    }

    /// Whether the type knows all members of a document. Into an enum with a tag it does not look.
    pub(crate) fn is_known<T: DeserializeOwned>(self, name: &str) -> Result<bool> {
        let mut is_known = true;
        let mut json = serde_json::Deserializer::from_str(self.text(name)?);
        let read = serde_ignored::deserialize(&mut json, |_| is_known = false);
        read.map(|_: T| is_known).map_err(|_| unreadable(name))
    }
}

/// The document of an attribute of this name.
pub(crate) fn from_json<T: DeserializeOwned>(name: &str, json: &[u8]) -> Result<T> {
    serde_json::from_slice(json).map_err(|_| unreadable(name))
}

fn unreadable(name: &str) -> StoreError {
    broken(format!("the attribute {name} is missing or not readable"))
}

fn broken(reason: String) -> StoreError {
    StoreError::Internal { operation: "item", reason }
}

/// Most bytes of one item.
pub(crate) const MAX_ITEM_BYTES: usize = 400 * 1024;

/// Bytes of an item as DynamoDB counts them, for the kinds of attributes that this crate writes.
pub(crate) fn size(item: &Item) -> usize {
    item.iter().map(|(name, value)| name.len() + value_size(value)).sum()
}

fn value_size(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(value) => value.len(),
        AttributeValue::N(value) => value.len().div_ceil(2) + 1,
        AttributeValue::B(value) => value.as_ref().len(),
        AttributeValue::Ss(values) => values.iter().map(String::len).sum(),
        _ => 1,
    }
}

/// Refuses an item that DynamoDB would refuse, before anything is sent.
pub(crate) fn check_size(what: &'static str, item: &Item) -> Result<()> {
    check_bytes(what, size(item))
}

fn check_bytes(what: &'static str, size: usize) -> Result<()> {
    if size > MAX_ITEM_BYTES {
        return Err(StoreError::TooLarge { what, size, limit: MAX_ITEM_BYTES, unit: "bytes" });
    }
    Ok(())
}
