//! What the passwords that a file brings give away about each other.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use domain::ids::AccountId;
use domain::text;
use domain::text::Text;

/// So many that follow each other are a sequence, and no accident.
const SEQUENCE: u64 = 3;

/// The passwords of a file so far, as hashes that mean nothing outside of this run.
#[derive(Debug, Default)]
pub struct Passwords {
    hasher: RandomState,
    /// The first line of each, and how many have it.
    lines: HashMap<u64, (u64, u64)>,
    /// The last one whose end is a number: what stands before that, the number, and how many have followed each other.
    last: Option<(u64, u64, u64)>,
    /// The first line of the first sequence.
    sequence: Option<u64>,
    /// The lines of those that are short.
    short: HashMap<AccountId, u64>,
    /// The lines of those that are short and stay.
    kept: Vec<u64>,
}

impl Passwords {
    /// Looks at the password of an account, line by line.
    pub fn look_at(&mut self, account: &AccountId, password: &str, line: u64) {
        self.short.insert(account.clone(), line);
        self.lines.entry(self.hasher.hash_one(password)).or_insert((line, 0)).1 += 1;
        let stem = password.trim_end_matches(|character: char| character.is_ascii_digit());
        let number = password[stem.len()..].parse().ok();
        let stem = self.hasher.hash_one(stem);
        let follows = |last: &(u64, u64, u64), number: u64| last.0 == stem && last.1.checked_add(1) == Some(number);
        self.last = number.map(|number| match &self.last {
            Some(last) if follows(last, number) => (stem, number, last.2 + 1),
            _ => (stem, number, 1),
        });
        if self.last.is_some_and(|(.., run)| run == SEQUENCE) && self.sequence.is_none() {
            self.sequence = Some(line);
        }
    }

    /// The account has its short password already and keeps it.
    pub fn keep(&mut self, account: &AccountId) {
        self.kept.extend(self.short.get(account));
    }

    /// The warnings for the utility.
    pub fn warnings(mut self) -> Vec<Text> {
        let mut warnings = Vec::new();
        let mut shared: Vec<_> = self.lines.into_values().filter(|(_, count)| *count > 1).collect();
        shared.sort_unstable();
        if let Some((line, count)) = shared.first() {
            let others = match shared.len() - 1 {
                0 => Text::same(""),
                1 => text!(", und 1 weiteres ist auch mehrfach vergeben", ", and 1 other is shared too"),
                others => text!(", und {others} weitere sind auch mehrfach vergeben", ", and {others} others are shared too"),
            };
            warnings.push(text!(
                "das Passwort in Zeile {line} haben {count} Zugänge{others}: wer eines dieser Anschreiben hat, hat alle",
                "the password of line {line} is that of {count} accounts{others}: whoever has one of these letters has all";
                others
            ));
        }
        if let Some(line) = self.sequence {
            warnings.push(text!(
                "in Zeile {line} steht ein Passwort, das das vorige plus eins ist: wer ein Anschreiben hat, errät die benachbarten",
                "line {line} has a password that is the one before it plus one: whoever has a letter guesses its neighbours"
            ));
        }
        self.kept.sort_unstable();
        if let Some(line) = self.kept.first() {
            let accounts = match self.kept.len() {
                1 => text!("ein Zugang, in Zeile {line}, behält", "one account, in line {line}, keeps"),
                count => text!("{count} Zugänge, der erste in Zeile {line}, behalten", "{count} accounts, the first in line {line}, keep"),
            };
            warnings.push(text!(
                "{accounts} ein Passwort mit weniger als 10 Zeichen; ein neues Anschreiben gibt ein neues",
                "{accounts} a password of less than 10 characters; a new letter gives another one";
                accounts
            ));
        }
        warnings
    }
}
