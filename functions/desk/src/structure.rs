//! The shape of a JSON document, checked against the schema that its type derives: every fault at once, each with its path.
//!
//! Reading a document straight into its type would stop at the first fault; the person who wrote the file wants all of them (D-IMPORTS-5).

use std::collections::BTreeMap;

use domain::fault::Fault;
use domain::ids;
use domain::text;
use domain::text::Text;
use domain::value::InvalidValue;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::import::mapping::Step;

/// A document, as far as its text fits the type.
#[derive(Debug)]
pub struct Shape<T> {
    /// The document, with placeholders at the places that are at fault; none when even that makes no sense.
    pub value: Option<T>,
    /// All places that do not fit the type.
    pub faults: Vec<Fault>,
}

/// Reads a document of type `T`.
pub fn read<T: ToSchema + DeserializeOwned>(text: &str) -> Shape<T> {
    read_with(text, schema_of::<T>())
}

/// Reads a document that is a list of `T`.
pub fn read_list<T: ToSchema + DeserializeOwned>(text: &str) -> Shape<Vec<T>> {
    let mut schema = schema_of::<T>();
    schema.root = json!({ "type": "array", "items": schema.root });
    read_with(text, schema)
}

/// Reads a document that has a `T` under each of its names. Its `$schema` is for editors.
pub fn read_map<T: ToSchema + DeserializeOwned>(text: &str) -> Shape<BTreeMap<String, T>> {
    let document =
        serde_json::from_str::<Map<String, Value>>(text).ok().filter(|document| document.get("$schema").is_some_and(Value::is_string));
    let without = document.map(|mut document| {
        document.remove("$schema");
        Value::Object(document).to_string()
    });
    read_with(without.as_deref().unwrap_or(text), schema_of_map::<T>())
}

fn read_with<T: DeserializeOwned>(text: &str, schema: Schema) -> Shape<T> {
    let mut walk = Walk { schema: &schema, faults: Vec::new() };
    let document: Value = match serde_json::from_str(text) {
        Ok(document) => document,
        Err(error) => {
            walk.fault("", not_json(&error));
            return Shape { value: serde_json::from_value(walk.placeholder(&schema.root)).ok(), faults: walk.faults };
        }
    };
    let mended = walk.value(&schema.root, &document, "");
    let mut faults = walk.faults;
    // The type knows more than its schema does, such as how great a number may be or which texts are identifiers.
    if let Err(error) = serde_path_to_error::deserialize::<_, T>(&mut serde_json::Deserializer::from_str(text)) {
        let path = error.path().to_string();
        let path = if path == "." { String::new() } else { path };
        let known = faults.iter().any(|fault| touches(&fault.path, &path));
        if !known {
            faults.push(misfit(&path, &error.inner().to_string()));
        }
    }
    Shape { value: serde_json::from_value(mended).ok(), faults }
}

/// One path is the other, or leads to it.
pub fn touches(one: &str, other: &str) -> bool {
    let leads = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
    };
    leads(one, other) || leads(other, one)
}

/// What the parser says of a text that is no JSON.
pub fn not_json(error: &serde_json::Error) -> Text {
    let (line, column) = (error.line(), error.column());
    let reason = without_position(&error.to_string()).to_owned();
    if line > 1 {
        text!("ist kein JSON: Fehler in Zeile {line}, Zeichen {column}", "is not JSON: {reason} at line {line} column {column}")
    } else {
        text!("ist kein JSON: Fehler bei Zeichen {column}", "is not JSON: {reason} at column {column}")
    }
}

/// The parser's message without the position that it appends.
fn without_position(message: &str) -> &str {
    message.rsplit_once(" at line ").map_or(message, |(reason, _)| reason)
}

/// What the parser's message says of a document that does not fit its type: a library has only texts for it, in English.
pub fn misfit(path: &str, message: &str) -> Fault {
    let reason = without_position(message);
    if let Some((name, "")) = reason.strip_prefix("missing field ").and_then(quoted) {
        return Fault::missing(below(path, name));
    }
    Fault::new(path, in_both_languages(reason))
}

/// The path of a member.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The text between back ticks at the beginning, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('`')?.split_once('`')
}

/// What is wrong with a text that should be a day.
pub fn no_day() -> Text {
    text!("muss ein Tag sein, etwa 2026-11-30", "must be a day, such as 2026-11-30")
}

fn in_both_languages(reason: &str) -> Text {
    // Days are the only texts that a library reads for us; of what it says only the beginnings stay the same.
    if ["failed to parse ", "parsed ", "expected "].iter().any(|beginning| reason.starts_with(beginning)) {
        return no_day();
    }
    if reason == InvalidValue.to_string() {
        return InvalidValue.into();
    }
    if let Some(text) = ids::invalid_id_of(reason) {
        return text;
    }
    if let Some((name, _)) = reason.strip_prefix("duplicate field ").and_then(quoted) {
        return text!("das Feld `{name}` steht zweimal da", "{reason}");
    }
    for (kind, known) in [("unknown field ", "das Feld `{}` gibt es hier nicht"), ("unknown variant ", "`{}` gibt es hier nicht")] {
        if let Some((name, rest)) = reason.strip_prefix(kind).and_then(quoted) {
            let unknown = known.replace("{}", name);
            let known = ["one of ", ""].into_iter().find_map(|before| rest.strip_prefix(", expected ")?.strip_prefix(before));
            return match known {
                Some(known) => text!("{unknown}; möglich: {known}", "{reason}", known = known.replace("` or `", "`, `")),
                None => text!("{unknown}", "{reason}"),
            };
        }
    }
    let wrong = ["invalid type: ", "invalid value: "].into_iter().find_map(|kind| reason.strip_prefix(kind));
    if let Some((found, wanted)) = wrong.and_then(|rest| rest.rsplit_once(", expected ")) {
        let wanted = match wanted {
            "a string" => "ein Text",
            "a boolean" => "true oder false",
            "a sequence" => "eine Liste",
            "a map" => "ein Objekt",
            whole if whole.trim_start_matches(['i', 'u']).parse::<u8>().is_ok() => "eine passende ganze Zahl",
            _ if wanted.starts_with("struct ") => "ein Objekt",
            _ => return text!("hat nicht die erwartete Form", "{reason}"),
        };
        let found = match found {
            "null" => "null",
            "sequence" => "eine Liste",
            "map" => "ein Objekt",
            _ if found.starts_with("string ") => "ein Text",
            _ => quoted(found.trim_start_matches(|c| c != '`')).map_or("etwas anderes", |(value, _)| value),
        };
        return text!("hier steht {found}, erwartet wird {wanted}", "{reason}");
    }
    text!("hat nicht die erwartete Form ({reason})", "{reason}")
}

/// A type's schema with those that it refers to.
pub struct Schema {
    /// The type itself.
    pub root: Value,
    /// The parts that it refers to, by name.
    pub parts: Map<String, Value>,
}

/// The schema that a type derives.
pub fn schema_of<T: ToSchema>() -> Schema {
    let mut parts = Vec::new();
    T::schemas(&mut parts);
    let json = |schema: &utoipa::openapi::RefOr<utoipa::openapi::Schema>| serde_json::to_value(schema).unwrap_or_default();
    Schema { root: json(&T::schema()), parts: parts.iter().map(|(name, schema)| (name.clone(), json(schema))).collect() }
}

/// The schema of a document that has a `T` under each of its names.
pub fn schema_of_map<T: ToSchema>() -> Schema {
    let mut schema = schema_of::<T>();
    schema.root = json!({ "type": "object", "additionalProperties": schema.root });
    schema
}

/// What a field holds, as far as a cell of a table goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    Day,
    /// A reading value.
    Reading,
    /// A whole number.
    Whole,
    /// Yes or no.
    Flag,
    /// One of these names.
    OneOf(Vec<String>),
}

impl Schema {
    /// The first member of a document that its type does not know. The types themselves read past it, because they are stored, too, by versions that may know more
    /// (D-PLATFORM-31).
    pub fn unknown_member(&self, document: &Value) -> Option<Fault> {
        self.unknown_below(&self.root, document, "")
    }

    fn unknown_below(&self, schema: &Value, value: &Value, path: &str) -> Option<Fault> {
        let (schema, _) = resolve(&self.parts, schema, value);
        match value {
            Value::Object(members) => {
                let known = schema["properties"].as_object()?;
                members.iter().find_map(|(name, member)| {
                    let path = below(path, name);
                    match known.get(name) {
                        Some(property) => self.unknown_below(property, member, &path),
                        None => Some(misfit(&path, &format!("unknown field `{name}`, expected one of {}", quoted_names(known)))),
                    }
                })
            }
            Value::Array(items) => {
                items.iter().enumerate().find_map(|(place, item)| self.unknown_below(&schema["items"], item, &format!("{path}[{place}]")))
            }
            _ => None,
        }
    }

    /// What the field at the end of the path holds; the reason, if there is none.
    pub fn kind_at(&self, path: &[Step]) -> Result<Kind, Text> {
        let mut schema = resolve(&self.parts, &self.root, &Value::Null).0;
        for step in path {
            let next = match step {
                Step::Member(name) => match schema["properties"].get(name) {
                    Some(property) => property,
                    None => {
                        let known = schema["properties"].as_object().map(|members| members.keys().cloned().collect::<Vec<_>>().join(", "));
                        return Err(match known {
                            Some(known) => {
                                text!("`{name}` gibt es hier nicht; möglich: {known}", "`{name}` is unknown here; possible are {known}")
                            }
                            None => text!("`{name}` gibt es hier nicht", "`{name}` is unknown here; possible are none"),
                        });
                    }
                },
                Step::Place(_) | Step::Row if kind(schema) == "array" => &schema["items"],
                Step::Place(_) | Step::Row => return Err(text!("ist keine Liste", "is no list")),
            };
            schema = resolve(&self.parts, next, &Value::Null).0;
        }
        if let Some(names) = schema["enum"].as_array() {
            return Ok(Kind::OneOf(names.iter().filter_map(Value::as_str).map(str::to_owned).collect()));
        }
        match kind(schema) {
            "string" if schema["format"] == "date" => Ok(Kind::Day),
            "string" if schema["pattern"].as_str().is_some_and(|pattern| pattern.starts_with("^[0-9]")) => Ok(Kind::Reading),
            "string" => Ok(Kind::Text),
            "integer" => Ok(Kind::Whole),
            "boolean" => Ok(Kind::Flag),
            "array" => Err(text!("ist eine Liste; nennen Sie eine Stelle darin, etwa [0]", "is a list; name a place of it, such as [0]")),
            _ => Err(text!("hat weitere Felder; nennen Sie eines davon", "has further fields; name one of them")),
        }
    }
}

struct Walk<'a> {
    schema: &'a Schema,
    faults: Vec<Fault>,
}

impl Walk<'_> {
    fn fault(&mut self, path: &str, reason: Text) {
        self.faults.push(Fault::new(path, reason));
    }

    /// Checks a value and returns it with placeholders for what is at fault.
    fn value(&mut self, schema: &Value, value: &Value, path: &str) -> Value {
        let (schema, may_be_null) = resolve(&self.schema.parts, schema, value);
        if may_be_null && value.is_null() {
            return Value::Null;
        }
        if let Some(names) = schema["enum"].as_array() {
            if !names.contains(value) {
                let names = listed(names);
                self.fault(path, text!("möglich sind nur {names}", "must be one of {names}"));
                return self.placeholder(schema);
            }
            return value.clone();
        }
        let fits = match (kind(schema), value) {
            ("object", Value::Object(members)) => return self.object(schema, members, path),
            ("array", Value::Array(items)) => {
                let items = items.iter().enumerate().map(|(index, item)| self.value(&schema["items"], item, &format!("{path}[{index}]")));
                return items.collect();
            }
            ("integer", Value::Number(number)) => {
                number.is_u64() || (number.is_i64() && schema["minimum"].as_i64().is_none_or(|least| least < 0))
            }
            ("number", Value::Number(_)) | ("boolean", Value::Bool(_)) | ("string", Value::String(_)) => true,
            _ => false,
        };
        if fits {
            return value.clone();
        }
        let wanted = match kind(schema) {
            "object" => object(),
            "array" => list(),
            "integer" if schema["minimum"] == json!(0) => text!("eine ganze Zahl ab 0", "a whole number from 0 on"),
            "integer" => text!("eine ganze Zahl", "a whole number"),
            "number" => text!("eine Zahl", "a number"),
            "boolean" => text!("true oder false", "true or false"),
            _ => string(),
        };
        let found = shown(value);
        self.fault(path, text!("muss {wanted} sein, nicht {found}", "must be {wanted}, not {found}"; wanted, found));
        self.placeholder(schema)
    }

    fn object(&mut self, schema: &Value, members: &Map<String, Value>, path: &str) -> Value {
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        let mut mended = Map::new();
        for (name, member) in members {
            let path = below(path, name);
            if let Some(property) = properties.get(name) {
                mended.insert(name.clone(), self.value(property, member, &path));
            } else if schema["additionalProperties"].is_object() {
                let names = schema["propertyNames"]["enum"].as_array();
                if let Some(names) = names.filter(|names| !names.contains(&json!(name))) {
                    self.fault(&path, unknown(&listed(names)));
                } else {
                    mended.insert(name.clone(), self.value(&schema["additionalProperties"], member, &path));
                }
            } else {
                let known: Vec<_> = properties.keys().map(String::as_str).collect();
                self.fault(&path, unknown(&known.join(", ")));
            }
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                self.faults.push(Fault::missing(below(path, name)));
                mended.insert(name.to_owned(), self.placeholder(&schema["properties"][name]));
            }
        }
        Value::Object(mended)
    }

    /// A value that stands in for one at fault, so that the rest of the document can be looked at.
    fn placeholder(&self, schema: &Value) -> Value {
        let (schema, may_be_null) = resolve(&self.schema.parts, schema, &Value::Null);
        if may_be_null {
            return Value::Null;
        }
        if let Some(name) = schema["enum"].get(0) {
            return name.clone();
        }
        match kind(schema) {
            "object" => {
                let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
                required.map(|name| (name.to_owned(), self.placeholder(&schema["properties"][name]))).collect()
            }
            "array" => json!([]),
            "integer" | "number" => json!(0),
            "boolean" => json!(false),
            _ => json!("placeholder"),
        }
    }
}

/// Follows references, of several choices to the one whose name the value has; the second value tells whether null is allowed too.
fn resolve<'a>(parts: &'a Map<String, Value>, schema: &'a Value, value: &Value) -> (&'a Value, bool) {
    if let Some(part) = schema["$ref"].as_str().and_then(|name| parts.get(name.rsplit('/').next()?)) {
        return resolve(parts, part, value);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let null = json!({ "type": "null" });
        let is_named = |choice: &&Value| {
            let mut members = choice["properties"].as_object().into_iter().flatten();
            members.any(|(name, member)| member["enum"].as_array().is_some_and(|names| *names == [value[name.as_str()].clone()]))
        };
        if let Some(choice) = choices.iter().find(is_named).or_else(|| choices.iter().find(|choice| **choice != null)) {
            return (resolve(parts, choice, value).0, choices.contains(&null));
        }
    }
    let may_be_null = schema["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
    (schema, may_be_null)
}

fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("string"),
        name => name.as_str().unwrap_or("string"),
    }
}

/// The value as a fault names it: short, for any value.
fn shown(value: &Value) -> Text {
    match value {
        Value::Object(_) => object(),
        Value::Array(_) => list(),
        Value::String(text) if text.chars().count() > 40 => string(),
        other => Text::same(other.to_string()),
    }
}

fn object() -> Text {
    text!("ein Objekt", "an object")
}

fn list() -> Text {
    text!("eine Liste", "a list")
}

fn string() -> Text {
    text!("ein Text", "a text")
}

/// Names as the parser lists them.
fn quoted_names(known: &Map<String, Value>) -> String {
    known.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn listed(names: &[Value]) -> String {
    names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

fn unknown(known: &str) -> Text {
    text!("gibt es hier nicht; möglich: {known}", "is unknown here; possible are {known}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::config::{Application, MeterReadingInstruction};
    use jiff::civil::Date;

    fn faults(document: Value) -> Vec<(String, String)> {
        read::<Application>(&document.to_string()).faults.into_iter().map(|fault| (fault.path, fault.reason.en.into_owned())).collect()
    }

    fn minimal() -> Value {
        json!({ "applicationId": "t", "name": "T", "hosts": ["localhost"], "portalUrl": "http://localhost" })
    }

    #[test]
    fn a_minimal_document_fits() {
        let shape = read::<Application>(&minimal().to_string());
        assert_eq!(shape.faults, []);
        assert_eq!(shape.value.unwrap().time_zone, "Europe/Berlin");
    }

    #[test]
    fn all_faults_are_found_at_once_and_the_rest_stays_readable() {
        let mut document = minimal();
        document["hosts"] = json!(["a", 5]);
        document["theme"] = json!({ "primaryColor": null, "color": "#000000" });
        document["login"] = json!({ "passwordMinLength": -1 });
        document["unknownReading"] = json!({ "meters": { "STEAM_METER": {}, "GAS_METER": { "customMeterConfig": null, "subTypeMeterConfigs": [{ "subType": "X" }] } } });
        document["crmSettings"] = json!({ "receiptPlacements": ["HOME", "ROOF"] });
        document.as_object_mut().unwrap().remove("name");
        let shape = read::<Application>(&document.to_string());
        let mut paths: Vec<_> = shape.faults.iter().map(|fault| fault.path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(
            paths,
            [
                "crmSettings.receiptPlacements[1]",
                "hosts[1]",
                "login.passwordMinLength",
                "name",
                "theme.color",
                "theme.primaryColor",
                "unknownReading.meters.GAS_METER.subTypeMeterConfigs[0].meterType",
                "unknownReading.meters.GAS_METER.subTypeMeterConfigs[0].subTypeLabel",
                "unknownReading.meters.STEAM_METER",
            ]
        );
        assert_eq!(shape.value.unwrap().hosts[0], "a");
    }

    #[test]
    fn what_no_setting_is_is_told_wherever_it_stands() {
        let mut document = minimal();
        document["crm"] = json!({ "adapter": "http", "baseUrl": "https://crm.example", "credentialsParameter": "key" });
        assert_eq!(faults(document.clone()), []);
        document["crm"]["retries"] = json!(3);
        assert_eq!(faults(document)[0].0, "crm.retries");
    }

    #[test]
    fn what_only_the_type_knows_is_reported_too() {
        let mut document = minimal();
        document["applicationId"] = json!("Not An Id");
        assert_eq!(faults(document)[0].0, "applicationId");
        let mut document = minimal();
        document["login"] = json!({ "passwordMinLength": 300 });
        assert_eq!(faults(document)[0].0, "login.passwordMinLength");
        assert_eq!(read::<Application>("{").faults[0].path, "");
        let twice = r#"{"applicationId":"t","name":"T","name":"U","hosts":["localhost"],"portalUrl":"http://localhost"}"#;
        assert_eq!(read::<Application>(twice).faults[0].reason, text!("das Feld `name` steht zweimal da", "duplicate field `name`"));
    }

    /// None of the parser's own words is left in German.
    #[test]
    fn what_the_parser_says_is_said_in_german() {
        let said = |text: &str| read::<Application>(text).faults.remove(0).reason.de.into_owned();
        assert_eq!(said("{\n \"a\": x}"), "ist kein JSON: Fehler in Zeile 2, Zeichen 7");
        let of = |path: &str, message: &str| misfit(path, message).text().de.into_owned();
        assert_eq!(of("meter", "missing field `id` at line 1 column 3"), "meter.id: fehlt");
        assert_eq!(of("", "unknown field `a`, expected one of `b`, `c`"), "das Feld `a` gibt es hier nicht; möglich: `b`, `c`");
        assert_eq!(of("", "unknown field `a`, expected `b` or `c`"), "das Feld `a` gibt es hier nicht; möglich: `b`, `c`");
        assert_eq!(of("", "unknown field `a`, there are no fields"), "das Feld `a` gibt es hier nicht");
        assert_eq!(of("x", "unknown variant `A`, expected `B`"), "x: `A` gibt es hier nicht; möglich: `B`");
        assert_eq!(of("x", "invalid value: integer `300`, expected u8"), "x: hier steht 300, erwartet wird eine passende ganze Zahl");
        assert_eq!(
            of("x", "invalid type: string \"a, expected b\", expected a boolean"),
            "x: hier steht ein Text, erwartet wird true oder false"
        );
        assert_eq!(of("x", "invalid type: map, expected a string"), "x: hier steht ein Objekt, erwartet wird ein Text");
        for text in ["morgen", "1", "2026-1", "2026-13-01", "2026-11-31", "2026-11-300"] {
            let library = text.parse::<Date>().unwrap_err().to_string();
            assert_eq!(of("x", &library), "x: muss ein Tag sein, etwa 2026-11-30", "{library}");
        }
    }

    #[test]
    fn lists_are_checked_item_by_item() {
        let shape = read_list::<MeterReadingInstruction>(r#"[{"obisFilter":"1","meterNumberFilter":"","content":"x"},{"obisFilter":1}]"#);
        let mut paths: Vec<_> = shape.faults.iter().map(|fault| fault.path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["[1].content", "[1].meterNumberFilter", "[1].obisFilter"]);
    }

    #[test]
    fn a_path_touches_what_it_leads_to() {
        assert!(touches("languages", "languages[0].name") && touches("", "name") && touches("name", "name"));
        assert!(!touches("name", "names") && !touches("a.b", "a.c"));
    }
}
