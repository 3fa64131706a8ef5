//! The bounds of a request's body, before its contents are looked at.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

/// Most entries of a list; lists of ids have limits of their own.
const ENTRIES: usize = 50;
/// Most characters of a meter's number, or of a register's name.
const NUMBER: usize = 100;
/// Most characters of the name of a language.
const LANGUAGE: usize = 35;

/// Most characters of a user name, a password or a token: a name has at most 200, a refresh token 133.
pub(super) const LOGIN: usize = 256;

/// A text of a login, or none; a longer one is refused before anything is folded or hashed.
pub(super) fn login<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    match text.as_ref().is_some_and(|text| text.chars().nth(LOGIN).is_some()) {
        true => Err(de::Error::custom(format_args!("can have at most {LOGIN} characters"))),
        false => Ok(text),
    }
}

/// The same where there has to be one.
pub(super) fn token<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    login(deserializer)?.ok_or_else(|| de::Error::custom("a text is needed"))
}

/// A number or a name that was typed, or none.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    match text.as_ref().is_some_and(|text| text.chars().nth(NUMBER).is_some()) {
        true => Err(de::Error::custom(format_args!("can have at most {NUMBER} characters"))),
        false => Ok(text),
    }
}

/// A list of at most 50 entries; the rest of a longer one is not even read (D-PLATFORM-7).
pub(super) fn entries<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct Entries<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {ENTRIES} entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while entries.len() < ENTRIES {
                let Some(entry) = seq.next_element()? else { return Ok(entries) };
                entries.push(entry);
            }
            match seq.next_element::<de::IgnoredAny>()? {
                None => Ok(entries),
                Some(_) => Err(de::Error::custom(format_args!("can have at most {ENTRIES} entries"))),
            }
        }
    }

    deserializer.deserialize_seq(Entries(PhantomData))
}

/// The name of a language, or none: no longer than the longest there is (RFC 5646, section 4.4.1).
pub(super) fn language<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let language = Option::<String>::deserialize(deserializer)?;
    match language.as_ref().is_some_and(|language| language.chars().count() > LANGUAGE) {
        true => Err(de::Error::custom(format_args!("can have at most {LANGUAGE} characters"))),
        false => Ok(language),
    }
}
