//! Identifiers. Each is a type of its own, so that a job's id cannot stand where an account's is wanted.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text;
use crate::text::Text;

/// Why a text is not an identifier of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} must be {}", rule.0)]
pub struct InvalidId {
    kind: &'static str,
    rule: Rule,
}

/// What identifiers of a kind consist of, in English and in German.
type Rule = (&'static str, &'static str);

const LABEL_RULE: Rule = (
    "1 to 32 lower-case letters, digits or hyphens, beginning with a letter",
    "1 bis 32 Kleinbuchstaben, Ziffern oder Bindestrichen bestehen und mit einem Buchstaben beginnen",
);
const TOKEN_RULE: Rule = (
    "1 to 64 letters, digits or one of . _ ~ -, and not . or ..",
    "1 bis 64 Buchstaben (ohne Umlaute), Ziffern oder den Zeichen . _ ~ - bestehen und darf nicht . oder .. sein",
);

impl From<&InvalidId> for Text {
    fn from(error: &InvalidId) -> Self {
        text!("eine Kennung muss aus {rule}", "{error}", rule = error.rule.1)
    }
}

/// What a parser's message means that tells of an [`InvalidId`]; none if it tells of something else.
pub fn invalid_id_of(message: &str) -> Option<Text> {
    let (_, rule) = message.split_once(" must be ")?;
    let (_, rule) = [LABEL_RULE, TOKEN_RULE].into_iter().find(|known| known.0 == rule)?;
    Some(text!("eine Kennung muss aus {rule}", "{message}"))
}

fn is_label(text: &str) -> bool {
    text.len() <= 32
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Letters that need no escape in a path and cannot be mistaken for a separator of a storage key; nor may the whole stand for a folder.
fn is_token(text: &str) -> bool {
    !matches!(text, "." | "..") && (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._~-".contains(&b))
}

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TEXT_LENGTH: usize = 22;

/// 128 random bits, or those of a hash, as 22 letters and digits: the one form of what is drawn. With `-` or `_` an id could be taken for an
/// option of a command, or for a formula by a spreadsheet.
pub fn text_of(random: [u8; 16]) -> String {
    let mut rest = u128::from_be_bytes(random);
    let mut text = ['0'; TEXT_LENGTH];
    for digit in text.iter_mut().rev() {
        *digit = char::from(BASE62[(rest % 62) as usize]);
        rest /= 62;
    }
    text.iter().collect()
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $check:ident, $rule:ident, $pattern:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(value_type = String, pattern = $pattern)]
        pub struct $name(String);

        impl $name {
            /// Takes the text if it is one of these identifiers.
            pub fn new(text: impl Into<String>) -> Result<Self, InvalidId> {
                let text = text.into();
                if $check(&text) { Ok(Self(text)) } else { Err(InvalidId { kind: $kind, rule: $rule }) }
            }

            /// The identifier that these random bits, or those of a hash, stand for.
            pub fn draw(random: [u8; 16]) -> Self {
                Self(text_of(random))
            }

            /// The identifier as it is stored and sent.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;
            fn try_from(text: String) -> Result<Self, InvalidId> {
                Self::new(text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
    };
}

id!(
    /// A tenant: one utility company's application (`applicationId` on the wire).
    TenantId, "an application id", is_label, LABEL_RULE, "^[a-z][a-z0-9-]{0,31}$"
);
impl TenantId {
    /// No tenant: the platform, whose members are kept as a tenant's are. No tenant may be called so.
    pub fn platform() -> Self {
        Self("platform".to_owned())
    }
}

id!(
    /// An account that can log in: a customer, a manager, or a sub-account made by sharing.
    AccountId, "an account id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);
id!(
    /// A reading job: one meter to be read in one window. Unique within its tenant.
    JobId, "a job id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);
id!(
    /// A season: the jobs that a utility has read together. Unique within its tenant.
    SeasonId, "a season's id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);

id!(
    /// A member of a utility's staff: a person, who may have several tenants. 128 random bits, see [`MemberId::draw`].
    MemberId, "a member's id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);

id!(
    /// An import of a file: its time and some random digits.
    ImportId, "an import's id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);

id!(
    /// Something long that goes on in the cloud: its time and some random digits.
    RunId, "a run's id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);

impl Default for SeasonId {
    /// The season of what names none.
    fn default() -> Self {
        Self("default".to_owned())
    }
}

impl SeasonId {
    /// True of the season of what names none.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

id!(
    /// A meter rate task: one rate (register) of a job's meter. Unique within its job.
    TaskId, "a task id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);
id!(
    /// A stored photo of a reading.
    ImageId, "an image id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);
id!(
    /// A photo sent ahead of its reading, by presigned PUT.
    UploadId, "an upload id", is_token, TOKEN_RULE, r"^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$"
);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_no_way_through_folders() {
        for text in [".", "..", "", "a/b", "../a", "a#b", "a b", "%2e%2e", "a\0"] {
            assert!(UploadId::new(text).is_err(), "{text}");
            assert!(JobId::new(text).is_err(), "{text}");
        }
        for text in ["...", "..a", "-a", "_", "10417-strom", "A.b~c"] {
            assert!(UploadId::new(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_names_no_season_is_of_one_that_is_told_from_all_others() {
        assert!(SeasonId::default().is_default());
        assert!(!SeasonId::new("2026").unwrap().is_default());
    }

    #[test]
    fn what_is_drawn_begins_no_formula_and_no_option() {
        for byte in 0..=u8::MAX {
            let id = JobId::draw([byte; 16]);
            assert!(id.as_str().len() == 22 && id.as_str().bytes().all(|b| b.is_ascii_alphanumeric()), "{id}");
        }
        assert_eq!(JobId::draw([0; 16]).as_str(), "0".repeat(22));
        assert_eq!(JobId::draw([0xff; 16]).as_str(), "7n42DGM5Tflk9n8mt7Fhc7");
    }

    #[test]
    fn the_rule_is_told_in_german_too() {
        for error in [TenantId::new("A").err(), JobId::new("a b").err()] {
            let (text, said) = (error.as_ref().map(Text::from), error.and_then(|error| invalid_id_of(&error.to_string())));
            assert_eq!(text, said);
            assert!(said.is_some_and(|text| text.de.starts_with("eine Kennung muss aus 1 bis ") && text.en.contains(" must be 1 to ")));
        }
        assert_eq!(invalid_id_of("it must be"), None);
    }

    #[test]
    fn an_id_has_its_length_and_its_letters() {
        assert!(JobId::new("a".repeat(64)).is_ok());
        assert!(JobId::new("a".repeat(65)).is_err());
        for text in ["a", "stadtwerke-7", &"a".repeat(32)] {
            assert!(TenantId::new(text).is_ok(), "{text}");
        }
        for text in ["", "7a", "-a", "A", "aB", "a_b", &"a".repeat(33)] {
            assert!(TenantId::new(text).is_err(), "{text}");
        }
    }
}
