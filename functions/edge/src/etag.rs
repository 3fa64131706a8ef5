//! Entity tags.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// A weak entity tag: the same content compressed or not has the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Etag(String);

impl Etag {
    /// The tag of what these parts determine.
    pub fn of(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // With its length, so that no two lists of parts run into the same text.
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let hash = hash.finalize();
        Self(format!("W/\"{}\"", URL_SAFE_NO_PAD.encode(&hash[..16])))
    }

    /// The tag of the same content in this state, which [`Request::held_state`](crate::Request::held_state) reads again: letters, digits and `-`.
    #[must_use]
    pub fn with_state(&self, state: &str) -> Self {
        Self(format!("{}.{state}\"", self.0.trim_end_matches('"')))
    }

    /// As it stands in the header.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
