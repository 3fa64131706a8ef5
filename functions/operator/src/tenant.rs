//! `zaehlwerk tenant apply` and `tenant fetch`.

use std::fs;
use std::path::Path;

use domain::config_check::{HELP_FOLDER, TRANSLATIONS_FOLDER};
use domain::fault::FileFault;
use domain::ids::TenantId;
use domain::network::Reach;
use domain::preset::EXPORTS_FILE;
use domain::text;
use domain::text::{Lang, counted};
use serde_json::{Value, json};
use store::Store;

use crate::{Failure, Say, Verdict, bundle, tell};
use desk::patiently;
use desk::settings::{self, Brought};

/// Puts the folder into effect, or reports every fault and changes nothing. What was put into effect at the desk is replaced only if it is the version `over_desk`.
pub async fn apply(store: &Store, folder: &Path, reach: Reach, over_desk: Option<&str>, by: &str, say: Say) -> Result<Verdict, Failure> {
    let bundle = match bundle::read(folder, reach) {
        Ok(bundle) => bundle,
        Err(faults) => return tell_faults(&faults, say),
    };
    let changed = match settings::bring(store, &bundle, over_desk, by).await? {
        Brought::Applied { changed } => changed,
        Brought::OfDesk(last) => {
            let (by, at, version) = (&last.by, last.at.strftime("%Y-%m-%d %H:%M UTC"), &last.version);
            let reason = text!(
                "{by} hat am Arbeitsplatz Einstellungen in Kraft gesetzt ({at}); `zaehlwerk tenant fetch` holt sie in den Ordner, `--over-desk {version}` ersetzt sie",
                "{by} put settings into effect at the desk ({at}); `zaehlwerk tenant fetch` gets them into the folder, `--over-desk {version}` replaces them"
            );
            return Err(desk::Failure::Refused(reason).into());
        }
    };
    let id = &bundle.application.application_id;
    let done = if changed { text!("übernommen", "applied") } else { text!("unverändert", "unchanged") };
    say.tell(&text!("{id}: {done}", "{id}: {done}"; done), &json!({ "applicationId": id, "changed": changed }))?;
    Ok(Verdict::Sound)
}

/// Writes the files that are in effect into the folder.
pub async fn fetch(store: &Store, tenant: &TenantId, folder: &Path, say: Say) -> Result<Verdict, Failure> {
    let live = patiently(|| store.tenant_in_effect(tenant)).await?;
    let (bundle, version) = live.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let files = bundle.files()?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| Failure::File { path, error }
    };
    for below in ["", TRANSLATIONS_FOLDER, HELP_FOLDER] {
        let below = folder.join(below);
        fs::create_dir_all(&below).map_err(failed(&below))?;
    }
    let texts = bundle::within(folder, TRANSLATIONS_FOLDER).into_iter().chain(bundle::within(folder, HELP_FOLDER)).flatten();
    let exports = folder.join(EXPORTS_FILE).exists().then(|| EXPORTS_FILE.to_owned());
    for file in texts.chain(exports).filter(|file| desk::bundle::is_file(file) && !files.contains_key(file)) {
        let path = folder.join(file);
        fs::remove_file(&path).map_err(failed(&path))?;
    }
    for (file, content) in &files {
        let path = folder.join(file);
        fs::write(&path, desk::bundle::readable(file, content)).map_err(failed(&path))?;
    }
    let count = counted(files.len(), ["Datei", "Dateien"], ["file", "files"]);
    say.tell(
        &text!("{tenant}: {count} geschrieben, Version {version}", "{tenant}: {count} written, version {version}"; count),
        &json!({ "applicationId": tenant, "version": version, "files": files.keys().collect::<Vec<_>>() }),
    )?;
    Ok(Verdict::Sound)
}

/// Every fault of a folder: on standard error for a person, or as one document for a program.
pub fn tell_faults(faults: &[FileFault], say: Say) -> Result<Verdict, Failure> {
    for fault in faults {
        say.complain(&fault.text());
    }
    if say.is_json() {
        let wire = |FileFault { file, fault }: &FileFault| json!({ "file": file, "path": fault.path, "reason": fault.reason.of(Lang::En) });
        let list: Vec<Value> = faults.iter().map(wire).collect();
        tell(json!({ "faults": list }))?;
    }
    Ok(Verdict::Faulty)
}
