//! Access tokens: JWTs signed with Ed25519, with the key's id in the header so that keys can be rotated.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::{AccountId, TenantId};
use domain::model::LoginKind;
use jiff::Timestamp;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

use crate::ed25519;
use crate::problem::{Code, Problem};

/// Life of an access token in seconds.
pub const ACCESS_TOKEN_LIFE: u32 = 15 * 60;

/// Life of a visitor's access token in seconds: long enough to find the meter and to come back.
pub const VISITOR_TOKEN_LIFE: u32 = 30 * 60;

const ISSUER: &str = "zaehlwerk";
const AUDIENCE: &str = "zaehlwerk-api";

/// The claims of an access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claims {
    /// The issuer of the token.
    pub iss: String,
    /// The audience of the token.
    pub aud: String,
    /// The account again, where JWT libraries look for it.
    pub sub: AccountId,
    /// When it ends, in seconds since 1970.
    pub exp: i64,
    /// When it was made, in seconds since 1970.
    pub iat: i64,
    /// The token's own id.
    pub jti: String,
    /// The tenant for which alone it is valid.
    pub tenant: TenantId,
    pub account_id: AccountId,
    /// Of a sub-account: the accounts above it, the utility's own first, the one that made the share last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancestors: Vec<AccountId>,
    /// With which of the account's login data the session began (D-SHARES-4). A sub-account's token has ended once there are newer ones.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub generation: u64,
    /// The session that the token came from; of a visitor's none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The account's epoch when the token was made (D-LOGIN-8). It has ended once there is a later one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub epoch: u64,
    /// The roles of the account.
    pub roles: Vec<String>,
    /// The kind of login.
    pub login: LoginKind,
}

impl Claims {
    /// The claims of a token that begins now.
    pub fn new(tenant: TenantId, account_id: AccountId, roles: Vec<String>, login: LoginKind, now: Timestamp, id: [u8; 16]) -> Self {
        let iat = now.as_second();
        Self {
            iss: ISSUER.into(),
            aud: AUDIENCE.into(),
            sub: account_id.clone(),
            exp: iat + i64::from(ACCESS_TOKEN_LIFE),
            iat,
            jti: URL_SAFE_NO_PAD.encode(id),
            tenant,
            account_id,
            ancestors: Vec::new(),
            generation: 0,
            session: None,
            epoch: 0,
            roles,
            login,
        }
    }

    /// The same with another life, in seconds.
    #[must_use]
    pub fn lasting(self, seconds: u32) -> Self {
        Self { exp: self.iat + i64::from(seconds), ..self }
    }

    /// The same of an account below these, reached with login data of this generation.
    #[must_use]
    pub fn below(self, ancestors: Vec<AccountId>, generation: u64) -> Self {
        Self { ancestors, generation, ..self }
    }

    /// The same from this session, made in this epoch of the account.
    #[must_use]
    pub fn of_session(self, session: &str, epoch: u64) -> Self {
        Self { session: Some(session.to_owned()), epoch, ..self }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Why the keys cannot be used. The text holds no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The list of public keys cannot be read.
    #[error("JWT_PUBLIC_KEYS must be a JSON object of key ids and base64url texts of 32 bytes: {0}")]
    PublicKeys(String),
    /// The private key cannot be read.
    #[error("the private key must be an Ed25519 key in PEM (PKCS #8)")]
    PrivateKey,
    /// What the private key signs could not be checked.
    #[error("the public part of the private key is not in JWT_PUBLIC_KEYS")]
    Unpublished,
}

/// The public keys whose tokens are taken, by key id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKeys(BTreeMap<String, String>);

impl PublicKeys {
    /// Reads `{"<key id>": "<base64url of the raw key>"}`.
    ///
    /// # Errors
    /// [`KeyError::PublicKeys`].
    pub fn parse(json: &str) -> Result<Self, KeyError> {
        let keys: BTreeMap<String, String> = serde_json::from_str(json).map_err(|error| KeyError::PublicKeys(error.to_string()))?;
        for (id, key) in &keys {
            if URL_SAFE_NO_PAD.decode(key).ok().is_none_or(|bytes| bytes.len() != 32) {
                return Err(KeyError::PublicKeys(format!("the key {id} is not that")));
            }
        }
        Ok(Self(keys))
    }
}

/// Makes access tokens.
pub struct Signer {
    header: Header,
    key: EncodingKey,
}

impl Signer {
    /// Signs with this private key, under the id that its public part has.
    ///
    /// # Errors
    /// [`KeyError::PrivateKey`], [`KeyError::Unpublished`].
    pub fn new(pem: &str, published: &PublicKeys) -> Result<Self, KeyError> {
        ed25519::install();
        let key = EncodingKey::from_ed_pem(pem.as_bytes()).map_err(|_| KeyError::PrivateKey)?;
        let jwk = Jwk::from_encoding_key(&key, Algorithm::EdDSA).map_err(|_| KeyError::PrivateKey)?;
        let AlgorithmParameters::OctetKeyPair(public) = jwk.algorithm else { return Err(KeyError::PrivateKey) };
        let id = published.0.iter().find(|(_, key)| **key == public.x).map(|(id, _)| id.clone()).ok_or(KeyError::Unpublished)?;
        Ok(Self { header: Header { kid: Some(id), ..Header::new(Algorithm::EdDSA) }, key })
    }

    /// The token.
    ///
    /// # Errors
    /// `internal-error`.
    pub fn sign(&self, claims: &Claims) -> Result<String, Problem> {
        jsonwebtoken::encode(&self.header, claims, &self.key).map_err(Problem::internal)
    }
}

/// Checks access tokens.
pub struct Verifier {
    keys: BTreeMap<String, DecodingKey>,
    validation: Validation,
}

impl Verifier {
    /// Takes tokens of these keys.
    ///
    /// # Errors
    /// [`KeyError::PublicKeys`].
    pub fn new(keys: &PublicKeys) -> Result<Self, KeyError> {
        ed25519::install();
        let keys = keys.0.iter().map(|(id, key)| Ok((id.clone(), DecodingKey::from_ed_components(key)?)));
        let keys = keys.collect::<Result<_, jsonwebtoken::errors::Error>>().map_err(|error| KeyError::PublicKeys(error.to_string()))?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        // The time is compared with the request's clock below.
        validation.validate_exp = false;
        Ok(Self { keys, validation })
    }

    /// The claims of a token that is valid now at this tenant's portal.
    ///
    /// # Errors
    /// `token-invalid`, `token-expired`.
    pub fn verify(&self, token: &str, tenant: &TenantId, now: Timestamp) -> Result<Claims, Problem> {
        let invalid = || Problem::new(Code::TokenInvalid);
        let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
        let key = header.kid.and_then(|id| self.keys.get(&id)).ok_or_else(invalid)?;
        let claims = jsonwebtoken::decode::<Claims>(token, key, &self.validation).map_err(|_| invalid())?.claims;
        if claims.tenant != *tenant || claims.sub != claims.account_id {
            return Err(invalid());
        }
        if claims.exp <= now.as_second() {
            return Err(Problem::new(Code::TokenExpired));
        }
        Ok(claims)
    }
}
