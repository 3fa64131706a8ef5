//! Signing secrets and signatures.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::{digest, hmac};

/// What a secret begins with (Standard Webhooks, "Signature scheme").
const PREFIX: &str = "whsec_";
/// Bytes of a secret (the same).
const BYTES: std::ops::RangeInclusive<usize> = 24..=64;
/// Most secrets that are good at a time.
const MOST: usize = 3;

/// The secrets that are good now: one, and while they are being exchanged the next ones too.
pub struct Secrets(Vec<hmac::Key>);

/// Why a text holds no secrets. It holds none itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// None, or too many.
    #[error("there must be one to {MOST} signing secrets")]
    Count,
    #[error("each signing secret must be {PREFIX} and then base64 of 24 to 64 bytes")]
    Shape,
}

impl Secrets {
    /// Reads secrets that are separated by blanks or line ends.
    ///
    /// # Errors
    /// [`SecretError`].
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let keys = text.split_whitespace().map(|secret| {
            let bytes = secret.strip_prefix(PREFIX).and_then(|encoded| STANDARD.decode(encoded).ok());
            let bytes = bytes.filter(|bytes| BYTES.contains(&bytes.len())).ok_or(SecretError::Shape)?;
            Ok(hmac::Key::new(hmac::HMAC_SHA256, &bytes))
        });
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        if (1..=MOST).contains(&keys.len()) { Ok(Self(keys)) } else { Err(SecretError::Count) }
    }

    /// A new secret for the receiver that checks signatures.
    pub fn draw(random: [u8; 32]) -> String {
        format!("{PREFIX}{}", STANDARD.encode(random))
    }

    /// The header `webhook-signature`: a signature by each secret. `timestamp` is in seconds.
    pub(crate) fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        let signatures = self.0.iter().map(|key| {
            let mut context = hmac::Context::with_key(key);
            context.update(format!("{id}.{timestamp}.").as_bytes());
            context.update(body);
            format!("v1,{}", STANDARD.encode(context.sign()))
        });
        signatures.collect::<Vec<_>>().join(" ")
    }
}

/// By which people tell secrets apart without seeing them: the first eight hexadecimal digits of its SHA-256.
pub fn fingerprint(secret: &str) -> String {
    hex::encode(&digest::digest(&digest::SHA256, secret.as_bytes()).as_ref()[..4])
}

/// Keeps them out of logs.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn a_signature_is_that_of_the_specification() {
        let signed = |secrets: &str| {
            Secrets::parse(secrets).unwrap().sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#)
        };
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signed(SECRET), expected);
        let other = format!("whsec_{}", STANDARD.encode([7; 32]));
        let both = signed(&format!("{SECRET}\n{other}\n"));
        assert_eq!(both, format!("{expected} {}", signed(&other)));
    }

    #[test]
    fn a_new_secret_is_one() {
        assert_ne!(Secrets::draw([1; 32]), Secrets::draw([2; 32]));
        assert!(Secrets::parse(&Secrets::draw([255; 32])).is_ok());
    }

    #[test]
    fn what_is_no_secret_is_refused() {
        for (text, fault) in [
            ("", SecretError::Count),
            (&format!("{SECRET} {SECRET} {SECRET} {SECRET}"), SecretError::Count),
            ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", SecretError::Shape),
            ("whsec_c2hvcnQ=", SecretError::Shape),
            ("whsec_?", SecretError::Shape),
        ] {
            assert_eq!(Secrets::parse(text).unwrap_err(), fault, "{text}");
        }
    }
}
