//! Arguments that are not understood, said in German; clap itself says it in English.

use std::error::Error as _;
use std::fmt;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use desk::structure;
use domain::ids::InvalidId;
use domain::text::Text;

/// A value that an argument cannot have.
#[derive(Debug, Clone)]
pub struct Unfit(pub Text);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl std::error::Error for Unfit {}

/// What is wrong, what was perhaps meant, how the command is called, and where there is help.
pub fn in_german(error: &clap::Error) -> String {
    let mut lines = vec![format!("Fehler: {}", cause(error))];
    let suggested = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let meant: Vec<_> = suggested.into_iter().flat_map(|kind| texts(error, kind)).map(|text| format!("`{text}`")).collect();
    if !meant.is_empty() {
        lines.extend([String::new(), format!("  Meinten Sie {}?", meant.join(" oder "))]);
    }
    // As clap says it in English: one letter after the hyphen is all that it looks at.
    if error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::Suggested).is_some() {
        for word in texts(error, ContextKind::InvalidArg).iter().filter(|word| !word.starts_with("--")) {
            lines.extend([String::new(), format!("  Ist es eine Kennung, die mit `{word}` beginnt? Dann gehört sie nach `--` ans Ende.")]);
        }
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        lines.extend([String::new(), format!("Aufruf: {}", usage.trim_start_matches("Usage: "))]);
    }
    lines.extend([String::new(), "Mehr dazu mit --help.".to_owned()]);
    lines.join("\n")
}

fn cause(error: &clap::Error) -> String {
    let argument = texts(error, ContextKind::InvalidArg).join(", ");
    let value = texts(error, ContextKind::InvalidValue).join(" ");
    let list = |kind| {
        let known = texts(error, kind);
        if known.is_empty() { String::new() } else { format!("; möglich: {}", known.join(", ")) }
    };
    match error.kind() {
        ErrorKind::UnknownArgument => format!("das Argument `{argument}` gibt es hier nicht"),
        ErrorKind::InvalidSubcommand => format!("den Befehl `{}` gibt es nicht", texts(error, ContextKind::InvalidSubcommand).join(" ")),
        ErrorKind::MissingSubcommand => {
            let command = texts(error, ContextKind::InvalidSubcommand).join(" ");
            format!("nach `{command}` fehlt ein Befehl{}", list(ContextKind::ValidSubcommand))
        }
        ErrorKind::MissingRequiredArgument => format!("es fehlt: {argument}"),
        ErrorKind::InvalidValue if value.is_empty() => format!("zu `{argument}` fehlt ein Wert{}", list(ContextKind::ValidValue)),
        ErrorKind::InvalidValue => format!("der Wert `{value}` ist für `{argument}` nicht möglich{}", list(ContextKind::ValidValue)),
        ErrorKind::ValueValidation => format!("der Wert `{value}` ist für `{argument}` nicht möglich{}", reason(error)),
        ErrorKind::ArgumentConflict => {
            let prior = texts(error, ContextKind::PriorArg).join(", ");
            if prior == argument || prior.is_empty() {
                format!("`{argument}` darf nur einmal angegeben werden")
            } else {
                format!("`{argument}` ist nicht zusammen möglich mit: {prior}")
            }
        }
        ErrorKind::NoEquals => format!("nach `{argument}` fehlt ein Gleichheitszeichen"),
        ErrorKind::TooManyValues => format!("der Wert `{value}` für `{argument}` ist einer zu viel"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => format!("zu `{argument}` gehört eine andere Zahl von Werten"),
        ErrorKind::InvalidUtf8 => "ein Argument ist kein gültiges UTF-8".to_owned(),
        _ => error.kind().to_string(),
    }
}

/// Why a value does not fit, as far as that is said in German.
fn reason(error: &clap::Error) -> String {
    let Some(source) = error.source() else { return String::new() };
    let message = source.to_string();
    let text = if let Some(Unfit(text)) = source.downcast_ref() {
        text.clone()
    } else if let Some(invalid) = source.downcast_ref::<InvalidId>() {
        invalid.into()
    } else if source.is::<jiff::Error>() {
        structure::no_day()
    } else if source.is::<std::num::ParseIntError>() {
        return ": es muss eine ganze Zahl sein".to_owned();
    } else if let Some((_, range)) = message.split_once(" is not in ") {
        return format!(": möglich ist {}", range.replace("..=", " bis "));
    } else {
        structure::misfit("", &message).reason
    };
    format!(": {}", text.de)
}

/// The texts that clap gives with the error: one, several or none.
fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
