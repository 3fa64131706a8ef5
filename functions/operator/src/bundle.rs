//! A tenant's folder: read whole, judged whole.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use desk::structure::{self, Shape, touches};
use domain::config::{Application, ContactInformationItem, MeterReadingInstruction};
use domain::config_check::{self, Bundle, CONTACT_FILE, HELP_FOLDER, INSTRUCTIONS_FILE, LOGO_FILE, TENANT_FILE, TRANSLATIONS_FOLDER};
use domain::fault::{Fault, FileFault};
use domain::network::Reach;
use domain::preset::{EXPORTS_FILE, Preset};
use domain::text;
use domain::text::Text;
use store::TenantBundle;

use crate::icons;

/// Largest text file in bytes; what is stored of it must fit into one item.
const TEXT_MAX_BYTES: u64 = 300 * 1024;

/// Reads the folder, whose tenant's own systems are within `reach`: a bundle without fault, or every fault that it has.
pub fn read(folder: &Path, reach: Reach) -> Result<TenantBundle, Vec<FileFault>> {
    let mut reader = Reader { folder, faults: Vec::new() };
    let application = reader.json(TENANT_FILE, structure::read::<Application>);
    let contact = reader.json(CONTACT_FILE, structure::read_list::<ContactInformationItem>);
    let instructions = reader.json(INSTRUCTIONS_FILE, structure::read_list::<MeterReadingInstruction>);
    let presets = if folder.join(EXPORTS_FILE).exists() { reader.json(EXPORTS_FILE, structure::read_map::<Preset>) } else { None };
    let translations =
        reader.texts(TRANSLATIONS_FOLDER, "json", |reader, file| reader.json(file, structure::read::<BTreeMap<String, String>>));
    let help = reader.texts(HELP_FOLDER, "md", Reader::text);
    let logo = reader.bytes(LOGO_FILE, u64::try_from(config_check::LOGO_MAX_BYTES).unwrap_or(u64::MAX)).unwrap_or_default();

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
    meaning.retain(|found| !shape.iter().any(|fault| fault.file == found.file && touches(&fault.fault.path, &found.fault.path)));
    let mut faults = shape;
    faults.extend(meaning);
    faults.sort();
    faults
}

fn unreadable(error: &io::Error) -> Text {
    text!("lässt sich nicht lesen: {error}", "cannot be read: {error}")
}

struct Reader<'a> {
    folder: &'a Path,
    faults: Vec<FileFault>,
}

impl Reader<'_> {
    fn fault(&mut self, file: &str, reason: Text) {
        self.faults.push(FileFault::new(file, "", reason));
    }

    fn bytes(&mut self, file: &str, max: u64) -> Option<Vec<u8>> {
        let path = self.folder.join(file);
        let size = fs::metadata(&path).map(|metadata| metadata.len());
        match size.and_then(|size| if size > max { Ok(None) } else { fs::read(&path).map(Some) }) {
            Ok(Some(bytes)) => return Some(bytes),
            Ok(None) => self.fault(file, text!("hat mehr als {most} KB", "has more than {most} KB", most = max / 1024)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.faults.push(FileFault { file: file.to_owned(), fault: Fault::missing("") });
            }
            Err(error) => self.fault(file, unreadable(&error)),
        }
        None
    }

    fn text(&mut self, file: &str) -> Option<String> {
        let text = String::from_utf8(self.bytes(file, TEXT_MAX_BYTES)?);
        if text.is_err() {
            self.fault(file, text!("ist kein Text in UTF-8", "is not text in UTF-8"));
        }
        text.ok()
    }

    fn json<T>(&mut self, file: &str, read: impl FnOnce(&str) -> Shape<T>) -> Option<T> {
        let text = self.text(file);
        let shape = read(text.as_deref().unwrap_or_default());
        if text.is_some() {
            self.faults.extend(shape.faults.into_iter().map(|fault| FileFault { file: file.to_owned(), fault }));
        }
        shape.value
    }

    /// One file a language; the folder may be absent, but whatever is in it must be such a file.
    fn texts<T>(&mut self, folder: &str, extension: &str, mut read: impl FnMut(&mut Self, &str) -> Option<T>) -> BTreeMap<String, T> {
        let names: io::Result<Vec<_>> = match fs::read_dir(self.folder.join(folder)) {
            Ok(entries) => entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned())).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        let names = names.unwrap_or_else(|error| {
            self.fault(folder, unreadable(&error));
            Vec::new()
        });
        let mut texts = BTreeMap::new();
        for name in names.into_iter().filter(|name| !name.starts_with('.')) {
            let file = format!("{folder}/{name}");
            match name.strip_suffix(extension).and_then(|stem| stem.strip_suffix('.')) {
                None => {
                    let reason = text!(
                        "gehört nicht hierher: {folder} enthält je Sprache eine Datei <Sprache>.{extension}",
                        "is not expected here: {folder} holds one file <language>.{extension} a language"
                    );
                    self.fault(&file, reason);
                }
                Some(language) => {
                    if let Some(text) = read(self, &file) {
                        texts.insert(language.to_owned(), text);
                    }
                }
            }
        }
        texts
    }
}
