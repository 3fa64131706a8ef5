//! A file that appears whole or not at all, readable by its owner only: it holds what must not be read by others.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use ring::digest;

use crate::Failure;

/// A path in the same folder: the file's own with something at the end of its name.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// How files with personal data are opened for writing: mode 0600. On Windows they have the rights of their folder, which in a user's own are that user's.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    options.mode(0o600);
    options
}

/// A file in the making.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    part: PathBuf,
    writer: BufWriter<File>,
}

impl Output {
    /// Begins the file.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let part = beside(path, ".part");
        match private().truncate(true).open(&part) {
            Ok(file) => Ok(Self { path: path.to_owned(), part, writer: BufWriter::new(file) }),
            Err(error) => Err(Failure::File { path: part, error }),
        }
    }

    /// Puts the complete file in its place, replacing one that is there.
    pub fn finish(mut self) -> Result<(), Failure> {
        let done = self.complete().and_then(|()| fs::rename(&self.part, &self.path));
        done.map_err(|error| Failure::File { path: self.path, error })
    }

    /// Puts the complete file in its place unless there is one.
    pub fn finish_new(mut self) -> Result<(), Failure> {
        let done = self.complete().and_then(|()| fs::hard_link(&self.part, &self.path)).and_then(|()| fs::remove_file(&self.part));
        done.map_err(|error| not_new(self.path, error))
    }

    /// Puts the complete file in its place unless there is one with something else in it.
    pub fn finish_same(mut self) -> Result<(), Failure> {
        let done = self.complete().and_then(|()| {
            if self.path.exists() && hash_of(&self.path)? != hash_of(&self.part)? {
                fs::remove_file(&self.part)?;
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            fs::rename(&self.part, &self.path)
        });
        done.map_err(|error| not_new(self.path, error))
    }

    fn complete(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.writer.get_ref().sync_all()
    }
}

fn not_new(path: PathBuf, error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Exists(path),
        _ => Failure::File { path, error },
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// SHA-256 of a file, in hex.
pub fn hash_of(path: &Path) -> io::Result<String> {
    let (mut file, mut context, mut piece) = (File::open(path)?, digest::Context::new(&digest::SHA256), vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex::encode(context.finish())),
            length => context.update(piece.get(..length).unwrap_or_default()),
        }
    }
}
