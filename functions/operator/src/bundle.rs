//! A tenant's folder.

use std::path::Path;
use std::{fs, io};

use domain::config_check::{CONTACT_FILE, HELP_FOLDER, INSTRUCTIONS_FILE, LOGO_FILE, TENANT_FILE, TRANSLATIONS_FOLDER};
use domain::fault::FileFault;
use domain::network::Reach;
use domain::preset::EXPORTS_FILE;
use domain::text;
use domain::text::Text;
use store::{TenantBundle, TenantFiles};

/// Reads the folder, whose tenant's own systems are within `reach`: a bundle without fault, or every fault that it has.
pub fn read(folder: &Path, reach: Reach) -> Result<TenantBundle, Vec<FileFault>> {
    let mut files = TenantFiles::new();
    let mut unreadable = Vec::new();
    let names = [TENANT_FILE, CONTACT_FILE, INSTRUCTIONS_FILE, EXPORTS_FILE, LOGO_FILE].map(str::to_owned);
    let below = [TRANSLATIONS_FOLDER, HELP_FOLDER].map(|below| {
        within(folder, below).unwrap_or_else(|error| {
            unreadable.push(FileFault::new(below, "", reason(&error)));
            Vec::new()
        })
    });
    for file in names.into_iter().chain(below.into_iter().flatten()) {
        match fs::read(folder.join(&file)) {
            Ok(bytes) => drop(files.insert(file, bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => unreadable.push(FileFault::new(file, "", reason(&error))),
        }
    }
    desk::bundle::read(&files, unreadable, reach)
}

/// The files of a folder that may be absent.
pub fn within(folder: &Path, below: &str) -> io::Result<Vec<String>> {
    let names: io::Result<Vec<_>> = match fs::read_dir(folder.join(below)) {
        Ok(entries) => entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    Ok(names?.into_iter().filter(|name| !name.starts_with('.')).map(|name| format!("{below}/{name}")).collect())
}

fn reason(error: &io::Error) -> Text {
    text!("lässt sich nicht lesen: {error}", "cannot be read: {error}")
}
