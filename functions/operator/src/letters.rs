//! The letters' file: login data as they go to the printer, written once and kept nowhere else.
//!
//! A letter is on disk before its account is stored, so that no crash leaves an account with an unknown password. Until the import is
//! through, the letters are in `OUT.unfinished`; an import that was interrupted goes on with the login data that it finds there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

use desk::import::LetterBook;
use desk::letters::Letter;
use domain::ids::AccountId;
use domain::text;
use serde::{Deserialize, Serialize};

use crate::output::{Output, beside, private};
use crate::{Failure, Say};

/// What became of the command that writes the letters of `path`; if it was stopped, it is said where they are so far.
pub fn told<T>(done: Result<T, Failure>, path: &Path, say: Say) -> Result<T, Failure> {
    let unfinished = unfinished_of(path);
    if done.is_err() && unfinished.exists() && !path.exists() {
        let unfinished = unfinished.display();
        say.complain(&text!(
            "{unfinished}: hier stehen die Anschreiben bis jetzt, mit ihren Zugangsdaten; derselbe Befehl mit demselben --letters setzt sie fort",
            "{unfinished}: has the letters so far, with their login data; the same command with the same --letters goes on with them"
        ));
    }
    done
}

fn unfinished_of(path: &Path) -> PathBuf {
    beside(path, ".unfinished")
}

/// The file in the making.
#[derive(Debug)]
pub struct Letters {
    path: PathBuf,
    unfinished: PathBuf,
    file: Option<File>,
    earlier: HashMap<AccountId, Letter>,
    /// How many letters of an account, from the first on, do not count any more.
    void: HashMap<AccountId, u64>,
    count: u64,
}

/// A line of the file in the making.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line<'a> {
    Letter(Cow<'a, Letter>),
    /// The account's letters before it do not count.
    Withdrawn {
        withdrawn: AccountId,
    },
}

impl Letters {
    /// Begins the file, or goes on with that of an interrupted import.
    pub fn begin(path: &Path) -> Result<Self, Failure> {
        if path.exists() {
            return Err(Failure::Exists(path.to_owned()));
        }
        let unfinished = unfinished_of(path);
        let mut letters = Self { path: path.to_owned(), unfinished, file: None, earlier: HashMap::new(), void: HashMap::new(), count: 0 };
        if letters.unfinished.exists() {
            letters.resume().map_err(|error| letters.unwritable(error))?;
        }
        Ok(letters)
    }

    fn resume(&mut self) -> io::Result<()> {
        let mut reader = BufReader::new(File::open(&self.unfinished)?);
        let mut whole = 0;
        let mut line = String::new();
        // The last line may be cut off in the middle; the account it was for is then not stored yet.
        while reader.read_line(&mut line)? > 0
            && let Ok(written) = serde_json::from_str(&line)
        {
            whole += line.len() as u64;
            let replaced = match written {
                Line::Letter(letter) => self.earlier.insert(letter.id.clone(), letter.into_owned()),
                Line::Withdrawn { withdrawn } => self.earlier.remove(&withdrawn),
            };
            if let Some(Letter { id, .. }) = replaced {
                *self.void.entry(id).or_default() += 1;
            }
            line.clear();
        }
        let mut file = private().open(&self.unfinished)?;
        file.set_len(whole)?;
        file.seek(io::SeekFrom::End(0))?;
        self.count = self.earlier.len() as u64;
        self.file = Some(file);
        Ok(())
    }

    fn unwritable(&self, error: io::Error) -> Failure {
        Failure::File { path: self.unfinished.clone(), error }
    }

    /// Completes the file and tells how many letters it holds; none at all leave no file.
    pub fn finish(mut self) -> Result<u64, Failure> {
        if self.file.is_none() {
            return Ok(0);
        }
        if self.count > 0 {
            let mut output = Output::create(&self.path)?;
            let copied = self.copy(&mut output);
            copied.map_err(|error| self.unwritable(error))?;
            output.finish_new()?;
        }
        fs::remove_file(&self.unfinished).map_err(|error| self.unwritable(error))?;
        Ok(self.count)
    }

    fn copy(&mut self, output: &mut Output) -> io::Result<()> {
        for line in BufReader::new(File::open(&self.unfinished)?).lines() {
            let line = line?;
            let Line::Letter(letter) = serde_json::from_str(&line)? else { continue };
            match self.void.get_mut(&letter.id) {
                Some(void) if *void > 0 => *void -= 1,
                _ => writeln!(output, "{line}")?,
            }
        }
        Ok(())
    }

    fn add(&mut self, line: &Line<'_>) -> Result<(), Failure> {
        let written = (|| {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(private().create_new(true).open(&self.unfinished)?),
            };
            let mut line = serde_json::to_vec(line)?;
            line.push(b'\n');
            file.write_all(&line)
        })();
        written.map_err(|error| self.unwritable(error))
    }
}

impl LetterBook for Letters {
    type Error = Failure;

    fn earlier(&self, account: &AccountId) -> Option<&Letter> {
        self.earlier.get(account)
    }

    fn write(&mut self, letter: &Letter) -> Result<(), Failure> {
        self.add(&Line::Letter(Cow::Borrowed(letter)))?;
        if self.earlier.contains_key(&letter.id) {
            *self.void.entry(letter.id.clone()).or_default() += 1;
        } else {
            self.count += 1;
        }
        Ok(())
    }

    fn withdraw(&mut self, account: &AccountId) -> Result<(), Failure> {
        self.add(&Line::Withdrawn { withdrawn: account.clone() })?;
        self.earlier.remove(account);
        *self.void.entry(account.clone()).or_default() += 1;
        self.count -= 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn letter(id: &str, password: &str) -> Letter {
        Letter {
            id: AccountId::new(id).unwrap(),
            name: "N".into(),
            salutation: None,
            username: "u".into(),
            password: Some(password.into()),
            token: "t".into(),
            link: "https://x.example/m/t".into(),
            valid_until: None,
            language: None,
        }
    }

    fn ids(path: &Path) -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str::<Letter>(line).unwrap().id.to_string()).collect()
    }

    #[test]
    fn letters_are_private_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letters.jsonl");
        let mut letters = Letters::begin(&path).unwrap();
        letters.write(&letter("a", "1")).unwrap();
        letters.write(&letter("b", "2")).unwrap();
        letters.withdraw(&AccountId::new("a").unwrap()).unwrap();
        assert_eq!(letters.finish().unwrap(), 1);
        assert_eq!(ids(&path), ["b"]);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(matches!(Letters::begin(&path), Err(Failure::Exists(_))));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_interrupted_import_goes_on_with_its_letters() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letters.jsonl");
        let mut letters = Letters::begin(&path).unwrap();
        letters.write(&letter("a", "1")).unwrap();
        drop(letters);
        let unfinished = beside(&path, ".unfinished");
        let cut = fs::read_to_string(&unfinished).unwrap() + "{\"id\":\"b\",\"na";
        fs::write(&unfinished, cut).unwrap();

        let mut letters = Letters::begin(&path).unwrap();
        assert_eq!(letters.earlier(&AccountId::new("a").unwrap()).unwrap().password.as_deref(), Some("1"));
        letters.write(&letter("b", "2")).unwrap();
        letters.write(&letter("a", "3")).unwrap();
        assert_eq!(letters.finish().unwrap(), 2);
        assert_eq!(ids(&path), ["b", "a"]);
        assert!(fs::read_to_string(&path).unwrap().contains("\"password\":\"3\""));
    }

    #[test]
    fn a_withdrawn_letter_stays_withdrawn_after_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let (path, a) = (folder.path().join("letters.jsonl"), AccountId::new("a").unwrap());
        let mut letters = Letters::begin(&path).unwrap();
        letters.write(&letter("a", "1")).unwrap();
        letters.withdraw(&a).unwrap();
        drop(letters);
        let letters = Letters::begin(&path).unwrap();
        assert_eq!(letters.earlier(&a), None);
        assert_eq!(letters.finish().unwrap(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn of_a_letter_that_was_written_anew_the_last_one_counts_however_often_the_import_was_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letters.jsonl");
        for password in ["1", "2", "3"] {
            Letters::begin(&path).unwrap().write(&letter("a", password)).unwrap();
        }
        let mut letters = Letters::begin(&path).unwrap();
        letters.withdraw(&AccountId::new("a").unwrap()).unwrap();
        letters.write(&letter("a", "4")).unwrap();
        assert_eq!(letters.finish().unwrap(), 1);
        assert_eq!(ids(&path), ["a"]);
        assert!(fs::read_to_string(&path).unwrap().contains("\"password\":\"4\""));
    }

    #[test]
    fn no_letter_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Letters::begin(&folder.path().join("letters.jsonl")).unwrap().finish().unwrap(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
