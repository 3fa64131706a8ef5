//! Hashes that stand for texts.

use sha2::{Digest, Sha256};

/// SHA-256 of the parts, each with its length, so that no two lists of parts run into the same bytes.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// The same in hexadecimal.
pub(crate) fn hex(parts: &[&[u8]]) -> String {
    hex::encode(digest(parts))
}
