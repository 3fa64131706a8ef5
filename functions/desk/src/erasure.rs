//! The erasure of a person's data (GDPR, Art. 17), as far as it is done at once.

use std::collections::HashSet;

use domain::ids::{AccountId, TenantId};
use domain::text;
use jiff::Timestamp;
use store::{Erased, Photos, Store, fingerprint};

use crate::{Failure, known};

/// Whether the account may be erased, or of no account in particular, anybody.
///
/// # Errors
/// [`Failure::Refused`]: the tenant keeps everything, or somebody needs what is stored about this person; there is no such tenant, and the store's.
pub async fn allowed(store: &Store, tenant: &TenantId, account: Option<&AccountId>) -> Result<(), Failure> {
    if known(store, tenant).await?.application.retention.legal_hold {
        return Err(Failure::Refused(text!(
            "für `{tenant}` gilt eine Löschsperre: gelöscht wird nichts, bis sie in tenant.json aufgehoben ist",
            "`{tenant}` has a legal hold: nothing is erased until its tenant.json says otherwise"
        )));
    }
    let Some(account) = account else { return Ok(()) };
    match store.hold_of(tenant, account).await? {
        None => Ok(()),
        Some(hold) => Err(Failure::Refused(text!(
            "für {account} gilt eine Löschsperre ({by}: {reason}), die am Arbeitsplatz aufgehoben wird",
            "{account} has a hold ({by}: {reason}), which ends at the desk",
            by = hold.by,
            reason = hold.reason
        ))),
    }
}

/// Erases an account and the accounts below it.
///
/// # Errors
/// The store's; the worker goes on with what is left.
pub async fn erase(store: &Store, photos: &Photos, tenant: &TenantId, account: &AccountId) -> Result<Erased, Failure> {
    // The request is stored first, so that the worker goes on if this is stopped.
    let erasure = store.request_erasure(tenant, account, Timestamp::now()).await?;
    Ok(store.erase(photos, tenant, &erasure, Timestamp::now(), &|| false).await?)
}

/// Erases again whom these fingerprints name, in a table that was restored from before; says how many accounts that were.
///
/// # Errors
/// As of [`erase`].
pub async fn again(store: &Store, photos: &Photos, tenant: &TenantId, wanted: &HashSet<String>) -> Result<usize, Failure> {
    let holds = store.holds(tenant).await?;
    let (mut again, mut cursor) = (0, None::<String>);
    loop {
        let (accounts, next_cursor) = store.accounts(tenant, cursor.as_deref()).await?;
        for account in accounts.iter().filter(|account| wanted.contains(&fingerprint(tenant, &account.id))) {
            // What somebody needs was not erased before either.
            if holds.of(&account.id, &store.ancestors(tenant, &account.id).await?).is_none() {
                erase(store, photos, tenant, &account.id).await?;
                again += 1;
            }
        }
        cursor = next_cursor;
        if cursor.is_none() {
            return Ok(again);
        }
    }
}
