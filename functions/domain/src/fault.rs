//! What is wrong in a file of the utility's, for the person who mends it.

use std::fmt;

/// One thing that is wrong in a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Where, such as `meter.meterRateTasks[0].obis`; empty means the document as a whole.
    pub path: String,
    /// What is wrong.
    pub reason: String,
}

impl Fault {
    /// A fault at `path`.
    pub fn new(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.reason),
            path => write!(f, "{path}: {}", self.reason),
        }
    }
}

/// One thing that is wrong in one of several files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileFault {
    /// The file, relative to the folder of all of them.
    pub file: String,
    /// What is wrong in it.
    pub fault: Fault,
}

impl FileFault {
    /// A fault of `file` at `path`.
    pub fn new(file: impl Into<String>, path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { file: file.into(), fault: Fault::new(path, reason) }
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.fault)
    }
}

/// Collects the faults of one document.
#[derive(Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn add(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.0.push(Fault::new(path, reason));
    }

    pub(crate) fn unless(&mut self, fine: bool, path: impl Into<String>, reason: &str) {
        if !fine {
            self.add(path, reason);
        }
    }

    pub(crate) fn found(self) -> Vec<Fault> {
        self.0
    }

    pub(crate) fn in_file(self, file: &str) -> Vec<FileFault> {
        self.0.into_iter().map(|fault| FileFault { file: file.to_owned(), fault }).collect()
    }
}
