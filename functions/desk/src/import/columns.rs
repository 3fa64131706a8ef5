//! What stands in the columns of a table that was sent, what a line of its kind can have, and which is probably which.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read};

use csv::ByteRecord;
use domain::email::EmailAddress;
use domain::pass_through::PASS_THROUGH;
use domain::text::Text;
use encoding_rs::{UTF_8, WINDOWS_1252};
use serde_json::{Map, Value, json};
use store::ImportKind;
use unicode_normalization::UnicodeNormalization;

use super::faulty_rows::is_added;
use super::mapping::{CONDITION, Encoding, Mapping};
use super::readings::CardLine;
use super::rows::{encoding_of, is_blank};
use crate::Failure;
use crate::structure::{self, Kind, Schema};

/// Bytes of a file that are looked at.
const LOOKED_AT: u64 = 256 * 1024;
/// How much of its first line tells what stands between cells.
const LONGEST_HEADER: u64 = 64 * 1024;
/// Examples that are shown of a column.
const SAMPLES: usize = 3;
/// A column with more different values than this is no choice of a few.
const VALUES: usize = 12;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The head of the column.
    pub name: String,
    /// The first values that differ.
    pub samples: Vec<String>,
    /// All values that were seen, if they are a few.
    pub values: Vec<String>,
    /// Another column has the same name, so that neither can be named.
    pub is_twice: bool,
    /// A list of faults added it, so that it is no field.
    pub is_added: bool,
}

/// To what a field belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The job or reading itself.
    Itself,
    /// The meter.
    Meter,
    /// A register that has a row of its own.
    Register,
    /// The first register of a row.
    First,
    /// The second one.
    Second,
    /// The third one.
    Third,
    /// The customer.
    Customer,
}

/// A field of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// As a mapping names it.
    pub name: String,
    /// To what it belongs.
    pub group: Group,
    /// The name that people know it by.
    pub label: Text,
    /// Without it no line is whole; of a register's, with one of them.
    pub is_required: bool,
    /// It is a text whose zeros in front can be left out.
    pub is_text: bool,
    /// The values that it can have, if they are few.
    pub options: Vec<String>,
}

/// The columns of a table by its beginning, with what is known to stand between its cells; a row that the beginning cuts through does not count.
pub(super) fn columns(file: impl Read, known: Option<u8>) -> Result<Vec<Column>, Failure> {
    let mut bytes = Vec::new();
    file.take(LOOKED_AT).read_to_end(&mut bytes).map_err(Failure::Unreadable)?;
    let is_cut = bytes.len() as u64 == LOOKED_AT;
    if let (true, Some(end)) = (is_cut, bytes.iter().rposition(|byte| *byte == b'\n')) {
        bytes.truncate(end + 1);
    }
    let text = match encoding_of(&mut bytes.as_slice()).map_err(Failure::Unreadable)? {
        Encoding::Utf8 => UTF_8.decode_with_bom_removal(&bytes).0,
        Encoding::Windows1252 => WINDOWS_1252.decode_without_bom_handling(&bytes).0,
    };
    let delimiter = known.map_or_else(|| separator(&mut text.as_bytes()), Ok).map_err(Failure::Unreadable)?;
    let reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut rows = reader.into_byte_records().filter_map(Result::ok);
    let cells = |row: ByteRecord| row.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect::<Vec<_>>();
    let names = rows.find(|row| !is_blank(row)).map(cells).unwrap_or_default();
    let mut seen: Vec<(Vec<String>, BTreeSet<String>)> = vec![Default::default(); names.len()];
    for row in rows.map(cells) {
        for ((samples, values), cell) in seen.iter_mut().zip(row).filter(|(_, cell)| !cell.is_empty()) {
            if samples.len() < SAMPLES && !samples.contains(&cell) {
                samples.push(cell.clone());
            }
            if values.len() <= VALUES {
                values.insert(cell);
            }
        }
    }
    let column = |(name, (samples, values)): (&String, (Vec<String>, BTreeSet<String>))| Column {
        name: name.clone(),
        samples,
        values: if values.len() > VALUES { Vec::new() } else { values.into_iter().collect() },
        is_twice: names.iter().filter(|other| *other == name).count() > 1,
        is_added: is_added(name),
    };
    Ok(names.iter().zip(seen).map(column).collect())
}

/// What stands between two cells of a table, by its first line that says anything.
pub(super) fn separator(table: &mut impl BufRead) -> io::Result<u8> {
    let mut header = Vec::new();
    while header.trim_ascii().is_empty() {
        header.clear();
        if table.take(LONGEST_HEADER).read_until(b'\n', &mut header)? == 0 {
            break;
        }
    }
    let count = |delimiter| header.iter().filter(|byte| **byte == delimiter).count();
    Ok(if count(b';') >= count(b',') { b';' } else { b',' })
}

/// A field, what people call it, and what columns of it are called; folded as [`folded`] does.
type Known = (&'static str, Group, &'static str, &'static str, &'static [&'static str]);

const JOBS: [Known; 26] = [
    (
        "accountId",
        Group::Itself,
        "Zugang",
        "Account",
        &[
            "zugang",
            "kundennummer",
            "kundennr",
            "kdnr",
            "accountid",
            "geschaeftspartner",
            "gp",
            "gpartner",
            "vertragskonto",
            "debitor",
            "customernumber",
        ],
    ),
    (
        "id",
        Group::Itself,
        "Auftragsnummer",
        "Job number",
        &["auftrag", "auftragsnummer", "auftragsnr", "ableseauftrag", "ablesebeleg", "ablbelnr", "belegnummer", "id", "jobid", "job"],
    ),
    ("season", Group::Itself, "Ablesesaison", "Season", &["saison", "ablesesaison", "season"]),
    (
        "jobConstraints.earliestExecution",
        Group::Itself,
        "Ablesen ab",
        "Read from",
        &["ablesenab", "von", "beginn", "zeitraumvon", "earliestexecution"],
    ),
    (
        "jobConstraints.latestExecution",
        Group::Itself,
        "Ablesen bis",
        "Read until",
        &["ablesenbis", "bis", "frist", "zeitraumbis", "latestexecution", "solltermin"],
    ),
    ("jobPermissions.reShare", Group::Itself, "Darf geteilt werden", "May be shared", &["teilbar", "reshare"]),
    ("maLoId", Group::Itself, "Marktlokation (MaLo)", "Market location (MaLo)", &["marktlokation", "malo", "maloid"]),
    (
        "meLoId",
        Group::Itself,
        "Messlokation (MeLo)",
        "Metering location (MeLo)",
        &["messlokation", "melo", "meloid", "zaehlpunkt", "zaehlpunktbezeichnung"],
    ),
    ("marketRecipient", Group::Itself, "Empfänger im Markt", "Recipient in the market", &["lieferant", "marktpartner", "marketrecipient"]),
    ("objectKey", Group::Itself, "Objekt", "Building", &["objekt", "objektnummer", "anschlussobjekt", "objectkey"]),
    (
        "meter.meterNumber",
        Group::Meter,
        "Zählernummer",
        "Meter number",
        &["zaehlernummer", "zaehlernr", "zaehler", "geraetenummer", "geraet", "serialnr", "seriennummer", "meternumber"],
    ),
    ("meter.meterType", Group::Meter, "Art des Zählers", "Kind of meter", &["zaehlerart", "sparte", "medium", "art", "metertype"]),
    (
        "meter.meterAddress.street",
        Group::Meter,
        "Straße der Verbrauchsstelle",
        "Street of the meter",
        &["strasseverbrauchsstelle", "vsstrasse", "standortstrasse", "zaehlerstrasse"],
    ),
    (
        "meter.meterAddress.houseNumber",
        Group::Meter,
        "Hausnummer der Verbrauchsstelle",
        "House number of the meter",
        &["hausnummerverbrauchsstelle", "vshausnummer", "vshausnr", "standorthausnummer"],
    ),
    (
        "meter.meterAddress.zip",
        Group::Meter,
        "PLZ der Verbrauchsstelle",
        "Postcode of the meter",
        &["plzverbrauchsstelle", "vsplz", "standortplz"],
    ),
    (
        "meter.meterAddress.city",
        Group::Meter,
        "Ort der Verbrauchsstelle",
        "Town of the meter",
        &["ortverbrauchsstelle", "vsort", "standortort"],
    ),
    (
        "meter.meterAddress.cityDistrict",
        Group::Meter,
        "Ortsteil der Verbrauchsstelle",
        "District of the meter",
        &["ortsteil", "stadtteil", "bezirk"],
    ),
    (
        "meter.meterAddress.locationDescription",
        Group::Meter,
        "Einbauort",
        "Place of the meter",
        &["einbauort", "standort", "zaehlerstandort", "lage"],
    ),
    ("customer.customerNumber", Group::Customer, "Kundennummer", "Customer number", &[]),
    ("customer.company", Group::Customer, "Firma", "Company", &["firma", "company", "name1firma"]),
    ("customer.firstname", Group::Customer, "Vorname", "First name", &["vorname", "firstname"]),
    ("customer.lastname", Group::Customer, "Nachname", "Surname", &["name", "nachname", "kundenname", "lastname", "name1"]),
    ("customer.mailingAddress.street", Group::Customer, "Straße", "Street", &["strasse", "street", "str"]),
    ("customer.mailingAddress.houseNumber", Group::Customer, "Hausnummer", "House number", &["hausnummer", "hausnr", "hnr", "housenumber"]),
    ("customer.mailingAddress.zip", Group::Customer, "PLZ", "Postcode", &["plz", "postleitzahl", "zip"]),
    ("customer.mailingAddress.city", Group::Customer, "Ort", "Town", &["ort", "stadt", "wohnort", "city"]),
];

/// Fields of a register, without its place.
const REGISTER: [(&str, &str, &str, &[&str]); 9] = [
    ("obis", "OBIS-Kennzahl", "OBIS code", &["obis", "obiskennzahl", "obiscode"]),
    ("rateName", "Name des Zählwerks", "Name of the register", &["zaehlwerk", "tarif", "ratename"]),
    ("unit", "Einheit", "Unit", &["einheit", "unit"]),
    ("preDecimals", "Vorkommastellen", "Digits before the point", &["vorkommastellen", "stavorn", "predecimals"]),
    ("postDecimals", "Nachkommastellen", "Digits after the point", &["nachkommastellen", "stanac", "postdecimals"]),
    ("targetReadingDate", "Stichtag", "Day wanted", &["stichtag", "sollablesedatum", "targetreadingdate"]),
    ("expectedAnnualConsumption", "Jahresverbrauch", "Annual use", &["jahresverbrauch", "prognose", "jahresprognose"]),
    (
        "readingEvents[0].readingDate",
        "Tag des letzten Stands",
        "Day of the last reading",
        &["letzteablesung", "letztesablesedatum", "datumletzterstand", "vordatum"],
    ),
    ("readingEvents[0].readingValue", "Letzter Stand", "Last reading", &["letzterstand", "letzterzaehlerstand", "vorstand", "altstand"]),
];

const ACCOUNTS: [Known; 11] = [
    (
        "id",
        Group::Itself,
        "Zugang",
        "Account",
        &[
            "zugang",
            "kundennummer",
            "kundennr",
            "kdnr",
            "id",
            "accountid",
            "geschaeftspartner",
            "gp",
            "gpartner",
            "vertragskonto",
            "debitor",
            "customernumber",
        ],
    ),
    ("name", Group::Itself, "Name", "Name", &["name", "kundenname", "kunde", "firma", "company", "name1"]),
    ("salutation", Group::Itself, "Anrede im Brief", "Salutation of letters", &["anrede", "briefanrede", "salutation"]),
    ("email", Group::Itself, "E-Mail", "E-mail", &["email", "mail", "emailadresse", "mailadresse"]),
    ("language", Group::Itself, "Sprache", "Language", &["sprache", "language"]),
    ("validUntil", Group::Itself, "Gültig bis", "Valid until", &["gueltigbis", "ende", "vertragsende", "auszug", "validuntil"]),
    ("username", Group::Itself, "Benutzername", "User name", &["benutzername", "username", "login"]),
    ("password", Group::Itself, "Passwort", "Password", &["passwort", "kennwort", "password"]),
    ("token", Group::Itself, "Schlüssel des Links", "Token of the link", &["token"]),
    ("roles[0]", Group::Itself, "Rolle im Portal", "Role at the portal", &["rolle", "role"]),
    ("roles[1]", Group::Itself, "Weitere Rolle im Portal", "Another role at the portal", &[]),
];

const READINGS: [Known; 12] = [
    ("job", Group::Itself, "Auftragsnummer", "Job number", &["auftrag", "auftragsnummer", "job", "jobid"]),
    ("code", Group::Itself, "Code der Ablesekarte", "Code of the reply card", &["code", "kartencode", "datamatrix"]),
    (
        "meterNumber",
        Group::Itself,
        "Zählernummer",
        "Meter number",
        &["zaehlernummer", "zaehlernr", "zaehler", "geraetenummer", "meternumber"],
    ),
    ("readingDate", Group::Itself, "Ablesedatum", "Day of the reading", &["ablesedatum", "datum", "tag", "readingdate", "date"]),
    ("channel", Group::Itself, "Weg", "Way it came", &["weg", "channel"]),
    ("comment", Group::Itself, "Bemerkung", "Comment", &["bemerkung", "kommentar", "comment"]),
    ("readings[0].value", Group::First, "Stand", "Reading", &["zaehlerstand", "stand", "standht", "value", "readingvalue"]),
    ("readings[0].register", Group::First, "Zählwerk (OBIS oder Name)", "Register (OBIS or name)", &["obis", "zaehlwerk", "register"]),
    ("readings[1].value", Group::Second, "Stand", "Reading", &["standnt"]),
    ("readings[1].register", Group::Second, "Zählwerk (OBIS oder Name)", "Register (OBIS or name)", &[]),
    ("readings[2].value", Group::Third, "Stand", "Reading", &[]),
    ("readings[2].register", Group::Third, "Zählwerk (OBIS oder Name)", "Register (OBIS or name)", &[]),
];

/// Fields whose contents are never shown.
pub(crate) const SECRETS: [&str; 2] = ["password", "token"];

/// What people's tables call the choices of a field.
const WORDS: [(&str, &[(&str, &str)]); 2] = [
    (
        "meter.meterType",
        &[
            ("strom", "ELECTRIC_METER"),
            ("elektro", "ELECTRIC_METER"),
            ("electricity", "ELECTRIC_METER"),
            ("gas", "GAS_METER"),
            ("erdgas", "GAS_METER"),
            ("wasser", "WATER_METER"),
            ("kaltwasser", "WATER_METER"),
            ("trinkwasser", "WATER_METER"),
            ("water", "WATER_METER"),
            ("warmwasser", "WATER_WARM_METER"),
            ("waerme", "HEAT_METER"),
            ("fernwaerme", "HEAT_METER"),
            ("heat", "HEAT_METER"),
        ],
    ),
    (
        "channel",
        &[
            ("telefon", "PHONE"),
            ("karte", "CARD"),
            ("ablesekarte", "CARD"),
            ("email", "EMAIL"),
            ("aussendienst", "TECHNICIAN"),
            ("technik", "TECHNICIAN"),
            ("ableser", "TECHNICIAN"),
            ("datei", "IMPORT"),
            ("phone", "PHONE"),
            ("card", "CARD"),
            ("fieldstaff", "TECHNICIAN"),
            ("technician", "TECHNICIAN"),
            ("import", "IMPORT"),
        ],
    ),
];

const REGISTERS: &str = "meter.meterRateTasks";

fn schema_of(kind: ImportKind) -> Schema {
    match kind {
        ImportKind::Accounts => super::accounts::line_schema(),
        ImportKind::Jobs => super::jobs::line_schema(),
        ImportKind::Readings => structure::schema_of::<CardLine>(),
    }
}

/// Whether a mapping, as the document that it is, is good for a table with these columns.
pub fn fits(kind: ImportKind, mapping: &str, columns: &[Column]) -> bool {
    let header: Vec<_> = columns.iter().map(|column| column.name.clone()).collect();
    Mapping::parse(mapping).is_ok_and(|mapping| mapping.plan(&schema_of(kind), &header).is_ok())
}

/// A column that a mapping names, and that a table does not have, or has twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingColumn {
    /// The column's name.
    pub column: String,
    /// The field that it is for, or the part of the mapping.
    pub field: String,
    /// Which column is that field instead, by what is guessed of the table.
    pub instead: Option<String>,
}

/// A mapping as it fits a table, and which of its columns are not there; none: it is no mapping. Such a column is left out, or what is `guessed` of the table
/// stands in its place, with the meanings of its values.
pub fn fitted(mapping: &str, columns: &[Column], guessed: &Value) -> Option<(Value, Vec<MissingColumn>)> {
    let mut document: Value = serde_json::from_str(mapping).ok()?;
    let mapping = Mapping::parse(mapping).ok()?;
    let missing = missing(&mapping, columns, guessed);
    for MissingColumn { column, field, instead } in &missing {
        leave_out(&mut document, field, column, instead.as_deref());
    }
    Some((document, missing))
}

/// A mapping that lacks columns, with what is `guessed` of columns and fields of which it says nothing.
pub fn completed(mut mapping: Value, guessed: &Value) -> Value {
    let said = Mapping::parse(&mapping.to_string()).ok();
    let is_said = |column: &str| said.iter().flat_map(Mapping::named_columns).any(|(_, named)| named == column);
    for (field, column) in guessed["columns"].as_object().into_iter().flatten() {
        let has_field = ["columns", "constants"].iter().any(|part| mapping[part].get(field).is_some());
        if !has_field && column.as_str().is_some_and(|column| !is_said(column)) {
            mapping["columns"][field] = column.clone();
            if let Some(values) = guessed["values"].get(field) {
                mapping["values"][field] = values.clone();
            }
        }
    }
    mapping
}

fn missing(mapping: &Mapping, columns: &[Column], guessed: &Value) -> Vec<MissingColumn> {
    let is_there = |name: &str| columns.iter().any(|column| column.name == name && !column.is_twice);
    let mut missing: Vec<MissingColumn> = Vec::new();
    for (field, column) in mapping.named_columns().filter(|(_, column)| !is_there(column)) {
        let is_free = |name: &&str| is_there(name) && !mapping.named_columns().any(|(_, named)| named == *name);
        let instead = guessed["columns"][field].as_str().filter(is_free).map(str::to_owned);
        let found = MissingColumn { column: column.to_owned(), field: field.to_owned(), instead };
        if !missing.contains(&found) {
            missing.push(found);
        }
    }
    missing
}

fn leave_out(document: &mut Value, field: &str, column: &str, instead: Option<&str>) {
    let is_it = |named: &Value| named == column || named["column"] == column;
    if let Some(names) = document.get_mut(PASS_THROUGH).and_then(Value::as_array_mut).filter(|_| field == PASS_THROUGH) {
        names.retain(|name| !is_it(name));
    } else if let Some(conditions) = document.get_mut(CONDITION).and_then(Value::as_object_mut).filter(|_| field == CONDITION) {
        conditions.retain(|_, named| !is_it(named));
    } else {
        let named = document["columns"][field].take();
        let named = named.as_array().cloned().unwrap_or_else(|| vec![named]);
        let mut names: Vec<Value> = named.into_iter().filter(|name| !is_it(name)).collect();
        names.extend(instead.map(Value::from).filter(|instead| !names.contains(instead)));
        if names.len() > 1 {
            document["columns"][field] = Value::Array(names);
        } else if let Some(name) = names.pop() {
            document["columns"][field] = name;
        } else {
            for part in ["columns", "values"] {
                document.get_mut(part).and_then(Value::as_object_mut).map(|fields| fields.remove(field));
            }
            document
                .get_mut("trimLeadingZeros")
                .and_then(Value::as_array_mut)
                .into_iter()
                .for_each(|fields| fields.retain(|name| name != field));
        }
    }
}

/// Whether a mapping is of tables like this one, although not all of its columns are there any more: most are.
pub fn nearly_fits(mapping: &str, columns: &[Column]) -> bool {
    let Ok(mapping) = Mapping::parse(mapping) else { return false };
    let missing = missing(&mapping, columns, &Value::Null).len();
    missing > 0 && 2 * missing < mapping.named_columns().count()
}

/// The fields of a line.
pub fn fields(kind: ImportKind) -> Vec<Field> {
    let schema = schema_of(kind);
    let field = |name: String, group: Group, label: Text| {
        let kind = super::mapping::parse_path(&name).and_then(|path| schema.kind_at(&path).ok());
        let is_text = matches!(kind, Some(Kind::Text));
        let options = match kind {
            Some(Kind::OneOf(options)) => options,
            _ if name.starts_with("roles[") => super::accounts::ROLES.map(str::to_owned).to_vec(),
            _ => Vec::new(),
        };
        let is_required = ["accountId", "id", "name", "meter.meterNumber", "readingDate", "readings[0].value"].contains(&name.as_str())
            || name.ends_with("].obis");
        Field { is_required, is_text, options: options.into_iter().filter(|option| option != "PORTAL").collect(), name, group, label }
    };
    let label = |de: &'static str, en: &'static str| Text { de: de.into(), en: en.into() };
    let mut fields: Vec<_> = known(kind).iter().map(|(name, group, de, en, _)| field((*name).to_owned(), *group, label(de, en))).collect();
    if kind == ImportKind::Jobs {
        for (group, place) in [(Group::Register, "[]"), (Group::First, "[0]"), (Group::Second, "[1]")] {
            fields.extend(REGISTER.map(|(name, de, en, _)| field(format!("{REGISTERS}{place}.{name}"), group, label(de, en))));
        }
    }
    fields
}

const fn known(kind: ImportKind) -> &'static [Known] {
    match kind {
        ImportKind::Accounts => &ACCOUNTS,
        ImportKind::Jobs => &JOBS,
        ImportKind::Readings => &READINGS,
    }
}

/// What people call a field of a line, for whom its path says nothing; a meter without registers lacks a column of their codes.
pub(super) fn name_of(kind: ImportKind, path: &str) -> Option<Text> {
    let register = path.strip_prefix(REGISTERS).map(|rest| rest.split_once("].").map_or("obis", |(_, field)| field));
    let own = known(kind).iter().find(|(name, ..)| *name == path).map(|(_, _, de, en, _)| (*de, *en));
    let of_register = || REGISTER.iter().find(|(name, ..)| Some(*name) == register).map(|(_, de, en, _)| (*de, *en));
    own.or_else(of_register).map(|(de, en)| Text { de: de.into(), en: en.into() })
}

/// Whether the contents of a column with this head are never shown.
pub(super) fn is_secret(kind: ImportKind, head: &str) -> bool {
    by_its_name(kind, head).is_some_and(|field| SECRETS.contains(&field.as_str()))
}

/// Takes the examples out of columns that are secret by what is suggested.
pub fn hide_secrets(columns: &mut [Column], suggested: &Value) {
    for field in SECRETS {
        for column in columns.iter_mut().filter(|column| suggested["columns"][field] == column.name.as_str()) {
            column.samples.clear();
            column.values.clear();
        }
    }
}

/// The mapping that the heads and contents of the columns suggest; what says nothing stays out.
pub fn suggested(kind: ImportKind, columns: &[Column]) -> Value {
    let (mut of_fields, mut values, mut constants): (Map<String, Value>, Map<String, Value>, Map<String, Value>) = Default::default();
    let mut taken = BTreeSet::new();
    for by_contents in [false, true] {
        for column in columns.iter().filter(|column| !column.name.is_empty() && !column.is_twice && !column.is_added) {
            let field = if by_contents { by_its_contents(kind, column) } else { by_its_name(kind, &column.name) };
            let Some(field) = field.filter(|field| !of_fields.contains_key(field) && !taken.contains(&column.name)) else { continue };
            if let Some(meanings) = meanings(&field, column) {
                values.insert(field.clone(), json!(meanings));
            }
            taken.insert(column.name.clone());
            of_fields.insert(field, json!(column.name));
        }
    }
    let column = |heads: &[&str]| columns.iter().find(|column| !column.is_twice && heads.contains(&folded(&column.name).as_str()));
    match kind {
        // A person's name is what both columns say.
        ImportKind::Accounts => {
            let (first, last) = (column(&["vorname", "firstname"]), column(&["nachname", "lastname", "name", "name1"]));
            if let (Some(first), Some(last)) = (first, last) {
                of_fields.insert("name".into(), json!([first.name, last.name]));
            }
        }
        ImportKind::Jobs => drop(constants.insert("jobPermissions.reShare".into(), json!("ja"))),
        // The two counters of a meter with two tariffs.
        ImportKind::Readings => {
            let rates = [("HT", column(&["standht"])), ("NT", column(&["standnt"]))];
            // Beside them may stand the counter of a meter that has one.
            let single = column(&["zaehlerstand", "stand", "value", "readingvalue"]).filter(|_| rates[0].1.is_some());
            if let Some(column) = single {
                of_fields.insert("readings[0].value".into(), json!(column.name));
            }
            for (place, (rate, column)) in (usize::from(single.is_some())..).zip(rates) {
                if let Some(column) = column {
                    of_fields.insert(format!("readings[{place}].value"), json!(column.name));
                    constants.insert(format!("readings[{place}].register"), json!(rate));
                }
            }
        }
    }
    constants.retain(|field, _| !of_fields.contains_key(field));
    json!({ "columns": of_fields, "constants": constants, "values": values })
}

fn by_its_name(kind: ImportKind, name: &str) -> Option<String> {
    let name = folded(name);
    let found = known(kind).iter().find(|(.., names)| names.contains(&name.as_str())).map(|(field, ..)| (*field).to_owned());
    let register =
        || REGISTER.iter().find(|(.., names)| names.contains(&name.as_str())).map(|(field, ..)| format!("{REGISTERS}[].{field}"));
    found.or_else(|| register().filter(|_| kind == ImportKind::Jobs))
}

/// What a column with an unknown name is, by contents that only such columns have.
fn by_its_contents(kind: ImportKind, column: &Column) -> Option<String> {
    let all = |is: fn(&str) -> bool| !column.samples.is_empty() && column.samples.iter().all(|sample| is(sample));
    match kind {
        ImportKind::Accounts if all(|text| text.parse::<EmailAddress>().is_ok()) => Some("email".into()),
        ImportKind::Jobs if all(is_obis) => Some(format!("{REGISTERS}[].obis")),
        ImportKind::Jobs if all(|text| text.len() == 33 && text.starts_with("DE")) => Some("meLoId".into()),
        ImportKind::Readings if all(is_obis) => Some("readings[0].register".into()),
        ImportKind::Readings if all(|text| text.starts_with("ZW1/")) => Some("code".into()),
        _ => None,
    }
}

/// `1-0:1.8.0`
fn is_obis(text: &str) -> bool {
    let Some((medium, code)) = text.split_once(':') else { return false };
    let number = |part: &str| !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    medium.split('-').count() == 2 && medium.split('-').all(number) && code.split('.').count() == 3 && code.split('.').take(2).all(number)
}

/// What the column's values mean, where the field can be a few things only.
fn meanings<'a>(field: &str, column: &'a Column) -> Option<BTreeMap<&'a str, &'static str>> {
    let (_, words) = WORDS.iter().find(|(name, _)| *name == field)?;
    let meaning = |value: &str| words.iter().find(|(word, _)| *word == folded(value)).map(|(_, meaning)| *meaning);
    let found: BTreeMap<_, _> = column.values.iter().filter_map(|value| Some((value.as_str(), meaning(value)?))).collect();
    (!found.is_empty()).then_some(found)
}

/// Small letters and digits only, `ae` for `ä` and `ss` for `ß`.
fn folded(name: &str) -> String {
    let mut folded = String::new();
    for letter in name.nfc().flat_map(char::to_lowercase) {
        match letter {
            'ä' => folded.push_str("ae"),
            'ö' => folded.push_str("oe"),
            'ü' => folded.push_str("ue"),
            'ß' => folded.push_str("ss"),
            letter if letter.is_alphanumeric() => folded.push(letter),
            _ => {}
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns_of(table: &[u8]) -> Vec<Column> {
        columns(table, None).unwrap()
    }

    #[test]
    fn columns_are_shown_with_what_stands_in_them() {
        let found = columns_of(b"\nKunde;Stra\xdfe;Sparte;Sparte\n1; A-Weg 1 ;Strom;x\n2;;Gas;y\n1;B-Weg;Strom;z\n");
        let names: Vec<_> = found.iter().map(|column| (column.name.as_str(), column.is_twice)).collect();
        assert_eq!(names, [("Kunde", false), ("Straße", false), ("Sparte", true), ("Sparte", true)]);
        assert_eq!(found[1].samples, ["A-Weg 1", "B-Weg"]);
        assert_eq!(found[2].values, ["Gas", "Strom"]);
        let many: String = (0..100).map(|row| format!("{row}\n")).collect();
        let found = columns_of(format!("n\n{many}").as_bytes());
        assert_eq!((found[0].samples.len(), found[0].values.len()), (SAMPLES, 0));
    }

    #[test]
    fn columns_are_those_that_the_import_reads() {
        let names = |table: &[u8], known| columns(table, known).unwrap().into_iter().map(|column| column.name).collect::<Vec<_>>();
        assert_eq!(names(b"\r\n;;\r\nKunde;Stand, neu\r\n", None), ["Kunde", "Stand, neu"]);
        assert_eq!(names(b"Z\xc3\xa4hler, Nr.;Stand, neu\nM\xc3\xbcll;Gr\xc3n\n", Some(b';')), ["Zähler, Nr.", "Stand, neu"]);
    }

    #[test]
    fn a_usual_table_is_mapped_by_itself() {
        let table = "Kundennummer;Ableseauftrag;Zähler-Nr.;Kennung;Sparte;Straße;Haus-Nr.;PLZ;Ort;Name;Letzter Stand;Letzte Ablesung;Unbekannt\n\
                     4711;A1;1EMH1;1-0:1.8.0;Strom;Weg;1;12345;Ort;Muster;100,5;31.12.2025;?\n";
        let columns = columns_of(table.as_bytes());
        let suggested = suggested(ImportKind::Jobs, &columns);
        assert_eq!(suggested["columns"]["meter.meterRateTasks[].obis"], "Kennung");
        assert_eq!(suggested["values"]["meter.meterType"]["Strom"], "ELECTRIC_METER");
        assert_eq!(suggested["columns"].as_object().unwrap().len(), 12);
        let header: Vec<_> = columns.iter().map(|column| column.name.clone()).collect();
        Mapping::parse(&suggested.to_string()).unwrap().plan(&super::super::jobs::line_schema(), &header).unwrap();
    }

    #[test]
    fn a_mapping_of_which_columns_are_gone_is_fitted_to_the_table() {
        let table = columns_of(b"Kunde;Medium;Nr;Nr\n1;Strom;2;3\n");
        let guessed = json!({ "columns": { "meter.meterType": "Medium", "id": "Nr" } });
        let mapping = json!({
            "columns": { "accountId": "Kunde", "meter.meterType": "Sparte", "id": "Nr", "name": ["Vorname", "Kunde"] },
            "values": { "meter.meterType": { "Strom": "ELECTRIC_METER" }, "id": { "1": "2" } },
            "trimLeadingZeros": ["id"], "passThrough": ["Vertrag", "Kunde"],
            "when": { "meter.meterRateTasks[1]": { "column": "Tarif", "is": ["HT"] }, "meter.meterRateTasks[0]": "Kunde" },
        });
        let (fitted, missing) = fitted(&mapping.to_string(), &table, &guessed).unwrap();
        let expected = json!({
            "columns": { "accountId": "Kunde", "meter.meterType": "Medium", "name": "Kunde" },
            "values": { "meter.meterType": { "Strom": "ELECTRIC_METER" } },
            "trimLeadingZeros": [], "passThrough": ["Kunde"], "when": { "meter.meterRateTasks[0]": "Kunde" },
        });
        assert_eq!(fitted, expected);
        let guessed = json!({ "columns": { "name": "Nr", "meLoId": "Messlokation", "street": "Kunde" } });
        assert_eq!(completed(fitted, &guessed)["columns"]["meLoId"], "Messlokation");
        let (bare, _) = super::fitted(r#"{ "columns": { "id": "Auftrag", "accountId": "Kunde" } }"#, &table, &guessed).unwrap();
        assert_eq!(bare, json!({ "columns": { "accountId": "Kunde" } }), "nothing is said that was not");
        let named: Vec<_> = missing.iter().map(|one| (one.column.as_str(), one.field.as_str(), one.instead.as_deref())).collect();
        let (medium, when) = (("Sparte", "meter.meterType", Some("Medium")), ("Tarif", "when", None));
        assert_eq!(named, [("Nr", "id", None), medium, ("Vorname", "name", None), ("Vertrag", "passThrough", None), when]);
    }

    #[test]
    fn every_field_that_is_offered_exists() {
        for (kind, schema) in [
            (ImportKind::Accounts, super::super::accounts::line_schema()),
            (ImportKind::Jobs, super::super::jobs::line_schema()),
            (ImportKind::Readings, structure::schema_of::<CardLine>()),
        ] {
            for field in fields(kind) {
                let path = super::super::mapping::parse_path(&field.name).unwrap();
                assert!(schema.kind_at(&path).is_ok(), "{}", field.name);
            }
        }
        let table = columns_of("Kundennummer;Vorname;Nachname;Kontakt\n1;Eva;Rauch;eva@example.org\n".as_bytes());
        let suggested = super::suggested(ImportKind::Accounts, &table);
        assert_eq!(suggested["columns"], json!({ "id": "Kundennummer", "name": ["Vorname", "Nachname"], "email": "Kontakt" }));
        let table = columns_of("Zählernummer;Datum;Stand HT;Stand NT;Weg\n1;31.12.2025;1;2;Telefon\n".as_bytes());
        let suggested = super::suggested(ImportKind::Readings, &table);
        assert_eq!(suggested["constants"], json!({ "readings[0].register": "HT", "readings[1].register": "NT" }));
        let counters = json!({ "readings[0].value": "Stand", "readings[1].value": "Stand HT", "readings[2].value": "Stand NT" });
        for head in ["Auftrag;Datum;Stand;Stand HT;Stand NT", "Auftrag;Datum;Stand HT;Stand NT;Stand"] {
            let both = super::suggested(ImportKind::Readings, &columns_of(head.as_bytes()));
            assert!(counters.as_object().unwrap().iter().all(|(field, column)| both["columns"][field] == *column), "{both}");
            assert_eq!(both["constants"], json!({ "readings[1].register": "HT", "readings[2].register": "NT" }));
        }
        assert_eq!(suggested["values"]["channel"]["Telefon"], "PHONE");
    }
}
