//! The erasure of a person's data (GDPR, Art. 17), as far as it is done at once.

use std::collections::{BTreeSet, HashSet};

use domain::ids::{AccountId, TenantId};
use domain::text;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{AskedErasure, BEGINNING, Erased, Erasure, ErasureRecord, Hold, Photos, Store, fingerprint};

use crate::{Failure, known};

/// Whether the account may be erased, or without one, any account.
///
/// # Errors
/// [`Failure::Refused`]: the tenant keeps everything, or a hold is on this person's data; there is no such tenant, and the store's.
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

/// An erasure as it is listed: it names no customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Of whom, see [`fingerprint`].
    pub fingerprint: String,
    /// The time of the request.
    pub requested_at: Timestamp,
    /// When everything was gone; none: it has begun, or awaits a second member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased_at: Option<Timestamp>,
    /// The member who asked for it, if it awaits a second member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<AskedErasure>,
}

/// The tenant's erasures, by time, and last those that have begun or await a second member.
///
/// # Errors
/// There is no such tenant, and the store's.
pub async fn list(store: &Store, tenant: &TenantId) -> Result<Vec<Listed>, Failure> {
    known(store, tenant).await?;
    let record = |ErasureRecord { fingerprint, requested_at, erased_at }| Listed {
        fingerprint,
        requested_at,
        erased_at: Some(erased_at),
        asked: None,
    };
    let mut listed: Vec<Listed> = store.erasure_records(tenant).await?.into_iter().map(record).collect();
    let open = store.open_erasures(tenant).await?.into_iter().filter(|erasure| erasure.erased_at.is_none());
    listed.extend(open.map(|Erasure { account, requested_at, asked, awaits_second, .. }| Listed {
        fingerprint: fingerprint(tenant, &account),
        requested_at,
        erased_at: None,
        asked: asked.filter(|_| awaits_second),
    }));
    Ok(listed)
}

/// Has exactly these hold, as they did in the table before.
///
/// # Errors
/// The store's, such as a conflict with another request that sets or ends a hold in the same moment.
pub async fn hold_only(store: &Store, tenant: &TenantId, holds: &[Hold]) -> Result<(), Failure> {
    let there = store.holds(tenant).await?;
    for ended in there.list().iter().filter(|hold| !holds.iter().any(|kept| kept.account == hold.account)) {
        store.end_hold(tenant, &ended.account, ended.at).await?;
    }
    for hold in holds {
        store.hold(tenant, hold, there.own(&hold.account).map(|seen| seen.at)).await?;
    }
    Ok(())
}

/// Erases again whom this list has, in a table that was restored from before; says how many that were. Who came back after an erasure that the table knows itself
/// stays, and where a hold is on the data, what has begun goes on when it ends. What awaits a second member awaits one again.
///
/// # Errors
/// As of [`erase`].
pub async fn again(store: &Store, photos: &Photos, tenant: &TenantId, listed: &[Listed]) -> Result<usize, Failure> {
    let own = store.erasure_records(tenant).await?;
    // What has begun is stored to the millisecond.
    let id = |fingerprint: &str, requested: Timestamp| (fingerprint.to_owned(), requested.as_millisecond());
    let own: HashSet<_> = own.iter().map(|record| id(&record.fingerprint, record.requested_at)).collect();
    let is_new = |listed: &&Listed| !own.contains(&id(&listed.fingerprint, listed.requested_at));
    let wanted: Vec<&Listed> = listed.iter().filter(is_new).collect();
    let holds = store.holds(tenant).await?;
    let (now, mut erasures) = (Timestamp::now(), Vec::new());
    for account in named(store, tenant, &wanted.iter().map(|listed| listed.fingerprint.as_str()).collect()).await? {
        let fingerprint = fingerprint(tenant, &account);
        let lines: Vec<_> = wanted.iter().filter(|listed| listed.fingerprint == fingerprint).collect();
        // A person who was erased and came back, and is to be erased once more, has another line.
        if let [Listed { asked: Some(asked), requested_at, .. }] = lines[..] {
            store.ask_for_erasure(tenant, &account, asked.clone(), true, *requested_at).await?;
            continue;
        }
        let is_held = holds.of(&account, &store.ancestors(tenant, &account).await?).is_some();
        let has_begun = lines.iter().any(|listed| listed.erased_at.is_none());
        // All are stored before the first goes: a sub-account says above whom it is as long as it is there.
        if !is_held || has_begun {
            let erasure = store.request_erasure(tenant, &account, now).await?;
            erasures.extend(Some(erasure).filter(|_| !is_held));
        }
    }
    for erasure in &erasures {
        store.erase(photos, tenant, erasure, now, &|| false).await?;
    }
    Ok(erasures.len())
}

/// Who is there of those whom these fingerprints name: accounts, and visitors who sent a reading without a job.
async fn named(store: &Store, tenant: &TenantId, fingerprints: &HashSet<&str>) -> Result<BTreeSet<AccountId>, Failure> {
    let is_named = |account: &AccountId| fingerprints.contains(fingerprint(tenant, account).as_str());
    let (mut found, mut cursor) = (BTreeSet::new(), None::<String>);
    loop {
        let (accounts, next) = store.accounts(tenant, cursor.as_deref()).await?;
        found.extend(accounts.into_iter().map(|account| account.id).filter(is_named));
        cursor = next;
        if cursor.is_none() {
            break;
        }
    }
    loop {
        let page = store.readings_without_job(tenant, BEGINNING, Timestamp::now(), cursor.as_deref()).await?;
        found.extend(page.entries.into_iter().map(|entry| entry.login_account_id).filter(is_named));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(found);
        }
    }
}
