//! The text of a letter: a template with places for what differs, and the texts that come with the program.
//!
//! The first line is the subject; paragraphs are separated by blank lines. A paragraph `{access}` stands for the box with user name,
//! password and QR code, `{meters}` for the table of meters, and `{card}` for the sentence about the reply cards, if there are any.

use std::fmt;

use domain::text;
use domain::text::Text;
use jiff::civil::Date;

use super::face;

/// One part of the letter's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text, with its places filled.
    Paragraph(String),
    /// The box with the login data.
    Access,
    /// The meters to read.
    Meters,
    /// The instructions for the reply cards.
    Card,
}

/// A letter's text with its places.
#[derive(Debug, Clone)]
pub struct Template(String);

/// What the places of a template are filled with.
#[derive(Debug)]
pub struct Places<'a> {
    /// The name that the letter addresses.
    pub name: &'a str,
    /// The words of the letter's language.
    pub labels: &'a Labels,
    /// The salutation, without the comma behind it.
    pub salutation: &'a str,
    /// The number under which the utility knows the customer.
    pub customer: &'a str,
    /// The day that the letter bears.
    pub date: Date,
    /// The utility.
    pub tenant: &'a str,
    /// The portal's address.
    pub portal: &'a str,
    /// The first of the meters' last days that is still to come.
    pub deadline: Option<Date>,
    /// The last day of the login.
    pub valid_until: Option<Date>,
    /// There are reply cards.
    pub has_cards: bool,
}

/// The key of a letter's text of a tenant's own in its `translations`.
pub const OWN_TEXT: &str = "letter.text";
/// The prefix of the keys of texts of letters.
pub const AREA: &str = "letter.";
/// Most characters of a letter's text; what does not fit on its page is found by drawing it.
const MOST: usize = 4000;

/// The names that a template may use, each in braces.
pub const PLACES: [&str; 11] =
    ["name", "salutation", "customer", "date", "tenant", "portal", "deadline", "validUntil", "access", "meters", "card"];

/// Without these a letter is of no use; each is a paragraph of its own.
pub const NEEDED: [&str; 2] = ["access", "meters"];

/// The words around what is printed, in the letter's language.
#[derive(Debug)]
pub struct Labels {
    pub date: &'static str,
    pub customer: &'static str,
    pub user_name: &'static str,
    pub password: &'static str,
    /// In place of a password that is as it was.
    pub goes_on: &'static str,
    pub link: &'static str,
    pub meter: &'static str,
    pub medium: &'static str,
    pub place: &'static str,
    pub period: &'static str,
    pub until: &'static str,
    pub more: &'static str,
    pub media: [&'static str; 6],
    pub card: &'static str,
    pub card_title: &'static str,
    pub card_how: &'static str,
    pub card_back: &'static str,
    pub card_cut: &'static str,
    pub last: &'static str,
    /// Across a letter that is none.
    pub specimen: &'static str,
    pub read_on: &'static str,
    /// Day, month and year in the boxes.
    pub day_boxes: &'static str,
    /// A day in a sentence, as mails of the language write it …
    pub day: &'static str,
    /// … in a table …
    pub short_day: &'static str,
    /// … and there beside a later one of its year.
    pub day_of_year: &'static str,
    pub phone: &'static str,
    /// How a person is addressed by name …
    pub dear: &'static str,
    /// … and a company.
    pub dear_company: &'static str,
}

const GERMAN: Labels = Labels {
    date: "Datum",
    customer: "Kundennummer",
    user_name: "Benutzername",
    password: "Passwort",
    goes_on: "gilt weiter wie bisher",
    link: "Oder den QR-Code scannen:",
    meter: "Zählernummer",
    medium: "Zähler",
    place: "Ort",
    period: "ablesen",
    until: "bis",
    more: "und weitere, die das Portal zeigt",
    media: ["Strom", "Wärme", "Gas", "Kaltwasser", "Warmwasser", "sonstiger"],
    card: "Lieber auf Papier? Tragen Sie die Stände auf den folgenden Ablesekarten ein, trennen Sie die Karten ab und senden Sie sie an uns zurück.",
    card_title: "Ablesekarte",
    card_how: "Bitte mit blauem oder schwarzem Stift, eine Ziffer je Kästchen, Nachkommastellen hinter dem Komma. Stimmt die Zählernummer?",
    card_back: "Zurück an",
    card_cut: "hier abtrennen",
    last: "zuletzt",
    specimen: "MUSTER",
    read_on: "Abgelesen am",
    day_boxes: "TTMMJJJJ",
    day: "%d.%m.%Y",
    short_day: "%d.%m.%Y",
    day_of_year: "%d.%m.",
    phone: "Telefon für Rückfragen",
    dear: "Guten Tag",
    dear_company: "Sehr geehrte Damen und Herren",
};

const INFORMAL: Labels = Labels {
    card: "Lieber auf Papier? Trag die Stände auf den folgenden Ablesekarten ein, trenn die Karten ab und schick sie an uns zurück.",
    dear: "Hallo",
    dear_company: "Hallo",
    ..GERMAN
};

const ENGLISH: Labels = Labels {
    date: "Date",
    customer: "Customer number",
    user_name: "User name",
    password: "Password",
    goes_on: "as before",
    link: "Or scan the QR code:",
    meter: "Meter number",
    medium: "Meter",
    place: "Place",
    period: "read",
    until: "until",
    more: "and more, which the portal shows",
    media: ["Electricity", "Heat", "Gas", "Cold water", "Hot water", "other"],
    card: "Rather on paper? Enter the readings on the reply cards that follow, cut them off and send them back to us.",
    card_title: "Reply card",
    card_how: "Please use a blue or black pen, one digit a box, decimals behind the mark. Is the meter number right?",
    card_back: "Back to",
    card_cut: "cut here",
    last: "last",
    specimen: "SPECIMEN",
    read_on: "Read on",
    day_boxes: "DDMMYYYY",
    day: "%-d %B %Y",
    short_day: "%-d %b %Y",
    day_of_year: "%-d %b",
    phone: "Telephone for questions",
    dear: "Dear",
    dear_company: "Dear Sir or Madam",
};

/// The labels for a language of the portal; German for the tenants' own languages.
pub fn labels(language: &str) -> &'static Labels {
    match language {
        "de-INFORMAL" => &INFORMAL,
        other if other.starts_with("en") => &ENGLISH,
        _ => &GERMAN,
    }
}

impl Labels {
    /// A day in a sentence.
    pub fn day(&self, day: Date) -> String {
        day.strftime(self.day).to_string()
    }

    /// A day in a table.
    pub fn short_day(&self, day: Date) -> String {
        day.strftime(self.short_day).to_string()
    }

    /// `01.12. – 31.12.2026`, or as much of it as there is.
    pub fn period(&self, from: Option<Date>, until: Option<Date>) -> String {
        match (from, until) {
            (Some(from), Some(last)) if from.year() == last.year() => {
                format!("{} – {}", from.strftime(self.day_of_year), self.short_day(last))
            }
            (Some(from), Some(last)) => format!("{} – {}", self.short_day(from), self.short_day(last)),
            (None, Some(last)) => format!("{} {}", self.until, self.short_day(last)),
            (Some(from), None) => format!("{} –", self.short_day(from)),
            (None, None) => String::new(),
        }
    }
}

/// What is wrong with a text of the utility's own that has a character which the fonts lack.
pub fn unprintable(text: &str) -> Option<Text> {
    let letter = face::lacking(text)?;
    let code = u32::from(letter);
    Some(text!(
        "hat das Zeichen „{letter}“ (U+{code:04X}), das die Schrift der Anschreiben nicht hat",
        "has the character “{letter}” (U+{code:04X}), which the font of letters lacks"
    ))
}

impl Template {
    /// The utility's own text; an error says what is wrong with it.
    pub fn own(text: &str) -> Result<Self, Text> {
        let template = Self(text.replace("\r\n", "\n").trim().to_owned());
        template.check()?;
        Ok(template)
    }

    /// What is wrong with a text of a tenant's own; none: nothing, if it fits.
    pub fn fault(key: &str, text: &str) -> Option<Text> {
        let count = text.chars().count();
        if key != OWN_TEXT {
            Some(text!("diesen Text gibt es in keinem Anschreiben", "is in no letter"))
        } else if count > MOST {
            Some(text!("hat {count} Zeichen, erlaubt sind höchstens {MOST}", "has {count} characters, at most {MOST} are allowed"))
        } else if text.chars().any(|letter| letter.is_control() && letter != '\n') {
            Some(text!("darf keine Steuerzeichen haben", "must have no control characters"))
        } else {
            unprintable(text).or_else(|| Self::own(text).err())
        }
    }

    /// Its words.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The text that comes with the program.
    pub fn built_in(language: &str) -> Self {
        let text = match language {
            "en-FORMAL" => include_str!("../../letters/en-FORMAL.txt"),
            "de-INFORMAL" => include_str!("../../letters/de-INFORMAL.txt"),
            _ => include_str!("../../letters/de-FORMAL.txt"),
        };
        Self(text.trim().to_owned())
    }

    fn check(&self) -> Result<(), Text> {
        let mut rest = self.0.as_str();
        while let Some((_, after)) = rest.split_once('{') {
            let unclosed = || text!("eine öffnende geschweifte Klammer wird nicht geschlossen", "an opening brace is not closed");
            let (name, behind) = after.split_once('}').ok_or_else(unclosed)?;
            if !PLACES.contains(&name) {
                let known = PLACES.map(|place| format!("{{{place}}}")).join(", ");
                return Err(text!("{{{name}}} gibt es nicht; möglich sind {known}", "{{{name}}} is unknown; possible are {known}"));
            }
            rest = behind;
        }
        for needed in NEEDED.map(|place| format!("{{{place}}}")) {
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
            "{card}" => places.has_cards.then_some(Part::Card),
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
                "salutation" => filled.push_str(self.salutation),
                "customer" => filled.push_str(self.customer),
                "date" => filled.push_str(&self.labels.day(self.date)),
                "tenant" => filled.push_str(self.tenant),
                "portal" => filled.push_str(self.portal),
                "deadline" => filled.extend(self.deadline.map(|day| self.labels.day(day))),
                "validUntil" => filled.extend(self.valid_until.map(|day| self.labels.day(day))),
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
        let template = Template("For {name}\n\nUntil {deadline}.\n\n{access}\n\n{meters}\n\n{card}\n\nYours,\n{tenant}".into());
        assert_eq!(template.check(), Ok(()));
        let places = Places {
            name: "{tenant}",
            labels: &ENGLISH,
            salutation: "Dear",
            customer: "1",
            date: Date::constant(2026, 11, 22),
            tenant: "SW",
            portal: "p",
            deadline: None,
            valid_until: None,
            has_cards: false,
        };
        let (subject, parts) = template.filled(&places);
        assert_eq!(subject, "For {tenant}");
        assert_eq!(parts, [Part::Access, Part::Meters, Part::Paragraph("Yours, SW".into())]);
        assert!(Template::own("x {nmae}").unwrap_err().en.contains("{nmae} is unknown"));
        assert!(Template::own("x\n\n{access}").unwrap_err().de.contains("{meters} fehlt"));
    }

    #[test]
    fn a_text_has_no_characters_that_would_be_question_marks() {
        let with = |word: &str| Template::fault(OWN_TEXT, &format!("Ablesung\n\n{word}\n\n{{access}}\n\n{{meters}}"));
        assert_eq!(with("Fragen? Bürgerbüro – „Am Markt“"), None);
        assert!(with("☎ 03641 1").unwrap().de.contains("„☎“ (U+260E)"));
        assert!(with("E\u{2011}Mail").unwrap().en.contains("(U+2011)"));
    }
}
