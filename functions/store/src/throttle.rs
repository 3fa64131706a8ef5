//! Failed logins are counted: 10 in 15 minutes for a name, 100 for an address.

use domain::ids::TenantId;
use jiff::Timestamp;

use crate::{Result, Store};

/// A login attempt that holds one of the places of its name and of its address. Give it back with [`Store::login_succeeded`];
/// an attempt that is not given back counts as failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub(crate) name_hash: Option<String>,
    pub(crate) address_hash: String,
    pub(crate) mark: String,
}

/// Whether a login may be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Throttle {
    /// Try it.
    Allowed(Attempt),
    /// Too many failed.
    Blocked {
        /// Seconds until the oldest failure is 15 minutes old.
        retry_after_seconds: u64,
    },
}

impl Store {
    /// Asks for a login attempt and counts it as failed at once, so that parallel guesses cannot slip through while a password is
    /// still being verified. `name_hash` is absent for a login by link. Both are hashes, so that no address is stored.
    pub async fn login_attempts(&self, tenant: &TenantId, name_hash: Option<&str>, address_hash: &str, now: Timestamp) -> Result<Throttle> {
        todo!("{tenant}{name_hash:?}{address_hash}{now}")
    }

    /// The attempt was no failure: forgets all failures of the name and this one of the address.
    pub async fn login_succeeded(&self, tenant: &TenantId, attempt: &Attempt) -> Result<()> {
        todo!("{tenant}{attempt:?}")
    }
}
