//! Answers that show a secret once are kept for a repeated request, but not in clear: the key to them is the client's own.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use edge::Problem;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, Salt};

use crate::call::Call;
use crate::digest::digest;
use crate::error::Result;

/// The purpose that the keys are bound to.
const PURPOSE: &[u8] = b"zaehlwerk: answer of a repeated request";

/// Seals and opens the answer of one request.
pub(crate) struct AnswerCipher(LessSafeKey);

impl AnswerCipher {
    /// The cipher of this request: its key comes from the client's idempotency key, or without one from the body. Neither is stored (D-SHARES-8).
    ///
    /// # Errors
    /// `malformed-request` for an idempotency key of a wrong form.
    pub(crate) fn of(call: &Call) -> Result<Self> {
        let secret = call.request.idempotency_key()?.map_or(&*call.request.body, str::as_bytes);
        let whose = digest(&[call.tenant_id().as_str().as_bytes(), call.account_id()?.as_str().as_bytes(), call.request.path.as_bytes()]);
        Self::new(secret, &whose)
    }

    fn new(secret: &[u8], whose: &[u8]) -> Result<Self> {
        let derived = Salt::new(HKDF_SHA256, whose).extract(secret);
        let key = derived.expand(&[PURPOSE], &AES_256_GCM)?;
        Ok(Self(LessSafeKey::new(UnboundKey::from(key))))
    }

    /// The text as it may be stored.
    pub(crate) fn encrypt(&self, text: &str) -> Result<String> {
        let nonce: [u8; NONCE_LEN] = store::random()?;
        let mut sealed = text.as_bytes().to_vec();
        self.0.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed)?;
        Ok(STANDARD_NO_PAD.encode([&nonce, &*sealed].concat()))
    }

    /// The text that was sealed for the same request.
    pub(crate) fn decrypt(&self, stored: &str) -> Result<String> {
        let mut bytes = STANDARD_NO_PAD.decode(stored).map_err(Problem::internal)?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN).ok_or_else(|| Problem::internal("the stored answer is too short"))?;
        let nonce = Nonce::try_assume_unique_for_key(nonce)?;
        let text = self.0.open_in_place(nonce, Aad::empty(), sealed)?;
        Ok(String::from_utf8(text.to_vec()).map_err(Problem::internal)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_request_opens_it() {
        let sealed = AnswerCipher::new(b"key", b"anna").unwrap().encrypt("the password").unwrap();
        assert_eq!(AnswerCipher::new(b"key", b"anna").unwrap().decrypt(&sealed).unwrap(), "the password");
        assert!(AnswerCipher::new(b"other key", b"anna").unwrap().decrypt(&sealed).is_err());
        assert!(AnswerCipher::new(b"key", b"bert").unwrap().decrypt(&sealed).is_err());
        assert!(AnswerCipher::new(b"key", b"anna").unwrap().decrypt("AAAA").is_err());
    }

    #[test]
    fn it_says_nothing_about_the_text() {
        let cipher = AnswerCipher::new(b"key", b"anna").unwrap();
        let (one, other) = (cipher.encrypt("the password").unwrap(), cipher.encrypt("the password").unwrap());
        assert_ne!(one, other);
        assert!(!STANDARD_NO_PAD.decode(one).unwrap().windows(8).any(|part| part == b"password"));
    }
}
