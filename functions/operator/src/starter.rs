//! `zaehlwerk tenant new`, `tenant schema` and `tenant diff`.

use std::fs;
use std::path::Path;

use domain::config_check::TENANT_FILE;
use domain::ids::TenantId;
use domain::network::Reach;
use domain::preset::EXPORTS_FILE;
use domain::text;
use domain::text::{Lang, Text, counted};
use serde_json::{Value, json};
use store::Store;

use crate::{Failure, Say, Verdict, bundle, tell, tenant};
use desk::bundle::{Difference, schema_of};
use desk::patiently;

/// Begins a tenant's folder.
pub fn new(folder: &Path, id: &TenantId, name: &str, host: &str, say: Say) -> Result<Verdict, Failure> {
    if folder.exists() {
        return Err(Failure::Exists(folder.to_owned()));
    }
    let page = match say.lang {
        Lang::De => include_str!("../starter/README.de.md"),
        Lang::En => include_str!("../starter/README.md"),
    };
    let page = page.replace("{id}", id.as_str()).replace("{host}", host).replace("{name}", name);
    let besides: [(&str, Vec<u8>); 6] = [
        ("tenant.schema.json", format!("{:#}\n", schema_of(TENANT_FILE)).into()),
        ("README.md", page.into()),
        ("letter.txt", include_bytes!("../../desk/letters/de-FORMAL.txt").to_vec()),
        ("accounts.map.json", include_bytes!("../starter/accounts.map.json").to_vec()),
        ("exports.schema.json", format!("{:#}\n", schema_of(EXPORTS_FILE)).into()),
        ("jobs.map.json", include_bytes!("../starter/jobs.map.json").to_vec()),
    ];
    let besides = besides.map(|(file, content)| (file.to_owned(), content));
    for (file, content) in desk::starter::files(id, name, host).into_iter().chain(besides) {
        let path = folder.join(file);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, content));
        written.map_err(|error| Failure::File { path, error })?;
    }
    let shown = folder.display();
    let line = text!("{shown}: angelegt; weiter mit README.md darin", "{shown}: begun; see README.md there");
    say.tell(&line, &json!({ "folder": folder, "applicationId": id }))?;
    Ok(Verdict::Sound)
}

/// Prints the JSON Schema of [`TENANT_FILE`] or [`EXPORTS_FILE`].
pub fn schema(file: &str, say: Say) -> Result<Verdict, Failure> {
    let document = schema_of(file);
    say.tell(&Text::same(format!("{document:#}")), &document)?;
    Ok(Verdict::Sound)
}

/// Prints what `tenant apply` would change.
pub async fn diff(store: &Store, folder: &Path, reach: Reach, say: Say) -> Result<Verdict, Failure> {
    let new = match bundle::read(folder, reach) {
        Ok(new) => new,
        Err(faults) => return tenant::tell_faults(&faults, say),
    };
    let id = &new.application.application_id;
    let old = patiently(|| store.tenant_bundle(id)).await?;
    let changes = desk::bundle::differences(old.as_ref(), &new)?;
    if say.is_json() {
        let list: Vec<_> =
            changes.iter().map(|Difference { path, old, new }| json!({ "path": path, "stored": old, "folder": new })).collect();
        tell(json!({ "applicationId": id, "changes": list }))?;
    } else {
        for Difference { path, old, new } in &changes {
            match (old, new) {
                (Some(old), Some(new)) => say.line(&Text::same(format!("{path}: {} -> {}", shown(old), shown(new))))?,
                (None, Some(new)) => say.line(&text!("{path}: neu: {new}", "{path}: new: {new}", new = shown(new)))?,
                (Some(old), None) => say.line(&text!("{path}: entfällt: {old}", "{path}: gone: {old}", old = shown(old)))?,
                (None, None) => {}
            }
        }
        let count = counted(changes.len(), ["Unterschied", "Unterschiede"], ["difference", "differences"]);
        say.line(&text!("{id}: {count}", "{id}: {count}"; count))?;
    }
    Ok(if changes.is_empty() { Verdict::Sound } else { Verdict::Faulty })
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 80 { text.chars().take(79).chain(['…']).collect() } else { text }
}
