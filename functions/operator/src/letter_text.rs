//! The text of a letter: a template with places for what differs, and the texts that come with the program.
//!
//! The first line is the subject; paragraphs are separated by blank lines. A paragraph `{access}` stands for the box with user name,
//! password and QR code, and `{meters}` for the table of meters.

use std::path::Path;
use std::{fmt, fs};

use domain::text;
use domain::text::Text;
use jiff::civil::Date;

use crate::Failure;

/// One part of the letter's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text, with its places filled.
    Paragraph(String),
    /// The box with the login data.
    Access,
    /// The meters to read.
    Meters,
}

/// A letter's text with its places.
#[derive(Debug, Clone)]
pub struct Template(String);

/// What the places of a template are filled with.
#[derive(Debug)]
pub struct Places<'a> {
    /// Whom the letter addresses.
    pub name: &'a str,
    /// The utility.
    pub tenant: &'a str,
    /// The portal's address.
    pub portal: &'a str,
    /// The last day on which any of the meters can be read.
    pub deadline: Option<Date>,
    /// The last day of the login.
    pub valid_until: Option<Date>,
}

/// The names that a template may use, each in braces.
const PLACES: [&str; 7] = ["name", "tenant", "portal", "deadline", "validUntil", "access", "meters"];

/// The labels of the box and the table, in the letter's language.
#[derive(Debug)]
pub struct Labels {
    pub user_name: &'static str,
    pub password: &'static str,
    pub link: &'static str,
    pub meter: &'static str,
    pub medium: &'static str,
    pub place: &'static str,
    pub until: &'static str,
    pub more: &'static str,
    pub media: [&'static str; 6],
}

const GERMAN: Labels = Labels {
    user_name: "Benutzername",
    password: "Passwort",
    link: "Oder den QR-Code scannen:",
    meter: "Zählernummer",
    medium: "Zähler",
    place: "Ort",
    until: "ablesen bis",
    more: "und weitere, die das Portal zeigt",
    media: ["Strom", "Wärme", "Gas", "Kaltwasser", "Warmwasser", "sonstiger"],
};

const ENGLISH: Labels = Labels {
    user_name: "User name",
    password: "Password",
    link: "Or scan the QR code:",
    meter: "Meter number",
    medium: "Meter",
    place: "Place",
    until: "read until",
    more: "and more, which the portal shows",
    media: ["Electricity", "Heat", "Gas", "Cold water", "Warm water", "other"],
};

/// The labels for a language of the portal; German for the tenants' own languages.
pub fn labels(language: &str) -> &'static Labels {
    if language.starts_with("en") { &ENGLISH } else { &GERMAN }
}

impl Template {
    /// The utility's own text.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| Failure::File { path: path.to_owned(), error })?;
        let template = Self(text.replace("\r\n", "\n").trim().to_owned());
        template.check().map_err(|reason| Failure::Mapping { path: path.to_owned(), reason })?;
        Ok(template)
    }

    /// The text that comes with the program.
    pub fn built_in(language: &str) -> Self {
        let text = match language {
            "en-FORMAL" => include_str!("../letters/en-FORMAL.txt"),
            "de-INFORMAL" => include_str!("../letters/de-INFORMAL.txt"),
            _ => include_str!("../letters/de-FORMAL.txt"),
        };
        Self(text.trim().to_owned())
    }

    fn check(&self) -> Result<(), Text> {
        let mut rest = self.0.as_str();
        while let Some((_, after)) = rest.split_once('{') {
            let closed = after.split_once('}');
            let (name, behind) =
                closed.ok_or_else(|| text!("eine geschweifte Klammer ist nicht geschlossen", "an opening brace is not closed"))?;
            if !PLACES.contains(&name) {
                let known = PLACES.map(|place| format!("{{{place}}}")).join(", ");
                return Err(text!("{{{name}}} gibt es nicht; möglich: {known}", "{{{name}}} is unknown; possible are {known}"));
            }
            rest = behind;
        }
        for needed in ["{access}", "{meters}"] {
            if !self.0.split("\n\n").any(|paragraph| paragraph.trim() == needed) {
                return Err(text!("{needed} fehlt als eigener Absatz", "{needed} is missing as a paragraph of its own"));
            }
        }
        Ok(())
    }

    /// The subject and the parts of the body. A paragraph that names a day that there is none of is left out.
    pub fn filled(&self, places: &Places<'_>) -> (String, Vec<Part>) {
        let (subject, body) = self.0.split_once('\n').unwrap_or((&self.0, ""));
        let parts = body.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
        let parts = parts.filter_map(|paragraph| match paragraph {
            "{access}" => Some(Part::Access),
            "{meters}" => Some(Part::Meters),
            text if text.contains("{deadline}") && places.deadline.is_none() => None,
            text if text.contains("{validUntil}") && places.valid_until.is_none() => None,
            text => Some(Part::Paragraph(places.fill(&text.replace('\n', " ")))),
        });
        (places.fill(subject), parts.collect())
    }
}

impl Places<'_> {
    /// In one pass, so that a name with braces in it stays a name.
    fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let (name, behind) = after.split_once('}').unwrap_or((after, ""));
            match name {
                "name" => filled.push_str(self.name),
                "tenant" => filled.push_str(self.tenant),
                "portal" => filled.push_str(self.portal),
                "deadline" => filled.extend(self.deadline.map(|day| Day(day).to_string())),
                "validUntil" => filled.extend(self.valid_until.map(|day| Day(day).to_string())),
                _ => {}
            }
            rest = behind;
        }
        filled + rest
    }
}

/// `31.12.2026`
#[derive(Debug, Clone, Copy)]
pub struct Day(pub Date);

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}.{:02}.{:04}", self.0.day(), self.0.month(), self.0.year())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_that_come_along_are_complete() {
        for language in ["de-FORMAL", "de-INFORMAL", "en-FORMAL"] {
            assert_eq!(Template::built_in(language).check(), Ok(()), "{language}");
        }
    }

    #[test]
    fn a_name_is_no_template_and_a_day_that_is_not_there_takes_its_paragraph_along() {
        let template = Template("For {name}\n\nUntil {deadline}.\n\n{access}\n\n{meters}\n\nYours,\n{tenant}".into());
        assert_eq!(template.check(), Ok(()));
        let places = Places { name: "{tenant}", tenant: "SW", portal: "p", deadline: None, valid_until: None };
        let (subject, parts) = template.filled(&places);
        assert_eq!(subject, "For {tenant}");
        assert_eq!(parts, [Part::Access, Part::Meters, Part::Paragraph("Yours, SW".into())]);
        assert!(Template("x {nmae}".into()).check().unwrap_err().en.contains("{nmae} is unknown"));
        assert!(Template("x\n\n{access}".into()).check().unwrap_err().en.contains("{meters} is missing"));
    }
}
