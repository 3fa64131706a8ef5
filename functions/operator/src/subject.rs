//! `zaehlwerk subject`: what is stored about a person, and its erasure (GDPR, Art. 15 and 17).

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

use domain::ids::{AccountId, TenantId};
use domain::text;
use domain::text::Text;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use store::{Erased, ErasureRecord, Photos, Store, Tenant, fingerprint};

use crate::{Failure, Say, Verdict, tell};

/// Prints everything about an account and the accounts below it.
pub async fn show(store: &Store, tenant: &TenantId, account: &AccountId, say: Say) -> Result<Verdict, Failure> {
    known(store, tenant).await?;
    let items = store.subject(tenant, account).await?;
    if say.is_json() {
        tell(json!({ "tenant": tenant, "account": account, "items": items }))?;
    } else {
        for item in &items {
            tell(item)?;
        }
    }
    Ok(if items.is_empty() { nothing(account, say) } else { Verdict::Sound })
}

/// Erases an account and the accounts below it.
pub async fn erase(
    store: &Store,
    photos: &Photos,
    tenant: &TenantId,
    account: &AccountId,
    confirmed: bool,
    say: Say,
) -> Result<Verdict, Failure> {
    erasable(store, tenant).await?;
    if let Some(hold) = store.hold_of(tenant, account).await? {
        return Err(Failure::Held { account: account.clone(), hold: hold.into() });
    }
    if store.subject(tenant, account).await?.is_empty() {
        return Ok(nothing(account, say));
    }
    if !confirmed && !confirm(account, say)? {
        complain(&text!("nichts wurde gelöscht", "nothing was erased"), say);
        return Ok(Verdict::Faulty);
    }
    let erased = carry_out(store, photos, tenant, account).await?;
    let report = Report { account, items: erased.items, objects: erased.objects };
    let (items, objects) = (report.items, report.objects);
    let line = text!(
        "{account}: {items} Einträge und {objects} Fassungen von Fotos gelöscht",
        "{account}: {items} items and {objects} versions of photos erased"
    );
    say.tell(&line, &json!(report))?;
    Ok(Verdict::Sound)
}

/// Prints the list of erasures, which names nobody.
pub async fn erasures(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    known(store, tenant).await?;
    let records = store.erasure_records(tenant).await?;
    if say.is_json() {
        tell(json!({ "tenant": tenant, "erasures": records }))?;
    } else {
        for record in records {
            tell(json!(record))?;
        }
    }
    Ok(Verdict::Sound)
}

/// Erases again whom a list of erasures has, in a table that was restored from before.
pub async fn replay(store: &Store, photos: &Photos, tenant: &TenantId, file: &Path, say: Say) -> Result<Verdict, Failure> {
    erasable(store, tenant).await?;
    let text = std::fs::read_to_string(file).map_err(|error| Failure::File { path: file.to_owned(), error })?;
    let mut wanted = HashSet::new();
    let mut verdict = Verdict::Sound;
    for (index, line) in text.lines().enumerate() {
        match serde_json::from_str::<ErasureRecord>(line) {
            Ok(record) => drop(wanted.insert(record.fingerprint)),
            Err(_) => {
                let (file, line) = (file.display(), index + 1);
                let reason = text!(
                    "{file}:{line}: ist keine Zeile von `zaehlwerk subject erasures`",
                    "{file}:{line}: is no line of `zaehlwerk subject erasures`"
                );
                complain(&reason, say);
                verdict = Verdict::Faulty;
            }
        }
    }
    let mut cursor = None;
    let mut again = 0;
    let holds = store.holds(tenant).await?;
    loop {
        let (accounts, next) = store.accounts(tenant, cursor.as_deref()).await?;
        for account in accounts.iter().filter(|account| wanted.contains(&fingerprint(tenant, &account.id))) {
            // What somebody needs was not erased before either.
            if holds.of(&account.id, &[]).is_none() {
                carry_out(store, photos, tenant, &account.id).await?;
                again += 1;
            }
        }
        match next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    say.tell(
        &text!(
            "{count} Löschungen in der Liste, {again} Zugänge erneut gelöscht",
            "{count} erasures in the list, {again} accounts erased again",
            count = wanted.len()
        ),
        &json!({ "listed": wanted.len(), "erasedAgain": again }),
    )?;
    Ok(verdict)
}

/// What an erasure took.
#[derive(Debug, Serialize)]
struct Report<'a> {
    account: &'a AccountId,
    items: usize,
    objects: usize,
}

async fn carry_out(store: &Store, photos: &Photos, tenant: &TenantId, account: &AccountId) -> Result<Erased, Failure> {
    // The request is stored first, so that the worker goes on if this command is stopped.
    let erasure = store.request_erasure(tenant, account, Timestamp::now()).await?;
    Ok(store.erase(photos, tenant, &erasure, Timestamp::now(), &|| false).await?)
}

async fn known(store: &Store, tenant: &TenantId) -> Result<Arc<Tenant>, Failure> {
    Ok(store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?)
}

async fn erasable(store: &Store, tenant: &TenantId) -> Result<(), Failure> {
    if known(store, tenant).await?.application.retention.legal_hold {
        return Err(Failure::LegalHold(tenant.clone()));
    }
    Ok(())
}

fn nothing(account: &AccountId, say: Say) -> Verdict {
    complain(&text!("über {account} ist nichts gespeichert", "nothing is stored about {account}"), say);
    Verdict::Faulty
}

/// Asks whoever is at the terminal.
fn confirm(account: &AccountId, say: Say) -> Result<bool, Failure> {
    let question = text!(
        "{account} und alles, was von dort freigegeben wurde, wird endgültig gelöscht. Zur Bestätigung die Kennung des Zugangs eingeben:",
        "{account} and all that it shared will be gone for good. Type the account's id to go on:"
    );
    complain(&question, say);
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(Failure::Output)?;
    Ok(answer.trim() == account.as_str())
}

/// One line on standard error.
fn complain(line: &Text, say: Say) {
    say.complain(&text!("zaehlwerk: {line}", "zaehlwerk: {line}"; line));
}
