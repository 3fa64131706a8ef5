//! The words of a disclosure.

use domain::config::Application;
use domain::ids::AccountId;
use domain::text;
use domain::text::{Lang, Text, counted};
use serde_json::{Map, Value};

/// Records that stand below one title.
pub enum Kinds {
    /// Those of these kinds.
    These(&'static [&'static str]),
    /// Those of no other title.
    Others,
}

const ACCOUNT: &[&str] = &["account"];
const JOBS: &[&str] = &["job", "undo"];
const READINGS: &[&str] = &["reading"];
const MAILS: &[&str] = &["registration", "mail", "receipts", "reminders", "invited", "invitation"];
const SHARES: &[&str] = &["share"];
const SESSIONS: &[&str] = &["session"];
const HOLDS: &[&str] = &["hold"];
const NAMED: [&[&str]; 7] = [ACCOUNT, JOBS, READINGS, MAILS, SHARES, SESSIONS, HOLDS];

impl Kinds {
    pub fn has(&self, record: &Map<String, Value>) -> bool {
        let kind = record.get("kind").and_then(Value::as_str).unwrap_or_default();
        match self {
            Self::These(kinds) => kinds.contains(&kind),
            Self::Others => !NAMED.iter().any(|kinds| kinds.contains(&kind)),
        }
    }
}

/// The titles in their order.
pub fn about() -> Vec<(Kinds, Text)> {
    vec![
        (Kinds::These(ACCOUNT), text!("Zugang", "Account")),
        (Kinds::These(JOBS), text!("Zähler und Ableseaufträge", "Meters and jobs")),
        (Kinds::These(READINGS), text!("Ablesungen", "Readings")),
        (Kinds::These(MAILS), text!("E-Mails", "E-mails")),
        (Kinds::These(SHARES), text!("Freigaben an andere", "Shares with others")),
        (Kinds::These(SESSIONS), text!("Anmeldungen", "Logins")),
        (Kinds::These(HOLDS), text!("Löschsperre", "Hold")),
        (Kinds::Others, text!("Technische Vermerke, die nach kurzer Zeit verfallen", "Technical notes, which expire soon")),
    ]
}

/// Title, law, and what Art. 15(1) wants said beside the data.
pub fn intro(application: &Application, account: &AccountId, at: &str) -> Vec<Text> {
    let Application { name, retention, .. } = application;
    let days = |days: Option<u16>| match days {
        Some(days) => counted(days, ["Tag", "Tage"], ["day", "days"]),
        None => text!("unbegrenzt", "without a limit"),
    };
    let (photos, comments, persons) = (days(retention.photo_days), days(retention.comment_days), days(retention.personal_data_days));
    vec![
        text!("Auskunft über gespeicherte Daten", "What is stored about you"),
        text!(
            "Nach Artikel 15 der Datenschutz-Grundverordnung. {name} hat in der Zählerablesung über den Zugang {account} und was von dort freigegeben wurde am {at} Uhr Folgendes gespeichert.",
            "By Article 15 of the General Data Protection Regulation. On {at} {name} had stored the following in its meter reading about the account {account} and what it shared."
        ),
        text!(
            "Wozu: um Zähler abzulesen und den Verbrauch abzurechnen. Wer die Daten bekommt: das Versorgungsunternehmen, Dienstleister, die in seinem Auftrag Server betreiben und Briefe oder E-Mails zustellen, und Marktpartner, denen das Energierecht Zählerstände zuspricht.",
            "What for: to read meters and to bill what was used. Who gets the data: the utility, those who run servers and deliver letters or e-mails on its behalf, and partners in the market to whom the law gives readings."
        ),
        text!(
            "Woher: Namen, Anschriften, Zähler, frühere Stände und zum Teil E-Mail-Adressen aus der Kundenverwaltung des Versorgers; Stände, Fotos, Bemerkungen und E-Mail-Adressen von Ihnen, von denen, mit denen Sie den Zugang teilen, oder vom Personal und von Ablesern des Versorgers.",
            "Where from: names, addresses, meters, earlier readings and some e-mail addresses from the utility's customer system; readings, photos, remarks and e-mail addresses from you, from those with whom you share the account, or from the utility's staff and meter readers."
        ),
        text!(
            "Wie lange, vom Eingang oder vom Ende des Auftrags an: Fotos {photos}, Bemerkungen {comments}, was an Ablesungen auf Sie deutet {persons}. Über Sie entscheidet keine Maschine.",
            "How long, from when it came or from the end of the job: photos {photos}, remarks {comments}, what leads from readings to you {persons}. No machine decides about you.";
            photos, comments, persons
        ),
        text!(
            "Ihre Rechte: Sie können verlangen, dass Daten berichtigt, gelöscht oder nur eingeschränkt verarbeitet werden, der Verarbeitung widersprechen, die Daten als JSON-Datei erhalten und sich bei einer Aufsichtsbehörde für den Datenschutz beschweren.",
            "Your rights: you can ask for data to be corrected, erased or restricted, object to their processing, get them as a JSON file, and complain to a supervisory authority."
        ),
    ]
}

/// What only holds the rest and is not worth a name.
pub fn is_wrapping(name: &str) -> bool {
    ["master", "entry", "document", "record", "meter", "customer"].contains(&name)
}

/// Whether what has this name is a counter or an amount, of which German has a decimal comma.
pub fn is_amount(name: &str) -> bool {
    ["readingValue", "value", "minimumValue", "maximumValue", "finalValue", "initialValue", "expectedAnnualConsumption"].contains(&name)
}

/// Of a moment that never comes.
pub fn never() -> Text {
    text!("unbegrenzt", "without a limit")
}

/// The title of the file.
pub fn title(account: &AccountId) -> Text {
    text!("Auskunft über den Zugang {account}", "Disclosure about the account {account}")
}

/// `Seite 1 von 3`
pub fn page(number: usize, of: usize) -> Text {
    text!("Seite {number} von {of}", "page {number} of {of}")
}

pub fn yes_or_no(is: bool) -> Text {
    if is { text!("ja", "yes") } else { text!("nein", "no") }
}

/// What one record is called: the meter or the day, where it has one.
pub fn heading(record: &Map<String, Value>, lang: Lang) -> String {
    let kind = record.get("kind").and_then(Value::as_str).unwrap_or_default();
    let at = |path: &str| {
        record.get(path.split('.').next()?).and_then(|first| path.split('.').skip(1).try_fold(first, |place, name| place.get(name)))
    };
    let named = |path: &str| at(path).and_then(Value::as_str).map(str::to_owned);
    let what = match kind {
        "account" => text!("Zugang", "Account"),
        "job" if record.contains_key("master") => text!("Auftrag für Zähler", "Job of meter"),
        "job" => text!("Alle Aufträge", "All jobs"),
        "undo" => text!("Auftrag vor dem letzten Import", "Job before the last import"),
        "reading" => text!("Ablesung", "Reading"),
        "registration" => text!("Anmeldung zu E-Mails", "Registration for e-mails"),
        "mail" => text!("E-Mail", "E-mail"),
        "share" => text!("Freigabe", "Share"),
        "session" => text!("Anmeldung", "Login"),
        "hold" => text!("Löschsperre", "Hold"),
        other => Text::same(other.to_owned()),
    };
    let thing = ["master.meter.meterNumber", "entry.meterNumber", "meterNumber", "jobId", "accountId"].into_iter().find_map(named);
    thing.map_or_else(|| what.of(lang).to_owned(), |thing| format!("{} {thing}", what.of(lang)))
}

macro_rules! names {
    ($($name:literal: $de:literal, $en:literal;)*) => {
        /// A field's name as people say it; one that has none stays as it is stored.
        pub fn field(name: &str, lang: Lang) -> String {
            let text = match name {
                $($name => text!($de, $en),)*
                other => return other.to_owned(),
            };
            text.of(lang).to_owned()
        }
    };
}

names! {
    "account": "Zugang", "account";
    "accountId": "Zugang", "account";
    "accountName": "Name", "name";
    "address": "Anschrift", "address";
    "attempts": "Versuche", "attempts";
    "by": "von", "by";
    "channel": "Weg", "channel";
    "city": "Ort", "town";
    "cityDistrict": "Ortsteil", "district";
    "clearing": "Klärung", "clearing";
    "closed": "geschlossen", "closed";
    "comment": "Bemerkung", "remark";
    "company": "Firma", "company";
    "confirmed": "bestätigt", "confirmed";
    "confirmedAt": "bestätigt am", "confirmed on";
    "country": "Land", "country";
    "created": "eingegangen am", "received on";
    "createdAt": "angelegt am", "created on";
    "customer": "Kunde", "customer";
    "customerNumber": "Kundennummer", "customer number";
    "device": "Gerät", "device";
    "doneOn": "erledigt am", "done on";
    "epoch": "wie oft überall abgemeldet wurde", "number of logouts everywhere";
    "expectedAnnualConsumption": "erwarteter Jahresverbrauch", "expected consumption a year";
    "import": "Import", "import";
    "importCreated": "durch Import angelegt", "created by an import";
    "jobPermissions": "Rechte", "permissions";
    "linkExpiresAt": "Link gilt bis", "link is good until";
    "linksEndAt": "Links enden am", "links end on";
    "listedAt": "gelistet am", "listed on";
    "locationDescription": "Lage", "where it is";
    "mailingAddress": "Postanschrift", "postal address";
    "maximumValue": "höchster erwarteter Stand", "highest value expected";
    "minimumValue": "niedrigster erwarteter Stand", "lowest value expected";
    "openedAt": "angemeldet am", "logged in on";
    "postDecimals": "Nachkommastellen", "decimals";
    "preDecimals": "Vorkommastellen", "digits";
    "rateName": "Name des Zählwerks", "register's name";
    "readingEvents": "früherer Stand", "earlier value";
    "readingValueValidation": "Prüfung des Standes", "check of the value";
    "reShare": "weiter freigeben", "share on";
    "renewals": "Erneuerungen", "renewals";
    "renewalsFrom": "gezählt seit", "counted since";
    "responseBody": "Antwort", "answer";
    "resultId": "Kennung der Ablesung", "reading's id";
    "roles": "Rollen", "roles";
    "rotatedAt": "erneuert am", "renewed on";
    "sentByOthers": "gesendet von anderen", "sent by others";
    "sentByOwner": "gesendet vom Zugang selbst", "sent by the account itself";
    "sentDay": "gesendet am", "sent on";
    "strictValidation": "harte Grenze", "strict limit";
    "targetReadingDate": "gewünschter Ablesetag", "wanted day of reading";
    "used": "Anzahl", "count";
    "usedAt": "zuletzt benutzt", "last used";
    "document": "Inhalt", "content";
    "done": "erledigt", "done";
    "earliestExecution": "frühestens", "not before";
    "email": "E-Mail-Adresse", "e-mail address";
    "entered": "erfasst", "entered";
    "enteredBy": "erfasst von", "entered by";
    "expiresAt": "verfällt am", "expires on";
    "firstname": "Vorname", "first name";
    "houseNumber": "Hausnummer", "house number";
    "houseNumberExtra": "Zusatz zur Hausnummer", "house number's addition";
    "id": "Kennung", "id";
    "imageIds": "Fotos", "photos";
    "jobConstraints": "Ablesezeitraum", "reading period";
    "jobId": "Auftrag", "job";
    "language": "Sprache", "language";
    "lastUsed": "zuletzt benutzt", "last used";
    "lastname": "Nachname", "surname";
    "latestExecution": "spätestens", "not after";
    "login": "Anmeldung", "login";
    "loginAccountId": "angemeldet als", "logged in as";
    "loginKind": "Art der Anmeldung", "kind of login";
    "lowerReason": "Grund für den kleineren Stand", "reason for the lower value";
    "maLoId": "Marktlokation", "market location";
    "master": "Stammdaten", "master data";
    "meLoId": "Messlokation", "metering location";
    "meter": "Zähler", "meter";
    "meterAddress": "Anschrift des Zählers", "meter's address";
    "meterLocation": "Ort des Zählers", "meter's place";
    "meterNumber": "Zählernummer", "meter number";
    "meterRateTasks": "Zählwerk", "register";
    "meterType": "Art des Zählers", "kind of meter";
    "name": "Name", "name";
    "obis": "OBIS-Kennzahl", "OBIS code";
    "passThrough": "Angaben des Versorgers", "what the utility's system says";
    "passwordHash": "Prüfwert des Passworts", "hash of the password";
    "postcode": "Postleitzahl", "postcode";
    "readingDate": "Ablesetag", "day of reading";
    "readingResultImages": "Fotos", "photos";
    "readingResults": "Ablesung", "reading";
    "readingValue": "Stand", "value";
    "reason": "Grund", "reason";
    "recipient": "Empfänger", "recipient";
    "salutation": "Anrede", "salutation";
    "season": "Saison", "season";
    "sentAt": "versendet am", "sent on";
    "since": "seit", "since";
    "startedAt": "begonnen am", "begun on";
    "state": "Stand der Dinge", "state";
    "states": "Stände", "values";
    "street": "Straße", "street";
    "subject": "Betreff", "subject";
    "taskId": "Zählwerk", "register";
    "title": "Titel", "title";
    "unit": "Einheit", "unit";
    "username": "Benutzername", "user name";
    "validUntil": "gilt bis", "valid until";
    "zip": "Postleitzahl", "postcode";
    "zipCode": "Postleitzahl", "postcode";
}
