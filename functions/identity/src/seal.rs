//! Seals what a browser carries for us and may neither read nor change.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, Salt};

/// What the keys are for.
const PURPOSE: &[u8] = b"zaehlwerk: state of a login";

/// Seals and opens texts, each for one purpose.
pub struct Sealer(LessSafeKey);

impl Sealer {
    pub(crate) fn new(secret: &[u8]) -> Result<Self, Unspecified> {
        let derived = Salt::new(HKDF_SHA256, PURPOSE).extract(secret);
        let key = derived.expand(&[PURPOSE], &AES_256_GCM)?;
        Ok(Self(LessSafeKey::new(UnboundKey::from(key))))
    }

    /// The text as the browser gets it, good for `what` only: letters, digits, `-` and `_`.
    ///
    /// # Errors
    /// When it cannot be sealed.
    pub fn seal(&self, text: &str, what: &str, nonce: [u8; NONCE_LEN]) -> Result<String, Unspecified> {
        let mut sealed = text.as_bytes().to_vec();
        self.0.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(what.as_bytes()), &mut sealed)?;
        Ok(URL_SAFE_NO_PAD.encode([&nonce, &*sealed].concat()))
    }

    /// The text that was sealed for `what`; none: it was made or changed without the key, or it was for something else.
    pub fn open(&self, sealed: &str, what: &str) -> Option<String> {
        let mut bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let text = self.0.open_in_place(nonce, Aad::from(what.as_bytes()), sealed).ok()?;
        String::from_utf8(text.to_vec()).ok()
    }
}
