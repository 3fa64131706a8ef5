//! What the file of a workbook's sheet says of its rows: which are hidden, as a filter leaves them, and how many say anything. The library for cells tells neither.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufReader, Read, Seek};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use zip::ZipArchive;
use zip::read::ZipFile;

/// The rows of a sheet.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SheetRows {
    /// Places of hidden rows with anything in them, counted from 0.
    pub hidden: BTreeSet<u32>,
    /// How many other rows have anything in them.
    pub filled: u64,
}

/// The rows of the sheet of this name; none: the file is no workbook.
pub(super) fn rows<F: Read + Seek>(archive: &mut ZipArchive<F>, sheet: &str) -> Option<SheetRows> {
    let path = path(archive, sheet)?;
    let mut rows = SheetRows::default();
    let (mut place, mut is_hidden, mut says) = (0, false, false);
    each(archive, &path, |event| match event {
        Event::Start(tag) => match tag.local_name().as_ref() {
            "row" => {
                place = attribute(tag, "r").and_then(|number| number.parse::<u32>().ok()).map_or(place, |number| number.saturating_sub(1));
                is_hidden = attribute(tag, "hidden").is_some_and(|value| value == "1" || value == "true");
                says = false;
            }
            // A value, or a text that stands in the cell itself.
            "v" | "is" => says = true,
            _ => {}
        },
        Event::End(tag) if tag.local_name().as_ref() == "row" => {
            match (says, is_hidden) {
                (true, true) => drop(rows.hidden.insert(place)),
                (true, false) => rows.filled += 1,
                (false, _) => {}
            }
            place += 1;
        }
        _ => {}
    })?;
    Some(rows)
}

/// Where the archive has the sheet of this name.
fn path<F: Read + Seek>(archive: &mut ZipArchive<F>, sheet: &str) -> Option<String> {
    let workbook = relations(archive, "_rels/.rels")?.into_values().find(|relation| relation.kind.ends_with("/officeDocument"))?.target;
    let workbook = workbook.trim_start_matches('/');
    let (folder, name) = workbook.rsplit_once('/').unwrap_or(("", workbook));
    let mut id = None;
    each(archive, workbook, |event| {
        let (Event::Start(tag) | Event::Empty(tag)) = event else { return };
        if tag.local_name().as_ref() == "sheet" && attribute(tag, "name").as_deref() == Some(sheet) {
            id = attribute(tag, "id");
        }
    })?;
    let mut sheets = relations(archive, &joined(folder, &format!("_rels/{name}.rels")))?;
    let target = sheets.remove(&id?)?.target;
    Some(match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => joined(folder, &target),
    })
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A relation of a part of a workbook to another one.
struct Relation {
    kind: String,
    target: String,
}

fn relations<F: Read + Seek>(archive: &mut ZipArchive<F>, path: &str) -> Option<HashMap<String, Relation>> {
    let mut found = HashMap::new();
    each(archive, path, |event| {
        let (Event::Start(tag) | Event::Empty(tag)) = event else { return };
        if let (Some(id), Some(kind), Some(target)) = (attribute(tag, "Id"), attribute(tag, "Type"), attribute(tag, "Target")) {
            found.insert(id, Relation { kind, target });
        }
    })?;
    Some(found)
}

/// Tells each event of a file in the archive; none: there is no such file, or it is no XML.
fn each<F: Read + Seek>(archive: &mut ZipArchive<F>, path: &str, mut tell: impl FnMut(&Event<'_>)) -> Option<()> {
    // Some programs write names in other letters than they refer to them.
    let is_it = |name: &str| name.replace('\\', "/").eq_ignore_ascii_case(path);
    let name = archive.file_names().filter_map(Result::ok).find(|name| is_it(name))?.into_owned();
    let file: ZipFile<'_, F> = archive.by_name(&name).ok()?;
    let mut xml = Reader::from_reader(BufReader::new(file));
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match xml.read_event_into(&mut bytes).ok()? {
            Event::Eof => return Some(()),
            event => tell(&event),
        }
    }
}

/// An attribute's value, under any prefix.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    let mut found = attributes.with_checks(false).filter_map(Result::ok);
    let found = found.find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
}
