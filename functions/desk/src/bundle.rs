//! A tenant's bundle: the files of its folder, read whole, judged whole.

use std::collections::{BTreeMap, BTreeSet};

use domain::config::{Application, ContactInformationItem, MeterReadingInstruction};
use domain::config_check::{self, Bundle, CONTACT_FILE, HELP_FOLDER, INSTRUCTIONS_FILE, LOGO_FILE, TENANT_FILE, TRANSLATIONS_FOLDER};
use domain::fault::{Fault, FileFault};
use domain::network::Reach;
use domain::preset::{EXPORTS_FILE, Preset};
use domain::text;
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::{TenantBundle, TenantFiles};

use crate::structure::{self, Shape, touches};
use crate::{Failure, icons, letters};

/// Largest text file in bytes; what is stored of it must fit into one item.
pub const TEXT_MAX_BYTES: usize = 300 * 1024;

/// Reads the files of a folder, whose tenant's own systems are within `reach`: a bundle without fault, or every fault that it has. `unreadable` are files that are there
/// and could not be had.
///
/// # Errors
/// All faults, sorted by file and path.
pub fn read(files: &TenantFiles, unreadable: Vec<FileFault>, reach: Reach) -> Result<TenantBundle, Vec<FileFault>> {
    let mut reader = Reader { files, faults: unreadable };
    let application = reader.json(TENANT_FILE, structure::read::<Application>);
    let contact = reader.json(CONTACT_FILE, structure::read_list::<ContactInformationItem>);
    let instructions = reader.json(INSTRUCTIONS_FILE, structure::read_list::<MeterReadingInstruction>);
    let presets = if files.contains_key(EXPORTS_FILE) { reader.json(EXPORTS_FILE, structure::read_map::<Preset>) } else { None };
    let translations = reader.texts(TRANSLATIONS_FOLDER, "json", |reader, file| reader.json(file, read_texts));
    let help = reader.texts(HELP_FOLDER, "md", Reader::text);
    let logo = reader.bytes(LOGO_FILE).unwrap_or_default();

    let shape = reader.faults;
    let Some(application) = application else { return Err(shape) };
    let bundle = TenantBundle {
        application,
        translations,
        help,
        contact: contact.unwrap_or_default(),
        instructions: instructions.unwrap_or_default(),
        presets: presets.unwrap_or_default(),
        logo,
        icons: BTreeMap::new(),
    };
    let faults = with_meaning(shape, &bundle, reach);
    if !faults.is_empty() {
        return Err(faults);
    }
    let icons = icons::draw(&bundle.logo, &bundle.application.theme.header_color).map_err(|error| {
        vec![FileFault::new(LOGO_FILE, "", text!("lässt sich nicht als PNG lesen: {error}", "cannot be read as a PNG: {error}"))]
    })?;
    Ok(TenantBundle { icons, ..bundle })
}

/// The content as it is kept once it is in effect, so that what says the same is the same; unchanged where it has a fault.
pub fn canonical(file: &str, content: &[u8]) -> Vec<u8> {
    fn written<T: Serialize>(shape: Shape<T>) -> Option<Vec<u8>> {
        shape.value.filter(|_| shape.faults.is_empty()).and_then(|value| serde_json::to_vec(&value).ok())
    }
    let text = str::from_utf8(content).ok();
    let written = text.and_then(|text| match file {
        TENANT_FILE => written(structure::read::<Application>(text)),
        CONTACT_FILE => written(structure::read_list::<ContactInformationItem>(text)),
        INSTRUCTIONS_FILE => written(structure::read_list::<MeterReadingInstruction>(text)),
        EXPORTS_FILE => written(structure::read_map::<Preset>(text)),
        _ if language(file, TRANSLATIONS_FOLDER, "json").is_some() => written(read_texts(text)),
        _ => None,
    });
    written.unwrap_or_else(|| content.to_vec())
}

/// The content as people read it: a document with a line for each value.
pub fn readable(file: &str, content: &[u8]) -> Vec<u8> {
    fn pretty(document: &impl Serialize) -> Option<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(document).ok()?;
        text.push(b'\n');
        Some(text)
    }
    let readable = match file {
        // In the order of its fields.
        TENANT_FILE => application(content).as_ref().and_then(pretty),
        LOGO_FILE => None,
        _ => serde_json::from_slice::<Value>(content).ok().as_ref().and_then(pretty),
    };
    readable.unwrap_or_else(|| content.to_vec())
}

/// What [`TENANT_FILE`] says; none where that has a fault.
pub fn application(content: &[u8]) -> Option<Application> {
    let Shape { value, faults } = structure::read(str::from_utf8(content).ok()?);
    value.filter(|_| faults.is_empty())
}

/// The schema of [`TENANT_FILE`] or [`EXPORTS_FILE`], as editors read it (JSON Schema 2020-12).
pub fn schema_of(file: &str) -> Value {
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

/// A value that two bundles do not have in common.
#[derive(Debug, PartialEq)]
pub struct Difference {
    /// The file, and where in it.
    pub path: String,
    /// The value of the first one there.
    pub old: Option<Value>,
    /// The value of the second one there.
    pub new: Option<Value>,
}

/// In what a bundle differs from an older one, sorted by path.
///
/// # Errors
/// [`Failure::Unwritable`]: one of them cannot be written as a document.
pub fn differences(old: Option<&TenantBundle>, new: &TenantBundle) -> Result<Vec<Difference>, Failure> {
    let mut old = old.map(flat).transpose()?.unwrap_or_default();
    let mut new = flat(new)?;
    let paths: BTreeSet<_> = old.keys().chain(new.keys()).cloned().collect();
    let pairs = paths.into_iter().map(|path| Difference { old: old.remove(&path), new: new.remove(&path), path });
    Ok(pairs.filter(|pair| pair.old != pair.new).collect())
}

/// Whether a folder may have a file of this name.
pub fn is_file(name: &str) -> bool {
    let sound = |language: &str| {
        (2..=20).contains(&language.len()) && language.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    };
    [TENANT_FILE, CONTACT_FILE, INSTRUCTIONS_FILE, EXPORTS_FILE, LOGO_FILE].contains(&name)
        || language(name, TRANSLATIONS_FOLDER, "json").or_else(|| language(name, HELP_FOLDER, "md")).is_some_and(sound)
}

fn read_texts(text: &str) -> Shape<BTreeMap<String, String>> {
    structure::read::<BTreeMap<String, String>>(text)
}

fn language<'a>(file: &'a str, folder: &str, extension: &str) -> Option<&'a str> {
    file.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(extension)?.strip_suffix('.')
}

/// The faults of shape and those of meaning, without what only follows from a fault of shape at the same place.
fn with_meaning(shape: Vec<FileFault>, bundle: &TenantBundle, reach: Reach) -> Vec<FileFault> {
    let view = Bundle {
        application: &bundle.application,
        translations: &bundle.translations,
        help: &bundle.help,
        contact: &bundle.contact,
        instructions: &bundle.instructions,
        presets: &bundle.presets,
        logo: &bundle.logo,
        reach,
    };
    let mut meaning = config_check::check(&view);
    if !shape.iter().any(|fault| fault.file == TENANT_FILE && touches(&fault.fault.path, "languages")) {
        meaning.extend(config_check::check_languages(&view));
    }
    meaning.extend(own_texts(bundle));
    meaning.retain(|found| !shape.iter().any(|fault| fault.file == found.file && touches(&fault.fault.path, &found.fault.path)));
    let mut faults = shape;
    faults.extend(meaning);
    faults.sort();
    faults
}

/// Every value of the bundle under its file and path.
fn flat(bundle: &TenantBundle) -> Result<BTreeMap<String, Value>, Failure> {
    let document = |value: Result<Value, serde_json::Error>| value.map_err(|error| Failure::Unwritable(error.into()));
    let mut files = Map::new();
    files.insert(TENANT_FILE.into(), document(serde_json::to_value(&bundle.application))?);
    files.insert(CONTACT_FILE.into(), document(serde_json::to_value(&bundle.contact))?);
    files.insert(INSTRUCTIONS_FILE.into(), document(serde_json::to_value(&bundle.instructions))?);
    if !bundle.presets.is_empty() {
        files.insert(EXPORTS_FILE.into(), document(serde_json::to_value(&bundle.presets))?);
    }
    files.insert(LOGO_FILE.into(), json!(format!("{} bytes, {:016x}", bundle.logo.len(), checksum(&bundle.logo))));
    for (language, texts) in &bundle.translations {
        files.insert(format!("{TRANSLATIONS_FOLDER}/{language}.json"), document(serde_json::to_value(texts))?);
    }
    for (language, text) in &bundle.help {
        files.insert(format!("{HELP_FOLDER}/{language}.md"), json!(text));
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

/// What is wrong with the tenant's texts of mails and letters.
fn own_texts(TenantBundle { application, translations, .. }: &TenantBundle) -> Vec<FileFault> {
    let mut faults = Vec::new();
    let letter = &application.desk.letter;
    let footer = letter.footer.iter().enumerate().map(|(place, line)| (format!("desk.letter.footer[{place}]"), line));
    for (path, line) in footer.chain([("desk.letter.senderLine".to_owned(), &letter.sender_line)]) {
        faults.extend(letters::unprintable(line).map(|reason| FileFault::new(TENANT_FILE, path, reason)));
    }
    for (language, texts) in translations {
        for (key, text) in texts {
            let reason = if key.starts_with(mail::texts::AREA) {
                mail::texts::fault(language, key, text)
            } else if key.starts_with(letters::AREA) {
                letters::fault(application, translations, language, key, text)
            } else {
                None
            };
            faults.extend(reason.map(|reason| FileFault::new(format!("{TRANSLATIONS_FOLDER}/{language}.json"), key, reason)));
        }
    }
    faults
}

struct Reader<'a> {
    files: &'a TenantFiles,
    faults: Vec<FileFault>,
}

impl Reader<'_> {
    fn bytes(&mut self, file: &str) -> Option<Vec<u8>> {
        let found = self.files.get(file);
        if found.is_none() && !self.faults.iter().any(|fault| fault.file == file) {
            self.faults.push(FileFault { file: file.to_owned(), fault: Fault::missing("") });
        }
        found.cloned()
    }

    fn text(&mut self, file: &str) -> Option<String> {
        let bytes = self.bytes(file)?;
        let text = if bytes.len() > TEXT_MAX_BYTES {
            Err(text!("hat mehr als {most} KB", "has more than {most} KB", most = TEXT_MAX_BYTES / 1024))
        } else {
            String::from_utf8(bytes).map_err(|_| text!("ist kein Text in UTF-8", "is not text in UTF-8"))
        };
        text.map_err(|reason| self.faults.push(FileFault::new(file, "", reason))).ok()
    }

    fn json<T>(&mut self, file: &str, read: impl FnOnce(&str) -> Shape<T>) -> Option<T> {
        let text = self.text(file);
        let shape = read(text.as_deref().unwrap_or_default());
        if text.is_some() {
            self.faults.extend(shape.faults.into_iter().map(|fault| FileFault { file: file.to_owned(), fault }));
        }
        shape.value
    }

    /// One file a language; there may be none, but each file in the folder must be one.
    fn texts<T>(&mut self, folder: &str, extension: &str, mut read: impl FnMut(&mut Self, &str) -> Option<T>) -> BTreeMap<String, T> {
        let below = format!("{folder}/");
        let mut texts = BTreeMap::new();
        for file in self.files.keys().filter(|file| file.starts_with(&below)) {
            match language(file, folder, extension) {
                None => {
                    let reason = text!(
                        "gehört nicht hierher: {folder} enthält je Sprache eine Datei <Sprache>.{extension}",
                        "is not expected here: {folder} holds one file <language>.{extension} a language"
                    );
                    self.faults.push(FileFault::new(file, "", reason));
                }
                Some(language) => {
                    if let Some(text) = read(self, file) {
                        texts.insert(language.to_owned(), text);
                    }
                }
            }
        }
        texts
    }
}
