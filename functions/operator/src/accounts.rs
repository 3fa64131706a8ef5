//! `zaehlwerk accounts import`.

use std::collections::HashSet;
use std::path::Path;

use desk::import::{AccountsOptions, AccountsReport, Compared, ImportReport, LetterBook, import_accounts};
use desk::letters::Letter;
use domain::ids::{AccountId, TenantId};
use domain::text;
use domain::text::counted;
use jiff::Timestamp;
use serde_json::json;
use store::{Effect, ImportRun, Store};

use crate::cli::Input;
use crate::import::{self, Opened, Watcher};
use crate::letters::{self, Letters};
use crate::{Failure, Say, Verdict};

/// Brings the file's accounts in, and writes a letter for each that is new where there is a file for them.
pub async fn import(
    store: &Store,
    tenant: &TenantId,
    input: &Input,
    letters: Option<&Path>,
    by: &str,
    say: Say,
) -> Result<Verdict, Failure> {
    let done = carry_out(store, tenant, input, letters, by, say).await;
    match letters {
        Some(path) => letters::told(done, path, say),
        None => done,
    }
}

async fn carry_out(
    store: &Store,
    tenant: &TenantId,
    input: &Input,
    letters: Option<&Path>,
    by: &str,
    say: Say,
) -> Result<Verdict, Failure> {
    let letters = letters.map(Letters::begin).transpose()?;
    let opened = Opened::of(input)?;
    let run = match input.effect() {
        Effect::Tried => None,
        Effect::Stored => Some(import::begun(store, tenant, input, &opened, "accounts", None, by).await?),
    };
    let id = run.as_ref().map(|run| run.id.clone());
    let AccountsReport { lines: report, warnings, letters, .. } =
        bring_in(store, tenant, (input, &opened), letters, run.as_ref(), say).await?;
    if let Some(run) = run {
        desk::imports::end(store, tenant, run, (report.counts, None), Some(Timestamp::now())).await?;
    }
    import::warn(&warnings, input, say);
    let count = match letters {
        Some(letters) if !input.dry_run => letters.finish()?,
        _ => 0,
    };
    let (tried, counts) = (input.tried(), report.counts.text());
    let written = counted(count, ["Anschreiben", "Anschreiben"], ["letter", "letters"]);
    let warnings = import::in_english(&warnings);
    let faults = import::document(&report.faults);
    say.tell(
        &text!("{tried}Zugänge: {counts}; {written}", "{tried}accounts: {counts}; {written}"; tried, counts, written),
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

    fn withdraw(&mut self, _account: &AccountId) -> Result<(), Failure> {
        Ok(())
    }
}

/// Checks the file, and answers which accounts there will be; nothing is written and no password is made.
pub async fn rehearse(store: &Store, tenant: &TenantId, input: &Input, say: Say) -> Result<(ImportReport, HashSet<AccountId>), Failure> {
    let report = bring_in(store, tenant, (input, &Opened::of(input)?), Some(NoLetters), None, say).await?;
    Ok((report.lines, report.coming))
}

async fn bring_in<B: LetterBook>(
    store: &Store,
    tenant: &TenantId,
    (input, opened): (&Input, &Opened),
    letters: Option<B>,
    run: Option<&ImportRun>,
    say: Say,
) -> Result<AccountsReport<B>, Failure>
where
    Failure: From<B::Error>,
{
    let compared = Compared::default();
    let options = AccountsOptions { effect: input.effect(), import: run.map(|run| &run.id), letters, compared: &compared };
    let mut watcher = Watcher::begin(input, opened, text!("Zugänge", "accounts"), say)?;
    match import_accounts(store, tenant, &opened.source(), options, &mut watcher).await {
        Ok(report) => watcher.through(&report.lines).map(|()| report),
        Err(stopped) => {
            import::note_stop(store, tenant, run, &stopped.report).await;
            Err(watcher.stopped(stopped))
        }
    }
}
