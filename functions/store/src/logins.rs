//! What ends access tokens and sessions before their time (D-LOGIN-8): marks in the portfolio's item, which most requests read anyway. A sub-account,
//! whose jobs stay at the top, has such an item for them alone.

use std::collections::{BTreeSet, HashMap};

use domain::ids::{AccountId, TenantId};

use crate::accounts::StoredAccount;
use crate::db::{Read, Update};
use crate::item::{Fields, Item, number, texts};
use crate::keys::{self, Key};
use crate::tx::Tx;
use crate::{Account, Result, Store, StoreError};

/// So many ended sessions are named; then all access tokens end, and who still has a session gets another one.
const MOST_ENDED: usize = 20;

/// Which logins of an account have ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndedLogins {
    /// Access tokens of an earlier epoch have ended.
    pub epoch: u64,
    /// Sessions of an earlier epoch have ended.
    pub sessions_from: u64,
    /// Sessions whose access tokens have ended.
    pub sessions: BTreeSet<String>,
}

/// The login that an access token came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TokenOrigin {
    /// The token's session.
    pub session: Option<String>,
    /// The account's epoch when it was made.
    pub epoch: u64,
}

impl EndedLogins {
    /// Of an account's portfolio.
    pub(crate) fn read(portfolio: Option<&Item>) -> Result<Self> {
        let Some(fields) = portfolio.map(Fields) else { return Ok(Self::default()) };
        let count = |name| fields.optional_count(name).map(Option::unwrap_or_default);
        let sessions = fields.texts("endedSessions")?.iter().cloned().collect();
        Ok(Self { epoch: count("epoch")?, sessions_from: count("sessionsFrom")?, sessions })
    }

    /// Whether an access token that came from there has ended.
    pub fn includes(&self, token: &TokenOrigin) -> bool {
        token.epoch < self.epoch || token.session.as_ref().is_some_and(|session| self.sessions.contains(session))
    }

    pub(crate) fn admit(&self, token: &TokenOrigin) -> Result<()> {
        if self.includes(token) { Err(StoreError::LoginEnded) } else { Ok(()) }
    }
}

/// An account that a client is about to log in to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// The account.
    pub account: Account,
    /// The account's logins that have ended.
    pub ended: EndedLogins,
}

impl Entrant {
    /// The items from which an entrant is read.
    pub(crate) fn keys(tenant: &TenantId, account: &AccountId) -> [Key; 2] {
        [keys::account(tenant, account), keys::portfolio(tenant, account)]
    }

    /// Of what was found there; none: there is no such account.
    pub(crate) fn read(tenant: &TenantId, account: &AccountId, found: &HashMap<Key, Item>) -> Result<Option<Self>> {
        let [account, portfolio] = Self::keys(tenant, account);
        let Some(item) = found.get(&account) else { return Ok(None) };
        Ok(Some(Self { account: StoredAccount::read(item)?.account, ended: EndedLogins::read(found.get(&portfolio))? }))
    }
}

/// The portfolio's version stays, and is there if this is its first write.
const END_SESSIONS: &str = "SET epoch = if_not_exists(epoch, :none) + :one, sessionsFrom = if_not_exists(epoch, :none) + :one \
    ADD version :none REMOVE endedSessions";

fn one_and_none() -> Item {
    Item::from([(":one".into(), number(1)), (":none".into(), number(0))])
}

/// Ends a session's access tokens in the transaction; `ended` is what was read before.
pub(crate) fn end_tokens(tx: &mut Tx<'_>, tenant: &TenantId, account: &AccountId, session: &str, ended: &EndedLogins) -> Result<()> {
    let key = keys::portfolio(tenant, account);
    if ended.sessions.len() >= MOST_ENDED {
        return tx.update(&key, "ADD epoch :one, version :none REMOVE endedSessions", one_and_none(), None);
    }
    let values = Item::from([(":session".into(), texts([session])), (":none".into(), number(0))]);
    tx.update(&key, "ADD endedSessions :session, version :none", values, None)
}

/// Ends the account's sessions in the transaction, and its access tokens with them.
pub(crate) fn end_sessions(tx: &mut Tx<'_>, tenant: &TenantId, account: &AccountId) -> Result<()> {
    tx.update(&keys::portfolio(tenant, account), END_SESSIONS, one_and_none(), None)
}

impl Store {
    /// The account with those of its logins that have ended; one read.
    pub async fn entrant(&self, tenant: &TenantId, account: &AccountId) -> Result<Option<Entrant>> {
        let found = self.get_batch(&Entrant::keys(tenant, account), Read::Latest).await?;
        Entrant::read(tenant, account, &found)
    }

    /// Whether an access token still holds; otherwise [`StoreError::LoginEnded`]. One small read, for requests that do not read the portfolio anyway.
    pub async fn check_token(&self, tenant: &TenantId, account: &AccountId, token: &TokenOrigin) -> Result<()> {
        self.ended_logins(tenant, account).await?.admit(token)
    }

    /// Which logins of the account have ended; one small read.
    pub(crate) async fn ended_logins(&self, tenant: &TenantId, account: &AccountId) -> Result<EndedLogins> {
        EndedLogins::read(self.get(&keys::portfolio(tenant, account), Read::Latest).await?.as_ref())
    }

    /// Ends every session of the account and every access token that came from one. One write, however many there are.
    pub async fn end_all_sessions(&self, tenant: &TenantId, account: &AccountId) -> Result<()> {
        let key = keys::portfolio(tenant, account);
        self.update(Update { key: &key, expression: END_SESSIONS, condition: None, values: one_and_none() }).await?;
        Ok(())
    }
}
