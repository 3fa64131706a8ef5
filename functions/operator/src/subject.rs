//! `zaehlwerk subject`: what is stored about a person, and its erasure (GDPR, Art. 15 and 17).

use std::io::{self, BufRead};
use std::path::Path;

use desk::erasure::{self, Listed};
use domain::ids::{AccountId, TenantId};
use domain::text;
use domain::text::{Text, counted};
use serde::de::DeserializeOwned;
use serde_json::json;
use store::{Erased, Hold, Photos, Store};

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

/// Prints the list of erasures, which names no customer.
pub async fn erasures(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let listed = erasure::list(store, tenant).await?;
    if say.is_json() {
        tell(json!({ "tenant": tenant, "erasures": listed }))?;
    } else {
        for erasure in listed {
            tell(json!(erasure))?;
        }
    }
    Ok(Verdict::Sound)
}

/// Prints whose data is held.
pub async fn holds(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    desk::known(store, tenant).await?;
    let holds = store.holds(tenant).await?;
    if say.is_json() {
        tell(json!({ "tenant": tenant, "holds": holds.list() }))?;
    } else {
        for hold in holds.list() {
            tell(json!(hold))?;
        }
    }
    Ok(Verdict::Sound)
}

/// Has those hold in a restored table that did in the one before, and erases again whom a list of erasures has.
pub async fn replay(
    store: &Store,
    photos: &Photos,
    tenant: &TenantId,
    (file, holds): (&Path, Option<&Path>),
    say: Say,
) -> Result<Verdict, Failure> {
    erasure::allowed(store, tenant, None).await?;
    let (mut listed, mut verdict) = (Vec::new(), Verdict::Sound);
    for line in lines::<Listed>(file)? {
        match line {
            Ok(erasure) => listed.push(erasure),
            Err(line) => {
                let reason =
                    text!("{line}: ist keine Zeile von `zaehlwerk subject erasures`", "{line}: is no line of `zaehlwerk subject erasures`");
                complain(&reason, say);
                verdict = Verdict::Faulty;
            }
        }
    }
    if let Some(holds) = holds {
        let unknown = |line: String| {
            desk::Failure::Refused(text!(
                "{line}: ist keine Zeile von `zaehlwerk subject holds`; nichts wurde gelöscht",
                "{line}: is no line of `zaehlwerk subject holds`; nothing was erased"
            ))
        };
        let holds = lines::<Hold>(holds)?.into_iter().collect::<Result<Vec<_>, _>>().map_err(unknown)?;
        erasure::hold_only(store, tenant, &holds).await?;
    }
    let again = erasure::again(store, photos, tenant, &listed).await?;
    let count = listed.len();
    let listed = counted(count, ["Löschung", "Löschungen"], ["erasure", "erasures"]);
    let accounts = counted(again, ["Zugang", "Zugänge"], ["account", "accounts"]);
    say.tell(
        &text!(
            "{listed} in der Liste, {accounts} erneut gelöscht",
            "{listed} in the list, {accounts} erased again";
            listed, accounts
        ),
        &json!({ "listed": count, "erasedAgain": again }),
    )?;
    Ok(verdict)
}

/// What the lines of a file say; of one that says something else, where it is.
fn lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<Result<T, String>>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::File { path: file.to_owned(), error })?;
    let read = |(index, line)| serde_json::from_str(line).map_err(|_| format!("{}:{}", file.display(), index + 1));
    Ok(text.lines().enumerate().map(read).collect())
}

fn nothing(account: &AccountId, say: Say) -> Verdict {
    complain(&text!("über {account} ist nichts gespeichert", "nothing is stored about {account}"), say);
    Verdict::Faulty
}

/// Asks the clerk at the terminal.
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
