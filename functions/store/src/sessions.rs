//! Refresh tokens: one family a login, rotated at each use.
//!
//! A token is taken until one of its successors was used: an answer may be lost, and again. Each time it gets another successor (D-LOGIN-6), of which
//! the first one used is the one that counts; a client that comes with another one, or with a token from before, ends the family.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::device::DeviceKind;
use domain::ids::{AccountId, TenantId};
use domain::model::LoginKind;
use futures::future;
use jiff::{SignedDuration, Timestamp};
use ring::hmac;

use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read, Update, Written};
use crate::item::{Fields, Item, Record, bytes, json, number, seconds, text, texts};
use crate::keys::{self, Key};
use crate::logins::{Entrant, end_tokens};
use crate::table::{EXPIRES_AT, SORT_KEY};
use crate::tx::{Condition, Tx};
use crate::{Access, Result, Store, StoreError};

/// Longest life of a login.
const LIFE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long a token is still taken after its first use while none of its successors was used: their answers may have been lost on the way.
const GRACE: SignedDuration = SignedDuration::from_hours(24);
/// A request with the same token within this time is from another tab of the same browser, and gets the same successor.
const TOGETHER: SignedDuration = SignedDuration::from_secs(10);
/// Most successors of one token; after that many lost answers the last of them is given again.
const SUCCESSORS: u8 = 8;
/// Most renewals of a session in [`RENEWALS_IN`] (D-LOGIN-7): a phone that loads the portal anew after each photo stays far below it.
const RENEWALS: u64 = 60;
const RENEWALS_IN: SignedDuration = SignedDuration::from_mins(15);
const FAMILY_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;

/// A login that begins.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The account that logged in.
    pub account_id: AccountId,
    /// Which of the account's login data: see [`crate::Account::generation`].
    pub generation: u64,
    /// The kind of login.
    pub login: LoginKind,
    /// On what.
    pub device: DeviceKind,
    /// The account's epoch, see [`crate::EndedLogins::epoch`].
    pub epoch: u64,
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

    /// The session's id; no secret.
    pub fn session_id(&self) -> &str {
        self.0.rsplit('.').nth(1).unwrap_or_default()
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
    /// The account that is logged in.
    pub account_id: AccountId,
    /// Which of the account's login data it began with.
    pub generation: u64,
    /// The kind of login.
    pub login: LoginKind,
    /// On what.
    pub device: DeviceKind,
    /// The account's epoch then: the session has ended if that is below [`crate::EndedLogins::sessions_from`].
    pub epoch: u64,
    /// The time of its beginning.
    pub opened_at: Timestamp,
    /// When it was renewed last: at most the life of an access token before its last use.
    pub used_at: Timestamp,
    /// The time at which the session ends.
    pub expires_at: Timestamp,
}

/// A session of an account, as its list has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSession {
    /// Its id.
    pub id: String,
    /// The login.
    pub session: Session,
}

/// A login that a refresh token may continue, see [`Store::rotate_session`].
#[derive(Debug, Clone)]
pub struct FoundSession {
    /// The login.
    pub session: Session,
    /// Whose it is, as read together with it; none: the account is gone.
    pub entrant: Option<Entrant>,
    presented: String,
    key: Key,
    family: Family,
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
    /// It is valid, and the session was renewed too often of late.
    TooOften {
        /// Seconds until it may be renewed again.
        retry_after_seconds: u64,
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

    fn hash(&self) -> String {
        keys::sha256_hex(self.secret.as_bytes())
    }

    /// The token's successor of this number, and the hash of its secret (D-LOGIN-6). It follows from this one and the family's salt, so that
    /// requests that present this one at the same time get the same.
    fn successor(&self, salt: &[u8], number: u8) -> (RefreshToken, String) {
        let key = hmac::Key::new(hmac::HMAC_SHA256, salt);
        let secret = URL_SAFE_NO_PAD.encode(hmac::sign(&key, &[self.secret.as_bytes(), &[number]].concat()));
        let hash = keys::sha256_hex(secret.as_bytes());
        (RefreshToken(format!("{}.{}.{secret}", self.account, self.family)), hash)
    }
}

/// A family as it is stored.
#[derive(Debug, Clone)]
struct Family {
    session: Session,
    salt: Vec<u8>,
    /// The token that was used last.
    previous: Option<String>,
    /// The time of its first use.
    rotated_at: Timestamp,
    /// What it was answered with; before its first use the first token.
    successors: Vec<String>,
    renewals: u64,
    renewals_from: Timestamp,
}

/// How a token stands in its family.
enum Standing {
    /// The last ones given: its first use.
    Current,
    /// The one before: used already, but none of its successors was.
    Previous,
    /// Used up, or never given.
    Reused,
}

impl Family {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            session: Session {
                account_id: fields.parsed("accountId")?,
                generation: fields.optional_count("generation")?.unwrap_or_default(),
                login: fields.json("login")?,
                device: fields.json("device")?,
                epoch: fields.count("epoch")?,
                opened_at: fields.millis("openedAt")?,
                used_at: fields.millis("usedAt")?,
                expires_at: fields.time(EXPIRES_AT)?,
            },
            salt: fields.bytes("salt")?.to_vec(),
            previous: fields.optional_text("previousHash")?.map(str::to_owned),
            rotated_at: fields.millis("rotatedAt")?,
            successors: fields.texts("successors")?.to_vec(),
            renewals: fields.count("renewals")?,
            renewals_from: fields.millis("renewalsFrom")?,
        })
    }

    fn standing(&self, hash: &str, now: Timestamp) -> Standing {
        if self.successors.iter().any(|successor| successor == hash) {
            Standing::Current
        } else if self.previous.as_deref() == Some(hash) && now.duration_since(self.rotated_at) <= GRACE {
            Standing::Previous
        } else {
            Standing::Reused
        }
    }

    /// Whether the renewals are counted anew from now on.
    fn counts_anew(&self, now: Timestamp) -> bool {
        now.duration_since(self.renewals_from) >= RENEWALS_IN
    }

    /// Seconds until there is room for another renewal; none: there is.
    fn wait(&self, now: Timestamp) -> Option<u64> {
        let left = RENEWALS_IN - now.duration_since(self.renewals_from);
        (self.renewals >= RENEWALS && !self.counts_anew(now)).then(|| left.as_secs().unsigned_abs() + 1)
    }

    fn last_successor(&self) -> u8 {
        u8::try_from(self.successors.len()).unwrap_or(SUCCESSORS).clamp(1, SUCCESSORS) - 1
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
        let now = || number(new.now.as_millisecond());
        let item = Record::at(&keys::session(tenant, &new.account_id, &family))
            .with("accountId", text(new.account_id.as_str()))
            .with_some("generation", (new.generation > 0).then(|| number(new.generation)))
            .with("login", json(&new.login)?)
            .with("device", json(&new.device)?)
            .with("epoch", number(new.epoch))
            .with("salt", bytes(salt))
            .with("successors", texts([keys::sha256_hex(secret.as_bytes())]))
            .with("openedAt", now())
            .with("usedAt", now())
            .with("rotatedAt", now())
            .with("renewals", number(0))
            .with("renewalsFrom", now())
            .with(EXPIRES_AT, seconds(expires_at))
            .item();
        self.put(item).await?;
        Ok(RefreshToken(format!("{}.{family}.{secret}", new.account_id)))
    }

    /// Looks what a refresh token continues, and whose it is, in one read; it is not used up by that. A token that was used already is taken for 24 hours while
    /// none of its successors was used (its answers were lost).
    /// None if it is unknown, expired, revoked, or was used before; in the last case the family is revoked now.
    pub async fn find_session(&self, tenant: &TenantId, token: &str, now: Timestamp) -> Result<Option<FoundSession>> {
        let Some(presented) = Presented::parse(token) else { return Ok(None) };
        let key = presented.key(tenant);
        let [account, portfolio] = Entrant::keys(tenant, &presented.account);
        let found = self.get_batch(&[key.clone(), account, portfolio], Read::Latest).await?;
        let Some(item) = found.get(&key) else { return Ok(None) };
        let family = Family::read(item)?;
        if family.session.expires_at <= now {
            return Ok(None);
        }
        if let Standing::Reused = family.standing(&presented.hash(), now) {
            self.end_family(tenant, &presented.account, &key, Condition::present(StoreError::Conflict)).await?;
            return Ok(None);
        }
        let entrant = Entrant::read(tenant, &presented.account, &found)?;
        Ok(Some(FoundSession { session: family.session.clone(), entrant, presented: token.to_owned(), key, family }))
    }

    /// Uses the refresh token up, counts the renewal and gives the next token; a token whose answer was lost gets another one.
    pub async fn rotate_session(&self, tenant: &TenantId, found: FoundSession, now: Timestamp) -> Result<Rotation> {
        let FoundSession { presented, key, mut family, .. } = found;
        let Some(presented) = Presented::parse(&presented) else { return Ok(Rotation::Refused) };
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            if let Some(retry_after_seconds) = family.wait(now) {
                return Ok(Rotation::TooOften { retry_after_seconds });
            }
            let (number, change) = match family.standing(&presented.hash(), now) {
                Standing::Current => (0, Change::First),
                Standing::Previous => match family.last_successor() {
                    last if last + 1 < SUCCESSORS && now.duration_since(family.session.used_at) > TOGETHER => (last + 1, Change::Another),
                    last => (last, Change::Same),
                },
                Standing::Reused => {
                    self.end_family(tenant, &presented.account, &key, Condition::present(StoreError::Conflict)).await?;
                    return Ok(Rotation::Refused);
                }
            };
            let (token, hash) = presented.successor(&family.salt, number);
            match self.update(change.update(&key, &family, &presented.hash(), &hash, now)).await? {
                Written::Done => return Ok(Rotation::Rotated { token, session: family.session }),
                // Another request presented the same token at the same time and was first.
                Written::Refused(Some(item)) => family = Family::read(&item)?,
                Written::Refused(None) => return Ok(Rotation::Refused),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Ends the session of this token, if it is the last one used or one of its successors, and its access tokens; anything else is ignored.
    pub async fn revoke_session(&self, tenant: &TenantId, presented: &str) -> Result<Option<AccountId>> {
        let Some(presented) = Presented::parse(presented) else { return Ok(None) };
        let known = Condition {
            expression: "contains(successors, :hash) OR previousHash = :hash",
            values: Item::from([(":hash".into(), text(presented.hash()))]),
            refusal: StoreError::Conflict,
        };
        let ended = self.end_family(tenant, &presented.account, &presented.key(tenant), known).await?;
        Ok(ended.then_some(presented.account))
    }

    /// The account's sessions that have not ended, the one used last first. Two reads at once; of an account with more than a megabyte of
    /// sessions, which are some thousands, those of the first.
    pub async fn sessions(&self, tenant: &TenantId, access: &Access, now: Timestamp) -> Result<Vec<ListedSession>> {
        let range = Range {
            condition: Some("begins_with(#sk, :sessions)"),
            values: Item::from([(":sessions".into(), text(keys::SESSIONS))]),
            ..Range::default()
        };
        let (partition, portfolio) = (keys::account_partition(tenant, access.account()), keys::portfolio(tenant, access.account()));
        let (page, portfolio) = future::try_join(self.query(&partition, range, Read::Latest), self.get(&portfolio, Read::Latest)).await?;
        let ended = access.admitted(portfolio.as_ref())?;
        let mut sessions = Vec::with_capacity(page.items.len());
        for item in &page.items {
            let session = Family::read(item)?.session;
            let id = Fields(item).text(SORT_KEY)?.trim_start_matches(keys::SESSIONS).to_owned();
            sessions.push(ListedSession { id, session });
        }
        sessions.retain(|ListedSession { session, .. }| session.expires_at > now && session.epoch >= ended.sessions_from);
        sessions.sort_by(|one, other| (other.session.used_at, &one.id).cmp(&(one.session.used_at, &other.id)));
        Ok(sessions)
    }

    /// Ends one of the account's sessions and its access tokens; false: there is none of this id.
    pub async fn end_session(&self, tenant: &TenantId, account: &AccountId, id: &str) -> Result<bool> {
        if URL_SAFE_NO_PAD.decode(id).is_ok_and(|bytes| bytes.len() == FAMILY_BYTES) {
            let key = keys::session(tenant, account, id);
            return self.end_family(tenant, account, &key, Condition::present(StoreError::Conflict)).await;
        }
        Ok(false)
    }

    /// Ends a session and its access tokens, if the condition on the session holds, and says whether it did.
    async fn end_family(&self, tenant: &TenantId, account: &AccountId, key: &Key, condition: Condition) -> Result<bool> {
        let ended = self.ended_logins(tenant, account).await?;
        let mut tx = Tx::new(self);
        tx.delete(key, Some(condition))?;
        end_tokens(&mut tx, tenant, account, key.sk.trim_start_matches(keys::SESSIONS), &ended)?;
        match tx.commit("the session").await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// What a renewal changes in its family.
#[derive(Clone, Copy)]
enum Change {
    /// The token's first use.
    First,
    /// The answer to an earlier use was lost.
    Another,
    /// It was presented more than once at the same time.
    Same,
}

impl Change {
    /// Written only while the family has the successors that were read: a request that gives one has seen all others.
    fn update<'a>(self, key: &'a Key, family: &Family, hash: &str, next: &str, now: Timestamp) -> Update<'a> {
        let (renewals, from) = if family.counts_anew(now) { (1, now) } else { (family.renewals + 1, family.renewals_from) };
        let mut values = Item::from([(":before".into(), texts(&family.successors))]);
        if let (Self::Same, 2..) = (self, renewals) {
            // Tabs that come together are not in each other's way: each adds its own, up to the limit.
            values.extend([(":one".into(), number(1)), (":limit".into(), number(RENEWALS))]);
            let condition = Some("successors = :before AND renewals < :limit");
            return Update { key, expression: "ADD renewals :one", condition, values };
        }
        values.extend([(":renewals".into(), number(renewals)), (":from".into(), number(from.as_millisecond()))]);
        if let Self::Same = self {
            let condition = Some("successors = :before");
            return Update { key, expression: "SET renewals = :renewals, renewalsFrom = :from", condition, values };
        }
        let (successors, rotated_at) = match self {
            Self::First => (vec![next], now),
            _ => (family.successors.iter().map(String::as_str).chain([next]).collect(), family.rotated_at),
        };
        values.extend([(":hash".into(), text(hash)), (":next".into(), texts(successors))]);
        values.extend([(":rotated".into(), number(rotated_at.as_millisecond())), (":now".into(), number(now.as_millisecond()))]);
        let expression =
            "SET previousHash = :hash, successors = :next, rotatedAt = :rotated, usedAt = :now, renewals = :renewals, renewalsFrom = :from";
        Update { key, expression, condition: Some("successors = :before"), values }
    }
}
