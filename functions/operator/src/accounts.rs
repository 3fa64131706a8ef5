//! `zaehlwerk accounts import`, and new login data for an account.

use std::collections::HashSet;
use std::path::Path;

use desk::import::{AccountsOptions, AccountsReport, ImportReport, LetterBook, import_accounts};
use desk::letters::{Letter, Renewal, link};
use desk::patiently;
use domain::config::Application;
use domain::ids::{AccountId, TenantId};
use domain::login::link_token;
use domain::text;
use domain::text::Lang;
use jiff::Timestamp;
use serde_json::json;
use store::{Account, Effect, Store, Tenant};

use crate::cli::Input;
use crate::import::{self, Opened, Watcher};
use crate::letters::Letters;
use crate::{Failure, Say, Verdict};

/// Brings the file's accounts in and writes a letter for each that is new.
pub async fn import(store: &Store, tenant: &TenantId, input: &Input, letters: &Path, by: &str, say: Say) -> Result<Verdict, Failure> {
    let letters = Letters::begin(letters)?;
    let opened = Opened::of(input)?;
    let run = match input.effect() {
        Effect::Tried => None,
        Effect::Stored => Some(import::begun(store, tenant, input, &opened, "accounts", None, by).await?),
    };
    let id = run.as_ref().map(|run| run.id.clone());
    let options = AccountsOptions { effect: input.effect(), import: id.as_ref(), letters: Some(letters) };
    let AccountsReport { lines: report, warnings, letters, .. } = bring_in(store, tenant, (input, &opened), options, say).await?;
    if let Some(run) = run {
        desk::imports::end(store, tenant, run, report.counts, None, Timestamp::now()).await?;
    }
    for warning in &warnings {
        let file = input.file.display();
        say.complain(&text!("{file}: Warnung: {warning}", "{file}: warning: {warning}"; warning));
    }
    let count = match letters {
        Some(letters) if !input.dry_run => letters.finish()?,
        _ => 0,
    };
    let (tried, counts) = (input.tried(), report.counts.text());
    let warnings: Vec<_> = warnings.iter().map(|warning| warning.of(Lang::En)).collect();
    let faults = import::document(&report.faults);
    say.tell(
        &text!("{tried}Zugänge: {counts}; {count} Anschreiben", "{tried}accounts: {counts}; {count} letters"; tried, counts),
        &json!({ "dryRun": input.dry_run, "accounts": report.counts, "letters": count, "warnings": warnings, "faults": faults, "import": id }),
    )?;
    Ok(if report.counts.faulty == 0 { Verdict::Sound } else { Verdict::Faulty })
}

/// The letters of a trial, which writes none.
struct NoLetters;

impl LetterBook for NoLetters {
    type Error = Failure;

    fn earlier(&self, _account: &AccountId) -> Option<&Letter> {
        None
    }

    fn write(&mut self, _letter: &Letter) -> Result<(), Failure> {
        Ok(())
    }

    fn withdraw(&mut self, _account: &AccountId) {}
}

/// Checks the file, and answers which accounts there will be; nothing is written and no password is made.
pub async fn rehearse(store: &Store, tenant: &TenantId, input: &Input, say: Say) -> Result<(ImportReport, HashSet<AccountId>), Failure> {
    let options = AccountsOptions { effect: Effect::Tried, import: None, letters: Some(NoLetters) };
    let report = bring_in(store, tenant, (input, &Opened::of(input)?), options, say).await?;
    Ok((report.lines, report.coming))
}

async fn bring_in<B: LetterBook>(
    store: &Store,
    tenant: &TenantId,
    (input, opened): (&Input, &Opened),
    options: AccountsOptions<'_, B>,
    say: Say,
) -> Result<AccountsReport<B>, Failure>
where
    Failure: From<B::Error>,
{
    let mut watcher = Watcher::begin(input, opened, text!("Zugänge", "accounts"), say)?;
    match import_accounts(store, tenant, &opened.source(), options, &mut watcher).await {
        Ok(report) => watcher.through(&report.lines).map(|()| report),
        Err(stopped) => Err(watcher.stopped(stopped)),
    }
}

/// Gives an account a new password and a new link, which ends the old ones, and with `end_shares` what was shared with them; the user name stays. The
/// letter is on disk before.
pub async fn renew(
    store: &Store,
    application: &Application,
    account: &Account,
    end_shares: bool,
    letters: &mut Letters,
) -> Result<(), Failure> {
    let earlier = letters.earlier(&account.id);
    let renewal = Renewal::of(application, account, earlier)?;
    if earlier != Some(&renewal.letter) {
        letters.write(&renewal.letter)?;
    }
    Ok(renewal.store(store, application, end_shares).await?)
}

/// Gives an account one more link; user name, password, earlier links and sessions stay. The letter is on disk before.
pub async fn add_link(store: &Store, settings: &Tenant, account: &Account, letters: &mut Letters) -> Result<(), Failure> {
    let earlier = letters.earlier(&account.id).cloned();
    let token = match &earlier {
        Some(letter) => letter.token.clone(),
        None => link_token(store::random()?),
    };
    let letter = Letter::of(&settings.application, account, (account.username.clone().unwrap_or_default(), None), token.clone());
    if earlier.as_ref() != Some(&letter) {
        letters.write(&letter)?;
    }
    let link = link(&token);
    patiently(|| store.add_link(&settings.application.application_id, &account.id, &link)).await?;
    Ok(())
}
