//! Refresh tokens: one family a login, rotated at each use.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::{AccountId, TenantId};
use domain::model::LoginKind;
use jiff::{SignedDuration, Timestamp};
use ring::hmac;

use crate::db::{Read, Update, Written};
use crate::item::{Fields, Item, Record, bytes, json, number, seconds, text};
use crate::keys::{self, Key};
use crate::table::EXPIRES_AT;
use crate::{Result, Store};

/// Longest life of a login.
const LIFE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long the directly previous token is still taken: its answer may have been lost on the way.
const GRACE: SignedDuration = SignedDuration::from_secs(10);
const FAMILY_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;

/// A login that begins.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Who logged in.
    pub account_id: AccountId,
    /// Which of the account's login data: see [`crate::Account::generation`].
    pub generation: u64,
    /// How.
    pub login: LoginKind,
    /// Now.
    pub now: Timestamp,
    /// When the session ends at the latest (the account's end); never later than 30 days from now in any case.
    pub ends_at: Option<Timestamp>,
    /// Fresh random bytes, see [`crate::random`].
    pub random: [u8; 80],
}

/// A refresh token as the client gets it: `<account>.<family>.<secret>`. The secret is stored as a hash only.
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
    /// Which of the account's login data it began with.
    pub generation: u64,
    /// How.
    pub login: LoginKind,
    /// When the session ends.
    pub expires_at: Timestamp,
}

/// A login that a refresh token may continue, see [`Store::rotate_session`].
#[derive(Debug, Clone)]
pub struct FoundSession {
    /// The login.
    pub session: Session,
    key: Key,
    hash: String,
    next: RefreshToken,
    next_hash: String,
    is_current: bool,
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

/// The parts of a token.
#[derive(Clone)]
struct Presented<'a> {
    account: AccountId,
    family: &'a str,
    secret: &'a str,
}

impl<'a> Presented<'a> {
    /// The parts, if the text has the form of a token: nothing else becomes part of a key.
    fn parse(token: &'a str) -> Option<Self> {
        // An account's id may have points in it.
        let (rest, secret) = token.rsplit_once('.')?;
        let (account, family) = rest.rsplit_once('.')?;
        let account = account.parse().ok()?;
        let is = |text: &str, length| URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == length);
        (is(family, FAMILY_BYTES) && is(secret, SECRET_BYTES)).then_some(Self { account, family, secret })
    }

    fn key(&self, tenant: &TenantId) -> Key {
        keys::session(tenant, &self.account, self.family)
    }

    fn token(&self, secret: &str) -> RefreshToken {
        RefreshToken(format!("{}.{}.{secret}", self.account, self.family))
    }

    fn hash(&self) -> String {
        keys::sha256_hex(self.secret.as_bytes())
    }

    /// The secret of the next token (D-LOGIN-1). It follows from this one and the family's salt, so that whoever presents this one again gets the same.
    fn next_secret(&self, salt: &[u8]) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, salt);
        URL_SAFE_NO_PAD.encode(hmac::sign(&key, self.secret.as_bytes()))
    }
}

/// A family as it is stored.
struct Family {
    session: Session,
    salt: Vec<u8>,
    current: String,
    previous: Option<String>,
    rotated_at: Timestamp,
}

impl Family {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            session: Session {
                account_id: fields.parsed("accountId")?,
                generation: fields.optional_count("generation")?.unwrap_or_default(),
                login: fields.json("login")?,
                expires_at: fields.time(EXPIRES_AT)?,
            },
            salt: fields.bytes("salt")?.to_vec(),
            current: fields.text("currentHash")?.to_owned(),
            previous: fields.optional_text("previousHash")?.map(str::to_owned),
            rotated_at: fields.millis("rotatedAt")?,
        })
    }

    fn is_previous(&self, hash: &str, now: Timestamp) -> bool {
        self.previous.as_deref() == Some(hash) && now.duration_since(self.rotated_at) <= GRACE
    }
}

impl Store {
    /// Begins a session.
    pub async fn open_session(&self, tenant: &TenantId, new: NewSession) -> Result<RefreshToken> {
        let (family, rest) = new.random.split_at(FAMILY_BYTES);
        let (secret, salt) = rest.split_at(SECRET_BYTES);
        let (family, secret) = (URL_SAFE_NO_PAD.encode(family), URL_SAFE_NO_PAD.encode(secret));
        let longest = new.now + LIFE;
        let expires_at = new.ends_at.map_or(longest, |end| end.min(longest));
        let item = Record::at(&keys::session(tenant, &new.account_id, &family))
            .with("accountId", text(new.account_id.as_str()))
            .with_some("generation", (new.generation > 0).then(|| number(new.generation)))
            .with("login", json(&new.login)?)
            .with("salt", bytes(salt))
            .with("currentHash", text(keys::sha256_hex(secret.as_bytes())))
            .with("rotatedAt", number(new.now.as_millisecond()))
            .with(EXPIRES_AT, seconds(expires_at))
            .item();
        self.put(item).await?;
        Ok(RefreshToken(format!("{}.{family}.{secret}", new.account_id)))
    }

    /// Looks what a refresh token continues; it is not used up by that. The directly previous token is taken for 10 s (its answer was lost).
    /// None if it is unknown, expired, revoked, or was used before; in the last case the family is revoked now.
    pub async fn find_session(&self, tenant: &TenantId, presented: &str, now: Timestamp) -> Result<Option<FoundSession>> {
        let Some(presented) = Presented::parse(presented) else { return Ok(None) };
        let key = presented.key(tenant);
        let Some(item) = self.get(&key, Read::Latest).await? else { return Ok(None) };
        let family = Family::read(&item)?;
        if family.session.expires_at <= now {
            return Ok(None);
        }
        let hash = presented.hash();
        let is_current = family.current == hash;
        if !is_current && !family.is_previous(&hash, now) {
            self.delete(&key, None).await?;
            return Ok(None);
        }
        let next_secret = presented.next_secret(&family.salt);
        let next = presented.token(&next_secret);
        Ok(Some(FoundSession { session: family.session, key, hash, next, next_hash: keys::sha256_hex(next_secret.as_bytes()), is_current }))
    }

    /// Uses the refresh token up and gives the next one; the directly previous token gets the same successor.
    pub async fn rotate_session(&self, found: FoundSession, now: Timestamp) -> Result<Rotation> {
        let FoundSession { session, key, hash, next, next_hash, is_current } = found;
        let rotated = Rotation::Rotated { token: next, session };
        if !is_current {
            return Ok(rotated);
        }
        let values =
            Item::from([(":hash".into(), text(&hash)), (":next".into(), text(next_hash)), (":now".into(), number(now.as_millisecond()))]);
        let update = Update {
            key: &key,
            expression: "SET previousHash = :hash, currentHash = :next, rotatedAt = :now",
            condition: Some("currentHash = :hash"),
            values,
        };
        match self.update(update).await? {
            Written::Done => Ok(rotated),
            // Somebody presented the same token at the same time and was first; we get what they got.
            Written::Refused(Some(item)) if Family::read(&item)?.is_previous(&hash, now) => Ok(rotated),
            Written::Refused(_) => {
                self.delete(&key, None).await?;
                Ok(Rotation::Refused)
            }
        }
    }

    /// Ends the session of this token, if it is one of its last two; anything else is ignored.
    pub async fn revoke_session(&self, tenant: &TenantId, presented: &str) -> Result<()> {
        let Some(presented) = Presented::parse(presented) else { return Ok(()) };
        let values = Item::from([(":hash".into(), text(presented.hash()))]);
        let known = "currentHash = :hash OR previousHash = :hash";
        self.delete(&presented.key(tenant), Some((known, values))).await
    }
}
