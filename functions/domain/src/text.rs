//! What is said to the utility's staff, in their language.

use std::borrow::Cow;
use std::fmt;

/// A language of the staff; residents' languages are the tenant's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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

impl Text {
    /// The sentence in a language.
    pub fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::De => &self.de,
            Lang::En => &self.en,
        }
    }
}

/// English, as in the log of a program.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}

/// A sentence in both languages, German first, as of `format!`: `text!("{count} Zeilen", "{count} lines")`.
#[macro_export]
macro_rules! text {
    ($de:literal, $en:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::text::Text { de: format!($de $(, $name = $value)*).into(), en: format!($en $(, $name = $value)*).into() }
    };
}
