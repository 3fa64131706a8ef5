//! `zaehlwerk tenant new`, `tenant schema` and `tenant diff`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use domain::config::Application;
use domain::config_check::TENANT_FILE;
use domain::ids::TenantId;
use domain::network::Reach;
use domain::preset::{EXPORTS_FILE, Preset};
use domain::text;
use domain::text::{Lang, Text};
use serde_json::{Map, Value, json};
use store::{Store, TenantBundle};

use crate::{Failure, Say, Verdict, bundle, tell, tenant};
use desk::patiently;
use desk::structure;

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
        ("tenant.schema.json", format!("{:#}\n", document(TENANT_FILE)).into()),
        ("README.md", page.into()),
        ("letter.txt", include_bytes!("../../desk/letters/de-FORMAL.txt").to_vec()),
        ("accounts.map.json", include_bytes!("../starter/accounts.map.json").to_vec()),
        ("exports.schema.json", format!("{:#}\n", document(EXPORTS_FILE)).into()),
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
    let document = document(file);
    say.tell(&Text::same(format!("{document:#}")), &document)?;
    Ok(Verdict::Sound)
}

/// The schema as editors read it (JSON Schema 2020-12).
fn document(file: &str) -> Value {
    let structure::Schema { mut root, parts } = if file == EXPORTS_FILE {
        let mut schema = structure::schema_of_map::<Preset>();
        schema.root["properties"] = json!({ "$schema": { "type": "string" } });
        schema
    } else {
        structure::schema_of::<Application>()
    };
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!(file);
    root["$defs"] = Value::Object(parts);
    strict(&mut root);
    root
}

/// References within the document, and no member that the type does not know.
fn strict(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref") {
                *reference = reference.replace("#/components/schemas/", "#/$defs/");
            }
            if members.contains_key("properties") {
                members.entry("additionalProperties").or_insert(json!(false));
            }
            members.values_mut().for_each(strict);
        }
        Value::Array(items) => items.iter_mut().for_each(strict),
        _ => {}
    }
}

/// Prints what `tenant apply` would change.
pub async fn diff(store: &Store, folder: &Path, reach: Reach, say: Say) -> Result<Verdict, Failure> {
    let new = match bundle::read(folder, reach) {
        Ok(new) => new,
        Err(faults) => return tenant::tell_faults(&faults, say),
    };
    let id = &new.application.application_id;
    let old = patiently(|| store.tenant_bundle(id)).await?;
    let before = old.as_ref().map(flat).transpose()?.unwrap_or_default();
    let after = flat(&new)?;
    let mut changes = Vec::new();
    for (path, value) in &before {
        if after.get(path) != Some(value) {
            changes.push((path, Some(value), after.get(path)));
        }
    }
    changes.extend(after.iter().filter(|(path, _)| !before.contains_key(*path)).map(|(path, value)| (path, None, Some(value))));
    changes.sort_by_key(|(path, ..)| *path);
    if say.is_json() {
        let list: Vec<_> = changes.iter().map(|(path, old, new)| json!({ "path": path, "stored": old, "folder": new })).collect();
        tell(json!({ "applicationId": id, "changes": list }))?;
    } else {
        for (path, old, new) in &changes {
            match (old, new) {
                (Some(old), Some(new)) => say.line(&Text::same(format!("{path}: {} -> {}", shown(old), shown(new))))?,
                (None, Some(new)) => say.line(&text!("{path}: neu: {new}", "{path}: new: {new}", new = shown(new)))?,
                (Some(old), None) => say.line(&text!("{path}: entfällt: {old}", "{path}: gone: {old}", old = shown(old)))?,
                (None, None) => {}
            }
        }
        say.line(&text!("{id}: {count} Unterschiede", "{id}: {count} differences", count = changes.len()))?;
    }
    Ok(if changes.is_empty() { Verdict::Sound } else { Verdict::Faulty })
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 80 { text.chars().take(79).chain(['…']).collect() } else { text }
}

/// Every value of the bundle under its file and path.
fn flat(bundle: &TenantBundle) -> Result<BTreeMap<String, Value>, Failure> {
    let document = |value: Result<Value, serde_json::Error>| value.map_err(|error| Failure::Output(error.into()));
    let mut files = Map::new();
    files.insert("tenant.json".into(), document(serde_json::to_value(&bundle.application))?);
    files.insert("contact.json".into(), document(serde_json::to_value(&bundle.contact))?);
    files.insert("instructions.json".into(), document(serde_json::to_value(&bundle.instructions))?);
    if !bundle.presets.is_empty() {
        files.insert(EXPORTS_FILE.into(), document(serde_json::to_value(&bundle.presets))?);
    }
    files.insert("logo.png".into(), json!(format!("{} bytes, {:016x}", bundle.logo.len(), checksum(&bundle.logo))));
    for (language, texts) in &bundle.translations {
        files.insert(format!("translations/{language}.json"), document(serde_json::to_value(texts))?);
    }
    for (language, text) in &bundle.help {
        files.insert(format!("help/{language}.md"), json!(text));
    }
    let mut flat = BTreeMap::new();
    for (file, value) in files {
        walk(&mut flat, &format!("{file}: "), "", value);
    }
    Ok(flat)
}

fn walk(flat: &mut BTreeMap<String, Value>, file: &str, path: &str, value: Value) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                let below = if path.is_empty() { name } else { format!("{path}.{name}") };
                walk(flat, file, &below, member);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (place, item) in items.into_iter().enumerate() {
                walk(flat, file, &format!("{path}[{place}]"), item);
            }
        }
        value => drop(flat.insert(format!("{file}{path}").trim_end_matches(": ").to_owned(), value)),
    }
}

/// FNV-1a, to tell two pictures of the same size apart.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
