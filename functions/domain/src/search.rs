//! How staff find a customer, a job or a meter by words.
//!
//! What is stored and what is typed is folded alike, so that spelling does not matter: case, accents, `ß` and `ss`, `ä`, `ae` and `a`. A word without a digit
//! is found by its beginning, a number by its end: people say the last digits of a meter's number, and padded numbers differ in their beginning only
//! (D-STORAGE-5).

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::ids::AccountId;
use crate::meter::{is_din_43863_5, is_malo, is_melo};
use crate::model::JobMaster;
use crate::white_space::{is_white_space, without_white_space};

/// Fewest digits and letters of a word with a digit by which something is found; shorter ones (house numbers) only narrow the search.
pub const SHORTEST_NUMBER: usize = 4;
/// From this length on a word with a digit names a meter, a location or a customer, and hardly ever a postcode.
const LONG_NUMBER: usize = 6;
/// Digits of a postcode in Germany.
const POSTCODE: usize = 5;
/// Characters that entries of one partition have in common.
const COMMON: usize = 3;
/// Most words of a name, and of a street, under which a customer is found; the others still narrow the search.
const MOST_NAMES: usize = 6;
const MOST_STREETS: usize = 4;
/// Most words of a search; what comes after them is not looked at.
const MOST_TYPED: usize = 8;

/// Words under which no customer is looked for; they only narrow the search.
const COMMON_WORDS: [&str; 36] = [
    "herr", "herrn", "frau", "firma", "familie", "eheleute", "und", "dr", "prof", "dipl", "ing", "von", "van", "de", "zu", "zum", "zur",
    "der", "die", "das", "den", "dem", "am", "an", "auf", "im", "in", "gmbh", "mbh", "co", "kg", "ag", "ug", "ev", "eg", "strasse",
];

/// Letters that no decomposition takes apart, and what is written for them.
const SPELT_OUT: [(char, &str); 11] = [
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ø', "o"),
    ('ł', "l"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('ħ', "h"),
    ('ı', "i"),
    ('ς', "σ"),
];

/// In small letters without marks; what stands between letters stays.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).filter(|c| !is_combining_mark(*c)) {
        match SPELT_OUT.iter().find(|(letter, _)| *letter == c) {
            Some((_, spelt)) => plain.push_str(spelt),
            None => plain.push(c),
        }
    }
    plain
}

/// `ae`, `oe` and `ue` as `a`, `o` and `u`, which is what `ä`, `ö` and `ü` have become. The beginning of a word becomes the beginning of its form.
fn without_umlauts(word: &str) -> String {
    let mut before = ' ';
    let mut folded = String::with_capacity(word.len());
    for c in word.chars() {
        if !(c == 'e' && matches!(before, 'a' | 'o' | 'u')) {
            folded.push(c);
        }
        before = c;
    }
    folded
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// The words of a name, an address or a search, folded, in their order.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let text = plain(text);
    for chunk in text.split(|c: char| is_white_space(c) || ",;()[]|\"".contains(c)) {
        for piece in without_abbreviations(chunk) {
            if has_digit(piece) {
                words.push(piece.chars().filter(|c| c.is_alphanumeric()).collect());
            } else {
                words.extend(piece.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(without_umlauts));
            }
        }
    }
    // A house number and its letter are one word, however they were typed.
    let mut place = 1;
    while place < words.len() {
        let is_letter = words[place].len() == 1 && !has_digit(&words[place]);
        if is_letter && words[place - 1].len() < SHORTEST_NUMBER && words[place - 1].bytes().all(|b| b.is_ascii_digit()) {
            let letter = words.remove(place);
            words[place - 1].push_str(&letter);
        } else {
            place += 1;
        }
    }
    words
}

/// `hauptstr.12` is two words, `10417.2` one.
fn without_abbreviations(chunk: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = chunk;
    while let Some(point) = rest.find('.') {
        let (before, after) = rest.split_at(point);
        if before.is_empty() || has_digit(before) {
            break;
        }
        pieces.push(before);
        rest = &after[1..];
    }
    pieces.push(rest);
    pieces
}

/// A number as one word, without the signs between its parts.
pub fn number(text: &str) -> String {
    let joined: String = plain(text).chars().filter(|c| c.is_alphanumeric()).collect();
    if has_digit(&joined) { joined } else { without_umlauts(&joined) }
}

/// Where a word stands among those under which something is found: forwards, or from its end if it has a digit. `None`: it is too short for that.
pub fn entry(word: &str) -> Option<String> {
    let length = word.chars().count();
    match has_digit(word) {
        true if length >= SHORTEST_NUMBER => Some(word.chars().rev().collect()),
        false if length >= 2 => Some(word.to_owned()),
        _ => None,
    }
}

/// The beginning that entries of one partition have in common.
pub fn common_beginning(entry: &str) -> &str {
    entry.char_indices().nth(COMMON).map_or(entry, |(end, _)| &entry[..end])
}

/// By which words an account or a job is found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findable {
    /// Those under which it stands.
    listed: Vec<String>,
    /// Those that only narrow a search.
    others: Vec<String>,
}

/// What separates the two kinds of words in their text.
const BETWEEN: &str = " | ";

impl Findable {
    /// An account of the utility's own: customer number, user name, the words of its name.
    pub fn account(id: &AccountId, name: &str, user_name: Option<&str>) -> Self {
        let mut found = Self::default();
        found.list([number(id.as_str())]);
        found.list_names(words(name));
        if let Some(user_name) = user_name {
            found.list(words(user_name));
        }
        found
    }

    /// A job: whose it is, its meter's number and locations, and the addresses of meter and customer.
    pub fn job(account: &AccountId, account_name: &str, job: &JobMaster) -> Self {
        let mut found = Self::default();
        let (meter, address) = (&job.meter, &job.meter.meter_address);
        let (customer, partner) = (job.customer.as_ref(), job.partner.as_ref());
        let locations = [job.ma_lo_id.as_ref(), meter.ma_lo_id.as_ref(), job.me_lo_id.as_ref()];
        let customer_numbers = [customer.and_then(|it| it.customer_number.as_ref()), partner.and_then(|it| it.identifier.as_ref())];
        let own = number(account.as_str());
        let numbers = std::iter::once(&meter.meter_number).chain(locations.into_iter().chain(customer_numbers).flatten());
        found.list(numbers.map(|it| number(it)).filter(|it| *it != own));

        let all_of = |names: [Option<&String>; 6]| names.into_iter().flatten().flat_map(|name| words(name)).collect::<Vec<_>>();
        let of = |name: Option<&String>| name.map(|name| words(name)).unwrap_or_default();
        let first = [
            of(address.firstname.as_ref()),
            of(customer.and_then(|it| it.firstname.as_ref())),
            of(partner.and_then(|it| it.firstname.as_ref())),
        ]
        .concat();
        let mut names = all_of([
            address.company.as_ref(),
            address.lastname.as_ref(),
            customer.and_then(|it| it.company.as_ref()),
            customer.and_then(|it| it.lastname.as_ref()),
            partner.and_then(|it| it.company.as_ref()),
            partner.and_then(|it| it.lastname.as_ref()),
        ]);
        names.extend(words(account_name).into_iter().filter(|word| !first.contains(word)));
        found.list_names(names);

        found.list_address([&address.street, &address.house_number, &address.zip, &address.city]);
        if let Some(mailing) = customer.and_then(|it| it.mailing_address.as_ref()) {
            found.list_address([&mailing.street, &mailing.house_number, &mailing.zip, &mailing.city]);
        }
        found.narrow(first);
        found.narrow(of(address.city_district.as_ref()));
        found.narrow([own]);
        found
    }

    fn list(&mut self, words: impl IntoIterator<Item = String>) {
        for word in words {
            if entry(&word).is_none() || COMMON_WORDS.contains(&word.as_str()) {
                self.narrow([word]);
            } else if !self.listed.contains(&word) {
                self.listed.push(word);
            }
        }
    }

    fn list_names(&mut self, names: Vec<String>) {
        let (listed, others): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| !COMMON_WORDS.contains(&name.as_str()));
        let mut seen = BTreeSet::new();
        let mut listed: Vec<_> = listed.into_iter().filter(|name| seen.insert(name.clone())).collect();
        let surplus = listed.split_off(listed.len().min(MOST_NAMES));
        self.list(listed);
        self.narrow(surplus);
        self.narrow(others);
    }

    fn list_address(&mut self, [street, house_number, postcode, city]: [&Option<String>; 4]) {
        let mut streets: Vec<String> = Vec::new();
        for word in street.as_deref().map(words).unwrap_or_default() {
            let word = if word.ends_with("str") { format!("{word}asse") } else { word };
            if word.ends_with("strasse") {
                // For a search with it as a word of its own.
                self.narrow(["strasse".to_owned()]);
            }
            match streets.last_mut() {
                // Berliner Straße is found as Berlinerstr., too.
                Some(before) if word == "strasse" && !has_digit(before) => before.push_str("strasse"),
                _ => streets.push(word),
            }
        }
        let numbers = streets.extract_if(.., |word| has_digit(word)).collect::<Vec<_>>();
        let surplus = streets.split_off(streets.len().min(MOST_STREETS));
        self.list(streets);
        self.narrow(surplus);
        self.narrow(numbers);
        self.narrow(house_number.as_deref().map(words).unwrap_or_default());
        self.list(postcode.as_deref().map(number));
        self.narrow(city.as_deref().map(words).unwrap_or_default());
    }

    fn narrow(&mut self, words: impl IntoIterator<Item = String>) {
        for word in words {
            if !word.is_empty() && !self.others.contains(&word) && !self.listed.contains(&word) {
                self.others.push(word);
            }
        }
    }

    /// Its entries, each with the text that is kept there; [`Search::narrows`] goes by it.
    pub fn entries(&self) -> impl Iterator<Item = (String, String)> {
        self.listed.iter().filter_map(|word| {
            // A search by a number goes by that number's entry: the other entries need not have it.
            let needed = |other: &&String| is_long_number(word) || !is_long_number(other);
            Some((entry(word)?, text_of(self.listed.iter().filter(needed), &self.others)))
        })
    }

    /// All its words as one text, for [`Findable::parse`].
    pub fn text(&self) -> String {
        text_of(self.listed.iter(), &self.others)
    }

    /// What [`Findable::text`] wrote.
    pub fn parse(text: &str) -> Self {
        let (listed, others) = text.split_once(BETWEEN).unwrap_or((text, ""));
        let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Self { listed: words(listed), others: words(others) }
    }
}

fn is_long_number(word: &str) -> bool {
    has_digit(word) && word.len() >= LONG_NUMBER
}

fn text_of<'a>(listed: impl Iterator<Item = &'a String>, others: &[String]) -> String {
    let mut text = String::new();
    for word in listed {
        text.push(' ');
        text.push_str(word);
    }
    text.push_str(BETWEEN);
    for word in others {
        text.push_str(word);
        text.push(' ');
    }
    text
}

/// The reason why nothing can be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsearchable {
    /// No word, or only such as a house number, a single letter or "GmbH".
    #[error("the search needs a name, a street, or four characters of a number at least")]
    TooGeneral,
}

/// What a member looks for: all of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    words: Vec<String>,
    keys: Vec<String>,
}

impl Search {
    /// How many words a search goes by; the others narrow what is found under them.
    const KEYS: usize = 2;

    /// What was typed.
    ///
    /// # Errors
    /// When no word of it leads anywhere.
    pub fn parse(typed: &str) -> Result<Self, Unsearchable> {
        let joined = without_white_space(typed).to_uppercase();
        let is_one = is_din_43863_5(&joined) || is_malo(&joined) || is_melo(&joined);
        let mut found = if is_one { vec![number(&joined)] } else { words(typed) };
        found.truncate(MOST_TYPED);
        let mut seen = BTreeSet::new();
        found.retain(|word| seen.insert(word.clone()));
        let mut keys: Vec<String> =
            found.iter().filter(|word| entry(word).is_some() && !COMMON_WORDS.contains(&word.as_str())).cloned().collect();
        // The rarest first, as far as can be told from a word: a number, then long words; what may be a postcode comes last.
        keys.sort_by_key(|word| (Self::is_common(word), !has_digit(word), std::cmp::Reverse(word.chars().count())));
        keys.truncate(Self::KEYS);
        if keys.is_empty() { Err(Unsearchable::TooGeneral) } else { Ok(Self { words: found, keys }) }
    }

    /// The words that lead to entries, the rarest first; one or two.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// True for a key that may be a postcode, which leads to a whole town.
    pub fn is_common(key: &str) -> bool {
        key.len() == POSTCODE && key.bytes().all(|b| b.is_ascii_digit())
    }

    /// What the text of an entry must contain beside the key that leads to it.
    pub fn narrows<'a>(&'a self, key: &'a str) -> impl Iterator<Item = String> + 'a {
        self.words.iter().filter(move |word| *word != key).map(|word| match has_digit(word) && word.len() >= SHORTEST_NUMBER {
            true => format!("{word} "),
            false => format!(" {word}"),
        })
    }

    /// True for the words of something that an earlier key, of those up to this one, leads to as well.
    pub fn is_found_before(&self, key: usize, words: &str) -> bool {
        let earlier = self.keys.iter().take(key);
        let mut earlier = earlier.filter_map(|key| Some((key, entry(key)?)));
        earlier.any(|(key, wanted)| {
            let found = Findable::parse(words);
            found.entries().any(|(entry, words)| entry.starts_with(&wanted) && self.narrows(key).all(|word| words.contains(&word)))
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter() {
        for (one, other) in [
            ("Müller", "MUELLER"),
            ("Müller", "Muller"),
            ("Weiß", "weiss"),
            ("Groß-Köllnsche", "Grosskoellnsche Gross Kollnsche"),
            ("Ærøskøbing", "Aeroskobing"),
            ("Łukasz", "lukasz"),
            ("Đặng", "dang"),
            ("İstanbul", "istanbul"),
            ("Ｍｅｉｅｒ", "meier"),
            ("Αλέξης", "αλεξησ"),
        ] {
            let (one, other) = (words(one), words(other));
            assert!(one.iter().all(|word| other.contains(word)), "{one:?} {other:?}");
        }
        // What is typed so far leads to what is meant.
        for (typed, meant) in [("Mue", "Müller"), ("mü", "Mueller"), ("neue", "Neuer"), ("Israe", "Israel")] {
            assert!(words(meant)[0].starts_with(&words(typed)[0]), "{typed} {meant}");
        }
        // Of a number every character counts.
        assert_eq!(words("1AUE5678"), ["1aue5678"]);
    }

    #[test]
    fn an_address_is_words_however_it_is_written() {
        assert_eq!(words("Hauptstr.12 a"), ["hauptstr", "12a"]);
        assert_eq!(words("Hauptstr. 12a"), ["hauptstr", "12a"]);
        // No house has so long a number.
        assert_eq!(words("Hauptstr. 123 a"), ["hauptstr", "123a"]);
        assert_eq!(words("Zähler 1234 a"), ["zahler", "1234", "a"]);
        assert_eq!(words("Straße des 17. Juni 135-137"), ["strasse", "des", "17", "juni", "135137"]);
        assert_eq!(words("Müller-Lüdenscheidt, Erna (geb. Groß)"), ["muller", "ludenscheidt", "erna", "geb", "gross"]);
        assert_eq!(words("K-10417"), ["k10417"]);
        assert_eq!(words("10417.2"), ["104172"]);
        assert_eq!(words(" \u{feff}\u{a0} "), Vec::<String>::new());
    }

    fn job() -> Findable {
        let job = r#"{"id": "j", "maLoId": "41373559241", "meter": {"meterNumber": "1 EMH00 1234 5678", "meterRateTasks": [],
            "meterAddress": {"street": "Berliner Str.", "houseNumber": "12 a", "zip": "99084", "city": "Bad Köstritz", "firstname": "Jörg", "lastname": "Weiß"}}}"#;
        Findable::job(&AccountId::new("k-10417").unwrap(), "Jörg Weiß", &serde_json::from_str(job).unwrap())
    }

    fn is_found(findable: &Findable, typed: &str) -> bool {
        let search = Search::parse(typed).unwrap();
        search.keys().iter().any(|key| {
            let leads = entry(key).unwrap();
            let mut entries = findable.entries().filter(|(entry, _)| entry.starts_with(&leads));
            entries.any(|(_, text)| search.narrows(key).all(|word| text.contains(&word)))
        })
    }

    #[test]
    fn a_job_is_found_by_any_of_its_words() {
        for typed in [
            "weiss",
            "WEIß jörg",
            "berliner",
            "Berliner Straße 12",
            "berlinerstr. 12a",
            "99084 weiss",
            "weiß 12",
            "köstritz weiß",
            "99084",
            "joerg 99084",
            "5678",
            "12345678",
            "1EMH0012345678",
            "1 emh00 1234 5678",
            "41 373 559 241",
            "9241",
            "10417 weiß",
            "12345678 41373559241",
            "k-10417 berliner",
        ] {
            assert!(is_found(&job(), typed), "{typed}");
        }
        for typed in ["weiss 13", "berliner 99085", "wei0", "1234", "5678 müller", "12345678 41373559242"] {
            assert!(!is_found(&job(), typed), "{typed}");
        }
    }

    /// The mailing address mostly is that of the meter.
    #[test]
    fn a_street_of_several_words_is_found_by_each_and_kept_once() {
        let job = r#"{"id": "j", "meter": {"meterNumber": "12345678", "meterRateTasks": [],
            "meterAddress": {"street": "Am Alten Markt", "houseNumber": "12 a", "zip": "99084", "city": "Erfurt"}},
            "customer": {"mailingAddress": {"street": "Am Alten Markt", "houseNumber": "12a", "zip": "99084", "city": "Erfurt"}}}"#;
        let found = Findable::job(&AccountId::new("k-10417").unwrap(), "Weiß", &serde_json::from_str(job).unwrap());
        for typed in ["markt", "alten", "am alten markt 12a", "markt erfurt"] {
            assert!(is_found(&found, typed), "{typed}");
        }
        assert!(found.entries().all(|(entry, _)| entry != "am"), "half a town lives there");
        let text = found.text();
        let mut kept: Vec<_> = text.split_whitespace().filter(|word| *word != BETWEEN.trim()).collect();
        let all = kept.len();
        kept.sort_unstable();
        kept.dedup();
        assert_eq!(kept.len(), all, "{text}");
    }

    #[test]
    fn an_account_is_found_by_number_user_name_and_name() {
        let id = AccountId::new("0001000000002").unwrap();
        let account = Findable::account(&id, "Wohnungsbaugesellschaft Musterstadt mbH & Co. KG", Some("k7xw9m2p"));
        for typed in
            ["1000000002", "0002", "wohnungsbau", "muster wohnungs mbh", "k7xw9m2p", "Wohnungsbaugesellschaft Musterstadt mbH & Co. KG"]
        {
            assert!(is_found(&account, typed), "{typed}");
        }
        assert!(!is_found(&account, "musterstadt ag"));
        assert_eq!(account.entries().count(), 4);
    }

    #[test]
    fn a_street_is_found_whether_or_not_it_is_written_out() {
        let job = r#"{"id": "j", "meter": {"meterNumber": "12345678", "meterRateTasks": [], "meterAddress": {"street": "Hauptstr."}}}"#;
        let found = Findable::job(&AccountId::new("k-10417").unwrap(), "Weiß", &serde_json::from_str(job).unwrap());
        for typed in ["hauptstr", "hauptstraße", "haupt strasse"] {
            assert!(is_found(&found, typed), "{typed}");
        }
    }

    #[test]
    fn words_that_lead_nowhere_are_said() {
        for typed in ["", "  ", "12", "12 a", "GmbH & Co. KG", "x", "str 1"] {
            let search = Search::parse(typed);
            assert!(search == Err(Unsearchable::TooGeneral) || typed.starts_with("str"), "{typed}: {search:?}");
        }
    }

    #[test]
    fn the_rarest_words_lead() {
        let keys = |typed: &str| Search::parse(typed).unwrap().keys().to_vec();
        assert_eq!(keys("müller haupt 12"), ["muller", "haupt"]);
        assert_eq!(keys("99084 weber"), ["weber", "99084"]);
        assert_eq!(keys("weber 4321"), ["4321", "weber"]);
        assert_eq!(keys("wohnungsbaugesellschaft 12345678 haupt"), ["12345678", "wohnungsbaugesellschaft"]);
        assert_eq!(keys("Frau Ey"), ["ey"]);
    }

    #[test]
    fn what_is_kept_of_a_job_leads_to_its_entries() {
        let job = job();
        let again = Findable::parse(&job.text());
        assert_eq!(again, job);
        assert_eq!(again.entries().collect::<Vec<_>>(), job.entries().collect::<Vec<_>>());
        // Number, market location, surname, street, postcode; first name, town and house number only narrow.
        assert_eq!(job.entries().count(), 5, "{job:?}");
        let (_, text) = job.entries().find(|(entry, _)| entry == "weiss").unwrap();
        assert!(!text.contains("12345678") && text.contains("k10417"), "{text}");
        let is_found_before = |typed: &str| Search::parse(typed).unwrap().is_found_before(1, &text);
        assert!(is_found_before("weiss 99084") && !is_found_before("weiss 99085") && !is_found_before("joseph weiss"), "{text}");
        assert_eq!(common_beginning("weiss"), "wei");
        assert_eq!(common_beginning("ey"), "ey");
    }

    /// An end of a number, a beginning of a word: what is typed of them leads to them.
    #[test]
    fn every_beginning_of_a_word_leads_to_it() {
        for word in ["Groß", "Königsbrücker", "Bauer", "Aue", "Œuvre", "Straße", "Yılmaz"] {
            let whole = &words(word)[0];
            for (end, _) in word.char_indices().skip(1) {
                let typed = words(&word[..end]);
                assert!(typed.iter().all(|typed| whole.starts_with(typed.as_str())), "{word} {typed:?}");
            }
        }
    }
}
