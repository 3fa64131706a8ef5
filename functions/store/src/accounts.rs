//! Accounts and how they log in.

use domain::ids::{AccountId, TenantId};
use jiff::{Timestamp, civil::Date};

use crate::{Result, Store};

/// Somebody who can log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The account's id, unique in the tenant.
    pub id: AccountId,
    /// The name that the portal shows.
    pub name: String,
    /// The account that shared its jobs with this one.
    pub parent_id: Option<AccountId>,
    /// Its name.
    pub parent_name: Option<String>,
    /// Roles beside those that every account has.
    pub roles: Vec<String>,
    /// The language of the account's portal and mails.
    pub language: Option<String>,
    /// Last day of the account in the tenant's time zone.
    pub valid_until: Option<Date>,
    /// The user name as it is printed in the letter.
    pub username: Option<String>,
}

/// Hash of a link token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSecretHash {
    /// SHA-256 of the token in hex; the token itself is stored nowhere.
    pub sha256_hex: String,
    /// When the link stops working.
    pub expires_at: Timestamp,
}

/// An account to be created or brought up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// The account. `username: None` keeps a user name that is stored already.
    pub account: Account,
    /// Argon2id hash in PHC form; `None` keeps the stored one. Needed together with the first user name and with a new one.
    pub password_hash: Option<String>,
    /// The link; `None` keeps the stored one, another one revokes it.
    pub link: Option<LinkSecretHash>,
}

/// What an import did with an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// It is new.
    Created,
    /// Something changed.
    Updated,
    /// Exactly so it was stored already; nothing was written.
    Unchanged,
}

/// What a user name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// Whose name it is.
    pub account_id: AccountId,
    /// Argon2id hash in PHC form.
    pub password_hash: String,
}

impl Store {
    /// The account.
    pub async fn account(&self, tenant: &TenantId, account: &AccountId) -> Result<Option<Account>> {
        todo!("{tenant}{account}")
    }

    /// Creates the account or brings it up to date, with its logins in the same transaction.
    ///
    /// A user name that another account holds is [`crate::StoreError::NameTaken`]; nothing is stored then.
    pub async fn put_account(&self, tenant: &TenantId, new: &NewAccount) -> Result<Imported> {
        todo!("{tenant}{new:?}")
    }

    /// What the user name stands for; `name` is folded (`domain::login`).
    pub async fn credential(&self, tenant: &TenantId, name: &str) -> Result<Option<Credential>> {
        todo!("{tenant}{name}")
    }

    /// The account that a link token opens: none if it is unknown, revoked or expired.
    pub async fn link_login(&self, tenant: &TenantId, sha256_hex: &str, now: Timestamp) -> Result<Option<AccountId>> {
        todo!("{tenant}{sha256_hex}{now}")
    }
}
