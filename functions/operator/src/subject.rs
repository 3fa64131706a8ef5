//! `zaehlwerk subject`: what is stored about a person, and its erasure (GDPR, Art. 15 and 17).

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::path::Path;

use desk::erasure;
use domain::ids::{AccountId, TenantId};
use domain::text;
use domain::text::{Text, counted};
use serde_json::json;
use store::{Erased, ErasureRecord, Photos, Store};

use crate::audit::{self, About};
use crate::{Failure, Say, Verdict, tell};

/// Prints everything about an account and the accounts below it.
pub async fn show(store: &Store, tenant: &TenantId, account: &AccountId, say: Say) -> Result<Verdict, Failure> {
    desk::known(store, tenant).await?;
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
    (by, confirmed): (&str, bool),
    say: Say,
) -> Result<Verdict, Failure> {
    erasure::allowed(store, tenant, Some(account)).await?;
    if store.subject(tenant, account).await?.is_empty() {
        let verdict = nothing(account, say);
        if say.is_json() {
            tell(json!({ "account": null }))?;
        }
        return Ok(verdict);
    }
    if !confirmed && !confirm(account, say)? {
        complain(&text!("nichts wurde gelöscht", "nothing was erased"), say);
        if say.is_json() {
            tell(json!({ "account": account, "confirmed": false }))?;
        }
        return Ok(Verdict::Faulty);
    }
    audit::keep(store, tenant, by, "subject erase", &About::Account(account.clone())).await?;
    let Erased { items, objects, .. } = erasure::erase(store, photos, tenant, account).await?;
    let of_table = counted(items, ["Eintrag", "Einträge"], ["item", "items"]);
    let of_photos = counted(objects, ["Fassung", "Fassungen"], ["version", "versions"]);
    let line = text!(
        "{account}: {of_table} und {of_photos} von Fotos gelöscht",
        "{account}: {of_table} and {of_photos} of photos erased";
        of_table, of_photos
    );
    say.tell(&line, &json!({ "account": account, "items": items, "objects": objects }))?;
    Ok(Verdict::Sound)
}

/// Prints the list of erasures, which names nobody.
pub async fn erasures(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    desk::known(store, tenant).await?;
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
    erasure::allowed(store, tenant, None).await?;
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
    let again = erasure::again(store, photos, tenant, &wanted).await?;
    let listed = counted(wanted.len(), ["Löschung", "Löschungen"], ["erasure", "erasures"]);
    let accounts = counted(again, ["Zugang", "Zugänge"], ["account", "accounts"]);
    say.tell(
        &text!(
            "{listed} in der Liste, {accounts} erneut gelöscht",
            "{listed} in the list, {accounts} erased again";
            listed, accounts
        ),
        &json!({ "listed": wanted.len(), "erasedAgain": again }),
    )?;
    Ok(verdict)
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
