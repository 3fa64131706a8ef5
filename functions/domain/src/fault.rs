//! What is wrong in a file of the utility's, for the person who mends it.

use crate::text;
use crate::text::Text;

/// One thing that is wrong in a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Where, such as `meter.meterRateTasks[0].obis`; empty means the document as a whole.
    pub path: String,
    /// The description of the fault.
    pub reason: Text,
    /// What is at `path` is not there at all.
    pub is_missing: bool,
}

impl Fault {
    /// A fault at `path`.
    pub fn new(path: impl Into<String>, reason: impl Into<Text>) -> Self {
        Self { path: path.into(), reason: reason.into(), is_missing: false }
    }

    /// The document lacks what should be at `path`.
    pub fn missing(path: impl Into<String>) -> Self {
        Self { is_missing: true, ..Self::new(path, text!("fehlt", "is missing")) }
    }

    /// `path: reason`
    pub fn text(&self) -> Text {
        let Self { path, reason, .. } = self;
        if path.is_empty() { reason.clone() } else { text!("{path}: {reason}", "{path}: {reason}"; reason) }
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
    pub fn new(file: impl Into<String>, path: impl Into<String>, reason: impl Into<Text>) -> Self {
        Self { file: file.into(), fault: Fault::new(path, reason) }
    }

    /// `file: path: reason`
    pub fn text(&self) -> Text {
        let (file, fault) = (&self.file, self.fault.text());
        text!("{file}: {fault}", "{file}: {fault}"; fault)
    }
}

/// Collects the faults of one document.
#[derive(Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn add(&mut self, path: impl Into<String>, reason: impl Into<Text>) {
        self.0.push(Fault::new(path, reason));
    }

    pub(crate) fn unless(&mut self, fine: bool, path: impl Into<String>, reason: impl Into<Text>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_told_from_what_is_wrong() {
        let [missing, wrong] = [Fault::missing("meter"), Fault::new("meter", text!("ist leer", "is empty"))];
        assert!(missing.is_missing && !wrong.is_missing);
        assert_eq!(missing.text().en, "meter: is missing");
    }
}
