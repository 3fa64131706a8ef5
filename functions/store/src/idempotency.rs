//! A repeated request gets the stored answer of the first one.

use jiff::Timestamp;

/// The record of a request that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// Hash of the request that was carried out; another hash under the same key is a misuse of the key.
    pub request_hash: String,
    /// The answer that it got.
    pub response_body: String,
    /// When it was carried out.
    pub created: Timestamp,
}

/// The record to be written in the same transaction as the effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyWrite {
    /// Hash of the caller's key; the record is scoped to the account, not to the login.
    pub key_hash: String,
    /// Hash of the request.
    pub request_hash: String,
    /// The answer that this and every later identical request gets.
    pub response_body: String,
    /// Now; the record lives 35 days from here.
    pub created: Timestamp,
}
