//! What is said to the utility's staff, in their language.

use std::borrow::Cow;
use std::fmt::Display;

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

/// A number with what it counts, in the singular for one and in the plural for every other: `counted(2, ["Zeile", "Zeilen"], ["line", "lines"])`. Where a word's
/// form hangs on the number, such as a verb, it is part of what is counted.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, de: [&str; 2], en: [&str; 2]) -> Text {
    let [de, en] = [de, en].map(|[one, many]| if number == N::from(1) { one } else { many });
    crate::text!("{number} {de}", "{number} {en}")
}

/// A sentence in both languages, German first, as of `format!`: `text!("{path} ist leer", "{path} is empty")`.
///
/// Names may be given values, of which each language takes those that it needs: `text!("am {german}", "on {day}", german = Day(day))`. Texts within the sentence
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
        let (line, reason) = (2, text!("ist leer", "is empty"));
        let text = text!("Zeile {line}: {reason}", "line {number}: {reason}", number = line; reason);
        assert_eq!((text.of(Lang::De), text.of(Lang::En)), ("Zeile 2: ist leer", "line 2: is empty"));
        assert_eq!(Text::same("tenant.json").of(Lang::De), "tenant.json");
    }

    #[test]
    fn one_is_counted_in_the_singular() {
        for (number, de, en) in
            [(0, "0 Zeilen", "0 lines"), (1, "1 Zeile", "1 line"), (2, "2 Zeilen", "2 lines"), (21, "21 Zeilen", "21 lines")]
        {
            let text = counted(number, ["Zeile", "Zeilen"], ["line", "lines"]);
            assert_eq!((text.of(Lang::De), text.of(Lang::En)), (de, en));
        }
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
