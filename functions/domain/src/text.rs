//! What is said to the utility's staff, in their language.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A language of the staff; residents' languages are the tenant's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// German.
    De,
    /// English.
    #[default]
    En,
}

/// A sentence in each language, made by [`text!`](crate::text!).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Text {
    /// German, formal.
    pub de: Cow<'static, str>,
    /// English.
    pub en: Cow<'static, str>,
}

impl Lang {
    /// The language of an environment, as POSIX has it: the first of LC_ALL, LC_MESSAGES and LANG that says something; German for `de` and its regions.
    pub fn by(environment: impl Fn(&str) -> Option<String>) -> Self {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| environment(name).filter(|value| !value.is_empty()));
        let locale = locale.unwrap_or_default().to_ascii_lowercase();
        if locale.split(['_', '-', '.', '@']).next() == Some("de") { Self::De } else { Self::En }
    }
}

impl Text {
    /// What is the same in each language: a name, a number, a path.
    pub fn same(text: impl Into<Cow<'static, str>>) -> Self {
        let text = text.into();
        Self { de: text.clone(), en: text }
    }

    /// The sentence in a language.
    pub fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::De => &self.de,
            Lang::En => &self.en,
        }
    }
}

/// A sentence in both languages, German first, as of `format!`: `text!("{count} Zeilen", "{count} lines")`.
///
/// Names may be given values, of which each language takes those that it needs: `text!("{n} Zeilen", "{n} line{s}", s = plural(n))`. Texts within the sentence
/// come after a semicolon, as variables, and are put in in its language: `text!("{path}: {reason}", "{path}: {reason}"; reason)`. A [`Text`] is shown in
/// no other way, so that no English part gets into a German sentence by accident.
#[macro_export]
macro_rules! text {
    ($de:literal, $en:literal $(, $name:ident = $value:expr)* $(,)? $(; $($part:ident),+ $(,)?)?) => {{
        $(let $name = &$value;)*
        $crate::text::Text {
            de: { $($(let $part = $part.of($crate::text::Lang::De);)+)? format!($de).into() },
            en: { $($(let $part = $part.of($crate::text::Lang::En);)+)? format!($en).into() },
        }
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_takes_values_and_texts_of_its_language() {
        let (count, reason) = (2, text!("ist leer", "is empty"));
        let text = text!("{count} Zeilen: {reason}", "{count} line{s}: {reason}", s = if count == 1 { "" } else { "s" }; reason);
        assert_eq!((text.of(Lang::De), text.of(Lang::En)), ("2 Zeilen: ist leer", "2 lines: is empty"));
        assert_eq!(Text::same("tenant.json").of(Lang::De), "tenant.json");
    }

    #[test]
    fn the_language_is_the_environments() {
        let of = |all: &str, messages: &str, lang: &str| {
            Lang::by(|name| {
                let value = match name {
                    "LC_ALL" => all,
                    "LC_MESSAGES" => messages,
                    _ => lang,
                };
                Some(value.to_owned())
            })
        };
        assert_eq!(of("", "", "de_DE.UTF-8"), Lang::De);
        assert_eq!(of("", "de_AT", "en_US.UTF-8"), Lang::De);
        assert_eq!(of("C.UTF-8", "de_DE", "de_DE"), Lang::En);
        assert_eq!(of("", "", "del"), Lang::En, "another language that begins so");
        assert_eq!(Lang::by(|_| None), Lang::En);
    }
}
