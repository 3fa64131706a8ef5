//! The key pair that signs access tokens on this machine.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::signature::{Ed25519KeyPair, KeyPair as _};

use crate::random;

/// What precedes the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410).
const PKCS8: [u8; 16] = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
const BEGIN: &str = "-----BEGIN PRIVATE KEY-----\n";
const END: &str = "\n-----END PRIVATE KEY-----\n";

/// An Ed25519 key pair in the forms in which the functions' settings want it.
#[derive(Debug)]
pub struct SigningKey {
    /// The private key: PKCS #8 in PEM.
    pub private_pem: String,
    /// The public keys by their id: a JSON object with one entry, base64url without padding.
    pub public_keys: String,
}

impl SigningKey {
    /// A new key pair.
    ///
    /// # Errors
    /// When the key cannot be used, which a correct encoding excludes.
    pub fn generate() -> io::Result<Self> {
        let der = [PKCS8.as_slice(), &random::bytes::<32>()].concat();
        Self::from_pem(format!("{BEGIN}{}{END}", STANDARD.encode(der)))
    }

    /// The key pair in this file, which is made when it is missing, so that sessions outlive a restart.
    ///
    /// # Errors
    /// When the file cannot be read or written, or holds something else.
    pub fn load_or_generate(file: &Path) -> io::Result<Self> {
        match fs::read_to_string(file) {
            Ok(pem) => Self::from_pem(pem),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key = Self::generate()?;
                OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?.write_all(key.private_pem.as_bytes())?;
                Ok(key)
            }
            Err(error) => Err(error),
        }
    }

    fn from_pem(private_pem: String) -> io::Result<Self> {
        let invalid = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
        let base64 = private_pem.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END));
        let base64 = base64.ok_or_else(|| invalid("not a private key in PEM".to_owned()))?;
        let der = STANDARD.decode(base64).map_err(|error| invalid(error.to_string()))?;
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der).map_err(|error| invalid(error.to_string()))?;
        let public = URL_SAFE_NO_PAD.encode(pair.public_key());
        // Any text that differs from key to key would do.
        let id = &public[..8];
        Ok(Self { private_pem, public_keys: format!("{{\"{id}\":\"{public}\"}}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_key_of_rfc_8410() {
        let pem = format!("{BEGIN}MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC{END}");
        let key = SigningKey::from_pem(pem).unwrap();
        assert_eq!(key.public_keys, r#"{"Gb9ECWmE":"Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"}"#);
    }

    #[test]
    fn a_key_is_kept_in_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key.pem");
        let made = SigningKey::load_or_generate(&file).unwrap();
        let loaded = SigningKey::load_or_generate(&file).unwrap();
        assert_eq!(made.private_pem, loaded.private_pem);
        assert_eq!(made.public_keys, loaded.public_keys);
        assert_ne!(SigningKey::generate().unwrap().private_pem, made.private_pem);
    }

    #[test]
    fn another_file_is_refused() {
        assert!(SigningKey::from_pem("something".to_owned()).is_err());
        assert!(SigningKey::from_pem(format!("{BEGIN}AAAA{END}")).is_err());
    }
}
