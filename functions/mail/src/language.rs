//! The languages of mails.

use std::collections::BTreeMap;

use domain::config::Application;

use crate::texts;

/// A tenant's own texts, by language and key.
pub type Texts = BTreeMap<String, BTreeMap<String, String>>;

/// A language that all mails are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `de-FORMAL`.
    DeFormal,
    /// `de-INFORMAL`.
    DeInformal,
    /// `en-FORMAL`.
    EnFormal,
}

impl Language {
    pub const ALL: [Self; 3] = [Self::DeFormal, Self::DeInformal, Self::EnFormal];

    /// Its name in configs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DeFormal => "de-FORMAL",
            Self::DeInformal => "de-INFORMAL",
            Self::EnFormal => "en-FORMAL",
        }
    }

    /// The wanted language; one that no mail is written in gives the tenant's own, or German.
    pub fn choose(wanted: Option<&str>, application: &Application) -> Self {
        let known = |name: &str| Self::ALL.into_iter().find(|language| language.name() == name);
        wanted.and_then(known).or_else(|| known(&application.default_language)).unwrap_or(Self::DeFormal)
    }

    /// The tag for `lang` and `Content-Language` (BCP 47).
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::DeFormal | Self::DeInformal => "de",
            Self::EnFormal => "en",
        }
    }

    /// The text in this language.
    pub(crate) const fn say(self, formal: &'static str, informal: &'static str, english: &'static str) -> &'static str {
        match self {
            Self::DeFormal => formal,
            Self::DeInformal => informal,
            Self::EnFormal => english,
        }
    }

    /// A day as the language's readers write it.
    pub(crate) fn day(self, day: jiff::civil::Date) -> String {
        let format = match self {
            Self::DeFormal | Self::DeInformal => "%d.%m.%Y",
            Self::EnFormal => "%-d %B %Y",
        };
        day.strftime(format).to_string()
    }

    /// A counter, digit for digit, with the language's decimal mark.
    pub(crate) fn counter(self, digits: &str) -> String {
        match self {
            Self::DeFormal | Self::DeInformal => digits.replace('.', ","),
            Self::EnFormal => digits.to_owned(),
        }
    }
}

/// What a mail is written with: the language's words, and the tenant's own where it has some.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) language: Language,
    own: Option<&'a BTreeMap<String, String>>,
    tenant: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) fn new(language: Language, texts: &'a Texts, application: &'a Application) -> Self {
        Self { language, own: texts.get(language.name()), tenant: &application.name }
    }

    /// The text in this language, which no tenant changes.
    pub(crate) const fn say(self, formal: &'static str, informal: &'static str, english: &'static str) -> &'static str {
        self.language.say(formal, informal, english)
    }

    /// The text that a tenant may have of its own, filled; `{tenant}` is known everywhere. Empty: there is none.
    pub(crate) fn own(self, text: &texts::OwnText, values: &[(&str, &str)]) -> String {
        let written = self.own.and_then(|own| own.get(text.key)).map_or_else(|| text.says(self.language), String::as_str);
        fill(written, &[&[("tenant", self.tenant)], values].concat())
    }
}

/// The text with each `{name}` replaced; what is put in is not looked at again.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, (name, after))) = rest.split_once('{').and_then(|(before, inside)| Some((before, inside.split_once('}')?))) {
        filled.push_str(before);
        let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        filled.push_str(value.unwrap_or_default());
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        assert_eq!(fill("{a} und {b}", &[("a", "{b}"), ("b", "2")]), "{b} und 2");
        assert_eq!(fill("ohne", &[]), "ohne");
    }
}
