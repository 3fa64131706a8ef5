//! `zaehlwerk imports`.

use desk::imports;
use domain::ids::{ImportId, TenantId};
use domain::text;
use domain::text::counted;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;
use store::Store;

use crate::text::word;
use crate::{Failure, Say, Verdict, tell};

/// How many characters of a file's hash tell it apart.
const SHOWN_OF_HASH: usize = 12;

/// Prints the imports, each with the time in the tenant's time zone at which it began.
pub async fn list(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let settings = desk::known(store, tenant).await?;
    let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
    let imports = imports::list(store, tenant).await?;
    if say.is_json() {
        tell(json!({ "imports": imports }))?;
        return Ok(Verdict::Sound);
    }
    for run in &imports {
        let counts = run.counts.iter().map(|(name, count)| format!("{} {count}", word(name, say.lang))).collect::<Vec<_>>().join(", ");
        let state = match (run.undone, run.ended) {
            (Some(_), _) => text!("zurückgenommen", "undone"),
            (None, Some(_)) => text!("fertig", "done"),
            (None, None) => text!("nicht beendet", "not ended"),
        };
        let (id, kind, by, file) = (&run.id, word(&run.kind, say.lang), &run.by, &run.file);
        let begun = run.begun.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
        let hash: String = run.sha256.chars().take(SHOWN_OF_HASH).collect();
        let of = format!("{id}  {begun}  {kind}  {by}  {file}  {hash}");
        say.line(&text!("{of}  {state}  {counts}", "{of}  {state}  {counts}"; state))?;
    }
    say.line(&counted(imports.len(), ["Import", "Importe"], ["import", "imports"]))?;
    Ok(Verdict::Sound)
}

/// Takes an import back.
pub async fn undo(store: &Store, tenant: &TenantId, id: &ImportId, say: Say) -> Result<Verdict, Failure> {
    let report = imports::undo(store, tenant, id, Timestamp::now(), async |_| Ok(())).await?;
    for kept in &report.kept {
        say.complain(&kept.text());
    }
    let (removed, restored) = (report.removed, report.restored);
    let kept = counted(report.kept.len(), ["bleibt", "bleiben"], ["stays", "stay"]);
    let line = text!(
        "Import {id}: {removed} entfernt, {restored} zurückgesetzt, {kept}",
        "import {id}: {removed} removed, {restored} restored, {kept}";
        kept
    );
    say.tell(&line, &json!({ "import": id, "undone": report }))?;
    Ok(if report.kept.is_empty() { Verdict::Sound } else { Verdict::Faulty })
}
