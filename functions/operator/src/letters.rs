//! The letters' file: login data as they go to the printer, written once and kept nowhere else.
//!
//! A letter is on disk before its account is stored, so that no crash leaves an account whose password nobody knows. Until the import is
//! through, the letters are in `OUT.unfinished`; an import that was interrupted goes on with the login data that it finds there.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

use desk::import::LetterBook;
use desk::letters::Letter;
use domain::ids::AccountId;

use crate::Failure;
use crate::output::{Output, beside, private};

/// The file in the making.
#[derive(Debug)]
pub struct Letters {
    path: PathBuf,
    unfinished: PathBuf,
    file: Option<File>,
    earlier: HashMap<AccountId, Letter>,
    superseded: HashSet<AccountId>,
    withdrawn: HashSet<AccountId>,
    count: u64,
}

impl Letters {
    /// Begins the file, or goes on with that of an interrupted import.
    pub fn begin(path: &Path) -> Result<Self, Failure> {
        if path.exists() {
            return Err(Failure::Exists(path.to_owned()));
        }
        let unfinished = beside(path, ".unfinished");
        let mut letters = Self {
            path: path.to_owned(),
            unfinished,
            file: None,
            earlier: HashMap::new(),
            superseded: HashSet::new(),
            withdrawn: HashSet::new(),
            count: 0,
        };
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
            && let Ok(letter) = serde_json::from_str::<Letter>(&line)
        {
            whole += line.len() as u64;
            self.earlier.insert(letter.id.clone(), letter);
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
            let letter: Letter = serde_json::from_str(&line)?;
            // Of two letters of one account the first is from the interrupted import.
            if !self.superseded.remove(&letter.id) && !self.withdrawn.contains(&letter.id) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    }
}

impl LetterBook for Letters {
    type Error = Failure;

    fn earlier(&self, account: &AccountId) -> Option<&Letter> {
        self.earlier.get(account)
    }

    fn write(&mut self, letter: &Letter) -> Result<(), Failure> {
        let written = (|| {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(private().create_new(true).open(&self.unfinished)?),
            };
            let mut line = serde_json::to_vec(letter)?;
            line.push(b'\n');
            file.write_all(&line)
        })();
        if self.earlier.contains_key(&letter.id) {
            self.superseded.insert(letter.id.clone());
        } else {
            self.count += 1;
        }
        written.map_err(|error| self.unwritable(error))
    }

    fn withdraw(&mut self, account: &AccountId) {
        if self.withdrawn.insert(account.clone()) {
            self.count -= 1;
        }
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
        letters.withdraw(&AccountId::new("a").unwrap());
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
    fn no_letter_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Letters::begin(&folder.path().join("letters.jsonl")).unwrap().finish().unwrap(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
