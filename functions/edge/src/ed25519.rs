//! Ed25519 for `jsonwebtoken`, by the library that TLS brings into every function anyway: those that it offers of itself add RSA and two more
//! curves, which no token of ours has.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::jwk::EllipticCurve;
use jsonwebtoken::signature::{Error, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils { ed_pub_components_from_private_key: public_key, ..KeyUtils::new_unimplemented() },
};

/// Has `jsonwebtoken` sign and check by this module from now on.
pub fn install() {
    // Refused when it is done already, which is as good.
    let _ = PROVIDER.install_default();
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    ours(*algorithm)?;
    Ok(Box::new(Pair(pair(key.as_bytes())?)))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    ours(*algorithm)?;
    Ok(Box::new(Public(UnparsedPublicKey::new(&ED25519, key.try_get_as_bytes()?.to_vec()))))
}

fn public_key(der: &[u8], _: &EllipticCurve) -> Result<Vec<u8>> {
    Ok(pair(der)?.public_key().as_ref().to_vec())
}

fn ours(algorithm: Algorithm) -> Result<()> {
    if algorithm == Algorithm::EdDSA { Ok(()) } else { Err(ErrorKind::InvalidAlgorithm.into()) }
}

fn pair(der: &[u8]) -> Result<Ed25519KeyPair> {
    Ed25519KeyPair::from_pkcs8_maybe_unchecked(der).map_err(|_| ErrorKind::InvalidEddsaKey.into())
}

struct Pair(Ed25519KeyPair);

impl Signer<Vec<u8>> for Pair {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, Error> {
        Ok(self.0.sign(message).as_ref().to_vec())
    }
}

impl JwtSigner for Pair {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

struct Public(UnparsedPublicKey<Vec<u8>>);

impl Verifier<Vec<u8>> for Public {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        self.0.verify(message, signature).map_err(|_| Error::new())
    }
}

impl JwtVerifier for Public {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}
