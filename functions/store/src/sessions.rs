//! Refresh tokens: one family a login, rotated at each use.

use domain::ids::{AccountId, TenantId};
use domain::model::LoginKind;
use jiff::Timestamp;

use crate::{Result, Store};

/// A login that begins.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Who logged in.
    pub account_id: AccountId,
    /// How.
    pub login: LoginKind,
    /// Now.
    pub now: Timestamp,
    /// When the session ends at the latest (the account's end); never later than 30 days from now in any case.
    pub ends_at: Option<Timestamp>,
    /// Fresh random bytes, see [`crate::random`].
    pub random: [u8; 80],
}

/// A refresh token as the client gets it: `<family>.<secret>`. It is stored as a hash only.
#[derive(Clone, PartialEq, Eq)]
pub struct RefreshToken(pub(crate) String);

impl RefreshToken {
    /// The text for the answer.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Keeps the secret out of logs.
impl std::fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RefreshToken")
    }
}

/// The login that a refresh token continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Who is logged in.
    pub account_id: AccountId,
    /// How.
    pub login: LoginKind,
    /// When the session ends.
    pub expires_at: Timestamp,
}

/// What became of a presented refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rotation {
    /// It was valid; this is its successor.
    Rotated {
        /// The next token.
        token: RefreshToken,
        /// The login.
        session: Session,
    },
    /// It is unknown, expired, revoked, or was used before; in the last case the family is revoked now.
    Refused,
}

impl Store {
    /// Begins a session.
    pub async fn open_session(&self, tenant: &TenantId, new: NewSession) -> Result<RefreshToken> {
        todo!("{tenant}{new:?}")
    }

    /// Takes a refresh token and gives the next one. The directly previous token is taken for 10 s (its answer was lost) and gets the same successor.
    pub async fn rotate_session(&self, tenant: &TenantId, presented: &str, now: Timestamp) -> Result<Rotation> {
        todo!("{tenant}{presented}{now}")
    }

    /// Ends the session of this token, if it is one of its last two; anything else is ignored.
    pub async fn revoke_session(&self, tenant: &TenantId, presented: &str) -> Result<()> {
        todo!("{tenant}{presented}")
    }
}
