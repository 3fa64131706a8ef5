//! Whom a letter goes to, and how that stands in the window of an envelope (DIN 5008:2020, form B).

use domain::model::{Customer, MailingAddress, MeterAddress};
use serde::{Deserialize, Serialize};

use super::Refusal;
use super::face::{TOGETHER, Typeface, Wide};

/// Width of the text in the window, in millimetres: a field of 85 less 5 to its left.
pub const WIDTH: f32 = 80.0;
/// Most lines of the address zone.
pub const LINES: usize = 6;
/// Sizes in points, the largest first. Sorting machines read nothing below 10.
const SIZES: [f32; 3] = [11.0, 10.5, 10.0];
/// What the file of a German utility may say instead of nothing.
const AT_HOME: [&str; 5] = ["DE", "D", "DEUTSCHLAND", "GERMANY", "BRD"];

/// The recipient of a letter, part by part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// Company or institution.
    pub company: String,
    /// Person.
    pub person: String,
    pub street: String,
    pub house_number: String,
    pub postcode: String,
    pub town: String,
    /// In words; empty in Germany.
    pub country: String,
}

/// The lines in the window.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    pub lines: Vec<String>,
    /// Points.
    pub size: f32,
}

impl Recipient {
    /// The customer at the mailing address.
    pub fn by_mail(customer: &Customer, place: &MailingAddress) -> Self {
        let person = [&customer.firstname, &customer.lastname].map(trimmed).join(" ");
        let country = trimmed(&place.country);
        Self {
            company: trimmed(&customer.company),
            person: person.trim().to_owned(),
            street: trimmed(&place.street),
            house_number: trimmed(&place.house_number),
            postcode: trimmed(&place.zip),
            town: trimmed(&place.city),
            country: if AT_HOME.contains(&country.to_uppercase().as_str()) { String::new() } else { country },
        }
    }

    /// The household where the meter is.
    pub fn at_meter(place: &MeterAddress) -> Self {
        Self {
            street: trimmed(&place.street),
            house_number: trimmed(&place.house_number),
            postcode: trimmed(&place.zip),
            town: trimmed(&place.city),
            ..Self::default()
        }
    }

    /// The reason why the post cannot bring it.
    pub fn missing(&self) -> Option<Refusal> {
        // Abroad by its country, or by the letters that a file puts before the postcode (A-1010).
        let is_german = self.country.is_empty() && !self.postcode.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if self.street.is_empty() {
            Some(Refusal::NoStreet)
        } else if self.town.is_empty() || is_german && self.postcode.is_empty() {
            Some(Refusal::NoTown)
        } else if is_german && !(self.postcode.len() == 5 && self.postcode.bytes().all(|byte| byte.is_ascii_digit())) {
            Some(Refusal::Postcode(self.postcode.clone()))
        } else {
            None
        }
    }

    /// By what letters are sorted for the post: Germany first, by postcode, then along the streets.
    pub fn order(&self) -> String {
        [&self.country, &self.postcode, &self.town, &self.street, &self.house_number].map(|part| part.to_lowercase()).join("\u{1f}")
    }

    fn lines(&self) -> Vec<String> {
        let bound = |parts: [&str; 2]| parts.map(|part| part.replace(' ', &TOGETHER.to_string())).join(&TOGETHER.to_string());
        // The number stays with the street's last word, the postcode with the town's first.
        let street = match self.house_number.as_str() {
            "" => self.street.clone(),
            number => {
                let (before, last) = self.street.rsplit_once(' ').unwrap_or(("", &self.street));
                format!("{before} {}", bound([last, number]))
            }
        };
        let town = match self.postcode.as_str() {
            "" => self.town.clone(),
            postcode => {
                let (first, behind) = self.town.split_once(' ').unwrap_or((&self.town, ""));
                format!("{} {behind}", bound([postcode, first]))
            }
        };
        let country = self.country.to_uppercase();
        [&self.company, &self.person, &street, &town, &country]
            .map(|line| line.trim().to_owned())
            .into_iter()
            .filter(|line| !line.is_empty())
            .collect()
    }

    /// As large as it fits: first without breaking a line, then with.
    pub fn window(&self, face: &Typeface) -> Result<Window, Refusal> {
        let whole = self.lines();
        let fits = |line: &String, size: f32| face.width(line, size) <= WIDTH;
        for size in SIZES {
            if whole.len() <= LINES && whole.iter().all(|line| fits(line, size)) {
                return Ok(Window { lines: whole, size });
            }
        }
        for size in SIZES {
            let lines: Vec<_> = whole.iter().flat_map(|line| face.lines(line, size, WIDTH, Wide::Stays)).collect();
            if lines.len() <= LINES && lines.iter().all(|line| fits(line, size)) {
                return Ok(Window { lines, size });
            }
        }
        Err(Refusal::AddressTooLong)
    }
}

fn trimmed(part: &Option<String>) -> String {
    part.as_deref().map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::face;
    use super::*;

    fn recipient(company: &str, person: &str, street: &str, number: &str, town: &str) -> Recipient {
        let text = str::to_owned;
        Recipient {
            company: text(company),
            person: text(person),
            street: text(street),
            house_number: text(number),
            postcode: "99084".into(),
            town: text(town),
            country: String::new(),
        }
    }

    #[test]
    fn the_hardest_addresses_stay_in_the_window() {
        let face = face::regular().unwrap();
        let hard = [
            recipient(
                "Wohnungsbaugesellschaft Musterstadt mbH & Co. KG – Hausverwaltung",
                "",
                "Am Bürgermeister-Doktor-Wilhelm-Schröder-Platz",
                "183 b",
                "Erfurt",
            ),
            recipient(
                "",
                "Prof. Dr. Dr. h. c. Maximiliane-Henriette Freifrau von und zu Hohenlohe-Waldenburg-Schillingsfürst",
                "Straße der Nationen",
                "1–3",
                "Mühlhausen",
            ),
            recipient("Eigentümergemeinschaft Lindenhof", "z. Hd. Nguyễn Thị Ánh Tuyết", "Weg", "1", "Hellschen-Heringsand-Unterschaar"),
        ];
        for one in hard {
            let window = one.window(face).unwrap();
            assert!(window.lines.len() <= LINES && window.size >= 10.0, "{window:?}");
            for line in &window.lines {
                assert!(face.width(line, window.size) <= WIDTH, "{line}: {} mm", face.width(line, window.size));
            }
            let said = window.lines.join(" ").replace(TOGETHER, " ").replace("- ", "-");
            for part in [&one.company, &one.person, &one.street, &one.house_number, &one.town] {
                assert!(said.contains(part.as_str()), "{part} in {said}");
            }
        }
    }

    #[test]
    fn a_house_number_is_never_alone_on_its_line() {
        let face = face::regular().unwrap();
        let window =
            recipient("", "A", "Am Bürgermeister-Doktor-Wilhelm-Schröder-Ehrenbürger-Platz", "183 b", "Erfurt").window(face).unwrap();
        assert!(window.lines.iter().any(|line| line.ends_with("Platz\u{a0}183\u{a0}b")), "{window:?}");
    }

    #[test]
    fn what_fits_nowhere_is_refused() {
        let face = face::regular().unwrap();
        let word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
        assert_eq!(recipient(word, "", "Weg", "1", "Erfurt").window(face), Err(Refusal::AddressTooLong));
        let long = ["Verein zur Förderung der Heimatpflege"; 12].join(" ");
        assert_eq!(recipient(&long, "", "Weg", "1", "Erfurt").window(face), Err(Refusal::AddressTooLong));
    }

    #[test]
    fn what_the_post_needs_is_asked_for() {
        let whole = recipient("", "A", "Weg", "", "Erfurt");
        assert_eq!(whole.missing(), None);
        assert_eq!(Recipient { street: String::new(), ..whole.clone() }.missing(), Some(Refusal::NoStreet));
        assert_eq!(Recipient { town: String::new(), ..whole.clone() }.missing(), Some(Refusal::NoTown));
        assert_eq!(Recipient { postcode: String::new(), ..whole.clone() }.missing(), Some(Refusal::NoTown));
        assert_eq!(Recipient { postcode: "7743".into(), ..whole.clone() }.missing(), Some(Refusal::Postcode("7743".into())));
        let abroad = Recipient { postcode: "1010".into(), country: "Österreich".into(), ..whole };
        assert_eq!(Recipient { postcode: "A-1010".into(), country: String::new(), ..abroad.clone() }.missing(), None);
        assert_eq!((abroad.missing(), abroad.lines().pop()), (None, Some("ÖSTERREICH".into())));
    }
}
