//! Requests that may come twice: their key, and the record that the first one leaves.

use edge::Code;
use jiff::Timestamp;
use store::{IdempotencyRecord, IdempotencyWrite};

use crate::call::Call;
use crate::digest::hex;
use crate::error::Result;

/// What stands for a request and for its key; the stored record belongs to the account beside.
#[derive(Clone)]
pub(crate) struct Idempotency {
    /// Hash of the client's key, or of the request if it named none.
    pub key: String,
    /// Hash of the request.
    pub request: String,
}

impl Idempotency {
    /// Of a request about these things.
    ///
    /// # Errors
    /// `malformed-request` for a key of a wrong form.
    pub(crate) fn of(call: &Call, about: &[&str]) -> Result<Self> {
        Self::of_content(call, about, &call.request.body)
    }

    /// The same of a request with this content, which may be worded in several ways.
    ///
    /// # Errors
    /// As [`Idempotency::of`].
    pub(crate) fn of_content(call: &Call, about: &[&str], content: &[u8]) -> Result<Self> {
        let parts: Vec<&[u8]> = about.iter().map(|part| part.as_bytes()).chain([content]).collect();
        let request = hex(&parts);
        let key = match call.request.idempotency_key()? {
            Some(key) => hex(&[b"key", key.as_bytes()]),
            None => hex(&[b"request", request.as_bytes()]),
        };
        Ok(Self { key, request })
    }

    /// The same request once more, after what it did at that time no longer holds.
    pub(crate) fn again(&self, done: Timestamp) -> Self {
        let key = hex(&[b"again", self.key.as_bytes(), done.as_millisecond().to_string().as_bytes()]);
        Self { key, request: self.request.clone() }
    }

    /// The stored answer, if the request was carried out before.
    ///
    /// # Errors
    /// `idempotency-key-reused` if the key belongs to another request.
    pub(crate) fn earlier_answer(&self, record: Option<IdempotencyRecord>) -> Result<Option<String>> {
        match record {
            Some(record) if record.request_hash == self.request => Ok(Some(record.response_body)),
            Some(_) => Err(Code::IdempotencyKeyReused.into()),
            None => Ok(None),
        }
    }

    /// The record for the transaction.
    pub(crate) fn record(&self, response_body: String, now: Timestamp) -> IdempotencyWrite {
        IdempotencyWrite { key_hash: self.key.clone(), request_hash: self.request.clone(), response_body, created: now }
    }
}
