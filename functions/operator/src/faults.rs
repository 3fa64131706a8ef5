//! The list of faults in its file.

use std::io;
use std::path::{Path, PathBuf};

use desk::import::{FaultList, FoundFault};
use domain::text::Lang;

use crate::Failure;
use crate::output::Output;

/// The table on the disk.
pub struct FaultTable {
    path: PathBuf,
    list: FaultList<Output>,
}

impl FaultTable {
    /// Begins the file.
    pub fn create(path: &Path, lang: Lang) -> Result<Self, Failure> {
        let list = FaultList::begin(Output::create(path)?, lang);
        let list = list.map_err(|error| Failure::File { path: path.to_owned(), error })?;
        Ok(Self { path: path.to_owned(), list })
    }

    /// Adds a row.
    pub fn write(&mut self, fault: &FoundFault<'_>) -> io::Result<()> {
        self.list.add(fault)
    }

    /// Puts the complete file in its place.
    pub fn finish(self) -> Result<(), Failure> {
        let path = self.path;
        self.list.finish().map_err(|error| Failure::File { path, error })?.finish()
    }
}
