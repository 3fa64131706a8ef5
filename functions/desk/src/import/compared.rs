//! Whether accounts have the passwords of a file already. To find that out takes a processor so long that it is to be done once: neither the worker that goes on with
//! a rehearsal nor the import that follows it does it again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::ids::AccountId;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::letters::verified;

/// The result of one comparison.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    account: AccountId,
    /// With which login data: others may have come since.
    with: String,
    is_same: bool,
}

/// What is known of a file's passwords, each of which is another account's.
#[derive(Debug, Default)]
pub struct Compared {
    known: HashMap<AccountId, Comparison>,
    new: Mutex<Vec<Comparison>>,
}

impl Compared {
    /// Knows what others found out.
    pub fn of(known: Vec<Comparison>) -> Self {
        Self { known: known.into_iter().map(|known| (known.account.clone(), known)).collect(), new: Mutex::default() }
    }

    /// The comparisons that were not known before.
    pub fn found(&self) -> Vec<Comparison> {
        self.lock().clone()
    }

    /// Whether the account has this password, of which the stored hash is this.
    pub(super) async fn is_same(&self, account: &AccountId, password: &str, stored: String) -> Result<bool, Failure> {
        let with = hex::encode(digest(&SHA256, stored.as_bytes()).as_ref().get(..8).unwrap_or_default());
        if let Some(known) = self.known.get(account).filter(|known| known.with == with) {
            return Ok(known.is_same);
        }
        let is_same = verified(password.to_owned(), Some(stored)).await?;
        self.lock().push(Comparison { account: account.clone(), with, is_same });
        Ok(is_same)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Comparison>> {
        self.new.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
